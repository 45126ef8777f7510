//! Orders what a bitmap holds, as far as the page asked for.

use std::cmp::Ordering;

use super::layout::{FigureColumn, View};
use super::select::point;
use super::{Bitmap, Columns};
use crate::mapped::Damage;
use crate::query::{Sort, SortKey};
use crate::record::{OrgId, Point};

/// Candidates held beyond twice the page before the worse half is dropped.
const CANDIDATES_MIN: usize = 1024;

impl Columns {
    /// The organizations of `found` from position `offset` on, at most `limit`, when ordered by
    /// the keys of `sorts` in turn and then by number; unknown values come last in either
    /// direction. Distance is from `near`. Holds at most twice `offset + limit` candidates.
    pub fn sorted(
        &self,
        found: &Bitmap,
        sorts: &[Sort],
        near: Option<Point>,
        offset: u64,
        limit: usize,
    ) -> Result<Vec<OrgId>, Damage> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        if sorts.is_empty() {
            return Ok(found.iter().skip(offset).take(limit).collect());
        }
        let first = self.first(found, sorts, near, None, offset.saturating_add(limit))?;
        Ok(first.into_iter().skip(offset).collect())
    }

    /// The organizations of `found` that follow `after` in the order of [`Columns::sorted`], at most
    /// `limit`. Costs one look at each of `found` and holds at most twice `limit` candidates, however
    /// many come before.
    pub fn sorted_after(
        &self,
        found: &Bitmap,
        sorts: &[Sort],
        near: Option<Point>,
        after: OrgId,
        limit: usize,
    ) -> Result<Vec<OrgId>, Damage> {
        if sorts.is_empty() {
            return Ok(found.iter().skip_while(|&org| org <= after).take(limit).collect());
        }
        self.first(found, sorts, near, Some(after), limit)
    }

    /// The first `wanted` of a set in an order of one key or more, or of those that follow `after`.
    fn first(
        &self,
        found: &Bitmap,
        sorts: &[Sort],
        near: Option<Point>,
        after: Option<OrgId>,
        wanted: usize,
    ) -> Result<Vec<OrgId>, Damage> {
        let Some(mut rows) = found.hull() else { return Ok(Vec::new()) };
        if let Some(after) = after {
            rows = rows.start.min(after.index())..rows.end.max(after.index() + 1);
        }
        let keys = deciding(sorts)
            .into_iter()
            .map(|sort| self.key(sort, near, rows.clone()))
            .collect::<Result<Vec<_>, _>>()?;
        let order = |a: &(u64, OrgId), b: &(u64, OrgId)| -> Ordering {
            let later = || {
                let of = |org: OrgId| keys[1..].iter().map(move |key| key.of(org));
                of(a.1).cmp(of(b.1))
            };
            a.0.cmp(&b.0).then_with(later).then(a.1.cmp(&b.1))
        };
        // What the first key makes of every organization decides how long it all takes.
        let candidates = match (&keys[0].values, keys[0].descending) {
            (Values::Dollars(view), true) => {
                best(found, wanted, after, |org| falling(view.at(org.index())), order)
            }
            _ => best(found, wanted, after, |org| keys[0].of(org), order),
        };
        Ok(candidates.into_iter().take(wanted).map(|(_, org)| org).collect())
    }

    fn key(
        &self,
        sort: Sort,
        near: Option<Point>,
        rows: std::ops::Range<usize>,
    ) -> Result<Key<'_>, Damage> {
        let values = match sort.key {
            SortKey::Name => Values::Count(View::of(&self.stored.name, rows)?),
            SortKey::Figure(figure) => match self.stored.figure(figure) {
                FigureColumn::Dollars(column) => Values::Dollars(View::of(column, rows)?),
                FigureColumn::Count(column) => Values::Count(View::of(column, rows)?),
                FigureColumn::Real(column) => Values::Real(View::of(column, rows)?),
                FigureColumn::Month(column) => Values::Month(View::of(column, rows)?),
            },
            SortKey::Distance => Values::Distance(View::of(&self.stored.point, rows)?, near),
        };
        Ok(Key { values, descending: sort.descending })
    }
}

