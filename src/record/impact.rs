//! Impact: stories of how a nonprofit changed something, and figures that it reports.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ein, Timestamp, named};

/// A figure that a nonprofit reports. Texts are `None` where nothing is known, never empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Names it; stays the same as long as what it was taken from does.
    pub metric_id: String,
    /// Of the nonprofit.
    pub ein: Ein,
    /// What was counted, in the source's words: `served 1,245 students`.
    pub metric_text: Option<String>,
    /// Kind of thing counted, in lower case: `students`, `volunteer hours`.
    pub metric_type: Option<String>,
    /// How much; finite.
    pub metric_value: Option<f64>,
    /// What it is counted in: `students`, `pounds`, `hours`.
    pub unit: Option<String>,
    /// Where, when the source names a place.
    pub geo_impact: Option<String>,
    /// Over which time: one of [`TimeAggregation`]'s names, or what a curated source calls it.
    pub time_aggregation: Option<String>,
    /// That, in the source's words: `since 1992`.
    pub time_aggregation_text: Option<String>,
    /// The sentence.
    pub source_snippet: Option<String>,
    /// Where it can be read.
    pub url: Option<String>,
    /// The year that it is about.
    pub report_year: Option<i32>,
    /// When it was reported.
    pub date_added: Option<Timestamp>,
}

named! {
    /// Over which time a figure adds up.
    TimeAggregation {
        Daily = "daily",
        Weekly = "weekly",
        Monthly = "monthly",
        Annual = "annual",
        /// Since some year, or ever.
        Cumulative = "cumulative",
    }
}

/// A story. Texts are `None` where nothing is known, never empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Story {
    /// Names it.
    pub story_id: String,
    /// Of the nonprofit.
    pub ein: Ein,
    pub story_title: String,
    pub emotional_hook: Option<String>,
    pub full_quote: Option<String>,
    pub quote_attribution: Option<String>,
    pub protagonist: Option<String>,
    pub before_state: Option<String>,
    pub transformation_moment: Option<String>,
    pub after_state: Option<String>,
    pub time_to_impact: Option<String>,
    pub obstacles_overcome: Vec<String>,
    pub metrics: Vec<StoryMetric>,
    pub ripple_effect: Option<String>,
    pub call_to_action: Option<String>,
    pub story_category: Option<String>,
    pub identity_alignment: Option<String>,
    pub date_extracted: Option<Timestamp>,
    pub source_url: Option<String>,
    pub report_year: Option<i32>,
    /// 0 to 10.
    pub power_score: Option<f64>,
    /// Finite.
    pub confidence_score: Option<f64>,
}

/// A figure within a story.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct StoryMetric {
    /// Identifier of the figure; null where it has none.
    pub metric_id: Option<String>,
    /// What was counted, in the words of the source, such as `served 1,245 students`; null where
    /// it is not given.
    pub metric_text: Option<String>,
    /// Kind of thing counted, such as `volunteer hours`; null where it is not given.
    pub metric_type: Option<String>,
    /// The number, in `unit`; null where it is not given.
    pub metric_value: Option<f64>,
    /// What `metric_value` is counted in, such as `pounds`; null where it is not given.
    pub unit: Option<String>,
    /// Place that the figure is about; null where the source names none.
    pub geo_impact: Option<String>,
    /// Time over which the figure adds up, such as `annual` or `cumulative`; null where it is not
    /// given.
    pub time_aggregation: Option<String>,
}
