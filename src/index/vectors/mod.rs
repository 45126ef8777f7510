//! Nearest rows by meaning, of organizations or of a list of texts: an approximate graph and exact
//! scans over quantised vectors.
//!
//! Equal vectors are one *node*; nodes are numbered in the order of their first organizations, so
//! that what lies together in the columns lies together here. Everything is read in place from
//! tables of records of one length: nothing is loaded, and opening costs as much as reading their
//! directories. `codec` says how vectors are kept; `build` collects them and `graph` links
//! them; `walk` searches the links, `scan` looks at every match, `plan` chooses between them.

mod build;
mod codec;
mod codes;
mod graph;
mod heap;
mod in_memory;
mod kernel;
mod mapped_graph;
mod pace;
mod plan;
mod progress;
mod query;
mod repair;
mod scan;
mod sign_bits;
mod visited;
mod walk;

use std::marker::PhantomData;

pub use build::{BuildError, Builder, Counts};
use codec::EncodedQuery;
pub use codec::{Codec, DIMS_MAX, DimsError};
pub use progress::{Progress, Stage};
pub use query::{Hit, Matching, Nearest, Plan, Query, SearchParams};

use crate::mapped::{Column, Damage, Files, Lists, OpenError, Rows, Table};
use crate::record::{Organization, RowId};

/// Names the form of a row: raise it when [`Codec`] writes other bytes for the same vector, so that
/// rows kept elsewhere are not mixed with them.
pub const ROW_FORM: &str = "12 bits 1";

/// Neighbours that a node may have.
const DEGREE: usize = 32;

/// What stands where a node has no more neighbours.
const NO_NODE: u32 = u32::MAX;

/// The tables of the index, as paths within a snapshot: `rows` of the coarse plane by node, one `scale_max`, the
/// largest scale of them, and one `dims`; `rows` of the fine plane; and `rows` of 1-bit codes.
const COARSE: &str = "vectors/coarse";
const FINE: &str = "vectors/fine";
const BITS: &str = "vectors/bits";
/// By node, `neighbours`, [`DEGREE`] u32 nodes, filled up with [`NO_NODE`], and the lists `rows`, which have its vector,
/// rising; by row, `nodes` (u32); and `entries`, where searches begin: u32 node, then its row of the coarse plane.
const GRAPH: &str = "vectors/graph";

/// The opened index; by default, of organizations.
#[derive(Debug)]
pub struct Vectors<T = Organization> {
    codec: Codec,
    /// The largest scale of a row.
    scale_max: f32,
    coarse: Rows,
    fine: Rows,
    bits: Rows,
    neighbours: Rows,
    entries: Rows,
    /// The node of each row.
    nodes: Column<u32>,
    /// The rows of each node.
    members: Lists<u32>,
    /// Bytes of each file.
    bytes: [u64; 4],
    of: PhantomData<RowId<T>>,
}

/// What the index holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statistics {
    pub dims: usize,
    pub organizations: u64,
    /// Distinct vectors.
    pub nodes: u64,
    /// Links of the graph, read from a sample of a thousand nodes.
    pub links: u64,
    /// Nodes at which searches may begin.
    pub entries: u64,
    /// Bytes of each file.
    pub bytes: [u64; 4],
    /// The form of the inner loops on this machine.
    pub kernel: &'static str,
}

impl<T> Vectors<T> {
    /// Opens the index.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let mut table = |path| Table::open(files, path);
        let tables = [table(COARSE)?, table(FINE)?, table(BITS)?, table(GRAPH)?];
        let [coarse, fine, bits, graph] = &tables;
        let dims = coarse.column::<u32>("dims")?.at(0)? as usize;
        let codec = Codec::new(dims).map_err(|error| coarse.form(error.to_string()))?;
        let scale_max = coarse.column("scale_max")?.at(0)?;
        let vectors = Self {
            codec,
            scale_max,
            coarse: coarse.rows("rows", codec.coarse_bytes())?,
            fine: fine.rows("rows", codec.fine_bytes())?,
            bits: bits.rows("rows", codec.bits_bytes())?,
            neighbours: graph.rows("neighbours", 4 * DEGREE)?,
            entries: graph.rows("entries", 4 + codec.coarse_bytes())?,
            nodes: graph.column("nodes")?,
            members: graph.lists("rows")?,
            bytes: tables.each_ref().map(Table::bytes),
            of: PhantomData,
        };
        let Self { fine, bits, neighbours, members, entries, .. } = &vectors;
        let (nodes, rows) = (vectors.coarse.count(), vectors.count());
        let of_nodes = [fine.count(), bits.count(), neighbours.count(), members.count()];
        let fits = of_nodes == [nodes; 4]
            && members.values().count() == rows
            && (nodes..=u32::MAX as usize).contains(&rows)
            && (usize::from(nodes > 0)..=nodes).contains(&entries.count())
            && scale_max.is_finite()
            && scale_max >= 0.0;
        if !fits {
            let what = format!("expected files of {nodes} nodes for {rows} rows, found others");
            return Err(graph.form(what).into());
        }
        Ok(vectors)
    }

    /// Dimensions of a vector.
    pub fn dims(&self) -> usize {
        self.codec.dims()
    }

    /// Rows that have a vector: all of their kind in the snapshot.
    pub fn count(&self) -> usize {
        self.nodes.count()
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
            links += row.iter().filter(|id| u32::from_le_bytes(**id) != NO_NODE).count();
            sampled += 1;
        }
        Ok(Statistics {
            dims: self.dims(),
            organizations: self.count() as u64,
            nodes: nodes as u64,
            links: (links as u64 * nodes as u64).checked_div(sampled).unwrap_or(0),
            entries: self.entries.count() as u64,
            bytes: self.bytes,
            kernel: kernel::best().name,
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
        let node = self.nodes.at(row.index())?;
        if node as usize >= self.coarse.count() {
            return Err(self.nodes.form("an organization has a node that is none"));
        }
        Ok(node)
    }

    /// The rows of a node, rising; at least one.
    fn rows(&self, node: u32) -> Result<impl Iterator<Item = RowId<T>> + '_, Damage> {
        let rows = self.members.at(node as usize)?.iter();
        if rows.len() == 0 {
            return Err(self.members.form("a node has no organization"));
        }
        Ok(rows.map(RowId::new))
    }
}

#[cfg(test)]
mod tests;
