//! Where the lists of stories, metrics, posts, articles, knowledge, funds, grants and people lie in a
//! snapshot.

/// Below which folders of a snapshot the indexes of items lie.
pub(crate) const STORIES: &str = "stories";
pub(crate) const METRICS: &str = "metrics";
pub(crate) const POSTS: &str = "posts";
pub(crate) const ARTICLES: &str = "articles";
pub(crate) const KNOWLEDGE: &str = "knowledge";
pub(crate) const FUNDS: &str = "funds";
pub(crate) const GRANTS: &str = "grants";
pub(crate) const PEOPLE: &str = "people";

/// The index of a folder of items, as a path within it.
pub(crate) const INDEX: &str = "items";

/// The postings that lead from the keys of addresses to the organizations at them. What a key is made of is the
/// business of `matching`; two addresses may share one, so that those found are compared.
pub(crate) const ADDRESSES: &str = "addresses";
