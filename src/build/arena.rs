//! Encoded rows, one after another, addressed by where they begin: in memory, and past a limit in a
//! file without a name beside the snapshot that is being built.
//!
//! A row takes a few hundred bytes as a value with its texts apart, and half of that in postcard
//! without a heap block a text. The master files fit into memory; the returns of ten years do not.
//! Rows are written in chunks and read one by one, from many threads, with the system's cache between.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes of a chunk.
const CHUNK_BYTES: usize = 8 << 20;

/// Bytes in front of a row: its length, little-endian.
const LENGTH_BYTES: usize = 4;

/// Bytes that are read of a row at once: more than most have.
const READ_BYTES: usize = 4 << 10;

/// Encoded rows.
#[derive(Debug, Default)]
pub(super) struct Arena {
    chunks: Vec<Chunk>,
    file: Option<SpillFile>,
    scratch: Vec<u8>,
    bytes: u64,
    in_memory: usize,
}

/// Rows that stand together; the last chunk is always in memory.
#[derive(Debug)]
enum Chunk {
    Memory(Vec<u8>),
    /// From here on in the file.
    File(u64),
}

/// Where rows go that memory is not to hold.
#[derive(Debug)]
struct SpillFile {
    file: File,
    /// Where it was made; it has no name any more.
    path: PathBuf,
    bytes: u64,
    /// Chunks that stay in memory.
    chunks_max: usize,
}

/// Where a row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ArenaOffset {
    chunk: u32,
    position: u32,
}

/// Why a row cannot be kept or had.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    #[error("a row cannot be encoded or decoded")]
    Row(#[from] postcard::Error),
    #[error("cannot keep rows in {}", path.display())]
    Io {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

impl Arena {
    /// An arena that keeps up to this many bytes in memory and the rest in a file in a folder. The
    /// file disappears with the arena, or with the process.
    pub(super) fn spilling(folder: &Path, memory_bytes_max: usize) -> Result<Self, ArenaError> {
        let path = folder.join(".rows");
        let failed = |source| ArenaError::Io { path: path.clone(), source };
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path);
        let file = file.map_err(failed)?;
        fs::remove_file(&path).map_err(failed)?;
        let chunks_max = memory_bytes_max.div_ceil(CHUNK_BYTES);
        Ok(Self { file: Some(SpillFile { file, path, bytes: 0, chunks_max }), ..Self::default() })
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: &impl Serialize) -> Result<ArenaOffset, ArenaError> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend_from_slice(&[0; LENGTH_BYTES]);
        self.scratch = postcard::to_extend(row, scratch)?;
        let length = self.scratch.len() - LENGTH_BYTES;
        let length = u32::try_from(length).map_err(|_| postcard::Error::SerializeBufferFull)?;
        self.scratch[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
        let is_full = match self.chunks.last() {
            Some(Chunk::Memory(chunk)) => chunk.len() + self.scratch.len() > chunk.capacity(),
            Some(Chunk::File(_)) | None => true,
        };
        if is_full {
            self.spill()?;
            let chunk = Vec::with_capacity(CHUNK_BYTES.max(self.scratch.len()));
            self.chunks.push(Chunk::Memory(chunk));
            self.in_memory += 1;
        }
        let at = self.chunks.len() - 1;
        let Chunk::Memory(chunk) = &mut self.chunks[at] else {
            return Err(postcard::Error::SerializeBufferFull.into());
        };
        let place = ArenaOffset { chunk: at as u32, position: chunk.len() as u32 };
        self.bytes += self.scratch.len() as u64;
        chunk.extend_from_slice(&self.scratch);
        Ok(place)
    }

    /// Writes the last chunk out, where memory holds as many as it may.
    fn spill(&mut self) -> Result<(), ArenaError> {
        let (Some(spilled), Some(last)) = (&mut self.file, self.chunks.last_mut()) else {
            return Ok(());
        };
        let Chunk::Memory(rows) = &*last else { return Ok(()) };
        if self.in_memory < spilled.chunks_max {
            return Ok(());
        }
        let failed = |source| ArenaError::Io { path: spilled.path.clone(), source };
        spilled.file.write_all_at(rows, spilled.bytes).map_err(failed)?;
        let length = rows.len() as u64;
        *last = Chunk::File(spilled.bytes);
        spilled.bytes += length;
        self.in_memory -= 1;
        Ok(())
    }

    /// Bytes of all rows.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The row that begins there.
    pub(super) fn get<Row: DeserializeOwned>(&self, at: ArenaOffset) -> Result<Row, ArenaError> {
        let position = at.position as usize;
        match (&self.chunks[at.chunk as usize], &self.file) {
            (Chunk::File(start), Some(spilled)) => {
                let row = spilled.row(start + u64::from(at.position));
                let failed = |source| ArenaError::Io { path: spilled.path.clone(), source };
                Ok(postcard::from_bytes(&row.map_err(failed)?)?)
            }
            (Chunk::Memory(rows), _) => {
                Ok(postcard::take_from_bytes(&rows[position + LENGTH_BYTES..])?.0)
            }
            (Chunk::File(_), None) => Err(postcard::Error::DeserializeUnexpectedEnd.into()),
        }
    }
}

impl SpillFile {
    /// The bytes of the row that begins at a place of the file.
    fn row(&self, start: u64) -> io::Result<Vec<u8>> {
        let left = usize::try_from(self.bytes - start).unwrap_or(usize::MAX);
        let mut row = vec![0; READ_BYTES.min(left)];
        self.file.read_exact_at(&mut row, start)?;
        let length = row.first_chunk::<LENGTH_BYTES>().map(|bytes| u32::from_le_bytes(*bytes));
        let end = length.map_or(0, |length| length as usize + LENGTH_BYTES);
        if end > left {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let known = row.len();
        row.resize(end, 0);
        if let Some(rest) = row.get_mut(known..) {
            self.file.read_exact_at(rest, start + known as u64)?;
        }
        row.drain(..LENGTH_BYTES.min(end));
        Ok(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows shorter and longer than what is read at once, and longer than a chunk.
    fn row(number: usize) -> String {
        let length = match number % 50 {
            0 => 9 << 20,
            1 => READ_BYTES - LENGTH_BYTES,
            2 => 0,
            other => other * 300,
        };
        "x".repeat(length) + &number.to_string()
    }

    #[test]
    fn rows_come_back_from_memory_and_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        for memory in [0, CHUNK_BYTES, usize::MAX / 2] {
            let mut arena = Arena::spilling(folder.path(), memory).unwrap();
            let places: Vec<ArenaOffset> =
                (0..120).map(|at| arena.add(&row(at)).unwrap()).collect();
            assert!(arena.in_memory <= memory.div_ceil(CHUNK_BYTES).max(1));
            for at in (0..120).rev() {
                assert!(arena.get::<String>(places[at]).unwrap() == row(at), "{at}");
            }
            let on_disk = arena.file.as_ref().unwrap().bytes;
            assert_eq!(on_disk > 0, memory <= CHUNK_BYTES, "{memory}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "the file has no name");
        }
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let error = Arena::spilling(Path::new("/nowhere/at/all"), 1).unwrap_err();
        assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
    }
}
