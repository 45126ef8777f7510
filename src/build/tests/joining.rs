//! How rows of several sources become one organization, and in which order organizations stand.

use super::*;
use crate::fictional;
use crate::index::typeahead::Scope;
use crate::record::{Listing, Listings, OrgId};
use crate::search::details::details;
use crate::search::provenance::{Missing, TracedNonprofit};
use crate::search::typeahead::suggest;
use crate::snapshot::{Count, Coverage, Field};
use crate::views::Details;

#[test]
fn sources_are_joined_by_ein() {
    let bench = Bench::filled();
    let report = bench.build().unwrap();
    assert_eq!((report.organizations, report.suggested), (3, 2));
    let counts: Vec<_> = report
        .sources
        .iter()
        .map(|source| (source.summary.kind, source.superseded, source.unmatched))
        .collect();
    use crate::sources::SourceKind::{MasterFile, Publication78, RevocationList};
    assert_eq!(counts, [(MasterFile, 0, 0), (Publication78, 0, 1), (RevocationList, 1, 0)]);
    let snapshot = open(&bench.data()).unwrap();
    assert_eq!(snapshot.manifest.organizations, 3);
    assert_eq!(snapshot.columns.organizations(), 3);
    let alpha = by_ein(&snapshot, "010000001");
    assert_eq!(alpha.legal_name, "ALPHA FUND");
    assert_eq!(alpha.exemption.publication_78, ["PC", "LODGE"]);
    assert_eq!(alpha.finances.revenue.map(|usd| usd.dollars()), Some(100));
    assert!(alpha.in_care_of.is_some_and(|name| !name.starts_with('%')));
    assert_eq!(by_ein(&snapshot, "010000002").finances.revenue, None);
    let gamma = by_ein(&snapshot, "010000003");
    assert_eq!(gamma.exemption.is_inactive(), Some(true), "{:?}", gamma.exemption.revocation);
    let row = |source| Listing::Row { source };
    let (master_file, revocations) = (row(0), row(2));
    let listings = Listings {
        master_file,
        publication_78: Listing::Absent,
        revocations,
        ..Listings::default()
    };
    assert_eq!(gamma.exemption.listings, listings);
    let vermont = Area { state: "VT".parse().ok(), ..Area::default() };
    let vermont = Filters { areas: vec![vermont], ..Filters::default() };
    assert_eq!(snapshot.columns.select(&vermont).unwrap().matching.count(), 2);
    assert_eq!(snapshot.typeahead.suggest("alp", Scope::ActiveCharities, 10).unwrap().len(), 1);
    assert!(snapshot.typeahead.suggest("gamma", Scope::ActiveCharities, 10).unwrap().is_empty());
}