/// The `wanted` least members of a set by `order`, or of those greater than `after`, in order, each
/// with its `first`. That number alone decides most comparisons.
fn best(
    found: &Bitmap,
    wanted: usize,
    after: Option<OrgId>,
    first: impl Fn(OrgId) -> u64,
    order: impl Fn(&(u64, OrgId), &(u64, OrgId)) -> Ordering,
) -> Vec<(u64, OrgId)> {
    let room = wanted.saturating_mul(2).max(CANDIDATES_MIN);
    let mut candidates: Vec<(u64, OrgId)> = Vec::new();
    let mut worst: Option<(u64, OrgId)> = None;
    let after = after.map(|org| (first(org), org));
    for org in found.iter() {
        let candidate = (first(org), org);
        if let Some(after) = after
            && (candidate.0 < after.0 || order(&candidate, &after).is_le())
        {
            continue;
        }
        if let Some(worst) = worst
            && (candidate.0 > worst.0 || order(&candidate, &worst).is_gt())
        {
            continue;
        }
        candidates.push(candidate);
        if candidates.len() >= room && wanted > 0 {
            let (_, last, _) = candidates.select_nth_unstable_by(wanted - 1, &order);
            worst = Some(*last);
            candidates.truncate(wanted);
        }
    }
    candidates.sort_unstable_by(&order);
    candidates
}

/// A number that sorts dollars falling; unknown is the greatest.
fn falling(dollars: Option<i64>) -> u64 {
    dollars.map_or(u64::MAX, |dollars| !((dollars as u64) ^ (1 << 63)))
}

/// The sorts without those of a key that came before: they decide nothing, and a list of
/// thousands must not cost more than one of each.
fn deciding(sorts: &[Sort]) -> Vec<Sort> {
    let mut kept: Vec<Sort> = Vec::new();
    for sort in sorts {
        if kept.iter().all(|before| before.key != sort.key) {
            kept.push(*sort);
        }
    }
    kept
}

/// What one key sorts by.
struct Key<'file> {
    values: Values<'file>,
    descending: bool,
}

enum Values<'file> {
    Dollars(View<'file, i64>),
    Count(View<'file, u32>),
    Real(View<'file, f32>),
    Distance(View<'file, [u8; 8]>, Option<Point>),
    Month(View<'file, u16>),
}

impl Key<'_> {
    /// A number that sorts as asked for; unknown is the greatest.
    fn of(&self, org: OrgId) -> u64 {
        let row = org.index();
        let rising = match &self.values {
            Values::Dollars(view) => view.at(row).map(|dollars| (dollars as u64) ^ (1 << 63)),
            Values::Count(view) => view.at(row).map(|count| u64::from(count) + 1),
            Values::Real(view) => view.at(row).map(|value| rising(f64::from(value))),
            Values::Distance(view, near) => near
                .zip(view.at(row).and_then(point))
                .map(|(from, to)| rising(from.distance_miles(to))),
            Values::Month(view) => view.at(row).map(|month| u64::from(month) + 1),
        };
        match rising {
            // Known values are never 0 here, so none becomes the greatest, which is the unknown's.
            Some(rising) => {
                if self.descending {
                    !rising
                } else {
                    rising
                }
            }
            None => u64::MAX,
        }
    }
}

/// Bits that sort as the numbers do, NaN aside.
fn rising(value: f64) -> u64 {
    // Adding zero makes -0 into 0.
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Figure;

    #[test]
    fn a_key_decides_once() {
        let by = |key, descending| Sort { key, descending };
        let (name, revenue) =
            (by(SortKey::Name, false), by(SortKey::Figure(Figure::Revenue), true));
        let sorts = [name, by(SortKey::Name, true), revenue, name, revenue];
        assert_eq!(deciding(&sorts), [name, revenue]);
        assert_eq!(deciding(&[name; 2_000]), [name]);
    }
}
