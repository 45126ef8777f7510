//! The kinds of lines: which keys each has, which it must have, and what each key holds.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::classify::{Enclosed, classify};
use super::object::Object;
use super::{Item, RecordError, markup};
use crate::record::{
    Article, Classification, Fund, Knowledge, Metric, OrgSize, Overlay, Post, Sdg, SdgSet, Story,
    StoryMetric, Withdrawal, named,
};

named! {
    /// What `kind` may be.
    LineKind {
        Story = "story",
        Metric = "metric",
        Post = "post",
        Article = "article",
        Knowledge = "knowledge",
        Fund = "fund",
        Overlay = "overlay",
        Withdrawal = "withdrawal",
    }
}

/// Any number.
const ANY: RangeInclusive<f64> = f64::MIN..=f64::MAX;

/// What is expected of the classification of a post.
const CLASSIFICATIONS: &str =
    "article, video, event, podcast, job_posting or volunteer_opportunity";

/// A record of an object: its fields by the rules that read them, methods of [`Object`], in the order in
/// which faults are looked for. A field has the key of its name, or the one that stands behind it.
macro_rules! record {
    ($object:ident, $record:ident {
        $($rule:ident $more:tt: $($field:ident $(= $key:literal)?),+;)+
    }) => {
        $record {$($(
            $field: record!(@read $object.$rule, record!(@key $field $($key)?), $more),
        )+)+}
    };
    (@read $object:ident.$rule:ident, $key:expr, ($($more:expr),*)) => {
        $object.$rule($key, $($more),*)?
    };
    (@key $field:ident) => { stringify!($field) };
    (@key $field:ident $key:literal) => { $key };
}

/// Reads a line's object; what it leaves in there are the keys that are not known.
///
/// # Errors
/// The first key that is not what it has to be.
pub(super) fn item(object: &mut Object) -> Result<Item, RecordError> {
    const EXPECTED: &str = "story, metric, post, article, knowledge, fund, overlay or withdrawal";
    let name = object.required("kind")?;
    let kind = LineKind::named(&name).ok_or_else(|| RecordError::new("kind", EXPECTED, &name))?;
    Ok(match kind {
        LineKind::Story => Item::Story(Box::new(story(object)?)),
        LineKind::Metric => Item::Metric(Box::new(record!(object, Metric {
            id(): metric_id;
            ein(): ein;
            required_text(): metric_text;
            text(): metric_type;
            number(ANY, "a number without quotes"): metric_value;
            text(): unit, geo_impact, time_aggregation, time_aggregation_text, source_snippet;
            address(): url;
            year(): report_year;
            moment(): date_added;
        }))),
        LineKind::Post => Item::Post(Box::new(post(object)?)),
        LineKind::Article => Item::Article(Box::new(record!(object, Article {
            number_id(): id;
            required(): title;
            text(): excerpt;
            address(): url;
            text(): publisher;
            truth(): is_gc_original;
            moment(): date_added, date_modified;
            truth(): evergreen;
            text(): text;
        }))),
        LineKind::Knowledge => Item::Knowledge(Box::new(record!(object, Knowledge {
            id(): article_id;
            required(): title;
            address(): url;
            required(): content;
            moment(): date_added;
            texts(): questions;
        }))),
        LineKind::Fund => Item::Fund(Box::new(record!(object, Fund {
            number_id(): id;
            required(): title;
            text(): content, purpose, sponsor, about_sponsor;
            address(): fund_url, fund_sponsor_url;
            text(): fund_minimum_investment;
            address(): gc_medium_image, website, logo;
            optional_ein(): ein;
            text(): r#type = "type";
            json(): address, category;
        }))),
        LineKind::Overlay => Item::Overlay(Box::new(record!(object, Overlay {
            ein(): ein;
            truth(): vetted = "gcVetted";
            address(): logo, video_url = "gcVideoUrl", donation_url = "gcDonationUrl";
            text(): impact_summary = "impactSummary";
            score(0.0..=100.0, "a number from 0 to 100"): score = "cnScore";
            score(0.0..=4.0, "a number from 0 to 4"): rating = "cnRating";
            parse("Small, Medium, Large or Super-Size", OrgSize::named): size = "cnSize";
            goals(): sdgs;
            text(): summary;
            address(): url;
            text(): alt_name;
        }))),
        LineKind::Withdrawal => Item::Withdrawal(record!(object, Withdrawal {
            id(): id;
            ein(): ein;
        })),
    })
}

