//! Cursors: where a list goes on, for a client that repeats its query.
//!
//! A cursor holds the number of the page, how many of its rows were shown, and a hash of what it belongs to: the tool,
//! the other arguments and the snapshot. The server stores nothing of it, so nothing expires, and a cursor of another
//! list or of a replaced snapshot is recognised.

use xxhash_rust::xxh3::xxh3_64;

use super::arguments::{Arguments, ToolError, quoted_excerpt};
use crate::snapshot::Snapshot;

pub(in crate::http) const CURSOR: &str = "cursor";
pub(in crate::http) const NEXT: &str = "nextCursor";

/// The list that cursors belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) struct List(u64);

/// Where a list goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) struct Position {
    /// From 1.
    pub(in crate::http) page: u64,
    /// Rows of the page that were shown already.
    pub(in crate::http) shown: usize,
}

impl List {
    /// What a tool answers to some arguments, as a query string, from a snapshot.
    pub(in crate::http) fn of(snapshot: &Snapshot, tool: &str, query: &str) -> Self {
        Self(xxh3_64(format!("{}\n{tool}\n{query}", snapshot.manifest.snapshot).as_bytes()))
    }

    /// The position that is asked for.
    pub(in crate::http) fn position(
        self,
        arguments: &Arguments<'_>,
    ) -> Result<Position, ToolError> {
        let first = Position { page: 1, shown: 0 };
        let Some(cursor) = arguments.text(CURSOR) else { return Ok(first) };
        let parts = cursor.split_once('-').and_then(|(at, _)| at.split_once('.'));
        let position = parts.and_then(|(page, shown)| {
            Some(Position { page: page.parse().ok()?, shown: shown.parse().ok()? })
        });
        match position {
            Some(at) if at.page > 0 && at != first && self.cursor(at) == cursor => Ok(at),
            _ => Err(ToolError::Refused(format!(
                "Expected a cursor that this tool gave as {NEXT} for the same other arguments and the same \
                 data; found {}. Call the tool again without a cursor to begin at the first page.",
                quoted_excerpt(cursor)
            ))),
        }
    }

    pub(in crate::http) fn cursor(self, at: Position) -> String {
        format!("{}.{}-{:016x}", at.page, at.shown, self.0)
    }
}
