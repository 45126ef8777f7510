//! Curated data, posts and returns: formats, whom they are about, variety, determinism.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::fictional::phrase::{Alternatives, Voice};
use crate::fictional::subject::Subject;
use crate::fictional::{figure, post, report, story};
use crate::table::{Table, table};

fn lines(folder: &Path, name: &str) -> Vec<Value> {
    text(folder, name).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns by file name.
fn returns(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder.join(RETURNS)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        all.insert(name, fs::read_to_string(entry.path()).unwrap());
    }
    all
}

/// Reports by the EIN in the name of their folder.
fn reports(folder: &Path) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder.join(REPORTS)).unwrap() {
        let entry = entry.unwrap();
        let page = fs::read_dir(entry.path()).unwrap().next().unwrap().unwrap();
        all.insert(
            entry.file_name().into_string().unwrap(),
            fs::read_to_string(page.path()).unwrap(),
        );
    }
    all
}

/// EINs of the master file less those that the revocation list has without a reinstatement.
fn active(folder: &Path) -> BTreeSet<String> {
    let mut eins: BTreeSet<_> = master_rows(folder).into_iter().map(|row| row[0].clone()).collect();
    for line in text(folder, "data-download-revocation.txt").lines() {
        if line.ends_with('|') {
            eins.remove(&line[..9]);
        }
    }
    eins
}

fn string<'a>(line: &'a Value, key: &str) -> &'a str {
    line[key].as_str().unwrap_or_else(|| panic!("no {key}: {line}"))
}

#[test]
fn same_options_same_bytes() {
    let ((one, _), (two, _), (other, _)) =
        (generated(600, 7), generated(600, 7), generated(600, 8));
    for read in [returns, reports] {
        assert_eq!(read(one.path()), read(two.path()));
        assert!(!read(one.path()).is_empty());
    }
    for name in ["curated.ndjson", "posts.ndjson"] {
        assert_eq!(text(one.path(), name), text(two.path(), name));
        assert_ne!(text(one.path(), name), text(other.path(), name));
    }
}

#[test]
fn lists_of_the_irs_do_not_depend_on_the_rest() {
    let (usual, _) = generated(600, 7);
    let folder = tempfile::tempdir().unwrap();
    let bare = Options { posts: Some(0), returns: Some(0), ..options(600, 7) };
    let report = generate(folder.path(), &bare, &mut |_| ()).unwrap();
    assert_eq!((report.posts, report.returns), (0, 0));
    for name in &FILES[..7] {
        assert_eq!(text(usual.path(), name), text(folder.path(), name), "{name}");
    }
    // Nothing is left that a reader could not tell by its content.
    assert!(!folder.path().join("posts.ndjson").exists());
    assert!(!folder.path().join(RETURNS).exists());
    assert!(!folder.path().join(REPORTS).exists());
}

#[test]
fn the_numbers_asked_for_are_made() {
    for (organizations, posts, expected) in
        [(1, Some(50), 50), (40, Some(900), 900), (1000, None, 200), (12, None, 2)]
    {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { posts, ..options(organizations, 3) };
        let report = generate(folder.path(), &options, &mut |_| ()).unwrap();
        assert_eq!(report.posts, expected, "{organizations} {posts:?}");
        assert_eq!(lines(folder.path(), "posts.ndjson").len() as u64, expected);
        let curated = lines(folder.path(), "curated.ndjson");
        let count = |kind| curated.iter().filter(|line| line["kind"] == kind).count() as u64;
        for (kind, found) in [
            ("story", report.stories),
            ("metric", report.metrics),
            ("overlay", report.overlays),
            ("article", report.articles),
            ("knowledge", report.knowledge),
            ("fund", report.funds),
        ] {
            assert_eq!(count(kind), found, "{kind} of {organizations}");
        }
        assert_eq!((report.articles, report.knowledge, report.funds), (60, 12, 24));
        assert_eq!(report.stories, options.one_in(50, 40_000));
        assert_eq!(report.metrics, options.one_in(10, 200_000));
    }
}

#[test]
fn lines_have_what_a_reader_requires_and_name_active_organizations() {
    let (folder, _) = generated(5_000, 2);
    let active = active(folder.path());
    let mut ids = BTreeSet::new();
    let mut curated = lines(folder.path(), "curated.ndjson");
    curated.extend(lines(folder.path(), "posts.ndjson"));
    for line in &curated {
        let (ein, id, required): (&str, &str, &[&str]) = match string(line, "kind") {
            "story" => ("ein", "story_id", &["story_title", "protagonist", "full_quote"]),
            "metric" => ("ein", "metric_id", &["metric_text", "metric_type", "unit"]),
            "post" => ("organization_ein", "post_id", &["post_title", "post_content"]),
            "article" => ("", "id", &["title", "excerpt", "text", "publisher"]),
            "knowledge" => ("", "article_id", &["title", "content"]),
            "fund" => ("ein", "id", &["title", "purpose", "sponsor", "type"]),
            "overlay" => ("ein", "ein", &["logo"]),
            other => panic!("{other}"),
        };
        assert!(ids.insert((line["kind"].to_string(), line[id].to_string())), "twice: {line}");
        for key in required {
            assert!(!string(line, key).trim().is_empty(), "{key}: {line}");
        }
        if !ein.is_empty() {
            assert!(active.contains(string(line, ein)), "{line}");
        }
        let text = line.to_string();
        for bad in ["{name", "{org", "{t", "  ", "..", " a Office", ". .", "<"] {
            assert!(!text.contains(bad), "{bad}: {text}");
        }
        for address in text.split("https://").skip(1) {
            let host = address.split(['/', '"']).next().unwrap();
            assert!(
                host.ends_with("example.org") || host.ends_with("example.com"),
                "{host}: {text}"
            );
        }
        let score = |key: &str, most: f64| {
            let score = line[key].as_f64().unwrap_or(0.0);
            assert!((0.0..=most).contains(&score), "{key}: {line}");
        };
        score("power_score", 10.0);
        score("confidence_score", 1.0);
        score("cnScore", 100.0);
        score("cnRating", 4.0);
    }
}

