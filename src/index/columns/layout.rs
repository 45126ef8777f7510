//! How the file of the columns is laid out.
//!
//! All little-endian. Header: [`MAGIC`]; u32 [`VERSION`]; u32 number of organizations; u32 number
//! of sections; u32 zero. Then, for each [`Section`] in order: its name, 16 bytes filled with
//! zeros; u32 bytes of a value; u32 zero; u64 number of values; u64 position of the first. Then
//! the sections, each at a multiple of 64.
//!
//! A section by OrgId holds one value an organization, or none when every one is unknown.

use std::io::{self, Write};
use std::ops::Range;

use crate::mapped::{Damage, MappedFile};

const MAGIC: [u8; 8] = *b"ALMCOLMN";

/// Raised whenever a section comes, goes or changes its meaning.
const VERSION: u32 = 2;

const HEADER_BYTES: usize = 24;
const ENTRY_BYTES: usize = 40;
const NAME_BYTES: usize = 16;
/// A cache line, so that no value lies across two.
const ALIGNMENT: usize = 64;

/// A part of the file. Unknown values are all ones, or NaN, unless said otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// Sorted by EIN: u32 packed EIN, u32 OrgId.
    EinIndex,
    /// By OrgId: u32 packed EIN.
    Ein,
    /// By OrgId: u8 index of the state.
    State,
    /// By OrgId: u32 number of the county's key.
    County,
    /// By OrgId: u32 number of the city's key.
    City,
    /// By OrgId: u32 number of the key of the city as the master file spells it.
    CityAsFiled,
    /// By OrgId: u32 packed ZIP code.
    Zip,
    /// By OrgId: f32 latitude, f32 longitude.
    Point,
    /// By OrgId: u8.
    Subsection,
    /// By OrgId: u8 of the bits in [`flag`].
    Flags,
    /// By OrgId: the three bytes of the code; zeros when unknown.
    Ntee,
    /// By OrgId: u32 mask, 0 when there is none.
    Sdgs,
    /// By OrgId: i64 dollars, the least when unknown.
    Revenue,
    /// By OrgId: i64 dollars that a revenue without an amount does not exceed, the least when unknown.
    RevenueCeiling,
    /// By OrgId: i64 dollars, the least when unknown.
    Expenses,
    /// By OrgId: i64 dollars, the least when unknown.
    Assets,
    /// By OrgId: u32.
    Employees,
    /// By OrgId: f32.
    Score,
    /// By OrgId: f32.
    Rating,
    /// By OrgId: u8 position in `OrgSize::ALL`.
    Size,
    /// By OrgId: u32 position among the distinct display names in normal form, sorted.
    Name,
    /// By OrgId: u16 months since January 1800.
    Ruling,
    /// Where each county's key ends in the next section: u32, the keys sorted.
    CountyEnds,
    /// The counties' keys, one after another.
    CountyText,
    /// Where each city's key ends in the next section: u32, the keys sorted.
    CityEnds,
    /// The cities' keys, one after another.
    CityText,
}

/// Bits of [`Section::Flags`]. Each is set where the answer is yes; [`flag::known`] of it where there is an
/// answer.
pub(super) mod flag {
    /// A private foundation.
    pub(in super::super) const FOUNDATION: u16 = 1;
    /// Contributions are deductible.
    pub(in super::super) const DEDUCTIBLE: u16 = 2;
    /// Revoked and not reinstated.
    pub(in super::super) const INACTIVE: u16 = 4;
    /// Marked as vetted by the operator.
    pub(in super::super) const VETTED: u16 = 8;
    /// The operator has a video of it.
    pub(in super::super) const VIDEO: u16 = 16;

    /// The bit that says whether the answer of another is known.
    pub(in super::super) const fn known(flag: u16) -> u16 {
        flag << 8
    }
}

/// Every section in the order of the file: itself, its name, bytes of a value, whether by OrgId.
pub(super) const SECTIONS: [(Section, &str, usize, bool); 26] = [
    (Section::EinIndex, "ein_index", 8, true),
    (Section::Ein, "ein", 4, true),
    (Section::State, "state", 1, true),
    (Section::County, "county", 4, true),
    (Section::City, "city", 4, true),
    (Section::CityAsFiled, "city_as_filed", 4, true),
    (Section::Zip, "zip", 4, true),
    (Section::Point, "point", 8, true),
    (Section::Subsection, "subsection", 1, true),
    (Section::Flags, "flags", 2, true),
    (Section::Ntee, "ntee", 3, true),
    (Section::Sdgs, "sdgs", 4, true),
    (Section::Revenue, "revenue", 8, true),
    (Section::RevenueCeiling, "revenue_ceiling", 8, true),
    (Section::Expenses, "expenses", 8, true),
    (Section::Assets, "assets", 8, true),
    (Section::Employees, "employees", 4, true),
    (Section::Score, "score", 4, true),
    (Section::Rating, "rating", 4, true),
    (Section::Size, "size", 1, true),
    (Section::Name, "name", 4, true),
    (Section::Ruling, "ruling", 2, true),
    (Section::CountyEnds, "county_ends", 4, false),
    (Section::CountyText, "county_text", 1, false),
    (Section::CityEnds, "city_ends", 4, false),
    (Section::CityText, "city_text", 1, false),
];

/// Where a section lies.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extent {
    /// Byte of its first value.
    pub(super) position: usize,
    /// Number of its values.
    pub(super) count: usize,
}

/// Where every section lies.
#[derive(Debug)]
pub(super) struct Directory([Extent; SECTIONS.len()]);

