//! Files on their way: `.partial/NAME.part` and, beside it, which version of the file at the server
//! its bytes are of, and how many of them have been made to last. What stands behind those is not
//! gone on with: after a power loss it may have holes, and nothing at the end would find one in the
//! middle of a list. The folder is hidden, so that whoever reads the files around it passes it over.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hyper::header::{self, HeaderMap};
use serde::{Deserialize, Serialize};

use super::address::Address;
use super::error::FileError;
use crate::durable;
use crate::record::Timestamp;

/// The folder, in the one that is downloaded into.
pub(super) const FOLDER: &str = ".partial";

/// What the name of a file has behind it there.
pub(super) const SUFFIX: &str = ".part";

/// After how many bytes they are made to last: what a process that ends leaves to be sent again, and
/// disks write more than that in a second.
const SYNC_EVERY_BYTES: u64 = 64 * 1024 * 1024;

/// After what time they are: on a slow line 64 MiB are an hour.
const SYNC_EVERY: Duration = Duration::from_secs(30);

/// By how much `Last-Modified` must be older than the answer for it to tell versions apart: a file
/// that is written twice in a second has one date, and clocks differ (RFC 9110, 8.8.2.2).
const SETTLED_SECONDS: i64 = 60;

/// The longest entity tag or date that is kept; longer ones are as good as none.
const VALIDATOR_BYTES_MAX: usize = 256;

/// The longest description that is read; ours are a tenth of it.
const DESCRIPTION_BYTES_MAX: u64 = 16 * 1024;

/// What tells one version of a file at a server from another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Version {
    /// As the server wrote it, quotes included.
    pub(super) etag: Option<String>,
    /// An HTTP date, as the server wrote it.
    pub(super) last_modified: Option<String>,
    /// `Date`: when the server said so, by its clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) date: Option<String>,
}

impl Version {
    /// What the head of an answer says.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let text = |name| {
            let text = headers.get(name)?.to_str().ok()?;
            (!text.is_empty() && text.len() <= VALIDATOR_BYTES_MAX).then(|| text.to_owned())
        };
        Self {
            etag: text(header::ETAG),
            last_modified: text(header::LAST_MODIFIED),
            date: text(header::DATE),
        }
    }

    /// What to ask `If-Range` with; `None` when nothing tells versions apart to the byte.
    pub(super) fn strong(&self) -> Option<&str> {
        match &self.etag {
            Some(etag) if etag.starts_with('"') => Some(etag),
            _ => self.last_modified.as_deref().filter(|modified| self.is_settled(modified)),
        }
    }

    fn is_settled(&self, modified: &str) -> bool {
        let seconds = |text| Timestamp::parse_header(text).map(Timestamp::seconds);
        let told = self.date.as_deref().and_then(seconds);
        let age = told.zip(seconds(modified)).map(|(told, modified)| told.saturating_sub(modified));
        age.is_some_and(|age| age >= SETTLED_SECONDS)
    }

    /// Whether another answer may be of the same version: what both say is equal.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let agrees = |a: &Option<String>, b: &Option<String>| a.is_none() || b.is_none() || a == b;
        agrees(&self.etag, &other.etag) && agrees(&self.last_modified, &other.last_modified)
    }
}

/// What the bytes of a partial file are of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Description {
    pub(super) address: String,
    #[serde(flatten)]
    pub(super) version: Version,
    /// Length of the whole file, where the server told it.
    pub(super) length: Option<u64>,
    /// How many of its bytes are on the disk to stay, or are gone on with.
    #[serde(default)]
    pub(super) synced: u64,
}

/// A partial file, there or not yet.
pub(super) struct Partial {
    part: PathBuf,
    description: PathBuf,
}

impl Partial {
    /// That of a file in `folder`.
    pub(super) fn new(folder: &Path, name: &str) -> Self {
        let partial = folder.join(FOLDER);
        Self {
            part: partial.join(format!("{name}{SUFFIX}")),
            description: partial.join(format!("{name}{SUFFIX}.json")),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.part
    }

    /// Where the download can resume: the partial file must exist, come from this address and have a strong validator.
    pub(super) fn resume(&self, address: &Address) -> Option<Description> {
        let there = fs::metadata(&self.part).ok().filter(fs::Metadata::is_file)?.len();
        if fs::metadata(&self.description).ok()?.len() > DESCRIPTION_BYTES_MAX {
            return None;
        }
        let mut described: Description =
            serde_json::from_slice(&fs::read(&self.description).ok()?).ok()?;
        // A file that is whole asks for its last byte again: one that begins at its end has no range.
        let last = described.length.map_or(u64::MAX, |length| length.saturating_sub(1));
        described.synced = described.synced.min(there).min(last);
        let is_known = described.address == address.to_string();
        let may_go_on = is_known && described.version.strong().is_some() && described.synced > 0;
        may_go_on.then_some(described)
    }

    /// Opens it to be written on from `described.synced`, which drops what stands behind.
    pub(super) fn open(&self, described: Description) -> Result<PartialWriter<'_>, FileError> {
        let io = |path: &Path| FileError::io(path);
        if let Some(folder) = self.part.parent() {
            fs::create_dir_all(folder).map_err(io(folder))?;
        }
        // Old bytes go after they are no longer counted, or they would pass for ones to stay.
        self.describe(&described)?;
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&self.part);
        let mut file = open.map_err(io(&self.part))?;
        let bytes = described.synced;
        if file.metadata().map_err(io(&self.part))?.len() != bytes {
            file.set_len(bytes).map_err(io(&self.part))?;
        }
        file.seek(SeekFrom::Start(bytes)).map_err(io(&self.part))?;
        Ok(PartialWriter { partial: self, file, described, bytes, synced_at: Instant::now() })
    }

    fn describe(&self, described: &Description) -> Result<(), FileError> {
        let text = serde_json::to_vec_pretty(described);
        let staged = self.description.with_extension("json.tmp");
        let written = text
            .map_err(Into::into)
            .and_then(|text| durable::write(&self.description, staged, &text));
        written.map_err(FileError::io(&self.description))
    }

    /// Bytes of it on the disk, 0 when it is not there.
    pub(super) fn bytes(&self) -> u64 {
        fs::metadata(&self.part).map_or(0, |metadata| metadata.len())
    }

    /// Removes the partial file, so that the download starts over.
    pub(super) fn discard(&self) {
        // What cannot be removed cannot be written either, and that is an error.
        let _ = fs::remove_file(&self.description);
        let _ = fs::remove_file(&self.part);
    }
}

