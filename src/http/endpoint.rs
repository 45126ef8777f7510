//! What an endpoint is, and what those that answer lists share.

use std::fmt;
use std::time::Instant;

use hyper::body::Bytes;
use hyper::header::{HeaderName, HeaderValue};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use super::api_error::ApiError;
use super::input::Input;
use super::interpretation::NEW_SESSION;
use super::parameter::Documented;
use super::path_key::PathKey;
use super::schema::SchemaOf;
use crate::language_model::LanguageModel;
use crate::search::listing::{ListPage, Paging};
use crate::search::plan::Plan;
use crate::snapshot::Snapshot;
use crate::understand::{Asker, Conversation, Sessions};

/// What answering costs, hence where it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cost {
    /// Well under a millisecond of CPU: run by the worker that read the request, since handing it
    /// to another thread and back costs more than the answer. No more of these run at once than
    /// there are workers.
    Micro,
    /// May take milliseconds: run on the bounded pool, so that cheap requests, health checks among
    /// them, do not wait behind it.
    Heavy,
}

/// What an endpoint answers from.
pub(super) struct Context<'a> {
    pub(super) snapshot: Option<&'a Snapshot>,
    pub(super) input: Input<'a>,
    /// What sessions asked for before.
    pub(super) sessions: &'a Sessions,
    /// Whose sessions these are.
    pub(super) asker: Asker<'a>,
    /// The key that stood in the path.
    pub(super) path_key: Option<&'a PathKey>,
    /// What helps the chat.
    pub(super) language_model: Option<&'a LanguageModel>,
}

impl<'a> Context<'a> {
    /// The snapshot.
    pub(super) fn snapshot(&self) -> Result<&'a Snapshot, ApiError> {
        self.snapshot.ok_or(ApiError::NotReady)
    }

    /// What a session continues from, `None` without one; and the argument `session` of the answer.
    pub(super) fn earlier(
        &self,
        session: Option<Uuid>,
    ) -> (Option<Conversation>, Option<&'static str>) {
        let get = |id: Uuid| self.sessions.get(self.asker, id.as_u128(), Instant::now());
        let remembered = session.map(get);
        let argument = matches!(remembered, Some(None)).then_some(NEW_SESSION);
        (remembered.map(Option::unwrap_or_default), argument)
    }

    /// Keeps what the next message of a session continues from.
    pub(super) fn remember(&self, session: Option<Uuid>, next: &Conversation) {
        if let Some(id) = session {
            self.sessions.put(self.asker, id.as_u128(), next, Instant::now());
        }
    }
}

/// One path of the interface. Every endpoint is a GET that answers JSON, a feed or a page.
pub(super) struct Endpoint {
    /// The path; `{ein}` stands for one segment.
    pub(super) path: &'static str,
    /// Group in the documentation.
    pub(super) tag: &'static str,
    /// One line for the documentation.
    pub(super) summary: &'static str,
    /// What the body of a 200 answer is.
    pub(super) body: Body,
    /// Where the answer has the rows that `fields` and CSV are about.
    pub(super) rows: Rows,
    /// How long a client may use an answer again.
    pub(super) reuse: Reuse,
    /// When it answers 404, for the documentation; `None` of what never does.
    pub(super) not_found: Option<&'static str>,
    /// What answering costs.
    pub(super) cost: Cost,
    /// What it takes, in declaration order.
    pub(super) parameters: &'static [&'static dyn Documented],
    /// The body of a 200 answer.
    pub(super) answer: fn(&Context<'_>) -> Result<Reply, ApiError>,
}

/// What a body is, for the documentation.
pub(super) enum Body {
    /// JSON of this schema.
    Json(SchemaOf),
    /// A feed, RFC 4287.
    Atom,
    /// A page.
    Html,
}

/// Where an answer has its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rows {
    /// It has several lists, or none.
    None,
    /// The answer is one row.
    Whole,
    /// In the list of this name.
    In(&'static str),
}

/// How long a client may use an answer again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    /// As long as the snapshot is served that gave it.
    UntilSwap,
    /// It names the moment of the request.
    Never,
}

/// When an endpoint on one nonprofit answers 404.
pub(super) const UNKNOWN_EIN: &str = "No nonprofit has this EIN.";

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)
    }
}

/// A 200 answer of an endpoint.
#[derive(Debug, Clone)]
pub(super) struct Reply {
    pub(super) body: Bytes,
    pub(super) media: Media,
    /// How the rows were found, for `x-almoner-plan` and the log, where there was a choice.
    pub(super) plan: Option<Plan>,
    /// Further headers of the answer.
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// What a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Media {
    Json,
    /// RFC 4287.
    Atom,
    Html,
    /// RFC 4180, with a header.
    Csv,
    /// JSONP.
    Script,
}

/// A body of JSON.
pub(super) fn json(answer: &impl Serialize) -> Result<Reply, ApiError> {
    let body = serde_json::to_vec(answer).map_err(ApiError::Unwritable)?.into();
    Ok(Reply { body, media: Media::Json, plan: None, headers: Vec::new() })
}

/// A body of an Atom feed.
pub(super) fn atom(feed: String) -> Reply {
    Reply { body: feed.into(), media: Media::Atom, plan: None, headers: Vec::new() }
}

/// One page of a list.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "{T}Page")]
pub(super) struct Page<T> {
    /// The rows of this page, in the order of the list; empty past the last page.
    pub(super) items: Vec<T>,
    /// Number of rows on all pages together.
    pub(super) total: u64,
    /// Number of this page, from 1, as requested.
    pub(super) page: i64,
    /// Most rows that a page has, as requested.
    pub(super) size: i64,
}

impl<T> Page<T> {
    /// The answer of a list.
    pub(super) fn of<Row>(found: ListPage<Row>, paging: Paging, show: impl Fn(Row) -> T) -> Self {
        Self {
            items: found.rows.into_iter().map(show).collect(),
            total: found.total,
            page: i64::try_from(paging.page).unwrap_or(i64::MAX),
            size: paging.size as i64,
        }
    }
}

/// Which part of a list is asked for; both were checked.
pub(super) fn paging(page: i64, size: i64) -> Paging {
    Paging { page: page.unsigned_abs(), size: usize::try_from(size).unwrap_or(1) }
}
