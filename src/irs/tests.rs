//! Tests of the readers on bytes made by hand.

mod any_bytes;

use super::*;
use crate::record::{Date, Deductibility, GroupNumber, Month, Subsection, Usd};

/// Everything that reading finds, with its lines.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) rows: Vec<(u64, ListRow)>,
    rejects: Vec<(u64, FieldError)>,
    pub(super) counts: Counts,
}

impl Found {
    /// The lines and the fields at fault.
    pub(super) fn faults(&self) -> Vec<String> {
        self.rejects.iter().map(|(line, fault)| format!("{line} {}", fault.field)).collect()
    }
}

pub(super) fn read_all(kind: List, bytes: &[u8]) -> Result<Found, ReadError> {
    let mut found = Found::default();
    let counts = read(kind, bytes, &mut |event| {
        match event {
            Event::Row { line, row } => found.rows.push((line, row)),
            Event::Fault { line, fault } => found.rejects.push((line, fault)),
            Event::Progress { .. } => {}
        }
        Ok::<_, ReadError>(())
    })?;
    Ok(Found { counts, ..found })
}

/// A master file row with some columns set.
fn row(set: &[(&str, &str)]) -> String {
    let fields = master::COLUMNS.map(|column| {
        let preset = match column {
            "EIN" => "010564885",
            "NAME" => "A CLUB",
            _ => "",
        };
        set.iter().find(|(name, _)| *name == column).map_or(preset, |(_, value)| value)
    });
    fields.join(",")
}

fn master_file(rows: &[String]) -> Vec<u8> {
    format!("{}\r\n{}\r\n", master::COLUMNS.join(","), rows.join("\r\n")).into_bytes()
}

fn only_master(set: &[(&str, &str)]) -> MasterRow {
    let found = read_all(List::MasterFile, &master_file(&[row(set)])).unwrap();
    match found.rows.as_slice() {
        [(2, ListRow::MasterFile(row))] => row.as_ref().clone(),
        other => panic!("{set:?}: {other:?} {:?}", found.rejects),
    }
}

#[test]
fn master_row_in_full() {
    let line = "010180687,WINDSOR  IMPROVEMENT CORPORATION,% HAROLD PYKE,PO BOX 455,WINDSOR,VT,\
                05089-0455,1234,03,3,1000,200211,1,15,123000000,1,01,202406,6,4,01,0,06,\
                9876543210,-433360,324462,S30Z,\"SORT, NAME\"";
    let found = read_all(List::MasterFile, &master_file(&[line.to_owned()])).unwrap();
    let [(2, ListRow::MasterFile(row))] = found.rows.as_slice() else { panic!("{found:?}") };
    let expected = MasterRow {
        ein: "010180687".parse().unwrap(),
        name: "WINDSOR IMPROVEMENT CORPORATION".into(),
        in_care_of: Some("% HAROLD PYKE".into()),
        street: Some("PO BOX 455".into()),
        city: Some("WINDSOR".into()),
        state: Some("VT".parse().unwrap()),
        zip: Some("05089".parse().unwrap()),
        group: GroupNumber::parse("1234").unwrap(),
        subsection: Some(Subsection::CHARITABLE),
        affiliation: Some(3),
        classification: Some("1000".into()),
        ruling: Month::new(2002, 11),
        deductibility: Some(Deductibility::DEDUCTIBLE),
        foundation: Some("15".parse().unwrap()),
        activity: Some("123000000".into()),
        organization: Some(1),
        status: Some(1),
        tax_period: Month::new(2024, 6),
        asset_class: Some(6),
        income_class: Some(4),
        filing_requirement: Some("01".parse().unwrap()),
        private_foundation_filing: Some(0),
        accounting_month: Some(6),
        assets: Some(Usd::new(9_876_543_210)),
        income: Some(Usd::new(-433_360)),
        revenue: Some(Usd::new(324_462)),
        ntee: Some("S30".parse().unwrap()),
        sort_name: Some("SORT, NAME".into()),
        unreadable: Vec::new(),
    };
    assert_eq!(**row, expected);
}

#[test]
fn master_fields_that_mean_nothing_known() {
    let row = only_master(&[
        ("ZIP", "00000-0000"),
        ("GROUP", "0000"),
        ("RULING", "000000"),
        ("TAX_PERIOD", "000000"),
        ("ACTIVITY", "000000000"),
        ("CLASSIFICATION", "0000"),
        ("ACCT_PD", "00"),
        ("ASSET_AMT", "0"),
    ]);
    assert_eq!((row.zip, row.group, row.ruling, row.tax_period), (None, None, None, None));
    assert_eq!((row.activity, row.classification, row.accounting_month), (None, None, None));
    assert_eq!((row.assets, row.income), (Some(Usd::new(0)), None));
    for (requirement, revenue, expected) in
        [("02", "0", None), ("01", "0", Some(0)), ("02", "7", Some(7)), ("06", "", None)]
    {
        let row = only_master(&[("FILING_REQ_CD", requirement), ("REVENUE_AMT", revenue)]);
        assert_eq!(row.revenue.map(Usd::dollars), expected, "{requirement} {revenue:?}");
    }
}

