//! Filterable values of items that organizations own: stories, metrics or posts, one index each.
//!
//! Items are numbered in the order in which they are listed, so a page is a run of a bitmap. Every
//! value lies in one mapped file (`layout`): whose an item is, its kind (the classification of a
//! post, the type of a metric), its score, and sorted tables that lead from owners and from
//! identifiers back to items.

mod build;
mod layout;

use std::marker::PhantomData;
use std::ops::Range;

pub use build::{BuildError, Builder, ItemRow};
use layout::{Layout, UNKNOWN_KIND, Width};

use crate::index::columns::Bitmap;
use crate::mapped::{Damage, MappedFile, OpenError};
use crate::record::{OrgId, RowId};

/// Owners are looked up one by one while there are this many times fewer of them than items: a
/// lookup costs a bisection, a scan one read an item.
const SCAN_FACTOR: u64 = 32;

/// An opened index of items of one kind.
#[derive(Debug)]
pub struct Items<T> {
    file: MappedFile,
    layout: Layout,
    of: PhantomData<RowId<T>>,
}

impl<T> Items<T> {
    /// Opens the index of a file; reads its header.
    pub fn open(file: MappedFile) -> Result<Self, OpenError> {
        let layout = Layout::read(&file)?;
        Ok(Self { file, layout, of: PhantomData })
    }

    /// How many items there are.
    pub fn count(&self) -> u32 {
        self.layout.items
    }

    /// Every item.
    pub fn all(&self) -> Bitmap<T> {
        Bitmap::all(self.count())
    }

    /// Whose an item is.
    pub fn owner(&self, item: RowId<T>) -> Result<OrgId, Damage> {
        let owners = self.numbers(&self.layout.owners)?;
        let found = owners.get(item.index()).ok_or_else(|| self.file.form("no such item"))?;
        Ok(OrgId::new(u32::from_le_bytes(*found)))
    }

    /// The items of some organizations.
    pub fn of_owners(&self, orgs: &Bitmap) -> Result<Bitmap<T>, Damage> {
        if orgs.count().saturating_mul(SCAN_FACTOR) > u64::from(self.count()) {
            let owners = self.numbers(&self.layout.owners)?;
            let owned = (0..)
                .zip(owners)
                .filter(|(_, owner)| orgs.contains(OrgId::new(u32::from_le_bytes(**owner))));
            return Ok(Bitmap::of(self.count(), owned.map(|(item, _)| RowId::new(item))));
        }
        let mut found = Vec::new();
        for org in orgs.iter() {
            found.extend(self.of_owner(org)?);
        }
        Ok(Bitmap::of(self.count(), found))
    }

    /// The items of one organization, rising.
    pub fn of_owner(&self, org: OrgId) -> Result<Vec<RowId<T>>, Damage> {
        let owners = self.numbers(&self.layout.owners)?;
        let by_owner = self.numbers(&self.layout.by_owner)?;
        let owner_of = |item: &[u8; 4]| {
            let item = u32::from_le_bytes(*item) as usize;
            owners.get(item).map_or(u32::MAX, |owner| u32::from_le_bytes(*owner))
        };
        let start = by_owner.partition_point(|item| owner_of(item) < org.0);
        let own = by_owner[start..].iter().take_while(|item| owner_of(item) == org.0);
        Ok(own.map(|item| RowId::new(u32::from_le_bytes(*item))).collect())
    }

    /// Items that may have one of some identifiers; others may too, one in billions.
    pub fn of_identifiers<'a>(
        &self,
        identifiers: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<RowId<T>>, Damage> {
        let hashes: &[[u8; 8]] = self.section(&self.layout.hashes)?.as_chunks().0;
        let by_hash = self.numbers(&self.layout.by_hash)?;
        let mut found = Vec::new();
        for identifier in identifiers {
            let hash = build::hash(identifier);
            let start = hashes.partition_point(|known| u64::from_le_bytes(*known) < hash);
            for (known, item) in hashes.iter().zip(by_hash).skip(start) {
                if u64::from_le_bytes(*known) != hash {
                    break;
                }
                found.push(RowId::new(u32::from_le_bytes(*item)));
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Keeps of a set the items of any kind that is `wanted`, by its name.
    pub fn retain_kinds(
        &self,
        set: &mut Bitmap<T>,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<(), Damage> {
        let ends = self.numbers(&self.layout.kind_ends)?;
        let text = self.section(&self.layout.kind_text)?;
        let (mut start, mut good) = (0, Vec::new());
        for (kind, end) in (0..).zip(ends) {
            let end = u32::from_le_bytes(*end) as usize;
            let name = text.get(start..end).and_then(|name| std::str::from_utf8(name).ok());
            let name = name.ok_or_else(|| self.file.form("a kind has no name"))?;
            good.extend(wanted(name).then_some(kind));
            start = end;
        }
        // What has no kind is none of them.
        debug_assert!(!good.contains(&UNKNOWN_KIND));
        match self.layout.kind_width {
            Width::One => {
                let good: Vec<u8> = good.into_iter().map(|kind| kind as u8).collect();
                set.retain_bytes(self.section(&self.layout.kinds)?, &good);
            }
            Width::Four => {
                let kinds = self.numbers(&self.layout.kinds)?;
                // They rise.
                set.retain(|item| good.binary_search(&u32::from_le_bytes(kinds[item])).is_ok());
            }
        }
        Ok(())
    }

    /// The items of a score of at least `min`; none whose score is not known.
    pub fn of_score(&self, min: f64) -> Result<Bitmap<T>, Damage> {
        let scores: &[[u8; 8]] = self.section(&self.layout.scores)?.as_chunks().0;
        let is_enough = |score: &[u8; 8]| f64::from_le_bytes(*score) >= min;
        Ok(Bitmap::from_fn(self.count(), |item| scores.get(item).is_some_and(is_enough)))
    }

    fn section(&self, range: &Range<usize>) -> Result<&[u8], Damage> {
        self.file.bytes(range.clone())
    }

    fn numbers(&self, range: &Range<usize>) -> Result<&[[u8; 4]], Damage> {
        Ok(self.section(range)?.as_chunks().0)
    }
}

#[cfg(test)]
mod tests;
