//! Nonprofits that people everywhere know by name, and where they are registered (`data/national_names.tsv`): what is said of
//! one whose state is not loaded.

use std::sync::LazyLock;

use crate::naming::normalise;
use crate::record::State;
use crate::table::table;

/// A nonprofit of `data/national_names.tsv`.
#[derive(Debug, PartialEq, Eq)]
pub struct NationalBody {
    pub name: &'static str,
    /// In normal form, the name among them.
    pub(super) called: Vec<String>,
    pub state: State,
}

static BODIES: LazyLock<Vec<NationalBody>> = LazyLock::new(|| {
    let body = |[name, others, _, state]: [&'static str; 4]| {
        let others = others.split('|').filter(|other| !other.is_empty()).map(str::to_owned);
        let called = others.chain([normalise(name)]).collect();
        Some(NationalBody { name, called, state: state.parse().ok()? })
    };
    table!("data/national_names.tsv").each(body).collect()
});

/// The one that a text names, by the longest of its names.
pub(super) fn named_in(text: &str) -> Option<&'static NationalBody> {
    let text = format!(" {} ", normalise(text));
    let is_named = |called: &&String| text.contains(&format!(" {called} "));
    let longest = |body: &NationalBody| {
        body.called.iter().filter(is_named).map(String::len).max().unwrap_or(0)
    };
    BODIES.iter().max_by_key(|body| longest(body)).filter(|body| longest(body) > 0)
}

/// The one that has a name, and no other words.
pub(super) fn called(name: &str) -> Option<&'static NationalBody> {
    let name = normalise(name);
    BODIES.iter().find(|body| body.called.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_one_by_its_longest_name() {
        for (text, expected) in [
            ("how about kars for kids", Some("Kars4Kids")),
            ("is St. Jude's hospital deductible?", Some("St. Jude Children's Research Hospital")),
            ("the Wounded Warrior Project, is it legit", Some("Wounded Warrior Project")),
            ("food banks in Reno", None),
        ] {
            assert_eq!(named_in(text).map(|body| body.name), expected, "{text}");
        }
    }

    #[test]
    fn names_are_in_normal_form() {
        for body in BODIES.iter() {
            assert!(body.called.iter().all(|name| normalise(name) == *name), "{}", body.name);
        }
    }
}
