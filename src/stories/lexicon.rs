//! The words of `data/story_words.tsv`, and what makes a word of a text.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::table::table;
use crate::text;

type Lists = HashMap<&'static str, HashSet<&'static str>>;

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists::new();
    for [list, words] in table!("data/story_words.tsv").rows() {
        lists.entry(list).or_default().extend(words.split(' '));
    }
    lists
});

/// Whether a list has a word in lower case.
pub(super) fn lists(list: &str, word: &str) -> bool {
    let words = LISTS.get(list);
    debug_assert!(words.is_some(), "no list {list}");
    words.is_some_and(|words| words.contains(word))
}

/// The words of a text as written: letters, digits and apostrophes within.
pub(super) fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let trimmed = |bytes: std::ops::Range<usize>| text[bytes].trim_matches(['\'', '’']);
    text::runs(text, is_part).map(trimmed).filter(|word| !word.is_empty()).collect()
}

/// A word in lower case, its apostrophes straight.
pub(super) fn lower(word: &str) -> String {
    word.to_lowercase().replace('’', "'")
}

/// A word without `'s`.
pub(super) fn base(word: &str) -> &str {
    word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word)
}

/// Whether a word begins with a capital and is not in capitals.
pub(super) fn is_capital(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
}

/// Whether a word is a pronoun or a name of the calendar.
pub(super) fn is_no_name(word: &str) -> bool {
    ["third", "first", "own", "you", "they", "calendar"].iter().any(|list| lists(list, word))
}

/// Whether a word in lower case is a verb of the past.
pub(super) fn is_past(word: &str) -> bool {
    lists("past", word) || (word.ends_with("ed") && word.chars().count() > 4)
}

/// Whether a word in lower case negates.
pub(super) fn negates(word: &str) -> bool {
    lists("negations", word) || word.ends_with("n't")
}
