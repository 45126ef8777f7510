//! The kinds of value that parameters take: each reads one text, names the rule that a bad one
//! breaks, and describes itself as a JSON schema.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::LazyLock;

use serde_json::{Value, json};
use uuid::Uuid;

use super::validation_error::{Reason, bound};
use crate::record::{Date, Ein, Sdg, State};

/// A kind of value.
pub(crate) trait ParameterType: Sync {
    type Value;

    /// Reads a value as it was given.
    fn read(&self, raw: &str) -> Result<Self::Value, Reason>;

    /// The JSON schema of a value.
    fn schema(&self) -> Value;

    /// Whether an empty text counts as not given, rather than as a bad value.
    fn empty_is_absent(&self) -> bool {
        false
    }

    /// A value as it stands in a schema's `default`.
    fn show(&self, _value: &Self::Value) -> Value {
        Value::Null
    }
}

/// A text of `min` to `max` code points.
pub(crate) struct Text {
    min: usize,
    max: usize,
}

impl Text {
    /// Any text; an empty one counts as not given.
    pub(crate) const ANY: Self = Self { min: 0, max: usize::MAX };

    pub(crate) const fn between(min: usize, max: usize) -> Self {
        Self { min, max }
    }

    /// At most `max` code points; an empty text counts as not given.
    pub(crate) const fn at_most(max: usize) -> Self {
        Self { min: 0, max }
    }
}

/// Refuses a text of fewer or more code points.
fn measure(raw: &str, min: usize, max: usize) -> Result<(), Reason> {
    let length = raw.chars().count();
    if length < min {
        return Err(Reason::TooShort(min));
    }
    if length > max { Err(Reason::TooLong(max)) } else { Ok(()) }
}

impl ParameterType for Text {
    type Value = String;

    fn read(&self, raw: &str) -> Result<String, Reason> {
        measure(raw, self.min, self.max).map(|()| raw.to_owned())
    }

    fn schema(&self) -> Value {
        let mut schema = json!({ "type": "string" });
        if self.min > 0 {
            schema["minLength"] = json!(self.min);
        }
        if self.max < usize::MAX {
            schema["maxLength"] = json!(self.max);
        }
        schema
    }

    fn empty_is_absent(&self) -> bool {
        self.min == 0
    }
}

/// Names with commas between them, each of `min` to `max` code points, of `list_max` together.
pub(crate) struct Names {
    pub(crate) min: usize,
    pub(crate) max: usize,
    pub(crate) list_max: usize,
}

impl ParameterType for Names {
    type Value = String;

    fn read(&self, raw: &str) -> Result<String, Reason> {
        measure(raw, self.min, self.list_max)?;
        raw.split(',').try_for_each(|name| measure(name, 0, self.max))?;
        Ok(raw.to_owned())
    }

    fn schema(&self) -> Value {
        let Self { min, max, list_max } = self;
        let pattern = format!("^[^,]{{0,{max}}}(,[^,]{{0,{max}}})*$");
        json!({ "type": "string", "minLength": min, "maxLength": list_max, "pattern": pattern })
    }
}

/// An EIN: the length is checked first, then the digits.
pub(crate) struct EinDigits;

impl EinDigits {
    const LENGTH: usize = 9;
    const PATTERN: &str = r"^\d{9}$";
}

impl ParameterType for EinDigits {
    type Value = Ein;

    fn read(&self, raw: &str) -> Result<Ein, Reason> {
        measure(raw, Self::LENGTH, Self::LENGTH)?;
        raw.parse().map_err(|_| Reason::Pattern(Self::PATTERN))
    }

    fn schema(&self) -> Value {
        json!({
            "type": "string", "pattern": Self::PATTERN,
            "minLength": Self::LENGTH, "maxLength": Self::LENGTH,
        })
    }
}

/// A code of digits: whatever `T` parses, described by a pattern.
pub(crate) struct Code<T> {
    pattern: &'static str,
    parsed: PhantomData<fn() -> T>,
}

impl<T> Code<T> {
    pub(crate) const fn matching(pattern: &'static str) -> Self {
        Self { pattern, parsed: PhantomData }
    }
}

