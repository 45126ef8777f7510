//! Answers what the understanding of queries asks about the names of a snapshot.

use crate::embed::Lazy;
use crate::index::names::{Feature, Name, Question};
use crate::index::typeahead::{Card, Match, Scope};
use crate::mapped::Damage;
use crate::naming;
use crate::snapshot::Snapshot;
use crate::understand::{Frame, NAMESAKES_MAX, NameMatch, NameMatches, Names};

/// Names that a token unknown to the model must be in to count as a word: at least this many, and
/// at least one in this many organizations, as misspelt names exist too.
const NAMES_OF_A_WORD: u64 = 20;
const ORGANIZATIONS_A_WORD: u64 = 2_000;
/// Names with the typed beginning among which the departed are looked for.
const BEGUN_MAX: usize = 25;

/// Organizations that left the master file and had this name; failing that, those whose name began with it.
pub(super) fn departed_called(snapshot: &Snapshot, name: &str) -> Result<Vec<Card>, Damage> {
    let form = naming::normalise(name);
    let departed = snapshot.columns.organizations();
    let mut begun = Vec::new();
    for hit in snapshot.typeahead.suggest(&form, Scope::All, BEGUN_MAX)? {
        if hit.org.0 >= departed && matches!(hit.reason, Match::Name) {
            begun.push(snapshot.typeahead.card(hit.org)?);
        }
    }
    let is_called = |card: &Card| {
        let alternate = card.alt_name.as_deref().map(naming::normalise);
        naming::normalise(&card.name) == form || alternate.is_some_and(|other| other == form)
    };
    if begun.iter().any(is_called) {
        begun.retain(is_called);
    }
    Ok(begun)
}

impl Names for Snapshot {
    fn named(&self, text: &str) -> Result<NameMatches, Damage> {
        let found = self.names.find(&Question::of(text))?;
        let mut candidates = Vec::new();
        for one in found.candidates.iter().take(NAMESAKES_MAX) {
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

    fn count(&self, frame: &Frame) -> Result<u64, Damage> {
        Ok(self.columns.select(&frame.filters())?.matching.count())
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
