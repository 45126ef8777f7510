//! Writing out city names that the master file shortens.
//!
//! The Postal Service fits city names into thirteen characters (`CAMPBELLSVLLE`,
//! `WHT SPHR SPGS`), and filers shorten on their own (`FT COLLINS`, `SLC`). A filed name is
//! compared word by word with the cities of its ZIP code; only where it is one of them shortened is
//! it written out.

use super::zip_table;
use super::{abbreviation, key};
use crate::naming::display_place;
use crate::record::{State, Zip5};

/// Characters that the Postal Service shortens city names to (City State Product).
const SHORT_NAME_CHARACTERS: usize = 13;

/// Names that are short beyond recognition, with the state where they hold.
const NICKNAMES: [(&str, &str, &str); 9] = [
    ("kck", "KS", "Kansas City"),
    ("kcmo", "MO", "Kansas City"),
    ("nlr", "AR", "North Little Rock"),
    ("nlv", "NV", "North Las Vegas"),
    ("nyc", "NY", "New York"),
    ("okc", "OK", "Oklahoma City"),
    ("slc", "UT", "Salt Lake City"),
    ("t or c", "NM", "Truth or Consequences"),
    ("wvc", "UT", "West Valley City"),
];

/// The full name, in title case, of a city as the master file spells it: `N LITTLE ROCK` becomes
/// `North Little Rock`. A name that is not shortened keeps its letters, whatever the ZIP code's
/// primary city is; so do misspellings, and `St` for Saint.
pub fn full_city(filed: &str, zip: Option<Zip5>, state: Option<State>) -> String {
    // Inside a name it is the French `d'`, at its start a capital (`D'Hanis`).
    with_apostrophe(written_out(filed.trim(), zip, state)).replace(" D'", " d'")
}

/// The name with the apostrophe that the Postal Service writes as a blank: `O'Fallon`,
/// `Coeur d'Alene`.
fn with_apostrophe(name: String) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let lost = |position: usize| {
        matches!(words[position], "O" | "D")
            && words.get(position + 1).is_some_and(|next| next.len() > 1 && *next != "the")
    };
    if !(0..words.len()).any(lost) {
        return name;
    }
    let mut whole = String::with_capacity(name.len());
    for (position, word) in words.iter().enumerate() {
        if position > 0 {
            whole.push(if lost(position - 1) { '\'' } else { ' ' });
        }
        whole.push_str(word);
    }
    whole
}

fn written_out(filed: &str, zip: Option<Zip5>, state: Option<State>) -> String {
    let row = zip.and_then(zip_table::row);
    if let Some(row) = row
        && row.place.city.eq_ignore_ascii_case(filed)
    {
        return row.place.city.to_owned();
    }
    let small = filed.to_lowercase();
    let filed_words: Vec<&str> = small.split_whitespace().collect();
    // `Ft.` and `Ft` are one.
    let words: Vec<&str> = filed_words.iter().map(|word| word.trim_end_matches('.')).collect();
    let state = state.or_else(|| row.map(|row| row.place.state));
    if let Some(name) = nickname(&words, state) {
        return name.to_owned();
    }
    if let Some(row) = row {
        let bare = without_state(&words, state);
        if bare.len() < words.len() {
            let bare_name = bare.join(" ");
            let known = row.names().find(|name| name.eq_ignore_ascii_case(&bare_name));
            if let Some(name) = known {
                return name.to_owned();
            }
        }
        // The longest, for the table holds `Forest City Twp` beside `Forest City Township`.
        let written = row.names().filter_map(|name| write_out(&filed_words, name));
        if let Some(name) = written.max_by_key(String::len) {
            return with_common_words(&name, &name.to_lowercase().split(' ').collect::<Vec<_>>());
        }
        // An accepted name in full is a place of its own.
        let same = row.names().find(|name| name.eq_ignore_ascii_case(filed));
        if let Some(name) = same
            && key::city_key(name) == small
        {
            return name.to_owned();
        }
        // `COEUR DALENE` is `Coeur D Alene`, which has its apostrophe back after this.
        let is_it = |name: &&str| lost_one(name) && key::city_key(name) == key::city_key(filed);
        if let Some(name) = row.names().find(is_it) {
            return name.to_owned();
        }
    }
    with_common_words(filed, &words)
}

