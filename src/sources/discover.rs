//! Finds the sources among files, folders and ZIP files, each recognised by its content.
//!
//! What was named must be of use, or it is an error; what only lies in a folder or beside a source
//! in a ZIP file is skipped, with the reason.

mod archive;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::candidates::{Candidate, Candidates, Nature, Settled, ein_of_path, normal, path_of};
use super::extraction::{self, FoundPart};
use super::recognise::{Content, recognise_start};
use super::{Assignment, Source, SourceKind, SourcePart, assignments, parts_of};
use crate::irs::List;
use crate::record::Ein;

/// How deep folders are searched; deeper ones are no collection of data but a mistake.
const FOLDERS_DEEP_MAX: usize = 32;

/// How many files are looked at: above the million returns that a year of e-filing has, below
/// what would exhaust memory.
const FILES_MAX: usize = 4_000_000;

/// How many members of a ZIP file are looked into to tell what it holds: the IRS ships its lists
/// alone in one, and returns by the ten thousand.
pub(super) const MEMBERS_MAX: usize = 64;

/// What is expected, for every refusal.
fn expected() -> String {
    format!(
        "expected {} or Form 990 returns (XML) from irs.gov, or a ZIP holding any of them; curated records \
         (JSON, one object with its \"kind\" a line); an RSS or Atom feed; an annual report (PDF, .docx, or a web page \
         or text that a name or a table assigns to an EIN); or a CSV file with the header file,ein that says whose feeds \
         and reports are",
        List::EXPECTED.join(", ")
    )
}

/// What [`discover`] found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Discovery {
    /// In the order of the paths named, and sorted by path within a folder; none twice.
    pub sources: Vec<Source>,
    /// What lay in folders and ZIP files and is not read.
    pub skipped: Vec<SkippedFile>,
    /// Vectors that were made elsewhere: files of a vector cache.
    pub vectors: Vec<PathBuf>,
    /// Bytes of text that reading all sources will read; of ZIP members, as the ZIP file says.
    pub text_bytes: u64,
}

impl Discovery {
    /// Gives sources of one name as many folders in front as tell them apart.
    fn tell_apart(&mut self) {
        loop {
            let mut count: BTreeMap<String, usize> = BTreeMap::new();
            for source in &self.sources {
                *count.entry(source.name()).or_default() += 1;
            }
            let mut is_apart = true;
            for source in &mut self.sources {
                let has_more = source.folders + 1 < parts_of(&source.path).count();
                if count[&source.name()] > 1 && has_more {
                    source.folders += 1;
                    is_apart = false;
                }
            }
            if is_apart {
                return;
            }
        }
    }

    /// Assigns feeds and reports to nonprofits by their paths, other feeds to `other`. A line of a table that
    /// matches neither is reported as skipped.
    fn assign(&mut self, mut listed: BTreeMap<PathBuf, Assignment>, other: Option<Ein>) {
        for source in &mut self.sources {
            let other = match source.kind {
                SourceKind::Feed => other.map(Assignment::of),
                SourceKind::Report => source.assignment.take(),
                _ => continue,
            };
            source.assignment = listed.remove(&path_of(source)).or(other);
        }
        let why = "listed as a feed or report, and none among the inputs";
        self.skipped
            .extend(listed.into_keys().map(|path| SkippedFile { path, why: why.to_owned() }));
    }
}

/// A file that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedFile {
    /// The file; a ZIP file's member after `!`.
    pub path: PathBuf,
    /// One lower-case clause.
    pub why: String,
}

/// Why there is nothing to build from.
#[derive(Debug, thiserror::Error)]
pub enum DiscoverError {
    #[error("no input given: name IRS files, or folders with some")]
    NoPaths,
    #[error("{}: no such file or folder: check the path", path.display())]
    Missing { path: PathBuf },
    #[error("cannot read {}: check its permissions", path.display())]
    Io {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    #[error("{}: {why}; {}", path.display(), expected())]
    Unusable { path: PathBuf, why: String },
    #[error("{}: nothing recognised among its {files} files{example}; {}", path.display(), expected())]
    NothingInFolder { path: PathBuf, files: usize, example: String },
    #[error(
        "{}: folders more than {FOLDERS_DEEP_MAX} deep: name the folder that has the IRS files",
        path.display()
    )]
    TooDeep { path: PathBuf },
    #[error("{}: {why}", path.display())]
    Assignments { path: PathBuf, why: String },
    #[error("{}: {why}", path.display())]
    Extracted { path: PathBuf, why: String },
    #[error("{}: more than {FILES_MAX} files: name the folder that has the IRS files", path.display())]
    TooMany { path: PathBuf },
}

