//! Tests of the reader of returns: each form, what is refused, what is left out, bounds, and the
//! returns that the IRS publishes, where they lie beside the repository.

mod list_samples;
mod lists;
mod narrative;
mod parts;
mod samples;

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::record::{Contractor, Element, Form, Governance, Program, StatedValue, Totals, Usd};
use list_samples::{FOUNDATION_LISTS, LISTS, LISTS_OLD};
use samples::{FOUNDATION, FULL, FULL_OLD, SHORT};

const NAME: &str = "209900559349300125_public.xml";

fn good(xml: &str) -> Filing {
    read(xml.as_bytes(), NAME).unwrap_or_else(|error| panic!("{error}")).filing
}

fn usd(dollars: i64) -> Option<Usd> {
    Some(Usd::new(dollars))
}

fn program(description: &str, amounts: [Option<i64>; 3]) -> Program {
    let [expenses, grants, revenue] = amounts.map(|amount| amount.map(Usd::new));
    Program { description: description.to_owned(), expenses, grants, revenue }
}

/// Name, title, hours and pay.
type Listed = (String, Option<String>, Option<f32>, Option<i64>);

fn listed(name: &str, title: Option<&str>, hours: Option<f32>, paid: Option<i64>) -> Listed {
    (name.to_owned(), title.map(str::to_owned), hours, paid)
}

/// Whom a return lists.
fn people(xml: &str) -> Vec<Listed> {
    let read = read(xml.as_bytes(), NAME).unwrap_or_else(|error| panic!("{error}"));
    let of = |person: crate::record::Person| {
        (person.name, person.title, person.hours, person.compensation.map(Usd::dollars))
    };
    read.schedules.people.into_iter().map(of).collect()
}

#[test]
fn in_whose_care_mail_is_sent_is_no_part_of_the_name() {
    for line in ["C/O A TRUSTEE", "% A TRUSTEE", "ATTN: A TRUSTEE"] {
        let filing = good(&FULL.replace("OF CEDAR COUNTY", line));
        assert_eq!(filing.name, "MEADOW READERS & WRITERS", "{line}");
    }
}

#[test]
fn a_return_of_form_990() {
    let filing = good(FULL);
    let expected = Filing {
        ein: "001234567".parse().unwrap(),
        form: Form::Full,
        tax_year: 2021,
        period_begin: crate::record::Date::new(2021, 7, 1),
        period_end: crate::record::Date::new(2022, 6, 30).unwrap(),
        filed: crate::record::Timestamp::parse("2023-02-23T15:16:02Z").ok(),
        amended: true,
        object_id: Some("209900559349300125".into()),
        name: "MEADOW READERS & WRITERS OF CEDAR COUNTY".into(),
        doing_business_as: Some("MEADOW READS".into()),
        street: Some("12 FICTION LANE SUITE 3".into()),
        city: Some("CEDAR".into()),
        state: "IA".parse().ok(),
        zip: "52209".parse().ok(),
        subsection: Some(crate::record::Subsection::CHARITABLE),
        website: Some("https://www.meadow.example".into()),
        mission: Some(crate::naming::sentence_case(
            "TO MAKE READERS OF ALL WHO LIVE BY THE MEADOW.",
        )),
        year_formed: Some(1987),
        revenue: usd(1_500_250),
        expenses: usd(1_400_100),
        assets: usd(900_000),
        liabilities: usd(100_000),
        net_assets: usd(-800_000),
        employees: Some(14),
        volunteers: Some(230),
        programs: vec![
            program(
                "Tutoring: forty tutors met children weekly. They read ninety books.",
                [Some(700_000), Some(5_000), Some(300)],
            ),
            program(
                &crate::naming::sentence_case(
                    "LIBRARIES ON WHEELS: TWO VANS BROUGHT BOOKS TO FARMS.",
                ),
                [Some(200_000), None, None],
            ),
            program("Poetry evenings", [Some(90), None, None]),
        ],
        contractors: vec![Contractor {
            name: "FICTION PRINTERS LLC".into(),
            is_business: true,
            services: Some("PRINTING".into()),
            compensation: usd(120_000),
        }],
        superseded: Vec::new(),
        phone: Some("5555550100".into()),
        principal_officer: Some("ADA FICTION".into()),
        business_officer: Some("BO LANTERN".into()),
        governance: Governance {
            voting_members: Some(9),
            independent_members: Some(7),
            conflict_policy: Some(true),
            whistleblower_policy: Some(false),
            retention_policy: None,
        },
        totals: Totals {
            government_grants: usd(4_000),
            cash: usd(2_500),
            beginning_assets: usd(2),
            ..Totals::default()
        },
        lobbying: crate::record::Lobbying::default(),
        transactions: Vec::new(),
        posture: None,
        elements: filing.elements.clone(),
        source: 0,
    };
    assert_eq!(filing, expected);
    let expected = [
        listed("ADA FICTION", Some("PRESIDENT/COO"), Some(37.5), Some(85_000)),
        listed("MADE UP TRUST COMPANY", None, None, None),
    ];
    assert_eq!(people(FULL), expected);
}

