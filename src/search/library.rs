//! Articles, entries of the knowledge base and funds: by a text, by number, or the latest.
//!
//! Candidates come by meaning and by words; rows far from the text in meaning are not shown.

use std::collections::BTreeSet;

use super::SearchError;
use super::candidates::measure;
use crate::index::vectors::Query;
use crate::naming;
use crate::record::{Article, Fund, Knowledge, RowId};
use crate::snapshot::{Snapshot, TextIndex};
use crate::store::Stored;
use crate::understand::tells;

/// Rows of each ranking that are merged: more than anybody reads.
const JOINED_MAX: usize = 100;

/// Least cosine of the vectors of a text and a row: unrelated texts lie below.
const NEAR_MIN: f32 = 0.12;

/// How much farther than the nearest a row may be.
const BEHIND_MAX: f32 = 0.2;

/// Cosine from which a row is about the text, and not merely the nearest.
const CLEAR: f32 = 0.25;

/// The bonus of a title that consists of the words of the text; part of it for a part of them.
const TITLE_BONUS: f32 = 0.15;

/// Rows whose titles are compared with a text: a title equal to it has all of its words and no other.
const TITLES_READ_MAX: usize = 8;

/// What is kept in a list of texts, in the order of its identifiers.
pub trait LibraryItem: Stored {
    type Id: Ord;

    /// The index of these texts in a snapshot.
    fn index(snapshot: &Snapshot) -> &TextIndex<Self>;
    fn id(&self) -> &Self::Id;
    fn title(&self) -> &str;
    /// Other wordings of it.
    fn questions(&self) -> &[String];
}

macro_rules! listed {
    ($record:ty, $index:ident, $id:ident: $of:ty, $questions:expr) => {
        impl LibraryItem for $record {
            type Id = $of;

            fn index(snapshot: &Snapshot) -> &TextIndex<Self> {
                &snapshot.$index
            }

            fn id(&self) -> &$of {
                &self.$id
            }

            fn title(&self) -> &str {
                &self.title
            }

            fn questions(&self) -> &[String] {
                let questions: fn(&Self) -> &[String] = $questions;
                questions(self)
            }
        }
    };
}

listed!(Article, article_texts, id: i64, |_| &[]);
listed!(Knowledge, knowledge_texts, article_id: String, |entry| &entry.questions);
listed!(Fund, fund_texts, id: i64, |_| &[]);

/// A row, and how near it is to the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<Record> {
    pub record: Record,
    /// Cosine plus the bonus of the title; `None` without vectors.
    pub nearness: Option<f32>,
}

impl<Record> Hit<Record> {
    /// Whether it is near enough to be about the text; without vectors it has a word of it.
    pub fn is_clear(&self) -> bool {
        self.nearness.is_none_or(|near| near >= CLEAR)
    }
}

/// Those that fit a text, best first: `size` of them behind the first `skipped`.
///
/// Candidates are the nearest in meaning and the best by words; they are ordered by cosine and by how
/// many words of the text their titles have.
pub fn about<Record: LibraryItem>(
    snapshot: &Snapshot,
    text: &str,
    skipped: usize,
    size: usize,
) -> Result<Vec<Hit<Record>>, SearchError> {
    let index = Record::index(snapshot);
    if index.count() == 0 {
        return Ok(Vec::new());
    }
    let hits = index.words.search(text, JOINED_MAX, None)?;
    let words: Vec<_> = hits.into_iter().map(|hit| hit.row).collect();
    let measured = index.vectors.as_ref().zip(measure(snapshot, Some(text))?);
    let Some((vectors, query)) = measured else {
        let rows = words.into_iter().skip(skipped).take(size);
        let hit = |row| Ok(Hit { record: snapshot.records.get(row)?, nearness: None });
        return rows.map(hit).collect();
    };
    let ask = Query::new(&query, JOINED_MAX);
    let mut both: Vec<_> = vectors.nearest(&ask)?.hits.into_iter().map(|hit| hit.row).collect();
    both.extend(words);
    both.sort_unstable();
    both.dedup();
    let cosines = vectors.cosines(&query, &both)?;
    let mut near: Vec<Hit<Record>> = Vec::new();
    for (row, cosine) in both.into_iter().zip(cosines) {
        if cosine >= NEAR_MIN {
            let record = snapshot.records.get(row)?;
            let nearness = Some(cosine + TITLE_BONUS * shared_words(text, &record));
            near.push(Hit { record, nearness });
        }
    }
    // Stable, and by number where equal.
    near.sort_by(|one, other| {
        other.nearness.unwrap_or(0.0).total_cmp(&one.nearness.unwrap_or(0.0))
    });
    let best = near.first().and_then(|hit| hit.nearness).unwrap_or(0.0);
    // Once one row is clearly about the text, rows that are not are left out.
    let floor = if best >= CLEAR { CLEAR.max(best - BEHIND_MAX) } else { best - BEHIND_MAX };
    near.retain(|hit| hit.nearness.is_some_and(|nearness| nearness >= floor));
    Ok(near.into_iter().skip(skipped).take(size).collect())
}

