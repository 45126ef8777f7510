//! Annual reports: whose each is, and the items that are made of it.

use std::collections::HashSet;
use std::path::PathBuf;

use rayon::prelude::*;

use super::arena::Arena;
use super::error::BuildError;
use super::gather::{LeftOut, SourceRecords, add_item};
use super::gathered_reports::GatheredReport;
use super::report_cache::{FoundInReport, KeptReport, ReportCache, ReportKey, ReportList};
use crate::curated::Item;
use crate::impact::{self, Publication};
use crate::record::{Ein, Metric, Passage, PassageKind, Story};
use crate::reports::{Report, Unread};
use crate::sources::{Reject, SkippedFile};
use crate::stories;
use crate::text::{YEARS, years};

/// Reports whose passages are in memory at a time.
const BATCH: usize = 32;

/// Pages whose headings tell the year of a report.
const TITLE_PAGES: u32 = 3;

/// Characters of a text in a reject.
const FOUND_MAX: usize = 120;

/// What became of a report.
#[derive(Debug, Default)]
struct Outcome {
    items: Vec<Item>,
    rejects: Vec<Reject>,
    doubt: Option<String>,
    /// Why it is left out.
    left_out: Option<String>,
    /// Where what was read and found is kept.
    kept: Option<KeptReport>,
}

/// Makes items of the reports that were gathered; `known` are the EINs of nonprofits, sorted.
pub(super) fn make_items(
    gathered: &mut SourceRecords,
    known: &[u32],
    arena: &mut Arena,
    cache: &ReportCache,
    without: &[LeftOut],
) -> Result<(), BuildError> {
    let leaves_out_people = without.contains(&LeftOut::People);
    let reports = std::mem::take(&mut gathered.reports);
    let mut used = HashSet::new();
    let mut list = ReportList { reports: Vec::new(), without_people: leaves_out_people };
    // What the operator gives under the same identifier counts, so it comes last.
    let items = &mut gathered.items;
    let given = [&mut items.stories, &mut items.metrics].map(std::mem::take);
    for batch in reports.chunks(BATCH) {
        let names: Vec<&str> =
            batch.iter().map(|one| gathered.sources[one.source as usize].name.as_str()).collect();
        let outcomes: Result<Vec<Outcome>, BuildError> = batch
            .par_iter()
            .zip(&names)
            .map(|(one, name)| Named { name, one }.outcome(cache, known))
            .collect();
        for (report, mut outcome) in batch.iter().zip(outcomes?) {
            if leaves_out_people {
                outcome.items.iter_mut().for_each(leave_out_people);
            }
            used.insert(report.key);
            used.extend(outcome.kept.iter().map(|kept| kept.found));
            list.reports.extend(outcome.kept.take());
            gathered.take_outcome(report, outcome, arena)?;
        }
    }
    let items = &mut gathered.items;
    for (list, given) in [&mut items.stories, &mut items.metrics].into_iter().zip(given) {
        list.extend(given);
    }
    gathered.rejects.flush()?;
    if !reports.is_empty() {
        used.insert(ReportKey::list());
        cache.keep_list(&list)?;
    }
    cache.trim(&used)
}

impl SourceRecords {
    fn take_outcome(
        &mut self,
        report: &GatheredReport,
        outcome: Outcome,
        arena: &mut Arena,
    ) -> Result<(), BuildError> {
        let summary = &mut self.sources[report.source as usize];
        if outcome.items.is_empty() && !outcome.rejects.is_empty() || outcome.left_out.is_some() {
            summary.rows = 0;
        }
        summary.rejects += outcome.rejects.len() as u64;
        let path = PathBuf::from(&summary.name);
        self.doubts.extend(outcome.doubt);
        self.left_out.extend(outcome.left_out.map(|why| SkippedFile { path, why }));
        for reject in &outcome.rejects {
            self.rejects.add(reject)?;
        }
        for item in outcome.items {
            add_item(&mut self.items, arena, report.source, 1, item)?;
        }
        Ok(())
    }
}

/// A report, and the name of its source.
struct Named<'a> {
    name: &'a str,
    one: &'a GatheredReport,
}

