//! What is answered beside the endpoints: health, readiness, version, telemetry, the interface's
//! description and the two pages for people.

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::{Value, json};

use super::assets::{self, Document};
use super::endpoint::{Media, Reply};
use super::openapi;
use super::refusal::Refusal;
use super::route::Page;
use crate::record::Moment;
use crate::snapshot::{Awaited, Manifest};

/// A response of the service.
pub type Answer = Response<Full<Bytes>>;

/// Says how an answer was found.
pub(super) const PLAN: HeaderName = HeaderName::from_static("x-almoner-plan");

pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");
const ATOM: HeaderValue = HeaderValue::from_static("application/atom+xml; charset=utf-8");
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
    Page(Document),
    File(assets::File),
}

impl Content {
    pub(super) fn into_answer(self) -> Answer {
        let (media, body) = match self {
            Self::Nothing => {
                let mut answer = Response::new(Full::default());
                *answer.status_mut() = StatusCode::NO_CONTENT;
                return answer;
            }
            Self::Json(body) => (JSON, body),
            Self::Reply(Reply { body, media, plan }) => {
                let mut answer = Self::Json(body).into_answer();
                if media == Media::Atom {
                    answer.headers_mut().insert(header::CONTENT_TYPE, ATOM);
                }
                let plan = plan.and_then(|plan| HeaderValue::try_from(plan.to_string()).ok());
                answer.headers_mut().extend(plan.map(|plan| (PLAN, plan)));
                return answer;
            }
            Self::Prometheus(text) => (PROMETHEUS, text.into()),
            Self::Page(document) => return assets::document(document),
            Self::File(file) => return assets::file(file),
        };
        let mut answer = Response::new(Full::new(body));
        answer.headers_mut().insert(header::CONTENT_TYPE, media);
        answer
    }
}

/// A page's answer.
pub(super) fn show(
    page: Page,
    manifest: Option<&Manifest>,
    awaited: Option<Awaited>,
    telemetry: impl FnOnce() -> String,
) -> Result<Content, Refusal> {
    let object = |value: Value| Ok(Content::Json(value.to_string().into()));
    match page {
        Page::Health => object(json!({ "status": "ok" })),
        Page::Ready => {
            let manifest = manifest.ok_or(Refusal::NotReady)?;
            object(json!({ "status": "ready", "snapshot": manifest.snapshot }))
        }
        Page::Version => object(version(manifest, awaited)),
        Page::Metrics => Ok(Content::Prometheus(telemetry())),
        Page::OpenApi => Ok(Content::Json(Bytes::from_static(openapi::text().as_bytes()))),
        Page::Docs => Ok(Content::Page(Document::Docs)),
        Page::Explorer => Ok(Content::Page(Document::Explorer)),
    }
}

/// The program and what it serves.
fn version(manifest: Option<&Manifest>, awaited: Option<Awaited>) -> Value {
    let sources = manifest.map(|manifest| {
        let source = |one: &crate::sources::Summary| {
            json!({
                "name": one.name,
                "kind": one.kind,
                "bytes": one.bytes,
                "sha256": one.sha256,
                "modified": Moment::from_seconds(one.modified_seconds),
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
        "awaits_model": manifest.and_then(|manifest| manifest.awaits.as_deref()),
        "awaited_share": awaited.and_then(|awaited| awaited.share),
    })
}
