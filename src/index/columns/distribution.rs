//! How a figure is distributed within groups: sums and quantiles, exact.

use std::cell::RefCell;
use std::ops::Range;

use super::groups::Grouping;
use super::layout::{FigureColumn, MaybeUnknown, View};
use super::{Bitmap, Columns};
use crate::mapped::{Column, Damage};
use crate::processor_time::Account;
use crate::query::Figure;

/// The shares of known values, in percent, at whose ends the quantiles are.
pub const QUANTILES: [usize; 5] = [10, 25, 50, 75, 90];

/// The place of the median in [`QUANTILES`].
const MEDIAN: usize = 2;

/// The figures that can be added up: whole dollars and counts.
pub const MEASURES: [Figure; 4] =
    [Figure::Revenue, Figure::Expenses, Figure::Assets, Figure::Employees];

/// The known values of a figure in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Distribution {
    /// Organizations whose value is known.
    pub known: u64,
    pub sum: i128,
    /// `None` where no value is known.
    pub range: Option<[i64; 2]>,
    /// For each of [`QUANTILES`] the least value that at least this share of the known values does not exceed;
    /// `None` where no value is known.
    pub quantiles: Option<[i64; QUANTILES.len()]>,
}

thread_local! {
    /// Values of groups while a thread works on them. Kept, since fresh memory takes longer to get than to
    /// fill: eight bytes an organization.
    static VALUES: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
}

impl Columns {
    /// What `of` makes of the known values of a figure in some groups of a set, in their order; a figure that is
    /// no measure has no known values. `of` may reorder them. Costs a look at each organization of the set.
    pub fn of_known<T>(
        &self,
        set: &Bitmap,
        grouping: &Grouping,
        chosen: &[u32],
        figure: Figure,
        of: impl Fn(&mut [i64]) -> T,
    ) -> Result<Vec<T>, Damage> {
        // Taken, not borrowed: while this thread waits for a part of the work it may begin another figure.
        let mut values = VALUES.take();
        let known = match self.stored.figure(figure) {
            FigureColumn::Dollars(column) => {
                gather(set, grouping, chosen, column, |dollars| dollars, &mut values)
            }
            FigureColumn::Count(column) => {
                gather(set, grouping, chosen, column, i64::from, &mut values)
            }
            FigureColumn::Real(_) | FigureColumn::Month(_) => Ok(vec![0..0; chosen.len()]),
        };
        let found = known?.into_iter().map(|range| of(&mut values[range])).collect();
        VALUES.set(values);
        Ok(found)
    }
}

/// Puts the known values of each chosen group together in `values`, and says where they are.
fn gather<V: MaybeUnknown>(
    set: &Bitmap,
    grouping: &Grouping,
    chosen: &[u32],
    column: &Column<V>,
    whole: impl Fn(V) -> i64,
    values: &mut Vec<i64>,
) -> Result<Vec<Range<usize>>, Damage> {
    let Some(rows) = set.hull() else { return Ok(vec![0..0; chosen.len()]) };
    let view = View::of(column, rows)?;
    // A group has room for all its values and for one more, over which unknown ones are written; the groups
    // that were not chosen share the last.
    let other = chosen.len();
    let mut places = vec![other; grouping.groups.len()];
    let mut ends = Vec::with_capacity(chosen.len() + 1);
    let mut room = 0;
    for (place, &number) in chosen.iter().enumerate() {
        places[number as usize] = place;
        ends.push(room);
        room += grouping.groups[number as usize].count as usize + 1;
    }
    let starts = ends.clone();
    ends.push(room);
    if values.len() <= room {
        values.resize(room + 1, 0);
    }
    let mut at = 0;
    set.for_each(|row| {
        let number = grouping.of.get(at).copied().unwrap_or_default();
        at += 1;
        let place = places[number as usize];
        let value = view.raw(row);
        // Without a branch, which what is known of half would not predict.
        let end = &mut ends[place];
        values[*end] = whole(value);
        *end += usize::from(value.known().is_some() & (place != other));
    });
    Ok(starts.into_iter().zip(ends).map(|(start, end)| start..end).collect())
}

impl Distribution {
    /// That of known values, which it reorders.
    pub fn of(values: &mut [i64]) -> Self {
        let Some(&one) = values.first() else { return Self::default() };
        let count = values.len();
        let (mut sum, mut range) = (0, [one; 2]);
        for &value in &*values {
            sum += i128::from(value);
            range = [range[0].min(value), range[1].max(value)];
        }
        let ranks = QUANTILES.map(|percent| rank(count, percent));
        select(values, 0, &ranks);
        let quantiles = Some(ranks.map(|rank| values[rank]));
        Self { known: count as u64, sum, range: Some(range), quantiles }
    }
}

/// The median of known values, which it reorders, as a [`Distribution`] has it; `None` where there are none.
pub fn median(values: &mut [i64]) -> Option<i64> {
    let rank = rank(values.len(), QUANTILES[MEDIAN]);
    (!values.is_empty()).then(|| *values.select_nth_unstable(rank).1)
}

/// The position in rising order of the least of `count` values that at least `percent` of them do not exceed.
fn rank(count: usize, percent: usize) -> usize {
    (count * percent).div_ceil(100).saturating_sub(1)
}

/// Values of which the lesser and the greater are ordered on two threads.
const PARALLEL_MIN: usize = 1 << 16;

/// Puts the values of some ranks, which rise, where they stand in rising order; `values` begin at `first`.
fn select(values: &mut [i64], first: usize, ranks: &[usize]) {
    let Some(&rank) = ranks.get(ranks.len() / 2) else { return };
    let (below, _, above) = values.select_nth_unstable(rank - first);
    let lesser = ranks.partition_point(|&one| one < rank);
    let greater = ranks.partition_point(|&one| one <= rank);
    let (lesser, greater) = (&ranks[..lesser], &ranks[greater..]);
    if below.len().min(above.len()) < PARALLEL_MIN {
        select(below, first, lesser);
        select(above, rank + 1, greater);
        return;
    }
    let account = Account::current();
    rayon::join(
        || account.charge(|| select(below, first, lesser)),
        || account.charge(|| select(above, rank + 1, greater)),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of every magnitude and sign, many of them zero.
    fn values(count: usize) -> Vec<i64> {
        let mut state = 88_172_645_463_325_252_u64;
        let next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state as i64).checked_shr((state % 80) as u32).unwrap_or_default()
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn quantiles_are_those_of_sorted_values() {
        let equal = vec![7; 99];
        let extremes = [i64::MIN, i64::MAX].repeat(50);
        let sizes = [1, 2, 99, 100, 5 * PARALLEL_MIN + 7];
        for all in sizes.map(values).into_iter().chain([equal, extremes]) {
            let mut sorted = all.clone();
            sorted.sort_unstable();
            let expected = QUANTILES.map(|percent| sorted[rank(sorted.len(), percent)]);
            let found = Distribution::of(&mut all.clone());
            assert_eq!(found.quantiles, Some(expected), "{} values", all.len());
            assert_eq!(found.range, Some([sorted[0], sorted[sorted.len() - 1]]));
            assert_eq!(found.sum, sorted.iter().map(|value| i128::from(*value)).sum());
            assert_eq!(median(&mut all.clone()), Some(expected[MEDIAN]));
        }
        assert_eq!((median(&mut []), Distribution::of(&mut [])), (None, Distribution::default()));
    }
}
