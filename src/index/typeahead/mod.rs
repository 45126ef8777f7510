//! Search-as-you-type over names: the exact best k completions, without looking at the rest.
//!
//! Two `fst` maps hold the normalised names: `names.fst` the whole names, `words.fst` what is left
//! of each name from a later word on. A key's value is `(cost << 32) | posting`, where cost is
//! [`Weight::COST_MAX`] less the weight of the heaviest organization of that name, and posting is
//! where the organizations of that name begin in the `.postings` file, heaviest first. The outputs
//! along a path of the automaton add up to the least value of its completions, so a best-first
//! search (`completions`) pops the answers in their final order and stops at the k-th.
//!
//! An organization is offered for the best of four reasons ([`Match`]), by weight within each.
//!
//! Files, all little-endian: `*.fst` as the crate `fst` writes them; `*.postings` u32 each, an
//! OrgId in the lower 31 bits, the highest set on the last organization of a name; `weights` u16
//! each, by OrgId; `cards` and `card-ends` what a suggestion shows ([`Card`]).

mod build;
mod card;
mod completions;
mod lexicon;
mod typo;
mod weight;

use std::collections::HashSet;

pub use build::{BuildError, Builder, Counts};
pub use card::Card;
use card::Cards;
use completions::Completions;
use lexicon::Lexicon;
pub use weight::Weight;

use crate::mapped::{Damage, MapError, Mapped};
use crate::record::OrgId;

/// The files of the index, as paths within a snapshot.
pub const FILES: [&str; 7] =
    [NAMES_FST, NAMES_POSTINGS, WORDS_FST, WORDS_POSTINGS, WEIGHTS, CARDS, CARD_ENDS];

const NAMES_FST: &str = "typeahead/names.fst";
const NAMES_POSTINGS: &str = "typeahead/names.postings";
const WORDS_FST: &str = "typeahead/words.fst";
const WORDS_POSTINGS: &str = "typeahead/words.postings";
const WEIGHTS: &str = "typeahead/weights";
const CARDS: &str = "typeahead/cards";
const CARD_ENDS: &str = "typeahead/card-ends";

/// Characters from which on one typo is tolerated: below, nearly everything is one edit away.
pub const TYPO_CHARACTERS_MIN: usize = 4;

/// Why an organization is offered, the best reason first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Match {
    /// A name begins with what was typed.
    Name,
    /// From a later word on, a name begins with what was typed.
    Word,
    /// A name begins with something one edit away from what was typed.
    NameTypo,
    /// The same from a later word on.
    WordTypo,
}

/// An organization offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// Which.
    pub org: OrgId,
    /// Why.
    pub reason: Match,
    /// Its weight among those offered for the same reason.
    pub weight: Weight,
}

/// Why the index cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file of it cannot be mapped.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A file of it is damaged.
    #[error(transparent)]
    Damage(#[from] Damage),
}

/// The opened index.
#[derive(Debug)]
pub struct Typeahead {
    names: Lexicon,
    words: Lexicon,
    weights: Mapped,
    cards: Cards,
}

impl Typeahead {
    /// Opens the index; `open` maps one of [`FILES`].
    ///
    /// # Errors
    /// When a file cannot be mapped, or its header is damaged or of another version.
    pub fn open(open: &mut dyn FnMut(&str) -> Result<Mapped, MapError>) -> Result<Self, OpenError> {
        let names = Lexicon::open(open(NAMES_FST)?, open(NAMES_POSTINGS)?)?;
        let words = Lexicon::open(open(WORDS_FST)?, open(WORDS_POSTINGS)?)?;
        let cards = Cards { cards: open(CARDS)?, ends: open(CARD_ENDS)? };
        Ok(Self { names, words, weights: open(WEIGHTS)?, cards })
    }

    /// At most `limit` organizations for what was typed, in normal form, best first: by reason,
    /// then weight, then name. Nothing for an empty text.
    ///
    /// # Errors
    /// [`Damage`] when a file that the answer needs is damaged.
    pub fn suggest(&self, typed: &str, limit: usize) -> Result<Vec<Hit>, Damage> {
        let mut found = Found { hits: Vec::with_capacity(limit), seen: HashSet::new(), limit };
        if typed.is_empty() {
            return Ok(found.hits);
        }
        for (lexicon, reason) in [(&self.names, Match::Name), (&self.words, Match::Word)] {
            let root = lexicon.walk(lexicon.root(), typed.as_bytes())?;
            self.complete(lexicon, root, reason, &mut found)?;
        }
        let typed: Vec<char> = typed.chars().collect();
        if typed.len() < TYPO_CHARACTERS_MIN {
            return Ok(found.hits);
        }
        for (lexicon, reason) in [(&self.names, Match::NameTypo), (&self.words, Match::WordTypo)] {
            if !found.is_full() {
                let roots = typo::one_edit_away(lexicon, &typed)?;
                self.complete(lexicon, roots, reason, &mut found)?;
            }
        }
        Ok(found.hits)
    }

    /// What a suggestion shows of an organization that [`Typeahead::suggest`] offered.
    ///
    /// # Errors
    /// [`Damage`] when its bytes are damaged, or it is not offered at all.
    pub fn card(&self, org: OrgId) -> Result<Card, Damage> {
        self.cards.get(org)
    }

    /// Adds what the paths from `roots` complete to, lightest cost first, until there is enough.
    fn complete(
        &self,
        lexicon: &Lexicon,
        roots: impl IntoIterator<Item = lexicon::Position>,
        reason: Match,
        found: &mut Found,
    ) -> Result<(), Damage> {
        let mut completions = Completions::new(lexicon, &self.weights, roots);
        while !found.is_full() {
            let Some((org, weight)) = completions.next()? else { break };
            if found.seen.insert(org) {
                found.hits.push(Hit { org, reason, weight });
            }
        }
        Ok(())
    }
}

/// What was found so far.
struct Found {
    hits: Vec<Hit>,
    seen: HashSet<OrgId>,
    limit: usize,
}

impl Found {
    fn is_full(&self) -> bool {
        self.hits.len() >= self.limit
    }
}

#[cfg(test)]
mod tests;