/// Finds every source among files and folders, which are searched to any depth in the order of
/// names; hidden files and folders in them are passed over, links are followed once. `feed_ein` is
/// whose posts a feed holds that no table lists.
///
/// # Errors
/// When a named file is not a source, a named folder has none, or something cannot be read.
pub fn discover(paths: &[PathBuf], feed_ein: Option<Ein>) -> Result<Discovery, DiscoverError> {
    let mut search = Search::default();
    if paths.is_empty() {
        return Err(DiscoverError::NoPaths);
    }
    for path in paths {
        search.root.clone_from(path);
        let metadata = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => DiscoverError::Missing { path: path.clone() },
            _ => DiscoverError::Io { path: path.clone(), error },
        })?;
        if metadata.is_dir() {
            search.named_folder(path)?;
        } else {
            let candidates = search.candidates.len();
            match search.file(path)? {
                Inspection::Used => {}
                Inspection::Return(bytes) => {
                    search.add(path, SourcePart::File, SourceKind::Returns, bytes)
                }
                Inspection::Possible(why) => {
                    let error = DiscoverError::Unusable { path: path.clone(), why };
                    search.candidates.refuse_unless_used(candidates, error);
                }
                Inspection::Unusable(why) => {
                    return Err(DiscoverError::Unusable { path: path.clone(), why });
                }
            }
        }
    }
    let Search { mut found, assignments, candidates, parts, .. } = search;
    let mut late = extraction::complete(parts)
        .map_err(|(path, why)| DiscoverError::Extracted { path, why })?;
    for settled in candidates.settle(&assignments)? {
        match settled {
            Settled::Report { sources_before, source, text_bytes } => {
                late.push((sources_before, source));
                found.text_bytes = found.text_bytes.saturating_add(text_bytes);
            }
            Settled::Skipped { path, why } => found.skipped.push(SkippedFile { path, why }),
        }
    }
    late.sort_by_key(|(before, _)| *before);
    for (at, (before, source)) in late.into_iter().enumerate() {
        found.sources.insert(before + at, source);
    }
    found.assign(assignments, feed_ein);
    found.tell_apart();
    Ok(found)
}

#[derive(Default)]
struct Search {
    found: Discovery,
    /// Real paths of the files and folders already looked at.
    seen: BTreeSet<PathBuf>,
    files: usize,
    /// The input that is searched.
    root: PathBuf,
    /// Whose feeds and reports are, by their paths.
    assignments: BTreeMap<PathBuf, Assignment>,
    candidates: Candidates<DiscoverError>,
    /// Parts of extracted returns.
    parts: Vec<FoundPart>,
}

/// The result of inspecting a file.
enum Inspection {
    /// Its sources were added, now or before.
    Used,
    /// A return of this size in bytes, to be added with its neighbours.
    Return(u64),
    /// What may be a report was noted; why it is of no use if it is none.
    Possible(String),
    Unusable(String),
}

impl Search {
    fn named_folder(&mut self, path: &Path) -> Result<(), DiscoverError> {
        let (files, skipped) = (self.files, self.found.skipped.len());
        let candidates = self.candidates.len();
        if self.folder(path, 0)? {
            return Ok(());
        }
        let skipped = self.found.skipped.get(skipped);
        let skipped = skipped.map(|skipped| (skipped.path.as_path(), skipped.why.as_str()));
        let example = skipped.or_else(|| self.candidates.example(candidates));
        let example =
            example.map_or_else(String::new, |(path, why)| format!(" ({}: {why})", path.display()));
        let files = self.files - files;
        let error = DiscoverError::NothingInFolder { path: path.to_owned(), files, example };
        if self.candidates.len() == candidates {
            return Err(error);
        }
        self.candidates.refuse_unless_used(candidates, error);
        Ok(())
    }

