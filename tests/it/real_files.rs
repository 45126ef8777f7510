//! Over the IRS's own files, where they lie beside the repository; else skipped, and said so.

use std::path::Path;

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
    let built = run(&["build", "--no-semantic", "--data-dir", text(&data_dir), text(irs)]);
    built.succeeds();
    let get = |path: &str| run(&["get", "--data-dir", text(&data_dir), path]);
    let red_cross = get("/nonprofits/details/530196605");
    red_cross.succeeds();
    let red_cross = red_cross.json();
    assert_eq!(red_cross["name"], "American National Red Cross");
    assert_eq!((&red_cross["city"], &red_cross["state"]), (&"Washington".into(), &"DC".into()));
    let first = get("/typeahead/nonprofits?q=american+national+red&limit=1").json();
    assert_eq!(first["results"][0]["ein"], "530196605");
    let typo = get("/typeahead/nonprofits?q=amercian+national+red&limit=1").json();
    assert_eq!(typo["results"][0]["ein"], "530196605");
}