impl<T: FromStr> ParameterType for Code<T> {
    type Value = T;

    fn read(&self, raw: &str) -> Result<T, Reason> {
        raw.parse().map_err(|_| Reason::Pattern(self.pattern))
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "pattern": self.pattern })
    }
}

/// A day, RFC 3339, where a span of time begins or ends.
pub(crate) struct Day;

impl ParameterType for Day {
    type Value = Date;

    fn read(&self, raw: &str) -> Result<Date, Reason> {
        let expected = |_| Reason::ValueError("expected a day that exists, as YYYY-MM-DD".into());
        Date::parse_nearest(raw).map_err(expected)
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "format": "date" })
    }
}

/// An integer within bounds. One that does not fit 64 bits is the nearest that does: no bound
/// lies out there.
pub(crate) struct Integer {
    min: i64,
    max: i64,
}

impl Integer {
    pub(crate) const fn between(min: i64, max: i64) -> Self {
        Self { min, max }
    }

    pub(crate) const fn at_least(min: i64) -> Self {
        Self { min, max: i64::MAX }
    }
}

/// Reads a sign and ASCII digits between blanks.
fn whole(raw: &str) -> Option<i64> {
    let text = raw.trim();
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits
        .bytes()
        .fold(0_i64, |sum, digit| sum.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
    Some(if negative { -size } else { size })
}

impl ParameterType for Integer {
    type Value = i64;

    fn read(&self, raw: &str) -> Result<i64, Reason> {
        let value = whole(raw).ok_or(Reason::NotWhole)?;
        if value < self.min {
            return Err(Reason::AtLeast(self.min as f64));
        }
        if value > self.max { Err(Reason::AtMost(self.max as f64)) } else { Ok(value) }
    }

    fn schema(&self) -> Value {
        let mut schema = json!({ "type": "integer", "minimum": self.min });
        if self.max < i64::MAX {
            schema["maximum"] = json!(self.max);
        }
        schema
    }

    fn show(&self, value: &i64) -> Value {
        json!(value)
    }
}

/// A Sustainable Development Goal by its number.
pub(crate) struct Goal;

impl Goal {
    const NUMBER: Integer = Integer::between(1, 17);
}

impl ParameterType for Goal {
    type Value = Sdg;

    fn read(&self, raw: &str) -> Result<Sdg, Reason> {
        Sdg::new(Self::NUMBER.read(raw)?).map_err(|error| Reason::ValueError(error.to_string()))
    }

    fn schema(&self) -> Value {
        Self::NUMBER.schema()
    }
}

/// A finite number within bounds.
pub(crate) struct Number {
    min: f64,
    max: f64,
}

impl Number {
    pub(crate) const fn between(min: f64, max: f64) -> Self {
        Self { min, max }
    }

    pub(crate) const fn at_least(min: f64) -> Self {
        Self { min, max: f64::INFINITY }
    }
}

impl ParameterType for Number {
    type Value = f64;

    fn read(&self, raw: &str) -> Result<f64, Reason> {
        let value: f64 = raw.trim().parse().map_err(|_| Reason::NotNumber)?;
        if !value.is_finite() {
            return Err(Reason::NotFinite);
        }
        if value < self.min {
            return Err(Reason::AtLeast(self.min));
        }
        if value > self.max { Err(Reason::AtMost(self.max)) } else { Ok(value) }
    }

    fn schema(&self) -> Value {
        let mut schema = json!({ "type": "number", "minimum": bound(self.min) });
        if self.max.is_finite() {
            schema["maximum"] = bound(self.max);
        }
        schema
    }
}

/// A truth value, spelled as people spell them.
pub(crate) struct Flag;

impl ParameterType for Flag {
    type Value = bool;

    fn read(&self, raw: &str) -> Result<bool, Reason> {
        let any = |words: &[&str]| words.iter().any(|word| raw.eq_ignore_ascii_case(word));
        if any(&["true", "1", "yes", "on", "t", "y"]) {
            Ok(true)
        } else if any(&["false", "0", "no", "off", "f", "n"]) {
            Ok(false)
        } else {
            Err(Reason::NotFlag)
        }
    }

    fn schema(&self) -> Value {
        json!({ "type": "boolean" })
    }
}

/// That one of these words was expected.
pub(crate) fn literal(words: &[impl std::fmt::Display]) -> Reason {
    let words: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
    Reason::Literal(match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    })
}

