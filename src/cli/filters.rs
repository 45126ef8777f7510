//! The flags that filter nonprofits, as every command that lists them takes them.

use std::ops::RangeInclusive;
use std::str::FromStr as _;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use crate::places;
use crate::query::{Area, Choice, Choices, Figure, Flag, Flags, Range, Ranges};
use crate::record::{Point, Sdg, State, Subsection, Zip5};
use crate::understand::{self, Frame, NamedPlace};

/// What nonprofits must satisfy.
#[derive(Debug, clap::Args)]
pub(super) struct FilterArguments {
    #[command(flatten)]
    place: PlaceArguments,
    #[command(flatten)]
    ranges: Declared<Ranges>,
    /// Only NTEE codes that start with one of these, such as A, A2 or A20
    #[arg(long, value_name = "CODE", env = "ALMONER_NTEE", value_delimiter = ',', value_parser = ntee_prefix)]
    ntee: Vec<String>,
    /// Only those that serve one of these Sustainable Development Goals, 1 to 17
    #[arg(long, value_name = "GOAL", env = "ALMONER_SDG", value_delimiter = ',', value_parser = goal)]
    sdg: Vec<Sdg>,
    #[command(flatten)]
    choices: Declared<Choices>,
    /// Only those under these subsections of section 501(c); 03 is 501(c)(3)
    #[arg(long, value_name = "CODE", env = "ALMONER_SUBSECTION", value_delimiter = ',')]
    subsection: Vec<Subsection>,
    /// Only private foundations, or only others
    #[arg(long, env = "ALMONER_FOUNDATION")]
    foundation: Option<bool>,
    /// Only private operating foundations, or only other private foundations
    #[arg(long, env = "ALMONER_OPERATING")]
    operating: Option<bool>,
    /// Only churches by the IRS's code, or only others
    #[arg(long, env = "ALMONER_CHURCH")]
    church: Option<bool>,
    /// Only those that the loaded approvals of Form 1023-EZ name, or only others
    #[arg(long = "form-1023ez", env = "ALMONER_FORM_1023EZ")]
    form_1023ez: Option<bool>,
    /// Only those of which a return is loaded as filed, or only others
    #[arg(long, env = "ALMONER_HAS_RETURN")]
    has_return: Option<bool>,
    /// Only those to which contributions are deductible, or only those to which they are not
    #[arg(long, env = "ALMONER_DEDUCTIBLE")]
    deductible: Option<bool>,
}

/// Where they should be.
#[derive(Debug, clap::Args)]
struct PlaceArguments {
    /// Their state: its USPS code, such as OH, or its name
    #[arg(long, env = "ALMONER_STATE", value_parser = state)]
    state: Option<State>,
    /// Their city, in any case
    #[arg(long, env = "ALMONER_CITY", value_parser = NonEmptyStringValueParser::new())]
    city: Option<String>,
    /// Their county, or several with commas between, in any case, with or without “County”
    #[arg(long, env = "ALMONER_COUNTY", value_parser = NonEmptyStringValueParser::new())]
    county: Option<String>,
    /// Their ZIP code, five digits
    #[arg(long, env = "ALMONER_ZIP")]
    zip: Option<Zip5>,
    /// A point as degrees north and east, such as 41.5,-81.7
    #[arg(long, value_name = "LAT,LON", env = "ALMONER_NEAR", allow_hyphen_values = true, value_parser = point)]
    near: Option<Point>,
    /// How far they may be from --near; 0 is any distance
    #[arg(long, value_name = "MILES", env = "ALMONER_WITHIN", value_parser = amount, requires = "near")]
    within: Option<f64>,
}

impl FilterArguments {
    /// What the flags ask for.
    pub(super) fn frame(&self) -> Frame {
        let place = &self.place;
        let area = Area {
            state: place.state,
            county: place.county.clone(),
            city: place.city.clone(),
            zip: place.zip,
            near: place.near.map(|point| (point, place.within.unwrap_or(0.0))),
        };
        Frame {
            places: NamedPlace::of(area).into_iter().collect(),
            subsections: self.subsection.clone(),
            flags: Flags::from_iter([
                (Flag::Foundation, self.foundation),
                (Flag::Operating, self.operating),
                (Flag::Church, self.church),
                (Flag::Form1023Ez, self.form_1023ez),
                (Flag::HasReturn, self.has_return),
                (Flag::Deductible, self.deductible),
            ]),
            ranges: self.ranges.0,
            sdgs: self.sdg.iter().copied().collect(),
            ntee: self.ntee.clone(),
            choices: self.choices.0.clone(),
            ..Frame::default()
        }
    }

