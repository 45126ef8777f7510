//! Every endpoint and page there is, and which of them a path names.

use super::endpoint::Endpoint;
use super::page::Page;
use super::{
    articles, assets, beta, changes, chat, coverage, details, feed, filings, financials,
    impact_metrics, provenance, related, reliance, search, standing, stories, typeahead,
};

/// Every endpoint, in the order in which `/openapi.json` lists them.
pub(super) static ENDPOINTS: [&Endpoint; 21] = [
    &details::DETAILS,
    &financials::FINANCIALS,
    &related::RELATED,
    &search::SEARCH,
    &articles::SEARCH,
    &standing::STANDING,
    &provenance::PROVENANCE,
    &reliance::RELIANCE,
    &filings::FILINGS,
    &coverage::COVERAGE,
    &changes::CHANGES,
    &changes::ATOM,
    &typeahead::TYPEAHEAD,
    &stories::STORIES_OF,
    &impact_metrics::METRICS_OF,
    &stories::STORIES,
    &impact_metrics::METRICS,
    &beta::SEARCH,
    &feed::POSTS,
    &chat::CHAT_SEARCH,
    &chat::CHAT,
];

/// What is counted together, beside endpoints and pages.
const OTHERS: [&str; 3] = [MCP, "/assets", "unknown"];

/// The path of the Model Context Protocol.
const MCP: &str = "/mcp";

/// What a path names.
#[derive(Debug, Clone, Copy)]
pub(super) enum Route<'a> {
    /// The position in [`ENDPOINTS`], and the value in the path as it was sent.
    Endpoint(usize, Option<&'a str>),
    Page(Page),
    /// The Model Context Protocol.
    Mcp,
    /// The path of a file of the pages, below their folder.
    Asset(&'a str),
    Unknown,
}

impl<'a> Route<'a> {
    /// How many routes are counted apart.
    pub(super) const COUNT: usize = ENDPOINTS.len() + Page::ALL.len() + OTHERS.len();

    /// The route of a path as it was sent, percent-encoded.
    pub(super) fn of(path: &'a str) -> Self {
        if let Some((_, page)) = Page::ALL.iter().find(|(known, _)| *known == path) {
            return Self::Page(*page);
        }
        if path == MCP {
            return Self::Mcp;
        }
        if let Some(file) = path.strip_prefix(assets::FOLDER) {
            return Self::Asset(file);
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
    pub(super) fn endpoint(self) -> Option<&'static Endpoint> {
        match self {
            Self::Endpoint(index, _) => Some(ENDPOINTS[index]),
            _ => None,
        }
    }

    /// Its number, for counting.
    pub(super) fn index(self) -> usize {
        let page = |page| Page::ALL.iter().position(|(_, one)| *one == page);
        match self {
            Self::Endpoint(index, _) => index,
            Self::Page(one) => ENDPOINTS.len() + page(one).unwrap_or(Page::ALL.len()),
            Self::Mcp => Self::COUNT - 3,
            Self::Asset(_) => Self::COUNT - 2,
            Self::Unknown => Self::COUNT - 1,
        }
    }

    /// The name of the route of a number.
    pub(super) fn label(index: usize) -> &'static str {
        let paths = ENDPOINTS.iter().map(|endpoint| endpoint.path);
        let pages = Page::ALL.iter().map(|(path, _)| *path);
        paths.chain(pages).chain(OTHERS).nth(index).unwrap_or("unknown")
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
