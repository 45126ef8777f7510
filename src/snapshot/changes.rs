//! What changed between two snapshots, nonprofit by nonprofit.
//!
//! Only what both know is compared: who is in a list that one of them did not load, or in a state of which
//! one has no master file, neither came nor went. A build compares what it makes with the snapshot that it replaces
//! ([`Earlier`]), and keeps what that one remembered ([`ChangeDetector`]).

use std::path::Path;

use rayon::prelude::*;

use super::changes_error::ChangesError;
use super::compared::{Compared, ComparedFile, ComparedReturn, Covered};
use super::coverage::Coverage;
use super::directory::Directory;
use super::locate::published_manifest;
use super::manifest::Manifest;
use super::open::{Snapshot, open};
use super::open_error::OpenError;
use crate::index::changes::{ChangeLog, Since};
use crate::index::columns::Bitmap;
use crate::record::{Change, ChangeKind, Ein, OrgId};

/// Nonprofits that one task compares.
const NONPROFITS_A_TASK: usize = 1024;
/// Nonprofits of a snapshot that are read at once.
const NONPROFITS_AT_ONCE: u32 = 64 * 1024;

/// What changed from one snapshot to a later one, by EIN and kind.
pub fn changes(before: &Snapshot, after: &Snapshot) -> Result<Vec<Change>, ChangesError> {
    let mut detector = ChangeDetector::new(Before::of(before));
    let count = after.columns.organizations() + after.departed.count();
    for first in (0..count).step_by(NONPROFITS_AT_ONCE as usize) {
        let numbers: Vec<u32> = (first..count.min(first + NONPROFITS_AT_ONCE)).collect();
        let (changes, known) = detector.before.changes(&after.rows_at_once(&numbers)?)?;
        detector.add(changes, &known);
    }
    detector.found(&Covered::of(&after.coverage))
}

/// Versions of nonprofits, by numbers: those of the departed are behind all others.
trait Versions: Sync {
    /// How many are no departed ones.
    fn organizations(&self) -> u32;

    fn number_of(&self, ein: Ein) -> Result<Option<u32>, ChangesError>;

    /// Those of some numbers, in their order.
    fn rows(&self, numbers: &[u32]) -> Result<Vec<Compared>, ChangesError>;

    /// The same, read by all cores.
    fn rows_at_once(&self, numbers: &[u32]) -> Result<Vec<Compared>, ChangesError> {
        let parts = numbers.par_chunks(NONPROFITS_A_TASK).map(|numbers| self.rows(numbers));
        Ok(parts.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
    }
}

impl Versions for Snapshot {
    fn organizations(&self) -> u32 {
        self.columns.organizations()
    }

    fn number_of(&self, ein: Ein) -> Result<Option<u32>, ChangesError> {
        Ok(self.org_of(ein)?.map(|org| org.0))
    }

    fn rows(&self, numbers: &[u32]) -> Result<Vec<Compared>, ChangesError> {
        let row = |number: &u32| {
            let org = OrgId::new(*number);
            let filings = self.records.filings(org)?;
            Ok(Compared::of(&self.records.organization(org)?, &filings))
        };
        numbers.iter().map(row).collect()
    }
}

impl Versions for ComparedFile {
    fn organizations(&self) -> u32 {
        Self::organizations(self)
    }

    fn number_of(&self, ein: Ein) -> Result<Option<u32>, ChangesError> {
        Ok(Self::number_of(self, ein))
    }

    fn rows(&self, numbers: &[u32]) -> Result<Vec<Compared>, ChangesError> {
        Ok(Self::rows(self, numbers)?)
    }
}

/// The snapshot that a build replaces, as far as the build needs it. One of another format tells what it keeps for other
/// formats.
#[derive(Debug)]
pub(crate) struct Earlier {
    pub(crate) manifest: Manifest,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Open(Box<Snapshot>),
    Kept(Box<ComparedFile>, ChangeLog),
}

/// Why the snapshot that a build replaces tells nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EarlierError {
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error("the snapshot of format {format} keeps nothing that this program reads")]
    NothingKept { format: u32 },
    #[error(transparent)]
    Kept(#[from] ChangesError),
}

