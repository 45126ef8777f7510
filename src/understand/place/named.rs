//! Places of words that are read as some, in the language of whoever says them, and what places are called.

use super::super::frame::NamedPlace;
use super::super::phrases;
use super::places_in;
use crate::naming::normalise;
use crate::reader::Language;

/// What places are called, in words.
pub fn named(places: &[NamedPlace]) -> String {
    let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
    names.join(" or ")
}

/// The letter that no state has: `la montaña` is not Montana.
const SPANISH_LETTER: char = 'ñ';

/// Places of words that are known to name some, as somebody who speaks a language means them.
pub fn places_named(words: &str, language: Language) -> Vec<NamedPlace> {
    let mut places = places_in(words);
    let has_letter = words.contains(SPANISH_LETTER);
    places.retain(|place| !(has_letter && place.is_state()));
    if language == Language::Spanish
        && let Some((article, bare)) = words.trim().split_once(' ')
        && phrases::has("before place", &normalise(article))
    {
        // `la montaña` is not in Los Angeles.
        let mut others = places_in(bare);
        others.retain(|place| !(has_letter && place.is_state()));
        if others.len() < places.len() {
            return others;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spanish_words_are_no_states_and_cities() {
        for (words, language, expected) in [
            ("la montaña", Language::Spanish, vec![]),
            ("montana", Language::Spanish, vec!["Montana"]),
            ("Las Piedras", Language::Spanish, vec!["Las Piedras, PR"]),
            ("Ponce", Language::Spanish, vec!["Ponce, PR"]),
            ("Montana", Language::English, vec!["Montana"]),
        ] {
            let places = places_named(words, language);
            let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
            assert_eq!(names, expected, "{words}");
        }
    }
}
