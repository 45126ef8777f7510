//! Whether the IRS's lists have an organization.
//!
//! A list says something of an organization by a row of it and, where it names all of a kind, by
//! having none; a list that was not loaded says nothing. Which of the three it is stands in the
//! record, so that nobody who reads one takes what was not checked for a no.

use serde::{Deserialize, Serialize};

/// What one list has of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listing {
    /// No such list was loaded.
    #[default]
    NotLoaded,
    /// The list was loaded, and has no row of it.
    Absent,
    /// The list has a row of it.
    Row {
        /// Position, in the manifest's sources, of the one that the row is from.
        source: u32,
    },
}

impl Listing {
    /// Whether the list has a row of it; `None` where no such list was loaded.
    pub fn is_listed(self) -> Option<bool> {
        match self {
            Self::NotLoaded => None,
            Self::Absent => Some(false),
            Self::Row { .. } => Some(true),
        }
    }
}

/// What each list that decides on an exemption has of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listings {
    /// The master file. `Absent` of who only files returns.
    pub master_file: Listing,
    /// Publication 78.
    pub publication_78: Listing,
    /// The automatic revocation list.
    pub revocations: Listing,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_was_not_loaded_says_nothing() {
        for (listing, is_listed) in [
            (Listing::NotLoaded, None),
            (Listing::Absent, Some(false)),
            (Listing::Row { source: 3 }, Some(true)),
        ] {
            assert_eq!(listing.is_listed(), is_listed);
        }
    }
}
