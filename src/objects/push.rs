//! Sends the published snapshot of a data directory to a store, and publishes it there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::Remote;
use super::error::ObjectsError;
use super::published::{Published, PublishedSnapshot};
use super::store::{Listed, Swap, Versioned};
use super::transfer::{send, sha256};
use crate::snapshot::directory::Directory;
use crate::snapshot::locate;
use crate::snapshot::manifest::{self, Manifest, ManifestFile};

/// Snapshots that a store keeps by default: the published one and two to go back to.
pub const KEEP: usize = 3;

/// The most snapshots that a store can be configured to keep.
pub const KEEP_MAX: usize = 1_000;

/// How long unreferenced objects stay: far longer than a push takes.
pub const GRACE: Duration = Duration::from_secs(24 * 60 * 60);

/// How to push.
#[derive(Debug, Clone, Copy)]
pub struct PushOptions {
    /// Snapshots that the store keeps, the new one included; at least one.
    pub keep: usize,
    /// How old an object must be that no snapshot names for it to be removed.
    pub grace: Duration,
    /// Whether a `CURRENT` that nobody can read is replaced.
    pub force: bool,
}

impl Default for PushOptions {
    fn default() -> Self {
        Self { keep: KEEP, grace: GRACE, force: false }
    }
}

/// What a push did.
#[derive(Debug)]
pub struct PushReport {
    /// The snapshot's identifier.
    pub snapshot: String,
    /// Whether it was published now; it may have been before.
    pub is_new: bool,
    /// Files of the snapshot, its manifest included, and their bytes.
    pub files: usize,
    pub bytes: u64,
    /// Those of them that travelled.
    pub sent_files: usize,
    pub sent_bytes: u64,
    /// Snapshots that the store keeps.
    pub kept: usize,
    /// Objects removed that no kept snapshot names, or why none was.
    pub removed: Result<usize, ObjectsError>,
    /// Whether the store refuses to replace what is there when told so: without it two pushes at
    /// once may overwrite each other's `CURRENT`.
    pub takes_conditions: bool,
}

impl Remote {
    /// Pushes what a data directory publishes.
    ///
    /// # Errors
    /// When there is nothing to push, a file is damaged, the store refuses, or another push
    /// published meanwhile. What was published before then stays so, and what was sent is not sent
    /// again.
    pub fn push(&self, data_dir: &Path, options: &PushOptions) -> Result<PushReport, ObjectsError> {
        let located = locate::locate(&Directory::new(data_dir))?;
        let bytes = located.manifest_bytes()?;
        let path = located.folder.join(manifest::FILE);
        let sha256 = sha256(&bytes);
        let manifest = serde_json::from_slice::<Manifest>(&bytes).ok();
        let manifest = manifest.filter(|_| sha256 == located.current.manifest_sha256);
        let manifest = manifest.ok_or(ObjectsError::Damaged { path })?;
        let kept = PublishedSnapshot {
            snapshot: manifest.snapshot.clone(),
            format: manifest.format,
            manifest_sha256: sha256,
            manifest_bytes: bytes.len() as u64,
        };

        let (before, read) = self.replaced(options)?;
        let missing = self.missing(&manifest, before.as_ref(), options)?;
        let mut sent_bytes = send(&*self.store, &located.folder, &missing)?;
        let named = &kept.manifest_sha256;
        if self.store.create(named, bytes.clone())? == Swap::Done {
            sent_bytes += kept.manifest_bytes;
        } else {
            // It may be one that was cut or changed.
            self.store.write(named, bytes.clone())?;
        }
        let takes_conditions = self.store.create(named, bytes.clone())? == Swap::Refused;

        let next = Published::with(before.as_ref(), kept, options.keep);
        let is_new = before.as_ref() != Some(&next);
        if is_new {
            self.swap(&next, read.as_ref())?;
        }
        // Without those of before, whatever they named would be garbage.
        let removed = match (self.store.current()?, options.force) {
            (Some(current), false) => self.remove_garbage(&next, &current, options.grace),
            _ => Ok(0),
        };
        let files = &manifest.files;
        Ok(PushReport {
            snapshot: manifest.snapshot.clone(),
            is_new,
            files: files.len() + 1,
            bytes: files.iter().map(|file| file.bytes).sum::<u64>() + bytes.len() as u64,
            sent_files: missing.len(),
            sent_bytes,
            kept: next.snapshots.len(),
            removed,
            takes_conditions,
        })
    }

