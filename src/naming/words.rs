//! Words whose capitals do not follow from their letters (`data/proper_words.txt`, `data/acronyms.txt`).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::record::named;
use crate::table::table;

named! {
    /// A list of words in capitals; `data/proper_words.txt` says what each is.
    List {
        Abbreviation = "abbreviation",
        Acronym = "acronym",
        Acrostic = "acrostic",
        AfterAids = "after aids",
        AfterStorm = "after storm",
        AfterUs = "after us",
        Article = "article",
        BeforeAids = "before aids",
        BeforeUs = "before us",
        Body = "body",
        Coda = "coda",
        Code = "code",
        Ending = "ending",
        First = "first",
        GivenName = "given name",
        Greek = "greek",
        Holder = "holder",
        Institution = "institution",
        Last = "last",
        Lead = "lead",
        Lettered = "lettered",
        Onset = "onset",
        Ordinary = "ordinary",
        Pair = "pair",
        Particle = "particle",
        PlaceCapital = "place capital",
        PlaceSmall = "place small",
        Possessor = "possessor",
        Region = "region",
        RoadState = "road state",
        Small = "small",
        SmallAtEnd = "small at end",
        Starter = "starter",
        State = "state",
        StateAnywhere = "state anywhere",
        StateAtEnd = "state at end",
        Storm = "storm",
        Trustee = "trustee",
        Unended = "unended",
        Unnamed = "unnamed",
    }
}

/// Longest of the small words, particles and articles, so that longer words are not looked up.
pub(super) const SMALL_LENGTH_MAX: usize = 4;

/// The table, read once.
struct Words {
    /// The lists that have a word: a bit for each [`List`].
    lists: HashMap<&'static str, u64>,
    /// How words are written that have capitals inside them or an unusual mixture.
    mixed: HashMap<String, &'static str>,
    /// Names of several words, or of one, as they are written in prose.
    names: Vec<&'static str>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let (lists, mixed, names) = (HashMap::new(), HashMap::new(), Vec::new());
    let mut words = Words { lists, mixed, names };
    let mut add = |list: List, word| *words.lists.entry(word).or_insert(0) |= 1 << list as u64;
    let acronyms = table!("data/acronyms.txt").lines().flat_map(str::split_whitespace);
    acronyms.for_each(|word| add(List::Acronym, word));
    let rows = table!("data/proper_words.txt").each(|[list, entries]| {
        let entries = entries.split(", ");
        match list {
            "name" => words.names.extend(entries),
            "mixed" => words.mixed.extend(entries.map(|word| (word.to_ascii_uppercase(), word))),
            _ => {
                let list = List::named(list)?;
                entries.for_each(|word| add(list, word));
            }
        }
        Some(())
    });
    rows.for_each(drop);
    words
});

impl List {
    /// Whether it has a word, in capitals.
    pub(super) fn has(self, word: &str) -> bool {
        WORDS.lists.get(word).is_some_and(|lists| lists & 1 << self as u64 != 0)
    }
}

/// How a word in capitals is written that has capitals inside it or an unusual mixture.
pub(super) fn mixed(word: &str) -> Option<&'static str> {
    WORDS.mixed.get(word).copied()
}

/// Names that prose writes so wherever they stand.
pub(super) fn names() -> &'static [&'static str] {
    &WORDS.names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_capitals_and_lengths_shut_nothing_out() {
        for (word, lists) in &WORDS.lists {
            assert!(word.bytes().all(|byte| byte.is_ascii_uppercase()), "{word}");
            let has = |list: List| lists & 1 << list as u64 != 0;
            let is_small = [List::Small, List::Particle, List::Article].into_iter().any(has);
            assert!(!is_small || word.len() <= SMALL_LENGTH_MAX, "{word}");
            assert!(!has(List::StateAtEnd) || word.len() == 2, "{word}");
            assert!(!has(List::Acronym) || word.len() >= 2, "{word}");
        }
    }

    #[test]
    fn every_list_has_words() {
        for list in List::ALL {
            assert!(WORDS.lists.values().any(|lists| lists & 1 << list as u64 != 0), "{list:?}");
        }
    }
}
