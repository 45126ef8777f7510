//! Files of a snapshot, memory-mapped, each block verified on first touch.
//!
//! [`BlockSums`] are the XXH3-64 hashes of a file's 64 KiB blocks, made when the snapshot is built.
//! A [`MappedFile`] file hashes a block the first time that bytes of it are asked for and refuses it
//! when the hash differs, so whatever reads through it sees only bytes that the build wrote:
//! opening costs nothing, and damage is an error instead of a wrong answer. What reads the bytes
//! need not be hardened against damage, only against asking past the end. Most files are a [`Table`] of sections.
//!
//! The `unsafe` code here is the mapping itself, and the promise that a [`Window`] of it stays.

mod table;
#[cfg(test)]
mod table_tests;
mod window;
mod write;

pub use table::{Column, Lists, Pairs, Rows, Table, Value, Values, partition_point};
pub use window::Window;
pub use write::TableWriter;

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::{Advice, Mmap};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes that one hash covers. Small enough that a first touch costs microseconds, large enough
/// that the hashes of a whole snapshot stay below a megabyte.
pub const BLOCK_BYTES: usize = 64 * 1024;

/// XXH3-64 of each [`BLOCK_BYTES`] of a file, in order; the last block may be shorter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockSums {
    bytes: u64,
    sums: Arc<[u64]>,
}

impl BlockSums {
    /// Hashes what a reader yields, to its end; `also` sees every byte on the way.
    pub fn of(mut reader: impl Read, mut also: impl FnMut(&[u8])) -> io::Result<Self> {
        let mut block = vec![0; BLOCK_BYTES];
        let mut sums = Vec::new();
        let mut bytes = 0;
        loop {
            let mut filled = 0;
            while filled < BLOCK_BYTES {
                match reader.read(&mut block[filled..]) {
                    Ok(0) => break,
                    Ok(more) => filled += more,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
            if filled == 0 {
                return Ok(Self { bytes, sums: sums.into() });
            }
            also(&block[..filled]);
            sums.push(xxh3_64(&block[..filled]));
            bytes += filled as u64;
        }
    }

    /// The sums of a file of `bytes` bytes; `None` when their number does not fit that length.
    pub fn from_parts(bytes: u64, sums: Vec<u64>) -> Option<Self> {
        (bytes.div_ceil(BLOCK_BYTES as u64) == sums.len() as u64)
            .then(|| Self { bytes, sums: sums.into() })
    }

    /// Length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// One hash a block.
    pub fn sums(&self) -> &[u64] {
        &self.sums
    }
}

/// Maps a file of a snapshot, by its path within.
pub type Files<'a> = dyn FnMut(&str) -> Result<MappedFile, MapError> + 'a;

/// Maps files of a folder that were just written, and hashed nowhere yet.
pub fn files_in(folder: &Path) -> impl FnMut(&str) -> Result<MappedFile, MapError> + '_ {
    move |name| {
        let path = folder.join(name);
        let sums = File::open(&path).and_then(|file| BlockSums::of(file, |_| {}));
        let sums = sums.map_err(|source| MapError::Io { file: name.into(), source })?;
        MappedFile::open(&path, name, sums)
    }
}

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub struct WriteError {
    pub path: PathBuf,
    pub source: io::Error,
}

impl WriteError {
    /// What the system said of a path.
    pub fn of(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self { path: path.to_owned(), source }
    }
}

/// Why what was built into files cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file cannot be mapped.
    #[error(transparent)]
    Map(#[from] MapError),
    /// A file is damaged, of another version, or of another build than the rest.
    #[error(transparent)]
    Damage(#[from] Damage),
}

/// Why bytes of a mapped file cannot be had.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// A block does not hold what the build wrote.
    #[error(
        "file {file} is damaged: the {BLOCK_BYTES} bytes at {position} are not those that were \
         built; run `almoner verify`, then build again"
    )]
    Block {
        file: Arc<str>,
        /// Where the block begins.
        position: u64,
    },
    /// Something points past the end.
    #[error("file {file} is damaged: something points to {position}, past its {bytes} bytes")]
    OutOfBounds {
        file: Arc<str>,
        /// The position asked for.
        position: u64,
        bytes: u64,
    },
    /// The bytes are what the build wrote, but not what this program expects there.
    #[error("file {file} is not of the form expected: {what}; build again with this version")]
    Form {
        file: Arc<str>,
        /// What was expected and found.
        what: String,
    },
}

