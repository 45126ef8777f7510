//! Where each value of a nonprofit is from, by the lists and returns that a build read.

use super::impact::{FILED, Filed};
use super::*;
use crate::search::provenance::{Provenance, TracedNonprofit};
use crate::views::Details;

/// A value's source, its column or elements, its period, and why it is unknown.
fn told(provenance: &Provenance<'_>) -> String {
    let source = provenance.source.map_or("-", |source| source.name.as_str());
    let place = provenance.column.unwrap_or("");
    let path = provenance.paths.first().map_or("", |path| path.rsplit('/').next().unwrap());
    let period = provenance.period.map_or(String::new(), |period| format!(" {period:?}"));
    format!("{source} {place}{path}{period} {:?}", provenance.missing)
}

pub(super) fn check(snapshot: &Snapshot, ein: &str, expected: &[(&str, &str)]) {
    let org = snapshot.columns.org_of(ein.parse().unwrap()).unwrap().unwrap();
    let traced = TracedNonprofit {
        organization: snapshot.records.organization(org).unwrap(),
        filings: snapshot.records.filings(org).unwrap(),
        sources: &snapshot.manifest.sources,
    };
    let details = serde_json::to_value(Details::of(&traced.organization)).unwrap();
    let members = details.as_object().unwrap();
    assert!(members.iter().all(|(key, value)| traced.of(key, value).is_some()));
    for (key, expected) in expected {
        let found = told(&traced.of(key, &details[key]).unwrap());
        assert!(found.starts_with(expected), "{ein} {key}: {found}, not {expected}");
    }
}