/// The last steps of the paths of what states a value.
fn told_at(filing: &Filing, stated: StatedValue) -> String {
    let step = |element: &Element| {
        let path = xpath(&element.at).unwrap();
        let path = path
            .replace("/Return/ReturnData/", "")
            .replace("SupplementalInformationDetail", "Detail");
        if element.is_unreadable { format!("{path}?") } else { path }
    };
    filing.stating(stated).map(step).collect::<Vec<_>>().join(" ")
}

#[test]
fn values_say_in_which_elements_they_stood() {
    let filing = good(FULL);
    for (stated, expected) in [
        (StatedValue::Ein, "/Return/ReturnHeader/Filer/EIN"),
        (StatedValue::Revenue, "IRS990/CYTotalRevenueAmt"),
        (StatedValue::Subsection, "IRS990/Organization501c3Ind"),
        // It points elsewhere, and says nothing itself.
        (StatedValue::Mission, "IRS990ScheduleO/Detail[1]/ExplanationTxt"),
        (StatedValue::Program(0), "IRS990/Desc IRS990ScheduleO/Detail[2]/ExplanationTxt"),
        (StatedValue::Program(2), "IRS990/ProgSrvcAccomActyOtherGrp[1]/Desc"),
        (StatedValue::Program(3), ""),
    ] {
        assert_eq!(told_at(&filing, stated), expected, "{stated:?}");
    }
    let street = "/Return/ReturnHeader/Filer/USAddress/AddressLine1Txt \
                  /Return/ReturnHeader/Filer/USAddress/AddressLine2Txt";
    assert_eq!(told_at(&filing, StatedValue::Street), street);
    let old = good(FULL_OLD);
    assert_eq!(told_at(&old, StatedValue::Ein), "/Return/ReturnHeader/Filer/EIN");
}

#[test]
fn what_cannot_be_read_says_where_it_stood() {
    let with = |element: &str, value: &str| {
        let (open, close) = (format!("<{element}>"), format!("</{element}>"));
        let (head, rest) = FULL.split_once(&open).unwrap();
        let (_, tail) = rest.split_once(&close).unwrap();
        good(&format!("{head}{open}{value}{close}{tail}"))
    };
    let revenue = told_at(&with("CYTotalRevenueAmt", "a lot"), StatedValue::Revenue);
    assert_eq!(revenue, "IRS990/CYTotalRevenueAmt?");
    let employees = told_at(&with("TotalEmployeeCnt", "-1"), StatedValue::Employees);
    assert_eq!(employees, "IRS990/TotalEmployeeCnt?");
    let website = told_at(&with("WebsiteAddressTxt", "www meadow"), StatedValue::Website);
    assert_eq!(website, "IRS990/WebsiteAddressTxt?");
    assert_eq!(told_at(&with("WebsiteAddressTxt", "N/A"), StatedValue::Website), "");
}

