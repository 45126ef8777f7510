//! One JSON object, its keys taken one by one by rule; what is left are the keys not known.
//!
//! `null`, an absent key and a blank text are the same: nothing is known. Anything else that is
//! not what the key holds is a fault of the whole line.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::address::{self, address};
use super::{RecordError, TEXT_BYTES_MAX, excerpt};
use crate::naming::visible;
use crate::record::{Ein, Timestamp};

/// The longest id: it is a key of the store and part of addresses.
const ID_BYTES_MAX: usize = 256;

/// The longest object that is kept as JSON.
const OBJECT_BYTES_MAX: usize = 16 << 10;

/// The most entries of a list; an answer shows them all.
const LIST_ENTRIES_MAX: usize = 1000;

/// The most unknown keys of a line that are reported; a line has room for a hundred thousand.
const UNKNOWN_KEYS_MAX: usize = 32;

/// A text as it is kept: trimmed, without invisible characters, and control characters but line breaks
/// and tabs. `None` when nothing is left.
fn tidy(mut text: String) -> Option<String> {
    if let Cow::Owned(visible) = visible(&text) {
        text = visible;
    }
    // Only these bytes begin a control character; there is seldom one.
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7F || byte == 0xC2) {
        text.retain(|c| !c.is_control() || c == '\n' || c == '\t');
    }
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        text = trimmed.to_owned();
    }
    (!text.is_empty()).then_some(text)
}

/// The keys of an object that have not been taken yet.
pub(super) struct Object {
    map: Map<String, Value>,
    /// The key whose list it stands in, or nothing.
    within: &'static str,
    /// Keys that were not known in objects within it.
    inner: Vec<String>,
}

impl Object {
    pub(super) fn new(map: Map<String, Value>) -> Self {
        Self { map, within: "", inner: Vec::new() }
    }

