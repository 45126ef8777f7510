//! `GET /impact/stories` and `/impact/stories/{ein}`. No source of stories is read yet, so every
//! page is truly empty.

use hyper::body::Bytes;

use super::declared::{EIN, EINS, MIN_POWER_SCORE, PAGE, size};
use super::endpoint::{Context, Cost, Endpoint, Page, json};
use super::kind::{Text, Whole};
use super::parameter::{Defaulted, Documented, Optional, Parameter, optional, parameters};
use super::refusal::Refusal;
use crate::record::Ein;

const Q: Parameter<Text, Optional> =
    optional("q", Text::ANY, "What the stories should be about, in plain words.");

const SIZE: Parameter<Whole, Defaulted<i64>> = size(20);

/// The endpoint over one nonprofit's stories.
pub(super) struct StoriesOf;

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

impl Endpoint for StoriesOf {
    fn path(&self) -> &'static str {
        "/impact/stories/{ein}"
    }

    fn tag(&self) -> &'static str {
        "Impact"
    }

    fn summary(&self) -> &'static str {
        "Impact stories of one nonprofit"
    }

    fn schema(&self) -> &'static str {
        "StoryPage"
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

/// The endpoint over all stories.
pub(super) struct Stories;

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

impl Endpoint for Stories {
    fn path(&self) -> &'static str {
        "/impact/stories"
    }

    fn tag(&self) -> &'static str {
        "Impact"
    }

    fn summary(&self) -> &'static str {
        "Impact stories across nonprofits"
    }

    fn schema(&self) -> &'static str {
        "StoryPage"
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
