//! What the chat answers. Every member is always there: those that an intent does not fill are empty
//! lists or null.

use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Builder;

use crate::http::articles::Article;
use crate::http::intent::{Spoken, arguments, given};
use crate::http::profile::Shown;
use crate::query::{Figure, Flag};
use crate::record::{self, Ein, State, Zip5};
use crate::search::chat::{self, Intent};

/// The answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer<'a> {
    message_id: String,
    message: &'a str,
    intent: &'static str,
    intent_details: Details<'a>,
    nonprofits: Vec<Shown<'a>>,
    articles: Vec<Article<'a>>,
    article: Option<ArticleText<'a>>,
    suggestions: Vec<Suggestion<'a>>,
    kb_sources: Vec<KnowledgeSource<'a>>,
    funds: Vec<Fund<'a>>,
}

/// How the message was understood.
#[derive(Debug, Serialize)]
struct Details<'a> {
    llm_response: Spoken,
    intent: &'static str,
    prompt: &'a str,
    cause: Option<&'a str>,
    city: Option<&'a str>,
    state: Option<State>,
    zip: Option<Zip5>,
    min_revenue: Option<f64>,
    max_revenue: Option<f64>,
    gc_vetted: Option<bool>,
    sdgs: Option<Vec<u8>>,
    ntee_codes: Option<&'a [String]>,
    organization_name: Option<&'a str>,
    organization_ein: Option<Ein>,
    keywords: Option<&'a str>,
    query: Option<&'a str>,
    article_id: Option<i64>,
}

#[derive(Debug, Serialize)]
struct ArticleText<'a> {
    id: i64,
    title: &'a str,
    url: Option<&'a str>,
    text: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Suggestion<'a> {
    label: &'a str,
    message: &'a str,
    url: Option<&'a str>,
    content_id: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct KnowledgeSource<'a> {
    article_id: &'a str,
    title: &'a str,
    url: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct Fund<'a> {
    id: i64,
    title: &'a str,
    content: Option<&'a str>,
    purpose: Option<&'a str>,
    sponsor: Option<&'a str>,
    about_sponsor: Option<&'a str>,
    fund_url: Option<&'a str>,
    fund_sponsor_url: Option<&'a str>,
    fund_minimum_investment: Option<&'a str>,
    gc_medium_image: Option<&'a str>,
    website: Option<&'a str>,
    logo: Option<&'a str>,
    ein: Option<Ein>,
    r#type: Option<&'a str>,
    address: Option<Value>,
    category: Option<Value>,
}

/// An identifier of chance, version 4; without a source of chance it is always the same.
fn message_id() -> String {
    let mut bytes = [0; 16];
    let _ = getrandom::fill(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid().to_string()
}

impl<'a> Answer<'a> {
    pub(super) fn of(prompt: &'a str, found: &'a chat::Answer) -> Self {
        Self {
            message_id: message_id(),
            message: &found.message,
            intent: found.intent.name(),
            intent_details: Details::of(prompt, found),
            nonprofits: found.nonprofits.iter().map(|row| Shown::of(&row.organization)).collect(),
            articles: found.articles.iter().map(Article::of).collect(),
            article: found.article.as_ref().map(ArticleText::of),
            suggestions: found.suggestions.iter().map(Suggestion::of).collect(),
            kb_sources: found.sources.iter().map(KnowledgeSource::of).collect(),
            funds: found.funds.iter().map(Fund::of).collect(),
        }
    }
}

impl<'a> Details<'a> {
    fn of(prompt: &'a str, found: &'a chat::Answer) -> Self {
        let frame = &found.frame;
        let goals = frame.goals();
        let named = found.named.as_ref();
        let ein = named.and_then(|named| named.ein);
        // Of a list of the like, the name says whom they are like; no row is it.
        let about_texts = matches!(found.intent, Intent::FindArticles | Intent::FindFunds);
        let topic = found.about.as_deref().filter(|_| about_texts);
        Self {
            llm_response: Spoken {
                function_name: found.intent.name(),
                arguments: said(found),
                message: match found.explained.is_empty() {
                    true => found.message.clone(),
                    false => found.explained.clone(),
                },
            },
            intent: found.intent.name(),
            prompt,
            cause: frame.cause.as_deref().or(topic),
            city: frame.city(),
            state: frame.state(),
            zip: frame.zip(),
            min_revenue: frame.ranges[Figure::Revenue].min,
            max_revenue: frame.ranges[Figure::Revenue].max,
            gc_vetted: frame.flags[Flag::Vetted],
            sdgs: (!goals.is_empty()).then_some(goals),
            ntee_codes: given(&frame.ntee),
            organization_name: named.and_then(|named| named.name.as_deref()),
            organization_ein: ein,
            keywords: topic,
            query: found.about.as_deref(),
            article_id: found.article_id,
        }
    }
}

/// What applies, under the names of the parameters.
fn said(found: &chat::Answer) -> Map<String, Value> {
    let mut all = arguments(&found.frame, None);
    let named = found.named.as_ref();
    for (name, value) in [
        ("organization_ein", json!(named.and_then(|named| named.ein))),
        ("article_id", json!(found.article_id)),
        ("query", json!(found.about)),
    ] {
        if !value.is_null() {
            all.insert(name.to_owned(), value);
        }
    }
    all
}

impl<'a> ArticleText<'a> {
    fn of(article: &'a record::Article) -> Self {
        let record::Article { id, title, url, text, .. } = article;
        Self { id: *id, title, url: url.as_deref(), text: text.as_deref() }
    }
}

impl<'a> Suggestion<'a> {
    fn of(suggestion: &'a chat::Suggestion) -> Self {
        Self {
            label: &suggestion.label,
            message: &suggestion.message,
            url: suggestion.url.as_deref(),
            content_id: suggestion.content_id.as_deref(),
        }
    }
}

impl<'a> KnowledgeSource<'a> {
    fn of(entry: &'a record::Knowledge) -> Self {
        Self { article_id: &entry.article_id, title: &entry.title, url: entry.url.as_deref() }
    }
}

impl<'a> Fund<'a> {
    fn of(fund: &'a record::Fund) -> Self {
        // They were objects when they were read.
        let object = |text: &Option<String>| {
            text.as_deref().and_then(|text| serde_json::from_str(text).ok())
        };
        Self {
            id: fund.id,
            title: &fund.title,
            content: fund.content.as_deref(),
            purpose: fund.purpose.as_deref(),
            sponsor: fund.sponsor.as_deref(),
            about_sponsor: fund.about_sponsor.as_deref(),
            fund_url: fund.fund_url.as_deref(),
            fund_sponsor_url: fund.fund_sponsor_url.as_deref(),
            fund_minimum_investment: fund.fund_minimum_investment.as_deref(),
            gc_medium_image: fund.gc_medium_image.as_deref(),
            website: fund.website.as_deref(),
            logo: fund.logo.as_deref(),
            ein: fund.ein,
            r#type: fund.r#type.as_deref(),
            address: object(&fund.address),
            category: object(&fund.category),
        }
    }
}
