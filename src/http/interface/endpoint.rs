//! What an endpoint is, one that takes a body among them, and what those that answer lists share.

use std::fmt;
use std::time::Instant;

use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use uuid::Uuid;

use super::api_error::ApiError;
use super::input::Input;
use super::interpretation::NEW_SESSION;
use super::page_links::PagePosition;
use super::parameter::Documented;
use super::path_key::PathKey;
use crate::language_model::LanguageModel;
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::search::listing::{ListPage, Paging};
use crate::search::plan::Plan;
use crate::snapshot::Snapshot;
use crate::understand::{Asker, Conversation, Sessions};
use crate::views::SchemaOf;

/// What answering costs, hence where it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cost {
    /// Well under a millisecond of CPU: run by the worker that read the request, since handing it
    /// to another thread and back costs more than the answer. No more of these run at once than
    /// there are workers.
    Micro,
    /// May take milliseconds: run on the bounded pool, so that cheap requests, health checks among
    /// them, do not wait behind it.
    Heavy,
}

/// What an endpoint answers from.
pub(crate) struct Context<'a> {
    pub(crate) snapshot: Option<&'a Snapshot>,
    pub(crate) input: Input<'a>,
    /// What sessions asked for before.
    pub(crate) sessions: &'a Sessions,
    /// Whose sessions these are.
    pub(crate) asker: Asker<'a>,
    /// The key that stood in the path.
    pub(crate) path_key: Option<&'a PathKey>,
    /// What helps the chat.
    pub(crate) language_model: Option<&'a LanguageModel>,
}

impl<'a> Context<'a> {
    pub(crate) fn snapshot(&self) -> Result<&'a Snapshot, ApiError> {
        self.snapshot.ok_or(ApiError::NotReady)
    }

    /// The nonprofit of an EIN.
    pub(crate) fn nonprofit(&self, ein: Ein) -> Result<Organization, ApiError> {
        details(self.snapshot()?, ein)?.ok_or(ApiError::UnknownNonprofit)
    }

    /// What a session continues from, `None` without one; and the argument `session` of the answer.
    pub(crate) fn earlier(
        &self,
        session: Option<Uuid>,
    ) -> (Option<Conversation>, Option<&'static str>) {
        let get = |id: Uuid| self.sessions.get(self.asker, id.as_u128(), Instant::now());
        let remembered = session.map(get);
        let argument = matches!(remembered, Some(None)).then_some(NEW_SESSION);
        (remembered.map(Option::unwrap_or_default), argument)
    }

    /// Keeps what the next message of a session continues from.
    pub(crate) fn remember(&self, session: Option<Uuid>, next: &Conversation) {
        if let Some(id) = session {
            self.sessions.put(self.asker, id.as_u128(), next, Instant::now());
        }
    }
}

/// One path of the interface. Every endpoint is a GET that answers JSON, a feed or a page.
pub(crate) struct Endpoint {
    /// The path; `{ein}` stands for one segment.
    pub(crate) path: &'static str,
    /// Group in the documentation.
    pub(crate) tag: &'static str,
    /// One line for the documentation.
    pub(crate) summary: &'static str,
    /// What the body of a 200 answer is.
    pub(crate) body: Body,
    /// Where the answer has the rows that `fields` and CSV are about.
    pub(crate) rows: Rows,
    /// How long a client may use an answer again.
    pub(crate) reuse: Reuse,
    /// When it answers 404, for the documentation; `None` of what never does.
    pub(crate) not_found: Option<&'static str>,
    /// What answering costs.
    pub(crate) cost: Cost,
    /// What it takes, in declaration order.
    pub(crate) parameters: &'static [&'static dyn Documented],
    /// The body of a 200 answer.
    pub(crate) answer: fn(&Context<'_>) -> Result<Reply, ApiError>,
}

impl Endpoint {
    /// An endpoint that answers JSON: cheap, without rows and never 404 unless it says otherwise.
    pub(crate) const fn json<Answer: JsonSchema>(
        path: &'static str,
        parameters: &'static [&'static dyn Documented],
        answer: fn(&Context<'_>) -> Result<Reply, ApiError>,
    ) -> Self {
        Self {
            path,
            tag: "Insights",
            summary: "",
            body: Body::Json(SchemaGenerator::subschema_for::<Answer>),
            rows: Rows::None,
            reuse: Reuse::UntilSwap,
            not_found: None,
            cost: Cost::Micro,
            parameters,
            answer,
        }
    }
}

