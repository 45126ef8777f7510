//! Orders: what a span says they are by, and how they are said.

use crate::index::columns::{Sort, SortKey};
use crate::reader::{Direction, SortBy, Span};

/// The order that a span asks for.
pub(super) fn sort_of(span: &Span) -> Option<Sort> {
    let key = match span.sort_by {
        SortBy::None => return None,
        SortBy::Revenue => SortKey::Revenue,
        SortBy::Expenses => SortKey::Expenses,
        SortBy::Assets => SortKey::Assets,
        SortBy::Employees => SortKey::Employees,
        SortBy::Score => SortKey::Score,
        SortBy::Rating => SortKey::Rating,
        SortBy::Name => SortKey::Name,
        SortBy::Distance => SortKey::Distance,
        SortBy::Age => SortKey::Ruling,
    };
    // The youngest have the latest ruling.
    let descending = match span.direction {
        Direction::Ascending => key == SortKey::Ruling,
        Direction::Descending => key != SortKey::Ruling,
        Direction::None => !matches!(key, SortKey::Name | SortKey::Distance),
    };
    Some(Sort { key, descending })
}

/// An order in words.
pub fn said(sort: Sort) -> &'static str {
    match (sort.key, sort.descending) {
        (SortKey::Name, false) => "name",
        (SortKey::Name, true) => "name, from the end",
        (SortKey::Revenue, true) => "revenue, the greatest first",
        (SortKey::Revenue, false) => "revenue, the least first",
        (SortKey::Expenses, true) => "expenses, the greatest first",
        (SortKey::Expenses, false) => "expenses, the least first",
        (SortKey::Assets, true) => "assets, the greatest first",
        (SortKey::Assets, false) => "assets, the least first",
        (SortKey::Employees, true) => "employees, the most first",
        (SortKey::Employees, false) => "employees, the fewest first",
        (SortKey::Score, true) => "score, the best first",
        (SortKey::Score, false) => "score, the lowest first",
        (SortKey::Rating, true) => "rating, the best first",
        (SortKey::Rating, false) => "rating, the lowest first",
        (SortKey::Distance, false) => "distance",
        (SortKey::Distance, true) => "distance, the farthest first",
        (SortKey::Ruling, true) => "the IRS's ruling date, the latest first",
        (SortKey::Ruling, false) => "the IRS's ruling date, the earliest first",
    }
}
