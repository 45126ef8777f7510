//! `almoner aggregate`: counts, sums and quantiles of the nonprofits that satisfy filters, by group, as a table, CSV or
//! JSON. Flags stand for the parameters of `/nonprofits/aggregate`.

use std::io::{self, Write as _};
use std::sync::Arc;

use anyhow::Context as _;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::value_parser;

use super::filters::FilterArguments;
use super::flags::{FormatArguments, VerbosityArguments};
use super::record_writer::RecordWriter;
use super::table::{Table, dollars, terminal_width};
use super::{DataDir, OUTPUT, Outcome, complain_plainly, misused, not_found, print};
use crate::embed::Lazy;
use crate::export::RowWriter as _;
use crate::export::lines::LineFormat;
use crate::index::columns::MEASURES;
use crate::query::{Figure, Filters};
use crate::record::{counted, thousands};
use crate::search::aggregate::{
    Aggregation, DIMENSIONS_MAX, Dimension, MEASURES_DEFAULT, Order, Query, aggregate, distinct,
};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::snapshot;
use crate::views::{DistributionShown, GroupShown};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    filters: FilterArguments,
    /// What to group by, at most two: a county and a city each with its state, `ntee` by the letter of the NTEE code;
    /// without it all are one group
    #[arg(long, value_name = "WHAT", env = "ALMONER_GROUP_BY", value_delimiter = ',', value_parser = PossibleValuesParser::new(Dimension::ALL.map(Dimension::name)).map(dimension))]
    group_by: Vec<Dimension>,
    /// What to add up in each group
    #[arg(long = "measure", value_name = "FIGURE", env = "ALMONER_MEASURE", value_delimiter = ',', default_values = MEASURES_DEFAULT.map(Figure::name), value_parser = PossibleValuesParser::new(MEASURES.map(Figure::name)).map(measure))]
    measures: Vec<Figure>,
    /// What to sort groups by, `-` in front for descending: count, group, or a measure with _sum or _median behind it
    #[arg(long, value_name = "KEY", env = "ALMONER_SORT", default_value = "-count", allow_hyphen_values = true, value_parser = order)]
    sort: Order,
    /// Page number, from 1
    #[arg(long, value_name = "N", env = "ALMONER_PAGE", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    page: u64,
    /// Groups per page, at most 100
    #[arg(long, value_name = "N", env = "ALMONER_LIMIT", default_value_t = 20, value_parser = value_parser!(u64).range(1..=SIZE_MAX as u64))]
    limit: u64,
    #[command(flatten)]
    format: FormatArguments,
    #[command(flatten)]
    verbosity: VerbosityArguments,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    if let Some(why) = arguments.filters.misfit() {
        return Err(misused(why));
    }
    let query = arguments.query();
    if query.group_by.len() > DIMENSIONS_MAX {
        let found = query.group_by.len();
        return Err(misused(format!(
            "--group-by has too many values: expected at most {DIMENSIONS_MAX}, found {found}"
        )));
    }
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &Arc::<Lazy>::default())?;
    let found = aggregate(&snapshot, &query)?;
    arguments.verbosity.verbosity().say(&summary(&found));
    for remark in found.remarks.iter().filter(|_| found.counted > 0) {
        complain_plainly(&format!("warning: {remark}"));
    }
    write(&arguments, &found, &query)?;
    if let Some(message) = found.message().filter(|_| found.counted == 0) {
        return Err(not_found(message));
    }
    if found.groups.rows.is_empty() {
        return Err(not_found(format!(
            "no group on page {}: name a lower --page",
            query.paging.page
        )));
    }
    Ok(Outcome::Done)
}

impl Arguments {
    fn query(&self) -> Query {
        Query {
            // An amount that is asked for is compared with amounts, as over HTTP.
            filters: Filters { admits_ceilings: false, ..self.filters.frame().filters() },
            group_by: distinct(&self.group_by),
            measures: self.measures.clone(),
            order: self.sort,
            paging: Paging { page: self.page, size: self.limit as usize },
        }
    }
}

fn dimension(name: String) -> Dimension {
    Dimension::named(&name).expect("clap lets the names of dimensions pass only")
}

