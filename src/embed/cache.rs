//! Encoded vectors kept across builds, by hash of their text, for one model.
//!
//! One file that only grows: a header that names the model, then chunks of keys and rows, each with
//! its own hash. All of it is checked on opening. A damaged chunk is skipped, and what a killed
//! build left half-written is truncated; the texts concerned are embedded again. A file of another
//! model or form is replaced by an empty one. Deleting the file costs time and nothing else.
//!
//! Little-endian. Header, 64 bytes: [`MAGIC`], u32 bytes of a row, u32 0, SHA-256 of what names model
//! and form, XXH3-64 of the 48 bytes before, 0. Chunk: u32 rows, u32 of the XXH3-64 of that number and
//! the chunk's position, u64 XXH3-64 of the rest; then u128 keys, then rows.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::durable;

/// Rows that a cache keeps at most: twice the organizations that there are. Past it nothing is
/// added until a build has trimmed it.
pub const ROWS_MAX: usize = 4_000_000;

/// Rows of a chunk at most.
const CHUNK_ROWS_MAX: usize = 65_536;

/// How a cache begins.
pub const MAGIC: [u8; 8] = *b"ALMVEC01";
const HEADER_BYTES: u64 = 64;
/// Bytes of the header that its hash is of.
const HASHED_BYTES: usize = 48;
const CHUNK_HEADER_BYTES: usize = 16;
const KEY_BYTES: usize = 16;

/// What a row is found by: the XXH3-128 of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(u128);

impl Key {
    /// The key of a text.
    pub fn of(text: &str) -> Self {
        Self(xxh3_128(text.as_bytes()))
    }
}

/// Why the cache cannot be used at all. Damage is no such reason.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the vector cache {path}; it may be deleted at any time", path = path.display())]
pub struct CacheError {
    path: PathBuf,
    source: io::Error,
}

/// An opened cache. Only one build may have it open.
#[derive(Debug)]
pub struct Cache {
    path: PathBuf,
    file: File,
    row_bytes: usize,
    /// Where each key's row begins.
    positions: HashMap<u128, u64>,
    end: u64,
    notice: Option<String>,
}

/// What a cache holds, as far as reading its headers tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Rows of its whole chunks, the damaged included.
    pub rows: u64,
    /// Its length.
    pub bytes: u64,
    header: Vec<u8>,
}

impl Contents {
    /// Whether a build with this model and form can reuse the cache; if not, the build starts a new one.
    pub fn fits(&self, form: &str, row_bytes: usize) -> bool {
        self.header == header(form, row_bytes)
    }
}

