//! `GET /impact/stories` and `/impact/metrics`, of all nonprofits and of one: how they changed something, and
//! figures that they report.

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{EIN, EINS, ListOfNonprofit, MIN_POWER_SCORE, PAGE, SIZE};
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Page, Reply, Rows, paging};
use crate::http::interface::parameter::{many, optional, parameters};
use crate::http::interface::parameter_type::Text;
use crate::record::{Ein, Metric};
use crate::search::{metrics, stories};
use crate::views::StoryRow;

parameters! {
    /// What the stories of one nonprofit take.
    StoriesOf {
        ein: Ein = EIN,
        min_power_score: Option<f64> = MIN_POWER_SCORE,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// One nonprofit's stories.
pub(crate) static STORIES_OF: Endpoint = Endpoint {
    tag: "Impact",
    summary: "Impact stories of one nonprofit",
    rows: Rows::In("items"),
    ..Endpoint::json::<Page<StoryRow>>("/impact/stories/{ein}", StoriesOf::DECLARED, |context| {
        stories_page(context, &StoriesOf::read(&context.input)?.query())
    })
};

impl StoriesOf {
    pub(crate) fn query(self) -> stories::Query {
        let Self { ein, min_power_score, page, size } = self;
        stories::Query { eins: vec![ein], min_power_score, about: None, paging: paging(page, size) }
    }
}

parameters! {
    /// What browsing stories takes.
    Stories {
        q: Option<String> =
            optional("q", Text::ANY, "What the stories should be about, in plain words."),
        eins: Vec<Ein> = EINS,
        min_power_score: Option<f64> = MIN_POWER_SCORE,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// All stories.
pub(crate) static STORIES: Endpoint = Endpoint {
    tag: "Impact",
    summary: "Impact stories across nonprofits",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // A text is embedded and compared.
    ..Endpoint::json::<Page<StoryRow>>("/impact/stories", Stories::DECLARED, |context| {
        stories_page(context, &Stories::read(&context.input)?.query())
    })
};

impl Stories {
    pub(crate) fn query(self) -> stories::Query {
        let Self { q: about, eins, min_power_score, page, size } = self;
        stories::Query { eins, min_power_score, about, paging: paging(page, size) }
    }
}

fn stories_page(context: &Context<'_>, query: &stories::Query) -> Result<Reply, ApiError> {
    let found = stories::search(context.snapshot()?, query)?;
    Page::of(found.map(StoryRow::of), query.paging).reply()
}

/// One nonprofit's metrics.
pub(crate) static METRICS_OF: Endpoint = Endpoint {
    tag: "Impact",
    summary: "Impact metrics of one nonprofit",
    rows: Rows::In("items"),
    ..Endpoint::json::<Page<Metric>>(
        "/impact/metrics/{ein}",
        ListOfNonprofit::DECLARED,
        |context| metrics_page(context, &metrics_of(ListOfNonprofit::read(&context.input)?)),
    )
};

/// What the metrics of one nonprofit are asked for by.
pub(crate) fn metrics_of(asked: ListOfNonprofit) -> metrics::Query {
    let ListOfNonprofit { ein, page, size } = asked;
    let paging = paging(page, size);
    metrics::Query { eins: vec![ein], metric_ids: Vec::new(), metric_type: None, paging }
}

parameters! {
    /// What browsing metrics takes.
    Metrics {
        eins: Vec<Ein> = EINS,
        metric_ids: Vec<String> = many("metric_ids", Text::ANY, "Only these metrics."),
        metric_type: Option<String> = optional(
            "metric_type",
            Text::ANY,
            "Only metrics of this type: the whole type or whole words of it, in any case.",
        ),
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// All metrics.
pub(crate) static METRICS: Endpoint = Endpoint {
    tag: "Impact",
    summary: "Impact metrics across nonprofits",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // Every metric is looked at.
    ..Endpoint::json::<Page<Metric>>("/impact/metrics", Metrics::DECLARED, |context| {
        metrics_page(context, &Metrics::read(&context.input)?.query())
    })
};

impl Metrics {
    pub(crate) fn query(self) -> metrics::Query {
        let Self { eins, metric_ids, metric_type, page, size } = self;
        let metric_type = metric_type.filter(|asked| !asked.is_empty());
        metrics::Query { eins, metric_ids, metric_type, paging: paging(page, size) }
    }
}

fn metrics_page(context: &Context<'_>, query: &metrics::Query) -> Result<Reply, ApiError> {
    Page::of(metrics::search(context.snapshot()?, query)?, query.paging).reply()
}
