//! Bodies of requests: JSON read member by member, every fault told with its place as pydantic 2 does.

use serde_json::{Map, Value};

use super::validation_error::{Body, Item, Reason, Step};

/// Every refused value of a body, in the order of reading.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("a body is not what it should be")]
pub(crate) struct BodyErrors {
    /// Where what was read stands in the request.
    outer: &'static [&'static str],
    faults: Vec<(Vec<Step>, Reason, Option<String>)>,
}

impl Default for BodyErrors {
    fn default() -> Self {
        Self { outer: &["body"], faults: Vec::new() }
    }
}

impl BodyErrors {
    fn one(fault: Reason) -> Self {
        Self { faults: vec![(Vec::new(), fault, None)], ..Self::default() }
    }

    /// The same of a text that stands elsewhere: in a parameter, say.
    pub(crate) fn within(self, outer: &'static [&'static str]) -> Self {
        Self { outer, ..self }
    }

    /// Adds those of a part that was read apart.
    pub(crate) fn append(&mut self, other: Self) {
        self.faults.extend(other.faults);
    }

    /// Takes texts that are too long out, and tells them, each with its place within an object.
    pub(crate) fn take_too_long(&mut self, object: &Object<'_>) -> Vec<String> {
        let faults = std::mem::take(&mut self.faults).into_iter();
        let (long, others) = faults.partition(|(_, fault, _)| matches!(fault, Reason::TooLong(_)));
        self.faults = others;
        Self { faults: long, ..Self::default() }.sentences_from(object.steps.len())
    }

    /// What is wrong, a sentence each: where, and what was expected.
    pub(crate) fn sentences(&self) -> Vec<String> {
        self.sentences_from(0)
    }

    /// The same, with the `outer` outermost steps left out of the places.
    fn sentences_from(&self, outer: usize) -> Vec<String> {
        let told = self.faults.iter().map(|(steps, fault, _)| {
            let place = steps.iter().skip(outer).map(|step| match step {
                Step::Name(name) => (*name).to_owned(),
                Step::Position(at) => at.to_string(),
            });
            let place = place.collect::<Vec<_>>().join(".");
            let colon = if place.is_empty() { "" } else { ": " };
            format!("{place}{colon}{fault}")
        });
        told.collect()
    }

    pub(crate) fn body(&self) -> Body<'_> {
        let items = self.faults.iter().map(|(steps, fault, input)| {
            let outer = self.outer.iter().copied().map(Step::Name);
            Item::of(outer.chain(steps.iter().cloned()).collect(), fault, input.as_deref())
        });
        Body { detail: items.collect() }
    }
}

/// An object of a body that is being read, with its place.
pub(crate) struct Object<'a> {
    members: &'a Map<String, Value>,
    steps: Vec<Step>,
}

/// Reads a body, which must be an object; what `read` adds to the errors makes it refused.
pub(crate) fn read<T>(
    bytes: &[u8],
    read: impl FnOnce(&Object<'_>, &mut BodyErrors) -> T,
) -> Result<T, BodyErrors> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| BodyErrors::one(Reason::NotJson(error.to_string())))?;
    read_value(&value, read)
}

