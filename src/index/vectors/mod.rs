//! Nearest rows by meaning, of organizations or of a list of texts: an approximate graph and exact
//! scans over quantised vectors.
//!
//! Equal vectors are one *node*; nodes are numbered in the order of their first organizations, so
//! that what lies together in the columns lies together here. Everything is read in place from
//! mapped files of fixed-length records (`plane`): nothing is loaded, and opening costs as much as
//! reading the headers. `codec` says how vectors are kept; `build` collects them and `graph` links
//! them; `walk` searches the links, `scan` looks at every match, `plan` chooses between them.

mod build;
mod codec;
mod codes;
mod graph;
mod heap;
mod kernel;
mod pace;
mod plan;
mod plane;
mod progress;
mod query;
mod scan;
mod sign_bits;
mod visited;
mod walk;

use std::marker::PhantomData;

pub use build::{BuildError, Builder, Counts};
use codec::EncodedQuery;
pub use codec::{Codec, DIMS_MAX, DimsError};
use plane::{IndexFile, Plane};
pub use progress::{Progress, Stage};
pub use query::{Hit, Matching, Nearest, Plan, Query, SearchParams};

use crate::mapped::{Damage, MapError, MappedFile, OpenError};
use crate::record::{Organization, RowId};

/// Names the form of a row: raise it when [`Codec`] writes other bytes for the same vector, so that
/// rows kept elsewhere are not mixed with them.
pub const ROW_FORM: &str = "12 bits 1";

/// The files of the index, as paths within a snapshot.
#[cfg(any(test, feature = "internals"))]
pub const FILES: [&str; 8] = {
    let mut files = [""; 8];
    let mut at = 0;
    while at < files.len() {
        files[at] = IndexFile::ALL[at].file();
        at += 1;
    }
    files
};

/// The opened index; by default, of organizations.
#[derive(Debug)]
pub struct Vectors<T = Organization> {
    codec: Codec,
    coarse: Plane,
    fine: Plane,
    bits: Plane,
    neighbours: Plane,
    entries: Plane,
    org_nodes: Plane,
    node_starts: Plane,
    node_orgs: Plane,
    of: PhantomData<RowId<T>>,
}

/// What the index holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    /// Dimensions of a vector.
    pub dims: usize,
    /// Organizations.
    pub organizations: u64,
    /// Distinct vectors.
    pub nodes: u64,
    /// Links of the graph, read from a sample of a thousand nodes.
    pub links: u64,
    /// Nodes at which searches may begin.
    pub entries: u64,
    /// Bytes of each file, in the order of [`FILES`].
    pub bytes: [u64; 8],
    /// The form of the inner loops on this machine.
    pub kernel: &'static str,
}

impl<T> Vectors<T> {
    /// Opens the index; `open` maps one of [`FILES`].
    pub fn open(
        open: &mut dyn FnMut(&str) -> Result<MappedFile, MapError>,
    ) -> Result<Self, OpenError> {
        let coarse = Plane::open(open, IndexFile::Coarse)?;
        let codec = Codec::new(coarse.dims()).expect("opening checked the dimensions");
        let mut plane = |part| Plane::open(open, part);
        let vectors = Self {
            codec,
            fine: plane(IndexFile::Fine)?,
            bits: plane(IndexFile::Bits)?,
            neighbours: plane(IndexFile::Neighbours)?,
            entries: plane(IndexFile::Entries)?,
            org_nodes: plane(IndexFile::OrgNodes)?,
            node_starts: plane(IndexFile::NodeStarts)?,
            node_orgs: plane(IndexFile::NodeOrgs)?,
            coarse,
            of: PhantomData,
        };
        let (nodes, orgs) = (vectors.coarse.count(), vectors.org_nodes.count());
        let expected = [
            (&vectors.coarse, nodes),
            (&vectors.fine, nodes),
            (&vectors.bits, nodes),
            (&vectors.neighbours, nodes),
            (&vectors.entries, vectors.entries.count().clamp(usize::from(nodes > 0), nodes)),
            (&vectors.org_nodes, orgs.clamp(nodes, u32::MAX as usize)),
            (&vectors.node_starts, nodes + 1),
            (&vectors.node_orgs, orgs),
        ];
        for (plane, expected) in expected {
            if plane.count() != expected || plane.dims() != codec.dims() {
                let found = (plane.count(), plane.dims());
                let what = format!(
                    "expected {expected} records for {} dimensions, found {} for {}",
                    codec.dims(),
                    found.0,
                    found.1
                );
                return Err(plane.form(what).into());
            }
        }
        Ok(vectors)
    }

