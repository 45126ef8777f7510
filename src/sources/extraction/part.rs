//! Extracting: one part of what sources of returns hold, into a file.

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use sha2::{Digest, Sha256};

use super::super::discover::{DiscoverError, Discovery};
use super::super::document::{Batches, Outcome, ReadDocument};
use super::super::error::ReadError;
use super::super::hash::{Stamp, open_hashed};
use super::super::returns::{archive, file, take_files, take_members};
use super::super::{Source, SourceKind, SourcePart};
use super::file::PartFile;
use super::{FORM, Header, Shape, Share};
use crate::export::parquet::Error as ParquetError;

/// Which part of how many: `3/16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    number: u32,
    of: u32,
}

/// Parts that an extraction may have: above any cluster.
const PARTS_MAX: u32 = 100_000;

impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| {
            Some(Self { number: number.parse().ok()?, of: of.parse().ok()? })
        });
        let fits = |part: &Self| part.of <= PARTS_MAX && (1..=part.of).contains(&part.number);
        numbers.filter(fits).ok_or_else(|| {
            format!("expected a part and how many there are, 1/1 to {PARTS_MAX}/{PARTS_MAX}: 3/16")
        })
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// What a part has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extraction {
    pub returns: u64,
    pub rejects: u64,
    /// Sources among the inputs that are no returns, by their names.
    pub others: Vec<String>,
}

/// Why returns cannot be extracted.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Discover(#[from] DiscoverError),
    #[error("no input has returns: expected Forms 990, 990-EZ and 990-PF as XML, or ZIPs of them")]
    NoReturns,
    #[error("{}: extracted returns already: give the returns themselves", path.display())]
    Extracted { path: PathBuf },
    #[error("the extracted returns cannot be written")]
    Write(#[from] ParquetError),
}

/// Reads a part of the returns among sources, and writes them; what is no return among them is kept as a reject.
/// Documents of all sources are counted through, and a part has those of a range.
///
/// # Errors
/// When there are no returns, one of the sources cannot be read, or the file cannot be written.
pub fn extract<W: Write + Send>(
    discovery: &Discovery,
    part: Part,
    out: W,
) -> Result<(W, Extraction), ExtractError> {
    let mut extraction = Extraction::default();
    let mut documents = Vec::new();
    for source in &discovery.sources {
        if source.kind == SourceKind::Returns {
            documents.push((source, count(source)?));
        } else {
            extraction.others.push(source.name());
        }
    }
    if documents.is_empty() {
        return Err(ExtractError::NoReturns);
    }
    let all: usize = documents.iter().map(|(_, count)| count).sum();
    let bound = |number: u32| (all as u128 * u128::from(number) / u128::from(part.of)) as usize;
    let own = bound(part.number - 1)..bound(part.number);
    let mut file = PartFile::new(out)?;
    let mut header = Header {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        part: part.number,
        parts: part.of,
        extraction: identity(&documents, part.of),
        text_bytes: 0,
        shares: Vec::new(),
    };
    let mut before = 0;
    for &(source, count) in &documents {
        let range = own.start.clamp(before, before + count) - before
            ..own.end.clamp(before, before + count) - before;
        before += count;
        let (name, mut rows) = (source.name(), 0);
        let mut on = |document: ReadDocument| {
            rows += 1;
            header.text_bytes += document.text_bytes;
            match document.outcome {
                Outcome::Return { .. } | Outcome::UnrelatedBusiness(..) => extraction.returns += 1,
                Outcome::Reject(_) => extraction.rejects += 1,
            }
            Ok(file.add(&name, &document)?)
        };
        let zip = take(source, range, &mut on)?;
        let (path, shape) = (source.path.clone(), shape(source));
        header.shares.push(Share { path, shape, rows, zip });
    }
    Ok((file.finish(&header)?, extraction))
}

fn shape(source: &Source) -> Shape {
    match source.part {
        SourcePart::Members => Shape::Zip,
        SourcePart::Files(_) => Shape::Folder,
        _ => Shape::File,
    }
}

/// Documents of a source; of a ZIP file, its members.
fn count(source: &Source) -> Result<usize, ExtractError> {
    match &source.part {
        SourcePart::Files(files) => Ok(files.len()),
        SourcePart::Members => Ok(archive(&source.path)?.len()),
        SourcePart::Extracted(_) => Err(ExtractError::Extracted { path: source.path.clone() }),
        SourcePart::File | SourcePart::Member(_) | SourcePart::Sheet(_) => Ok(1),
    }
}

/// Reads those of its documents; says what a ZIP file is, if its first are among them.
fn take(
    source: &Source,
    range: Range<usize>,
    on: &mut dyn FnMut(ReadDocument) -> Result<(), ExtractError>,
) -> Result<Option<Stamp>, ExtractError> {
    let path = &source.path;
    let mut zip = None;
    let mut batches = Batches::new(on);
    match &source.part {
        _ if range.is_empty() => {}
        SourcePart::Files(files) => take_files(path, &files[range], &mut batches)?,
        SourcePart::Members => {
            if range.start == 0 {
                zip = Some(open_hashed(path)?.1);
            }
            take_members(path, range, &mut batches)?;
        }
        _ => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            batches.add(file(path, name)?)?;
        }
    }
    batches.flush()?;
    Ok(zip)
}

/// What tells one extraction from another: what is extracted, and into how many parts.
fn identity(documents: &[(&Source, usize)], parts: u32) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{FORM} {parts}\n"));
    for (source, count) in documents {
        hash.update(format!("{} {count} {:?}\n", source.path.display(), shape(source)));
        if let SourcePart::Files(files) = &source.part {
            files.iter().for_each(|name| hash.update(format!("{name}\n")));
        }
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_one_of_several() {
        let part = |text: &str| text.parse::<Part>().map(|part| part.to_string());
        assert_eq!(part("3/16").unwrap(), "3/16");
        for wrong in ["", "3", "0/4", "5/4", "1/0", "a/b", "1/100001", "1/2/3"] {
            let error = part(wrong).unwrap_err();
            assert!(error.contains("3/16"), "{wrong}: {error}");
        }
    }
}
