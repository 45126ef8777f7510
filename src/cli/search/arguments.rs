//! The flags of `almoner search`, and what they ask for.

use clap::value_parser;

use crate::cli::filters::{FilterArguments, number};
use crate::cli::flags::{Format, FormatArguments, VerbosityArguments};
use crate::cli::pager::PagerArguments;
use crate::cli::{DataDir, ModelFolder};
use crate::export::lines;
use crate::query::{Sort, SortKey};
use crate::search::nonprofits::Order;
use crate::understand::{Model, Query};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Arguments {
    #[command(flatten)]
    pub(super) data_dir: DataDir,
    #[command(flatten)]
    pub(super) model: ModelFolder,
    /// What to look for, in plain words, such as `food banks in Ohio under $1M`: places, amounts of
    /// money and the like become filters, the rest ranks by meaning and by words
    #[arg(value_name = "TEXT", num_args = 0..)]
    text: Vec<String>,
    #[command(flatten)]
    pub(super) filters: FilterArguments,
    /// How far in meaning they may be from TEXT, 0 to 1; higher is more lenient
    #[arg(long, value_name = "DISTANCE", env = "ALMONER_MAX_DISTANCE", value_parser = distance, requires = "text")]
    pub(super) max_distance: Option<f64>,
    #[arg(long, value_name = "KEY", help = sort_help(), env = "ALMONER_SORT", value_delimiter = ',', allow_hyphen_values = true, value_parser = order)]
    pub(super) sort: Vec<Order>,
    /// Page number, from 1
    #[arg(long, value_name = "N", env = "ALMONER_PAGE", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    pub(super) page: u64,
    /// Rows per page, or `all`; a list of any length takes the same memory
    #[arg(long, value_name = "N", env = "ALMONER_LIMIT", default_value = "10")]
    pub(super) limit: Limit,
    /// What interprets TEXT: `minilm`, the trained reader, or `grammar`, recognisers and phrases alone
    #[arg(long, value_name = "NAME", env = "ALMONER_INTERPRETER", value_enum, default_value_t = Interpreter::Minilm)]
    interpreter: Interpreter,
    /// Print what each part of TEXT was taken for, with what probability, and how it was searched
    #[arg(long, env = "ALMONER_EXPLAIN")]
    pub(super) explain: bool,
    #[command(flatten)]
    pub(super) format: FormatArguments,
    /// Only these fields of the details, in this order, in csv, json and ndjson: ein,name,state [default: all]
    #[arg(long, value_name = "NAME", env = "ALMONER_FIELDS", value_delimiter = ',')]
    pub(super) fields: Vec<String>,
    #[command(flatten)]
    pub(super) pager: PagerArguments,
    #[command(flatten)]
    pub(super) verbosity: VerbosityArguments,
}

/// How many rows to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Limit {
    /// At most this many; at least 1.
    Rows(usize),
    All,
}

impl std::str::FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Self::All);
        }
        let rows = text.parse().ok().filter(|rows| *rows > 0);
        rows.map(Self::Rows)
            .ok_or_else(|| format!("expected a number of rows from 1 on, or all, found {text:?}"))
    }
}

impl Arguments {
    /// What to look for, the words joined if they were not quoted.
    pub(super) fn text(&self) -> Option<String> {
        let text = self.text.join(" ");
        (!self.text.is_empty()).then(|| text.trim().to_owned())
    }

    pub(super) fn page_query(&self) -> Query {
        Query {
            origin: self.filters.origin(),
            distance_max: self.max_distance,
            sort: self.sort.clone(),
            page: self.page,
            size: match self.limit {
                Limit::Rows(rows) => rows,
                Limit::All => usize::MAX,
            },
            ..Query::default()
        }
    }

    pub(super) fn interpreter(&self) -> Model {
        self.interpreter.into()
    }
}

/// What interprets a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Interpreter {
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
    let filters = arguments.filters.misfit();
    if filters.is_some() {
        return filters;
    }
    if !arguments.fields.is_empty() {
        if arguments.format.format() == Format::Table {
            let expected = "--fields is for csv, json and ndjson: give one of them by --format";
            return Some(expected.to_owned());
        }
        if let Some(why) = lines::misfit(&arguments.fields, &super::columns()) {
            return Some(why);
        }
    }
    if arguments.limit == Limit::All && arguments.page > 1 {
        return Some("--limit all has one page: leave out --page, or give --limit N".to_owned());
    }
    let by_distance =
        |order: &Order| matches!(order, Order::By(Sort { key: SortKey::Distance, .. }));
    (arguments.filters.origin().is_none() && arguments.sort.iter().any(by_distance)).then(|| {
        "--sort distance needs the point that distances are measured from: add --near LAT,LON"
            .to_owned()
    })
}

fn distance(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1.0)
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
        assert_eq!("all".parse(), Ok(Limit::All));
        assert_eq!("250000".parse(), Ok(Limit::Rows(250_000)));
        for bad in ["", "0", "-1", "1e3", "every", "99999999999999999999999"] {
            let said = bad.parse::<Limit>().unwrap_err();
            assert!(said.contains("expected") && said.contains("or all"), "{said}");
        }
        assert!(distance("1.01").unwrap_err().contains("0 to 1"));
        assert_eq!(order("-relevance"), Ok(Order::Relevance));
        assert_eq!(
            order("-revenue"),
            Ok(Order::By(Sort::descending(SortKey::Figure(Figure::Revenue))))
        );
        for bad in ["", "-", "size", "--name", "Name"] {
            let said = order(bad).unwrap_err();
            assert!(said.contains("relevance") && said.contains(bad), "{said}");
        }
    }
}
