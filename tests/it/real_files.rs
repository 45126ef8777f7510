//! Over the IRS's own files, where they lie beside the repository; else skipped, and said so.

use std::path::Path;

use almoner::embed::{Model, Reference};

use crate::fixture::{run, text};

#[test]
fn the_real_files_build_and_answer() {
    let irs = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/irs"));
    if !irs.exists() {
        eprintln!("skipped: no IRS files beside the repository");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    run(&["build", "--no-semantic", "--data-dir", text(&data_dir), text(irs)]).succeeds();
    let get = |path: &str| {
        let answer = run(&["get", "--data-dir", text(&data_dir), path]);
        answer.succeeds();
        answer.json()
    };
    let red_cross = get("/nonprofits/details/530196605");
    assert_eq!(red_cross["name"], "American National Red Cross");
    assert_eq!((&red_cross["city"], &red_cross["state"]), (&"Washington".into(), &"DC".into()));
    let first = get("/typeahead/nonprofits?q=american+national+red&limit=1");
    assert_eq!(first["results"][0]["ein"], "530196605");
    let typo = get("/typeahead/nonprofits?q=amercian+national+red&limit=1");
    assert_eq!(typo["results"][0]["ein"], "530196605");
    words_that_are_places_and_causes_elsewhere_name_somebody(&get);
    who_is_not_in_the_data_is_not_replaced(&get);
}

/// What the beta search answers to a query in plain words.
fn search(get: &impl Fn(&str) -> serde_json::Value, q: &str) -> serde_json::Value {
    get(&format!("/beta/nonprofits/search?size=5&q={}", q.replace(' ', "+").replace('&', "%26")))
}

fn words_that_are_places_and_causes_elsewhere_name_somebody(
    get: &impl Fn(&str) -> serde_json::Value,
) {
    for (q, ein) in [
        ("St. Vincent de Paul Wichita Kansas", "480944260"),
        ("excellence in the community sandy", "113779120"),
        ("notre dame la mer", "640749352"),
        ("united way of southeastern idaho pocatello", "820209625"),
    ] {
        let answer = search(get, q);
        assert_eq!(answer["nonprofits"][0]["ein"], ein, "{q}: {answer}");
        let understood = &answer["intentDetails"];
        assert_eq!((&understood["city"], &understood["state"]), (&NULL, &NULL), "{q}: {answer}");
    }
}

const NULL: serde_json::Value = serde_json::Value::Null;

/// None of these is in the files: nobody may stand in for them.
fn who_is_not_in_the_data_is_not_replaced(get: &impl Fn(&str) -> serde_json::Value) {
    for name in [
        "Sierra Club",
        "Nature Conservancy",
        "St Jude",
        "Kiva",
        "Save the Children",
        "charity: water",
    ] {
        for q in [name.to_owned(), format!("nonprofits like the {name}")] {
            let answer = search(get, &q);
            let details = &answer["intentDetails"];
            assert_eq!(details["organization_ein"], NULL, "{q}: {answer}");
            let said = details["llm_response"]["message"].as_str().unwrap();
            assert!(!said.contains(") comes first"), "{q}: {said}");
        }
    }
    let like = search(get, "nonprofits like the Sierra Club");
    let said = like["intentDetails"]["llm_response"]["message"].as_str().unwrap();
    assert!(said.starts_with("No nonprofit called “Sierra Club” is in the data"), "{said}");
}

#[test]
fn reference_embeddings_are_met() {
    let path =
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/reference/embeddings.jsonl"));
    let Ok(lines) = std::fs::read_to_string(path) else {
        eprintln!("skipped: no reference embeddings beside the repository");
        return;
    };
    let (model, stock) = (Model::embedded().unwrap(), Reference::load(None).unwrap());
    let (mut ours, mut f32s) = (Vec::new(), Vec::new());
    for line in lines.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let expected: Vec<f32> = serde_json::from_value(row["embedding"].clone()).unwrap();
        let text = row["text"].as_str().unwrap();
        ours.push(cosine(&model.embed_one(text).unwrap(), &expected));
        f32s.push(cosine(&stock.embed_one(text).unwrap(), &expected));
    }
    let mean = |cosines: &[f64]| cosines.iter().sum::<f64>() / cosines.len() as f64;
    let worst = |cosines: &[f64]| cosines.iter().copied().fold(1.0, f64::min);
    println!("fixed point: mean {:.6}, worst {:.6}", mean(&ours), worst(&ours));
    println!("f32: mean {:.7}, worst {:.7}", mean(&f32s), worst(&f32s));
    assert!(ours.len() >= 50, "{} reference texts", ours.len());
    // The contract asks for 0.999 and 0.99; what the arithmetic reaches is held here.
    assert!(mean(&ours) >= 0.9999 && worst(&ours) >= 0.9998);
    assert!(worst(&f32s) >= 0.99999);
}

fn cosine(one: &[f32], other: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
}
