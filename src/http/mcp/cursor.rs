//! Cursors: where the next page of a list begins, for a client that repeats its query.
//!
//! A cursor holds the number of the page and a hash of what it belongs to: the tool, the other
//! arguments and the snapshot. The server stores nothing of it, so nothing expires, and a cursor of
//! another list or of a replaced snapshot is recognised.

use xxhash_rust::xxh3::xxh3_64;

use super::arguments::{Argument, Arguments, Object, ToolError, quoted_excerpt};
use crate::snapshot::Snapshot;
use serde_json::{Value, json};

pub(super) const CURSOR: &str = "cursor";
pub(super) const NEXT: &str = "nextCursor";

/// The list that cursors belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List(u64);

impl List {
    /// What a tool answers to some arguments, as a query string, from a snapshot.
    pub(super) fn of(snapshot: &Snapshot, tool: &str, query: &str) -> Self {
        Self(xxh3_64(format!("{}\n{tool}\n{query}", snapshot.manifest.snapshot).as_bytes()))
    }

    /// The number of the page that is asked for, from 1.
    pub(super) fn page(self, arguments: &Arguments) -> Result<u64, ToolError> {
        let Some(cursor) = arguments.text(CURSOR)? else { return Ok(1) };
        let parts = cursor.split_once('-');
        let page = parts.and_then(|(page, _)| page.parse().ok()).filter(|page| *page > 1);
        match page {
            Some(page) if self.cursor(page) == cursor => Ok(page),
            _ => Err(ToolError::Refused(format!(
                "Expected a cursor that this tool gave as {NEXT} for the same other arguments and the same \
                 data; found {}. Call the tool again without a cursor to begin at the first page.",
                quoted_excerpt(cursor)
            ))),
        }
    }

    /// The cursor of the page behind one, if there is such a page.
    pub(super) fn next(self, page: u64, size: u64, total: u64) -> Option<String> {
        (page.saturating_mul(size) < total).then(|| self.cursor(page.saturating_add(1)))
    }

    fn cursor(self, page: u64) -> String {
        format!("{page}-{:016x}", self.0)
    }
}

pub(super) fn argument() -> Argument {
    let schema = json!({
        "type": "string",
        "description": "nextCursor of the page before, with the same other arguments; without it, the first page.",
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    Argument { name: CURSOR.to_owned(), schema, is_required: false }
}

/// Adds the member to the schema of an answer.
pub(super) fn declare(schema: &mut Object) {
    let described = json!({
        "type": ["string", "null"],
        "description": "Cursor of the next page; null on the last one.",
    });
    declare_member(schema, NEXT, described);
}

/// Adds a required member to the schema of an object.
pub(super) fn declare_member(schema: &mut Object, name: &str, described: Value) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(name.to_owned(), described);
    }
    if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
        required.push(json!(name));
    }
}
