//! Reads every byte of the current snapshot and names what is not as the build wrote it.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use data_encoding::HEXLOWER;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::directory::{self, Directory};
use super::locate;
use super::manifest::{self, Manifest, ManifestFile};
use super::open_error::OpenError;
use super::reject_list;
use crate::mapped::BlockSums;

/// What verifying found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyReport {
    /// The snapshot, when `CURRENT` could be read.
    pub snapshot: Option<String>,
    /// Files that were read to their end.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What is wrong; empty when nothing is.
    pub damaged: Vec<Corruption>,
}

/// Something that is not as the build wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corruption {
    /// The file: its path within the snapshot, or `CURRENT`.
    pub file: String,
    /// One lower-case clause.
    pub what: String,
}

/// Checks every file of the current snapshot.
///
/// # Errors
/// When there is no snapshot or it is of another format. Damage is no error; it is reported.
pub fn verify(data_dir: &Path) -> Result<VerifyReport, OpenError> {
    let directory = Directory::new(data_dir);
    let mut report = VerifyReport { snapshot: None, files: 0, bytes: 0, damaged: Vec::new() };
    let located = match locate::locate(&directory) {
        Ok(located) => located,
        Err(OpenError::Damaged { path, what }) => {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            report.damaged.push(Corruption { file, what });
            return Ok(report);
        }
        Err(error) => return Err(error),
    };
    report.snapshot = Some(located.current.snapshot.clone());
    let bytes = located.manifest_bytes()?;
    report.files = 1;
    report.bytes = bytes.len() as u64;
    if HEXLOWER.encode(&Sha256::digest(&bytes)) != located.current.manifest_sha256 {
        report.add(manifest::FILE, "is not the one that was built");
    }
    // Even a damaged manifest may list the other files.
    let Ok(manifest) = serde_json::from_slice::<Manifest>(&bytes) else {
        if report.damaged.is_empty() {
            report.add(manifest::FILE, "is not of the form expected");
        }
        return Ok(report);
    };
    let outcomes: Vec<Result<(), String>> =
        manifest.files.par_iter().map(|file| check(&located.folder, file)).collect();
    for (file, outcome) in manifest.files.iter().zip(outcomes) {
        report.files += 1;
        report.bytes = report.bytes.saturating_add(file.bytes);
        if let Err(what) = outcome {
            report.add(&file.name, &what);
        }
    }
    let listed: BTreeSet<&str> = manifest.files.iter().map(|file| file.name.as_str()).collect();
    if let Ok((names, _)) = directory::entries(&located.folder) {
        for name in names.iter().filter(|name| *name != manifest::FILE) {
            if !listed.contains(name.as_str()) {
                report.add(name, "is not a file of the snapshot");
            }
        }
    }
    let is_changed = reject_list::is_damaged(&directory).unwrap_or_else(|| {
        let listed = manifest.file(directory::REJECTS);
        listed.is_some_and(|listed| is_changed_copy(&directory.rejects(), listed))
    });
    if is_changed {
        report.add(directory::REJECTS, "beside the snapshots is not the list that was built");
    }
    Ok(report)
}

/// Whether the list of rejects beside the snapshots is that of the snapshot with bytes changed,
/// where a copy of the data directory has made a file of the link. It may be the list of a later
/// build that failed, which has another length.
fn is_changed_copy(path: &Path, listed: &ManifestFile) -> bool {
    let is_copy = fs::metadata(path).is_ok_and(|found| found.len() == listed.bytes);
    let folder = path.parent().unwrap_or(path);
    is_copy && check(folder, listed).is_err()
}

impl VerifyReport {
    fn add(&mut self, file: &str, what: &str) {
        self.damaged.push(Corruption { file: file.to_owned(), what: what.to_owned() });
    }
}

fn check(folder: &Path, file: &ManifestFile) -> Result<(), String> {
    // A damaged manifest may name anything: only what lies in the folder is read, and no more of
    // it than a whole file and a byte.
    if !file.has_plain_name() {
        return Err("is not the name of a file of the snapshot".to_owned());
    }
    let mut sha256 = Sha256::new();
    let mut read = || -> io::Result<u64> {
        let opened = File::open(folder.join(&file.name))?;
        if !opened.metadata()?.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        let bytes_max = file.bytes.saturating_add(1);
        BlockSums::of(opened.take(bytes_max), |bytes| sha256.update(bytes)).map(|sums| sums.bytes())
    };
    match read() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err("is missing".to_owned()),
        Err(error) => Err(format!("cannot be read: {error}")),
        Ok(found) if found > file.bytes => Err(format!("has more than {} bytes", file.bytes)),
        Ok(found) if found < file.bytes => {
            Err(format!("has {found} bytes, expected {}", file.bytes))
        }
        Ok(_) if HEXLOWER.encode(&sha256.finalize()) != file.sha256 => {
            Err("does not hold the bytes that were built".to_owned())
        }
        Ok(_) => Ok(()),
    }
}
