//! What a file is, by its first bytes; its name says nothing.

use super::records::{Content as Line, Dialect, Fields, Records};
use super::{Kind, master, postcard, publication_78, revocation, text};
use crate::record::{Date, Ein};

/// How much of a file is looked at: the longest header or some dozen lines fit many times.
pub const HEAD_BYTES: usize = 32 * 1024;

/// How many lines are looked at; the first may be damaged, so most of them decide.
const LINES_MAX: usize = 20;

/// How many of its columns make a header that of the master file, so that what is missing can be
/// named; other files of the IRS share only EIN and a few more.
const MASTER_COLUMNS_MIN: usize = 14;

/// What the beginning of a file shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// A source.
    Known(Kind),
    /// A ZIP file, to be looked into.
    Zip,
    /// Nothing, or blanks only.
    Empty,
    /// A master file that lacks columns.
    Incomplete(Vec<&'static str>),
    /// None of the known kinds; what it looks like.
    Unknown(&'static str),
}

/// Beginnings of files of other kinds, and what to say of them.
const SIGNATURES: [(&[u8], &str); 10] = [
    (b"\x1F\x8B", "a gzip file: unpack it first"),
    (b"7z\xBC\xAF\x27\x1C", "a 7-Zip file: unpack it first"),
    (b"%PDF-", "a PDF"),
    (b"\xFF\xFE", "text in UTF-16: save it as UTF-8"),
    (b"\xFE\xFF", "text in UTF-16: save it as UTF-8"),
    (b"<!DOCTYPE html", "a web page: the download may have failed"),
    (b"<!doctype html", "a web page: the download may have failed"),
    (b"<html", "a web page: the download may have failed"),
    (b"<", "XML of a kind that is not read"),
    (b"{", "JSON of a kind that is not read"),
];

/// Recognises a file by its first [`HEAD_BYTES`] bytes, or all of them if it has fewer.
pub fn recognise(head: &[u8]) -> Content {
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Content::Zip;
    }
    let start = head.strip_prefix(super::records::BYTE_ORDER_MARK).unwrap_or(head).trim_ascii();
    if start.is_empty() {
        return Content::Empty;
    }
    if let Some((_, looks)) = SIGNATURES.iter().find(|(mark, _)| start.starts_with(mark)) {
        return Content::Unknown(looks);
    }
    master_header(head)
        .or_else(|| pipes(head).map(Content::Known))
        .unwrap_or(Content::Unknown("none of the known layouts"))
}

fn master_header(head: &[u8]) -> Option<Content> {
    let mut records = Records::new(head, Dialect::Commas);
    // Reading from memory cannot fail.
    let record = records.next(None).ok()??;
    let Line::Fields(fields) = record.content else { return None };
    let named = |column: &&str| {
        fields.iter().any(|field| field.trim_ascii().eq_ignore_ascii_case(column.as_bytes()))
    };
    let shared = master::COLUMNS.iter().filter(|column| named(column)).count();
    if shared < MASTER_COLUMNS_MIN {
        return None;
    }
    Some(match master::Header::read(fields) {
        Ok(_) => Content::Known(Kind::MasterFile),
        Err(missing) => Content::Incomplete(missing),
    })
}

/// The kind that at least half of the first lines are of.
fn pipes(head: &[u8]) -> Option<Kind> {
    // The last line of a full head is cut off.
    let whole = if head.len() < HEAD_BYTES {
        head
    } else {
        &head[..memchr::memrchr(b'\n', head).unwrap_or(head.len())]
    };
    let mut records = Records::new(whole, Dialect::Pipes);
    let mut lines = 0;
    let mut votes = [0; Kind::ALL.len()];
    while let Ok(Some(record)) = records.next(None) {
        if lines == LINES_MAX {
            break;
        }
        lines += 1;
        let Line::Fields(fields) = record.content else { continue };
        let Some(kind) = kind_of_line(fields) else { continue };
        votes[kind as usize] += 1;
    }
    Kind::ALL
        .into_iter()
        .find(|kind| votes[*kind as usize] > 0 && votes[*kind as usize] * 2 >= lines)
}

fn kind_of_line(fields: Fields<'_>) -> Option<Kind> {
    text::code(fields.get(0)).parse::<Ein>().ok()?;
    let revoked = text::code(fields.get(revocation::REVOKED));
    let year = text::code(fields.get(1));
    match fields.len() {
        length if length == publication_78::COLUMNS.len() => Some(Kind::Publication78),
        length if length == revocation::COLUMNS.len() => {
            Date::parse_dd_mon_yyyy(revoked).is_ok().then_some(Kind::RevocationList)
        }
        length if length == postcard::COLUMNS.len() => {
            postcard::tax_year(year).map(|_| Kind::Postcard)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_content() {
        let header = master::COLUMNS.join(",");
        let revoked = "123456789|A|||||||03|15-MAY-2010|09-JUN-2011|";
        let postcard = format!("123456789|2020|A{}", "|".repeat(23));
        let known = Content::Known;
        for (head, expected) in [
            (header.clone(), known(Kind::MasterFile)),
            (format!("\u{feff}\r\n{}\r\n", header.to_lowercase()), known(Kind::MasterFile)),
            (format!("\"{}\"", header.replace(',', "\",\"")), known(Kind::MasterFile)),
            (header.replace(",NTEE_CD", ",EXTRA"), Content::Incomplete(vec!["NTEE_CD"])),
            ("EIN,NAME,CITY,STATE\n".into(), Content::Unknown("none of the known layouts")),
            ("\n\n000003154|A|B|VA|United States|PC\n".into(), known(Kind::Publication78)),
            ("short|row\n000003154|A|B|VA||PC\n".into(), known(Kind::Publication78)),
            (revoked.into(), known(Kind::RevocationList)),
            (revoked.replace("15-MAY-2010", "2010"), Content::Unknown("none of the known layouts")),
            (postcard.clone(), known(Kind::Postcard)),
            (postcard.replace("2020", "x"), Content::Unknown("none of the known layouts")),
            ("".into(), Content::Empty),
            ("\u{feff} \r\n\n".into(), Content::Empty),
            ("PK\u{3}\u{4}…".into(), Content::Zip),
            ("%PDF-1.7".into(), Content::Unknown("a PDF")),
            ("<?xml version=\"1.0\"?>".into(), Content::Unknown("XML of a kind that is not read")),
            ("# Read me\n".into(), Content::Unknown("none of the known layouts")),
        ] {
            assert_eq!(recognise(head.as_bytes()), expected, "{head:?}");
        }
    }
}
