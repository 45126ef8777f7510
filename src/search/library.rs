//! Articles, entries of the knowledge base and funds: by a text, by number, or the latest.
//!
//! A text ranks them by meaning and by words, both joined as nonprofits are; what is far from it in
//! meaning is not shown.

use super::SearchError;
use super::relevance::{fused, measure};
use crate::index::vectors::Ask;
use crate::record::{Article, Fund, Knowledge, OrgId};
use crate::snapshot::{Snapshot, TextIndex};
use crate::store::Stored;

/// Rows of each ranking that are joined: behind them nobody looks.
const CANDIDATES_MAX: usize = 50;

/// Least cosine of a text's and a row's vectors: what has nothing to do with each other lies below.
const NEAR_MIN: f32 = 0.12;

/// How much farther than the nearest a row may be.
const BEHIND_MAX: f32 = 0.2;

/// Cosine from which a row is about the text, and not only the nearest there is.
pub const CLEAR: f32 = 0.25;

/// What is kept in a list of texts.
pub trait Listed: Stored {
    /// Where the snapshot has it.
    fn index(snapshot: &Snapshot) -> &TextIndex;
}

impl Listed for Article {
    fn index(snapshot: &Snapshot) -> &TextIndex {
        &snapshot.article_texts
    }
}

impl Listed for Knowledge {
    fn index(snapshot: &Snapshot) -> &TextIndex {
        &snapshot.knowledge_texts
    }
}

impl Listed for Fund {
    fn index(snapshot: &Snapshot) -> &TextIndex {
        &snapshot.fund_texts
    }
}

/// A row, and how near it is to the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<Record> {
    pub record: Record,
    /// `None` without vectors.
    pub cosine: Option<f32>,
}

/// Those that fit a text, best first: `size` of them behind the first `skipped`.
///
/// # Errors
/// When the snapshot is damaged, or was built with a model that is not at hand.
pub fn about<Record: Listed>(
    snapshot: &Snapshot,
    text: &str,
    skipped: usize,
    size: usize,
) -> Result<Vec<Hit<Record>>, SearchError> {
    let index = Record::index(snapshot);
    if index.count() == 0 {
        return Ok(Vec::new());
    }
    let hits = index.words.search(text, CANDIDATES_MAX, None)?;
    let words: Vec<OrgId> = hits.into_iter().map(|hit| hit.org).collect();
    let measured = index.vectors.as_ref().zip(measure(snapshot, Some(text))?);
    let Some((vectors, query)) = measured else {
        let numbers = words.into_iter().skip(skipped).take(size);
        let hit = |number: OrgId| Ok(Hit { record: snapshot.records.get(number.0)?, cosine: None });
        return numbers.map(hit).collect();
    };
    let ask = Ask { query: &query, k: CANDIDATES_MAX, matching: None, distance_max: None };
    let meaning = vectors.nearest(&ask)?.hits.into_iter().map(|hit| hit.org).collect();
    let both = fused(&[meaning, words]);
    let cosines = vectors.cosines(&query, &both)?;
    let best = cosines.iter().copied().fold(f32::MIN, f32::max);
    let floor = NEAR_MIN.max(best - BEHIND_MAX);
    let near = both.into_iter().zip(cosines).filter(|(_, cosine)| *cosine >= floor);
    let hit = |(number, cosine): (OrgId, f32)| {
        Ok(Hit { record: snapshot.records.get(number.0)?, cosine: Some(cosine) })
    };
    near.skip(skipped).take(size).map(hit).collect()
}

/// The last ones by number, the latest added first as a rule: `size` of them behind the first `skipped`.
///
/// # Errors
/// When the snapshot is damaged.
pub fn latest<Record: Listed>(
    snapshot: &Snapshot,
    skipped: usize,
    size: usize,
) -> Result<Vec<Hit<Record>>, SearchError> {
    let numbers = (0..Record::index(snapshot).count()).rev().skip(skipped).take(size);
    let hit = |number| Ok(Hit { record: snapshot.records.get(number)?, cosine: None });
    numbers.map(hit).collect()
}

/// The article of an identifier: a binary search, since they are numbered by it.
///
/// # Errors
/// When the snapshot is damaged.
pub fn article(snapshot: &Snapshot, id: i64) -> Result<Option<Article>, SearchError> {
    let (mut low, mut high) = (0, snapshot.article_texts.count());
    while low < high {
        let middle = low + (high - low) / 2;
        let article: Article = snapshot.records.get(middle)?;
        match article.id.cmp(&id) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Ok(Some(article)),
        }
    }
    Ok(None)
}