#[test]
fn every_value_is_traced_to_a_list_or_a_return() {
    let bench = Bench::filled();
    let rows = [
        row("010000004", "DELTA CLUB", "BURLINGTON", "VT", "202312", "").replace("P30", "0000"),
        row("010000005", "ABROAD", "PARIS", "", "", "9").replace("05401-1234", "00000-0000"),
    ];
    bench.master("eo2.csv", &rows);
    bench.input("a.xml", &FILED.xml());
    let earlier = Filed { period_end: "2022-06-30", ..FILED }.xml();
    bench.input("b.xml", &earlier.replace("WWW.EXAMPLE.ORG", "N/A"));
    let unlisted = Filed { ein: "010000009", revenue: "much", ..FILED };
    let foundation = Filed { ein: "010000010", ..FILED }.xml();
    bench.input("d.xml", &foundation.replace(">990<", ">990PF<").replace("IRS990>", "IRS990PF>"));
    bench.input("c.xml", &unlisted.xml().replace("WWW.EXAMPLE.ORG", "N/A"));
    bench.input(
        "overlays.ndjson",
        "{\"kind\":\"overlay\",\"ein\":\"010000002\",\"gcVetted\":true,\"url\":\"https://b.example\"}\n",
    );
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    check(
        &snapshot,
        "010000001",
        &[
            ("name", "eo1.csv NAME "),
            ("city", "eo1.csv CITY "),
            ("ntee", "eo1.csv NTEE_CD "),
            // The return's period is the later one; of assets it says nothing.
            ("revenueGrandTotal", "inputs/ CYTotalRevenueAmt 2024-06 "),
            ("netAssets", "inputs/ NetAssetsOrFundBalancesEOYAmt 2024-06 "),
            ("filingYear", "inputs/ TaxPeriodEndDt 2024-06 "),
            ("url", "inputs/ WebsiteAddressTxt 2024-06 "),
            ("summary", "inputs/ MissionDesc 2024-06 "),
            ("formType", "inputs/ ReturnTypeCd 2024-06 "),
            ("alt_name", "eo1.csv SORT_NAME Some(NotFiled)"),
            ("inactive", "revoked.txt revocation and reinstatement dates "),
            ("logo", "overlays.ndjson logo Some(NotListed)"),
        ],
    );
    check(
        &snapshot,
        "010000002",
        &[
            ("revenueGrandTotal", "eo1.csv REVENUE_AMT 2023-12 Some(NotFiled)"),
            ("netAssets", "inputs/  Some(NotListed)"),
            ("url", "overlays.ndjson url "),
            ("gcVetted", "overlays.ndjson gcVetted "),
            ("logo", "overlays.ndjson logo Some(NotFiled)"),
        ],
    );
    check(&snapshot, "010000004", &[("ntee", "eo2.csv NTEE_CD Some(Unreadable)")]);
    check(
        &snapshot,
        "010000005",
        &[
            ("state", "eo2.csv STATE Some(Withheld)"),
            ("zipCode5", "eo2.csv ZIP Some(Withheld)"),
            ("lat", "eo2.csv ZIP Some(Withheld)"),
        ],
    );
    // Known from a return alone.
    check(
        &snapshot,
        "010000009",
        &[
            ("name", "inputs/ BusinessNameLine1Txt 2024-06 "),
            ("ntee", "eo2.csv NTEE_CD Some(NotListed)"),
            ("revenueGrandTotal", "inputs/ CYTotalRevenueAmt 2024-06 Some(Unreadable)"),
            ("url", "inputs/  2024-06 Some(NotFiled)"),
        ],
    );
    // A foundation by its return alone.
    check(&snapshot, "010000010", &[("foundation", "inputs/ ReturnTypeCd 2024-06 None")]);
    let warned = |name: &str| {
        let source = snapshot.manifest.sources.iter().find(|source| source.name == name).unwrap();
        source.warnings.clone().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(warned("inputs/"), [("CYTotalRevenueAmt".to_owned(), 1)]);
    assert_eq!(warned("eo2.csv"), [("NTEE_CD".to_owned(), 1)]);
}

#[test]
fn what_no_list_was_loaded_for_is_said_to_be_that() {
    let bench = Bench::new();
    bench.master("eo1.csv", &[row("010000001", "ALPHA", "BURLINGTON", "VT", "202312", "")]);
    bench.build().unwrap();
    check(
        &open(&bench.data()).unwrap(),
        "010000001",
        &[
            ("inactive", "- revocation and reinstatement dates Some(NotLoaded)"),
            ("summary", "-  Some(NotLoaded)"),
            ("netAssets", "-  Some(NotLoaded)"),
            ("formType", "eo1.csv FILING_REQ_CD Some(NotFiled)"),
            ("gcVetted", "- gcVetted Some(NotLoaded)"),
        ],
    );
}

/// Figures of a return of which no XML is loaded; of one period the return as filed counts.
#[test]
fn an_annual_extract_has_the_figures_of_filers_without_xml() {
    let bench = Bench::filled();
    bench.input(
        "extract.csv",
        "EIN,tax_pd,totrevenue,totfuncexpns,totassetsend,totliabend,totnetassetend,noemplyeesw3cnt\n\
         010000002,202412,900,800,700,0,700,4\n\
         010000001,202406,1,1,1,1,1,1\n\
         010000001,202512,2,2,2,2,2,2\n\
         010000099,202412,9,9,9,9,9,9\n",
    );
    bench.input("a.xml", &FILED.xml());
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let beta = by_ein(&snapshot, "010000002");
    assert_eq!(beta.finances.revenue.map(|usd| usd.dollars()), Some(900));
    assert_eq!(beta.finances.employees, Some(4));
    check(
        &snapshot,
        "010000002",
        &[
            ("revenueGrandTotal", "extract.csv totrevenue 2024-12 None"),
            ("netAssets", "extract.csv totnetassetend 2024-12 None"),
            ("url", "inputs/  Some(NotListed)"),
            ("name", "eo1.csv NAME None"),
        ],
    );
    // Who is nowhere else has no name to be shown under.
    assert!(snapshot.org_of("010000099".parse().unwrap()).unwrap().is_none());
    let alpha = by_ein(&snapshot, "010000001");
    assert_eq!(alpha.finances.revenue.map(|usd| usd.dollars()), Some(2));
    let org = snapshot.org_of(alpha.ein).unwrap().unwrap();
    let filings = snapshot.records.filings(org).unwrap();
    let revenues: Vec<_> = filings.iter().map(|one| one.revenue.unwrap().dollars()).collect();
    assert_eq!(revenues, [2, 250], "of the period of the return that alone");
    check(&snapshot, "010000001", &[("summary", "inputs/ MissionDesc 2024-06 None")]);
}

#[test]
fn a_group_tells_the_cause_of_its_members_except_of_churches() {
    let bench = Bench::new();
    let member = |ein: &str, code: &str, foundation: &str| {
        let row = row(ein, "LODGE", "BURLINGTON", "VT", "202312", "");
        let row = row.replace("05401-1234,0000", "05401-1234,1489").replace(",P30,", code);
        row.replace("199901,1,15,", &format!("199901,1,{foundation},"))
    };
    bench.master(
        "eo1.csv",
        &[
            member("010000001", ",N63,", "15"),
            member("010000002", ",N63,", "15"),
            member("010000003", ",N63,", "15"),
            member("010000004", ",,", "15"),
            member("010000005", ",,", "10"),
        ],
    );
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let code = |ein| by_ein(&snapshot, ein).group_ntee.map(|code| code.to_string());
    assert_eq!([code("010000001"), code("010000005")], [None, None]);
    assert_eq!(code("010000004").as_deref(), Some("N63"));
    check(&snapshot, "010000004", &[("issueArea", "eo1.csv GROUP ")]);
    check(&snapshot, "010000005", &[("issueArea", "eo1.csv FOUNDATION ")]);
}
