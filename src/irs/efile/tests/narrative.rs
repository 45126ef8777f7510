//! Tests of missions and programmes: pointers that are followed, explanations that are added.

use proptest::prelude::*;

use super::super::heading::bare;
use super::super::pointer::statement;
use super::super::reference::{about, by_line};
use super::good;
use crate::record::{Filing, Form};

/// A return of Form 990 with these elements and explanations.
fn filing(elements: &[(&str, &str)], notes: &[(&str, &str)]) -> Filing {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;");
    let element = |name: &str, text: &str| format!("<{name}>{}</{name}>", escaped(text));
    let body: String = elements
        .iter()
        .map(|(path, text)| match path.split_once('/') {
            Some((group, name)) => format!("<{group}>{}</{group}>", element(name, text)),
            None => element(path, text),
        })
        .collect();
    let notes: String = notes
        .iter()
        .map(|(reference, text)| {
            let reference = element("FormAndLineReferenceDesc", reference);
            let text = element("ExplanationTxt", text);
            format!(
                "<SupplementalInformationDetail>{reference}{text}</SupplementalInformationDetail>"
            )
        })
        .collect();
    good(&format!(
        "<Return xmlns='http://www.irs.gov/efile'><ReturnHeader><ReturnTypeCd>990</ReturnTypeCd>\
         <TaxPeriodEndDt>2022-12-31</TaxPeriodEndDt><Filer><EIN>001234567</EIN><BusinessName>\
         <BusinessNameLine1Txt>Kite Club</BusinessNameLine1Txt></BusinessName></Filer>\
         </ReturnHeader><ReturnData><IRS990>{body}</IRS990><IRS990ScheduleO>{notes}\
         </IRS990ScheduleO></ReturnData></Return>"
    ))
}

#[test]
fn missions() {
    let check = |third: &str, first: &str, notes: &[(&str, &str)], expected: Option<&str>| {
        let elements = [("ActivityOrMissionDesc", first), ("MissionDesc", third)];
        assert_eq!(filing(&elements, notes).mission.as_deref(), expected, "{third} | {first}");
    };
    const LINE_1: &str = "FORM 990, PART III, LINE 1";
    check("Kites for all.", "Kites.", &[], Some("Kites for all."));
    check("KITES FOR ALL.", "", &[], Some("Kites for all."));
    check("", "Kites.", &[], Some("Kites."));
    check("N/A", "NONE", &[], None);
    check("none.", "Not Applicable", &[], None);
    check("SEE PART I, LINE 1", "Kites.", &[], Some("Kites."));
    check("See attached", "SEE PART III, LINE 1", &[], None);
    check("See Schedule O", "Kites.", &[(LINE_1, "Kites for all.")], Some("Kites for all."));
    check("See Schedule O", "Kites.", &[("PART VI, LINE 1", "No.")], Some("Kites."));
    check("See Schedule O", "See Schedule O", &[("PART I, LINE 1", "Kites!")], Some("Kites!"));
    check("See Schedule O", "", &[(LINE_1, "See attached")], None);
    check("", "", &[("ORGANIZATION'S MISSION", "Kites for all.")], Some("Kites for all."));
    check(
        "Kites for all (continued on Schedule O)",
        "",
        &[(LINE_1, "who like wind.")],
        Some("Kites for all who like wind."),
    );
    check("Kites for all. (continued)", "", &[], Some("Kites for all."));
    check(
        "Kites for all",
        "",
        &[(LINE_1, "KITES FOR ALL WHO LIKE WIND.")],
        Some("Kites for all who like wind."),
    );
    let own = "Kites of all sizes are flown by all of us";
    let whole = "In spring, kites of all sizes are flown by all of us daily.";
    check(own, "", &[(LINE_1, whole)], Some(whole));
    check("Kites", "", &[(LINE_1, "We give kites.")], Some("Kites: We give kites."));
    check(
        "Kites for all who li",
        "",
        &[(LINE_1, "Kites for all who like wind.")],
        Some("Kites for all who like wind."),
    );
    check(
        "Kites for all who like wind.",
        "",
        &[(LINE_1, "For all who like")],
        Some("Kites for all who like wind."),
    );
    check(
        "We give kites to all who like",
        "",
        &[(LINE_1, "to all who like wind.")],
        Some("We give kites to all who like wind."),
    );
    check(
        "wind and weather.",
        "Kites for all who like (continued p 2)",
        &[],
        Some("Kites for all who like wind and weather."),
    );
    check("Mission: kites for all", "", &[], Some("kites for all"));
}

