//! `manifest.json`: what was downloaded into the folder, from where, and which version it is. Files
//! that others put there are not in it and are none of its business.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::FetchError;
use super::partial::Version;
use crate::{durable, sources};

/// Its name.
const FILE: &str = "manifest.json";

/// Where one is set aside that cannot be read; hidden, so that nobody takes it for data.
const BROKEN: &str = ".manifest-broken.json";

/// What it is written as; hidden, too.
const STAGED: &str = ".manifest.json.tmp";

/// Version of its format.
const FORMAT: u32 = 1;

/// The longest that is read: room for 50,000 files, where the IRS publishes some 150.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// What was downloaded.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    format: u32,
    /// By the name of the file.
    files: BTreeMap<String, Entry>,
    #[serde(skip)]
    path: PathBuf,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) address: String,
    pub(super) bytes: u64,
    /// In hexadecimal.
    pub(super) sha256: String,
    #[serde(flatten)]
    pub(super) version: Version,
    /// When the file was last modified, as was set: seconds since 1970.
    pub(super) modified_seconds: u64,
    /// RFC 3339, UTC.
    pub(super) fetched: String,
}

impl Manifest {
    /// That of the folder, empty when there is none; with why it was set aside when it is broken.
    pub(super) fn read(folder: &Path) -> Result<(Self, Option<String>), FetchError> {
        let path = folder.join(FILE);
        let empty = Self { format: FORMAT, files: BTreeMap::new(), path: path.clone() };
        let why = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((empty, None)),
            Ok(found) if found.len() > BYTES_MAX => format!("longer than {BYTES_MAX} bytes"),
            _ => {
                let text = fs::read(&path).map_err(FetchError::io(&path))?;
                match serde_json::from_slice::<Self>(&text) {
                    Ok(read) if read.format == FORMAT => return Ok((Self { path, ..read }, None)),
                    Ok(read) => format!("expected format {FORMAT}, found {}", read.format),
                    Err(error) => error.to_string(),
                }
            }
        };
        let aside = folder.join(BROKEN);
        fs::rename(&path, &aside).map_err(FetchError::io(&path))?;
        let (path, aside) = (path.display(), aside.display());
        let warning = format!(
            "{path} cannot be read ({why}): it is set aside as {aside}, and every file is \
             downloaded again"
        );
        Ok((empty, Some(warning)))
    }

    /// What is known of a file, if it is still as it was downloaded. One with another date is hashed.
    pub(super) fn known(&self, folder: &Path, name: &str, address: &str) -> Option<&Entry> {
        let entry = self.files.get(name).filter(|entry| entry.address == address)?;
        let path = folder.join(name);
        let has_length = |found: &fs::Metadata| found.is_file() && found.len() == entry.bytes;
        fs::metadata(&path).ok().filter(has_length)?;
        let mut file = File::open(&path).ok()?;
        let is_same = sources::modified(&file)
            .is_ok_and(|seconds| seconds == entry.modified_seconds)
            || sources::hash(&mut file).is_ok_and(|found| found.sha256() == entry.sha256);
        is_same.then_some(entry)
    }

    /// Takes in a file, and writes all down.
    pub(super) fn put(&mut self, name: &str, entry: Entry) -> Result<(), FetchError> {
        self.files.insert(name.to_owned(), entry);
        let write = || {
            let mut text = serde_json::to_vec_pretty(self)?;
            text.push(b'\n');
            durable::write(&self.path, self.path.with_file_name(STAGED), &text)
        };
        write().map_err(FetchError::io(&self.path))
    }
}