/// Looked up by EIN and found by name where all are asked for; in no search and no count.
#[test]
fn who_left_the_master_file_answers_as_revoked() {
    let bench = Bench::filled();
    bench.input(
        "more.txt",
        "010000008|OMEGA RELIEF FUND|OMEGA HELPS|1 MAIN ST|RENO|NV|89501-0001|US|03|15-MAY-2012|\
         09-JUN-2012|\n\
         010000009|SIGMA HOME||1 MAIN ST|RENO|NV|89501|US|03|15-MAY-2012|09-JUN-2012|01-JAN-2013\n",
    );
    let report = bench.build().unwrap();
    assert_eq!((report.organizations, report.items.departed), (3, 2));
    let snapshot = open(&bench.data()).unwrap();
    assert_eq!(snapshot.columns.organizations(), 3);
    let ein = |text: &str| text.parse().unwrap();
    let omega = details(&snapshot, ein("010000008")).unwrap().unwrap();
    assert_eq!(
        (omega.name.as_str(), omega.alt_name.as_deref()),
        ("Omega Relief Fund", Some("Omega Helps"))
    );
    assert_eq!(
        (omega.address.city.as_deref(), omega.exemption.is_inactive()),
        (Some("Reno"), Some(true))
    );
    assert_eq!(omega.exemption.listings.master_file, Listing::Absent);
    let sigma = details(&snapshot, ein("010000009")).unwrap().unwrap();
    assert_eq!(sigma.exemption.is_inactive(), Some(false), "reinstated");
    assert!(details(&snapshot, ein("010000007")).unwrap().is_none());
    let suggested = |scope| suggest(&snapshot, "omega rel", scope, 5).unwrap().len();
    assert_eq!((suggested(Scope::All), suggested(Scope::ActiveCharities)), (1, 0));
    let traced = TracedNonprofit {
        organization: omega,
        filings: Vec::new(),
        sources: &snapshot.manifest.sources,
    };
    let details = serde_json::to_value(Details::of(&traced.organization)).unwrap();
    let told = |key| {
        let of = traced.of(key, &details[key]).unwrap();
        (of.source.map(|source| source.name.as_str()), of.column, of.missing)
    };
    assert_eq!(told("name"), (Some("more.txt"), Some("LEGAL_NAME"), None));
    assert_eq!(told("ntee"), (Some("eo1.csv"), Some("NTEE_CD"), Some(Missing::NotListed)));
    assert!(
        snapshot
            .records
            .filings(snapshot.org_of(ein("010000008")).unwrap().unwrap())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn of_one_ein_the_later_tax_period_counts_and_then_the_later_row() {
    let named = |rows: &[(&str, &str, &str)]| {
        let bench = Bench::new();
        for file in ["a.csv", "b.csv"] {
            let rows: Vec<String> = rows
                .iter()
                .filter(|(of, ..)| *of == file)
                .map(|(_, name, period)| row("010000001", name, "ALBANY", "NY", period, ""))
                .collect();
            bench.master(file, &rows);
        }
        bench.build().unwrap();
        by_ein(&open(&bench.data()).unwrap(), "010000001").legal_name
    };
    for (rows, expected) in [
        ([("a.csv", "NEW", "202312"), ("b.csv", "OLD", "202212")], "NEW"),
        ([("a.csv", "OLD", "202212"), ("b.csv", "NEW", "202312")], "NEW"),
        ([("a.csv", "FIRST", "202312"), ("b.csv", "SECOND", "202312")], "SECOND"),
        ([("a.csv", "DATED", "202312"), ("b.csv", "UNDATED", "")], "DATED"),
        ([("b.csv", "FIRST", "202312"), ("b.csv", "SECOND", "202312")], "SECOND"),
    ] {
        assert_eq!(named(&rows), expected, "{rows:?}");
    }
}

/// A row of Form 990-N.
fn postcard(ein: &str, year: &str, website: &str, names: [&str; 3]) -> String {
    let officer_and_address = "|".repeat(14);
    format!(
        "{ein}|{year}|SOME NAME|T|F|01-01-{year}|12-31-{year}|{website}|JO DOE{officer_and_address}|{}",
        names.join("|")
    )
}

/// The suggestions for a text, by EIN.
fn suggested(snapshot: &Snapshot, typed: &str) -> Vec<String> {
    let hits = snapshot.typeahead.suggest(typed, Scope::ActiveCharities, 10).unwrap();
    hits.iter().map(|hit| snapshot.columns.ein_of(hit.org).unwrap().to_string()).collect()
}

#[test]
fn of_form_990_n_the_latest_year_counts_whole_and_then_the_later_row() {
    let bench = Bench::filled();
    let (alpha, beta) = ("010000001", "010000002");
    bench.input(
        "postcards-1.txt",
        &[
            postcard(alpha, "2019", "old.example.org", ["OLD COMPANIONS", "", ""]),
            postcard(alpha, "2022", "N/A", ["GREEN MOUNTAIN FRIENDS", "ALPHA FUND", "GMF"]),
            postcard(alpha, "2021", "new.example.org", ["WRONG YEAR", "", ""]),
            postcard(beta, "2022", "first.example.org", ["FIRST ROW", "", ""]),
            postcard("990000002", "2022", "", ["", "", ""]),
        ]
        .join("\n"),
    );
    let later = postcard(beta, "2022", "Second.example.org/", ["SECOND ROW", "", ""]);
    bench.input("postcards-2.txt", &later);
    let report = bench.build().unwrap();
    let counts: Vec<_> = report
        .sources
        .iter()
        .filter(|source| source.summary.kind == crate::sources::SourceKind::Postcard)
        .map(|source| (source.summary.rows, source.superseded, source.unmatched))
        .collect();
    assert_eq!(counts, [(5, 3, 1), (1, 0, 0)]);

    let snapshot = open(&bench.data()).unwrap();
    let organization = by_ein(&snapshot, alpha);
    // The website of a year before is not taken for one of the latest year.
    assert_eq!(organization.website, None);
    assert_eq!(organization.alt_name.as_deref(), Some("Green Mountain Friends"));
    assert_eq!(organization.other_names, ["Green Mountain Friends", "GMF"]);
    let organization = by_ein(&snapshot, beta);
    assert_eq!(organization.website.as_deref(), Some("https://second.example.org"));
    assert_eq!(organization.alt_name.as_deref(), Some("Second Row"));
    for (typed, expected) in [
        ("green mou", vec![alpha]),
        ("mountain fr", vec![alpha]),
        ("gmf", vec![alpha]),
        ("alpha f", vec![alpha]),
        ("second r", vec![beta]),
        ("old comp", vec![]),
        ("wrong y", vec![]),
        ("first row", vec![]),
    ] {
        assert_eq!(suggested(&snapshot, typed), expected, "{typed:?}");
    }
}

#[test]
fn a_filer_of_form_990_n_has_no_revenue_while_others_may_have_0() {
    let bench = Bench::new();
    let filer = |ein: &str, requirement: &str, revenue: &str| {
        row(ein, "A CLUB", "ALBANY", "NY", "202312", revenue)
            .replace(",4,4,01,0,12,", &format!(",0,0,{requirement},0,12,"))
    };
    bench.master(
        "eo1.csv",
        &[
            filer("010000001", "02", "0"),
            filer("010000002", "01", "0"),
            filer("010000003", "01", ""),
            filer("010000004", "02", "12"),
        ],
    );
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    for (ein, revenue) in
        [("010000001", None), ("010000002", Some(0)), ("010000003", None), ("010000004", Some(12))]
    {
        let found = by_ein(&snapshot, ein).finances.revenue.map(|usd| usd.dollars());
        assert_eq!(found, revenue, "{ein}");
    }
    let at_most_0 = crate::query::Range { min: None, max: Some(0.0) };
    let filters = Filters { ranges: Ranges::of(Figure::Revenue, at_most_0), ..Filters::default() };
    assert_eq!(snapshot.columns.select(&filters).unwrap().matching.count(), 1);
}

#[test]
fn publication_78_makes_contributions_deductible() {
    let bench = Bench::new();
    let not_deductible = |ein: &str| {
        row(ein, "A CLUB", "ALBANY", "NY", "202312", "").replace(",199901,1,", ",199901,2,")
    };
    bench.master("eo1.csv", &[not_deductible("010000001"), not_deductible("010000002")]);
    bench.input(
        "pub78.txt",
        "010000002|A CLUB|ALBANY|NY|United States|PC\n\
         010000002|A CLUB|ALBANY|NY|United States|SO,FORGN\n",
    );
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let exemption = |ein| by_ein(&snapshot, ein).exemption;
    let deductible = |ein| exemption(ein).is_deductible();
    assert_eq!(deductible("010000001"), Some(false));
    assert_eq!(deductible("010000002"), Some(true));
    assert_eq!(exemption("010000002").publication_78, ["SO", "FORGN"]);
    let filters = Filters { flags: Flags::from([(Flag::Deductible, true)]), ..Filters::default() };
    assert_eq!(snapshot.columns.select(&filters).unwrap().matching.count(), 1);
}

#[test]
fn of_several_revocations_the_latest_counts_unless_reinstated() {
    let entry = |revoked: &str, reinstated: &str| {
        format!("010000001|ALPHA FUND||||VT|05401|US|03|{revoked}|09-JUN-2011|{reinstated}")
    };
    for (entries, inactive) in [
        (vec![entry("15-MAY-2010", "")], true),
        (vec![entry("15-MAY-2010", "15-MAY-2010")], false),
        (vec![entry("15-MAY-2010", "01-JAN-2009")], true),
        (vec![entry("15-MAY-2010", "01-JAN-2013"), entry("15-MAY-2020", "")], true),
        (vec![entry("15-MAY-2020", ""), entry("15-MAY-2010", "01-JAN-2013")], true),
        (vec![entry("15-MAY-2020", "01-JUN-2021"), entry("15-MAY-2010", "")], false),
        (vec![entry("15-MAY-2010", ""), entry("15-MAY-2010", "01-JUN-2011")], false),
    ] {
        let bench = Bench::filled();
        bench.input("revoked.txt", &entries.join("\n"));
        bench.build().unwrap();
        let snapshot = open(&bench.data()).unwrap();
        let alpha = by_ein(&snapshot, "010000001");
        assert_eq!(alpha.exemption.is_inactive(), Some(inactive), "{entries:?}");
        assert_eq!(suggested(&snapshot, "alpha").is_empty(), inactive, "{entries:?}");
    }
}

/// A return of who is in no master file.
const RETURN: &str = "<?xml version=\"1.0\"?><Return xmlns=\"http://www.irs.gov/efile\">\
    <ReturnHeader><TaxPeriodEndDt>2024-06-30</TaxPeriodEndDt><ReturnTypeCd>990</ReturnTypeCd>\
    <Filer><EIN>020000001</EIN><BusinessName><BusinessNameLine1Txt>A FILER</BusinessNameLine1Txt>\
    </BusinessName></Filer><TaxYr>2024</TaxYr></ReturnHeader><ReturnData><IRS990>\
    <CYTotalRevenueAmt>5</CYTotalRevenueAmt></IRS990></ReturnData></Return>";

const OVERLAYS: &str = r#"
{"kind":"overlay","ein":"010000001","gcVetted":true}
{"kind":"overlay","ein":"010000002","gcVetted":false}
"#;

/// The table of three states: each list absent, or loaded with or without a row, for each flag.
#[test]
fn no_filter_takes_what_no_list_says() {
    let bench = Bench::filled();
    bench.input("returns.xml", RETURN);
    let check = |filters: Filters, expected: &[&str]| {
        let snapshot = open(&bench.data()).unwrap();
        let found = snapshot.columns.select(&filters).unwrap().matching;
        let eins: Vec<_> = found.iter().map(|org| snapshot.columns.ein_of(org).unwrap()).collect();
        let mut eins: Vec<&str> = eins.iter().map(|ein| ein.as_str()).collect();
        eins.sort_unstable();
        assert_eq!(eins, expected, "{filters:?}");
    };
    let inactive =
        |asked| Filters { flags: Flags::from([(Flag::Inactive, asked)]), ..Filters::default() };
    let deductible =
        |asked| Filters { flags: Flags::from([(Flag::Deductible, asked)]), ..Filters::default() };
    let foundation =
        |asked| Filters { flags: Flags::from([(Flag::Foundation, asked)]), ..Filters::default() };
    let vetted =
        |asked| Filters { flags: Flags::from([(Flag::Vetted, asked)]), ..Filters::default() };
    let (alpha, beta, gamma, filer) = ("010000001", "010000002", "010000003", "020000001");
    bench.build().unwrap();
    check(inactive(true), &[gamma]);
    check(inactive(false), &[alpha, beta, filer]);
    // A revoked one is in the master file as deductible still.
    check(deductible(true), &[alpha, beta]);
    check(deductible(false), &[gamma]);
    check(foundation(true), &[]);
    check(foundation(false), &[alpha, beta, gamma]);
    check(vetted(true), &[]);
    check(vetted(false), &[]);
    let asked =
        |flag, is_wanted| Filters { flags: Flags::from([(flag, is_wanted)]), ..Filters::default() };
    check(asked(Flag::HasReturn, true), &[filer]);
    check(asked(Flag::HasReturn, false), &[alpha, beta, gamma]);
    // No approvals are loaded.
    check(asked(Flag::Form1023Ez, false), &[]);
    check(asked(Flag::Church, true), &[]);
    check(asked(Flag::Church, false), &[alpha, beta, gamma]);
    // They are no foundations, so neither.
    check(asked(Flag::Operating, true), &[]);
    check(asked(Flag::Operating, false), &[]);
    let inputs = bench.folder.path().join("inputs");
    fs::remove_file(inputs.join("revoked.txt")).unwrap();
    bench.input("overlays.ndjson", OVERLAYS);
    bench.build().unwrap();
    check(inactive(true), &[]);
    check(inactive(false), &[]);
    check(deductible(true), &[alpha, beta, gamma]);
    check(deductible(false), &[]);
    check(vetted(true), &[alpha]);
    check(vetted(false), &[beta]);
    fs::remove_file(inputs.join("pub78.txt")).unwrap();
    bench.build().unwrap();
    check(deductible(true), &[alpha, beta, gamma]);
    fs::remove_file(inputs.join("eo1.csv")).unwrap();
    fs::remove_file(inputs.join("overlays.ndjson")).unwrap();
    bench.build().unwrap();
    check(foundation(false), &[]);
    check(deductible(true), &[]);
    check(deductible(false), &[]);
    let filer = by_ein(&open(&bench.data()).unwrap(), filer);
    assert_eq!(
        filer.exemption.listings,
        Listings { returns: Listing::Row { source: 0 }, ..Listings::default() }
    );
}

#[test]
fn what_is_covered_is_counted() {
    let bench = Bench::filled();
    bench.input("returns.xml", RETURN);
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let coverage = &snapshot.coverage;
    assert_eq!(coverage.count, Count { organizations: 4, in_master_file: 3 });
    let vermont = &coverage.states[&"VT".parse().unwrap()];
    assert_eq!(vermont.count, Count { organizations: 2, in_master_file: 2 });
    assert_eq!(vermont.counties, [("Chittenden".to_owned(), 2)].into());
    assert_eq!(coverage.states.len(), 2);
    assert_eq!(coverage.returns, [(2024, 1)].into());
    for (field, known) in [
        (Field::Revenue, 3),
        (Field::Expenses, 0),
        (Field::Foundation, 3),
        (Field::FoundationCode, 3),
        (Field::Approvals, 0),
        (Field::Returns, 4),
        (Field::Inactive, 4),
        (Field::Deductible, 3),
        (Field::Return, 1),
        (Field::Vetted, 0),
    ] {
        assert_eq!(coverage.known[&field], known, "{field:?}");
    }
    assert_eq!(coverage.known.len(), Field::ALL.len());
    let organizations = (0..snapshot.columns.organizations())
        .map(|number| snapshot.records.organization(OrgId::new(number)).unwrap());
    let counted = Coverage::of(&organizations.collect::<Vec<_>>());
    assert_eq!(*coverage, Coverage { returns: coverage.returns.clone(), ..counted });
}

#[test]
fn organizations_stand_by_state_county_city_zip_and_ein() {
    let at = |ein: &str, city: &str, state: &str, zip: &str| {
        row(ein, "A CLUB", city, state, "202312", "").replace("05401-1234", zip)
    };
    let bench = Bench::new();
    // As they should stand: Addison County comes before Chittenden County, Burlington before
    // Winooski, an unknown ZIP code (whose county is that of its city) after the known, abroad last.
    let rows = [
        at("010000009", "FAIRBANKS", "AK", "99701-0000"),
        at("010000008", "MIDDLEBURY", "VT", "05753-0000"),
        at("010000005", "BURLINGTON", "VT", "05401-0000"),
        at("010000007", "BURLINGTON", "VT", "05401-0000"),
        at("010000004", "BURLINGTON", "VT", "05408-0000"),
        at("010000002", "BURLINGTON", "VT", "00000-0000"),
        at("010000003", "WINOOSKI", "VT", "05404-0000"),
        at("010000001", "TORONTO", "", "00000-0000"),
    ];
    let mut shuffled = rows.clone();
    shuffled.reverse();
    shuffled.swap(1, 5);
    bench.master("eo1.csv", &shuffled);
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    for (number, row) in rows.iter().enumerate() {
        let ein = snapshot.columns.ein_of(OrgId::new(number as u32)).unwrap();
        assert_eq!(ein.as_str(), &row[..9], "{number}");
        assert_eq!(snapshot.records.organization(OrgId::new(number as u32)).unwrap().ein, ein);
    }
}

#[test]
fn the_same_inputs_make_the_same_bytes() {
    let bench = Bench::filled();
    let mut builds = Vec::new();
    for _ in 0..2 {
        // What changed since a snapshot names it.
        let _ = fs::remove_dir_all(bench.data());
        bench.build().unwrap();
        let manifest = open(&bench.data()).unwrap().manifest;
        builds.push((manifest.snapshot, manifest.files));
    }
    assert_ne!(builds[0].0, builds[1].0);
    assert_eq!(builds[0].1, builds[1].1);
}

/// Enough organizations for two batches, of which several threads make parts.
#[test]
fn any_number_of_threads_makes_the_same_bytes() {
    let bench = Bench::new();
    let inputs = bench.folder.path().join("inputs");
    let options = fictional::Options::new(9_000, 3);
    fictional::generate(&inputs, &options, &mut |_| {}).unwrap();
    let files = |threads| {
        let _ = fs::remove_dir_all(bench.data());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bench.build()).unwrap();
        open(&bench.data()).unwrap().manifest.files
    };
    let one = files(1);
    assert!(one.len() >= 9, "{one:?}");
    assert_eq!(one, files(3));
}
