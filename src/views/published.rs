//! What nonprofits and the operator publish: stories, posts and articles.

use super::view;
use crate::record::{self, Classification, Ein, State, StoryMetric, Timestamp};
use crate::search::feed::FeedPost;
use crate::search::stories::FeedStory;

view! {
    /// A story of how a nonprofit changed something.
    #[schemars(rename = "Story")]
    pub struct StoryRow of |row: FeedStory| {
        let FeedStory { story, organization_name } = row;

        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = story.ein,
        /// Legal name of the nonprofit in title case.
        organization_name: String = organization_name,
        /// Title of the story.
        story_title: String = story.story_title,
        /// Identifier of the story.
        story_id: String = story.story_id,
        /// A sentence that draws the reader in, from the curated record; null where it is not given.
        emotional_hook: Option<String> = story.emotional_hook,
        /// Words of somebody in the story, from the curated record; null where it is not given.
        full_quote: Option<String> = story.full_quote,
        /// Whose words they are, from the curated record; null where it is not given.
        quote_attribution: Option<String> = story.quote_attribution,
        /// The subject of the story, from the curated record; null where it is not given.
        protagonist: Option<String> = story.protagonist,
        /// How it was before, from the curated record; null where it is not given.
        before_state: Option<String> = story.before_state,
        /// What changed it, from the curated record; null where it is not given.
        transformation_moment: Option<String> = story.transformation_moment,
        /// How it was afterwards, from the curated record; null where it is not given.
        after_state: Option<String> = story.after_state,
        /// How long the change took, in words, from the curated record; null where it is not given.
        time_to_impact: Option<String> = story.time_to_impact,
        /// What stood in the way, from the curated record; empty where nothing is given.
        obstacles_overcome: Vec<String> = story.obstacles_overcome,
        /// Figures within the story; empty where there are none.
        metrics: Vec<StoryMetric> = story.metrics,
        /// What followed for others, from the curated record; null where it is not given.
        ripple_effect: Option<String> = story.ripple_effect,
        /// What the reader is asked to do, from the curated record; null where it is not given.
        call_to_action: Option<String> = story.call_to_action,
        /// Category of the story, from the curated record; null where it is not given.
        story_category: Option<String> = story.story_category,
        /// The readers that the story is meant to resonate with, from the curated record; null where it
        /// is not given.
        identity_alignment: Option<String> = story.identity_alignment,
        /// When the story was taken from its source, an RFC 3339 time in UTC or a date, from the
        /// curated record; null where it is not given.
        date_extracted: Option<Timestamp> = story.date_extracted,
        /// Address of the source of the story, from the curated record; null where it is not given.
        source_url: Option<String> = story.source_url,
        /// Year that the story is about, from the curated record; null where it is not given.
        report_year: Option<i32> = story.report_year,
        /// How strong the story is, 0 to 10, from the curated record; null where it is not given.
        power_score: Option<f64> = story.power_score,
        /// How certain the record is, in the unit of whoever made it, from the curated record; null
        /// where it is not given.
        confidence_score: Option<f64> = story.confidence_score,
    }
}

view! {
    /// A post that a nonprofit published, as plain text without markup.
    #[schemars(rename = "Post")]
    pub struct PostRow of |row: FeedPost| {
        let FeedPost { post, organization_name, organization_city, organization_state } = row;

        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        organization_ein: Ein = post.organization_ein,
        /// Title of the post.
        post_title: String = post.post_title,
        /// Legal name of the nonprofit in title case.
        organization_name: String = organization_name,
        /// City of the nonprofit in title case; null where it is not known.
        organization_city: Option<String> = organization_city,
        /// USPS code of the state or territory of the nonprofit; null abroad and where it is not
        /// known.
        organization_state: Option<State> = organization_state,
        /// Identifier of the post.
        post_id: String = post.post_id,
        /// Kind of post: as the source gives it, else as its words suggest; null where neither tells.
        post_classification: Option<Classification> = post.post_classification,
        /// Short description, from the feed or the curated record; null where it is not given.
        post_description: Option<String> = post.post_description,
        /// Text of the post, from the feed or the curated record; null where it is not given.
        post_content: Option<String> = post.post_content,
        /// Address of the post, from the feed or the curated record; null where it is not given.
        post_url: Option<String> = post.post_url,
        /// When it was published, an RFC 3339 time in UTC or a date, from the feed or the curated
        /// record; null where it is not given.
        post_published_date: Option<Timestamp> = post.post_published_date,
        /// Author, from the feed or the curated record; null where it is not given.
        post_author: Option<String> = post.post_author,
        /// Categories, from the feed or the curated record; empty where none are given.
        post_categories: Vec<String> = post.post_categories,
        /// Tags, from the feed or the curated record; empty where none are given.
        post_tags: Vec<String> = post.post_tags,
    }
}

view! {
    /// An article.
    pub struct Article<'a> of |article: &'a record::Article| {
        /// Number of the article, from the operator.
        id: i64 = article.id,
        /// Title, from the operator.
        title: &'a str = &article.title,
        /// A few sentences of it, from the operator; null where it is not given.
        excerpt: Option<&'a str> = article.excerpt.as_deref(),
        /// Address where it can be read, from the operator; null where it is not given.
        url: Option<&'a str> = article.url.as_deref(),
        /// Who published it, from the operator; null where it is not given.
        publisher: Option<&'a str> = article.publisher.as_deref(),
        /// Whether it is the operator's own, from the operator; null where it is not given.
        is_gc_original: Option<bool> = article.is_gc_original,
        /// When it was added, an RFC 3339 time in UTC or a date, from the operator; null where it is
        /// not given.
        date_added: Option<Timestamp> = article.date_added,
        /// When it was last changed, an RFC 3339 time in UTC or a date, from the operator; null where
        /// it is not given.
        date_modified: Option<Timestamp> = article.date_modified,
        /// Whether it stays of interest, from the operator; null where it is not given.
        evergreen: Option<bool> = article.evergreen,
    }
}