#[test]
fn metrics_are_varied_and_stand_in_their_sentences() {
    let (folder, _) = generated(20_000, 4);
    let mut kinds = BTreeSet::new();
    for line in lines(folder.path(), "curated.ndjson") {
        if line["kind"] == "metric" {
            assert!(string(&line, "source_snippet").contains(string(&line, "metric_text")));
            assert!(line["metric_value"].as_u64().unwrap() > 0);
            kinds.insert(string(&line, "metric_type").to_owned());
        }
    }
    assert!(kinds.len() * 10 >= figure::tests::kinds_in_table() * 9, "{kinds:?}");
}

#[test]
fn stories_do_not_look_alike() {
    let (folder, report) = generated(50_000, 6);
    assert_eq!(report.stories, 1000);
    let stories = lines(folder.path(), "curated.ndjson");
    let distinct = |keys: &[&str]| {
        let texts: BTreeSet<String> = stories
            .iter()
            .filter(|line| line["kind"] == "story")
            .map(|line| keys.iter().map(|key| string(line, key)).collect())
            .collect();
        texts.len()
    };
    assert!(distinct(&["before_state", "after_state"]) > 990);
    assert!(distinct(&["story_title"]) > 600);
    assert!(distinct(&["protagonist"]) > 600);
    assert!(distinct(&["story_category"]) >= 20);
}

#[test]
fn posts_follow_their_shares_and_dates() {
    let (folder, _) = generated(40_000, 5);
    let posts = lines(folder.path(), "posts.ndjson");
    let mut found: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut undated = 0;
    let mut years: BTreeSet<&str> = BTreeSet::new();
    for post in &posts {
        *found.entry(post["post_classification"].as_str()).or_default() += 1;
        match post["post_published_date"].as_str() {
            Some(date) => {
                assert!(("2021-11-01".."2026-11-01").contains(&date), "{date}");
                years.insert(&date[..4]);
            }
            None => undated += 1,
        }
        let paragraphs = string(post, "post_content").split("\n\n").count();
        assert!((1..=3).contains(&paragraphs), "{post}");
    }
    assert_eq!(years.len(), 6);
    assert!((1..posts.len() / 20).contains(&undated));
    for (percent, (classification, _)) in post::CLASSIFICATIONS {
        let share = found[&Some(classification)] * 100 / posts.len();
        assert!(share.abs_diff(percent as usize) <= 2, "{classification}: {share}");
    }
    assert!((1..posts.len() / 20).contains(&found[&None]));
    let organizations: BTreeSet<_> =
        posts.iter().map(|post| string(post, "organization_ein")).collect();
    assert!(organizations.len() > posts.len() / 20);
}

/// Texts of the elements of that name.
fn elements<'a>(xml: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}>"), format!("</{name}>"));
    xml.split(&open).skip(1).map(|rest| rest.split_once(&close).unwrap().0).collect()
}

#[test]
fn returns_agree_with_the_master_file() {
    let (folder, report) = generated(8_000, 9);
    let returns = returns(folder.path());
    assert_eq!(returns.len() as u64, report.returns);
    let rows: BTreeMap<_, _> =
        master_rows(folder.path()).into_iter().map(|row| (row[0].clone(), row)).collect();
    let active = active(folder.path());
    let mut by_ein: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    let (mut forms, mut notes) = (BTreeSet::new(), [0; 3]);
    for (name, xml) in &returns {
        let id = name.strip_suffix("_public.xml").unwrap();
        assert!(id.len() == 18 && id.bytes().all(|byte| byte.is_ascii_digit()), "{name}");
        assert!(xml.contains("xmlns=\"http://www.irs.gov/efile\""));
        let ein = elements(xml, "EIN")[0];
        assert!(active.contains(ein), "{ein}");
        by_ein.entry(ein).or_default().push((elements(xml, "TaxPeriodEndDt")[0], xml));
        forms.insert(elements(xml, "ReturnTypeCd")[0]);
        let row = &rows[ein];
        assert_eq!(elements(xml, "AddressLine1Txt")[0], row[3]);
        assert_eq!(elements(xml, "CityNm")[0], row[4]);
        notes[0] += u32::from(xml.contains("<AmendedReturnInd>"));
        notes[1] += u32::from(xml.contains("SEE SCHEDULE O"));
        notes[2] += u32::from(xml.contains("FICTIONAL OFFICER ONE"));
    }
    assert_eq!(forms, BTreeSet::from(["990", "990EZ", "990PF"]));
    assert!(notes.iter().all(|count| (1..returns.len() as u32 / 2).contains(count)), "{notes:?}");
    for (ein, mut filed) in by_ein {
        let row = &rows[ein];
        filed.sort_unstable();
        let years: BTreeSet<i32> = filed.iter().map(|(end, _)| end[..4].parse().unwrap()).collect();
        let (first, last) = (*years.first().unwrap(), *years.last().unwrap());
        assert_eq!((years.len(), last - first), (3, 2), "{ein}");
        let (end, xml) = filed.last().unwrap();
        assert_eq!(format!("{}{}", &end[..4], &end[5..7]), row[17], "{ein}");
        let assets = ["TotalAssetsEOYAmt", "EOYAmt"].map(|name| elements(xml, name));
        let assets = assets.iter().flatten().next().unwrap();
        assert_eq!(assets, &row[23], "{ein}");
    }
}