fn measure(name: String) -> Figure {
    Figure::named(&name).expect("clap lets the names of measures pass only")
}

fn order(text: &str) -> Result<Order, String> {
    Order::parse(text).ok_or_else(|| {
        let names = Order::names().join(", ");
        format!("expected one of {names}, found {text:?}")
    })
}

/// What was counted, and what was not.
fn summary(found: &Aggregation) -> String {
    let groups = counted(found.groups.total, "group", "groups");
    let nonprofits = counted(found.counted, "nonprofit", "nonprofits");
    let left_out = match found.left_out {
        0 => String::new(),
        some => format!("; {} left out because a value is not known", thousands(some)),
    };
    let derived = match found.derived {
        None | Some(0) => String::new(),
        Some(some) => {
            format!("; the issue area of {} is derived, as no code is filed", thousands(some))
        }
    };
    format!("{nonprofits} in {groups}{left_out}{derived}")
}

/// Writes the groups in the format asked for.
fn write(arguments: &Arguments, found: &Aggregation, query: &Query) -> anyhow::Result<()> {
    let rows = || found.groups.rows.iter().map(|row| GroupShown::of(row, &query.group_by));
    let Some(format) = arguments.format.format().of_records() else {
        let table = table(&query.group_by, &found.measures, rows());
        return match table.is_empty() {
            true => Ok(()),
            false => print(&table.render_within(terminal_width())),
        };
    };
    let fields = (format == LineFormat::Csv).then(|| columns(&query.group_by, &found.measures));
    let mut out = io::stdout().lock();
    let mut writer = RecordWriter::new(format, &mut out, fields, Vec::new, OUTPUT)?;
    for row in rows() {
        writer.write(&row)?;
    }
    writer.finish()?.flush().context(OUTPUT)
}

/// The dimensions whose values groups have: of a county and a city also the state.
fn row_dimensions(by: &[Dimension]) -> Vec<Dimension> {
    let dimensions = by.iter().flat_map(|&dimension| match dimension {
        Dimension::County | Dimension::City => vec![Dimension::State, dimension],
        other => vec![other],
    });
    distinct(&dimensions.collect::<Vec<_>>())
}

/// The columns of CSV.
fn columns(by: &[Dimension], measures: &[Figure]) -> Vec<String> {
    let of_measure = |figure: &Figure| {
        DistributionShown::MEMBERS.map(|member| format!("{}.{member}", figure.name()))
    };
    let names =
        row_dimensions(by).into_iter().map(Dimension::name).chain(["count"]).map(str::to_owned);
    names.chain(measures.iter().flat_map(of_measure)).collect()
}

/// The groups as a table, with what people look at first of each measure.
fn table<'a>(
    by: &[Dimension],
    measures: &[Figure],
    rows: impl Iterator<Item = GroupShown<'a>>,
) -> Table {
    let dimensions = row_dimensions(by);
    let of_measure = |figure: &Figure| {
        ["known", "sum", "median"].map(|member| format!("{} {member}", figure.name()))
    };
    let header: Vec<String> = dimensions
        .iter()
        .map(|dimension| dimension.name().replace('_', " "))
        .chain(["nonprofits".to_owned()])
        .chain(measures.iter().flat_map(of_measure))
        .collect();
    let mut table = Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for row in rows {
        let values = dimensions.iter().map(|one| row.value(*one).unwrap_or_else(unknown));
        let figures = measures.iter().flat_map(|figure| cells(&row, *figure));
        table.row(values.chain([thousands(row.count)]).chain(figures));
    }
    table
}

/// The cells of a measure.
fn cells(row: &GroupShown<'_>, figure: Figure) -> [String; 3] {
    let Some(found) = row.measure(figure) else { return [unknown(), unknown(), unknown()] };
    let text = |value: i64| if figure.is_money() { dollars(value) } else { value.to_string() };
    let [sum, median] = [found.sum, found.median].map(|value| value.map_or_else(unknown, text));
    [thousands(found.known), sum, median]
}

fn unknown() -> String {
    "-".to_owned()
}
