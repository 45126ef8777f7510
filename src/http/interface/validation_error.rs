//! Why the value of a parameter, or of a body, is refused, as the 422 body: its types and messages are pydantic
//! 2's, as clients already parse them.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::record::named;

named! {
    /// Where a parameter stands in a request; the names are those in `loc` and in OpenAPI's `in`.
    ParameterLocation {
        Path = "path",
        Query = "query",
        Header = "header",
    }
}

/// The rule that a value breaks, in the words that clients see.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Reason {
    #[error("Field required")]
    Missing,
    #[error("String should have at least {0} character{plural}", plural = plural(*.0))]
    TooShort(usize),
    #[error("String should have at most {0} character{plural}", plural = plural(*.0))]
    TooLong(usize),
    #[error("String should match pattern '{0}'")]
    Pattern(&'static str),
    #[error("Input should be a valid integer, unable to parse string as an integer")]
    NotWhole,
    #[error("Input should be a valid number, unable to parse string as a number")]
    NotNumber,
    #[error("Input should be a valid boolean, unable to interpret input")]
    NotFlag,
    #[error("Input should be a finite number")]
    NotFinite,
    #[error("Input should be greater than or equal to {0}")]
    AtLeast(f64),
    #[error("Input should be less than or equal to {0}")]
    AtMost(f64),
    /// None of these, spoken (`'a', 'b' or 'c'`).
    #[error("Input should be {0}")]
    Literal(String),
    /// With what is wrong.
    #[error("Input should be a valid UUID, {0}")]
    Uuid(String),
    /// With what the parser says.
    #[error("JSON decode error")]
    NotJson(String),
    #[error("Input should be a valid dictionary")]
    NotObject,
    #[error("Input should be a valid list")]
    NotList,
    #[error("Input should be a valid string")]
    NotText,
    #[error("Input should be a valid integer")]
    NotInteger,
    #[error("List should have at most {0} items after validation")]
    TooMany(usize),
    /// Breaks a rule that no other reason names.
    #[error("Value error, {0}")]
    ValueError(String),
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl Reason {
    /// The error's type identifier.
    fn kind(&self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::TooShort(_) => "string_too_short",
            Self::TooLong(_) => "string_too_long",
            Self::Pattern(_) => "string_pattern_mismatch",
            Self::NotWhole => "int_parsing",
            Self::NotNumber => "float_parsing",
            Self::NotFlag => "bool_parsing",
            Self::NotFinite => "finite_number",
            Self::AtLeast(_) => "greater_than_equal",
            Self::AtMost(_) => "less_than_equal",
            Self::Literal(_) => "literal_error",
            Self::Uuid(_) => "uuid_parsing",
            Self::NotJson(_) => "json_invalid",
            Self::NotObject => "dict_type",
            Self::NotList => "list_type",
            Self::NotText => "string_type",
            Self::NotInteger => "int_type",
            Self::TooMany(_) => "too_long",
            Self::ValueError(_) => "value_error",
        }
    }

    /// The bounds that were broken, where there are any.
    fn context(&self) -> Option<Value> {
        Some(match self {
            Self::TooShort(least) => json!({ "min_length": least }),
            Self::TooLong(most) | Self::TooMany(most) => json!({ "max_length": most }),
            Self::Pattern(pattern) => json!({ "pattern": pattern }),
            Self::AtLeast(least) => json!({ "ge": bound(*least) }),
            Self::AtMost(most) => json!({ "le": bound(*most) }),
            Self::Literal(expected) => json!({ "expected": expected }),
            Self::Uuid(why) | Self::NotJson(why) => json!({ "error": why }),
            Self::ValueError(_) => json!({ "error": {} }),
            _ => return None,
        })
    }
}

/// A bound as JSON: an integer where it is whole.
pub(crate) fn bound(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// A value that is refused.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ValidationError {
    pub(crate) place: ParameterLocation,
    pub(crate) name: &'static str,
    /// Which item of a list, from 0.
    pub(crate) position: Option<usize>,
    pub(crate) reason: Reason,
    /// The value as it was given; `None` when it is missing.
    pub(crate) input: Option<String>,
}

