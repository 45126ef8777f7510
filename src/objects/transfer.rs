//! Moves files between a folder and a store, several at a time, each hashed on the way. What is fetched
//! goes on where an earlier pull ended.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};
use sha2::{Digest as _, Sha256};

use super::Remote;
use super::error::ObjectsError;
use super::store::Store;
use crate::snapshot::directory;
use crate::snapshot::manifest::ManifestFile;
use crate::sources;

/// Files that travel at once.
const AT_ONCE: usize = 4;

/// Bytes of a part of a long file, and the most that is sent as a whole: twice the least that Amazon
/// takes as a part. Also what is asked for at once: each request is answered within its time on slow lines too.
const PART_BYTES: u64 = 8 << 20;

/// Parts that an object may have: what Amazon allows.
const PARTS_MAX: u64 = 10_000;

/// Bytes that are read at once.
const READ_BYTES: usize = 1 << 20;

/// What ends the name of a file of which only the beginning is there.
pub(super) const PARTIAL: &str = ".partial";

/// SHA-256 in hexadecimal.
pub(super) fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// Does something with each file, [`AT_ONCE`] at a time, the longest first; the first error ends it.
pub(super) fn each(
    files: &[&ManifestFile],
    act: impl Fn(&ManifestFile) -> Result<(), ObjectsError> + Sync,
) -> Result<(), ObjectsError> {
    let mut files = files.to_vec();
    files.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    match ThreadPoolBuilder::new().num_threads(AT_ONCE).build() {
        Ok(pool) => pool.install(|| files.into_iter().par_bridge().try_for_each(&act)),
        // Without further threads they go one after the other.
        Err(_) => files.into_iter().try_for_each(act),
    }
}

/// Sends files of a folder; says how many bytes travelled.
pub(super) fn send(
    store: &dyn Store,
    folder: &Path,
    files: &[&ManifestFile],
) -> Result<u64, ObjectsError> {
    each(files, |file| send_one(store, &folder.join(&file.name), file))?;
    Ok(files.iter().map(|file| file.bytes).sum())
}

fn send_one(store: &dyn Store, path: &Path, file: &ManifestFile) -> Result<(), ObjectsError> {
    let damaged = || ObjectsError::Damaged { path: path.to_owned() };
    let opened = File::open(path).map_err(ObjectsError::io(path))?;
    let next = |bytes_max| {
        let mut bytes = Vec::new();
        let read = (&opened).take(bytes_max).read_to_end(&mut bytes);
        read.map_err(ObjectsError::io(path)).map(|_| bytes)
    };
    if file.bytes <= PART_BYTES {
        let bytes = next(PART_BYTES + 1)?;
        let is_whole = sha256(&bytes) == file.sha256;
        return if is_whole { Ok(store.write(&file.sha256, bytes)?) } else { Err(damaged()) };
    }
    let part_bytes = PART_BYTES.max(file.bytes.div_ceil(PARTS_MAX));
    let mut hash = Sha256::new();
    store.upload(&file.sha256, &mut || {
        let bytes = next(part_bytes)?;
        if !bytes.is_empty() {
            hash.update(&bytes);
            return Ok(Some(bytes));
        }
        // Until it is finished nobody sees it.
        let is_whole = HEXLOWER.encode(&hash.finalize_reset()) == file.sha256;
        if is_whole { Ok(None) } else { Err(damaged()) }
    })
}

impl Remote {
    /// Fetches a file of a snapshot to a path; says how many bytes travelled.
    pub(super) fn fetch(
        &self,
        snapshot: &str,
        file: &ManifestFile,
        path: &Path,
    ) -> Result<u64, ObjectsError> {
        let partial = partial(path);
        let io = |error| ObjectsError::io(&partial)(error);
        let opened = OpenOptions::new().read(true).create(true).append(true).open(&partial);
        let mut out = opened.map_err(io)?;
        let mut sha256 = Sha256::new();
        let mut begun = hash(&mut out, &mut sha256).map_err(io)?;
        if begun > file.bytes {
            out.set_len(0).map_err(io)?;
            (begun, sha256) = (0, Sha256::new());
        }
        let mut at = begun;
        while at < file.bytes {
            let end = file.bytes.min(at.saturating_add(PART_BYTES));
            let part = self.read(snapshot, file, at..end).inspect_err(|error| {
                if let ObjectsError::Cut { .. } = error {
                    directory::remove(&partial);
                }
            })?;
            sha256.update(&part);
            out.write_all(&part).map_err(io)?;
            at = end;
        }
        let found = HEXLOWER.encode(&sha256.finalize());
        if found != file.sha256 {
            // Nothing of it may be gone on with.
            directory::remove(&partial);
            return Err(ObjectsError::Changed { object: self.object(snapshot, file), found });
        }
        let finished = out.sync_all().and_then(|()| fs::rename(&partial, path));
        finished.map_err(ObjectsError::io(path))?;
        Ok(file.bytes - begun)
    }
}

/// Where the beginning of a file is.
pub(super) fn partial(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(PARTIAL);
    PathBuf::from(name)
}

/// Whether a file is what a manifest says.
pub(super) fn is_whole(path: &Path, file: &ManifestFile) -> bool {
    let has_length = |found: fs::Metadata| found.is_file() && found.len() == file.bytes;
    let hashed = || sources::hash(&mut File::open(path)?);
    fs::symlink_metadata(path).is_ok_and(has_length)
        && hashed().is_ok_and(|found| found.bytes == file.bytes && found.sha256() == file.sha256)
}

/// Adds a file to a hash; says how many bytes it has.
fn hash(file: &mut File, sha256: &mut Sha256) -> io::Result<u64> {
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
