//! States as people write them: names, and codes where a code is meant and no word.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::token::{Case, Tokens};
use crate::naming::normalise;
use crate::places;
use crate::record::State;

/// Words of the longest name (Federated States of Micronesia).
const WORDS_MAX: usize = 4;
/// Letters that a misspelt name must have: shorter ones are too near to other words.
const TYPO_LETTERS_MIN: usize = 6;

/// Codes that are also words or stand for something else (a doctor, a disease, the Department of
/// Veterans Affairs): a code only next to a place or a preposition.
const WORDY: [&str; 24] = [
    "in", "me", "or", "hi", "ok", "as", "id", "ms", "al", "la", "de", "ma", "pa", "oh", "co", "mi",
    "mo", "md", "pr", "va", "vi", "fm", "mp", "pw",
];

/// Wordy codes that a preposition makes a code even in small letters (`in pa`).
const AFTER_PREPOSITION: [&str; 13] =
    ["ma", "pa", "oh", "co", "mi", "mo", "md", "va", "al", "ms", "ok", "id", "hi"];

/// Wordy codes that are a code in capitals at the start of a query.
const AT_START: [&str; 7] = ["oh", "pa", "ma", "mo", "mi", "md", "pr"];

static NAMES: LazyLock<HashMap<String, State>> = LazyLock::new(|| {
    let mut names: HashMap<String, State> =
        State::all().map(|state| (normalise(state.name()), state)).collect();
    for (name, code) in [
        ("virgin islands", "VI"),
        ("micronesia", "FM"),
        ("washington state", "WA"),
        ("new york state", "NY"),
        ("state of washington", "WA"),
        ("commonwealth of virginia", "VA"),
        ("w va", "WV"),
        ("n dak", "ND"),
        ("s dak", "SD"),
        ("n mex", "NM"),
        ("n car", "NC"),
        ("s car", "SC"),
        ("ala", "AL"),
        ("ark", "AR"),
        ("colo", "CO"),
        ("del", "DE"),
        ("ida", "ID"),
        ("ill", "IL"),
        ("ind", "IN"),
        ("kans", "KS"),
        ("mich", "MI"),
        ("miss", "MS"),
        ("mont", "MT"),
        ("neb", "NE"),
        ("nebr", "NE"),
        ("nev", "NV"),
        ("ore", "OR"),
        ("oreg", "OR"),
        ("tex", "TX"),
        ("wash", "WA"),
        ("wis", "WI"),
        ("wyo", "WY"),
        ("n carolina", "NC"),
        ("s carolina", "SC"),
        ("n dakota", "ND"),
        ("s dakota", "SD"),
        ("w virginia", "WV"),
        ("penn", "PA"),
        ("penna", "PA"),
        ("calif", "CA"),
        ("cali", "CA"),
        ("mass", "MA"),
        ("tenn", "TN"),
        ("minn", "MN"),
        ("wisc", "WI"),
        ("okla", "OK"),
        ("fla", "FL"),
        ("ariz", "AZ"),
        ("conn", "CT"),
        ("nuevo mexico", "NM"),
        ("nueva york", "NY"),
        ("nueva jersey", "NJ"),
        ("carolina del norte", "NC"),
        ("carolina del sur", "SC"),
        ("dakota del norte", "ND"),
        ("dakota del sur", "SD"),
        ("virginia occidental", "WV"),
        ("pensilvania", "PA"),
        ("luisiana", "LA"),
        ("misisipi", "MS"),
        ("misuri", "MO"),
        ("tejas", "TX"),
        ("hawai", "HI"),
        ("oregon state", "OR"),
    ] {
        if let Ok(state) = code.parse() {
            names.insert(name.to_owned(), state);
        }
    }
    names
});

/// Names that mean a state only where a place is expected.
const SHORT: [&str; 22] = [
    "mass",
    "penn",
    "conn",
    "cali",
    "minn",
    "oregon state",
    "ala",
    "ark",
    "colo",
    "del",
    "ida",
    "ill",
    "ind",
    "kans",
    "mich",
    "miss",
    "mont",
    "neb",
    "nev",
    "ore",
    "tex",
    "wash",
];

/// The longest name of a state at a position, and where it ends.
pub(super) fn name_at(tokens: &Tokens, at: usize, expected: bool) -> Option<(State, usize)> {
    (1..=WORDS_MAX).rev().find_map(|count| {
        let end = at + count;
        let name = tokens.free_words(at..end)?;
        if !expected && SHORT.contains(&&*name) {
            return None;
        }
        let state = *NAMES.get(&name)?;
        // `Ohio River`, `Virginia Woolf`.
        let river = ["river", "rivers", "woolf"].contains(&tokens.form(end));
        let street =
            ["avenue", "ave", "street", "st", "blvd", "boulevard", "road", "rd", "turnpike"];
        let street = street.contains(&tokens.form(end));
        (!street && (expected || !river)).then_some((state, end))
    })
}

