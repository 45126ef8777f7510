//! The interface's description, OpenAPI 3.1, from the declarations of endpoints and parameters.

use std::sync::LazyLock;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::compression::SharedBody;
use super::endpoint::{Body, Endpoint, Rows, Submission};
use super::page::{Description, Page};
use super::query_names::FIELDS;
use super::route::{CSV_SUFFIX, ENDPOINTS, EXPORTS, Route, SUBMISSIONS};
use super::rows::RowLayout;
use super::{api_error, openapi_examples, validation_error};
use crate::http::endpoints::export::{self, Export};
use crate::http::server::exports::EXPORT_TIME_MAX;
use crate::http::server::limits::{
    BODY_BYTES_MAX, HEADER_BYTES_MAX, HEADERS_MAX, REQUEST_DEADLINE, REQUEST_ID_MAX,
    SUBMISSION_BYTES_MAX, TARGET_BYTES_MAX,
};
use crate::views::generator;

static TEXT: LazyLock<String> = LazyLock::new(|| format!("{:#}\n", document()));
static SHARED: LazyLock<SharedBody> = LazyLock::new(|| SharedBody::new(text()));

/// What the reconciliation service is, for its group.
const RECONCILIATION: &str = "The W3C community group's Reconciliation Service API 0.2. Everything also answers below \
    `/reconcile/{key}` in place of `/reconcile`, for clients that cannot send a header. Pages of every origin may read \
    the answers, by CORS or as JSONP: a GET with the parameter `callback`, the name of a function, is answered with a \
    script that calls it with the answer (`application/javascript`), but for previews. Of the draft of version 1.0 \
    there is the match service.";

/// The description, as JSON text.
pub fn text() -> &'static str {
    &TEXT
}

/// The description as it is sent.
pub(crate) fn shared() -> &'static SharedBody {
    &SHARED
}

pub(crate) fn document() -> Value {
    let mut generator = generator();
    let mut paths = Map::new();
    for (index, endpoint) in ENDPOINTS.iter().enumerate() {
        let operation = operation(index, endpoint, &mut generator);
        let mut methods = json!({ "get": operation });
        if Route::of(endpoint.path).takes_form() {
            methods["post"] = form_operation(&methods["get"], endpoint, &mut generator);
            // Asked nothing it answers with its manifest, for which no key is needed.
            methods["get"]["security"] = json!([{}, { "ApiKey": [] }]);
            methods["get"]["responses"]["405"]["headers"]["Allow"]["schema"] =
                methods["post"]["responses"]["405"]["headers"]["Allow"]["schema"].clone();
        }
        paths.insert(endpoint.path.to_owned(), methods);
    }
    for submission in SUBMISSIONS {
        let operation = submission_operation(submission, &mut generator);
        paths.insert(submission.path.to_owned(), json!({ "post": operation }));
    }
    for export in EXPORTS {
        let operation = export_operation(export, &mut generator);
        paths.insert(export.path.to_owned(), json!({ "get": operation }));
    }
    for (path, page) in Page::ALL {
        if let Some(description) = page.description() {
            let operation = page_operation(path, page, &description, &mut generator);
            paths.insert(path.to_owned(), json!({ "get": operation }));
        }
    }
    openapi_examples::add(&mut paths);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Almoner",
            "version": "1.0.0",
            "description": "Search over U.S. nonprofits, from the IRS's public bulk files.",
            "contact": { "name": "Whoever operates this server" },
            "license": { "name": "Apache License 2.0", "identifier": "Apache-2.0" },
        },
        "servers": [{ "url": "/", "description": "The server that gave this document." }],
        "tags": [
            { "name": "Insights" }, { "name": "Impact" }, { "name": "Feed" }, { "name": "Beta" },
            { "name": "Money and people" },
            { "name": "Reconciliation", "description": RECONCILIATION },
            { "name": "Operation" },
        ],
        "security": [{ "ApiKey": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "ApiKey": { "type": "apiKey", "in": "header", "name": "X-API-Key" },
            },
            "schemas": generator.take_definitions(true),
        },
    })
}

