//! Writes a return as XML in the IRS's e-file schema, by the lines of `data/fictional_returns.tsv`. What
//! their words stand for is in `returns`.

use std::collections::HashMap;
use std::sync::LazyLock;

use quick_xml::escape::partial_escape;
use serde_json::Value;

use super::name::fill;
use crate::table::table;

/// Lines by their section.
static SECTIONS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut sections: HashMap<_, Vec<_>> = HashMap::new();
    for [section, line] in table!("data/fictional_returns.tsv").rows() {
        sections.entry(section).or_default().push(line);
    }
    sections
});

/// Appends a section. Words are looked up in the scopes, which are objects, the innermost first; so are
/// sections: one that is `false` is left out, one that is a list is written for each of its objects.
pub(super) fn section(xml: &mut String, name: &str, scopes: &[&Value]) {
    for line in &SECTIONS[name] {
        let Some(within) = line.strip_prefix('@') else {
            xml.push_str(&filled(line, scopes).unwrap_or_default());
            continue;
        };
        match find(within.split(' ').next().unwrap_or_default(), scopes) {
            Some(Value::Array(items)) => {
                items.iter().for_each(|item| section(xml, within, &[&[item], scopes].concat()));
            }
            Some(Value::Bool(false)) => {}
            _ => section(xml, within, scopes),
        }
    }
}

/// A line with its words filled; `None` if one of them has no value.
fn filled(line: &str, scopes: &[&Value]) -> Option<String> {
    let mut is_known = true;
    let text = fill(line, |word| {
        let text = match find(word, scopes) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => {
                is_known = false;
                String::new()
            }
        };
        let is_prose = word.starts_with(|first: char| first.is_ascii_uppercase());
        let in_capitals = is_prose && find("in capitals", scopes) == Some(&Value::Bool(true));
        partial_escape(if in_capitals { text.to_uppercase() } else { text }).into_owned()
    });
    is_known.then(|| text + "\n")
}

/// An element that has a text only.
pub(super) fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>\n", partial_escape(text))
}

/// What a word stands for; a full stop leads into an object.
fn find<'a>(word: &str, scopes: &[&'a Value]) -> Option<&'a Value> {
    let mut keys = word.split('.');
    let first = keys.next()?;
    let value = scopes.iter().find_map(|scope| scope.get(first))?;
    keys.try_fold(value, |value, key| value.get(key))
}
