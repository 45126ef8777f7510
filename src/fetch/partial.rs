//! Files on their way: `.partial/NAME.part` and, beside it, which version of the file at the server
//! its bytes are of. The folder is hidden, so that whoever reads the files around it passes it over.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use hyper::header::{self, HeaderMap};
use serde::{Deserialize, Serialize};

use super::address::Address;
use super::error::FileError;

/// The folder, in the one that is downloaded into.
pub(super) const FOLDER: &str = ".partial";

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
}

impl Version {
    /// What the head of an answer says.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let text = |name| {
            let text = headers.get(name)?.to_str().ok()?;
            (!text.is_empty() && text.len() <= VALIDATOR_BYTES_MAX).then(|| text.to_owned())
        };
        Self { etag: text(header::ETAG), last_modified: text(header::LAST_MODIFIED) }
    }

    /// What to ask `If-Range` with; `None` when nothing tells versions apart to the byte.
    pub(super) fn strong(&self) -> Option<&str> {
        match &self.etag {
            Some(etag) if etag.starts_with('"') => Some(etag),
            Some(_) => None,
            None => self.last_modified.as_deref(),
        }
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
}

/// A partial file, there or not yet.
pub(super) struct Partial {
    part: PathBuf,
    description: PathBuf,
}

/// From where a partial file can go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Resume {
    /// How many of its bytes are kept.
    pub(super) bytes: u64,
    pub(super) described: Description,
}

impl Partial {
    /// That of a file in `folder`.
    pub(super) fn new(folder: &Path, name: &str) -> Self {
        let partial = folder.join(FOLDER);
        Self {
            part: partial.join(format!("{name}.part")),
            description: partial.join(format!("{name}.part.json")),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.part
    }

    /// From where it can go on, if it is there, of this address, and of a version that can be told.
    pub(super) fn resume(&self, address: &Address) -> Option<Resume> {
        let there = fs::metadata(&self.part).ok().filter(fs::Metadata::is_file)?.len();
        let described = self.read_description()?;
        let known = described.address == address.to_string();
        if !known || described.version.strong().is_none() {
            return None;
        }
        // A file that is whole asks for its last byte again: one that begins at its end has no range.
        let bytes = described.length.map_or(there, |length| there.min(length.saturating_sub(1)));
        (bytes > 0).then_some(Resume { bytes, described })
    }

    fn read_description(&self) -> Option<Description> {
        let metadata = fs::metadata(&self.description).ok()?;
        if metadata.len() > DESCRIPTION_BYTES_MAX {
            return None;
        }
        serde_json::from_slice(&fs::read(&self.description).ok()?).ok()
    }

    /// Opens it to be written on from `bytes`, which drops what stands behind; from 0, after it is
    /// written down what is to come.
    pub(super) fn open(&self, bytes: u64, description: &Description) -> Result<File, FileError> {
        let io = |path: &Path| FileError::io(path);
        if let Some(folder) = self.part.parent() {
            fs::create_dir_all(folder).map_err(io(folder))?;
        }
        let open = OpenOptions::new().create(true).truncate(false).write(true).open(&self.part);
        let mut file = open.map_err(io(&self.part))?;
        // Old bytes go before the new description comes, or they would pass for the new version.
        if file.metadata().map_err(io(&self.part))?.len() != bytes {
            file.set_len(bytes).map_err(io(&self.part))?;
        }
        file.seek(SeekFrom::Start(bytes)).map_err(io(&self.part))?;
        if bytes == 0 {
            let text = serde_json::to_vec_pretty(description)
                .map_err(|error| io(&self.description)(error.into()))?;
            write_whole(&self.description, &text).map_err(io(&self.description))?;
        }
        Ok(file)
    }

    /// Bytes of it on the disk, 0 when it is not there.
    pub(super) fn bytes(&self) -> u64 {
        fs::metadata(&self.part).map_or(0, |metadata| metadata.len())
    }

    /// Removes it, so that the file is begun anew.
    pub(super) fn discard(&self) {
        // What cannot be removed cannot be written either, and that is an error.
        let _ = fs::remove_file(&self.description);
        let _ = fs::remove_file(&self.part);
    }
}

/// Writes a small file so that at any time it has its old bytes or its new ones.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".tmp");
    // Hidden where the file is not, for the time that it is there.
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    let staged = path.with_file_name(hidden);
    let mut file = File::create(&staged)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&staged, path)?;
    sync_folder_of(path)
}

/// Makes a rename in the folder of `path` last.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    match path.parent() {
        // Folders cannot be opened elsewhere.
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}
