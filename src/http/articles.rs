//! `GET /articles/search`: articles by words, kind and day.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;

use super::api_error::ApiError;
use super::declared::{PAGE, flag, size};
use super::endpoint::{Body, Context, Cost, Endpoint, Page, Reply, Reuse, Rows, json, paging};
use super::parameter::{Defaulted, Optional, Parameter, optional, parameters};
use super::parameter_type::{Day, Flag, Integer, Text};
use crate::record::{self, Date, Timestamp};
use crate::search::articles::{Query, search};
use crate::search::listing::ListPage;

const Q: Parameter<Text, Optional> =
    optional("q", Text::at_most(256), "What the articles should be about, in plain words.");

const POST_TYPE: Parameter<Text, Optional> = optional(
    "post_type",
    Text::at_most(100),
    "Only articles of this type. No loaded source gives types, so every type leaves out all articles.",
);

const DATE_ADDED: Parameter<Day, Optional> =
    optional("date_added", Day, "Only articles added on this day or later.");

const GC_ORIGINAL: Parameter<Flag, Optional> =
    flag("gc_original", "Only the operator's own articles, or none of them.");

const SIZE: Parameter<Integer, Defaulted<i64>> = size(10);

parameters! {
    /// What the search takes.
    Params {
        q: Option<String> = Q,
        post_type: Option<String> = POST_TYPE,
        date_added: Option<Date> = DATE_ADDED,
        gc_original: Option<bool> = GC_ORIGINAL,
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint.
pub(super) static SEARCH: Endpoint = Endpoint {
    path: "/articles/search",
    tag: "Insights",
    summary: "Articles by words, kind and day",
    body: Body::Json(SchemaGenerator::subschema_for::<Page<Article<'_>>>),
    rows: Rows::In("items"),
    reuse: Reuse::UntilSwap,
    not_found: None,
    // A text is embedded and compared.
    cost: Cost::Heavy,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let (snapshot, is_of_type) = (context.snapshot()?, asked.post_type.is_some());
    let query = asked.query();
    let paging = query.paging;
    let ListPage { total, rows } = match is_of_type {
        true => ListPage { total: 0, rows: Vec::new() },
        false => search(snapshot, &query)?,
    };
    let rows = rows.iter().collect();
    json(&Page::of(ListPage { total, rows }, paging, Article::of))
}

impl Params {
    /// The question, whatever the type: no article is of any.
    pub(super) fn query(self) -> Query {
        Query {
            about: self.q,
            added_from: self.date_added,
            is_original: self.gc_original,
            paging: paging(self.page, self.size),
        }
    }
}

/// An article.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct Article<'a> {
    /// Number of the article, from the operator.
    id: i64,
    /// Title, from the operator.
    title: &'a str,
    /// A few sentences of it, from the operator; null where it is not given.
    excerpt: Option<&'a str>,
    /// Address where it can be read, from the operator; null where it is not given.
    url: Option<&'a str>,
    /// Who published it, from the operator; null where it is not given.
    publisher: Option<&'a str>,
    /// Whether it is the operator's own, from the operator; null where it is not given.
    is_gc_original: Option<bool>,
    /// When it was added, an RFC 3339 time in UTC or a date, from the operator; null where it is
    /// not given.
    date_added: Option<String>,
    /// When it was last changed, an RFC 3339 time in UTC or a date, from the operator; null where
    /// it is not given.
    date_modified: Option<String>,
    /// Whether it stays of interest, from the operator; null where it is not given.
    evergreen: Option<bool>,
}

impl<'a> Article<'a> {
    pub(super) fn of(article: &'a record::Article) -> Self {
        let moment = |moment: &Option<Timestamp>| moment.as_ref().map(Timestamp::to_string);
        Self {
            id: article.id,
            title: &article.title,
            excerpt: article.excerpt.as_deref(),
            url: article.url.as_deref(),
            publisher: article.publisher.as_deref(),
            is_gc_original: article.is_gc_original,
            date_added: moment(&article.date_added),
            date_modified: moment(&article.date_modified),
            evergreen: article.evergreen,
        }
    }
}
