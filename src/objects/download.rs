//! Fetches one object of a store into a file, from where an earlier attempt ended, and checks it.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use super::address::Address;
use super::error::{FILES_MAX, FileObject, ObjectsError, SNAPSHOT_BYTES_MAX};
use super::local;
use super::published::is_sha256;
use super::store::Store;
use crate::snapshot::directory;
use crate::snapshot::manifest::{self, Manifest, ManifestFile};

/// Bytes that are asked for at once: each request is answered within its time on slow lines too.
const READ_BYTES: u64 = 8 << 20;

/// What ends the name of a file of which only the beginning is there.
const PARTIAL: &str = ".partial";

/// What a manifest names that no snapshot has, in a clause.
pub(super) fn check_names(manifest: &Manifest) -> Result<(), String> {
    let files = &manifest.files;
    if files.len() > FILES_MAX {
        return Err(format!("names {} files, expected at most {FILES_MAX}", files.len()));
    }
    let bytes = files.iter().fold(0u64, |sum, file| sum.saturating_add(file.bytes));
    if bytes > SNAPSHOT_BYTES_MAX {
        return Err(format!("names {bytes} bytes, expected at most {SNAPSHOT_BYTES_MAX}"));
    }
    let mut names = BTreeSet::new();
    for file in files {
        let fits = file.has_plain_name()
            && !file.name.ends_with(PARTIAL)
            && file.name != manifest::FILE
            && is_sha256(&file.sha256)
            && names.insert(&*file.name);
        if !fits {
            return Err(format!("names {:?}, which is no file of a snapshot", file.name));
        }
    }
    Ok(())
}

/// Where the beginning of a file is.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PARTIAL);
    PathBuf::from(name)
}

/// Removes the beginning of a file that came from elsewhere.
pub(super) fn forget(path: &Path) {
    directory::remove(&partial(path));
}

/// Which object of what is fetched.
pub(super) struct Wanted<'a> {
    pub(super) address: &'a Address,
    pub(super) snapshot: &'a str,
    pub(super) file: &'a ManifestFile,
}

impl Wanted<'_> {
    /// Fetches it into a file of its own; says how many bytes travelled.
    pub(super) fn fetch(&self, store: &dyn Store, path: &Path) -> Result<u64, ObjectsError> {
        let partial = partial(path);
        let mut sha256 = Sha256::new();
        let begun = match local::hash(&partial, &mut sha256) {
            Ok(begun) if begun <= self.file.bytes => begun,
            Ok(_) => {
                sha256 = Sha256::new();
                fs::remove_file(&partial).map_err(ObjectsError::io(&partial))?;
                0
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(ObjectsError::io(&partial)(error)),
        };
        let opened = OpenOptions::new().create(true).append(true).open(&partial);
        let mut out = opened.map_err(ObjectsError::io(&partial))?;
        self.append(store, begun, &mut out, &mut sha256, &partial)?;
        let found = HEXLOWER.encode(&sha256.finalize());
        if found != self.file.sha256 {
            // Nothing of it may be gone on with.
            directory::remove(&partial);
            return Err(ObjectsError::Changed { object: self.object(), found });
        }
        let finish = || {
            out.sync_all()?;
            fs::rename(&partial, path)
        };
        finish().map_err(ObjectsError::io(path))?;
        Ok(self.file.bytes - begun)
    }

    fn append(
        &self,
        store: &dyn Store,
        begun: u64,
        out: &mut File,
        sha256: &mut Sha256,
        partial: &Path,
    ) -> Result<(), ObjectsError> {
        let mut at = begun;
        while at < self.file.bytes {
            let end = self.file.bytes.min(at.saturating_add(READ_BYTES));
            let part = store.read(&self.file.sha256, at..end)?;
            if part.of != self.file.bytes || part.bytes.len() as u64 != end - at {
                directory::remove(partial);
                let (found, expected) = (part.of, self.file.bytes);
                return Err(ObjectsError::Cut { object: self.object(), found, expected });
            }
            sha256.update(&part.bytes);
            out.write_all(&part.bytes).map_err(ObjectsError::io(partial))?;
            at = end;
        }
        Ok(())
    }

    fn object(&self) -> Box<FileObject> {
        Box::new(FileObject {
            address: self.address.clone(),
            object: self.file.sha256.clone(),
            file: self.file.name.clone(),
            snapshot: self.snapshot.to_owned(),
        })
    }
}
