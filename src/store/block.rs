//! A value of the store: consecutive records, compressed together, as many as fill a page.
//!
//! LZ4 block with its length in front, little-endian u32; within it, in postcard, the lengths of the records
//! as `Vec<u32>`, then the records. One record is decoded without looking at the others.

use std::marker::PhantomData;

use super::{StoreError, Stored};

/// Bytes that a block may have uncompressed: far above the longest record that the IRS's files can give, so
/// that no length makes reading allocate without bound.
const BLOCK_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bytes of a value that redb stores in one page of 4,096 with its own. A longer one would take
/// two pages, four, and so on.
const VALUE_BYTES: usize = 4_064;

/// Where packing begins to look for how many records fill a page.
const RECORDS_GUESS: usize = 24;

/// Bytes that the records of a block may have uncompressed, if there is more than one: reading one unpacks
/// all, which takes some microseconds.
const PLAIN_BYTES: usize = 32 * 1024;

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
    let mut ends = Vec::with_capacity(records.len());
    let mut plain = Vec::new();
    for record in records {
        plain = postcard::to_extend(record, plain).map_err(StoreError::Record)?;
        ends.push(plain.len());
    }
    let mut blocks = Vec::new();
    let mut encoder = Encoder::default();
    let (mut start, mut count) = (0, RECORDS_GUESS);
    while start < ends.len() {
        let from = start.checked_sub(1).map_or(0, |before| ends[before]);
        let most = ends[start..].partition_point(|end| end - from <= PLAIN_BYTES).max(1);
        let mut encode = |count| encoder.encode(&plain[from..], &ends[start..start + count], from);
        count = count.min(most);
        let mut value = encode(count)?;
        let more = (count * VALUE_BYTES / value.len()).min(most);
        if more > count {
            let longer = encode(more)?;
            if longer.len() <= VALUE_BYTES {
                (count, value) = (more, longer);
            }
        }
        while value.len() > VALUE_BYTES && count > 1 {
            count = (count * VALUE_BYTES / value.len()).clamp(1, count - 1);
            value = encode(count)?;
        }
        blocks.push(Block { first: first + start as u32, value, of: PhantomData });
        start += count;
    }
    Ok(blocks)
}

/// Room that is used for one value after another.
#[derive(Default)]
struct Encoder {
    lengths: Vec<u32>,
    plain: Vec<u8>,
    packed: Vec<u8>,
}

impl Encoder {
    /// The value of records that end at `ends`, counted from `from` bytes before the first.
    fn encode(
        &mut self,
        records: &[u8],
        ends: &[usize],
        from: usize,
    ) -> Result<Vec<u8>, StoreError> {
        let Self { lengths, plain, packed } = self;
        lengths.clear();
        let starts = std::iter::once(&from).chain(ends);
        lengths.extend(ends.iter().zip(starts).map(|(end, start)| (end - start) as u32));
        plain.clear();
        *plain =
            postcard::to_extend(&*lengths, std::mem::take(plain)).map_err(StoreError::Record)?;
        plain.extend_from_slice(&records[..ends.last().map_or(0, |end| end - from)]);
        if plain.len() > BLOCK_BYTES_MAX {
            let what = "its records are longer than 64 MiB";
            return Err(StoreError::Block { block: u32::MAX, what });
        }
        packed.resize(lz4_flex::block::get_maximum_output_size(plain.len()), 0);
        let length = lz4_flex::block::compress_into(plain, packed).map_err(|_| {
            let what = "it compresses to more than the most that a block can";
            StoreError::Block { block: u32::MAX, what }
        })?;
        Ok([&(plain.len() as u32).to_le_bytes(), &packed[..length]].concat())
    }
}

/// A block, decompressed.
pub(super) struct Unpacked<Record> {
    first: u32,
    plain: Vec<u8>,
    /// Where each record ends, the first of them where the lengths do.
    bounds: Vec<usize>,
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
        let (lengths, records): (Vec<u32>, &[u8]) = postcard::take_from_bytes(&plain)
            .map_err(|_| wrong("expected the lengths of its records"))?;
        let mut bounds = Vec::with_capacity(lengths.len() + 1);
        let mut end = plain.len() - records.len();
        bounds.push(end);
        for length in lengths {
            end = end.saturating_add(length as usize);
            bounds.push(end);
        }
        if end != plain.len() {
            return Err(wrong("expected records as long as their lengths say"));
        }
        Ok(Self { first, plain, bounds, of: PhantomData })
    }

    /// The record of a number; `None` where the block has none of it.
    pub(super) fn get(&self, number: u32) -> Result<Option<Record>, StoreError> {
        let bounds = number.checked_sub(self.first).and_then(|at| {
            let at = at as usize;
            self.bounds.get(at..at + 2)
        });
        let record = bounds.map(|bounds| postcard::from_bytes(&self.plain[bounds[0]..bounds[1]]));
        record.transpose().map_err(StoreError::Record)
    }
}
