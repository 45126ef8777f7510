//! The folder that a build writes to, in a data directory that it has to itself, and how it becomes a whole snapshot:
//! block sums, hashes, manifest, all flushed to disk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::error::BuildError;
use super::report::Progress;
use crate::durable;
use crate::mapped::BlockSums;
use crate::snapshot::checksums::{self, Checksums};
use crate::snapshot::directory::{self, Directory};
use crate::snapshot::manifest::{self, Manifest, ManifestFile};

/// Folders of a snapshot, which the writers of their files expect to find.
const GROUPS: [&str; 16] = [
    "typeahead",
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

/// Hashes every file in the folder, fills `manifest.files`, writes checksums and manifest, and
/// flushes all of it. Gives the SHA-256 of the manifest.
pub(super) fn seal(
    folder: &Path,
    manifest: &mut Manifest,
    progress: &dyn Progress,
) -> Result<String, BuildError> {
    let (names, folders) = directory::entries(folder).map_err(BuildError::io(folder))?;
    progress.stage("sealing", None);
    let hashed: Vec<(ManifestFile, BlockSums)> =
        names.par_iter().map(|name| hash(folder, name)).collect::<Result<_, _>>()?;
    let mut sums = Checksums::new();
    for (file, blocks) in hashed {
        progress.advance(file.bytes);
        sums.insert(file.name.clone(), blocks);
        manifest.files.push(file);
    }
    let bytes = checksums::encode(&sums);
    manifest.files.push(ManifestFile {
        name: checksums::FILE.to_owned(),
        bytes: bytes.len() as u64,
        sha256: HEXLOWER.encode(&Sha256::digest(&bytes)),
    });
    write(&folder.join(checksums::FILE), &bytes)?;
    let mut bytes = serde_json::to_vec_pretty(manifest)
        .map_err(|error| BuildError::io(folder.join(manifest::FILE))(error.into()))?;
    bytes.push(b'\n');
    write(&folder.join(manifest::FILE), &bytes)?;
    for folder in folders.iter().rev() {
        durable::sync(folder).map_err(BuildError::io(folder))?;
    }
    Ok(HEXLOWER.encode(&Sha256::digest(&bytes)))
}

/// Hashes a file twice in one pass, and flushes it.
fn hash(folder: &Path, name: &str) -> Result<(ManifestFile, BlockSums), BuildError> {
    let path = folder.join(name);
    let mut sha256 = Sha256::new();
    let mut read = || -> io::Result<BlockSums> {
        let file = File::open(&path)?;
        let sums = BlockSums::of(&file, |bytes| sha256.update(bytes))?;
        file.sync_all()?;
        Ok(sums)
    };
    let sums = read().map_err(BuildError::io(&path))?;
    let sha256 = HEXLOWER.encode(&sha256.finalize());
    Ok((ManifestFile { name: name.to_owned(), bytes: sums.bytes(), sha256 }, sums))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let write = || -> io::Result<()> {
        fs::write(path, bytes)?;
        durable::sync(path)
    };
    write().map_err(BuildError::io(path))
}