#[test]
fn programs() {
    let check = |elements: &[(&str, &str)], notes: &[(&str, &str)], expected: &[(&str, i64)]| {
        let programs = filing(elements, notes).programs;
        let told = |program: &crate::record::Program| {
            let expenses = program.expenses.map_or(-1, |amount| amount.dollars());
            (program.description.clone(), expenses)
        };
        let found: Vec<_> = programs.iter().map(told).collect();
        let expected: Vec<_> =
            expected.iter().map(|(text, amount)| (text.to_string(), *amount)).collect();
        assert_eq!(found, expected, "{elements:?} {notes:?}");
    };
    const OTHER: &str = "ProgSrvcAccomActyOtherGrp/Desc";
    let kites =
        [("ExpenseAmt", "7"), ("Desc", "Kites"), ("ProgSrvcAccomActy2Grp/Desc", "See Schedule O")];
    check(&kites, &[], &[("Kites", 7)]);
    check(&kites, &[("PART III, LINE 4B", "BALLOONS")], &[("Kites", 7), ("Balloons", -1)]);
    check(&kites, &[("PART III, LINE 4A", "Ten were made.")], &[("Kites: Ten were made.", 7)]);
    check(&kites, &[("PART III, LINE 4", "All balloons.")], &[("Kites", 7), ("All balloons.", -1)]);
    let both = [("PART III, LINE 4", "4A. Kites: ten. 4B. Balloons: two.")];
    check(&kites, &both, &[("Kites: ten.", 7), ("Balloons: two.", -1)]);
    check(&[], &[("PART III, LINE 4D", "Balloons")], &[("Balloons", -1)]);
    check(
        &[("TotalOtherProgSrvcExpenseAmt", "9")],
        &[("PART III, LINE 4D", "Balloons")],
        &[("Balloons", 9)],
    );
    let two = [("PART III, LINE 4D", "Balloons"), ("PART III, LINE 4D", "Gliders")];
    check(&[("TotalOtherProgSrvcExpenseAmt", "9")], &two, &[("Balloons", -1), ("Gliders", -1)]);
    check(
        &[(OTHER, "See Schedule O"), (OTHER, "Gliders")],
        &two,
        &[("Balloons", -1), ("Gliders", -1)],
    );
    check(
        &[(OTHER, "Balloons"), (OTHER, "Gliders")],
        &[("PART III, LINE 4D", "Gliders are light.")],
        &[("Balloons", -1), ("Gliders are light.", -1)],
    );
    check(&[("Desc", "NONE"), ("ExpenseAmt", "7")], &[], &[]);
    check(&kites, &[("SCHEDULE A, PART III, LINE 4A", "Not this.")], &[("Kites", 7)]);
}

proptest! {
    #[test]
    fn any_text_is_taken(text in any::<String>(), more in any::<String>()) {
        let stated = statement(&text);
        prop_assert!(text.contains(stated.own));
        prop_assert!(text.contains(bare(&text)));
        let _ = by_line(&text);
        for form in [Form::Full, Form::Short, Form::PrivateFoundation] {
            let _ = about(form, &text, &more, &text);
        }
    }

    #[test]
    fn words_of_pointers_in_any_order_are_taken(
        words in prop::collection::vec(prop::sample::select(vec![
            "see", "SEE", "Schedule", "O", "O.", "part", "III,", "line", "4a.", "4B:", "(", "-",
            "kites", "continued", "p", "2", "0.", "1,200", "Revenue", "expenses", "é", "’",
        ]), 0..14),
        more in prop::collection::vec(
            prop::sample::select(vec!["kites", "see", "p", "for", "all."]), 0..9,
        ),
    ) {
        let (text, more) = (words.join(" "), more.join(" "));
        prop_assert!(text.contains(statement(&text).own));
        prop_assert!(text.contains(bare(&text)));
        if let Some(parts) = by_line(&text) {
            prop_assert!(parts.iter().all(|(_, part)| text.contains(part)));
        }
        let filing = filing(
            &[("MissionDesc", &text), ("Desc", &text)],
            &[("PART III, LINE 1", &more), (&text, &more), ("PART III, LINE 4A", &more)],
        );
        prop_assert!(filing.mission.is_none_or(|mission| !mission.trim().is_empty()));
    }
}
