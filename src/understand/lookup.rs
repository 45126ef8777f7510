//! The lookups in the data that understanding and search need, each made once a request.

use std::borrow::Borrow;
use std::collections::VecDeque;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use super::frame::Frame;
use super::naming::{NAMESAKES_MAX, NameMatch, NameMatches};
use super::region;
use crate::embed::Lazy;
use crate::index::columns::Selection;
use crate::index::names::{Answer, Candidate, Feature, Name, Question};
use crate::mapped::Damage;
use crate::naming::normalise;
use crate::query::Filters;
use crate::record::Ein;
use crate::snapshot::Snapshot;

/// Names that a token unknown to the model must be in to count as a word: at least this many, and
/// at least one in this many organizations, as misspelt names exist too.
const NAMES_OF_A_WORD: u64 = 20;
const ORGANIZATIONS_A_WORD: u64 = 2_000;

/// Texts, and filters, whose latest results a request remembers. The rows of one filter are a bit an
/// organization, 240 KB in the whole country.
const TEXTS_MAX: usize = 32;
const FILTERS_MAX: usize = 16;
/// Filters whose numbers of rows it remembers: namesakes of a town are several dozens.
const COUNTS_MAX: usize = 256;

/// Words of a name that may be written as one.
const JOINED_WORDS_MAX: usize = 3;
/// Nonprofits that words of their names find.
const WITH_WORDS_MAX: usize = 2_000;

/// Lookups of names and counts in the data.
pub trait Names {
    /// The organizations that a text may name.
    fn named(&self, text: &str) -> Result<NameMatches, Damage>;

    /// How many nonprofits satisfy a frame.
    fn count(&self, frame: &Frame) -> Result<u64, Damage>;

    /// Whether a nonprofit satisfies a frame, whatever EINs that has.
    fn satisfies(&self, frame: &Frame, ein: Ein) -> Result<bool, Damage>;

    /// Nonprofits of a frame whose names have a form of each of some words (`auxiliary`, `auxiliaries`), some thousands at
    /// most.
    fn with_words(&self, frame: &Frame, words: &[Vec<String>]) -> Result<Vec<Ein>, Damage>;

    /// Whether this is a correctly spelt word.
    fn is_word(&self, word: &str) -> Result<bool, Damage>;

    /// The number of names with a word.
    fn frequency(&self, word: &str) -> Result<u64, Damage>;
}

/// A snapshot as one request looks it up: what was looked up already is remembered.
pub struct Lookup<'a> {
    snapshot: &'a Snapshot,
    named: Memo<String, Arc<Answer>>,
    selected: Memo<Filters, Arc<Selection>>,
    counted: Memo<Filters, u64>,
}

impl<'a> Lookup<'a> {
    /// Nothing is looked up yet.
    pub fn of(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            named: Memo::of_latest(TEXTS_MAX),
            selected: Memo::of_latest(FILTERS_MAX),
            counted: Memo::of_latest(COUNTS_MAX),
        }
    }

    /// The snapshot itself, which outlives the request's lookups.
    pub fn snapshot(&self) -> &'a Snapshot {
        self.snapshot
    }

    /// The organizations that a whole question may name, of all that there are.
    pub fn candidates(&self, text: &str) -> Result<Arc<Answer>, Damage> {
        self.named.get(text, || self.names.find(&Question::of(text)).map(Arc::new))
    }

    /// The organizations that satisfy every filter.
    pub fn select(&self, filters: &Filters) -> Result<Arc<Selection>, Damage> {
        self.selected.get(filters, || self.columns.select(filters).map(Arc::new))
    }

    /// Whether an organization satisfies every filter.
    pub fn selects(&self, filters: &Filters, ein: Ein) -> Result<bool, Damage> {
        let Some(org) = self.columns.org_of(ein)? else { return Ok(false) };
        Ok(self.select(filters)?.matching.contains(org))
    }
}

impl Lookup<'_> {
    /// The organizations that a text may name, its words as they are written apart.
    fn named_as_written(&self, text: &str) -> Result<NameMatches, Damage> {
        let found = self.candidates(text)?;
        let mut candidates = Vec::new();
        for one in likeliest(&found.candidates) {
            let card = self.typeahead.card(one.org)?;
            candidates.push(NameMatch {
                ein: card.ein,
                name: card.name,
                other_name: card.alt_name.filter(|_| one.name != Name::Legal),
                probability: one.probability,
                features: one.features,
            });
        }
        // Only of a text that is somebody's name it matters how many have it.
        let has_its_terms = |one: &NameMatch| one.features[Feature::Equal as usize] == 1.0;
        let equal = match candidates.first().is_some_and(has_its_terms) {
            true => self.names.count(text)?,
            false => 0,
        };
        Ok(NameMatches { candidates, nobody: found.nobody, equal })
    }
}

/// The likeliest candidates, with the heaviest of those that are called just so in place of the last: of a great group
/// the chapters may hide it.
fn likeliest(candidates: &[Candidate]) -> Vec<&Candidate> {
    let mut likeliest: Vec<&Candidate> = candidates.iter().take(NAMESAKES_MAX).collect();
    let feature = |one: &Candidate, feature: Feature| one.features[feature as usize];
    let equal = candidates.iter().filter(|one| feature(one, Feature::Equal) == 1.0);
    let heaviest =
        equal.max_by(|a, b| feature(a, Feature::Weight).total_cmp(&feature(b, Feature::Weight)));
    if let Some(heaviest) = heaviest.filter(|one| likeliest.iter().all(|kept| kept.org != one.org))
    {
        likeliest.pop();
        likeliest.push(heaviest);
    }
    likeliest
}

