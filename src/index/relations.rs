//! Related organizations of Schedule R: whose rows they are, and which rows name an organization.
//!
//! Rows are numbered by tax year, the latest first. A filer lists the same organization year after
//! year; its latest row for each is marked, so that the others need not be read to tell. Beside the
//! index of items there is a file of postings, `relations/by-related`, whose keys are packed EINs.

use std::collections::HashSet;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::columns::Bitmap;
use super::items::{self, Items};
use super::postings::{self, Postings};
use crate::mapped::{Damage, Files, OpenError, WriteError};
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
    /// Filers with the hashes of the organizations that they list.
    listed: HashSet<(OrgId, u128)>,
    rows: u32,
}

impl Builder {
    /// Adds the next row.
    pub fn push(&mut self, owner: OrgId, relation: &Relation) {
        // An organization without an EIN is identified by its name.
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
    pub fn finish(self, folder: &Path) -> Result<(), WriteError> {
        self.items.finish(&folder.join(ITEMS))?;
        postings::write(&folder.join(BY_RELATED), self.related)
    }
}

/// The opened index.
#[derive(Debug)]
pub struct Relations {
    items: Items<Relation>,
    by_related: Postings<Relation>,
}

impl Relations {
    /// Opens the index.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        Ok(Self {
            items: Items::open(files, ITEMS)?,
            by_related: Postings::open(files, BY_RELATED)?,
        })
    }

    /// Whose rows they are.
    pub fn items(&self) -> &Items<Relation> {
        &self.items
    }

    /// Of each organization that one lists, its latest row; the latest tax year first.
    pub fn listed_by(&self, org: OrgId) -> Result<Bitmap<Relation>, Damage> {
        self.latest(self.items.of_owner(org)?)
    }

    /// Of each filer that lists an organization by its EIN, its latest row; the latest tax year first.
    pub fn listing(&self, ein: Ein) -> Result<Bitmap<Relation>, Damage> {
        self.latest(self.by_related.of(ein.pack())?)
    }

    fn latest(
        &self,
        rows: impl IntoIterator<Item = RowId<Relation>>,
    ) -> Result<Bitmap<Relation>, Damage> {
        let mut set = Bitmap::of(self.items.count(), rows);
        self.items.retain_kinds(&mut set, |kind| kind == LATEST)?;
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::mapped::files_in;
    use crate::record::{Date, RelationPart};

    /// A row of Schedule R in which only the related organization matters.
    fn row(related: Option<&str>, name: &str) -> Relation {
        Relation {
            ein: "010000001".parse().unwrap(),
            part: RelationPart::ALL[0],
            related_ein: related.map(|ein| ein.parse().unwrap()),
            related_name: Some(name.to_owned()),
            city: None,
            region: None,
            primary_activity: None,
            legal_domicile: None,
            exempt_section: None,
            public_charity_status: None,
            entity_type: None,
            controlling_name: None,
            is_controlled: None,
            ownership_share: None,
            tax_year: 2020,
            period_end: Date::new(2020, 12, 31).unwrap(),
            object_id: None,
            position: 1,
        }
    }

    #[test]
    fn the_latest_row_of_each_is_found_from_both_sides() {
        let folder = tempfile::tempdir().unwrap();
        let mut builder = Builder::default();
        let (one, other) = (OrgId::new(3), OrgId::new(7));
        for (owner, related, name) in [
            (one, Some("010000002"), "Alpha"),
            (other, Some("010000002"), "Alpha"),
            (one, None, "Beta Co."),
            // Of earlier years: the same EIN under another name, the same name in other letters.
            (one, Some("010000002"), "Alpha Inc"),
            (one, None, "BETA CO"),
            (one, None, "Gamma"),
            (other, Some("010000009"), "Delta"),
        ] {
            builder.push(owner, &row(related, name));
        }
        builder.finish(folder.path()).unwrap();
        let relations = Relations::open(&mut files_in(folder.path())).unwrap();
        let rows = |set: Bitmap<Relation>| set.iter().map(|row| row.0).collect::<Vec<_>>();
        let listing = |ein: &str| rows(relations.listing(ein.parse().unwrap()).unwrap());
        assert_eq!(rows(relations.listed_by(one).unwrap()), [0, 2, 5]);
        assert_eq!(rows(relations.listed_by(other).unwrap()), [1, 6]);
        assert!(rows(relations.listed_by(OrgId::new(4)).unwrap()).is_empty());
        assert_eq!(listing("010000002"), [0, 1]);
        assert_eq!(listing("010000009"), [6]);
        assert!(listing("010000008").is_empty());
        assert_eq!(relations.items().owner(RowId::new(1)).unwrap(), other);
    }
}
