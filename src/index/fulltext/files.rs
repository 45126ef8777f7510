//! The files of the segment, as tantivy sees them and as they are.
//!
//! Tantivy names the files of a segment by a random identifier and an extension. There is one
//! segment, so the extension alone tells the file: [`Press`] writes each under a fixed name, and
//! [`Mirror`] shows the mapped files under whatever identifier is asked for. What tantivy keeps
//! about the index as a whole (`meta.json`) is small and written last, with an identifier of
//! zeros; its list of files that it may collect as garbage is not kept at all. Its store of documents takes
//! five bytes for each to say that nothing is stored; kept is the store of a single one. Neither locks:
//! nobody else writes where a snapshot is staged, and nobody writes to a published one.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, OwnedBytes, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};
use tantivy::{Directory, HasLen};

use crate::mapped::{Files, MapError, MappedFile, Window};
use crate::record::named;

named! {
    /// A file of the segment, named for what tantivy does: its extension, or all of its name.
    SegmentFile {
        Meta = "meta.json",
        Terms = "term",
        Postings = "idx",
        Positions = "pos",
        FieldNorms = "fieldnorm",
        FastFields = "fast",
        Store = "store",
    }
}

impl SegmentFile {
    /// Its path within a snapshot.
    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::Meta => "fulltext/meta.json",
            Self::Terms => "fulltext/terms",
            Self::Postings => "fulltext/postings",
            Self::Positions => "fulltext/positions",
            Self::FieldNorms => "fulltext/lengths",
            Self::FastFields => "fulltext/fast",
            Self::Store => "fulltext/store",
        }
    }

    /// The part that tantivy means by a path.
    fn of(path: &Path) -> Option<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        Self::named(path.to_str()?).or_else(|| Self::named(extension?))
    }
}

/// What tantivy writes to.
#[derive(Debug, Clone)]
pub(super) struct Press {
    /// The snapshot's.
    folder: PathBuf,
    /// What is written whole, by tantivy's name.
    small: Arc<Mutex<BTreeMap<PathBuf, Vec<u8>>>>,
}

impl Press {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), small: Arc::default() }
    }

    fn small(&self) -> std::sync::MutexGuard<'_, BTreeMap<PathBuf, Vec<u8>>> {
        self.small.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, path: &Path) -> Option<PathBuf> {
        SegmentFile::of(path).map(|part| self.folder.join(part.file()))
    }

    /// Writes what was not written as a file: `meta.json`, and `store` as the store of documents.
    pub(super) fn finish(&self, store: &[u8]) -> io::Result<()> {
        std::fs::write(self.folder.join(SegmentFile::Store.file()), store)?;
        let mut meta: serde_json::Value = match self.small().get(Path::new("meta.json")) {
            Some(bytes) => serde_json::from_slice(bytes)?,
            None => return Err(io::Error::other("tantivy wrote no meta.json")),
        };
        let segments = meta.get_mut("segments").and_then(serde_json::Value::as_array_mut);
        for segment in segments.into_iter().flatten() {
            segment["segment_id"] = "00000000-0000-0000-0000-000000000000".into();
        }
        std::fs::write(
            self.folder.join(SegmentFile::Meta.file()),
            serde_json::to_vec_pretty(&meta)?,
        )
    }
}

impl Directory for Press {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let absent = || OpenReadError::FileDoesNotExist(path.to_owned());
        let bytes = std::fs::read(self.path(path).ok_or_else(absent)?)
            .map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))?;
        Ok(Arc::new(OwnedBytes::new(bytes)))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.small().remove(path);
        Ok(())
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let written = self.path(path).is_some_and(|path| path.exists());
        Ok(written || self.small().contains_key(path))
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let io = |error| OpenWriteError::wrap_io_error(error, path.to_owned());
        let file = self.path(path).ok_or_else(|| {
            io(io::Error::other(format!("{} is no file of a segment", path.display())))
        })?;
        if SegmentFile::of(path) == Some(SegmentFile::Store) {
            return Ok(BufWriter::new(Box::new(Sheet(io::sink()))));
        }
        let file = File::create_new(file).map_err(io)?;
        Ok(BufWriter::new(Box::new(Sheet(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let found = self.small().get(path).cloned();
        found.ok_or_else(|| OpenReadError::FileDoesNotExist(path.to_owned()))
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.small().insert(path.to_owned(), data.to_owned());
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// A file being written. Whoever publishes the snapshot syncs it.
struct Sheet<Out>(Out);

impl<Out: Write> Write for Sheet<Out> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<Out: Write + Send + Sync> TerminatingWrite for Sheet<Out> {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.flush()
    }
}

/// What tantivy reads from.
#[derive(Debug, Clone)]
pub(super) struct Mirror {
    /// In the order of [`SegmentFile::ALL`].
    files: Arc<[Arc<MappedFile>]>,
}

impl Mirror {
    pub(super) fn open(files: &mut Files<'_>) -> Result<Self, MapError> {
        let mapped = SegmentFile::ALL.iter().map(|part| files(part.file()).map(Arc::new));
        Ok(Self { files: mapped.collect::<Result<_, _>>()? })
    }

    pub(super) fn file(&self, part: SegmentFile) -> &Arc<MappedFile> {
        &self.files[part as usize]
    }
}

/// That a published snapshot is not written to.
fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "a published snapshot is not written to")
}

impl Directory for Mirror {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let absent = || OpenReadError::FileDoesNotExist(path.to_owned());
        let part = SegmentFile::of(path).ok_or_else(absent)?;
        Ok(Arc::new(Handle(Arc::clone(self.file(part)))))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: read_only().into(), filepath: path.to_owned() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(SegmentFile::of(path).is_some())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::wrap_io_error(read_only(), path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        if SegmentFile::of(path) != Some(SegmentFile::Meta) {
            return Err(OpenReadError::FileDoesNotExist(path.to_owned()));
        }
        let file = self.file(SegmentFile::Meta);
        let bytes = file.bytes(0..file.len()).map_err(io::Error::other);
        bytes
            .map(<[u8]>::to_vec)
            .map_err(|error| OpenReadError::wrap_io_error(error, path.to_owned()))
    }

    fn atomic_write(&self, _: &Path, _: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

/// A mapped file, read in place.
#[derive(Debug)]
struct Handle(Arc<MappedFile>);

impl HasLen for Handle {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl FileHandle for Handle {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        Window::new(&self.0, range).map(OwnedBytes::new).map_err(io::Error::other)
    }
}
