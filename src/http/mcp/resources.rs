//! Resources: whole answers of the endpoints on one nonprofit, and what is loaded.

use rmcp::model::{Resource, ResourceTemplate};

use crate::http::endpoints::coverage::COVERAGE;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::route::ENDPOINTS;
use crate::http::tools::{ToolError, ask, ein, quoted_excerpt, unknown};
use crate::snapshot::Snapshot;

/// What stands before the EIN in the address of a resource.
const SCHEME: &str = "nonprofit://";
const COVERAGE_URI: &str = "almoner://coverage";
/// The parts of a nonprofit: the endpoints `/nonprofits/PART/{ein}`.
const PARTS: [&str; 6] = ["details", "standing", "provenance", "filings", "people", "reliance"];

pub(super) fn listed() -> Vec<Resource> {
    vec![
        Resource::new(COVERAGE_URI, "coverage")
            .with_title("What is loaded")
            .with_description("Lists, days, states, counties and returns, whole.")
            .with_mime_type("application/json"),
    ]
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let of = |uri: String, name: &str, title: &str, description: String| {
        ResourceTemplate::new(uri, name)
            .with_title(title)
            .with_description(description)
            .with_mime_type("application/json")
    };
    let parts = format!("One part of it, whole: {}.", PARTS.join(", "));
    vec![
        of(
            format!("{SCHEME}{{ein}}"),
            "nonprofit",
            "Nonprofit",
            "The full profile of one nonprofit.".to_owned(),
        ),
        of(format!("{SCHEME}{{ein}}/{{part}}"), "nonprofit_part", "Part of a nonprofit", parts),
    ]
}

/// The text of a resource.
pub(super) fn read(snapshot: &Snapshot, uri: &str) -> Result<String, ToolError> {
    let text = |reply: crate::http::interface::endpoint::Reply| {
        String::from_utf8_lossy(&reply.body).into_owned()
    };
    if uri == COVERAGE_URI {
        return Ok(text(ask(snapshot, &COVERAGE, None, "")?));
    }
    let Some(value) = uri.strip_prefix(SCHEME) else {
        return Err(ToolError::Refused(format!(
            "Expected {COVERAGE_URI} or {SCHEME} and an EIN; found {}",
            quoted_excerpt(uri)
        )));
    };
    let (value, part) = value.split_once('/').unwrap_or((value, PARTS[0]));
    let path = format!("/nonprofits/{part}/{{ein}}");
    let endpoint = ENDPOINTS.iter().find(|one| one.path == path && PARTS.contains(&part));
    let Some(endpoint) = endpoint else {
        let (parts, found) = (PARTS.join(", "), quoted_excerpt(part));
        return Err(ToolError::Refused(format!("Expected a part among {parts}; found {found}")));
    };
    let ein = ein(value)?;
    match ask(snapshot, endpoint, Some(ein.as_str()), "") {
        Err(ApiError::UnknownNonprofit) => Err(unknown(ein)),
        reply => Ok(text(reply?)),
    }
}
