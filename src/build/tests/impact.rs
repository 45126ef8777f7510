//! Returns, overlays, stories, metrics and posts, joined with the organizations that they are of.

use super::*;
use crate::index::typeahead::Scope;
use crate::record::{Form, Metric, Post, RowId, Story};
use crate::search::{feed, listing::Paging, metrics, stories};

/// A return of Form 990.
pub(super) struct Filed {
    pub(super) ein: &'static str,
    pub(super) period_end: &'static str,
    pub(super) filed: &'static str,
    pub(super) revenue: &'static str,
    pub(super) mission: &'static str,
    pub(super) accomplished: &'static str,
}

pub(super) const FILED: Filed = Filed {
    ein: "010000001",
    period_end: "2024-06-30",
    filed: "2024-11-05T12:00:00-05:00",
    revenue: "250",
    mission: "We feed neighbours.",
    accomplished: "We served 1,245 students.",
};

impl Filed {
    pub(super) fn xml(&self) -> String {
        let Self { ein, period_end, filed, revenue, mission, accomplished } = self;
        let year = &period_end[..4];
        format!(
            "<?xml version=\"1.0\"?><Return xmlns=\"http://www.irs.gov/efile\"><ReturnHeader>\
             <ReturnTs>{filed}</ReturnTs><TaxPeriodEndDt>{period_end}</TaxPeriodEndDt>\
             <ReturnTypeCd>990</ReturnTypeCd><Filer><EIN>{ein}</EIN><BusinessName>\
             <BusinessNameLine1Txt>FILER OF {ein}</BusinessNameLine1Txt></BusinessName>\
             <USAddress><AddressLine1Txt>9 ELM ST</AddressLine1Txt><CityNm>ALBANY</CityNm>\
             <StateAbbreviationCd>NY</StateAbbreviationCd><ZIPCd>12207</ZIPCd></USAddress></Filer>\
             <TaxYr>{year}</TaxYr></ReturnHeader><ReturnData><IRS990>\
             <Organization501c3Ind>X</Organization501c3Ind>\
             <WebsiteAddressTxt>WWW.EXAMPLE.ORG</WebsiteAddressTxt><FormationYr>1987</FormationYr>\
             <TotalEmployeeCnt>12</TotalEmployeeCnt>\
             <CYTotalRevenueAmt>{revenue}</CYTotalRevenueAmt>\
             <CYTotalExpensesAmt>2000000</CYTotalExpensesAmt>\
             <NetAssetsOrFundBalancesEOYAmt>-7</NetAssetsOrFundBalancesEOYAmt>\
             <MissionDesc>{mission}</MissionDesc><ExpenseAmt>5</ExpenseAmt>\
             <Desc>{accomplished}</Desc></IRS990></ReturnData></Return>"
        )
    }
}

fn all() -> Paging {
    Paging { page: 1, size: 100 }
}

pub(super) fn every_metric(snapshot: &Snapshot) -> Vec<Metric> {
    let (eins, metric_ids) = (Vec::new(), Vec::new());
    let query = metrics::Query { eins, metric_ids, metric_type: None, paging: all() };
    metrics::search(snapshot, &query).unwrap().rows
}

