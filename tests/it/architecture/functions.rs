//! The form of functions.
//!
//! None that other modules can call takes a `bool`, whose meaning nobody sees where it is called: an
//! enum, two functions or a type that has the condition in it says it. None is longer than a screen
//! unless a comment above it says why. Unit tests are left out.

use std::path::Path;

use super::{Source, read_sources};

/// Lines that a function may have, from `fn` to its closing brace.
const LINES_MAX: usize = 70;

/// How a comment above a function says why it has more.
const LONGER: &str = "Longer than 70 lines because";

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

/// A function is too long: one line for each. It ends with the brace that is indented as it is.
fn long_functions(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let code = source.code();
        let code: Vec<&str> = code.lines().collect();
        let text: Vec<&str> = source.text.lines().collect();
        for (start, line) in code.iter().enumerate() {
            let Some(name) = function_of(line) else { continue };
            let indentation = line.len() - line.trim_start().len();
            let brace = format!("{}}}", &line[..indentation]);
            let lines = code[start..].iter().position(|line| *line == brace).map_or(1, |at| at + 1);
            let is_before = |line: &&&str| line.trim_start().starts_with(['/', '#']);
            let mut before = text[..start].iter().rev().take_while(is_before);
            if lines > LINES_MAX && !before.any(|line| line.contains(LONGER)) {
                let path = &source.path;
                found.push(format!(
                    "{path}: {name} has {lines} lines, expected at most {LINES_MAX}"
                ));
            }
        }
    }
    found
}

/// The name of the function whose body begins at a line or below; `None` of any other line.
fn function_of(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let is_modifier =
        |word: &str| word.starts_with("pub") || ["in", "const", "async", "unsafe"].contains(&word);
    let is_path = |word: &str| word.ends_with(')');
    let is_function = before.split_whitespace().all(|word| is_modifier(word) || is_path(word));
    // Of one line, or declared without a body.
    let is_whole = line.ends_with('}') || line.ends_with(';');
    (is_function && !is_whole).then(|| after.split(['(', '<']).next().unwrap())
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

#[test]
fn no_function_is_longer_than_a_screen() {
    let found = long_functions(&sources());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_check_of_lengths_finds_what_it_should() {
    let check = |text: &str, expected: &[&str]| {
        let found = long_functions(&[source(text)]);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found} is not about {expected}");
        }
    };
    let body = |lines: usize| "    let a = 1;\n".repeat(lines);
    let long = format!("pub fn f(\n) -> u8 {{\n{}}}\n", body(LINES_MAX));
    check(&long, &["f has 73 lines"]);
    check(&format!("fn f() {{\n{}}}\n", body(LINES_MAX - 2)), &[]);
    check(&format!("// {LONGER} it is a table.\n#[inline]\n{long}"), &[]);
    check(&format!("// {LONGER} it is a table.\n\n{long}"), &["f has"]);
    check(&format!("#[cfg(test)]\nmod tests {{\n{long}}}"), &[]);
    check(&format!("fn f() {{}}\nstruct S {{\n{}}}\n", body(LINES_MAX)), &[]);
    let method = |line: &str| format!("    {line}\n");
    let lines: String = long.lines().map(method).collect();
    check(&format!("impl S {{\n{lines}}}\n"), &["f has 73 lines"]);
}
