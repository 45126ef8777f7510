//! What chat answers from beside nonprofits: articles, a knowledge base, funds.

use serde::{Deserialize, Serialize};

use super::{Ein, Timestamp};

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
