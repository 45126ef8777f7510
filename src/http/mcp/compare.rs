//! `compare`: some nonprofits side by side, each with its details and its standing.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};

use super::schema;
use super::tool::{Argument, Arguments, Object, Tool, ToolError, ein, unknown};
use crate::http::api_error::ApiError;
use crate::http::details::Details;
use crate::http::standing::StandingShown;
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::snapshot::Snapshot;

/// Nonprofits that one call compares: more do not fit side by side, and their answer would fill
/// what a model can read at once.
const COMPARED_MAX: usize = 5;
const COMPARED_MIN: usize = 2;

const EINS: &str = "eins";

pub(super) static COMPARE: Tool = Tool {
    name: "compare",
    title: "Compare nonprofits",
    description: "Two to five nonprofits side by side, in the order asked for: for each the profile of \
        get_nonprofit and the standing of check_standing. Years and lists may differ between them: say so \
        when comparing figures.",
    arguments,
    output: || schema::of(SchemaGenerator::subschema_for::<Comparison<'_>>),
    call,
};

/// Nonprofits side by side.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Comparison")]
struct Comparison<'a> {
    /// The nonprofits, in the order in which they were asked for.
    nonprofits: Vec<Compared<'a>>,
}

/// One of the nonprofits compared.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "Compared")]
struct Compared<'a> {
    /// The full profile.
    details: Details<'a>,
    /// What it is in the eyes of the tax code, by the IRS's lists.
    standing: StandingShown<'a>,
}

fn arguments() -> Vec<Argument> {
    let schema = json!({
        "type": "array",
        "items": { "type": "string", "pattern": r"^\d{9}$" },
        "minItems": COMPARED_MIN,
        "maxItems": COMPARED_MAX,
        "uniqueItems": true,
        "description": "EINs of the nonprofits, two to five, each of exactly nine digits.",
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    vec![Argument { name: EINS.to_owned(), schema, is_required: true }]
}

fn call(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    let mut eins: Vec<Ein> = Vec::new();
    for text in sent.texts(EINS)? {
        let ein = ein(text)?;
        if !eins.contains(&ein) {
            eins.push(ein);
        }
    }
    if !(COMPARED_MIN..=COMPARED_MAX).contains(&eins.len()) {
        return Err(ToolError::Refused(format!(
            "Expected {COMPARED_MIN} to {COMPARED_MAX} different EINs in {EINS}; found {}. Call the tool with \
             that many.",
            eins.len()
        )));
    }
    let mut found: Vec<Organization> = Vec::new();
    let mut missing: Vec<Ein> = Vec::new();
    for ein in eins {
        match details(snapshot, ein)? {
            Some(organization) => found.push(organization),
            None => missing.push(ein),
        }
    }
    if !missing.is_empty() {
        return Err(unknown(&missing));
    }
    let nonprofits = found.iter().map(|organization| Compared {
        details: Details::of(organization),
        standing: StandingShown::of(organization, &snapshot.manifest),
    });
    let comparison = Comparison { nonprofits: nonprofits.collect() };
    match serde_json::to_value(&comparison).map_err(ApiError::Unwritable)? {
        Value::Object(answer) => Ok(answer),
        _ => Ok(Object::new()),
    }
}
