//! Filters to a bitmap, and what they leave out for lack of a figure.

use std::collections::BTreeSet;
use std::ops::Range;

use super::layout::{Section, flag};
use super::{Bitmap, Columns, Filters};
use crate::mapped::Damage;
use crate::places;
use crate::record::{OrgSize, Point, State};

/// What filters let pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The organizations that satisfy every filter.
    pub matching: Bitmap,
    /// How many are left out only because a figure that a range or size asks about is not known.
    pub unknown: u64,
}

/// Organizations that filters by amount are narrowing down.
struct Narrowing {
    /// Those that satisfy the filters so far.
    matching: Bitmap,
    /// Those that would if all their figures were known: these and some more.
    possible: Bitmap,
}

impl Columns {
    /// The organizations that satisfy every filter, and how many are left out for lack of a figure.
    ///
    /// # Errors
    /// When a column that a filter needs is damaged where it was looked at.
    pub fn select(&self, filters: &Filters) -> Result<Selection, Damage> {
        let mut found = Bitmap::of_runs(self.organizations, &self.runs(filters)?);
        self.by_place(filters, &mut found)?;
        self.by_standing(filters, &mut found)?;
        if let Some((from, miles)) = filters.near.filter(|near| near.1 > 0.0) {
            let mut memo = None;
            self.retain(&mut found, Section::Point, |value: Option<&[u8; 8]>| {
                let Some(value) = value else { return false };
                // Organizations of one ZIP code stand together and share its point.
                match memo {
                    Some((known, good)) if known == *value => good,
                    _ => {
                        let good = point(value).is_some_and(|to| from.distance_miles(to) <= miles);
                        memo = Some((*value, good));
                        good
                    }
                }
            })?;
        }
        self.by_amount(filters, found)
    }

    /// The runs of organizations in the state and county asked for.
    fn runs(&self, filters: &Filters) -> Result<Vec<Range<usize>>, Damage> {
        let all = 0..self.organizations as usize;
        let state_run = |state: u8| {
            self.run(all.clone(), Section::State, |value: &[u8; 1]| value[0].cmp(&state))
        };
        let Some(county) = &filters.county else {
            return Ok(match filters.state {
                Some(state) => vec![state_run(state.index())?],
                None => vec![all],
            });
        };
        let key = places::county_key(county);
        let dictionary = (Section::CountyEnds, Section::CountyText);
        let Some(number) = self.directory.key_number(&self.file, dictionary, &key)? else {
            return Ok(Vec::new());
        };
        let states = match filters.state {
            Some(state) => vec![state.index()],
            None => State::all().map(State::index).chain([u8::MAX]).collect(),
        };
        let mut runs = Vec::new();
        for state in states {
            let run = self.run(state_run(state)?, Section::County, |value| {
                u32::from_le_bytes(*value).cmp(&number)
            })?;
            if !run.is_empty() {
                runs.push(run);
            }
        }
        Ok(runs)
    }

