//! What changed since earlier snapshots: a list that outlives them.
//!
//! Three files, little-endian. `changes/rows`, the latest first: EIN (u32), kind (u8, its place in
//! [`ChangeKind::ALL`]), state (u8, 255 for none), which earlier snapshot it is a change against (u16), and where its
//! text begins (u32). `changes/texts`: changes as JSON, one after another. `changes/since.json`: the earlier
//! snapshots, the latest first.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::{Change, ChangeKind, Ein, State};

const ROWS_FILE: &str = "changes/rows";
const TEXTS_FILE: &str = "changes/texts";
const SINCE_FILE: &str = "changes/since.json";

const ROW_BYTES: usize = 12;
const STATELESS: u8 = u8::MAX;

/// Changes that are kept: those of some months of the whole country.
pub const KEPT_MAX: usize = 500_000;
/// Earlier snapshots that are remembered.
pub const SNAPSHOTS_MAX: usize = 400;

/// A snapshot that others were compared with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Since {
    pub snapshot: String,
    pub built_at: String,
}

/// What is written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChangeLog {
    /// The latest first.
    since: Vec<Since>,
    /// Against which of these a change is, and the change; in order.
    changes: Vec<(u16, Change)>,
}

impl ChangeLog {
    /// Writes the files into a snapshot's folder. Not synced: who stages the snapshot does that.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder.join("changes"))?;
        let (mut rows, mut texts) = (Vec::new(), Vec::new());
        for (since, change) in &self.changes {
            let start = u32::try_from(texts.len()).map_err(io::Error::other)?;
            let kind = ChangeKind::ALL.iter().position(|kind| *kind == change.kind);
            rows.extend_from_slice(&change.ein.pack().to_le_bytes());
            rows.push(kind.unwrap_or_default() as u8);
            rows.push(change.state.map_or(STATELESS, |state| state.index()));
            rows.extend_from_slice(&since.to_le_bytes());
            rows.extend_from_slice(&start.to_le_bytes());
            serde_json::to_writer(&mut texts, change)?;
        }
        fs::write(folder.join(ROWS_FILE), rows)?;
        fs::write(folder.join(TEXTS_FILE), texts)?;
        fs::write(folder.join(SINCE_FILE), serde_json::to_vec(&self.since)?)
    }
}

/// Which changes are asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// Only changes against the latest `snapshots` snapshots.
    pub snapshots: usize,
    /// Changes of any of these; empty for all.
    pub eins: Vec<Ein>,
    pub state: Option<State>,
    /// Any of these; empty for all.
    pub kinds: Vec<ChangeKind>,
}

/// The opened list.
#[derive(Debug)]
pub struct Changes {
    rows: MappedFile,
    texts: MappedFile,
    since: Vec<Since>,
}

impl Changes {
    /// Opens the list; `open` maps a file of it.
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let (rows, texts, since) = (open(ROWS_FILE)?, open(TEXTS_FILE)?, open(SINCE_FILE)?);
        if rows.len() % ROW_BYTES != 0 {
            return Err(rows.form(format!("expected rows of {ROW_BYTES} bytes")).into());
        }
        let list = serde_json::from_slice(since.bytes(0..since.len())?);
        let list = list.map_err(|error| since.form(format!("no list of snapshots: {error}")))?;
        Ok(Self { rows, texts, since: list })
    }

    /// The earlier snapshots that changes are known against, the latest first.
    pub fn since(&self) -> &[Since] {
        &self.since
    }

    /// How many changes fit a query, and those of a page: the latest first, then by EIN and kind; each with the position of
    /// the snapshot that it is a change against.
    ///
    /// All rows are looked at, at most [`KEPT_MAX`].
    pub fn find(
        &self,
        query: &Query,
        skipped: u64,
        size: usize,
    ) -> Result<(u64, Vec<(usize, Change)>), Damage> {
        let mut eins: Vec<u32> = query.eins.iter().map(|ein| ein.pack()).collect();
        eins.sort_unstable();
        let state = query.state.map(|state| state.index());
        let mut total = 0;
        let mut found = Vec::new();
        for (at, row) in
            self.rows.bytes(0..self.rows.len())?.as_chunks::<ROW_BYTES>().0.iter().enumerate()
        {
            let [a, b, c, d, kind, of_state, low, high, ..] = *row;
            let since = usize::from(u16::from_le_bytes([low, high]));
            if since >= query.snapshots {
                // Later rows are of earlier snapshots.
                break;
            }
            let ein = u32::from_le_bytes([a, b, c, d]);
            let kind = ChangeKind::ALL.get(usize::from(kind));
            let fits = (eins.is_empty() || eins.binary_search(&ein).is_ok())
                && state.is_none_or(|state| state == of_state)
                && (query.kinds.is_empty() || kind.is_some_and(|kind| query.kinds.contains(kind)));
            if fits {
                if total >= skipped && found.len() < size {
                    found.push((since, self.change(at)?));
                }
                total += 1;
            }
        }
        Ok((total, found))
    }

    fn change(&self, row: usize) -> Result<Change, Damage> {
        let count = self.rows.len() / ROW_BYTES;
        let start = |row: usize| self.rows.u32_at(0, row * ROW_BYTES / 4 + 2);
        let end = if row + 1 < count { start(row + 1)? as usize } else { self.texts.len() };
        let text = self.texts.bytes(start(row)? as usize..end)?;
        serde_json::from_slice(text)
            .map_err(|error| self.texts.form(format!("no change in row {row}: {error}")))
    }

    /// What the next snapshot keeps: these changes against a snapshot before it, and those of this list, as far as there
    /// is room.
    pub fn carried(&self, before: Since, changes: Vec<Change>) -> Result<ChangeLog, Damage> {
        let mut since = vec![before];
        since.extend(self.since.iter().take(SNAPSHOTS_MAX - 1).cloned());
        let mut kept: Vec<(u16, Change)> = changes.into_iter().map(|change| (0, change)).collect();
        kept.truncate(KEPT_MAX);
        let all = Query { snapshots: since.len() - 1, ..Query::default() };
        let (_, earlier) = self.find(&all, 0, KEPT_MAX - kept.len())?;
        kept.extend(earlier.into_iter().map(|(since, change)| (since as u16 + 1, change)));
        Ok(ChangeLog { since, changes: kept })
    }
}
