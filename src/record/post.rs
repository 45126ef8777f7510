//! What nonprofits publish.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Ein, Moment};

/// What a post is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, JsonSchema, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Classification {
    Article,
    Video,
    Event,
    Podcast,
    JobPosting,
    VolunteerOpportunity,
}

impl Classification {
    /// Every one.
    pub const ALL: [Self; 6] = [
        Self::Article,
        Self::Video,
        Self::Event,
        Self::Podcast,
        Self::JobPosting,
        Self::VolunteerOpportunity,
    ];

    /// The name that the interface uses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Video => "video",
            Self::Event => "event",
            Self::Podcast => "podcast",
            Self::JobPosting => "job_posting",
            Self::VolunteerOpportunity => "volunteer_opportunity",
        }
    }

    /// The one of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
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
    pub post_published_date: Option<Moment>,
    pub post_author: Option<String>,
    pub post_categories: Vec<String>,
    pub post_tags: Vec<String>,
}