    /// The keys that were not taken, the first [`UNKNOWN_KEYS_MAX`].
    pub(super) fn rest(&self) -> impl Iterator<Item = String> + '_ {
        let inner = self.inner.iter().cloned();
        self.map.keys().map(|key| self.path(key)).chain(inner).take(UNKNOWN_KEYS_MAX)
    }

    /// Keeps the keys that are left of an object within this one.
    pub(super) fn leave(&mut self, within: &Object) {
        let room = UNKNOWN_KEYS_MAX.saturating_sub(self.inner.len());
        self.inner.extend(within.rest().take(room));
    }

    fn path(&self, key: &str) -> String {
        if self.within.is_empty() {
            excerpt(key)
        } else {
            excerpt(&format!("{}.{key}", self.within))
        }
    }

    pub(super) fn fault(&self, key: &str, expected: &'static str, value: &Value) -> RecordError {
        let found = value.as_str().map_or_else(|| value.to_string().into(), Cow::Borrowed);
        RecordError::new(&self.path(key), expected, &found)
    }

    /// The value of a key.
    pub(super) fn take(&mut self, key: &str) -> Option<Value> {
        self.map.swap_remove(key).filter(|value| !value.is_null())
    }

    /// What `read` makes of the value of a key, or else the value; a blank text is none.
    pub(super) fn read<T>(
        &mut self,
        key: &str,
        expected: &'static str,
        read: impl FnOnce(Value) -> Result<T, Value>,
    ) -> Result<Option<T>, RecordError> {
        let is_blank = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        match self.take(key).filter(|value| !is_blank(value)) {
            None => Ok(None),
            Some(value) => read(value).map(Some).map_err(|value| self.fault(key, expected, &value)),
        }
    }

    /// What `parse` makes of a text.
    pub(super) fn parse<T>(
        &mut self,
        key: &str,
        expected: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, RecordError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        parse(&text).map(Some).ok_or_else(|| RecordError::new(key, expected, &text))
    }

    /// A text of at most [`TEXT_BYTES_MAX`].
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, RecordError> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() <= TEXT_BYTES_MAX => Ok(tidy(text)),
            Some(value) if value.is_string() => {
                Err(self.fault(key, "a text of at most 256 KiB", &value))
            }
            Some(value) => Err(self.fault(key, "a text", &value)),
        }
    }

    /// A text without which the line is of no use.
    pub(super) fn required(&mut self, key: &str) -> Result<String, RecordError> {
        let text = self.text(key)?;
        text.ok_or_else(|| RecordError::new(key, "a text that is not blank", "nothing"))
    }

    /// The text that names the record, on one line.
    pub(super) fn id(&mut self, key: &str) -> Result<String, RecordError> {
        let id = self.required(key)?;
        // A list of ids in a request is separated by commas.
        if id.len() > ID_BYTES_MAX || id.contains(|c: char| c == ',' || c.is_control()) {
            return Err(RecordError::new(key, "an id of at most 256 bytes without commas", &id));
        }
        Ok(id)
    }

    /// The number that names the record.
    pub(super) fn number_id(&mut self, key: &str) -> Result<i64, RecordError> {
        const EXPECTED: &str = "a whole number without quotes";
        let value = self.take(key).ok_or_else(|| RecordError::new(key, EXPECTED, "nothing"))?;
        value.as_i64().ok_or_else(|| self.fault(key, EXPECTED, &value))
    }

    /// An EIN, if there is one.
    pub(super) fn optional_ein(&mut self, key: &str) -> Result<Option<Ein>, RecordError> {
        let expected = "an EIN: nine digits as a text, for a number loses leading zeros";
        self.read(key, expected, |value| {
            let text = value.as_str().filter(|text| text.len() <= ID_BYTES_MAX);
            text.and_then(Ein::from_typed).ok_or(value)
        })
    }

    /// An EIN without which the line is of no use.
    pub(super) fn ein(&mut self, key: &str) -> Result<Ein, RecordError> {
        let ein = self.optional_ein(key)?;
        ein.ok_or_else(|| RecordError::new(key, "an EIN: nine digits as a text", "nothing"))
    }

    /// An address that may be shown as a link.
    pub(super) fn address(&mut self, key: &str) -> Result<Option<String>, RecordError> {
        self.parse(key, address::EXPECTED, |text| address(text).map(str::to_owned))
    }

    /// A day or a time.
    pub(super) fn moment(&mut self, key: &str) -> Result<Option<Timestamp>, RecordError> {
        let expected = "a day (2024-05-01) or a time as RFC 3339 (2024-05-01T12:00:00Z)";
        self.parse(key, expected, |text| Timestamp::parse(text).ok())
    }

    /// A number within bounds; JSON has only finite ones.
    pub(super) fn number(
        &mut self,
        key: &str,
        range: RangeInclusive<f64>,
        expected: &'static str,
    ) -> Result<Option<f64>, RecordError> {
        self.read(key, expected, |value| {
            value
                .as_f64()
                .filter(|number| number.is_finite() && range.contains(number))
                .ok_or(value)
        })
    }

    /// A year.
    pub(super) fn year(&mut self, key: &str) -> Result<Option<i32>, RecordError> {
        self.read(key, "a year of four digits without quotes", |value| match value.as_i64() {
            Some(year @ 1000..=9999) => Ok(year as i32),
            _ => Err(value),
        })
    }

    /// `true` or `false`.
    pub(super) fn truth(&mut self, key: &str) -> Result<Option<bool>, RecordError> {
        self.read(key, "true or false", |value| value.as_bool().ok_or(value))
    }

    /// A list.
    pub(super) fn list(&mut self, key: &str) -> Result<Option<Vec<Value>>, RecordError> {
        self.read(key, "a list of at most 1,000 entries", |value| match value {
            Value::Array(values) if values.len() <= LIST_ENTRIES_MAX => Ok(values),
            other => Err(other),
        })
    }

    /// A list of texts, empty when absent; blank ones are left out.
    pub(super) fn texts(&mut self, key: &str) -> Result<Vec<String>, RecordError> {
        let values = self.list(key)?.unwrap_or_default();
        let text = |value| match value {
            Value::Null => Ok(None),
            Value::String(text) if text.len() <= TEXT_BYTES_MAX => Ok(tidy(text)),
            other => Err(self.fault(key, "a list of texts", &other)),
        };
        values.into_iter().filter_map(|value| text(value).transpose()).collect()
    }

    /// A list of objects, empty when absent.
    pub(super) fn objects(&mut self, key: &'static str) -> Result<Vec<Object>, RecordError> {
        let values = self.list(key)?.unwrap_or_default();
        let object = |value| match value {
            Value::Object(map) => Ok(Object { within: key, ..Object::new(map) }),
            other => Err(self.fault(key, "a list of objects", &other)),
        };
        values.into_iter().map(object).collect()
    }

    /// An object, as JSON text of at most [`OBJECT_BYTES_MAX`].
    pub(super) fn json(&mut self, key: &str) -> Result<Option<String>, RecordError> {
        let object = |value: Value| if value.is_object() { Ok(value) } else { Err(value) };
        let Some(value) = self.read(key, "an object", object)? else { return Ok(None) };
        // JSON writes such characters as they are, so that texts at any depth lose them.
        let text = visible(&value.to_string()).into_owned();
        if text.len() > OBJECT_BYTES_MAX {
            return Err(self.fault(key, "an object of at most 16 KiB", &value));
        }
        Ok(Some(text))
    }
}
