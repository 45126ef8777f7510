//! `GET /chat/search` and `/chat`: a message of a conversation, answered by what it asks for.

mod answer;

use uuid::Uuid;

use schemars::SchemaGenerator;

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{SESSION, STATE, flag, goals};
use crate::http::interface::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, json};
use crate::http::interface::parameter::{
    Many, Optional, Parameter, Required, check_range, optional, parameters, required,
};
use crate::http::interface::parameter_type::{self, Code, Goal, Integer, Text};
use crate::query::{Area, Figure, Flag, Range, Ranges};
use crate::record::{Sdg, State, Zip5};
use crate::search::chat::{self, MESSAGE_CHARACTERS_MAX, Question};
use crate::understand::{Frame, NamedPlace};
use answer::Answer;

const Q: Parameter<Text, Required> =
    required("q", Text::between(1, MESSAGE_CHARACTERS_MAX), "The message, in plain words.");

const CITY: Parameter<Text, Optional> =
    optional("city", Text::between(2, 256), "City of the nonprofit, in any case.");

const ZIP: Parameter<Code<Zip5>, Optional> =
    optional("zip", Code::matching(r"^\d{5}$"), "ZIP code of the nonprofit.");

const MIN_TOTAL_REVENUE: Parameter<Integer, Optional> = optional(
    "min_total_revenue",
    Integer::at_least(0),
    "Only nonprofits with at least this revenue, in whole dollars.",
);

const MAX_TOTAL_REVENUE: Parameter<Integer, Optional> = optional(
    "max_total_revenue",
    Integer::at_least(0),
    "Only nonprofits with at most this revenue, in whole dollars; not below `min_total_revenue`.",
);

const GC_VETTED: Parameter<parameter_type::Flag, Optional> =
    flag("gc_vetted", "Only (or only not) nonprofits that the service's operator vetted.");

const SDG: Parameter<Goal, Many> = goals("sdg");

parameters! {
    /// What the chat takes.
    Params {
        q: String = Q,
        city: Option<String> = CITY,
        state: Option<State> = STATE,
        zip: Option<Zip5> = ZIP,
        min_total_revenue: Option<i64> = MIN_TOTAL_REVENUE,
        max_total_revenue: Option<i64> = MAX_TOTAL_REVENUE,
        gc_vetted: Option<bool> = GC_VETTED,
        sdg: Vec<Sdg> = SDG,
        session: Option<Uuid> = SESSION,
    }
    joined |input, errors| {
        let low = (&MIN_TOTAL_REVENUE, &min_total_revenue);
        check_range(input, low, (&MAX_TOTAL_REVENUE, &max_total_revenue), errors);
    }
}

/// What answers a message: nonprofits, articles, funds, an explanation.
pub(super) static CHAT_SEARCH: Endpoint =
    chat("/chat/search", "Search by a question in plain words");

/// The same under its other name.
pub(super) static CHAT: Endpoint = chat("/chat", "Answer a message");

const fn chat(path: &'static str, summary: &'static str) -> Endpoint {
    Endpoint {
        path,
        tag: "Insights",
        summary,
        body: Body::Json(SchemaGenerator::subschema_for::<Answer<'_>>),
        rows: Rows::None,
        reuse: Reuse::UntilSwap,
        not_found: None,
        // Filters and ranks every nonprofit.
        cost: Cost::Heavy,
        parameters: Params::DECLARED,
        answer,
    }
}

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let (earlier, session) = context.earlier(asked.session);
    let question = Question {
        message: &asked.q,
        explicit: &asked.explicit(),
        earlier: earlier.as_ref(),
        language_model: context.language_model,
    };
    let found = chat::answer(snapshot, &question)?;
    let reply = json(&Answer::of(&asked.q, &found, session))?;
    context.remember(asked.session, &found.next);
    Ok(Reply { plan: found.plan, ..reply })
}

impl Params {
    /// What the explicit parameters ask of nonprofits.
    fn explicit(&self) -> Frame {
        let area =
            Area { state: self.state, city: self.city.clone(), zip: self.zip, ..Area::default() };
        let dollars = |amount: Option<i64>| amount.map(|amount| amount as f64);
        Frame {
            places: NamedPlace::of(area).into_iter().collect(),
            ranges: Ranges::of(
                Figure::Revenue,
                Range {
                    min: dollars(self.min_total_revenue),
                    max: dollars(self.max_total_revenue),
                },
            ),
            flags: [(Flag::Vetted, self.gc_vetted)].into_iter().collect(),
            sdgs: self.sdg.iter().copied().collect(),
            ..Frame::default()
        }
    }
}
