//! `GET /nonprofits/aggregate`: counts, sums and quantiles of the nonprofits that satisfy filters, by group. Beside the
//! specification.

use super::filters::{NONPROFIT_FILTERS, NonprofitFilters};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{PAGE, SIZE};
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Reply, Rows, json, paging};
use crate::http::interface::parameter::{Many, Parameter, defaulted, many, parameters};
use crate::http::interface::parameter_type::{Choice, OrderName};
use crate::index::columns::MEASURES;
use crate::query::Figure;
use crate::search::aggregate::{
    Aggregation, DIMENSIONS_MAX, Dimension, MEASURES_DEFAULT, Order, Query, aggregate, distinct,
};
use crate::views::{GroupShown, MeasureShown, view};

const GROUP_BY: Parameter<Choice<Dimension>, Many> = many(
    "group_by",
    Choice::of(&Dimension::ALL, Dimension::name)
        .or(&[("ntee_major", Dimension::Ntee), ("org_size", Dimension::Size)]),
    "What nonprofits are grouped by, at most two: a county and a city each with its state, `ntee` by the letter of \
     the NTEE code as filed, `issue_area` by its title, derived from other columns where none is filed. Those of which it is not known are a group of their own. Without it all are one group.",
);

parameters! {
    /// What the aggregation takes.
    Params {
        filters: NonprofitFilters = NONPROFIT_FILTERS,
        group_by: Vec<Dimension> = GROUP_BY,
        measures: Vec<Figure> = many(
            "measures",
            Choice::of(&MEASURES, Figure::name),
            "What is added up in each group; without it revenue and assets.",
        ),
        sort: Order = defaulted(
            "sort",
            OrderName { names: Order::names, parse: Order::parse, name: Order::name },
            Order::DEFAULT,
            "What groups are sorted by, `-` in front for descending: their number of nonprofits, the values that they \
             are grouped by (`group`), or the sum or the median of a measure, which is then answered, too.",
        ),
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
    joined |input, errors| {
        if group_by.as_deref().is_some_and(|by| distinct(by).len() > DIMENSIONS_MAX) {
            let why = format!("group_by should have at most {DIMENSIONS_MAX} values");
            GROUP_BY.unfit(input, why, errors);
        }
    }
}

pub(crate) static AGGREGATE: Endpoint = Endpoint {
    summary: "Counts, sums and quantiles of nonprofits, by group",
    rows: Rows::In("groups"),
    cost: Cost::Heavy, // Looks at every nonprofit, some times for each dimension and measure.
    ..Endpoint::json::<Answer<'_>>("/nonprofits/aggregate", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let query = asked.query();
    let found = match asked.filters.is_of_no_source() {
        true => Aggregation::of_nobody(&query),
        false => aggregate(snapshot, &query)?,
    };
    let reply = json(&Answer::of(&found, &query, &asked))?;
    Ok(Reply { plan: Some(found.plan), ..reply })
}

impl Params {
    fn query(&self) -> Query {
        let measures = match &self.measures[..] {
            [] => MEASURES_DEFAULT.to_vec(),
            asked => asked.to_vec(),
        };
        Query {
            filters: self.filters.filters(),
            group_by: distinct(&self.group_by),
            measures,
            order: self.sort,
            paging: paging(self.page, self.size),
        }
    }
}

view! {
    /// Groups of the nonprofits that satisfy the filters.
    #[schemars(rename = "Aggregate")]
    struct Answer<'a> of |found: &'a Aggregation, query: &Query, asked: &Params| {
        /// Number of nonprofits that satisfy the filters. Each of them is in exactly one group.
        counted: u64 = found.counted,
        /// Number of nonprofits that are left out only because what a filter asks about is not known of them.
        left_out: u64 = found.left_out,
        /// Of those counted, number of nonprofits whose issue area columns other than the NTEE code imply, as none is filed;
        /// null unless they are grouped by `issue_area`.
        derived: Option<u64> = found.derived,
        /// Number of groups on all pages together.
        total_groups: u64 = found.groups.total,
        /// Groups of this page, sorted; empty where no nonprofit satisfies the filters.
        groups: Vec<GroupShown<'a>> =
            found.groups.rows.iter().map(|row| GroupShown::of(row, &query.group_by)).collect(),
        /// What they are grouped by, in the order of the request; empty where all are one group.
        group_by: Vec<&'static str> =
            query.group_by.iter().map(|dimension| dimension.name()).collect(),
        /// The measures, with the sources of their values.
        measures: Vec<MeasureShown> =
            found.measures.iter().map(|figure| MeasureShown::of(*figure)).collect(),
        /// What groups are sorted by, `-` in front for descending.
        sort: String = query.order.name(),
        /// Why there is nothing, or less than was asked for: which states or values are not loaded; null where
        /// nothing is missing.
        message: Option<String> = found.message(),
        /// Number of this page, from 1, as requested.
        page: i64 = asked.page,
        /// Most groups that a page has, as requested.
        size: i64 = asked.size,
    }
}
