//! What applications and the index of e-filed returns add to what the lists say.

use super::impact::{FILED, Filed};
use super::provenance::check;
use super::*;
use crate::record::Listing;
use crate::record::{Form, Month};
use crate::search::details::details;

const APPROVALS: &str = "EIN,Case Number,Orgname1,Orgname2,Orgurl,Incorporateddate,\
    Incorporatedstate,Nteecode,Orgpurposecharitable,Orgpurposereligious,Orgpurposeeducational,\
    Orgpurposescientific,Orgpurposeliterary,Orgpurposepublicsafety,Orgpurposeamateursports,\
    Orgpurposecrueltyprevention,Mission";

const INDEX: &str =
    "RETURN_ID,FILING_TYPE,EIN,TAX_PERIOD,SUB_DATE,TAXPAYER_NAME,RETURN_TYPE,DLN,OBJECT_ID";

/// Two organizations without a code, applications of both, and an index.
fn bench() -> Bench {
    let bench = Bench::new();
    let uncoded = |row: String| row.replace("P30,", ",");
    bench.master(
        "eo1.csv",
        &[
            uncoded(row("010000001", "ALPHA READERS FUND", "BURLINGTON", "VT", "202312", "100")),
            uncoded(row("010000002", "BETA TRUST", "ALBANY", "NY", "202312", "")),
        ],
    );
    let rows = [
        "10000001,EO-2014269-000138,ALPHA READERS,,www.alpha.example,1/2/2003,VT,B92,1,0,1,0,0,0,0,0,To read.",
        "10000001,EO-2013269-000138,ALPHA READERS,,www.old.example,1/2/2003,VT,A20,1,0,1,0,0,0,0,0,Before.",
        "10000002,EO-2014269-000139,QUITE ANOTHER NAME,,www.beta.example,,,A20,1,0,0,0,0,0,0,0,To act.",
        "99000001,EO-2014269-000140,NOT THERE,,,,,A20,1,0,0,0,0,0,0,0,",
    ];
    bench.input("approvals.csv", &format!("{APPROVALS}\n{}\n", rows.join("\n")));
    bench
}

fn organization(snapshot: &Snapshot, ein: &str) -> Organization {
    let org = snapshot.columns.org_of(ein.parse().unwrap()).unwrap().unwrap();
    snapshot.records.organization(org).unwrap()
}

fn indexed(bench: &Bench, rows: &[&str]) {
    bench.input("index_2024.csv", &format!("{INDEX}\n{}\n", rows.join("\n")));
}

#[test]
fn an_application_fills_what_nothing_later_says() {
    let bench = bench();
    let report = bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let alpha = organization(&snapshot, "010000001");
    assert_eq!(alpha.summary.as_deref(), Some("To read."));
    assert_eq!(alpha.website.as_deref(), Some("https://www.alpha.example"));
    assert_eq!((alpha.ntee, alpha.year_formed), ("B92".parse().ok(), Some(2003)));
    let formation = alpha.formation.unwrap();
    assert_eq!(formation.purpose_names(), ["charitable", "educational"]);
    check(
        &snapshot,
        "010000001",
        &[
            ("summary", "approvals.csv Mission None"),
            ("url", "approvals.csv Orgurl None"),
            ("ntee", "approvals.csv Nteecode None"),
            ("issueArea", "approvals.csv Nteecode None"),
            ("yearFounded", "approvals.csv Incorporateddate None"),
        ],
    );
    // The other EIN belongs to another name in the master file, so nothing is taken from its row.
    let beta = organization(&snapshot, "010000002");
    assert_eq!((beta.summary, beta.website, beta.ntee), (None, None, None));
    let warned: Vec<_> = report.warnings.iter().collect();
    let other_name = "Form 1023-EZ approvals: a name that the master file does not have";
    assert_eq!(warned, [(&other_name.to_owned(), &1)]);
    let source = report.sources.iter().find(|one| one.summary.name == "approvals.csv").unwrap();
    assert_eq!((source.superseded, source.unmatched), (1, 0));
}

/// Looked up by EIN and found by name where all are asked for; in no search and no count.
#[test]
fn who_was_approved_and_is_in_no_extract_is_known() {
    let bench = bench();
    let report = bench.build().unwrap();
    assert_eq!((report.organizations, report.items.departed), (2, 1));
    let snapshot = open(&bench.data()).unwrap();
    let one = details(&snapshot, "099000001".parse().unwrap()).unwrap().unwrap();
    assert_eq!((one.name.as_str(), one.ntee), ("Not There", "A20".parse().ok()));
    assert_eq!(one.exemption.listings.master_file, Listing::Absent);
    assert!(one.formation.is_some());
}

#[test]
fn what_a_return_says_stays() {
    let bench = bench();
    bench.input("a.xml", &FILED.xml());
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let alpha = organization(&snapshot, "010000001");
    assert_eq!(alpha.website.as_deref(), Some("https://www.example.org"));
    // The return has no code.
    assert_eq!(alpha.ntee, "B92".parse().ok());
}

#[test]
fn the_index_tells_the_latest_return() {
    let bench = bench();
    bench.input("a.xml", &FILED.xml());
    indexed(
        &bench,
        &[
            "1,EFILE,010000001,202406,2024,ALPHA READERS FUND,990,1,202400000000000001",
            "2,EFILE,010000002,202312,2024,BETA, TRUST,990EZ,1,202400000000000002",
            "3,EFILE,010000002,202212,2024,BETA, TRUST,990T,1,202400000000000003",
            "4,EFILE,990000001,202212,2024,NOT THERE,990,1,202400000000000004",
        ],
    );
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    // The return that was read is of the same period, and has no number of its own.
    let alpha = organization(&snapshot, "010000001").latest_filing.unwrap();
    assert_eq!(alpha.object_id.as_deref(), Some("202400000000000001"));
    let beta = organization(&snapshot, "010000002");
    let filing = beta.latest_filing.unwrap();
    assert_eq!(
        (filing.form, filing.period_end.to_string()),
        (Form::Short, "2023-12-31".to_owned())
    );
    assert_eq!(beta.unrelated_business, Month::new(2022, 12));
    check(
        &snapshot,
        "010000002",
        &[
            ("formType", "index_2024.csv RETURN_TYPE 2023-12 None"),
            ("irsFilingUrl", "index_2024.csv OBJECT_ID 2023-12 None"),
        ],
    );
}

#[test]
fn an_index_of_later_periods_leaves_the_figures_their_own() {
    let bench = bench();
    let earlier = Filed { period_end: "2022-06-30", ..FILED };
    bench.input("a.xml", &earlier.xml());
    indexed(&bench, &["1,EFILE,010000001,202406,2024,A,990PF,1,202400000000000001"]);
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let alpha = organization(&snapshot, "010000001");
    assert_eq!(alpha.latest_filing.unwrap().form, Form::PrivateFoundation);
    assert_eq!(alpha.origins.return_period, Month::new(2022, 6));
}
