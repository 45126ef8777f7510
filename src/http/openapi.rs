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
    for (path, schema, summary) in PAGES {
        paths.insert(path.to_owned(), json!({ "get": page(path, schema, summary) }));
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
            { "name": "Operation" },
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

/// What answers programs beside the endpoints: path, schema (none for plain text), summary. What is
/// for people, and this document itself, is left out.
const PAGES: [(&str, Option<&str>, &str); 4] = [
    ("/health", Some("Health"), "Whether the process lives"),
    ("/ready", Some("Ready"), "Whether a snapshot is open"),
    ("/version", Some("Version"), "The program, its snapshot and the files that it was built from"),
    ("/metrics", None, "Telemetry in the text format of Prometheus"),
];

/// Statuses that any request may be answered with, and when. Of what comes before a request is
/// understood as such (400, 414, 431) the body may be empty.
const REFUSALS: [(u16, &str); 8] = [
    (400, "The head of the request, or its body, is broken; the body may be empty."),
    (405, "Another method than GET and HEAD."),
    (408, "The request's body did not come within 10 s."),
    (413, "The request has a body of more than 4 KiB."),
    (414, "Path and query together are longer than 8 KiB; the body may be empty."),
    (431, "The headers are longer than 16 KiB, or more than 100; the body may be empty."),
    (500, "A fault of the server; its log has the same `x-request-id`."),
    (503, "Overloaded or not ready: try again."),
];

/// One endpoint's description.
fn operation(endpoint: &Endpoint) -> Value {
    let path = endpoint.path;
    let parameters: Vec<_> = endpoint.parameters.iter().flat_map(|one| one.documents()).collect();
    let mut responses = refusals();
    responses["200"] = response(200, "The answer.", Some(endpoint.schema));
    if path.ends_with(".atom") {
        let feed = json!({ "application/atom+xml": { "schema": { "type": "string" } } });
        responses["200"]["content"] = feed;
    }
    responses["401"] = response(401, "No valid API key.", Some("Error"));
    responses["422"] =
        response(422, "Parameters that are not what they should be.", Some("ValidationError"));
    let of_one = ["details", "standing", "provenance", "reliance"];
    if of_one.iter().any(|one| path.starts_with(&format!("/nonprofits/{one}/{{ein}}"))) {
        responses["404"] = response(404, "No nonprofit has this EIN.", Some("Error"));
    }
    json!({
        "operationId": identifier(path),
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": responses,
    })
}

/// The description of what answers beside the endpoints.
fn page(path: &str, schema: Option<&str>, summary: &str) -> Value {
    let mut responses = refusals();
    responses["200"] = response(200, "The answer.", schema);
    // A private service asks for a key, except where it is asked whether it lives.
    let security = if path == "/health" {
        json!([])
    } else {
        responses["401"] =
            response(401, "The service is private: no valid API key.", Some("Error"));
        json!([{}, { "ApiKey": [] }])
    };
    json!({
        "operationId": identifier(path),
        "tags": ["Operation"],
        "summary": summary,
        "security": security,
        "parameters": [],
        "responses": responses,
    })
}

fn identifier(path: &str) -> String {
    let words = path.split(['/', '{', '}', '_']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

fn refusals() -> Value {
    let one =
        |(status, when): &(u16, &str)| (status.to_string(), response(*status, when, Some("Error")));
    Value::Object(REFUSALS.iter().map(one).collect())
}

/// A response with a body of a schema, or of plain text.
fn response(status: u16, description: &str, schema: Option<&str>) -> Value {
    let content = match schema {
        Some(name) => {
            let reference = json!({ "$ref": format!("#/components/schemas/{name}") });
            json!({ "application/json": { "schema": reference } })
        }
        None => json!({ "text/plain": { "schema": { "type": "string" } } }),
    };
    json!({ "description": description, "headers": headers(status), "content": content })
}

/// The headers of a status, beside those that every answer has.
fn headers(status: u16) -> Value {
    // Answers to what was not understood as a request have none.
    let is_known = !matches!(status, 400 | 414 | 431);
    let mut headers = json!({
        "x-request-id": {
            "description": "The client's own identifier of the request, or a new one.",
            "required": is_known,
            "schema": { "type": "string", "minLength": 1, "maxLength": 64 },
        },
    });
    let (name, description, schema) = match status {
        200 => ("x-almoner-plan", "How the answer was found.", json!({ "type": "string" })),
        401 => ("WWW-Authenticate", "What to show.", json!({ "const": "APIKey" })),
        405 => ("Allow", "Methods that are answered.", json!({ "const": "GET, HEAD" })),
        503 => ("Retry-After", "Seconds to wait.", json!({ "type": "integer", "minimum": 0 })),
        _ => return headers,
    };
    headers[name] = json!({ "description": description, "schema": schema });
    headers
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
