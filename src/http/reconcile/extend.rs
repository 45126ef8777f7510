//! Data extension: values of nonprofits that were reconciled, and which values there are.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::entity::{MEMBERS, Member, Property};
use crate::http::endpoints::r#match::QUERIES_MAX;
use crate::http::interface::api_error::ApiError;
use crate::http::interface::body::{self, BodyErrors, Object};
use crate::http::interface::endpoint::{Context, Endpoint, Reply, Rows, json};
use crate::http::interface::parameter::{optional, parameters};
use crate::http::interface::parameter_type::{Integer, Text};
use crate::record::Ein;
use crate::search::details::details;
use crate::views::Details;

/// Properties of one request: more than there are.
const PROPERTIES_MAX: usize = 100;
/// Characters of an identifier.
const ID_CHARACTERS_MAX: usize = 64;
/// Where the question stands in a request.
const PLACE: &[&str] = &["query", "extend"];

/// Values of nonprofits.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationExtension")]
pub(super) struct Extension {
    /// Properties, in the order in which they were asked for.
    meta: Vec<PropertyName>,
    /// By EIN and property its values: none where they are not known.
    rows: BTreeMap<String, BTreeMap<String, Vec<Cell>>>,
}

/// A property that was asked for.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationPropertyName")]
struct PropertyName {
    /// Identifier of the property.
    id: &'static str,
    /// Name of the property.
    name: &'static str,
}

/// A value, under the name of its kind.
#[derive(Debug, PartialEq, JsonSchema, Serialize)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Cell {
    /// Text; `true` or `false` of what is so or not.
    Str(String),
    /// Whole number.
    Int(i64),
    /// Number.
    Float(f64),
    /// Midnight of a day in UTC, as ISO 8601 has it.
    Date(String),
}

pub(super) fn answer(context: &Context<'_>, text: &str) -> Result<Extension, ApiError> {
    let asked = body::read(text.as_bytes(), asked).map_err(|errors| errors.within(PLACE))?;
    let (ids, members) = asked;
    if ids.len() > QUERIES_MAX {
        return Err(ApiError::LongBatch(QUERIES_MAX));
    }
    let snapshot = context.snapshot()?;
    let mut rows = BTreeMap::new();
    for id in ids {
        let found = Ein::from_typed(&id).map(|ein| details(snapshot, ein)).transpose()?.flatten();
        let shown = found.as_ref().map(|one| serde_json::to_value(Details::of(one)));
        let shown = shown.transpose().map_err(ApiError::Unwritable)?.unwrap_or_default();
        let values = members.iter().map(|member| {
            let id = &member.property.id;
            (id.clone(), cells(&shown[id.as_str()], member))
        });
        rows.insert(id, values.collect());
    }
    let meta = members
        .iter()
        .map(|member| PropertyName { id: &member.property.id, name: &member.property.name });
    Ok(Extension { meta: meta.collect(), rows })
}

fn asked(object: &Object<'_>, errors: &mut BodyErrors) -> (Vec<String>, Vec<&'static Member>) {
    for name in ["ids", "properties"] {
        if !object.has(name) {
            object.missing(name, errors);
        }
    }
    // Too many ids are refused later, with another status.
    let ids = object.texts("ids", (usize::MAX, ID_CHARACTERS_MAX), errors);
    let members = object.objects("properties", PROPERTIES_MAX, errors, |property, errors| {
        if !property.has("id") {
            property.missing("id", errors);
        }
        let id = property.text("id", ID_CHARACTERS_MAX, errors)?;
        let found = MEMBERS.iter().find(|member| member.property.id == id);
        if found.is_none() {
            let known: Vec<&str> = MEMBERS.iter().map(|one| one.property.id.as_str()).collect();
            property.unfit_member("id", format!("expected one of {}", known.join(", ")), errors);
        }
        found
    });
    (ids, members.into_iter().flatten().collect())
}

fn cells(value: &Value, member: &Member) -> Vec<Cell> {
    match value {
        Value::Null | Value::Object(_) => Vec::new(),
        Value::Array(items) => items.iter().flat_map(|item| cells(item, member)).collect(),
        Value::Bool(holds) => vec![Cell::Str(holds.to_string())],
        Value::String(day) if member.is_day => vec![Cell::Date(format!("{day}T00:00:00Z"))],
        Value::String(text) => vec![Cell::Str(text.clone())],
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => vec![Cell::Int(whole)],
            (None, Some(real)) => vec![Cell::Float(real)],
            (None, None) => Vec::new(),
        },
    }
}

parameters! {
    /// What the proposal of properties takes.
    Params {
        of_type: Option<String> = optional(
            "type",
            Text::ANY,
            "Type of the entities whose properties are wanted; all types have the same.",
        ),
        limit: Option<i64> = optional("limit", Integer::between(1, 1_000), "Properties at most."),
    }
}

/// Properties that may be asked for.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ReconciliationProperties")]
struct Proposal {
    /// The properties, in the order of the details of a nonprofit.
    properties: Vec<Property>,
    /// The type, as it was sent; absent where none was.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    of_type: Option<String>,
    /// The most properties that were asked for; absent where nobody said.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<i64>,
}

pub(in crate::http) static PROPERTIES: Endpoint = Endpoint {
    tag: "Reconciliation",
    summary: "Properties that data extension can give",
    rows: Rows::In("properties"),
    ..Endpoint::json::<Proposal>("/reconcile/extend/properties", Params::DECLARED, propose)
};

fn propose(context: &Context<'_>) -> Result<Reply, ApiError> {
    let Params { of_type, limit } = Params::read(&context.input)?;
    let most = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let properties = MEMBERS.iter().take(most).map(|member| member.property.clone());
    json(&Proposal { properties: properties.collect(), of_type, limit })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_have_their_kinds() {
        let property =
            Property { id: String::new(), name: String::new(), description: String::new() };
        let of = |value: Value, is_day| {
            serde_json::to_value(cells(&value, &Member { property: property.clone(), is_day }))
        };
        for (value, is_day, expected) in [
            (json!(null), false, json!([])),
            (json!("2020-01-01"), false, json!([{ "str": "2020-01-01" }])),
            (json!("2020-01-01"), true, json!([{ "date": "2020-01-01T00:00:00Z" }])),
            (json!(true), false, json!([{ "str": "true" }])),
            (json!(-3), false, json!([{ "int": -3 }])),
            (json!(1.5), false, json!([{ "float": 1.5 }])),
            (json!([1, 2]), false, json!([{ "int": 1 }, { "int": 2 }])),
        ] {
            assert_eq!(of(value, is_day).unwrap(), expected);
        }
    }
}
