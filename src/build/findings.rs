//! What the last build read of reports and what was found in them, for the operator to look through.

use std::path::Path;

use super::report_cache::{KeptReport, ReportCache};
use super::reports::{items, leave_out_people};
use crate::curated::Item;
use crate::record::{Ein, Passage};
use crate::snapshot::directory::Directory;

/// A report of the last build, and what was found in it before any decision of the operator.
#[derive(Debug)]
pub struct ReportFindings {
    /// Path of its file, or its name within a ZIP file, as `inspect` lists it.
    pub source: String,
    /// Of the nonprofit.
    pub ein: Ein,
    pub passages: Vec<Passage>,
    /// Stories, then figures, each in the order of the report.
    pub items: Vec<Item>,
}

/// The reports of the last build, in the order in which they were read, of whose source and EIN `is_wanted` holds. None
/// where the cache was removed. Each is read from the cache when it is asked for.
pub fn report_findings(
    data_dir: &Path,
    is_wanted: impl Fn(&str, Ein) -> bool,
) -> impl Iterator<Item = ReportFindings> {
    let cache = ReportCache::new(Directory::new(data_dir).report_cache());
    let list = cache.list();
    let wanted = list.reports.into_iter().filter(move |one| is_wanted(&one.source, one.ein));
    wanted.filter_map(move |KeptReport { source, ein, year, report, found }| {
        let passages = cache.get(report)?.ok()?.passages;
        let mut items = items(cache.cached(found)?, year);
        if list.without_people {
            items.iter_mut().for_each(leave_out_people);
        }
        Some(ReportFindings { source, ein, passages, items })
    })
}
