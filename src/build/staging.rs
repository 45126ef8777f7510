//! The folder that a build writes to, in a data directory that it has to itself.

use std::fs::{self, File};
use std::path::PathBuf;

use super::error::BuildError;
use crate::snapshot::directory::Directory;

/// Folders of a snapshot, which the writers of their files expect to find.
const GROUPS: [&str; 17] = [
    "typeahead",
    "names",
    "fulltext",
    "vectors",
    "stories/vectors",
    "stories/fulltext",
    "metrics",
    "posts/fulltext",
    "articles/vectors",
    "articles/fulltext",
    "knowledge/vectors",
    "knowledge/fulltext",
    "funds/vectors",
    "funds/fulltext",
    "grants/fulltext",
    "people/fulltext",
    "relations",
];

/// The folder of a snapshot that is being built; removed unless it was published.
pub(super) struct Staging {
    pub(super) path: PathBuf,
}

impl Staging {
    pub(super) fn create(path: PathBuf) -> Result<Self, BuildError> {
        // First, so that what is made is removed should the rest fail.
        let staging = Self { path };
        for group in GROUPS {
            let folder = staging.path.join(group);
            fs::create_dir_all(folder).map_err(BuildError::io(&staging.path))?;
        }
        Ok(staging)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Makes the data directory if there is none, locks it for this build, and removes what earlier
/// ones left behind.
pub(super) fn claim(directory: &Directory) -> Result<File, BuildError> {
    let path = directory.path();
    if fs::metadata(path).is_ok_and(|found| !found.is_dir()) {
        return Err(BuildError::NotADataDirectory { path: path.to_owned() });
    }
    Directory::create(path).map_err(BuildError::io(path))?;
    if !directory.is_one().map_err(BuildError::io(path))? {
        return Err(BuildError::NotADataDirectory { path: path.to_owned() });
    }
    let lock = directory.lock().map_err(BuildError::io(directory.build_lock()))?;
    let lock = lock.ok_or_else(|| BuildError::Running { path: path.to_owned() })?;
    for litter in directory.litter().map_err(BuildError::io(path))? {
        let removed =
            if litter.is_dir() { fs::remove_dir_all(&litter) } else { fs::remove_file(&litter) };
        removed.map_err(BuildError::io(&litter))?;
    }
    Ok(lock)
}
