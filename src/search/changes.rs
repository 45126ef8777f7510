//! Changes since an earlier snapshot or day.

use std::str::FromStr;

use schemars::JsonSchema;
use serde::Serialize;

use super::SearchError;
use super::listing::{ListPage, Paging};
use crate::index::changes;
use crate::record::{Change, ChangeKind, Date, Ein, State, Timestamp};
use crate::snapshot::Snapshot;

/// Changes that are read at a time when all are wanted: every batch scans all rows.
const CHANGES_AT_ONCE: usize = 50_000;

/// The start of the period of changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// The first snapshot on record.
    First,
    /// This snapshot: changes after it.
    Snapshot(String),
    /// This day: changes in snapshots built on it or later.
    Day(Date),
}

/// Neither a day nor the name of a snapshot.
#[derive(Debug, thiserror::Error)]
#[error("expected a day as YYYY-MM-DD or the name of a snapshot")]
pub struct SinceError;

/// A day, or the name of a snapshot: when it was built, and eight hexadecimal digits.
impl FromStr for Since {
    type Err = SinceError;

    fn from_str(text: &str) -> Result<Self, SinceError> {
        const FORM: &[u8] = b"00000000T000000Z-xxxxxxxx";
        let fits = |(letter, form): (u8, &u8)| match form {
            b'0' => letter.is_ascii_digit(),
            b'x' => matches!(letter, b'0'..=b'9' | b'a'..=b'f'),
            other => letter == *other,
        };
        if let Ok(day) = Date::parse_nearest(text) {
            return Ok(Self::Day(day));
        }
        let is_name = text.len() == FORM.len() && text.bytes().zip(FORM).all(fits);
        is_name.then(|| Self::Snapshot(text.to_owned())).ok_or(SinceError)
    }
}

/// A query for changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub since: Since,
    /// Only of these; empty for all.
    pub eins: Vec<Ein>,
    pub state: Option<State>,
    /// Only these kinds; empty for all.
    pub kinds: Vec<ChangeKind>,
    /// The page of the list.
    pub paging: Paging,
}

/// A change of a nonprofit from one snapshot to a later one.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "Change")]
pub struct DatedChange {
    #[serde(flatten)]
    pub change: Change,
    /// Name of the snapshot that first has the change.
    pub snapshot: String,
    /// When that snapshot was built: an RFC 3339 time in UTC.
    pub seen: String,
}

/// The page of changes asked for, the latest first; `None` if no snapshot has the given name.
pub fn search(
    snapshot: &Snapshot,
    query: &Query,
) -> Result<Option<ListPage<DatedChange>>, SearchError> {
    let (manifest, list) = (&snapshot.manifest, &snapshot.changes);
    let earlier = list.since();
    let snapshots = match &query.since {
        Since::First => earlier.len(),
        Since::Snapshot(name) if *name == manifest.snapshot => 0,
        Since::Snapshot(name) => match earlier.iter().position(|one| one.snapshot == *name) {
            Some(at) => at + 1,
            None => return Ok(None),
        },
        Since::Day(day) => {
            let is_later = |at: &usize| {
                let built = Timestamp::parse(seen(snapshot, *at).1).ok().and_then(Timestamp::date);
                built.is_some_and(|built| built >= *day)
            };
            (0..earlier.len()).take_while(is_later).count()
        }
    };
    let asked = changes::Query {
        snapshots,
        eins: query.eins.clone(),
        state: query.state,
        kinds: query.kinds.clone(),
    };
    let (total, found) = list.find(&asked, query.paging.skipped(), query.paging.size())?;
    let row = |(at, change)| dated(snapshot, at, change);
    Ok(Some(ListPage { total, rows: found.into_iter().map(row).collect() }))
}

/// Every change on record, the latest first.
pub(super) fn all<E: From<SearchError>>(
    snapshot: &Snapshot,
    mut each: impl FnMut(DatedChange) -> Result<(), E>,
) -> Result<(), E> {
    let list = &snapshot.changes;
    let every = changes::Query { snapshots: list.since().len(), ..changes::Query::default() };
    let mut skipped = 0;
    loop {
        let (_, found) = list.find(&every, skipped, CHANGES_AT_ONCE).map_err(SearchError::from)?;
        if found.is_empty() {
            return Ok(());
        }
        skipped += found.len() as u64;
        found.into_iter().try_for_each(|(at, change)| each(dated(snapshot, at, change)))?;
    }
}

/// A change against the snapshot at a place, with where it was first seen.
fn dated(snapshot: &Snapshot, at: usize, change: Change) -> DatedChange {
    let (name, built_at) = seen(snapshot, at);
    DatedChange { change, snapshot: name.clone(), seen: built_at.clone() }
}

/// The snapshot in which changes against the one at a position were first seen, the one before it,
/// and when it was built.
fn seen(snapshot: &Snapshot, at: usize) -> (&String, &String) {
    match at.checked_sub(1).map(|at| &snapshot.changes.since()[at]) {
        Some(later) => (&later.snapshot, &later.built_at),
        None => (&snapshot.manifest.snapshot, &snapshot.manifest.built_at),
    }
}
