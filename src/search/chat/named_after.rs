//! A nonprofit that stands behind words that ask for one by name: `what about Preble Street?`, `vet Opportunity Village in
//! Las Vegas`. It is that one before a place, or what they do, is made of its words.

use std::ops::Range;

use super::listed_towns::is_sign;
use super::remembered::ACRONYM_CHARACTERS_MIN;
use super::resolved::NAME_WORDS_SURE;
use super::{Result, Turn, has_word, says_any};
use crate::naming::normalise;
use crate::places;
use crate::reader::{DialogueAct, Operation, Role, Span};
use crate::record::Ein;
use crate::text::place_in;
use crate::understand::{Names as _, is_kind_word, names_state, opens_with, said_in, says, tells};

/// Words of the longest name that is tried.
const WORDS_MAX: usize = 7;

/// Letters of the shortest word in capitals that is taken for a name.
const CAPITALS_MIN: usize = 3;

/// Dashes between a name and what is asked of it.
const DASHES: [&str; 3] = [" - ", " – ", " — "];

/// A nonprofit, and the words that name it.
pub(super) struct NamedAfter {
    pub(super) ein: Ein,
    /// Of the message: the words that ask, and the name.
    opening: Range<usize>,
    name: Range<usize>,
}

impl Turn<'_> {
    /// The nonprofit behind an opening that asks for one by name, in the place of the message or under discussion first; a
    /// name in small letters is all of its name, and has a word that is no ordinary one.
    pub(super) fn named_after(&self) -> Result<Option<NamedAfter>> {
        let Some(opening) = self.opening().or_else(|| self.leading_capitals()) else {
            return Ok(None);
        };
        let leads = opening.is_empty();
        let is_led = |bytes: &Range<usize>| !leads || is_name_written(&self.text[bytes.clone()]);
        for name in stretches(self.text, opening.end).into_iter().filter(is_led) {
            let found = match says(&self.text[opening.clone()], "points back") {
                true => self.shown_with_words(&name)?,
                false => None,
            };
            if let Some(ein) = found.or(self.called_in(&name)?) {
                return Ok(Some(NamedAfter { ein, opening, name }));
            }
        }
        Ok(None)
    }

    /// The nonprofit that a stretch of the message names, if it may be a name.
    pub(super) fn called_in(&self, bytes: &Range<usize>) -> Result<Option<Ein>> {
        let form = normalise(&self.text[bytes.clone()]);
        let words: Vec<&str> = form.split(' ').collect();
        // `Vermont Community Foundation` has a state in it.
        if words.len() >= NAME_WORDS_SURE
            && let Some(one) = self.only_with_name(&form)?
        {
            return Ok(Some(one));
        }
        if !self.may_be_called(&self.text[bytes.clone()], &words)? {
            return Ok(None);
        }
        match self.called_there(&words)? {
            Some(one) => Ok(Some(one)),
            // `Habitat for Humanity in Omaha` is none of another town.
            None if self.says_place_apart(&words) => Ok(None),
            None => Ok(self.only_with_name(&form)?.or(self.known_as(&words)?)),
        }
    }

    /// The nonprofit that the message asks about by such an opening, with what is asked of it as the request.
    pub(super) fn asked_of_named(&mut self) -> Result<Option<Ein>> {
        let Some(named) = self.named_after()? else { return Ok(None) };
        self.take_bytes(named.name.clone());
        let facts = self.facts_of_named(&named);
        let is_asked = facts.is_some();
        self.request.acts = facts.unwrap_or_else(|| std::mem::take(&mut self.request.acts));
        Ok(Some(named.ein).filter(|_| is_asked))
    }

    /// Takes the only word of a message that tells something for a name, if it is in capitals or no ordinary word, and neither a
    /// kind nor a place: `LSS?`.
    pub(super) fn take_lone_word_for_name(&mut self) -> Result<()> {
        // `whats the EIN`.
        if self.request.asks_fact() {
            return Ok(());
        }
        let opening = self.opening().map_or(0, |opening| opening.end);
        // `NADC Billings`: a place may stand beside it.
        let beside = self.blanked(|role| role == Role::Place);
        let mut words = beside[opening..].split_whitespace();
        let word = words.find(|word| !says(word, "leading article"));
        let (Some(word), None) = (word, words.next()) else { return Ok(()) };
        let bytes = place_in(&beside, word.trim_matches(|c: char| !c.is_alphanumeric()));
        let word = &self.text[bytes.clone()];
        let form = normalise(word);
        let is_open_role = |role| {
            matches!(role, Role::Cause | Role::Nothing | Role::Unread | Role::Place | Role::Name)
        };
        let is_read = |span: &Span| !is_open_role(span.role);
        let is_open = word.chars().all(char::is_alphabetic)
            && tells(&form)
            && !self.message.spans.iter().any(is_read)
            && !places::is_city(word)
            && !says_any(&form, &["thanks", "hello", "interjection"]);
        let is_acronym = word.len() >= CAPITALS_MIN && word.chars().all(char::is_uppercase);
        let is_name = is_acronym
            || (form.len() >= ACRONYM_CHARACTERS_MIN
                && !is_kind_word(&form)
                && !self.snapshot.is_word(&form)?);
        if is_open && is_name {
            self.take_bytes(bytes);
            self.request.acts = vec![DialogueAct::Search];
        }
        Ok(())
    }

    /// Takes the shortest stretch behind such an opening for a name, if it is written as one, though nobody surely has it;
    /// whether it is.
    pub(super) fn take_words_for_name(&mut self) -> bool {
        let Some(opening) = self.opening() else { return false };
        let shortest = stretches(self.text, opening.end).pop();
        let is_name = |bytes: &Range<usize>| is_cased(&self.text[bytes.clone()]);
        let Some(bytes) = shortest.filter(is_name) else { return false };
        self.take_bytes(bytes);
        true
    }

    /// Whether the trained reader takes several words behind such an opening for a name as well.
    pub(super) fn reads_name_behind_opening(&self) -> bool {
        let Some(opening) = self.opening() else { return false };
        let shortest = stretches(self.text, opening.end).pop();
        let is_read = |bytes: &Range<usize>| {
            let mut names = self.message.spans.iter().filter(|span| span.role == Role::Name);
            self.text[bytes.clone()].contains(' ') && names.any(|span| !span.is_apart(bytes))
        };
        shortest.as_ref().is_some_and(is_read) && !self.has(Role::Place)
    }

    /// Takes a word of the name of one shown, to which no preposition leads, for no place: `can we give Heartland 75k`.
    pub(super) fn leave_places_of_names(&mut self) -> Result<()> {
        let mut kept = Vec::new();
        for span in &self.message.spans {
            let before = self.text[..span.bytes.start].split_whitespace().next_back();
            let is_led = before.is_some_and(|word| says(word, "preposition"));
            let is_place = span.role == Role::Place && !is_led;
            if !is_place || self.shown_with_words(&span.bytes)?.is_none() {
                kept.push(span.clone());
            }
        }
        self.message.spans = kept;
        Ok(())
    }

    /// The words at the beginning that ask for somebody by name.
    fn opening(&self) -> Option<Range<usize>> {
        let leads =
            |opening: &Range<usize>| !self.text[..opening.start].contains(char::is_alphanumeric);
        said_in(self.text, "asks by name").into_iter().find(leads)
    }

    /// The beginning of a message that opens with a name and asks about it, or is nothing else: `Three Square cuánto recibe al
    /// año`, `Share Our Strength`.
    fn leading_capitals(&self) -> Option<Range<usize>> {
        let mut words = self.text.split_whitespace();
        let is_capital = |word: &str| word.starts_with(char::is_uppercase);
        let opens = words.by_ref().take(2).filter(|word| is_capital(word)).count() == 2;
        let goes_on = words.any(|word| word.starts_with(char::is_lowercase));
        let is_whole = is_name_written(self.text) && !self.text.contains(is_sign);
        let is_read = |span: &Span| matches!(span.role, Role::Name | Role::Cause | Role::Place);
        let is_open = !self.message.spans.iter().any(is_read) || self.names_before_sign();
        (opens && (goes_on || is_whole) && is_open).then_some(0..0)
    }

    /// Whether a name in capitals stands before a colon or a dash and a question behind it: `Share Our Strength: what does the
    /// CEO make`.
    fn names_before_sign(&self) -> bool {
        let split = |sign| self.text.split_once(sign);
        let parts = DASHES.into_iter().chain([": "]).find_map(split);
        parts.is_some_and(|(name, rest)| is_name_written(name) && rest.contains(char::is_lowercase))
    }

    /// Takes words for a name and for nothing else.
    fn take_bytes(&mut self, bytes: Range<usize>) {
        self.message.spans.retain(|span| span.is_apart(&bytes));
        let span = Span::told(Role::Name, bytes, Operation::Set);
        self.message.spans.push(span);
        self.message.spans.sort_by_key(|span| span.bytes.start);
    }

    /// The facts that are asked of it: those of the one before, if the message only goes on, none for everything; `None`
    /// where its other words ask for something else.
    fn facts_of_named(&self, named: &NamedAfter) -> Option<Vec<DialogueAct>> {
        let [before, behind] =
            [named.opening.end..named.name.start, named.name.end..self.text.len()];
        let beside = format!("{} {}", &self.text[before], &self.text[behind]);
        let place = self.form(Role::Place);
        let asks = |word: &str| {
            tells(word)
                && !has_word(&place, word)
                && !says_any(word, &["of the same", "asks the same"])
        };
        if normalise(&beside).split(' ').any(asks) {
            let leads = named.opening.is_empty();
            return Some(self.request.facts()).filter(|facts| leads || !facts.is_empty());
        }
        Some(self.fact_gone_on_with().into_iter().collect())
    }

    /// The fact that was asked of the one before, where the message begins as one that asks the same of another:
    /// `and the third?`.
    pub(super) fn fact_gone_on_with(&self) -> Option<DialogueAct> {
        let asked = self.conversation.asked.as_ref().map(|asked| asked.fact)?;
        let goes_on =
            opens_with(self.text, "asks the same") || says(self.text, "of the same before");
        Some(asked).filter(|fact| fact.is_fact() && goes_on)
    }

    /// The nonprofit that is surely meant by all of some words, by whatever name: `la Cruz Roja`.
    fn known_as(&self, words: &[&str]) -> Result<Option<Ein>> {
        let naming = self.snapshot.named(&words.join(" "))?;
        let sure = naming.sure_by_all().filter(|_| words.len() > 1);
        Ok(sure.map(|one| one.ein))
    }

    fn may_be_called(&self, typed: &str, words: &[&str]) -> Result<bool> {
        let is_place = places::is_city(typed)
            || !places::find_counties(&places::county_key(typed)).is_empty()
            || names_state(typed);
        let is_cased = is_cased(typed);
        let mut unusual = false;
        for word in words.iter().filter(|_| !is_cased) {
            unusual |= !self.snapshot.is_word(word)?;
        }
        // `Three Square` begins with a number.
        let may_be = (is_cased && words.len() > 1) || self.may_be_name(words)?;
        let is_kind = words.iter().all(|word| is_kind_word(word));
        Ok(!is_place && (is_cased || unusual) && !is_kind && may_be)
    }
}

