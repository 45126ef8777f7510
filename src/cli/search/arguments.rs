//! The flags of `almoner search`, and what they ask for.

use std::str::FromStr as _;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser as _};
use clap::value_parser;

use crate::cli::search::ranges::{RangeFlags, flag_of, number};
use crate::cli::{DataDir, ModelFolder};
use crate::query::{Area, Flag, Sort, SortKey};
use crate::record::{OrgSize, Point, Sdg, State, Subsection, Zip5};
use crate::search::interpret::{Model, Presentation};
use crate::search::listing;
use crate::search::nonprofits::Order;
use crate::understand::{Frame, NamedPlace};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    pub(super) data_dir: DataDir,
    #[command(flatten)]
    pub(super) model: ModelFolder,
    /// What to look for, in plain words, such as `food banks in Ohio under $1M`: places, amounts of
    /// money and the like become filters, the rest ranks by meaning and by words
    #[arg(value_name = "TEXT")]
    pub(super) text: Option<String>,
    #[command(flatten)]
    place: PlaceArguments,
    #[command(flatten)]
    ranges: RangeFlags,
    /// Only NTEE codes that start with one of these, such as A, A2 or A20
    #[arg(long, value_name = "CODE", env = "ALMONER_NTEE", value_delimiter = ',', value_parser = ntee_prefix)]
    ntee: Vec<String>,
    /// Only those that serve one of these Sustainable Development Goals, 1 to 17
    #[arg(long, value_name = "GOAL", env = "ALMONER_SDG", value_delimiter = ',', value_parser = goal)]
    sdg: Vec<Sdg>,
    /// Only those of these sizes
    #[arg(long, env = "ALMONER_SIZE", value_delimiter = ',', ignore_case = true, value_parser = PossibleValuesParser::new(OrgSize::ALL.map(OrgSize::name)).map(size_of))]
    size: Vec<OrgSize>,
    /// Only those under these subsections of section 501(c); 03 is 501(c)(3)
    #[arg(long, value_name = "CODE", env = "ALMONER_SUBSECTION", value_delimiter = ',')]
    subsection: Vec<Subsection>,
    /// Only private foundations, or only others
    #[arg(long, env = "ALMONER_FOUNDATION")]
    foundation: Option<bool>,
    /// Only those to which contributions are deductible, or only those to which they are not
    #[arg(long, env = "ALMONER_DEDUCTIBLE")]
    deductible: Option<bool>,
    /// How far in meaning they may be from TEXT, 0 to 1; higher is more lenient
    #[arg(long, value_name = "DISTANCE", env = "ALMONER_MAX_DISTANCE", value_parser = distance, requires = "text")]
    pub(super) max_distance: Option<f64>,
    #[arg(long, value_name = "KEY", help = sort_help(), env = "ALMONER_SORT", value_delimiter = ',', allow_hyphen_values = true, value_parser = order)]
    pub(super) sort: Vec<Order>,
    /// Page number, from 1
    #[arg(long, value_name = "N", env = "ALMONER_PAGE", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    pub(super) page: u64,
    /// Rows per page, 1 to 100
    #[arg(long, value_name = "N", env = "ALMONER_LIMIT", default_value_t = 10, value_parser = value_parser!(u8).range(1..=listing::SIZE_MAX as i64))]
    pub(super) limit: u8,
    /// What interprets TEXT: `minilm`, the trained reader, or `grammar`, recognisers and phrases alone
    #[arg(long, value_name = "NAME", env = "ALMONER_INTERPRETER", value_enum, default_value_t = Interpreter::Minilm)]
    interpreter: Interpreter,
    /// Print what each part of TEXT was taken for, with what probability, and how it was searched
    #[arg(long, env = "ALMONER_EXPLAIN")]
    pub(super) explain: bool,
    /// Print the records as stored, one JSON object per line, each with its cosine as vectorScore
    #[arg(long, env = "ALMONER_JSON")]
    pub(super) json: bool,
}

/// Where they should be.
#[derive(Debug, clap::Args)]
struct PlaceArguments {
    /// USPS code of their state, such as OH
    #[arg(long, env = "ALMONER_STATE")]
    state: Option<State>,
    /// Their city, in any case
    #[arg(long, env = "ALMONER_CITY", value_parser = NonEmptyStringValueParser::new())]
    city: Option<String>,
    /// Their county, in any case, with or without “County”
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

impl Arguments {
    /// What the flags ask for.
    pub(super) fn explicit(&self) -> Frame {
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
            flags: [(Flag::Foundation, self.foundation), (Flag::Deductible, self.deductible)]
                .into_iter()
                .collect(),
            ranges: self.ranges.0,
            sdgs: self.sdg.iter().copied().collect(),
            ntee: self.ntee.clone(),
            sizes: self.size.clone(),
            ..Frame::default()
        }
    }

    pub(super) fn paging(&self) -> Presentation {
        Presentation {
            origin: self.place.near,
            distance_max: self.max_distance,
            sort: self.sort.clone(),
            page: self.page,
            size: usize::from(self.limit),
            facets: Vec::new(),
            with_nearby: true,
        }
    }

    pub(super) fn interpreter(&self) -> Model {
        self.interpreter.into()
    }
}

/// What interprets a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum Interpreter {
    Minilm,
    Grammar,
}

impl From<Interpreter> for Model {
    fn from(interpreter: Interpreter) -> Self {
        match interpreter {
            Interpreter::Minilm => Self::MiniLm,
            Interpreter::Grammar => Self::Grammar,
        }
    }
}

/// Why arguments that are each good do not fit together, if so.
pub(super) fn misfit(arguments: &Arguments) -> Option<String> {
    for (figure, range) in arguments.ranges.0.iter() {
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
    let by_distance =
        |order: &Order| matches!(order, Order::By(Sort { key: SortKey::Distance, .. }));
    (arguments.place.near.is_none() && arguments.sort.iter().any(by_distance)).then(|| {
        "--sort distance needs the point that distances are measured from: add --near LAT,LON"
            .to_owned()
    })
}

fn amount(text: &str) -> Result<f64, String> {
    number(text, 0.0..=f64::INFINITY)
}

fn distance(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1.0)
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

/// The size of a name that was checked.
fn size_of(name: String) -> OrgSize {
    let of_that_name = |size: &OrgSize| size.name().eq_ignore_ascii_case(&name);
    OrgSize::ALL.into_iter().find(of_that_name).expect("clap lets the names of sizes pass only")
}

fn order_names() -> String {
    Order::names().collect::<Vec<_>>().join(", ")
}

fn sort_help() -> String {
    format!("What to sort by, in order, `-` in front for descending: {}", order_names())
}

fn order(text: &str) -> Result<Order, String> {
    Order::parse(text).ok_or_else(|| {
        let names = order_names();
        format!("expected one of {names}, with - in front for descending, found {text:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Figure;

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
        refused(distance("1.01").map(drop), "0 to 1");
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
        assert_eq!(goal("17"), Ok(Sdg::new(17).unwrap()));
        for bad in ["0", "18", "four"] {
            refused(goal(bad).map(drop), bad);
        }
        assert_eq!(order("-relevance"), Ok(Order::Relevance));
        assert_eq!(
            order("-revenue"),
            Ok(Order::By(Sort::descending(SortKey::Figure(Figure::Revenue))))
        );
        for bad in ["", "-", "size", "--name", "Name"] {
            refused(order(bad).map(drop), "relevance");
        }
    }
}
