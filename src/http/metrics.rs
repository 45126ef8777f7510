//! `GET /impact/metrics` and `/impact/metrics/{ein}`: figures that nonprofits report. No source of
//! them is read yet, so every page is truly empty.

use hyper::body::Bytes;

use super::declared::{EIN, EINS, PAGE, size};
use super::endpoint::{Context, Cost, Endpoint, Page, json};
use super::kind::{Text, Whole};
use super::parameter::{
    Defaulted, Documented, Many, Optional, Parameter, many, optional, parameters,
};
use super::refusal::Refusal;
use crate::record::Ein;

const METRIC_IDS: Parameter<Text, Many> =
    many("metric_ids", Text::ANY, "Only these metrics; repeated or separated by commas.");

const METRIC_TYPE: Parameter<Text, Optional> = optional(
    "metric_type",
    Text::ANY,
    "Only metrics of this type: the whole type or whole words of it, in any case.",
);

const SIZE: Parameter<Whole, Defaulted<i64>> = size(20);

/// The endpoint over one nonprofit's metrics.
pub(super) struct MetricsOf;

mod of_one {
    use super::*;

    parameters! {
        /// What the metrics of one nonprofit take.
        Asked {
            _ein: Ein = EIN,
            page: i64 = PAGE,
            size: i64 = SIZE,
        }
    }
}

impl Endpoint for MetricsOf {
    fn path(&self) -> &'static str {
        "/impact/metrics/{ein}"
    }

    fn tag(&self) -> &'static str {
        "Impact"
    }

    fn summary(&self) -> &'static str {
        "Impact metrics of one nonprofit"
    }

    fn schema(&self) -> &'static str {
        "MetricPage"
    }

    fn cost(&self) -> Cost {
        Cost::Micro
    }

    fn parameters(&self) -> &'static [&'static dyn Documented] {
        of_one::Asked::DECLARED
    }

    fn answer(&self, context: &Context<'_>) -> Result<Bytes, Refusal> {
        let asked = of_one::Asked::read(&context.input)?;
        context.source()?;
        json(&Page::empty(asked.page, asked.size))
    }
}

/// The endpoint over all metrics.
pub(super) struct Metrics;

parameters! {
    /// What browsing metrics takes.
    Asked {
        _eins: Vec<Ein> = EINS,
        _metric_ids: Vec<String> = METRIC_IDS,
        _metric_type: Option<String> = METRIC_TYPE,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

impl Endpoint for Metrics {
    fn path(&self) -> &'static str {
        "/impact/metrics"
    }

    fn tag(&self) -> &'static str {
        "Impact"
    }

    fn summary(&self) -> &'static str {
        "Impact metrics across nonprofits"
    }

    fn schema(&self) -> &'static str {
        "MetricPage"
    }

    fn cost(&self) -> Cost {
        Cost::Micro
    }

    fn parameters(&self) -> &'static [&'static dyn Documented] {
        Asked::DECLARED
    }

    fn answer(&self, context: &Context<'_>) -> Result<Bytes, Refusal> {
        let asked = Asked::read(&context.input)?;
        context.source()?;
        json(&Page::empty(asked.page, asked.size))
    }
}