#[test]
fn reports_are_of_those_with_returns() {
    let (folder, report) = generated(8_000, 9);
    let reports = reports(folder.path());
    assert_eq!(reports.len() as u64, report.reports);
    let returns = returns(folder.path());
    let filers: BTreeSet<_> = returns.values().map(|xml| elements(xml, "EIN")[0]).collect();
    assert_eq!(reports.len(), filers.len().div_ceil(10));
    for (ein, page) in &reports {
        assert!(filers.contains(&**ein), "{ein}");
        for bad in ["{", "  ", "..", " .", "<h3></h3>"] {
            assert!(!page.contains(bad), "{bad}: {page}");
        }
    }
    let told = reports.values().filter(|page| page.contains("says.</p>")).count();
    assert_eq!(told, reports.len().div_ceil(3));
}

#[test]
fn returns_are_well_formed() {
    let (folder, _) = generated(4_000, 12);
    for (name, xml) in returns(folder.path()) {
        let mut open: Vec<&str> = Vec::new();
        for tag in xml.split('<').skip(1) {
            let (tag, text) = tag.split_once('>').unwrap();
            for escaped in text.split('&').skip(1) {
                assert!(escaped.starts_with("amp;"), "{name}: {text}");
            }
            match tag.strip_prefix('/') {
                Some(closed) => assert_eq!(open.pop(), Some(closed), "{name}"),
                None if tag.starts_with('?') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
        }
        assert!(open.is_empty(), "{name}: {open:?}");
    }
}

#[test]
fn braces_of_all_tables_mean_something() {
    let row = Row { city: "AUSTIN", state: "TX", ruling: 200_001, ..Row::default() };
    let subject = Subject { short: "S".into(), ..Subject::of(&row) };
    let voice = Voice {
        name: "N",
        pronoun: "she",
        role: "r",
        event: "e",
        job: "j",
        guests: &["g"],
        year: 2024,
        figure: "f",
        ..Voice::of(&subject)
    };
    let mut random = Random::new(1, 1);
    let tables = [&*story::PARTS, &*post::PARTS, &*figure::PROGRAMS, &*report::PARTS];
    for text in tables.into_iter().flat_map(Alternatives::texts) {
        assert!(!text.trim().is_empty() && text.trim() == text, "{text:?}");
        for piece in text.split('{').skip(1) {
            let (word, _) = piece.split_once('}').expect(text);
            let value = voice.value(&word.to_ascii_lowercase(), &mut random);
            assert!(!value.is_empty(), "{word}: {text}");
        }
    }
}

#[test]
fn every_table_has_rows() {
    let rows = |table: Table| table.lines().count();
    assert!(crate::fictional::subject::CAUSES.len() >= 20);
    assert!(rows(table!("data/fictional_stories.tsv")) >= 200);
    assert!(rows(table!("data/fictional_figures.tsv")) >= 60);
    assert!(rows(table!("data/fictional_programs.tsv")) >= 45);
    assert!(rows(table!("data/fictional_posts.tsv")) >= 50);
    assert!(rows(table!("data/fictional_articles.tsv")) >= 100);
}

proptest! {
    #[test]
    fn any_text_can_be_said(text in ".{0,60}", words in "(\\{[A-Za-zé]{0,9}\\}?|é| ){0,9}") {
        let row = Row::default();
        let subject = Subject::of(&row);
        let mut random = Random::new(1, 1);
        Voice::of(&subject).render(&text, &mut random);
        Voice::of(&subject).render(&words, &mut random);
    }

    #[test]
    fn any_row_is_a_subject(name in ".{0,80}", ntee in ".{0,5}", ein in any::<u32>()) {
        let row = Row { name, ntee, ein, ..Row::default() };
        let subject = Subject::of(&row);
        let host = subject.site.trim_start_matches("https://www.");
        let good = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.';
        prop_assert!(host.bytes().all(good) && !host.starts_with('-'), "{}", host);
    }
}
