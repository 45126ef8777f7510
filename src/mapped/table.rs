//! Files of named sections: in each, values of one width, little-endian, one after another.
//!
//! A section begins at a multiple of 64 bytes. Behind the last one is the directory, for each section: its name in 24
//! bytes, filled up with zeros, then, in a u64 each, bytes of a value, number of values and position of the first. The
//! file ends with a u64 number of sections and [`MAGIC`]. What the sections mean, the format of the snapshot says; a
//! section that lacks or has values of another width is refused when it is asked for.
//!
//! [`Rows`] is a section as bytes, [`Column`] one of numbers; [`Lists`] are a column cut into lists by another that says
//! where each ends, and [`Pairs`] a column by another, of keys that rise. Each is resolved once, and holds on to the
//! file; what it hands out is verified.

use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use super::{Damage, Files, MappedFile, OpenError};

/// How a table ends.
pub(super) const MAGIC: [u8; 8] = *b"ALMTABL1";

/// A cache line, so that no value lies across two.
pub(super) const ALIGNMENT: u64 = 64;

const NAME_BYTES: usize = 24;
const ENTRY_BYTES: usize = NAME_BYTES + 3 * 8;
const FOOTER_BYTES: usize = 16;

/// A section's name as the directory has it.
pub(super) fn padded(name: &str) -> [u8; NAME_BYTES] {
    let mut bytes = [0; NAME_BYTES];
    bytes[..name.len()].copy_from_slice(name.as_bytes());
    bytes
}

