//! The layering of the modules, read from their sources: who may import whom, which module alone
//! names which engine, which ask the clock, and how files open and how long they are.
//!
//! Circles between files are the business of `circles`, the form of functions that of `functions`.
//!
//! It reads text, not syntax: comments and what follows a file's `#[cfg(test)]` are left out, and
//! then every `crate::`, `almoner::` and `engine::` path counts, in a `use` or in an expression.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

mod circles;
mod functions;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules by layer: each may import those of earlier layers only.
const LAYERS: [&[&str]; 11] = [
    &["table", "text", "spreadsheet", "export", "processor_time", "durable"],
    &["record", "mapped", "model", "naming", "taxonomy", "query"],
    &["places", "irs", "curated", "reports", "impact", "fictional", "embed", "store", "index"],
    &["sources", "reader", "classify", "matching", "stories"],
    &["snapshot", "fetch", "language_model"],
    &["build", "understand", "rank", "objects"],
    &["search"],
    &["views"],
    &["http", "api"],
    &["cli"],
    // The roots.
    &["main", "lib"],
];

/// Imports inside one layer that are allowed: what stands at its start knows nothing of the rest.
const WITHIN: [(&str, &str); 7] = [
    ("export", "spreadsheet"),
    ("taxonomy", "record"),
    ("query", "record"),
    ("naming", "record"),
    ("index", "places"),
    ("impact", "places"),
    ("stories", "reader"),
];

/// Third-party engines, and the one module that names each. hyper has a server and a client.
const ENGINES: [(&str, &[&str]); 21] = [
    ("arrow_array", &["export/parquet"]),
    ("arrow_buffer", &["export/parquet"]),
    ("arrow_schema", &["export/parquet"]),
    ("parquet", &["export/parquet"]),
    ("redb", &["store"]),
    ("fst", &["index/typeahead"]),
    ("hyper", &["http", "fetch", "language_model"]),
    ("hyper_rustls", &["fetch", "language_model"]),
    ("clap", &["cli"]),
    ("csv", &["cli", "export/lines", "http"]),
    ("memmap2", &["mapped"]),
    ("zip", &["sources", "reports/docx"]),
    ("quick_xml", &["irs/efile", "fictional/forms", "reports/docx"]),
    ("hnsw_rs", &["index/vectors"]),
    ("candle_core", &["embed", "language_model"]),
    ("candle_nn", &["embed"]),
    ("candle_transformers", &["embed", "language_model"]),
    ("tokenizers", &["embed", "language_model"]),
    ("tantivy", &["index/fulltext"]),
    ("rmcp", &["http/mcp"]),
    ("object_store", &["objects/cloud"]),
];

/// Folders and modules that may hold `unsafe` code, besides `mapped`.
const UNSAFE: [&str; 3] = ["embed/kernel/", "index/vectors/kernel/", "build/memory.rs"];

/// Calls of the system's clock, and where what is read and built may have one: the same sources make the same
/// bytes in every year.
const CLOCKS: [&str; 2] = ["Timestamp::now", "SystemTime::now"];
const CLOCKLESS: [&str; 10] = [
    "build", "classify", "curated", "impact", "index", "irs", "reports", "sources", "store",
    "stories",
];
const CLOCK_ALLOWED: &str = "build/pipeline.rs";

/// Names of modules that would take in anything.
const NAMES_REFUSED: [&str; 8] =
    ["utils", "util", "helpers", "helper", "common", "misc", "shared", "stuff"];

/// Lines that a file may have unless its header says why it is longer.
const LINES_MAX: usize = 500;

/// How a header says why.
const LONGER: &str = "Longer than 500 lines because";

