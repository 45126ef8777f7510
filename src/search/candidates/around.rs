//! Candidates around the place that was asked for.

use super::{Cause, Ranker};
use crate::index::vectors::{Matching, Query};
use crate::record::OrgId;
use crate::search::SearchError;
use crate::search::place_scope::PlaceScope;

/// Rows of the rankings by words and by meaning around a place that are candidates.
pub const AROUND_MAX: usize = 40;

impl Ranker<'_> {
    /// The candidates around a place, and in it if it is no filter.
    pub(super) fn find_around(
        &self,
        text: &str,
        cause: &Cause,
        place: &PlaceScope,
    ) -> Result<Vec<OrgId>, SearchError> {
        let mut found = Vec::new();
        let is_filter = self.request.total == place.inside.count();
        let inside = (!is_filter).then_some(&place.inside);
        for set in [inside, Some(&place.near), Some(&place.state)].into_iter().flatten() {
            let total = set.count();
            if total == 0 {
                continue;
            }
            let words = self.snapshot.fulltext.search(text, AROUND_MAX, Some(set))?;
            found.extend(words.into_iter().map(|hit| hit.row));
            if let Some((vectors, query)) = &self.meaning {
                let matching = Matching { set, count: total };
                let ask = Query { matching: Some(&matching), ..Query::new(query, AROUND_MAX) };
                found.extend(vectors.nearest(&ask)?.hits.into_iter().map(|hit| hit.row));
            }
            for prefix in &cause.prefixes {
                found.extend(self.snapshot.causes.having(prefix, set, AROUND_MAX / 2)?.0);
            }
        }
        Ok(found)
    }
}