/// Why a file cannot be mapped.
#[derive(Debug, thiserror::Error)]
pub enum MapError {
    /// The system refused.
    #[error("cannot map file {file}")]
    Io { file: Arc<str>, source: io::Error },
    /// The file has not the length that the build recorded.
    #[error("file {file} has {found} bytes, expected {expected}; build again")]
    Length {
        file: Arc<str>,
        /// Bytes that the build recorded.
        expected: u64,
        /// Bytes that it has.
        found: u64,
    },
}

/// A memory-mapped file whose bytes are verified block by block before they are handed out.
pub struct MappedFile {
    name: Arc<str>,
    map: Option<Mmap>,
    sums: BlockSums,
    /// One bit a block: set once its hash was found right.
    verified: Box<[AtomicU64]>,
}

impl MappedFile {
    /// Maps a file that nothing changes while it is mapped, as holds for a published snapshot.
    /// `name` is what errors call it.
    pub fn open(path: &Path, name: &str, sums: BlockSums) -> Result<Self, MapError> {
        let name: Arc<str> = name.into();
        let io = |source| MapError::Io { file: name.clone(), source };
        let file = File::open(path).map_err(io)?;
        let found = file.metadata().map_err(io)?.len();
        if found != sums.bytes {
            return Err(MapError::Length { file: name.clone(), expected: sums.bytes, found });
        }
        // An empty file cannot be mapped.
        let map = if found == 0 { None } else { Some(map_file(&file).map_err(io)?) };
        let words = sums.sums.len().div_ceil(64);
        let verified = (0..words).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { name, map, sums, verified })
    }

    /// Name of the file within its snapshot.
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Length of the file in bytes.
    #[allow(clippy::len_without_is_empty)] // Nobody asks whether a file is empty.
    pub fn len(&self) -> usize {
        self.all().len()
    }

    /// Bytes of the file, verified.
    #[inline]
    pub fn bytes(&self, range: Range<usize>) -> Result<&[u8], Damage> {
        let Some(found) = self.all().get(range.clone()) else {
            return Err(Damage::OutOfBounds {
                file: self.name.clone(),
                position: range.end as u64,
                bytes: self.len() as u64,
            });
        };
        if !range.is_empty() {
            for block in range.start / BLOCK_BYTES..=(range.end - 1) / BLOCK_BYTES {
                self.verify(block)?;
            }
        }
        Ok(found)
    }

    /// Asks the system to read what holds a range, and the whole of a block that is yet to be hashed,
    /// before it is needed. Costs a system call, and does not wait; any range is well.
    pub fn read_ahead(&self, range: Range<usize>) {
        let Some(map) = &self.map else { return };
        let (mut start, mut end) = (range.start, range.end.min(self.len()));
        if start >= end {
            return;
        }
        let block = start / BLOCK_BYTES;
        if !self.is_verified(block) {
            start = block * BLOCK_BYTES;
            end = end.max((start + BLOCK_BYTES).min(self.len()));
        }
        let _ = map.advise_range(Advice::WillNeed, start, end - start);
    }

    /// An error of this file: its bytes are whole, but not of the form expected.
    pub fn form(&self, what: impl Into<String>) -> Damage {
        Damage::Form { file: self.name.clone(), what: what.into() }
    }

    /// Every byte, verified or not: for readers that check positions themselves and call
    /// [`MappedFile::bytes`] for a range before they look at it.
    pub fn unverified(&self) -> &[u8] {
        self.all()
    }

    fn all(&self) -> &[u8] {
        self.map.as_deref().unwrap_or_default()
    }

    #[inline]
    fn verify(&self, block: usize) -> Result<(), Damage> {
        if self.is_verified(block) { Ok(()) } else { self.verify_first(block) }
    }

    #[inline]
    fn is_verified(&self, block: usize) -> bool {
        self.verified[block / 64].load(Ordering::Acquire) & 1 << (block % 64) != 0
    }

    #[cold]
    fn verify_first(&self, block: usize) -> Result<(), Damage> {
        let start = block * BLOCK_BYTES;
        let end = (start + BLOCK_BYTES).min(self.len());
        // All of it is hashed now: read at once what is not in memory, not page by page. Only a hint.
        self.read_ahead(start..end);
        if xxh3_64(&self.all()[start..end]) != self.sums.sums[block] {
            return Err(Damage::Block { file: self.name.clone(), position: start as u64 });
        }
        self.verified[block / 64].fetch_or(1 << (block % 64), Ordering::Release);
        Ok(())
    }
}

