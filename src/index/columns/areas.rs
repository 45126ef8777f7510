//! Areas to bitmaps.
//!
//! Organizations are sorted by place, so a state or a county of a state is a run, found by binary
//! search; a city, a ZIP code and a circle are looked for within the runs.

use std::ops::Range;

use super::layout::View;
use super::select::{point, retain};
use super::{Bitmap, Columns};
use crate::mapped::{Column, Damage, Value};
use crate::places;
use crate::query::Area;
use crate::record::{Point, State};

impl Columns {
    /// Whether any organization is in a state.
    pub fn has_state(&self, state: State) -> Result<bool, Damage> {
        Ok(!self.state_run(state.index())?.is_empty())
    }

    /// The run of the organizations of a state.
    fn state_run(&self, state: u8) -> Result<Range<usize>, Damage> {
        run(&self.stored.state, 0..self.organizations as usize, state)
    }

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
        let Some(county) = &area.county else {
            let all = 0..self.organizations as usize;
            let of_state = |state: State| self.state_run(state.index());
            return Ok(vec![area.state.map_or(Ok(all), of_state)?]);
        };
        let key = places::county_key(county);
        let Some(number) = self.counties.find(key.as_bytes())? else { return Ok(Vec::new()) };
        let states = match area.state {
            Some(state) => vec![state.index()],
            None => State::all().map(State::index).chain([u8::MAX]).collect(),
        };
        let mut runs = Vec::new();
        for state in states {
            let run = run(&self.stored.county, self.state_run(state)?, number as u32)?;
            if !run.is_empty() {
                runs.push(run);
            }
        }
        Ok(runs)
    }

    /// Keeps the organizations in an area's city, ZIP code and circle.
    fn sift(&self, area: &Area, found: &mut Bitmap) -> Result<(), Damage> {
        if let Some(city) = &area.city {
            self.in_city(city, found)?;
        }
        if let Some(zip) = area.zip {
            let packed = zip.pack();
            retain(found, &self.stored.zip, |value| value == packed)?;
        }
        match area.circle() {
            Some((from, miles)) => self.in_circle(from, miles, found),
            None => Ok(()),
        }
    }

    fn in_city(&self, city: &str, found: &mut Bitmap) -> Result<(), Damage> {
        let key = places::city_key(city);
        let Some(number) = self.cities.find(key.as_bytes())? else {
            found.clear();
            return Ok(());
        };
        let Some(rows) = found.hull() else { return Ok(()) };
        let city = View::of(&self.stored.city, rows.clone())?;
        let filed = View::of(&self.stored.city_as_filed, rows)?;
        let number = number as u32;
        found.retain(|row| city.raw(row) == number || filed.raw(row) == number);
        Ok(())
    }

    fn in_circle(&self, from: Point, miles: f64, found: &mut Bitmap) -> Result<(), Damage> {
        let mut memo = None;
        retain(found, &self.stored.point, |value| {
            // Organizations of one ZIP code stand together and share its point.
            match memo {
                Some((known, good)) if known == value => good,
                _ => {
                    let good = point(value).is_some_and(|to| from.distance_miles(to) <= miles);
                    memo = Some((value, good));
                    good
                }
            }
        })
    }
}

/// The part of a sorted run whose values are equal to one.
fn run<V: Value + PartialOrd>(
    column: &Column<V>,
    within: Range<usize>,
    value: V,
) -> Result<Range<usize>, Damage> {
    if column.count() == 0 {
        return Ok(within.start..within.start);
    }
    let start = column.partition_point(within.clone(), |one| one < value)?;
    Ok(start..column.partition_point(start..within.end, |one| one <= value)?)
}
