//! The form of functions: none that other modules can call takes a `bool`, whose meaning nobody sees
//! where it is called. An enum, two functions or a type that has the condition in it says it.

use std::path::Path;

use super::{Source, read_sources};

/// A function that other modules can call takes a `bool`: one line for each.
fn boolean_parameters(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let code = source.code();
        for (start, _) in code.match_indices("fn ") {
            let line_start = code[..start].rfind('\n').map_or(0, |at| at + 1);
            let is_public = code[line_start..start].trim_start().starts_with("pub");
            if !is_public {
                continue;
            }
            let rest = &code[start + 3..];
            let end = ["{", ";\n"].into_iter().filter_map(|end| rest.find(end)).min();
            let signature = &rest[..end.unwrap_or(rest.len())];
            let mut of_type = signature.split(": bool").skip(1);
            if of_type.any(|rest| rest.starts_with([',', ')', '\n'])) {
                let name = signature.split(['(', '<']).next().unwrap();
                found.push(format!("{}: {name} takes a bool", source.path));
            }
        }
    }
    found
}

fn sources() -> Vec<Source> {
    let mut sources = Vec::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    assert!(sources.len() > 10, "too few sources were read");
    sources
}

fn source(text: &str) -> Source {
    Source { path: "m/a.rs".into(), text: text.into() }
}

#[test]
fn no_public_function_takes_a_bool() {
    let found = boolean_parameters(&sources());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_check_of_parameters_finds_what_it_should() {
    let check = |text: &str, expected: &[&str]| {
        let expected: Vec<_> =
            expected.iter().map(|name| format!("m/a.rs: {name} takes a bool")).collect();
        assert_eq!(boolean_parameters(&[source(text)]), expected, "{text}");
    };
    check("pub fn f(is_new: bool) {}", &["f"]);
    check("pub(super) const fn f<T>(\n    text: &str,\n    is_new: bool,\n) -> T {\n}", &["f"]);
    check("impl A {\n    pub(crate) async fn f(&self, is_new: bool, n: u8) {}\n}", &["f"]);
    check("fn f(is_new: bool) {}", &[]);
    check("pub fn f(accepts: impl Fn(u8) -> bool) -> bool { let a: bool = g(); a }", &[]);
    check("pub fn f(accepts: impl Fn(u8) -> bool, row: [u8; 4], is_new: bool) {}", &["f"]);
    check("pub fn f(flags: &[bool]) {}\npub struct S { is_new: bool }", &[]);
    check("#[cfg(test)]\nmod tests {\n    pub fn f(is_new: bool) {}\n}", &[]);
}
