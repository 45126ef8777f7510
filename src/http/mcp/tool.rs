//! What a tool is, and what it asks: what answers is an endpoint itself, with a cursor where there are pages.

use hyper::HeaderMap;
use schemars::SchemaGenerator;
use serde_json::Value;

use super::arguments::{Argument, Arguments, Object, ToolError, unknown};
use super::cursor::{self, CURSOR, List, NEXT};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::endpoint::{Body, Context, Endpoint, Reply};
use crate::http::interface::input::Input;
use crate::record::Ein;
use crate::snapshot::Snapshot;
use crate::understand::{Asker, Sessions};
use crate::views::{SchemaOf, generator_below};

/// A tool that a model may call. None changes anything.
pub(super) struct Tool {
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    /// When to call it and what it answers, for the model.
    pub(super) description: &'static str,
    pub(super) work: Work,
}

/// What a tool does.
pub(super) enum Work {
    /// Asks an endpoint; of these of its parameters the tool sets a value, or leaves them out.
    Ask(&'static Endpoint, &'static [(&'static str, Option<&'static str>)]),
    /// Something of its own.
    Own {
        /// What it takes, in the order of declaration.
        arguments: fn() -> Vec<Argument>,
        /// The schema of what it answers.
        output: fn() -> Object,
        /// Answers a call.
        call: fn(&Snapshot, &Arguments) -> Result<Object, ToolError>,
    },
}

/// The parameter that a cursor stands for.
const PAGE: &str = "page";

impl Tool {
    /// What it takes, in the order of declaration.
    pub(super) fn arguments(&self) -> Vec<Argument> {
        match self.work {
            Work::Own { arguments, .. } => arguments(),
            Work::Ask(endpoint, set) => {
                let without: Vec<&str> = set.iter().map(|(name, _)| *name).chain([PAGE]).collect();
                let declared = Argument::of_parameters(endpoint.parameters, &without);
                declared.chain(has_pages(endpoint).then(cursor::argument)).collect()
            }
        }
    }

    /// The schema of what it answers.
    pub(super) fn output(&self) -> Object {
        match self.work {
            Work::Own { output, .. } => output(),
            Work::Ask(endpoint, _) => {
                let mut schema = schema_of_endpoint(endpoint);
                if has_pages(endpoint) {
                    cursor::declare(&mut schema);
                }
                schema
            }
        }
    }

    pub(super) fn call(&self, snapshot: &Snapshot, sent: &Arguments) -> Result<Object, ToolError> {
        let (endpoint, set) = match self.work {
            Work::Own { call, .. } => return call(snapshot, sent),
            Work::Ask(endpoint, set) => (endpoint, set),
        };
        let mut query = sent.query(&[CURSOR, "ein"])?;
        for (name, value) in set {
            query.extend(value.map(|value| format!("&{name}={value}")));
        }
        let ein = endpoint.path.contains("{ein}").then(|| sent.ein()).transpose()?;
        let reply =
            |query: &str| match ask(snapshot, endpoint, ein.as_ref().map(Ein::as_str), query) {
                Err(ApiError::UnknownNonprofit) => Err(unknown(ein.as_slice())),
                answered => object(&answered?),
            };
        if !has_pages(endpoint) {
            return reply(&query);
        }
        let of = ein.map_or_else(|| query.clone(), |ein| format!("{ein}&{query}"));
        let list = List::of(snapshot, self.name, &of);
        let page = list.page(sent)?;
        let mut answer = reply(&format!("{query}&page={page}"))?;
        let total = answer.get("total").and_then(Value::as_u64).unwrap_or(0);
        let next = list.next(page, sent.size(&self.arguments()), total);
        answer.insert(NEXT.to_owned(), next.map_or(Value::Null, Value::String));
        Ok(answer)
    }
}

/// Whether an endpoint answers a list by pages.
fn has_pages(endpoint: &Endpoint) -> bool {
    endpoint.parameters.iter().flat_map(|one| one.names()).any(|(name, _)| name == PAGE)
}

/// What an endpoint answers, of a value in its path and a query string.
pub(super) fn ask(
    snapshot: &Snapshot,
    endpoint: &Endpoint,
    path_value: Option<&str>,
    query: &str,
) -> Result<Reply, ApiError> {
    // There is no client whose headers or session could count.
    let (headers, sessions) = (HeaderMap::new(), Sessions::default());
    let input = Input::new(path_value, Some(query), &headers);
    let asker = Asker { key: None, client: &"host".into() };
    (endpoint.answer)(&Context {
        snapshot: Some(snapshot),
        input,
        sessions: &sessions,
        asker,
        path_key: None,
        // The host is one itself.
        language_model: None,
    })
}

pub(super) fn object(reply: &Reply) -> Result<Object, ToolError> {
    serde_json::from_slice(&reply.body).map_err(|error| ApiError::Unwritable(error).into())
}

/// What stands before the name of a definition in a reference.
const DEFINITIONS: &str = "/$defs";

/// The schema of an endpoint's answer.
pub(super) fn schema_of_endpoint(endpoint: &Endpoint) -> Object {
    match endpoint.body {
        Body::Json(schema) => schema_of(schema),
        Body::Atom | Body::Html => Object::new(),
    }
}

/// The schema of a type, an object, with the definitions that it refers to.
pub(super) fn schema_of(schema: SchemaOf) -> Object {
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
