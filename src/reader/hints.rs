//! Features of the words of a message besides the words themselves: how they are written, and which
//! of them the gazetteer has. They are hints to the model, which decides.

use std::ops::Range;

use crate::naming::normalise;
use crate::places;
use crate::record::State;
use crate::text::runs;

/// Words of the longest name that is looked up.
const WORDS_MAX: usize = 4;
/// ZIP codes from which on a city is large.
const LARGE_ZIPS: usize = 4;

/// What may hold of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
enum Hint {
    /// It begins with a capital, in a text that has small letters too.
    Titled,
    /// It is of capitals alone, in such a text.
    Upper,
    /// It is part of the name of a city.
    City,
    /// Of a large one.
    LargeCity,
    /// Of the name of a state.
    StateName,
    /// It is the code of a state.
    StateCode,
}

/// How many hints there are.
pub const HINTS: usize = Hint::StateCode as usize + 1;

/// A word: its bytes, and which hints hold, as 0 or 1.
pub type Hinted = (Range<usize>, [f32; HINTS]);

/// The words of a text, in its order, with what is known of them.
pub fn hints(text: &str) -> Vec<Hinted> {
    let is_cased = text.chars().any(char::is_lowercase);
    let words = runs(text, |c| c.is_alphanumeric() || matches!(c, '\'' | '’'));
    let mut words: Vec<Hinted> =
        words.map(|bytes| (bytes.clone(), case_of(&text[bytes], is_cased))).collect();
    let mut at = 0;
    while at < words.len() {
        let longest = (1..=WORDS_MAX.min(words.len() - at)).rev().find_map(|count| {
            let name = &text[words[at].0.start..words[at + count - 1].0.end];
            // What punctuation parts is no one name.
            let is_one = name.chars().all(|c| c.is_alphanumeric() || " .'’-".contains(c));
            is_one.then(|| (count, place_hints(name))).filter(|(_, found)| !found.is_empty())
        });
        let (count, found) = longest.unwrap_or((1, Vec::new()));
        for (_, held) in &mut words[at..at + count] {
            found.iter().for_each(|hint| held[*hint as usize] = 1.0);
        }
        at += count;
    }
    words
}

fn case_of(word: &str, is_cased: bool) -> [f32; HINTS] {
    let mut held = [0.0; HINTS];
    let starts_upper = word.chars().next().is_some_and(char::is_uppercase);
    let is_upper = word.chars().count() > 1 && !word.chars().any(char::is_lowercase);
    if is_cased && starts_upper {
        held[Hint::Titled as usize] = 1.0;
        held[Hint::Upper as usize] = f32::from(is_upper);
    }
    held
}

fn place_hints(name: &str) -> Vec<Hint> {
    let mut found = Vec::new();
    let key = places::city_key(name);
    let cities = places::find_cities(&key);
    if !cities.is_empty() {
        found.push(Hint::City);
        if cities.iter().any(|city| city.zips.len() >= LARGE_ZIPS) {
            found.push(Hint::LargeCity);
        }
    }
    if places::state_named(&normalise(name)).is_some() {
        found.push(Hint::StateName);
    }
    if name.len() == 2 && name.to_ascii_uppercase().parse::<State>().is_ok() {
        found.push(Hint::StateCode);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_case_and_the_gazetteer() {
        let held = |text: &str| -> Vec<(String, Vec<usize>)> {
            hints(text)
                .into_iter()
                .map(|(bytes, held)| {
                    let set = (0..HINTS).filter(|at| held[*at] > 0.0).collect();
                    (text[bytes].to_owned(), set)
                })
                .collect()
        };
        let (titled, upper) = (Hint::Titled as usize, Hint::Upper as usize);
        let (city, large) = (Hint::City as usize, Hint::LargeCity as usize);
        let (state, code) = (Hint::StateName as usize, Hint::StateCode as usize);
        assert_eq!(
            held("Salt Lake City, UT"),
            [
                ("Salt".to_owned(), vec![titled, city, large]),
                ("Lake".to_owned(), vec![titled, city, large]),
                ("City".to_owned(), vec![titled, city, large]),
                ("UT".to_owned(), vec![titled, upper, code]),
            ]
        );
        assert_eq!(held("arts in ohio")[2].1, [city, state]);
        assert!(hints("").is_empty());
    }
}
