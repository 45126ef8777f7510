//! Encoded rows, one after another in memory, addressed by where they begin.
//!
//! A row takes a few hundred bytes as a value with its texts apart, and half of that in postcard
//! without a heap block a text; two million fit. Chunks, so that growing copies nothing.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Bytes of a chunk; also the longest row there may be, far above any line of the sources.
const CHUNK_BYTES: usize = 8 << 20;

/// Encoded rows.
#[derive(Debug, Default)]
pub(super) struct Arena {
    chunks: Vec<Vec<u8>>,
    scratch: Vec<u8>,
    bytes: u64,
}

/// Where a row begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    chunk: u32,
    position: u32,
}

impl Arena {
    /// Adds a row.
    pub(super) fn add(&mut self, row: &impl Serialize) -> Result<Place, postcard::Error> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        self.scratch = postcard::to_extend(row, scratch)?;
        let full = self
            .chunks
            .last()
            .is_none_or(|chunk| chunk.len() + self.scratch.len() > chunk.capacity());
        if full {
            self.chunks.push(Vec::with_capacity(CHUNK_BYTES.max(self.scratch.len())));
        }
        let index = self.chunks.len() - 1;
        let chunk = &mut self.chunks[index];
        let place = Place { chunk: index as u32, position: chunk.len() as u32 };
        self.bytes += self.scratch.len() as u64;
        chunk.extend_from_slice(&self.scratch);
        Ok(place)
    }

    /// Bytes of all rows.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The row that begins there.
    pub(super) fn get<Row: DeserializeOwned>(&self, at: Place) -> Result<Row, postcard::Error> {
        let chunk = &self.chunks[at.chunk as usize];
        Ok(postcard::take_from_bytes(&chunk[at.position as usize..])?.0)
    }
}
