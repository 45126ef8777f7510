//! The endpoints of the hosted original that the specification leaves out, over fictional data.

use std::collections::BTreeSet;

use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{run, text};

/// A folder with a snapshot of fictional data, without embeddings.
fn built() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (source, data_dir) = (folder.path().join("source"), folder.path().join("data"));
    let counts = ["--organizations", "300", "--posts", "10", "--returns", "40"];
    run(&[&["generate", text(&source)], &counts[..]].concat()).succeeds();
    run(&["build", "--no-semantic", "--data-dir", text(&data_dir), text(&source)]).succeeds();
    folder
}

fn get(folder: &TempDir, path: &str) -> Value {
    let answer = run(&["get", "--data-dir", text(&folder.path().join("data")), path]);
    answer.succeeds();
    answer.json()
}

/// Every item of a list, page by page; each page says the same total.
fn all(folder: &TempDir, path: &str, size: usize) -> Vec<Value> {
    let mut items = Vec::new();
    for page in 1.. {
        let answer = get(folder, &format!("{path}&size={size}&page={page}"));
        let rows = answer["items"].as_array().unwrap().clone();
        let is_last = rows.len() < size;
        items.extend(rows);
        if is_last {
            assert_eq!(answer["total"], items.len(), "{path}");
            return items;
        }
    }
    unreachable!("pages without end")
}

fn eins(items: &[Value]) -> BTreeSet<&str> {
    items.iter().map(|item| item["ein"].as_str().unwrap()).collect()
}

#[test]
fn searches_page_through_all_that_matches() {
    let folder = built();
    let everybody = all(&folder, "/nonprofits/search?", 100);
    assert_eq!((everybody.len(), eins(&everybody).len()), (300, 300));
    let in_state: Vec<_> = everybody.iter().filter(|item| item["state"] == "CA").collect();
    let asked = all(&folder, "/nonprofits/search?state=CA", 7);
    assert_eq!(asked.len(), in_state.len());
    assert!(asked.iter().all(|item| item["state"] == "CA"));
    let with_video = all(&folder, "/nonprofits/search?video=true", 100);
    assert!(with_video.iter().all(|item| item["gcVideoUrl"].is_string()), "{with_video:?}");
    let without = all(&folder, "/nonprofits/search?video=false", 100);
    assert!(without.iter().all(|item| item["gcVideoUrl"].is_null()), "{without:?}");
    let shown = everybody.iter().filter(|item| item["gcVideoUrl"].is_string()).count();
    assert_eq!(with_video.len(), shown);
    for item in &everybody {
        let details =
            get(&folder, &format!("/nonprofits/details/{}", item["ein"].as_str().unwrap()));
        for (member, value) in details.as_object().unwrap() {
            assert_eq!(&item[member], value, "{member}");
        }
    }
    // Words of a state rank here, and filter nothing.
    let words = get(&folder, "/nonprofits/search?q=food%20bank%20in%20California");
    assert_eq!(words["total"], 300);
}

#[test]
fn financials_are_the_returns_and_related_are_others() {
    let folder = built();
    let everybody = all(&folder, "/nonprofits/search?", 100);
    let filer = everybody.iter().find(|item| item["formType"].is_string()).unwrap();
    let ein = filer["ein"].as_str().unwrap();
    let returns = get(&folder, &format!("/nonprofits/details/{ein}/financials"));
    let filings = get(&folder, &format!("/nonprofits/filings/{ein}?size=100"));
    let years = |list: &Value| -> Vec<Value> {
        list.as_array().unwrap().iter().map(|one| one["tax_year"].clone()).collect()
    };
    assert_eq!(years(&returns["returns"]), years(&filings["items"]));
    assert!(!years(&returns["returns"]).is_empty());
    for one in returns["returns"].as_array().unwrap() {
        assert!(one["timestamp"].as_str().is_some_and(|time| time.len() >= "2024-01-01".len()));
        assert!(["990", "990-EZ", "990-PF"].contains(&one["return_type"].as_str().unwrap()));
    }
    let related = get(&folder, &format!("/nonprofits/details/{ein}/related"));
    let others = related["nonprofits"].as_array().unwrap();
    assert!(!others.is_empty() && !eins(others).contains(ein), "{related}");
}

#[test]
fn articles_are_asked_for_by_day_and_whose_they_are() {
    let folder = built();
    let every = all(&folder, "/articles/search?", 3);
    assert!(every.len() > 3, "{every:?}");
    let days: Vec<&str> = every.iter().map(|one| one["date_added"].as_str().unwrap()).collect();
    assert!(days.is_sorted_by(|later, earlier| later >= earlier), "{days:?}");
    let middle = &days[days.len() / 2][..10];
    let later = all(&folder, &format!("/articles/search?date_added={middle}"), 3);
    assert_eq!(later.len(), days.iter().filter(|day| &day[..10] >= middle).count());
    for asked in [true, false] {
        let own = all(&folder, &format!("/articles/search?gc_original={asked}"), 3);
        let expected = every.iter().filter(|one| one["is_gc_original"] == asked).count();
        assert_eq!(own.len(), expected, "{asked}");
    }
    let title = every[1]["title"].as_str().unwrap().replace(' ', "%20");
    let found = get(&folder, &format!("/articles/search?q={title}"));
    assert_eq!(found["items"][0]["title"], every[1]["title"]);
    assert_eq!(get(&folder, "/articles/search?post_type=x")["total"], 0);
}
