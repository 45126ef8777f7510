//! What nonprofits publish.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ein, Timestamp, named};

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
