//! Brings the snapshot that a store publishes into a data directory, and publishes it there.
//!
//! What is missing is fetched into a staging folder, which the next pull goes on with; files that a
//! local snapshot has are linked. The snapshot of before stays beside the new one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::Remote;
use super::error::ObjectsError;
use super::published::PublishedSnapshot;
use super::transfer::{each, is_whole, partial};
use crate::durable::{self, free_bytes, is_full};
use crate::snapshot::directory::{self, Directory};
use crate::snapshot::manifest::{self, Manifest, ManifestFile};
use crate::snapshot::{FORMAT, publish};

/// What a pull did.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct PullReport {
    /// The snapshot's identifier.
    pub snapshot: String,
    /// Whether it was published now; it may have been there.
    pub is_new: bool,
    /// Files of the snapshot and their bytes; 0 where nothing was to be done.
    pub files: usize,
    pub bytes: u64,
    /// Those of them that travelled.
    pub fetched_files: usize,
    pub fetched_bytes: u64,
}

/// A snapshot on its way into a data directory.
struct Pull<'a> {
    remote: &'a Remote,
    directory: &'a Directory,
    latest: &'a PublishedSnapshot,
    manifest: Manifest,
    /// Those of the manifest.
    bytes: Vec<u8>,
}

impl Remote {
    /// Makes what the store publishes the current snapshot of a data directory, which is made if it
    /// is not there. Cheap when it is already: one small object is read.
    ///
    /// # Errors
    /// When the store cannot be used, what it publishes is damaged, of another format or cannot be
    /// opened, or there is no room. What the data directory publishes then stays as it is.
    pub fn pull(&self, data_dir: &Path) -> Result<PullReport, ObjectsError> {
        let address = &self.address;
        let published = self.published()?;
        let (published, _) =
            published.ok_or_else(|| ObjectsError::Nothing { address: address.clone() })?;
        let latest = published.latest(address)?;
        let snapshot = latest.snapshot.clone();
        if latest.format != FORMAT {
            let (address, found) = (address.clone(), latest.format);
            return Err(ObjectsError::Format { address, snapshot, found });
        }
        let local = crate::snapshot::current(data_dir).ok();
        if local.as_ref() == Some(&latest.current()) {
            return Ok(PullReport { snapshot, ..PullReport::default() });
        }
        let directory = Directory::new(data_dir);
        let lock = claim(&directory)?;
        let (manifest, bytes) = self.manifest(latest)?;
        let pull = Pull { remote: self, directory: &directory, latest, manifest, bytes };
        let report = pull.bring()?;
        let former: Vec<&str> = local.iter().map(|local| &*local.snapshot).collect();
        tidy(&directory, &former);
        drop(lock);
        Ok(report)
    }
}

impl Pull<'_> {
    fn bring(&self) -> Result<PullReport, ObjectsError> {
        let Self { directory, latest, manifest, bytes, .. } = self;
        let mut report = PullReport {
            snapshot: latest.snapshot.clone(),
            is_new: true,
            files: manifest.files.len() + 1,
            bytes: manifest.files.iter().map(|file| file.bytes).sum::<u64>() + bytes.len() as u64,
            ..PullReport::default()
        };
        let current = latest.current();
        let folder = directory.snapshot(&latest.snapshot);
        let is_here = fs::read(folder.join(manifest::FILE)).is_ok_and(|found| found == *bytes)
            && manifest.files.iter().all(|file| is_whole(&folder.join(&file.name), file));
        let published = if is_here {
            // Gone back to.
            self.check_opens(&folder)?;
            directory.write_current(&current)
        } else {
            (report.fetched_files, report.fetched_bytes) = self.stage()?;
            self.check_opens(&directory.staging(&latest.snapshot))?;
            if folder.exists() {
                // What has this name and is not whole is nobody's.
                fs::remove_dir_all(&folder).map_err(ObjectsError::io(&folder))?;
            }
            publish::publish(directory, &current)
        };
        published.map_err(ObjectsError::io(directory.path()))?;
        Ok(report)
    }

    /// Refuses what is whole but no snapshot: its bytes are those of the manifest, which may name any.
    fn check_opens(&self, folder: &Path) -> Result<(), ObjectsError> {
        let opened = (self.remote.try_open)(self.directory, folder, &self.latest.current());
        opened.map_err(|source| {
            let (address, snapshot) = (self.remote.address.clone(), self.latest.snapshot.clone());
            ObjectsError::Unusable { address, snapshot, source: Box::new(source) }
        })
    }

    /// Fills the staging folder; says how many files and bytes travelled.
    fn stage(&self) -> Result<(usize, u64), ObjectsError> {
        let snapshot = &self.latest.snapshot;
        let staging = self.directory.staging(snapshot);
        let folders = make_folders(&staging, &self.manifest)?;
        // First, so that another pull finds what is here.
        let named = staging.join(manifest::FILE);
        fs::write(&named, &self.bytes).map_err(ObjectsError::io(&named))?;
        let missing = adopt(self.directory, &staging, &self.manifest);
        let needed = missing.iter().fold(0u64, |sum, file| sum.saturating_add(file.bytes));
        let path = self.directory.path();
        if let Some(free) = free_bytes(path).filter(|free| *free < needed) {
            let _ = fs::remove_dir_all(&staging);
            let (path, snapshot) = (path.to_owned(), snapshot.clone());
            return Err(ObjectsError::NoRoom { path, snapshot, free, needed });
        }
        let fetched_bytes = AtomicU64::new(0);
        let outcome = each(&missing, |file| {
            let bytes = self.remote.fetch(snapshot, file, &staging.join(&file.name))?;
            fetched_bytes.fetch_add(bytes, Ordering::Relaxed);
            Ok(())
        });
        if let Err(ObjectsError::Io { source, .. }) = &outcome
            && is_full(source)
        {
            // Others need the room too, and it was not enough.
            let _ = fs::remove_dir_all(&staging);
        }
        outcome?;
        for path in folders.iter().chain([&named]) {
            durable::sync(path).map_err(ObjectsError::io(path))?;
        }
        Ok((missing.len(), fetched_bytes.into_inner()))
    }
}

