//! A file of matched rows on its way. A run that was stopped is gone on with: what a row is answered with
//! depends on the row, the snapshot and the settings alone, so rows that agree with the list's stay, as long
//! as a note beside them says that snapshot and settings are the same, and has the checksum of the rows.
//!
//! The note is the settings, then a line for each piece that was written: the byte at which it ends, and the
//! XXH3-64 of its bytes. A piece is some whole rows. A line follows its piece, so that what a kill or a
//! power failure leaves behind the last piece that is as its line says is no row of anybody.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use xxhash_rust::xxh3::Xxh3;

use crate::durable;

/// Appended to the name of the output while it is not whole, and to that the note's.
const PARTIAL: &str = ".partial";
const NOTE: &str = ".run";

/// Bytes that are read at once.
const READ_BYTES: usize = 256 << 10;

/// The file, which nobody else writes meanwhile.
pub(super) struct PartialFile {
    target: PathBuf,
    pub(super) partial: PathBuf,
    note: PathBuf,
    /// The first lines of the note: the settings of the run.
    settings: String,
    file: File,
    pieces: Vec<Piece>,
    /// Whether the note has lines of other pieces, too.
    has_others: bool,
    /// What was written since the last piece.
    sum: Xxh3,
    end: u64,
    has_failed: bool,
}

/// Rows that lie behind those of the piece before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    /// Where it ends in the file.
    end: u64,
    xxh3: u64,
}

impl Piece {
    fn line(self) -> String {
        format!("{} {:016x}\n", self.end, self.xxh3)
    }

    /// Reads a line, which must be as it was written to the byte.
    fn parse(line: &str) -> Option<Self> {
        let (end, xxh3) = line.trim_end().split_once(' ')?;
        let piece = Self { end: end.parse().ok()?, xxh3: u64::from_str_radix(xxh3, 16).ok()? };
        (piece.line() == line).then_some(piece)
    }
}

impl PartialFile {
    /// Opens what an earlier run with the same settings left, or starts over.
    pub(super) fn open(target: &Path, settings: String) -> anyhow::Result<Self> {
        let Some(name) = target.file_name() else { bail!("{} is no file", target.display()) };
        let beside = |suffix: &[&str]| {
            let mut name = name.to_owned();
            suffix.iter().for_each(|part| name.push(part));
            target.with_file_name(name)
        };
        let (partial, note) = (beside(&[PARTIAL]), beside(&[PARTIAL, NOTE]));
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&partial)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("another run writes {}; wait for it, or stop it", partial.display())
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let noted = fs::read(&note).unwrap_or_default();
        let (mut pieces, mut has_others) = (Vec::new(), false);
        if let Some(lines) = noted.strip_prefix(settings.as_bytes()) {
            (pieces, has_others) = whole(&mut file, lines)?;
        } else {
            // The rows are cleared first: a note must never accompany another run's rows.
            file.set_len(0)?;
            file.sync_all()?;
            fs::write(&note, &settings)?;
        }
        let (target, sum) = (target.to_owned(), Xxh3::new());
        let end = pieces.last().map_or(0, |piece| piece.end);
        let has_failed = false;
        Ok(Self { target, partial, note, settings, file, pieces, has_others, sum, end, has_failed })
    }

    /// The byte from which on rows are not as the earlier run noted them, if there are such.
    pub(super) fn damaged_from(&self) -> Option<u64> {
        self.has_others.then_some(self.end)
    }

    /// The rows that are there and as they were noted.
    pub(super) fn rows(&self, separator: u8) -> io::Result<KeptRows> {
        let mut source = self.file.try_clone()?;
        source.rewind()?;
        let reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .from_reader(source.take(self.end));
        Ok(KeptRows { reader, record: csv::ByteRecord::new(), agreed_bytes: 0 })
    }

    /// Drops what is behind the rows that agree, and writes on from there.
    pub(super) fn cut(&mut self, bytes: u64) -> io::Result<()> {
        let noted = self.pieces.len();
        self.pieces.retain(|piece| piece.end <= bytes);
        let is_changed = self.has_others || self.pieces.len() < noted;
        let end = self.pieces.last().map_or(0, |piece| piece.end);
        self.file.set_len(bytes)?;
        if end < bytes {
            let xxh3 = sum(&mut self.file, end, bytes)?;
            self.pieces.push(Piece { end: bytes, xxh3 });
        }
        if is_changed {
            let lines = self.pieces.iter().map(|piece| piece.line());
            fs::write(&self.note, self.settings.clone() + &lines.collect::<String>())?;
        }
        self.end = bytes;
        self.file.seek(SeekFrom::Start(bytes)).map(drop)
    }

    /// Gives the file its name.
    pub(super) fn publish(self) -> anyhow::Result<()> {
        self.file.sync_all()?;
        durable::rename(&self.partial, &self.target)?;
        fs::remove_file(&self.note).context("cannot remove the note of the run")
    }
}

/// What is flushed is a piece: whole rows.
impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Behind a failure the file may end within a row: no piece of it is noted.
        let written = self.file.write(bytes).inspect_err(|error| {
            self.has_failed |= error.kind() != io::ErrorKind::Interrupted;
        })?;
        self.sum.update(&bytes[..written]);
        self.end += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let noted = self.pieces.last().map_or(0, |piece| piece.end);
        if self.has_failed || self.end == noted {
            return Ok(());
        }
        let piece = Piece { end: self.end, xxh3: self.sum.digest() };
        self.sum.reset();
        self.pieces.push(piece);
        let mut note = File::options().append(true).open(&self.note)?;
        note.write_all(piece.line().as_bytes())
    }
}

/// The pieces that are as the lines of a note say, up to the first that is not; and whether there is one.
fn whole(file: &mut File, lines: &[u8]) -> io::Result<(Vec<Piece>, bool)> {
    let length = file.metadata()?.len();
    let mut pieces: Vec<Piece> = Vec::new();
    for line in String::from_utf8_lossy(lines).split_inclusive('\n') {
        let begin = pieces.last().map_or(0, |piece| piece.end);
        let piece = Piece::parse(line);
        let piece = piece.filter(|piece| begin < piece.end && piece.end <= length);
        match piece {
            Some(piece) if sum(file, begin, piece.end)? == piece.xxh3 => pieces.push(piece),
            _ => return Ok((pieces, true)),
        }
    }
    Ok((pieces, false))
}

/// The checksum of a part of a file.
fn sum(file: &mut File, begin: u64, end: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(begin))?;
    let mut part = file.take(end - begin);
    let (mut sum, mut bytes) = (Xxh3::new(), vec![0; READ_BYTES]);
    loop {
        match part.read(&mut bytes)? {
            0 => return Ok(sum.digest()),
            read => sum.update(&bytes[..read]),
        }
    }
}

/// Rows that an earlier run has written, read one by one as long as they agree.
pub(super) struct KeptRows {
    reader: csv::Reader<io::Take<File>>,
    record: csv::ByteRecord,
    /// Bytes of the rows that agree.
    pub(super) agreed_bytes: u64,
}

impl KeptRows {
    /// Whether there is another row.
    pub(super) fn advance(&mut self) -> bool {
        self.reader.read_byte_record(&mut self.record).unwrap_or(false)
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
