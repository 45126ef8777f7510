//! How the table of tools declares an argument, and what a model reads of it.

use serde_json::{Value, json};

use super::arguments::{Argument, Form, Object};
use crate::http::endpoints::r#match::MATCH;
use crate::http::interface::endpoint::Endpoint;
use crate::table::{Table, table};
use crate::views::{SchemaOf, generator_below};

/// Texts about arguments, by tool and argument or by argument.
const TEXTS: Table = table!("data/tool_arguments.tsv");

/// The most values of an enumeration that models are given; a refusal lists the others.
const VALUES_LISTED_MAX: usize = 8;

/// An argument, as the table names it.
pub(in crate::http) fn argument(
    tool: &str,
    endpoint: Option<&Endpoint>,
    written: &'static str,
) -> Option<Argument> {
    let (written, is_required) = match written.strip_suffix('!') {
        Some(written) => (written, true),
        None => (written, false),
    };
    let (written, kind) =
        written.split_once(':').map_or((written, None), |(name, kind)| (name, Some(kind)));
    let (name, parameter) = written.split_once('=').unwrap_or((written, written));
    let documents =
        endpoint.into_iter().flat_map(|one| one.parameters).flat_map(|one| one.documents());
    let declared = documents.into_iter().find(|one| one["name"] == parameter);
    let schema = declared.as_ref().map_or(&Value::Null, |one| &one["schema"]);
    let kind = kind.or_else(|| match schema["type"].as_str()? {
        "array" => Some("list"),
        "integer" => Some("integer"),
        "number" => Some("number"),
        "boolean" => Some("boolean"),
        _ => Some("string"),
    })?;
    let (form, mut shown) = match kind {
        "list" => (Form::Many, json!({ "type": "array", "items": { "type": "string" } })),
        "objects" => (Form::Objects, rows_schema()),
        kind => (Form::One, json!({ "type": kind })),
    };
    let values = schema["enum"].as_array().or(schema["items"]["enum"].as_array());
    if let Some(values) = values.filter(|values| values.len() <= VALUES_LISTED_MAX) {
        let place = if form == Form::Many { &mut shown["items"] } else { &mut shown };
        place["enum"] = json!(values);
    }
    if name == "detail" {
        shown["enum"] = json!(["brief", "full"]);
    }
    let mut rows = TEXTS
        .rows::<2>()
        .filter(|[key, _]| *key == name || key.split_once('.') == Some((tool, name)));
    let first = rows.next()?;
    let about = rows.chain([first]).find(|[key, _]| key.contains('.')).unwrap_or(first)[1];
    if !about.is_empty() {
        shown["description"] = json!(about);
    }
    let is_required = is_required || declared.is_some_and(|one| one["required"] == true);
    Some(Argument { name, parameter, form, schema: shown, is_required })
}

/// What the rows of a list may have, from the declaration of the endpoint.
fn rows_schema() -> Value {
    let request = schema_of(MATCH.request);
    let row = &request["$defs"]["MatchQuery"]["properties"];
    let members = row.as_object().into_iter().flatten().map(|(name, member)| {
        let kind = &member["type"];
        let kind = kind.as_array().and_then(|kinds| kinds.first()).unwrap_or(kind);
        (name.clone(), json!({ "type": kind }))
    });
    let members: Object = members.collect();
    json!({ "type": "array", "items": { "type": "object", "properties": members } })
}

/// What stands before the name of a definition in a reference.
const DEFINITIONS: &str = "/$defs";

/// The schema of a type, an object, with the definitions that it refers to.
fn schema_of(schema: SchemaOf) -> Object {
    let mut generator = generator_below(DEFINITIONS);
    let reference = schema(&mut generator).to_value();
    let mut definitions = generator.take_definitions(true);
    let name = reference["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    let root = name.and_then(|name| definitions.remove(name));
    let Some(Value::Object(mut root)) = root else { return Object::new() };
    if !definitions.is_empty() {
        root.insert("$defs".to_owned(), Value::Object(definitions));
    }
    root
}