#[test]
fn a_return_with_the_names_before_2013() {
    let filing = good(FULL_OLD);
    let facts = (filing.ein.to_string(), filing.tax_year, filing.period_end.to_string());
    assert_eq!(facts, ("190000001".into(), 2010, "2010-12-31".into()));
    assert_eq!(filing.filed.unwrap().to_string(), "2011-11-02T16:00:00Z");
    assert_eq!((filing.amended, filing.website), (false, None));
    assert_eq!(filing.name, "OLD MILL BAND");
    assert_eq!(filing.doing_business_as.as_deref(), Some("MILL MUSIC"));
    let place = (filing.street.as_deref(), filing.city.as_deref(), filing.state, filing.zip);
    assert_eq!(place, (Some("1 NOWHERE ROAD"), Some("FABLETON"), None, None));
    assert_eq!(filing.subsection.unwrap().number(), 7);
    assert_eq!(filing.mission.as_deref(), Some("Music for the mill"));
    assert_eq!(
        (filing.year_formed, filing.employees, filing.volunteers),
        (Some(1921), Some(0), Some(12))
    );
    let amounts =
        [filing.revenue, filing.expenses, filing.assets, filing.liabilities, filing.net_assets];
    assert_eq!(amounts, [usd(500), usd(400), usd(90), usd(0), usd(90)]);
    let expected = [
        program("Band camp", [Some(300), Some(1), Some(2)]),
        program("Concerts", [Some(50), Some(3), Some(4)]),
        program("Marches", [None; 3]),
        program("Instrument repair", [None; 3]),
    ];
    assert_eq!(filing.programs, expected);
    let expected = [
        listed("BEN TROMBONE", Some("LEADER"), Some(2.0), Some(0)),
        listed("INVENTED BRASS", None, None, None),
    ];
    assert_eq!(people(FULL_OLD), expected);
}

#[test]
fn a_return_of_form_990_ez() {
    let filing = good(&format!("\u{feff}{}", SHORT.replace('\n', "\r\n")));
    assert_eq!((filing.form, filing.tax_year, filing.filed), (Form::Short, 2019, None));
    assert_eq!(filing.name, "Pond Friends");
    assert_eq!(filing.subsection.unwrap().number(), 4);
    assert_eq!(filing.mission.as_deref(), Some("Keeping the pond clean & open"));
    let amounts =
        [filing.revenue, filing.expenses, filing.assets, filing.liabilities, filing.net_assets];
    assert_eq!(amounts, [usd(29_737), usd(30_000), usd(500), usd(20), usd(480)]);
    let expected = [
        program("Clean-up days", [Some(800), Some(5), None]),
        program("Frog counts <each spring>", [None; 3]),
    ];
    assert_eq!(filing.programs, expected);
    assert_eq!(people(SHORT), [listed("Cy Duckworth", Some("Chair"), Some(1.0), Some(0))]);
    assert_eq!((filing.employees, filing.volunteers, filing.year_formed), (None, None, None));
}

#[test]
fn a_return_of_form_990_pf() {
    let filing = good(FOUNDATION);
    assert_eq!(
        (filing.form, filing.tax_year, filing.mission.as_deref()),
        (Form::PrivateFoundation, 2022, Some("A workshop for lamp makers"))
    );
    assert_eq!(filing.subsection.unwrap().number(), 3);
    assert_eq!(filing.website.as_deref(), Some("https://lantern.example"));
    let amounts =
        [filing.revenue, filing.expenses, filing.assets, filing.liabilities, filing.net_assets];
    assert_eq!(amounts, [usd(1000), usd(600), usd(5000), usd(100), usd(4900)]);
    let dee = listed("DEE LANTERN", Some("TRUSTEE"), Some(0.5), Some(12));
    assert_eq!(people(FOUNDATION), [dee]);
    let expected = [
        program("A workshop for lamp makers", [Some(50), None, None]),
        program("A reading room", [Some(60), None, None]),
    ];
    assert_eq!(filing.programs, expected);
    let taxable = FOUNDATION.replace("Organization501c3ExemptPFInd", "Organization4947a1TrtdPFInd");
    assert_eq!(good(&taxable).subsection, None);
    // The balance sheet says it first; without it the analysis of changes does.
    let other = FOUNDATION
        .replace("<TotNetAstOrFundBalancesEOYAmt>4900</TotNetAstOrFundBalancesEOYAmt>", "");
    assert_eq!(good(&other).net_assets, usd(1));
}

