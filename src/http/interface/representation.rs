//! How an answer is represented: JSON, CSV or a script, which members of its rows, under which entity tag.

use hyper::header::{self, HeaderValue};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method};
use xxhash_rust::xxh3::xxh3_64;

use super::api_error::ApiError;
use super::endpoint::{Media, Reply, Reuse, Rows};
use super::input::Input;
use super::jsonp::{self, CALLBACK, Callback};
use super::negotiation::{self, Preference};
use super::query_names::{self, FIELDS};
use super::response::TOTAL;
use super::route::{CSV_SUFFIX, ENDPOINTS};
use super::rows::{self, RowLayout};
use super::validators::{modified, validators};
use crate::snapshot::Snapshot;

/// The members that have a total.
const TOTALS: [&str; 2] = ["total", "total_groups"];
/// The header that carries the session which an answer continues.
const SESSION: &str = "x-session-id";

/// How the answer to a request is to be represented.
#[derive(Debug)]
pub(crate) struct Representation {
    endpoint: usize,
    format: Format,
    /// Members that rows are cut to; empty for all.
    members: Vec<String>,
    ignored: Option<HeaderValue>,
}

/// What an answer is sent as.
#[derive(Debug)]
enum Format {
    Json,
    Csv,
    /// JSONP.
    Script(Callback),
}

impl Representation {
    /// Of the endpoint at a position.
    ///
    /// # Errors
    /// When `fields` names what rows do not have, or `callback` no function.
    pub(crate) fn of(endpoint: usize, input: &Input<'_>, parts: &Parts) -> Result<Self, ApiError> {
        let rows = ENDPOINTS[endpoint].rows;
        let has_suffix = parts.uri.path().ends_with(CSV_SUFFIX);
        let is_csv = rows != Rows::None && (has_suffix || prefers_csv(&parts.headers));
        let members = match rows {
            Rows::None => Vec::new(),
            // The layouts are made of every schema there is: not for who names no field.
            _ => query_names::members(input, || &RowLayout::at(endpoint).members)?,
        };
        let format = match jsonp::callback(parts)? {
            _ if is_csv => Format::Csv,
            Some(callback) => Format::Script(callback),
            None => Format::Json,
        };
        let mut further = if rows == Rows::None { vec![] } else { vec![FIELDS] };
        if matches!(format, Format::Script(_)) {
            further.push(CALLBACK);
        }
        let ignored = query_names::ignored(ENDPOINTS[endpoint].parameters, &further, input);
        Ok(Self { endpoint, format, members, ignored })
    }

    /// The entity tag of the answer that a snapshot gives to a target; `None` where it may differ from
    /// one moment to the next, or from one body to another.
    pub(crate) fn tag(&self, snapshot: Option<&Snapshot>, parts: &Parts) -> Option<HeaderValue> {
        let manifest = &snapshot?.manifest;
        let changes = ENDPOINTS[self.endpoint].reuse == Reuse::Never
            || parts.method == Method::POST
            || manifest.awaits.is_some()
            || parts.headers.contains_key(SESSION);
        let target = parts.uri.path_and_query()?.as_str();
        let format = match self.format {
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Script(_) => "script",
        };
        let version = env!("CARGO_PKG_VERSION");
        let state = [version, &manifest.snapshot, format, target].join("\n");
        let tag = || HeaderValue::try_from(format!("W/\"{:016x}\"", xxh3_64(state.as_bytes())));
        if changes { None } else { tag().ok() }
    }

    /// The answer so represented.
    pub(crate) fn apply(
        &self,
        reply: Reply,
        tag: Option<HeaderValue>,
        snapshot: Option<&Snapshot>,
        parts: &Parts,
    ) -> Result<Reply, ApiError> {
        let mut reply = reply;
        let links = reply.position.and_then(|position| position.links(parts.uri.query()));
        reply.headers.extend(links.map(|links| (header::LINK, links)));
        if matches!(self.format, Format::Csv) || !self.members.is_empty() {
            self.transform(&mut reply)?;
        }
        if let Format::Script(callback) = &self.format {
            reply.body = callback.script(&reply.body).into();
            reply.media = Media::Script;
            reply.headers.push((header::VARY, HeaderValue::from_static("Sec-Fetch-Site")));
        }
        let modified = snapshot.and_then(|snapshot| modified(&snapshot.manifest));
        if let Some(tag) = tag {
            reply.headers.extend(validators(tag, modified));
        }
        reply.headers.extend(self.ignored.clone().map(|names| (query_names::IGNORED, names)));
        if ENDPOINTS[self.endpoint].rows != Rows::None {
            reply.headers.push((header::VARY, HeaderValue::from_static("Accept")));
        }
        Ok(reply)
    }

    fn transform(&self, reply: &mut Reply) -> Result<(), ApiError> {
        let rows = ENDPOINTS[self.endpoint].rows;
        let mut answer = serde_json::from_slice(&reply.body).map_err(ApiError::Unwritable)?;
        if matches!(self.format, Format::Csv) {
            let layout = RowLayout::at(self.endpoint);
            reply.body = rows::csv(&mut answer, rows, layout, &self.members)?.into();
            reply.media = Media::Csv;
            let total = TOTALS.iter().find_map(|name| answer.get(name)?.as_u64());
            reply.headers.extend(total.map(|total| (TOTAL, HeaderValue::from(total))));
        } else {
            rows::select(&mut answer, rows, &self.members);
            reply.body = serde_json::to_vec(&answer).map_err(ApiError::Unwritable)?.into();
        }
        Ok(())
    }
}

/// Whether CSV is wanted rather than JSON.
fn prefers_csv(headers: &HeaderMap) -> bool {
    let Preference { names, .. } = negotiation::preference(headers, header::ACCEPT);
    let weight = |name: &str| names.iter().find(|(one, _)| one == name).map(|(_, weight)| *weight);
    match (weight("text/csv"), weight("application/json")) {
        (Some(csv), json) => csv > 0 && csv >= json.unwrap_or(0),
        (None, _) => false,
    }
}
