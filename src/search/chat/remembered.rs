//! Half-remembered nonprofits (`that food bank in Auburn, Good Shepherd something`): among the rows
//! that a message finds, the one whose names have the words that ask for no kind, place or fact.

use super::spelling::{is_of_name, is_spelled_as, words_of_names};
use super::{Answer, ROWS, Result, Turn, has_word, hit, says_any, worded};
use crate::naming::normalise;
use crate::places;
use crate::query::{Area, Filters};
use crate::reader::{DialogueAct, Role};
use crate::record::{Ein, Organization, State};
use crate::search::called::JOINED_LETTERS_MIN;
use crate::search::details::details;
use crate::search::nonprofits::{self, NonprofitHit, Query, RelevanceQuery};
use crate::understand::{
    Frame, Interpretation, Names as _, is_generic, is_kind_word, says, sentences, tells,
};

/// The share of the possible name words of a message, or of the words of a name, that must agree.
const SHARE_MIN: f64 = 0.5;
/// Words of a name that are met where the message says much else.
const OF_NAME_MIN: usize = 2;

/// Words of a name that stands in a question.
const NAME_WORDS_MAX: usize = 4;
/// Stretches of a question that are looked up as names.
const NAMES_TRIED_MAX: usize = 32;
/// Characters of a word that is a name by itself.
pub(super) const ACRONYM_CHARACTERS_MIN: usize = 4;

/// Lists of words that ask, and are of no name.
const ASKS: [&str; 4] = ["asks for one", "half remembered", "said of names", "question opening"];

/// The words of a message that may belong to a name.
pub(super) struct NameWords {
    words: Vec<String>,
}

impl NameWords {
    /// The organization that shares most of the words; `None` if none shares enough.
    fn most_like<'a>(&self, all: impl Iterator<Item = &'a Organization>) -> Option<Ein> {
        let telling = self.words.iter().filter(|word| !is_kind_word(word)).count();
        let mut best: Option<(usize, Ein)> = None;
        for one in all {
            let own = words_of_names(one);
            let is_met = |word: &&String| own.iter().any(|own| is_spelled_as(word, own));
            let met: Vec<&String> = self.words.iter().filter(is_met).collect();
            let met_telling = met.iter().filter(|word| !is_kind_word(word)).count();
            let name = normalise(&one.name);
            let in_name = |word: &&str| met.iter().any(|met| is_spelled_as(met, word));
            let of_name = name.split(' ').filter(in_name).count();
            let share = of_name as f64 / name.split(' ').count() as f64;
            let is_it = met_telling > 0
                && (met_telling as f64 >= SHARE_MIN * telling as f64
                    || (met.len() >= OF_NAME_MIN && share >= SHARE_MIN));
            if is_it && best.is_none_or(|(most, _)| met.len() > most) {
                best = Some((met.len(), one.ein));
            }
        }
        best.map(|(_, ein)| ein)
    }
}