/// The full sample with one change.
fn changed(from: &str, to: &str) -> String {
    assert!(FULL.contains(from), "{from}");
    FULL.replacen(from, to, 1)
}

#[track_caller]
fn refused(xml: &str, at: u64, in_field: &str, expects: &str, finds: &str) {
    let error = read(xml.as_bytes(), NAME).expect_err(expects);
    let ReturnError::Malformed { line, field, expected, found } = error else { panic!("{error}") };
    assert_eq!((line, field.as_str()), (at, in_field), "{expected}, {found}");
    assert!(expected.contains(expects), "{expected:?} is not {expects:?}");
    assert!(found.contains(finds), "{found:?} is not {finds:?}");
}

#[test]
fn what_is_no_return_is_refused() {
    let check = refused;
    check("", 1, "row", "a whole return", "");
    check("EIN|NAME\n1|2\n", 3, "row", "an XML document", "EIN|NAME");
    check("<html>", 1, "Return", "the element Return", "html");
    check("<Return/>", 1, "Return", "the namespace", "Return");
    check(&changed("irs.gov/efile", "irs.gov/other"), 2, "Return", "namespace", "irs.gov/other");
    let form = "ReturnTypeCd";
    check(&changed(">990<", ">990X<"), 7, form, "Form 990, 990-EZ or 990-PF", "990X");
    check(&changed("<ReturnTypeCd>990</ReturnTypeCd>", ""), 24, form, "Form 990", "");
    check(&changed("001234567", "12-345678"), 10, "EIN", "nine digits", "12-345678");
    check(&changed("<EIN>001234567</EIN>", ""), 88, "EIN", "nine digits", "");
    let end = "TaxPeriodEndDt";
    check(&changed("2022-06-30", "2022-06-31"), 5, end, "YYYY-MM-DD", "2022-06-31");
    check(&changed(">2022-06-30<", "><"), 88, end, "a day", "");
    check(&changed("2022-06-30", "2025-06-30"), 5, end, "that is over", "2025-06-30");
    let name = "MEADOW READERS &amp; WRITERS";
    let nameless = changed(name, "").replace("OF CEDAR COUNTY", "");
    check(&nameless, 88, "BusinessNameLine1Txt", "the filer's name", "");
    let other_body = changed("IRS990 d", "IRS990EZ d").replace("</IRS990>", "</IRS990EZ>");
    check(&other_body, 88, "row", "the data of the form", "none");
    let headless = changed("ReturnHeader b", "Other b").replace("</ReturnHeader>", "</Other>");
    check(&headless, 25, "ReturnHeader", "a header", "ReturnData");
}

#[test]
fn what_is_no_plain_xml_is_refused() {
    let check = refused;
    let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>";
    let bomb = changed(declaration, "<!DOCTYPE Return [<!ENTITY a 'b'>]>");
    check(&bomb, 1, "row", "without a document type", "ENTITY");
    check(&changed("&amp;", "&bomb;"), 12, "row", "an entity of XML itself", "bomb");
    check(&changed("&amp;", "&#x110000;"), 12, "row", "a character", "#x110000");
    check(&changed("&amp;", "& "), 12, "row", "well-formed XML", "");
    check(&changed("</EIN>", "</EIM>"), 10, "row", "well-formed XML", "EIM");
    check(&changed("</Return>", "</Return><Return/>"), 87, "row", "one return", "Return");
    check(&changed("</Return>", "</Return>rest"), 88, "row", "an XML document", "rest");
    let nested = |depth| {
        let (open, close) = ("<a>".repeat(depth), "</a>".repeat(depth));
        changed("<ReturnData", &format!("{open}{close}<ReturnData"))
    };
    assert!(read(nested(63).as_bytes(), NAME).is_ok());
    check(&nested(64), 25, "row", "64 deep", "a");
    let latin = read(&b"<Return xmlns='http://www.irs.gov/efile'>\xe9</Return>"[..], NAME);
    assert!(latin.unwrap_err().to_string().contains("text in UTF-8"));
    let huge = format!("<Return xmlns='http://www.irs.gov/efile'><!--{}", "x".repeat(9 << 20));
    check(&huge, 1, "row", "at most 8 MiB", "more");
}