/// A source file: its path below `src`, with `/`, and its text.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The top-level module: `irs` of `irs/master.rs`, `main` of `main.rs`.
    fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// The text without comments and without unit tests.
    fn code(&self) -> String {
        let is_tests = self.path.ends_with("tests.rs") || self.path.contains("/tests/");
        if is_tests {
            return String::new();
        }
        let mut code = String::new();
        let mut lines = self.text.lines().peekable();
        while let Some(line) = lines.next() {
            let next_is_inline_tests = lines
                .peek()
                .is_some_and(|next| next.starts_with("mod ") && next.trim_end().ends_with('{'));
            if line == "#[cfg(test)]" && next_is_inline_tests {
                break;
            }
            // A comment after code begins with two blanks' worth of room; URLs have no blank.
            let code_of_line = match line.trim_start() {
                comment if comment.starts_with("//") => "",
                _ => line.split(" // ").next().unwrap(),
            };
            code.push_str(code_of_line);
            code.push('\n');
        }
        code
    }
}

/// The identifiers that begin after each `prefix` standing at the start of a path, those of a
/// braced list included.
fn names_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (position, _) in code.match_indices(prefix) {
        let before = code[..position].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = code[position + prefix.len()..].trim_start();
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let mut item = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => {
                            names.insert(identifier(item.trim()));
                            item.clear();
                            continue;
                        }
                        _ => {}
                    }
                    if depth == 0 {
                        item.push(c);
                    }
                }
                names.insert(identifier(item.trim()));
            }
            None => _ = names.insert(identifier(rest)),
        }
    }
    names.remove("");
    names
}

fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

/// Everything about the sources that breaks the rules, one line each.
fn violations(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    let mut imports = BTreeSet::new();
    for source in sources {
        let (path, module, code) = (&source.path, source.module(), source.code());
        let Some(own) = layer(module) else {
            found.push(format!("{path}: module {module} has no layer"));
            continue;
        };
        let mut used = names_after(&code, "crate::");
        used.extend(names_after(&code, "almoner::"));
        for other in used {
            let Some(theirs) = layer(&other) else { continue };
            if other == module {
                continue;
            }
            let within = WITHIN.contains(&(module, other.as_str()));
            if theirs > own || theirs == own && !within {
                found.push(format!("{path}: {module} may not import {other}"));
            }
            imports.insert((module.to_owned(), other));
        }
        for (engine, homes) in ENGINES {
            let inside = homes
                .iter()
                .any(|home| path.starts_with(&format!("{home}/")) || *path == format!("{home}.rs"));
            let named = names_engine(&code, engine);
            if named && !inside {
                found.push(format!("{path}: only {} may name {engine}", homes.join(" and ")));
            }
        }
        let asks = CLOCKS.iter().any(|clock| code.contains(clock));
        if asks && CLOCKLESS.contains(&module) && path != CLOCK_ALLOWED {
            found.push(format!("{path}: only {CLOCK_ALLOWED} may ask the clock of what is built"));
        }
        form(source, &code, &mut found);
    }
    for (one, other) in &imports {
        if one < other && imports.contains(&(other.clone(), one.clone())) {
            found.push(format!("{one} and {other} import each other"));
        }
    }
    found
}

/// Whether code names a crate: at the start of a path, or as a bare `use`.
fn names_engine(code: &str, engine: &str) -> bool {
    let starts_path = code.match_indices(&format!("{engine}::")).any(|(position, _)| {
        let before = &code[..position];
        let bare = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        // `::fst::Map` is a path from the crate's name too; `super::fst::` is not.
        let rooted = before
            .strip_suffix("::")
            .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'));
        bare || rooted
    });
    starts_path
        || code.contains(&format!("use {engine};"))
        || code.contains(&format!("use {engine} as "))
}

/// How a file opens, how long it is, and that nothing but `mapped` is unsafe.
fn form(source: &Source, code: &str, found: &mut Vec<String>) {
    let path = &source.path;
    if !source.text.starts_with("//!") {
        found.push(format!("{path}: a file opens with what it is, in `//!`"));
    }
    let parts = path.split(['/', '.']);
    found.extend(
        parts
            .filter(|part| NAMES_REFUSED.contains(part))
            .map(|part| format!("{path}: {part} says nothing of what is in it; name it for that")),
    );
    let lines = source.text.lines().count();
    let header: Vec<_> = source.text.lines().take_while(|line| line.starts_with("//")).collect();
    if lines > LINES_MAX && !header.join("\n").contains(LONGER) {
        found.push(format!("{path}: {lines} lines, expected at most {LINES_MAX}"));
    }
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    let allowed = source.module() == "mapped" || UNSAFE.iter().any(|home| path.starts_with(home));
    if !allowed && words.into_iter().any(|word| word == "unsafe") {
        found.push(format!("{path}: only mapped may hold unsafe code"));
    }
}