    /// Dimensions of a vector.
    pub fn dims(&self) -> usize {
        self.codec.dims()
    }

    /// Rows that have a vector: all of their kind in the snapshot.
    pub fn count(&self) -> usize {
        self.org_nodes.count()
    }

    /// The rows nearest to a query, as [`Nearest`] says.
    pub fn nearest(&self, ask: &Query<T>) -> Result<Nearest<T>, Damage> {
        plan::nearest(self, ask)
    }

    /// The cosines of a query to rows, in their order.
    pub fn cosines(&self, query: &[f32], rows: &[RowId<T>]) -> Result<Vec<f32>, Damage> {
        let query = self.query(query)?;
        rows.iter().map(|&row| self.cosine(&query, self.node(row)?)).collect()
    }

    /// The vector of a row: f32 of unit length, [`Vectors::dims`] of them.
    pub fn vector(&self, row: RowId<T>) -> Result<Vec<f32>, Damage> {
        let node = self.node(row)? as usize;
        let mut vector = vec![0.0; self.dims()];
        self.codec.decode_planes(self.coarse.row(node)?, self.fine.row(node)?, &mut vector);
        Ok(vector)
    }

    /// What the index holds, for reports.
    pub fn statistics(&self) -> Result<Statistics, Damage> {
        let nodes = self.coarse.count();
        let step = nodes.div_ceil(1000).max(1);
        let (mut links, mut sampled) = (0, 0_u64);
        for node in (0..nodes).step_by(step) {
            let row = self.neighbours.row(node)?.as_chunks::<4>().0;
            links += row.iter().filter(|id| u32::from_le_bytes(**id) != plane::NO_NODE).count();
            sampled += 1;
        }
        Ok(Statistics {
            dims: self.dims(),
            organizations: self.count() as u64,
            nodes: nodes as u64,
            links: (links as u64 * nodes as u64).checked_div(sampled).unwrap_or(0),
            entries: self.entries.count() as u64,
            bytes: self.planes().map(Plane::bytes),
            kernel: kernel::best().name,
        })
    }

    /// The planes in the order of [`IndexFile::ALL`].
    fn planes(&self) -> [&Plane; 8] {
        IndexFile::ALL.map(|part| match part {
            IndexFile::Coarse => &self.coarse,
            IndexFile::Fine => &self.fine,
            IndexFile::Bits => &self.bits,
            IndexFile::Neighbours => &self.neighbours,
            IndexFile::Entries => &self.entries,
            IndexFile::OrgNodes => &self.org_nodes,
            IndexFile::NodeStarts => &self.node_starts,
            IndexFile::NodeOrgs => &self.node_orgs,
        })
    }

    /// A query made ready.
    fn query(&self, query: &[f32]) -> Result<EncodedQuery, Damage> {
        if query.len() != self.dims() {
            let (expected, found) = (self.dims(), query.len());
            let what = format!("its vectors have {expected} dimensions, the query has {found}");
            return Err(self.coarse.form(what));
        }
        Ok(EncodedQuery::new(self.codec, query))
    }

    fn cosine(&self, query: &EncodedQuery, node: u32) -> Result<f32, Damage> {
        let node = node as usize;
        Ok(query.cosine(self.coarse.row(node)?, self.fine.row(node)?))
    }

    /// The node of a row.
    #[inline]
    fn node(&self, row: RowId<T>) -> Result<u32, Damage> {
        let node = self.org_nodes.number(row.index())?;
        if node as usize >= self.coarse.count() {
            return Err(self.org_nodes.form("an organization has a node that is none"));
        }
        Ok(node)
    }

    /// The rows of a node, rising; at least one.
    fn rows(&self, node: u32) -> Result<impl Iterator<Item = RowId<T>> + '_, Damage> {
        let start = self.node_starts.number(node as usize)? as usize;
        let end = self.node_starts.number(node as usize + 1)? as usize;
        if start >= end {
            return Err(self.node_starts.form("a node has no organization"));
        }
        let rows = self.node_orgs.rows(start, end - start)?.as_chunks::<4>().0;
        Ok(rows.iter().map(|row| RowId::new(u32::from_le_bytes(*row))))
    }
}

#[cfg(test)]
mod tests;
