//! Orders: the sort key of a span.

use crate::query::{Figure, Sort, SortKey};
use crate::reader::{Direction, SortBy, Span};

/// The order that a span asks for.
pub fn sort_of(span: &Span) -> Option<Sort> {
    let key = match span.sort_by {
        SortBy::None => return None,
        SortBy::Name => SortKey::Name,
        SortBy::Distance => SortKey::Distance,
        SortBy::Age => SortKey::Figure(Figure::RulingYear),
        by => SortKey::Figure(Figure::named(by.name())?),
    };
    // The youngest have the latest ruling.
    let descending = match span.direction {
        Direction::Ascending => span.sort_by == SortBy::Age,
        Direction::Descending => span.sort_by != SortBy::Age,
        Direction::None => !matches!(key, SortKey::Name | SortKey::Distance),
    };
    Some(Sort { key, descending })
}