impl Earlier {
    /// Opens what a data directory publishes; `None` where that is nothing.
    pub(crate) fn open(directory: &Directory) -> Result<Option<Self>, EarlierError> {
        match open(directory.path()) {
            Ok(snapshot) => {
                let manifest = snapshot.manifest.clone();
                Ok(Some(Self { manifest, source: Source::Open(Box::new(snapshot)) }))
            }
            Err(OpenError::Older { found, .. } | OpenError::Newer { found, .. }) => {
                let manifest = published_manifest(directory);
                let manifest = manifest.ok_or(EarlierError::NothingKept { format: found })?;
                let folder = directory.snapshot(&manifest.snapshot);
                Self::open_kept(&folder, manifest).map(Some)
            }
            Err(OpenError::Missing { .. } | OpenError::NoSnapshot { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What a snapshot keeps for programs of other formats.
    pub(crate) fn open_kept(folder: &Path, manifest: Manifest) -> Result<Self, EarlierError> {
        let format = manifest.format;
        let file = ComparedFile::open(folder, &manifest).map_err(ChangesError::from)?;
        let file = file.ok_or(EarlierError::NothingKept { format })?;
        let log = ChangeLog::open_kept(folder).map_err(ChangesError::from)?;
        Ok(Self { manifest, source: Source::Kept(Box::new(file), log) })
    }

    /// What a build compares with.
    pub(crate) fn before(&self) -> Before<'_> {
        match &self.source {
            Source::Open(snapshot) => Before::of(snapshot),
            Source::Kept(file, _) => Before { versions: &**file, covered: file.covered().clone() },
        }
    }

    /// Whether all organizations satisfy a condition on their EINs; the first that does not ends it.
    pub(crate) fn all_eins(&self, is_one: impl Fn(Ein) -> bool) -> bool {
        match &self.source {
            Source::Open(snapshot) => {
                let columns = &snapshot.columns;
                let mut orgs = (0..columns.organizations()).map(OrgId::new);
                orgs.all(|org| columns.ein_of(org).is_ok_and(&is_one))
            }
            Source::Kept(file, _) => file.eins().all(|ein| Ein::unpack(ein).is_some_and(&is_one)),
        }
    }

    /// The list of changes of a snapshot that replaces it.
    pub(crate) fn carried(&self, changes: Vec<Change>) -> Result<ChangeLog, ChangesError> {
        let Manifest { snapshot, built_at, .. } = &self.manifest;
        let since = Since { snapshot: snapshot.clone(), built_at: built_at.clone() };
        let log = match &self.source {
            Source::Open(snapshot) => snapshot.changes.log()?,
            Source::Kept(_, log) => log.clone(),
        };
        Ok(log.carried(since, changes))
    }
}

/// What later versions are compared with.
pub(crate) struct Before<'a> {
    versions: &'a dyn Versions,
    covered: Covered,
}

impl<'a> Before<'a> {
    fn of(snapshot: &'a Snapshot) -> Self {
        Self { versions: snapshot, covered: Covered::of(&snapshot.coverage) }
    }

    /// What changed of some nonprofits, and the numbers of those of them that there were.
    pub(crate) fn changes(
        &self,
        after: &[Compared],
    ) -> Result<(Vec<Change>, Vec<u32>), ChangesError> {
        let parts = after.par_chunks(NONPROFITS_A_TASK).map(|after| self.changes_of_some(after));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let (changes, known): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        Ok((changes.concat(), known.concat()))
    }

    fn changes_of_some(&self, after: &[Compared]) -> Result<(Vec<Change>, Vec<u32>), ChangesError> {
        let numbers = after.iter().map(|one| self.versions.number_of(one.ein));
        let numbers: Vec<Option<u32>> = numbers.collect::<Result<_, _>>()?;
        let known: Vec<u32> = numbers.iter().flatten().copied().collect();
        let mut earlier = self.versions.rows(&known)?.into_iter();
        let mut found = Vec::new();
        for (number, after) in numbers.into_iter().zip(after) {
            match number.and_then(|_| earlier.next()) {
                Some(before) => both(&before, after, self.covered.has_returns, &mut found),
                None if self.covered.covers(after) => found.extend(of_listing(None, Some(after))),
                None => {}
            }
        }
        Ok((found, known))
    }

    /// The removals: organizations that a later snapshot lacks although it covers them.
    fn gone(&self, seen: &Bitmap, covered: &Covered) -> Result<Vec<Change>, ChangesError> {
        let is_unseen = |number: &u32| !seen.contains(OrgId::new(*number));
        let unseen: Vec<u32> = (0..self.versions.organizations()).filter(is_unseen).collect();
        let mut found = Vec::new();
        for numbers in unseen.chunks(NONPROFITS_AT_ONCE as usize) {
            let rows = self.versions.rows_at_once(numbers)?;
            let rows = rows.iter().filter(|row| covered.covers(row));
            found.extend(rows.filter_map(|row| of_listing(Some(row), None)));
        }
        Ok(found)
    }
}

/// Gathers what changed since an earlier snapshot.
pub(crate) struct ChangeDetector<'a> {
    pub(crate) before: Before<'a>,
    changes: Vec<Change>,
    /// Those of the snapshot before that the new one has.
    seen: Bitmap,
}

impl<'a> ChangeDetector<'a> {
    pub(crate) fn new(before: Before<'a>) -> Self {
        let seen = Bitmap::none(before.versions.organizations());
        Self { before, changes: Vec::new(), seen }
    }