/// The state that one edit of a word makes, where a place is expected or the word is long.
pub(super) fn misspelt_at(tokens: &Tokens, at: usize) -> Option<(State, usize)> {
    for count in [2, 1] {
        let end = at + count;
        let Some(written) = tokens.free_words(at..end) else { continue };
        if written.len() < TYPO_LETTERS_MIN {
            continue;
        }
        let fits = |(name, _): &(&String, &State)| {
            name.len() >= TYPO_LETTERS_MIN - 1
                && name.split(' ').count() == count
                && super::typo::is_one_edit(&written, name)
        };
        let mut found: Vec<State> = NAMES.iter().filter(fits).map(|(_, state)| *state).collect();
        found.sort_unstable();
        found.dedup();
        if let [state] = found[..] {
            return Some((state, end));
        }
    }
    None
}

/// What stands before a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before<'a> {
    /// A city of this key, with or without a comma.
    City(&'a str),
    /// A preposition of place, or another place of a list.
    Place,
    /// The text is known to name places.
    Surely,
    Other,
}

/// The state whose code stands at a position, if a code is meant.
pub(super) fn code_at(tokens: &Tokens, at: usize, before: Before<'_>) -> Option<(State, usize)> {
    let token = tokens.free_at(at).filter(|token| token.is_word() && token.form.len() == 2)?;
    let state: State = token.form.parse().ok()?;
    let code = &*token.form;
    let is_upper = tokens.is_cased && token.case == Case::Upper;
    let next_is_place = name_at(tokens, at + 1, true).is_some()
        || super::region::find(tokens.form(at + 1)).is_some();
    let is_last = tokens.list.get(at + 1).is_none_or(super::token::Token::is_boundary);
    let good = match before {
        // `portland or`, but not `portland or salem`; `boise id`.
        Before::City(key) => {
            let exists = places::has_city(key, state);
            let may_join = matches!(code, "in" | "or" | "as") && !is_upper;
            exists && (!may_join || (is_last && !next_is_place))
        }
        // `cerca de El Paso`: a code that is also a word is one in capitals, or at the end.
        Before::Surely => is_upper || is_last || !WORDY.contains(&code),
        Before::Place if is_upper => !next_is_place || code != "in",
        Before::Place => {
            !WORDY.contains(&code) || (AFTER_PREPOSITION.contains(&code) && !next_is_place)
        }
        Before::Other if WORDY.contains(&code) => {
            is_upper
                && ((at > 0 && tokens.list[at - 1].is_sign(','))
                    || (at == 0 && AT_START.contains(&code)))
        }
        Before::Other => true,
    };
    good.then_some((state, at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(query: &str, at: usize, before: Before<'_>) -> Option<&'static str> {
        code_at(&Tokens::of(query), at, before).map(|found| found.0.code())
    }

    #[test]
    fn codes_and_words() {
        assert_eq!(code("theater boise id", 2, Before::City("boise")), Some("ID"));
        assert_eq!(code("portland or", 1, Before::City("portland")), Some("OR"));
        assert_eq!(code("portland or salem", 1, Before::City("portland")), None);
        assert_eq!(code("hi can you help", 0, Before::Other), None);
        assert_eq!(code("Help ME find", 1, Before::Other), None);
        assert_eq!(code("groups in NH", 2, Before::Place), Some("NH"));
        assert_eq!(code("groups in pa", 2, Before::Place), Some("PA"));
        assert_eq!(code("nj food banks", 0, Before::Other), Some("NJ"));
        assert_eq!(code("VA hospitals", 0, Before::Other), None);
        assert_eq!(code("MS research", 0, Before::Other), None);
        assert_eq!(code("GROUPS IN MISSISSIPPI", 1, Before::Other), None);
    }

    #[test]
    fn names() {
        let name = |query: &str| name_at(&Tokens::of(query), 0, true).map(|f| (f.0.code(), f.1));
        assert_eq!(name("west virginia hospice"), Some(("WV", 2)));
        assert_eq!(name("Virginia"), Some(("VA", 1)));
        assert_eq!(name("Virginias"), None);
        let tokens = Tokens::of("lousiana");
        assert_eq!(misspelt_at(&tokens, 0).map(|found| found.0.code()), Some("LA"));
        assert_eq!(misspelt_at(&Tokens::of("pensylvania"), 0).map(|f| f.0.code()), Some("PA"));
    }
}
