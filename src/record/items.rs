//! What there is beside organizations: stories, metrics and posts of nonprofits, and the articles, knowledge and funds
//! that chat answers from. Texts are `None` where nothing is known, never empty.

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

named! {
    /// What a post is.
    #[derive(PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[schemars(inline)]
    Classification {
        Article = "article",
        Video = "video",
        Event = "event",
        Podcast = "podcast",
        JobPosting = "job_posting",
        VolunteerOpportunity = "volunteer_opportunity",
    }
}

/// A post. Texts are plain, without markup, and `None` where nothing is known, never empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// Names it.
    pub post_id: String,
    /// EIN of the nonprofit.
    pub organization_ein: Ein,
    pub post_title: String,
    pub post_classification: Option<Classification>,
    pub post_description: Option<String>,
    pub post_content: Option<String>,
    pub post_url: Option<String>,
    pub post_published_date: Option<Timestamp>,
    pub post_author: Option<String>,
    pub post_categories: Vec<String>,
    pub post_tags: Vec<String>,
}

/// A story, metric or post that the operator takes back: neither a report nor a later line brings it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// Of the nonprofit.
    pub ein: Ein,
    /// Its identifier.
    pub id: String,
}

/// An article.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Article {
    pub id: i64,
    pub title: String,
    pub excerpt: Option<String>,
    pub url: Option<String>,
    pub publisher: Option<String>,
    pub is_gc_original: Option<bool>,
    pub date_added: Option<Timestamp>,
    pub date_modified: Option<Timestamp>,
    pub evergreen: Option<bool>,
    pub text: Option<String>,
}

/// An entry of the knowledge base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Knowledge {
    pub article_id: String,
    pub title: String,
    pub url: Option<String>,
    pub content: String,
    pub date_added: Option<Timestamp>,
    /// Other ways to ask what the title asks.
    pub questions: Vec<String>,
}

/// A fund.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fund {
    pub id: i64,
    pub title: String,
    pub content: Option<String>,
    pub purpose: Option<String>,
    pub sponsor: Option<String>,
    pub about_sponsor: Option<String>,
    pub fund_url: Option<String>,
    pub fund_sponsor_url: Option<String>,
    pub fund_minimum_investment: Option<String>,
    pub gc_medium_image: Option<String>,
    pub website: Option<String>,
    pub logo: Option<String>,
    pub ein: Option<Ein>,
    pub r#type: Option<String>,
    /// A JSON object, as text.
    pub address: Option<String>,
    /// A JSON object, as text.
    pub category: Option<String>,
}
