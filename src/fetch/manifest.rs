//! `manifest.json`: what was downloaded into the folder, from where, and which version it is. Files
//! that others put there are not in it and are none of its business.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::FetchError;
use super::partial::{Version, write_whole};

/// Its name.
const FILE: &str = "manifest.json";

/// Where one is set aside that cannot be read; hidden, so that nobody takes it for data.
const BROKEN: &str = ".manifest-broken.json";

/// Version of its format.
const FORMAT: u32 = 1;

/// The longest that is read: room for 50,000 files, where the IRS publishes some 150.
const BYTES_MAX: u64 = 16 * 1024 * 1024;

/// Bytes that are hashed at a time: more does not make it quicker.
const HASH_BYTES: usize = 256 * 1024;

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
        let why = match read_bounded(&path) {
            Ok(None) => return Ok((empty, None)),
            Ok(Some(text)) => match serde_json::from_slice::<Self>(&text) {
                Ok(read) if read.format == FORMAT => return Ok((Self { path, ..read }, None)),
                Ok(read) => format!("expected format {FORMAT}, found {}", read.format),
                Err(error) => error.to_string(),
            },
            Err(error) if error.kind() == io::ErrorKind::InvalidData => error.to_string(),
            Err(error) => return Err(FetchError::io(&path)(error)),
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
        let metadata = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        if metadata.len() != entry.bytes {
            return None;
        }
        let same = modified_seconds(&metadata) == entry.modified_seconds
            || sha256(&path).is_ok_and(|sha256| sha256 == entry.sha256);
        same.then_some(entry)
    }

    /// Takes in a file, and writes all down.
    pub(super) fn put(&mut self, name: &str, entry: Entry) -> io::Result<()> {
        self.files.insert(name.to_owned(), entry);
        let mut text = serde_json::to_vec_pretty(self)?;
        text.push(b'\n');
        write_whole(&self.path, &text)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// `None` when there is no such file; [`io::ErrorKind::InvalidData`] when it is too long.
fn read_bounded(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut text = Vec::new();
    file.take(BYTES_MAX + 1).read_to_end(&mut text)?;
    if text.len() as u64 > BYTES_MAX {
        let why = format!("longer than {BYTES_MAX} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    Ok(Some(text))
}

/// Seconds since 1970; 0 where the file system reports no time, or an earlier one.
pub(super) fn modified_seconds(metadata: &fs::Metadata) -> u64 {
    let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    modified.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

/// SHA-256 of a file, in hexadecimal.
pub(super) fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; HASH_BYTES];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    Ok(HEXLOWER.encode(&hash.finalize()))
}
