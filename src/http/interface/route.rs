//! Every endpoint and page there is, and which of them a path names.

use hyper::Method;

use super::endpoint::{Endpoint, Rows, Submission};
use super::page::Page;
use crate::http::endpoints::{
    aggregate, articles, batch, beta, changes, coverage, export, family, feed, funders, grants,
    impact, r#match, nonprofit, peers, people, provenance, reliance, search, typeahead,
};
use crate::http::server::limits::{BODY_BYTES_MAX, MCP_MESSAGE_BYTES_MAX, SUBMISSION_BYTES_MAX};
use crate::http::{assets, chat, reconcile};

/// Every endpoint, in the order in which `/openapi.json` lists them.
pub(crate) static ENDPOINTS: &[&Endpoint] = &[
    &nonprofit::DETAILS,
    &nonprofit::FINANCIALS,
    &nonprofit::RELATED,
    &search::SEARCH,
    &aggregate::AGGREGATE,
    &articles::SEARCH,
    &nonprofit::STANDING,
    &provenance::PROVENANCE,
    &reliance::RELIANCE,
    &nonprofit::FILINGS,
    &grants::GRANTS_OF,
    &grants::SEARCH,
    &funders::SEARCH,
    &people::PEOPLE_OF,
    &people::SEARCH,
    &family::FAMILY,
    &peers::PEERS,
    &coverage::COVERAGE,
    &changes::CHANGES,
    &changes::ATOM,
    &typeahead::TYPEAHEAD,
    &impact::STORIES_OF,
    &impact::METRICS_OF,
    &impact::STORIES,
    &impact::METRICS,
    &beta::SEARCH,
    &feed::POSTS,
    &chat::CHAT_SEARCH,
    &chat::CHAT,
    &reconcile::SERVICE,
    &reconcile::SUGGEST_ENTITY,
    &reconcile::SUGGEST_PROPERTY,
    &reconcile::SUGGEST_TYPE,
    &reconcile::PROPERTIES,
    &reconcile::PREVIEW,
];

