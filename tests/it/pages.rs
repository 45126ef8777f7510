//! The endpoints that answer page by page, those of one nonprofit's financials and relatives, and their schemas, over
//! fictional data.

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
    // Words of a state rank here, and filter nothing; without vectors what has none of the words is no row.
    let words = all(&folder, "/nonprofits/search?q=food%20bank%20in%20California", 7);
    assert!(words.iter().any(|item| item["state"] != "CA") && words.len() < 300, "{words:?}");
}

#[test]
fn financials_are_the_returns_and_related_are_others() {
    let folder = built();
    let everybody = all(&folder, "/nonprofits/search?", 100);
    let filer = everybody.iter().find(|item| item["irsFilingUrl"].is_string()).unwrap();
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

/// What an answer is not, by the schema of a name in `docs/schemas`.
fn faults(name: &str, answer: &Value) -> Vec<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schemas");
    let schema = std::fs::read(path.join(format!("{name}.json"))).unwrap();
    let mut faults = Vec::new();
    validate(&serde_json::from_slice(&schema).unwrap(), answer, name, &mut faults);
    faults
}

/// Validates by those keywords of JSON Schema that the files in `docs/schemas` use, and no others: a
/// validator from the registry would have every dependency built a second time for tests.
fn validate(schema: &Value, value: &Value, at: &str, faults: &mut Vec<String>) {
    let mut is = |holds: bool, keyword: &str| {
        if !holds {
            faults.push(format!("{at}: {keyword} of {value}"));
        }
    };
    let number = |value: &Value| value.as_f64().unwrap();
    for (keyword, said) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "$schema" | "title" => {}
            "type" => {
                let types = said.as_array().map_or(std::slice::from_ref(said), Vec::as_slice);
                let of = |name: &Value| match name.as_str().unwrap() {
                    "null" => value.is_null(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "array" => value.is_array(),
                    "object" => value.is_object(),
                    other => panic!("{at}: type {other}"),
                };
                is(types.iter().any(of), keyword);
            }
            "enum" => is(said.as_array().unwrap().contains(value), keyword),
            "pattern" => {
                is(value.as_str().is_none_or(|text| is_like(said.as_str().unwrap(), text)), keyword)
            }
            "minLength" => {
                is(value.as_str().is_none_or(|text| text.len() as f64 >= number(said)), keyword)
            }
            "minimum" => is(value.as_f64().is_none_or(|found| found >= number(said)), keyword),
            "maximum" => is(value.as_f64().is_none_or(|found| found <= number(said)), keyword),
            "maxItems" => {
                is(value.as_array().is_none_or(|all| all.len() as f64 <= number(said)), keyword)
            }
            "uniqueItems" => {
                let all = value.as_array().map_or(&[][..], Vec::as_slice);
                is(all.iter().enumerate().all(|(at, one)| !all[..at].contains(one)), keyword);
            }
            "required" => {
                let missing = |key: &Value| value.get(key.as_str().unwrap()).is_none();
                is(!value.is_object() || !said.as_array().unwrap().iter().any(missing), keyword);
            }
            "additionalProperties" => {
                assert_eq!(said, &Value::Bool(false), "{at}");
                let known = schema["properties"].as_object().unwrap();
                let keys = value.as_object().into_iter().flatten();
                is(keys.clone().all(|(key, _)| known.contains_key(key)), keyword);
            }
            "properties" | "items" => {}
            other => panic!("{at}: the keyword {other} is not known here"),
        }
    }
    for (key, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if let Some(value) = value.get(key) {
            validate(schema, value, &format!("{at}/{key}"), faults);
        }
    }
    if let (Some(schema), Some(items)) = (schema.get("items"), value.as_array()) {
        items.iter().for_each(|item| validate(schema, item, &format!("{at}/items"), faults));
    }
}

/// Whether a text is of a pattern of the form `^[class]{n}-…$`.
fn is_like(pattern: &str, text: &str) -> bool {
    let mut rest = pattern.strip_prefix('^').unwrap().strip_suffix('$').unwrap();
    let mut characters = text.chars();
    while !rest.is_empty() {
        let (holds, count): (fn(char) -> bool, usize) = match rest.strip_prefix('[') {
            Some(class) => {
                let (class, after) = class.split_once("]{").unwrap();
                let (count, after) = after.split_once('}').unwrap();
                rest = after;
                let holds: fn(char) -> bool = match class {
                    "0-9" => |c| c.is_ascii_digit(),
                    "A-Z" => |c| c.is_ascii_uppercase(),
                    other => panic!("the class {other} is not known here"),
                };
                (holds, count.parse().unwrap())
            }
            None => {
                rest = rest.strip_prefix('-').expect("a hyphen between classes");
                (|c| c == '-', 1)
            }
        };
        if !(0..count).all(|_| characters.next().is_some_and(holds)) {
            return false;
        }
    }
    characters.next().is_none()
}

/// The schemas are written from the description of the interface, not from the program.
#[test]
fn answers_are_what_the_schemas_say_at_every_page() {
    let folder = built();
    let mut eins = Vec::new();
    for (name, path) in
        [("nonprofits-search", "/nonprofits/search?"), ("articles-search", "/articles/search?")]
    {
        for page in 1.. {
            let answer = get(&folder, &format!("{path}size=40&page={page}"));
            assert_eq!(faults(name, &answer), [""; 0]);
            let items = answer["items"].as_array().unwrap().clone();
            if items.is_empty() {
                break;
            }
            eins.extend(items.iter().filter_map(|item| item["ein"].as_str().map(str::to_owned)));
        }
    }
    assert_eq!(eins.len(), 300);
    let asked = get(&folder, "/nonprofits/search?q=food&size=100");
    assert_eq!(faults("nonprofits-search", &asked), [""; 0]);
    for ein in eins.iter().step_by(10) {
        for (name, part) in
            [("nonprofits-financials", "financials"), ("nonprofits-related", "related")]
        {
            let answer = get(&folder, &format!("/nonprofits/details/{ein}/{part}"));
            assert_eq!(faults(name, &answer), [""; 0]);
        }
    }
    // The validator finds what is wrong.
    let mut wrong = asked.clone();
    wrong["items"][0]["ein"] = Value::from(5);
    assert_eq!(faults("nonprofits-search", &wrong).len(), 1);
    wrong["items"][0].as_object_mut().unwrap().remove("name");
    assert_eq!(faults("nonprofits-search", &wrong).len(), 2);
}
