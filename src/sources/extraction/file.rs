//! The files of an extraction: documents as records with a hash each, and a header.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::super::Reject;
use super::super::document::{Outcome, ReadDocument};
use super::super::hash::Stamp;
use super::{FORM, HEADER, Header};
use crate::export::parquet::{Error, RecordReader, RecordWriter};
use crate::export::{Column, Kind};
use crate::record::{State, Usd};

/// What stands in the metadata: the header of this form, as JSON, and its XXH3-64.
#[derive(Serialize, Deserialize)]
struct Sealed {
    form: u32,
    xxh3: u64,
    header: String,
}

/// A file that is being written.
pub(super) struct PartFile<W: Write + Send>(RecordWriter<W>);

/// The columns before the record: for other programs, which cannot read that.
fn columns() -> Vec<Column> {
    let column = |(name, kind, description): (&str, Kind, &str)| {
        let (name, description) = (name.to_owned(), description.to_owned());
        Column { name, kind, description, is_nullable: true }
    };
    let all = [
        ("source", Kind::Text, "Folder, ZIP or file that it was in."),
        ("file", Kind::Text, "Name of the file, which begins with the IRS's number of the return."),
        ("sha256", Kind::Code, "SHA-256 of the file; null of a member of a ZIP."),
        ("ein", Kind::Code, "EIN of the filer; null, as all below, of what is no return."),
        ("form", Kind::Code, "990, 990-EZ or 990-PF."),
        ("period_end", Kind::Day, "Last day of the tax period."),
        ("name", Kind::Text, "Name of the filer."),
        ("state", Kind::Code, "State, two letters; null abroad."),
        ("revenue", Kind::Integer, "Total revenue of the period, in US dollars."),
        ("reject", Kind::Text, "Why it is no return; null of returns."),
    ];
    all.map(column).into()
}

impl<W: Write + Send> PartFile<W> {
    pub(super) fn new(out: W) -> Result<Self, Error> {
        Ok(Self(RecordWriter::new(out, &columns())?))
    }

    /// Adds a document of a source.
    pub(super) fn add(&mut self, source: &str, document: &ReadDocument) -> Result<(), Error> {
        let encoded = encode(document)?;
        self.0.write(row(source, document), encoded)
    }

    pub(super) fn finish(self, header: &Header) -> Result<W, Error> {
        self.0.finish(HEADER, seal(header, FORM))
    }
}

fn row(source: &str, document: &ReadDocument) -> Value {
    let known = document.stamp != Stamp::default();
    let sha256 = known.then(|| document.stamp.sha256());
    let mut row = json!({ "source": source, "file": document.name, "sha256": sha256 });
    match &document.outcome {
        Outcome::Return { filing, .. } => {
            row["ein"] = filing.ein.as_str().into();
            row["form"] = filing.form.name().into();
            row["period_end"] = filing.period_end.to_string().into();
            row["name"] = filing.name.as_str().into();
            row["state"] = filing.state.map(State::code).into();
            row["revenue"] = filing.revenue.map(Usd::dollars).into();
        }
        Outcome::UnrelatedBusiness(ein, tax_period) => {
            row["ein"] = ein.as_str().into();
            row["form"] = "990-T".into();
            row["period_end"] = tax_period.last_day().to_string().into();
        }
        Outcome::Reject(Reject { line, field, reason, .. }) => {
            row["reject"] = format!("line {line}, {field}: expected {reason}").into();
        }
    }
    row
}

/// The XXH3-64 of the rest, little-endian, and the document in postcard.
fn encode(document: &ReadDocument) -> Result<Vec<u8>, Error> {
    let refused = |error: postcard::Error| Error::Value {
        column: "record".to_owned(),
        expected: "a return that can be encoded",
        found: error.to_string(),
    };
    let mut bytes = postcard::to_extend(document, vec![0; 8]).map_err(refused)?;
    let hash = xxh3_64(&bytes[8..]);
    bytes[..8].copy_from_slice(&hash.to_le_bytes());
    Ok(bytes)
}

/// The document of a record; `None` of one that is damaged.
pub(super) fn decode(record: &[u8]) -> Option<ReadDocument> {
    let (hash, bytes) = record.split_first_chunk::<8>()?;
    (xxh3_64(bytes) == u64::from_le_bytes(*hash)).then(|| postcard::from_bytes(bytes).ok())?
}

fn seal(header: &Header, form: u32) -> String {
    let header = json!(header).to_string();
    json!(Sealed { form, xxh3: xxh3_64(header.as_bytes()), header }).to_string()
}

/// The header of a Parquet file; `None` of one that no extraction wrote.
pub(super) fn header(path: &Path) -> Result<Option<Header>, String> {
    let file = RecordReader::open(path).map_err(|error| {
        format!(
            "no whole Parquet file ({error}): expected one that `almoner extract` wrote; write it again, or take it away"
        )
    })?;
    let Some(text) = file.text(HEADER) else { return Ok(None) };
    let damaged =
        || "a damaged file of extracted returns: write it again by `almoner extract`".to_owned();
    let sealed: Sealed = serde_json::from_str(text).map_err(|_| damaged())?;
    if sealed.form != FORM {
        return Err(format!(
            "extracted returns of form {}, expected form {FORM}: write them again by `almoner extract` of this \
             program, {}",
            sealed.form,
            env!("CARGO_PKG_VERSION"),
        ));
    }
    if xxh3_64(sealed.header.as_bytes()) != sealed.xxh3 {
        return Err(damaged());
    }
    let header: Header = serde_json::from_str(&sealed.header).map_err(|_| damaged())?;
    let rows: u64 = header.shares.iter().map(|share| share.rows).sum();
    let is_whole = rows == file.rows() && (1..=header.parts).contains(&header.part);
    if is_whole { Ok(Some(header)) } else { Err(damaged()) }
}
