//! The kinds of lines: which keys each has, which it must have, and what each key holds.

use serde_json::Value;

use super::Item;
use super::classify::{Signals, classify};
use super::markup;
use super::object::{Object, Wrong};
use crate::record::{
    Article, Classification, Fund, Knowledge, Metric, OrgSize, Overlay, Post, Sdg, SdgSet, Story,
    StoryMetric, named,
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
    }
}

/// Any number.
const ANY: std::ops::RangeInclusive<f64> = f64::MIN..=f64::MAX;

/// Reads a line's object; what it leaves in there are the keys that are not known.
///
/// # Errors
/// The first key that is not what it has to be.
pub(super) fn item(object: &mut Object) -> Result<Item, Wrong> {
    const EXPECTED: &str = "story, metric, post, article, knowledge, fund or overlay";
    let name = object.required("kind")?;
    let kind = LineKind::named(&name).ok_or_else(|| Wrong::new("kind", EXPECTED, &name))?;
    Ok(match kind {
        LineKind::Story => Item::Story(Box::new(story(object)?)),
        LineKind::Metric => Item::Metric(Box::new(metric(object)?)),
        LineKind::Post => Item::Post(Box::new(post(object)?)),
        LineKind::Article => Item::Article(Box::new(article(object)?)),
        LineKind::Knowledge => Item::Knowledge(Box::new(knowledge(object)?)),
        LineKind::Fund => Item::Fund(Box::new(fund(object)?)),
        LineKind::Overlay => Item::Overlay(Box::new(overlay(object)?)),
    })
}

fn story(object: &mut Object) -> Result<Story, Wrong> {
    // The record of the organization has it.
    object.ignore("organization_name");
    let mut metrics = Vec::new();
    Ok(Story {
        story_id: object.id("story_id")?,
        ein: object.ein("ein")?,
        story_title: object.required("story_title")?,
        emotional_hook: object.text("emotional_hook")?,
        full_quote: object.text("full_quote")?,
        quote_attribution: object.text("quote_attribution")?,
        protagonist: object.text("protagonist")?,
        before_state: object.text("before_state")?,
        transformation_moment: object.text("transformation_moment")?,
        after_state: object.text("after_state")?,
        time_to_impact: object.text("time_to_impact")?,
        obstacles_overcome: object.texts("obstacles_overcome")?,
        metrics: {
            for mut metric in object.objects("metrics")? {
                metrics.push(story_metric(&mut metric)?);
                object.leave(&metric);
            }
            metrics
        },
        ripple_effect: object.text("ripple_effect")?,
        call_to_action: object.text("call_to_action")?,
        story_category: object.text("story_category")?,
        identity_alignment: object.text("identity_alignment")?,
        date_extracted: object.moment("date_extracted")?,
        source_url: object.address("source_url")?,
        report_year: object.year("report_year")?,
        power_score: object.number("power_score", 0.0..=10.0, "a number from 0 to 10")?,
        confidence_score: object.number("confidence_score", ANY, "a number")?,
    })
}

fn story_metric(object: &mut Object) -> Result<StoryMetric, Wrong> {
    Ok(StoryMetric {
        metric_id: object.text("metric_id")?,
        metric_text: object.text("metric_text")?,
        metric_type: object.text("metric_type")?,
        metric_value: object.number("metric_value", ANY, "a number without quotes")?,
        unit: object.text("unit")?,
        geo_impact: object.text("geo_impact")?,
        time_aggregation: object.text("time_aggregation")?,
    })
}

fn metric(object: &mut Object) -> Result<Metric, Wrong> {
    Ok(Metric {
        metric_id: object.id("metric_id")?,
        ein: object.ein("ein")?,
        metric_text: Some(object.required("metric_text")?),
        metric_type: object.text("metric_type")?,
        metric_value: object.number("metric_value", ANY, "a number without quotes")?,
        unit: object.text("unit")?,
        geo_impact: object.text("geo_impact")?,
        time_aggregation: object.text("time_aggregation")?,
        time_aggregation_text: object.text("time_aggregation_text")?,
        source_snippet: object.text("source_snippet")?,
        url: object.address("url")?,
        report_year: object.year("report_year")?,
        date_added: object.moment("date_added")?,
    })
}

