//! Search-as-you-type over names: the exact best k completions, without looking at the rest.
//!
//! Two `fst` maps hold the normalised names of active 501(c)(3)s: `names.fst` the whole names,
//! `words.fst` what is left of each name from a later word on; two more those of all others. A key's
//! value is `(cost << 32) | posting`, where cost is [`Weight::COST_MAX`] less the weight of the
//! heaviest organization of that name, and posting is where the organizations of that name begin in
//! the `.postings` file, heaviest first. The outputs along a path of the automaton add up to the
//! least value of its completions, so a best-first search (`completions`) pops the answers in their
//! final order and stops at the k-th.
//!
//! An organization is offered for the best of four reasons ([`Match`]). Beginnings of names and of
//! later words are merged by weight, of which a beginning of the name has [`NAME_ADVANTAGE`] more; one
//! typo in the name and one typo from a later word on follow, by weight within each.
//!
//! Files: `*.fst` as the crate `fst` writes them; `*.postings`, tables of `organizations`, u32 each: an OrgId in the
//! lower 31 bits, the highest set on the last organization of a name; and the table `cards` of `weights`, u16 each, by
//! OrgId, and of the texts `cards`, what a suggestion shows ([`Card`]).

mod build;
mod card;
mod completions;
mod lexicon;
mod typo;
mod weight;

use std::collections::HashSet;

pub use build::{BuildError, Builder, Counts};
pub use card::Card;
use completions::Completions;
use lexicon::Lexicon;
pub use weight::Weight;

use crate::mapped::{Column, Damage, Files, Lists, OpenError, Table};
use crate::record::OrgId;

/// The files of the index, as paths within a snapshot: each map and its postings.
const NAMES: (&str, &str) = ("typeahead/names.fst", "typeahead/names.postings");
const WORDS: (&str, &str) = ("typeahead/words.fst", "typeahead/words.postings");
const OTHER_NAMES: (&str, &str) = ("typeahead/other-names.fst", "typeahead/other-names.postings");
const OTHER_WORDS: (&str, &str) = ("typeahead/other-words.fst", "typeahead/other-words.postings");
const CARDS: &str = "typeahead/cards";

/// How much heavier an organization counts when its name begins with what was typed than when a later
/// word does: a hundred times its size.
pub const NAME_ADVANTAGE: u32 = 2 * Weight::TENFOLD as u32;

/// Characters from which on one typo is tolerated: below, nearly everything is one edit away.
pub const TYPO_CHARACTERS_MIN: usize = 4;

/// Which organizations are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// Active 501(c)(3)s.
    #[default]
    ActiveCharities,
    /// Every organization.
    All,
}

/// Why an organization is offered.
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
    pub org: OrgId,
    pub reason: Match,
    pub weight: Weight,
}

impl Hit {
    /// What hits that are merged are ordered by.
    pub fn rank_weight(&self) -> u32 {
        u32::from(self.weight.value()) + self.reason.advantage()
    }
}

impl Match {
    fn advantage(self) -> u32 {
        if self == Self::Name { NAME_ADVANTAGE } else { 0 }
    }
}

/// The maps of a part of the organizations.
#[derive(Debug)]
struct Shard {
    names: Lexicon,
    words: Lexicon,
}

impl Shard {
    fn open(
        files: &mut Files<'_>,
        names: (&str, &str),
        words: (&str, &str),
    ) -> Result<Self, OpenError> {
        Ok(Self { names: Lexicon::open(files, names)?, words: Lexicon::open(files, words)? })
    }
}

/// The opened index.
#[derive(Debug)]
pub struct Typeahead {
    active_charities: Shard,
    others: Shard,
    weights: Column<u16>,
    cards: Lists<u8>,
}

