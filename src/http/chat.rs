//! `GET /chat/search` and `/chat`: a question in plain words. Reading such questions is not built
//! yet: a valid one gets 501.

use uuid::Uuid;

use super::declared::{SESSION, STATE, flag, goals};
use super::endpoint::{Context, Cost, Endpoint, Reply};
use super::kind::{Code, Flag, Goal, Text, Whole};
use super::parameter::{
    Many, Optional, Parameter, Required, check_range, optional, parameters, required,
};
use super::refusal::Refusal;
use crate::record::{Sdg, State, Zip5};

const Q: Parameter<Text, Required> =
    required("q", Text::between(1, 256), "The question, in plain words.");

const CITY: Parameter<Text, Optional> =
    optional("city", Text::between(2, 256), "City of the nonprofit, in any case.");

const ZIP: Parameter<Code<Zip5>, Optional> =
    optional("zip", Code::matching(r"^\d{5}$"), "ZIP code of the nonprofit.");

const MIN_TOTAL_REVENUE: Parameter<Whole, Optional> = optional(
    "min_total_revenue",
    Whole::at_least(0),
    "Only nonprofits with at least this revenue, in whole dollars.",
);

const MAX_TOTAL_REVENUE: Parameter<Whole, Optional> = optional(
    "max_total_revenue",
    Whole::at_least(0),
    "Only nonprofits with at most this revenue, in whole dollars.",
);

const GC_VETTED: Parameter<Flag, Optional> =
    flag("gc_vetted", "Only (or only not) nonprofits that the service's operator vetted.");

const SDG: Parameter<Goal, Many> = goals("sdg");

parameters! {
    /// What the chat takes.
    Asked {
        _q: String = Q,
        _city: Option<String> = CITY,
        _state: Option<State> = STATE,
        _zip: Option<Zip5> = ZIP,
        _min_total_revenue: Option<i64> = MIN_TOTAL_REVENUE,
        _max_total_revenue: Option<i64> = MAX_TOTAL_REVENUE,
        _gc_vetted: Option<bool> = GC_VETTED,
        _sdg: Vec<Sdg> = SDG,
        _session: Option<Uuid> = SESSION,
    }
    joined |input, faults| {
        let low = (&MIN_TOTAL_REVENUE, &_min_total_revenue);
        check_range(input, low, (&MAX_TOTAL_REVENUE, &_max_total_revenue), faults);
    }
}

/// Nonprofits, articles and funds that answer a question.
pub(super) static CHAT_SEARCH: Endpoint =
    chat("/chat/search", "Search by a question in plain words");

/// The same, as one message of a conversation.
pub(super) static CHAT: Endpoint = chat("/chat", "Answer a message");

const fn chat(path: &'static str, summary: &'static str) -> Endpoint {
    Endpoint {
        path,
        tag: "Insights",
        summary,
        schema: "Chat",
        cost: Cost::Micro,
        parameters: Asked::DECLARED,
        answer,
    }
}

fn answer(context: &Context<'_>) -> Result<Reply, Refusal> {
    Asked::read(&context.input)?;
    Err(Refusal::NotImplemented("questions in plain words are not answered yet"))
}
