//! Writes the index: rows in, in the order of the organizations, equal ones once.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use rayon::slice::ParallelSliceMut;
use xxhash_rust::xxh3::xxh3_128;

use super::codec::{self, Codec, DimsError};
use super::codes::Codes;
use super::graph::{self, Links};
use super::progress::{Progress, Stage};
use super::{BITS, COARSE, DEGREE, FINE, GRAPH, NO_NODE};
use crate::mapped::{TableWriter, WriteError};

/// Organizations that the index can number: far below the number that stands for no node.
const ORGANIZATIONS_MAX: u64 = 1 << 31;

/// Why the index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be written or read again.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The model's vectors cannot be kept.
    #[error(transparent)]
    Dims(#[from] DimsError),
    /// A row is not one of this codec.
    #[error(
        "row {row} is not an encoded vector: expected {expected} bytes with a finite scale, found {found}; empty the vector cache"
    )]
    Row {
        /// Which, in order.
        row: u64,
        /// Bytes of a row.
        expected: usize,
        /// Bytes it has.
        found: usize,
    },
    /// There is too much to be numbered.
    #[error("too many organizations for one vector index: at most {ORGANIZATIONS_MAX}")]
    TooMany,
    /// The threads of the build cannot be started.
    #[error("cannot start threads to link vectors")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// What was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub organizations: u64,
    /// Distinct vectors.
    pub nodes: u64,
    /// Links between them.
    pub links: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Collects rows. About 45 bytes an organization are held; the rows go to their files at once.
#[derive(Debug)]
pub struct Builder {
    folder: PathBuf,
    codec: Codec,
    coarse: TableWriter,
    fine: TableWriter,
    bits: TableWriter,
    bits_row: Vec<u8>,
    /// Where each row is, by most of its hash.
    known: HashMap<[u32; 3], u32>,
    /// By row.
    org_nodes: Vec<u32>,
    scale_max: f32,
}

impl Builder {
    /// Begins the index in a snapshot's folder.
    pub fn create(folder: &Path, dims: usize) -> Result<Self, BuildError> {
        let codec = Codec::new(dims)?;
        let rows = |file: &str, width: usize| {
            let mut out = TableWriter::create(&folder.join(file))?;
            out.section("rows", width).map(|()| out)
        };
        Ok(Self {
            folder: folder.to_owned(),
            codec,
            coarse: rows(COARSE, codec.coarse_bytes())?,
            fine: rows(FINE, codec.fine_bytes())?,
            bits: rows(BITS, codec.bits_bytes())?,
            bits_row: vec![0; codec.bits_bytes()],
            known: HashMap::new(),
            org_nodes: Vec::new(),
            scale_max: 0.0,
        })
    }

    /// Adds the next organization's row, as [`Codec::encode`] made it.
    ///
    /// # Errors
    /// When it is not such a row, there are more than 2³¹, or a file cannot be written.
    pub fn push(&mut self, row: &[u8]) -> Result<(), BuildError> {
        let expected = self.codec.row_bytes();
        let scale = if row.len() == expected { codec::scale(row) } else { f32::NAN };
        if !scale.is_finite() || scale < 0.0 {
            let number = self.org_nodes.len() as u64;
            return Err(BuildError::Row { row: number, expected, found: row.len() });
        }
        if self.org_nodes.len() as u64 >= ORGANIZATIONS_MAX {
            return Err(BuildError::TooMany);
        }
        let hash = xxh3_128(row);
        let hash = [hash as u32, (hash >> 32) as u32, (hash >> 64) as u32];
        let next = self.known.len() as u32;
        let node = *self.known.entry(hash).or_insert(next);
        self.org_nodes.push(node);
        if node == next {
            let (coarse, fine) = row.split_at(self.codec.coarse_bytes());
            self.scale_max = self.scale_max.max(scale);
            self.codec.bits(row, &mut self.bits_row);
            self.coarse.write(coarse)?;
            self.fine.write(fine)?;
            self.bits.write(&self.bits_row)?;
        }
        Ok(())
    }

    /// Links the vectors added, on `threads` threads, and writes the rest of the index. Not synced:
    /// the stager of the snapshot does that. Holds about 650 bytes a vector of 384 dimensions
    /// meanwhile.
    pub fn finish(
        self,
        threads: NonZeroUsize,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Counts, BuildError> {
        let Self { folder, codec, mut coarse, fine, bits, known, org_nodes, scale_max, .. } = self;
        let nodes = known.len();
        drop(known);
        coarse.column("dims", [codec.dims() as u32])?;
        coarse.column("scale_max", [scale_max])?;
        let mut bytes = coarse.finish()? + fine.finish()? + bits.finish()?;

        // The rows are what a file begins with.
        let read = |file: &str, width: usize| {
            let path = folder.join(file);
            let mut bytes = std::fs::read(&path).map_err(WriteError::of(&path))?;
            bytes.truncate(nodes * width);
            Ok::<_, BuildError>(bytes)
        };
        let (codes, bits) = (read(COARSE, codec.coarse_bytes())?, read(BITS, codec.bits_bytes())?);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build()?;
        let links = graph::link(Codes::new(&codes, &bits, codec), &pool, progress);

        progress(Progress { stage: Stage::Writing, done: 0, total: nodes as u64 });
        bytes += write_graph(&folder.join(GRAPH), codec, &codes, &links, &org_nodes)?;
        let count = links.neighbours.iter().flatten().filter(|&&node| node != NO_NODE).count();
        Ok(Counts {
            organizations: org_nodes.len() as u64,
            nodes: nodes as u64,
            links: count as u64,
            bytes,
        })
    }
}

/// Writes the graph, and which rows belong to which node, both ways.
fn write_graph(
    path: &Path,
    codec: Codec,
    codes: &[u8],
    links: &Links,
    row_nodes: &[u32],
) -> Result<u64, WriteError> {
    let mut out = TableWriter::create(path)?;
    out.section("neighbours", 4 * DEGREE)?;
    for node in links.neighbours.iter().flatten() {
        out.write(&node.to_le_bytes())?;
    }
    out.section("entries", 4 + codec.coarse_bytes())?;
    for &entry in &links.entries {
        let start = entry as usize * codec.coarse_bytes();
        out.write(&entry.to_le_bytes())?;
        out.write(&codes[start..start + codec.coarse_bytes()])?;
    }
    out.column("nodes", row_nodes.iter().copied())?;
    let mut by_node: Vec<(u32, u32)> = row_nodes.iter().copied().zip(0..).collect();
    by_node.par_sort_unstable();
    let members = by_node.chunk_by(|one, other| one.0 == other.0);
    out.lists("rows", members.map(|rows| rows.iter().map(|(_, row)| *row)))?;
    out.finish()
}
