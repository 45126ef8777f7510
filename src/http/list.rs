//! A list as answers show it: which, from what file, and as of when it speaks.

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::Date;
use crate::sources::{DatedBy, SourceKind, Summary};

/// A list that was loaded.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "List")]
pub(super) struct ListShown<'a> {
    /// Kind of the list.
    kind: SourceKind,
    /// Name of the kind of list, for people.
    title: &'static str,
    /// Name of the file; of a member of a ZIP file, with the name of the ZIP file.
    file: &'a str,
    /// Day as of which the list speaks, by `dated_by`; null where nothing tells.
    date: Option<Date>,
    /// What `date` is taken from: the latest posting in the list, a date in its name, the latest
    /// ruling or filing in it, or the file's own day; null where `date` is null.
    dated_by: Option<DatedBy>,
    /// Day on which the file was last modified or downloaded; null where that is no valid day.
    downloaded: Option<Date>,
}

impl<'a> ListShown<'a> {
    pub(super) fn of(source: &'a Summary) -> Self {
        let vintage = source.vintage();
        Self {
            kind: source.kind,
            title: source.kind.name(),
            file: &source.name,
            date: vintage.map(|vintage| vintage.date),
            dated_by: vintage.map(|vintage| vintage.dated_by),
            downloaded: source.downloaded(),
        }
    }
}
