//! Bodies of requests: JSON read member by member, every fault told with its place as pydantic 2 does.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A step to a value of a body.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[serde(untagged)]
pub(super) enum Step {
    Name(&'static str),
    Position(usize),
}

/// The rule that a value of a body breaks.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fault {
    /// No JSON, with what the parser says.
    NotJson(String),
    NotObject,
    NotList,
    NotText,
    NotWhole,
    Missing,
    /// More items than this.
    TooMany(usize),
    /// More code points than this.
    TooLong(usize),
    /// Outside these bounds.
    Outside(i64, i64),
    /// Breaks a rule that no other fault names.
    Value(String),
}

impl Fault {
    fn kind(&self) -> &'static str {
        match self {
            Self::NotJson(_) => "json_invalid",
            Self::NotObject => "dict_type",
            Self::NotList => "list_type",
            Self::NotText => "string_type",
            Self::NotWhole => "int_type",
            Self::Missing => "missing",
            Self::TooMany(_) => "too_long",
            Self::TooLong(_) => "string_too_long",
            Self::Outside(..) => "value_error",
            Self::Value(_) => "value_error",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::NotJson(_) => "JSON decode error".to_owned(),
            Self::NotObject => "Input should be a valid dictionary".to_owned(),
            Self::NotList => "Input should be a valid list".to_owned(),
            Self::NotText => "Input should be a valid string".to_owned(),
            Self::NotWhole => "Input should be a valid integer".to_owned(),
            Self::Missing => "Field required".to_owned(),
            Self::TooMany(most) => {
                format!("List should have at most {most} items after validation")
            }
            Self::TooLong(most) => format!("String should have at most {most} characters"),
            Self::Outside(least, most) => {
                format!("Value error, expected a number from {least} to {most}")
            }
            Self::Value(why) => format!("Value error, {why}"),
        }
    }

    fn context(&self) -> Option<Value> {
        Some(match self {
            Self::NotJson(why) => json!({ "error": why }),
            Self::TooMany(most) | Self::TooLong(most) => json!({ "max_length": most }),
            Self::Outside(..) | Self::Value(_) => json!({ "error": {} }),
            _ => return None,
        })
    }
}

/// Every refused value of a body, in the order of reading.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BodyErrors {
    /// Where what was read stands in the request.
    outer: &'static [&'static str],
    faults: Vec<(Vec<Step>, Fault, Option<String>)>,
}

impl Default for BodyErrors {
    fn default() -> Self {
        Self { outer: &["body"], faults: Vec::new() }
    }
}

impl BodyErrors {
    fn one(fault: Fault) -> Self {
        Self { faults: vec![(Vec::new(), fault, None)], ..Self::default() }
    }

    /// The same of a text that stands elsewhere: in a parameter, say.
    pub(super) fn within(self, outer: &'static [&'static str]) -> Self {
        Self { outer, ..self }
    }

    /// Adds those of a part that was read apart.
    pub(super) fn append(&mut self, other: Self) {
        self.faults.extend(other.faults);
    }

    /// Takes texts that are too long out, and tells them, each with its place within an object.
    pub(super) fn take_too_long(&mut self, object: &Object<'_>) -> Vec<String> {
        let is_long = |fault: &Fault| matches!(fault, Fault::TooLong(_));
        let faults = std::mem::take(&mut self.faults).into_iter();
        let (long, others) = faults.partition(|(_, fault, _)| is_long(fault));
        self.faults = others;
        Self { faults: long, ..Self::default() }.sentences_from(object.steps.len())
    }

    /// What is wrong, a sentence each: where, and what was expected.
    pub(super) fn sentences(&self) -> Vec<String> {
        self.sentences_from(0)
    }

    /// The same, with the `outer` outermost steps left out of the places.
    fn sentences_from(&self, outer: usize) -> Vec<String> {
        let told = self.faults.iter().map(|(steps, fault, _)| {
            let place = steps.iter().skip(outer).map(|step| json!(step).to_string());
            let place = place.collect::<Vec<_>>().join(".").replace('"', "");
            let colon = if place.is_empty() { "" } else { ": " };
            format!("{place}{colon}{}", fault.message())
        });
        told.collect()
    }

    /// The 422 body: of the schema that refused parameters have.
    pub(super) fn body(&self) -> Value {
        let items = self.faults.iter().map(|(steps, fault, input)| {
            let outer = self.outer.iter().map(|step| json!(step));
            let loc = outer.chain(steps.iter().map(|step| json!(step)));
            let mut item = json!({
                "type": fault.kind(),
                "loc": loc.collect::<Vec<_>>(),
                "msg": fault.message(),
                "input": input,
            });
            if let Some(context) = fault.context() {
                item["ctx"] = context;
            }
            item
        });
        json!({ "detail": items.collect::<Vec<_>>() })
    }
}

