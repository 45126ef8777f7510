//! Builds with annual reports. The nonprofits in them are fictional.

use super::impact::every_metric;
use super::*;
use crate::fictional;
use crate::record::{Metric, RowId, Story};

/// A page that states a figure and, if there is one, an EIN.
fn page(ein: &str) -> String {
    let words =
        "Our kitchens are open on every day of the week, in every season of the year. ".repeat(4);
    format!(
        "<!DOCTYPE html><html><title>Report</title><h1>Annual Report 2023</h1><p>We served 1,245 students this \
         year.</p><p>{words}</p><footer>{ein}</footer></html>"
    )
}

#[test]
fn reports_become_metrics_of_whom_they_are() {
    let bench = Bench::filled();
    fs::create_dir(bench.folder.path().join("inputs/01-0000001")).unwrap();
    bench.input("01-0000001/report.html", &page("EIN 01-0000001"));
    bench.input("stated.html", &page("EIN 01-0000002, with help of 99-0000009"));
    bench.input("nobody.html", &page("EIN 99-0000009"));
    bench.input("999999999.html", &page(""));
    bench.input("wrong.html", &page("EIN 01-0000002.").replace("2023", "2021"));
    bench.input("empty.txt.pdf", "%PDF-1.5\n");
    bench.input("010000001.pdf", "%PDF-1.4\n");
    let table = "file,ein,year,url\nwrong.html,010000003,2021,https://example.org/report\n";
    bench.input("whose.csv", table);
    let report = bench.build().unwrap();
    assert_eq!(report.items.metrics, 3);
    let metrics = every_metric(&open(&bench.data()).unwrap());
    let metric = |ein: &str| {
        let metric = metrics.iter().find(|metric| metric.ein.as_str() == ein).unwrap();
        assert_eq!(metric.metric_value, Some(1_245.0));
        metric
    };
    let own = metric("010000001");
    assert_ne!(own.metric_id, metric("010000002").metric_id);
    assert_eq!((own.report_year, own.url.as_deref()), (Some(2023), None));
    assert_eq!(metric("010000002").report_year, Some(2023));
    let listed = metric("010000003");
    assert_eq!(listed.report_year, Some(2021));
    assert_eq!(listed.url.as_deref(), Some("https://example.org/report"));

    let doubt = "wrong.html is assigned to 010000003, but its text states 010000002 only";
    assert!(report.doubts.iter().any(|one| one == doubt), "{:?}", report.doubts);
    let left_out: Vec<&str> = report.skipped.iter().map(|one| one.path.to_str().unwrap()).collect();
    assert_eq!(left_out, ["empty.txt.pdf", "nobody.html"]);
    let rejects = reject_lines(&bench);
    assert_eq!(rejects.len(), 2, "{rejects:?}");
    assert!(rejects[0].contains("010000001.pdf") && rejects[0].contains("a PDF with pages"));
    assert!(rejects[1].contains("999999999.html") && rejects[1].contains("\"ein\""));

    // Built again, nothing is read again: identifiers and figures are those that were.
    let cache = names(&bench.data().join("reports.cache"));
    assert_eq!(cache.len(), 11, "seven files, what is found in three of them, and the list");
    bench.build().unwrap();
    assert_eq!(names(&bench.data().join("reports.cache")), cache);
    assert_eq!(every_metric(&open(&bench.data()).unwrap()), metrics);
}

/// A report with the story of somebody.
const STORY: &str = "<!DOCTYPE html><html><title>Report</title><h1>Annual Report 2023</h1>\
    <h2>Meet Oralee Tamsin, baker</h2>\
    <p>Oralee was 41 and had never held a job. She slept in her car for seven weeks after the flood, and she \
    couldn't find anyone who would hire her. She had stopped answering the phone.</p>\
    <p>A neighbor brought her to our kitchen in March. Our baker, Mr. Ivo Quell, taught her to make bread, and \
    within six months she passed the food safety test.</p>\
    <p>Today she is our head baker. She has rented a flat with a door that locks, and her son is back with her. \
    \"I used to count the days,\" Oralee says. \"Now I count loaves of bread, forty every morning.\"</p></html>";

#[test]
fn a_figure_of_a_year_that_is_named_is_of_that_year() {
    let bench = Bench::filled();
    let text = "We served 1,245 students this year. In 2022 we planted 4,321 trees.";
    bench.input("010000001.html", &page("").replace("We served 1,245 students this year.", text));
    bench.build().unwrap();
    let metrics = every_metric(&open(&bench.data()).unwrap());
    let years: Vec<_> = metrics.iter().map(|one| (one.metric_value, one.report_year)).collect();
    assert_eq!(years, [(Some(1_245.0), Some(2023)), (Some(4_321.0), Some(2022))]);
}

