//! The index of e-filed returns of a year: how many there are, and which batches have them. Its
//! other columns repeat what the returns state.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// The longest line that is read; the longest of 2025 has some 200 bytes.
const LINE_BYTES_MAX: u64 = 16 * 1024;

/// The most batches that a year has: 16 in 2025. More are no names of batches.
const BATCHES_MAX: usize = 400;

/// What an index lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Index {
    /// How many returns, each once.
    pub(super) returns: u64,
    /// By their names in capitals; empty when the index does not tell.
    pub(super) batches: BTreeMap<String, Batch>,
}

/// A batch of returns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Batch {
    /// Its name as the index first writes it.
    pub(super) spelled: String,
    /// How many returns the index says it has.
    pub(super) returns: u64,
}

impl Index {
    /// Reads an index.
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let mut lines = BufReader::new(File::open(path)?);
        let mut line = Vec::new();
        next(&mut lines, &mut line)?;
        let header = String::from_utf8_lossy(&line).to_ascii_uppercase();
        let header = header.trim_start_matches('\u{feff}');
        let column = |wanted: &str| from_end(header).position(|name| name == wanted);
        let others = column("EIN").and(column("RETURN_TYPE"));
        let object_column = others
            .and(column("OBJECT_ID"))
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "no header of an index"))?;
        let batch_column = column("XML_BATCH_ID");
        let (mut index, mut seen) = (Self::default(), HashSet::new());
        while next(&mut lines, &mut line)? {
            let Ok(line) = std::str::from_utf8(&line) else { continue };
            let object = from_end(line).nth(object_column).and_then(|field| field.parse().ok());
            // A return that was listed before is not counted again, nor a line that is none of a return.
            if object.is_some_and(|object: u64| seen.insert(object)) {
                index.returns += 1;
                if let Some(name) = batch_column.and_then(|column| from_end(line).nth(column)) {
                    index.add_to_batch(name);
                }
            }
        }
        Ok(index)
    }

    fn add_to_batch(&mut self, name: &str) {
        let key = name.to_ascii_uppercase();
        let has_room = self.batches.len() < BATCHES_MAX || self.batches.contains_key(&key);
        if is_batch(name) && has_room {
            let batch = Batch { spelled: name.to_owned(), returns: 0 };
            self.batches.entry(key).or_insert(batch).returns += 1;
        }
    }
}

/// The fields of a line from its end: names before those that are read have commas, not always in quotes.
fn from_end(line: &str) -> impl Iterator<Item = &str> {
    line.trim_end().rsplit(',').map(|field| field.trim_matches([' ', '"']))
}

/// Reads a line, without what is too long of it; `false` at the end.
fn next(lines: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    lines.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', line)?;
    if line.len() as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n") {
        lines.skip_until(b'\n')?;
    }
    Ok(!line.is_empty())
}

/// Whether it is a name as of `2024_TEOS_XML_05a`: it becomes part of an address and a file name.
fn is_batch(name: &str) -> bool {
    let Some((year, rest)) = name.split_at_checked(4) else { return false };
    let part = rest.get(..10).filter(|stem| stem.eq_ignore_ascii_case("_TEOS_XML_"));
    let part = part.and(rest.get(10..)).unwrap_or_default();
    year.bytes().all(|byte| byte.is_ascii_digit())
        && (1..=4).contains(&part.len())
        && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Names under which a batch may go on, after its own: those with the next letters that are no batches
/// of the index themselves.
pub(super) fn further<'a>(
    batches: &'a BTreeMap<String, Batch>,
    batch: &'a str,
) -> impl Iterator<Item = String> + 'a {
    let (stem, letter) = match batch.as_bytes().last() {
        Some(letter @ b'A'..=b'Z') => (&batch[..batch.len() - 1], *letter),
        // Without a letter there is no next one.
        _ => (batch, b'Z'),
    };
    (letter + 1..=b'Z')
        .map(move |letter| format!("{stem}{}", char::from(letter)))
        .take_while(|name| !batches.contains_key(name))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    const HEADER: &str =
        "RETURN_ID,FILING_TYPE,EIN,TAX_PERIOD,SUB_DATE,TAXPAYER_NAME,RETURN_TYPE,DLN,OBJECT_ID";

    fn read(text: &[u8]) -> io::Result<Index> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("index.csv");
        fs::write(&path, text).unwrap();
        Index::read(&path)
    }

    #[test]
    fn batches_are_counted() {
        let text = format!(
            "\u{feff}{HEADER},XML_BATCH_ID\r\n\
             1,EFILE,000000001,202312,2024,A,990,x,1,2024_TEOS_XML_01A\r\n\
             2,EFILE,000000002,202312,2024,B, C, AND D,990,x,2,2024_TEOS_XML_05a\r\n\
             3,EFILE,000000003,202312,2024,\"E, F\",990,x,3,2024_TEOS_XML_05A\r\n\
             3,EFILE,000000003,202312,2024,again,990,x,3,2024_TEOS_XML_05A\r\n\
             4,EFILE,000000004,202312,2024,G,990,x,4,../../etc\r\n\
             5,EFILE,000000005,202312,2024,H,990,x,none,2024_TEOS_XML_01A\r\n\
             short\r\n"
        );
        let index = read(text.as_bytes()).unwrap();
        assert_eq!(index.returns, 4);
        let batches: Vec<_> = index
            .batches
            .iter()
            .map(|(name, batch)| (name.as_str(), batch.spelled.as_str(), batch.returns))
            .collect();
        assert_eq!(
            batches,
            [
                ("2024_TEOS_XML_01A", "2024_TEOS_XML_01A", 1),
                ("2024_TEOS_XML_05A", "2024_TEOS_XML_05a", 2)
            ]
        );
    }

    #[test]
    fn without_batches() {
        let index = read(format!("{HEADER}\n1,E,1,202012,2021,A,990,x,7\n").as_bytes()).unwrap();
        assert_eq!((index.returns, index.batches.len()), (1, 0));
        for text in ["", "EIN,NAME\n", "<html>\n", "\n\n"] {
            assert!(read(text.as_bytes()).is_err(), "{text:?}");
        }
    }

    #[test]
    fn long_lines_cost_only_themselves() {
        let long = "x".repeat(100_000);
        let text = format!("{HEADER}\n{long}\n1,E,1,202012,2021,A,990,x,7\n");
        assert_eq!(read(text.as_bytes()).unwrap().returns, 1);
    }

    #[test]
    fn further_files() {
        let batches = ["2025_TEOS_XML_11A", "2025_TEOS_XML_11C", "2025_TEOS_XML_CT1"]
            .map(|name| (name.to_owned(), Batch::default()));
        let batches = BTreeMap::from(batches);
        let names = |batch| further(&batches, batch).take(2).collect::<Vec<_>>();
        assert_eq!(names("2025_TEOS_XML_11A"), ["2025_TEOS_XML_11B"]);
        assert_eq!(names("2025_TEOS_XML_11C"), ["2025_TEOS_XML_11D", "2025_TEOS_XML_11E"]);
        assert!(names("2025_TEOS_XML_CT1").is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_index_or_an_error(
            line in prop::collection::vec(any::<u8>(), 0..200),
            with_header: bool,
        ) {
            let header = format!("{HEADER},XML_BATCH_ID\n");
            let head = if with_header { header.as_bytes() } else { b"" };
            let found = read(&[head, &line].concat());
            prop_assert!(found.is_ok() || !with_header);
            for name in found.iter().flat_map(|index| index.batches.keys()) {
                prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            }
        }
    }
}
