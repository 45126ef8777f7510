//! One JSON object, its keys taken one by one by rule; what is left are the keys not known.
//!
//! `null`, an absent key and a blank text are the same: nothing is known. Anything else that is
//! not what the key holds is a fault of the whole line.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use super::address::{self, address};
use super::{EXCERPT_CHARACTERS_MAX, TEXT_BYTES_MAX, excerpt};
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

/// Why a line cannot be read, without its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) field: String,
    pub(super) expected: Cow<'static, str>,
    pub(super) found: String,
}

impl Wrong {
    pub(super) fn new(field: &str, expected: &'static str, found: &str) -> Self {
        Self { field: excerpt(field), expected: Cow::Borrowed(expected), found: excerpt(found) }
    }

    fn value(field: &str, expected: &'static str, value: &Value) -> Self {
        match value {
            Value::String(text) => Self::new(field, expected, text),
            // A list or an object may be long, and only its beginning is shown.
            other => {
                let mut start = Start { text: String::new() };
                // The writer stops with an error where it has enough.
                let _ = serde_json::to_writer(&mut start, other);
                Self::new(field, expected, &start.text)
            }
        }
    }
}

/// Takes the beginning of what is written.
struct Start {
    text: String,
}

impl std::io::Write for Start {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.text.len() > EXCERPT_CHARACTERS_MAX * 4 {
            return Err(std::io::ErrorKind::WriteZero.into());
        }
        self.text.push_str(&String::from_utf8_lossy(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A text as it is kept: trimmed, without invisible characters, and control characters but line breaks
/// and tabs. `None` when nothing is left.
fn tidy(mut text: String) -> Option<String> {
    if let Cow::Owned(visible) = visible(&text) {
        text = visible;
    }
    let gone = |c: char| c.is_control() && c != '\n' && c != '\t';
    // Only these bytes begin a control character; there is seldom one.
    let may_be = |byte: u8| byte < b' ' || byte == 0x7F || byte == 0xC2;
    if text.bytes().any(may_be) && text.contains(gone) {
        text.retain(|c| !gone(c));
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

    fn take(&mut self, key: &str) -> Option<Value> {
        self.map.swap_remove(key).filter(|value| !value.is_null())
    }

    fn path(&self, key: &str) -> String {
        if self.within.is_empty() {
            excerpt(key)
        } else {
            excerpt(&format!("{}.{key}", self.within))
        }
    }

    fn wrong(&self, key: &str, expected: &'static str, value: &Value) -> Wrong {
        Wrong::value(&self.path(key), expected, value)
    }

    /// Drops a key that is known and not kept.
    pub(super) fn ignore(&mut self, key: &str) {
        self.take(key);
    }

    /// A text of at most [`TEXT_BYTES_MAX`].
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, Wrong> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() <= TEXT_BYTES_MAX => Ok(tidy(text)),
            Some(value @ Value::String(_)) => {
                Err(self.wrong(key, "a text of at most 256 KiB", &value))
            }
            Some(value) => Err(self.wrong(key, "a text", &value)),
        }
    }

    /// A text without which the line is of no use.
    pub(super) fn required(&mut self, key: &'static str) -> Result<String, Wrong> {
        self.text(key)?.ok_or_else(|| Wrong::new(key, "a text that is not blank", "nothing"))
    }

    /// The text that names the record, on one line.
    pub(super) fn id(&mut self, key: &'static str) -> Result<String, Wrong> {
        let id = self.required(key)?;
        // A list of ids in a request is separated by commas.
        if id.len() > ID_BYTES_MAX || id.contains(|c: char| c == ',' || c.is_control()) {
            return Err(Wrong::new(key, "an id of at most 256 bytes without commas", &id));
        }
        Ok(id)
    }

    /// The number that names the record.
    pub(super) fn number_id(&mut self, key: &'static str) -> Result<i64, Wrong> {
        const EXPECTED: &str = "a whole number without quotes";
        let value = self.take(key).ok_or_else(|| Wrong::new(key, EXPECTED, "nothing"))?;
        value.as_i64().ok_or_else(|| self.wrong(key, EXPECTED, &value))
    }

    /// An EIN, if there is one.
    pub(super) fn optional_ein(&mut self, key: &'static str) -> Result<Option<Ein>, Wrong> {
        const EXPECTED: &str = "an EIN: nine digits as a text, for a number loses leading zeros";
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
            Some(Value::String(text)) if text.len() <= ID_BYTES_MAX => {
                Ein::from_typed(&text).map(Some).ok_or_else(|| Wrong::new(key, EXPECTED, &text))
            }
            Some(value) => Err(self.wrong(key, EXPECTED, &value)),
        }
    }

    /// An EIN without which the line is of no use.
    pub(super) fn ein(&mut self, key: &'static str) -> Result<Ein, Wrong> {
        let ein = self.optional_ein(key)?;
        ein.ok_or_else(|| Wrong::new(key, "an EIN: nine digits as a text", "nothing"))
    }

    /// An address that may be shown as a link.
    pub(super) fn address(&mut self, key: &str) -> Result<Option<String>, Wrong> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        match address(&text) {
            Some(good) if good.len() == text.len() => Ok(Some(text)),
            Some(good) => Ok(Some(good.to_owned())),
            None => Err(Wrong::new(key, address::EXPECTED, &text)),
        }
    }