fn read_sources(folder: &Path, below: &str, sources: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap().to_str().unwrap();
        let path = if below.is_empty() { name.to_owned() } else { format!("{below}/{name}") };
        if entry.is_dir() {
            read_sources(&entry, &path, sources);
        } else if name.ends_with(".rs") {
            sources.push(Source { path, text: fs::read_to_string(&entry).unwrap() });
        }
    }
}

#[test]
fn sources_keep_the_layers() {
    let mut sources = Vec::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    assert!(sources.len() > 10, "too few sources were read");
    let found = violations(&sources);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_check_finds_what_it_should() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let sources: Vec<_> = files
            .iter()
            .map(|(path, text)| Source { path: (*path).into(), text: format!("//! It.\n{text}") })
            .collect();
        let found = violations(&sources);
        assert_eq!(found.len(), expected.len(), "{files:?}: {found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found} is not about {expected}");
        }
    };
    let long = "//\n".repeat(3) + &"fn f() {}\n".repeat(LINES_MAX);
    let reason = format!("//! {LONGER} it is a table.\n{long}");
    check(&[("http/mod.rs", "use crate::cli::Arguments;")], &["http may not import cli"]);
    check(&[("irs/read.rs", "use crate::store;")], &["irs may not import store"]);
    check(&[("irs/read.rs", "use crate::{record::Ein, store::Store};")], &["import store"]);
    check(&[("irs/read.rs", "fn f() { crate::store::open(); }")], &["import store"]);
    check(&[("irs/read.rs", "use crate::record::Ein;")], &[]);
    check(&[("irs/read.rs", "/// Unlike [`crate::store`].\nfn f() {}")], &[]);
    check(&[("irs/a.rs", "#[cfg(test)]\nmod tests {\n    use crate::store;\n}")], &[]);
    check(&[("irs/a.rs", "#[cfg(test)]\nmod tests;\nuse crate::store;")], &["import store"]);
    check(&[("main.rs", "use almoner::cli;")], &[]);
    check(&[("search/a.rs", "use almoner::http;")], &["search may not import http"]);
    check(
        &[("places/a.rs", "use crate::index::f;"), ("index/a.rs", "use crate::places::f;")],
        &["places may not import index", "index and places import each other"],
    );
    check(&[("helpers/mod.rs", "")], &["helpers has no layer"]);
    check(&[("irs/utils.rs", "")], &["utils says nothing"]);
    check(&[("index/columns/mod.rs", "use fst::Map;")], &["only index/typeahead may name fst"]);
    check(&[("index/typeahead/mod.rs", "use fst::Map;")], &[]);
    check(&[("search/a.rs", "fn f() { redb::Database::open(); }")], &["only store may name redb"]);
    check(&[("search/a.rs", "fn f() { super::redb::open(); }")], &[]);
    check(&[("search/a.rs", "fn f() { ::redb::open(); }")], &["only store may name redb"]);
    check(&[("store/a.rs", "fn f() { unsafe { g() } }")], &["only mapped may hold unsafe"]);
    check(&[("mapped/a.rs", "fn f() { unsafe { g() } }")], &[]);
    check(&[("index/vectors/kernel/a.rs", "fn f() { unsafe { g() } }")], &[]);
    check(&[("index/vectors/a.rs", "fn f() { unsafe { g() } }")], &["only mapped may hold"]);
    let clock = "fn f() { Timestamp::now(); }";
    check(&[("sources/a.rs", clock)], &["only build/pipeline.rs may ask the clock"]);
    check(&[("build/pipeline.rs", clock), ("http/a.rs", clock)], &[]);
    check(&[("store/a.rs", &long)], &["expected at most 500"]);
    check(&[("store/a.rs", &reason)], &[]);
    let bare = Source { path: "store/a.rs".into(), text: "fn f() {}".into() };
    assert_eq!(violations(&[bare]).len(), 1);
}
