//! Tells the compiler whether the data that some tests need lies beside the repository, so that a test without its
//! data is listed as ignored and never counts as passed.
//!
//! Only builds for tests and benchmarks ask, which is to say those with the feature `stock`: what lies beside the
//! repository is nothing to the program itself. An absent folder is not watched: cargo takes it for changed each time
//! and would compile everything again. Who adds the folder touches this file.

use std::path::Path;

/// The folders, and the `cfg` that says that each is there.
const FOLDERS: [(&str, &str); 3] = [
    ("shared_data", "../shared/data"),
    ("shared_reference", "../shared/reference"),
    ("shared_language_model", "../shared/language_model"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_for_tests = std::env::var_os("CARGO_FEATURE_STOCK").is_some();
    for (cfg, folder) in FOLDERS {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        if is_for_tests && Path::new(folder).is_dir() {
            println!("cargo::rerun-if-changed={folder}");
            println!("cargo::rustc-cfg={cfg}");
        }
    }
}
