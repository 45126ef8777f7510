//! What is in a ZIP file: returns, members that are sources, a workbook or a Word document.

use std::fs::File;
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::super::candidates::Nature;
use super::super::recognise::{Content, Unusable, recognise_start};
use super::super::{SourceKind, SourcePart, workbook};
use super::{Inspection, MEMBERS_MAX, Search, is_hidden};

/// How many members of a ZIP file are looked into that holds reports.
const REPORT_MEMBERS_MAX: usize = 4_096;

/// The part that makes a ZIP file a Word document, and how such a file is named within another.
const DOCUMENT_PART: &str = "word/document.xml";
const DOCUMENT_ENDING: &str = ".docx";

type Recognised = (String, SourceKind, u64);

/// A member that is of no use, and why; what was recognised of it and its size, where it was read.
struct Refused {
    name: String,
    why: String,
    unusable: Option<(Unusable, u64)>,
}

/// What a look at members found.
#[derive(Default)]
struct Members {
    /// How many were looked at.
    looked_at: usize,
    has_sources: bool,
    has_returns: bool,
    has_reports: bool,
    skipped: Vec<(String, String)>,
    /// The first that is of no use, and why.
    first: Option<(String, String)>,
}

impl Search {
    /// Looks into a ZIP file.
    pub(super) fn zip(&mut self, path: &Path, file: File) -> Inspection {
        let mut archive = match ZipArchive::new(file) {
            Ok(archive) => archive,
            Err(error) => return Inspection::Unusable(damaged(&error)),
        };
        if workbook::is_workbook(&archive) {
            return self.workbook(path, archive.into_inner());
        }
        if archive.index_for_name(DOCUMENT_PART).is_some() {
            let text_bytes = archive.into_inner().metadata().map_or(0, |metadata| metadata.len());
            self.add(path, SourcePart::File, SourceKind::Report, text_bytes);
            return Inspection::Used;
        }
        let candidates = self.candidates.len();
        let members = self.members(path, &mut archive);
        if members.has_returns {
            // What else is among them becomes a reject, as does a member that is not a return.
            self.candidates.truncate(candidates);
            let sizes = (0..archive.len())
                .filter_map(|index| archive.by_index_raw(index).ok().map(|member| member.size()));
            let text_bytes = sizes.fold(0_u64, u64::saturating_add);
            self.add(path, SourcePart::Members, SourceKind::Returns, text_bytes);
            return Inspection::Used;
        }
        if !members.has_sources {
            let why = members.first.map_or_else(
                || "a ZIP file with nothing in it".into(),
                |(name, why)| format!("a ZIP file with nothing known in it ({name}: {why})"),
            );
            let has_candidates = self.candidates.len() > candidates;
            return if has_candidates {
                Inspection::Possible(why)
            } else {
                Inspection::Unusable(why)
            };
        }
        let mut skipped = members.skipped;
        if archive.len() > members.looked_at {
            let looked_at = members.looked_at;
            let why = format!("only the first {looked_at} members of a ZIP file are looked into");
            skipped.push(("…".into(), why));
        }
        for (name, why) in skipped {
            self.skip(PathBuf::from(format!("{}!{name}", path.display())), why);
        }
        Inspection::Used
    }

    /// Looks at the sheets of a workbook.
    fn workbook(&mut self, path: &Path, file: File) -> Inspection {
        let text_bytes = file.metadata().map_or(0, |metadata| metadata.len());
        match workbook::lists(file) {
            Ok(lists) => {
                for (sheet, kind) in lists {
                    self.add(path, SourcePart::Sheet(sheet), kind, text_bytes);
                }
                Inspection::Used
            }
            Err(error) => Inspection::Unusable(error.to_string()),
        }
    }

    /// Looks at members, and adds those that are or may be sources; returns are one source together.
    fn members(&mut self, path: &Path, archive: &mut ZipArchive<File>) -> Members {
        let mut found = Members::default();
        for index in 0..archive.len() {
            let holds_reports = found.has_reports && !found.has_returns;
            if index >= if holds_reports { REPORT_MEMBERS_MAX } else { MEMBERS_MAX } {
                break;
            }
            found.looked_at = index + 1;
            match member(archive, index) {
                Ok(Some((_, SourceKind::Returns, _))) => found.has_returns = true,
                Ok(Some((name, kind, text_bytes))) => {
                    self.add(path, SourcePart::Member(name), kind, text_bytes);
                    found.has_sources = true;
                    found.has_reports |= kind == SourceKind::Report;
                }
                Ok(None) => {}
                Err(Refused { name, why, unusable }) => {
                    found.first.get_or_insert_with(|| (name.clone(), why.clone()));
                    let candidate = unusable
                        .and_then(|(unusable, bytes)| Some((Nature::of(&unusable)?, bytes)));
                    match candidate {
                        Some((nature, text_bytes)) => {
                            let part = SourcePart::Member(name);
                            self.candidate(path, part, text_bytes, nature, why);
                            found.has_reports = true;
                        }
                        None => found.skipped.push((name, why)),
                    }
                }
            }
        }
        found
    }
}

fn damaged(error: &ZipError) -> String {
    format!("a damaged ZIP file ({error}): download it again")
}

/// Name, kind and size of a member; `None` for folders and hidden files.
fn member(archive: &mut ZipArchive<File>, index: usize) -> Result<Option<Recognised>, Refused> {
    let unread = |name: &str, why: String| Refused { name: name.to_owned(), why, unusable: None };
    let unnamed = format!("member {}", index + 1);
    let mut file = archive.by_index(index).map_err(|error| unread(&unnamed, damaged(&error)))?;
    let name = match file.name() {
        Ok(name) => name.into_owned(),
        Err(error) => return Err(unread(&unnamed, damaged(&error))),
    };
    if file.is_dir() || is_hidden(&name) {
        return Ok(None);
    }
    let text_bytes = file.size();
    let refused = |why: &str| Err(unread(&name, why.to_owned()));
    match recognise_start(&mut file) {
        Ok(Ok(Content::Known(kind))) => Ok(Some((name, kind, text_bytes))),
        Ok(Ok(Content::Zip)) if name.to_ascii_lowercase().ends_with(DOCUMENT_ENDING) => {
            Ok(Some((name, SourceKind::Report, text_bytes)))
        }
        Ok(Ok(Content::Zip)) => refused("a ZIP file in a ZIP file: unpack the outer one first"),
        Ok(Ok(Content::Parquet | Content::Vectors)) => {
            refused("Parquet or vectors: give it as a file")
        }
        Ok(Ok(Content::Assignments)) => refused("a table of feeds or reports: give it as a file"),
        Ok(Err(unusable)) => {
            let why = unusable.to_string();
            Err(Refused { name, why, unusable: Some((unusable, text_bytes)) })
        }
        Err(error) => refused(&format!("a damaged member ({error}): download it again")),
    }
}
