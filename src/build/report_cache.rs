//! What was read of annual reports, kept in the data directory, a file each by the SHA-256 of the report: a rebuild
//! reads only those that are new. It may be deleted at any time; a damaged entry is replaced.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::PathBuf;

use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use super::error::BuildError;
use crate::durable;
use crate::reports::{self, Fault, Limits, Report};

/// What entries begin with; behind it is [`reports::FORM`], little-endian, then the XXH3-64 of the rest.
const MAGIC: [u8; 8] = *b"ALMREP01";
const HEADER_BYTES: usize = MAGIC.len() + 4 + 8;

/// Bytes that an entry may unpack to: the text of a report with what stands around it, twice.
const ENTRY_BYTES_MAX: usize = 64 << 20;

/// Bytes of entries that are kept in all: the text of some hundred thousand reports.
const BYTES_MAX: u64 = 8 << 30;

/// How a report's entry is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ReportKey([u8; 32]);

impl ReportKey {
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// In lower-case hexadecimal.
    pub(super) fn name(self) -> String {
        data_encoding::HEXLOWER.encode(&self.0)
    }
}

/// What reading a report gave.
pub(super) type ReadReport = Result<Report, Fault>;

/// The folder of entries.
#[derive(Debug)]
pub(super) struct ReportCache {
    folder: PathBuf,
}

impl ReportCache {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    fn path(&self, key: ReportKey) -> PathBuf {
        self.folder.join(key.name())
    }

    /// What was read of a report; `None` where nothing is kept, or it is damaged or of another form.
    pub(super) fn get(&self, key: ReportKey) -> Option<ReadReport> {
        let path = self.path(key);
        let is_bounded = fs::metadata(&path).is_ok_and(|file| file.len() <= ENTRY_BYTES_MAX as u64);
        decode(&is_bounded.then(|| fs::read(path).ok()).flatten()?)
    }

    /// Reads a report unless what it says is kept, and keeps it.
    pub(super) fn read(&self, key: ReportKey, bytes: &[u8]) -> Result<(), BuildError> {
        if self.get(key).is_some() {
            return Ok(());
        }
        let read = reports::read(bytes, &Limits::default()).map_err(|error| error.fault());
        let path = self.path(key);
        let entry = encode(&read).map_err(BuildError::io(&path))?;
        fs::create_dir_all(&self.folder).map_err(BuildError::io(&self.folder))?;
        durable::write(&path, path.with_extension("tmp"), &entry).map_err(BuildError::io(&path))
    }

    /// Removes what no report of a build has, where that is more than what they have, or all is too much; and what was
    /// not written to its end.
    pub(super) fn trim(&self, used: &HashSet<ReportKey>) -> Result<(), BuildError> {
        let unused = match self.unused(used) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            unused => unused.map_err(BuildError::io(&self.folder))?,
        };
        for path in unused {
            fs::remove_file(&path).map_err(BuildError::io(&path))?;
        }
        Ok(())
    }

    fn unused(&self, used: &HashSet<ReportKey>) -> io::Result<Vec<PathBuf>> {
        let names: HashSet<String> = used.iter().map(|key| key.name()).collect();
        let (mut unused, mut unfinished, mut bytes) = (Vec::new(), Vec::new(), 0);
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            bytes += entry.metadata()?.len();
            let path = entry.path();
            if path.extension().is_some() {
                unfinished.push(path);
            } else if !names.contains(&*entry.file_name().to_string_lossy()) {
                unused.push(path);
            }
        }
        let keeps_them = unused.len() <= used.len() && bytes <= BYTES_MAX;
        unfinished.extend(if keeps_them { Vec::new() } else { unused });
        Ok(unfinished)
    }
}

fn encode(read: &ReadReport) -> io::Result<Vec<u8>> {
    let encoded = postcard::to_stdvec(read).map_err(io::Error::other)?;
    let packed = lz4_flex::compress_prepend_size(&encoded);
    let mut entry = Vec::with_capacity(HEADER_BYTES + packed.len());
    entry.extend_from_slice(&MAGIC);
    entry.extend_from_slice(&reports::FORM.to_le_bytes());
    entry.extend_from_slice(&xxh3_64(&packed).to_le_bytes());
    entry.extend_from_slice(&packed);
    Ok(entry)
}

fn decode(entry: &[u8]) -> Option<ReadReport> {
    let rest = entry.strip_prefix(&MAGIC)?.strip_prefix(&reports::FORM.to_le_bytes())?;
    let (sum, packed) = rest.split_first_chunk::<8>()?;
    if u64::from_le_bytes(*sum) != xxh3_64(packed) {
        return None;
    }
    let (bytes, _) = packed.split_first_chunk::<4>()?;
    if u32::from_le_bytes(*bytes) as usize > ENTRY_BYTES_MAX {
        return None;
    }
    let encoded = lz4_flex::decompress_size_prepended(packed).ok()?;
    postcard::from_bytes(&encoded).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder).map_or(0, |entries| entries.count())
    }

    #[test]
    fn what_is_kept_is_found_again_unless_it_is_damaged() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("reports.cache");
        let cache = ReportCache::new(folder.clone());
        let read = |bytes: &[u8]| {
            let key = ReportKey::of(bytes);
            cache.read(key, bytes).unwrap();
            key
        };
        let key = read(b"A heading\n\nA paragraph of text.\n");
        let kept = cache.get(key).unwrap().unwrap();
        assert_eq!(kept.passages.len(), 2);
        let failed = read(b"\x00\x01");
        assert!(cache.get(failed).unwrap().is_err());
        let path = cache.path(key);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        assert!(cache.get(key).is_none());
        assert_eq!(read(b"A heading\n\nA paragraph of text.\n"), key);
        assert_eq!(cache.get(key).unwrap().unwrap(), kept);
        cache.trim(&HashSet::from([key])).unwrap();
        assert_eq!(files(&folder), 2);
        cache.trim(&HashSet::new()).unwrap();
        assert_eq!(files(&folder), 0);
    }
}
