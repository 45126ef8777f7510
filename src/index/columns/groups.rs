//! Organizations of a set by the values of up to two dimensions.
//!
//! A value becomes a number that sorts as the values do, and the numbers that occur are counted through, so
//! that the rest is arithmetic on small numbers. Places are looked up where they change only: organizations
//! are sorted by them.

use std::collections::HashMap;
use std::ops::Range;

use super::layout::{FlagValue, MaybeUnknown, View};
use super::{Bitmap, Columns};
use crate::mapped::{Column, Damage};
use crate::processor_time::Account;
use crate::query::Flag;
use crate::record::{OrgId, named};

named! {
    /// What organizations are grouped by.
    Dimension {
        State = "state",
        /// A county of a state.
        County = "county",
        /// A city of a state.
        City = "city",
        /// The letter of the NTEE code.
        Ntee = "ntee",
        NteeCode = "ntee_code",
        /// That of the NTEE code or, without one, the one that other columns imply.
        IssueArea = "issue_area",
        Size = "size",
        Subsection = "subsection",
        /// Whether it is a private foundation.
        Foundation = "foundation",
        /// Ten years, by the first of them.
        RulingDecade = "ruling_decade",
    }
}

/// Dimensions that a set is grouped by at once.
pub const DIMENSIONS_MAX: usize = 2;

/// What stands for an unknown value in a key: it sorts last.
const UNKNOWN: u64 = u64::MAX;

/// No number yet.
const NONE: u32 = u32::MAX;

/// Pairs of values for which a table has room; of more one dimension is of places, which stand together.
const CELLS_MAX: usize = 1 << 20;

/// Months of a decade.
const DECADE_MONTHS: u16 = 120;

/// Characters that a place of an NTEE code may have: blank, digits, letters.
const CODE_CHARACTERS: usize = 37;

/// Organizations that have the same values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The first of them.
    pub first: OrgId,
    /// How many they are.
    pub count: u32,
    /// The number of the value of each dimension.
    values: [u32; DIMENSIONS_MAX],
}

/// The groups of a set, each organization of which is in one.
#[derive(Debug, Default)]
pub struct Grouping {
    /// The number of the group of each organization of the set, in rising order; empty where all are in one.
    pub(super) of: Vec<u32>,
    /// In the order in which they occur first.
    pub groups: Vec<Group>,
    /// The keys of the values of each dimension.
    keys: [Vec<u64>; DIMENSIONS_MAX],
}

impl Grouping {
    /// A number for each dimension that sorts as the values of a group do, an unknown one last.
    pub fn key(&self, group: &Group) -> [u64; DIMENSIONS_MAX] {
        let key = |at: usize| self.keys[at].get(group.values[at] as usize).copied();
        std::array::from_fn(|at| key(at).unwrap_or_default())
    }

    /// Counts one more organization in a group.
    #[inline]
    fn count(&mut self, number: u32) {
        self.groups[number as usize].count += 1;
    }

    /// Adds a group with its first organization.
    fn add(&mut self, row: usize, values: [u32; DIMENSIONS_MAX]) -> u32 {
        self.groups.push(Group { first: OrgId::new(row as u32), count: 1, values });
        self.groups.len() as u32 - 1
    }
}

/// The values of a dimension, each organization's as a number in the order in which they occur first.
#[derive(Default)]
struct Numbers {
    of: Vec<u32>,
    keys: Vec<u64>,
    /// Where each occurs first, and how often it occurs.
    groups: Vec<(u32, u32)>,
}

impl Numbers {
    /// For the organizations of a set.
    fn of(set: &Bitmap) -> Self {
        Self { of: Vec::with_capacity(set.count() as usize), ..Self::default() }
    }

    /// Adds a value that did not occur before.
    fn add(&mut self, row: usize, key: u64) -> u32 {
        self.keys.push(key);
        self.groups.push((row as u32, 0));
        self.keys.len() as u32 - 1
    }

    /// Notes the value of the next organization.
    #[inline]
    fn push(&mut self, number: u32) {
        self.groups[number as usize].1 += 1;
        self.of.push(number);
    }

    /// The groups of the values.
    fn single(self) -> Grouping {
        let group =
            |(at, (first, count))| Group { first: OrgId::new(first), count, values: [at, 0] };
        let groups = (0..).zip(self.groups).map(group).collect();
        Grouping { of: self.of, groups, keys: [self.keys, Vec::new()] }
    }
}

impl Columns {
    /// The groups of a set by at most [`DIMENSIONS_MAX`] dimensions, further ones aside; without one all are in
    /// one group. Costs a look at each organization for each dimension.
    pub fn group(&self, set: &Bitmap, by: &[Dimension]) -> Result<Grouping, Damage> {
        Ok(match by {
            [] => {
                let count = set.count() as u32;
                let all = |first| Group { first, count, values: [0; DIMENSIONS_MAX] };
                let groups = set.iter().next().map(all).into_iter().collect();
                Grouping { groups, ..Grouping::default() }
            }
            [only] => self.numbers(set, *only)?.single(),
            [first, second, ..] => {
                let account = Account::current();
                let numbers = |by: Dimension| account.charge(|| self.numbers(set, by));
                let (first, second) = rayon::join(|| numbers(*first), || numbers(*second));
                let (first, second) = (first?, second?);
                match first.keys.len().saturating_mul(second.keys.len()) <= CELLS_MAX {
                    true => by_cells(set, first, second),
                    false => by_runs(set, first, second),
                }
            }
        })
    }

