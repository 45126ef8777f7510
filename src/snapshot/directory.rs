//! The layout of the data directory.
//!
//! `CURRENT` is one line: format version, snapshot identifier, SHA-256 of its `manifest.json`, and
//! the XXH3-64 of the line so far, which distinguishes damage to the line itself from damage to the
//! manifest. `snapshots/<identifier>/` are the snapshots, `staging-<identifier>/` one that is
//! being built, `vectors.cache` the vectors and `reports.cache` the reports that builds keep for the next, `build.lock` is locked
//! by the build that is running, `rejects.ndjson` leads to the list of the last build.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use crate::durable;

/// A data directory's path.
#[derive(Debug, Clone)]
pub(crate) struct Directory(PathBuf);

const CURRENT: &str = "CURRENT";
const CURRENT_NEXT: &str = "CURRENT.tmp";
const SNAPSHOTS: &str = "snapshots";
const BUILD_LOCK: &str = "build.lock";
/// Vectors that builds keep for the next; may be deleted.
const VECTOR_CACHE: &str = "vectors.cache";
const REPORT_CACHE: &str = "reports.cache";
const VECTOR_CACHE_NEXT: &str = "vectors.tmp";
const VECTOR_PROGRESS: &str = "vectors.progress";
const STAGING: &str = "staging-";

/// The list of rejects, in the data directory and within a snapshot.
pub(crate) const REJECTS: &str = "rejects.ndjson";
const REJECTS_NEXT: &str = "rejects.ndjson.tmp";
/// What stands before and after the hash in the name of the file that the first leads to.
pub(crate) const REJECTS_NAMED: (&str, &str) = ("rejects-", ".ndjson");

/// Folders of a snapshot below which the indexes of items lie.
pub(crate) const STORIES: &str = "stories";
pub(crate) const METRICS: &str = "metrics";
pub(crate) const POSTS: &str = "posts";
pub(crate) const ARTICLES: &str = "articles";
pub(crate) const KNOWLEDGE: &str = "knowledge";
pub(crate) const FUNDS: &str = "funds";
pub(crate) const GRANTS: &str = "grants";
pub(crate) const PEOPLE: &str = "people";
/// The index of a folder of items, as a path within it.
pub(crate) const INDEX: &str = "items";
/// The postings that lead from the keys of addresses to the organizations at them. What a key is made of is the
/// business of `matching`; two addresses may share one, so that those found are compared.
pub(crate) const ADDRESSES: &str = "addresses";

/// What begins the names of files that a data directory may hold beside a snapshot.
const BESIDE: [&str; 9] = [
    CURRENT,
    SNAPSHOTS,
    BUILD_LOCK,
    STAGING,
    REPORT_CACHE,
    "rejects",
    "vectors.",
    "keys",
    "lost+found",
];

impl Directory {
    pub(crate) fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn current(&self) -> PathBuf {
        self.0.join(CURRENT)
    }

    pub(crate) fn snapshots(&self) -> PathBuf {
        self.0.join(SNAPSHOTS)
    }

    pub(crate) fn snapshot(&self, identifier: &str) -> PathBuf {
        self.snapshots().join(identifier)
    }

    pub(crate) fn staging(&self, identifier: &str) -> PathBuf {
        self.0.join(format!("{STAGING}{identifier}"))
    }

    pub(crate) fn build_lock(&self) -> PathBuf {
        self.0.join(BUILD_LOCK)
    }

    /// Keeps others who write to it out until the file is dropped; `None` while somebody else does.
    pub(crate) fn lock(&self) -> io::Result<Option<File>> {
        durable::try_lock(&self.build_lock())
    }

    pub(crate) fn vector_cache(&self) -> PathBuf {
        self.0.join(VECTOR_CACHE)
    }

    /// The folder of what was read of reports.
    pub(crate) fn report_cache(&self) -> PathBuf {
        self.0.join(REPORT_CACHE)
    }

    pub(crate) fn vector_progress(&self) -> PathBuf {
        self.0.join(VECTOR_PROGRESS)
    }

    pub(crate) fn rejects(&self) -> PathBuf {
        self.0.join(REJECTS)
    }

    pub(crate) fn rejects_next(&self) -> PathBuf {
        self.0.join(REJECTS_NEXT)
    }

    /// Files that the list of rejects leads to, or led to.
    pub(crate) fn reject_lists(&self) -> io::Result<Vec<PathBuf>> {
        let (before, after) = REJECTS_NAMED;
        self.paths(|name| name.starts_with(before) && name.ends_with(after))
    }