#[test]
fn a_return_completes_its_organization() {
    let bench = Bench::filled();
    bench.input("202400000000000009_public.xml", &FILED.xml());
    let report = bench.build().unwrap();
    assert_eq!((report.organizations, report.items.filings), (3, 1));
    let snapshot = open(&bench.data()).unwrap();
    let alpha = by_ein(&snapshot, "010000001");
    assert_eq!(alpha.summary.as_deref(), Some("We feed neighbours."));
    assert_eq!(alpha.website.as_deref(), Some("https://www.example.org"));
    assert_eq!((alpha.year_formed, alpha.finances.employees), (Some(1987), Some(12)));
    // The return's period is later than the master file's; of assets it says nothing.
    assert_eq!(alpha.finances.revenue.map(|usd| usd.dollars()), Some(250));
    assert_eq!(alpha.finances.assets.map(|usd| usd.dollars()), Some(500));
    assert_eq!(alpha.finances.net_assets.map(|usd| usd.dollars()), Some(-7));
    assert_eq!(alpha.size(), Some(crate::record::OrgSize::Medium));
    let filing = alpha.latest_filing.unwrap();
    assert_eq!(
        (filing.form, filing.object_id.as_deref()),
        (Form::Full, Some("202400000000000009"))
    );
    assert!(filing.url().unwrap().ends_with("/202400000000000009_public.xml"));
    assert_eq!(alpha.impact_summary, None, "a sentence of four words is a heading");
    let employees = crate::query::Range { min: Some(12.0), max: None };
    let employers =
        Filters { ranges: Ranges::of(Figure::Employees, employees), ..Filters::default() };
    assert_eq!(snapshot.columns.select(&employers).unwrap().matching.count(), 1);
    let found = snapshot.fulltext.search("neighbours", 5, None).unwrap();
    assert_eq!(found.len(), 1);
    let metric = &every_metric(&snapshot)[0];
    assert_eq!(metric.metric_value, Some(1245.0));
    assert_eq!((metric.metric_type.as_deref(), metric.report_year), (Some("students"), Some(2024)));
}

#[test]
fn every_year_is_kept_and_the_last_filed_of_a_year() {
    let bench = Bench::filled();
    for (name, period_end, filed, revenue) in [
        ("a.xml", "2024-06-30", "2025-03-01T00:00:00Z", "2"),
        ("b.xml", "2024-06-30", "2024-11-05T00:00:00Z", "1"),
        ("c.xml", "2023-06-30", "2025-06-01T00:00:00Z", "3"),
    ] {
        bench.input(name, &Filed { period_end, filed, revenue, ..FILED }.xml());
    }
    let report = bench.build().unwrap();
    assert_eq!(report.items.filings, 2);
    assert_eq!(report.sources.iter().map(|source| source.superseded).sum::<u64>(), 2);
    let snapshot = open(&bench.data()).unwrap();
    let org = snapshot.columns.org_of("010000001".parse().unwrap()).unwrap().unwrap();
    let filings = snapshot.records.filings(org).unwrap();
    let revenues: Vec<_> =
        filings.iter().map(|filing| filing.revenue.map(|usd| usd.dollars())).collect();
    assert_eq!(revenues, [Some(2), Some(3)]);
    assert_eq!(by_ein(&snapshot, "010000001").finances.revenue.unwrap().dollars(), 2);
    let other = snapshot.columns.org_of("010000002".parse().unwrap()).unwrap().unwrap();
    assert_eq!(snapshot.records.filings(other).unwrap(), []);
    // One figure of each year, the later year first.
    let years: Vec<_> = every_metric(&snapshot).iter().map(|metric| metric.report_year).collect();
    assert_eq!(years, [Some(2024), Some(2023)]);
}

#[test]
fn an_older_return_does_not_replace_later_figures() {
    let bench = Bench::filled();
    let filed = Filed { ein: "010000001", period_end: "2022-06-30", revenue: "9", ..FILED };
    bench.input("a.xml", &filed.xml());
    bench.build().unwrap();
    let alpha = by_ein(&open(&bench.data()).unwrap(), "010000001");
    assert_eq!(alpha.finances.revenue.map(|usd| usd.dollars()), Some(100));
    assert_eq!(alpha.finances.tax_period.unwrap().year(), 2023);
}

#[test]
fn a_filer_that_the_master_file_lacks_is_an_organization() {
    let bench = Bench::filled();
    bench.input("a.xml", &Filed { ein: "010000009", ..FILED }.xml());
    let report = bench.build().unwrap();
    assert_eq!(report.organizations, 4);
    let snapshot = open(&bench.data()).unwrap();
    let filer = by_ein(&snapshot, "010000009");
    assert_eq!(filer.name, "Filer of 010000009");
    assert_eq!(filer.address.city.as_deref(), Some("Albany"));
    assert!(filer.exemption.is_active_charity());
    assert_eq!(snapshot.typeahead.suggest("filer of", Scope::ActiveCharities, 5).unwrap().len(), 1);
}

