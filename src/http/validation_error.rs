//! Why the value of a parameter is refused, as the 422 body: its types and messages are pydantic
//! 2's, as clients already parse them.

use std::fmt;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Where a parameter stands in a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterLocation {
    Path,
    Query,
    Header,
}

impl ParameterLocation {
    /// The name in `loc` and in OpenAPI's `in`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
        }
    }
}

/// The rule that a value breaks.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Reason {
    Missing,
    /// Fewer code points than this.
    TooShort(usize),
    /// More code points than this.
    TooLong(usize),
    /// Does not match this pattern.
    Pattern(&'static str),
    NotWhole,
    NotNumber,
    NotFlag,
    NotFinite,
    /// Below this bound.
    AtLeast(f64),
    /// Above this bound.
    AtMost(f64),
    /// None of these, spoken (`'a', 'b' or 'c'`).
    Literal(String),
    /// No UUID, with what is wrong.
    Uuid(String),
    /// Breaks a rule that no other reason names.
    ValueError(String),
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
            Self::ValueError(_) => "value_error",
        }
    }

    /// The bounds that were broken, where there are any.
    fn context(&self) -> Option<Value> {
        Some(match self {
            Self::TooShort(least) => json!({ "min_length": least }),
            Self::TooLong(most) => json!({ "max_length": most }),
            Self::Pattern(pattern) => json!({ "pattern": pattern }),
            Self::AtLeast(least) => json!({ "ge": bound(*least) }),
            Self::AtMost(most) => json!({ "le": bound(*most) }),
            Self::Literal(expected) => json!({ "expected": expected }),
            Self::Uuid(why) => json!({ "error": why }),
            Self::ValueError(_) => json!({ "error": {} }),
            Self::Missing | Self::NotWhole | Self::NotNumber | Self::NotFlag | Self::NotFinite => {
                return None;
            }
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        match self {
            Self::Missing => f.write_str("Field required"),
            Self::TooShort(least) => {
                write!(f, "String should have at least {least} character{}", plural(*least))
            }
            Self::TooLong(most) => {
                write!(f, "String should have at most {most} character{}", plural(*most))
            }
            Self::Pattern(pattern) => write!(f, "String should match pattern '{pattern}'"),
            Self::NotWhole => {
                f.write_str("Input should be a valid integer, unable to parse string as an integer")
            }
            Self::NotNumber => {
                f.write_str("Input should be a valid number, unable to parse string as a number")
            }
            Self::NotFlag => {
                f.write_str("Input should be a valid boolean, unable to interpret input")
            }
            Self::NotFinite => f.write_str("Input should be a finite number"),
            Self::AtLeast(least) => {
                write!(f, "Input should be greater than or equal to {least}")
            }
            Self::AtMost(most) => write!(f, "Input should be less than or equal to {most}"),
            Self::Literal(expected) => write!(f, "Input should be {expected}"),
            Self::Uuid(why) => write!(f, "Input should be a valid UUID, {why}"),
            Self::ValueError(why) => write!(f, "Value error, {why}"),
        }
    }
}

/// A bound as JSON: an integer where it is whole.
pub(super) fn bound(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as i64) } else { json!(value) }
}

/// A value that is refused.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValidationError {
    pub(super) place: ParameterLocation,
    pub(super) name: &'static str,
    /// Which item of a list, from 0.
    pub(super) position: Option<usize>,
    pub(super) reason: Reason,
    /// The value as it was given; `None` when it is missing.
    pub(super) input: Option<String>,
}

/// A step to a value that is refused.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(untagged)]
#[schemars(inline)]
enum Step {
    Name(&'static str),
    Position(usize),
}

/// A value that is refused, as the body has it.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(inline)]
struct Item<'a> {
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
pub(super) struct Body<'a> {
    /// One item for each value that is refused, in the order in which parameters are declared.
    detail: Vec<Item<'a>>,
}

impl ValidationError {
    fn item(&self) -> Item<'_> {
        let steps = [Step::Name(self.place.name()), Step::Name(self.name)];
        Item {
            r#type: self.reason.kind(),
            loc: steps.into_iter().chain(self.position.map(Step::Position)).collect(),
            msg: self.reason.to_string(),
            input: self.input.as_deref(),
            ctx: self.reason.context(),
        }
    }
}

/// Every refused value of a request, in the order in which its parameters are declared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ValidationErrors(pub(super) Vec<ValidationError>);

impl ValidationErrors {
    /// The 422 body.
    pub(super) fn body(&self) -> Body<'_> {
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
