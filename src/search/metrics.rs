//! Figures that nonprofits report: of one, of some, or of all; the latest year first.

use super::SearchError;
use super::listing::{self, ListPage, Paging};
use crate::index::columns::Bitmap;
use crate::naming;
use crate::record::{Ein, Metric};
use crate::snapshot::Snapshot;

/// A query for metrics.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Only metrics of these; empty for all.
    pub eins: Vec<Ein>,
    /// Only these; empty for all.
    pub metric_ids: Vec<String>,
    /// Only those of this type: the whole type or whole words of it, in normal form.
    pub metric_type: Option<String>,
    /// The page of the list.
    pub paging: Paging,
}

/// The page of metrics asked for.
pub fn search(snapshot: &Snapshot, query: &Query) -> Result<ListPage<Metric>, SearchError> {
    let metrics = &snapshot.metrics;
    let mut set = listing::of_any(snapshot, metrics, &query.eins)?;
    if !query.metric_ids.is_empty() {
        set.intersect(&named(snapshot, &query.metric_ids)?);
    }
    if let Some(asked) = &query.metric_type {
        let asked = naming::normalise(asked);
        metrics.retain_kinds(&mut set, |kind| has_words(kind, &asked))?;
    }
    Ok(listing::page(snapshot, &set, query.paging)?.map(|(_, metric)| metric))
}

/// The metrics of some identifiers.
fn named(snapshot: &Snapshot, metric_ids: &[String]) -> Result<Bitmap<Metric>, SearchError> {
    let found = snapshot.metrics.of_identifiers(metric_ids.iter().map(String::as_str))?;
    let mut good = Vec::new();
    for row in found {
        let metric = snapshot.records.get(row)?;
        if metric_ids.contains(&metric.metric_id) {
            good.push(row);
        }
    }
    Ok(Bitmap::of(snapshot.metrics.count(), good))
}

/// Whether some words, separated by single blanks, occur in a text as whole words.
fn has_words(text: &str, words: &str) -> bool {
    let whole = |at: usize| {
        let (before, after) = (&text[..at], &text[at + words.len()..]);
        (before.is_empty() || before.ends_with(' ')) && (after.is_empty() || after.starts_with(' '))
    };
    !words.is_empty() && text.match_indices(words).any(|(at, _)| whole(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words() {
        for (text, words, expected) in [
            ("volunteer hours", "volunteer hours", true),
            ("volunteer hours", "hours", true),
            ("volunteer hours", "hour", false),
            ("hours of our hour", "hour", true),
            ("volunteer hours", "", false),
            ("", "hours", false),
            ("écoles", "coles", false),
        ] {
            assert_eq!(has_words(text, words), expected, "{words:?} in {text:?}");
        }
    }
}
