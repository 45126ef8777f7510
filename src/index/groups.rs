//! The members of group exemptions, by the number of the group.
//!
//! Postings, `groups`: the key of a central organization is twice the number of its
//! group, that of the others one more.

use std::path::Path;

use super::postings::{self, Postings};
use crate::mapped::{Damage, Files, OpenError, WriteError};
use crate::record::{Exemption, GroupNumber, OrgId, Organization};

const FILE: &str = "groups";

/// AFFILIATION of the central organization of a group: of others, of churches.
const CENTRAL: [u8; 2] = [6, 8];

/// Collects the members of groups.
#[derive(Debug, Default)]
pub struct Builder {
    members: Vec<(u32, OrgId)>,
}

impl Builder {
    /// Adds an organization, if it is in a group.
    pub fn add(&mut self, org: OrgId, exemption: &Exemption) {
        let is_central = exemption.affiliation.is_some_and(|code| CENTRAL.contains(&code));
        let key = |group: GroupNumber| if is_central { central(group) } else { others(group) };
        self.members.extend(exemption.group.map(|group| (key(group), org)));
    }

    /// Writes the file into the folder of a snapshot.
    pub fn finish(self, folder: &Path) -> Result<(), WriteError> {
        postings::write(&folder.join(FILE), self.members)
    }
}

fn central(group: GroupNumber) -> u32 {
    2 * u32::from(group.number())
}

fn others(group: GroupNumber) -> u32 {
    central(group) + 1
}

/// The opened members.
#[derive(Debug)]
pub struct Groups(Postings<Organization>);

impl Groups {
    /// Opens the members.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        Ok(Self(Postings::open(files, FILE)?))
    }

    /// The central organizations of a group; mostly one, none where no list that was loaded has it.
    pub fn central(&self, group: GroupNumber) -> Result<Vec<OrgId>, Damage> {
        Ok(self.0.of(central(group))?.collect())
    }

    /// The other members of a group, rising.
    pub fn others(&self, group: GroupNumber) -> Result<Vec<OrgId>, Damage> {
        Ok(self.0.of(others(group))?.collect())
    }
}