impl Cache {
    /// What the cache at a path holds; `None` where there is none. Reads the headers of the chunks
    /// only, and never writes: it may be looked at while a build has it open.
    pub fn look(path: &Path) -> Result<Option<Contents>, CacheError> {
        match File::open(path).and_then(contents) {
            Ok(contents) => Ok(Some(contents)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(CacheError { path: path.to_owned(), source }),
        }
    }

    /// Opens the cache at a path, or creates it; `form` names the model and the form of the rows,
    /// and a cache of another form is replaced by an empty one. Reads the whole file.
    pub fn open(path: &Path, form: &str, row_bytes: usize) -> Result<Self, CacheError> {
        let failed = |source| CacheError { path: path.to_owned(), source };
        let open =
            || OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut cache = Self::empty(path, open().map_err(failed)?, row_bytes);
        cache.read(&header(form, row_bytes)).map_err(failed)?;
        Ok(cache)
    }

    /// One of whose file nothing is read yet.
    fn empty(path: &Path, file: File, row_bytes: usize) -> Self {
        let (path, positions) = (path.to_owned(), HashMap::new());
        Self { path, file, row_bytes, positions, end: HEADER_BYTES, notice: None }
    }

    /// How many rows it holds.
    #[cfg(test)]
    fn len(&self) -> usize {
        self.positions.len()
    }

    /// What was wrong with the file when it was opened, and what became of it.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Whether it has a row of that key.
    pub fn contains(&self, key: Key) -> bool {
        self.positions.contains_key(&key.0)
    }

    /// Copies a key's row into `row`; says whether there is one.
    pub fn get(&self, key: Key, row: &mut [u8]) -> Result<bool, CacheError> {
        match self.positions.get(&key.0) {
            Some(&position) => {
                self.file.read_exact_at(row, position).map_err(|source| self.failed(source))?;
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Adds rows, one after the other in `rows`, unless the cache is full.
    pub fn add(&mut self, keys: &[Key], rows: &[u8]) -> Result<(), CacheError> {
        assert_eq!(rows.len(), keys.len() * self.row_bytes, "a row a key");
        let chunks = rows.chunks(CHUNK_ROWS_MAX * self.row_bytes);
        for (keys, rows) in keys.chunks(CHUNK_ROWS_MAX).zip(chunks) {
            if self.positions.len() + keys.len() > ROWS_MAX {
                break;
            }
            self.append(keys, rows).map_err(|source| self.failed(source))?;
        }
        Ok(())
    }

    /// Adds what a cache of the same model and form has and this one lacks; `false` where it is of another, and nothing was
    /// added. What of it is damaged or was cut off is left out.
    pub fn absorb(&mut self, path: &Path) -> Result<bool, CacheError> {
        let failed = |source| CacheError { path: path.to_owned(), source };
        let mut own = vec![0; HEADER_BYTES as usize];
        self.file.read_exact_at(&mut own, 0).map_err(|source| self.failed(source))?;
        let file = File::open(path).map_err(failed)?;
        let bytes = file.metadata().map_err(failed)?.len();
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut header = Vec::new();
        reader.by_ref().take(HEADER_BYTES).read_to_end(&mut header).map_err(failed)?;
        if header != own {
            return Ok(false);
        }
        let mut chunks = Chunks::of(reader, bytes, self.row_bytes);
        while let Some(chunk) = chunks.next().map_err(failed)? {
            if !chunk.is_whole {
                self.note_damaged(path);
                continue;
            }
            let (mut new_keys, mut new_rows) = (Vec::new(), Vec::new());
            for (key, row) in chunk.keys().zip(chunk.rows().chunks_exact(self.row_bytes)) {
                if !self.contains(key) {
                    new_keys.push(key);
                    new_rows.extend_from_slice(row);
                }
            }
            self.add(&new_keys, &new_rows)?;
        }
        if chunks.position < bytes {
            self.note_damaged(path);
        }
        Ok(true)
    }

    fn note_damaged(&mut self, path: &Path) {
        let path = path.display();
        self.note(format!("vectors in {path} are damaged or cut off; embedded again"));
    }

    fn note(&mut self, what: String) {
        let before = self.notice.take().map_or_else(String::new, |notice| notice + "; ");
        self.notice = Some(before + &what);
    }

    /// Drops the rows that `keep` refuses when they are more than those it keeps, or the cache is
    /// more than three quarters full.
    pub fn trim(self, keep: impl Fn(Key) -> bool) -> Result<(), CacheError> {
        let kept: Vec<(u128, u64)> = self
            .positions
            .iter()
            .map(|(&key, &position)| (key, position))
            .filter(|&(key, _)| keep(Key(key)))
            .collect();
        let dropped = self.positions.len() - kept.len();
        if dropped <= kept.len() && self.positions.len() < ROWS_MAX / 4 * 3 || dropped == 0 {
            return Ok(());
        }
        self.rewrite(kept).map_err(|source| CacheError { path: self.path.clone(), source })
    }

    fn rewrite(&self, mut kept: Vec<(u128, u64)>) -> io::Result<()> {
        // In the order of the file, so that it is read once from start to end.
        kept.sort_unstable_by_key(|&(_, position)| position);
        let next = self.path.with_extension("tmp");
        let mut header = vec![0; HEADER_BYTES as usize];
        self.file.read_exact_at(&mut header, 0)?;
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&next)?;
        file.write_all(&header)?;
        let mut trimmed = Self::empty(&next, file, self.row_bytes);
        for chunk in kept.chunks(CHUNK_ROWS_MAX) {
            let keys: Vec<Key> = chunk.iter().map(|&(key, _)| Key(key)).collect();
            let mut rows = vec![0; chunk.len() * self.row_bytes];
            for (&(_, position), row) in chunk.iter().zip(rows.chunks_exact_mut(self.row_bytes)) {
                self.file.read_exact_at(row, position)?;
            }
            trimmed.append(&keys, &rows)?;
        }
        durable::rename(&next, &self.path)
    }

    fn failed(&self, source: io::Error) -> CacheError {
        CacheError { path: self.path.clone(), source }
    }

    fn append(&mut self, keys: &[Key], rows: &[u8]) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK_HEADER_BYTES];
        for key in keys {
            chunk.extend_from_slice(&key.0.to_le_bytes());
        }
        chunk.extend_from_slice(rows);
        let count = keys.len() as u32;
        chunk[..4].copy_from_slice(&count.to_le_bytes());
        chunk[4..8].copy_from_slice(&header_hash(count, self.end).to_le_bytes());
        let hash = xxh3_64(&chunk[CHUNK_HEADER_BYTES..]);
        chunk[8..16].copy_from_slice(&hash.to_le_bytes());
        self.file.write_all_at(&chunk, self.end)?;
        self.index(self.end, keys.iter().copied());
        self.end += chunk.len() as u64;
        Ok(())
    }

    /// Notes the rows of the chunk at a position.
    fn index(&mut self, position: u64, keys: impl ExactSizeIterator<Item = Key>) {
        let rows = position + (CHUNK_HEADER_BYTES + keys.len() * KEY_BYTES) as u64;
        for (number, key) in keys.enumerate() {
            self.positions.insert(key.0, rows + (number * self.row_bytes) as u64);
        }
    }

    /// Reads and checks the file, and cuts off what cannot be used.
    fn read(&mut self, expected: &[u8]) -> io::Result<()> {
        let bytes = self.file.metadata()?.len();
        let mut found = vec![0; expected.len()];
        let has_header = bytes >= HEADER_BYTES && self.file.read_exact_at(&mut found, 0).is_ok();
        if !has_header || found != expected {
            if bytes > 0 {
                self.note_own("is of another model or format, or damaged; starting over");
            }
            self.file.set_len(0)?;
            return self.file.write_all_at(expected, 0);
        }
        self.file.seek(SeekFrom::Start(HEADER_BYTES))?;
        let reader = BufReader::with_capacity(1 << 20, self.file.try_clone()?);
        let (mut chunks, mut damaged) = (Chunks::of(reader, bytes, self.row_bytes), 0);
        while let Some(chunk) = chunks.next()? {
            match chunk.is_whole {
                true => self.index(chunk.position, chunk.keys()),
                false => damaged += chunk.count,
            }
        }
        self.end = chunks.position;
        if self.end < bytes {
            self.note_own("ended in a half-written or damaged part, which was cut off");
            self.file.set_len(self.end)?;
        }
        if damaged > 0 {
            self.note_own(&format!("has {damaged} damaged rows, which are embedded again"));
        }
        Ok(())
    }

    fn note_own(&mut self, what: &str) {
        self.note(format!("vector cache {} {what}", self.path.display()));
    }
}

/// The chunks of a file, one after another.
struct Chunks<R> {
    reader: R,
    row_bytes: usize,
    /// Where the next one begins, and the file ends.
    position: u64,
    end: u64,
}

/// A chunk that was read.
struct Chunk {
    position: u64,
    count: usize,
    /// Its keys and rows.
    bytes: Vec<u8>,
    /// Whether they have the hash that was written with them.
    is_whole: bool,
}

impl Chunk {
    fn keys(&self) -> impl ExactSizeIterator<Item = Key> + '_ {
        let keys = self.bytes[..self.count * KEY_BYTES].as_chunks::<KEY_BYTES>().0;
        keys.iter().map(|bytes| Key(u128::from_le_bytes(*bytes)))
    }