fn post(object: &mut Object) -> Result<Post, Wrong> {
    const EXPECTED: &str = "article, video, event, podcast, job_posting or volunteer_opportunity";
    // The record of the organization has them.
    for key in ["organization_name", "organization_city", "organization_state"] {
        object.ignore(key);
    }
    let named = |name: String| {
        Classification::named(&name)
            .ok_or_else(|| Wrong::new("post_classification", EXPECTED, &name))
    };
    let mut post = Post {
        post_id: object.id("post_id")?,
        organization_ein: object.ein("organization_ein")?,
        post_title: object.required("post_title")?,
        post_classification: object.text("post_classification")?.map(named).transpose()?,
        post_description: object.text("post_description")?.and_then(plain),
        post_content: object.text("post_content")?.and_then(plain),
        post_url: object.address("post_url")?,
        post_published_date: object.moment("post_published_date")?,
        post_author: object.text("post_author")?,
        post_categories: object.texts("post_categories")?,
        post_tags: object.texts("post_tags")?,
    };
    if let Some(title) = plain(post.post_title.clone()) {
        post.post_title = title;
    }
    if post.post_classification.is_none() {
        post.post_classification = Some(classify(&Signals::of_post(&post)));
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

fn article(object: &mut Object) -> Result<Article, Wrong> {
    Ok(Article {
        id: object.number_id("id")?,
        title: object.required("title")?,
        excerpt: object.text("excerpt")?,
        url: object.address("url")?,
        publisher: object.text("publisher")?,
        is_gc_original: object.truth("is_gc_original")?,
        date_added: object.moment("date_added")?,
        date_modified: object.moment("date_modified")?,
        evergreen: object.truth("evergreen")?,
        text: object.text("text")?,
    })
}

fn knowledge(object: &mut Object) -> Result<Knowledge, Wrong> {
    Ok(Knowledge {
        article_id: object.id("article_id")?,
        title: object.required("title")?,
        url: object.address("url")?,
        content: object.required("content")?,
        date_added: object.moment("date_added")?,
        questions: object.texts("questions")?,
    })
}

fn fund(object: &mut Object) -> Result<Fund, Wrong> {
    Ok(Fund {
        id: object.number_id("id")?,
        title: object.required("title")?,
        content: object.text("content")?,
        purpose: object.text("purpose")?,
        sponsor: object.text("sponsor")?,
        about_sponsor: object.text("about_sponsor")?,
        fund_url: object.address("fund_url")?,
        fund_sponsor_url: object.address("fund_sponsor_url")?,
        fund_minimum_investment: object.text("fund_minimum_investment")?,
        gc_medium_image: object.address("gc_medium_image")?,
        website: object.address("website")?,
        logo: object.address("logo")?,
        ein: object.optional_ein("ein")?,
        r#type: object.text("type")?,
        address: object.json("address")?,
        category: object.json("category")?,
    })
}

fn overlay(object: &mut Object) -> Result<Overlay, Wrong> {
    let named = |name: String| {
        OrgSize::named(&name)
            .ok_or_else(|| Wrong::new("cnSize", "Small, Medium, Large or Super-Size", &name))
    };
    Ok(Overlay {
        ein: object.ein("ein")?,
        vetted: object.truth("gcVetted")?,
        logo: object.address("logo")?,
        video_url: object.address("gcVideoUrl")?,
        donation_url: object.address("gcDonationUrl")?,
        impact_summary: object.text("impactSummary")?,
        score: object.number("cnScore", 0.0..=100.0, "a number from 0 to 100")?.map(|n| n as f32),
        rating: object.number("cnRating", 0.0..=4.0, "a number from 0 to 4")?.map(|n| n as f32),
        size: object.text("cnSize")?.map(named).transpose()?,
        sdgs: goals(object)?,
        summary: object.text("summary")?,
        url: object.address("url")?,
        alt_name: object.text("alt_name")?,
    })
}

/// The goals; an empty list says that there are none, an absent one nothing.
fn goals(object: &mut Object) -> Result<Option<SdgSet>, Wrong> {
    const EXPECTED: &str = "a list of goals, whole numbers from 1 to 17";
    let Some(values) = object.list("sdgs")? else { return Ok(None) };
    let goal = |value: &Value| {
        let goal = value.as_i64().and_then(|number| Sdg::new(number).ok());
        goal.ok_or_else(|| Wrong::new("sdgs", EXPECTED, &value.to_string()))
    };
    values.iter().map(goal).collect::<Result<SdgSet, Wrong>>().map(Some)
}