fn story(object: &mut Object) -> Result<Story, RecordError> {
    // The record of the organization has it.
    object.take("organization_name");
    Ok(record!(object, Story {
        id(): story_id;
        ein(): ein;
        required(): story_title;
        text(): emotional_hook, full_quote, quote_attribution, protagonist, before_state,
            transformation_moment, after_state, time_to_impact;
        texts(): obstacles_overcome;
        metrics(): metrics;
        text(): ripple_effect, call_to_action, story_category, identity_alignment;
        moment(): date_extracted;
        address(): source_url;
        year(): report_year;
        number(0.0..=10.0, "a number from 0 to 10"): power_score;
        number(ANY, "a number"): confidence_score;
    }))
}

fn post(object: &mut Object) -> Result<Post, RecordError> {
    // The record of the organization has them.
    for key in ["organization_name", "organization_city", "organization_state"] {
        object.take(key);
    }
    let mut post = record!(object, Post {
        id(): post_id;
        ein(): organization_ein;
        required(): post_title;
        parse(CLASSIFICATIONS, Classification::named): post_classification;
        plain(): post_description, post_content;
        address(): post_url;
        moment(): post_published_date;
        text(): post_author;
        texts(): post_categories, post_tags;
    });
    if let Some(title) = plain(post.post_title.clone()) {
        post.post_title = title;
    }
    if post.post_classification.is_none() {
        post.post_classification = Some(classify(&post, Enclosed::default()));
    }
    Ok(post)
}

/// The text without markup; `None` when there was nothing else.
fn plain(text: String) -> Option<String> {
    if !markup::is_markup(&text) {
        return Some(text);
    }
    Some(markup::reduce(&text)).filter(|reduced| !reduced.is_empty())
}

/// Rules of single keys.
impl Object {
    fn required_text(&mut self, key: &str) -> Result<Option<String>, RecordError> {
        self.required(key).map(Some)
    }

    fn plain(&mut self, key: &str) -> Result<Option<String>, RecordError> {
        Ok(self.text(key)?.and_then(plain))
    }

    /// A number within bounds, as overlays keep it.
    fn score(
        &mut self,
        key: &str,
        range: RangeInclusive<f64>,
        expected: &'static str,
    ) -> Result<Option<f32>, RecordError> {
        Ok(self.number(key, range, expected)?.map(|score| score as f32))
    }

    /// The goals; an empty list says that there are none, an absent one nothing.
    fn goals(&mut self, key: &str) -> Result<Option<SdgSet>, RecordError> {
        const EXPECTED: &str = "a list of goals, whole numbers from 1 to 17";
        let Some(values) = self.list(key)? else { return Ok(None) };
        let goal = |value: &Value| {
            let goal = value.as_i64().and_then(|number| Sdg::new(number).ok());
            goal.ok_or_else(|| RecordError::new(key, EXPECTED, &value.to_string()))
        };
        values.iter().map(goal).collect::<Result<SdgSet, RecordError>>().map(Some)
    }

    fn metrics(&mut self, key: &'static str) -> Result<Vec<StoryMetric>, RecordError> {
        let mut metrics = Vec::new();
        for mut object in self.objects(key)? {
            metrics.push(record!(object, StoryMetric {
                text(): metric_id, metric_text, metric_type;
                number(ANY, "a number without quotes"): metric_value;
                text(): unit, geo_impact, time_aggregation;
            }));
            self.leave(&object);
        }
        Ok(metrics)
    }
}
