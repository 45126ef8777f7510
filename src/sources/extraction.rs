//! Extracted returns: what files of returns hold, read once and kept as Parquet, so that many machines can read them.
//!
//! An extraction is cut into parts, a file each (`file`, feature `tables`). A part's [`Header`] says which part of how many
//! it is, and how many documents of each source it has; [`complete`] puts the parts together again as the sources that they
//! were read from, and refuses them where one is missing. A source that was extracted is in all that follows the same as
//! the files themselves: its name, hash, rejects and records.

#[cfg(feature = "tables")]
mod file;
#[cfg(feature = "tables")]
mod part;
#[cfg(feature = "tables")]
mod read;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hash::Stamp;
use super::{Source, SourceKind, SourcePart};

#[cfg(feature = "tables")]
pub use part::{ExtractError, Extraction, Part, extract};
#[cfg(feature = "tables")]
pub(super) use read::read;

/// The form of extracted returns: raised whenever a return is read into something else than before, or is kept in
/// another way, and with the format of a snapshot where that is because of returns.
#[cfg_attr(not(feature = "tables"), allow(dead_code))]
pub const FORM: u32 = 7;

/// Under which name a Parquet file has its header.
pub(super) const HEADER: &str = "almoner.extract";

/// Bytes at the end of a Parquet file among which its header is.
#[cfg(not(feature = "tables"))]
const TAIL_BYTES: u64 = 256 << 10;

/// What a part is, as JSON in the metadata of its file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Header {
    /// The program that wrote it.
    pub(super) program: String,
    /// From 1.
    pub(super) part: u32,
    pub(super) parts: u32,
    /// The same of all parts of an extraction, and of no other.
    pub(super) extraction: String,
    /// Bytes of text of its documents.
    pub(super) text_bytes: u64,
    /// What it has of each source of the extraction, in their order, which is that of its rows.
    pub(super) shares: Vec<Share>,
}

/// What a part has of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Share {
    pub(super) path: PathBuf,
    pub(super) shape: Shape,
    pub(super) rows: u64,
    /// Of the ZIP file, in the part that has its beginning.
    pub(super) zip: Option<Stamp>,
}

/// What was extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    File,
    Folder,
    Zip,
}

/// Where the documents of a source are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extracted {
    pub(super) shape: Shape,
    pub(super) zip: Option<Stamp>,
    /// Files, of each the first row and how many.
    pub(super) rows: Vec<(PathBuf, u64, u64)>,
}

impl Extracted {
    /// Whether the files of a folder were extracted.
    pub(super) fn is_of_folder(&self) -> bool {
        self.shape == Shape::Folder
    }
}

/// A part that was found, and how many sources before it.
#[derive(Debug, Clone)]
pub(super) struct FoundPart {
    pub(super) path: PathBuf,
    pub(super) header: Header,
    pub(super) sources_before: usize,
}

/// A file that cannot be used, and why.
pub(super) type Refused = (PathBuf, String);

/// The header of a Parquet file; `None` of one that is no extraction.
#[cfg(feature = "tables")]
pub(super) fn look(path: &Path) -> Result<Option<Header>, String> {
    file::header(path)
}

/// Says that it cannot be read, if it is an extraction.
#[cfg(not(feature = "tables"))]
pub(super) fn look(path: &Path) -> Result<Option<Header>, String> {
    use std::io::{Read as _, Seek as _, SeekFrom};

    let tail = || {
        let mut file = std::fs::File::open(path)?;
        let bytes = file.metadata()?.len();
        file.seek(SeekFrom::Start(bytes.saturating_sub(TAIL_BYTES)))?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail).map(|_| tail)
    };
    let tail = tail().map_err(|error: std::io::Error| error.to_string())?;
    match memchr::memmem::find(&tail, HEADER.as_bytes()) {
        Some(_) => Err("extracted returns are Parquet, which needs the feature tables; get it by `cargo install --path . \
                        --features tables` in the sources, or give the returns themselves"
            .to_owned()),
        None => Ok(None),
    }
}

