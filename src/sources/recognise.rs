//! What a file is, by its first bytes; its name says nothing.

use std::io::{self, Read};

use super::{SourceKind, assignments};
use crate::curated;
use crate::embed::CACHE_MAGIC;
use crate::irs::{self, BYTE_ORDER_MARK, efile};
use crate::reports::{self, Format};

/// How much of a file is looked at: the longest header or some dozen lines fit many times.
pub const HEAD_BYTES: usize = 32 * 1024;

/// What the beginning of a file shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A source.
    Known(SourceKind),
    /// A ZIP file, to be looked into.
    Zip,
    /// Which feed or report is whose.
    Assignments,
    /// A Parquet file, to be looked into.
    Parquet,
    /// Vectors of texts, of a cache.
    Vectors,
}

/// Why a file is of no use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// Nothing, or blanks only.
    #[error("empty")]
    Empty,
    /// A list that lacks columns.
    #[error("{} without the {}", .0.name(), columns(.1))]
    Incomplete(SourceKind, Vec<&'static str>),
    /// A web page that nothing says to be a report.
    #[error(
        "a web page: the download may have failed, or it is a report of a nonprofit that nothing names"
    )]
    WebPage,
    /// None of the known kinds; what it looks like.
    #[error("{0}")]
    Unknown(&'static str),
}

fn columns(missing: &[&str]) -> String {
    let columns = if missing.len() == 1 { "column" } else { "columns" };
    format!("{columns} {}", missing.join(", "))
}

/// What ZIP files begin with.
pub(super) const ZIP_START: &[u8] = b"PK\x03\x04";
/// What workbooks of Excel before 2007 begin with, and later ones with a password.
pub(super) const COMPOUND_START: &[u8] = b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";

/// Of text that is no list, and of anything else.
pub(super) const NO_LAYOUT: &str = "none of the known layouts";

