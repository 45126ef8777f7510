//! How an answer is represented: JSON, CSV or a script, which members of its rows, under which entity tag.

use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method, StatusCode};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use xxhash_rust::xxh3::xxh3_64;

use super::api_error::ApiError;
use super::endpoint::{Endpoint, Media, Reply, Reuse, Rows};
use super::input::Input;
use super::jsonp::{self, CALLBACK, Callback};
use super::negotiation::{self, Preference};
use super::parameter_type::literal;
use super::response::Answer;
use super::route::{CSV_SUFFIX, ENDPOINTS};
use super::rows::{self, RowLayout};
use super::validation_error::{ParameterLocation, ValidationError, ValidationErrors};
use crate::snapshot::{Manifest, Snapshot};

/// The parameter that names the members of rows.
pub(crate) const FIELDS: &str = "fields";
/// Parameters of the request that the endpoint does not have.
const IGNORED: HeaderName = HeaderName::from_static("x-almoner-ignored");
/// The total over all pages, for a list as CSV, which has no place for it.
const TOTAL: HeaderName = HeaderName::from_static("x-total-count");
/// The members that have it.
const TOTALS: [&str; 2] = ["total", "total_groups"];
/// The header that carries the session which an answer continues.
const SESSION: &str = "x-session-id";

/// Ignored parameters that are named, and the characters shown of each.
const IGNORED_MAX: usize = 16;
const IGNORED_NAME_MAX: usize = 64;

/// What stands for itself in a name that is shown.
const NAME: &AsciiSet = &NON_ALPHANUMERIC.remove(b'_').remove(b'-').remove(b'.');

/// What an answer is cached by: it must be asked for again, which costs little.
const CACHING: HeaderValue = HeaderValue::from_static("private, no-cache");

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
        let members = if rows == Rows::None { Vec::new() } else { members(endpoint, input)? };
        let format = match jsonp::callback(parts)? {
            _ if is_csv => Format::Csv,
            Some(callback) => Format::Script(callback),
            None => Format::Json,
        };
        let ignored = ignored(ENDPOINTS[endpoint], input, &format);
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
    ) -> Result<Reply, ApiError> {
        let mut reply = reply;
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
        reply.headers.extend(self.ignored.clone().map(|names| (IGNORED, names)));
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

/// A 304 to a request whose client has the answer of a tag.
pub(crate) fn not_modified(tag: HeaderValue, snapshot: Option<&Snapshot>) -> Answer {
    let modified = snapshot.and_then(|snapshot| modified(&snapshot.manifest));
    let mut answer = Answer::default();
    *answer.status_mut() = StatusCode::NOT_MODIFIED;
    answer.headers_mut().extend(validators(tag, modified));
    answer.headers_mut().insert(header::VARY, HeaderValue::from_static("Accept, Accept-Encoding"));
    answer
}

fn validators(
    tag: HeaderValue,
    modified: Option<HeaderValue>,
) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let fixed = [(header::ETAG, tag), (header::CACHE_CONTROL, CACHING)];
    fixed.into_iter().chain(modified.map(|modified| (header::LAST_MODIFIED, modified)))
}

/// When a snapshot was built, as HTTP writes dates.
fn modified(manifest: &Manifest) -> Option<HeaderValue> {
    HeaderValue::try_from(crate::record::Timestamp::parse(&manifest.built_at).ok()?.http_date())
        .ok()
}

/// Whether a client has the answer of a tag already. Tags are compared weakly, RFC 9110 13.1.2.
pub(crate) fn has(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let Ok(known) = tag.to_str().map(opaque) else { return false };
    let sent = headers.get_all(header::IF_NONE_MATCH).iter();
    sent.filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| known == opaque(one))
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

/// The members that `fields` names, each once.
fn members(endpoint: usize, input: &Input<'_>) -> Result<Vec<String>, ApiError> {
    let given = input.all(FIELDS).flat_map(|value| value.split(','));
    let mut given = given.filter(|name| !name.is_empty()).enumerate().peekable();
    // The layouts are made of every schema there is: not for who names no field.
    if given.peek().is_none() {
        return Ok(Vec::new());
    }
    let known = &RowLayout::at(endpoint).members;
    let (mut members, mut errors) = (Vec::new(), Vec::new());
    for (position, name) in given {
        if known.iter().any(|one| one == name) {
            if !members.iter().any(|one| one == name) {
                members.push(name.to_owned());
            }
        } else {
            let names: Vec<&str> = known.iter().map(String::as_str).collect();
            errors.push(ValidationError {
                place: ParameterLocation::Query,
                name: FIELDS,
                position: Some(position),
                reason: literal(&names),
                input: Some(name.to_owned()),
            });
        }
    }
    if errors.is_empty() { Ok(members) } else { Err(ValidationErrors(errors).into()) }
}

/// The names of parameters that the endpoint does not have, percent-encoded.
fn ignored(endpoint: &Endpoint, input: &Input<'_>, format: &Format) -> Option<HeaderValue> {
    input.names().next()?;
    let declared = endpoint.parameters.iter().flat_map(|one| one.names());
    let declared: Vec<&str> = declared
        .filter(|(_, place)| *place == ParameterLocation::Query)
        .map(|(name, _)| name)
        .collect();
    let takes_fields = endpoint.rows != Rows::None;
    let takes_callback = matches!(format, Format::Script(_));
    let mut unknown: Vec<&str> = Vec::new();
    for name in input.names() {
        let is_known = declared.contains(&name)
            || takes_fields && name == FIELDS
            || takes_callback && name == CALLBACK;
        if !is_known && !unknown.contains(&name) && unknown.len() < IGNORED_MAX {
            unknown.push(name);
        }
    }
    let shown = unknown.iter().map(|name| {
        let short: String = name.chars().take(IGNORED_NAME_MAX).collect();
        utf8_percent_encode(&short, NAME).to_string()
    });
    let text = shown.collect::<Vec<_>>().join(", ");
    if text.is_empty() { None } else { HeaderValue::try_from(text).ok() }
}
