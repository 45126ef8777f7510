//! Which of those shown the words of a message name, by all of a name or by a part of it.

use std::collections::HashMap;
use std::ops::Range;

use super::spelling::{is_of_name, is_spelled_as, without_legal_form, words_of_names};
use super::{Result, Turn, has_word, says_any};
use crate::naming::normalise;
use crate::reader::{DialogueAct, Role};
use crate::record::{Ein, Organization};
use crate::understand::{self, Names as _, says, tells};

/// Words of one name shown that a message must have for their other bearers not to matter.
const SHARED_WORDS_MIN: usize = 2;
/// Letters of initials, and words of the beginning of a name that is pointed at.
const INITIALS_MIN: usize = 3;
const BEGINNING_WORDS: usize = 2;

impl Turn<'_> {
    /// Those shown whose names share words with the message that no other name shown has, or more words than any other.
    pub(super) fn by_name_shown(&self, seen: &[Organization]) -> Result<Vec<Ein>> {
        let said = normalise(self.text);
        let words: Vec<&str> = said.split(' ').filter(|word| self.may_name(word)).collect();
        let names: Vec<Vec<String>> = seen.iter().map(words_of_names).collect();
        let ordinary = self.ordinary_words(&words)?;
        let named = self.form(Role::Name);
        let whole = format!(" {said} ");
        // A word of several names distinguishes none of them.
        let of_kinds = |own: &[String]| {
            // `health` alone is a kind of nonprofit, `stewpot` a name.
            let mut telling =
                own.iter().filter(|word| words.iter().any(|said| is_spelled_as(said, word)));
            let is_kind = |word: &String| {
                let is_kind = understand::is_kind_word(word) && !has_word(&named, word);
                is_kind || ordinary.contains(&word.as_str())
            };
            telling.clone().count() < 2 && telling.all(is_kind)
        };
        // `Recovery Point` is not Search and Rescue Recovery Services.
        let of_name: Vec<&str> = named.split(' ').filter(|word| tells(word)).collect();
        let has_name = |own: &[String]| {
            let met = |word: &&&str| own.iter().any(|own| is_spelled_as(word, own));
            of_name.iter().filter(met).count() * 2 > of_name.len() || of_name.is_empty()
        };
        // A complete name counts as one, whatever its words ask for otherwise.
        let is_whole = |one: &Organization| {
            let name = normalise(&one.name);
            let name = without_legal_form(&name);
            let is_said = name.contains(' ') && whole.contains(&format!(" {name} "));
            is_said || self.says_initials(name) || self.points_at_beginning(&said, name)
        };
        let told = self.scores(&words, &names).into_iter().zip(&names).zip(seen);
        let told = told.filter(|((score, own), one)| {
            let is_told = !of_kinds(own) || self.points_at_kind(&whole, own);
            is_whole(one) || (*score >= 1.0 && is_told && has_name(own))
        });
        let mut found: Vec<(f64, Ein)> = told.map(|((score, _), one)| (score, one.ein)).collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        Ok(found.into_iter().map(|(_, ein)| ein).collect())
    }

    /// How well words of the message identify each name: 1 for a word that no other name has, less for a shared one; at least 1
    /// for the only name with the most words in common, if these are several (`the humane association`).
    fn scores(&self, words: &[&str], names: &[Vec<String>]) -> Vec<f64> {
        let mut holders: HashMap<&str, usize> = HashMap::new();
        for word in names.iter().flatten() {
            *holders.entry(word).or_default() += 1;
        }
        let claimed = self.claimed_words();
        // An exact word of one name is no misspelling of another.
        let is_written = |said: &str| names.iter().flatten().any(|own| own == said);
        let is_said = |own: &String| {
            words.iter().any(|said| own == said || (!is_written(said) && is_spelled_as(said, own)))
        };
        let shared = |own: &Vec<String>| -> Vec<f64> {
            let shared = own.iter().filter(|word| is_said(word) && !claimed.contains(*word));
            shared.map(|word| 1.0 / holders[word.as_str()] as f64).collect()
        };
        let shares: Vec<Vec<f64>> = names.iter().map(shared).collect();
        let most = shares.iter().map(Vec::len).max().unwrap_or_default();
        let is_only = shares.iter().filter(|share| share.len() == most).count() == 1;
        let has_most = |share: &[f64]| is_only && share.len() == most && most >= SHARED_WORDS_MIN;
        let score = |share: &Vec<f64>| -> f64 {
            let sum = share.iter().sum();
            if has_most(share) { f64::max(sum, 1.0) } else { sum }
        };
        shares.iter().map(score).collect()
    }

    /// Those of some words that name nobody where the message asks of the one spoken of, as every dictionary has them: `how
    /// much did it give`.
    fn ordinary_words<'w>(&self, words: &[&'w str]) -> Result<Vec<&'w str>> {
        let is_of_focus = self.conversation.focus.is_some()
            && self.request.asks_fact()
            && !self.has(Role::Name)
            && says(self.text, "of it");
        let mut ordinary = Vec::new();
        for word in words.iter().copied().filter(|_| is_of_focus) {
            if self.snapshot.is_word(word)? {
                ordinary.push(word);
            }
        }
        Ok(ordinary)
    }

    /// Whether the message speaks of a kind with its article that a name has: `is the humane association in good standing`.
    fn points_at_kind(&self, whole: &str, own: &[String]) -> bool {
        let words: Vec<&str> = whole.split(' ').collect();
        let mut led =
            words.windows(2).filter(|pair| says_any(pair[0], &["points at one", "owner"]));
        let finds = matches!(self.request.act(), DialogueAct::Search | DialogueAct::Change);
        // `back to my church, how old is it`.
        let is_free = !finds && !says(self.text, "of it");
        let is_open = !self.has(Role::Name) && (is_free || says(self.text, "points back"));
        is_open && led.any(|pair| own.iter().any(|own| own == pair[1]))
    }

    /// Whether a word in capitals is the initials of a name: `CAP` of Christian Appalachian Project.
    fn says_initials(&self, name: &str) -> bool {
        let initials: String = name.split(' ').filter_map(|word| word.chars().next()).collect();
        let telling = name.split(' ').filter(|word| tells(word));
        let of_telling: String = telling.filter_map(|word| word.chars().next()).collect();
        let mut words = self.text.split(|c: char| !c.is_alphanumeric());
        words.any(|word| {
            let form = word.trim_end_matches('s').to_lowercase();
            word.len() >= INITIALS_MIN
                && word.trim_end_matches('s').chars().all(char::is_uppercase)
                && (form == initials || form == of_telling)
        })
    }

    /// Whether the message points at words with which a name begins: `the womens center` of Womens Center for Advancement.
    fn points_at_beginning(&self, said: &str, name: &str) -> bool {
        let (said, own): (Vec<&str>, Vec<&str>) =
            (said.split(' ').collect(), name.split(' ').collect());
        let own: Vec<&str> = own.into_iter().skip_while(|word| !tells(word)).collect();
        said.windows(BEGINNING_WORDS + 1)
            .any(|words| says(words[0], "points at one") && own.starts_with(&words[1..]))
    }

    /// Words of places and causes in the message, which belong to no name.
    fn claimed_words(&self) -> Vec<String> {
        let frame = &self.conversation.frame;
        let cause = frame.cause.iter().map(|cause| normalise(cause));
        let places = frame.places.iter().map(|place| normalise(&place.name));
        let all: Vec<String> = cause.chain(places).chain([self.form(Role::Place)]).collect();
        // `the French Canadian one`: the words of a reference identify the nonprofit.
        let referred = self.form(Role::Reference);
        let words = all.iter().flat_map(|form| form.split(' '));
        words.filter(|word| !has_word(&referred, word)).map(str::to_owned).collect()
    }

    /// Whether the message says nothing but the name of one shown: `what about Preble Street?`.
    pub(super) fn only_names_shown(&self) -> Result<Option<Ein>> {
        let seen = self.seen()?;
        let said = normalise(self.text);
        let is_told = |word: &&str| tells(word) && !understand::is_generic(word);
        let said: Vec<&str> = said.split(' ').filter(is_told).collect();
        if said.is_empty() {
            return Ok(None);
        }
        // `anything in Fairbanks` names a place, `what about dogs instead` a kind.
        let place = self.form(Role::Place);
        if said.iter().all(|word| has_word(&place, word)) {
            return Ok(None);
        }
        let is_kind = said.first().filter(|_| said.len() == 1);
        let is_called = |one: &&Organization| {
            let own = words_of_names(one);
            let is_own = |word: &&str| own.iter().any(|own| is_spelled_as(word, own));
            said.iter().all(is_own)
                && said.iter().any(|word| is_of_name(word))
                && (is_kind.is_none_or(|word| !understand::is_kind_word(word))
                    || self.has(Role::Reference))
        };
        let mut called = seen.iter().filter(is_called);
        Ok(called.next().filter(|_| called.next().is_none()).map(|one| one.ein))
    }

    /// The only nonprofit shown whose name has all words of a stretch: `back to Sherwood`.
    pub(super) fn shown_with_words(&self, bytes: &Range<usize>) -> Result<Option<Ein>> {
        let form = normalise(&self.text[bytes.clone()]);
        let telling: Vec<&str> = form.split(' ').filter(|word| tells(word)).collect();
        let seen = self.seen()?;
        let has_all = |one: &&Organization| {
            let own = words_of_names(one);
            telling.iter().all(|word| own.iter().any(|own| own == word))
        };
        let mut called = seen.iter().filter(has_all).filter(|_| !telling.is_empty());
        Ok(called.next().filter(|_| called.next().is_none()).map(|one| one.ein))
    }
}
