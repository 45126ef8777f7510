//! `GET /feed/posts`: what nonprofits publish, newest first. No source of posts is read yet, so
//! every page is truly empty.

use super::declared::{CITY, COUNTY, NTEE_CODES, PAGE, STATE, ZIP_CODE, size};
use super::endpoint::{Context, Cost, Endpoint, Page, Reply, json};
use super::kind::{Choice, EinDigits, Text, Whole};
use super::parameter::{
    Defaulted, Many, Optional, Parameter, defaulted, many, optional, parameters,
};
use super::refusal::Refusal;
use crate::record::{Ein, State, Zip5};

/// What a post is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Classification {
    Article,
    Video,
    Event,
    Podcast,
    JobPosting,
    VolunteerOpportunity,
}

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

const SEARCH: Parameter<Text, Optional> =
    optional("search", Text::at_most(256), "Words of the title or the content.");

const VIEW: Parameter<Choice<View>, Defaulted<View>> = defaulted(
    "view",
    Choice(&[("latest", View::Latest), ("following", View::Following)]),
    View::Latest,
    "`latest` for all posts, `following` for those of `eins`.",
);

const SIZE: Parameter<Whole, Defaulted<i64>> = size(10);

const FOLLOWED: Parameter<EinDigits, Many> =
    many("eins", EinDigits, "With `view=following`: the EINs followed.");

parameters! {
    /// What the feed takes.
    Asked {
        _classification: Option<Classification> = CLASSIFICATION,
        _search: Option<String> = SEARCH,
        _view: View = VIEW,
        _city: Option<String> = CITY,
        _county: Option<String> = COUNTY,
        _state: Option<State> = STATE,
        _zip_code: Option<Zip5> = ZIP_CODE,
        _ntee_codes: Vec<String> = NTEE_CODES,
        page: i64 = PAGE,
        size: i64 = SIZE,
        _eins: Vec<Ein> = FOLLOWED,
    }
}

/// The endpoint.
pub(super) static POSTS: Endpoint = Endpoint {
    path: "/feed/posts",
    tag: "Feed",
    summary: "Posts published by nonprofits, newest first",
    schema: "PostPage",
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    context.source()?;
    json(&Page::empty(asked.page, asked.size))
}
