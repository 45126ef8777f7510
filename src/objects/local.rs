//! Files of this machine by their content: which are whole, and where one is that is wanted.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest as _, Sha256};

use crate::snapshot::directory::Directory;
use crate::snapshot::manifest::{self, Manifest, ManifestFile};

/// Bytes that are read at once.
const READ_BYTES: usize = 1 << 20;

/// SHA-256 in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Adds a file to a hash; says how many bytes it has.
pub(super) fn hash(path: &Path, sha256: &mut Sha256) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; READ_BYTES];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(bytes),
            read => {
                sha256.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
}

/// Whether a file is what a manifest says.
pub(super) fn is_whole(path: &Path, file: &ManifestFile) -> bool {
    let has_length = |found: fs::Metadata| found.is_file() && found.len() == file.bytes;
    let mut sha256 = Sha256::new();
    fs::symlink_metadata(path).is_ok_and(has_length)
        && hash(path, &mut sha256).is_ok_and(|bytes| bytes == file.bytes)
        && HEXLOWER.encode(&sha256.finalize()) == file.sha256
}

/// Whether a folder holds every file of a manifest.
pub(super) fn is_whole_snapshot(folder: &Path, manifest: &Manifest) -> bool {
    manifest.files.iter().all(|file| is_whole(&folder.join(&file.name), file))
}

/// Where files lie that snapshots of a data directory have, and those of pulls that did not end, by
/// SHA-256. Whether they are whole is to be looked at.
pub(super) fn by_content(directory: &Directory) -> BTreeMap<String, PathBuf> {
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
