//! What can be asked of the index, and what it answers.

use crate::index::columns::Bitmap;
use crate::record::{Organization, RowId, named};

/// How much of the graph a search looks at: what it costs, and what it finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchParams {
    /// Nodes that are kept in view, as of HNSW; at least twice as many as are wanted.
    pub ef: usize,
    /// How much farther than the twentieth nearest a node may be, as a part of how far that is, for a
    /// search to go on from it; 0 for none.
    pub slack: f32,
}

impl Default for SearchParams {
    /// A width that finds more than 0.98 of names in 200,000 real ones, and the slack that finds causes of a
    /// word or two in 1,900,000 organizations as names are found (docs/vectors.md, `benches/oracles`).
    fn default() -> Self {
        Self { ef: 256, slack: 0.22 }
    }
}

/// What is asked.
#[derive(Debug, Clone)]
pub struct Query<'a, T = Organization> {
    /// Unit length, of [`super::Vectors::dims`] components.
    pub query: &'a [f32],
    /// Rows wanted.
    pub k: usize,
    /// Those that may be answered; `None` for all.
    pub matching: Option<&'a Matching<'a, T>>,
    /// The largest distance (1 − cosine) that may be answered.
    pub distance_max: Option<f32>,
    /// How a search of the graph goes.
    pub params: SearchParams,
}

impl<'a, T> Query<'a, T> {
    /// Asks for the `k` nearest of all.
    pub fn new(query: &'a [f32], k: usize) -> Self {
        Self { query, k, matching: None, distance_max: None, params: SearchParams::default() }
    }
}

/// Rows that a filter lets pass.
#[derive(Debug, Clone)]
pub struct Matching<'a, T = Organization> {
    pub set: &'a Bitmap<T>,
    pub count: u64,
}

/// A row found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<T = Organization> {
    pub row: RowId<T>,
    /// Cosine of its vector and the query, −1 to 1.
    pub cosine: f32,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest<T = Organization> {
    /// Nearest first, equally near ones by number; as many as were asked for, or all that match
    /// (and are within the distance).
    pub hits: Vec<Hit<T>>,
    /// How it was searched.
    pub plan: Plan,
    /// Vectors that were compared.
    pub visits: u64,
    /// How many matching rows are within the distance, exactly, when one was given.
    pub within: Option<u64>,
}

named! {
    /// A way of searching.
    Plan {
        /// Nothing matches or nothing was asked for.
        None = "none",
        /// The links of the graph were followed.
        Graph = "graph",
        /// The graph did not lead to enough matches, so all of them were looked at.
        GraphThenScan = "graph+scan",
        /// Every match's 1-bit code, then the vectors of the nearest of them.
        Bits = "bits",
        /// Every match: exact.
        Scan = "scan",
    }
}