#[test]
fn what_an_error_says() {
    let error = read(&b"<Return xmlns=''/>"[..], "").unwrap_err();
    let text = "line 1, Return: expected the element Return of the namespace \
                http://www.irs.gov/efile, found \"Return of \"";
    assert_eq!(error.to_string(), text);
    let long = format!("<Return xmlns='{}'/>", "é".repeat(500));
    let ReturnError::Malformed { found, .. } = read(long.as_bytes(), "").unwrap_err() else {
        panic!("malformed")
    };
    assert_eq!(found.chars().count(), 120);
}

struct Failing;

impl io::Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the disk is gone"))
    }
}

#[test]
fn a_failing_input_is_no_malformed_return() {
    let error = read(io::BufReader::new(Failing), NAME).unwrap_err();
    assert!(matches!(error, ReturnError::Io(_)), "{error}");
}

#[test]
fn every_return_that_is_cut_off_is_refused() {
    for sample in [FULL, FULL_OLD, SHORT, FOUNDATION] {
        let whole = sample.trim_end();
        for cut in (0..whole.len()).step_by(7) {
            assert!(read(&whole.as_bytes()[..cut], NAME).is_err(), "{}", &whole[..cut]);
        }
    }
}

#[test]
fn what_is_malformed_and_not_needed_is_left_out() {
    let check = |from: &str, to: &str, left_out: fn(&Filing) -> bool| {
        assert!(FULL.contains(from), "{from}");
        let filing = good(&FULL.replacen(from, to, 1));
        assert!(left_out(&filing), "{from} -> {to}: {filing:?}");
        assert_eq!(filing.ein.as_str(), "001234567");
    };
    check("1500250", "1,500,250", |filing| filing.revenue.is_none());
    check("1500250", "99999999999999999999", |filing| filing.revenue.is_none());
    check(">1987<", ">0<", |filing| filing.year_formed.is_none());
    check(">1987<", ">2050<", |filing| filing.year_formed.is_none());
    check(">230<", ">-230<", |filing| filing.volunteers.is_none());
    check(">14<", ">1.5<", |filing| filing.employees.is_none());
    for hours in ["NaN", "400"] {
        assert_eq!(people(&FULL.replacen("37.50", hours, 1))[0].2, None, "{hours}");
    }
    check(">IA<", ">ZZ<", |filing| filing.state.is_none());
    check("522091234", "5220", |filing| filing.zip.is_none());
    check("522091234", "52é091234", |filing| filing.zip.is_none());
    check("2023-02-23T", "yesterday", |filing| filing.filed.is_none());
    check("<TaxYr>2021", "<TaxYr>0", |filing| filing.tax_year == 2021);
    check("WWW.MEADOW.EXAMPLE", "NONE", |filing| filing.website.is_none());
    check(">X</AmendedReturnInd>", ">0</AmendedReturnInd>", |filing| !filing.amended);
    check("MEADOW READS", "N/A", |filing| filing.doing_business_as.is_none());
    for name in ["", "SEE ATTACHED"] {
        let named = format!("<PersonNm>{name}<");
        let changed = FULL.replacen("<PersonNm>ADA FICTION<", &named, 1);
        assert_eq!(people(&changed).len(), 1, "{name}");
    }
    check("Organization501c3Ind>X", "Organization501c3Ind>false", |filing| {
        filing.subsection.is_none()
    });
}

