//! `match_organizations`: `/match`.

use serde_json::{Value, json};

use super::schema;
use super::tool::{Argument, Arguments, Object, Tool, ToolError, object};
use crate::http::r#match::MATCH;
use crate::snapshot::Snapshot;

pub(super) static MATCH_ORGANIZATIONS: Tool = Tool {
    name: "match_organizations",
    title: "Match organizations",
    description: "The EINs of a list of organizations by name and, where known, street, city, state and ZIP \
        code. score is a calibrated probability: take what is decided yes, show a person what is maybe with \
        its reasons, and leave no without an EIN. Give every part of the address that there is.",
    arguments,
    output: || schema::of(MATCH.body),
    call,
};

/// The members of the request, whole in themselves.
fn arguments() -> Vec<Argument> {
    let request = schema::of(MATCH.request);
    let definitions = request.get("$defs").cloned().unwrap_or_default();
    let properties = request.get("properties").and_then(Value::as_object).cloned();
    let argument = |(name, schema): (String, Value)| {
        let mut schema = schema.as_object().cloned().unwrap_or_default();
        let row = schema.get("items").and_then(|items| items["$ref"].as_str());
        if let Some(row) = row.and_then(|path| path.rsplit('/').next()) {
            let mut row = definitions[row].clone();
            // Of an organization its name or its EIN must be known, nothing else.
            row["required"] = json!([]);
            schema.insert("items".to_owned(), row);
        }
        // An argument that is null counts as absent.
        let kind = schema.get("type").and_then(Value::as_array);
        if let Some(kind) =
            kind.and_then(|kinds| kinds.iter().find(|kind| **kind != "null")).cloned()
        {
            schema.insert("type".to_owned(), kind);
        }
        Argument { is_required: schema.contains_key("items"), name, schema }
    };
    properties.unwrap_or_default().into_iter().map(argument).collect()
}

fn call(snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
    object(&(MATCH.answer)(Some(snapshot), sent.json().as_bytes())?)
}
