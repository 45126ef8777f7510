//! Resources: whole answers of the endpoints on one nonprofit, and what is loaded.

use rmcp::model::{Annotations, Resource, ResourceTemplate, Role};
use serde_json::{Value, json};

use crate::http::endpoints::coverage::COVERAGE;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::route::ENDPOINTS;
use crate::http::tools::{Object, ToolError, ask, ein, profile, quoted_excerpt, unknown};
use crate::search::details::details;
use crate::snapshot::Snapshot;

/// What stands before the EIN in the address of a resource.
const SCHEME: &str = "nonprofit://";
const COVERAGE_URI: &str = "almoner://coverage";
/// The parts of a nonprofit: the endpoints `/nonprofits/PART/{ein}`.
const PARTS: [&str; 6] = ["details", "standing", "provenance", "filings", "people", "reliance"];

/// The most organizations to which an answer links: more are a list, whose rows have their EINs.
const LINKS_MAX: usize = 3;
/// The members of a row that name its organization.
const NAMES: [&str; 3] = ["organization_name", "name", "legal_name"];

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

/// Links to the profiles of the few organizations that an answer is about. They are for people: a model has the EINs.
pub(super) fn links(answer: &Object) -> Vec<Resource> {
    let rows: Vec<&Object> = match answer.get("rows") {
        // A row with a message is of an EIN that nobody has.
        Some(Value::Array(rows)) => rows
            .iter()
            .filter_map(Value::as_object)
            .filter(|row| !row.contains_key("message"))
            .collect(),
        _ => vec![answer],
    };
    let text = |row: &Object, member: &str| row.get(member)?.as_str().map(str::to_owned);
    let mut links: Vec<Resource> = Vec::new();
    for row in rows {
        let Some(ein) = text(row, "ein") else { continue };
        let name = NAMES.iter().find_map(|member| text(row, member));
        let uri = format!("{SCHEME}{ein}");
        if links.iter().all(|link| link.uri != uri) {
            let people = Annotations::default().with_audience(vec![Role::User]);
            let link = Resource::new(uri, name.unwrap_or(ein)).with_mime_type("application/json");
            links.push(link.with_annotations(people));
        }
    }
    if links.len() > LINKS_MAX { Vec::new() } else { links }
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
    if part == PARTS[0] {
        // Each figure with its own period.
        let organization = details(snapshot, ein)?.ok_or_else(|| unknown(ein))?;
        return Ok(json!(profile(snapshot, &organization)?).to_string());
    }
    match ask(snapshot, endpoint, Some(ein.as_str()), "") {
        Err(ApiError::UnknownNonprofit) => Err(unknown(ein)),
        reply => Ok(text(reply?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_organizations_are_linked() {
        let row = |ein: &str| json!({ "ein": ein, "name": format!("N{ein}") });
        for (answer, expected) in [
            (json!({ "ein": "1", "exemption": "exempt" }), vec![("nonprofit://1", "1")]),
            (json!({ "ein": "1", "legal_name": "A" }), vec![("nonprofit://1", "A")]),
            (
                json!({ "rows": [row("1"), row("2"), row("1")] }),
                vec![("nonprofit://1", "N1"), ("nonprofit://2", "N2")],
            ),
            (
                json!({ "rows": [{ "ein": "1", "name": "A Person", "organization_name": "A" }] }),
                vec![("nonprofit://1", "A")],
            ),
            (json!({ "rows": [{ "ein": "1", "message": "unknown" }] }), vec![]),
            (json!({ "rows": [row("1"), row("2"), row("3"), row("4")] }), vec![]),
            (json!({ "rows": [{ "state": "VT", "count": 2 }], "total": 1 }), vec![]),
            (json!({ "states": ["VT"] }), vec![]),
        ] {
            let links = links(answer.as_object().unwrap());
            let found: Vec<_> =
                links.iter().map(|link| (link.uri.as_str(), link.name.as_str())).collect();
            assert_eq!(found, expected, "{answer}");
            assert!(
                links.iter().all(|link| json!(link)["annotations"]["audience"] == json!(["user"]))
            );
        }
    }
}