    /// What lies in it under names of a kind.
    fn paths(&self, is_one: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            if is_one(&entry.file_name().to_string_lossy()) {
                found.push(entry.path());
            }
        }
        Ok(found)
    }

    /// Whether it holds what a build published, or else nothing that is not of a data directory;
    /// an empty folder is one.
    pub(crate) fn is_one(&self) -> io::Result<bool> {
        let mut has_strangers = false;
        for entry in fs::read_dir(&self.0)? {
            let name = entry?.file_name();
            let name = name.to_string_lossy();
            if name == CURRENT || name == SNAPSHOTS {
                return Ok(true);
            }
            has_strangers |= !BESIDE.iter().any(|known| name.starts_with(known));
        }
        Ok(!has_strangers)
    }

    /// Makes the folder and those above it, where there are none, each flushed into the one above.
    pub(crate) fn create(path: &Path) -> io::Result<()> {
        if path.is_dir() {
            return Ok(());
        }
        let above = path.parent().filter(|above| !above.as_os_str().is_empty());
        let above = above.unwrap_or(Path::new("."));
        Self::create(above)?;
        match fs::create_dir(path) {
            // Somebody else was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
            made => made?,
        }
        // A folder that may be written to but not listed cannot be flushed; that is no failure.
        let _ = durable::sync(above);
        Ok(())
    }

    /// What builds that did not end left behind.
    pub(crate) fn litter(&self) -> io::Result<Vec<PathBuf>> {
        let mut found = self.paths(|name| {
            name.starts_with(STAGING)
                || name.starts_with(VECTOR_PROGRESS)
                || [CURRENT_NEXT, REJECTS_NEXT, VECTOR_CACHE_NEXT].contains(&name)
        })?;
        let kept = fs::read_link(self.rejects()).map(|name| self.0.join(name));
        let lists = self.reject_lists()?;
        found.extend(lists.into_iter().filter(|list| kept.as_ref().ok() != Some(list)));
        Ok(found)
    }

    /// Folders of snapshots that are being made.
    pub(crate) fn stagings(&self) -> io::Result<Vec<PathBuf>> {
        self.paths(|name| name.starts_with(STAGING))
    }

    /// Makes `CURRENT` name a snapshot, at once or not at all.
    pub(crate) fn write_current(&self, current: &Current) -> io::Result<()> {
        let next = self.0.join(CURRENT_NEXT);
        durable::write(&self.current(), next, current.line().as_bytes())
    }
}

/// Removes a file that could not be finished. What then stays is litter, which the next build removes.
pub(crate) fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

/// What `CURRENT` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Current {
    /// Version of the snapshot's format.
    pub format: u32,
    /// The snapshot's identifier.
    pub snapshot: String,
    /// SHA-256 of its manifest, in hexadecimal.
    pub manifest_sha256: String,
}

impl Current {
    pub(crate) fn line(&self) -> String {
        let line = format!("{} {} {}", self.format, self.snapshot, self.manifest_sha256);
        format!("{line} {:016x}\n", xxh3_64(line.as_bytes()))
    }

    /// Reads the line; `None` when a byte of it is not as written.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut words = text.split(' ');
        let current = Self {
            format: words.next()?.parse().ok()?,
            snapshot: words.next()?.to_owned(),
            manifest_sha256: words.next()?.to_owned(),
        };
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        let sound = current.line() == text
            && !current.snapshot.is_empty()
            && current.snapshot.bytes().all(plain);
        sound.then_some(current)
    }
}

/// Names of the files below a folder, `/` between folders, sorted; and the folders, each before
/// those in it.
pub(crate) fn entries(folder: &Path) -> io::Result<(Vec<String>, Vec<PathBuf>)> {
    let mut names = Vec::new();
    let mut folders = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(path) = folders.get(next).cloned() {
        next += 1;
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                let within = path.strip_prefix(folder).unwrap_or(&path);
                let parts: Vec<_> = within.iter().map(|part| part.to_string_lossy()).collect();
                names.push(parts.join("/"));
            }
        }
    }
    names.sort_unstable();
    Ok((names, folders))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flip_of_current_is_found() {
        let current = Current {
            format: 1,
            snapshot: "20260401T120000Z-0a1b2c3d".to_owned(),
            manifest_sha256: "ab".repeat(32),
        };
        let line = current.line();
        assert_eq!(Current::parse(line.as_bytes()), Some(current));
        for at in 0..line.len() {
            for bit in 0..8 {
                let mut bytes = line.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert_eq!(Current::parse(&bytes), None, "{at} {bit}");
            }
            assert_eq!(Current::parse(&line.as_bytes()[..at]), None);
        }
    }

    #[test]
    fn what_lies_beside_a_snapshot_does_not_matter_whatever_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let directory = Directory::new(folder.path());
        assert!(directory.is_one().unwrap());
        fs::write(directory.build_lock(), "").unwrap();
        assert!(directory.is_one().unwrap());
        // Folders are not listed in the order of names: some come before `snapshots`, some after.
        for number in 0..64 {
            fs::write(folder.path().join(format!("note {number}")), "").unwrap();
        }
        assert!(!directory.is_one().unwrap());
        fs::create_dir(directory.snapshots()).unwrap();
        assert!(directory.is_one().unwrap());
    }

    #[test]
    fn folders_are_made_at_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join("a/b/c");
        Directory::create(&deep).unwrap();
        Directory::create(&deep).unwrap();
        assert!(deep.is_dir());
        fs::write(deep.join("file"), "").unwrap();
        assert!(Directory::create(&deep.join("file")).is_err());
        assert!(Directory::create(&deep.join("file/below")).is_err());
    }

    #[test]
    fn an_identifier_is_no_path() {
        for snapshot in ["..", "../x", "a/b", ""] {
            let current =
                Current { format: 1, snapshot: snapshot.into(), manifest_sha256: String::new() };
            assert_eq!(Current::parse(current.line().as_bytes()), None);
        }
    }
}