#[test]
fn malformed_fields_are_left_out_and_counted() {
    let bad = [
        ("STATE", "ZZ"),
        ("ZIP", "0508"),
        ("GROUP", "12"),
        ("AFFILIATION", "x"),
        ("CLASSIFICATION", "10"),
        ("RULING", "200213"),
        ("DEDUCTIBILITY", "11"),
        ("FOUNDATION", "1"),
        ("ACTIVITY", "1"),
        ("ORGANIZATION", "12"),
        ("STATUS", "1"),
        ("TAX_PERIOD", "2024"),
        ("ASSET_CD", "-"),
        ("INCOME_CD", "10"),
        ("FILING_REQ_CD", "2"),
        ("PF_FILING_REQ_CD", "é"),
        ("ACCT_PD", "13"),
        ("ASSET_AMT", "1.5"),
        ("INCOME_AMT", "99999999999999999999"),
        ("REVENUE_AMT", "$1"),
        ("NTEE_CD", "0000"),
    ];
    let file = master_file(&[row(&bad), row(&[("NTEE_CD", "050")])]);
    let found = read_all(List::MasterFile, &file).unwrap();
    let counts = &found.counts;
    assert_eq!((counts.rows, counts.faults), (2, 0));
    for (field, _) in bad {
        let expected = if field == "NTEE_CD" { 2 } else { 1 };
        assert_eq!(counts.warnings.get(field), Some(&expected), "{field}");
    }
    assert_eq!(counts.warnings.len(), bad.len());
    let (_, ListRow::MasterFile(first)) = &found.rows[0] else { panic!() };
    assert_eq!(serde_json::to_value(first).unwrap()["state"], serde_json::Value::Null);
}

#[test]
fn master_rejects() {
    let nul = row(&[("CITY", "A\0B")]);
    let long = row(&[("STREET", &"x".repeat(1025))]);
    for (line, field) in [
        (row(&[("EIN", "10564885")]), "EIN"),
        (row(&[("EIN", "01-0564885")]), "EIN"),
        (row(&[("EIN", "")]), "EIN"),
        (row(&[("NAME", " ")]), "NAME"),
        (row(&[("SUBSECTION", "3")]), "SUBSECTION"),
        (row(&[("NAME", "A, B")]), "row"),
        ("010564885,A".into(), "row"),
        (nul, "row"),
        (long, "STREET"),
        ("x".repeat(70_000), "row"),
        (row(&[("NAME", "\"A CLUB")]), "row"),
    ] {
        let file = master_file(&[row(&[]), line.clone(), row(&[])]);
        let found = read_all(List::MasterFile, &file).unwrap();
        let lines: Vec<u64> = found.rows.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 4], "{line:.80}");
        let [(at, reject)] = found.rejects.as_slice() else {
            panic!("{line:.80}: {:?}", found.rejects)
        };
        assert_eq!((*at, reject.field), (3, field), "{line:.80}");
        assert!(reject.found.chars().count() <= 120 && !reject.expected.is_empty());
    }
}

#[test]
fn headers_decide_the_order() {
    let reversed: Vec<&str> = master::COLUMNS.into_iter().rev().chain(["EXTRA"]).collect();
    let values: Vec<&str> = reversed
        .iter()
        .map(|column| match *column {
            "EIN" => "010564885",
            "NAME" => "\"A CLUB\"",
            "CITY" => "\"SANTA\r\nFE\"",
            _ => "",
        })
        .collect();
    let usual = master_file(&[row(&[])]);
    let file = format!(
        "\u{feff}{}\n\n{}\n{}\n\u{feff}{}",
        reversed.join(","),
        values.join(","),
        reversed.join(",").to_lowercase(),
        String::from_utf8(usual).unwrap()
    );
    let found = read_all(List::MasterFile, file.as_bytes()).unwrap();
    assert_eq!(found.rejects, []);
    let [(3, ListRow::MasterFile(first)), (7, ListRow::MasterFile(second))] = found.rows.as_slice()
    else {
        panic!("{:?}", found.rows)
    };
    assert_eq!(first.city.as_deref(), Some("SANTA FE"));
    assert_eq!(second.name, "A CLUB");

    let without = file.replace(",NTEE_CD", "");
    let error = read_all(List::MasterFile, without.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("line 1 lacks the column NTEE_CD:"), "{error}");
    assert!(read_all(List::MasterFile, b"").is_err());
}

