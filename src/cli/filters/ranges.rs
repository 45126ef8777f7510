//! The flags of ranges: `--min-revenue`, `--max-revenue` and so on, one pair per [`Figure`].

use std::ops::RangeInclusive;
use std::str::FromStr as _;

use clap::{Arg, ArgMatches, Command, FromArgMatches};

use crate::query::{Figure, Range, Ranges};
use crate::understand;

/// Ranges of figures, both bounds included. Whose figure is not known is left out.
#[derive(Debug, Clone, Copy)]
pub(super) struct RangeFlags(pub(super) Ranges);

/// The flag of a parameter.
pub(super) fn flag_of(parameter: &str) -> String {
    parameter.replace('_', "-")
}

/// A number within bounds.
///
/// # Errors
/// When it is none, saying what was expected.
pub(in crate::cli) fn number(text: &str, bounds: RangeInclusive<f64>) -> Result<f64, String> {
    within(f64::from_str(text).ok(), text, bounds)
}

/// A figure within bounds, as a number or as people write amounts: `1e6`, `$1,000,000`, `1m`.
fn amount_or_number(text: &str, bounds: RangeInclusive<f64>) -> Result<f64, String> {
    within(f64::from_str(text).ok().or_else(|| understand::sole_amount(text)), text, bounds)
}

fn within(number: Option<f64>, text: &str, bounds: RangeInclusive<f64>) -> Result<f64, String> {
    let number = number.filter(|number| number.is_finite());
    number.filter(|number| bounds.contains(number)).ok_or_else(|| {
        let (min, max) = (bounds.start(), bounds.end());
        match max.is_finite() {
            true => format!("expected a number of {min} to {max}, found {text:?}"),
            false => format!("expected a number of at least {min}, found {text:?}"),
        }
    })
}

fn arguments(figure: Figure) -> [Arg; 2] {
    let definition = figure.definition();
    let [min, max] = definition.bounds;
    let scale = if max.is_finite() { format!(", {min} to {max}") } else { String::new() };
    [0, 1].map(|end| {
        let name = definition.parameters[end];
        Arg::new(name)
            .long(flag_of(name))
            .value_name("N")
            .env(format!("ALMONER_{}", name.to_uppercase()))
            .value_parser(move |text: &str| amount_or_number(text, min..=max))
            .help(format!("{}{scale}", definition.requests[end]))
    })
}

impl clap::Args for RangeFlags {
    fn augment_args(command: Command) -> Command {
        command.args(Figure::ALL.into_iter().flat_map(arguments))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RangeFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let of = |figure: Figure| {
            let bound = |name| matches.get_one(name).copied();
            let [min, max] = figure.definition().parameters.map(bound);
            (figure, Range { min, max })
        };
        Ok(Self(Figure::ALL.into_iter().map(of).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &[&str]) -> Result<Ranges, String> {
        let command = <RangeFlags as clap::Args>::augment_args(Command::new("search"));
        let flags = std::iter::once("search").chain(flags.iter().copied());
        let matches = command.try_get_matches_from(flags).map_err(|error| error.to_string())?;
        RangeFlags::from_arg_matches(&matches).map(|read| read.0).map_err(|error| error.to_string())
    }

    #[test]
    fn each_figure_has_its_bounds() {
        let ranges = read(&["--min-revenue", "1e6", "--max-rating", "4"]).unwrap();
        let expected = [
            (Figure::Revenue, Range { min: Some(1e6), max: None }),
            (Figure::Rating, Range { min: None, max: Some(4.0) }),
        ];
        assert_eq!(ranges, expected.into_iter().collect());
        for written in ["1m", "$1,000,000", "1 million"] {
            let ranges = read(&["--min-revenue", written, "--max-rating", "4"]).unwrap();
            assert_eq!(ranges, expected.into_iter().collect(), "{written}");
        }
        assert_eq!(read(&[]), Ok(Ranges::default()));
        for (flags, part) in [
            (["--max-rating", "4.1"], "expected a number of 0 to 4"),
            (["--min-assets", "-1"], "expected"),
            (["--min-assets", "1m or so"], "expected"),
            (["--min-employees", "many"], "expected a number of at least 0"),
        ] {
            let said = read(&flags).unwrap_err();
            assert!(said.contains(part), "{said}");
        }
    }
}
