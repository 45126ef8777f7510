//! How many organizations of a set have each value of a column: exact, from the bitmap.

use std::collections::BTreeMap;

use super::layout::Section;
use super::select::month;
use super::{Bitmap, Columns};
use crate::mapped::Damage;
use crate::record::{Month, OrgSize, State, named};

named! {
    /// What is counted by.
    Facet {
        State = "state",
        NteeMajor = "ntee_major",
        OrgSize = "org_size",
        Subsection = "subsection",
        RulingDecade = "ruling_decade",
    }
}

/// A value, `None` of those of which it is not known, and how many have it.
pub type FacetCount = (Option<String>, u64);

/// Months of a decade.
const DECADE_MONTHS: u16 = 120;

impl Columns {
    /// How many of a set have each value, the most frequent first, equally frequent ones by value; values
    /// that nobody has are left out.
    pub fn facet(&self, set: &Bitmap, facet: Facet) -> Result<Vec<FacetCount>, Damage> {
        let state = |byte: u8| State::from_index(byte).map(|state| state.code().to_owned());
        let size =
            |byte: u8| OrgSize::ALL.get(usize::from(byte)).map(|size| size.name().to_owned());
        let counts = match facet {
            Facet::State => {
                self.histogram(set, Section::State, |value: &[u8; 1]| value[0])?.map(state)
            }
            Facet::OrgSize => {
                self.histogram(set, Section::Size, |value: &[u8; 1]| value[0])?.map(size)
            }
            Facet::Subsection => self
                .histogram(set, Section::Subsection, |value: &[u8; 1]| value[0])?
                .map(|code| (code != u8::MAX).then(|| format!("{code:02}"))),
            Facet::NteeMajor => self
                .histogram(set, Section::Ntee, |value: &[u8; 3]| value[0])?
                .map(|letter| (letter != 0).then(|| char::from(letter).to_string())),
            Facet::RulingDecade => self
                .histogram(set, Section::Ruling, |value| {
                    month(Some(value))
                        .map_or(u8::MAX, |month| (month.ordinal() / DECADE_MONTHS) as u8)
                })?
                .map(|decade| {
                    // Of what is not known the number is that of no month.
                    let first = Month::try_from(u16::from(decade) * DECADE_MONTHS).ok();
                    first.map(|month| month.year().to_string())
                }),
        };
        let mut counts: Vec<FacetCount> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(counts)
    }

    /// How many of a set have each byte that is made of a value; the greatest stands for a section without
    /// values.
    fn histogram<const WIDTH: usize>(
        &self,
        set: &Bitmap,
        section: Section,
        bucket: impl Fn(&[u8; WIDTH]) -> u8,
    ) -> Result<Histogram, Damage> {
        let mut counts = [0_u64; 256];
        if let Some(rows) = set.hull() {
            let view = self.view::<WIDTH>(section, rows)?;
            for org in set.iter() {
                let value = view.at(org.index());
                counts[value.map_or(usize::from(u8::MAX), |value| usize::from(bucket(value)))] += 1;
            }
        }
        Ok(Histogram(counts))
    }
}

/// Counts by byte.
struct Histogram([u64; 256]);

impl Histogram {
    /// The same by value; bytes of one value are added up.
    fn map(self, value: impl Fn(u8) -> Option<String>) -> BTreeMap<Option<String>, u64> {
        let mut counts = BTreeMap::new();
        for (byte, count) in (0_u8..=u8::MAX).zip(self.0).filter(|(_, count)| *count > 0) {
            *counts.entry(value(byte)).or_default() += count;
        }
        counts
    }
}
