//! What a snapshot is made of: `manifest.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sources;

/// Version of the snapshot's format: raised whenever a program of before could not read, or would
/// misread, what a program of now writes. It is the first of `data/formats.tsv`.
pub const FORMAT: u32 = first_format(include_bytes!("../../data/formats.tsv"));

/// The number that begins the first line that is no comment.
const fn first_format(table: &[u8]) -> u32 {
    let mut at = 0;
    while table[at] == b'#' {
        while table[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    let mut format = 0;
    while table[at].is_ascii_digit() {
        format = format * 10 + (table[at] - b'0') as u32;
        at += 1;
    }
    format
}

/// The manifest's file within a snapshot.
pub(crate) const FILE: &str = "manifest.json";

/// Bytes that a manifest may have, so that opening one allocates within bounds: a hundred files
/// and ten thousand sources take less.
pub(crate) const BYTES_MAX: u64 = 16 << 20;

/// What a snapshot is made of; `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the snapshot's format; another one is refused.
    pub format: u32,
    /// The snapshot's identifier: its folder's name.
    pub snapshot: String,
    /// Version of the program that built it.
    pub program: String,
    /// RFC 3339, UTC.
    pub built_at: String,
    /// What it was built from.
    pub sources: Vec<sources::Summary>,
    /// Identifier of the embedding model; `None` when built without.
    pub model: Option<String>,
    /// Identifier of the model whose vectors are being made for it: it was published without them, and one with
    /// them is to follow.
    pub awaits: Option<String>,
    /// Whether the people in returns were left out of it.
    pub without_people: bool,
    /// How many organizations it holds.
    pub organizations: u64,
    /// Further counts, by name.
    pub counts: BTreeMap<String, u64>,
    /// Every other file of the snapshot.
    pub files: Vec<ManifestFile>,
}

/// A file of a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestFile {
    /// Path within the snapshot, `/` between folders.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// In hexadecimal.
    pub sha256: String,
}

impl ManifestFile {
    /// Whether the name is a path of plain names, as a build writes them: it means the same file on every system,
    /// and none outside the folder.
    pub(crate) fn has_plain_name(&self) -> bool {
        self.name.split('/').all(is_plain)
    }
}

/// Whether a name consists of small letters, digits, dashes, underscores and inner dots, and is not
/// one that Windows reserves for a device, whatever follows its first dot.
fn is_plain(name: &str) -> bool {
    let is_known = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
    let stem = name.split('.').next().unwrap_or_default();
    let is_device = match stem.as_bytes() {
        b"con" | b"prn" | b"aux" | b"nul" => true,
        [port @ .., b'0'..=b'9'] => matches!(port, b"com" | b"lpt"),
        _ => false,
    };
    !stem.is_empty() && !is_device && !name.ends_with('.') && name.bytes().all(is_known)
}

impl Manifest {
    /// The file of a name.
    pub fn file(&self, name: &str) -> Option<&ManifestFile> {
        self.files.iter().find(|file| file.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_is_the_same_file_everywhere() {
        for (name, expected) in [
            ("columns", true),
            ("records.redb", true),
            ("typeahead/other-names.fst", true),
            ("com/comma/com10/console", true),
            ("", false),
            ("/columns", false),
            ("columns/", false),
            ("a//b", false),
            ("a/./b", false),
            ("../a", false),
            (".hidden", false),
            ("a.", false),
            ("a\\b", false),
            ("c:a", false),
            ("a b", false),
            ("a\0", false),
            ("Columns", false),
            ("cölumns", false),
            ("CON", false),
            ("con", false),
            ("fulltext/nul.fst", false),
            ("com1", false),
            ("lpt9.x.y", false),
        ] {
            let file = ManifestFile { name: name.to_owned(), bytes: 0, sha256: String::new() };
            assert_eq!(file.has_plain_name(), expected, "{name:?}");
        }
    }
}
