//! Search along the links of the graph.

use super::codec::Query;
use super::plan::Matching;
use super::scan::{self, Scored};
use super::{Damage, Vectors};

/// Nodes near the query, as the graph leads to them.
pub(super) fn walk(
    vectors: &Vectors,
    query: &Query,
    matching: Option<&Matching>,
    k: usize,
) -> Result<(Vec<Scored>, u64), Damage> {
    scan::exact(vectors, query, matching, k, f32::NEG_INFINITY)
}