const CURATED: &str = r#"
{"kind":"story","story_id":"s1","ein":"010000001","story_title":"A roof","power_score":7.5}
{"kind":"story","story_id":"s2","ein":"010000002","story_title":"A boat","power_score":9}
{"kind":"story","story_id":"s1","ein":"010000001","story_title":"A better roof","power_score":7.5}
{"kind":"story","story_id":"s3","ein":"010000002","story_title":"No score"}
{"kind":"story","story_id":"s3","ein":"010000001","story_title":"Of another, also s3"}
{"kind":"story","story_id":"s4","ein":"990000001","story_title":"Of nobody"}
{"kind":"metric","metric_id":"m1","ein":"010000002","metric_text":"9 boats","metric_type":"boats","report_year":2020}
{"kind":"post","post_id":"p1","organization_ein":"010000001","post_title":"Old news","post_published_date":"2020-01-01"}
{"kind":"post","post_id":"p2","organization_ein":"010000002","post_title":"Fresh news","post_content":"of boats","post_published_date":"2024-01-01","post_classification":"video"}
{"kind":"post","post_id":"p3","organization_ein":"010000002","post_title":"Undated news"}
{"kind":"overlay","ein":"010000002","gcVetted":true,"cnScore":87.3,"cnRating":3.5,"sdgs":[4],"summary":"Boats for all.","alt_name":"Boaters","impactSummary":"9 boats float.","cnSize":"Large"}
{"kind":"overlay","ein":"990000001","gcVetted":true}
{"kind":"article","id":1,"title":"How to give"}
"#;

#[test]
fn curated_records_are_arranged_and_found() {
    let bench = Bench::filled();
    bench.input("curated.ndjson", CURATED);
    let report = bench.build().unwrap();
    let items = report.items;
    assert_eq!((items.stories, items.metrics, items.posts, items.articles), (4, 1, 3, 1));
    // What is of nobody is a reject with its line, also against a limit.
    let list = fs::read_to_string(bench.data().join("rejects.ndjson")).unwrap();
    let lines: Vec<_> = list.lines().filter(|line| line.contains("990000001")).collect();
    assert_eq!((list.lines().count(), lines.len()), (2, 2), "{list}");
    assert!(lines[0].contains("\"line\":7") && lines[1].contains("\"line\":13"), "{list}");
    assert_eq!(report.sources[0].summary.rejects, 2);
    assert_eq!(report.sources[0].superseded, 1);
    let strict = Options { reject_limit_percent: Some(1.0), ..bench.options() };
    let error = build(&strict, &NoProgress).unwrap_err().to_string();
    assert!(error.starts_with("curated.ndjson: 2 of 13 rows"), "{error}");

    let snapshot = open(&bench.data()).unwrap();
    let story = |number| snapshot.records.get::<Story>(RowId::new(number)).unwrap().story_title;
    assert_eq!([story(0), story(1), story(2)], ["A boat", "A better roof", "No score"]);
    assert_eq!(story(3), "Of another, also s3");
    let post = |number| snapshot.records.get::<Post>(RowId::new(number)).unwrap().post_id;
    assert_eq!([post(0), post(1), post(2)], ["p2", "p1", "p3"]);

    let beta = by_ein(&snapshot, "010000002");
    assert_eq!(
        (beta.summary.as_deref(), beta.alt_name.as_deref()),
        (Some("Boats for all."), Some("Boaters"))
    );
    assert_eq!(beta.impact_summary.as_deref(), Some("9 boats float."));
    assert_eq!(beta.size(), Some(crate::record::OrgSize::Large));
    let scored = crate::query::Range { min: Some(87.3), max: Some(87.3) };
    let scored = Filters { ranges: Ranges::of(Figure::Score, scored), ..Filters::default() };
    assert_eq!(snapshot.columns.select(&scored).unwrap().matching.count(), 1);
}

