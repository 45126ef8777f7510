//! A value of the store: up to [`BLOCK_ORGANIZATIONS`] records, compressed together.
//!
//! LZ4 block with its length in front, little-endian u32; within it, u32 each: where record 0, 1,
//! … ends, counted from the first record's begin, as many as there are records, preceded by
//! their number; then the records in postcard. One record is decoded without looking at the
//! others.

use super::{BLOCK_ORGANIZATIONS, StoreError};
use crate::record::Organization;

/// Bytes that a block may have uncompressed: 32 records of 2 MiB, far above any that the IRS's
/// files can give, so that no length makes reading allocate without bound.
const BLOCK_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Packs at most [`BLOCK_ORGANIZATIONS`] organizations.
///
/// # Errors
/// When there are more, or a record cannot be encoded.
pub fn encode(organizations: &[Organization]) -> Result<Vec<u8>, StoreError> {
    let wrong = |what| StoreError::Block { block: u32::MAX, what };
    if organizations.is_empty() || organizations.len() > BLOCK_ORGANIZATIONS {
        return Err(wrong("a block holds 1 to 32 records"));
    }
    let head = 4 * (organizations.len() + 1);
    let mut plain = vec![0; head];
    plain[..4].copy_from_slice(&(organizations.len() as u32).to_le_bytes());
    for (at, organization) in organizations.iter().enumerate() {
        plain = postcard::to_extend(organization, plain)?;
        let end = u32::try_from(plain.len() - head).unwrap_or(u32::MAX);
        plain[4 * (at + 1)..4 * (at + 2)].copy_from_slice(&end.to_le_bytes());
    }
    if plain.len() > BLOCK_BYTES_MAX {
        return Err(wrong("the records of a block are longer than 64 MiB"));
    }
    Ok(lz4_flex::block::compress_prepend_size(&plain))
}

/// The record at a position of a block; `None` past its last.
pub(super) fn decode(
    block: u32,
    value: &[u8],
    at: usize,
) -> Result<Option<Organization>, StoreError> {
    let wrong = |what| StoreError::Block { block, what };
    let length = value.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize);
    if length.is_none_or(|length| length > BLOCK_BYTES_MAX) {
        return Err(wrong("expected a length of at most 64 MiB"));
    }
    let plain = lz4_flex::block::decompress_size_prepended(value)
        .map_err(|_| wrong("expected an LZ4 block"))?;
    let number = |index: usize| {
        let bytes = plain.get(4 * index..4 * index + 4).and_then(|bytes| bytes.first_chunk());
        bytes
            .map(|bytes| u32::from_le_bytes(*bytes) as usize)
            .ok_or_else(|| wrong("expected more record positions"))
    };
    let count = number(0)?;
    if count > BLOCK_ORGANIZATIONS {
        return Err(wrong("expected at most 32 records"));
    }
    if at >= count {
        return Ok(None);
    }
    let head = 4 * (count + 1);
    let start = if at == 0 { 0 } else { number(at)? };
    let record = plain
        .get(head + start..head + number(at + 1)?)
        .ok_or_else(|| wrong("expected record positions that rise within the block"))?;
    Ok(Some(postcard::from_bytes(record)?))
}