impl Named<'_> {
    fn reject(&self, page: u32, field: &str, reason: String, found: &str) -> Reject {
        let found = found.chars().take(FOUND_MAX).collect();
        let (source, line) = (self.name.to_owned(), u64::from(page.max(1)));
        Reject { source, line, field: field.to_owned(), reason, found }
    }

    fn outcome(&self, cache: &ReportCache, known: &[u32]) -> Result<Outcome, BuildError> {
        let is_known = |ein: &Ein| known.binary_search(&ein.pack()).is_ok();
        let assigned = self.one.assignment.as_ref();
        if let Some(assigned) = assigned
            && !is_known(&assigned.ein)
        {
            let reason = "the EIN of a nonprofit in the master file or among the returns";
            let reject = self.reject(1, "ein", reason.to_owned(), assigned.ein.as_str());
            return Ok(Outcome { rejects: vec![reject], ..Outcome::default() });
        }
        let report = match cache.get(self.one.key) {
            Some(Ok(report)) => report,
            Some(Err(fault)) if assigned.is_none() => {
                // Nobody said that it is a report.
                return Ok(Outcome { left_out: Some(fault.to_string()), ..Outcome::default() });
            }
            Some(Err(fault)) => {
                let reason = format!("{}: {}", fault.expected, fault.advice);
                let rejects = vec![self.reject(fault.page, "report", reason, &fault.found)];
                return Ok(Outcome { rejects, ..Outcome::default() });
            }
            None => {
                let reason = "a report that stays where it was read: build again".to_owned();
                let rejects = vec![self.reject(1, "report", reason, "nothing")];
                return Ok(Outcome { rejects, ..Outcome::default() });
            }
        };
        let stated: Vec<Ein> = report.eins.iter().copied().filter(is_known).collect();
        let (ein, doubt) = match (assigned, &stated[..]) {
            (Some(assigned), _) => (assigned.ein, self.doubt(assigned.ein, &report)),
            (None, [ein]) => (*ein, None),
            (None, _) => {
                let why = "a report whose EIN is not known: name its file or its folder by the EIN, or list it in a \
                           CSV file with the header file,ein";
                return Ok(Outcome { left_out: Some(why.to_owned()), ..Outcome::default() });
            }
        };
        let year = assigned.and_then(|one| one.year).or_else(|| year_of(self.name, &report));
        let url = assigned.and_then(|one| one.url.as_deref());
        // Statements of time are read beside a year; a text without any has none to read.
        let latest = || report.passages.iter().flat_map(|passage| years(&passage.text)).max();
        let publication = Publication {
            ein,
            state: None,
            year: year.or_else(latest).unwrap_or(*YEARS.start()),
            edition: self.one.key.name(),
            url,
            published: None,
        };
        let key = self.one.key.found_as(&publication);
        let found = cache.found(key, || found_in(&report.passages, &publication))?;
        let (rejects, items) = (self.unread(&report), items(found, year));
        let (source, report) = (self.name.to_owned(), self.one.key);
        let kept = Some(KeptReport { source, ein, year, report, found: key });
        Ok(Outcome { items, rejects, doubt, left_out: None, kept })
    }

    /// That a report states only the EINs of others, as that of a wrong nonprofit does.
    fn doubt(&self, ein: Ein, report: &Report) -> Option<String> {
        let other = report.eins.first().filter(|_| !report.eins.contains(&ein))?;
        Some(format!("{} is assigned to {ein}, but its text states {other} only", self.name))
    }

    /// Pages without text that can be read, by the reason.
    fn unread(&self, report: &Report) -> Vec<Reject> {
        let of_reason = |why: Unread| {
            let pages = report.unread.iter().filter(|page| page.why == why).map(|page| page.page);
            let pages: Vec<u32> = pages.collect();
            let listed: Vec<String> = pages.iter().map(u32::to_string).collect();
            let reason = format!("pages with text, not {}", why.name());
            let found = format!("pages {}", listed.join(", "));
            Some(self.reject(*pages.first()?, "page", reason, &found))
        };
        Unread::ALL.into_iter().filter_map(of_reason).collect()
    }
}

/// The year that a report is of: that in its name, or the latest in the headings of its first pages.
fn year_of(name: &str, report: &Report) -> Option<i32> {
    let file = name.rsplit(['/', '!']).next().unwrap_or(name);
    let headings = report.passages.iter().take_while(|passage| passage.page <= TITLE_PAGES);
    let headings = headings.filter(|passage| passage.kind == PassageKind::Heading);
    let of_headings = || headings.flat_map(|passage| years(&passage.text)).max();
    years(file).max().or_else(of_headings)
}

/// Leaves out the names of the protagonist and of the person quoted; the sentences stay.
pub(super) fn leave_out_people(item: &mut Item) {
    if let Item::Story(story) = item {
        (story.protagonist, story.quote_attribution) = (None, None);
    }
}

fn found_in(
    passages: &[Passage],
    publication: &Publication<'_>,
) -> Result<FoundInReport, BuildError> {
    let stories = stories::stories(passages, publication)?;
    Ok(FoundInReport {
        stories: stories.into_iter().map(|found| found.story).collect(),
        metrics: impact::report_metrics(passages, publication),
    })
}

/// The stories and figures of a report, of no year where that of the report is not known.
pub(super) fn items(found: FoundInReport, year: Option<i32>) -> Vec<Item> {
    let stories = found.stories.into_iter();
    let stories = stories.map(|story| Item::Story(Box::new(Story { report_year: year, ..story })));
    let metrics = found.metrics.into_iter();
    let metrics = metrics.map(|metric| {
        Item::Metric(Box::new(Metric { report_year: year.and(metric.report_year), ..metric }))
    });
    stories.chain(metrics).collect()
}
