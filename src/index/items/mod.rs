//! Filterable values of items that organizations own: stories, metrics or posts, one index each.
//!
//! Items are numbered in the order in which they are listed, so a page is a run of a bitmap. Every
//! value lies in one table: whose an item is, its kind (the classification of a post, the type of a
//! metric), its score, and sorted tables that lead from owners and from identifiers back to items.

mod build;

use std::marker::PhantomData;

pub use build::{Builder, ItemRow};

use crate::index::columns::Bitmap;
use crate::mapped::{Column, Damage, Files, Lists, OpenError, Pairs, Table, partition_point};
use crate::record::{OrgId, RowId};

/// Stands for no kind: in one byte its lowest one.
const UNKNOWN_KIND: u32 = u32::MAX;

/// Most items that are listed by score.
pub const SCORED_MAX: usize = 100_000;

/// Items by score that are held beyond twice the page before the worse are dropped.
const CANDIDATES_MIN: usize = 1024;

/// Owners are looked up one by one while there are this many times fewer of them than items: a
/// lookup costs a bisection, a scan one read an item.
const SCAN_FACTOR: u64 = 32;

/// The kinds of items, by item: in one byte while there are fewer than 255.
#[derive(Debug)]
enum Kinds {
    Narrow(Column<u8>),
    Wide(Column<u32>),
}

/// An opened index of items of one kind.
#[derive(Debug)]
pub struct Items<T> {
    owners: Column<u32>,
    kinds: Kinds,
    kind_names: Lists<u8>,
    /// NaN of one that is not known; none at all where no item has any.
    scores: Column<f64>,
    /// Items by owner and number.
    by_owner: Column<u32>,
    /// Items by the hashes of their identifiers; none where no item has any.
    by_hash: Pairs<u64>,
    of: PhantomData<RowId<T>>,
}

impl<T> Items<T> {
    /// Opens the index at a path within a snapshot.
    pub fn open(files: &mut Files<'_>, path: &str) -> Result<Self, OpenError> {
        let table = Table::open(files, path)?;
        let (owners, kind_names): (Column<u32>, Lists<u8>) =
            (table.column("owners")?, table.lists("kind_names")?);
        let count = owners.count();
        let kinds = match kind_names.count() < u8::MAX.into() {
            true => Kinds::Narrow(table.column_of("kinds", count)?),
            false => Kinds::Wide(table.column_of("kinds", count)?),
        };
        Ok(Self {
            kinds,
            kind_names,
            scores: table.column("scores")?,
            by_owner: table.column_of("by_owner", count)?,
            by_hash: table.pairs("by_hash")?,
            owners,
            of: PhantomData,
        })
    }

    /// How many items there are.
    pub fn count(&self) -> u32 {
        self.owners.count() as u32
    }

    /// Every item.
    pub fn all(&self) -> Bitmap<T> {
        Bitmap::all(self.count())
    }

    /// Whose an item is.
    pub fn owner(&self, item: RowId<T>) -> Result<OrgId, Damage> {
        Ok(OrgId::new(self.owners.at(item.index())?))
    }

    /// The items of some organizations.
    pub fn of_owners(&self, orgs: &Bitmap) -> Result<Bitmap<T>, Damage> {
        if orgs.count().saturating_mul(SCAN_FACTOR) > u64::from(self.count()) {
            let owners = (0..).zip(self.owners.all()?.iter());
            let owned = owners.filter(|(_, owner)| orgs.contains(OrgId::new(*owner)));
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
        let owned = |at| {
            let item = self.by_owner.at(at)?;
            Ok::<_, Damage>((self.owners.at(item as usize)?, item))
        };
        let count = self.by_owner.count();
        let start = partition_point(0..count, |at| Ok(owned(at)?.0 < org.0))?;
        let mut found = Vec::new();
        for at in start..count {
            let (owner, item) = owned(at)?;
            if owner != org.0 {
                break;
            }
            found.push(RowId::new(item));
        }
        Ok(found)
    }

    /// Items that may have one of some identifiers; others may too, one in billions.
    pub fn of_identifiers<'a>(
        &self,
        identifiers: impl IntoIterator<Item = &'a str>,
    ) -> Result<Vec<RowId<T>>, Damage> {
        let mut found = Vec::new();
        for identifier in identifiers {
            let items = self.by_hash.of(build::hash(identifier), usize::MAX)?;
            found.extend(items.map(RowId::new));
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
        let kinds = 0..self.kind_names.count();
        let is_good = kinds
            .map(|kind| Ok(wanted(self.kind_names.text(kind)?)))
            .collect::<Result<Vec<bool>, Damage>>()?;
        match &self.kinds {
            Kinds::Narrow(kinds) => {
                let good = (0..).zip(&is_good).filter(|(_, is_good)| **is_good);
                let good: Vec<u8> = good.map(|(kind, _)| kind).collect();
                set.retain_bytes(kinds.bytes(0..kinds.count())?, &good);
            }
            Kinds::Wide(kinds) => {
                let kinds = kinds.all()?;
                // What has no kind is none of them.
                set.retain(|item| is_good.get(kinds.at(item) as usize) == Some(&true));
            }
        }
        Ok(())
    }

    /// A page of a set by score, the greatest first, those without a score last and equal ones by number; and how many
    /// of the set have none. The list ends after [`SCORED_MAX`]; at most twice as many as the page ends at are held.
    pub fn by_score(
        &self,
        set: &Bitmap<T>,
        skipped: u64,
        size: usize,
    ) -> Result<(Vec<RowId<T>>, u64), Damage> {
        let scores = self.scores.all()?;
        let skipped = usize::try_from(skipped).unwrap_or(usize::MAX);
        let end = skipped.saturating_add(size).min(SCORED_MAX);
        let order = |one: &(f64, RowId<T>), other: &(f64, RowId<T>)| {
            other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
        };
        let (mut best, mut unknown) = (Vec::new(), 0);
        for row in set.iter() {
            let score = scores.get(row.index()).filter(|score| !score.is_nan());
            unknown += u64::from(score.is_none());
            best.push((score.unwrap_or(f64::NEG_INFINITY), row));
            if best.len() >= end.saturating_mul(2).max(CANDIDATES_MIN) && end > 0 {
                best.select_nth_unstable_by(end - 1, order);
                best.truncate(end);
            }
        }
        best.sort_unstable_by(order);
        let page = best.into_iter().take(end).skip(skipped).map(|(_, row)| row);
        Ok((page.collect(), unknown))
    }

    /// The items of a score of at least `min`; none whose score is not known.
    pub fn of_score(&self, min: f64) -> Result<Bitmap<T>, Damage> {
        let scores = self.scores.all()?;
        let is_enough = |item| scores.get(item).is_some_and(|score| score >= min);
        Ok(Bitmap::from_fn(self.count(), is_enough))
    }
}

#[cfg(test)]
mod tests;
