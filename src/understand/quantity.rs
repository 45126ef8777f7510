//! Ranges of money, employees, scores and ratings: from amounts to bounds, and from bounds to words.

use super::amount::Amount;
use crate::query::{Figure, Range, Unit};
use crate::reader::Bound;
use crate::record::thousands;

/// By how much an amount without a bound (`$2 million budget`) may be missed, as a share of it.
const ABOUT: f64 = 0.25;

/// The range that amounts of a figure bound, and the figure that it is of: a rating past the stars that
/// there are is a score. `None` where the figure can have no such amount.
pub(super) fn bounded(figure: Figure, bound: Bound, amounts: &[Amount]) -> Option<(Figure, Range)> {
    let (first, last) = (amounts.first()?, amounts.last()?);
    let (low, high) = (first.low, last.high);
    let range = match bound {
        // `from $500K up to $3.5M`: two ends are a range, whatever the words between.
        Bound::Min if low >= last.low => Range { min: Some(low), max: None },
        Bound::Max if low >= last.low => Range { min: None, max: Some(first.high) },
        _ if low < high => Range { min: Some(low), max: Some(high) },
        // Of stars and scores more is better; nobody asks for those that have 3 only.
        _ if figure.definition().unit == Unit::Points => Range { min: Some(low), max: None },
        _ => Range {
            min: Some((low * (1.0 - ABOUT)).floor()),
            max: Some((first.high * (1.0 + ABOUT)).ceil()),
        },
    };
    // `rated 90 or higher`.
    let is_score = figure == Figure::Rating && high > figure.definition().bounds[1] + 1.0;
    let figure = if is_score { Figure::Score } else { figure };
    let [_, top] = figure.definition().bounds;
    let min = match range.min {
        // Many think of five stars; there are four.
        Some(min) if figure == Figure::Rating && min > top && min <= top + 1.0 => Some(top),
        min => min,
    };
    let max = range.max.filter(|&max| max <= top || min.is_none());
    min.is_none_or(|min| min <= top).then_some((figure, Range { min, max }))
}

/// A range in words.
pub(super) fn range_words(figure: Figure, range: Range) -> String {
    let name = figure.definition().noun;
    let number = |value: f64| {
        let whole = value.fract() == 0.0 && value.abs() < 1e15;
        let is_year = figure.definition().unit == Unit::Year;
        let text = match whole && !is_year {
            true => thousands(value.abs() as u64),
            false => format!("{value}"),
        };
        if figure.is_money() { format!("${text}") } else { text }
    };
    match (range.min, range.max) {
        (Some(min), Some(max)) if min == max => format!("{name} {}", number(min)),
        (Some(min), Some(max)) => format!("{name} {} to {}", number(min), number(max)),
        (Some(min), None) => format!("{name} at least {}", number(min)),
        (None, Some(max)) => format!("{name} at most {}", number(max)),
        (None, None) => format!("any {name}"),
    }
}
