//! Writes tables.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::WriteError;
use super::table::{ALIGNMENT, MAGIC, Value, padded};

/// Writes a table section by section; not synced, which whoever stages the snapshot does.
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    out: BufWriter<File>,
    /// Of each section its name, bytes of a value, number of values and position.
    sections: Vec<(String, [u64; 3])>,
    position: u64,
}

impl TableWriter {
    /// Begins a table, and makes the folder that it lies in.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let create = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            Ok(BufWriter::with_capacity(1 << 18, File::create(path)?))
        };
        let out = create().map_err(WriteError::of(path))?;
        Ok(Self { path: path.to_owned(), out, sections: Vec::new(), position: 0 })
    }

    /// Begins a section of values of `width` bytes, which [`Self::write`] adds.
    pub fn section(&mut self, name: &str, width: usize) -> Result<(), WriteError> {
        self.close_section()?;
        let gap = self.position.next_multiple_of(ALIGNMENT) - self.position;
        self.write(&[0; ALIGNMENT as usize][..gap as usize])?;
        self.sections.push((name.to_owned(), [width as u64, 0, self.position]));
        Ok(())
    }

    /// Counts the values of the section that was begun last. Numbers are addressed by 32 bits; bytes are too, where
    /// lists of them are.
    fn close_section(&mut self) -> Result<(), WriteError> {
        let Some((name, [width, count, start])) = self.sections.last_mut() else { return Ok(()) };
        *count = (self.position - *start) / *width;
        if *width > 1 && *count > u64::from(u32::MAX) {
            let what = format!("too many {name}: {count}, more than 32 bits can number");
            return Err(WriteError::of(&self.path)(io::Error::other(what)));
        }
        Ok(())
    }

    /// Adds values to the section that was begun last, or pieces of one.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.position += bytes.len() as u64;
        self.out.write_all(bytes).map_err(WriteError::of(&self.path))
    }

    /// Adds a section of numbers.
    pub fn column<V: Value>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), WriteError> {
        self.section(name, size_of::<V::Bytes>())?;
        values.into_iter().try_for_each(|value| self.write(value.bytes().as_ref()))
    }

    /// Adds a section of numbers by key; they come sorted.
    pub fn pairs<K: Value>(&mut self, name: &str, pairs: &[(K, u32)]) -> Result<(), WriteError> {
        self.column(&format!("{name}.keys"), pairs.iter().map(|pair| pair.0))?;
        self.column(name, pairs.iter().map(|pair| pair.1))
    }

    /// Adds a section of lists of numbers.
    pub fn lists<V: Value, List: IntoIterator<Item = V>>(
        &mut self,
        name: &str,
        lists: impl IntoIterator<Item = List>,
    ) -> Result<(), WriteError> {
        self.section(name, size_of::<V::Bytes>())?;
        let (mut ends, mut end) = (Vec::new(), 0);
        for list in lists {
            for value in list {
                self.write(value.bytes().as_ref())?;
                end += 1;
            }
            ends.push(end as u32);
        }
        self.ends(name, ends, end)
    }

    /// Adds a section of texts.
    pub fn texts(
        &mut self,
        name: &str,
        texts: impl IntoIterator<Item = impl AsRef<[u8]>>,
    ) -> Result<(), WriteError> {
        self.section(name, 1)?;
        let (mut ends, mut end) = (Vec::new(), 0);
        for text in texts {
            self.write(text.as_ref())?;
            end += text.as_ref().len();
            ends.push(end as u32);
        }
        self.ends(name, ends, end)
    }

    /// Adds where the lists of a section end.
    fn ends(&mut self, name: &str, ends: Vec<u32>, last: usize) -> Result<(), WriteError> {
        if u32::try_from(last).is_err() {
            let what = format!("{name} are longer than 32 bits can number: {last}");
            return Err(WriteError::of(&self.path)(io::Error::other(what)));
        }
        self.column(&format!("{name}.ends"), ends)
    }

    /// Writes the directory. Gives the length of the file.
    pub fn finish(mut self) -> Result<u64, WriteError> {
        self.close_section()?;
        let mut directory = Vec::new();
        for (name, numbers) in &self.sections {
            directory.extend_from_slice(&padded(name));
            numbers.iter().for_each(|number| directory.extend_from_slice(&number.to_le_bytes()));
        }
        directory.extend_from_slice(&(self.sections.len() as u64).to_le_bytes());
        directory.extend_from_slice(&MAGIC);
        self.write(&directory)?;
        self.out.flush().map_err(WriteError::of(&self.path))?;
        Ok(self.position)
    }
}