/// The first position of a range that `is_before` is not true of, or its end; it is true of those before and of none
/// behind.
pub fn partition_point(
    within: Range<usize>,
    mut is_before: impl FnMut(usize) -> Result<bool, Damage>,
) -> Result<usize, Damage> {
    let Range { start: mut low, end: mut high } = within;
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle)? {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

/// A value of a column: a number, or bytes.
pub trait Value: Copy {
    /// Its bytes in the file.
    type Bytes: AsRef<[u8]> + Copy + Debug;

    /// The values in some bytes.
    fn chunks(bytes: &[u8]) -> &[Self::Bytes];
    /// The value of these bytes.
    fn read(bytes: Self::Bytes) -> Self;
    /// The bytes of this value.
    fn bytes(self) -> Self::Bytes;
}

macro_rules! numbers {
    ($($number:ty),+) => {
        $(impl Value for $number {
            type Bytes = [u8; size_of::<$number>()];

            #[inline]
            fn chunks(bytes: &[u8]) -> &[Self::Bytes] {
                bytes.as_chunks().0
            }

            #[inline]
            fn read(bytes: Self::Bytes) -> Self {
                Self::from_le_bytes(bytes)
            }

            #[inline]
            fn bytes(self) -> Self::Bytes {
                self.to_le_bytes()
            }
        })+
    };
}

numbers!(u8, u16, u32, u64, i64, f32, f64);

impl<const WIDTH: usize> Value for [u8; WIDTH] {
    type Bytes = Self;

    #[inline]
    fn chunks(bytes: &[u8]) -> &[Self] {
        bytes.as_chunks().0
    }

    #[inline]
    fn read(bytes: Self) -> Self {
        bytes
    }

    #[inline]
    fn bytes(self) -> Self {
        self
    }
}

/// An opened table.
#[derive(Debug)]
pub struct Table {
    file: Arc<MappedFile>,
    sections: Vec<([u8; NAME_BYTES], Rows)>,
}

impl Table {
    /// Opens the table at a path within a snapshot; reads its directory only.
    pub fn open(files: &mut Files<'_>, path: &str) -> Result<Self, OpenError> {
        Ok(Self::of(files(path)?)?)
    }

    fn of(file: MappedFile) -> Result<Self, Damage> {
        let file = Arc::new(file);
        let end = file.len().saturating_sub(FOOTER_BYTES);
        let footer = file.bytes(end..file.len())?;
        let count = footer.strip_suffix(&MAGIC).and_then(|count| count.first_chunk());
        let start = count.and_then(|count| {
            let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
            end.checked_sub(count.checked_mul(ENTRY_BYTES)?)
        });
        let start = start.ok_or_else(|| file.form("it does not end as a table does"))?;
        let entries: &[[u8; ENTRY_BYTES]] = file.bytes(start..end)?.as_chunks().0;
        let section = |entry: &[u8; ENTRY_BYTES]| {
            let (name, numbers) = entry.split_first_chunk()?;
            let number = |at: usize| usize::try_from(u64::read(u64::chunks(numbers)[at])).ok();
            let (width, count, first) = (number(0)?, number(1)?, number(2)?);
            let end = count.checked_mul(width)?.checked_add(first)?;
            let rows = Rows { file: Arc::clone(&file), start: first, width, count };
            (end <= start).then_some((*name, rows))
        };
        let sections: Option<Vec<_>> = entries.iter().map(section).collect();
        let sections = sections.ok_or_else(|| file.form("a section reaches past the last"))?;
        Ok(Self { file, sections })
    }

    /// Bytes of the file.
    pub fn bytes(&self) -> u64 {
        self.file.len() as u64
    }

    /// An error of this table.
    pub fn form(&self, what: impl Into<String>) -> Damage {
        self.file.form(what)
    }

    /// A section of values of `width` bytes.
    pub fn rows(&self, name: &str, width: usize) -> Result<Rows, Damage> {
        let found = self.sections.iter().find(|(known, _)| *known == padded(name));
        match found {
            Some((_, rows)) if rows.width == width => Ok(rows.clone()),
            Some((_, rows)) => Err(self.form(format!(
                "expected values of {width} bytes in section {name}, found {}",
                rows.width
            ))),
            None => Err(self.form(format!("it has no section {name}"))),
        }
    }

    /// A section of numbers.
    pub fn column<V: Value>(&self, name: &str) -> Result<Column<V>, Damage> {
        Ok(Column { rows: self.rows(name, size_of::<V::Bytes>())?, of: PhantomData })
    }

    /// A section of `count` numbers.
    pub fn column_of<V: Value>(&self, name: &str, count: usize) -> Result<Column<V>, Damage> {
        match self.column(name)? {
            column if column.count() == count => Ok(column),
            Column { rows: Rows { count: found, .. }, .. } => {
                Err(self.form(format!("expected {count} values in section {name}, found {found}")))
            }
        }
    }

    /// Numbers by key.
    pub fn pairs<K: Value>(&self, name: &str) -> Result<Pairs<K>, Damage> {
        let keys: Column<K> = self.column(&format!("{name}.keys"))?;
        Ok(Pairs { numbers: self.column_of(name, keys.count())?, keys })
    }

    /// The lists of a section.
    pub fn lists<V: Value>(&self, name: &str) -> Result<Lists<V>, Damage> {
        Ok(Lists { ends: self.column(&format!("{name}.ends"))?, values: self.column(name)? })
    }
}

/// A section: values of one width.
#[derive(Debug, Clone)]
pub struct Rows {
    file: Arc<MappedFile>,
    /// Byte of the first.
    start: usize,
    width: usize,
    count: usize,
}

impl Rows {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Some, one after another, verified.
    #[inline]
    pub fn range(&self, rows: Range<usize>) -> Result<&[u8], Damage> {
        if rows.start > rows.end || rows.end > self.count {
            return Err(self.beyond(rows.end));
        }
        self.file.bytes(self.bytes_of(rows))
    }

    /// One of them, verified.
    #[inline]
    pub fn row(&self, index: usize) -> Result<&[u8], Damage> {
        self.range(index..index.saturating_add(1))
    }

    /// One of them as it is in memory, to be prefetched; `None` where there is none.
    #[inline]
    pub fn unverified(&self, index: usize) -> Option<&[u8]> {
        let range = (index < self.count).then(|| self.bytes_of(index..index + 1))?;
        self.file.unverified().get(range)
    }

    /// Asks the system for some that may not be in memory; any range is well.
    pub fn read_ahead(&self, rows: Range<usize>) {
        let end = rows.end.min(self.count);
        self.file.read_ahead(self.bytes_of(rows.start.min(end)..end));
    }

    /// An error of this section's file.
    pub fn form(&self, what: impl Into<String>) -> Damage {
        self.file.form(what)
    }

    /// The directory was checked, so that this does not overflow.
    #[inline]
    fn bytes_of(&self, rows: Range<usize>) -> Range<usize> {
        self.start + rows.start * self.width..self.start + rows.end * self.width
    }

    #[cold]
    fn beyond(&self, end: usize) -> Damage {
        self.form(format!("something points to value {end} of a section of {}", self.count))
    }
}

/// A section of numbers.
#[derive(Debug)]
pub struct Column<V> {
    rows: Rows,
    of: PhantomData<fn() -> V>,
}

impl<V: Value> Column<V> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.rows.count
    }

    /// One of them.
    #[inline]
    pub fn at(&self, index: usize) -> Result<V, Damage> {
        Ok(V::read(V::chunks(self.rows.row(index)?)[0]))
    }

    /// Some of them.
    #[inline]
    pub fn range(&self, rows: Range<usize>) -> Result<Values<'_, V>, Damage> {
        Ok(Values(V::chunks(self.rows.range(rows)?)))
    }

    /// All of them.
    pub fn all(&self) -> Result<Values<'_, V>, Damage> {
        self.range(0..self.count())
    }

    /// The first position of a range whose number is not before, as [`partition_point`] says.
    pub fn partition_point(
        &self,
        within: Range<usize>,
        mut is_before: impl FnMut(V) -> bool,
    ) -> Result<usize, Damage> {
        partition_point(within, |at| Ok(is_before(self.at(at)?)))
    }

    /// Where a number stands in a column that rises: a binary search.
    pub fn equal(&self, value: V) -> Result<Range<usize>, Damage>
    where
        V: PartialOrd,
    {
        let start = self.partition_point(0..self.count(), |one| one < value)?;
        // Mostly few are equal: those near are looked at first.
        let (mut step, mut end) = (1, start);
        while end < self.count() && self.at(end)? == value {
            end = (end + step).min(self.count());
            step *= 2;
        }
        Ok(start..self.partition_point(start..end, |one| one <= value)?)
    }

    /// The first place of a number in a column that rises: a binary search.
    pub fn find(&self, value: V) -> Result<Option<usize>, Damage>
    where
        V: PartialOrd,
    {
        let at = self.partition_point(0..self.count(), |one| one < value)?;
        Ok((at < self.count() && self.at(at)? == value).then_some(at))
    }

    /// An error of this section's file.
    pub fn form(&self, what: impl Into<String>) -> Damage {
        self.rows.form(what)
    }
}

