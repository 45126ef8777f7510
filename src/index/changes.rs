//! What changed since earlier snapshots: a list that outlives them.
//!
//! The table `changes`, the latest first: `eins`, packed (u32); `kinds`, their places in [`ChangeKind::ALL`] (u8);
//! `states` (u8, 255 for none); `since`, which earlier snapshot each is a change against (u16); and `texts`, the changes
//! as JSON. In `snapshots` there is one text: the earlier snapshots as JSON, the latest first.
//!
//! The same is in `changes.kept`, which programs of every format read ([`ChangeLog::open_kept`]): lines of JSON in gzip,
//! first the earlier snapshots, then of each change the position of the one that it is against, and the change.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use crate::mapped::{Column, Damage, Files, Lists, OpenError, Table, TableWriter, WriteError};
use crate::record::{Change, ChangeKind, Ein, State};

const FILE: &str = "changes";
/// What other formats read.
const KEPT_FILE: &str = "changes.kept";
/// Most bytes of a line: it is not read without bound.
const LINE_BYTES_MAX: u64 = 1 << 20;

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
    /// Writes the table into a snapshot's folder.
    pub fn write(&self, folder: &Path) -> Result<(), WriteError> {
        let path = folder.join(FILE);
        let mut out = TableWriter::create(&path)?;
        let changes = || self.changes.iter().map(|(_, change)| change);
        let kind = |change: &Change| ChangeKind::ALL.iter().position(|kind| *kind == change.kind);
        let json = |text: Result<Vec<u8>, serde_json::Error>| {
            text.map_err(|error| WriteError::of(&path)(error.into()))
        };
        let texts: Result<Vec<_>, _> =
            changes().map(|change| json(serde_json::to_vec(change))).collect();
        out.column("eins", changes().map(|change| change.ein.pack()))?;
        out.column("kinds", changes().map(|change| kind(change).unwrap_or_default() as u8))?;
        out.column("states", changes().map(|change| change.state.map_or(STATELESS, State::index)))?;
        out.column("since", self.changes.iter().map(|(since, _)| *since))?;
        out.texts("texts", texts?)?;
        out.texts("snapshots", [json(serde_json::to_vec(&self.since))?])?;
        out.finish()?;
        let kept = folder.join(KEPT_FILE);
        self.write_kept(&kept).map_err(WriteError::of(&kept))
    }

    fn write_kept(&self, path: &Path) -> io::Result<()> {
        let out = GzEncoder::new(BufWriter::new(File::create(path)?), Compression::fast());
        let mut out = BufWriter::new(out);
        serde_json::to_writer(&mut out, &self.since)?;
        for change in &self.changes {
            out.write_all(b"\n")?;
            serde_json::to_writer(&mut out, change)?;
        }
        out.write_all(b"\n")?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?.flush()
    }

    /// Reads what a snapshot of another format keeps in its folder.
    pub fn open_kept(folder: &Path) -> io::Result<Self> {
        let packed = BufReader::new(File::open(folder.join(KEPT_FILE))?);
        let mut lines = BufReader::new(GzDecoder::new(packed));
        let mut line = Vec::new();
        let mut next = || -> io::Result<Option<Vec<u8>>> {
            line.clear();
            let read = io::Read::take(&mut lines, LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
            Ok((read > 0).then(|| line.clone()))
        };
        let mut since: Vec<Since> = serde_json::from_slice(&next()?.unwrap_or_default())?;
        since.truncate(SNAPSHOTS_MAX);
        let mut changes = Vec::new();
        while let Some(line) = next()?.filter(|_| changes.len() < KEPT_MAX) {
            changes.push(serde_json::from_slice(&line)?);
        }
        changes.retain(|(at, _): &(u16, Change)| usize::from(*at) < since.len());
        Ok(Self { since, changes })
    }

    /// What the next snapshot keeps: these changes against a snapshot before it, and those of this list, as far as there
    /// is room.
    #[must_use]
    pub fn carried(mut self, before: Since, changes: Vec<Change>) -> Self {
        self.since.truncate(SNAPSHOTS_MAX - 1);
        let left = self.since.len();
        self.since.insert(0, before);
        let mut kept: Vec<(u16, Change)> = changes.into_iter().map(|change| (0, change)).collect();
        kept.truncate(KEPT_MAX);
        let earlier = self.changes.into_iter().filter(|(at, _)| usize::from(*at) < left);
        let room = KEPT_MAX - kept.len();
        kept.extend(earlier.take(room).map(|(at, change)| (at + 1, change)));
        Self { since: self.since, changes: kept }
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
    eins: Column<u32>,
    kinds: Column<u8>,
    states: Column<u8>,
    against: Column<u16>,
    texts: Lists<u8>,
    since: Vec<Since>,
}

impl Changes {
    /// Opens the list.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let table = Table::open(files, FILE)?;
        let texts = table.lists("texts")?;
        let count = texts.count();
        let since = serde_json::from_slice(table.lists("snapshots")?.bytes(0)?);
        Ok(Self {
            eins: table.column_of("eins", count)?,
            kinds: table.column_of("kinds", count)?,
            states: table.column_of("states", count)?,
            against: table.column_of("since", count)?,
            texts,
            since: since.map_err(|error| table.form(format!("no list of snapshots: {error}")))?,
        })
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
        let (mut total, mut found) = (0, Vec::new());
        let (all_eins, kinds, states) = (self.eins.all()?, self.kinds.all()?, self.states.all()?);
        for (at, since) in self.against.all()?.iter().map(usize::from).enumerate() {
            if since >= query.snapshots {
                // Later rows are of earlier snapshots.
                break;
            }
            let kind = ChangeKind::ALL.get(usize::from(kinds.at(at)));
            let fits = (eins.is_empty() || eins.binary_search(&all_eins.at(at)).is_ok())
                && state.is_none_or(|state| state == states.at(at))
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
        serde_json::from_slice(self.texts.bytes(row)?)
            .map_err(|error| self.texts.form(format!("no change in row {row}: {error}")))
    }

    /// All of it.
    pub fn log(&self) -> Result<ChangeLog, Damage> {
        let all = Query { snapshots: self.since.len(), ..Query::default() };
        let (_, found) = self.find(&all, 0, KEPT_MAX)?;
        let changes = found.into_iter().map(|(since, change)| (since as u16, change)).collect();
        Ok(ChangeLog { since: self.since.clone(), changes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_read_by_programs_of_every_format() {
        let change = |number: u32| Change {
            ein: format!("97{number:07}").parse().unwrap(),
            kind: ChangeKind::Renamed,
            name: format!("Club {number}"),
            state: "VT".parse().ok(),
            before: Some("Club".to_owned()),
            after: None,
        };
        let since = |name: &str| Since { snapshot: name.to_owned(), built_at: "2026".to_owned() };
        let log = ChangeLog::default()
            .carried(since("first"), vec![change(1)])
            .carried(since("second"), vec![change(2), change(3)]);
        let folder = tempfile::tempdir().unwrap();
        log.write(folder.path()).unwrap();
        assert_eq!(ChangeLog::open_kept(folder.path()).unwrap(), log);
        let against: Vec<u16> = log.changes.iter().map(|(at, _)| *at).collect();
        assert_eq!((against, log.since.len()), (vec![0, 0, 1], 2));
        ChangeLog::default().write(folder.path()).unwrap();
        assert_eq!(ChangeLog::open_kept(folder.path()).unwrap(), ChangeLog::default());
    }
}
