//! Which organizations have a term: their ranks, rising, in blocks that can be skipped.
//!
//! An organization's *rank* is its position when all are sorted by weight, the heaviest first, so
//! that a list read from its start meets first those that people mean most.
//!
//! The postings of a term of frequency `f` are `f / BLOCK` entries (rounded up) of a skip table,
//! u32 last rank and u32 end of the block's bytes counted from the end of the table, and then the
//! blocks: differences to the rank before, LEB128 each.

use crate::mapped::{Column, Damage, partition_point};

/// Ranks of a block.
const BLOCK: usize = 128;
const SKIP_BYTES: usize = 8;

/// A rank past every other.
pub(super) const END: u32 = u32::MAX;

/// The postings of a term.
pub(super) fn encode(ranks: &[u32]) -> Vec<u8> {
    let start = ranks.len().div_ceil(BLOCK) * SKIP_BYTES;
    let mut out = vec![0; start];
    let mut before = 0;
    for (at, block) in ranks.chunks(BLOCK).enumerate() {
        for &rank in block {
            write_varint(rank - before, &mut out);
            before = rank;
        }
        let end = (out.len() - start) as u32;
        let entry = at * SKIP_BYTES;
        out[entry..entry + 4].copy_from_slice(&before.to_le_bytes());
        out[entry + 4..entry + 8].copy_from_slice(&end.to_le_bytes());
    }
    out
}

/// Adds a number in LEB128.
pub(super) fn write_varint(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads a number in LEB128 off the front; `None` where there is none.
#[inline]
pub(super) fn read_varint(bytes: &mut &[u8]) -> Option<u32> {
    let (mut value, mut shift) = (0_u32, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(value);
        }
        shift += 7;
    }
}

/// A position in the postings of a term. It stands before the first until it is asked to go on, and
/// nothing is decoded before.
pub(super) struct Cursor<'index> {
    postings: &'index Column<u8>,
    table: usize,
    blocks: usize,
    frequency: usize,
    /// The block that is decoded, if one is.
    block: Option<usize>,
    ranks: [u32; BLOCK],
    length: usize,
    at: usize,
}

impl<'index> Cursor<'index> {
    /// The postings of a term, which has at least one.
    pub fn new(postings: &'index Column<u8>, table: usize, frequency: u32) -> Self {
        let frequency = frequency as usize;
        let blocks = frequency.div_ceil(BLOCK);
        Self {
            postings,
            table,
            blocks,
            frequency,
            block: None,
            ranks: [0; BLOCK],
            length: 0,
            at: 0,
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.frequency
    }

    /// Goes back to before the first.
    pub fn reset(&mut self) {
        // A first block that is decoded stays so.
        if self.block == Some(0) {
            self.at = 0;
        } else {
            self.block = None;
        }
    }

    /// The rank it stands on; [`END`] past the last.
    #[inline]
    pub fn rank(&self) -> u32 {
        if self.at < self.length { self.ranks[self.at] } else { END }
    }

    /// Whether it must go on to come to `target`.
    #[inline]
    pub fn is_before(&self, target: u32) -> bool {
        self.block.is_none() || self.rank() < target
    }

    /// Goes one on.
    #[inline]
    pub fn advance(&mut self) -> Result<(), Damage> {
        self.at += 1;
        let next = self.block.map_or(0, |block| block + 1);
        if self.at >= self.length && next < self.blocks {
            self.load(next)?;
        }
        Ok(())
    }

    /// Goes on to the first rank that is not below `target`.
    #[inline]
    pub fn seek(&mut self, target: u32) -> Result<(), Damage> {
        let first = match self.block {
            _ if !self.is_before(target) => return Ok(()),
            Some(block) => block + 1,
            None => 0,
        };
        if first == 0 || self.ranks[self.length - 1] < target {
            let mut low = first;
            // Near ones first: seeks mostly go a few blocks on.
            let mut step = 1;
            while low + step < self.blocks && self.last(low + step - 1)? < target {
                low += step;
                step *= 2;
            }
            let high = self.blocks.min(low + step);
            let found = partition_point(low..high, |block| Ok(self.last(block)? < target))?;
            if found >= self.blocks {
                (self.block, self.at) = (Some(self.blocks), self.length);
                return Ok(());
            }
            self.load(found)?;
        }
        while self.ranks[self.at] < target {
            self.at += 1;
        }
        Ok(())
    }

    fn last(&self, block: usize) -> Result<u32, Damage> {
        Ok(self.skip(block)?[0])
    }

    /// The last rank of a block, and where its bytes end.
    #[inline]
    fn skip(&self, block: usize) -> Result<[u32; 2], Damage> {
        let start = self.table + block * SKIP_BYTES;
        let entry: &[[u8; 4]] = self.postings.bytes(start..start + SKIP_BYTES)?.as_chunks().0;
        Ok([u32::from_le_bytes(entry[0]), u32::from_le_bytes(entry[1])])
    }

    #[cold]
    fn load(&mut self, block: usize) -> Result<(), Damage> {
        let blocks_start = self.table + self.blocks * SKIP_BYTES;
        let [before, start] = block.checked_sub(1).map_or(Ok([0; 2]), |one| self.skip(one))?;
        let [_, end] = self.skip(block)?;
        let range = blocks_start + start as usize..blocks_start + end.max(start) as usize;
        let mut bytes = self.postings.bytes(range)?;
        let length = (self.frequency - block * BLOCK).min(BLOCK);
        let mut rank = before;
        for slot in &mut self.ranks[..length] {
            let difference = read_varint(&mut bytes)
                .ok_or_else(|| self.postings.form("a block of postings ends early"))?;
            rank = rank.wrapping_add(difference);
            *slot = rank;
        }
        (self.block, self.length, self.at) = (Some(block), length, 0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::mapped::{Table, TableWriter, files_in};

    fn mapped(bytes: &[u8]) -> (tempfile::TempDir, Column<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let mut out = TableWriter::create(&folder.path().join("file")).unwrap();
        out.column("postings", bytes.iter().copied()).unwrap();
        out.finish().unwrap();
        let table = Table::open(&mut files_in(folder.path()), "file").unwrap();
        (folder, table.column("postings").unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_posting_is_met_and_seeks_find_the_next(
            ranks in prop::collection::btree_set(0_u32..40_000, 1..1500),
            targets in prop::collection::vec(0_u32..41_000, 1..40),
        ) {
            let ranks: Vec<u32> = ranks.into_iter().collect();
            let bytes = [vec![9; 5], encode(&ranks)].concat();
            let (_folder, postings) = mapped(&bytes);
            let cursor = || Cursor::new(&postings, 5, ranks.len() as u32);
            let mut all = cursor();
            all.seek(0).unwrap();
            for &rank in &ranks {
                prop_assert_eq!(all.rank(), rank);
                all.advance().unwrap();
            }
            prop_assert_eq!(all.rank(), END);
            let mut targets = targets;
            targets.sort_unstable();
            let mut seeking = cursor();
            for _ in 0..2 {
                for &target in &targets {
                    seeking.seek(target).unwrap();
                    let next = ranks.iter().copied().find(|&rank| rank >= target);
                    prop_assert_eq!(seeking.rank(), next.unwrap_or(END));
                }
                seeking.reset();
            }
        }
    }
}
