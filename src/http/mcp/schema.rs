//! Schemas of what tools answer: those of the endpoints, each whole in itself.

use schemars::SchemaGenerator;
use serde_json::Value;

use super::tool::Object;
use crate::http::endpoint::{Body, Endpoint};
use crate::http::schema::{SchemaOf, generator_below};

/// What stands before the name of a definition in a reference.
const DEFINITIONS: &str = "/$defs";

/// The schema of an endpoint's answer.
pub(super) fn of_endpoint(endpoint: &Endpoint) -> Object {
    match endpoint.body {
        Body::Json(schema) => of(schema),
        Body::Atom | Body::Html => Object::new(),
    }
}

/// The schema of a type, an object, with the definitions that it refers to.
pub(super) fn of(schema: SchemaOf) -> Object {
    let mut generator: SchemaGenerator = generator_below(DEFINITIONS);
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
