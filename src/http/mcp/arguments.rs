//! The arguments of tools, how they are read, and why a call is refused.
//!
//! They are the parameters of endpoints, from the same declarations, given as JSON; so each is read, checked
//! and described as over HTTP.

use serde_json::{Map, Value, json};

use crate::http::interface::api_error::ApiError;
use crate::http::interface::parameter::Documented;
use crate::http::interface::validation_error::{ValidationError, ValidationErrors};
use crate::record::Ein;
use crate::search::SearchError;

/// A JSON object, with its members in order.
pub(super) type Object = Map<String, Value>;

/// Characters of an argument that an error repeats.
const FOUND_CHARACTERS_MAX: usize = 80;

/// What a tool takes under one name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Argument {
    pub(super) name: String,
    /// Its JSON schema, with its description.
    pub(super) schema: Object,
    pub(super) is_required: bool,
}

impl Argument {
    /// A parameter of an endpoint, from its OpenAPI description.
    fn of(document: &Value) -> Self {
        let mut schema = document["schema"].as_object().cloned().unwrap_or_default();
        schema.insert("description".to_owned(), document["description"].clone());
        Self {
            name: document["name"].as_str().unwrap_or_default().to_owned(),
            schema,
            is_required: document["required"] == true,
        }
    }

    /// Declared parameters, without those of some names.
    pub(super) fn of_parameters(
        parameters: &[&dyn Documented],
        without: &[&str],
    ) -> impl Iterator<Item = Self> {
        let documents = parameters.iter().flat_map(|one| one.documents());
        let arguments: Vec<_> = documents.map(|document| Self::of(&document)).collect();
        arguments.into_iter().filter(move |one| !without.contains(&one.name.as_str()))
    }
}

pub(super) fn input_schema(arguments: Vec<Argument>) -> Object {
    let required = arguments.iter().filter(|one| one.is_required);
    let required: Vec<_> = required.map(|one| one.name.clone()).collect();
    let properties = arguments.into_iter().map(|one| (one.name, Value::Object(one.schema)));
    let schema = json!({
        "type": "object",
        "properties": properties.collect::<Object>(),
        "required": required,
        "additionalProperties": false,
    });
    match schema {
        Value::Object(schema) => schema,
        _ => Object::new(),
    }
}

/// Why a call fails.
#[derive(Debug)]
pub(super) enum ToolError {
    /// Invalid arguments: the message states what was expected, what was found and what to do.
    Refused(String),
    /// An internal error: the log has the cause.
    Failed(ApiError),
}

impl From<ApiError> for ToolError {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::Invalid(errors) => Self::Refused(refusal(&errors)),
            ApiError::InvalidBody(errors) => Self::Refused(format!(
                "{}. Correct the arguments and call the tool again.",
                errors.sentences().join(". ")
            )),
            other => Self::Failed(other),
        }
    }
}

impl From<SearchError> for ToolError {
    fn from(error: SearchError) -> Self {
        Self::Failed(error.into())
    }
}

/// Values that do not fit, for the model.
fn refusal(errors: &ValidationErrors) -> String {
    let one = |error: &ValidationError| {
        let found = match &error.input {
            Some(input) => format!("found {}", quoted_excerpt(input)),
            None => "found none".to_owned(),
        };
        format!("{}: {}; {found}", error.name, error.reason)
    };
    let told: Vec<_> = errors.0.iter().map(one).collect();
    format!("{}. Correct the arguments and call the tool again.", told.join(". "))
}

