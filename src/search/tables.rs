//! Whole lists of the snapshot, row by row: those of everybody, or those that belong to some nonprofits. However long
//! a list is, some hundred rows of it are held at once.

use super::SearchError;
use super::changes::{self, DatedChange};
use super::feed::FeedPost;
use super::grants::{self, ListedGrant};
use super::stories::FeedStory;
use crate::index::columns::Bitmap;
use crate::index::items::Items;
use crate::record::{Filing, Organization, RowId};
use crate::snapshot::Snapshot;
use crate::store::Stored;

/// Records that are read at once.
const RECORDS_AT_ONCE: usize = 256;

/// Whose rows are asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Scope {
    /// Those of everybody, of who is no longer in the snapshot too.
    Everybody,
    /// Those that belong to any of these.
    Some(Bitmap),
}

/// The organizations of a scope, in the order of the snapshot.
pub fn organizations<E: From<SearchError>>(
    snapshot: &Snapshot,
    scope: &Scope,
    each: impl FnMut(RowId<Organization>, Organization) -> Result<(), E>,
) -> Result<(), E> {
    match scope {
        Scope::Everybody => records(snapshot, &Bitmap::all(snapshot.columns.organizations()), each),
        Scope::Some(orgs) => records(snapshot, orgs, each),
    }
}

/// The returns that they filed, of each the latest tax period first.
pub fn filings<E: From<SearchError>>(
    snapshot: &Snapshot,
    scope: &Scope,
    mut each: impl FnMut(Filing) -> Result<(), E>,
) -> Result<(), E> {
    let all = Bitmap::all(snapshot.columns.organizations());
    let orgs = if let Scope::Some(orgs) = scope { orgs } else { &all };
    for org in orgs.iter() {
        let filings = snapshot.records.filings(org).map_err(SearchError::from)?;
        filings.into_iter().try_for_each(&mut each)?;
    }
    Ok(())
}

/// The grants that they made, the latest tax year first.
pub fn grants<E: From<SearchError>>(
    snapshot: &Snapshot,
    scope: &Scope,
    mut each: impl FnMut(ListedGrant) -> Result<(), E>,
) -> Result<(), E> {
    let set = match scope {
        Scope::Everybody => Bitmap::all(snapshot.grants.count()),
        Scope::Some(orgs) => snapshot.grants.made_by(orgs).map_err(SearchError::from)?,
    };
    records(snapshot, &set, |row, grant| each(grants::listed(snapshot, row, grant)?))
}

/// The items of a list that belong to them, in its order.
pub fn items<Item: Stored, E: From<SearchError>>(
    snapshot: &Snapshot,
    items: &Items<Item>,
    scope: &Scope,
    each: impl FnMut(RowId<Item>, Item) -> Result<(), E>,
) -> Result<(), E> {
    let set = match scope {
        Scope::Everybody => items.all(),
        Scope::Some(orgs) => items.of_owners(orgs).map_err(SearchError::from)?,
    };
    records(snapshot, &set, each)
}

/// What changed of them since the first snapshot that is remembered, the latest first.
pub fn changes<E: From<SearchError>>(
    snapshot: &Snapshot,
    scope: &Scope,
    mut each: impl FnMut(DatedChange) -> Result<(), E>,
) -> Result<(), E> {
    changes::all(snapshot, |dated| {
        let is_asked = match scope {
            Scope::Everybody => true,
            Scope::Some(orgs) => {
                let org = snapshot.columns.org_of(dated.change.ein).map_err(SearchError::from)?;
                org.is_some_and(|org| orgs.contains(org))
            }
        };
        if is_asked { each(dated) } else { Ok(()) }
    })
}

/// Their stories, the strongest first.
pub fn stories<E: From<SearchError>>(
    snapshot: &Snapshot,
    scope: &Scope,
    mut each: impl FnMut(FeedStory) -> Result<(), E>,
) -> Result<(), E> {
    let stories = &snapshot.stories;
    items(snapshot, stories, scope, |row, story| {
        let owner = stories.owner(row).and_then(|org| snapshot.typeahead.card(org));
        let organization_name = owner.map_err(SearchError::from)?.name;
        each(FeedStory { story, organization_name })
    })
}

/// What they published, newest first.
pub fn posts<E: From<SearchError>>(
    snapshot: &Snapshot,
    scope: &Scope,
    mut each: impl FnMut(FeedPost) -> Result<(), E>,
) -> Result<(), E> {
    let posts = &snapshot.posts;
    items(snapshot, posts, scope, |row, post| {
        let owner = posts.owner(row).and_then(|org| snapshot.typeahead.card(org));
        let owner = owner.map_err(SearchError::from)?;
        each(FeedPost {
            post,
            organization_name: owner.name,
            organization_city: owner.city,
            organization_state: owner.state,
        })
    })
}

/// The records of a set, in its order.
fn records<Record: Stored, E: From<SearchError>>(
    snapshot: &Snapshot,
    set: &Bitmap<Record>,
    mut each: impl FnMut(RowId<Record>, Record) -> Result<(), E>,
) -> Result<(), E> {
    let mut rows = set.iter();
    loop {
        let some: Vec<RowId<Record>> = rows.by_ref().take(RECORDS_AT_ONCE).collect();
        if some.is_empty() {
            return Ok(());
        }
        let records = snapshot.records.get_all(&some).map_err(SearchError::from)?;
        some.into_iter().zip(records).try_for_each(|(row, record)| each(row, record))?;
    }
}
