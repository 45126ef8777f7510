//! Terms that a misspelt one may mean: at most two edits away, found without looking at the rest.
//!
//! A term of seven characters or more is cut in three segments, a shorter one in two. Two edits
//! leave one of three segments whole, one edit one of two, at a place that is shifted by at most
//! that many characters: so what shares a segment is looked up and then measured (Li, Deng, Wang and
//! Feng, *Pass-Join*, VLDB 2011). A swap of neighbours counts as one edit (optimal string
//! alignment); swaps are tried apart, since they may lie across two segments.
//!
//! The file `names/segments`, little-endian: u32 entries, then their hashes (u32 each), rising, then
//! their terms (u32 each).

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::terms::{TermId, Terms};
use super::{analysis, partition_point};
use crate::mapped::{Damage, MappedFile};
use crate::naming::{edit_distance, edits_max};

pub(super) const FILE: &str = "names/segments";

const HEADER_BYTES: usize = 4;

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

/// Writes the segments of every term, in the order of their numbers.
pub(super) fn write<'a>(path: &Path, terms: impl Iterator<Item = &'a str>) -> io::Result<()> {
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
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&u32::try_from(entries.len()).map_err(io::Error::other)?.to_le_bytes())?;
    for (hash, _) in &entries {
        out.write_all(&hash.to_le_bytes())?;
    }
    for (_, term) in &entries {
        out.write_all(&term.to_le_bytes())?;
    }
    out.flush()
}

/// A known term similar to the one typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Similar {
    pub edits: usize,
    pub term: TermId,
}

/// The opened segments.
#[derive(Debug)]
pub(super) struct Segments {
    file: MappedFile,
    count: usize,
}

impl Segments {
    pub fn open(file: MappedFile) -> Result<Self, Damage> {
        let count = file.u32_at(0, 0)? as usize;
        if file.len() != HEADER_BYTES + count * 8 {
            return Err(file.form(format!("expected {count} segments of terms")));
        }
        Ok(Self { file, count })
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
                        self.with(hash(length, at, text), &mut candidates)?;
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

    fn with(&self, hash: u32, candidates: &mut Vec<u32>) -> Result<(), Damage> {
        let first =
            partition_point(0, self.count, |at| Ok(self.file.u32_at(HEADER_BYTES, at)? < hash))?;
        for at in (first..self.count).take(MEASURED_MAX) {
            if self.file.u32_at(HEADER_BYTES, at)? != hash {
                break;
            }
            candidates.push(self.file.u32_at(HEADER_BYTES + self.count * 4, at)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::terms::{self, Entry};
    use super::*;
    use crate::mapped::BlockSums;

    fn opened(words: &BTreeSet<String>) -> (tempfile::TempDir, Terms, Segments) {
        let folder = tempfile::tempdir().unwrap();
        let open = |name: &str| {
            let path = folder.path().join(name);
            let sums = BlockSums::of(std::fs::File::open(&path).unwrap(), |_| {}).unwrap();
            MappedFile::open(&path, name, sums).unwrap()
        };
        let entries: Vec<_> =
            words.iter().map(|text| Entry { text, frequency: 1, postings: 0 }).collect();
        terms::write(&folder.path().join("terms"), 1, &entries).unwrap();
        write(&folder.path().join("segments"), words.iter().map(String::as_str)).unwrap();
        let (terms, segments) = (open("terms"), open("segments"));
        (folder, Terms::open(terms).unwrap(), Segments::open(segments).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]

        /// Against measuring every term. A swap together with another edit may be missed.
        #[test]
        fn finds_what_measuring_everything_finds(
            words in prop::collection::btree_set("[abc]{4,10}", 1..60),
            asked in "[abc]{4,10}",
        ) {
            let (_folder, terms, segments) = opened(&words);
            let found: Vec<String> = segments
                .similar(&terms, &asked)
                .unwrap()
                .iter()
                .map(|similar| terms.text(similar.term).unwrap().to_owned())
                .collect();
            let characters = |text: &str| text.chars().collect::<Vec<_>>();
            for word in &words {
                let most = edits_max(word.len()).min(edits_max(asked.len()));
                let near = strsim_levenshtein(&characters(word), &characters(&asked));
                let due = near > 0 && near <= most;
                prop_assert!(!due || found.contains(word), "{word} of {asked}");
            }
            for word in &found {
                prop_assert!(edit_distance(&characters(word), &characters(&asked), 2).is_some());
            }
        }
    }

    /// Levenshtein's distance, the plain way.
    fn strsim_levenshtein(one: &[char], other: &[char]) -> usize {
        let mut row: Vec<usize> = (0..=other.len()).collect();
        for (i, a) in one.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, b) in other.iter().enumerate() {
                let cost = (diagonal + usize::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = row[j + 1];
                row[j + 1] = cost;
            }
        }
        row[other.len()]
    }
}