    fn rows(&self) -> &[u8] {
        &self.bytes[self.count * KEY_BYTES..]
    }
}

impl<R: Read> Chunks<R> {
    /// Those behind the header that a reader is behind.
    fn of(reader: R, end: u64, row_bytes: usize) -> Self {
        Self { reader, row_bytes, position: HEADER_BYTES, end }
    }

    /// The next chunk; `None` where no whole one follows.
    fn next(&mut self) -> io::Result<Option<Chunk>> {
        let Some(count) = self.next_count()? else { return Ok(None) };
        let (mut hash, mut bytes) = ([0; 8], vec![0; count * (KEY_BYTES + self.row_bytes)]);
        self.reader.read_exact(&mut hash)?;
        self.reader.read_exact(&mut bytes)?;
        let is_whole = xxh3_64(&bytes) == u64::from_le_bytes(hash);
        let chunk = Chunk { position: self.position, count, bytes, is_whole };
        self.position += (CHUNK_HEADER_BYTES + chunk.bytes.len()) as u64;
        Ok(Some(chunk))
    }

    /// The rows of the next chunk, of which the first eight bytes are read; `None` where no whole one follows.
    fn next_count(&mut self) -> io::Result<Option<usize>> {
        if self.end - self.position < CHUNK_HEADER_BYTES as u64 {
            return Ok(None);
        }
        let mut head = [0; 8];
        self.reader.read_exact(&mut head)?;
        let [count, hash] = [&head[..4], &head[4..]]
            .map(|part| u32::from_le_bytes(part.try_into().expect("four bytes of eight")));
        let length = u64::from(count) * (KEY_BYTES + self.row_bytes) as u64;
        let is_whole = hash == header_hash(count, self.position)
            && (1..=CHUNK_ROWS_MAX as u32).contains(&count)
            && self.end - self.position >= CHUNK_HEADER_BYTES as u64 + length;
        Ok(is_whole.then_some(count as usize))
    }
}

