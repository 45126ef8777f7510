//! Whether a file that came whole is what it should be: what `sources` will recognise in a folder,
//! or the index of a year. Rows are not read here.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use super::index;
use super::plan::Content;
use crate::sources::{self, DiscoverError};

/// The longest first line of an index that is looked at; its header has 112 bytes.
const LINE_BYTES_MAX: u64 = 4 * 1024;

/// Checks a file.
///
/// # Errors
/// What it is instead, as one clause.
pub(super) fn check(path: &Path, content: Content) -> Result<(), String> {
    match content {
        Content::Index => {
            let line = first_line(path).map_err(|error| error.to_string())?;
            index::Columns::read(&line).map(|_| ()).ok_or_else(|| {
                let found: String = line.trim().chars().take(60).collect();
                format!("expected the index of e-filed returns (RETURN_ID,…), found {found:?}")
            })
        }
        Content::Source(kind) => {
            let found = sources::discover(&[path.to_owned()], None).map_err(why)?;
            if found.sources.iter().any(|source| source.kind == kind) {
                return Ok(());
            }
            let first = found.sources.first().map_or("nothing of use", |source| source.kind.name());
            Err(format!("expected {}, found {first}", kind.name()))
        }
    }
}

/// Without the path, which is not that of the file, and what else would have been of use.
fn why(error: DiscoverError) -> String {
    match error {
        DiscoverError::Unusable { why, .. } => why,
        other => other.to_string(),
    }
}

fn first_line(path: &Path) -> io::Result<String> {
    let mut line = Vec::new();
    BufReader::new(File::open(path)?).take(LINE_BYTES_MAX).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}

/// How many members a ZIP file says that it has, folders included; `None` when it is none. Reads its
/// end alone (APPNOTE 6.3.10, 4.3.14 to 4.3.16).
pub(super) fn members(path: &Path) -> Option<u64> {
    /// The record at the end, and the longest comment behind it.
    const END_BYTES_MAX: u64 = 22 + 65_535;
    let mut file = File::open(path).ok()?;
    let length = file.seek(SeekFrom::End(0)).ok()?;
    let start = length.saturating_sub(END_BYTES_MAX);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut end = Vec::new();
    file.by_ref().take(END_BYTES_MAX).read_to_end(&mut end).ok()?;
    let at = memchr::memmem::rfind(&end, b"PK\x05\x06")?;
    let number = |bytes: Option<&[u8]>| {
        let bytes = bytes?;
        Some(bytes.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    let members = number(end.get(at + 10..at + 12))?;
    if members < 0xFFFF {
        return Some(members);
    }
    let before = at.checked_sub(20).and_then(|from| end.get(from..at));
    let Some(locator) = before.filter(|before| before.starts_with(b"PK\x06\x07")) else {
        return Some(members);
    };
    file.seek(SeekFrom::Start(number(locator.get(8..16))?)).ok()?;
    let mut long = [0; 40];
    file.read_exact(&mut long).ok()?;
    long.starts_with(b"PK\x06\x06").then(|| number(long.get(32..40))).flatten()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn check_members(bytes: &[u8], expected: Option<u64>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, bytes).unwrap();
        assert_eq!(members(&path), expected);
    }

    #[test]
    fn members_of_zip_files() {
        let mut end = [0; 22];
        end[..4].copy_from_slice(b"PK\x05\x06");
        end[10] = 7;
        check_members(&end, Some(7));
        check_members(&[&end[..], b"a comment"].concat(), Some(7));
        check_members(b"", None);
        check_members(b"EIN,NAME", None);
        check_members(b"PK\x05\x06", None);
        // With more than 65,534 members the number stands in a record of its own.
        end[10..12].copy_from_slice(&[0xFF, 0xFF]);
        let mut long = [0; 56].to_vec();
        long[..4].copy_from_slice(b"PK\x06\x06");
        long[32..36].copy_from_slice(&589_904_u32.to_le_bytes());
        let mut locator = [0; 20];
        locator[..4].copy_from_slice(b"PK\x06\x07");
        check_members(&[&long[..], &locator, &end].concat(), Some(589_904));
        check_members(&end, Some(65_535));
        // A locator that leads behind the end.
        locator[8] = 200;
        check_members(&[&long[..], &locator, &end].concat(), None);
    }
}
