//! `GET /impact/metrics` and `/impact/metrics/{ein}`: figures that nonprofits report. No source of
//! them is read yet, so every page is truly empty.

use super::declared::{EIN, EINS, PAGE, size};
use super::endpoint::{Context, Cost, Endpoint, Page, Reply, json};
use super::kind::{Text, Whole};
use super::parameter::{Defaulted, Many, Optional, Parameter, many, optional, parameters};
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
    context.source()?;
    json(&Page::empty(asked.page, asked.size))
}

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

/// The endpoint over all metrics.
pub(super) static METRICS: Endpoint = Endpoint {
    path: "/impact/metrics",
    tag: "Impact",
    summary: "Impact metrics across nonprofits",
    schema: "MetricPage",
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    context.source()?;
    json(&Page::empty(asked.page, asked.size))
}
