//! What is answered beside the endpoints: health, readiness, version, telemetry, the interface's
//! description and the two pages for people.

use std::sync::LazyLock;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::base64;
use super::endpoint::Reply;
use super::openapi;
use super::refusal::Refusal;
use super::route::Page;
use super::telemetry::Telemetry;
use crate::snapshot::Manifest;

/// A response of the service.
pub type Answer = Response<Full<Bytes>>;

/// Says how an answer was found.
pub(super) const PLAN: HeaderName = HeaderName::from_static("x-almoner-plan");

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");
const PROMETHEUS: HeaderValue =
    HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");

/// What a 200 (or 204) carries.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// 204.
    Nothing,
    Json(Bytes),
    Reply(Reply),
    Prometheus(String),
    Html(&'static Document),
}

impl Content {
    pub(super) fn into_answer(self) -> Answer {
        let (media, body, policy) = match self {
            Self::Nothing => {
                let mut answer = Response::new(Full::default());
                *answer.status_mut() = StatusCode::NO_CONTENT;
                return answer;
            }
            Self::Json(body) => (JSON, body, None),
            Self::Reply(Reply { body, plan }) => {
                let mut answer = Self::Json(body).into_answer();
                let plan = plan.and_then(|plan| HeaderValue::try_from(plan.to_string()).ok());
                answer.headers_mut().extend(plan.map(|plan| (PLAN, plan)));
                return answer;
            }
            Self::Prometheus(text) => (PROMETHEUS, text.into(), None),
            Self::Html(document) => (HTML, document.html.clone(), Some(&document.policy)),
        };
        let mut answer = Response::new(Full::new(body));
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_TYPE, media);
        if let Some(policy) = policy {
            headers.insert(header::CONTENT_SECURITY_POLICY, policy.clone());
            headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
        }
        answer
    }
}

/// A page's answer.
pub(super) fn show(
    page: Page,
    manifest: Option<&Manifest>,
    telemetry: &Telemetry,
) -> Result<Content, Refusal> {
    let object = |value: Value| Ok(Content::Json(value.to_string().into()));
    match page {
        Page::Health => object(json!({ "status": "ok" })),
        Page::Ready => {
            let manifest = manifest.ok_or(Refusal::NotReady)?;
            object(json!({ "status": "ready", "snapshot": manifest.snapshot }))
        }
        Page::Version => object(version(manifest)),
        Page::Metrics => Ok(Content::Prometheus(telemetry.render(manifest))),
        Page::OpenApi => Ok(Content::Json(Bytes::from_static(openapi::text().as_bytes()))),
        Page::Docs => Ok(Content::Html(&DOCS)),
        Page::Explorer => Ok(Content::Html(&EXPLORER)),
    }
}

/// The program and what it serves.
fn version(manifest: Option<&Manifest>) -> Value {
    let sources = manifest.map(|manifest| {
        let source = |one: &crate::sources::Summary| {
            json!({
                "name": one.name,
                "kind": one.kind,
                "bytes": one.bytes,
                "sha256": one.sha256,
                "modified": moment(one.modified_seconds),
                "rows": one.rows,
                "rejects": one.rejects,
            })
        };
        manifest.sources.iter().map(source).collect::<Vec<_>>()
    });
    json!({
        "program": concat!("almoner ", env!("CARGO_PKG_VERSION")),
        "snapshot": manifest.map(|manifest| &manifest.snapshot),
        "format": manifest.map(|manifest| manifest.format),
        "built_at": manifest.map(|manifest| &manifest.built_at),
        "built_by": manifest.map(|manifest| &manifest.program),
        "organizations": manifest.map(|manifest| manifest.organizations),
        "sources": sources,
        "model": manifest.and_then(|manifest| manifest.model.as_deref()),
    })
}

/// Seconds since 1970 as RFC 3339; `None` beyond what that can say.
fn moment(seconds: u64) -> Option<String> {
    let moment = OffsetDateTime::from_unix_timestamp(i64::try_from(seconds).ok()?).ok()?;
    moment.format(&Rfc3339).ok()
}

/// A page for people, and what it may load: its own style and script, by their hashes, and answers
/// of this server.
#[derive(Debug)]
pub(super) struct Document {
    html: Bytes,
    policy: HeaderValue,
}

static EXPLORER: LazyLock<Document> = LazyLock::new(|| {
    assemble(include_str!("explorer/index.html"), include_str!("explorer/index.js"), "")
});

static DOCS: LazyLock<Document> = LazyLock::new(|| {
    assemble(include_str!("explorer/docs.html"), include_str!("explorer/docs.js"), openapi::text())
});

const STYLE: &str = include_str!("explorer/style.css");

/// Puts style, script and data in their places.
fn assemble(template: &str, script: &str, data: &str) -> Document {
    // Within a script element only `</` and `<!--` end or change the text; JSON may escape `<`.
    let data = data.replace('<', "\\u003c");
    let html = template
        .replace("{{style}}", STYLE)
        .replace("{{script}}", script)
        .replace("{{data}}", &data);
    let policy = format!(
        "default-src 'none'; connect-src 'self'; img-src data:; style-src 'sha256-{}'; \
         script-src 'sha256-{}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        base64::padded(&Sha256::digest(STYLE)),
        base64::padded(&Sha256::digest(script)),
    );
    let policy =
        HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    Document { html: html.into(), policy }
}
