//! Lists the files of the pages for people, which the program embeds, and tells the compiler whether the data that
//! some tests need lies beside the repository, so that a test without its data is listed as ignored and never
//! counts as passed.
//!
//! For that data only builds for tests and benchmarks ask, which is to say those with the feature `stock`: what lies
//! beside the repository is nothing to the program itself. An absent folder is not watched: cargo takes it for changed
//! each time and would compile everything again. Who adds the folder touches this file.

use std::path::Path;
use std::{env, fs, io};

/// The folders, and the `cfg` that says that each is there.
const FOLDERS: [(&str, &str); 3] = [
    ("shared_data", "../shared/data"),
    ("shared_reference", "../shared/reference"),
    ("shared_language_model", "../shared/language_model"),
];

/// The folder of the pages for people.
const EXPLORER: &str = "src/http/explorer";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={EXPLORER}");
    let out = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    fs::write(Path::new(&out).join("explorer.rs"), embedded()?)?;
    let is_for_tests = env::var_os("CARGO_FEATURE_STOCK").is_some();
    for (cfg, folder) in FOLDERS {
        println!("cargo::rustc-check-cfg=cfg({cfg})");
        if is_for_tests && Path::new(folder).is_dir() {
            println!("cargo::rerun-if-changed={folder}");
            println!("cargo::rustc-cfg={cfg}");
        }
    }
    Ok(())
}

/// The files that the pages load, each with its name and its bytes, as an expression.
fn embedded() -> io::Result<String> {
    let names = fs::read_dir(EXPLORER)?.map(|entry| entry.map(|entry| entry.file_name()));
    let mut names = names.collect::<io::Result<Vec<_>>>()?;
    names.sort();
    let names = names.iter().filter_map(|name| name.to_str());
    let names = names.filter(|name| !name.starts_with('.') && !name.ends_with(".html"));
    let file = |name| {
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/{EXPLORER}/{name}\")");
        format!("({name:?}, include_bytes!({path}) as &[u8]),")
    };
    Ok(format!("&[{}]", names.map(file).collect::<String>()))
}
