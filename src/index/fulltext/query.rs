//! Words to the best organizations: a union of BM25 terms with block-max pruning, filtered while
//! it is walked, so that exactly the best `k` of those that match come out.
//!
//! The walk adds up what the terms of an organization score in an order that depends on what it
//! skipped, so that its sums of equal texts differ in their last bits. It therefore only finds
//! candidates; each is scored again in the order of the terms, and scores are [rounded] so far that
//! the crowds of organizations that are equally good need not be candidates.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::sync::Arc;

use tantivy::directory::error::{OpenReadError, OpenWriteError};
use tantivy::postings::SegmentPostings;
use tantivy::query::{BooleanQuery, BoostQuery, EnableScoring, Occur, Query, Scorer, TermQuery};
use tantivy::schema::IndexRecordOption;
use tantivy::{
    COLLECT_BLOCK_BUFFER_LEN, DocId, DocSet, Searcher, SegmentReader, TERMINATED, TantivyError,
    Term,
};

use super::{Fields, Hit, NAMES_WEIGHT};
use crate::index::columns::Bitmap;
use crate::mapped::{Damage, MappedFile};
use crate::record::RowId;

pub(super) fn search<T>(
    searcher: &Searcher,
    fields: Fields,
    words: &[String],
    k: usize,
    matching: Option<&Bitmap<T>>,
) -> Result<Vec<Hit<T>>, TantivyError> {
    if k == 0 || words.is_empty() {
        return Ok(Vec::new());
    }
    let query = union_of(fields, words);
    let scoring = EnableScoring::enabled_from_searcher(searcher);
    let weight = query.weight(scoring)?;
    let mut best = Best { heap: BinaryHeap::new(), k, terms: query.clauses().len() };
    for segment in searcher.segment_readers() {
        let mut terms = Terms::new(&query, scoring, segment)?;
        weight.for_each_pruning(best.threshold(), segment, &mut |document, _| {
            if matching.is_none_or(|set| set.contains(RowId::new(document))) {
                best.offer(terms.score(document), document);
            }
            best.threshold()
        })?;
    }
    Ok(best.into_hits())
}

/// How many times fewer candidates than postings there must be for looking each up to be cheaper than
/// reading the postings through.
const SEEK_FACTOR: u64 = 16;

/// Keeps the documents whose names have exactly `words` words.
pub(super) fn retain_lengths<T>(
    searcher: &Searcher,
    fields: Fields,
    set: &mut Bitmap<T>,
    words: u32,
) -> Result<(), TantivyError> {
    if let Some(segment) = searcher.segment_readers().first() {
        let lengths = segment.get_fieldnorms_reader(fields.names)?;
        set.retain(|document| lengths.fieldnorm(document as DocId) == words);
    }
    Ok(())
}

/// The documents that have all of the words, each in any of its forms and of the fields. The rarest word gives the
/// candidates; each further one is read through, or only looked up where candidates are few.
pub(super) fn all_of<T>(
    searcher: &Searcher,
    fields: Fields,
    words: &[Vec<String>],
    documents: u32,
) -> Result<Bitmap<T>, TantivyError> {
    let Some(segment) = searcher.segment_readers().first().filter(|_| !words.is_empty()) else {
        return Ok(Bitmap::none(documents));
    };
    let mut lists = Vec::with_capacity(words.len());
    for forms in words {
        let mut of_word = Vec::with_capacity(forms.len());
        for form in forms {
            of_word.extend(postings(segment, fields, form)?);
        }
        let postings: u64 = of_word.iter().map(|list| u64::from(list.size_hint())).sum();
        lists.push((postings, of_word));
    }
    lists.sort_by_key(|(postings, _)| *postings);
    let mut found: Option<Bitmap<T>> = None;
    for (postings, of_word) in lists {
        found = Some(match found {
            None => read_through(of_word, documents),
            Some(found) if found.count() * SEEK_FACTOR < postings => {
                look_up(of_word, &found, documents)
            }
            Some(mut found) => {
                found.intersect(&read_through(of_word, documents));
                found
            }
        });
    }
    Ok(found.unwrap_or_else(|| Bitmap::none(documents)))
}

/// The documents that have any of the words, in any of the fields.
pub(super) fn any_of<T>(
    searcher: &Searcher,
    fields: Fields,
    words: &[String],
    documents: u32,
) -> Result<Bitmap<T>, TantivyError> {
    let mut lists = Vec::with_capacity(words.len() * 2);
    for segment in searcher.segment_readers() {
        for word in words {
            lists.extend(postings(segment, fields, word)?);
        }
    }
    Ok(read_through(lists, documents))
}

/// The postings of a word in each of the fields that has it.
fn postings(
    segment: &SegmentReader,
    fields: Fields,
    word: &str,
) -> Result<Vec<SegmentPostings>, TantivyError> {
    let mut lists = Vec::new();
    for field in [fields.names, fields.mission] {
        let term = Term::from_field_text(field, word);
        let inverted = segment.inverted_index(field)?;
        lists.extend(inverted.read_postings(&term, IndexRecordOption::Basic)?);
    }
    Ok(lists)
}

