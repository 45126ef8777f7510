//! Words of names and missions, ranked by BM25.
//!
//! The words are one segment of the crate `tantivy`, whose document number is the row's: it is
//! written by one thread in that order (`build`), and tantivy reads and writes it through
//! directories of our own (`files`), under fixed names and through the verified mapping. Nothing
//! is stored in it, and no positions. Words are those of [`naming::normalise`], not stemmed: a
//! stemmer joins names that are not kin (*universal* and *university*, *organ* and *organization*),
//! and what means the same in other words is found by the vectors.
//!
//! What else has a name and a text, such as posts, is kept in indexes of the same form, numbered by its
//! place in its own list: the title is the name and the text the mission.
//!
//! `query` asks; no text is ever parsed as a query language.

mod build;
mod files;
mod query;

use std::marker::PhantomData;
use std::sync::Arc;

use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::{Index, ReloadPolicy, Searcher, Term};

pub use build::{BuildError, Builder, Text, Words};
use files::{Mirror, SegmentFile};

use crate::index::columns::Bitmap;
use crate::mapped::{Damage, Files, MappedFile, OpenError};
use crate::naming;
use crate::record::{Organization, RowId};

/// The files of the index, as paths within a snapshot.
pub fn files() -> [&'static str; SegmentFile::ALL.len()] {
    SegmentFile::ALL.map(SegmentFile::file)
}

/// Distinct words of a query that are looked for, the first ones: more than any sentence has, and
/// few enough that a long text costs no more than a long sentence.
pub const QUERY_WORDS_MAX: usize = 32;

/// How much more a word in a name counts than one in a mission.
const NAMES_WEIGHT: f32 = 2.0;

/// A row found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<T = Organization> {
    pub row: RowId<T>,
    /// BM25 over its names and mission, rounded down by less than one part in 4096; comparable
    /// within one answer only.
    pub score: f32,
}

/// The opened index; by default, of organizations.
pub struct Fulltext<T = Organization> {
    searcher: Searcher,
    fields: Fields,
    /// What errors of the engine are about.
    terms: Arc<MappedFile>,
    of: PhantomData<RowId<T>>,
}

impl<T> Fulltext<T> {
    /// Opens the index. Reads headers only, and starts no thread.
    pub fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let mirror = Mirror::open(files)?;
        let terms = Arc::clone(mirror.file(SegmentFile::Terms));
        let fault = |error| query::damage(&terms, &error);
        let index = Index::open(mirror).map_err(fault)?;
        let (schema, fields) = schema();
        if index.schema() != schema {
            return Err(terms.form("expected the fields names and mission, found others").into());
        }
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let searcher = reader.try_into().map_err(fault)?.searcher();
        let segments = searcher.segment_readers();
        if segments.len() > 1 {
            let found = segments.len();
            return Err(terms.form(format!("expected one segment, found {found}")).into());
        }
        for segment in segments {
            let lengths = segment.get_fieldnorms_reader(fields.names).map_err(fault)?.num_docs();
            let expected = segment.max_doc();
            if lengths != expected {
                let what = format!("expected lengths of {expected} organizations, found {lengths}");
                return Err(terms.form(what).into());
            }
        }
        Ok(Self { searcher, fields, terms, of: PhantomData })
    }

    /// How many rows there are.
    pub fn count(&self) -> u32 {
        self.searcher.num_docs() as u32
    }

    /// At most `k` rows that have any word of a text in a name or their mission, best first,
    /// equally good ones by number; only those `matching`, if it is given. Rare words count
    /// more than frequent ones, more words more than fewer, and names twice as
    /// much as missions.
    pub fn search(
        &self,
        text: &str,
        k: usize,
        matching: Option<&Bitmap<T>>,
    ) -> Result<Vec<Hit<T>>, Damage> {
        let words = words(text);
        query::search(&self.searcher, self.fields, &words, k, matching)
            .map_err(|error| query::damage(&self.terms, &error))
    }

    /// Everything that has all words of a text in a name or mission; nothing for a text without words.
    pub fn all_of(&self, text: &str) -> Result<Bitmap<T>, Damage> {
        self.all_of_forms(text, |word| vec![word.to_owned()])
    }

    /// The same, where for each word any of its `forms` will do.
    pub fn all_of_forms(
        &self,
        text: &str,
        forms: impl Fn(&str) -> Vec<String>,
    ) -> Result<Bitmap<T>, Damage> {
        let words: Vec<Vec<String>> = words(text).iter().map(|word| forms(word)).collect();
        query::all_of(&self.searcher, self.fields, &words, self.count())
            .map_err(|error| query::damage(&self.terms, &error))
    }

    /// Everything that has any word of a text in a name or mission: what [`Fulltext::search`] can find.
    pub fn any_of(&self, text: &str) -> Result<Bitmap<T>, Damage> {
        query::any_of(&self.searcher, self.fields, &words(text), self.count())
            .map_err(|error| query::damage(&self.terms, &error))
    }

    /// Keeps of rows that have all words of a text in their names those that have no others there; none
    /// where the text repeats a word. Lengths are kept exactly up to 40 words.
    pub fn retain_whole_names(&self, set: &mut Bitmap<T>, text: &str) -> Result<(), Damage> {
        let all = naming::normalise(text).split_whitespace().count();
        let length = if words(text).len() == all { all as u32 } else { 0 };
        query::retain_lengths(&self.searcher, self.fields, set, length)
            .map_err(|error| query::damage(&self.terms, &error))
    }

    /// How many organizations have a word, in normal form, in a name.
    pub fn frequency(&self, word: &str) -> Result<u64, Damage> {
        let term = Term::from_field_text(self.fields.names, word);
        self.searcher.doc_freq(&term).map_err(|error| query::damage(&self.terms, &error))
    }
}

impl<T> std::fmt::Debug for Fulltext<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fulltext").field("organizations", &self.count()).finish()
    }
}

/// The fields of the segment.
#[derive(Debug, Clone, Copy)]
struct Fields {
    names: Field,
    mission: Field,
}

/// The words come separated by single blanks, so tantivy's splitter at blanks is all it takes.
fn schema() -> (Schema, Fields) {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer("whitespace")
        .set_index_option(IndexRecordOption::WithFreqs)
        .set_fieldnorms(true);
    let options = TextOptions::default().set_indexing_options(indexing);
    let mut schema = Schema::builder();
    let names = schema.add_text_field("names", options.clone());
    let mission = schema.add_text_field("mission", options);
    (schema.build(), Fields { names, mission })
}

/// The distinct words of a text in their order, at most [`QUERY_WORDS_MAX`].
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in naming::normalise(text).split(' ').filter(|word| !word.is_empty()) {
        if words.len() == QUERY_WORDS_MAX {
            break;
        }
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
    }
    words
}

#[cfg(test)]
mod tests;
