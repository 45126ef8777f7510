//! Where the values of an organization are from, and whether the IRS's lists have it.
//!
//! A list says something of an organization by a row of it and, where it names all of a kind, by
//! having none; a list that was not loaded says nothing. Which of the three it is stands in the
//! record, so that nobody who reads one takes what was not checked for a no.

use serde::{Deserialize, Serialize};

use super::{Filing, Month};

/// Where a value of an organization is from; a `source` is the position, in the manifest's sources, of the one that the
/// row or record is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Origin {
    /// Its row of the master file; of an organization that no master file has, its latest return.
    #[default]
    Row,
    /// The return at this position of its returns, the latest tax period first.
    Return(u16),
    /// Its row of Form 990-N.
    Postcard { source: u32 },
    /// Its row of the Form 1023-EZ approvals.
    Approval { source: u32 },
    /// The row of its latest return in the index of e-filed returns.
    Index { source: u32 },
    /// The operator's record.
    Overlay { source: u32 },
}

/// Where those values are from that more than one source may give; of a value that is not known, it
/// means nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Origins {
    pub alt_name: Origin,
    pub website: Origin,
    pub summary: Origin,
    pub impact_summary: Origin,
    pub year_formed: Origin,
    pub ntee: Origin,
    pub formation: Origin,
    /// The number of its latest return, and the form where no return of that period was read.
    pub latest_filing: Origin,
    pub sdgs: Origin,
    pub tax_period: Origin,
    pub assets: Origin,
    pub revenue: Origin,
    pub expenses: Origin,
    pub net_assets: Origin,
    pub employees: Origin,
    /// Where the operator's own values are from; `Row` without any.
    pub overlay: Origin,
    /// Last month of the tax period that the figures of its row are of.
    pub row_period: Option<Month>,
    /// Last month of the tax period of the latest return that figures are of.
    pub return_period: Option<Month>,
    /// Columns of its row that hold something malformed, which was left out.
    pub unreadable: Vec<String>,
}

impl Origins {
    /// Last month of the tax period that a figure is of; `filings` are those of the organization, the
    /// latest first. `None` where the row does not say.
    pub fn period(&self, origin: Origin, filings: &[Filing]) -> Option<Month> {
        match origin {
            Origin::Return(at) => filings.get(usize::from(at)).and_then(Filing::tax_period),
            Origin::Row => self.row_period,
            _ => None,
        }
    }
}

/// What one list has of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listing {
    /// No such list was loaded.
    #[default]
    NotLoaded,
    /// The list was loaded, and has no row of it.
    Absent,
    /// The list has a row of it, from this position of the manifest's sources.
    Row { source: u32 },
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

/// What each list that names all of a kind has of an organization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Listings {
    /// The master file. `Absent` of who only files returns.
    pub master_file: Listing,
    /// Publication 78.
    pub publication_78: Listing,
    /// The automatic revocation list.
    pub revocations: Listing,
    /// The approvals of Form 1023-EZ, of whichever years.
    pub approvals: Listing,
    /// Returns as filed; its latest.
    pub returns: Listing,
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
