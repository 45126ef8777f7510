//! Posts of nonprofits, newest first.

use super::SearchError;
use super::listing::{self, ListPage, Owners, Paging};
use crate::query::Filters;
use crate::record::{Classification, Ein, Post, State};
use crate::snapshot::Snapshot;

/// A query for posts.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Only posts of this kind.
    pub classification: Option<Classification>,
    /// Only posts that have all words of this text in title, description or content.
    pub words: Option<String>,
    /// Only posts of these, if a list is given; an empty list gives none.
    pub followed: Option<Vec<Ein>>,
    /// Filters on the nonprofit.
    pub filters: Filters,
    /// The page of the list.
    pub paging: Paging,
}

/// A post, with a few facts about its nonprofit.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedPost {
    pub post: Post,
    /// Display name.
    pub organization_name: String,
    pub organization_city: Option<String>,
    pub organization_state: Option<State>,
}

/// The page of posts asked for.
pub fn search(snapshot: &Snapshot, query: &Query) -> Result<ListPage<FeedPost>, SearchError> {
    let posts = &snapshot.posts;
    let mut set = match &query.followed {
        Some(eins) => listing::of_eins(snapshot, posts, eins)?,
        None => posts.all(),
    };
    if query.filters != Filters::default() {
        let orgs = snapshot.columns.select(&query.filters)?.matching;
        set.intersect(&posts.of_owners(&orgs)?);
    }
    if let Some(classification) = query.classification {
        posts.retain_kinds(&mut set, |kind| kind == classification.name())?;
    }
    if let Some(words) = query.words.as_deref().filter(|words| !words.trim().is_empty()) {
        set.intersect(&snapshot.post_words.all_of(words)?);
    }
    let mut owners = Owners::default();
    listing::page(snapshot, &set, query.paging)?.try_map(|(item, post)| {
        let owner = owners.of(snapshot, posts, item)?;
        Ok(FeedPost {
            post,
            organization_name: owner.name.clone(),
            organization_city: owner.address.city.clone(),
            organization_state: owner.address.state,
        })
    })
}
