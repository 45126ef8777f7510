//! Which columns there are, each declared once: its values as they are collected, written and read.
//!
//! The table `columns` has a section for each, by OrgId: one value an organization, or no value at all when nothing is known. Beside
//! them it has the pairs `by_ein` of packed EINs and OrgIds, and the texts `counties` and `cities`: their keys, sorted.

use std::ops::Range;

use crate::mapped::{Column, Damage, Table, TableWriter, Value, Values, WriteError};
use crate::query::{Figure, Flag};

/// A value that may not be known, which one value stands for.
pub(super) trait MaybeUnknown: Value {
    const UNKNOWN: Self;

    fn known(self) -> Option<Self>;
}

macro_rules! maybe_unknown {
    ($($value:ty = $unknown:expr),+ $(,)?) => {
        $(impl MaybeUnknown for $value {
            const UNKNOWN: Self = $unknown;

            #[inline]
            fn known(self) -> Option<Self> {
                (self != Self::UNKNOWN).then_some(self)
            }
        })+
    };
}

maybe_unknown! {
    u8 = u8::MAX,
    u16 = u16::MAX,
    u32 = u32::MAX,
    i64 = i64::MIN,
    [u8; 3] = [0; 3],
    [u8; 8] = [u8::MAX; 8],
}

impl MaybeUnknown for f32 {
    const UNKNOWN: Self = f32::NAN;

    #[inline]
    fn known(self) -> Option<Self> {
        (!self.is_nan()).then_some(self)
    }
}

