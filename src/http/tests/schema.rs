//! The schemas in the description of the interface, held against the answers.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::fixture::{BARE, FULL, Service};
use crate::http::interface::route::ENDPOINTS;
use crate::http::interface::{openapi, openapi_examples};
use crate::record::Ein;

/// The components of the description, and which of them were held against a value.
pub(super) struct Components {
    schemas: Map<String, Value>,
    seen: BTreeSet<String>,
}

impl Components {
    /// The definitions of one schema.
    pub(super) fn of_schema(schema: &Value) -> Self {
        let schemas = schema["$defs"].as_object().cloned().unwrap_or_default();
        Self { schemas, seen: BTreeSet::new() }
    }

    fn of(document: &Value) -> Self {
        let schemas = document["components"]["schemas"].as_object().unwrap().clone();
        Self { schemas, seen: BTreeSet::new() }
    }

    /// Holds a value against a schema: types, bounds and choices, and of an object the same members
    /// in the same order, but for those that need not be there.
    pub(super) fn check(&mut self, value: &Value, schema: &Value, at: &str) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("{at}: {what}, found {value}, expected {schema}"));
        if let Some(reference) = schema["$ref"].as_str() {
            let below = ["#/components/schemas/", "#/$defs/"];
            let name = below.iter().find_map(|place| reference.strip_prefix(place)).unwrap();
            self.seen.insert(name.to_owned());
            return self.check(value, &self.schemas[name].clone(), &format!("{at}:{name}"));
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let errors: Vec<_> =
                choices.iter().map_while(|one| self.check(value, one, at).err()).collect();
            return if errors.len() < choices.len() { Ok(()) } else { wrong(&errors.join("; ")) };
        }
        let types = match &schema["type"] {
            Value::Array(types) => types.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        };
        if !types.is_empty() && !types.iter().any(|one| is_of(value, one.as_str().unwrap())) {
            return wrong("another type");
        }
        if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
            return wrong("none of the choices");
        }
        let bound = |name: &str| schema[name].as_f64().zip(value.as_f64());
        if bound("minimum").is_some_and(|(min, value)| value < min)
            || bound("maximum").is_some_and(|(max, value)| value > max)
        {
            return wrong("beyond a bound");
        }
        if let (Some(pattern), Some(text)) = (schema["pattern"].as_str(), value.as_str()) {
            let is_match = match pattern {
                r"^\d{9}$" => text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_digit()),
                r"^\d{2}-?\d{7}$" => Ein::from_typed(text).is_some(),
                r"^\d{5}$" => text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit()),
                "^[A-Z]{2}$" => {
                    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
                }
                _ => return wrong("a pattern that the test does not know"),
            };
            if !is_match {
                return wrong("another pattern");
            }
        }
        if schema["format"] == "date" && value.as_str().is_some_and(|day| !is_date(day)) {
            return wrong("no day");
        }
        for (position, item) in value.as_array().into_iter().flatten().enumerate() {
            self.check(item, &schema["items"], &format!("{at}/{position}"))?;
        }
        match value.as_object() {
            Some(members) => self.check_members(members, schema, at),
            None => Ok(()),
        }
    }

    fn check_members(
        &mut self,
        members: &Map<String, Value>,
        schema: &Value,
        at: &str,
    ) -> Result<(), String> {
        let Some(properties) = schema["properties"].as_object() else {
            let all = &schema["additionalProperties"];
            return members.iter().try_for_each(|(name, member)| match all {
                Value::Object(_) => self.check(member, all, &format!("{at}/{name}")),
                _ => Ok(()),
            });
        };
        let required = schema["required"].as_array();
        let is_there = |name: &&String| {
            required.is_some_and(|names| names.contains(&json!(name)))
                || members.contains_key(*name)
        };
        let expected: Vec<_> = properties.keys().filter(is_there).collect();
        if members.keys().collect::<Vec<_>>() != expected {
            let found: Vec<_> = members.keys().collect();
            return Err(format!("{at}: expected the members {expected:?}, found {found:?}"));
        }
        let mut both = properties.iter().filter(|(name, _)| members.contains_key(*name));
        both.try_for_each(|(name, one)| self.check(&members[name], one, &format!("{at}/{name}")))
    }
}

fn is_of(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type of JSON: {other}"),
    }
}

fn is_date(text: &str) -> bool {
    text.parse::<crate::record::Date>().is_ok()
}

/// Queries, one that is refused and one with a property that nobody knows, and an extension.
const RECONCILED: &str = "?queries=%7B%22a%22%3A%7B%22query%22%3A%22Red+Cross%22%2C%22properties%22%3A%5B%7B%22pid\
    %22%3A%22phone%22%2C%22v%22%3A1%7D%5D%7D%2C%22b%22%3A1%7D";
const EXTENDED: &str = "?extend=%7B%22ids%22%3A%5B%22530196605%22%5D%2C%22properties%22%3A%5B%7B%22id%22%3A%22name\
    %22%7D%5D%7D";

/// The schema of an answer's body.
fn body<'a>(document: &'a Value, path: &str, status: &str) -> &'a Value {
    &document["paths"][path]["get"]["responses"][status]["content"]["application/json"]["schema"]
}