    fn numbers(&self, set: &Bitmap, dimension: Dimension) -> Result<Numbers, Damage> {
        let stored = &self.stored;
        match dimension {
            Dimension::State => by_value(set, &stored.state, 256, usize::from),
            Dimension::County => self.by_place(set, &stored.county),
            Dimension::City => self.by_place(set, &stored.city),
            Dimension::Ntee => by_value(set, &stored.ntee, 256, |code| code[0].into()),
            Dimension::NteeCode => {
                let most = 26 * CODE_CHARACTERS * CODE_CHARACTERS;
                by_value(set, &stored.ntee, most, code_number)
            }
            Dimension::IssueArea => by_value(set, &stored.issue_area, 256, usize::from),
            Dimension::Size => by_value(set, &stored.size, 256, usize::from),
            Dimension::Subsection => by_value(set, &stored.subsection, 256, usize::from),
            Dimension::Foundation => {
                by_value(set, &stored.flags, 2, |flags| {
                    match FlagValue::read(flags, Flag::Foundation) {
                        FlagValue::Known(is_so) => is_so.into(),
                        FlagValue::Unknown | FlagValue::NotAsked => usize::MAX,
                    }
                })
            }
            Dimension::RulingDecade => {
                by_value(set, &stored.ruling, 256, |month| (month / DECADE_MONTHS).into())
            }
        }
    }

    /// Numbers places of a column, each in its state.
    fn by_place(&self, set: &Bitmap, column: &Column<u32>) -> Result<Numbers, Damage> {
        let mut numbers = Numbers::of(set);
        let Some(rows) = set.hull() else { return Ok(numbers) };
        let states = View::of(&self.stored.state, rows.clone())?;
        let places = View::of(column, rows)?;
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut last = (UNKNOWN, NONE);
        set.for_each(|row| {
            // What stands for an unknown state or place is greater than all others.
            let key = u64::from(states.raw(row)) << 32 | u64::from(places.raw(row));
            if last.0 != key {
                let number = *known.entry(key).or_insert_with(|| numbers.add(row, key));
                last = (key, number);
            }
            numbers.push(last.1);
        });
        Ok(numbers)
    }
}

/// Numbers values by a table of `most` keys; one whose key is greater counts as not known.
fn by_value<V: MaybeUnknown>(
    set: &Bitmap,
    column: &Column<V>,
    most: usize,
    key: impl Fn(V) -> usize,
) -> Result<Numbers, Damage> {
    let mut numbers = Numbers::of(set);
    let Some(rows) = set.hull() else { return Ok(numbers) };
    let view = View::of(column, rows)?;
    let mut table = vec![NONE; most + 1];
    set.for_each(|row| {
        let value = view.raw(row);
        let at = if value.known().is_some() { key(value).min(most) } else { most };
        let number = &mut table[at];
        if *number == NONE {
            *number = numbers.add(row, if at == most { UNKNOWN } else { at as u64 });
        }
        numbers.push(*number);
    });
    Ok(numbers)
}

/// The groups of the pairs of values of two dimensions, by a table of all pairs.
fn by_cells(set: &Bitmap, first: Numbers, second: Numbers) -> Grouping {
    let width = second.keys.len();
    let mut cells = vec![NONE; first.keys.len() * width];
    let mut of = first.of;
    let mut found = Grouping { keys: [first.keys, second.keys], ..Grouping::default() };
    let mut rest = of.iter_mut().zip(&second.of);
    set.for_each(|row| {
        let Some((a, &b)) = rest.next() else { return };
        let cell = &mut cells[*a as usize * width + b as usize];
        match *cell {
            NONE => *cell = found.add(row, [*a, b]),
            number => found.count(number),
        }
        *a = *cell;
    });
    Grouping { of, ..found }
}

/// The same where the values of one dimension stand together in runs, as places do, of which there are too many
/// for a table: the groups of the present run are kept by the value of the other dimension.
fn by_runs(set: &Bitmap, first: Numbers, second: Numbers) -> Grouping {
    let [many, few] = if first.keys.len() >= second.keys.len() { [0, 1] } else { [1, 0] };
    let counts = [first.keys.len(), second.keys.len()];
    // The run that a value of the other dimension was last seen in, and its group there.
    let mut last = vec![(NONE, NONE); counts[few]];
    // The groups of the runs that a value had before.
    let mut before: Vec<Vec<Range<u32>>> = vec![Vec::new(); counts[many]];
    let mut run = (NONE, 0);
    let mut of = first.of;
    let mut found = Grouping { keys: [first.keys, second.keys], ..Grouping::default() };
    let mut rest = of.iter_mut().zip(&second.of);
    set.for_each(|row| {
        let Some((a, &b)) = rest.next() else { return };
        let values = [*a, b];
        if run.0 != values[many] {
            let end = found.groups.len() as u32;
            if let Some(ranges) = before.get_mut(run.0 as usize) {
                ranges.push(run.1..end);
            }
            run = (values[many], end);
            for number in before[values[many] as usize].iter().cloned().flatten() {
                last[found.groups[number as usize].values[few] as usize] = (run.0, number);
            }
        }
        let last = &mut last[values[few] as usize];
        if last.0 == run.0 {
            found.count(last.1);
        } else {
            *last = (run.0, found.add(row, values));
        }
        *a = last.1;
    });
    Grouping { of, ..found }
}

/// A number of an NTEE code that sorts as codes do: blanks before digits, digits before letters.
fn code_number(code: [u8; 3]) -> usize {
    let character = |byte: u8| match byte {
        b'0'..=b'9' => usize::from(byte - b'0') + 1,
        b'A'..=b'Z' => usize::from(byte - b'A') + 11,
        _ => 0,
    };
    let letter = usize::from(code[0].wrapping_sub(b'A'));
    (letter * CODE_CHARACTERS + character(code[1])) * CODE_CHARACTERS + character(code[2])
}
