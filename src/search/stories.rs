//! Stories: of one nonprofit, of some, of all; ranked by how well they fit a text, or by power score.

use super::SearchError;
use super::candidates::measure;
use super::listing::{self, ListPage, Owners, Paging};
use crate::index::columns::Bitmap;
use crate::index::vectors::{self, Matching};
use crate::record::{Ein, RowId, Story};
use crate::snapshot::Snapshot;

/// Stories that a text ranks, the nearest ones: behind a thousand nobody looks, and every page is cut
/// from the same ranking. The others follow as they are listed.
pub const RANKED_MAX: usize = 1_000;

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Only stories of these; empty asks nothing.
    pub eins: Vec<Ein>,
    /// Only stories of at least this power score.
    pub min_power_score: Option<f64>,
    /// What they should be about: it ranks the nearest [`RANKED_MAX`], and leaves nothing out.
    pub about: Option<String>,
    /// Which part of the list.
    pub paging: Paging,
}

/// A story, and whose it is.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedStory {
    pub story: Story,
    /// Display name of the nonprofit.
    pub organization_name: String,
}

/// The page of stories asked for: by power score, or by how well they fit the text.
pub fn search(snapshot: &Snapshot, query: &Query) -> Result<ListPage<FeedStory>, SearchError> {
    let stories = &snapshot.stories;
    let mut set = listing::of_any(snapshot, stories, &query.eins)?;
    if let Some(min) = query.min_power_score {
        set.intersect(&stories.of_score(min)?);
    }
    let about = query.about.as_deref().map(str::trim).filter(|about| !about.is_empty());
    let found = match about {
        Some(about) => ranked(snapshot, &set, about, query.paging)?,
        None => listing::page(snapshot, &set, query.paging)?,
    };
    let mut owners = Owners::default();
    found.try_map(|(item, story)| {
        let organization_name = owners.of(snapshot, stories, item)?.name.clone();
        Ok(FeedStory { story, organization_name })
    })
}

/// The stories of a set, those that fit a text best first: by meaning, or by words where there are no
/// vectors. The rest follow in the order of the list, so that the total is that of the set.
fn ranked(
    snapshot: &Snapshot,
    set: &Bitmap<Story>,
    about: &str,
    paging: Paging,
) -> Result<ListPage<(RowId<Story>, Story)>, SearchError> {
    let count = set.count();
    let best: Vec<_> = match (&snapshot.story_texts.vectors, measure(snapshot, Some(about))?) {
        (Some(vectors), Some(query)) => {
            let matching = Matching { set, count };
            let (query, matching) = (query.as_slice(), Some(&matching));
            let ask = vectors::Query { matching, ..vectors::Query::new(query, RANKED_MAX) };
            vectors.nearest(&ask)?.hits.into_iter().map(|hit| hit.row).collect()
        }
        _ => {
            let hits = snapshot.story_texts.words.search(about, RANKED_MAX, Some(set))?;
            hits.into_iter().map(|hit| hit.row).collect()
        }
    };
    let mut rest = set.clone();
    rest.subtract(&Bitmap::of(snapshot.stories.count(), best.iter().copied()));
    let skipped = paging.before();
    let mut page: Vec<_> = best.iter().copied().skip(skipped).take(paging.size()).collect();
    let further = skipped.saturating_sub(best.len()) as u64;
    page.extend(rest.page(further, paging.size() - page.len()));
    Ok(ListPage { total: count, rows: listing::records(snapshot, page)? })
}