/// Counts the rows of a cache.
fn contents(mut file: File) -> io::Result<Contents> {
    let bytes = file.metadata()?.len();
    let mut header = vec![0; HEADER_BYTES.min(bytes) as usize];
    file.read_exact_at(&mut header, 0)?;
    let mut rows = 0;
    if let Some(row_bytes) = row_bytes_of(&header) {
        file.seek(SeekFrom::Start(HEADER_BYTES))?;
        let mut chunks = Chunks::of(file, bytes, row_bytes);
        while let Some(count) = chunks.next_count()? {
            rows += count as u64;
            chunks.position += (CHUNK_HEADER_BYTES + count * (KEY_BYTES + row_bytes)) as u64;
            chunks.reader.seek(SeekFrom::Start(chunks.position))?;
        }
    }
    Ok(Contents { rows, bytes, header })
}

/// Bytes of a row as a whole header says.
fn row_bytes_of(header: &[u8]) -> Option<usize> {
    let is_whole = header.len() as u64 == HEADER_BYTES
        && header[..8] == MAGIC
        && header[HASHED_BYTES..HASHED_BYTES + 8] == xxh3_64(&header[..HASHED_BYTES]).to_le_bytes();
    let row_bytes = header.get(8..12)?.try_into().expect("four bytes of the header");
    is_whole.then(|| u32::from_le_bytes(row_bytes) as usize)
}

fn header_hash(count: u32, position: u64) -> u32 {
    let mut bytes = [0; 12];
    bytes[..4].copy_from_slice(&count.to_le_bytes());
    bytes[4..].copy_from_slice(&position.to_le_bytes());
    xxh3_64(&bytes) as u32
}

fn header(form: &str, row_bytes: usize) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&(row_bytes as u32).to_le_bytes());
    header.extend_from_slice(&0_u32.to_le_bytes());
    header.extend_from_slice(&Sha256::digest(form));
    let hash = xxh3_64(&header);
    header.extend_from_slice(&hash.to_le_bytes());
    header.resize(HEADER_BYTES as usize, 0);
    header
}

#[cfg(test)]
mod tests;
