//! `GET /impact/metrics` and `/impact/metrics/{ein}`: figures that nonprofits report.

use serde::Serialize;

use super::declared::{EIN, EINS, PAGE, size};
use super::endpoint::{Context, Cost, Endpoint, Page, Reply, json, paging};
use super::kind::{Text, Whole};
use super::parameter::{Defaulted, Many, Optional, Parameter, many, optional, parameters};
use super::refusal::Refusal;
use crate::record::{Ein, Metric, Moment};
use crate::search::metrics::Query;

const METRIC_IDS: Parameter<Text, Many> = many("metric_ids", Text::ANY, "Only these metrics.");

const METRIC_TYPE: Parameter<Text, Optional> = optional(
    "metric_type",
    Text::ANY,
    "Only metrics of this type: the whole type or whole words of it, in any case.",
);

const SIZE: Parameter<Whole, Defaulted<i64>> = size(20);

mod of_one {
    use super::*;

    parameters! {
        /// What the metrics of one nonprofit take.
        Asked {
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
    schema: "MetricPage",
    cost: Cost::Micro,
    parameters: of_one::Asked::DECLARED,
    answer: answer_of_one,
};

fn answer_of_one(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = of_one::Asked::read(&context.input)?;
    let (eins, paging) = (vec![asked.ein], paging(asked.page, asked.size));
    list(context, &Query { eins, metric_ids: Vec::new(), metric_type: None, paging })
}

parameters! {
    /// What browsing metrics takes.
    Asked {
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
    schema: "MetricPage",
    // Every metric is looked at.
    cost: Cost::Heavy,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let Asked { eins, metric_ids, metric_type, page, size } = Asked::read(&context.input)?;
    let metric_type = metric_type.filter(|asked| !asked.is_empty());
    list(context, &Query { eins, metric_ids, metric_type, paging: paging(page, size) })
}

fn list(context: &Context<'_>, query: &Query) -> Result<Reply, Refusal> {
    let found = context.source()?.metrics(query)?;
    json(&Page::of(found, query.paging, Shown::of))
}

/// A metric as answers show it.
#[derive(Debug, Serialize)]
struct Shown {
    metric_id: String,
    ein: Ein,
    metric_text: Option<String>,
    metric_type: Option<String>,
    metric_value: Option<f64>,
    unit: Option<String>,
    geo_impact: Option<String>,
    time_aggregation: Option<String>,
    time_aggregation_text: Option<String>,
    source_snippet: Option<String>,
    url: Option<String>,
    report_year: Option<i32>,
    date_added: Option<String>,
}

impl Shown {
    fn of(metric: Metric) -> Self {
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
            date_added: metric.date_added.as_ref().map(Moment::to_string),
        }
    }
}