/// Whether every word of a stretch is written as one of a name.
fn is_name_written(typed: &str) -> bool {
    typed.split_whitespace().all(|word| word.starts_with(char::is_uppercase) || !tells(word))
}

/// Whether every word that tells something begins with a capital letter, or with a number.
pub(super) fn is_cased(typed: &str) -> bool {
    let is_of_name =
        |word: &str| !tells(&normalise(word)) || word.starts_with(|c: char| !c.is_lowercase());
    typed.contains(char::is_uppercase) && typed.split_whitespace().all(is_of_name)
}

/// The stretches of a text behind an opening that may be a name, the longest first: up to a sign, or up to a word that
/// leads to a place or a purpose; none where a word such as `in` comes first.
pub(super) fn stretches(text: &str, from: usize) -> Vec<Range<usize>> {
    let is_end = |c: char| matches!(c, ',' | ';' | ':' | '?' | '!' | '(' | '\n');
    let rest = &text[from..];
    let rest = &rest[..rest.find(is_end).unwrap_or(rest.len())];
    let rest = DASHES.iter().fold(rest, |rest, dash| rest.split(dash).next().unwrap_or(rest));
    let mut ends = Vec::new();
    let mut start = None;
    for word in rest.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_article = says(bare, "leading article") && start.is_none();
        if is_article || bare.is_empty() {
            continue;
        }
        // `and in Ellsworth`: a place.
        if start.is_none() && !tells(&normalise(bare)) {
            return Vec::new();
        }
        start.get_or_insert(place_in(text, word).start);
        ends.push(place_in(text, bare).end);
    }
    let Some(start) = start else { return Vec::new() };
    let is_cut = |end: &usize| {
        let next = text[*end..].split_whitespace().next();
        let ends_capitals = || is_name_written(&text[start..*end]);
        next.is_none_or(|word| {
            says(word, "behind name") || (word.starts_with(char::is_lowercase) && ends_capitals())
        }) || ends.last() == Some(end)
    };
    let ends = ends.iter().take(WORDS_MAX).filter(|end| is_cut(end)).rev();
    ends.map(|end| start..*end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_before_a_place_and_begins_with_no_preposition() {
        for (text, expected) in [
            ("and the Preble Street shelter?", &["Preble Street shelter", "Preble Street"][..]),
            ("and Preble Street in Portland?", &["Preble Street in Portland", "Preble Street"]),
            ("and in Ellsworth?", &[]),
            ("and for Habitat?", &[]),
        ] {
            let found = stretches(text, "and".len());
            let found: Vec<&str> = found.into_iter().map(|bytes| &text[bytes]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
