//! A row of a list as it is read: names split where one field holds two, and a place.

use std::borrow::Cow;

use super::address::{Address, ZipReading};
use super::cell::repaired;
use super::name::NameForm;
use super::street::Street;
use super::words::WORDS;
use crate::index::names::{Names, terms};
use crate::mapped::Damage;
use crate::naming::normalise;
use crate::places;
use crate::record::{Ein, Point, State, Zip5};

/// Characters of an EIN that cannot be read that are shown.
const SHOWN_MAX: usize = 24;
/// Letters of an acronym in brackets, at least.
const ACRONYM_MIN: usize = 2;
/// Names of one row that are compared, the first ones.
const NAMES_MAX: usize = 6;
/// Characters of a name that are read: more than any register keeps.
pub const NAME_CHARACTERS_MAX: usize = 256;

/// What is known of an organization whose EIN is sought; a text that is empty is not known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    pub name: String,
    /// Other names: as which it does business, of a division.
    pub other_names: Vec<String>,
    pub street: String,
    pub city: String,
    /// The code or the name. City, state and ZIP code may as well stand at the end of `city` or of `street`.
    pub state: String,
    /// Five or nine digits; zeros in front or digits at the end may be lost.
    pub zip: String,
    /// An EIN as [`Ein::from_typed`] reads it.
    pub ein: String,
}

/// A name of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RowName {
    /// As it was written.
    pub text: String,
    pub form: NameForm<'static>,
    /// Whether it is the name itself, not another one or a part of it.
    pub is_first: bool,
}

/// A place that an address names.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Location<'a> {
    pub street: Street,
    /// The city's terms.
    pub city: Vec<Cow<'a, str>>,
    pub state: Option<State>,
    pub zip: ZipReading,
}

impl Location<'_> {
    /// A place as records and returns give it.
    pub fn filed(
        street: Option<&str>,
        city: Option<&str>,
        state: Option<State>,
        zip: Option<Zip5>,
    ) -> Self {
        let city = terms(city.unwrap_or_default()).into_iter().map(Cow::Owned).collect();
        Self { street: Street::of(street.unwrap_or_default()), city, state, zip: zip.into() }
    }

    /// The centroid of its ZIP code.
    pub fn point(&self) -> Option<Point> {
        places::zip(self.zip.whole()?)?.point
    }
}

/// The EIN that a row gives, if any.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum RowEin {
    #[default]
    None,
    Ein(Ein),
    /// Something other than an EIN, as it was written.
    Unreadable(String),
}

impl RowEin {
    fn of(cell: &str) -> Self {
        match Ein::from_typed(cell) {
            Some(ein) if is_filler(ein) => Self::None,
            Some(ein) => Self::Ein(ein),
            // `N/A`, `none`, `-`.
            None if !cell.bytes().any(|byte| byte.is_ascii_digit()) => Self::None,
            None => Self::Unreadable(cell.trim().chars().take(SHOWN_MAX).collect()),
        }
    }

    pub fn ein(&self) -> Option<Ein> {
        if let Self::Ein(ein) = self { Some(*ein) } else { None }
    }
}

/// Whether it is what people enter where they know none: one digit nine times, or the first nine in their order.
fn is_filler(ein: Ein) -> bool {
    let digits = ein.as_str().as_bytes();
    digits.iter().all(|digit| *digit == digits[0]) || digits == b"123456789"
}

/// A row as it is compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ParsedRow {
    /// The name first; at least one where any has a word.
    pub names: Vec<RowName>,
    pub location: Location<'static>,
    /// The terms of its city, its county and its state.
    pub place_words: Vec<Cow<'static, str>>,
    pub ein: RowEin,
}

impl ParsedRow {
    /// Reads a row.
    pub fn read(query: &Query, index: &Names) -> Result<Self, Damage> {
        let mut names: Vec<RowName> = Vec::new();
        let others = query.other_names.iter().map(|name| (name, false));
        for (text, is_own) in std::iter::once((&query.name, true)).chain(others) {
            let text: String = repaired(text).chars().take(NAME_CHARACTERS_MAX).collect();
            for (part, is_whole) in parts(&text) {
                let form = NameForm::new(index.weigh(&part)?);
                let is_known = names.iter().any(|known| known.form == form);
                if !form.terms.is_empty() && !is_known && names.len() < NAMES_MAX {
                    names.push(RowName { text: part, form, is_first: is_own && is_whole });
                }
            }
        }
        let Query { street, city, state, zip, .. } = query;
        let Address { street, city, state, zip } = Address::of([street, city, state, zip]);
        let owned = |text: &str| terms(text).into_iter().map(Cow::Owned).collect::<Vec<_>>();
        let city = owned(&city);
        let mut place_words = city.clone();
        let county = zip.whole().and_then(|zip| places::zip(zip)?.county);
        for text in [county, state.map(State::name)].into_iter().flatten() {
            place_words.extend(owned(text));
        }
        let location = Location { street: Street::of(&street), city, state, zip };
        Ok(Self { names, location, place_words, ein: RowEin::of(&query.ein) })
    }

    /// What is asked of the index besides a name, as it stands in a question.
    pub fn place_text(&self) -> String {
        let mut text = String::new();
        for word in &self.location.city {
            text.push(' ');
            text.push_str(word);
        }
        if let Some(state) = self.location.state {
            text.push(' ');
            text.push_str(state.code());
        }
        if let Some(zip) = self.location.zip.whole() {
            text.push(' ');
            text.push_str(&zip.to_string());
        }
        text
    }
}

