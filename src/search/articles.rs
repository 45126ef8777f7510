//! Articles: by a text and by their attributes.

use super::SearchError;
use super::library::{self, Hit};
use super::listing::{ListPage, Paging};
use crate::record::{Article, Date, Timestamp};
use crate::snapshot::Snapshot;

/// A query for articles.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The subject; blank means any.
    pub about: Option<String>,
    /// Only those added on this day or later; without those of unknown date.
    pub added_from: Option<Date>,
    /// Only the operator's own, or only others.
    pub is_original: Option<bool>,
    /// The page of the list.
    pub paging: Paging,
}

/// The page of articles asked for: those that fit the text, best first, or all, the latest first.
///
/// Without a text every article is read: there are as many as an operator writes.
pub fn search(snapshot: &Snapshot, query: &Query) -> Result<ListPage<Article>, SearchError> {
    let about = query.about.as_deref().map(str::trim).filter(|about| !about.is_empty());
    let hits: Vec<Hit<Article>> = match about {
        Some(about) => library::about(snapshot, about, 0, usize::MAX)?,
        None => library::any(snapshot, 0, usize::MAX)?,
    };
    let is_asked = |article: &Article| {
        let added = article.date_added.and_then(Timestamp::date);
        query.added_from.is_none_or(|from| added.is_some_and(|added| added >= from))
            && query.is_original.is_none_or(|asked| article.is_gc_original == Some(asked))
    };
    let found = hits.into_iter().map(|hit| hit.record).filter(is_asked);
    let mut found: Vec<Article> = found.collect();
    if about.is_none() {
        // Articles without a date come last; within a day, the highest numbers first.
        found.sort_by_key(|article| std::cmp::Reverse(article.date_added.map(Timestamp::seconds)));
    }
    Ok(ListPage::cut(found, query.paging))
}