#[test]
fn every_answer_is_as_its_schema_says() {
    let (service, document) = (Service::new(), openapi::document());
    let mut components = Components::of(&document);
    let paths = document["paths"].as_object().unwrap().iter();
    let gets = paths.filter(|(_, methods)| methods["get"].is_object()).map(|(path, _)| path);
    for path in gets.filter(|path| {
        !["/metrics", "/changes.atom", "/reconcile/preview/{ein}"].contains(&path.as_str())
            && !path.starts_with("/export.")
    }) {
        let queries = match path.as_str() {
            "/typeahead/nonprofits" => vec!["?q=American", "?q=American&scope=all"],
            "/people/search" => vec!["?q=jane"],
            "/nonprofits/grants/{ein}" => vec!["", "?direction=received"],
            "/chat" | "/chat/search" => vec![
                "?q=red+cross",
                "?q=find+articles+about+food+banks",
                "?q=show+me+article+7",
                "?q=show+me+funds+for+food+banks",
                "?q=what+is+an+EIN%3F",
            ],
            "/reconcile" => vec!["", RECONCILED, EXTENDED, "?query=red+cross"],
            "/reconcile/suggest/entity" => vec!["?prefix=red"],
            "/beta/nonprofits/search" => {
                vec!["", "?q=food+in+Ohio&state=oh&sdgs=1&org_size=Small", "?facets=state"]
            }
            "/nonprofits/aggregate" => vec![
                "",
                "?state=OH",
                "?group_by=state,ntee&measures=revenue,expenses,assets,employees",
                "?group_by=county,ntee_code&sort=-revenue_median",
                "?group_by=city,size",
                "?group_by=subsection,foundation",
                "?group_by=issue_area",
                "?group_by=ruling_decade",
            ],
            _ => vec![""],
        };
        for query in queries {
            for ein in [FULL, BARE] {
                let target = format!("{}{query}", path.replace("{ein}", ein));
                let checked =
                    components.check(&service.json(&target), body(&document, path, "200"), &target);
                assert_eq!(checked, Ok(()));
            }
        }
        if path.contains("{ein}") {
            let refused = service.get(&path.replace("{ein}", "1")).json();
            assert_eq!(components.check(&refused, body(&document, path, "422"), path), Ok(()));
            let unknown = service.get(&path.replace("{ein}", "999999999"));
            if unknown.status == 404 {
                let schema = body(&document, path, "404");
                assert_eq!(components.check(&unknown.json(), schema, path), Ok(()));
            } else {
                assert!(body(&document, path, "404").is_null(), "{path}");
            }
        }
    }
    for (path, sent) in super::submissions::SENT {
        let described = &document["paths"][path]["post"];
        let (request, reply) = (serde_json::from_str(sent).unwrap(), service.submit(path, sent));
        let content = |part: &Value| part["content"]["application/json"]["schema"].clone();
        let schema = content(&described["requestBody"]);
        assert_eq!(components.check(&request, &schema, path), Ok(()));
        let schema = content(&described["responses"]["200"]);
        assert_eq!(components.check(&reply.json(), &schema, path), Ok(()));
        let schema = content(&described["responses"]["422"]);
        assert_eq!(components.check(&service.submit(path, "{}").json(), &schema, path), Ok(()));
    }
    let unseen: Vec<_> =
        components.schemas.keys().filter(|name| !components.seen.contains(*name)).collect();
    assert_eq!(unseen, [] as [&String; 0], "no answer has these");
}

#[test]
fn every_example_is_as_its_schema_says() {
    let document = openapi::document();
    let mut components = Components::of(&document);
    let examples = openapi_examples::examples();
    for (path, example) in &examples {
        let methods = &document["paths"][path];
        assert!(methods.is_object(), "{path} is no path");
        let operation = if methods["get"].is_object() { &methods["get"] } else { &methods["post"] };
        let content = &operation["responses"]["200"]["content"]["application/json"];
        assert_eq!(content["example"], example.answer, "{path}");
        assert_eq!(components.check(&example.answer, &content["schema"], path), Ok(()));
    }
    let without = ENDPOINTS.iter().map(|endpoint| endpoint.path);
    let without: Vec<_> = without.filter(|path| !examples.contains_key(*path)).collect();
    assert_eq!(without, ["/changes.atom", "/reconcile", "/reconcile/preview/{ein}"]);
}

#[test]
fn every_property_is_described() {
    let document = openapi::document();
    let mut bare = Vec::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        assert!(is_described(schema), "{name}");
        undescribed(schema, name, &mut bare);
    }
    assert_eq!(bare, [] as [String; 0]);
}

pub(super) fn is_described(schema: &Value) -> bool {
    schema["description"].as_str().is_some_and(|text| !text.trim().is_empty())
}

/// The properties of a schema, at any depth, that have no description.
fn undescribed(schema: &Value, at: &str, bare: &mut Vec<String>) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        if !is_described(property) {
            bare.push(at.clone());
        }
        undescribed(property, &at, bare);
    }
    undescribed_within(schema, at, bare);
}

fn undescribed_within(schema: &Value, at: &str, bare: &mut Vec<String>) {
    let choices = schema["anyOf"].as_array().into_iter().flatten();
    for within in choices.chain(schema.get("items")) {
        undescribed(within, at, bare);
    }
}
