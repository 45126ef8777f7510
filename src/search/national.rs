//! Nationally known nonprofits and the states in which they are registered (`data/national_names.tsv`), to answer a question
//! about one whose state is not loaded.

use std::sync::LazyLock;

use crate::naming::normalise;
use crate::record::State;
use crate::table::table;
use crate::understand::says;

/// A nonprofit of `data/national_names.tsv`.
#[derive(Debug, PartialEq, Eq)]
pub struct NationalBody {
    pub name: &'static str,
    /// In normal form, the first name included.
    pub(super) names: Vec<String>,
    pub state: State,
}

static BODIES: LazyLock<Vec<NationalBody>> = LazyLock::new(|| {
    let body = |[name, others, state]: [&'static str; 3]| {
        let others = others.split('|').filter(|other| !other.is_empty()).map(str::to_owned);
        let names = others.chain([normalise(name)]).collect();
        Some(NationalBody { name, names, state: state.parse().ok()? })
    };
    table!("data/national_names.tsv").each(body).collect()
});

/// The nonprofit whose name is the longest in a text.
pub(super) fn named_in(text: &str) -> Option<&'static NationalBody> {
    let text = format!(" {} ", normalise(text));
    let is_named = |name: &&String| text.contains(&format!(" {name} "));
    let longest = |body: &NationalBody| {
        body.names.iter().filter(is_named).map(String::len).max().unwrap_or(0)
    };
    BODIES.iter().max_by_key(|body| longest(body)).filter(|body| longest(body) > 0)
}

/// The nonprofit that has exactly this name, an article before it aside.
pub(super) fn by_name(name: &str) -> Option<&'static NationalBody> {
    let name = normalise(name);
    let bare = name.split_once(' ').filter(|(word, _)| says(word, "leading article"));
    let is_it = |own: &String| *own == name || bare.is_some_and(|(_, bare)| own == bare);
    BODIES.iter().find(|body| body.names.iter().any(is_it))
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
            assert!(body.names.iter().all(|name| normalise(name) == *name), "{}", body.name);
        }
    }
}
