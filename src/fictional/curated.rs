//! Writes what the IRS's lists do not have: curated data and posts as newline-delimited JSON, returns,
//! annual reports.
//! Everything is drawn from streams of its own, so that the lists of the IRS stay as they are.

use std::ops::Range;
use std::path::Path;

use super::options::{GenerateError, ORGANIZATIONS_MAX, Options, Report};
use super::output::Output;
use super::random::Random;
use super::report::Reports;
use super::returns::Returns;
use super::row::{Population, Row};
use super::schedule::{Fit, Schedule};
use super::subject::Subject;
use super::{library, post, story};

/// The streams of each kind of item lie apart from those of organizations and of each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Story,
    Metric,
    Post,
    Overlay,
    Fund,
    Article,
    Knowledge,
    Return,
    Report,
}

impl Stream {
    fn seed(self, seed: u64) -> u64 {
        Random::new(seed, u64::MAX / 2 - self as u64).next()
    }
}

/// Kinds of items that are about an organization, in the order in which they are written, and how many
/// of each one organization has, at most, while organizations are many.
const KINDS: [(Stream, u64); 5] = [
    (Stream::Fund, 2),
    (Stream::Overlay, 1),
    (Stream::Story, 5),
    (Stream::Metric, 12),
    (Stream::Post, 15),
];

/// One in this many organizations with returns publishes a report: each is a source of its own, and read with
/// the sentence model.
const REPORT_EVERY: u64 = 10;

/// What one run writes beside the lists of the IRS.
pub(super) struct Curated {
    seed: u64,
    organizations: u64,
    lines: Output,
    posts: Output,
    returns: Returns,
    reports: Reports,
    items_due: [Schedule; 5],
    returns_due: Schedule,
    /// The last organization that suits, or is active at least: it gets what is left in the end.
    last: Option<(Fit, Row)>,
}

impl Curated {
    /// Writes into files that are open; returns and reports go into folders of their own.
    pub(super) fn new(
        options: &Options,
        [lines, posts]: [Output; 2],
        returns: &Path,
        reports: &Path,
    ) -> Self {
        let seed = options.seed;
        let total = |kind| match kind {
            Stream::Fund => library::funds(),
            Stream::Overlay => options.one_in(10, ORGANIZATIONS_MAX),
            Stream::Story => options.one_in(50, 40_000),
            Stream::Metric => options.one_in(10, 200_000),
            _ => options.posts.unwrap_or_else(|| options.one_in(5, 200_000)),
        };
        let filers = options.returns.unwrap_or_else(|| options.one_in(40, 2_000));
        Self {
            seed,
            organizations: options.organizations,
            lines,
            posts,
            returns: Returns::new(returns, Stream::Return.seed(seed), Population::of(options)),
            reports: Reports::new(reports, Stream::Report.seed(seed)),
            items_due: KINDS.map(|(kind, each)| Schedule::new(total(kind), each, kind.seed(seed))),
            returns_due: Schedule::new(filers, 1, seed),
            last: None,
        }
    }

    /// Writes what belongs to no organization.
    pub(super) fn write_library(&mut self, report: &mut Report) -> Result<(), GenerateError> {
        for article in library::articles(Stream::Article.seed(self.seed)) {
            self.lines.put_line(&article)?;
            report.articles += 1;
        }
        for entry in library::knowledge(Stream::Knowledge.seed(self.seed)) {
            self.lines.put_line(&entry)?;
            report.knowledge += 1;
        }
        Ok(())
    }