    /// What is published before, and what `CURRENT` is to be replaced as.
    fn replaced(
        &self,
        options: &PushOptions,
    ) -> Result<(Option<Published>, Option<Versioned>), ObjectsError> {
        match self.published() {
            Ok(Some((published, read))) => Ok((Some(published), Some(read))),
            Ok(None) => Ok((None, None)),
            Err(ObjectsError::Current { .. }) if options.force => Ok((None, self.store.current()?)),
            Err(error) => Err(error),
        }
    }

    /// Files that the store has not, each content once.
    fn missing<'a>(
        &self,
        manifest: &'a Manifest,
        before: Option<&Published>,
        options: &PushOptions,
    ) -> Result<Vec<&'a ManifestFile>, ObjectsError> {
        // A manifest that is damaged vouches for nothing.
        let named = before.and_then(|before| self.needed(before).ok()).unwrap_or_default();
        let listed = self.store.list()?;
        let trusted = listed
            .iter()
            .filter(|listed| named.contains(&listed.object) || age(listed) < options.grace / 2);
        let there: BTreeMap<&str, u64> =
            trusted.map(|listed| (&*listed.object, listed.bytes)).collect();
        let wanted: BTreeMap<&str, &ManifestFile> =
            manifest.files.iter().map(|file| (&*file.sha256, file)).collect();
        let is_missing = |file: &&ManifestFile| there.get(&*file.sha256) != Some(&file.bytes);
        Ok(wanted.into_values().filter(is_missing).collect())
    }

    fn swap(&self, next: &Published, read: Option<&Versioned>) -> Result<(), ObjectsError> {
        if self.store.swap(next.bytes(), read)? == Swap::Done {
            return Ok(());
        }
        let theirs = match self.published() {
            Ok(Some((theirs, _))) => format!("snapshot {}", theirs.latest(&self.address)?.snapshot),
            _ => "of which snapshot cannot be read".to_owned(),
        };
        Err(ObjectsError::Overtaken { address: self.address.clone(), theirs })
    }

    /// Names of all objects of the snapshots that are kept.
    fn needed(&self, published: &Published) -> Result<BTreeSet<String>, ObjectsError> {
        let mut needed = BTreeSet::new();
        for kept in &published.snapshots {
            let (manifest, _) = self.manifest(kept)?;
            needed.extend(manifest.files.into_iter().map(|file| file.sha256));
            needed.insert(kept.manifest_sha256.clone());
        }
        Ok(needed)
    }

    /// Removes what no kept snapshot names; says how many objects. Nothing is removed when a
    /// manifest cannot be read, or once somebody else published.
    ///
    /// Objects younger than the grace period stay, since a push still under way may have written them.
    /// A push in turn trusts an unreferenced object only for half as long, so that none it counts on is
    /// removed.
    fn remove_garbage(
        &self,
        published: &Published,
        current: &Versioned,
        grace: Duration,
    ) -> Result<usize, ObjectsError> {
        let needed = self.needed(published)?;
        let mut listed = self.store.list()?;
        listed.retain(|listed| !needed.contains(&listed.object) && age(listed) >= grace);
        if self.store.current()?.as_ref() != Some(current) {
            return Ok(0);
        }
        for garbage in &listed {
            self.store.remove(&garbage.object)?;
        }
        Ok(listed.len())
    }
}

/// How old an object is; one of the future, where clocks differ, is new.
fn age(listed: &Listed) -> Duration {
    SystemTime::now().duration_since(listed.modified).unwrap_or_default()
}
