//! A set of rows of one kind: one bit each.

use std::marker::PhantomData;
use std::ops::Range;

use crate::record::{Organization, RowId};

/// A set of rows of one snapshot; by default, of organizations.
#[derive(Debug, Clone, PartialEq)]
pub struct Bitmap<T = Organization> {
    /// Bit b of word w is row 64 w + b; bits past the end are 0.
    words: Vec<u64>,
    of: PhantomData<RowId<T>>,
}

impl<T> Bitmap<T> {
    /// A set, out of `count`, of none.
    pub fn none(count: u32) -> Self {
        Self { words: vec![0; (count as usize).div_ceil(64)], of: PhantomData }
    }

    /// A set of all `count`.
    pub fn all(count: u32) -> Self {
        let run = 0..count as usize;
        Self::of_runs(count, std::slice::from_ref(&run))
    }

    /// A set, out of `count`, of those in any of the runs.
    pub fn of_runs(count: u32, runs: &[Range<usize>]) -> Self {
        let mut set = Self::none(count);
        for run in runs {
            let run = run.start..run.end.min(count as usize);
            if run.is_empty() {
                continue;
            }
            let (first, last) = (run.start / 64, (run.end - 1) / 64);
            for word in first..=last {
                let from = if word == first { run.start % 64 } else { 0 };
                let to = if word == last { (run.end - 1) % 64 } else { 63 };
                set.words[word] |= (u64::MAX << from) & (u64::MAX >> (63 - to));
            }
        }
        set
    }

    /// A set, out of `count`, of those given; others of larger number are left out.
    pub fn of(count: u32, rows: impl IntoIterator<Item = RowId<T>>) -> Self {
        let mut set = Self::none(count);
        set.insert(rows.into_iter().filter(|row| row.0 < count));
        set
    }

    /// A set, out of `count`, of those for which `holds` says so; asked in rising order.
    pub fn from_fn(count: u32, mut holds: impl FnMut(usize) -> bool) -> Self {
        let mut set = Self::none(count);
        let count = count as usize;
        for (at, word) in set.words.iter_mut().enumerate() {
            let start = at * 64;
            // A bit is set without a branch, which what is good half of the time would not predict.
            for bit in 0..64.min(count - start) {
                *word |= u64::from(holds(start + bit)) << bit;
            }
        }
        set
    }

    /// Adds some; what the set has no room for is left out.
    pub fn insert(&mut self, rows: impl IntoIterator<Item = RowId<T>>) {
        for row in rows {
            if let Some(word) = self.words.get_mut(row.index() / 64) {
                *word |= 1 << (row.0 % 64);
            }
        }
    }

    /// How many are in it.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether a row is in it.
    pub fn contains(&self, row: RowId<T>) -> bool {
        self.words.get(row.index() / 64).is_some_and(|word| word >> (row.0 % 64) & 1 == 1)
    }