    /// Writes what is due when `done` organizations are made and this one, which is active, is the
    /// last of them.
    pub(super) fn organization(
        &mut self,
        row: Row,
        done: u64,
        report: &mut Report,
    ) -> Result<(), GenerateError> {
        let (fit, all) = (fit(&row), self.organizations);
        let returns = self.returns_due.due(done, all, fit_of_return(&row));
        let items = self.items_due.each_mut().map(|schedule| schedule.due(done, all, fit));
        if !returns.is_empty() || items.iter().any(|numbers| !numbers.is_empty()) {
            let subject = Subject::of(&row);
            self.write(items, Some(&subject), report)?;
            if !returns.is_empty() {
                report.returns += self.returns.write(&subject)?;
                let (number, between) =
                    (returns.start / REPORT_EVERY, returns.start % REPORT_EVERY);
                if between == 0 {
                    report.reports += self.reports.write(number, &subject)?;
                }
            }
        }
        if fit == Fit::Well || !matches!(self.last, Some((Fit::Well, _))) {
            self.last = Some((fit, row));
        }
        Ok(())
    }

    /// Writes what is left; without any active organization, only the funds.
    pub(super) fn finish(mut self, report: &mut Report) -> Result<(), GenerateError> {
        let last = self.last.take();
        let items = self.items_due.each_mut().map(Schedule::rest);
        let subject = last.as_ref().map(|(_, row)| Subject::of(row));
        self.write(items, subject.as_ref(), report)?;
        self.lines.flush()?;
        self.posts.flush()
    }

    /// Writes the items of these numbers, by kind.
    fn write(
        &mut self,
        items: [Range<u64>; 5],
        holder: Option<&Subject<'_>>,
        report: &mut Report,
    ) -> Result<(), GenerateError> {
        let numbered = KINDS.into_iter().zip(items).flat_map(|((kind, _), numbers)| {
            (0..).zip(numbers).map(move |(turn, number)| (kind, turn, number))
        });
        for (kind, turn, number) in numbered {
            let random = &mut Random::new(kind.seed(self.seed), number);
            let (item, count) = match (kind, holder) {
                (Stream::Fund, _) => (library::fund(number, holder, random), &mut report.funds),
                (_, None) => continue,
                (Stream::Overlay, Some(subject)) => {
                    (library::overlay(subject, random), &mut report.overlays)
                }
                (Stream::Story, Some(subject)) => {
                    (story::story(number, subject, random), &mut report.stories)
                }
                (Stream::Metric, Some(subject)) => {
                    (story::metric(number, turn, subject, random), &mut report.metrics)
                }
                (_, Some(subject)) => (post::post(number, subject, random), &mut report.posts),
            };
            let output = if kind == Stream::Post { &mut self.posts } else { &mut self.lines };
            output.put_line(&item)?;
            *count += 1;
        }
        Ok(())
    }
}

/// Charities with a known cause and revenue have something to tell; others have when these are
/// scarce.
fn fit(row: &Row) -> Fit {
    let charity = row.subsection == "03" && row.foundation_filing == 0 && !row.state.is_empty();
    let known = row.ntee.len() >= 3 && row.revenue.is_some_and(|dollars| dollars > 0);
    if charity && known { Fit::Well } else { Fit::Poorly }
}

/// Whether an organization files one of the returns: those that report nothing, or no amounts but
/// zero, file Form 990-N or nothing.
fn fit_of_return(row: &Row) -> Fit {
    let amounts = row.assets.is_some_and(|dollars| dollars > 0)
        && row.income.is_some_and(|dollars| dollars > 0);
    if row.tax_period.is_none() || !amounts || row.state.is_empty() {
        return Fit::Never;
    }
    // Every other private foundation: with all of them a third of the returns were theirs.
    let foundation = row.foundation_filing == 1 && row.ein.is_multiple_of(2);
    if foundation { Fit::Well } else { fit(row) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_and_seed_has_streams_of_its_own() {
        let others = [Stream::Article, Stream::Knowledge, Stream::Return, Stream::Report];
        let kinds = KINDS.into_iter().map(|(kind, _)| kind).chain(others);
        let seeds = kinds.flat_map(|kind| (0..50).map(move |seed| kind.seed(seed)));
        assert_eq!(seeds.collect::<BTreeSet<_>>().len(), 9 * 50);
    }
}