/// A step to a value that is refused.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
pub(crate) enum Step {
    Name(&'static str),
    Position(usize),
}

/// A value that is refused, as the body has it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(inline)]
pub(crate) struct Item<'a> {
    /// Identifier of the rule that the value breaks, such as `string_too_short`.
    r#type: &'static str,
    /// Where the value stands: `path`, `query` or `header`, the name of the parameter, and in a list the
    /// position from 0.
    loc: Vec<Step>,
    /// What is wrong, in a sentence.
    msg: String,
    /// The value as it was sent; null where it is missing.
    input: Option<&'a str>,
    /// The bounds that the value breaks; present only where the rule has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Map<String, Value>")]
    ctx: Option<Value>,
}

/// The body of a 422: every parameter that is not what it should be.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ValidationError")]
pub(crate) struct Body<'a> {
    /// One item for each value that is refused, in the order in which parameters are declared.
    pub(crate) detail: Vec<Item<'a>>,
}

impl<'a> Item<'a> {
    /// A value at a place that is refused.
    pub(crate) fn of(loc: Vec<Step>, reason: &Reason, input: Option<&'a str>) -> Self {
        let (r#type, msg, ctx) = (reason.kind(), reason.to_string(), reason.context());
        Self { r#type, loc, msg, input, ctx }
    }
}

impl ValidationError {
    fn item(&self) -> Item<'_> {
        let steps = [Step::Name(self.place.name()), Step::Name(self.name)];
        let steps = steps.into_iter().chain(self.position.map(Step::Position));
        Item::of(steps.collect(), &self.reason, self.input.as_deref())
    }
}

/// Every refused value of a request, in the order in which its parameters are declared.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("parameters are not what they should be")]
pub(crate) struct ValidationErrors(pub(crate) Vec<ValidationError>);

impl ValidationErrors {
    pub(crate) fn body(&self) -> Body<'_> {
        Body { detail: self.0.iter().map(ValidationError::item).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let check = |reason: Reason, kind: &str, message: &str, context: Value| {
            let error = ValidationError {
                place: ParameterLocation::Query,
                name: "x",
                position: None,
                reason,
                input: None,
            };
            let mut expected = json!({
                "type": kind, "loc": ["query", "x"], "msg": message, "input": null,
            });
            if !context.is_null() {
                expected["ctx"] = context;
            }
            assert_eq!(json!(error.item()), expected);
        };
        check(Reason::Missing, "missing", "Field required", Value::Null);
        check(
            Reason::TooShort(1),
            "string_too_short",
            "String should have at least 1 character",
            json!({"min_length": 1}),
        );
        check(
            Reason::TooLong(9),
            "string_too_long",
            "String should have at most 9 characters",
            json!({"max_length": 9}),
        );
        check(
            Reason::Pattern(r"^\d{5}$"),
            "string_pattern_mismatch",
            r"String should match pattern '^\d{5}$'",
            json!({"pattern": r"^\d{5}$"}),
        );
        check(
            Reason::AtLeast(-90.0),
            "greater_than_equal",
            "Input should be greater than or equal to -90",
            json!({"ge": -90}),
        );
        check(
            Reason::AtMost(0.5),
            "less_than_equal",
            "Input should be less than or equal to 0.5",
            json!({"le": 0.5}),
        );
        check(
            Reason::Literal("'a' or 'b'".into()),
            "literal_error",
            "Input should be 'a' or 'b'",
            json!({"expected": "'a' or 'b'"}),
        );
        check(
            Reason::ValueError("no such state".into()),
            "value_error",
            "Value error, no such state",
            json!({"error": {}}),
        );
        check(
            Reason::Uuid("too short".into()),
            "uuid_parsing",
            "Input should be a valid UUID, too short",
            json!({"error": "too short"}),
        );
    }

    #[test]
    fn positions_and_inputs() {
        let error = ValidationError {
            place: ParameterLocation::Query,
            name: "sdgs",
            position: Some(1),
            reason: Reason::NotWhole,
            input: Some("x".into()),
        };
        let json = json!(error.item());
        assert_eq!(json["loc"], json!(["query", "sdgs", 1]));
        assert_eq!(json["input"], json!("x"));
        assert_eq!(json.get("ctx"), None);
    }
}
