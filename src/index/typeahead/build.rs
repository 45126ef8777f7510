//! Writes the index: names in, sorted, one key a distinct name.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::slice::ParallelSliceMut;

use super::lexicon::LAST;
use super::{CARDS, Card, NAMES, OTHER_NAMES, OTHER_WORDS, Scope, WORDS, Weight};
use crate::mapped::{TableWriter, WriteError};
use crate::naming;
use crate::record::OrgId;

/// Organizations that postings can number: 31 bits.
const ORGANIZATIONS_MAX: u32 = LAST;

/// Bytes of a name that are kept: four times the 100 characters that a query may have.
const NAME_BYTES_MAX: usize = 400;

/// Why the index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// `fst` refused.
    #[error("cannot build the automaton {path}")]
    Automaton { path: PathBuf, source: fst::Error },
    /// There is too much for 32-bit positions.
    #[error("too much for one typeahead index: {found} {what}, at most {limit}")]
    TooMany { what: &'static str, found: u64, limit: u64 },
}

/// What was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Active 501(c)(3)s, which are suggested unless all are asked for.
    pub organizations: u64,
    /// Distinct names of theirs.
    pub names: u64,
    /// Distinct rests of names from a later word on.
    pub word_starts: u64,
}

/// Collects names. About 24 bytes a name and a word start, and the names themselves, are held.
#[derive(Debug, Default)]
pub struct Builder {
    /// The names in normal form, one after another.
    text: String,
    active_charities: Entries,
    others: Entries,
    /// By OrgId; 0 where nothing was added.
    weights: Vec<Weight>,
    cards: Vec<u8>,
    /// By OrgId, as far as organizations were added.
    card_ends: Vec<u32>,
    organizations: u64,
    scratch: Vec<String>,
}

/// The keys of a part of the organizations.
#[derive(Debug, Default)]
struct Entries {
    names: Vec<Entry>,
    words: Vec<Entry>,
}

/// A key that leads to an organization.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// The key's first eight bytes, big-endian: most comparisons end here.
    head: u64,
    position: u32,
    length: u32,
    org: OrgId,
}

impl Entry {
    fn key<'text>(&self, text: &'text str) -> &'text [u8] {
        &text.as_bytes()[self.position as usize..(self.position + self.length) as usize]
    }
}

impl Builder {
    /// An index without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an organization under every name that it has, to the part of the index that `scope` names.
    /// Names are normalised here; equal ones and empty ones are dropped. Organizations come in the
    /// order of their numbers.
    ///
    /// # Errors
    /// When there are more than 2³¹ organizations or 4 GiB of names.
    pub fn add(
        &mut self,
        org: OrgId,
        scope: Scope,
        weight: Weight,
        names: &[&str],
        card: &Card,
    ) -> Result<(), BuildError> {
        check_below("organizations", u64::from(org.0), u64::from(ORGANIZATIONS_MAX))?;
        self.weights.resize(self.weights.len().max(org.index() + 1), Weight::default());
        self.weights[org.index()] = weight;
        self.organizations += u64::from(scope == Scope::ActiveCharities);
        // Those before it that were not added have no card.
        self.card_ends.resize(org.index(), self.cards.len() as u32);
        card.encode(&mut self.cards);
        check_below("bytes of cards", self.cards.len() as u64, u64::from(u32::MAX))?;
        self.card_ends.push(self.cards.len() as u32);
        let mut known = std::mem::take(&mut self.scratch);
        known.clear();
        for name in names {
            let mut name = naming::normalise(name);
            if name.len() > NAME_BYTES_MAX {
                name.truncate(name.floor_char_boundary(NAME_BYTES_MAX));
                name.truncate(name.trim_end().len());
            }
            if !name.is_empty() && !known.contains(&name) {
                known.push(name);
            }
        }
        let outcome = known.iter().try_for_each(|name| self.add_name(org, scope, name));
        self.scratch = known;
        outcome
    }

