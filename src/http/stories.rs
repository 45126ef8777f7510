//! `GET /impact/stories` and `/impact/stories/{ein}`. No source of stories is read yet, so every
//! page is truly empty.

use super::declared::{EIN, EINS, MIN_POWER_SCORE, PAGE, size};
use super::endpoint::{Context, Cost, Endpoint, Page, Reply, json};
use super::kind::{Text, Whole};
use super::parameter::{Defaulted, Optional, Parameter, optional, parameters};
use super::refusal::Refusal;
use crate::record::Ein;

const Q: Parameter<Text, Optional> =
    optional("q", Text::ANY, "What the stories should be about, in plain words.");

const SIZE: Parameter<Whole, Defaulted<i64>> = size(20);

mod of_one {
    use super::*;

    parameters! {
        /// What the stories of one nonprofit take.
        Asked {
            _ein: Ein = EIN,
            _min_power_score: Option<f64> = MIN_POWER_SCORE,
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
    schema: "StoryPage",
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
    /// What browsing stories takes.
    Asked {
        _q: Option<String> = Q,
        _eins: Vec<Ein> = EINS,
        _min_power_score: Option<f64> = MIN_POWER_SCORE,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over all stories.
pub(super) static STORIES: Endpoint = Endpoint {
    path: "/impact/stories",
    tag: "Impact",
    summary: "Impact stories across nonprofits",
    schema: "StoryPage",
    cost: Cost::Micro,
    parameters: Asked::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    let asked = Asked::read(&context.input)?;
    context.source()?;
    json(&Page::empty(asked.page, asked.size))
}