#[test]
fn lists_and_texts_are_bounded() {
    let entry = "<ProgSrvcAccomActyOtherGrp><Desc>Reading</Desc></ProgSrvcAccomActyOtherGrp>";
    let filing =
        good(&FULL.replace("<MissionDesc>", &format!("{}<MissionDesc>", entry.repeat(300))));
    // Line 4c says nothing.
    assert_eq!(filing.programs.len(), 99);
    let long = "é".repeat(70_000);
    let filing =
        good(&FULL.replace("SEE SCHEDULE O</MissionDesc>", &format!("{long}</MissionDesc>")));
    assert_eq!(filing.mission.map(|text| text.len() / 1024), Some(64));
    let filing = good(&FULL.replace("12 FICTION LANE", &long));
    assert_eq!(filing.street.map(|text| text.len()), Some(1024 + " SUITE 3".len()));
}

#[test]
fn object_ids() {
    for (name, expected) in [
        ("202300559349300125_public.xml", Some("202300559349300125")),
        ("a-202300559349300125.xml", Some("202300559349300125")),
        ("2023005593493001250.xml", None),
        ("20230055934930012.xml", None),
        ("2023_202300559349300125", Some("202300559349300125")),
        ("", None),
        ("٢٠٢٣٠٠٥٥٩٣٤٩٣٠٠١٢٥", None),
    ] {
        let filing = read(FULL.as_bytes(), name).unwrap().filing;
        assert_eq!(filing.object_id.as_deref(), expected, "{name}");
    }
}

#[test]
#[cfg_attr(not(shared_data), ignore = "needs ../shared/data")]
fn every_published_return_is_read() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/efile");
    let mut counts = BTreeMap::new();
    let (mut missions, mut programs, mut people) = (0, 0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = io::BufReader::new(std::fs::File::open(&path).unwrap());
        let kind = match read(file, &name) {
            Ok(Return { filing, schedules, .. }) => {
                missions += usize::from(filing.mission.is_some());
                programs += filing.programs.len();
                people += schedules.people.len();
                assert!(filing.revenue.is_some() && filing.assets.is_some(), "{name}");
                filing.form.name().to_owned()
            }
            Err(ReturnError::UnrelatedBusiness { .. }) => "990-T".to_owned(),
            Err(error) => panic!("{name}: {error}"),
        };
        *counts.entry(kind).or_insert(0) += 1;
    }
    let counts: Vec<_> = counts.into_iter().collect();
    let expected = [("990", 106), ("990-EZ", 11), ("990-PF", 19), ("990-T", 18)];
    assert_eq!(counts, expected.map(|(kind, count)| (kind.to_owned(), count)));
    assert_eq!((missions, programs, people), (120, 318, 2478));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = root(&bytes);
        let _ = read(&bytes[..], NAME);
    }

    #[test]
    fn any_change_of_a_good_return_is_read_or_refused(
        sample in prop::sample::select(vec![FULL, FULL_OLD, SHORT, FOUNDATION, LISTS, LISTS_OLD, FOUNDATION_LISTS]),
        at in any::<prop::sample::Index>(),
        removed in 0_usize..40,
        added in prop::collection::vec(any::<u8>(), 0..12),
    ) {
        let mut bytes = sample.as_bytes().to_vec();
        let at = at.index(bytes.len());
        let end = (at + removed).min(bytes.len());
        bytes.splice(at..end, added);
        let _ = root(&bytes);
        if let Ok(Return { filing, .. }) = read(&bytes[..], NAME) {
            prop_assert!(!filing.name.is_empty());
        }
    }

    #[test]
    fn buffers_of_any_size_read_the_same(size in 1_usize..64) {
        let small = io::BufReader::with_capacity(size, FULL.as_bytes());
        prop_assert_eq!(read(small, NAME).unwrap().filing, good(FULL));
    }
}