    /// Those in it, rising.
    pub fn iter(&self) -> impl Iterator<Item = RowId<T>> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                rest &= rest.wrapping_sub(1);
                (bit < 64).then(|| RowId::new(at as u32 * 64 + bit))
            })
        })
    }

    /// Those in it, rising: `size` at most, behind the first `skipped`. Costs a look at each word.
    pub fn page(&self, mut skipped: u64, size: usize) -> Vec<RowId<T>> {
        let mut page = Vec::with_capacity(size.min(self.words.len() * 64));
        for (at, &word) in self.words.iter().enumerate() {
            let count = u64::from(word.count_ones());
            if skipped >= count {
                skipped -= count;
                continue;
            }
            let mut rest = word;
            while rest != 0 && page.len() < size {
                if skipped == 0 {
                    page.push(RowId::new(at as u32 * 64 + rest.trailing_zeros()));
                } else {
                    skipped -= 1;
                }
                rest &= rest - 1;
            }
            if page.len() == size {
                break;
            }
        }
        page
    }

    /// Adds those of another set of the same snapshot.
    pub fn union(&mut self, other: &Self) {
        self.combine(other, |mine, theirs| mine | theirs);
    }

    /// Keeps those that are in another set of the same snapshot too.
    pub fn intersect(&mut self, other: &Self) {
        self.combine(other, |mine, theirs| mine & theirs);
    }

    /// Takes out those of another set of the same snapshot.
    pub fn subtract(&mut self, other: &Self) {
        self.combine(other, |mine, theirs| mine & !theirs);
    }

    fn combine(&mut self, other: &Self, of: impl Fn(u64, u64) -> u64) {
        assert_eq!(self.words.len(), other.words.len(), "sets of two snapshots");
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine = of(*mine, *theirs);
        }
    }

    /// From the first in it to behind the last; `None` when there is none.
    pub(super) fn hull(&self) -> Option<Range<usize>> {
        let first = self.words.iter().position(|&word| word != 0)?;
        let last = self.words.iter().rposition(|&word| word != 0)?;
        let start = first * 64 + self.words[first].trailing_zeros() as usize;
        Some(start..last * 64 + 64 - self.words[last].leading_zeros() as usize)
    }

    /// Keeps those for which `good`, asked in rising order.
    pub fn retain(&mut self, mut good: impl FnMut(usize) -> bool) {
        for (at, word) in self.words.iter_mut().enumerate() {
            *word = filter_word(*word, |bit| good(at * 64 + bit));
        }
    }

    /// Keeps those whose byte is any of those asked for; `bytes` has one of each row. Of few values, eight rows are
    /// compared at a time.
    pub fn retain_bytes(&mut self, bytes: &[u8], asked: &[u8]) {
        if asked.len() > COMPARED_MAX {
            let mut is_asked = [false; 256];
            asked.iter().for_each(|&value| is_asked[usize::from(value)] = true);
            self.retain(|at| is_asked[usize::from(bytes[at])]);
            return;
        }
        for (word, bytes) in
            self.words.iter_mut().zip(bytes.chunks(64)).filter(|(word, _)| **word != 0)
        {
            *word &=
                asked.iter().map(|&value| equal_bits(bytes, value)).fold(0, |all, bits| all | bits);
        }
    }

    /// Does something with each row, in rising order: faster than [`Self::iter`] where most are in it.
    pub fn for_each(&self, mut each: impl FnMut(usize)) {
        for (at, &word) in self.words.iter().enumerate() {
            if word == u64::MAX {
                (at * 64..at * 64 + 64).for_each(&mut each);
                continue;
            }
            let mut rest = word;
            while rest != 0 {
                each(at * 64 + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
        }
    }

    /// Keeps those that may pass, asked in rising order, and in `known`, which must be a subset,
    /// those that do. `passes` says both; who passes may.
    pub(super) fn retain_known(
        &mut self,
        known: &mut Self,
        mut passes: impl FnMut(usize) -> Passes,
    ) {
        for (at, (word, known)) in self.words.iter_mut().zip(&mut known.words).enumerate() {
            let mut yes = 0;
            *word = filter_word(*word, |bit| {
                let passes = passes(at * 64 + bit);
                yes |= u64::from(passes.surely) << bit;
                passes.perhaps
            });
            *known &= yes;
        }
    }

    /// Keeps none.
    pub(super) fn clear(&mut self) {
        self.words.fill(0);
    }
}

/// Values that bytes are compared with one after another; of more, each byte is looked up.
const COMPARED_MAX: usize = 4;

/// The bits of those of at most 64 bytes that are `value`.
fn equal_bits(bytes: &[u8], value: u8) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    /// Moves the lowest bit of each byte into the highest byte, in their order.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (eights, rest) = bytes.as_chunks::<8>();
    let mut bits = 0;
    for (at, eight) in eights.iter().enumerate() {
        let difference = u64::from_le_bytes(*eight) ^ u64::from_le_bytes([value; 8]);
        // The highest bit of a byte tells whether the byte is not 0; no sum carries into the next one.
        let differs = ((difference & LOW) + LOW) | difference | LOW;
        bits |= (!differs >> 7).wrapping_mul(GATHER) >> 56 << (8 * at);
    }
    let start = 8 * eights.len();
    for (at, &byte) in rest.iter().enumerate() {
        bits |= u64::from(byte == value) << (start + at);
    }
    bits
}

