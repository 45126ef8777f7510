//! Related organizations of Schedule R: whose rows they are, and which rows name an organization.
//!
//! Rows are numbered by tax year, the latest first. A filer lists the same organization year after year; its
//! latest row of each is marked, so that the others need not be read to be told from it. Beside the index of
//! items there is a file of postings, `relations/by-related`, whose keys are packed EINs.

use std::collections::HashSet;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::columns::Bitmap;
use super::items::{self, Items};
use super::postings::{self, Postings};
use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::naming;
use crate::record::{Ein, OrgId, Relation, RowId};

const ITEMS: &str = "relations/items";
const BY_RELATED: &str = "relations/by-related";

/// The kind of a filer's latest row of an organization.
const LATEST: &str = "latest";

/// Collects rows, in the order of their numbers.
#[derive(Debug, Default)]
pub struct Builder {
    items: items::Builder,
    related: Vec<(u32, RowId<Relation>)>,
    /// Filers with the hashes of whom they list.
    listed: HashSet<(OrgId, u128)>,
    rows: u32,
}

impl Builder {
    /// Adds the next row.
    pub fn push(&mut self, owner: OrgId, relation: &Relation) {
        // One without an EIN is told by its name.
        let listed = relation.related_ein.map_or_else(
            || relation.related_name.as_deref().map(naming::normalise).unwrap_or_default(),
            |ein| ein.to_string(),
        );
        let is_latest = self.listed.insert((owner, xxh3_128(listed.as_bytes())));
        let kind = is_latest.then_some(LATEST);
        self.items.push(&items::ItemRow { owner, identifier: "", kind, score: None });
        let row = RowId::new(self.rows);
        self.related.extend(relation.related_ein.map(|ein| (ein.pack(), row)));
        self.rows += 1;
    }

    /// Writes the files into the folder of a snapshot.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn finish(self, folder: &Path) -> Result<(), items::BuildError> {
        self.items.finish(&folder.join(ITEMS))?;
        let path = folder.join(BY_RELATED);
        postings::write(&path, self.related)
            .map_err(|source| items::BuildError::Io { path, source })
    }
}

/// The opened index.
#[derive(Debug)]
pub struct Relations {
    items: Items<Relation>,
    by_related: Postings<Relation>,
}

impl Relations {
    /// Opens the index; `open` maps a file of the snapshot. Reads headers only.
    ///
    /// # Errors
    /// When a file cannot be mapped, is damaged or of another version.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let items = Items::open(open(ITEMS)?)?;
        Ok(Self { items, by_related: Postings::open(open(BY_RELATED)?)? })
    }

    /// Whose rows they are.
    pub fn items(&self) -> &Items<Relation> {
        &self.items
    }

    /// Of each organization that one lists, its latest row; the latest tax year first.
    ///
    /// # Errors
    /// [`Damage`] when the files are damaged where they were looked at.
    pub fn listed_by(&self, org: OrgId) -> Result<Bitmap<Relation>, Damage> {
        self.latest(self.items.of_owner(org)?)
    }

    /// Of each filer that lists an organization by its EIN, its latest row; the latest tax year first.
    ///
    /// # Errors
    /// As [`Self::listed_by`].
    pub fn listing(&self, ein: Ein) -> Result<Bitmap<Relation>, Damage> {
        self.latest(self.by_related.of(ein.pack())?)
    }

    fn latest(&self, rows: Vec<RowId<Relation>>) -> Result<Bitmap<Relation>, Damage> {
        let mut set = Bitmap::of(self.items.count(), rows);
        self.items.retain_kinds(&mut set, |kind| kind == LATEST)?;
        Ok(set)
    }
}