/// Every endpoint that takes a body.
pub(crate) static SUBMISSIONS: &[&Submission] =
    &[&r#match::MATCH, &batch::BATCH, &reconcile::MATCH];

/// Every list that is given whole.
pub(crate) static EXPORTS: &[&export::Export] = &[&export::CSV, &export::NDJSON, &export::PARQUET];

/// What a path ends with whose list is wanted as CSV.
pub(crate) const CSV_SUFFIX: &str = ".csv";

/// What is counted together, beside endpoints and pages.
const OTHERS: [&str; 3] = [MCP, "/assets", "unknown"];

/// The path of the Model Context Protocol.
const MCP: &str = "/mcp";

/// What a path names.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Route<'a> {
    /// The position in [`ENDPOINTS`], and the value in the path as it was sent.
    Endpoint(usize, Option<&'a str>),
    /// The position in [`SUBMISSIONS`].
    Submission(usize),
    /// The position in [`EXPORTS`].
    Export(usize),
    Page(Page),
    /// The Model Context Protocol.
    Mcp,
    /// The path of a file of the pages, below their folder.
    Asset(&'a str),
    Unknown,
}

impl<'a> Route<'a> {
    /// How many routes are counted apart.
    pub(crate) const COUNT: usize =
        ENDPOINTS.len() + Page::ALL.len() + SUBMISSIONS.len() + EXPORTS.len() + OTHERS.len();

    /// The route of a path as it was sent, percent-encoded; of a list also with [`CSV_SUFFIX`].
    pub(crate) fn of(path: &'a str) -> Self {
        if let Some(index) = EXPORTS.iter().position(|one| one.path == path) {
            return Self::Export(index);
        }
        if let Some(list) = path.strip_suffix(CSV_SUFFIX) {
            return match Self::of_path(list) {
                route @ Self::Endpoint(index, _) if ENDPOINTS[index].rows != Rows::None => route,
                _ => Self::Unknown,
            };
        }
        Self::of_path(path)
    }

    fn of_path(path: &'a str) -> Self {
        if let Some((_, page)) = Page::ALL.iter().find(|(known, _)| *known == path) {
            return Self::Page(*page);
        }
        if path == MCP {
            return Self::Mcp;
        }
        if let Some(file) = path.strip_prefix(assets::FOLDER) {
            return Self::Asset(file);
        }
        if let Some(index) = SUBMISSIONS.iter().position(|one| one.path == path) {
            return Self::Submission(index);
        }
        for (index, endpoint) in ENDPOINTS.iter().enumerate() {
            match endpoint.path.split_once("{ein}") {
                None if endpoint.path == path => return Self::Endpoint(index, None),
                Some((before, behind)) => {
                    let rest = path.strip_prefix(before);
                    match rest.and_then(|rest| rest.strip_suffix(behind)) {
                        Some(value) if !value.is_empty() && !value.contains('/') => {
                            return Self::Endpoint(index, Some(value));
                        }
                        _ => {}
                    }
                }
                None => {}
            }
        }
        Self::Unknown
    }

    /// The endpoint, if it is one.
    pub(crate) fn endpoint(self) -> Option<&'static Endpoint> {
        match self {
            Self::Endpoint(index, _) => Some(ENDPOINTS[index]),
            _ => None,
        }
    }

    /// Whether the body of a request is read to be worked on, not to be dropped.
    pub(crate) fn takes_body(self) -> bool {
        matches!(self, Self::Submission(_) | Self::Mcp)
    }

    /// Whether a POST of it brings what else the query of a GET does, as a form.
    pub(crate) fn takes_form(self) -> bool {
        self.endpoint().is_some_and(|endpoint| std::ptr::eq(endpoint, &reconcile::SERVICE))
    }

    /// Whether pages of any origin may read its answers: the reconciliation service's, for which its
    /// specification demands it. Nobody's browser shows a key on its own.
    pub(crate) fn is_for_every_origin(self) -> bool {
        let path = match self {
            Self::Endpoint(index, _) => ENDPOINTS[index].path,
            Self::Submission(index) => SUBMISSIONS[index].path,
            _ => return false,
        };
        path.starts_with(reconcile::PATH)
    }

    /// Whether it is asked by a method.
    pub(crate) fn has_method(self, method: &Method) -> bool {
        match (self.takes_body(), method) {
            (true, method) => method == Method::POST,
            (false, &Method::POST) => self.takes_form(),
            (false, method) => method == Method::GET || method == Method::HEAD,
        }
    }

    /// The longest body that is read.
    pub(crate) fn body_bytes_max(self) -> usize {
        match self {
            Self::Submission(_) => SUBMISSION_BYTES_MAX,
            _ if self.takes_form() => SUBMISSION_BYTES_MAX,
            Self::Mcp => MCP_MESSAGE_BYTES_MAX,
            _ => BODY_BYTES_MAX,
        }
    }

    /// Its number, for counting.
    pub(crate) fn index(self) -> usize {
        let page = |page| Page::ALL.iter().position(|(_, one)| *one == page);
        match self {
            Self::Endpoint(index, _) => index,
            Self::Page(one) => ENDPOINTS.len() + page(one).unwrap_or(Page::ALL.len()),
            Self::Submission(index) => ENDPOINTS.len() + Page::ALL.len() + index,
            Self::Export(index) => ENDPOINTS.len() + Page::ALL.len() + SUBMISSIONS.len() + index,
            Self::Mcp => Self::COUNT - 3,
            Self::Asset(_) => Self::COUNT - 2,
            Self::Unknown => Self::COUNT - 1,
        }
    }

    /// The name of the route of a number.
    pub(crate) fn label(index: usize) -> &'static str {
        let paths = ENDPOINTS.iter().map(|endpoint| endpoint.path);
        let pages = Page::ALL.iter().map(|(path, _)| *path);
        let submissions = SUBMISSIONS.iter().map(|submission| submission.path);
        let exports = EXPORTS.iter().map(|export| export.path);
        paths
            .chain(pages)
            .chain(submissions)
            .chain(exports)
            .chain(OTHERS)
            .nth(index)
            .unwrap_or("unknown")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes() {
        for (path, label, value) in [
            ("/", "/", None),
            ("/health", "/health", None),
            ("/chat", "/chat", None),
            ("/match", "/match", None),
            ("/reconcile/match", "/reconcile/match", None),
            ("/nonprofits/batch", "/nonprofits/batch", None),
            ("/mcp", "/mcp", None),
            ("/mcp/", "unknown", None),
            ("/assets/0123/style.css", "/assets", None),
            ("/nonprofits/filings/1", "/nonprofits/filings/{ein}", Some("1")),
            ("/chat/search", "/chat/search", None),
            ("/impact/stories", "/impact/stories", None),
            ("/impact/stories/12%0A", "/impact/stories/{ein}", Some("12%0A")),
            ("/nonprofits/details/1", "/nonprofits/details/{ein}", Some("1")),
            ("/nonprofits/details/1/related", "/nonprofits/details/{ein}/related", Some("1")),
            ("/nonprofits/details//related", "unknown", None),
            ("/nonprofits/details", "unknown", None),
            ("/nonprofits/details/", "unknown", None),
            ("/nonprofits/details/123456789/more", "unknown", None),
            ("/nonprofits/search.csv", "/nonprofits/search", None),
            ("/impact/stories/12.csv", "/impact/stories/{ein}", Some("12")),
            ("/coverage.csv", "unknown", None),
            ("/export.csv", "/export.csv", None),
            ("/export.parquet", "/export.parquet", None),
            ("/export", "unknown", None),
            ("/.csv", "unknown", None),
            ("/Chat", "unknown", None),
            ("/chat/", "unknown", None),
            ("", "unknown", None),
            ("*", "unknown", None),
        ] {
            let route = Route::of(path);
            assert_eq!(Route::label(route.index()), label, "{path}");
            let found = if let Route::Endpoint(_, value) = route { value } else { None };
            assert_eq!(found, value, "{path}");
        }
    }
}
