//! Why a candidate is one, in words.

use super::compare::{Compared, Comparison};
use super::decision::EinFit;
use super::features::PlaceFit;
use super::query::{ParsedRow, Query, RowEin};
use crate::record::{Ein, State};

/// How alike names are that are called similar.
const SIMILAR_MIN: f32 = 0.6;

/// What agrees and what does not, the most telling first.
pub(super) fn reasons(found: &Comparison, candidate: &Compared) -> Vec<String> {
    let row = &found.row;
    let mut reasons = Vec::new();
    of_names(row, candidate, &mut reasons);
    of_place(&candidate.place, &mut reasons);
    reasons.extend(of_ein(found, candidate));
    match candidate.standing.namesakes {
        0 => {}
        1 => reasons.push("one other organization has this name".to_owned()),
        others if others >= super::features::NAMESAKES_MAX => {
            reasons.push(format!("more than {others} others have this name"));
        }
        others => reasons.push(format!("{others} others have this name")),
    }
    reasons
}

/// Why a candidate of a row without a name is one.
pub(super) fn by_ein_alone(place: &PlaceFit) -> Vec<String> {
    let mut reasons = vec!["same EIN; the row has no name".to_owned()];
    of_place(place, &mut reasons);
    reasons
}

fn of_ein(found: &Comparison, candidate: &Compared) -> Option<String> {
    let ein = match &found.row.ein {
        RowEin::None => return None,
        RowEin::Unreadable(cell) => return Some(unreadable_ein(cell)),
        RowEin::Ein(ein) => *ein,
    };
    if candidate.ein == ein {
        let fit = EinFit::of(found, candidate);
        return Some(match fit {
            EinFit::Agrees => "same EIN".to_owned(),
            EinFit::Renamed => "same EIN at the same place: it may have been renamed".to_owned(),
            EinFit::Contradicts => "same EIN, which contradicts the name".to_owned(),
        });
    }
    let owner = found.candidates.iter().find(|one| one.ein == ein);
    Some(match owner {
        Some(owner) => format!("the row's EIN {ein} is that of {}", owner.organization.name),
        None => format!("the row's EIN {ein} is another, which nobody in the data has"),
    })
}

fn unreadable_ein(cell: &str) -> String {
    if Ein::is_rounded(cell) {
        format!(
            "the EIN {cell} was rounded by a spreadsheet, so that digits are lost; export its column as text"
        )
    } else {
        format!("the EIN {cell:?} cannot be read: expected nine digits")
    }
}

/// Why a row has no candidate; `uncovered` is its state where no organization of it is loaded.
pub(super) fn no_match(query: &Query, row: &ParsedRow, uncovered: Option<State>) -> String {
    match &row.ein {
        RowEin::Unreadable(cell) if row.names.is_empty() => return unreadable_ein(cell),
        RowEin::Ein(ein) if row.names.is_empty() => {
            return format!("the row has no name, and nobody in the data has the EIN {ein}");
        }
        _ => {}
    }
    if row.names.is_empty() {
        let is_blank = query.name.trim().is_empty();
        return if is_blank {
            "the row has neither a name nor an EIN"
        } else {
            "the name has no words"
        }
        .to_owned();
    }
    let city = query.city.trim();
    let code = row.location.state.map_or("", State::code);
    let place = match (city, code) {
        ("", "") => String::new(),
        ("", place) | (place, "") => format!(", in {place} or elsewhere"),
        (city, code) => format!(", in {city} {code} or elsewhere"),
    };
    match uncovered {
        Some(state) => format!(
            "no organization has a similar name, and none of {} is loaded",
            State::name(state)
        ),
        None => format!("no organization has a similar name{place}"),
    }
}

fn of_names(row: &ParsedRow, candidate: &Compared, reasons: &mut Vec<String>) {
    let fit = &candidate.names.fit;
    let other = if row.names[candidate.names.asked].is_first { "" } else { "other " };
    let similarity = fit.similarity();
    reasons.push(if fit.is_chapter && (fit.is_equal || fit.is_whole_chapter) {
        "same body and number".to_owned()
    } else if fit.is_equal {
        format!("same {other}name")
    } else if fit.is_initials {
        format!("initials of the {other}name")
    } else if similarity >= SIMILAR_MIN {
        format!("similar {other}name ({:.0}%)", similarity * 100.0)
    } else {
        format!("the {other}name is mostly different ({:.0}%)", similarity * 100.0)
    });
    let contradictions = [
        (fit.number_differs, "numbers in the names differ"),
        (fit.number_open, "only one name has a number"),
        (fit.direction_differs, "directions in the names differ"),
        (fit.kin_asked, "the row names a body of another kind"),
        (fit.kin_found, "the match is a body of another kind"),
    ];
    reasons.extend(reasons_that_hold(&contradictions));
}

fn of_place(place: &PlaceFit, reasons: &mut Vec<String>) {
    let street = &place.street;
    reasons.extend(reasons_that_hold(&[
        (street.is_same(), "same street address"),
        (!street.is_same() && street.is_same_street(), "same street, another number"),
        (street.street.is_some() && !street.is_same_street(), "another street"),
        (street.box_number == Some(true), "same PO box"),
        (street.box_number == Some(false), "another PO box"),
        (place.zip == Some(true), "same ZIP code"),
        (place.city == Some(true), "same city"),
        (place.city == Some(false), "another city"),
        (place.state == Some(false), "another state"),
    ]));
}

fn reasons_that_hold(checks: &[(bool, &str)]) -> Vec<String> {
    checks.iter().filter(|(holds, _)| *holds).map(|(_, reason)| (*reason).to_owned()).collect()
}