/// Every document of any of some postings.
fn read_through<T>(lists: Vec<SegmentPostings>, documents: u32) -> Bitmap<T> {
    let mut found = Bitmap::none(documents);
    let mut buffer = [0; COLLECT_BLOCK_BUFFER_LEN];
    for mut list in lists {
        loop {
            let filled = list.fill_buffer(&mut buffer);
            found.insert(buffer[..filled].iter().map(|document| RowId::new(*document)));
            if filled < buffer.len() {
                break;
            }
        }
    }
    found
}

/// Those candidates that are in any of some postings.
fn look_up<T>(
    mut lists: Vec<SegmentPostings>,
    candidates: &Bitmap<T>,
    documents: u32,
) -> Bitmap<T> {
    let has = |candidate: &RowId<T>| {
        lists.iter_mut().any(|list| {
            if list.doc() < candidate.0 {
                list.seek(candidate.0);
            }
            list.doc() == candidate.0
        })
    };
    Bitmap::of(documents, candidates.iter().filter(has))
}

/// Any of the words, in any of the fields.
fn union_of(fields: Fields, words: &[String]) -> BooleanQuery {
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

/// Bits of a score that are dropped, so that scores differ by more than one part in 8192 or not at
/// all.
const ROUNDED_BITS: u32 = 11;

/// A score, which is positive, without its last bits.
fn rounded(score: f32) -> f32 {
    f32::from_bits(score.to_bits() >> ROUNDED_BITS << ROUNDED_BITS)
}

/// The least rounded score above another.
fn next(score: f32) -> f32 {
    f32::from_bits(score.to_bits() + (1 << ROUNDED_BITS))
}

/// The terms of a query that a segment has, in the query's order.
struct Terms(Vec<Box<dyn Scorer>>);

impl Terms {
    fn new(
        query: &BooleanQuery,
        scoring: EnableScoring<'_>,
        segment: &SegmentReader,
    ) -> Result<Self, TantivyError> {
        let mut terms = Vec::new();
        for (_, term) in query.clauses() {
            let scorer = term.weight(scoring)?.scorer(segment, 1.0)?;
            if scorer.doc() != TERMINATED {
                terms.push(scorer);
            }
        }
        Ok(Self(terms))
    }

    /// The rounded score of a document; they must be asked for in rising order.
    fn score(&mut self, document: DocId) -> f32 {
        let mut sum = 0.0;
        for term in &mut self.0 {
            if term.doc() < document {
                term.seek(document);
            }
            if term.doc() == document {
                sum += term.score();
            }
        }
        rounded(sum)
    }
}

/// A document that is greater the better it is: the bits of its score, which is not negative, and its number.
type RankedDocument = (u32, Reverse<DocId>);

/// The best `k` so far.
struct Best {
    /// The worst of them on top.
    heap: BinaryHeap<Reverse<RankedDocument>>,
    k: usize,
    /// How many scores of terms the walk adds up at most.
    terms: usize,
}

impl Best {
    /// What the sum of the walk must exceed to be worth scoring. Documents come rising, so one
    /// that is equally good as the worst kept stands behind it. A sum in one order and one in
    /// another are each off by less than half an epsilon a term.
    fn threshold(&self) -> f32 {
        match self.heap.peek() {
            Some(Reverse((worst, _))) if self.heap.len() == self.k => {
                next(f32::from_bits(*worst)) * (1.0 - self.terms as f32 * f32::EPSILON)
            }
            _ => f32::MIN,
        }
    }

    fn offer(&mut self, score: f32, document: DocId) {
        self.heap.push(Reverse((score.to_bits(), Reverse(document))));
        if self.heap.len() > self.k {
            self.heap.pop();
        }
    }

    fn into_hits<T>(self) -> Vec<Hit<T>> {
        let hit = |Reverse((score, Reverse(document))): Reverse<RankedDocument>| Hit {
            row: RowId::new(document),
            score: f32::from_bits(score),
        };
        self.heap.into_sorted_vec().into_iter().map(hit).collect()
    }
}

/// What the system said to the engine; none of its errors names that as its source.
pub(super) fn system(error: &TantivyError) -> Option<&io::Error> {
    match error {
        TantivyError::IoError(io)
        | TantivyError::OpenReadError(OpenReadError::IoError { io_error: io, .. })
        | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error: io, .. }) => Some(io),
        _ => None,
    }
}

/// The damage behind an error of the engine. What it cannot read although the bytes are those
/// that were built is of another form than it expects; `file` stands for the segment.
pub(super) fn damage(file: &Arc<MappedFile>, error: &TantivyError) -> Damage {
    let mut io = system(error);
    while let Some(inner) = io.and_then(io::Error::get_ref) {
        if let Some(damage) = inner.downcast_ref::<Damage>() {
            return damage.clone();
        }
        io = inner.downcast_ref::<io::Error>();
    }
    file.form(error.to_string())
}