/// A partial file that is being written.
pub(super) struct PartialWriter<'a> {
    partial: &'a Partial,
    file: File,
    described: Description,
    /// Bytes of it, what was written included.
    bytes: u64,
    synced_at: Instant,
}

impl PartialWriter<'_> {
    /// Writes what comes next; from time to time that is made to last.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.file.write_all(bytes).map_err(FileError::io(&self.partial.part))?;
        self.bytes += bytes.len() as u64;
        let many = self.bytes - self.described.synced >= SYNC_EVERY_BYTES;
        if many || self.synced_at.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Makes what was written last, and only then counts it.
    pub(super) fn sync(&mut self) -> Result<(), FileError> {
        self.synced_at = Instant::now();
        if self.bytes == self.described.synced {
            return Ok(());
        }
        self.file.sync_data().map_err(FileError::io(&self.partial.part))?;
        self.described.synced = self.bytes;
        self.partial.describe(&self.described)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_validator(etag: &str, modified: &str, date: &str, expected: Option<&str>) {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let version = Version { etag: text(etag), last_modified: text(modified), date: text(date) };
        assert_eq!(version.strong(), expected, "{version:?}");
    }

    #[test]
    fn what_tells_versions_apart() {
        let modified = "Tue, 14 Apr 2026 12:00:00 GMT";
        let (after_59, after_60) =
            ("Tue, 14 Apr 2026 12:00:59 GMT", "Tue, 14 Apr 2026 12:01:00 GMT");
        check_validator("\"v1\"", modified, "", Some("\"v1\""));
        check_validator("W/\"v1\"", modified, after_60, Some(modified));
        check_validator("W/\"v1\"", modified, after_59, None);
        check_validator("W/\"v1\"", "", after_60, None);
        check_validator("", modified, after_60, Some(modified));
        check_validator("", modified, after_59, None);
        check_validator("", modified, "Mon, 13 Apr 2026 12:00:00 GMT", None);
        check_validator("", modified, "", None);
        check_validator("", modified, "today", None);
        check_validator("", "yesterday", after_60, None);
    }

    const ADDRESS: &str = "https://a.example/eo1.csv";

    fn description(synced: u64) -> Description {
        let version = Version { etag: Some("\"v1\"".to_owned()), ..Version::default() };
        Description { address: ADDRESS.to_owned(), version, length: None, synced }
    }

    /// From which byte on the next run would go on.
    fn resumes_at(partial: &Partial) -> Option<u64> {
        partial.resume(&Address::parse(ADDRESS).unwrap()).map(|resume| resume.synced)
    }

    #[test]
    fn what_comes_is_made_to_last_from_time_to_time() {
        let folder = tempfile::tempdir().unwrap();
        let partial = Partial::new(folder.path(), "eo1.csv");
        let mut writer = partial.open(description(0)).unwrap();
        writer.write(b"abc").unwrap();
        // As a process leaves it that ends now.
        assert_eq!((partial.bytes(), resumes_at(&partial)), (3, None));
        writer.synced_at = Instant::now().checked_sub(SYNC_EVERY).unwrap();
        writer.write(b"def").unwrap();
        assert_eq!(resumes_at(&partial), Some(6));
        writer.write(b"ghi").unwrap();
        assert_eq!(resumes_at(&partial), Some(6));

        let many = SYNC_EVERY_BYTES + 5;
        writer.file.set_len(many).unwrap();
        writer.file.seek(SeekFrom::Start(many)).unwrap();
        writer.bytes = many;
        writer.write(b"j").unwrap();
        assert_eq!(resumes_at(&partial), Some(many + 1));
        writer.write(b"k").unwrap();
        writer.sync().unwrap();
        assert_eq!(resumes_at(&partial), Some(many + 2));
    }

    #[test]
    fn bytes_are_no_longer_counted_before_they_go() {
        let folder = tempfile::tempdir().unwrap();
        let partial = Partial::new(folder.path(), "eo1.csv");
        let mut writer = partial.open(description(0)).unwrap();
        writer.write(b"abc").unwrap();
        writer.sync().unwrap();
        // What cannot be opened still has its bytes.
        let aside = folder.path().join("aside");
        fs::rename(&partial.part, &aside).unwrap();
        fs::create_dir(&partial.part).unwrap();
        assert!(partial.open(description(1)).is_err());
        fs::remove_dir(&partial.part).unwrap();
        fs::rename(&aside, &partial.part).unwrap();
        assert_eq!((partial.bytes(), resumes_at(&partial)), (3, Some(1)));
    }
}