/// What a body is, for the documentation.
pub(crate) enum Body {
    /// JSON of this schema.
    Json(SchemaOf),
    /// A feed, RFC 4287.
    Atom,
    /// A page.
    Html,
}

/// Where an answer has its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// It has several lists, or none.
    None,
    /// The answer is one row.
    Whole,
    /// In the list of this name.
    In(&'static str),
}

/// How long a client may use an answer again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reuse {
    /// As long as the snapshot is served that gave it.
    UntilSwap,
    /// It names the moment of the request.
    Never,
}

/// One path that takes a body: POST with JSON in, JSON out. Answering takes milliseconds: it runs on the bounded pool.
pub(crate) struct Submission {
    pub(crate) path: &'static str,
    /// Group in the documentation.
    pub(crate) tag: &'static str,
    /// One line for the documentation.
    pub(crate) summary: &'static str,
    /// What the body of the request is.
    pub(crate) request: SchemaOf,
    /// What the body of a 200 answer is.
    pub(crate) body: SchemaOf,
    /// The body of a 200 answer, from the bytes of the request's.
    pub(crate) answer: fn(Option<&Snapshot>, &[u8]) -> Result<Reply, ApiError>,
}

impl fmt::Debug for Submission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)
    }
}

/// When an endpoint on one nonprofit answers 404.
pub(crate) const UNKNOWN_EIN: &str = "No nonprofit has this EIN.";

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)
    }
}

/// A 200 answer of an endpoint.
#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) body: Bytes,
    pub(crate) media: Media,
    /// How the rows were found, for `x-almoner-plan` and the log, where there was a choice.
    pub(crate) plan: Option<Plan>,
    /// Which page of a list it is.
    pub(crate) position: Option<PagePosition>,
    /// Further headers of the answer.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Media {
    Json,
    /// RFC 4287.
    Atom,
    Html,
    /// RFC 4180, with a header.
    Csv,
    /// JSONP.
    Script,
}

pub(crate) fn json(answer: &impl Serialize) -> Result<Reply, ApiError> {
    let body = serde_json::to_vec(answer).map_err(ApiError::Unwritable)?.into();
    Ok(Reply { body, media: Media::Json, plan: None, position: None, headers: Vec::new() })
}

pub(crate) fn atom(feed: String) -> Reply {
    Reply { body: feed.into(), media: Media::Atom, plan: None, position: None, headers: Vec::new() }
}

/// One page of a list.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "{T}Page")]
pub(crate) struct Page<T> {
    /// The rows of this page, in the order of the list; empty past the last page.
    pub(crate) items: Vec<T>,
    /// Number of rows on all pages together.
    pub(crate) total: u64,
    /// Number of this page, from 1, as requested.
    pub(crate) page: i64,
    /// Most rows that a page has, as requested.
    pub(crate) size: i64,
}

impl Reply {
    /// The same as a page of a list of `total` rows; both numbers of the page were checked.
    pub(crate) fn of_page(self, total: u64, page: i64, size: i64) -> Self {
        let (page, size) = (page.unsigned_abs(), size.unsigned_abs());
        Self { position: Some(PagePosition { page, size, total }), ..self }
    }
}

impl<T: Serialize> Page<T> {
    /// The answer that is this page.
    pub(crate) fn reply(&self) -> Result<Reply, ApiError> {
        Ok(json(self)?.of_page(self.total, self.page, self.size))
    }
}

impl<T> Page<T> {
    pub(crate) fn of(ListPage { total, rows: items }: ListPage<T>, paging: Paging) -> Self {
        let page = i64::try_from(paging.page).unwrap_or(i64::MAX);
        Self { items, total, page, size: paging.size as i64 }
    }
}

/// Which part of a list is asked for; both were checked.
pub(crate) fn paging(page: i64, size: i64) -> Paging {
    Paging { page: page.unsigned_abs(), size: usize::try_from(size).unwrap_or(1) }
}