/// Whether an organization satisfies a filter by a figure that may not be known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passes {
    pub(super) surely: bool,
    /// Surely, or the figure is not known.
    pub(super) perhaps: bool,
}

/// The bits of a word for which `good`, asked in rising order.
#[inline]
fn filter_word(word: u64, mut good: impl FnMut(usize) -> bool) -> u64 {
    let mut kept = 0;
    if word == u64::MAX {
        for bit in 0..64 {
            kept |= u64::from(good(bit)) << bit;
        }
        return kept;
    }
    let mut rest = word;
    while rest != 0 {
        let bit = rest.trailing_zeros();
        rest &= rest - 1;
        kept |= u64::from(good(bit as usize)) << bit;
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::record::OrgId;

    proptest! {
        #[test]
        fn holds_what_a_set_holds(
            organizations in 0_u32..400,
            runs in prop::collection::vec((0_usize..420, 0_usize..90), 0..4),
            divisor in 1_usize..5,
        ) {
            let runs: Vec<_> = runs.into_iter().map(|(from, length)| from..from + length).collect();
            let mut set = Bitmap::of_runs(organizations, &runs);
            set.retain(|index| index % divisor == 0);
            let expected: Vec<OrgId> = (0..organizations)
                .filter(|&org| runs.iter().any(|run| run.contains(&(org as usize))))
                .filter(|&org| (org as usize).is_multiple_of(divisor))
                .map(OrgId::new)
                .collect();
            prop_assert_eq!(set.iter().collect::<Vec<_>>(), expected.clone());
            prop_assert_eq!(set.count(), expected.len() as u64);
            let again = Bitmap::of(organizations, expected.iter().copied().rev().chain([OrgId::new(organizations)]));
            prop_assert_eq!(&again, &set);
            prop_assert!((0..500).all(|org| set.contains(OrgId::new(org)) == expected.contains(&OrgId::new(org))));
            let hull = expected.first().map(|first| first.index()..expected[expected.len() - 1].index() + 1);
            prop_assert_eq!(set.hull(), hull);
        }

        #[test]
        fn bytes_are_compared_as_one_by_one(
            bytes in prop::collection::vec(prop_oneof![0_u8..9, Just(127), Just(128), Just(255)], 0..300),
            asked in prop::collection::vec(prop_oneof![0_u8..9, Just(127), Just(128), Just(255)], 0..8),
            divisor in 1_usize..5,
        ) {
            let mut set = Bitmap::<Organization>::all(bytes.len() as u32);
            set.retain(|at| at % divisor == 0 || at > 100);
            let expected: Vec<usize> = (0..bytes.len())
                .filter(|at| at % divisor == 0 || *at > 100)
                .filter(|&at| asked.contains(&bytes[at]))
                .collect();
            set.retain_bytes(&bytes, &asked);
            let mut found = Vec::new();
            set.for_each(|at| found.push(at));
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(set.iter().map(|row| row.index()).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn combines_as_sets_do(
            organizations in 0_u32..400,
            sets in prop::array::uniform2(prop::collection::btree_set(0_u32..420, 0..300)),
        ) {
            let [a, b] = sets.map(|mut set| {
                set.retain(|&org| org < organizations);
                set
            });
            let bitmap = |set: &BTreeSet<u32>| {
                Bitmap::of(organizations, set.iter().copied().map(OrgId::new))
            };
            type Combine = fn(&mut Bitmap, &Bitmap);
            for (combine, expected) in [
                (Bitmap::union as Combine, &a | &b),
                (Bitmap::intersect, &a & &b),
                (Bitmap::subtract, &a - &b),
            ] {
                let mut set = bitmap(&a);
                combine(&mut set, &bitmap(&b));
                prop_assert_eq!(set, bitmap(&expected));
            }
        }
    }
}