impl Turn<'_> {
    /// The list that the message asks for, with the half-remembered nonprofit first and in words, if there is one.
    pub(super) fn found_one(self, understood: Interpretation) -> Result<Answer> {
        let described = self.clone();
        let words = self.name_words(&understood.frame);
        let in_state = self.called_in_state(&understood.frame, &words)?;
        let mut answer = self.found(understood, 1)?;
        let rows = answer.nonprofits.iter().map(|row| &row.organization);
        let Some(ein) = words.most_like(rows).or(in_state) else { return Ok(answer) };
        let Some(profile) = described.profile(ein)? else { return Ok(answer) };
        answer.message = format!("{} {}", profile.portrait(), answer.message);
        let organization = profile.traced.organization;
        answer.nonprofits.retain(|row| row.organization.ein != ein);
        answer.nonprofits.insert(0, hit(organization));
        answer.nonprofits.truncate(ROWS);
        let eins = answer.nonprofits.iter().map(|row| row.organization.ein);
        let rows = answer.next.rows;
        answer.next.show_nonprofits(eins, rows);
        answer.next.focus = Some(ein);
        Ok(answer)
    }

    /// The one of the rows that the message half remembers.
    pub(super) fn remembered(&self, frame: &Frame, rows: &[NonprofitHit]) -> Option<Ein> {
        self.name_words(frame).most_like(rows.iter().map(|row| &row.organization))
    }

    /// The words of the message that tell something and are of no place, no question and no cause that the table has.
    pub(super) fn name_words(&self, frame: &Frame) -> NameWords {
        let cause = frame.cause.as_deref().filter(|_| frame.cause_is_term).map(normalise);
        let (place, cause) = (self.form(Role::Place), cause.unwrap_or_default());
        let is_of_name = |word: &&str| {
            tells(word)
                && word.chars().all(char::is_alphabetic)
                && !is_generic(word)
                && !has_word(&place, word)
                && !has_word(&cause, word)
                && !says_any(word, &ASKS)
        };
        let form = normalise(self.text);
        NameWords { words: form.split(' ').filter(is_of_name).map(str::to_owned).collect() }
    }

    /// The nonprofit certainly named, in the place under discussion, by neighbouring words of a question
    /// about one nonprofit that the reader did not label as a name (`how does it compare with swaia`).
    pub(super) fn called_in_passing(&self) -> Result<Option<Ein>> {
        let act = self.request.act();
        let is_of_one = self.request.asks_fact()
            || matches!(act, DialogueAct::Compare | DialogueAct::Similar)
            || says_any(self.text, &["asks for one", "half remembered"]);
        if is_of_one { self.surely_named() } else { Ok(None) }
    }

    /// The nonprofit certainly named by some neighbouring words of the message.
    pub(super) fn surely_named(&self) -> Result<Option<Ein>> {
        // No name goes on behind the end of a sentence.
        let forms = sentences(self.text).into_iter().map(|bytes| normalise(&self.text[bytes]));
        let forms: Vec<String> = forms.collect();
        let words: Vec<Vec<&str>> = forms.iter().map(|form| form.split(' ').collect()).collect();
        let longest = words.iter().map(Vec::len).max().unwrap_or_default();
        let mut tried = 0;
        for length in (1..=NAME_WORDS_MAX.min(longest)).rev() {
            for window in words.iter().rev().flat_map(|words| words.windows(length)) {
                if tried == NAMES_TRIED_MAX || !self.may_be_name(window)? {
                    continue;
                }
                tried += 1;
                if let Some(one) = self.called_there(window)? {
                    return Ok(Some(one));
                }
            }
        }
        Ok(None)
    }

    /// The nonprofit certainly named by some words: in the place of the message, which is no part of them, else in the one
    /// under discussion or anywhere.
    pub(super) fn called_there(&self, words: &[&str]) -> Result<Option<Ein>> {
        if let Some(said) = self.place_apart(words) {
            for place in [Some(said), None] {
                let found = self.surely_called(words, place)?;
                if let Some(one) = found.filter(|one| self.is_in_place(one)) {
                    return Ok(Some(one.ein));
                }
            }
            return Ok(None);
        }
        let frame = &self.conversation.frame;
        let spoken_of = frame.places.first();
        let spoken_of = spoken_of.map(|place| place.city.as_ref().unwrap_or(&place.name).as_str());
        let state = frame.state().map(State::name);
        for place in [spoken_of, state].into_iter().flatten().map(Some).chain([None]) {
            if let Some(one) = self.surely_called(words, place)? {
                return Ok(Some(one.ein));
            }
        }
        Ok(None)
    }

    /// The place that the message says beside some words.
    fn place_apart(&self, words: &[&str]) -> Option<&str> {
        let is_apart = |said: &&str| !normalise(said).split(' ').any(|word| words.contains(&word));
        self.all_words(Role::Place).find(is_apart)
    }

    /// Whether the message says a place beside some words.
    pub(super) fn says_place_apart(&self, words: &[&str]) -> bool {
        self.place_apart(words).is_some()
    }

    /// The nonprofit certainly named by all of some words, in a place if one is given.
    fn surely_called(&self, words: &[&str], place: Option<&str>) -> Result<Option<Organization>> {
        let asked = words.join(" ");
        let asked = place.map_or(asked.clone(), |place| format!("{asked}, {place}"));
        let naming = self.snapshot.named(&asked)?;
        let Some(one) = naming.sure() else { return Ok(None) };
        let Some(found) = details(self.snapshot, one.ein)? else { return Ok(None) };
        let own = words_of_names(&found);
        let joined = normalise(&found.name).replace(' ', "");
        // `foodbank` is in `Food Bank`; of `have they ever lost it` nothing is in `Hope Never Lost`.
        let is_joined = |word: &str| word.len() >= JOINED_LETTERS_MIN && joined.contains(word);
        let is_met =
            |word: &&str| own.iter().any(|own| is_spelled_as(word, own)) || is_joined(word);
        if !words.iter().all(is_met) {
            return Ok(None);
        }
        let is_it = match words {
            // A single word counts if it reads as a name and is not an ordinary word.
            [word] => {
                let is_town = !places::find_cities(word).is_empty();
                self.is_read(word) && !is_town && !self.snapshot.is_word(word)?
            }
            _ => {
                let name = normalise(&found.name);
                let mut name: Vec<&str> = name.split(' ').collect();
                name.pop_if(|last| says(last, "legal form"));
                // `food bank` is who is called just so, and so is who is elsewhere; `good shepherd` also whose name says more.
                let is_kind = words.iter().all(|word| is_kind_word(word));
                let is_elsewhere = place.is_none() && self.conversation.frame.state().is_some();
                let share = words.len() as f64 / name.len() as f64;
                share >= if is_kind || is_elsewhere { 1.0 } else { SHARE_MIN }
            }
        };
        Ok(Some(found).filter(|_| is_it))
    }

    /// Whether a word is part of what the message names, refers to or looks for.
    fn is_read(&self, word: &str) -> bool {
        let roles = [Role::Name, Role::Reference, Role::Cause];
        roles.into_iter().any(|role| has_word(&self.form(role), word))
    }

    /// The unusual words of a reference (`the Kearney library`): it refers to no nonprofit known
    /// here, nor to the one mentioned last.
    pub(super) fn unknown_name(&self) -> Result<Option<String>> {
        if let Some(remembered) = self.half_remembered() {
            return Ok(Some(remembered));
        }
        for said in self.all_words(Role::Reference) {
            let form = normalise(said);
            let is_pronoun = |word: &str| says_any(word, &["said of names", "they", "of it"]);
            let is_open = |word: &&str| is_of_name(word) && !is_pronoun(word);
            let words: Vec<&str> = form.split(' ').filter(is_open).collect();
            for word in &words {
                if !is_kind_word(word) && !self.snapshot.is_word(word)? {
                    return Ok(Some(words.join(" ")));
                }
            }
        }
        Ok(None)
    }

    /// Whether a word may be of a name: of `who is the director` the office is none.
    pub(super) fn may_name(&self, word: &str) -> bool {
        let asks_office = matches!(self.request.act(), DialogueAct::Leaders | DialogueAct::Pay);
        is_of_name(word) && !(asks_office && !self.has(Role::Name) && says(word, "office"))
    }

    /// Whether neighbouring words may be a name: they begin and end with a word that tells something, one of them is no
    /// kind of nonprofit, and one that stands alone is no ordinary word.
    pub(super) fn may_be_name(&self, words: &[&str]) -> Result<bool> {
        let is_telling = |word: &str| tells(word) && !is_generic(word) && !says_any(word, &ASKS);
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return Ok(false) };
        if !is_telling(first) || !is_telling(last) {
            return Ok(false);
        }
        match words {
            _ if worded::is_of_finances(&words.join(" ")) => Ok(false),
            // `a type III supporting organization`.
            _ if words.iter().all(|word| says(word, "word of a class")) => Ok(false),
            // `is it a real 501c3`.
            _ if words.iter().all(|word| says(word, "word of standing")) => Ok(false),
            [word] => Ok(word.len() >= ACRONYM_CHARACTERS_MIN && !self.snapshot.is_word(word)?),
            _ => Ok(true),
        }
    }

    /// The organization of the state in question whose name has all of the words.
    fn called_in_state(&self, frame: &Frame, words: &NameWords) -> Result<Option<Ein>> {
        let of_name = words.words.iter().filter(|word| !is_kind_word(word));
        let of_name: Vec<&str> = of_name.map(String::as_str).collect();
        let (false, Some(state)) = (of_name.is_empty(), frame.state()) else { return Ok(None) };
        let area = Area { state: Some(state), ..Area::default() };
        let filters = Filters { areas: vec![area], ..Filters::default() };
        let like = RelevanceQuery { is_name: true, ..RelevanceQuery::text(of_name.join(" ")) };
        let found = nonprofits::search(self.snapshot, &Query::of(filters, like, ROWS))?;
        let has_all = |one: &&Organization| {
            let own = words_of_names(one);
            of_name.iter().all(|word| own.iter().any(|own| own == word))
        };
        let rows = found.rows.iter().map(|row| &row.organization);
        let called: Vec<Ein> = rows.filter(has_all).map(|one| one.ein).collect();
        let Some(cause) = frame.cause.clone().filter(|_| called.len() > 1) else {
            return Ok(called.first().copied());
        };
        // Among several, the one that fits the cause.
        let those = Filters { eins: called, ..Filters::default() };
        let query = Query::of(those, RelevanceQuery::text(cause), 1);
        let first = nonprofits::search(self.snapshot, &query)?.rows.into_iter().next();
        Ok(first.map(|row| row.organization.ein))
    }
}
