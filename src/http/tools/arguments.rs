//! The arguments of tools, how they are read, and why a call is refused.
//!
//! Most are parameters of endpoints, from the same declarations; so each is checked as over HTTP. Read leniently where
//! only one thing can be meant (an EIN as a number, one value for a list), and refused where a value would be lost.

use serde_json::{Map, Value, json};

use crate::http::interface::api_error::ApiError;
use crate::http::interface::validation_error::{ValidationError, ValidationErrors};
use crate::naming::edits;
use crate::record::Ein;
use crate::search::SearchError;

/// A JSON object, with its members in order.
pub(in crate::http) type Object = Map<String, Value>;

/// Characters of an argument that an error repeats.
const FOUND_CHARACTERS_MAX: usize = 80;
/// Values of a list: as many as there are EINs in the longest request.
const VALUES_MAX: usize = 500;
/// Differences by which an unknown argument may still be a known one misspelt.
const EDITS_MAX: usize = 4;

/// Names of which either is understood.
const EITHER: [(&str, &str); 2] = [("ein", "eins"), ("eins", "ein")];

/// What may stand in an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Form {
    One,
    /// Several values; one alone counts as a list of it.
    Many,
    /// Objects, which the endpoint reads.
    Objects,
}

/// What a tool takes under one name.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::http) struct Argument {
    pub(in crate::http) name: &'static str,
    /// The parameter of the endpoint; the same name where it is the tool's own.
    pub(in crate::http) parameter: &'static str,
    pub(in crate::http) form: Form,
    /// Its JSON schema as hosts give it to models: short.
    pub(in crate::http) schema: Value,
    pub(in crate::http) is_required: bool,
}

pub(in crate::http) fn input_schema(arguments: &[Argument]) -> Object {
    let required: Vec<_> =
        arguments.iter().filter(|one| one.is_required).map(|one| one.name).collect();
    let properties = arguments.iter().map(|one| (one.name.to_owned(), one.schema.clone()));
    let mut schema = Object::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), Value::Object(properties.collect()));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

/// Why a call fails.
#[derive(Debug)]
pub(in crate::http) enum ToolError {
    /// Invalid arguments: the message states what was expected, what was found and what to do.
    Refused(String),
    /// An internal error: the log has the cause.
    Failed(ApiError),
}

impl From<ApiError> for ToolError {
    fn from(error: ApiError) -> Self {
        match error {
            ApiError::Invalid(errors) => Self::Refused(refusal(&errors)),
            ApiError::InvalidBody(errors) => again(&plain(&errors.sentences().join(". "))),
            other => Self::Failed(other),
        }
    }
}

impl From<SearchError> for ToolError {
    fn from(error: SearchError) -> Self {
        Self::Failed(error.into())
    }
}

/// A refusal that a model can correct.
pub(in crate::http) fn again(told: &str) -> ToolError {
    ToolError::Refused(format!("{told}. Correct the arguments and call the tool again."))
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
    let told = plain(&told.join(". "));
    format!("{told}. Correct the arguments and call the tool again.")
}

/// The words of the interface's errors, which speak as pydantic does, in those of JSON.
fn plain(told: &str) -> String {
    let words = [
        (", unable to parse string as an integer", ""),
        (", unable to parse string as a number", ""),
        (", unable to interpret input", ""),
        ("Input should be a valid dictionary", "expected an object"),
        ("Input should be", "expected"),
        ("Field required", "expected a value, this is required"),
    ];
    words.into_iter().fold(told.to_owned(), |told, (from, to)| told.replace(from, to))
}

/// A value as errors repeat it: quoted, and not longer than helps.
pub(in crate::http) fn quoted_excerpt(text: &str) -> String {
    match text.char_indices().nth(FOUND_CHARACTERS_MAX) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The arguments of a call: only those that the tool takes, and never null. Values are texts, lists of texts, or
/// objects.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::http) struct Arguments<'a> {
    values: Vec<(&'a Argument, Value)>,
}

impl<'a> Arguments<'a> {
    /// Reads what was sent. An argument that is null is as one that is absent.
    pub(in crate::http) fn read(sent: Object, declared: &'a [Argument]) -> Result<Self, ToolError> {
        let mut values = Vec::new();
        for (name, value) in sent.into_iter().filter(|(_, value)| !value.is_null()) {
            let other = EITHER.iter().find(|(one, _)| *one == name).map(|(_, other)| *other);
            let named = declared.iter().find(|one| one.name == name);
            let Some(argument) =
                named.or_else(|| declared.iter().find(|one| Some(one.name) == other))
            else {
                return Err(unknown_argument(&name, declared));
            };
            values.push((argument, read(argument, value)?));
        }
        let is_given = |one: &Argument| values.iter().any(|(given, _)| given.name == one.name);
        match declared.iter().find(|one| one.is_required && !is_given(one)) {
            Some(missing) => Err(again(&format!(
                "Expected the argument {}, found none. It is {}",
                missing.name,
                missing.schema["description"].as_str().unwrap_or("required")
            ))),
            None => Ok(Self { values }),
        }
    }

    /// Whether it was given.
    pub(in crate::http) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    fn get(&self, name: &str) -> Option<&Value> {
        self.values.iter().find(|(one, _)| one.name == name).map(|(_, value)| value)
    }

    /// The names of what was given, but for paging and presentation.
    pub(in crate::http) fn filters(&self) -> impl Iterator<Item = &'static str> {
        let names = self.values.iter().map(|(one, _)| one.name);
        names.filter(|name| {
            !["cursor", "limit", "fields", "detail", "facets", "sort"].contains(name)
        })
    }

    /// An argument of one value; `None` where it is absent.
    pub(in crate::http) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// An argument of several values; none where it is absent.
    pub(in crate::http) fn texts(&self, name: &str) -> Vec<&str> {
        match self.get(name) {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            Some(one) => one.as_str().into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// A whole number within bounds.
    pub(in crate::http) fn whole(
        &self,
        name: &str,
        (least, most): (u64, u64),
    ) -> Result<Option<u64>, ToolError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        match text.parse().ok().filter(|number| (least..=most).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(again(&format!(
                "{name}: expected a whole number from {least} to {most}; found {}",
                quoted_excerpt(text)
            ))),
        }
    }

    /// The one EIN that is asked for.
    pub(in crate::http) fn ein(&self) -> Result<Ein, ToolError> {
        ein(self.text("ein").unwrap_or_default())
    }

    /// The EINs that are asked for, each once.
    pub(in crate::http) fn eins(
        &self,
        (least, most): (usize, usize),
    ) -> Result<Vec<Ein>, ToolError> {
        let mut eins: Vec<Ein> = Vec::new();
        for text in self.texts("eins") {
            let ein = ein(text)?;
            if !eins.contains(&ein) {
                eins.push(ein);
            }
        }
        if (least..=most).contains(&eins.len()) {
            return Ok(eins);
        }
        let found = eins.len();
        Err(again(&format!("eins: expected {least} to {most} different EINs; found {found}")))
    }

    /// Objects as the body of a request has them.
    pub(in crate::http) fn objects(&self, name: &str) -> Option<&Value> {
        self.get(name)
    }

    /// The arguments as the query string of an endpoint, without those of some names.
    pub(in crate::http) fn query(&self, without: &[&str]) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        for (argument, _) in self.values.iter().filter(|(one, _)| !without.contains(&one.name)) {
            for text in self.texts(argument.name) {
                query.append_pair(argument.parameter, text);
            }
        }
        query.finish()
    }
}

