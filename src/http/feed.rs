//! `GET /feed/posts`: what nonprofits publish, newest first.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{CITY, COUNTY, NTEE_CODES, PAGE, STATE, ZIP_CODE, size};
use super::endpoint::{Body, Context, Cost, Endpoint, Page, Reply, Reuse, Rows, json, paging};
use super::parameter::{
    Defaulted, Many, Optional, Parameter, defaulted, many, optional, parameters,
};
use super::parameter_type::{Choice, EinDigits, Integer, Text};
use crate::query::{Area, Filters};
use crate::record::{Classification, Ein, State, Timestamp, Zip5};
use crate::search::feed::{FeedPost, Query, search};

/// Whose posts are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// Everybody's.
    Latest,
    /// Those of the EINs listed.
    Following,
}

const CLASSIFICATION: Parameter<Choice<Classification>, Optional> = optional(
    "classification",
    Choice(&[
        ("article", Classification::Article),
        ("video", Classification::Video),
        ("event", Classification::Event),
        ("podcast", Classification::Podcast),
        ("job_posting", Classification::JobPosting),
        ("volunteer_opportunity", Classification::VolunteerOpportunity),
    ]),
    "Only posts of this kind.",
);

const SEARCH: Parameter<Text, Optional> = optional(
    "search",
    Text::at_most(256),
    "Words that all stand in the title, the description or the content.",
);

const VIEW: Parameter<Choice<View>, Defaulted<View>> = defaulted(
    "view",
    Choice(&[("latest", View::Latest), ("following", View::Following)]),
    View::Latest,
    "`latest` for all posts, `following` for those of `eins`.",
);

const SIZE: Parameter<Integer, Defaulted<i64>> = size(10);

const FOLLOWED: Parameter<EinDigits, Many> =
    many("eins", EinDigits, "With `view=following`: the EINs followed.");

parameters! {
    /// What the feed takes.
    Params {
        classification: Option<Classification> = CLASSIFICATION,
        search: Option<String> = SEARCH,
        view: View = VIEW,
        city: Option<String> = CITY,
        county: Option<String> = COUNTY,
        state: Option<State> = STATE,
        zip_code: Option<Zip5> = ZIP_CODE,
        ntee_codes: Vec<String> = NTEE_CODES,
        page: i64 = PAGE,
        size: i64 = SIZE,
        eins: Vec<Ein> = FOLLOWED,
    }
}

/// The endpoint.
pub(super) static POSTS: Endpoint = Endpoint {
    path: "/feed/posts",
    tag: "Feed",
    summary: "Posts published by nonprofits, newest first",
    body: Body::Json(SchemaGenerator::subschema_for::<Page<PostRow>>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // Filters look at every organization, and the bitmap at every post.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let query = Params::read(&context.input)?.query();
    let found = search(context.snapshot()?, &query)?;
    json(&Page::of(found, query.paging, PostRow::of))
}

impl Params {
    pub(super) fn query(self) -> Query {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let area = Area {
            state: self.state,
            county: self.county,
            city: self.city,
            zip: self.zip_code,
            near: None,
        };
        Query {
            classification: self.classification,
            words: given(self.search),
            followed: match self.view {
                View::Latest => None,
                View::Following => Some(self.eins),
            },
            filters: Filters {
                areas: if area.is_whole() { Vec::new() } else { vec![area] },
                ntee_prefixes: self.ntee_codes,
                ..Filters::default()
            },
            paging: paging(self.page, self.size),
        }
    }
}

/// A post that a nonprofit published, as plain text without markup.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Post")]
pub(super) struct PostRow {
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    organization_ein: Ein,
    /// Title of the post.
    post_title: String,
    /// Legal name of the nonprofit in title case.
    organization_name: String,
    /// City of the nonprofit in title case; null where it is not known.
    organization_city: Option<String>,
    /// USPS code of the state or territory of the nonprofit; null abroad and where it is not
    /// known.
    organization_state: Option<State>,
    /// Identifier of the post.
    post_id: String,
    /// Kind of post: as the source gives it, else as its words suggest; null where neither tells.
    post_classification: Option<Classification>,
    /// Short description, from the feed or the curated record; null where it is not given.
    post_description: Option<String>,
    /// Text of the post, from the feed or the curated record; null where it is not given.
    post_content: Option<String>,
    /// Address of the post, from the feed or the curated record; null where it is not given.
    post_url: Option<String>,
    /// When it was published, an RFC 3339 time in UTC or a date, from the feed or the curated
    /// record; null where it is not given.
    post_published_date: Option<String>,
    /// Author, from the feed or the curated record; null where it is not given.
    post_author: Option<String>,
    /// Categories, from the feed or the curated record; empty where none are given.
    post_categories: Vec<String>,
    /// Tags, from the feed or the curated record; empty where none are given.
    post_tags: Vec<String>,
}

impl PostRow {
    pub(super) fn of(row: FeedPost) -> Self {
        let FeedPost { post, organization_name, organization_city, organization_state } = row;
        Self {
            organization_ein: post.organization_ein,
            post_title: post.post_title,
            organization_name,
            organization_city,
            organization_state,
            post_id: post.post_id,
            post_classification: post.post_classification,
            post_description: post.post_description,
            post_content: post.post_content,
            post_url: post.post_url,
            post_published_date: post.post_published_date.as_ref().map(Timestamp::to_string),
            post_author: post.post_author,
            post_categories: post.post_categories,
            post_tags: post.post_tags,
        }
    }
}