    /// The point that distances are measured from.
    pub(super) fn origin(&self) -> Option<Point> {
        self.place.near
    }

    /// Why flags that are each good do not fit together, if so.
    pub(super) fn misfit(&self) -> Option<String> {
        for (figure, range) in self.ranges.0.iter() {
            if let (Some(min), Some(max)) = (range.min, range.max)
                && min > max
            {
                let (name, [least, greatest]) =
                    (figure.definition().noun, figure.definition().parameters.map(flag_of));
                return Some(format!(
                    "no {name} fits: expected --{least} to be at most --{greatest}, found {min} and {max}"
                ));
            }
        }
        None
    }
}

fn amount(text: &str) -> Result<f64, String> {
    number(text, 0.0..=f64::INFINITY)
}

fn state(text: &str) -> Result<State, String> {
    places::state(text).ok_or_else(|| {
        format!(
            "expected a USPS state code or the name of a state, such as OH or Ohio, found {text:?}"
        )
    })
}

fn point(text: &str) -> Result<Point, String> {
    let numbers = text
        .split_once(',')
        .and_then(|(north, east)| Some((north.trim().parse().ok()?, east.trim().parse().ok()?)));
    let Some((north, east)) = numbers else {
        let expected = "a latitude, a comma and a longitude, such as 41.5,-81.7";
        return Err(format!("expected {expected}, found {text:?}"));
    };
    Point::new(north, east).map_err(|error| error.to_string())
}

/// The start of an NTEE code: a letter, then up to two letters or digits.
fn ntee_prefix(text: &str) -> Result<String, String> {
    let fits = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.len() <= 3
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then(|| text.to_owned()).ok_or_else(|| {
        format!("expected an NTEE code or how one starts, such as A, A2 or A20, found {text:?}")
    })
}

fn goal(text: &str) -> Result<Sdg, String> {
    let number = i64::from_str(text).map_err(|_| {
        format!("expected the number of a Sustainable Development Goal, 1 to 17, found {text:?}")
    })?;
    Sdg::new(number).map_err(|error| error.to_string())
}

/// Filters whose flags follow from what [`query`](crate::query) declares.
trait FromDeclaration: Sized {
    /// The flags.
    fn arguments() -> Vec<Arg>;

    /// What they ask for.
    fn read(matches: &ArgMatches) -> Self;
}

/// The flags of such filters.
#[derive(Debug)]
struct Declared<T>(T);

/// The flag of a parameter.
fn flag_of(parameter: &str) -> String {
    parameter.replace('_', "-")
}

/// The environment variable of a parameter.
fn variable_of(parameter: &str) -> String {
    format!("ALMONER_{}", parameter.to_uppercase())
}