    /// Searches a folder. `false` when no file in it is a source.
    fn folder(&mut self, path: &Path, depth: usize) -> Result<bool, DiscoverError> {
        let io_error = |error| DiscoverError::Io { path: path.to_owned(), error };
        if !self.seen.insert(path.canonicalize().map_err(io_error)?) {
            // Looked at before: by another name, or through a link that leads back.
            return Ok(depth == 0);
        }
        if depth > FOLDERS_DEEP_MAX {
            return Err(DiscoverError::TooDeep { path: path.to_owned() });
        }
        let mut entries = fs::read_dir(path)
            .and_then(|entries| {
                entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
            })
            .map_err(io_error)?;
        entries.sort_unstable();
        let mut any = false;
        let (mut returns, mut returns_bytes) = (Vec::new(), 0_u64);
        for entry in entries {
            let hidden = entry.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
            if hidden {
                continue;
            }
            let metadata = match fs::metadata(&entry) {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    self.skip(entry, "a link that leads nowhere".into());
                    continue;
                }
                Err(error) => return Err(DiscoverError::Io { path: entry, error }),
            };
            if metadata.is_dir() {
                any |= self.folder(&entry, depth + 1)?;
                continue;
            }
            match self.file(&entry)? {
                Inspection::Used => any = true,
                Inspection::Return(bytes) => {
                    // A name that is no text has no place in a list; it is a source of its own.
                    match entry.file_name().and_then(|name| name.to_str()) {
                        Some(name) => returns.push(name.to_owned()),
                        None => self.add(&entry, SourcePart::File, SourceKind::Returns, bytes),
                    }
                    returns_bytes = returns_bytes.saturating_add(bytes);
                    any = true;
                }
                Inspection::Possible(_) => {}
                Inspection::Unusable(why) => self.skip(entry, why),
            }
        }
        if !returns.is_empty() {
            self.add(path, SourcePart::Files(returns), SourceKind::Returns, returns_bytes);
        }
        Ok(any)
    }

    fn skip(&mut self, path: PathBuf, why: String) {
        self.found.skipped.push(SkippedFile { path, why });
    }

    /// Looks at a file and adds the sources in it.
    fn file(&mut self, path: &Path) -> Result<Inspection, DiscoverError> {
        let io_error = |error| DiscoverError::Io { path: path.to_owned(), error };
        let metadata = fs::metadata(path).map_err(io_error)?;
        if !metadata.is_file() {
            return Ok(Inspection::Unusable("not a regular file".into()));
        }
        self.files += 1;
        if self.files > FILES_MAX {
            return Err(DiscoverError::TooMany { path: path.to_owned() });
        }
        let real = path.canonicalize().map_err(io_error)?;
        if self.seen.contains(&real) {
            return Ok(Inspection::Used);
        }
        let mut file = File::open(path).map_err(io_error)?;
        let looked = match recognise_start(&mut file).map_err(io_error)? {
            Ok(Content::Known(SourceKind::Returns)) => Inspection::Return(metadata.len()),
            Ok(Content::Known(kind)) => {
                self.add(path, SourcePart::File, kind, metadata.len());
                Inspection::Used
            }
            Ok(Content::Zip) => self.zip(path, file),
            Ok(Content::Assignments) => self.assignments(path, metadata.len())?,
            Ok(Content::Parquet) => self.parquet(path)?,
            Ok(Content::Vectors) => {
                self.found.vectors.push(path.to_owned());
                Inspection::Used
            }
            Err(unusable) => match Nature::of(&unusable) {
                Some(nature) => {
                    let why = unusable.to_string();
                    self.candidate(path, SourcePart::File, metadata.len(), nature, why.clone());
                    Inspection::Possible(why)
                }
                None => Inspection::Unusable(unusable.to_string()),
            },
        };
        // A file of no use is not remembered: named again, it is refused again.
        if !matches!(looked, Inspection::Unusable(_) | Inspection::Possible(_)) {
            self.seen.insert(real);
        }
        Ok(looked)
    }

    /// Takes in a table of feeds and reports.
    fn assignments(&mut self, path: &Path, bytes: u64) -> Result<Inspection, DiscoverError> {
        let wrong = |why| DiscoverError::Assignments { path: path.to_owned(), why };
        if bytes > assignments::BYTES_MAX {
            return Err(wrong("longer than 8 MiB, expected a line a file".to_owned()));
        }
        let text = fs::read_to_string(path)
            .map_err(|error| DiscoverError::Io { path: path.to_owned(), error })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for (file, assignment) in assignments::read(&text).map_err(wrong)? {
            let path = normal(&folder.join(&file));
            let before = self.assignments.insert(path, assignment.clone());
            if before.is_some_and(|before| before != assignment) {
                return Err(wrong(format!(
                    "{file} is listed with two EINs, or other values, in one table or in two"
                )));
            }
        }
        Ok(Inspection::Used)
    }

    /// Takes in a part of extracted returns. One that cannot be used is an error wherever it lies: returns would be missing.
    fn parquet(&mut self, path: &Path) -> Result<Inspection, DiscoverError> {
        let looked = extraction::look(path);
        let refused = |why| DiscoverError::Extracted { path: path.to_owned(), why };
        let Some(header) = looked.map_err(refused)? else {
            let why = "a Parquet file that `almoner extract` did not write";
            return Ok(Inspection::Unusable(why.to_owned()));
        };
        self.found.text_bytes = self.found.text_bytes.saturating_add(header.text_bytes);
        let (path, sources_before) = (path.to_owned(), self.found.sources.len());
        self.parts.push(FoundPart { path, header, sources_before });
        Ok(Inspection::Used)
    }

    fn add(&mut self, path: &Path, part: SourcePart, kind: SourceKind, text_bytes: u64) {
        let source = self.source(path, part, kind);
        self.found.sources.push(source);
        self.found.text_bytes = self.found.text_bytes.saturating_add(text_bytes);
    }

    /// A source; a report is that of the nonprofit whose EIN its path has.
    fn source(&self, path: &Path, part: SourcePart, kind: SourceKind) -> Source {
        let is_report = kind == SourceKind::Report;
        let ein = is_report.then(|| ein_of_path(&self.root, path, &part)).flatten();
        let assignment = ein.map(Assignment::of);
        Source { path: path.to_owned(), part, kind, assignment, folders: 0 }
    }

    fn candidate(
        &mut self,
        path: &Path,
        part: SourcePart,
        text_bytes: u64,
        nature: Nature,
        why: String,
    ) {
        let source = self.source(path, part, SourceKind::Report);
        let sources_before = self.found.sources.len();
        self.candidates.add(Candidate { source, sources_before, text_bytes, nature, why });
    }
}

/// Whether a ZIP member is what a system keeps for itself.
pub(super) fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.') || part == "__MACOSX")
}