    fn add_name(&mut self, org: OrgId, scope: Scope, name: &str) -> Result<(), BuildError> {
        let start = self.text.len();
        check_below("bytes of names", (start + name.len()) as u64, u64::from(u32::MAX))?;
        self.text.push_str(name);
        let bytes = name.as_bytes();
        let entry = |at: usize| {
            let mut head = [0; 8];
            let taken = (bytes.len() - at).min(8);
            head[..taken].copy_from_slice(&bytes[at..at + taken]);
            Entry {
                head: u64::from_be_bytes(head),
                position: (start + at) as u32,
                length: (bytes.len() - at) as u32,
                org,
            }
        };
        let entries = match scope {
            Scope::ActiveCharities => &mut self.active_charities,
            Scope::All => &mut self.others,
        };
        entries.names.push(entry(0));
        let blanks = bytes.iter().enumerate().filter(|(_, byte)| **byte == b' ');
        entries.words.extend(blanks.map(|(at, _)| entry(at + 1)));
        Ok(())
    }

    /// Writes the files into a snapshot's folder. Not synced: who stages the snapshot does that.
    pub fn finish(mut self, folder: &Path) -> Result<Counts, BuildError> {
        let mut out = TableWriter::create(&folder.join(CARDS))?;
        out.column("weights", self.weights.iter().map(|weight| weight.value()))?;
        let cards = std::mem::take(&mut self.cards);
        let ends = self.card_ends.iter().map(|end| *end as usize);
        let starts = std::iter::once(0).chain(ends.clone());
        out.texts("cards", starts.zip(ends).map(|(start, end)| &cards[start..end]))?;
        out.finish()?;
        drop(cards);

        let (text, weights) = (&self.text, &self.weights);
        let (own, others) = (&mut self.active_charities, &mut self.others);
        let write = |(map, postings), entries: &mut [Entry]| {
            write(folder, map, postings, entries, text, weights)
        };
        let ((names, words), (other_names, other_words)) = rayon::join(
            || rayon::join(|| write(NAMES, &mut own.names), || write(WORDS, &mut own.words)),
            || {
                rayon::join(
                    || write(OTHER_NAMES, &mut others.names),
                    || write(OTHER_WORDS, &mut others.words),
                )
            },
        );
        other_names.and(other_words)?;
        Ok(Counts { organizations: self.organizations, names: names?, word_starts: words? })
    }
}

/// Writes one map and its postings; how many keys it has.
fn write(
    folder: &Path,
    map: &str,
    postings: &str,
    entries: &mut [Entry],
    text: &str,
    weights: &[Weight],
) -> Result<u64, BuildError> {
    check_below("names and word starts", entries.len() as u64, u64::from(u32::MAX))?;
    let weight = |entry: &Entry| weights[entry.org.index()];
    entries.par_sort_unstable_by(|a, b| {
        (a.head.cmp(&b.head))
            .then_with(|| a.key(text).cmp(b.key(text)))
            .then_with(|| weight(b).cmp(&weight(a)))
            .then_with(|| a.org.cmp(&b.org))
    });

    let path = folder.join(map);
    let mut postings = TableWriter::create(&folder.join(postings))?;
    postings.section("organizations", 4)?;
    let automaton = |source| BuildError::Automaton { path: path.clone(), source };
    let file = BufWriter::new(File::create(&path).map_err(WriteError::of(&path))?);
    let mut builder = fst::raw::Builder::new(file).map_err(automaton)?;

    let (mut keys, mut position) = (0, 0_u64);
    for group in entries.chunk_by(|a, b| a.head == b.head && a.key(text) == b.key(text)) {
        let value = (weight(&group[0]).cost() << 32) | position;
        builder.insert(group[0].key(text), value).map_err(automaton)?;
        keys += 1;
        // One organization can have a key twice: `north by north` from its word starts has not,
        // but two names of it may share a rest.
        let mut members = group.iter().map(|entry| entry.org).peekable();
        while let Some(org) = members.next() {
            while members.peek() == Some(&org) {
                members.next();
            }
            let last = if members.peek().is_none() { LAST } else { 0 };
            postings.write(&(org.0 | last).to_le_bytes())?;
            position += 1;
        }
    }
    builder.into_inner().map_err(automaton)?.flush().map_err(WriteError::of(&path))?;
    postings.finish()?;
    Ok(keys)
}

fn check_below(what: &'static str, found: u64, limit: u64) -> Result<(), BuildError> {
    if found >= limit {
        return Err(BuildError::TooMany { what, found, limit });
    }
    Ok(())
}
