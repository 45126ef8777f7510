//! Suggestions for what a person has typed so far: names, or one organization by its EIN.

use super::SearchError;
use crate::record::{Ein, State};
use crate::snapshot::Snapshot;

/// An organization offered.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    pub ein: Ein,
    pub name: String,
    pub city: Option<String>,
    pub state: Option<State>,
    /// Ranking weight, for ranking and debugging only.
    pub score: f64,
}

/// At most `limit` suggestions, best first.
///
/// # Errors
/// When the snapshot is damaged.
pub fn suggest(
    _snapshot: &Snapshot,
    _typed: &str,
    _limit: usize,
) -> Result<Vec<Suggestion>, SearchError> {
    Ok(Vec::new())
}
