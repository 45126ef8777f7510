//! Lists of phrases and their meanings (`data/phrases.tsv`), in normal form.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::table::table;

/// A list.
#[derive(Debug, Default)]
struct List {
    all: Vec<&'static str>,
    set: HashSet<&'static str>,
    meanings: Vec<(&'static str, Vec<&'static str>)>,
}

static LISTS: LazyLock<HashMap<&'static str, List>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, List> = HashMap::new();
    for [name, meaning, phrases] in table!("data/phrases.tsv").rows() {
        let phrases: Vec<&str> = phrases.split('|').collect();
        let list = lists.entry(name).or_default();
        list.all.extend(&phrases);
        list.set.extend(&phrases);
        list.meanings.push((meaning, phrases));
    }
    lists
});

fn list(name: &str) -> &'static List {
    LISTS.get(name).expect("the table has every list that is asked for")
}

/// The phrases of a list.
pub(super) fn of(name: &str) -> impl Iterator<Item = &'static str> + Clone {
    list(name).all.iter().copied()
}

/// Whether a list has a phrase.
pub(super) fn has(name: &str, phrase: &str) -> bool {
    list(name).set.contains(phrase)
}

/// The first meaning of a phrase in a list.
pub(super) fn meaning(name: &str, phrase: &str) -> Option<&'static str> {
    let mut meanings = list(name).meanings.iter();
    meanings.find(|(_, phrases)| phrases.contains(&phrase)).map(|(meaning, _)| *meaning)
}

/// The meanings of a list, with their phrases.
pub(super) fn meanings(
    name: &str,
) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str> + Clone)> {
    list(name).meanings.iter().map(|(meaning, phrases)| (*meaning, phrases.iter().copied()))
}

/// Whether a word stands for any nonprofit, which is searched for anyway.
pub fn is_generic(form: &str) -> bool {
    has("any nonprofit", form)
}

/// Whether a word is meaningless at the edge of the remaining words.
pub(super) fn is_edge(form: &str) -> bool {
    has("edge", form)
}

/// Whether a word only introduces a query.
pub(super) fn is_lead(form: &str) -> bool {
    has("lead", form)
}

/// Whether a word is counted by numbers, which then are no money.
pub(super) fn is_counted(form: &str) -> bool {
    has("counted", form)
}

/// Whether a word adds nothing to what is looked for.
pub(super) fn is_common(form: &str) -> bool {
    is_lead(form) || is_edge(form) || is_generic(form)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_written_as_queries_are_compared() {
        assert!(LISTS.len() > 30);
        for (name, list) in LISTS.iter() {
            for phrase in &list.all {
                let signs = |c: char| !c.is_alphanumeric() && c != ' ';
                let form = crate::naming::normalise(phrase);
                assert!(form == *phrase || phrase.contains(signs), "{name}: {phrase}");
                assert!(!phrase.is_empty() && !phrase.contains("  "), "{name}: {phrase}");
            }
        }
    }
}
