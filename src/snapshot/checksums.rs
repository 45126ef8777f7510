//! The block sums of a snapshot's files: `checksums`.
//!
//! All little-endian: [`MAGIC`]; u32 number of files; then for each file, by name: u16 length of
//! its name, the name, u64 bytes of the file, and u64 for each of its blocks.

use std::collections::BTreeMap;

use crate::mapped::BlockSums;

/// The file within a snapshot.
pub(crate) const FILE: &str = "checksums";

const MAGIC: [u8; 8] = *b"ALMSUMS1";

/// Block sums by file.
pub(crate) type Checksums = BTreeMap<String, BlockSums>;

/// The bytes of the file.
pub(crate) fn encode(sums: &Checksums) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(&(sums.len() as u32).to_le_bytes());
    for (name, sums) in sums {
        out.extend_from_slice(&(name.len() as u16).to_le_bytes());
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(&sums.bytes().to_le_bytes());
        for sum in sums.sums() {
            out.extend_from_slice(&sum.to_le_bytes());
        }
    }
    out
}

/// Reads the bytes of the file; `None` when they are not of its form to the last.
pub(crate) fn decode(bytes: &[u8]) -> Option<Checksums> {
    let mut rest = bytes.strip_prefix(&MAGIC)?;
    let files = u32::from_le_bytes(take(&mut rest)?);
    let mut all = Checksums::new();
    for _ in 0..files {
        let length = usize::from(u16::from_le_bytes(take(&mut rest)?));
        let (name, after) = rest.split_at_checked(length)?;
        rest = after;
        let file_bytes = u64::from_le_bytes(take(&mut rest)?);
        let blocks =
            usize::try_from(file_bytes.div_ceil(crate::mapped::BLOCK_BYTES as u64)).ok()?;
        let (sums, after) = rest.split_at_checked(blocks.checked_mul(8)?)?;
        rest = after;
        let sums = sums.as_chunks().0.iter().map(|sum| u64::from_le_bytes(*sum)).collect();
        let name = std::str::from_utf8(name).ok()?.to_owned();
        all.insert(name, BlockSums::from_parts(file_bytes, sums)?);
    }
    (rest.is_empty() && all.len() == files as usize).then_some(all)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(*taken)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            files in prop::collection::btree_map("[a-z/]{0,12}", 0_usize..200_000, 0..5),
            cut in any::<prop::sample::Index>(),
        ) {
            let sums: Checksums = files
                .into_iter()
                .map(|(name, bytes)| (name, BlockSums::of(&vec![7; bytes][..], |_| {}).unwrap()))
                .collect();
            let bytes = encode(&sums);
            prop_assert_eq!(decode(&bytes), Some(sums));
            prop_assert_eq!(decode(&bytes[..cut.index(bytes.len())]), None);
        }

        #[test]
        fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut whole = MAGIC.to_vec();
            whole.extend(bytes);
            let _ = decode(&whole);
        }
    }
}
