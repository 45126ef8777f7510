//! Sends files of a snapshot, several at a time, each hashed on the way.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use data_encoding::HEXLOWER;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use super::error::ObjectsError;
use super::store::Store;
use crate::snapshot::ManifestFile;

/// Files that travel at once.
pub(super) const AT_ONCE: usize = 4;

/// Bytes of a part of a long file, and the most that is sent as a whole: twice the least that Amazon
/// takes as a part.
const PART_BYTES: u64 = 8 << 20;

/// Parts that an object may have: what Amazon allows.
const PARTS_MAX: u64 = 10_000;

/// Sends files of a folder; says how many bytes travelled.
pub(super) fn send(
    store: &dyn Store,
    folder: &Path,
    files: &[&ManifestFile],
) -> Result<u64, ObjectsError> {
    let sent = AtomicU64::new(0);
    each(files, |file| {
        send_one(store, &folder.join(&file.name), file)?;
        sent.fetch_add(file.bytes, Ordering::Relaxed);
        Ok(())
    })?;
    Ok(sent.into_inner())
}

/// Does something with each file, [`AT_ONCE`] at a time; the first error ends it.
pub(super) fn each(
    files: &[&ManifestFile],
    act: impl Fn(&ManifestFile) -> Result<(), ObjectsError> + Sync,
) -> Result<(), ObjectsError> {
    let act = |file: &&ManifestFile| act(file);
    match rayon::ThreadPoolBuilder::new().num_threads(AT_ONCE).build() {
        Ok(pool) => pool.install(|| files.par_iter().with_max_len(1).try_for_each(act)),
        // Where the system gives no threads, one after the other.
        Err(_) => files.iter().try_for_each(act),
    }
}

fn send_one(store: &dyn Store, path: &Path, file: &ManifestFile) -> Result<(), ObjectsError> {
    let mut opened = File::open(path).map_err(ObjectsError::io(path))?;
    let damaged = || ObjectsError::Damaged { path: path.to_owned() };
    let mut sha256 = Sha256::new();
    if file.bytes <= PART_BYTES {
        let bytes = next(&mut opened, PART_BYTES + 1).map_err(ObjectsError::io(path))?;
        sha256.update(&bytes);
        if HEXLOWER.encode(&sha256.finalize()) != file.sha256 {
            return Err(damaged());
        }
        return Ok(store.write(&file.sha256, bytes)?);
    }
    let part_bytes = PART_BYTES.max(file.bytes.div_ceil(PARTS_MAX));
    let mut upload = store.start_upload(&file.sha256)?;
    let mut send = || {
        loop {
            let bytes = next(&mut opened, part_bytes).map_err(ObjectsError::io(path))?;
            if bytes.is_empty() {
                break;
            }
            sha256.update(&bytes);
            upload.push(bytes)?;
        }
        // Until it is finished nobody sees it.
        if HEXLOWER.encode(&sha256.finalize_reset()) != file.sha256 {
            return Err(damaged());
        }
        Ok(upload.finish()?)
    };
    let sent = send();
    if sent.is_err() {
        upload.abandon();
    }
    sent
}

fn next(file: &mut File, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(bytes_max).read_to_end(&mut bytes)?;
    Ok(bytes)
}
