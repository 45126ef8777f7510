//! The interface's description, OpenAPI 3.1, from the declarations of endpoints and parameters.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::endpoint::Endpoint;
use super::route::ENDPOINTS;
use super::schema;

static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", document()));

/// The description, as JSON text.
pub fn text() -> &'static str {
    &TEXT
}

/// The description.
fn document() -> Value {
    let mut paths = Map::new();
    for endpoint in ENDPOINTS {
        paths.insert(endpoint.path.to_owned(), json!({ "get": operation(endpoint) }));
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Nonprofit Insights",
            "version": "1.0.0",
            "description": "Search over U.S. nonprofits, from the IRS's public bulk files.",
        },
        "tags": [
            { "name": "Insights" }, { "name": "Impact" }, { "name": "Feed" }, { "name": "Beta" },
        ],
        "security": [{ "ApiKey": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "ApiKey": { "type": "apiKey", "in": "header", "name": "X-API-Key" },
            },
            "schemas": schemas(),
        },
    })
}

/// One endpoint's description.
fn operation(endpoint: &Endpoint) -> Value {
    let path = endpoint.path;
    let words = path.split(['/', '{', '}', '_']).filter(|word| !word.is_empty());
    let identifier = words.collect::<Vec<_>>().join("_");
    let parameters: Vec<_> = endpoint.parameters.iter().map(|one| one.document()).collect();
    let mut responses = json!({
        "200": response("The answer.", endpoint.schema),
        "401": response("No valid API key.", "Error"),
        "422": response("Parameters that are not what they should be.", "ValidationError"),
        "500": response("A fault of the server.", "Error"),
        "503": response("Overloaded or not ready: try again.", "Error"),
    });
    if path == "/nonprofits/details/{ein}" {
        responses["404"] = response("No nonprofit has this EIN.", "Error");
    }
    json!({
        "operationId": identifier,
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": responses,
    })
}

fn response(description: &str, schema: &str) -> Value {
    let reference = json!({ "$ref": format!("#/components/schemas/{schema}") });
    json!({
        "description": description,
        "content": { "application/json": { "schema": reference } },
    })
}

/// The schemas of answers and errors.
fn schemas() -> Map<String, Value> {
    let mut schemas = schema::all();
    schemas.insert(
        "Error".into(),
        json!({
            "type": "object",
            "description": "What went wrong, in one sentence.",
            "properties": { "detail": { "type": "string" } },
            "required": ["detail"],
        }),
    );
    schemas.insert(
        "ValidationError".into(),
        json!({
            "type": "object",
            "description": "Every parameter that is not what it should be.",
            "properties": { "detail": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "type": { "type": "string" },
                    "loc": { "type": "array", "items": { "type": ["string", "integer"] } },
                    "msg": { "type": "string" },
                    "input": { "type": ["string", "null"] },
                    "ctx": { "type": "object" },
                },
                "required": ["type", "loc", "msg", "input"],
            } } },
            "required": ["detail"],
        }),
    );
    schemas
}
