//! Files that are reports only where something says whose they are: web pages and plain text. A folder of the IRS's
//! files may have a page of a download that failed, or a note.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::recognise::{NO_LAYOUT, Unusable};
use super::{Assignment, Source, SourcePart, parts_of};
use crate::record::Ein;
use crate::reports;

/// What may be a report.
pub(super) struct Candidate {
    /// As a report; assigned where its path says whose it is.
    pub(super) source: Source,
    /// Sources that were found before it.
    pub(super) sources_before: usize,
    pub(super) text_bytes: u64,
    pub(super) nature: Nature,
    /// Why it is of no use else.
    pub(super) why: String,
}

/// What a candidate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nature {
    /// One that states an EIN is a report.
    WebPage,
    Text,
}

impl Nature {
    /// That of a file that is of no use otherwise; `None` where it is no candidate.
    pub(super) fn of(unusable: &Unusable) -> Option<Self> {
        match unusable {
            Unusable::WebPage => Some(Self::WebPage),
            Unusable::Unknown(NO_LAYOUT) => Some(Self::Text),
            _ => None,
        }
    }
}

/// What became of a candidate.
pub(super) enum Settled {
    Report { sources_before: usize, source: Source, text_bytes: u64 },
    Skipped { path: PathBuf, why: String },
}

/// Those that were found, and the errors that there are where none of some is used.
pub(super) struct Candidates<Error> {
    list: Vec<Candidate>,
    refusals: Vec<(Range<usize>, Error)>,
}

impl<Error> Default for Candidates<Error> {
    fn default() -> Self {
        Self { list: Vec::new(), refusals: Vec::new() }
    }
}

impl<Error> Candidates<Error> {
    pub(super) fn add(&mut self, candidate: Candidate) {
        self.list.push(candidate);
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Forgets those from a position on.
    pub(super) fn truncate(&mut self, from: usize) {
        self.list.truncate(from);
    }

    /// The first from a position on, and why it is of no use.
    pub(super) fn example(&self, from: usize) -> Option<(&Path, &str)> {
        self.list.get(from).map(|one| (one.source.path.as_path(), one.why.as_str()))
    }

    /// Makes it an error if none from a position on is used.
    pub(super) fn refuse_unless_used(&mut self, from: usize, error: Error) {
        self.refusals.push((from..self.list.len(), error));
    }

    /// What became of each, in their order; of one that was found twice the second is left out.
    pub(super) fn settle(
        self,
        assignments: &BTreeMap<PathBuf, Assignment>,
    ) -> Result<Vec<Settled>, Error> {
        let mut is_used = Vec::with_capacity(self.list.len());
        let (mut seen, mut settled) = (BTreeSet::new(), Vec::new());
        for candidate in self.list {
            let Candidate { source, sources_before, text_bytes, nature, why } = candidate;
            let path = path_of(&source);
            let states_ein = || nature == Nature::WebPage && states_ein(&source);
            let used =
                source.assignment.is_some() || assignments.contains_key(&path) || states_ein();
            is_used.push(used);
            if !seen.insert(path) {
                continue;
            }
            settled.push(match (used, &source.part) {
                (true, _) => Settled::Report { sources_before, source, text_bytes },
                (false, SourcePart::Member(member)) => {
                    let path = PathBuf::from(format!("{}!{member}", source.path.display()));
                    Settled::Skipped { path, why }
                }
                (false, _) => Settled::Skipped { path: source.path, why },
            });
        }
        let mut refusals = self.refusals.into_iter();
        match refusals.find(|(range, _)| !is_used[range.clone()].contains(&true)) {
            Some((_, error)) => Err(error),
            None => Ok(settled),
        }
    }
}

/// A path by which a file is known, however it was named.
pub(super) fn normal(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.components().collect())
}

/// The path by which tables list a source.
pub(super) fn path_of(source: &Source) -> PathBuf {
    match &source.part {
        SourcePart::Member(member) => normal(&source.path.join(member)),
        _ => normal(&source.path),
    }
}

/// The EIN that the name of a file says, or else that of the nearest folder around it, within what was named as an
/// input.
pub(super) fn ein_of_path(root: &Path, path: &Path, part: &SourcePart) -> Option<Ein> {
    let within = path.strip_prefix(root.parent().unwrap_or(Path::new(""))).unwrap_or(path);
    let folders = parts_of(within).map(|part| part.to_string_lossy().into_owned());
    let mut names: Vec<String> = folders.collect();
    if let SourcePart::Member(member) = part {
        names.extend(member.split('/').map(str::to_owned));
    }
    names.iter().rev().find_map(|name| reports::ein_of_name(name))
}

/// Whether a page has an EIN in its text; one that cannot be read has none.
fn states_ein(source: &Source) -> bool {
    content(source)
        .is_ok_and(|bytes| !reports::dashed_eins(&crate::text::decode(&bytes)).is_empty())
}

fn content(source: &Source) -> io::Result<Vec<u8>> {
    let file = File::open(&source.path)?;
    let max = reports::Limits::default().file_bytes as u64;
    let mut bytes = Vec::new();
    match &source.part {
        SourcePart::Member(member) => {
            let mut archive = ZipArchive::new(file).map_err(io::Error::other)?;
            let unpacked = archive.by_name(member).map_err(io::Error::other)?;
            unpacked.take(max).read_to_end(&mut bytes)?;
        }
        _ => _ = file.take(max).read_to_end(&mut bytes)?,
    }
    Ok(bytes)
}
