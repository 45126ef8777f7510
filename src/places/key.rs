//! The forms in which city and county names are compared.

use super::abbreviation;
use crate::naming::normalise;

/// What may follow a county's name, longest first where one ends another.
const COUNTY_KINDS: [&str; 9] = [
    " city and borough",
    " census area",
    " municipality",
    " municipio",
    " borough",
    " county",
    " parish",
    " cnty",
    " co",
];

/// What may precede it.
const COUNTY_KINDS_OF: [&str; 4] =
    ["municipality of ", "city and borough of ", "county of ", "parish of "];

/// The form in which city names are compared: normalised, abbreviations such as St and Ft spelled
/// out. It is its own key.
pub fn city_key(name: &str) -> String {
    let form = normalise(name);
    let words: Vec<&str> = form.split(' ').collect();
    let mut key = String::with_capacity(form.len() + 8);
    for (position, word) in words.iter().enumerate() {
        // `Mc Alester` and `McAlester` are one, `O Fallon` and `O'Fallon` too.
        if position > 0 && words[position - 1] != "mc" && !lost_apostrophe(&words, position - 1) {
            key.push(' ');
        }
        let full = match *word {
            "st" if position + 1 < words.len() => "saint",
            "ste" if position + 1 < words.len() => "sainte",
            _ => direction(&words, position)
                .or_else(|| abbreviation::written_out(word, position, words.len()))
                .unwrap_or(word),
        };
        key.push_str(full);
    }
    key
}

/// The form in which county names are compared: as [`city_key`], without a trailing “County”,
/// “Parish”, “Borough” and the like. It is its own key.
pub fn county_key(name: &str) -> String {
    let key = city_key(name);
    let name = COUNTY_KINDS_OF.iter().find_map(|kind| key.strip_prefix(kind)).unwrap_or(&key);
    COUNTY_KINDS.iter().find_map(|kind| name.strip_suffix(kind)).unwrap_or(name).to_owned()
}

/// Whether a word is the `O` or `D` that an apostrophe joined to the next (`Coeur D Alene`).
fn lost_apostrophe(words: &[&str], position: usize) -> bool {
    matches!(words[position], "o" | "d")
        && words.get(position + 1).is_some_and(|next| next.len() > 1)
}

/// A letter at the start is a direction before a word, but not before another letter (`E T City`).
fn direction<'a>(words: &[&'a str], position: usize) -> Option<&'a str> {
    let lone = position == 0 && words[0].len() == 1 && words.len() > 1;
    (lone && words[1].len() == 1).then_some(words[0])
}
