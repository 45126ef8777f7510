//! Words to the best organizations: a union of BM25 terms with block-max pruning, filtered while
//! it is walked, so that exactly the best `k` of those that match come out.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::Arc;

use tantivy::query::{BooleanQuery, BoostQuery, EnableScoring, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, TantivyError, Term};

use super::{Fields, Hit, NAMES_WEIGHT};
use crate::index::columns::Bitmap;
use crate::mapped::{Damage, Mapped};
use crate::record::OrgId;

pub(super) fn search(
    searcher: &Searcher,
    fields: Fields,
    words: &[String],
    k: usize,
    matching: Option<&Bitmap>,
) -> Result<Vec<Hit>, TantivyError> {
    let mut best = Best { heap: BinaryHeap::new(), k };
    if k == 0 || words.is_empty() {
        return Ok(Vec::new());
    }
    let weight = any_of(fields, words).weight(EnableScoring::enabled_from_searcher(searcher))?;
    for segment in searcher.segment_readers() {
        weight.for_each_pruning(best.threshold(), segment, &mut |document, score| {
            let org = OrgId(document);
            if matching.is_none_or(|set| set.contains(org)) {
                best.offer(Hit { org, score });
            }
            best.threshold()
        })?;
    }
    Ok(best.into_hits())
}

/// Any of the words, in any of the fields.
fn any_of(fields: Fields, words: &[String]) -> BooleanQuery {
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::with_capacity(words.len() * 2);
    for word in words {
        let term = |field| {
            TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs)
        };
        let names = BoostQuery::new(Box::new(term(fields.names)), NAMES_WEIGHT);
        clauses.push((Occur::Should, Box::new(names)));
        clauses.push((Occur::Should, Box::new(term(fields.mission))));
    }
    BooleanQuery::new(clauses)
}

/// The best `k` so far.
struct Best {
    /// The worst of them on top.
    heap: BinaryHeap<Reverse<Ranked>>,
    k: usize,
}

impl Best {
    /// What a score must exceed to count. Documents come rising, so one that is equally good as
    /// the worst kept stands behind it.
    fn threshold(&self) -> f32 {
        match self.heap.peek() {
            Some(Reverse(worst)) if self.heap.len() == self.k => worst.0.score,
            _ => f32::MIN,
        }
    }

    fn offer(&mut self, hit: Hit) {
        self.heap.push(Reverse(Ranked(hit)));
        if self.heap.len() > self.k {
            self.heap.pop();
        }
    }

    fn into_hits(self) -> Vec<Hit> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(ranked)| ranked.0).collect()
    }
}

/// A hit that is greater the better it is.
struct Ranked(Hit);

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.score.total_cmp(&other.0.score).then(other.0.org.cmp(&self.0.org))
    }
}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ranked {}

/// The damage behind an error of the engine. What it cannot read although the bytes are those
/// that were built is of another form than it expects; `file` stands for the segment.
pub(super) fn damage(file: &Arc<Mapped>, error: &TantivyError) -> Damage {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(damage) = error.downcast_ref::<Damage>() {
            return damage.clone();
        }
        // An `io::Error` shows the cause of what it wraps as its own.
        let io = error.downcast_ref::<std::io::Error>();
        let io = io.or_else(|| error.downcast_ref::<Arc<std::io::Error>>().map(AsRef::as_ref));
        let wrapped = io.and_then(std::io::Error::get_ref);
        cause = match wrapped {
            Some(wrapped) => Some(wrapped),
            None => error.source(),
        };
    }
    match error {
        TantivyError::IoError(io) => io
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<Damage>())
            .cloned()
            .unwrap_or_else(|| file.form(error.to_string())),
        _ => file.form(error.to_string()),
    }
}