    /// The part of a sorted run whose values compare as equal.
    fn run<const WIDTH: usize>(
        &self,
        within: Range<usize>,
        section: Section,
        compare: impl Fn(&[u8; WIDTH]) -> std::cmp::Ordering,
    ) -> Result<Range<usize>, Damage> {
        let bound = |past_equal: bool| {
            let (mut low, mut high) = (within.start, within.end);
            while low < high {
                let middle = low + (high - low) / 2;
                let view = self.view::<WIDTH>(section, middle..middle + 1)?;
                let order = view.at(middle).map_or(std::cmp::Ordering::Greater, &compare);
                if order.is_lt() || (past_equal && order.is_eq()) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            Ok(low)
        };
        Ok(bound(false)?..bound(true)?)
    }

    fn by_place(&self, filters: &Filters, found: &mut Bitmap) -> Result<(), Damage> {
        if let Some(city) = &filters.city {
            let key = places::city_key(city);
            let dictionary = (Section::CityEnds, Section::CityText);
            let Some(number) = self.directory.key_number(&self.file, dictionary, &key)? else {
                found.clear();
                return Ok(());
            };
            let Some(rows) = found.hull() else { return Ok(()) };
            let city = self.view::<4>(Section::City, rows.clone())?;
            let filed = self.view::<4>(Section::CityAsFiled, rows)?;
            let number = number.to_le_bytes();
            found.retain(|row| city.at(row) == Some(&number) || filed.at(row) == Some(&number));
        }
        if let Some(zip) = filters.zip {
            let packed = zip.pack().to_le_bytes();
            self.retain(found, Section::Zip, |value| value == Some(&packed))?;
        }
        Ok(())
    }

    fn by_standing(&self, filters: &Filters, found: &mut Bitmap) -> Result<(), Damage> {
        if !filters.subsections.is_empty() {
            let mut asked = [false; 256];
            for code in &filters.subsections {
                asked[usize::from(code.number())] = true;
            }
            self.retain(found, Section::Subsection, |value: Option<&[u8; 1]>| {
                value.is_some_and(|value| asked[usize::from(value[0])])
            })?;
        }
        for (asked, bit) in
            [(filters.foundation, flag::FOUNDATION), (filters.deductible, flag::DEDUCTIBLE)]
        {
            let Some(asked) = asked else { continue };
            self.retain(found, Section::Flags, |value: Option<&[u8; 1]>| {
                value.is_some_and(|value| (value[0] & bit != 0) == asked)
            })?;
        }
        if !filters.ntee_prefixes.is_empty() {
            // A set, so that a long list costs each organization no more than a short one.
            let prefixes: BTreeSet<Vec<u8>> = filters
                .ntee_prefixes
                .iter()
                .map(|prefix| prefix.trim().to_ascii_uppercase().into_bytes())
                .collect();
            self.retain(found, Section::Ntee, |value: Option<&[u8; 3]>| {
                value.is_some_and(|code| {
                    code[0] != 0 && (0..=3).any(|length| prefixes.contains(&code[..length]))
                })
            })?;
        }
        if !filters.sdgs.is_empty() {
            let mask = filters.sdgs.mask();
            self.retain(found, Section::Sdgs, |value| {
                value.is_some_and(|value| u32::from_le_bytes(*value) & mask != 0)
            })?;
        }
        Ok(())
    }

    fn by_amount(&self, filters: &Filters, found: Bitmap) -> Result<Selection, Damage> {
        let counts = [(filters.employees, Section::Employees)];
        let amounts = [
            (filters.revenue, Section::Revenue),
            (filters.expenses, Section::Expenses),
            (filters.assets, Section::Assets),
        ];
        let reals = [(filters.score, Section::Score), (filters.rating, Section::Rating)];
        let ranges = amounts.iter().chain(&counts).chain(&reals);
        if filters.sizes.is_empty() && ranges.into_iter().all(|(range, _)| range.is_open()) {
            return Ok(Selection { matching: found, unknown: 0 });
        }
        let mut sets = Narrowing { possible: found.clone(), matching: found };
        for (range, section) in amounts.into_iter().filter(|(range, _)| !range.is_open()) {
            self.narrow(&mut sets, section, |value| {
                dollars(value).map(|dollars| range.contains(dollars as f64))
            })?;
        }
        for (range, section) in counts.into_iter().filter(|(range, _)| !range.is_open()) {
            self.narrow(&mut sets, section, |value| {
                count(value).map(|count| range.contains(f64::from(count)))
            })?;
        }
        for (range, section) in reals.into_iter().filter(|(range, _)| !range.is_open()) {
            self.narrow(&mut sets, section, |value| {
                real(value).map(|value| range.contains(f64::from(value)))
            })?;
        }
        if !filters.sizes.is_empty() {
            let asked = OrgSize::ALL.map(|size| filters.sizes.contains(&size));
            self.narrow(&mut sets, Section::Size, |value: Option<&[u8; 1]>| {
                value.and_then(|value| asked.get(usize::from(value[0])).copied())
            })?;
        }
        let unknown = sets.possible.count() - sets.matching.count();
        Ok(Selection { matching: sets.matching, unknown })
    }

    /// Keeps the organizations whose figure is good, and as possible those whose figure is not
    /// known.
    fn narrow<const WIDTH: usize>(
        &self,
        sets: &mut Narrowing,
        section: Section,
        good: impl Fn(Option<&[u8; WIDTH]>) -> Option<bool>,
    ) -> Result<(), Damage> {
        self.retain(&mut sets.possible, section, |value| good(value) != Some(false))?;
        self.retain(&mut sets.matching, section, |value| good(value) == Some(true))
    }

    /// Keeps the organizations whose value is good; `None` stands for a section without values.
    fn retain<const WIDTH: usize>(
        &self,
        found: &mut Bitmap,
        section: Section,
        mut good: impl FnMut(Option<&[u8; WIDTH]>) -> bool,
    ) -> Result<(), Damage> {
        let Some(rows) = found.hull() else { return Ok(()) };
        let view = self.view::<WIDTH>(section, rows)?;
        found.retain(|row| good(view.at(row)));
        Ok(())
    }
}

/// Dollars of a value.
pub(super) fn dollars(value: Option<&[u8; 8]>) -> Option<i64> {
    value.map(|bytes| i64::from_le_bytes(*bytes)).filter(|&dollars| dollars != i64::MIN)
}

/// The number of a value.
pub(super) fn count(value: Option<&[u8; 4]>) -> Option<u32> {
    value.map(|bytes| u32::from_le_bytes(*bytes)).filter(|&count| count != u32::MAX)
}

/// The real number of a value.
pub(super) fn real(value: Option<&[u8; 4]>) -> Option<f32> {
    value.map(|bytes| f32::from_le_bytes(*bytes)).filter(|value| !value.is_nan())
}

/// The point of a value.
pub(super) fn point(value: &[u8; 8]) -> Option<Point> {
    let [a, b, c, d, e, f, g, h] = *value;
    let degrees = |bytes| f64::from(f32::from_le_bytes(bytes));
    Point::new(degrees([a, b, c, d]), degrees([e, f, g, h])).ok()
}