/// Makes the data directory if there is none, and keeps builds and other pulls out of it.
fn claim(directory: &Directory) -> Result<File, ObjectsError> {
    let path = directory.path();
    Directory::create(path).map_err(ObjectsError::io(path))?;
    if !directory.is_one().map_err(ObjectsError::io(path))? {
        return Err(ObjectsError::NotADataDirectory { path: path.to_owned() });
    }
    let lock = directory.lock().map_err(ObjectsError::io(&directory.build_lock()))?;
    lock.ok_or_else(|| ObjectsError::Busy { path: path.to_owned() })
}

/// Makes the folders of a snapshot; returns them, each after those in it.
fn make_folders(staging: &Path, manifest: &Manifest) -> Result<Vec<PathBuf>, ObjectsError> {
    let mut folders = BTreeSet::from([staging.to_owned()]);
    for file in &manifest.files {
        let within = Path::new(&file.name).ancestors().skip(1);
        folders.extend(within.map(|folder| staging.join(folder)));
    }
    for folder in &folders {
        fs::create_dir_all(folder).map_err(ObjectsError::io(folder))?;
    }
    Ok(folders.into_iter().rev().collect())
}

/// Links what this machine has into the staging folder; returns what is missing.
fn adopt<'a>(
    directory: &Directory,
    staging: &Path,
    manifest: &'a Manifest,
) -> Vec<&'a ManifestFile> {
    let here = by_content(directory);
    let mut missing = Vec::new();
    for file in &manifest.files {
        let path = staging.join(&file.name);
        let is_here = is_whole(&path, file)
            || here.get(&file.sha256).is_some_and(|found| {
                directory::remove(&path);
                fs::hard_link(found, &path).is_ok() && is_whole(&path, file)
            });
        if is_here {
            // It came from elsewhere than its beginning.
            directory::remove(&partial(&path));
        } else {
            // It is damaged, or linked to what is.
            directory::remove(&path);
            missing.push(file);
        }
    }
    missing
}

/// Where files lie that snapshots of a data directory have, and those of pulls that did not end, by
/// SHA-256. Whether they are whole is to be looked at.
fn by_content(directory: &Directory) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let published = fs::read_dir(directory.snapshots()).into_iter().flatten().flatten();
    let folders = published.map(|entry| entry.path());
    for folder in folders.chain(directory.stagings().unwrap_or_default()) {
        let Ok(bytes) = fs::read(folder.join(manifest::FILE)) else { continue };
        let Ok(manifest) = serde_json::from_slice::<Manifest>(&bytes) else { continue };
        for file in manifest.files {
            let path = folder.join(&file.name);
            if path.is_file() {
                found.entry(file.sha256).or_insert(path);
            }
        }
    }
    found
}

/// Removes what is left of pulls that did not end, and snapshots before the former. What cannot be
/// removed now is so by the next pull.
fn tidy(directory: &Directory, former: &[&str]) {
    for litter in directory.stagings().unwrap_or_default() {
        let _ = fs::remove_dir_all(litter);
    }
    let _ = publish::remove_unused_but(directory.path(), former);
}
