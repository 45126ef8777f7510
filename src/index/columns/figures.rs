//! Which column holds a figure or a flag, and as what.

use super::layout::{Section, flag};
use crate::query::{Figure, Flag};

/// The form of a column's values.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// i64 dollars.
    Dollars,
    /// u32.
    Count,
    /// f32.
    Real,
    /// u16 months since January 1800, of which the year counts.
    Month,
}

/// The column of a figure.
pub(super) fn column(figure: Figure) -> (Section, Form) {
    match figure {
        Figure::Revenue => (Section::Revenue, Form::Dollars),
        Figure::Expenses => (Section::Expenses, Form::Dollars),
        Figure::Assets => (Section::Assets, Form::Dollars),
        Figure::Employees => (Section::Employees, Form::Count),
        Figure::Score => (Section::Score, Form::Real),
        Figure::Rating => (Section::Rating, Form::Real),
        Figure::RulingYear => (Section::Ruling, Form::Month),
    }
}

/// The bit of a flag.
pub(super) fn bit(asked: Flag) -> u16 {
    match asked {
        Flag::Foundation => flag::FOUNDATION,
        Flag::Deductible => flag::DEDUCTIBLE,
        Flag::Inactive => flag::INACTIVE,
        Flag::Vetted => flag::VETTED,
        Flag::Video => flag::VIDEO,
    }
}
