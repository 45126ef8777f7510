//! `GET /nonprofits/details/{ein}`: the full profile of one nonprofit.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use super::api_error::ApiError;
use super::declared::EIN;
use super::endpoint::{Body, Context, Cost, Endpoint, Reply, Reuse, Rows, UNKNOWN_EIN, json};
use super::parameter::parameters;
use super::profile::ChatNonprofit;
use crate::record::{Ein, LatestFiling, Organization};
use crate::search::details::details;

parameters! {
    /// What details take.
    Params {
        ein: Ein = EIN,
    }
}

/// The full profile of one nonprofit.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NonprofitDetails")]
pub struct Details<'a> {
    #[serde(flatten)]
    shown: ChatNonprofit<'a>,
    /// Address of its latest return in XML, made of the IRS's number of the return; null where no
    /// return or no number is known.
    irs_filing_url: Option<String>,
    /// What it achieved: what the operator gives, else the most telling sentences on the programs
    /// in its latest return; null where neither is known.
    impact_summary: Option<&'a str>,
}

impl<'a> Details<'a> {
    /// The names of its values in a flat table, in their order; `a.b` is what `b` is in the object `a`.
    pub fn columns() -> Vec<String> {
        let mut generator = SchemaSettings::default()
            .with(|settings| settings.inline_subschemas = true)
            .into_generator();
        let schema = generator.root_schema_for::<Self>();
        let mut columns = Vec::new();
        collect_columns(schema.as_value(), "", &mut columns);
        columns
    }

    /// The profile of an organization.
    pub fn of(organization: &'a Organization) -> Self {
        Self {
            shown: ChatNonprofit::of(organization),
            irs_filing_url: organization.latest_filing.as_ref().and_then(LatestFiling::url),
            impact_summary: organization.impact_summary.as_deref(),
        }
    }
}

/// Adds the columns of an object with this schema; one that may be null is told by what else it may be.
fn collect_columns(schema: &Value, outer: &str, columns: &mut Vec<String>) {
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        let is_object = |schema: &&Value| schema["properties"].is_object();
        let others = schema["anyOf"].as_array().into_iter().flatten();
        let name = format!("{outer}{name}");
        match std::iter::once(schema).chain(others).find(is_object) {
            Some(object) => collect_columns(object, &format!("{name}."), columns),
            None => columns.push(name),
        }
    }
}

/// The endpoint.
pub(super) static DETAILS: Endpoint = Endpoint {
    path: "/nonprofits/details/{ein}",
    tag: "Insights",
    summary: "Full profile of one nonprofit",
    body: Body::Json(SchemaGenerator::subschema_for::<Details<'_>>),
    rows: Rows::Whole,
    reuse: Reuse::UntilSwap,
    not_found: Some(UNKNOWN_EIN),
    // One lookup and one record.
    cost: Cost::Micro,
    parameters: Params::DECLARED,
    answer,
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let found = details(context.snapshot()?, asked.ein)?;
    json(&Details::of(&found.ok_or(ApiError::UnknownNonprofit)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_members_in_their_order() {
        let organization = Organization::named("970000001".parse().unwrap(), "A");
        let shown = serde_json::to_value(Details::of(&organization)).unwrap();
        let members: Vec<&String> = shown.as_object().unwrap().keys().collect();
        assert_eq!(Details::columns().iter().collect::<Vec<_>>(), members);
    }

    #[test]
    fn objects_within_are_flat() {
        let point = serde_json::json!({ "properties": { "lat": {}, "lng": {} } });
        let nullable = serde_json::json!({ "anyOf": [point, { "type": "null" }] });
        let schema = serde_json::json!({ "properties": { "a": {}, "p": point, "q": nullable } });
        let mut columns = Vec::new();
        collect_columns(&schema, "", &mut columns);
        assert_eq!(columns, ["a", "p.lat", "p.lng", "q.lat", "q.lng"]);
    }
}
