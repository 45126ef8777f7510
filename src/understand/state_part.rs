//! Parts of states by the points of the compass (`southwest Kansas`, `eastern Montana`): the counties whose middle lies
//! there. A name that `data/regions.tsv` has is that, as people draw it.

use super::phrases;
use crate::naming::normalise;
use crate::places::{self, County};
use crate::query::Area;
use crate::record::{Point, State};

/// Counties from which on a state has parts.
const COUNTIES_MIN: usize = 8;
/// How much of the breadth or the height of a state a side of it is.
const SIDE: f64 = 0.4;
/// The same of a side that a corner is of: `southwest`.
const SIDE_OF_CORNER: f64 = 0.5;

/// The box around the middles of a state's counties.
struct Extent {
    south: f64,
    west: f64,
    height: f64,
    width: f64,
}

impl Extent {
    fn of(points: &[Point]) -> Self {
        let span = |values: &mut dyn Iterator<Item = f64>| {
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
        };
        let (south, north) = span(&mut points.iter().map(|point| point.latitude()));
        let (west, east) = span(&mut points.iter().map(|point| point.longitude()));
        Self { south, west, height: north - south, width: east - west }
    }

    /// Whether a point lies in the part that letters of the compass name: `sw`; `c` is the middle.
    fn has(&self, point: Point, part: &str) -> bool {
        let up = (point.latitude() - self.south) / self.height.max(f64::EPSILON);
        let right = (point.longitude() - self.west) / self.width.max(f64::EPSILON);
        let side = if part.len() > 1 { SIDE_OF_CORNER } else { SIDE };
        part.chars().all(|letter| match letter {
            'n' => up >= 1.0 - side,
            's' => up <= side,
            'e' => right >= 1.0 - side,
            'w' => right <= side,
            _ => (0.25..=0.75).contains(&up) && (0.25..=0.75).contains(&right),
        })
    }
}

/// The counties of every part of every state that has some, under each of its names in normal form.
pub(super) fn all() -> Vec<(String, Vec<Area>)> {
    let mut found = Vec::new();
    for state in State::all() {
        let own = |county: &&County| county.state == state;
        let located: Vec<(&County, Point)> = places::counties()
            .iter()
            .filter(own)
            .filter_map(|one| Some((one, one.point?)))
            .collect();
        if located.len() < COUNTIES_MIN {
            continue;
        }
        let points: Vec<Point> = located.iter().map(|(_, point)| *point).collect();
        let extent = Extent::of(&points);
        let name = normalise(state.name());
        for (part, words) in phrases::meanings("part of a state") {
            let there = located.iter().filter(|(_, point)| extent.has(*point, part));
            let area = |(county, _): &(&County, Point)| Area {
                state: Some(state),
                county: Some(county.name.to_owned()),
                ..Area::default()
            };
            let areas: Vec<Area> = there.map(area).collect();
            for word in words {
                let name = format!("{word} {name}");
                // `west virginia` is a state.
                if !areas.is_empty() && places::state_named(&name).is_none() {
                    found.push((name, areas.clone()));
                }
            }
        }
    }
    found
}