/// One of a few values, by its name.
pub(crate) struct Choice<T: 'static> {
    values: &'static [T],
    name: fn(T) -> &'static str,
    /// Further names, which validation does not offer: those of another service.
    further: &'static [(&'static str, T)],
}

impl<T: Copy + 'static> Choice<T> {
    pub(crate) const fn of(values: &'static [T], name: fn(T) -> &'static str) -> Self {
        Self { values, name, further: &[] }
    }

    pub(crate) const fn or(self, further: &'static [(&'static str, T)]) -> Self {
        Self { further, ..self }
    }

    fn names(&self) -> Vec<&'static str> {
        self.values.iter().map(|value| (self.name)(*value)).collect()
    }
}

impl<T: Copy + Sync> ParameterType for Choice<T> {
    type Value = T;

    fn read(&self, raw: &str) -> Result<T, Reason> {
        let own = self.values.iter().find(|value| (self.name)(**value) == raw);
        let further = || self.further.iter().find(|(name, _)| *name == raw).map(|(_, value)| value);
        own.or_else(further).copied().ok_or_else(|| literal(&self.names()))
    }

    fn schema(&self) -> Value {
        let further = self.further.iter().map(|(name, _)| *name);
        let names: Vec<_> = self.names().into_iter().chain(further).collect();
        json!({ "type": "string", "enum": names })
    }

    fn show(&self, value: &T) -> Value {
        json!((self.name)(*value))
    }
}

/// An order by its name, with `-` in front for descending.
pub(crate) struct OrderName<T: 'static> {
    pub(crate) names: fn() -> Vec<String>,
    pub(crate) parse: fn(&str) -> Option<T>,
    pub(crate) name: fn(T) -> String,
}

impl<T: Copy> ParameterType for OrderName<T> {
    type Value = T;

    fn read(&self, raw: &str) -> Result<T, Reason> {
        (self.parse)(raw).ok_or_else(|| literal(&(self.names)()))
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "enum": (self.names)() })
    }

    fn show(&self, order: &T) -> Value {
        (self.name)(*order).into()
    }
}

/// A USPS code of a state, a territory or a military region, in any case.
pub(crate) struct UspsCode;

impl ParameterType for UspsCode {
    type Value = State;

    fn read(&self, raw: &str) -> Result<State, Reason> {
        measure(raw, 2, 2)?;
        raw.parse().map_err(|_| {
            Reason::ValueError(
                "state should be a USPS code of a state or territory, such as OH".into(),
            )
        })
    }

    fn schema(&self) -> Value {
        json!({
            "type": "string",
            "minLength": 2,
            "maxLength": 2,
            "pattern": *STATE_PATTERN,
            "examples": ["OH"],
        })
    }
}

/// A pattern of every state's code in any case, those of one first letter together.
static STATE_PATTERN: LazyLock<String> = LazyLock::new(|| {
    let mut seconds: BTreeMap<char, String> = BTreeMap::new();
    for state in State::all() {
        let mut letters = state.code().chars();
        if let (Some(first), Some(second)) = (letters.next(), letters.next()) {
            seconds.entry(first).or_default().extend([second, second.to_ascii_lowercase()]);
        }
    }
    let groups = seconds
        .iter()
        .map(|(first, seconds)| format!("[{first}{}][{seconds}]", first.to_ascii_lowercase()));
    format!("^({})$", groups.collect::<Vec<_>>().join("|"))
});

/// A UUID in any of its usual spellings.
pub(crate) struct UuidText;

impl ParameterType for UuidText {
    type Value = Uuid;

    fn read(&self, raw: &str) -> Result<Uuid, Reason> {
        Uuid::try_parse(raw).map_err(|error| Reason::Uuid(error.to_string()))
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "format": "uuid" })
    }
}

#[cfg(test)]
mod tests;