/// The names that a field holds, in normal form, and of each whether it is the name itself and not another one.
fn parts(text: &str) -> Vec<(String, bool)> {
    let Some((before, behind)) = text.split_once('(') else { return aliases(text) };
    // A field that was too short cuts the closing bracket off.
    let (inside, after) = behind.split_once(')').unwrap_or((behind, ""));
    let (outside, inside) = (format!("{before} {after}"), normalise(inside));
    let mut parts = aliases(&outside);
    let begins = |phrase: &str| find_phrase(&inside, phrase) == Some(0);
    if WORDS.cares.iter().any(|care| begins(care)) {
        return parts;
    }
    let Some((name, _)) = parts.first().filter(|_| !inside.is_empty()) else {
        return aliases(&text.replace(['(', ')'], " "));
    };
    let whole = normalise(&format!("{before} {inside} {after}"));
    if is_place(&inside) {
        // `Good News Church (Sioux Falls)`: which of those of that name it is; nobody's name by itself.
        parts.insert(0, (whole, true));
    } else if let Some(alias) = WORDS.aliases.iter().find(|alias| begins(alias)) {
        // `Foo (formerly Bar)`.
        let other = inside[alias.len()..].trim().to_owned();
        parts.extend(Some((other, false)).filter(|(other, _)| !other.is_empty()));
    } else if is_acronym(&inside, name) {
        parts.push((inside, false));
    } else {
        // `Child Welfare Innovation (Foster America)`, `Al-Maun (Neighborly Needs) of Las Vegas`.
        parts.extend([(whole, true), (inside, false)]);
    }
    parts
}

/// The names of a text without brackets.
fn aliases(text: &str) -> Vec<(String, bool)> {
    let mut whole = normalise(text);
    for care in &WORDS.cares {
        if let Some(at) = find_phrase(&whole, care).filter(|at| *at > 0) {
            whole.truncate(at - 1);
        }
    }
    let mut names: Vec<String> = Vec::new();
    let mut rest = whole.as_str();
    while let Some((at, alias)) =
        WORDS.aliases.iter().find_map(|alias| Some((find_phrase(rest, alias)?, alias)))
    {
        names.push(rest[..at].trim().to_owned());
        rest = rest[at + alias.len()..].trim();
    }
    names.push(rest.to_owned());
    let names = names.into_iter().filter(|name| !name.is_empty()).enumerate();
    names.map(|(at, name)| (name, at == 0)).collect()
}

/// Whether a normal form is the name of a state, a city or a county, or a state's code.
fn is_place(form: &str) -> bool {
    let is_state = || places::state(form).is_some();
    is_state()
        || places::is_city(form)
        || !places::find_counties(&places::county_key(form)).is_empty()
}

/// Whether a normal form of one word is the first letters of a name's words, or of all but the small ones.
fn is_acronym(form: &str, name: &str) -> bool {
    let initials: String = name.split(' ').filter_map(|word| word.chars().next()).collect();
    let telling: String = terms(name).iter().filter_map(|term| term.chars().next()).collect();
    let is_of = |initials: &str| initials.starts_with(form) || form.starts_with(initials);
    form.chars().count() >= ACRONYM_MIN
        && !form.contains(' ')
        && (is_of(&initials) || is_of(&telling))
}

/// Where a phrase stands in a normal form as whole words.
fn find_phrase(form: &str, phrase: &str) -> Option<usize> {
    let bytes = form.as_bytes();
    form.match_indices(phrase).map(|(at, _)| at).find(|&at| {
        let end = at + phrase.len();
        (at == 0 || bytes[at - 1] == b' ') && (end == bytes.len() || bytes[end] == b' ')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_hold_two_names() {
        for (text, own, other) in [
            ("Foo Inc", vec!["foo inc"], vec![]),
            ("Foo Inc d/b/a Bar", vec!["foo inc"], vec!["bar"]),
            ("DBA Bar", vec!["bar"], vec![]),
            ("Foo c/o Jane Roe", vec!["foo"], vec![]),
            ("Dubai Club", vec!["dubai club"], vec![]),
            ("", vec![], vec![]),
            // In brackets: a name, an earlier one, first letters, a place, nothing.
            ("Foo (Bar Baz)", vec!["foo", "foo bar baz"], vec!["bar baz"]),
            ("Foo (Bar Baz) Inc", vec!["foo inc", "foo bar baz inc"], vec!["bar baz"]),
            ("Foo (formerly Bar)", vec!["foo"], vec!["bar"]),
            (
                "Foo (cut off by a fie",
                vec!["foo", "foo cut off by a fie"],
                vec!["cut off by a fie"],
            ),
            ("Friends of Old Oaks (FOO)", vec!["friends of old oaks"], vec!["foo"]),
            ("Friends of the Old Oaks (FOO)", vec!["friends of the old oaks"], vec!["foo"]),
            ("Foo Church (Sioux Falls)", vec!["foo church sioux falls", "foo church"], vec![]),
            ("Foo (GA), Inc", vec!["foo ga inc", "foo inc"], vec![]),
            ("Foo (c/o Jane Roe)", vec!["foo"], vec![]),
            ("(Foo)", vec!["foo"], vec![]),
            ("dba (Foo)", vec!["foo"], vec![]),
            ("Foo ()", vec!["foo"], vec![]),
        ] {
            let names = parts(text);
            let of = |is_own: bool| {
                let those = names.iter().filter(|(_, own)| *own == is_own);
                those.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
            };
            assert_eq!((of(true), of(false)), (own, other), "{text}");
        }
    }

    #[test]
    fn eins_of_rows() {
        let found = |cell| RowEin::of(cell);
        assert_eq!(found("53-0196605"), RowEin::Ein("530196605".parse().unwrap()));
        for none in ["", "N/A", "-", "00-0000000", "999999999", "123456789"] {
            assert_eq!(found(none), RowEin::None, "{none}");
        }
        assert_eq!(found(" 4.66E+08 "), RowEin::Unreadable("4.66E+08".to_owned()));
    }
}
