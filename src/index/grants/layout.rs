//! How the file of the values of grants is laid out.
//!
//! All little-endian. Header: [`MAGIC`]; u32 [`VERSION`]; u32 grants; u32 grantors; u32 tax years; then, one
//! value a grant each: i64 amount, [`UNKNOWN_AMOUNT`] when it is not stated; u32 place of the grantor among
//! the keys of its postings; u32 number of the recipient, [`NO_RECIPIENT`] when it is linked to none; f32
//! probability of the link; u8 how the recipient was found; u8 place of the stage in `GrantStage::ALL`; u8
//! index of the recipient's state, of the grantor's, each [`NO_STATE`] when it is not known; u8 letter that the
//! recipient's NTEE code begins with, [`NO_MAJOR`] without one; then, by place, u8 whether the grantor takes
//! applications, [`NOT_SAID`] where it does not say; then, of each tax year, the latest first, u32 year and u32
//! where its grants end.

use std::ops::Range;

use crate::mapped::{Damage, MappedFile, header_bytes};

pub(super) const MAGIC: [u8; 8] = *b"ALMGRANT";

/// Raised whenever the layout changes.
pub(super) const VERSION: u32 = 2;

/// Stands for an amount that is not stated; no return states one so low.
pub(super) const UNKNOWN_AMOUNT: i64 = i64::MIN;

/// Stands for no organization of the snapshot.
pub(super) const NO_RECIPIENT: u32 = u32::MAX;

/// Stands for no state.
pub(super) const NO_STATE: u8 = u8::MAX;

/// Stands for no NTEE code.
pub(super) const NO_MAJOR: u8 = 0;

/// Stands for what a grantor does not say.
pub(super) const NOT_SAID: u8 = u8::MAX;

/// Numbers of the header.
const NUMBERS: usize = 3;

/// Where everything lies, in bytes.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) grants: u32,
    pub(super) amounts: Range<usize>,
    pub(super) grantors: Range<usize>,
    pub(super) recipients: Range<usize>,
    pub(super) probabilities: Range<usize>,
    pub(super) links: Range<usize>,
    pub(super) stages: Range<usize>,
    pub(super) recipient_states: Range<usize>,
    pub(super) grantor_states: Range<usize>,
    pub(super) recipient_majors: Range<usize>,
    pub(super) accepting: Range<usize>,
    pub(super) years: Range<usize>,
}

impl Layout {
    pub(super) fn read(file: &MappedFile) -> Result<Self, Damage> {
        let [grants, grantors, years] =
            file.header::<NUMBERS>(MAGIC, VERSION, "values of grants do")?;
        let mut end = header_bytes(NUMBERS);
        let mut section = |count: u32, width: usize| {
            let start = end;
            end = start.saturating_add((count as usize).saturating_mul(width));
            start..end
        };
        let layout = Self {
            grants,
            amounts: section(grants, 8),
            grantors: section(grants, 4),
            recipients: section(grants, 4),
            probabilities: section(grants, 4),
            links: section(grants, 1),
            stages: section(grants, 1),
            recipient_states: section(grants, 1),
            grantor_states: section(grants, 1),
            recipient_majors: section(grants, 1),
            accepting: section(grantors, 1),
            years: section(years, 8),
        };
        file.expect_len(layout.years.end)?;
        Ok(layout)
    }
}
