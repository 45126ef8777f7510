//! A value of the store: consecutive records, compressed together, as many as fill a page.
//!
//! LZ4 block with its length in front, little-endian u32; within it, u32 each: where record 0, 1,
//! … ends, counted from the first record's begin, as many as there are records, preceded by
//! their number; then the records in postcard. One record is decoded without looking at the
//! others.

use std::marker::PhantomData;

use super::{StoreError, Stored};

/// Bytes that a block may have uncompressed: 64 records of 1 MiB, far above any that the IRS's
/// files can give, so that no length makes reading allocate without bound.
const BLOCK_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bytes of a value that redb stores in one page of 4,096 with its own. A longer one would take
/// two pages, four, and so on.
const VALUE_BYTES: usize = 4_064;

/// Where packing begins to look for how many records fill a page.
const RECORDS_GUESS: usize = 24;

/// Records that a block may have, however well they compress: decoding one unpacks all.
const RECORDS_MAX: usize = 64;

/// Consecutive records, packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block<Record> {
    /// Number of the first.
    pub(super) first: u32,
    /// The value of the store.
    pub(super) value: Vec<u8>,
    of: PhantomData<fn() -> Record>,
}

/// Packs records whose numbers follow one another from `first` on.
///
/// # Errors
/// When a record cannot be encoded.
pub fn pack<Record: Stored>(
    first: u32,
    records: &[Record],
) -> Result<Vec<Block<Record>>, StoreError> {
    let mut blocks = Vec::new();
    let (mut start, mut count) = (0, RECORDS_GUESS);
    while start < records.len() {
        let rest = &records[start..];
        let bounded = |count: usize| count.clamp(1, RECORDS_MAX.min(rest.len()));
        count = bounded(count);
        let mut value = encode(&rest[..count])?;
        let more = bounded(count * VALUE_BYTES / value.len());
        if more > count {
            let longer = encode(&rest[..more])?;
            if longer.len() <= VALUE_BYTES {
                (count, value) = (more, longer);
            }
        }
        while value.len() > VALUE_BYTES && count > 1 {
            count = bounded((count * VALUE_BYTES / value.len()).min(count - 1));
            value = encode(&rest[..count])?;
        }
        blocks.push(Block { first: first + start as u32, value, of: PhantomData });
        start += count;
    }
    Ok(blocks)
}

fn encode<Record: Stored>(records: &[Record]) -> Result<Vec<u8>, StoreError> {
    let head = 4 * (records.len() + 1);
    let mut plain = vec![0; head];
    plain[..4].copy_from_slice(&(records.len() as u32).to_le_bytes());
    for (at, record) in records.iter().enumerate() {
        plain = postcard::to_extend(record, plain).map_err(StoreError::Record)?;
        let end = u32::try_from(plain.len() - head).unwrap_or(u32::MAX);
        plain[4 * (at + 1)..4 * (at + 2)].copy_from_slice(&end.to_le_bytes());
    }
    if plain.len() > BLOCK_BYTES_MAX {
        let what = "its records are longer than 64 MiB";
        return Err(StoreError::Block { block: u32::MAX, what });
    }
    Ok(lz4_flex::block::compress_prepend_size(&plain))
}

/// A block, decompressed.
pub(super) struct Unpacked<Record> {
    first: u32,
    plain: Vec<u8>,
    count: usize,
    of: PhantomData<fn() -> Record>,
}

impl<Record: Stored> Unpacked<Record> {
    /// Decompresses the value whose first record has the number `first`.
    pub(super) fn of(first: u32, value: &[u8]) -> Result<Self, StoreError> {
        let wrong = |what| StoreError::Block { block: first, what };
        let length = value.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize);
        if length.is_none_or(|length| length > BLOCK_BYTES_MAX) {
            return Err(wrong("expected a length of at most 64 MiB"));
        }
        let plain = lz4_flex::block::decompress_size_prepended(value)
            .map_err(|_| wrong("expected an LZ4 block"))?;
        if length != Some(plain.len()) {
            return Err(wrong("expected as many bytes as its length says"));
        }
        let mut unpacked = Self { first, plain, count: 0, of: PhantomData };
        unpacked.count = unpacked.entry(0)?;
        if unpacked.count > RECORDS_MAX {
            return Err(wrong("expected at most 64 records"));
        }
        Ok(unpacked)
    }

    /// The record of a number; `None` where the block has none of it.
    pub(super) fn get(&self, number: u32) -> Result<Option<Record>, StoreError> {
        let at = match number.checked_sub(self.first) {
            Some(at) if (at as usize) < self.count => at as usize,
            _ => return Ok(None),
        };
        let head = 4 * (self.count + 1);
        let start = if at == 0 { 0 } else { self.entry(at)? };
        let record = self
            .plain
            .get(head + start..head + self.entry(at + 1)?)
            .ok_or_else(|| self.wrong("expected record positions that rise within the block"))?;
        Ok(Some(postcard::from_bytes(record).map_err(StoreError::Record)?))
    }

    /// A number of the head: how many records there are, then where each ends.
    fn entry(&self, index: usize) -> Result<usize, StoreError> {
        let bytes = self.plain.get(4 * index..4 * index + 4).and_then(|bytes| bytes.first_chunk());
        bytes
            .map(|bytes| u32::from_le_bytes(*bytes) as usize)
            .ok_or_else(|| self.wrong("expected more record positions"))
    }

    fn wrong(&self, what: &'static str) -> StoreError {
        StoreError::Block { block: self.first, what }
    }
}
