//! The service without a socket: a request's head in, a response out.
//!
//! [`App::open_exchange`] settles what is cheap (identity of the request, limits, key, route, method), [`App::work`]
//! does what is asked, where [`Exchange::cost`] says, [`App::conclude`] makes, counts and logs the response.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use hyper::body::{Body, Bytes};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{HeaderMap, Method};
use serde::Serialize;
use tracing_appender::non_blocking::ErrorCounter;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::access::{self, Access};
use super::budget::{self, KEYED_CPU_MAX, KEYLESS_CPU_MAX, Wanted};
use super::client_address::ClientNames;
use super::error_answer::error_answer;
use super::exchange::Exchange;
use super::exports::Exports;
use super::keys::Keys;
use super::limits::{HEADER_BYTES_MAX, REQUEST_ID_MAX, TARGET_BYTES_MAX};
use super::options::Options;
use super::rate::{Grant, RateLimits};
use super::request_log::{Failure, Repeated, RequestLog};
use super::telemetry::{Gauges, Newest, Telemetry};
use crate::http::assets::{self, Document};
use crate::http::endpoints::export::{self, ExportRequest};
use crate::http::interface::answer_body::AnswerBody;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::compression::{self, Encoding};
use crate::http::interface::endpoint::{Context, Reply, json};
use crate::http::interface::input::Input;
use crate::http::interface::page::{Health, Page, Ready, Version};
use crate::http::interface::path_key::{self, PathKey};
use crate::http::interface::representation::Representation;
use crate::http::interface::response::{self, Answer, Content, JSON, PLAN, PROMETHEUS};
use crate::http::interface::route::{ENDPOINTS, EXPORTS, Route, SUBMISSIONS};
use crate::http::interface::{answer_headers, form, jsonp, openapi, validators};
use crate::http::{mcp, reconcile};
use crate::processor_time::measured;
use crate::snapshot::{Manifest, Snapshot};
use crate::understand::Sessions;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The service: the snapshot that is open, the keys, and the counters.
pub struct App {
    current: RwLock<Option<Arc<Snapshot>>>,
    keys: Keys,
    options: Options,
    telemetry: Telemetry,
    sessions: Sessions,
    exports: Arc<Exports>,
    rates: RateLimits,
    clients: ClientNames,
    unknown_keys: Repeated,
    /// Where identifiers of requests start, drawn once.
    id_seed: u64,
    id_next: AtomicU64,
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trust {
    /// Somebody who must show a key.
    Client,
    /// This process itself.
    Own,
}

impl App {
    /// A service without a snapshot: not ready until [`App::swap`].
    pub fn new(keys: Keys, options: Options) -> Self {
        Self {
            current: RwLock::new(None),
            keys,
            rates: RateLimits::new(options.access, options.rate),
            clients: ClientNames::new(options.log_addresses),
            unknown_keys: Repeated::default(),
            options,
            telemetry: Telemetry::new(),
            sessions: Sessions::default(),
            exports: Arc::default(),
            // Without random bytes identifiers are still unique within the process.
            id_seed: getrandom::u64().unwrap_or_default(),
            id_next: AtomicU64::new(0),
        }
    }

    /// Puts a snapshot in. Requests that began before keep theirs to the end.
    pub fn swap(&self, snapshot: Arc<Snapshot>) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = Some(snapshot);
        self.telemetry.swaps.count();
    }

    /// Takes note of why the newest is not used, for `/ready`; `None` when it is.
    pub fn tell_behind(&self, newest: Newest, why: Option<&'static str>) {
        self.telemetry.tell_behind(newest, why);
    }

    /// Keeps requests from their snapshot until this is dropped.
    #[cfg(test)]
    pub(crate) fn hold(&self) -> std::sync::RwLockWriteGuard<'_, Option<Arc<Snapshot>>> {
        self.current.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The keys.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The exports under way.
    #[cfg(test)]
    pub(crate) fn exports(&self) -> &Arc<Exports> {
        &self.exports
    }

    pub(crate) fn telemetry(&self) -> &Telemetry {
        &self.telemetry
    }

    /// Answers a request as a server would.
    #[cfg(any(test, feature = "internals"))]
    pub fn answer(&self, parts: Parts) -> Answer {
        self.respond(parts, Bytes::new(), Trust::Client)
    }

    /// Answers a request of this process itself, which needs no key; the body is empty but of a POST.
    pub fn answer_trusted(&self, parts: Parts, body: Bytes) -> Answer {
        self.respond(parts, body, Trust::Own)
    }

