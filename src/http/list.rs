//! A list as answers show it: which, from what file, and as of when it speaks.

use serde::Serialize;

use crate::record::Date;
use crate::sources::{DatedBy, Kind, Summary};

/// A list that was loaded.
#[derive(Debug, Serialize)]
pub(super) struct ListShown<'a> {
    kind: Kind,
    title: &'static str,
    file: &'a str,
    date: Option<Date>,
    dated_by: Option<DatedBy>,
    /// The day of the file itself.
    downloaded: Option<Date>,
}

impl<'a> ListShown<'a> {
    pub(super) fn of(source: &'a Summary) -> Self {
        let vintage = source.vintage();
        Self {
            kind: source.kind,
            title: source.kind.title(),
            file: &source.name,
            date: vintage.map(|vintage| vintage.date),
            dated_by: vintage.map(|vintage| vintage.dated_by),
            downloaded: source.downloaded(),
        }
    }
}