#[test]
fn latin_1_and_utf_8() {
    for name in [&b"ESPA\xD1A"[..], "ESPAÑA".as_bytes()] {
        let line = [b"010564885,", name, &[b','; 26]].concat();
        let file = [master::COLUMNS.join(",").as_bytes(), b"\n", &line].concat();
        let found = read_all(List::MasterFile, &file).unwrap();
        assert!(matches!(&found.rows[0].1, ListRow::MasterFile(row) if row.name == "ESPAÑA"));
    }
}

#[test]
fn publication_78() {
    let file = b"\n\n000003154|A|Norfolk|VA|United States|EO, lodge,EO\n010564885|A|B|VA|PC\n\
                 |A|B|VA|US|PC\n010564885|A|B|||\nEIN|NAME|CITY|STATE|COUNTRY|CODES\n";
    let found = read_all(List::Publication78, file).unwrap();
    let row = |line: u64, ein: &str, codes: &[&str]| {
        let codes = codes.iter().map(|code| (*code).to_owned()).collect();
        (line, ListRow::Publication78(Publication78Row { ein: ein.parse().unwrap(), codes }))
    };
    assert_eq!(found.rows, [row(3, "000003154", &["EO", "LODGE"]), row(6, "010564885", &[])]);
    assert_eq!(found.faults(), ["4 row", "5 EIN"]);
    assert_eq!(found.rejects[0].1.expected, "6 fields, found 5");
}

#[test]
fn revocation_list() {
    let line = |revoked, posted, reinstated| {
        format!("010564885|A CLUB||1 ST|X|VT|05089|US|03|{revoked}|{posted}|{reinstated}\r\n")
    };
    let file = [
        line("15-MAY-2010", "09-JUN-2011", ""),
        line("15-may-2010", "soon", "15-MAY-2010"),
        line("31-FEB-2010", "", ""),
        line("", "", ""),
    ]
    .concat();
    let found = read_all(List::RevocationList, file.as_bytes()).unwrap();
    let day = |text| Date::parse_dd_mon_yyyy(text).ok();
    let days: Vec<_> = found
        .rows
        .iter()
        .map(|(_, row)| match row {
            ListRow::RevocationList(row) => (Some(row.revoked), row.posted, row.reinstated),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        days,
        [
            (day("15-MAY-2010"), day("09-JUN-2011"), None),
            (day("15-MAY-2010"), None, day("15-MAY-2010")),
        ]
    );
    assert_eq!(found.faults(), ["3 REVOCATION_DATE", "4 REVOCATION_DATE"]);
}

#[test]
fn postcards() {
    let line = |year, name, website, others| {
        let officer_and_address = "|x".repeat(15);
        format!("010564885|{year}|{name}|T|F|b|e|{website}{officer_and_address}|{others}\n")
    };
    let file = [
        line("2020", "A CLUB", "WWW.Club.ORG", "THE CLUB|a club|THE CLUB"),
        line("2021", "A CLUB", "N/A", "N/A||none"),
        line("21", "A CLUB", "", "||"),
        line("2022", " ", "", "||"),
        line("2022", "A|B", "", "||"),
    ]
    .concat();
    let found = read_all(List::Postcard, file.as_bytes()).unwrap();
    let rows: Vec<_> = found
        .rows
        .iter()
        .map(|(_, row)| match row {
            ListRow::Postcard(row) => {
                (row.tax_year, row.website.as_deref(), row.doing_business_as.join("+"))
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let site = Some("https://www.club.org");
    assert_eq!(rows, [(2020, site, "THE CLUB".into()), (2021, None, String::new())]);
    assert_eq!(found.faults(), ["3 TAX_YEAR", "4 ORGANIZATION_NAME", "5 row"]);
}

#[test]
fn the_caller_can_stop() {
    #[derive(Debug)]
    enum Stop {
        Enough(u64),
        Read,
    }
    impl From<ReadError> for Stop {
        fn from(_: ReadError) -> Self {
            Self::Read
        }
    }
    let file = master_file(&[row(&[]), row(&[])]);
    let stopped = read(List::MasterFile, file.as_slice(), &mut |event| match event {
        Event::Row { line, .. } => Err(Stop::Enough(line)),
        _ => Ok(()),
    });
    assert!(matches!(stopped, Err(Stop::Enough(2))), "{stopped:?}");
    assert!(matches!(read(List::MasterFile, &b"x"[..], &mut |_| Ok(())), Err(Stop::Read)));
}
