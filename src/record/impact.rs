//! Impact: stories of how a nonprofit changed something, and figures that it reports. Texts are `None` where
//! nothing is known, never empty.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ein, Timestamp, named};

/// A figure that a nonprofit reports.
#[derive(Debug, Clone, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Metric {
    /// Identifier of the figure; it stays the same as long as its source does.
    pub metric_id: String,
    /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
    pub ein: Ein,
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
    /// That time in the words of the source, such as `since 1992`; null where it is not given.
    pub time_aggregation_text: Option<String>,
    /// The sentence that states the figure; null where it is not given.
    pub source_snippet: Option<String>,
    /// Address where it can be read; null where it is not known.
    pub url: Option<String>,
    /// Year that the figure is about; null where it is not known.
    pub report_year: Option<i32>,
    /// When it was reported, an RFC 3339 time in UTC or a date; null where it is not known.
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

/// A story.
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