    /// Answers a request with a body as a server would.
    #[cfg(test)]
    pub(crate) fn answer_body(&self, parts: Parts, body: Bytes) -> Answer {
        self.respond(parts, body, Trust::Client)
    }

    fn respond(&self, parts: Parts, body: Bytes, trust: Trust) -> Answer {
        let (exchange, verdict) = self.open_exchange(parts, trust);
        let exchange = exchange.with_body(body);
        let outcome = verdict.and_then(|()| self.work(&exchange, &Wanted::default()));
        self.conclude(&exchange, outcome)
    }

    /// Looks at a request: unless it is refused here, [`App::work`] is next.
    pub(crate) fn open_exchange(
        &self,
        parts: Parts,
        trust: Trust,
    ) -> (Exchange, Result<(), ApiError>) {
        let started = Instant::now();
        let (parts, path_key) = path_key::without_key(parts);
        let id = self.request_id(&parts.headers);
        let preflight = self.is_preflight(&parts);
        let (key, mut verdict) = match self.admit(&parts, path_key.as_ref(), preflight, trust) {
            Ok(key) => (key, Ok(())),
            Err(error) => (None, Err(error)),
        };
        let address = access::address(&parts, self.options.reached);
        let is_keyless = key.is_none() && trust == Trust::Client;
        let cpu_max = match self.options.access {
            _ if trust == Trust::Own => Duration::MAX,
            Access::Page if is_keyless => KEYLESS_CPU_MAX,
            _ => KEYED_CPU_MAX,
        };
        let body = Bytes::new();
        let (grant, cpu_us) = (None, AtomicU64::new(0));
        let mut exchange = Exchange {
            parts,
            started,
            id,
            key,
            path_key,
            address,
            grant,
            preflight,
            body,
            cpu_max,
            cpu_us,
        };
        exchange.grant = self.rates.ask(exchange.key.as_ref(), exchange.counted_address(), started);
        if let Some(Grant::Refused { wait }) = exchange.grant {
            verdict = Err(ApiError::TooMany(wait));
        }
        (exchange, verdict)
    }

    /// The rules that come before an endpoint's own; the identifier of the key, if one was asked.
    fn admit(
        &self,
        parts: &Parts,
        path_key: Option<&PathKey>,
        preflight: bool,
        trust: Trust,
    ) -> Result<Option<Arc<str>>, ApiError> {
        let target = parts.uri.path_and_query().map_or(0, |target| target.as_str().len());
        let key_bytes = path_key.map_or(0, |key| key.as_str().len());
        if target + key_bytes > TARGET_BYTES_MAX {
            return Err(ApiError::LongTarget);
        }
        let fields = parts.headers.iter();
        let bytes: usize = fields.map(|(name, value)| name.as_str().len() + value.len()).sum();
        if bytes > HEADER_BYTES_MAX {
            return Err(ApiError::LongHeaders);
        }
        // A preflight brings no key.
        if preflight {
            return Ok(None);
        }
        let route = Route::of(parts.uri.path());
        let is_public = match route {
            Route::Page(page) => page.is_public() || !self.options.private,
            Route::Asset(_) | Route::Unknown => !self.options.private,
            Route::Endpoint(..) => {
                let shows_key = access::has_key(&parts.headers, path_key);
                reconcile::is_manifest(parts) && !shows_key && !self.options.private
            }
            Route::Submission(_) | Route::Export(_) | Route::Mcp => false,
        };
        let mut key = None;
        let is_open = match self.options.access {
            Access::WithKey => false,
            // The page of a stranger includes a script without saying that it is one.
            Access::ThisMachine => {
                access::is_from_this_machine(&parts.headers) && !jsonp::is_asked(parts)
            }
            Access::Page if matches!(route, Route::Export(_) | Route::Mcp) => false,
            Access::Page => access::is_keyless_page(&parts.headers),
        };
        if !is_public && !is_open && trust == Trust::Client {
            let shown = access::key(route, &parts.headers, path_key);
            let found = shown.and_then(|shown| self.keys.find(shown));
            key = Some(found.ok_or(ApiError::Unauthenticated)?);
        }
        if matches!(route, Route::Unknown) {
            return Err(ApiError::NotFound);
        }
        if matches!(route, Route::Mcp)
            && access::is_foreign(&parts.headers, self.options.cors_origin.as_ref())
        {
            return Err(ApiError::ForeignOrigin);
        }
        // Of the Model Context Protocol no stream is offered to a GET, and no session ends by a DELETE.
        if !route.has_method(&parts.method) {
            return Err(ApiError::Method);
        }
        Ok(key)
    }

