//! How many organizations of a set have each value of a column: exact, from the bitmap.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::layout::{MaybeUnknown, View};
use super::{Bitmap, Columns};
use crate::mapped::{Column, Damage, Lists};
use crate::naming::display_place;
use crate::places;
use crate::record::{Month, Ntee, OrgSize, State, named};
use crate::taxonomy;

named! {
    /// What is counted by.
    Facet {
        State = "state",
        NteeMajor = "ntee_major",
        IssueArea = "issue_area",
        OrgSize = "org_size",
        Subsection = "subsection",
        RulingDecade = "ruling_decade",
        County = "county",
        City = "city",
        Point = "point",
    }
}

/// A value, `None` of those of which it is not known, and how many have it.
pub type FacetCount = (Option<String>, u64);

/// Counties and cities that are given, of some 2,000 and 20,000.
const VALUES_MAX: usize = 200;

/// Months of a decade.
const DECADE_MONTHS: u16 = 120;

impl Columns {
    /// How many of a set have an issue area that other columns imply, as they have no NTEE code.
    pub fn derived_areas(&self, set: &Bitmap) -> Result<u64, Damage> {
        let Some(rows) = set.hull() else { return Ok(0) };
        let areas = View::of(&self.stored.issue_area, rows.clone())?;
        let codes = View::of(&self.stored.ntee, rows)?;
        let mut derived = 0;
        set.for_each(|row| {
            derived += u64::from(areas.at(row).is_some() && codes.at(row).is_none());
        });
        Ok(derived)
    }

    /// How many of a set have each value, the most frequent first, equally frequent ones by value; values
    /// that nobody has are left out, and so are counties and cities beyond the 200 most frequent; points that are many are
    /// those of cells. Counties and cities of one name are
    /// one, as in filters; who is filed under another city than that of the ZIP code counts for both.
    pub fn facet(&self, set: &Bitmap, facet: Facet) -> Result<Vec<FacetCount>, Damage> {
        let stored = &self.stored;
        let state = |byte: u8| State::from_index(byte).map(|state| state.code().to_owned());
        let size =
            |byte: u8| OrgSize::ALL.get(usize::from(byte)).map(|size| size.name().to_owned());
        let code = |code: u8| (code != u8::MAX).then(|| format!("{code:02}"));
        let letter = |letter: u8| (letter != u8::MAX).then(|| char::from(letter).to_string());
        let area = |letter: u8| {
            let code = Ntee::from_bytes([letter, b' ', b' '])?;
            taxonomy::issue_area(code).map(str::to_owned)
        };
        let decade = |decade: u8| {
            // Of what is not known the number is that of no month.
            let first = Month::try_from(u16::from(decade) * DECADE_MONTHS).ok();
            first.map(|month| month.year().to_string())
        };
        let counts = match facet {
            Facet::State => histogram(set, &stored.state, |byte| byte)?.map(state),
            Facet::OrgSize => histogram(set, &stored.size, |byte| byte)?.map(size),
            Facet::Subsection => histogram(set, &stored.subsection, |byte| byte)?.map(code),
            Facet::NteeMajor => histogram(set, &stored.ntee, |code| code[0])?.map(letter),
            Facet::IssueArea => histogram(set, &stored.issue_area, |letter| letter)?.map(area),
            Facet::RulingDecade => {
                histogram(set, &stored.ruling, |month| (month / DECADE_MONTHS) as u8)?.map(decade)
            }
            Facet::County => {
                let name = |key: &str| places::find_counties(key).first().map(|one| one.name);
                frequent(set, &stored.county, &self.counties, name)?
            }
            Facet::Point => self.by_point(set)?,
            Facet::City => {
                let name = |key: &str| places::find_cities(key).first().map(|one| one.name);
                frequent(set, &stored.city, &self.cities, name)?
            }
        };
        let mut counts: Vec<FacetCount> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(counts)
    }
}

/// How many of a set have each byte that is made of a value; the greatest stands for what is not known.
fn histogram<V: MaybeUnknown>(
    set: &Bitmap,
    column: &Column<V>,
    bucket: impl Fn(V) -> u8,
) -> Result<Histogram, Damage> {
    let mut counts = [0_u64; 256];
    if let Some(rows) = set.hull() {
        let view = View::of(column, rows)?;
        for org in set.iter() {
            counts[usize::from(view.at(org.index()).map_or(u8::MAX, &bucket))] += 1;
        }
    }
    Ok(Histogram(counts))
}

/// How many of a set have each of the most frequent numbers of a column, by what the number's key is called; `None` stands
/// for those of which it is not known.
fn frequent(
    set: &Bitmap,
    column: &Column<u32>,
    keys: &Lists<u8>,
    name: impl Fn(&str) -> Option<&'static str>,
) -> Result<BTreeMap<Option<String>, u64>, Damage> {
    let Some(rows) = set.hull() else { return Ok(BTreeMap::new()) };
    let unknown = keys.count();
    let mut counts = vec![0_u64; unknown + 1];
    let view = View::of(column, rows)?;
    for org in set.iter() {
        let number = view.at(org.index()).map_or(unknown, |number| unknown.min(number as usize));
        counts[number] += 1;
    }
    let mut counted: Vec<(usize, u64)> =
        counts.into_iter().enumerate().filter(|(_, count)| *count > 0).collect();
    counted.sort_by_key(|(number, count)| (Reverse(*count), *number));
    counted.truncate(VALUES_MAX);
    let named = counted.into_iter().map(|(number, count)| {
        let key = (number < unknown).then(|| keys.text(number)).transpose()?;
        let called = key
            .map(|key| name(key).map_or_else(|| display_place(&key.to_uppercase()), str::to_owned));
        Ok((called, count))
    });
    named.collect()
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
