//! The place of a figure, where it surely is one.
//!
//! A place stands behind `in`, `across`, `throughout` or `within`: a county, a city with its state,
//! a state, a country, or a city of the filer's own state. Where two are named there is none, nor
//! where a nearer name is unknown.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::number::Figure;
use super::token::{Token, TokenKind, Tokens};
use crate::places;
use crate::record::State;

/// Words of the longest name that is looked up.
const NAME_WORDS_MAX: usize = 6;

/// Tokens behind what is counted among which its place stands.
const REACH: usize = 14;

/// Words behind a preposition of which one with a capital may name a place: `in greater Houston`.
const NAME_LEAD: usize = 3;

static COUNTRIES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
    places::countries_in_texts().map(|name| (name.to_lowercase(), name)).collect()
});

static STATES: LazyLock<HashMap<String, State>> =
    LazyLock::new(|| State::all().map(|state| (state.name().to_lowercase(), state)).collect());

/// The place of a figure, as it is written in full: `Kenya`, `Ohio`, `Dane County, WI`,
/// `Madison, WI`. It stands right behind what is counted, or opens the statement. `home` is the
/// filer's state.
pub(super) fn place(tokens: &Tokens<'_>, figure: &Figure, home: Option<State>) -> Option<String> {
    let shouted = !tokens.iter().any(|token| token.text.chars().any(char::is_lowercase));
    let reader = Reader { tokens, from: 0, shouted, home };
    match reader.behind(figure.end) {
        PlacePhrase::Place(place) => Some(place),
        PlacePhrase::Unknown => None,
        PlacePhrase::Nothing => {
            let start = tokens[..figure.at].iter().rposition(Token::parts_statements);
            let opening = start.map_or(0, |before| before + 1);
            match reader.at(opening) {
                PlacePhrase::Place(place) => Some(place),
                PlacePhrase::Unknown | PlacePhrase::Nothing => None,
            }
        }
    }
}

/// What a preposition leads to.
enum PlacePhrase {
    Place(String),
    /// Something that may be a place, or more than one: what stands farther off is not meant.
    Unknown,
    Nothing,
}

#[derive(Clone, Copy)]
struct Reader<'a, 't> {
    tokens: &'a Tokens<'t>,
    /// Token at which a name may begin.
    from: usize,
    /// Whether the sentence has no small letter.
    shouted: bool,
    home: Option<State>,
}

impl Reader<'_, '_> {
    /// What stands behind a phrase that ends before a token, in its clause.
    fn behind(&self, end: usize) -> PlacePhrase {
        let mut at = end;
        while at < self.tokens.len().min(end + REACH) {
            let token = &self.tokens[at];
            // A parenthesis does not separate a phrase from its place.
            let mut within = self.tokens[at..].iter().take(REACH);
            if token.is_punctuation('(')
                && let Some(length) = within.position(|token| token.is_punctuation(')'))
            {
                at += length + 1;
                continue;
            }
            if token.kind != TokenKind::Word || token.is_in("partings") {
                return PlacePhrase::Nothing;
            }
            match self.at(at) {
                PlacePhrase::Nothing => at += 1,
                found => return found,
            }
        }
        PlacePhrase::Nothing
    }

    /// What the preposition at a token leads to, if one stands there.
    fn at(&self, at: usize) -> PlacePhrase {
        let tokens = self.tokens;
        if !tokens.at(at).is_in("place_openings") {
            return PlacePhrase::Nothing;
        }
        let from = at + 1 + usize::from(tokens.at(at + 1).is("the"));
        let reader = Reader { from, ..*self };
        let Some((place, end)) = reader.read() else {
            let named = (from..from + NAME_LEAD)
                .take_while(|&at| !tokens.at(at).is_in("ends"))
                .any(|at| self.capital(at));
            let is_name = named && !self.shouted;
            return if is_name { PlacePhrase::Unknown } else { PlacePhrase::Nothing };
        };
        // `Kenya and Uganda` is more than one place.
        let joint = tokens.at(end);
        let joins =
            joint.is("and") || matches!(joint.kind, TokenKind::Punctuation(',' | '&' | '/'));
        let next = end + 1 + usize::from(tokens.at(end + 1).is("and"));
        let more = || Reader { from: next, ..reader }.read().is_some();
        if joint.is_in("around") || (joins && more()) {
            PlacePhrase::Unknown
        } else {
            PlacePhrase::Place(place)
        }
    }