/// Declares the columns: what is known of one organization, the same of all, and the opened columns.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $value:ty),+ $(,)?) => {
        /// The values of an organization.
        #[derive(Debug)]
        pub(super) struct RowValues {
            $($(#[$doc])* pub(super) $name: $value),+
        }

        /// The values of all organizations.
        #[derive(Debug, Default)]
        pub(super) struct ColumnValues {
            $(pub(super) $name: Vec<$value>),+
        }

        impl ColumnValues {
            pub(super) fn push(&mut self, row: RowValues) {
                $(self.$name.push(row.$name);)+
            }

            pub(super) fn write(self, out: &mut TableWriter) -> Result<(), WriteError> {
                $(write_known(out, stringify!($name), self.$name)?;)+
                Ok(())
            }
        }

        /// The columns of a snapshot.
        #[derive(Debug)]
        pub(super) struct StoredColumns {
            $($(#[$doc])* pub(super) $name: Column<$value>),+
        }

        impl StoredColumns {
            /// Those of a table for this number of organizations.
            pub(super) fn of(table: &Table, organizations: usize) -> Result<Self, Damage> {
                Ok(Self { $($name: known_or_none(table, stringify!($name), organizations)?),+ })
            }
        }
    };
}

columns! {
    /// Packed EIN.
    ein: u32,
    /// Index of the state.
    state: u8,
    /// Number of the county's key.
    county: u32,
    /// Number of the city's key.
    city: u32,
    /// Number of the key of the city as the master file spells it.
    city_as_filed: u32,
    /// Packed ZIP code.
    zip: u32,
    /// f32 latitude, f32 longitude; all ones stand for two that are no numbers.
    point: [u8; 8],
    subsection: u8,
    /// The bits of each [`FlagValue`].
    flags: u32,
    /// The three bytes of the code.
    ntee: [u8; 3],
    /// The letter of the NTEE code or, without one, of that which other columns of the master file imply.
    issue_area: u8,
    /// A mask, 0 when there is none.
    sdgs: u32,
    /// Dollars, and so are the next.
    revenue: i64,
    /// What a revenue without an amount does not exceed.
    revenue_ceiling: i64,
    expenses: i64,
    assets: i64,
    employees: u32,
    score: f32,
    rating: f32,
    /// Position in `OrgSize::ALL`.
    size: u8,
    /// Position among the distinct display names in normal form, sorted.
    name: u32,
    /// Months since January 1800.
    ruling: u16,
}

/// Writes a column; one in which nothing is known takes no room.
fn write_known<V: MaybeUnknown>(
    out: &mut TableWriter,
    name: &str,
    values: Vec<V>,
) -> Result<(), WriteError> {
    let is_known = values.iter().any(|value| value.known().is_some());
    out.column(name, values.into_iter().take(if is_known { usize::MAX } else { 0 }))
}

fn known_or_none<V: Value>(
    table: &Table,
    name: &str,
    organizations: usize,
) -> Result<Column<V>, Damage> {
    let column = table.column(name)?;
    match column.count() == 0 {
        true => Ok(column),
        false => table.column_of(name, organizations),
    }
}

/// What the column of flags has of one: two bits that say whether it is so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FlagValue {
    Known(bool),
    Unknown,
    /// It is asked of others only, so it is neither so nor not so.
    NotAsked,
}

impl FlagValue {
    /// The bits of a flag: whether it is so, and whether that is known. Of one that is not asked the first alone is set.
    const fn bits(flag: Flag) -> [u32; 2] {
        [1 << flag as u32, 1 << (flag as u32 + u16::BITS)]
    }

    /// The bits of this value of a flag.
    pub(super) fn of(self, flag: Flag) -> u32 {
        let [so, known] = Self::bits(flag);
        match self {
            Self::Known(true) => so | known,
            Self::Known(false) => known,
            Self::Unknown => 0,
            Self::NotAsked => so,
        }
    }

    /// The value of a flag among those of an organization.
    #[inline]
    pub(super) fn read(flags: u32, flag: Flag) -> Self {
        match Self::bits(flag).map(|bit| flags & bit != 0) {
            [is_so, true] => Self::Known(is_so),
            [false, false] => Self::Unknown,
            [true, false] => Self::NotAsked,
        }
    }
}

const _: () = assert!(Flag::ALL.len() <= u16::BITS as usize, "a flag takes two bits of 32");

/// The column of a figure, by the form of its values.
#[derive(Debug, Clone, Copy)]
pub(super) enum FigureColumn<'a> {
    Dollars(&'a Column<i64>),
    Count(&'a Column<u32>),
    Real(&'a Column<f32>),
    /// Of which the year counts.
    Month(&'a Column<u16>),
}

impl StoredColumns {
    /// The column of a figure.
    pub(super) fn figure(&self, figure: Figure) -> FigureColumn<'_> {
        match figure {
            Figure::Revenue => FigureColumn::Dollars(&self.revenue),
            Figure::Expenses => FigureColumn::Dollars(&self.expenses),
            Figure::Assets => FigureColumn::Dollars(&self.assets),
            Figure::Employees => FigureColumn::Count(&self.employees),
            Figure::Score => FigureColumn::Real(&self.score),
            Figure::Rating => FigureColumn::Real(&self.rating),
            Figure::RulingYear => FigureColumn::Month(&self.ruling),
        }
    }
}

/// Values of some rows of a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a, V: Value> {
    first: usize,
    /// `None` when no value is known.
    values: Option<Values<'a, V>>,
}

impl<'a, V: MaybeUnknown> View<'a, V> {
    /// The values of some rows, verified.
    pub(super) fn of(column: &'a Column<V>, rows: Range<usize>) -> Result<Self, Damage> {
        let first = rows.start;
        let values = (column.count() > 0).then(|| column.range(rows)).transpose()?;
        Ok(Self { first, values })
    }

    /// The value of a row, which must be one of those asked for.
    #[inline]
    pub(super) fn at(&self, row: usize) -> Option<V> {
        self.raw(row).known()
    }

    /// The same, where what stands for an unknown value is as well.
    #[inline]
    pub(super) fn raw(&self, row: usize) -> V {
        self.values.map_or(V::UNKNOWN, |values| values.at(row - self.first))
    }
}
