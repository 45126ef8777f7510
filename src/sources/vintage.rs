//! As of when a source speaks.
//!
//! The revocation list says on which day it posted each row. The other lists date nothing of
//! themselves: of them the day of the file is known, which is the IRS's where `almoner fetch`
//! downloaded it (it sets what the server says), and else that of whoever downloaded it.

use serde::{Deserialize, Serialize};

use super::Summary;
use crate::record::{Date, Moment};

/// What a vintage is taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatedBy {
    /// The latest day on which the list posted a row.
    Posting,
    /// When the file was last modified, or downloaded.
    Download,
}

/// As of when a source speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vintage {
    pub date: Date,
    pub dated_by: DatedBy,
}

impl Summary {
    /// As of when it speaks; `None` of a file whose own date cannot be.
    pub fn vintage(&self) -> Option<Vintage> {
        if let Some(date) = self.posted {
            return Some(Vintage { date, dated_by: DatedBy::Posting });
        }
        let seconds = i64::try_from(self.modified_seconds).ok()?;
        let date = Moment::from_seconds(seconds)?.date()?;
        Some(Vintage { date, dated_by: DatedBy::Download })
    }
}