impl Column<u8> {
    /// Some bytes.
    #[inline]
    pub fn bytes(&self, range: Range<usize>) -> Result<&[u8], Damage> {
        self.rows.range(range)
    }
}

/// Some numbers of a column.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a, V: Value>(&'a [V::Bytes]);

impl<'a, V: Value> Values<'a, V> {
    /// The number at an index.
    ///
    /// # Panics
    /// When there are fewer.
    #[inline]
    pub fn at(self, index: usize) -> V {
        V::read(self.0[index])
    }

    /// The number at an index; `None` when there are fewer.
    #[inline]
    pub fn get(self, index: usize) -> Option<V> {
        self.0.get(index).map(|bytes| V::read(*bytes))
    }

    /// All of them.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = V> + Clone + 'a {
        self.0.iter().map(|bytes| V::read(*bytes))
    }
}

/// Numbers by a key that several may share, sorted by both.
#[derive(Debug)]
pub struct Pairs<K> {
    keys: Column<K>,
    numbers: Column<u32>,
}

impl<K: Value + PartialOrd> Pairs<K> {
    /// The numbers of a key, rising, at most `k`.
    pub fn of(&self, key: K, k: usize) -> Result<impl Iterator<Item = u32> + '_, Damage> {
        let Range { start, end } = self.keys.equal(key)?;
        Ok(self.numbers.range(start..end.min(start.saturating_add(k)))?.iter())
    }

    /// How many numbers a key has.
    pub fn count(&self, key: K) -> Result<usize, Damage> {
        Ok(self.keys.equal(key)?.len())
    }
}

/// Lists of numbers, one after another, and where each ends.
#[derive(Debug)]
pub struct Lists<V> {
    ends: Column<u32>,
    values: Column<V>,
}

impl<V: Value> Lists<V> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.ends.count()
    }

    /// Where a list is among the numbers of all.
    #[inline]
    pub fn place(&self, index: usize) -> Result<Range<usize>, Damage> {
        let start = index.checked_sub(1).map_or(Ok(0), |before| self.ends.at(before))?;
        Ok(start as usize..self.ends.at(index)? as usize)
    }

    /// The numbers of a list.
    #[inline]
    pub fn at(&self, index: usize) -> Result<Values<'_, V>, Damage> {
        self.values.range(self.place(index)?)
    }

    /// The numbers of all.
    pub fn values(&self) -> &Column<V> {
        &self.values
    }

    /// An error of this section's file.
    pub fn form(&self, what: impl Into<String>) -> Damage {
        self.values.form(what)
    }
}

impl Lists<u8> {
    /// The bytes of a list.
    #[inline]
    pub fn bytes(&self, index: usize) -> Result<&[u8], Damage> {
        self.values.bytes(self.place(index)?)
    }

    /// A list that is a text.
    pub fn text(&self, index: usize) -> Result<&str, Damage> {
        let bytes = self.bytes(index)?;
        std::str::from_utf8(bytes).map_err(|_| self.form(format!("text {index} is not UTF-8")))
    }

    /// Which of texts that rise is equal to one: a binary search.
    pub fn find(&self, text: &[u8]) -> Result<Option<usize>, Damage> {
        let at = partition_point(0..self.count(), |at| Ok(self.bytes(at)? < text))?;
        Ok((at < self.count() && self.bytes(at)? == text).then_some(at))
    }
}
