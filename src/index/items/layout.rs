//! How the file of an index of items is laid out.
//!
//! All little-endian. Header: [`MAGIC`]; u32 [`VERSION`]; u32 items; u32 kinds; u32 bytes of the
//! kinds' names; u32 scores, u32 identifiers, as many as items, or 0 where no item has any; then, one after
//! another: u32 owner of each item; kind of each item, in as many bytes as [`Width`] says; f64 score of each
//! item, NaN when unknown; u32 items sorted by owner and number; u64 hashes of identifiers, sorted; u32 items
//! in that order; u32 where each kind's name ends; the names.

use std::ops::Range;

use crate::mapped::{Damage, MappedFile, header_bytes};

pub(super) const MAGIC: [u8; 8] = *b"ALMITEMS";

/// Raised whenever the layout changes.
pub(super) const VERSION: u32 = 2;

/// Stands for no kind: in one byte its lowest one.
pub(super) const UNKNOWN_KIND: u32 = u32::MAX;

/// Bytes of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    One = 1,
    Four = 4,
}

impl Width {
    pub(super) fn of(kinds: u32) -> Self {
        if kinds < u8::MAX.into() { Self::One } else { Self::Four }
    }
}

/// Numbers of the header.
const NUMBERS: usize = 5;

/// Where everything lies, in bytes.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) items: u32,
    pub(super) owners: Range<usize>,
    pub(super) kinds: Range<usize>,
    pub(super) kind_width: Width,
    pub(super) scores: Range<usize>,
    pub(super) by_owner: Range<usize>,
    pub(super) hashes: Range<usize>,
    pub(super) by_hash: Range<usize>,
    pub(super) kind_ends: Range<usize>,
    pub(super) kind_text: Range<usize>,
}

impl Layout {
    pub(super) fn read(file: &MappedFile) -> Result<Self, Damage> {
        let [items, kinds, text, scores, identifiers] =
            file.header::<NUMBERS>(MAGIC, VERSION, "an index of items does")?;
        let mut end = header_bytes(NUMBERS);
        let mut section = |count: u32, width: usize| {
            let start = end;
            end = start.saturating_add((count as usize).saturating_mul(width));
            start..end
        };
        let kind_width = Width::of(kinds);
        let layout = Self {
            items,
            kind_width,
            owners: section(items, 4),
            kinds: section(items, kind_width as usize),
            scores: section(scores, 8),
            by_owner: section(items, 4),
            hashes: section(identifiers, 8),
            by_hash: section(identifiers, 4),
            kind_ends: section(kinds, 4),
            kind_text: section(text, 1),
        };
        file.expect_len(layout.kind_text.end)?;
        Ok(layout)
    }
}