impl Typeahead {
    /// Opens the index.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let active_charities = Shard::open(files, NAMES, WORDS)?;
        let others = Shard::open(files, OTHER_NAMES, OTHER_WORDS)?;
        let table = Table::open(files, CARDS)?;
        let cards: Lists<u8> = table.lists("cards")?;
        let weights = table.column_of("weights", cards.count())?;
        Ok(Self { active_charities, others, weights, cards })
    }

    /// At most `limit` organizations for what was typed, in normal form, best first. Nothing for an
    /// empty text.
    pub fn suggest(&self, typed: &str, scope: Scope, limit: usize) -> Result<Vec<Hit>, Damage> {
        let mut found = Matches { hits: Vec::with_capacity(limit), seen: HashSet::new(), limit };
        if typed.is_empty() {
            return Ok(found.hits);
        }
        let parts = match scope {
            Scope::ActiveCharities => &[&self.active_charities][..],
            Scope::All => &[&self.active_charities, &self.others],
        };
        let mut streams = Vec::with_capacity(4);
        for part in parts {
            for (lexicon, reason) in [(&part.names, Match::Name), (&part.words, Match::Word)] {
                let root = lexicon.walk(lexicon.root(), typed.as_bytes())?;
                streams.push(self.stream(lexicon, root, reason)?);
            }
        }
        merge(streams, &mut found)?;
        let typed: Vec<char> = typed.chars().collect();
        if typed.len() < TYPO_CHARACTERS_MIN {
            return Ok(found.hits);
        }
        for reason in [Match::NameTypo, Match::WordTypo] {
            if found.is_full() {
                break;
            }
            let mut streams = Vec::with_capacity(2);
            for part in parts {
                let lexicon = if reason == Match::NameTypo { &part.names } else { &part.words };
                let roots = typo::one_edit_away(lexicon, &typed)?;
                streams.push(self.stream(lexicon, roots, reason)?);
            }
            merge(streams, &mut found)?;
        }
        Ok(found.hits)
    }

    /// What a suggestion shows of an organization.
    pub fn card(&self, org: OrgId) -> Result<Card, Damage> {
        Card::decode(self.cards.bytes(org.index())?)
            .ok_or_else(|| self.cards.form(format!("no card of organization {}", org.0)))
    }

    /// How heavy an organization is among those that fit alike.
    pub fn weight(&self, org: OrgId) -> Result<Weight, Damage> {
        Ok(Weight::new(self.weights.at(org.index())?))
    }

    fn stream<'index>(
        &'index self,
        lexicon: &'index Lexicon,
        roots: impl IntoIterator<Item = lexicon::Position>,
        reason: Match,
    ) -> Result<Stream<'index>, Damage> {
        let mut completions = Completions::new(lexicon, &self.weights, roots);
        let next = completions.next()?;
        Ok(Stream { completions, reason, next })
    }
}

/// Completions for one reason, the heaviest first.
struct Stream<'index> {
    completions: Completions<'index>,
    reason: Match,
    next: Option<(OrgId, Weight)>,
}

impl Stream<'_> {
    fn hit(&self) -> Option<Hit> {
        self.next.map(|(org, weight)| Hit { org, reason: self.reason, weight })
    }
}

/// Adds what streams lead to by weight, of equal ones that of the earlier stream, until there is
/// enough.
fn merge(mut streams: Vec<Stream<'_>>, found: &mut Matches) -> Result<(), Damage> {
    while !found.is_full() {
        let heads = streams.iter().enumerate().filter_map(|(at, one)| Some((at, one.hit()?)));
        let best = heads.max_by_key(|(at, hit)| (hit.rank_weight(), std::cmp::Reverse(*at)));
        let Some((at, hit)) = best else { break };
        streams[at].next = streams[at].completions.next()?;
        if found.seen.insert(hit.org) {
            found.hits.push(hit);
        }
    }
    Ok(())
}

/// What was found so far.
struct Matches {
    hits: Vec<Hit>,
    seen: HashSet<OrgId>,
    limit: usize,
}

impl Matches {
    fn is_full(&self) -> bool {
        self.hits.len() >= self.limit
    }
}

#[cfg(test)]
mod tests;
