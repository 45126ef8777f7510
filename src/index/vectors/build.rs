//! Writes the index: rows in, in the order of the organizations, equal ones once.

use std::collections::HashMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_128;

use super::codec::{self, Codec, DimsError};
use super::codes::Codes;
use super::graph::{self, Links};
use super::plane::{DEGREE, HEADER_BYTES, IndexFile, NO_NODE, PathError, Writer};
use super::progress::{Progress, Stage};

/// Organizations that the index can number: far below the number that stands for no node.
const ORGANIZATIONS_MAX: u64 = 1 << 31;

/// Why the index cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A file cannot be written or read again.
    #[error("cannot write {path}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
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

impl From<PathError> for BuildError {
    fn from(PathError { path, source }: PathError) -> Self {
        Self::Io { path, source }
    }
}

/// What was built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Organizations.
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
    coarse: Writer,
    fine: Writer,
    bits: Writer,
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
        Ok(Self {
            folder: folder.to_owned(),
            codec,
            coarse: Writer::create(folder, IndexFile::Coarse, codec)?,
            fine: Writer::create(folder, IndexFile::Fine, codec)?,
            bits: Writer::create(folder, IndexFile::Bits, codec)?,
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
        let Self { folder, codec, coarse, fine, bits, known, org_nodes, scale_max, .. } = self;
        let nodes = known.len();
        drop(known);
        let mut bytes = fine.finish(scale_max)? + bits.finish(scale_max)?;
        bytes += coarse.finish(scale_max)?;
        bytes += write_orgs(&folder, codec, nodes, &org_nodes)?;

        let read = |part: IndexFile| {
            let path = folder.join(part.file());
            let mut bytes =
                std::fs::read(&path).map_err(|source| BuildError::Io { path, source })?;
            bytes.drain(..HEADER_BYTES);
            Ok::<_, BuildError>(bytes)
        };
        let (codes, bits) = (read(IndexFile::Coarse)?, read(IndexFile::Bits)?);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build()?;
        let links = graph::link(Codes::new(&codes, &bits, codec), &pool, progress);

        progress(Progress { stage: Stage::Writing, done: 0, total: nodes as u64 });
        bytes += write_links(&folder, codec, &codes, &links)?;
        let count = links.neighbours.iter().flatten().filter(|&&node| node != NO_NODE).count();
        Ok(Counts {
            organizations: org_nodes.len() as u64,
            nodes: nodes as u64,
            links: count as u64,
            bytes,
        })
    }
}

/// Writes which organizations belong to which node, both ways.
fn write_orgs(
    folder: &Path,
    codec: Codec,
    nodes: usize,
    org_nodes: &[u32],
) -> Result<u64, PathError> {
    let mut starts = vec![0_u32; nodes + 1];
    for &node in org_nodes {
        starts[node as usize + 1] += 1;
    }
    for node in 0..nodes {
        starts[node + 1] += starts[node];
    }
    let mut next = starts.clone();
    let mut orgs = vec![0; org_nodes.len()];
    for (org, &node) in (0..).zip(org_nodes) {
        let place = &mut next[node as usize];
        orgs[*place as usize] = org;
        *place += 1;
    }
    let mut bytes = 0;
    let parts = [
        (IndexFile::OrgNodes, org_nodes),
        (IndexFile::NodeStarts, &starts),
        (IndexFile::NodeOrgs, &orgs),
    ];
    for (part, numbers) in parts {
        let mut writer = Writer::create(folder, part, codec)?;
        writer.write_numbers(numbers)?;
        bytes += writer.finish(0.0)?;
    }
    Ok(bytes)
}

/// Writes the graph.
fn write_links(folder: &Path, codec: Codec, codes: &[u8], links: &Links) -> Result<u64, PathError> {
    let mut writer = Writer::create(folder, IndexFile::Neighbours, codec)?;
    for row in &links.neighbours {
        let _: &[u32; DEGREE] = row;
        writer.write_numbers(row)?;
    }
    let mut bytes = writer.finish(0.0)?;
    let mut writer = Writer::create(folder, IndexFile::Entries, codec)?;
    for &entry in &links.entries {
        let start = entry as usize * codec.coarse_bytes();
        writer.write_numbers(&[entry])?;
        writer.write(&codes[start..start + codec.coarse_bytes()])?;
    }
    bytes += writer.finish(0.0)?;
    Ok(bytes)
}
