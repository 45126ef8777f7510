//! Removes objects that no kept snapshot names.
//!
//! Objects younger than the grace period stay, since a push still under way may have written them.
//! A push in turn trusts an unreferenced object only for half as long, so that none it counts on is
//! removed.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use super::error::ObjectsError;
use super::store::{Listed, Versioned};
use super::{Published, Remote};

/// How old an object is; one of the future, where clocks differ, is new.
pub(super) fn age(listed: &Listed) -> Duration {
    SystemTime::now().duration_since(listed.modified).unwrap_or_default()
}

impl Remote {
    /// Names of all objects of the snapshots that are kept.
    pub(super) fn needed(&self, published: &Published) -> Result<BTreeSet<String>, ObjectsError> {
        let mut needed = BTreeSet::new();
        for kept in published.snapshots() {
            let (manifest, _) = self.manifest(kept)?;
            needed.extend(manifest.files.into_iter().map(|file| file.sha256));
            needed.insert(kept.manifest_sha256.clone());
        }
        Ok(needed)
    }

    /// Removes what no kept snapshot names; says how many objects. Nothing is removed when a
    /// manifest cannot be read, or once somebody else published.
    pub(super) fn remove_garbage(
        &self,
        published: &Published,
        current: &Versioned,
        grace: Duration,
    ) -> Result<usize, ObjectsError> {
        let needed = self.needed(published)?;
        let listed = self.store.list()?;
        let is_garbage =
            |listed: &&Listed| !needed.contains(&listed.object) && age(listed) >= grace;
        let garbage: Vec<&Listed> = listed.iter().filter(is_garbage).collect();
        let now = self.store.current()?;
        if now.is_none_or(|now| now.version != current.version) {
            return Ok(0);
        }
        for listed in &garbage {
            self.store.remove(&listed.object)?;
        }
        Ok(garbage.len())
    }
}
