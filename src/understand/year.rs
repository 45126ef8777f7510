//! Years that words bound: `founded after 2010`, `established in the 1990s`.

use super::phrases;
use super::token::Tokens;
use crate::query::{Figure, Range};
use crate::record::named;

named! {
    /// What words beside a year make of it.
    Bound {
        From = "from",
        After = "after",
        Before = "before",
        Until = "until",
        /// Another year belongs to it.
        Between = "between",
    }
}

impl Bound {
    /// The years that it leaves of those from `first` to `last`, which stand alone.
    fn range(self, first: f64, last: f64) -> Option<Range> {
        let (min, max) = match self {
            Self::From => (Some(first), None),
            Self::After => (Some(last + 1.0), None),
            Self::Before => (None, Some(first - 1.0)),
            Self::Until => (None, Some(last)),
            Self::Between => return None,
        };
        Some(Range { min, max })
    }
}

/// Years of a decade that is named by its first one.
const DECADE: f64 = 10.0;

/// Whether words bound years.
pub fn is_bounded(words: &str) -> bool {
    bounded(words).is_some()
}

/// The figure whose years words bound, and the range; `None` where no figure or no year is named.
pub(super) fn bounded(words: &str) -> Option<(Figure, Range)> {
    let tokens = Tokens::of(words);
    if let Some(range) = of_age(&tokens, this_year()) {
        return Some((Figure::RulingYear, range));
    }
    let named = (0..tokens.len()).find_map(|at| tokens.longest(at, "year field"));
    let figure = Figure::named(named?.0)?;
    let [least, greatest] = figure.definition().bounds;
    let is_year = |year: &f64| (least..=greatest).contains(year) && year.fract() == 0.0;
    // The first year and the last, and the tokens from which to which they are named.
    let named: Vec<(f64, f64, usize, usize)> = (0..tokens.len())
        .filter_map(|at| {
            let year = tokens.number_at(at).filter(is_year)?;
            let is_decade = tokens.get(at + 1).is_some_and(|next| next.glued && next.form == "s");
            let (last, end) =
                if is_decade { (year + DECADE - 1.0, at + 2) } else { (year, at + 1) };
            Some((year, last, at, end))
        })
        .collect();
    let range = match named[..] {
        [(first, last, start, end)] => {
            let before = tokens.longest_before(start, "year bound before");
            let bound = before.or_else(|| tokens.longest(end, "year bound after"));
            match bound.and_then(|(name, _)| Bound::named(name)) {
                Some(bound) => bound.range(first, last)?,
                None => Range { min: Some(first), max: Some(last) },
            }
        }
        [(first, ..), (_, last, ..)] if first <= last => {
            Range { min: Some(first), max: Some(last) }
        }
        _ => return None,
    };
    Some((figure, range))
}

/// The years that an age leaves: `older than 10 years`, `less than five years old`.
fn of_age(tokens: &Tokens, this_year: f64) -> Option<Range> {
    let is_years = |at: usize| phrases::has("years of age", tokens.form(at));
    let at = (0..tokens.len()).find(|at| tokens.number_at(*at).is_some() && is_years(at + 1))?;
    let year = this_year - tokens.number_at(at)?;
    match tokens.longest_before(at, "age bound")?.0 {
        "older" => Some(Range { min: None, max: Some(year) }),
        _ => Some(Range { min: Some(year), max: None }),
    }
}

fn this_year() -> f64 {
    f64::from(time::OffsetDateTime::now_utc().year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_bounded() {
        let check = |words: &str, expected: Option<(Option<f64>, Option<f64>)>| {
            let found = bounded(words).map(|(figure, range)| {
                assert_eq!(figure, Figure::RulingYear);
                (range.min, range.max)
            });
            assert_eq!(found, expected, "{words}");
        };
        check("founded after 2010", Some((Some(2011.0), None)));
        check("started since 2015", Some((Some(2015.0), None)));
        check("established before 1990", Some((None, Some(1989.0))));
        check("formed in 1987", Some((Some(1987.0), Some(1987.0))));
        check("founded in 1999 or later", Some((Some(1999.0), None)));
        check("created between 2005 and 2010", Some((Some(2005.0), Some(2010.0))));
        check("founded in the 1990s", Some((Some(1990.0), Some(1999.0))));
        check("founded after the 1990s", Some((Some(2000.0), None)));
        check("founded by 2000", Some((None, Some(2000.0))));
        check("older than 1970", Some((None, Some(1969.0))));
        check("newer than 2015", Some((Some(2016.0), None)));
        for words in [
            "founded",
            "after 2010",
            "founded after 12",
            "founded between 1990",
            "founded in 2010, 2012 and 2014",
            "",
        ] {
            check(words, None);
        }
    }

    #[test]
    fn ages_are_years_before_this_one() {
        let check = |words: &str, expected: Option<(Option<f64>, Option<f64>)>| {
            let found = of_age(&Tokens::of(words), 2026.0).map(|range| (range.min, range.max));
            assert_eq!(found, expected, "{words}");
        };
        check("older than 10 years", Some((None, Some(2016.0))));
        check("less than five years old", Some((Some(2021.0), None)));
        check("10 years", None);
        check("older than 1970", None);
    }

    #[test]
    fn lists_have_meanings_that_are_known() {
        for (name, _) in phrases::meanings("year field") {
            assert!(Figure::named(name).is_some(), "{name}");
        }
        for list in ["year bound before", "year bound after"] {
            for (name, _) in phrases::meanings(list) {
                assert!(Bound::named(name).is_some(), "{name}");
            }
        }
    }
}
