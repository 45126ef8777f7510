//! Numbers of rows, told apart by what the rows hold.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::Organization;

/// The dense number of a row among all of its kind in one snapshot, 0 to N − 1: where a list keeps
/// it, and where bitmaps, indexes and the store have what belongs to it. It means nothing in another
/// snapshot, and nothing in the list of another kind, which is why the kind is part of the type.
///
/// A story's number looks up a story:
///
/// ```
/// use almoner::record::{RowId, Story};
/// use almoner::store::{Records, StoreError};
///
/// fn story(records: &Records, row: RowId<Story>) -> Result<Story, StoreError> {
///     records.get(row)
/// }
/// ```
///
/// and no organization:
///
/// ```compile_fail,E0308
/// use almoner::record::{Organization, RowId, Story};
/// use almoner::store::{Records, StoreError};
///
/// fn organization(records: &Records, row: RowId<Story>) -> Result<Organization, StoreError> {
///     records.get(row)
/// }
/// ```
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct RowId<T>(pub u32, PhantomData<fn() -> T>);

/// The number of an organization: its position when all are sorted by state, county, city, ZIP code
/// and EIN. Columns, bitmaps and records are addressed by it.
pub type OrgId = RowId<Organization>;

impl<T> RowId<T> {
    /// The row of a number.
    pub const fn new(number: u32) -> Self {
        Self(number, PhantomData)
    }

    /// As an index into an array.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

// Derived, each of these would ask the same of `T`, which is never held.

impl<T> Clone for RowId<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for RowId<T> {}

impl<T> PartialEq for RowId<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for RowId<T> {}

impl<T> PartialOrd for RowId<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for RowId<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.cmp(&other.0)
    }
}

impl<T> Hash for RowId<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<T> fmt::Debug for RowId<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RowId").field(&self.0).finish()
    }
}