#[test]
fn lists_are_filtered() {
    let bench = Bench::filled();
    bench.input("curated.ndjson", CURATED);
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let ein = |ein: &str| -> crate::record::Ein { ein.parse().unwrap() };

    let stories = |eins: &[&str], min_power_score, about: Option<&str>| -> Vec<String> {
        let eins = eins.iter().map(|one| ein(one)).collect();
        let about = about.map(str::to_owned);
        let query = stories::Query { eins, min_power_score, about, paging: all() };
        let found = stories::search(&snapshot, &query).unwrap();
        assert_eq!(found.total, found.rows.len() as u64);
        found.rows.into_iter().map(|row| row.story.story_id).collect()
    };
    assert_eq!(stories(&[], None, None), ["s2", "s1", "s3", "s3"]);
    assert_eq!(stories(&["010000002", "990000001"], None, None), ["s2", "s3"]);
    assert_eq!(stories(&[], Some(7.5), None), ["s2", "s1"]);
    assert_eq!(stories(&["010000001"], Some(8.0), None), [""; 0]);
    // A text ranks and leaves nothing out.
    assert_eq!(stories(&[], None, Some("better roof")), ["s1", "s2", "s3", "s3"]);

    let posts = |query: feed::Query| -> Vec<String> {
        let found = feed::search(&snapshot, &query).unwrap();
        assert!(found.rows.iter().all(|row| !row.organization_name.is_empty()));
        found.rows.into_iter().map(|row| row.post.post_id).collect()
    };
    let latest = || feed::Query {
        classification: None,
        words: None,
        followed: None,
        filters: Filters::default(),
        paging: all(),
    };
    let words = |words: &str| feed::Query { words: Some(words.to_owned()), ..latest() };
    assert_eq!(posts(latest()), ["p2", "p1", "p3"]);
    assert_eq!(posts(words("NEWS")), ["p2", "p1", "p3"]);
    assert_eq!(posts(words("boats news")), ["p2"]);
    assert_eq!(posts(words("boats old")), [""; 0]);
    assert_eq!(posts(words("!!!")), [""; 0]);
    assert_eq!(posts(words(" ")), ["p2", "p1", "p3"]);
    assert_eq!(posts(feed::Query { followed: Some(vec![]), ..latest() }), [""; 0]);
    let followed = Some(vec![ein("010000001")]);
    assert_eq!(posts(feed::Query { followed, ..latest() }), ["p1"]);
    let area = Area { state: "NY".parse().ok(), ..Area::default() };
    let filters = Filters { areas: vec![area], ..Filters::default() };
    assert_eq!(posts(feed::Query { filters, ..latest() }), ["p2", "p3"]);
    let video = Some(crate::record::Classification::Video);
    assert_eq!(posts(feed::Query { classification: video, ..latest() }), ["p2"]);
    assert_eq!(posts(feed::Query { paging: Paging { page: 2, size: 2 }, ..latest() }), ["p3"]);
    assert_eq!(
        posts(feed::Query { paging: Paging { page: u64::MAX, size: 2 }, ..latest() }),
        [""; 0]
    );
}

#[test]
fn of_one_month_the_return_filed_last_counts_whatever_the_day() {
    let bench = Bench::filled();
    bench.input(
        "a.xml",
        &Filed { filed: "2024-08-01T12:00:00-05:00", revenue: "100", ..FILED }.xml(),
    );
    let later = Filed { period_end: "2024-06-29", ..FILED };
    bench.input("b.xml", &later.xml());
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let org = snapshot.columns.org_of("010000001".parse().unwrap()).unwrap().unwrap();
    let filings = snapshot.records.filings(org).unwrap();
    let revenue = |amount: Option<crate::record::Usd>| amount.map(|usd| usd.dollars());
    assert_eq!(filings.iter().map(|one| revenue(one.revenue)).collect::<Vec<_>>(), [Some(250)]);
    let superseded = &filings[0].superseded;
    assert_eq!(superseded.iter().map(|one| revenue(one.revenue)).collect::<Vec<_>>(), [Some(100)]);
}
