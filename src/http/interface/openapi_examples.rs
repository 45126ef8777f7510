//! Examples of operations: a request, and the answer to it from fictional data. `scripts/openapi_examples.py` makes them
//! by asking a server.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

const EXAMPLES: &str = include_str!("../../../data/openapi_examples.json");

/// An example of an operation.
#[derive(Debug, Deserialize)]
pub(crate) struct Example {
    /// Path and query of a GET.
    target: Option<String>,
    /// The body of a POST.
    body: Option<Value>,
    /// Its lists have their first row only.
    pub(crate) answer: Value,
}

/// The examples, by the paths of their operations.
pub(crate) fn examples() -> BTreeMap<String, Example> {
    serde_json::from_str(EXAMPLES).expect("the embedded examples are JSON of this form")
}

/// Adds the examples to the paths of a document.
pub(crate) fn add(paths: &mut Map<String, Value>) {
    for (path, example) in examples() {
        let Some(methods) = paths.get_mut(&path) else { continue };
        let Example { target, body, answer } = example;
        let operation = &mut methods[if body.is_some() { "post" } else { "get" }];
        if let Some(target) = target {
            add_parameters(operation, &path, &target);
        }
        if let Some(body) = body {
            operation["requestBody"]["content"]["application/json"]["example"] = body;
        }
        operation["responses"]["200"]["content"]["application/json"]["example"] = answer;
    }
}

/// Gives the parameters that a target names the values that it has.
fn add_parameters(operation: &mut Value, path: &str, target: &str) {
    let (place, query) = target.split_once('?').unwrap_or((target, ""));
    let in_path = path.split('/').zip(place.split('/')).filter_map(|(name, value)| {
        let name = name.strip_prefix('{')?.strip_suffix('}')?;
        Some((name.to_owned(), value.to_owned()))
    });
    let in_query = form_urlencoded::parse(query.as_bytes()).into_owned();
    let values: BTreeMap<String, String> = in_path.chain(in_query).collect();
    for parameter in operation["parameters"].as_array_mut().into_iter().flatten() {
        let value = parameter["name"].as_str().and_then(|name| values.get(name));
        if let Some(value) = value {
            parameter["example"] = typed(value, &parameter["schema"]);
        }
    }
}

/// A value as its schema has it.
fn typed(value: &str, schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("array") => value.split(',').map(|item| typed(item, &schema["items"])).collect(),
        Some("integer" | "number" | "boolean") => {
            serde_json::from_str(value).unwrap_or_else(|_| json!(value))
        }
        _ => json!(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_types_of_their_parameters() {
        for (value, schema, expected) in [
            ("VT", json!({ "type": "string" }), json!("VT")),
            ("10", json!({ "type": "integer" }), json!(10)),
            ("10", json!({ "type": "string" }), json!("10")),
            ("true", json!({ "type": "boolean" }), json!(true)),
            ("1,2", json!({ "type": "array", "items": { "type": "integer" } }), json!([1, 2])),
            ("a", json!({ "type": "array", "items": { "type": "string" } }), json!(["a"])),
        ] {
            assert_eq!(typed(value, &schema), expected);
        }
    }
}
