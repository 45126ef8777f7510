//! Organizations of a set by the values of up to two dimensions.
//!
//! A value becomes a number that sorts as the values do, and the numbers that occur are counted through, so
//! that the rest is arithmetic on small numbers. Places are looked up where they change only: organizations
//! are sorted by them.

use std::collections::HashMap;

use super::layout::{MaybeUnknown, View, flag};
use super::{Bitmap, Columns};
use crate::mapped::{Column, Damage};
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

/// Pairs of numbers that are looked up in a table; more are looked up by hashes, where they change.
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
    pub count: u64,
    /// A number for each dimension that sorts as its values do, an unknown one last.
    pub key: [u64; DIMENSIONS_MAX],
}

/// The groups of a set, each organization of which is in one.
#[derive(Debug, Default)]
pub struct Grouping {
    /// The number of the group of each organization of the set, in rising order; empty where all are in one.
    pub(super) of: Vec<u32>,
    pub groups: Vec<Group>,
}

/// The values of a dimension, each organization's as a number in the order in which they occur first.
struct Numbers {
    of: Vec<u32>,
    keys: Vec<u64>,
}

impl Columns {
    /// The groups of a set by at most [`DIMENSIONS_MAX`] dimensions, further ones aside; without one all are in
    /// one group. Costs a look at each organization for each dimension.
    pub fn group(&self, set: &Bitmap, by: &[Dimension]) -> Result<Grouping, Damage> {
        let (of, keys) = match by {
            [] => {
                let first = set.iter().next();
                let all = first.map(|first| Group { first, count: set.count(), key: [0; 2] });
                return Ok(Grouping { of: Vec::new(), groups: all.into_iter().collect() });
            }
            [only] => {
                let Numbers { of, keys } = self.numbers(set, *only)?;
                (of, keys.into_iter().map(|key| [key, 0]).collect())
            }
            [first, second, ..] => paired(self.numbers(set, *first)?, self.numbers(set, *second)?),
        };
        let mut groups: Vec<Group> = Vec::with_capacity(keys.len());
        for (first, &number) in set.iter().zip(&of) {
            match groups.get_mut(number as usize) {
                Some(group) => group.count += 1,
                // They are numbered in the order in which they occur first.
                None => groups.push(Group { first, count: 1, key: keys[number as usize] }),
            }
        }
        Ok(Grouping { of, groups })
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
            Dimension::Size => by_value(set, &stored.size, 256, usize::from),
            Dimension::Subsection => by_value(set, &stored.subsection, 256, usize::from),
            Dimension::Foundation => by_value(set, &stored.flags, 2, |flags| {
                match flags & flag::known(flag::FOUNDATION) {
                    0 => usize::MAX,
                    _ => usize::from(flags & flag::FOUNDATION != 0),
                }
            }),
            Dimension::RulingDecade => {
                by_value(set, &stored.ruling, 256, |month| (month / DECADE_MONTHS).into())
            }
        }
    }

    /// Numbers places of a column, each in its state.
    fn by_place(&self, set: &Bitmap, column: &Column<u32>) -> Result<Numbers, Damage> {
        let mut numbers = Numbers { of: Vec::new(), keys: Vec::new() };
        let Some(rows) = set.hull() else { return Ok(numbers) };
        let states = View::of(&self.stored.state, rows.clone())?;
        let places = View::of(column, rows)?;
        numbers.of.reserve(set.count() as usize);
        let Numbers { of, keys } = &mut numbers;
        let mut known: HashMap<u64, u32> = HashMap::new();
        let mut last = (UNKNOWN, NONE);
        set.for_each(|row| {
            // What stands for an unknown state or place is greater than all others.
            let key = u64::from(states.raw(row)) << 32 | u64::from(places.raw(row));
            if last.0 != key {
                let number = *known.entry(key).or_insert_with(|| {
                    keys.push(key);
                    keys.len() as u32 - 1
                });
                last = (key, number);
            }
            of.push(last.1);
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
    let mut numbers = Numbers { of: Vec::new(), keys: Vec::new() };
    let Some(rows) = set.hull() else { return Ok(numbers) };
    let view = View::of(column, rows)?;
    numbers.of.reserve(set.count() as usize);
    let Numbers { of, keys } = &mut numbers;
    let mut table = vec![NONE; most + 1];
    set.for_each(|row| {
        let value = view.raw(row);
        let at = if value.known().is_some() { key(value).min(most) } else { most };
        let number = &mut table[at];
        if *number == NONE {
            *number = keys.len() as u32;
            keys.push(if at == most { UNKNOWN } else { at as u64 });
        }
        of.push(*number);
    });
    Ok(numbers)
}

/// Numbers the pairs of two dimensions' values, in the order in which they occur first.
fn paired(first: Numbers, second: Numbers) -> (Vec<u32>, Vec<[u64; 2]>) {
    let [n, m] = [first.keys.len(), second.keys.len()];
    let mut keys = Vec::new();
    let mut add = |a: u32, b: u32| {
        keys.push([first.keys[a as usize], second.keys[b as usize]]);
        keys.len() as u32 - 1
    };
    let mut of = first.of;
    if n.saturating_mul(m) <= CELLS_MAX {
        let mut cells = vec![NONE; n * m];
        for (a, &b) in of.iter_mut().zip(&second.of) {
            let cell = &mut cells[*a as usize * m + b as usize];
            if *cell == NONE {
                *cell = add(*a, b);
            }
            *a = *cell;
        }
    } else {
        // The dimension with more values is one of places, which stand together: beside each value of the other
        // the last place is kept.
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        let mut last = vec![(NONE, NONE); n.min(m)];
        for (a, &b) in of.iter_mut().zip(&second.of) {
            let (few, many) = if m <= n { (b, *a) } else { (*a, b) };
            let last = &mut last[few as usize];
            if last.0 != many {
                *last = (many, *known.entry((*a, b)).or_insert_with(|| add(*a, b)));
            }
            *a = last.1;
        }
    }
    (of, keys)
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
