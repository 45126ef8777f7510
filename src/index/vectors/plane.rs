//! Files of records of one length, behind a small header: how every part of the index is kept.
//!
//! Header, little-endian, 64 bytes: [`MAGIC`]; u32 [`VERSION`]; u32 which [`IndexFile`]; u32 dimensions
//! of a vector; u32 bytes of a record; u64 number of records; f32 the largest scale of a row; then
//! zeros. The records follow, one after another.

use std::fs::File;
use std::io::{self, BufWriter, Seek as _, Write};
use std::path::{Path, PathBuf};

use super::codec::Codec;
use crate::mapped::{Damage, MapError, MappedFile, OpenError};

const MAGIC: [u8; 8] = *b"ALMVECTS";

/// Raised whenever a part comes, goes or changes its meaning.
const VERSION: u32 = 1;

pub(super) const HEADER_BYTES: usize = 64;

/// Neighbours that a node may have.
pub(super) const DEGREE: usize = 32;

/// What stands where a node has no more neighbours.
pub(super) const NO_NODE: u32 = u32::MAX;

/// A part of the index: one file each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IndexFile {
    /// By node: scale and coarse plane of its row.
    Coarse,
    /// By node: fine plane of its row.
    Fine,
    /// By node: 1-bit code.
    Bits,
    /// By node: [`DEGREE`] u32 nodes, filled up with [`NO_NODE`].
    Neighbours,
    /// Where searches begin: u32 node, then its row of the coarse plane.
    Entries,
    /// By row: u32 node.
    OrgNodes,
    /// By node, and one more: u32 where its rows begin in the next part.
    NodeStarts,
    /// The rows of each node, rising: u32 each.
    NodeOrgs,
}

impl IndexFile {
    pub(super) const ALL: [Self; 8] = [
        Self::Coarse,
        Self::Fine,
        Self::Bits,
        Self::Neighbours,
        Self::Entries,
        Self::OrgNodes,
        Self::NodeStarts,
        Self::NodeOrgs,
    ];

    /// Path within a snapshot.
    pub(super) const fn file(self) -> &'static str {
        match self {
            Self::Coarse => "vectors/coarse",
            Self::Fine => "vectors/fine",
            Self::Bits => "vectors/bits",
            Self::Neighbours => "vectors/neighbours",
            Self::Entries => "vectors/entries",
            Self::OrgNodes => "vectors/org-nodes",
            Self::NodeStarts => "vectors/node-starts",
            Self::NodeOrgs => "vectors/node-orgs",
        }
    }

    /// Bytes of a record.
    pub(super) fn record_bytes(self, codec: Codec) -> usize {
        match self {
            Self::Coarse => codec.coarse_bytes(),
            Self::Fine => codec.fine_bytes(),
            Self::Bits => codec.bits_bytes(),
            Self::Neighbours => 4 * DEGREE,
            Self::Entries => 4 + codec.coarse_bytes(),
            Self::OrgNodes | Self::NodeStarts | Self::NodeOrgs => 4,
        }
    }
}

/// An opened part.
#[derive(Debug)]
pub(super) struct Plane {
    file: MappedFile,
    stride: usize,
    count: usize,
    dims: usize,
    scale_max: f32,
}