/// Whether a name has a letter that stood before an apostrophe.
fn lost_one(name: &str) -> bool {
    name.contains(" D ") || name.contains(" O ") || name.starts_with("O ") || name.starts_with("D ")
}

pub(super) fn nickname(words: &[&str], state: Option<State>) -> Option<&'static str> {
    if words.len() != 1 && words.len() != 3 {
        return None;
    }
    let state = state?.code();
    let of_state = |entry: &&(&str, &str, &str)| entry.1 == state;
    let mut known = NICKNAMES.iter().filter(of_state);
    known.find(|entry| entry.0.split(' ').eq(words.iter().copied())).map(|entry| entry.2)
}

/// The words without the state's code that some rows end with (`WASHINGTON DC`).
fn without_state<'a>(words: &'a [&'a str], state: Option<State>) -> &'a [&'a str] {
    match (words, state) {
        ([rest @ .., last], Some(state))
            if !rest.is_empty() && last.eq_ignore_ascii_case(state.code()) =>
        {
            rest
        }
        _ => words,
    }
}

/// `name` as the filed words shorten it; `None` when they do not.
pub(super) fn write_out(words: &[&str], name: &str) -> Option<String> {
    let full: Vec<&str> = name.split(' ').collect();
    if full.len() != words.len() {
        return None;
    }
    let squeezed =
        name.len() > SHORT_NAME_CHARACTERS && words.join(" ").len() <= SHORT_NAME_CHARACTERS;
    let mut written = String::with_capacity(name.len());
    let mut shortened = false;
    for (position, (&word, &whole)) in words.iter().zip(&full).enumerate() {
        let small = whole.to_lowercase();
        let plain = word.trim_end_matches('.');
        let saint = matches!((plain, small.as_str()), ("st", "saint") | ("ste", "sainte"));
        if position > 0 {
            written.push(' ');
        }
        if plain == small {
            written.push_str(whole);
        } else if saint
            || abbreviation::is_short_for(plain, &small)
            || (squeezed
                && is_squeezed(plain, &small)
                && (words.len() > 1 || has_all_consonants(plain, &small)))
        {
            shortened = true;
            written.push_str(whole);
        } else {
            return None;
        }
    }
    shortened.then_some(written)
}

/// Whether letters were left out of a word, but not its first.
fn is_squeezed(word: &str, full: &str) -> bool {
    if word.len() >= full.len() || word.as_bytes().first() != full.as_bytes().first() {
        return false;
    }
    let mut letters = full.chars();
    word.chars().all(|letter| letters.any(|other| other == letter))
}

/// Whether a word has all consonants of another; without that, a name of one word is rather
/// misspelt than shortened (`CAMPBELSVILLE`).
fn has_all_consonants(word: &str, full: &str) -> bool {
    let consonants = |text: &str| text.replace(['a', 'e', 'i', 'o', 'u', 'y'], "");
    consonants(word) == consonants(full)
}

/// The filed name with the words that are short for one thing only written out.
fn with_common_words(filed: &str, words: &[&str]) -> String {
    let short = |position: usize| {
        let letters = words[0].len() == 1 && words.get(1).is_some_and(|word| word.len() == 1);
        if letters && position == 0 {
            return None;
        }
        abbreviation::written_out(words[position], position, words.len())
    };
    let mac = |position: usize| position > 0 && words[position - 1] == "mc";
    if !(0..words.len()).any(|position| short(position).is_some() || mac(position)) {
        return display_place(filed);
    }
    let mut whole = String::with_capacity(filed.len() + 8);
    for (position, word) in words.iter().enumerate() {
        if position > 0 && !mac(position) {
            whole.push(' ');
        }
        whole.push_str(&short(position).unwrap_or(word).to_uppercase());
    }
    display_place(&whole)
}