/// The sources of which these are the parts, and how many others come before each.
pub(super) fn complete(found: Vec<FoundPart>) -> Result<Vec<(usize, Source)>, Refused> {
    let mut extractions: Vec<(String, BTreeMap<u32, FoundPart>)> = Vec::new();
    for part in found {
        let known = extractions.iter().position(|(name, _)| *name == part.header.extraction);
        let at = known.unwrap_or_else(|| {
            extractions.push((part.header.extraction.clone(), BTreeMap::new()));
            extractions.len() - 1
        });
        let (number, path) = (part.header.part, part.path.clone());
        if let Some(before) = extractions[at].1.insert(number, part) {
            let other = before.path.display();
            return Err((path, format!("the same part of an extraction as {other}: give it once")));
        }
    }
    let mut sources = Vec::new();
    for (_, parts) in &extractions {
        sources.extend(sources_of(parts)?);
    }
    Ok(sources)
}

/// The sources of one extraction.
fn sources_of(parts: &BTreeMap<u32, FoundPart>) -> Result<Vec<(usize, Source)>, Refused> {
    let Some(first) = parts.values().min_by_key(|part| part.sources_before) else {
        return Ok(Vec::new());
    };
    let all = first.header.parts;
    if let Some(missing) = (1..=all).find(|part| !parts.contains_key(part)) {
        let why = format!(
            "part {missing} of the {all} parts of this extraction is not among the inputs: add its file, or write \
             it by `almoner extract --part {missing}/{all}` from the same returns"
        );
        return Err((first.path.clone(), why));
    }
    let of = |(at, share): (usize, &Share)| {
        let mut extracted = Extracted { shape: share.shape, zip: None, rows: Vec::new() };
        for part in parts.values() {
            let (before, own) = (&part.header.shares[..at], &part.header.shares[at]);
            extracted.zip = extracted.zip.or(own.zip);
            if own.rows > 0 {
                let first = before.iter().map(|share| share.rows).sum();
                extracted.rows.push((part.path.clone(), first, own.rows));
            }
        }
        let (path, part) = (share.path.clone(), SourcePart::Extracted(extracted));
        let source = Source { path, part, kind: SourceKind::Returns, assignment: None, folders: 0 };
        (first.sources_before, source)
    };
    Ok(first.header.shares.iter().enumerate().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(number: u32, parts: u32, rows: [u64; 2], extraction: &str) -> FoundPart {
        let share = |path: &str, rows| {
            let zip = (number == 1).then(Stamp::default);
            Share { path: path.into(), shape: Shape::Zip, rows, zip }
        };
        let header = Header {
            program: String::new(),
            part: number,
            parts,
            extraction: extraction.to_owned(),
            text_bytes: 0,
            shares: vec![share("a.zip", rows[0]), share("b.zip", rows[1])],
        };
        FoundPart { path: format!("{extraction}{number}").into(), header, sources_before: 3 }
    }

    #[test]
    fn parts_are_put_together_in_their_order() {
        let parts = vec![part(2, 2, [1, 4], "x"), part(1, 2, [5, 0], "x")];
        let sources = complete(parts).unwrap();
        let rows = |at: usize| match &sources[at].1.part {
            SourcePart::Extracted(extracted) => extracted.rows.clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(sources.len(), 2);
        assert_eq!((sources[0].0, sources[0].1.name()), (3, "a.zip".to_owned()));
        assert_eq!(rows(0), [("x1".into(), 0, 5), ("x2".into(), 0, 1)]);
        assert_eq!(rows(1), [("x2".into(), 1, 4)]);
    }

    #[test]
    fn a_part_that_is_missing_or_there_twice_is_told() {
        let refused = |parts: Vec<FoundPart>| complete(parts).unwrap_err().1;
        let missing = refused(vec![part(1, 3, [1, 1], "x"), part(3, 3, [1, 1], "x")]);
        assert!(missing.contains("part 2 of the 3") && missing.contains("--part 2/3"), "{missing}");
        // Of another extraction it does not count.
        let mixed = refused(vec![part(1, 2, [1, 1], "x"), part(2, 2, [1, 1], "y")]);
        assert!(mixed.contains("part 2 of the 2"), "{mixed}");
        let twice = refused(vec![part(1, 1, [1, 1], "x"), part(1, 1, [1, 1], "x")]);
        assert!(twice.contains("give it once"), "{twice}");
    }
}
