//! JSON schemas of the answers, from the types that are serialized: their members, what may be null, and
//! the comment on each member as its description.
//!
//! A type of an answer derives [`JsonSchema`] and becomes a component, under its `rename`.

use schemars::generate::SchemaSettings;
use schemars::transform::transform_subschemas;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};

use crate::export::{Column, resolved};

/// Gives the schema of a type: a reference to its component.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What collects the schemas of what is serialized, as components of an OpenAPI document.
pub(crate) fn generator() -> SchemaGenerator {
    generator_below("/components/schemas")
}

/// What collects the schemas of what is serialized, below a place of a document.
pub(crate) fn generator_below(definitions_path: &'static str) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(plain);
    settings
        .with(|settings| {
            settings.definitions_path = definitions_path.into();
            settings.meta_schema = None;
        })
        .into_generator()
}

/// What a row of a type is, and its columns.
pub(crate) fn row_of<T: JsonSchema>() -> (String, Vec<Column>) {
    let mut generator = generator();
    let schema = generator.subschema_for::<T>().to_value();
    let definitions = Value::Object(generator.take_definitions(true));
    let row = resolved(&schema, &definitions);
    let description = row["description"].as_str().unwrap_or_default().to_owned();
    (description, Column::of_object(row, &definitions))
}

/// Makes a schema plainer: a description is one line, a choice of constants an `enum`, and a number does
/// not tell in how many bits it is kept.
fn plain(schema: &mut Schema) {
    transform_subschemas(&mut plain, schema);
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = description.replace('\n', " ");
    }
    let format = schema.get("format").and_then(Value::as_str).unwrap_or_default();
    if ["int", "uint", "float", "double"].iter().any(|number| format.starts_with(number)) {
        if format.starts_with("uint") {
            schema.remove("maximum");
        }
        schema.remove("format");
    }
    if let Some(constants) = schema.get("oneOf").and_then(constants) {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), json!("string"));
        schema.insert("enum".to_owned(), Value::Array(constants));
    }
}

/// The values of a choice, if each is constant.
fn constants(choice: &Value) -> Option<Vec<Value>> {
    let values = choice.as_array()?.iter().map(|one| match (one.get("const"), one.get("enum")) {
        (Some(constant), _) => Some(vec![constant.clone()]),
        (None, Some(some)) => some.as_array().cloned(),
        (None, None) => None,
    });
    values.collect::<Option<Vec<_>>>().map(|values| values.concat())
}