/// An object of a body that is being read, with its place.
pub(super) struct Object<'a> {
    members: &'a Map<String, Value>,
    steps: Vec<Step>,
}

/// Reads a body, which must be an object; what `read` adds to the errors makes it refused.
pub(super) fn read<T>(
    bytes: &[u8],
    read: impl FnOnce(&Object<'_>, &mut BodyErrors) -> T,
) -> Result<T, BodyErrors> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| BodyErrors::one(Fault::NotJson(error.to_string())))?;
    read_value(&value, read)
}

fn read_value<T>(
    value: &Value,
    read: impl FnOnce(&Object<'_>, &mut BodyErrors) -> T,
) -> Result<T, BodyErrors> {
    let Value::Object(members) = value else { return Err(BodyErrors::one(Fault::NotObject)) };
    let mut errors = BodyErrors::default();
    let found = read(&Object { members, steps: Vec::new() }, &mut errors);
    if errors.faults.is_empty() { Ok(found) } else { Err(errors) }
}

/// Characters of the name of an unknown member that are shown.
const UNKNOWN_CHARACTERS_MAX: usize = 64;

impl Object<'_> {
    fn fault(&self, inner: &[Step], fault: Fault, value: Option<&Value>, errors: &mut BodyErrors) {
        let steps = self.steps.iter().chain(inner).cloned().collect();
        errors.faults.push((steps, fault, value.and_then(Value::as_str).map(str::to_owned)));
    }

    /// A member that is there and not null.
    pub(super) fn member(&self, name: &str) -> Option<&Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Reports that a member must be there.
    pub(super) fn missing(&self, name: &'static str, errors: &mut BodyErrors) {
        self.fault(&[Step::Name(name)], Fault::Missing, None, errors);
    }

    /// Reports a rule that an item of a list breaks.
    pub(super) fn unfit(
        &self,
        (name, at): (&'static str, usize),
        why: String,
        errors: &mut BodyErrors,
    ) {
        let steps = [Step::Name(name), Step::Position(at)];
        let value = self.member(name).and_then(|list| list.get(at));
        self.fault(&steps, Fault::Value(why), value, errors);
    }

    /// A text of at most `most` code points; `None` if it is absent or refused.
    pub(super) fn text(
        &self,
        name: &'static str,
        most: usize,
        errors: &mut BodyErrors,
    ) -> Option<String> {
        let value = self.member(name)?;
        self.text_at(&[Step::Name(name)], value, most, errors)
    }

    fn text_at(
        &self,
        steps: &[Step],
        value: &Value,
        most: usize,
        errors: &mut BodyErrors,
    ) -> Option<String> {
        let Some(text) = value.as_str() else {
            self.fault(steps, Fault::NotText, Some(value), errors);
            return None;
        };
        if text.chars().count() > most {
            self.fault(steps, Fault::TooLong(most), Some(value), errors);
            return None;
        }
        Some(text.to_owned())
    }

    /// A whole number within bounds.
    pub(super) fn whole(
        &self,
        name: &'static str,
        (least, most): (i64, i64),
        errors: &mut BodyErrors,
    ) -> Option<i64> {
        let value = self.member(name)?;
        let steps = [Step::Name(name)];
        // 8.0 is whole too, as JSON Schema sees it.
        let whole = || value.as_f64().filter(|number| number.fract() == 0.0);
        let Some(number) = value.as_i64().or_else(|| whole().map(|number| number as i64)) else {
            self.fault(&steps, Fault::NotWhole, Some(value), errors);
            return None;
        };
        if !(least..=most).contains(&number) {
            self.fault(&steps, Fault::Outside(least, most), Some(value), errors);
            return None;
        }
        Some(number)
    }

    /// The items of a list of at most `most` items; empty if it is absent or refused.
    fn items(&self, name: &'static str, most: usize, errors: &mut BodyErrors) -> &[Value] {
        let Some(value) = self.member(name) else { return &[] };
        let fault = match value.as_array() {
            Some(items) if items.len() <= most => return items,
            Some(_) => Fault::TooMany(most),
            None => Fault::NotList,
        };
        self.fault(&[Step::Name(name)], fault, Some(value), errors);
        &[]
    }

    /// A list of texts; of one with an item that is refused nothing, so that positions stay.
    pub(super) fn texts(
        &self,
        name: &'static str,
        (most, characters_most): (usize, usize),
        errors: &mut BodyErrors,
    ) -> Vec<String> {
        let items = self.items(name, most, errors).iter().enumerate();
        let read = |(at, value): (usize, &Value)| {
            let steps = [Step::Name(name), Step::Position(at)];
            self.text_at(&steps, value, characters_most, errors)
        };
        items.map(read).collect::<Option<_>>().unwrap_or_default()
    }

    /// A list of objects, each read by `read`.
    pub(super) fn objects<T>(
        &self,
        name: &'static str,
        most: usize,
        errors: &mut BodyErrors,
        read: impl Fn(&Object<'_>, &mut BodyErrors) -> T,
    ) -> Vec<T> {
        let mut found = Vec::new();
        for (at, value) in self.items(name, most, errors).iter().enumerate() {
            let steps = [Step::Name(name), Step::Position(at)];
            let Value::Object(members) = value else {
                self.fault(&steps, Fault::NotObject, Some(value), errors);
                continue;
            };
            let steps = self.steps.iter().cloned().chain(steps).collect();
            found.push(read(&Object { members, steps }, errors));
        }
        found
    }

    /// Every member, whatever its name, an object that is read by itself: what is wrong with one leaves the others.
    pub(super) fn each<T>(
        &self,
        read: impl Fn(&Object<'_>, &mut BodyErrors) -> T,
    ) -> Vec<(String, Result<T, BodyErrors>)> {
        let members = self.members.iter();
        members.map(|(name, value)| (name.clone(), read_value(value, &read))).collect()
    }

    /// Every item of a list, likewise.
    pub(super) fn each_of<T>(
        &self,
        name: &'static str,
        errors: &mut BodyErrors,
        read: impl Fn(&Object<'_>, &mut BodyErrors) -> T,
    ) -> Vec<Result<T, BodyErrors>> {
        let items = self.items(name, usize::MAX, errors).iter();
        items.map(|value| read_value(value, &read)).collect()
    }

    /// Reports a rule that a member breaks.
    pub(super) fn unfit_member(&self, name: &'static str, why: String, errors: &mut BodyErrors) {
        self.fault(&[Step::Name(name)], Fault::Value(why), self.member(name), errors);
    }

    /// The names of members that nobody reads, those of `known` being read.
    pub(super) fn unknown(&self, known: &[&str]) -> Vec<String> {
        let names = self.members.keys().filter(|name| !known.contains(&name.as_str()));
        names.map(|name| name.chars().take(UNKNOWN_CHARACTERS_MAX).collect()).collect()
    }

    /// Whether there is such a member.
    pub(super) fn has(&self, name: &str) -> bool {
        self.member(name).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_place() {
        let told = |body: &str| {
            let found = read(body.as_bytes(), |object, errors| {
                if !object.has("rows") {
                    object.missing("rows", errors);
                }
                object.whole("limit", (1, 8), errors);
                object.objects("rows", 2, errors, |row, errors| {
                    (row.text("name", 3, errors), row.texts("others", (1, 3), errors))
                })
            });
            let body = found.map_err(|errors| errors.body());
            let items = match &body {
                Ok(_) => Vec::new(),
                Err(body) => body["detail"].as_array().unwrap().clone(),
            };
            items.iter().map(|item| format!("{} {}", item["loc"], item["type"])).collect::<Vec<_>>()
        };
        for (body, expected) in [
            (r#"{"rows": [{"name": "abc"}], "limit": null}"#, vec![]),
            (r#"{"rows": [], "limit": 8.0}"#, vec![]),
            (r#"{"rows": [], "limit": 7.5}"#, vec![r#"["body","limit"] "int_type""#]),
            (r#"{"rows": [], "limit": 1e300}"#, vec![r#"["body","limit"] "value_error""#]),
            ("", vec![r#"["body"] "json_invalid""#]),
            ("[]", vec![r#"["body"] "dict_type""#]),
            ("{}", vec![r#"["body","rows"] "missing""#]),
            (r#"{"rows": 1}"#, vec![r#"["body","rows"] "list_type""#]),
            (r#"{"rows": [1]}"#, vec![r#"["body","rows",0] "dict_type""#]),
            (r#"{"rows": [{}, {}, {}]}"#, vec![r#"["body","rows"] "too_long""#]),
            (
                r#"{"rows": [{}, {"name": "abcd", "others": [1]}], "limit": 9}"#,
                vec![
                    r#"["body","limit"] "value_error""#,
                    r#"["body","rows",1,"name"] "string_too_long""#,
                    r#"["body","rows",1,"others",0] "string_type""#,
                ],
            ),
        ] {
            assert_eq!(told(body), expected, "{body}");
        }
        assert!(read("[".repeat(100_000).as_bytes(), |_, _| ()).is_err());
    }
}