/// A number within bounds.
///
/// # Errors
/// When it is none, saying what was expected.
pub(super) fn number(text: &str, bounds: RangeInclusive<f64>) -> Result<f64, String> {
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

fn bounds(figure: Figure) -> [Arg; 2] {
    let definition = figure.definition();
    let [min, max] = definition.bounds;
    let scale = if max.is_finite() { format!(", {min} to {max}") } else { String::new() };
    [0, 1].map(|end| {
        let name = definition.parameters[end];
        Arg::new(name)
            .long(flag_of(name))
            .value_name("N")
            .env(variable_of(name))
            .value_parser(move |text: &str| amount_or_number(text, min..=max))
            .help(format!("{}{scale}", definition.requests[end]))
    })
}

/// Ranges of figures, `--min-revenue`, `--max-revenue` and so on, both bounds included: one pair a [`Figure`]. Whose
/// figure is not known is left out.
impl FromDeclaration for Ranges {
    fn arguments() -> Vec<Arg> {
        Figure::ALL.into_iter().flat_map(bounds).collect()
    }

    fn read(matches: &ArgMatches) -> Self {
        let of = |figure: Figure| {
            let bound = |name| matches.get_one(name).copied();
            let [min, max] = figure.definition().parameters.map(bound);
            (figure, Range { min, max })
        };
        Figure::ALL.into_iter().map(of).collect()
    }
}

/// The values of choices, in any case, several with commas between.
impl FromDeclaration for Choices {
    fn arguments() -> Vec<Arg> {
        let argument = |choice: Choice| {
            let definition = choice.definition();
            let name = definition.short_name;
            Arg::new(name)
                .long(flag_of(name))
                .value_name(name.to_uppercase())
                .env(variable_of(name))
                .action(ArgAction::Append)
                .value_delimiter(',')
                .ignore_case(true)
                .value_parser(PossibleValuesParser::new(definition.values))
                .help(definition.request)
        };
        Choice::ALL.map(argument).into()
    }

    fn read(matches: &ArgMatches) -> Self {
        let of = |choice: Choice| {
            let definition = choice.definition();
            let given = matches.get_many::<String>(definition.short_name).into_iter().flatten();
            let value = |text: &String| {
                definition.values.iter().copied().find(|value| value.eq_ignore_ascii_case(text))
            };
            (choice, given.filter_map(value).collect::<Vec<_>>())
        };
        Choice::ALL.map(of).into_iter().collect()
    }
}

impl<T: FromDeclaration> clap::Args for Declared<T> {
    fn augment_args(command: Command) -> Command {
        command.args(T::arguments())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: FromDeclaration> FromArgMatches for Declared<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(T::read(matches)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused_saying_what_is_expected() {
        let refused = |error: Result<(), String>, part: &str| {
            let error = error.unwrap_err();
            assert!(error.contains("expected") || error.contains("1 to 17"), "{error}");
            assert!(error.contains("found") && error.contains(part), "{error}");
        };
        assert_eq!(amount("1e6"), Ok(1e6));
        for bad in ["", "-1", "nan", "inf", "1,000", "$5"] {
            refused(amount(bad).map(drop), bad);
        }
        assert_eq!(point("41.5, -81.7"), Ok(Point::new(41.5, -81.7).unwrap()));
        for bad in ["", "41.5", "41.5;-81.7", "north,east", "91,0", "nan,0"] {
            refused(point(bad).map(drop), "latitude");
        }
        for good in ["A", "a2", "A20", "A6E"] {
            assert_eq!(ntee_prefix(good), Ok(good.to_owned()));
        }
        for bad in ["", "2", "A200", "A-", "Ä"] {
            refused(ntee_prefix(bad).map(drop), bad);
        }
        for good in ["OH", "Ohio", "ohio"] {
            assert_eq!(state(good).unwrap().code(), "OH");
        }
        for bad in ["", "Ohi", "OHIO STATE"] {
            assert!(state(bad).is_err(), "{bad}");
        }
        assert_eq!(goal("17"), Ok(Sdg::new(17).unwrap()));
        for bad in ["0", "18", "four"] {
            refused(goal(bad).map(drop), bad);
        }
    }

    fn read<T: FromDeclaration>(flags: &[&str]) -> Result<T, String> {
        let command = <Declared<T> as clap::Args>::augment_args(Command::new("search"));
        let flags = std::iter::once("search").chain(flags.iter().copied());
        let matches = command.try_get_matches_from(flags).map_err(|error| error.to_string())?;
        Ok(T::read(&matches))
    }

    #[test]
    fn values_of_choices_are_read_in_any_case() {
        for (flags, expected) in [
            (&[][..], &[][..]),
            (&["--size", "small,Super-Size"], &["Small", "Super-Size"]),
            (&["--size", "LARGE", "--size", "small"], &["Large", "Small"]),
        ] {
            assert_eq!(read::<Choices>(flags).unwrap().names(Choice::Size), expected, "{flags:?}");
        }
        assert!(read::<Choices>(&["--size", "huge"]).unwrap_err().contains("Super-Size"));
    }

    #[test]
    fn each_figure_has_its_bounds() {
        let ranges: Ranges = read(&["--min-revenue", "1e6", "--max-rating", "4"]).unwrap();
        let expected = [
            (Figure::Revenue, Range { min: Some(1e6), max: None }),
            (Figure::Rating, Range { min: None, max: Some(4.0) }),
        ];
        assert_eq!(ranges, expected.into_iter().collect());
        for written in ["1m", "$1,000,000", "1 million"] {
            let ranges: Ranges = read(&["--min-revenue", written, "--max-rating", "4"]).unwrap();
            assert_eq!(ranges, expected.into_iter().collect(), "{written}");
        }
        assert_eq!(read(&[]), Ok(Ranges::default()));
        for (flags, part) in [
            (["--max-rating", "4.1"], "expected a number of 0 to 4"),
            (["--min-assets", "-1"], "expected"),
            (["--min-assets", "1m or so"], "expected"),
            (["--min-employees", "many"], "expected a number of at least 0"),
        ] {
            let said = read::<Ranges>(&flags).unwrap_err();
            assert!(said.contains(part), "{said}");
        }
    }
}
