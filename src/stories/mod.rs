//! Stories of change in reports: somebody named, how it was, what changed it, how it is since.
//!
//! Passages are cut into `sentence`s. A linear model labels those of sections whose words pass its gate
//! (`model`, `draft`); runs of them are stories where they name somebody (`names`) and have a change.
//! Every member of a story is a part of its passages to the letter (`members`, `quote`); what the text does not
//! give is `None`. Praise, plans, what is only imagined and the body's own history are none: a story that is none costs
//! more than one that is missed.

mod draft;
mod evidence;
mod features;
mod lexicon;
mod members;
mod model;
mod names;
mod part;
mod protagonist;
mod quote;
mod sentence;

#[cfg(test)]
mod tests;
#[cfg(any(test, feature = "internals"))]
mod training;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::embed::Error;
use crate::impact::{self, Publication};
use crate::record::{Metric, Passage, Story, StoryMetric};
use draft::{Draft, drafts, read};
use evidence::evidence;
use model::{Label, StoryModel};
use sentence::{Section, sections, small_words};
#[cfg(any(test, feature = "internals"))]
pub use training::{Candidate, TrainingRow, candidates, story_features, training_rows};

/// Stories of a report; what tells more is a collection of them.
pub const STORIES_MAX: usize = 20;

/// Figures of a story.
const METRICS_MAX: usize = 10;

/// Bytes of the sentence that opens a story: a longer one is no hook.
const HOOK_BYTES_MAX: usize = 240;

/// A story and where the report tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundStory {
    pub story: Story,
    /// Page on which it begins, from 1.
    pub page: u32,
    /// Numbers of the passages that it stands in, from the first to the one behind the last.
    pub passages: Range<usize>,
}

/// The stories of a report, in its order, at most [`STORIES_MAX`]. Time is linear in the text, and
/// `draft::EMBEDDED_MAX` bounds the sentences that are embedded.
///
/// # Errors
/// Where the embedded sentence model is damaged.
pub fn stories(
    passages: &[Passage],
    publication: &Publication<'_>,
) -> Result<Vec<FoundStory>, Arc<Error>> {
    let sections = sections(passages);
    let small = small_words(&sections);
    let report = Report { passages, sections: &sections, small: &small, publication };
    let drafts = drafts(&sections, read(&sections, &small)?, &small);
    let found = drafts.iter().filter_map(|draft| report.story(draft));
    Ok(found.take(STORIES_MAX).collect())
}

struct Report<'a> {
    passages: &'a [Passage],
    sections: &'a [Section<'a>],
    small: &'a HashSet<String>,
    publication: &'a Publication<'a>,
}

impl Report<'_> {
    /// The story of a draft; `None` where it names nobody or is likely to be none.
    fn story(&self, draft: &Draft<'_>) -> Option<FoundStory> {
        let protagonist = draft.protagonist.as_ref()?;
        let model = StoryModel::shared();
        let probability = model.story_probability(evidence(draft), &protagonist.evidence)?;
        let (first, last) = (draft.parts.first()?.sentence, draft.parts.last()?.sentence);
        let quote = quote::quote(draft, self.passages, self.small);
        let hook = members::unquoted(first.text);
        let Publication { ein, year, published, .. } = self.publication;
        let page = self.passages[first.passage].page;
        let mut story = Story {
            story_id: identifier(self.publication, first.text),
            ein: *ein,
            story_title: members::title(draft),
            emotional_hook: (hook.len() <= HOOK_BYTES_MAX).then(|| hook.to_owned()),
            full_quote: quote.as_ref().map(|quote| quote.text.clone()),
            quote_attribution: quote.and_then(|quote| quote.by),
            protagonist: Some(protagonist.name.clone()),
            before_state: members::extract(draft, Label::Before, self.passages),
            transformation_moment: members::extract(draft, Label::Turning, self.passages),
            after_state: members::extract(draft, Label::After, self.passages),
            time_to_impact: members::time(draft),
            obstacles_overcome: members::obstacles(draft),
            metrics: self.metrics(draft),
            ripple_effect: members::ripple(draft),
            call_to_action: members::request(self.sections).map(str::to_owned),
            story_category: None,
            identity_alignment: None,
            date_extracted: *published,
            source_url: self.publication.url_of_page(page),
            report_year: Some(*year),
            power_score: None,
            confidence_score: Some((f64::from(probability) * 100.0).round() / 100.0),
        };
        story.power_score = Some(power(&story));
        Some(FoundStory { story, page, passages: first.passage..last.passage + 1 })
    }

    fn metrics(&self, draft: &Draft<'_>) -> Vec<StoryMetric> {
        let sentences = draft.parts.iter().map(|part| part.sentence.text);
        let found = sentences.flat_map(|text| impact::figures_of(text, self.publication));
        found.take(METRICS_MAX).map(of_story).collect()
    }
}

fn of_story(metric: Metric) -> StoryMetric {
    let Metric { metric_id, metric_text, metric_type, metric_value, unit, .. } = metric;
    let Metric { geo_impact, time_aggregation, .. } = metric;
    let metric_id = Some(metric_id);
    StoryMetric {
        metric_id,
        metric_text,
        metric_type,
        metric_value,
        unit,
        geo_impact,
        time_aggregation,
    }
}

/// Names a story: the same as long as the report opens it with the same sentence.
fn identifier(publication: &Publication<'_>, first: &str) -> String {
    let named = format!("{}\u{1f}{}\u{1f}{first}", publication.ein, publication.edition);
    format!("s{:016x}", xxh3_64(named.as_bytes()))
}

/// How much of a story there is, 0 to 10: the sum of what each member that is given counts.
fn power(story: &Story) -> f64 {
    let members = [
        (story.protagonist.is_some(), 1.5),
        (story.before_state.is_some(), 1.5),
        (story.transformation_moment.is_some(), 1.5),
        (story.after_state.is_some(), 2.0),
        (story.full_quote.is_some(), 1.5),
        (!story.obstacles_overcome.is_empty(), 1.0),
        (story.time_to_impact.is_some(), 0.5),
        (!story.metrics.is_empty(), 0.5),
    ];
    members.iter().filter(|(given, _)| *given).map(|(_, points)| points).sum()
}
