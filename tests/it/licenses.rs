//! `almoner licenses` against what is linked: each crate with its version, and each data of others.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::fixture::run;

/// The target that the release archive and the image are built for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// What cargo links into the program that releases have, as `name version`: no tools of the build, no macros that run
/// in the compiler.
fn linked() -> BTreeSet<String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let asked = ["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}"];
    let edges = ["--features", "full", "--edges", "normal,no-proc-macro", "--target", TARGET];
    let listed = Command::new(cargo)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(asked.iter().chain(&edges))
        .output()
        .unwrap();
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).unwrap();
    // Behind a crate of this repository stands its folder.
    let others = listed.lines().filter(|line| !line.contains(env!("CARGO_MANIFEST_DIR")));
    let words = others.filter_map(|line| {
        let mut words = line.split(' ');
        Some((words.next()?, words.next()?.strip_prefix('v')?))
    });
    words.map(|(name, version)| format!("{name} {version}")).collect()
}

/// The rows of the list of crates, without their licences.
fn named(notices: &str) -> BTreeSet<String> {
    let list = notices.split("\nCRATES\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let name = |row: &str| row.split("  ").next().unwrap().trim().to_owned();
    list.lines().map(name).collect()
}

#[test]
fn licenses_name_every_crate_that_is_linked_and_no_other() {
    let ran = run(&["licenses"]);
    let (named, linked) = (named(ran.succeeds()), linked());
    assert!(linked.len() > 200, "{linked:?}");
    let missing: Vec<_> = linked.difference(&named).collect();
    let gone: Vec<_> = named.difference(&linked).collect();
    let remedy = "run scripts/licenses/notices.py";
    assert!(missing.is_empty() && gone.is_empty(), "{remedy}: without {missing:?}, with {gone:?}");
}

#[test]
fn licenses_have_the_data_of_others_and_all_terms() {
    let ran = run(&["licenses"]);
    for part in [
        "GeoNames",
        "https://creativecommons.org/licenses/by/4.0/",
        "Copyright (c) Sean Pianka",
        "Michael Bostock",
        "all-MiniLM-L6-v2",
        "The Newsreader Project Authors",
        "SIL OPEN FONT LICENSE",
        "Kevin Atkinson",
        "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION",
        "GNU LESSER GENERAL PUBLIC LICENSE",
        "UNICODE LICENSE V3",
    ] {
        assert!(ran.succeeds().contains(part), "{part}");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("THIRD-PARTY.txt");
    assert_eq!(std::fs::read_to_string(file).unwrap(), ran.out);
}
