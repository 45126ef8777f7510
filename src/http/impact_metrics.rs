//! `GET /impact/metrics` and `/impact/metrics/{ein}`: figures that nonprofits report.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{EIN, EINS, PAGE, size};
use super::endpoint::{Body, Context, Cost, Endpoint, Page, Reply, Reuse, Rows, json, paging};
use super::input::Input;
use super::parameter::{Defaulted, Many, Optional, Parameter, many, optional, parameters};
use super::parameter_type::{Integer, Text};
use super::validation_error::ValidationErrors;
use crate::record::{Ein, Metric, Timestamp};
use crate::search::metrics::{Query, search};

const METRIC_IDS: Parameter<Text, Many> = many("metric_ids", Text::ANY, "Only these metrics.");

const METRIC_TYPE: Parameter<Text, Optional> = optional(
    "metric_type",
    Text::ANY,
    "Only metrics of this type: the whole type or whole words of it, in any case.",
);

const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

mod of_one {
    use super::*;

    parameters! {
        /// What the metrics of one nonprofit take.
        Params {
            ein: Ein = EIN,
            page: i64 = PAGE,
            size: i64 = SIZE,
        }
    }
}

/// The endpoint over one nonprofit's metrics.
pub(super) static METRICS_OF: Endpoint = Endpoint {
    path: "/impact/metrics/{ein}",
    tag: "Impact",
    summary: "Impact metrics of one nonprofit",
    body: Body::Json(SchemaGenerator::subschema_for::<Page<MetricRow>>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    cost: Cost::Micro,
    parameters: of_one::Params::DECLARED,
    answer: answer_of_one,
};

fn answer_of_one(context: &Context<'_>) -> Result<Reply, ApiError> {
    list(context, &query_of_one(&context.input)?)
}

parameters! {
    /// What browsing metrics takes.
    Params {
        eins: Vec<Ein> = EINS,
        metric_ids: Vec<String> = METRIC_IDS,
        metric_type: Option<String> = METRIC_TYPE,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over all metrics.
pub(super) static METRICS: Endpoint = Endpoint {
    path: "/impact/metrics",
    tag: "Impact",
    summary: "Impact metrics across nonprofits",
    body: Body::Json(SchemaGenerator::subschema_for::<Page<MetricRow>>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // Every metric is looked at.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    list(context, &Params::read(&context.input)?.query())
}

pub(super) fn query_of_one(input: &Input<'_>) -> Result<Query, ValidationErrors> {
    let of_one::Params { ein, page, size } = of_one::Params::read(input)?;
    let paging = paging(page, size);
    Ok(Query { eins: vec![ein], metric_ids: Vec::new(), metric_type: None, paging })
}

impl Params {
    pub(super) fn query(self) -> Query {
        let Self { eins, metric_ids, metric_type, page, size } = self;
        let metric_type = metric_type.filter(|asked| !asked.is_empty());
        Query { eins, metric_ids, metric_type, paging: paging(page, size) }
    }
}

fn list(context: &Context<'_>, query: &Query) -> Result<Reply, ApiError> {
    let found = search(context.snapshot()?, query)?;
    json(&Page::of(found, query.paging, MetricRow::of))
}

/// A figure that a nonprofit reports.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Metric")]
pub(super) struct MetricRow {
    /// Identifier of the figure; it stays the same as long as its source does.
    metric_id: String,
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// What was counted, in the words of the source, such as `served 1,245 students`; null where
    /// it is not given.
    metric_text: Option<String>,
    /// Kind of thing counted, such as `volunteer hours`; null where it is not given.
    metric_type: Option<String>,
    /// The number, in `unit`; null where it is not given.
    metric_value: Option<f64>,
    /// What `metric_value` is counted in, such as `pounds`; null where it is not given.
    unit: Option<String>,
    /// Place that the figure is about; null where the source names none.
    geo_impact: Option<String>,
    /// Time over which the figure adds up, such as `annual` or `cumulative`; null where it is not
    /// given.
    time_aggregation: Option<String>,
    /// That time in the words of the source, such as `since 1992`; null where it is not given.
    time_aggregation_text: Option<String>,
    /// The sentence that states the figure; null where it is not given.
    source_snippet: Option<String>,
    /// Address where it can be read; null where it is not known.
    url: Option<String>,
    /// Year that the figure is about; null where it is not known.
    report_year: Option<i32>,
    /// When it was reported, an RFC 3339 time in UTC or a date; null where it is not known.
    date_added: Option<String>,
}

impl MetricRow {
    pub(super) fn of(metric: Metric) -> Self {
        Self {
            metric_id: metric.metric_id,
            ein: metric.ein,
            metric_text: metric.metric_text,
            metric_type: metric.metric_type,
            metric_value: metric.metric_value,
            unit: metric.unit,
            geo_impact: metric.geo_impact,
            time_aggregation: metric.time_aggregation,
            time_aggregation_text: metric.time_aggregation_text,
            source_snippet: metric.source_snippet,
            url: metric.url,
            report_year: metric.report_year,
            date_added: metric.date_added.as_ref().map(Timestamp::to_string),
        }
    }
}