impl Plane {
    /// Opens a part and reads its header.
    pub(super) fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
        part: IndexFile,
    ) -> Result<Self, OpenError> {
        let file = open(part.file())?;
        if file.len() < HEADER_BYTES {
            return Err(file.form("it is shorter than its header").into());
        }
        let header = file.bytes(0..HEADER_BYTES)?;
        let number = |at: usize| {
            u32::from_le_bytes(*header[at..].first_chunk().expect("the header is 64 bytes"))
        };
        let count = u64::from_le_bytes(*header[24..].first_chunk().expect("it is 64 bytes"));
        if header[..8] != MAGIC || number(12) != part as u32 {
            return Err(file.form("it does not begin as this part of the vectors does").into());
        }
        if number(8) != VERSION {
            let what = format!("expected version {VERSION}, found {}", number(8));
            return Err(file.form(what).into());
        }
        let dims = number(16) as usize;
        let Ok(codec) = Codec::new(dims) else {
            return Err(file.form(format!("no vectors have {dims} dimensions")).into());
        };
        let stride = part.record_bytes(codec);
        let bytes = count.checked_mul(stride as u64).and_then(|n| n.checked_add(64));
        if number(20) as usize != stride || bytes != Some(file.len() as u64) {
            let what = format!("expected {count} records of {stride} bytes, found other lengths");
            return Err(file.form(what).into());
        }
        let scale_max = f32::from_le_bytes(*header[32..].first_chunk().expect("it is 64 bytes"));
        if !scale_max.is_finite() || scale_max < 0.0 {
            return Err(file.form("the largest scale is no number").into());
        }
        Ok(Self { count: count as usize, file, stride, dims, scale_max })
    }

    /// Number of records.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Dimensions of a vector.
    pub(super) fn dims(&self) -> usize {
        self.dims
    }

    /// The largest scale of a row.
    pub(super) fn scale_max(&self) -> f32 {
        self.scale_max
    }

    /// Bytes of the file.
    pub(super) fn bytes(&self) -> u64 {
        self.file.len() as u64
    }

    /// A record, verified.
    #[inline]
    pub(super) fn row(&self, index: usize) -> Result<&[u8], Damage> {
        self.rows(index, 1)
    }

    /// Some records, one after another, verified.
    #[inline]
    pub(super) fn rows(&self, first: usize, count: usize) -> Result<&[u8], Damage> {
        let start = first.saturating_mul(self.stride).saturating_add(HEADER_BYTES);
        let end = start.saturating_add(count.saturating_mul(self.stride));
        self.file.bytes(start..end)
    }

    /// The number in a record of four bytes.
    #[inline]
    pub(super) fn number(&self, index: usize) -> Result<u32, Damage> {
        self.file.u32_at(HEADER_BYTES, index)
    }

    /// Asks for a record before it is needed; any index is well.
    #[inline]
    pub(super) fn prefetch(&self, index: usize) {
        let start = index.saturating_mul(self.stride).saturating_add(HEADER_BYTES);
        if let Some(row) = self.file.unverified().get(start..start.saturating_add(self.stride)) {
            super::kernel::prefetch(row);
        }
    }

    /// Asks the system for records that may not be in memory; any index is well.
    pub(super) fn read_ahead(&self, first: usize, count: usize) {
        let start = first.saturating_mul(self.stride).saturating_add(HEADER_BYTES);
        self.file.read_ahead(start..start.saturating_add(count.saturating_mul(self.stride)));
    }

    /// An error of this part.
    pub(super) fn form(&self, what: impl Into<String>) -> Damage {
        self.file.form(what)
    }
}

/// Writes a part; its header at the end, when the number of records is known.
#[derive(Debug)]
pub(super) struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    part: IndexFile,
    codec: Codec,
    bytes: u64,
}

impl Writer {
    /// Begins a part in a snapshot's folder.
    pub(super) fn create(folder: &Path, part: IndexFile, codec: Codec) -> Result<Self, PathError> {
        let path = folder.join(part.file());
        let at = |source| PathError { path: path.clone(), source };
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(at)?;
        }
        let mut file = BufWriter::with_capacity(1 << 18, File::create(&path).map_err(at)?);
        file.write_all(&[0; HEADER_BYTES]).map_err(at)?;
        Ok(Self { path, file, part, codec, bytes: 0 })
    }

    /// Adds records, or pieces of one.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), PathError> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes).map_err(|source| PathError { path: self.path.clone(), source })
    }

    /// Adds records of one number each.
    pub(super) fn write_numbers(&mut self, numbers: &[u32]) -> Result<(), PathError> {
        numbers.iter().try_for_each(|number| self.write(&number.to_le_bytes()))
    }

    /// Writes the header. Not synced: who stages the snapshot does that. Gives the file's length.
    pub(super) fn finish(mut self, scale_max: f32) -> Result<u64, PathError> {
        let stride = self.part.record_bytes(self.codec);
        let mut header = [0; HEADER_BYTES];
        header[..8].copy_from_slice(&MAGIC);
        let numbers = [VERSION, self.part as u32, self.codec.dims() as u32, stride as u32];
        for (at, number) in numbers.into_iter().enumerate() {
            header[8 + 4 * at..12 + 4 * at].copy_from_slice(&number.to_le_bytes());
        }
        header[24..32].copy_from_slice(&(self.bytes / stride as u64).to_le_bytes());
        header[32..36].copy_from_slice(&scale_max.to_le_bytes());
        let mut put = || {
            self.file.rewind()?;
            self.file.write_all(&header)?;
            self.file.flush()
        };
        put().map_err(|source| PathError { path: self.path.clone(), source })?;
        Ok(HEADER_BYTES as u64 + self.bytes)
    }
}

/// What the system said of a file.
#[derive(Debug)]
pub(super) struct PathError {
    pub(super) path: PathBuf,
    pub(super) source: io::Error,
}