/// A value as errors repeat it: quoted, and not longer than helps.
pub(super) fn quoted_excerpt(text: &str) -> String {
    match text.char_indices().nth(FOUND_CHARACTERS_MAX) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The arguments of a call: only those that the tool takes, and never null.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Arguments(Object);

impl Arguments {
    /// Reads what was sent. An argument that is null is as one that is absent.
    pub(super) fn read(sent: Object, declared: &[Argument]) -> Result<Self, ToolError> {
        let given: Object = sent.into_iter().filter(|(_, value)| !value.is_null()).collect();
        if let Some(unknown) = given.keys().find(|name| !declared.iter().any(|d| d.name == **name))
        {
            let names: Vec<_> = declared.iter().map(|one| one.name.as_str()).collect();
            return Err(ToolError::Refused(format!(
                "Expected arguments among {}; found {}. Leave it out and call the tool again.",
                names.join(", "),
                quoted_excerpt(unknown)
            )));
        }
        let missing = |one: &&Argument| one.is_required && !given.contains_key(&one.name);
        if let Some(missing) = declared.iter().find(missing) {
            let about = missing.schema.get("description").and_then(Value::as_str);
            return Err(ToolError::Refused(format!(
                "Expected the argument {}, found none. {}",
                missing.name,
                about.unwrap_or_default()
            )));
        }
        Ok(Self(given))
    }

    /// An argument that is a text; `None` where it is absent.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, ToolError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(unfit(name, "a string", other)),
        }
    }

    pub(super) fn texts(&self, name: &str) -> Result<Vec<&str>, ToolError> {
        let list = match self.0.get(name) {
            None => return Ok(Vec::new()),
            Some(Value::Array(list)) => list,
            Some(other) => return Err(unfit(name, "a list of strings", other)),
        };
        list.iter()
            .map(|one| one.as_str().ok_or_else(|| unfit(name, "a list of strings", one)))
            .collect()
    }

    /// Rows of a page: what is asked for, else the default that is declared. 0, which is refused where the
    /// argument is read, where neither is a number.
    pub(super) fn size(&self, declared: &[Argument]) -> u64 {
        let default = declared.iter().find(|one| one.name == "size");
        let default = default.and_then(|one| one.schema.get("default"));
        self.0.get("size").or(default).and_then(Value::as_u64).unwrap_or(0)
    }

    /// The one EIN that is asked for.
    pub(super) fn ein(&self) -> Result<Ein, ToolError> {
        ein(self.text("ein")?.unwrap_or_default())
    }

    /// The arguments as JSON: the body of a request.
    pub(super) fn json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// The arguments as the query string of an endpoint, without those of some names.
    pub(super) fn query(&self, without: &[&str]) -> Result<String, ToolError> {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (name, value) in self.0.iter().filter(|(name, _)| !without.contains(&name.as_str())) {
            match value {
                Value::Array(list) => {
                    for one in list {
                        query.append_pair(name, &scalar(name, one)?);
                    }
                }
                one => {
                    query.append_pair(name, &scalar(name, one)?);
                }
            }
        }
        Ok(query.finish())
    }
}

/// Reads an EIN as people write it.
pub(super) fn ein(text: &str) -> Result<Ein, ToolError> {
    Ein::from_typed(text).ok_or_else(|| {
        ToolError::Refused(format!(
            "Expected an EIN of nine digits, with or without a dash, such as 530196605; found {}. \
             find_by_name finds the EIN of a name.",
            quoted_excerpt(text)
        ))
    })
}

/// Nobody has some EINs.
pub(super) fn unknown(eins: &[Ein]) -> ToolError {
    let eins: Vec<_> = eins.iter().map(ToString::to_string).collect();
    ToolError::Refused(format!(
        "Expected an EIN of the loaded data; found {}, which no nonprofit in it has. Check the digits, or \
         find the nonprofit by its name with find_by_name.",
        eins.join(", ")
    ))
}

/// A value as a query string has it.
fn scalar(name: &str, value: &Value) -> Result<String, ToolError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        other => Err(unfit(name, "a value of its schema's type", other)),
    }
}

fn unfit(name: &str, expected: &str, found: &Value) -> ToolError {
    ToolError::Refused(format!(
        "{name}: expected {expected}; found {}. Correct the arguments and call the tool again.",
        quoted_excerpt(&found.to_string())
    ))
}
