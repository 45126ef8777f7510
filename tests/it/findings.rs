//! `almoner findings`: the page of what was found in reports, and that the next build obeys its lines.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::fs;

use serde_json::Value;

use crate::fixture::{Fixture, run, text};

/// The lines that the page has under an attribute.
fn lines(page: &str, attribute: &str) -> Vec<Value> {
    let before = format!("{attribute}=\"");
    let starts = page.split(&before).skip(1);
    let line = |rest: &str| {
        let escaped = rest.split('"').next().unwrap();
        let line = escaped.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
        serde_json::from_str(&line.replace("&amp;", "&")).unwrap()
    };
    starts.map(line).collect()
}

#[test]
fn the_next_build_obeys_the_lines_of_the_page() {
    let fixture = Fixture::new();
    let (inputs, data_dir, page) =
        (fixture.path("generated"), fixture.data_dir(), fixture.path("page.html"));
    run(&["generate", text(&inputs), "--organizations", "400", "--seed", "7"]).succeeds();
    let build = || {
        run(&["build", "--no-semantic", "--data-dir", text(&data_dir), text(&inputs)]).succeeds();
    };
    let findings = |more: &[&str]| {
        let own = ["findings", "--data-dir", text(&data_dir), "--output", text(&page)];
        run(&[&own, more].concat())
    };
    findings(&[]).fails(3, &["expected an annual report"]);
    build();
    findings(&["--report", "nowhere.pdf"]).fails(3, &["expected an annual report"]);
    findings(&["--report", "annual-report"]).succeeds();
    let html = fs::read_to_string(&page).unwrap();
    for member in ["before_state", "after_state", "metric_text"] {
        assert!(html.contains(&format!("<mark title=\"{member}\">")), "{member}");
    }
    let records = lines(&html, "data-record");
    let of_kind = |kind: &str| records.iter().find(|line| line["kind"] == kind).unwrap();
    let (mut story, metric) = (of_kind("story").clone(), of_kind("metric"));
    story["story_title"] = "A mended title".into();
    let withdrawals = lines(&html, "data-withdrawal");
    let withdrawal = withdrawals.iter().find(|line| line["id"] == metric["metric_id"]).unwrap();
    fs::write(inputs.join("decisions.ndjson"), format!("{story}\n{withdrawal}\n")).unwrap();
    let listed = |what: &str, id: &str| {
        let ein = story["ein"].as_str().unwrap();
        let answer = fixture.get(&format!("/impact/{what}/{ein}?size=100")).json();
        let items = answer["items"].as_array().unwrap().clone();
        items.into_iter().find(|item| item[id] == story[id] || item[id] == metric[id])
    };
    assert!(listed("metrics", "metric_id").is_some());
    build();
    let mended = listed("stories", "story_id").unwrap();
    for member in ["story_title", "protagonist", "before_state", "full_quote", "power_score"] {
        assert_eq!(mended[member], story[member], "{member}");
    }
    assert_eq!(listed("metrics", "metric_id"), None);
    // What was decided is on the page of the report as it was found.
    findings(&["--ein", story["ein"].as_str().unwrap()]).succeeds();
    assert_eq!(fs::read_to_string(&page).unwrap(), html);
}
