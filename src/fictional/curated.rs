//! Writes what is not the IRS's: curated data and posts as newline-delimited JSON, and returns.
//! Everything is drawn from streams of its own, so that the lists of the IRS stay as they are.

use std::io::Write;
use std::path::Path;

use super::options::{GenerateError, Options, Report};
use super::output::Output;
use super::random::Random;
use super::returns::Returns;
use super::row::Row;
use super::schedule::{Fit, Schedule};
use super::subject::Subject;
use super::{library, post, story};

/// The streams of each kind of item lie apart from those of organizations and of each other.
#[derive(Debug, Clone, Copy)]
enum Stream {
    Story,
    Metric,
    Post,
    Overlay,
    Fund,
    Article,
    Knowledge,
    Return,
}

impl Stream {
    fn seed(self, seed: u64) -> u64 {
        Random::new(seed, u64::MAX / 2 - self as u64).next()
    }
}

/// Stories, metrics and posts of one organization, at most, while organizations are many.
const STORIES_EACH: u64 = 5;
const METRICS_EACH: u64 = 12;
const POSTS_EACH: u64 = 15;
const FUNDS_EACH: u64 = 2;

/// What one run writes beside the lists of the IRS.
pub(super) struct Curated {
    seed: u64,
    organizations: u64,
    lines: Output,
    posts: Output,
    returns: Returns,
    stories_due: Schedule,
    metrics_due: Schedule,
    posts_due: Schedule,
    overlays_due: Schedule,
    funds_due: Schedule,
    returns_due: Schedule,
    /// The last organization that suits, or is active at least: it gets what is left in the end.
    last: Option<(Fit, Row)>,
}

impl Curated {
    /// Writes into files that are open; the returns go into a folder of their own.
    pub(super) fn new(options: &Options, lines: Output, posts: Output, returns: &Path) -> Self {
        let seed = options.seed;
        let schedule =
            |total, each, stream: Stream| Schedule::bursts(total, each, stream.seed(seed));
        Self {
            seed,
            organizations: options.organizations.get(),
            lines,
            posts,
            returns: Returns::new(returns, Stream::Return.seed(seed)),
            stories_due: schedule(options.stories(), STORIES_EACH, Stream::Story),
            metrics_due: schedule(options.metrics(), METRICS_EACH, Stream::Metric),
            posts_due: schedule(options.posts(), POSTS_EACH, Stream::Post),
            overlays_due: Schedule::single(options.overlays()),
            funds_due: schedule(library::funds(), FUNDS_EACH, Stream::Fund),
            returns_due: Schedule::single(options.returns()),
            last: None,
        }
    }

    /// Writes what belongs to no organization.
    pub(super) fn begin(&mut self, report: &mut Report) -> Result<(), GenerateError> {
        let seed = self.seed;
        report.articles =
            self.lines.put(|out| library::articles(out, Stream::Article.seed(seed)))?;
        report.knowledge =
            self.lines.put(|out| library::knowledge(out, Stream::Knowledge.seed(seed)))?;
        Ok(())
    }

    /// Writes what is due when `done` organizations are made and this one, which is active, is the
    /// last of them. The row is taken in exchange for another, whose values are of no use.
    pub(super) fn organization(
        &mut self,
        row: &mut Row,
        done: u64,
        report: &mut Report,
    ) -> Result<(), GenerateError> {
        let (fit, all) = (fit(row), self.organizations);
        let returns = self.returns_due.due(done, all, fit_of_return(row));
        let items = Items {
            stories: self.stories_due.due(done, all, fit),
            metrics: self.metrics_due.due(done, all, fit),
            posts: self.posts_due.due(done, all, fit),
            overlays: self.overlays_due.due(done, all, fit),
            funds: self.funds_due.due(done, all, fit),
        };
        if !items.is_empty() || !returns.is_empty() {
            let subject = Subject::of(row);
            self.write(&items, Some((row, &subject)), report)?;
            if !returns.is_empty() {
                report.returns += self.returns.write(row, &subject)?;
            }
        }
        match &mut self.last {
            Some((Fit::Well, _)) if fit != Fit::Well => {}
            Some(last) => {
                last.0 = fit;
                std::mem::swap(row, &mut last.1);
            }
            None => self.last = Some((fit, std::mem::take(row))),
        }
        Ok(())
    }

    /// Writes what is left; without any active organization, only the funds.
    pub(super) fn finish(mut self, report: &mut Report) -> Result<(), GenerateError> {
        let last = self.last.take().map(|(_, row)| row);
        let mut items = Items { funds: self.funds_due.rest(), ..Items::default() };
        if last.is_some() {
            items.stories = self.stories_due.rest();
            items.metrics = self.metrics_due.rest();
            items.posts = self.posts_due.rest();
        }
        let subject = last.as_ref().map(Subject::of);
        self.write(&items, last.as_ref().zip(subject.as_ref()), report)?;
        self.lines.put(Write::flush)?;
        self.posts.put(Write::flush)
    }

    fn write(
        &mut self,
        items: &Items,
        holder: Option<(&Row, &Subject)>,
        report: &mut Report,
    ) -> Result<(), GenerateError> {
        let seed = self.seed;
        let random = |stream: Stream, number| Random::new(stream.seed(seed), number);
        for number in items.funds.clone() {
            let random = &mut random(Stream::Fund, number);
            self.lines.put(|out| library::fund(out, number, holder, random))?;
            report.funds += 1;
        }
        let Some((_, subject)) = holder else {
            return Ok(());
        };
        for number in items.overlays.clone() {
            let random = &mut random(Stream::Overlay, number);
            self.lines.put(|out| library::overlay(out, subject, random))?;
            report.overlays += 1;
        }
        for number in items.stories.clone() {
            let random = &mut random(Stream::Story, number);
            self.lines.put(|out| story::story(out, number, subject, random))?;
            report.stories += 1;
        }
        for (turn, number) in items.metrics.clone().enumerate() {
            let random = &mut random(Stream::Metric, number);
            self.lines.put(|out| story::metric(out, number, turn as u64, subject, random))?;
            report.metrics += 1;
        }
        for number in items.posts.clone() {
            let random = &mut random(Stream::Post, number);
            self.posts.put(|out| post::post(out, number, subject, random))?;
            report.posts += 1;
        }
        Ok(())
    }
}

/// Numbers of the items of one organization.
#[derive(Debug, Default)]
struct Items {
    stories: std::ops::Range<u64>,
    metrics: std::ops::Range<u64>,
    posts: std::ops::Range<u64>,
    overlays: std::ops::Range<u64>,
    funds: std::ops::Range<u64>,
}

impl Items {
    fn is_empty(&self) -> bool {
        [&self.stories, &self.metrics, &self.posts, &self.overlays, &self.funds]
            .into_iter()
            .all(std::ops::Range::is_empty)
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
        let kinds = [
            Stream::Story,
            Stream::Metric,
            Stream::Post,
            Stream::Overlay,
            Stream::Fund,
            Stream::Article,
            Stream::Knowledge,
            Stream::Return,
        ];
        let seeds = kinds.iter().flat_map(|kind| (0..50).map(|seed| kind.seed(seed)));
        assert_eq!(seeds.collect::<BTreeSet<_>>().len(), kinds.len() * 50);
    }
}