/// One endpoint's description.
fn operation(index: usize, endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Value {
    let parameters: Vec<_> = endpoint.parameters.iter().flat_map(|one| one.documents()).collect();
    let mut responses = errors(generator);
    let mut content = match endpoint.body {
        Body::Json(schema) => json_body(schema(generator).to_value()),
        Body::Atom => json!({ "application/atom+xml": { "schema": { "type": "string" } } }),
        Body::Html => json!({ "text/html": { "schema": { "type": "string" } } }),
    };
    let mut description = String::new();
    if endpoint.rows != Rows::None {
        content["text/csv"] = json!({ "schema": { "type": "string" } });
        description = format!(
            "`Accept: text/csv`, or `{CSV_SUFFIX}` at the end of the path, gives the rows as CSV. `{FIELDS}` \
             names the members that rows are to have, separated by commas: {}.",
            RowLayout::at(index).members.join(", ")
        );
    }
    responses["200"] = response(200, "The answer.", content);
    if parameters.iter().any(|parameter| parameter["name"] == "page") {
        responses["200"]["headers"]["Link"] = json!({
            "description": "The first page, the one before and the next, where there are any (RFC 8288): targets are \
                            relative to this one.",
            "schema": { "type": "string" },
        });
    }
    responses["304"] = not_modified();
    responses["401"] = error::<api_error::Body>(401, "No valid API key.", generator);
    let unfit = "Parameters that are not what they should be.";
    responses["422"] = error::<validation_error::Body<'_>>(422, unfit, generator);
    if let Some(when) = endpoint.not_found {
        responses["404"] = error::<api_error::Body>(404, when, generator);
    }
    json!({
        "operationId": identifier(endpoint.path),
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "description": description,
        "parameters": parameters,
        "responses": responses,
    })
}

fn not_modified() -> Value {
    json!({
        "description": "The client has the answer: `If-None-Match` has its `ETag`.",
        "headers": headers(304),
    })
}

/// The description of what gives every row.
fn export_operation(export: &Export, generator: &mut SchemaGenerator) -> Value {
    let mut parameters: Vec<Value> =
        export::Params::DECLARED.iter().flat_map(|one| one.documents()).collect();
    parameters.push(json!({
        "name": FIELDS,
        "in": "query",
        "required": false,
        "description": "Only these members, in this order. Repeated or separated by commas.",
        "schema": { "type": "array", "items": { "type": "string" } },
        "style": "form",
        "explode": true,
    }));
    parameters.push(json!({
        "name": "If-Match",
        "in": "header",
        "required": false,
        "description": "The entity tag of the part before, with `after`.",
        "schema": { "type": "string" },
    }));
    let mut responses = errors(generator);
    let (media, _) = export.format.media();
    let media = media.to_str().unwrap_or_default();
    let media = media.split(';').next().unwrap_or_default().to_owned();
    let content = Map::from_iter([(media, json!({ "schema": { "type": "string" } }))]);
    responses["200"] = response(200, "The rows, in the order of the snapshot.", content.into());
    responses["304"] = not_modified();
    for (status, when) in [
        (401, "No valid API key."),
        (412, "`If-Match` names other data than what is served now: begin again without `after`."),
        (428, "`after` without `If-Match`."),
        (429, "The key has an export under way, or asked more often than it may."),
        (501, "The server's program writes no Parquet."),
    ] {
        responses[status.to_string()] = error::<api_error::Body>(status, when, generator);
    }
    let unfit = "Parameters that are not what they should be.";
    responses["422"] = error::<validation_error::Body<'_>>(422, unfit, generator);
    let minutes = EXPORT_TIME_MAX.as_secs() / 60;
    json!({
        "operationId": identifier(export.path),
        "tags": ["Insights"],
        "summary": export.summary,
        "description": format!(
            "The rows that `/nonprofits/search` finds with the same filters, all of them, in parts as they are made; \
             `x-total-count` is their number. One at a time of each key, for at most {minutes} minutes: what was cut off \
             is continued by `after`, the EIN of the last row received, with the `ETag` of the answer as `If-Match`."
        ),
        "parameters": parameters,
        "responses": responses,
    })
}

/// The description of a POST that brings the query of a GET as a form.
fn form_operation(get: &Value, endpoint: &Endpoint, generator: &mut SchemaGenerator) -> Value {
    let mut operation = get.clone();
    let described = endpoint.parameters.iter().flat_map(|one| one.documents());
    let properties = described.map(|one| {
        let mut schema = one["schema"].clone();
        schema["description"] = one["description"].clone();
        (one["name"].as_str().unwrap_or_default().to_owned(), schema)
    });
    let schema = json!({ "type": "object", "properties": properties.collect::<Map<_, _>>() });
    operation["operationId"] = json!(format!("{}_form", identifier(endpoint.path)));
    operation["parameters"] = json!([]);
    operation["requestBody"] = json!({
        "required": true,
        // Of a body of two types generators of clients make code that does not compile.
        "description": "A form, urlencoded or multipart/form-data.",
        "content": { "application/x-www-form-urlencoded": { "schema": schema } },
    });
    let responses = &mut operation["responses"];
    if let Some(all) = responses.as_object_mut() {
        all.remove("304");
    }
    let most = SUBMISSION_BYTES_MAX / 1024;
    let when =
        format!("The request has a body of more than {most} KiB, or asks for too much at once.");
    responses["413"] = error::<api_error::Body>(413, &when, generator);
    responses["415"] = error::<api_error::Body>(415, "The body is no form.", generator);
    responses["405"] =
        error::<api_error::Body>(405, "Another method than GET, HEAD and POST.", generator);
    responses["405"]["headers"]["Allow"]["schema"] = json!({ "const": "GET, HEAD, POST" });
    operation
}

/// The description of an endpoint that takes a body.
fn submission_operation(submission: &Submission, generator: &mut SchemaGenerator) -> Value {
    let mut responses = errors(generator);
    let shown = json_body((submission.body)(generator).to_value());
    responses["200"] = response(200, "The answer.", shown);
    responses["401"] = error::<api_error::Body>(401, "No valid API key.", generator);
    let unfit = "A body that is not what it should be.";
    responses["422"] = error::<validation_error::Body<'_>>(422, unfit, generator);
    let most = SUBMISSION_BYTES_MAX / 1024;
    let when = format!("The request has a body of more than {most} KiB.");
    responses["413"] = error::<api_error::Body>(413, &when, generator);
    responses["405"] = error::<api_error::Body>(405, "Another method than POST.", generator);
    responses["405"]["headers"]["Allow"]["schema"] = json!({ "const": "POST" });
    json!({
        "operationId": identifier(submission.path),
        "tags": [submission.tag],
        "summary": submission.summary,
        "parameters": [],
        "requestBody": {
            "required": true,
            "content": json_body((submission.request)(generator).to_value()),
        },
        "responses": responses,
    })
}

/// The description of what answers beside the endpoints.
fn page_operation(
    path: &str,
    page: Page,
    description: &Description,
    generator: &mut SchemaGenerator,
) -> Value {
    let mut responses = errors(generator);
    let content = match description.schema {
        Some(schema) => json_body(schema(generator).to_value()),
        None => json!({ "text/plain": { "schema": { "type": "string" } } }),
    };
    responses["200"] = response(200, "The answer.", content);
    let security = if page.is_public() {
        json!([])
    } else {
        let when = "The service is private: no valid API key.";
        responses["401"] = error::<api_error::Body>(401, when, generator);
        json!([{}, { "ApiKey": [] }])
    };
    json!({
        "operationId": identifier(path),
        "tags": ["Operation"],
        "summary": description.summary,
        "security": security,
        "parameters": [],
        "responses": responses,
    })
}

fn identifier(path: &str) -> String {
    let words = path.split(['/', '{', '}', '_', '.']).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_")
}

/// Statuses that any request may be answered with, and when. Of what comes before a request is
/// understood as such (400, 414, 431) the body may be empty.
fn errors(generator: &mut SchemaGenerator) -> Value {
    let kib = |bytes: usize| bytes / 1024;
    let deadline = REQUEST_DEADLINE.as_secs();
    let (body, target, headers) =
        (kib(BODY_BYTES_MAX), kib(TARGET_BYTES_MAX), kib(HEADER_BYTES_MAX));
    let whens = [
        (400, "The head of the request, or its body, is broken; the body may be empty.".to_owned()),
        (405, "Another method than GET and HEAD.".to_owned()),
        (408, format!("The request's body did not come within {deadline} s.")),
        (413, format!("The request has a body of more than {body} KiB.")),
        (
            414,
            format!("Path and query together are longer than {target} KiB; the body may be empty."),
        ),
        (
            431,
            format!(
                "The headers are longer than {headers} KiB, or more than {HEADERS_MAX}; the body may \
                 be empty."
            ),
        ),
        (429, "The key asked more often than it may.".to_owned()),
        (500, "A fault of the server; its log has the same `x-request-id`.".to_owned()),
        (503, "Overloaded or not ready: try again.".to_owned()),
    ];
    let one = |(status, when): (u16, String)| {
        (status.to_string(), error::<api_error::Body>(status, &when, generator))
    };
    Value::Object(whens.into_iter().map(one).collect())
}

/// A response with an error's body.
fn error<T: JsonSchema>(status: u16, when: &str, generator: &mut SchemaGenerator) -> Value {
    response(status, when, json_body(generator.subschema_for::<T>().to_value()))
}

fn json_body(schema: Value) -> Value {
    json!({ "application/json": { "schema": schema } })
}

fn response(status: u16, description: &str, content: Value) -> Value {
    json!({ "description": description, "headers": headers(status), "content": content })
}

fn headers(status: u16) -> Value {
    // Answers to what was not understood as a request have none.
    let is_known = !matches!(status, 400 | 414 | 431);
    let mut headers = json!({
        "x-request-id": {
            "description": "The client's own identifier of the request, or a new one.",
            "required": is_known,
            "schema": { "type": "string", "minLength": 1, "maxLength": REQUEST_ID_MAX },
        },
    });
    let (name, description, schema) = match status {
        200 => ("x-almoner-plan", "How the answer was found.", json!({ "type": "string" })),
        401 => ("WWW-Authenticate", "What to show.", json!({ "const": "APIKey" })),
        405 => ("Allow", "Methods that are answered.", json!({ "const": "GET, HEAD" })),
        429 | 503 => {
            ("Retry-After", "Seconds to wait.", json!({ "type": "integer", "minimum": 0 }))
        }
        _ => return headers,
    };
    headers[name] = json!({ "description": description, "schema": schema });
    headers
}