    /// The place and the token behind it.
    fn read(&self) -> Option<(String, usize)> {
        let words = self.tokens[self.from.min(self.tokens.len())..]
            .iter()
            .take(NAME_WORDS_MAX)
            .take_while(|token| token.kind == TokenKind::Word)
            .count();
        (1..=words).rev().find_map(|length| self.named(length))
    }

    fn name(&self, length: usize) -> String {
        let words = &self.tokens[self.from..self.from + length];
        words.iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn capital(&self, at: usize) -> bool {
        let token = self.tokens.at(at);
        token.kind == TokenKind::Word && token.text.starts_with(char::is_uppercase)
    }

    /// The place named by the next `length` words.
    fn named(&self, length: usize) -> Option<(String, usize)> {
        let name = self.name(length);
        if let Some(county) = name.strip_suffix(" county").or_else(|| name.strip_suffix(" parish"))
        {
            return self.county(county, length);
        }
        let next = self.from + length;
        let spelled =
            (self.from..next).all(|at| self.capital(at) || self.tokens[at].is_in("inner"));
        let stated = self.state_behind(next).filter(|_| spelled);
        if let Some((city, end)) = stated.and_then(|(state, end)| Some((city(&name, state)?, end)))
        {
            return Some((city, end));
        }
        if self.goes_on(next) {
            return None;
        }
        if let Some(&country) = COUNTRIES.get(&name) {
            return Some((country.to_owned(), next));
        }
        // Names of few letters and towns are words too: in small letters they are no place.
        if let Some(state) = STATES.get(&name).filter(|_| spelled || name.contains(' ')) {
            return Some((state.name().to_owned(), next));
        }
        let home = self.home.filter(|_| spelled && !self.shouted)?;
        Some((city(&name, home)?, next))
    }

    /// Whether the name is a part of a longer one, or of something that is named for the place.
    fn goes_on(&self, next: usize) -> bool {
        let token = self.tokens.at(next);
        let ends = token.is_in("ends") || token.word.verb.is_some();
        token.kind == TokenKind::Word && !ends && (self.shouted || self.capital(next))
    }

    /// The state that follows, with or without a comma, and the token behind it.
    fn state_behind(&self, at: usize) -> Option<(State, usize)> {
        let comma = self.tokens.at(at).is_punctuation(',');
        let at = at + usize::from(comma);
        let token = self.tokens.get(at)?;
        let code = token.text.len() == 2 && (comma || !self.shouted);
        if code && let Ok(state) = token.text.parse::<State>() {
            return Some((state, at + 1));
        }
        if !comma {
            return None;
        }
        let two = format!("{} {}", token.lower, self.tokens.at(at + 1).lower);
        let named = [(two.as_str(), at + 2), (token.lower.as_str(), at + 1)];
        named.into_iter().find_map(|(name, end)| Some((*STATES.get(name)?, end)))
    }

    fn county(&self, name: &str, length: usize) -> Option<(String, usize)> {
        let found = places::find_counties(&places::county_key(name));
        let stated = self.state_behind(self.from + length);
        let in_state = |state: State| found.iter().find(|county| county.state == state);
        let county = match stated {
            Some((state, _)) => in_state(state)?,
            None => match self.home.and_then(in_state) {
                Some(county) => county,
                None if found.len() == 1 => &found[0],
                None => return None,
            },
        };
        let kind =
            if self.tokens[self.from + length - 1].is("parish") { "Parish" } else { "County" };
        let end = stated.map_or(self.from + length, |(_, end)| end);
        Some((format!("{} {kind}, {}", county.name, county.state.code()), end))
    }
}

fn city(name: &str, state: State) -> Option<String> {
    let key = places::city_key(name);
    Some(format!("{}, {}", places::city(&key, state)?.name, state.code()))
}