impl Directory {
    /// Reads the header; also gives the number of organizations.
    pub(super) fn read(file: &MappedFile) -> Result<(Self, u32), Damage> {
        let header = file.bytes(0..HEADER_BYTES)?;
        let number = |at: usize| {
            let bytes = header[at..].first_chunk().expect("the header holds four bytes there");
            u32::from_le_bytes(*bytes)
        };
        if header[..8] != MAGIC {
            return Err(file.form("it does not begin as a file of columns does"));
        }
        let (version, organizations, sections) = (number(8), number(12), number(16));
        if version != VERSION || sections as usize != SECTIONS.len() {
            return Err(file.form(format!(
                "expected version {VERSION} with {} sections, found version {version} with \
                 {sections}",
                SECTIONS.len()
            )));
        }
        let mut extents = [Extent::default(); SECTIONS.len()];
        for (index, &(_, name, width, by_org)) in SECTIONS.iter().enumerate() {
            let start = HEADER_BYTES + index * ENTRY_BYTES;
            let entry = file.bytes(start..start + ENTRY_BYTES)?;
            let long = |at: usize| {
                let bytes = entry[at..].first_chunk().expect("an entry holds eight bytes there");
                usize::try_from(u64::from_le_bytes(*bytes)).unwrap_or(usize::MAX)
            };
            let (count, position) = (long(24), long(32));
            let fits = entry[..NAME_BYTES] == padded(name)
                && entry[NAME_BYTES..NAME_BYTES + 4] == (width as u32).to_le_bytes()
                && (!by_org || count == 0 || count == organizations as usize);
            if !fits {
                return Err(file.form(format!("section {index} is not the {name} expected")));
            }
            let end = count.checked_mul(width).and_then(|bytes| bytes.checked_add(position));
            if end.is_none_or(|end| end > file.len()) {
                return Err(file.form(format!("section {name} reaches past the end")));
            }
            extents[index] = Extent { position, count };
        }
        Ok((Self(extents), organizations))
    }

    /// Where a section lies.
    pub(super) fn section(&self, section: Section) -> Extent {
        self.0[section as usize]
    }

    /// Values of a section by OrgId.
    pub(super) fn view<'file, const WIDTH: usize>(
        &self,
        file: &'file MappedFile,
        section: Section,
        rows: Range<usize>,
    ) -> Result<View<'file, WIDTH>, Damage> {
        debug_assert_eq!(SECTIONS[section as usize].2, WIDTH, "{section:?}");
        let Extent { position, count } = self.section(section);
        if count == 0 {
            return Ok(View { first: 0, values: None });
        }
        let bytes = file.bytes(position + rows.start * WIDTH..position + rows.end * WIDTH)?;
        Ok(View { first: rows.start, values: Some(bytes.as_chunks().0) })
    }

    /// The number of a key in a sorted dictionary.
    pub(super) fn key_number(
        &self,
        file: &MappedFile,
        (ends, text): (Section, Section),
        key: &str,
    ) -> Result<Option<u32>, Damage> {
        let (ends, text) = (self.section(ends), self.section(text));
        let (mut low, mut high) = (0, ends.count);
        while low < high {
            let middle = low + (high - low) / 2;
            let start =
                if middle == 0 { 0 } else { file.u32_at(ends.position, middle - 1)? as usize };
            let end = file.u32_at(ends.position, middle)? as usize;
            if start > end || end > text.count {
                return Err(file.form("a key ends before it begins or past the last"));
            }
            let found = file.bytes(text.position + start..text.position + end)?;
            match found.cmp(key.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Ok(Some(middle as u32)),
            }
        }
        Ok(None)
    }
}

/// Values of some rows of a section.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'file, const WIDTH: usize> {
    first: usize,
    /// `None` when every value is unknown.
    values: Option<&'file [[u8; WIDTH]]>,
}

impl<const WIDTH: usize> View<'_, WIDTH> {
    /// The value of a row, which must be one of those asked for; `None` when the section has
    /// none.
    #[inline]
    pub(super) fn at(&self, row: usize) -> Option<&[u8; WIDTH]> {
        self.values.map(|values| &values[row - self.first])
    }
}

fn padded(name: &str) -> [u8; NAME_BYTES] {
    let mut bytes = [0; NAME_BYTES];
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    bytes
}

/// Writes the file: each section of [`SECTIONS`], in order, as the bytes of its values.
pub(super) fn write(
    out: &mut impl Write,
    organizations: u32,
    sections: &[Vec<u8>; SECTIONS.len()],
) -> io::Result<()> {
    out.write_all(&MAGIC)?;
    for number in [VERSION, organizations, SECTIONS.len() as u32, 0] {
        out.write_all(&number.to_le_bytes())?;
    }
    let mut position = HEADER_BYTES + SECTIONS.len() * ENTRY_BYTES;
    let mut gaps = Vec::with_capacity(SECTIONS.len());
    for (&(_, name, width, _), bytes) in SECTIONS.iter().zip(sections) {
        gaps.push(position.next_multiple_of(ALIGNMENT) - position);
        position = position.next_multiple_of(ALIGNMENT);
        out.write_all(&padded(name))?;
        out.write_all(&(width as u32).to_le_bytes())?;
        out.write_all(&[0; 4])?;
        out.write_all(&((bytes.len() / width) as u64).to_le_bytes())?;
        out.write_all(&(position as u64).to_le_bytes())?;
        position += bytes.len();
    }
    for (gap, bytes) in gaps.into_iter().zip(sections) {
        out.write_all(&[0; ALIGNMENT][..gap])?;
        out.write_all(bytes)?;
    }
    Ok(())
}