    fn is_preflight(&self, parts: &Parts) -> bool {
        let allows = || {
            let route = Route::of(parts.uri.path());
            answer_headers::allowed(route, self.options.cors_origin.as_ref()).is_some()
        };
        parts.method == Method::OPTIONS
            && parts.headers.contains_key(header::ORIGIN)
            && parts.headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
            && allows()
    }

    /// The client's identifier of a request, if it is one, or a new one.
    fn request_id(&self, headers: &HeaderMap) -> HeaderValue {
        if let Some(sent) = headers.get(REQUEST_ID) {
            let printable = sent.as_bytes().iter().all(|byte| (b' '..=b'~').contains(byte));
            if printable && (1..=REQUEST_ID_MAX).contains(&sent.len()) {
                return sent.clone();
            }
        }
        let number = self.id_next.fetch_add(1, Ordering::Relaxed);
        let id = format!("{:016x}", xxh3_64_with_seed(&number.to_le_bytes(), self.id_seed));
        HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("unknown"))
    }

    /// Does what a request asks for, as far as its budget goes and as long as the answer is wanted.
    pub(crate) fn work(&self, exchange: &Exchange, wanted: &Wanted) -> Result<Content, ApiError> {
        let _held = self.telemetry.request();
        let (content, time) = measured(|| {
            budget::within(exchange.cpu_max, wanted, || guarded(|| self.content(exchange)))
        });
        exchange.set_cpu(time);
        self.telemetry.count_processor(exchange.route(), time);
        content
    }

    fn content(&self, exchange: &Exchange) -> Result<Content, ApiError> {
        if exchange.preflight {
            return Ok(Content::Answer(response::no_content()));
        }
        // Held to the end of the request, whatever is put in meanwhile.
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner).clone();
        let snapshot = current.as_deref();
        let headers = &exchange.parts.headers;
        match exchange.route() {
            Route::Unknown => Err(ApiError::NotFound),
            Route::Asset(path) => {
                let file = assets::find(path).ok_or(ApiError::NotFound)?;
                Ok(Content::Answer(assets::file(file, Encoding::accepted(headers))))
            }
            Route::Page(page) => {
                self.page(page, snapshot, Encoding::accepted(headers)).map(Content::Answer)
            }
            Route::Submission(index) => {
                let mut reply = (SUBMISSIONS[index].answer)(snapshot, &exchange.body)?;
                encode(&mut reply, headers);
                Ok(Content::Reply(reply))
            }
            Route::Export(index) => {
                let (parts, client) = (&exchange.parts, exchange.client());
                let request =
                    ExportRequest { snapshot: current, parts, client, exports: &self.exports };
                export::answer(EXPORTS[index], request).map(Content::Answer)
            }
            Route::Mcp => {
                let (parts, body) = (&exchange.parts, exchange.body.clone());
                mcp::answer(current, parts, body).map(Content::Answer)
            }
            Route::Endpoint(index, value) => {
                let mut input = Input::new(value, exchange.parts.uri.query(), headers);
                if exchange.takes_body() {
                    let content_type = input.header("content-type");
                    let fields = form::fields(content_type.as_deref(), &exchange.body)?;
                    input = input.with_form(fields);
                }
                let sessions = &self.sessions;
                let asker = exchange.asker();
                let path_key = exchange.path_key.as_ref();
                let representation = Representation::of(index, &input, &exchange.parts)?;
                let tag = representation.tag(snapshot, &exchange.parts);
                if let Some(tag) = tag.clone().filter(|tag| validators::has(headers, tag)) {
                    return Ok(Content::Answer(validators::not_modified(tag, snapshot)));
                }
                let language_model = self.options.language_model.as_deref();
                let context =
                    Context { snapshot, input, sessions, asker, path_key, language_model };
                let reply = (ENDPOINTS[index].answer)(&context)?;
                let mut reply = representation.apply(reply, tag, snapshot, &exchange.parts)?;
                encode(&mut reply, headers);
                Ok(Content::Reply(reply))
            }
        }
    }

    fn page(
        &self,
        page: Page,
        snapshot: Option<&Snapshot>,
        accepted: Option<Encoding>,
    ) -> Result<Answer, ApiError> {
        let manifest = snapshot.map(|snapshot| &snapshot.manifest);
        Ok(match page {
            Page::Health => page_of(&Health::OK)?,
            Page::Ready => {
                let manifest = manifest.ok_or(ApiError::NotReady)?;
                let keys_behind = self.telemetry.behind(Newest::Keys);
                page_of(&Ready::of(manifest, self.telemetry.snapshot_behind(), keys_behind))?
            }
            Page::Version => {
                page_of(&Version::of(snapshot, self.options.language_model.as_deref()))?
            }
            Page::Metrics => response::ok(PROMETHEUS, self.counted(manifest)),
            Page::OpenApi => response::shared(JSON, openapi::shared(), accepted),
            Page::Docs => assets::document(Document::Docs, accepted),
            Page::Explorer => assets::document(Document::Explorer, accepted),
            Page::Picker => assets::picker(accepted),
        })
    }

    /// Everything counted, as text: looks at all sessions and keys, so only where it is asked for.
    fn counted(&self, manifest: Option<&Manifest>) -> String {
        let (sessions, keys) = (self.sessions.size(), self.keys.count());
        let dropped_lines = self.options.dropped_lines.as_ref();
        let dropped_lines = dropped_lines.map_or(0, ErrorCounter::dropped_lines);
        let language_model = self.options.language_model.as_deref().map(|model| model.texts());
        self.telemetry.render(&Gauges { manifest, sessions, keys, dropped_lines, language_model })
    }

    /// What the log calls whoever comes from an address, where it may.
    pub(crate) fn client_name(&self, address: Arc<str>) -> Option<Arc<str>> {
        self.clients.name(address)
    }

    /// Makes the response, counts it and logs it.
    pub(crate) fn conclude(
        &self,
        exchange: &Exchange,
        outcome: Result<Content, ApiError>,
    ) -> Answer {
        let Exchange { parts, started, id, key, preflight, .. } = exchange;
        let address = exchange.counted_address();
        let charged = self.rates.charge(key.as_ref(), address, exchange.cpu(), Instant::now());
        let grant = charged.or(exchange.grant);
        let failure = outcome.as_ref().err().and_then(Failure::of);
        if let Ok(Content::Reply(Reply { plan: Some(plan), .. })) = &outcome {
            self.telemetry.count_plan(plan);
        }
        let mut answer = match outcome {
            Ok(content) => content.into_answer(),
            Err(error) => error_answer(&error),
        };
        let length = answer.body().size_hint().exact();
        let headers = answer.headers_mut();
        if *preflight {
            answer_headers::allow_methods(exchange.route(), headers);
        }
        if headers.contains_key(header::ALLOW) {
            headers.insert(header::ALLOW, answer_headers::methods(exchange.route()));
        }
        headers.insert(REQUEST_ID, id.clone());
        headers.extend(self.rates.headers(key.as_ref(), grant));
        let allowed = answer_headers::allowed(exchange.route(), self.options.cors_origin.as_ref());
        answer_headers::allow_origin(allowed, &parts.headers, headers);
        answer_headers::complete(exchange.route(), &self.options, headers);
        if parts.method == Method::HEAD {
            if let Some(length) = length {
                headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
            }
            *answer.body_mut() = AnswerBody::default();
        }
        let (status, took) = (answer.status(), started.elapsed());
        self.telemetry.count(exchange.route(), status, took);
        if let Some(Failure::Refused(refusal)) = failure {
            self.telemetry.count_refused(refusal);
        }
        let client = || self.client_name(exchange.address.clone());
        let client = key.is_none().then(client).flatten();
        let log = RequestLog {
            parts,
            query: parts.uri.query().filter(|_| self.options.log_queries),
            request_id: id.to_str().unwrap_or_default(),
            key: key.as_deref(),
            has_key: access::has_key(&parts.headers, exchange.path_key.as_ref()),
            client: client.as_deref(),
            plan: answer.headers().get(PLAN).and_then(|plan| plan.to_str().ok()),
            status,
            bytes: length.unwrap_or(0),
            took,
            failure,
        };
        log.write_fault();
        log.write_unknown_key(&self.unknown_keys);
        if self.options.slow.is_some_and(|slow| took > slow) {
            self.telemetry.slow.count();
            log.write_slow();
        }
        log.write();
        answer
    }
}

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("App").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What some work makes; a panic is an error too.
pub(crate) fn guarded(
    work: impl FnOnce() -> Result<Content, ApiError>,
) -> Result<Content, ApiError> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(ApiError::Panic(message(&*panic))))
}

/// Encodes the body of a reply as its client accepts it.
fn encode(reply: &mut Reply, asked: &HeaderMap) {
    let encoding;
    (reply.body, encoding) = compression::encoded(std::mem::take(&mut reply.body), asked);
    reply.headers.extend(compression::headers(encoding));
}

fn page_of(body: &impl Serialize) -> Result<Answer, ApiError> {
    Ok(response::ok(JSON, json(body)?.body))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".into())
}