    /// Adds what changed of nonprofits that the new snapshot has, and the numbers that they had.
    pub(crate) fn add(&mut self, changes: Vec<Change>, known: &[u32]) {
        self.changes.extend(changes);
        self.seen.insert(known.iter().copied().map(OrgId::new));
    }

    /// All changes, by EIN and kind, to a snapshot of this coverage.
    pub(crate) fn finish(self, coverage: &Coverage) -> Result<Vec<Change>, ChangesError> {
        self.found(&Covered::of(coverage))
    }

    fn found(self, covered: &Covered) -> Result<Vec<Change>, ChangesError> {
        let Self { before, mut changes, seen } = self;
        changes.extend(before.gone(&seen, covered)?);
        changes.par_sort_by_key(|change| (change.ein, change.kind));
        Ok(changes)
    }
}

fn change(of: &Compared, kind: ChangeKind, values: [Option<String>; 2]) -> Change {
    let [before, after] = values;
    Change { ein: of.ein, kind, name: of.name.clone(), state: of.state, before, after }
}

/// Whether it came into the master file, or left it.
fn of_listing(before: Option<&Compared>, after: Option<&Compared>) -> Option<Change> {
    let is_listed = |one: Option<&Compared>| one.is_some_and(|one| one.is_listed == Some(true));
    let any = after.or(before)?;
    let name = Some(any.name.clone());
    match (is_listed(before), is_listed(after)) {
        (false, true) => Some(change(any, ChangeKind::Appeared, [None, name])),
        (true, false) => Some(change(any, ChangeKind::Vanished, [name, None])),
        _ => None,
    }
}

/// What changed of a nonprofit that both snapshots have; returns only where the earlier one has any.
fn both(one: &Compared, other: &Compared, has_returns: bool, found: &mut Vec<Change>) {
    let mut add = |kind, values: [Option<String>; 2]| found.push(change(other, kind, values));
    match (one.is_listed, other.is_listed) {
        (Some(true), Some(true)) => {
            if one.legal_name != other.legal_name {
                add(ChangeKind::Renamed, [Some(one.name.clone()), Some(other.name.clone())]);
            }
            let places = [one.place(), other.place()];
            if places[0] != places[1] {
                add(ChangeKind::Moved, places);
            }
            let codes = [one, other].map(|of| of.foundation.clone());
            if codes[0] != codes[1] {
                add(ChangeKind::FoundationChanged, codes);
            }
            // Publication 78 makes deductible too, so it has to be loaded in both or in neither.
            let codes = [one, other].map(|of| of.deductibility.clone());
            if one.has_publication_78 == other.has_publication_78 && codes[0] != codes[1] {
                add(ChangeKind::DeductibilityChanged, codes);
            }
        }
        (Some(_), Some(_)) => found.extend(of_listing(Some(one), Some(other))),
        _ => {}
    }
    let mut add = |kind, values: [Option<String>; 2]| found.push(change(other, kind, values));
    match (one.is_inactive, other.is_inactive) {
        (Some(false), Some(true)) => add(ChangeKind::Revoked, [None, other.revoked.clone()]),
        (Some(true), Some(false)) => {
            add(ChangeKind::Reinstated, [one.revoked.clone(), other.reinstated.clone()]);
        }
        _ => {}
    }
    let is_new = |filing: &&ComparedReturn| has_returns && !one.returns.contains(filing);
    for filing in other.returns.iter().filter(is_new) {
        let said = format!("{} for the period to {}", filing.form, filing.period_end);
        add(ChangeKind::NewReturn, [None, Some(said)]);
    }
}
