//! Areas to bitmaps.
//!
//! Organizations are sorted by place, so a state or a county of a state is a run, found by binary
//! search; a city, a ZIP code and a circle are looked for within the runs.

use std::cmp::Ordering;
use std::ops::Range;

use super::layout::Section;
use super::select::point;
use super::{Bitmap, Columns};
use crate::mapped::Damage;
use crate::places;
use crate::query::Area;
use crate::record::{Point, State};

impl Columns {
    /// The organizations of `within` that are in any of the areas.
    pub(super) fn in_areas(&self, areas: &[Area], within: &Bitmap) -> Result<Bitmap, Damage> {
        let mut runs = Vec::new();
        let mut sifted = Vec::new();
        for area in areas {
            let of_area = self.runs(area)?;
            if area.city.is_none() && area.zip.is_none() && area.circle().is_none() {
                runs.extend(of_area);
            } else {
                let mut found = Bitmap::of_runs(self.organizations, &of_area);
                found.intersect(within);
                self.sift(area, &mut found)?;
                sifted.push(found);
            }
        }
        let mut all = Bitmap::of_runs(self.organizations, &runs);
        all.intersect(within);
        for found in &sifted {
            all.union(found);
        }
        Ok(all)
    }

    /// The runs of organizations in an area's state and county.
    fn runs(&self, area: &Area) -> Result<Vec<Range<usize>>, Damage> {
        let all = 0..self.organizations as usize;
        let state_run = |state: u8| {
            self.run(all.clone(), Section::State, |value: &[u8; 1]| value[0].cmp(&state))
        };
        let Some(county) = &area.county else {
            return Ok(match area.state {
                Some(state) => vec![state_run(state.index())?],
                None => vec![all],
            });
        };
        let key = places::county_key(county);
        let dictionary = (Section::CountyEnds, Section::CountyText);
        let Some(number) = self.directory.key_number(&self.file, dictionary, &key)? else {
            return Ok(Vec::new());
        };
        let states = match area.state {
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
        compare: impl Fn(&[u8; WIDTH]) -> Ordering,
    ) -> Result<Range<usize>, Damage> {
        let bound = |past_equal: bool| {
            let (mut low, mut high) = (within.start, within.end);
            while low < high {
                let middle = low + (high - low) / 2;
                let view = self.view::<WIDTH>(section, middle..middle + 1)?;
                let order = view.at(middle).map_or(Ordering::Greater, &compare);
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

    /// Keeps the organizations in an area's city, ZIP code and circle.
    fn sift(&self, area: &Area, found: &mut Bitmap) -> Result<(), Damage> {
        if let Some(city) = &area.city {
            self.in_city(city, found)?;
        }
        if let Some(zip) = area.zip {
            let packed = zip.pack().to_le_bytes();
            self.retain(found, Section::Zip, |value| value == Some(&packed))?;
        }
        match area.circle() {
            Some((from, miles)) => self.in_circle(from, miles, found),
            None => Ok(()),
        }
    }

    fn in_city(&self, city: &str, found: &mut Bitmap) -> Result<(), Damage> {
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
        Ok(())
    }

    fn in_circle(&self, from: Point, miles: f64, found: &mut Bitmap) -> Result<(), Damage> {
        let mut memo = None;
        self.retain(found, Section::Point, |value: Option<&[u8; 8]>| {
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
        })
    }
}