fn read_value<T>(
    value: &Value,
    read: impl FnOnce(&Object<'_>, &mut BodyErrors) -> T,
) -> Result<T, BodyErrors> {
    let Value::Object(members) = value else { return Err(BodyErrors::one(Reason::NotObject)) };
    let mut errors = BodyErrors::default();
    let found = read(&Object { members, steps: Vec::new() }, &mut errors);
    if errors.faults.is_empty() { Ok(found) } else { Err(errors) }
}

/// Characters of the name of an unknown member that are shown.
const UNKNOWN_CHARACTERS_MAX: usize = 64;

impl Object<'_> {
    fn fault(&self, inner: &[Step], fault: Reason, value: Option<&Value>, errors: &mut BodyErrors) {
        let steps = self.steps.iter().chain(inner).cloned().collect();
        errors.faults.push((steps, fault, value.and_then(Value::as_str).map(str::to_owned)));
    }

    /// A member that is there and not null.
    pub(crate) fn member(&self, name: &str) -> Option<&Value> {
        self.members.get(name).filter(|value| !value.is_null())
    }

    /// Reports that a member must be there.
    pub(crate) fn missing(&self, name: &'static str, errors: &mut BodyErrors) {
        self.fault(&[Step::Name(name)], Reason::Missing, None, errors);
    }

    /// Reports a rule that an item of a list breaks.
    pub(crate) fn unfit(
        &self,
        (name, at): (&'static str, usize),
        why: String,
        errors: &mut BodyErrors,
    ) {
        let steps = [Step::Name(name), Step::Position(at)];
        let value = self.member(name).and_then(|list| list.get(at));
        self.fault(&steps, Reason::ValueError(why), value, errors);
    }

    /// A text of at most `most` code points; `None` if it is absent or refused.
    pub(crate) fn text(
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
            self.fault(steps, Reason::NotText, Some(value), errors);
            return None;
        };
        if text.chars().count() > most {
            self.fault(steps, Reason::TooLong(most), Some(value), errors);
            return None;
        }
        Some(text.to_owned())
    }

    /// A whole number within bounds.
    pub(crate) fn whole(
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
            self.fault(&steps, Reason::NotInteger, Some(value), errors);
            return None;
        };
        if !(least..=most).contains(&number) {
            let why = format!("expected a number from {least} to {most}");
            self.fault(&steps, Reason::ValueError(why), Some(value), errors);
            return None;
        }
        Some(number)
    }

    /// The items of a list of at most `most` items; empty if it is absent or refused.
    fn items(&self, name: &'static str, most: usize, errors: &mut BodyErrors) -> &[Value] {
        let Some(value) = self.member(name) else { return &[] };
        let fault = match value.as_array() {
            Some(items) if items.len() <= most => return items,
            Some(_) => Reason::TooMany(most),
            None => Reason::NotList,
        };
        self.fault(&[Step::Name(name)], fault, Some(value), errors);
        &[]
    }

    /// A list of texts; of one with an item that is refused nothing, so that positions stay.
    pub(crate) fn texts(
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
    pub(crate) fn objects<T>(
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
                self.fault(&steps, Reason::NotObject, Some(value), errors);
                continue;
            };
            let steps = self.steps.iter().cloned().chain(steps).collect();
            found.push(read(&Object { members, steps }, errors));
        }
        found
    }

    /// Every member, whatever its name, an object that is read by itself: what is wrong with one leaves the others.
    pub(crate) fn each<T>(
        &self,
        read: impl Fn(&Object<'_>, &mut BodyErrors) -> T,
    ) -> Vec<(String, Result<T, BodyErrors>)> {
        let members = self.members.iter();
        members.map(|(name, value)| (name.clone(), read_value(value, &read))).collect()
    }

    /// Every item of a list, likewise.
    pub(crate) fn each_of<T>(
        &self,
        name: &'static str,
        errors: &mut BodyErrors,
        read: impl Fn(&Object<'_>, &mut BodyErrors) -> T,
    ) -> Vec<Result<T, BodyErrors>> {
        let items = self.items(name, usize::MAX, errors).iter();
        items.map(|value| read_value(value, &read)).collect()
    }

    /// Reports a rule that a member breaks.
    pub(crate) fn unfit_member(&self, name: &'static str, why: String, errors: &mut BodyErrors) {
        self.fault(&[Step::Name(name)], Reason::ValueError(why), self.member(name), errors);
    }

    /// The names of members that nobody reads, those of `known` being read.
    pub(crate) fn unknown(&self, known: &[&str]) -> Vec<String> {
        let names = self.members.keys().filter(|name| !known.contains(&name.as_str()));
        names.map(|name| name.chars().take(UNKNOWN_CHARACTERS_MAX).collect()).collect()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
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
            let body = found.map_err(|errors| serde_json::json!(errors.body()));
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
