//! `GET /impact/stories` and `/impact/stories/{ein}`: how nonprofits changed something.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{EIN, EINS, MIN_POWER_SCORE, PAGE, size};
use super::endpoint::{Body, Context, Cost, Endpoint, Page, Reply, Reuse, Rows, json, paging};
use super::input::Input;
use super::parameter::{Defaulted, Optional, Parameter, optional, parameters};
use super::parameter_type::{Integer, Text};
use super::validation_error::ValidationErrors;
use crate::record::{Ein, StoryMetric, Timestamp};
use crate::search::stories::{FeedStory, Query, search};

const Q: Parameter<Text, Optional> =
    optional("q", Text::ANY, "What the stories should be about, in plain words.");

const SIZE: Parameter<Integer, Defaulted<i64>> = size(20);

mod of_one {
    use super::*;

    parameters! {
        /// What the stories of one nonprofit take.
        Params {
            ein: Ein = EIN,
            min_power_score: Option<f64> = MIN_POWER_SCORE,
            page: i64 = PAGE,
            size: i64 = SIZE,
        }
    }
}

/// The endpoint over one nonprofit's stories.
pub(super) static STORIES_OF: Endpoint = Endpoint {
    path: "/impact/stories/{ein}",
    tag: "Impact",
    summary: "Impact stories of one nonprofit",
    body: Body::Json(SchemaGenerator::subschema_for::<Page<StoryRow>>),
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
    /// What browsing stories takes.
    Params {
        q: Option<String> = Q,
        eins: Vec<Ein> = EINS,
        min_power_score: Option<f64> = MIN_POWER_SCORE,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over all stories.
pub(super) static STORIES: Endpoint = Endpoint {
    path: "/impact/stories",
    tag: "Impact",
    summary: "Impact stories across nonprofits",
    body: Body::Json(SchemaGenerator::subschema_for::<Page<StoryRow>>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // A text is embedded and compared.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    list(context, &Params::read(&context.input)?.query())
}

pub(super) fn query_of_one(input: &Input<'_>) -> Result<Query, ValidationErrors> {
    let of_one::Params { ein, min_power_score, page, size } = of_one::Params::read(input)?;
    Ok(Query { eins: vec![ein], min_power_score, about: None, paging: paging(page, size) })
}

impl Params {
    pub(super) fn query(self) -> Query {
        let Self { q: about, eins, min_power_score, page, size } = self;
        Query { eins, min_power_score, about, paging: paging(page, size) }
    }
}

fn list(context: &Context<'_>, query: &Query) -> Result<Reply, ApiError> {
    let found = search(context.snapshot()?, query)?;
    json(&Page::of(found, query.paging, StoryRow::of))
}

/// A story of how a nonprofit changed something.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Story")]
pub(super) struct StoryRow {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    ein: Ein,
    /// Legal name of the nonprofit in title case.
    organization_name: String,
    /// Title of the story.
    story_title: String,
    /// Identifier of the story.
    story_id: String,
    /// A sentence that draws the reader in, from the curated record; null where it is not given.
    emotional_hook: Option<String>,
    /// Words of somebody in the story, from the curated record; null where it is not given.
    full_quote: Option<String>,
    /// Whose words they are, from the curated record; null where it is not given.
    quote_attribution: Option<String>,
    /// The subject of the story, from the curated record; null where it is not given.
    protagonist: Option<String>,
    /// How it was before, from the curated record; null where it is not given.
    before_state: Option<String>,
    /// What changed it, from the curated record; null where it is not given.
    transformation_moment: Option<String>,
    /// How it was afterwards, from the curated record; null where it is not given.
    after_state: Option<String>,
    /// How long the change took, in words, from the curated record; null where it is not given.
    time_to_impact: Option<String>,
    /// What stood in the way, from the curated record; empty where nothing is given.
    obstacles_overcome: Vec<String>,
    /// Figures within the story; empty where there are none.
    metrics: Vec<StoryMetric>,
    /// What followed for others, from the curated record; null where it is not given.
    ripple_effect: Option<String>,
    /// What the reader is asked to do, from the curated record; null where it is not given.
    call_to_action: Option<String>,
    /// Category of the story, from the curated record; null where it is not given.
    story_category: Option<String>,
    /// The readers that the story is meant to resonate with, from the curated record; null where it
    /// is not given.
    identity_alignment: Option<String>,
    /// When the story was taken from its source, an RFC 3339 time in UTC or a date, from the
    /// curated record; null where it is not given.
    date_extracted: Option<String>,
    /// Address of the source of the story, from the curated record; null where it is not given.
    source_url: Option<String>,
    /// Year that the story is about, from the curated record; null where it is not given.
    report_year: Option<i32>,
    /// How strong the story is, 0 to 10, from the curated record; null where it is not given.
    power_score: Option<f64>,
    /// How certain the record is, in the unit of whoever made it, from the curated record; null
    /// where it is not given.
    confidence_score: Option<f64>,
}

impl StoryRow {
    pub(super) fn of(FeedStory { story, organization_name }: FeedStory) -> Self {
        Self {
            ein: story.ein,
            organization_name,
            story_title: story.story_title,
            story_id: story.story_id,
            emotional_hook: story.emotional_hook,
            full_quote: story.full_quote,
            quote_attribution: story.quote_attribution,
            protagonist: story.protagonist,
            before_state: story.before_state,
            transformation_moment: story.transformation_moment,
            after_state: story.after_state,
            time_to_impact: story.time_to_impact,
            obstacles_overcome: story.obstacles_overcome,
            metrics: story.metrics,
            ripple_effect: story.ripple_effect,
            call_to_action: story.call_to_action,
            story_category: story.story_category,
            identity_alignment: story.identity_alignment,
            date_extracted: story.date_extracted.as_ref().map(Timestamp::to_string),
            source_url: story.source_url,
            report_year: story.report_year,
            power_score: story.power_score,
            confidence_score: story.confidence_score,
        }
    }
}
