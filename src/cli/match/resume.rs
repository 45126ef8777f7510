//! A file of matched rows on its way. A run that was stopped is gone on with: what a row is answered with
//! depends on the row, the snapshot and the settings alone, so rows that agree with the list's stay, as long
//! as a note beside them says that snapshot and settings are the same.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

/// Appended to the name of the output while it is not whole, and to that the note's.
const PARTIAL: &str = ".partial";
const NOTE: &str = ".run";

/// The file, which nobody else writes meanwhile.
pub(super) struct PartialFile {
    target: PathBuf,
    partial: PathBuf,
    note: PathBuf,
    pub(super) file: File,
}

impl PartialFile {
    /// Opens what a run of the same note has left, or begins anew.
    ///
    /// # Errors
    /// When it cannot be written, or another run writes it.
    pub(super) fn open(target: &Path, note_text: &str) -> anyhow::Result<Self> {
        let Some(name) = target.file_name() else { bail!("{} is no file", target.display()) };
        let beside = |suffix: &[&str]| {
            let mut name = name.to_owned();
            suffix.iter().for_each(|part| name.push(part));
            target.with_file_name(name)
        };
        let (partial, note) = (beside(&[PARTIAL]), beside(&[PARTIAL, NOTE]));
        let file =
            File::options().read(true).write(true).create(true).truncate(false).open(&partial)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("another run writes {}; wait for it, or stop it", partial.display())
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        if fs::read(&note).ok().as_deref() != Some(note_text.as_bytes()) {
            // First the rows go: a note never stands beside rows of another run.
            file.set_len(0)?;
            file.sync_all()?;
            fs::write(&note, note_text)?;
        }
        Ok(Self { target: target.to_owned(), partial, note, file })
    }

    /// The rows that are there.
    pub(super) fn rows(&self, separator: u8) -> io::Result<KeptRows> {
        let length = self.file.metadata()?.len();
        let mut source = self.file.try_clone()?;
        let mut last = *b"\n";
        if length > 0 {
            source.seek(SeekFrom::Start(length - 1))?;
            source.read_exact(&mut last)?;
        }
        source.rewind()?;
        let torn_at = (last != *b"\n").then_some(length);
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(source);
        Ok(KeptRows { reader, record: csv::ByteRecord::new(), torn_at, agreed_bytes: 0 })
    }

    /// Drops what is behind the rows that agree, and writes on from there.
    pub(super) fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.file.set_len(bytes)?;
        self.file.seek(SeekFrom::Start(bytes)).map(drop)
    }

    /// Gives the file its name.
    pub(super) fn publish(self) -> anyhow::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.partial, &self.target)?;
        fs::remove_file(&self.note).context("cannot remove the note of the run")
    }
}

/// Rows that an earlier run has written, read one by one as long as they agree.
pub(super) struct KeptRows {
    reader: csv::Reader<File>,
    record: csv::ByteRecord,
    /// Where the file ends within a row.
    torn_at: Option<u64>,
    /// Bytes of the rows that agree.
    pub(super) agreed_bytes: u64,
}

impl KeptRows {
    /// Whether there is another row that is whole. Behind one that is not there is nothing to keep.
    pub(super) fn advance(&mut self) -> bool {
        let more = self.reader.read_byte_record(&mut self.record).unwrap_or(false);
        more && self.torn_at != Some(self.reader.position().byte())
    }

    /// What `read` makes of the cells behind those of `own`, if the row has these and as many more as `added`;
    /// where it makes something of them the row agrees.
    pub(super) fn agree<T>(
        &mut self,
        own: &[String],
        added: usize,
        read: impl FnOnce(&[&str]) -> Option<T>,
    ) -> Option<T> {
        let cells: Option<Vec<&str>> =
            self.record.iter().map(|cell| std::str::from_utf8(cell).ok()).collect();
        let cells = cells?;
        let is_same =
            cells.len() == own.len() + added && cells.iter().zip(own).all(|(a, b)| a == b);
        let found = if is_same { read(&cells[own.len()..]) } else { None }?;
        self.agreed_bytes = self.reader.position().byte();
        Some(found)
    }
}