/// How well the words of a text agree with a title or another wording: the best Dice coefficient,
/// over the words that carry meaning. A long title that has them among others scores less than one
/// that consists of them.
pub(super) fn shared_words<Record: LibraryItem>(text: &str, record: &Record) -> f32 {
    let text = naming::normalise(text);
    let told = telling(&text);
    let shared = |title: &str| {
        let title = naming::normalise(title);
        let title = telling(&title);
        let both = told.intersection(&title).count();
        if both == 0 { 0.0 } else { 2.0 * both as f32 / (told.len() + title.len()) as f32 }
    };
    let questions = record.questions().iter().map(String::as_str);
    questions.chain([record.title()]).map(shared).fold(0.0, f32::max)
}

/// The words of a normal form that carry meaning.
fn telling(text: &str) -> BTreeSet<&str> {
    text.split(' ').filter(|word| tells(word)).collect()
}

/// Any, the last by number first: `size` of them behind the first `skipped`.
pub fn any<Record: LibraryItem>(
    snapshot: &Snapshot,
    skipped: usize,
    size: usize,
) -> Result<Vec<Hit<Record>>, SearchError> {
    let rows = (0..Record::index(snapshot).count()).rev().skip(skipped).take(size).map(RowId::new);
    let hit = |row| Ok(Hit { record: snapshot.records.get(row)?, nearness: None });
    rows.map(hit).collect()
}

/// The row with an identifier.
pub fn of_id<Record: LibraryItem>(
    snapshot: &Snapshot,
    id: &Record::Id,
) -> Result<Option<Record>, SearchError> {
    let Some(at) = position::<Record>(snapshot, id)? else { return Ok(None) };
    Ok(Some(snapshot.records.get(RowId::new(at))?))
}

/// The position of an identifier: a binary search, since rows are sorted by it.
pub fn position<Record: LibraryItem>(
    snapshot: &Snapshot,
    id: &Record::Id,
) -> Result<Option<u32>, SearchError> {
    let (mut low, mut high) = (0, Record::index(snapshot).count());
    while low < high {
        let middle = low + (high - low) / 2;
        let record: Record = snapshot.records.get(RowId::new(middle))?;
        match record.id().cmp(id) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => return Ok(Some(middle)),
        }
    }
    Ok(None)
}

/// The row whose title, or else another wording, equals a text, apart from capitals and signs.
pub fn titled<Record: LibraryItem>(
    snapshot: &Snapshot,
    title: &str,
) -> Result<Option<Record>, SearchError> {
    let form = naming::normalise(title);
    let mut worded = None;
    for hit in Record::index(snapshot).words.search(title, TITLES_READ_MAX, None)? {
        let record = snapshot.records.get(hit.row)?;
        if naming::normalise(record.title()) == form {
            return Ok(Some(record));
        }
        let mut questions = record.questions().iter();
        if worded.is_none() && questions.any(|asked| naming::normalise(asked) == form) {
            worded = Some(record);
        }
    }
    Ok(worded)
}
