//! What may be asked of nonprofits: filters and orders, as every interface understands them.
//!
//! A filter that is a range of a [`Figure`], a [`Flag`] or a [`Choice`] is declared once, in a table of this module:
//! the interfaces, the understanding of sentences and their checks go over the tables. Which column holds the
//! values is known to [`index::columns`](crate::index::columns) alone.

/// Declares what is asked of every one of an enumeration: a value each, looked up by it.
macro_rules! of_each {
    ($(#[$about:meta])* $all:ident of $one:ident: $value:ty) => {
        $(#[$about])*
        pub struct $all([$value; $one::ALL.len()]);

        impl $all {
            /// Every one with what is asked of it.
            pub fn iter(&self) -> impl Iterator<Item = ($one, $value)> {
                $one::ALL.into_iter().zip(self.0)
            }
        }

        impl std::ops::Index<$one> for $all {
            type Output = $value;

            fn index(&self, one: $one) -> &$value {
                &self.0[one as usize]
            }
        }

        impl std::ops::IndexMut<$one> for $all {
            fn index_mut(&mut self, one: $one) -> &mut $value {
                &mut self.0[one as usize]
            }
        }

        impl FromIterator<($one, $value)> for $all {
            fn from_iter<Pairs: IntoIterator<Item = ($one, $value)>>(pairs: Pairs) -> Self {
                let mut all = Self::default();
                pairs.into_iter().for_each(|(one, value)| all[one] = value);
                all
            }
        }
    };
}

mod area;
mod choice;
mod figure;
mod flag;
mod sort;

pub use area::Area;
pub use choice::{Choice, Choices};
pub use figure::{Figure, Ranges, Unit};
pub use flag::{Flag, Flags};
pub use sort::{Sort, SortKey, order_key};

use crate::record::{Ein, SdgSet, Subsection};

/// A range of numbers, both ends included; `None` is open.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Range {
    pub min: Option<f64>,
    pub max: Option<f64>,
}

impl Range {
    /// Whether it asks nothing.
    pub fn is_open(self) -> bool {
        self.min.is_none() && self.max.is_none()
    }

    /// Whether a number is in it.
    pub fn contains(self, value: f64) -> bool {
        self.min.is_none_or(|min| value >= min) && self.max.is_none_or(|max| value <= max)
    }
}

/// What organizations must satisfy; what is `None` or empty asks nothing. One of which a figure or a flag
/// that is asked about is not known satisfies no range, neither `true` nor `false`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Filters {
    /// Any of these.
    pub subsections: Vec<Subsection>,
    pub flags: Flags,
    /// Any of these.
    pub eins: Vec<Ein>,
    /// None of these.
    pub not_eins: Vec<Ein>,
    /// Any of these.
    pub areas: Vec<Area>,
    /// None of these.
    pub not_areas: Vec<Area>,
    pub ranges: Ranges,
    /// Whether a revenue of which only the most is known satisfies a range without a minimum that reaches so far.
    pub admits_ceilings: bool,
    /// Any of these goals; empty asks nothing.
    pub sdgs: SdgSet,
    /// Any of these prefixes of NTEE codes, in any case.
    pub ntee_prefixes: Vec<String>,
    /// None of these prefixes of NTEE codes, in any case; who has no code satisfies it.
    pub not_ntee_prefixes: Vec<String>,
    pub choices: Choices,
}