/// A value of an argument as texts, or why not.
fn read(argument: &Argument, value: Value) -> Result<Value, ToolError> {
    let name = argument.name;
    let is_ein = matches!(name, "ein" | "eins" | "similar_to");
    let one = |value: &Value| {
        let text = scalar(name, value)?;
        if is_ein { ein(&text).map(|ein| ein.to_string()) } else { Ok(text) }
    };
    match (argument.form, value) {
        (Form::Objects, Value::Array(list)) => Ok(Value::Array(list)),
        (Form::Objects, one @ Value::Object(_)) => Ok(json!([one])),
        (Form::Objects, other) => Err(unfit(name, "a list of objects", &other)),
        (_, Value::Array(list)) if list.len() > VALUES_MAX => {
            let found = list.len();
            Err(again(&format!("{name}: expected at most {VALUES_MAX} values; found {found}")))
        }
        (Form::Many, Value::Array(list)) => {
            Ok(json!(list.iter().map(one).collect::<Result<Vec<_>, _>>()?))
        }
        (Form::Many, value) => Ok(json!([one(&value)?])),
        (Form::One, Value::Array(list)) => match &list[..] {
            [value] => one(value).map(Value::String),
            _ => Err(ToolError::Refused(format!(
                "{name}: expected one value; found a list of {}. Call the tool once for each.",
                list.len()
            ))),
        },
        (Form::One, value) => one(&value).map(Value::String),
    }
}

fn unknown_argument(name: &str, declared: &[Argument]) -> ToolError {
    let renamed = declared.iter().find(|one| one.parameter == name);
    let alike = declared.iter().filter_map(|one| {
        let edits = edits(name, one.name, EDITS_MAX)?;
        (edits * 2 < one.name.len()).then_some((edits, one))
    });
    let nearest = renamed.or_else(|| alike.min_by_key(|(edits, _)| *edits).map(|(_, one)| one));
    let meant = nearest.map(|one| format!(" Did you mean {}?", one.name)).unwrap_or_default();
    let names: Vec<_> = declared.iter().map(|one| one.name).collect();
    ToolError::Refused(format!(
        "Unknown argument {}.{meant} Expected arguments among {}. Correct it or leave it out, and call the tool \
         again.",
        quoted_excerpt(name),
        names.join(", ")
    ))
}

/// Reads an EIN as people write it.
pub(in crate::http) fn ein(text: &str) -> Result<Ein, ToolError> {
    Ein::from_typed(text).ok_or_else(|| {
        ToolError::Refused(format!(
            "Expected an EIN of nine digits, with or without a dash, such as 530196605; found {}. \
             find_by_name finds the EIN of a name.",
            quoted_excerpt(text)
        ))
    })
}

/// Nobody has an EIN.
pub(in crate::http) fn unknown(ein: Ein) -> ToolError {
    ToolError::Refused(format!(
        "Expected an EIN of the loaded data; found {ein}, which no nonprofit in it has. Check the digits, find the \
         nonprofit by its name with find_by_name, or see with coverage whether its state is loaded."
    ))
}

/// A value as a query string has it.
fn scalar(name: &str, value: &Value) -> Result<String, ToolError> {
    match value {
        Value::String(text) => Ok(text.clone()),
        // 5.0 is whole, as JSON Schema sees it.
        Value::Number(number) => Ok(match number.as_f64().filter(|one| one.fract() == 0.0) {
            Some(whole) if whole.abs() < 1e15 => format!("{whole:.0}"),
            _ => number.to_string(),
        }),
        Value::Bool(flag) => Ok(flag.to_string()),
        other => Err(unfit(name, "one value, no list or object in it", other)),
    }
}

fn unfit(name: &str, expected: &str, found: &Value) -> ToolError {
    again(&format!("{name}: expected {expected}; found {}", quoted_excerpt(&found.to_string())))
}