impl std::fmt::Debug for MappedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mapped").field("name", &self.name).field("bytes", &self.len()).finish()
    }
}

#[allow(unsafe_code)]
fn map_file(file: &File) -> io::Result<Mmap> {
    // SAFETY: published snapshot files are never modified or truncated (the build writes new ones
    // and renames), which is the condition under which a mapping is sound.
    let map = unsafe { Mmap::map(file)? };
    // Every index is read at scattered positions.
    map.advise(Advice::Random)?;
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(bytes: &[u8]) -> (tempfile::TempDir, std::path::PathBuf, BlockSums) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, bytes).unwrap();
        let sums = BlockSums::of(bytes, |_| {}).unwrap();
        (folder, path, sums)
    }

    #[test]
    fn hands_out_what_was_written_and_nothing_past_it() {
        let bytes: Vec<u8> = (0..BLOCK_BYTES * 2 + 10).map(|at| (at % 251) as u8).collect();
        let (_folder, path, sums) = written(&bytes);
        let file = MappedFile::open(&path, "file", sums).unwrap();
        let across = BLOCK_BYTES - 3..BLOCK_BYTES * 2 + 2;
        assert_eq!(file.bytes(across.clone()).unwrap(), &bytes[across]);
        assert!(matches!(file.bytes(5..bytes.len() + 1), Err(Damage::OutOfBounds { .. })));
    }

    #[test]
    fn a_flipped_byte_spoils_its_block_only() {
        let mut bytes = vec![7; BLOCK_BYTES * 3];
        let (_folder, path, sums) = written(&bytes);
        bytes[BLOCK_BYTES + 5] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let file = MappedFile::open(&path, "file", sums).unwrap();
        assert!(file.bytes(0..BLOCK_BYTES).is_ok());
        assert!(file.bytes(BLOCK_BYTES * 2..BLOCK_BYTES * 3).is_ok());
        let damage = file.bytes(BLOCK_BYTES + 100..BLOCK_BYTES + 101).unwrap_err();
        assert_eq!(damage, Damage::Block { file: "file".into(), position: BLOCK_BYTES as u64 });
    }

    #[test]
    fn another_length_is_refused_and_an_empty_file_is_none() {
        let (_folder, path, sums) = written(b"abc");
        std::fs::write(&path, b"ab").unwrap();
        assert!(matches!(MappedFile::open(&path, "file", sums), Err(MapError::Length { .. })));
        let (_folder, path, sums) = written(b"");
        let empty = MappedFile::open(&path, "file", sums).unwrap();
        assert!(empty.len() == 0 && empty.bytes(0..0).is_ok() && empty.bytes(0..1).is_err());
    }
}
