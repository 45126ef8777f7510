//! The words of names: which identify a nonprofit, and whether a word that is typed is one of them.

use crate::naming::{edits, normalise};
use crate::places;
use crate::record::Organization;
use crate::understand::{self, says, tells};

/// Characters from which on a word of a name may be misspelt by one.
const MISSPELT_CHARACTERS_MIN: usize = 6;
/// Characters from which on a word of a name alone can identify a nonprofit.
const NAME_CHARACTERS_MIN: usize = 3;

/// The identifying words of all names of an organization, and its initials.
pub(super) fn words_of_names(organization: &Organization) -> Vec<String> {
    let name = normalise(&organization.name);
    let initials: String = name.split(' ').filter_map(|word| word.chars().next()).collect();
    let others = organization.alt_name.iter().chain(&organization.other_names);
    let forms: Vec<String> = others.map(|other| normalise(other)).chain([name]).collect();
    let words = forms.iter().flat_map(|form| form.split(' ')).filter(|word| is_of_name(word));
    let mut words: Vec<String> = words.map(str::to_owned).chain([initials]).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// A name in normal form without the legal form at its end: `preble street` of `preble street inc`.
pub(super) fn without_legal_form(name: &str) -> &str {
    let bare = name.rsplit_once(' ').filter(|(_, last)| says(last, "legal form"));
    bare.map_or(name, |(bare, _)| bare)
}

/// Whether a word of a name is distinctive enough to identify an organization.
pub(super) fn is_of_name(word: &str) -> bool {
    word.chars().count() >= NAME_CHARACTERS_MIN
        && tells(word)
        && !understand::is_generic(word)
        && !says(word, "word of many names")
        && places::state_named(word).is_none()
}

/// Whether a word is one of a name, perhaps misspelt or in the plural.
pub(super) fn is_spelled_as(said: &str, own: &str) -> bool {
    said == own
        || said.strip_suffix('s') == Some(own)
        || own.strip_suffix('s') == Some(said)
        || (said.chars().next() == own.chars().next()
            && said.chars().count().min(own.chars().count()) >= MISSPELT_CHARACTERS_MIN
            && edits(said, own, 1).is_some())
}

/// Whether a name has a word that tells something between the words asked for: `Disabled American Veterans National Service
/// Foundation` between those of `Disabled Veterans National Foundation`.
pub(super) fn has_word_within(name: &str, asked: &str) -> bool {
    let (name, asked) = (normalise(name), normalise(asked));
    let is_asked = |word: &str| asked.split(' ').any(|own| is_spelled_as(own, word));
    let words: Vec<&str> = name.split(' ').collect();
    let first = words.iter().position(|word| is_asked(word));
    let last = words.iter().rposition(|word| is_asked(word));
    let Some((first, last)) = first.zip(last) else { return false };
    words[first..=last].iter().any(|word| tells(word) && !is_asked(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_words_between_is_another() {
        for (name, asked, expected) in [
            ("Disabled American Veterans Foundation", "Disabled Veterans Foundation", true),
            ("Preble Street", "Preble Street", false),
            ("Idaho Foodbank Warehouse Inc", "Idaho Foodbank", false),
            ("Friends of the Library", "Friends Library", false),
        ] {
            assert_eq!(has_word_within(name, asked), expected, "{asked}");
        }
    }
}