    /// A day or a time.
    pub(super) fn moment(&mut self, key: &str) -> Result<Option<Timestamp>, Wrong> {
        const EXPECTED: &str = "a day (2024-05-01) or a time as RFC 3339 (2024-05-01T12:00:00Z)";
        let Some(text) = self.text(key)? else { return Ok(None) };
        Timestamp::parse(&text).map(Some).map_err(|_| Wrong::new(key, EXPECTED, &text))
    }

    /// A number within bounds, by default any; JSON has only finite ones.
    pub(super) fn number(
        &mut self,
        key: &str,
        range: RangeInclusive<f64>,
        expected: &'static str,
    ) -> Result<Option<f64>, Wrong> {
        let Some(value) = self.some(key) else { return Ok(None) };
        match value.as_f64().filter(|number| number.is_finite() && range.contains(number)) {
            Some(number) => Ok(Some(number)),
            None => Err(self.wrong(key, expected, &value)),
        }
    }

    /// A year.
    pub(super) fn year(&mut self, key: &str) -> Result<Option<i32>, Wrong> {
        let Some(value) = self.some(key) else { return Ok(None) };
        match value.as_i64().and_then(|year| i32::try_from(year).ok()) {
            Some(year @ 1000..=9999) => Ok(Some(year)),
            _ => Err(self.wrong(key, "a year of four digits without quotes", &value)),
        }
    }

    /// `true` or `false`.
    pub(super) fn truth(&mut self, key: &str) -> Result<Option<bool>, Wrong> {
        let Some(value) = self.some(key) else { return Ok(None) };
        match value {
            Value::Bool(truth) => Ok(Some(truth)),
            other => Err(self.wrong(key, "true or false", &other)),
        }
    }

    /// A list; empty when absent.
    pub(super) fn list(&mut self, key: &str) -> Result<Option<Vec<Value>>, Wrong> {
        match self.some(key) {
            None => Ok(None),
            Some(Value::Array(values)) if values.len() <= LIST_ENTRIES_MAX => Ok(Some(values)),
            Some(other) => Err(self.wrong(key, "a list of at most 1,000 entries", &other)),
        }
    }

    /// A list of texts; blank ones are left out.
    pub(super) fn texts(&mut self, key: &str) -> Result<Vec<String>, Wrong> {
        let values = self.list(key)?.unwrap_or_default();
        let text = |value| match value {
            Value::Null => Ok(None),
            Value::String(text) if text.len() <= TEXT_BYTES_MAX => Ok(tidy(text)),
            other => Err(self.wrong(key, "a list of texts", &other)),
        };
        values.into_iter().filter_map(|value| text(value).transpose()).collect()
    }

    /// A list of objects.
    pub(super) fn objects(&mut self, key: &'static str) -> Result<Vec<Object>, Wrong> {
        let values = self.list(key)?.unwrap_or_default();
        let object = |value| match value {
            Value::Object(map) => Ok(Object { map, within: key, inner: Vec::new() }),
            other => Err(self.wrong(key, "a list of objects", &other)),
        };
        values.into_iter().map(object).collect()
    }

    /// An object, as JSON text of at most [`OBJECT_BYTES_MAX`].
    pub(super) fn json(&mut self, key: &str) -> Result<Option<String>, Wrong> {
        match self.some(key) {
            None => Ok(None),
            Some(Value::Object(map)) => {
                let value = Value::Object(map);
                // JSON writes such characters as they are, so that texts at any depth lose them.
                let text = visible(&value.to_string()).into_owned();
                let good = text.len() <= OBJECT_BYTES_MAX;
                if good {
                    Ok(Some(text))
                } else {
                    Err(self.wrong(key, "an object of at most 16 KiB", &value))
                }
            }
            Some(other) => Err(self.wrong(key, "an object", &other)),
        }
    }

    /// The value of a key; a blank text is none.
    fn some(&mut self, key: &str) -> Option<Value> {
        self.take(key).filter(|value| value.as_str().is_none_or(|text| !text.trim().is_empty()))
    }
}
