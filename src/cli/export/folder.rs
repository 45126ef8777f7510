//! A folder that is there whole or not at all: written under another name beside its own, and renamed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::cli::output_file::Counted;
use crate::durable::{self, BUFFER_BYTES, beside};

/// A folder on its way. Dropped before it is published, it leaves nothing.
#[derive(Debug)]
pub(super) struct OutputFolder {
    target: PathBuf,
    partial: PathBuf,
}

impl OutputFolder {
    /// Begins a folder, which must not be there, or be empty.
    pub(super) fn create(target: &Path) -> anyhow::Result<Self> {
        let shown = target.display();
        let is_free = match fs::read_dir(target) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(error).with_context(|| format!("cannot write into {shown}")),
        };
        anyhow::ensure!(is_free, "{shown} is not empty; name a new folder, or empty that one");
        target.file_name().with_context(|| {
            format!("{shown} has no name of its own; name a new folder, such as exports/tables")
        })?;
        let partial = beside(target, "partial");
        fs::create_dir(&partial).with_context(|| {
            format!("cannot create {}; the folder above it must exist", partial.display())
        })?;
        Ok(Self { target: target.to_owned(), partial })
    }

    /// Begins a file of the folder; `path` may have folders in it.
    pub(super) fn file(&self, path: &str) -> anyhow::Result<FolderFile> {
        let cannot = || format!("cannot write {}", self.target.join(path).display());
        let partial = self.partial.join(path);
        if let Some(folder) = partial.parent() {
            fs::create_dir_all(folder).with_context(cannot)?;
        }
        let file = File::create_new(&partial).with_context(cannot)?;
        let file = Counted::new(BufWriter::with_capacity(BUFFER_BYTES, file));
        Ok(FolderFile { file, name: self.target.join(path).display().to_string() })
    }

    /// Writes a file of the folder; gives its bytes.
    pub(super) fn write(&self, path: &str, text: &[u8]) -> anyhow::Result<u64> {
        let mut file = self.file(path)?;
        file.write_all(text).with_context(|| file.cannot())?;
        file.finish()
    }

    /// Syncs the folder and gives it its name.
    pub(super) fn publish(self) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.target.display());
        sync(&self.partial).with_context(cannot)?;
        durable::rename(&self.partial, &self.target).with_context(cannot)
    }
}

/// Syncs a folder and those in it; their files are synced.
fn sync(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync(&entry.path())?;
        }
    }
    durable::sync(folder)
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        // Published, it has another name.
        let _ = fs::remove_dir_all(&self.partial);
    }
}

/// A file of a folder.
#[derive(Debug)]
pub(super) struct FolderFile {
    file: Counted<BufWriter<File>>,
    name: String,
}

impl FolderFile {
    /// What an error of writing it says.
    pub(super) fn cannot(&self) -> String {
        format!("cannot write {}", self.name)
    }

    /// How many bytes were written.
    pub(super) fn bytes(&self) -> u64 {
        self.file.bytes()
    }

    /// Syncs the file; gives its bytes.
    pub(super) fn finish(mut self) -> anyhow::Result<u64> {
        self.file.flush().with_context(|| self.cannot())?;
        self.file.out.get_ref().sync_all().with_context(|| self.cannot())?;
        Ok(self.bytes())
    }
}

impl Write for FolderFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_there_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let names = || {
            let entries = fs::read_dir(place.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        let target = place.path().join("tables");
        let folder = OutputFolder::create(&target).unwrap();
        assert_eq!(folder.write("a/b.txt", b"text").unwrap(), 4);
        assert!(folder.file("a/b.txt").is_err(), "a file is written once");
        assert!(!target.exists());
        drop(folder);
        assert!(names().is_empty());
        // An empty folder is taken, one that is not is left as it is.
        fs::create_dir(&target).unwrap();
        let folder = OutputFolder::create(&target).unwrap();
        folder.write("a/b.txt", b"text").unwrap();
        folder.publish().unwrap();
        assert_eq!(fs::read_to_string(target.join("a/b.txt")).unwrap(), "text");
        let refused = OutputFolder::create(&target).unwrap_err().to_string();
        assert!(refused.contains("is not empty"), "{refused}");
        assert!(OutputFolder::create(&target.join("a/b.txt")).is_err());
        assert!(OutputFolder::create(&place.path().join("absent/tables")).is_err());
        assert_eq!(names(), ["tables"]);
    }
}
