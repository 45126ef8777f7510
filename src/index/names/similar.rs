//! Terms that a misspelt one may mean: at most two edits away, found without looking at the rest.
//!
//! A term of seven characters or more is cut in three segments, a shorter one in two. Two edits
//! leave one of three segments whole, one edit one of two, at a place that is shifted by at most
//! that many characters: so what shares a segment is looked up and then measured (Li, Deng, Wang and
//! Feng, *Pass-Join*, VLDB 2011). A swap of neighbours counts as one edit (optimal string
//! alignment); swaps are tried apart, since they may lie across two segments.
//!
//! Of the table of names, the pairs `segments`: terms by the hash of a segment (u32).

use xxhash_rust::xxh3::xxh3_64;

use super::analysis;
use super::terms::{TermId, Terms};
use crate::mapped::{Damage, Pairs, Table};
use crate::naming::{edit_distance, edits_max};

/// Terms of a segment that are measured: those of a frequent beginning of short words are
/// thousands.
const MEASURED_MAX: usize = 4_000;

/// Whether a term may be misspelt: a number is meant as it stands.
pub(super) fn may_be_misspelt(term: &str) -> bool {
    edits_max(term.chars().count()) > 0
        && !term.bytes().any(|byte| byte.is_ascii_digit())
        && analysis::is_word(term)
}

/// The bounds of the segments of a term of `characters` characters.
fn segments(characters: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = edits_max(characters) + 1;
    (0..count).map(move |at| (characters * at / count, characters * (at + 1) / count))
}

fn hash(characters: usize, segment: usize, text: &[char]) -> u32 {
    let mut key = format!("{characters} {segment} ");
    key.extend(text);
    xxh3_64(key.as_bytes()) as u32
}

/// The segments of every term, in the order of their numbers: hash and term of each, sorted.
pub(super) fn pairs<'a>(terms: impl Iterator<Item = &'a str>) -> Vec<(u32, u32)> {
    let mut entries: Vec<(u32, u32)> = Vec::new();
    for (number, term) in (0_u32..).zip(terms) {
        if may_be_misspelt(term) {
            let characters: Vec<char> = term.chars().collect();
            for (at, (start, end)) in segments(characters.len()).enumerate() {
                entries.push((hash(characters.len(), at, &characters[start..end]), number));
            }
        }
    }
    entries.sort_unstable();
    entries
}

/// A known term similar to the one typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Similar {
    pub edits: usize,
    pub term: TermId,
}

/// The opened segments.
#[derive(Debug)]
pub(super) struct Segments(Pairs<u32>);

impl Segments {
    /// Those of a table of names.
    pub fn of(table: &Table) -> Result<Self, Damage> {
        Ok(Self(table.pairs("segments")?))
    }

    /// The terms at most [`edits_max`] edits from `misspelt`, itself left out; nearest first.
    pub fn similar(&self, terms: &Terms, misspelt: &str) -> Result<Vec<Similar>, Damage> {
        if !may_be_misspelt(misspelt) {
            return Ok(Vec::new());
        }
        let asked: Vec<char> = misspelt.chars().collect();
        let most = edits_max(asked.len());
        let mut candidates: Vec<u32> = Vec::new();
        for length in asked.len().saturating_sub(most)..=asked.len() + most {
            let edits = edits_max(length).min(most);
            if edits == 0 {
                continue;
            }
            for (at, (start, end)) in segments(length).enumerate() {
                let shifted = start.saturating_sub(edits)..=start + edits;
                for first in shifted {
                    if let Some(text) = asked.get(first..first + (end - start)) {
                        candidates.extend(self.0.of(hash(length, at, text), MEASURED_MAX)?);
                    }
                }
            }
        }
        let mut found = Vec::new();
        let mut swapped = asked.clone();
        for at in 1..asked.len() {
            swapped.swap(at - 1, at);
            let text: String = swapped.iter().collect();
            candidates.extend(terms.find(&text)?.map(|term| term.0));
            // `ministrise` of `ministries`, which the index has as `ministry`.
            let stem = analysis::without_plural(&text);
            if stem != text {
                found.extend(terms.find(&stem)?.map(|term| Similar { edits: 1, term }));
            }
            swapped.swap(at - 1, at);
        }
        candidates.sort_unstable();
        candidates.dedup();
        let mut scratch = Vec::new();
        for term in candidates.into_iter().map(TermId) {
            let text = terms.text(term)?;
            scratch.clear();
            scratch.extend(text.chars());
            let edits = edits_max(scratch.len()).min(most);
            if let Some(edits) = edit_distance(&asked, &scratch, edits).filter(|edits| *edits > 0) {
                found.push(Similar { edits, term });
            }
        }
        found.sort_unstable_by_key(|similar| (similar.term, similar.edits));
        found.dedup_by_key(|similar| similar.term);
        found.sort_unstable();
        Ok(found)
    }
}
