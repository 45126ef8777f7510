//! Whether a row bears a name that was asked for. Who was meant, and how surely, is for `index::names` to say.

use crate::naming::{initials_of, normalise};
use crate::record::Organization;
use crate::understand::tells;

/// Letters that an acronym, or a word that a name writes apart, has at least.
const ACRONYM_LETTERS_MIN: usize = 3;
pub(in crate::search) const JOINED_LETTERS_MIN: usize = 6;
/// Letters at the end of a word that may be its ending.
const ENDING_LETTERS: usize = 2;
/// Letters at the beginning of a word that are never its ending.
const STEM_LETTERS_MIN: usize = 5;

/// Whether the names and the place of a row have every telling word of a name that was asked for. An acronym stands for
/// the words that it begins: `aclu of nevada`.
pub(super) fn is_called(row: &Organization, asked: &str) -> bool {
    let names = [&row.name].into_iter().chain(&row.alt_name).chain(&row.other_names);
    let names: Vec<String> = names.map(|name| normalise(name)).collect();
    let address = &row.address;
    let state = address.state.map(|state| format!("{} {state}", state.name()));
    let place = [address.city.clone(), address.county.clone(), state].into_iter().flatten();
    let place = normalise(&place.collect::<Vec<_>>().join(" "));
    let text = format!("{} {place}", names.join(" "));
    let is_acronym = |word: &str| names.iter().any(|name| is_acronym_of(word, name));
    let is_joined = |word: &str| {
        let has = |name: &String| name.replace(' ', "").contains(word);
        word.len() >= JOINED_LETTERS_MIN && names.iter().any(has)
    };
    let is_met = |word: &str| {
        let one = word.strip_suffix('s').unwrap_or(word);
        text.split(' ').any(|own| begins_as(own, one)) || is_acronym(word) || is_joined(word)
    };
    let asked = normalise(asked);
    // `white fish theatre` is Whitefish Theatre.
    let joined = asked.replace(' ', "");
    let begins_joined = |name: &String| {
        let words: Vec<&str> = name.split(' ').collect();
        (0..words.len()).any(|at| words[at..].concat().starts_with(&joined))
    };
    let is_whole = joined.len() >= JOINED_LETTERS_MIN && names.iter().any(begins_joined);
    is_whole || asked.split(' ').filter(|word| tells(word)).all(is_met)
}

/// Whether a name of a row has every telling word of a name that was asked for just so, an `s` at its end aside, or the first
/// letters of an acronym.
pub(super) fn has_all_words(row: &Organization, asked: &str) -> bool {
    let names = [&row.name].into_iter().chain(&row.alt_name).chain(&row.other_names);
    let bare = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    let asked = normalise(asked);
    let asked: Vec<String> = asked.split(' ').filter(|word| tells(word)).map(bare).collect();
    names.map(|name| normalise(name)).any(|name| {
        let own: Vec<String> = name.split(' ').map(bare).collect();
        asked.iter().all(|word| own.contains(word) || is_acronym_of(word, &name))
    })
}

/// Whether a word of a name begins as one that was asked for does, its ending aside: `ministries` as `ministry`, but
/// `champions` not as `champlin`.
fn begins_as(own: &str, asked: &str) -> bool {
    let kept = asked.len().saturating_sub(ENDING_LETTERS).max(STEM_LETTERS_MIN).min(asked.len());
    own.starts_with(&asked[..asked.floor_char_boundary(kept)])
}

/// Whether a word is the first letters of neighbouring telling words of a name, or of all but small words: `CDC` of Thunder
/// Valley Community Development Corporation.
fn is_acronym_of(word: &str, name: &str) -> bool {
    let all = initials_of(name);
    word.len() >= ACRONYM_LETTERS_MIN
        && (initials(name).contains(word) || all.is_some_and(|all| all.eq_ignore_ascii_case(word)))
}

/// The first letters of the telling words of a name in normal form.
fn initials(name: &str) -> String {
    name.split(' ').filter(|word| tells(word)).filter_map(|word| word.chars().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_name_are_alike_but_for_their_ending() {
        for (own, asked, expected) in [
            ("ministries", "ministry", true),
            ("veterans", "veteran", true),
            ("champions", "champlin", false),
            ("housing", "house", false),
        ] {
            assert_eq!(begins_as(own, asked), expected, "{own}, {asked}");
        }
    }

    #[test]
    fn a_name_has_all_words_of_another_just_so() {
        let row = |name: &str| Organization::named("170000001".parse().unwrap(), name);
        for (name, asked, expected) in [
            ("Northeast Organic Farming Association of Vermont", "NOFA", true),
            ("The Greater New Orleans Foundation", "GNOF", true),
            ("Thunder Valley Community Development Corporation", "Thunder Valley CDC", true),
            ("Hopewell Missionary Baptist Church Inc", "New Hope Baptist Church", false),
            ("Habitat for Humanity International", "habitat for humanity", true),
        ] {
            assert_eq!(has_all_words(&row(name), asked), expected, "{name}, {asked}");
        }
    }

    #[test]
    fn a_name_may_be_written_apart() {
        let row = Organization::named("170000001".parse().unwrap(), "Whitefish Theatre Co");
        assert!(is_called(&row, "white fish theatre") && !is_called(&row, "white water theatre"));
        let row = Organization::named("170000001".parse().unwrap(), "Heart Center");
        assert!(!is_called(&row, "art center"));
    }

    #[test]
    fn a_name_covers_what_was_asked_for_with_its_place() {
        let mut row = Organization::named(
            "170000001".parse().unwrap(),
            "American Civil Liberties Union of Nevada Foundation Inc",
        );
        row.address.city = Some("Reno".to_owned());
        row.address.state = Some("NV".parse().unwrap());
        row.alt_name = Some("Liberty House".to_owned());
        for (asked, expected) in [
            ("ACLU of Nevada", true),
            ("Civil Liberties Unions, Reno NV", true),
            ("liberty house", true),
            ("Nevada Civil Rights Union", false),
            ("ACLU of Idaho", false),
        ] {
            assert_eq!(is_called(&row, asked), expected, "{asked}");
        }
    }
}
