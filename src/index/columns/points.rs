//! How many organizations of a set stand at each point of the map. Points are those of ZIP codes; where these are too
//! many for a map, neighbours are one.

use std::collections::{BTreeMap, HashMap};

use super::layout::View;
use super::select::point;
use super::{Bitmap, Columns};
use crate::mapped::Damage;
use crate::record::Point;

/// Points that are given, at most, unless even the widest cells are more.
const POINTS_MAX: usize = 1_500;
/// Degrees that a cell is wide and high within which points are one: the first that leaves few enough is taken.
const CELL_DEGREES: [f64; 5] = [0.05, 0.1, 0.25, 0.5, 1.0];

/// Organizations at a point.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    count: u64,
    /// Sums of their degrees, of which the point of a cell is the mean.
    north: f64,
    east: f64,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.north += other.north;
        self.east += other.east;
    }

    /// The point as degrees north and east with a comma between.
    fn name(&self) -> String {
        let mean = |sum: f64| sum / self.count as f64;
        format!("{:.4},{:.4}", mean(self.north), mean(self.east))
    }
}

impl Columns {
    /// How many of a set are at each point; `None` counts those without a known one.
    pub(super) fn by_point(&self, set: &Bitmap) -> Result<BTreeMap<Option<String>, u64>, Damage> {
        let mut found = BTreeMap::new();
        let Some(rows) = set.hull() else { return Ok(found) };
        let view = View::of(&self.stored.point, rows)?;
        let mut counts: HashMap<[u8; 8], u64> = HashMap::new();
        for org in set.iter() {
            *counts.entry(view.raw(org.index())).or_default() += 1;
        }
        let mut tallies: Vec<(Point, Tally)> = Vec::with_capacity(counts.len());
        for (value, count) in counts {
            match point(value) {
                None => *found.entry(None).or_default() += count,
                Some(at) => {
                    let sum = |degrees: f64| degrees * count as f64;
                    let (north, east) = (sum(at.latitude()), sum(at.longitude()));
                    tallies.push((at, Tally { count, north, east }));
                }
            }
        }
        // Sums of floats are the same in one order only.
        tallies.sort_by(|(a, _), (b, _)| {
            let by_latitude = a.latitude().total_cmp(&b.latitude());
            by_latitude.then_with(|| a.longitude().total_cmp(&b.longitude()))
        });
        for one in thinned(tallies) {
            *found.entry(Some(one.name())).or_default() += one.count;
        }
        Ok(found)
    }
}

/// The same with neighbours as one, where they are too many.
fn thinned(tallies: Vec<(Point, Tally)>) -> Vec<Tally> {
    let mut found: Vec<Tally> = tallies.iter().map(|(_, tally)| *tally).collect();
    for degrees in CELL_DEGREES {
        if found.len() <= POINTS_MAX {
            break;
        }
        let cell = |at: f64| (at / degrees).floor() as i64;
        let mut cells: HashMap<(i64, i64), Tally> = HashMap::new();
        for (at, tally) in &tallies {
            cells.entry((cell(at.latitude()), cell(at.longitude()))).or_default().add(tally);
        }
        found = cells.into_values().collect();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_are_too_many_become_cells_and_lose_nobody() {
        let at = |number: usize| {
            let (north, east) =
                (30.0 + (number / 100) as f64 / 50.0, -90.0 - (number % 100) as f64 / 50.0);
            let tally = Tally { count: 2, north: 2.0 * north, east: 2.0 * east };
            (Point::new(north, east).unwrap(), tally)
        };
        let few: Vec<_> = (0..POINTS_MAX).map(at).collect();
        assert_eq!(thinned(few).len(), POINTS_MAX);
        let many = thinned((0..10_000).map(at).collect());
        assert!(many.len() <= POINTS_MAX && many.len() > POINTS_MAX / 10, "{}", many.len());
        assert_eq!(many.iter().map(|one| one.count).sum::<u64>(), 20_000);
        assert!(many.iter().all(|one| one.name().starts_with('3')), "{:?}", many[0]);
    }
}