impl Deref for Lookup<'_> {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        self.snapshot
    }
}

impl Names for Lookup<'_> {
    fn named(&self, text: &str) -> Result<NameMatches, Damage> {
        // Who has the other name `Northern Nevada` is not meant by it.
        if region::is_part_of_state(&normalise(text)) {
            return Ok(NameMatches::default());
        }
        let apart = self.named_as_written(text)?;
        if apart.namesakes() > 0
            || !(2..=JOINED_WORDS_MAX).contains(&text.split_whitespace().count())
        {
            return Ok(apart);
        }
        // `unidos us` is UnidosUS.
        let joined = self.named_as_written(&text.split_whitespace().collect::<String>())?;
        let has_its_terms = |one: &NameMatch| one.features[Feature::Equal as usize] == 1.0;
        Ok(if joined.sure().is_some_and(has_its_terms) { joined } else { apart })
    }

    fn count(&self, frame: &Frame) -> Result<u64, Damage> {
        let filters = frame.filters();
        self.counted.get(&filters, || Ok(self.select(&filters)?.matching.count()))
    }

    fn satisfies(&self, frame: &Frame, ein: Ein) -> Result<bool, Damage> {
        self.selects(&Filters { eins: Vec::new(), ..frame.filters() }, ein)
    }

    fn with_words(&self, frame: &Frame, words: &[Vec<String>]) -> Result<Vec<Ein>, Damage> {
        let one_of = |forms: &[String], word: &str| forms.iter().any(|form| form == word);
        let firsts: Vec<&str> =
            words.iter().filter_map(|forms| Some(forms.first()?.as_str())).collect();
        let forms = |word: &str| words.iter().find(|forms| one_of(forms, word)).cloned();
        let mut found = self
            .fulltext
            .all_of_forms(&firsts.join(" "), |word| forms(word).unwrap_or_default())?;
        found.intersect(&self.select(&frame.filters())?.matching);
        let mut eins = Vec::new();
        for org in found.iter().take(WITH_WORDS_MAX) {
            let card = self.typeahead.card(org)?;
            let name = normalise(&card.name);
            // Missions were searched, too.
            if words.iter().all(|forms| name.split(' ').any(|own| one_of(forms, own))) {
                eins.push(card.ein);
            }
        }
        Ok(eins)
    }

    fn is_word(&self, word: &str) -> Result<bool, Damage> {
        // The model's tokenizer has common words whole and cuts what it does not know in pieces.
        const TOKENS_OF_A_WORD: usize = 3;
        // Of `fixes` it may have `fix` alone.
        let singular = ["es", "s"].into_iter().filter_map(|end| word.strip_suffix(end));
        let is_whole = |word: &str| {
            let count = Lazy::embedded().ok().and_then(|model| model.count_tokens(word).ok());
            count == Some(TOKENS_OF_A_WORD)
        };
        if std::iter::once(word).chain(singular).any(is_whole) {
            return Ok(true);
        }
        let share = u64::from(self.columns.organizations()) / ORGANIZATIONS_A_WORD;
        Ok(self.fulltext.frequency(word)? >= NAMES_OF_A_WORD.max(share))
    }

    fn frequency(&self, word: &str) -> Result<u64, Damage> {
        self.fulltext.frequency(word)
    }
}

/// The latest results of a lookup by what was looked up: few enough to look at each.
struct Memo<Key, Value> {
    latest: Mutex<VecDeque<(Key, Value)>>,
    max: usize,
}

impl<Key, Value: Clone> Memo<Key, Value> {
    fn of_latest(max: usize) -> Self {
        Self { latest: Mutex::default(), max }
    }

    /// The result of a key, which `find` looks up if it is not known.
    fn get<Asked>(
        &self,
        key: &Asked,
        find: impl FnOnce() -> Result<Value, Damage>,
    ) -> Result<Value, Damage>
    where
        Asked: PartialEq + ToOwned<Owned = Key> + ?Sized,
        Key: Borrow<Asked>,
    {
        let lock = || self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |one: &&(Key, Value)| Borrow::<Asked>::borrow(&one.0) == key;
        let known = lock().iter().find(is_it).map(|(_, value)| value.clone());
        if let Some(value) = known {
            return Ok(value);
        }
        // Not locked meanwhile: a search looks up on several threads.
        let value = find()?;
        let mut latest = lock();
        if latest.len() == self.max {
            latest.pop_front();
        }
        latest.push_back((key.to_owned(), value.clone()));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_same_is_looked_up_once_while_it_is_among_the_latest() {
        let (memo, count) = (Memo::<String, usize>::of_latest(2), Cell::new(0));
        let get = |text: &str| {
            let find = || {
                count.set(count.get() + 1);
                Ok(text.len())
            };
            assert_eq!(memo.get(text, find).unwrap(), text.len());
            count.get()
        };
        assert_eq!(["food", "food bank", "food"].map(get), [1, 2, 2]);
        assert_eq!(["food bank of maine", "food bank", "food"].map(get), [3, 3, 4]);
    }
}