/// Signatures of other file types, and how messages describe them.
const SIGNATURES: [(&[u8], &str); 7] = [
    (b"\x1F\x8B", "a gzip file: unpack it first"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip file: unpack it first"),
    (
        COMPOUND_START,
        "an Excel workbook with a password, or of before 2007: save it as .xlsx without one",
    ),
    (b"\xFF\xFE", "text in UTF-16: save it as UTF-8"),
    (b"\xFE\xFF", "text in UTF-16: save it as UTF-8"),
    (b"<", "XML of a kind that is not read"),
    (b"{", "JSON of a kind that is not read"),
];

/// Recognises a file by its first [`HEAD_BYTES`] bytes, or all of them if it has fewer.
pub fn recognise(head: &[u8]) -> Result<Content, Unusable> {
    if head.starts_with(ZIP_START) || head.starts_with(b"PK\x05\x06") {
        return Ok(Content::Zip);
    }
    if head.starts_with(b"PAR1") {
        return Ok(Content::Parquet);
    }
    if head.starts_with(&CACHE_MAGIC) {
        return Ok(Content::Vectors);
    }
    let start = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii();
    if start.is_empty() {
        return Err(Unusable::Empty);
    }
    if let Some(kind) = documents(start) {
        return Ok(Content::Known(kind));
    }
    match reports::recognise(start) {
        Some(Format::Pdf) => return Ok(Content::Known(SourceKind::Report)),
        Some(Format::Html) => return Err(Unusable::WebPage),
        _ => {}
    }
    if let Some((_, looks)) = SIGNATURES.iter().find(|(mark, _)| start.starts_with(mark)) {
        return Err(Unusable::Unknown(looks));
    }
    if assignments::is_header(start) {
        return Ok(Content::Assignments);
    }
    let is_whole = head.len() < HEAD_BYTES;
    let extent = if is_whole { irs::Extent::Whole } else { irs::Extent::Beginning };
    match irs::recognise(head, extent) {
        Some(irs::Head::Known(list)) => Ok(Content::Known(list.into())),
        Some(irs::Head::Incomplete(list, missing)) => {
            Err(Unusable::Incomplete(list.into(), missing))
        }
        None => Err(Unusable::Unknown(NO_LAYOUT)),
    }
}

/// Recognises what an input begins with.
pub(super) fn recognise_start(input: &mut impl Read) -> io::Result<Result<Content, Unusable>> {
    let mut head = Vec::new();
    input.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    Ok(recognise(&head))
}

/// Returns, feeds and curated records.
fn documents(start: &[u8]) -> Option<SourceKind> {
    match curated::recognise(start) {
        Some(curated::CuratedKind::Curated) => return Some(SourceKind::Curated),
        Some(curated::CuratedKind::Feed) => return Some(SourceKind::Feed),
        None => {}
    }
    // Also one in another namespace, so that it is rejected with what is wrong.
    (start.starts_with(b"<") && efile::root(start)?.name == "Return").then_some(SourceKind::Returns)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,AFFILIATION,\
        CLASSIFICATION,RULING,DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,TAX_PERIOD,\
        ASSET_CD,INCOME_CD,FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,\
        REVENUE_AMT,NTEE_CD,SORT_NAME";

    #[test]
    fn by_content() {
        let revoked = "123456789|A|||||||03|15-MAY-2010|09-JUN-2011|";
        let postcard = format!("123456789|2020|A{}", "|".repeat(23));
        let efile = "http://www.irs.gov/efile";
        let known = |kind| Ok(Content::Known(kind));
        let none = Err(Unusable::Unknown("none of the known layouts"));
        for (head, expected) in [
            (HEADER.to_owned(), known(SourceKind::MasterFile)),
            (format!("\u{feff}\r\n{}\r\n", HEADER.to_lowercase()), known(SourceKind::MasterFile)),
            (format!("\"{}\"", HEADER.replace(',', "\",\"")), known(SourceKind::MasterFile)),
            (
                HEADER.replace(",NTEE_CD", ",EXTRA"),
                Err(Unusable::Incomplete(SourceKind::MasterFile, vec!["NTEE_CD"])),
            ),
            ("EIN,NAME,CITY,STATE\n".into(), none.clone()),
            (
                "\n\n000003154|A|Norfolk|VA|United States|PC\n".into(),
                known(SourceKind::Publication78),
            ),
            ("short|row\n000003154|A|B|VA||PC\n".into(), known(SourceKind::Publication78)),
            (revoked.into(), known(SourceKind::RevocationList)),
            (revoked.replace("15-MAY-2010", "2010"), none.clone()),
            (postcard.clone(), known(SourceKind::Postcard)),
            (postcard.replace("2020", "x"), none.clone()),
            ("".into(), Err(Unusable::Empty)),
            ("\u{feff} \r\n\n".into(), Err(Unusable::Empty)),
            ("PK\u{3}\u{4}…".into(), Ok(Content::Zip)),
            ("PAR1\u{15}…".into(), Ok(Content::Parquet)),
            ("ALMVEC01…".into(), Ok(Content::Vectors)),
            ("%PDF-1.7".into(), known(SourceKind::Report)),
            ("<!DOCTYPE HTML>\n<html>".into(), Err(Unusable::WebPage)),
            ("file,ein,year,url\n".into(), Ok(Content::Assignments)),
            (
                "<?xml version=\"1.0\"?>".into(),
                Err(Unusable::Unknown("XML of a kind that is not read")),
            ),
            ("<a/>".into(), Err(Unusable::Unknown("XML of a kind that is not read"))),
            (
                format!("\u{feff}<?xml version=\"1.0\"?>\r\n<Return xmlns=\"{efile}\">"),
                known(SourceKind::Returns),
            ),
            ("<Return xmlns=\"urn:other\"/>".into(), known(SourceKind::Returns)),
            ("<rss version=\"2.0\"><channel>".into(), known(SourceKind::Feed)),
            ("<feed xmlns=\"http://www.w3.org/2005/Atom\">".into(), known(SourceKind::Feed)),
            ("\n{\"kind\":\"story\",\"ein\":\"1\"}\n".into(), known(SourceKind::Curated)),
            (
                "{\"kind\":\"other\"}\n".into(),
                Err(Unusable::Unknown("JSON of a kind that is not read")),
            ),
            ("Feed, EIN\na.xml,000000001\n".into(), Ok(Content::Assignments)),
            ("# Read me\n".into(), none),
        ] {
            assert_eq!(recognise(head.as_bytes()), expected, "{head:?}");
        }
    }
}