#[test]
fn stories_may_be_without_the_people_in_them() {
    let bench = Bench::filled();
    bench.input("010000001.html", STORY);
    let story = |without: Vec<LeftOut>| {
        let options = Options { without, ..bench.options() };
        build(&options, &NoProgress).unwrap();
        let snapshot = open(&bench.data()).unwrap();
        let story: Story = snapshot.records.get(RowId::new(0)).unwrap();
        (story.protagonist, story.quote_attribution.is_some(), story.after_state.is_some())
    };
    assert_eq!(story(Vec::new()), (Some("Oralee Tamsin".to_owned()), true, true));
    assert_eq!(story(vec![LeftOut::People]), (None, false, true));
}

#[test]
fn the_operator_mends_and_takes_back_what_was_found() {
    let bench = Bench::filled();
    bench.input("010000001.html", STORY);
    let stories = || {
        bench.build().unwrap();
        let snapshot = open(&bench.data()).unwrap();
        let numbers = 0..snapshot.stories.count();
        let story = |number| snapshot.records.get::<Story>(RowId::new(number)).unwrap();
        numbers.map(story).collect::<Vec<_>>()
    };
    let found = stories();
    assert_eq!(found.len(), 1);
    let (id, ein) = (&found[0].story_id, "010000001");
    let line = |kind: &str, more: &str| {
        let own = if kind == "story" { "story_id" } else { "id" };
        bench.input(
            "decisions.ndjson",
            &format!(r#"{{"kind":"{kind}","ein":"{ein}","{own}":"{id}"{more}}}"#),
        );
    };
    line("story", r#","story_title":"A baker""#);
    let mended = stories();
    assert_eq!((mended.len(), mended[0].story_title.as_str()), (1, "A baker"));
    line("withdrawal", "");
    assert_eq!(stories(), []);
}

/// Reports that `generate` wrote into a folder, with the EIN of each.
fn generated_reports(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for ein in names(&folder.join("reports")) {
        let own = folder.join("reports").join(&ein);
        for page in names(&own) {
            all.push((ein.clone(), fs::read_to_string(own.join(page)).unwrap()));
        }
    }
    all
}

#[test]
fn what_generated_reports_tell_is_found() {
    let bench = Bench::new();
    let inputs = bench.folder.path().join("inputs");
    let options = fictional::Options {
        posts: Some(0),
        returns: Some(300),
        ..fictional::Options::new(3_000, 11)
    };
    fictional::generate(&inputs, &options, &mut |_| {}).unwrap();
    let reports = generated_reports(&inputs);
    bench.build().unwrap();
    let snapshot = open(&bench.data()).unwrap();
    let metrics: Vec<Metric> = (0..snapshot.metrics.count())
        .map(|number| snapshot.records.get(RowId::new(number)).unwrap())
        .collect();
    let stories = (0..snapshot.stories.count())
        .map(|number| snapshot.records.get::<Story>(RowId::new(number)).unwrap())
        .filter(|story| !story.story_id.starts_with("fictional-"))
        .collect::<Vec<_>>();
    let (mut stories_told, mut stories_found) = (0, 0);
    for (ein, page) in &reports {
        let text = page.replace("&amp;", "&");
        let found: Vec<_> = stories.iter().filter(|story| story.ein.as_str() == ein).collect();
        // The story is the last of three pages.
        let story = page.split("<hr class=\"page\">").nth(2);
        assert!(found.len() <= usize::from(story.is_some()), "{page}");
        for story in &found {
            let members = [&story.protagonist, &story.before_state, &story.after_state];
            for member in members {
                assert!(
                    member.as_ref().is_some_and(|member| text.contains(&**member)),
                    "{story:?}"
                );
            }
        }
        stories_told += usize::from(story.is_some());
        stories_found += found.len();
        for row in page.split("<tr>").skip(2) {
            let cell = row.rsplit("<td>").next().and_then(|rest| rest.split("</td>").next());
            let value: f64 = cell.unwrap().replace(',', "").parse().unwrap();
            let is_there = metrics.iter().any(|metric| {
                metric.ein.as_str() == ein
                    && metric.metric_value == Some(value)
                    && metric.report_year.is_some()
            });
            assert!(is_there, "{value}: {page}");
        }
    }
    assert!(reports.len() >= 20 && stories_told * 3 >= reports.len(), "{stories_told}");
    // What is found is right; not all is found.
    assert_eq!(stories_found, stories.len());
    assert!(stories_found * 2 > stories_told, "{stories_found} of {stories_told}");
}

fn reject_lines(bench: &Bench) -> Vec<String> {
    let list = fs::read_to_string(bench.data().join("rejects.ndjson")).unwrap();
    list.lines().map(str::to_owned).collect()
}
