//! Brings the snapshot that a store publishes into a data directory, and publishes it there.
//!
//! What is missing is fetched into a staging folder, which the next pull goes on with; files that a
//! local snapshot has are linked. The snapshot of before stays beside the new one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::download::Wanted;
use super::error::{ObjectsError, is_full};
use super::published::PublishedSnapshot;
use super::{Remote, download, local, upload};
use crate::fetch::free_bytes;
use crate::snapshot::directory::{self, Directory};
use crate::snapshot::manifest::{self, Manifest, ManifestFile};
use crate::snapshot::publish;

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

impl Remote {
    /// Makes what the store publishes the current snapshot of a data directory, which is made if it
    /// is not there. Cheap when it is already: one small object is read.
    ///
    /// # Errors
    /// When the store cannot be used, what it publishes is damaged, of another format or cannot be
    /// opened, or there is no room. What the data directory publishes then stays as it is.
    pub fn pull(&self, data_dir: &Path) -> Result<PullReport, ObjectsError> {
        let address = self.address();
        let published = self.published()?;
        let (published, _) =
            published.ok_or_else(|| ObjectsError::Nothing { address: address.clone() })?;
        let latest = published.latest(address)?.in_our_format(address)?;
        let local = crate::snapshot::current(data_dir).ok();
        if local.as_ref() == Some(&latest.current()) {
            let snapshot = latest.snapshot.clone();
            return Ok(PullReport { snapshot, ..PullReport::default() });
        }
        let directory = Directory::new(data_dir);
        let lock = claim(&directory)?;
        let (manifest, bytes) = self.manifest(latest)?;
        let report = self.bring(&directory, latest, &manifest, &bytes)?;
        let former: Vec<&str> = local.iter().map(|local| &*local.snapshot).collect();
        tidy(&directory, &former);
        drop(lock);
        Ok(report)
    }

    fn bring(
        &self,
        directory: &Directory,
        latest: &PublishedSnapshot,
        manifest: &Manifest,
        bytes: &[u8],
    ) -> Result<PullReport, ObjectsError> {
        let mut report = PullReport {
            snapshot: latest.snapshot.clone(),
            is_new: true,
            files: manifest.files.len() + 1,
            bytes: manifest.files.iter().map(|file| file.bytes).sum::<u64>() + bytes.len() as u64,
            ..PullReport::default()
        };
        let current = latest.current();
        let folder = directory.snapshot(&latest.snapshot);
        let is_here = fs::read(folder.join(manifest::FILE)).is_ok_and(|found| found == bytes)
            && local::is_whole_snapshot(&folder, manifest);
        if is_here {
            // Gone back to.
            self.check_opens(directory, &folder, latest)?;
            let named = directory.write_current(&current);
            named.map_err(ObjectsError::io(directory.path()))?;
            return Ok(report);
        }
        (report.fetched_files, report.fetched_bytes) =
            self.stage(directory, latest, manifest, bytes)?;
        self.check_opens(directory, &directory.staging(&latest.snapshot), latest)?;
        if folder.exists() {
            // What has this name and is not whole is nobody's.
            fs::remove_dir_all(&folder).map_err(ObjectsError::io(&folder))?;
        }
        let published = publish::publish(directory, &current);
        published.map_err(ObjectsError::io(directory.path()))?;
        Ok(report)
    }

    /// Refuses what is whole but no snapshot: its bytes are those of the manifest, which may name any.
    fn check_opens(
        &self,
        directory: &Directory,
        folder: &Path,
        latest: &PublishedSnapshot,
    ) -> Result<(), ObjectsError> {
        (self.try_open)(directory, folder, &latest.current()).map_err(|source| {
            let (address, snapshot) = (self.address().clone(), latest.snapshot.clone());
            ObjectsError::Unusable { address, snapshot, source: Box::new(source) }
        })
    }

    /// Fills the staging folder; says how many files and bytes travelled.
    fn stage(
        &self,
        directory: &Directory,
        latest: &PublishedSnapshot,
        manifest: &Manifest,
        bytes: &[u8],
    ) -> Result<(usize, u64), ObjectsError> {
        let staging = directory.staging(&latest.snapshot);
        let folders = make_folders(&staging, manifest)?;
        // First, so that another pull finds what is here.
        let named = staging.join(manifest::FILE);
        fs::write(&named, bytes).map_err(ObjectsError::io(&named))?;
        let missing = adopt(directory, &staging, manifest)?;
        self.room_for(directory, &staging, latest, &missing)?;
        let fetched = Mutex::new((0, 0));
        let outcome = upload::each(&missing, |file| {
            let wanted = Wanted { address: self.address(), snapshot: &latest.snapshot, file };
            let bytes = wanted.fetch(&*self.store, &staging.join(&file.name))?;
            if let Ok(mut fetched) = fetched.lock() {
                *fetched = (fetched.0 + 1, fetched.1 + bytes);
            }
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
            directory::sync(path).map_err(ObjectsError::io(path))?;
        }
        Ok(fetched.into_inner().unwrap_or_default())
    }

    fn room_for(
        &self,
        directory: &Directory,
        staging: &Path,
        latest: &PublishedSnapshot,
        missing: &[&ManifestFile],
    ) -> Result<(), ObjectsError> {
        let needed = missing.iter().fold(0u64, |sum, file| sum.saturating_add(file.bytes));
        match free_bytes(directory.path()) {
            Some(free) if free < needed => {
                let _ = fs::remove_dir_all(staging);
                let (path, snapshot) = (directory.path().to_owned(), latest.snapshot.clone());
                Err(ObjectsError::NoRoom { path, snapshot, free, needed })
            }
            _ => Ok(()),
        }
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

/// Links what this machine has into the staging folder; returns what is missing, the longest first.
fn adopt<'a>(
    directory: &Directory,
    staging: &Path,
    manifest: &'a Manifest,
) -> Result<Vec<&'a ManifestFile>, ObjectsError> {
    let here: BTreeMap<String, PathBuf> = local::by_content(directory);
    let mut missing = Vec::new();
    for file in &manifest.files {
        let path = staging.join(&file.name);
        if local::is_whole(&path, file) {
            download::forget(&path);
            continue;
        }
        if path.exists() {
            fs::remove_file(&path).map_err(ObjectsError::io(&path))?;
        }
        let linked = here.get(&file.sha256).is_some_and(|found| {
            fs::hard_link(found, &path).is_ok() && local::is_whole(&path, file)
        });
        if linked {
            download::forget(&path);
        } else {
            // A link to what is damaged.
            directory::remove(&path);
            missing.push(file);
        }
    }
    missing.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    Ok(missing)
}

/// Removes what is left of pulls that did not end, and snapshots before the former. What cannot be
/// removed now is so by the next pull.
fn tidy(directory: &Directory, former: &[&str]) {
    for litter in directory.stagings().unwrap_or_default() {
        let _ = fs::remove_dir_all(litter);
    }
    let _ = publish::remove_unused_but(directory.path(), former);
}
