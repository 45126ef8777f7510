//! What the chat answers. Every member is always there: those that an intent does not fill are empty
//! lists or null.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Builder;

use crate::http::interface::interpretation::{InterpretationSummary, arguments, given};
use crate::query::{Figure, Flag};
use crate::record::{self, Ein, State, Zip5};
use crate::search::chat::{self, Intent, Suggestion};
use crate::views::{Article, ChatNonprofit};

/// The answer to a message.
#[derive(Debug, JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Chat")]
pub(super) struct Answer<'a> {
    /// UUID of this answer, version 4.
    message_id: String,
    /// The answer in one or two sentences.
    message: &'a str,
    /// What the message asked for, such as `find_nonprofits`.
    intent: &'static str,
    /// How the message was understood.
    intent_details: Details<'a>,
    /// Nonprofits, best match first; empty where the intent has none.
    nonprofits: Vec<ChatNonprofit<'a>>,
    /// Articles, best match first; empty where the intent has none.
    articles: Vec<Article<'a>>,
    /// The article that was asked for, in full; null where none was.
    article: Option<ArticleText<'a>>,
    /// What could be asked next; empty where the intent has none.
    suggestions: &'a [Suggestion],
    /// Entries of the knowledge base that the answer is from; empty where the intent has none.
    kb_sources: Vec<KnowledgeSource<'a>>,
    /// Funds, best match first; empty where the intent has none.
    funds: Vec<Fund<'a>>,
}

/// How the message was understood.
#[derive(Debug, JsonSchema, Serialize)]
#[schemars(rename = "ChatIntent")]
struct Details<'a> {
    /// What the interpreter decided.
    llm_response: InterpretationSummary,
    /// What the message asked for, as `intent` of the answer.
    intent: &'static str,
    /// The message as it was sent.
    prompt: &'a str,
    /// What the nonprofits, articles or funds should be about, in the words that were asked with;
    /// null where nothing was.
    cause: Option<&'a str>,
    /// City that was asked for, by the words or by a parameter; null where none was.
    city: Option<&'a str>,
    /// USPS code of the one state that was asked for, by the words or by a parameter; null where
    /// none was.
    state: Option<State>,
    /// ZIP code of five digits that was asked for, by the words or by a parameter; null where none
    /// was.
    zip: Option<Zip5>,
    /// Least total revenue in US dollars that was asked for, by the words or by a parameter; null
    /// where none was.
    min_revenue: Option<f64>,
    /// Most total revenue in US dollars that was asked for, by the words or by a parameter; null
    /// where none was.
    max_revenue: Option<f64>,
    /// Whether only nonprofits that the operator vetted were asked for, or only others; null where
    /// neither was.
    gc_vetted: Option<bool>,
    /// Sustainable Development Goals, 1 to 17, that were asked for, by the words or by a
    /// parameter; null where none were.
    #[schemars(with = "Option<crate::record::SdgSet>")]
    sdgs: Option<Vec<u8>>,
    /// Beginnings of NTEE codes that were asked for; null where none were.
    ntee_codes: Option<&'a [String]>,
    /// Name of a nonprofit that was named or referred to; null where none was.
    organization_name: Option<&'a str>,
    /// EIN of the one nonprofit that was named or asked for; null where none was or the name is
    /// not unique.
    organization_ein: Option<Ein>,
    /// What articles or funds should be about; null for other intents.
    keywords: Option<&'a str>,
    /// The words that were searched with; null where none were.
    query: Option<&'a str>,
    /// Number of the article that was asked for; null where none was.
    article_id: Option<i64>,
}

/// An article in full.
#[derive(Debug, JsonSchema, Serialize)]
struct ArticleText<'a> {
    /// Number of the article, from the operator.
    id: i64,
    /// Title, from the operator.
    title: &'a str,
    /// Address where it can be read, from the operator; null where it is not given.
    url: Option<&'a str>,
    /// Its text, from the operator; null where it is not given.
    text: Option<&'a str>,
}

/// An entry of the knowledge base that an answer is from.
#[derive(Debug, JsonSchema, Serialize)]
struct KnowledgeSource<'a> {
    /// Identifier of the entry, from the operator.
    article_id: &'a str,
    /// Title, from the operator.
    title: &'a str,
    /// Address where it can be read, from the operator; null where it is not given.
    url: Option<&'a str>,
}

/// A fund.
#[derive(Debug, JsonSchema, Serialize)]
struct Fund<'a> {
    /// Number of the fund, from the operator.
    id: i64,
    /// Name of the fund, from the operator.
    title: &'a str,
    /// Description, from the operator; null where it is not given.
    content: Option<&'a str>,
    /// What it is for, from the operator; null where it is not given.
    purpose: Option<&'a str>,
    /// Who sponsors it, from the operator; null where it is not given.
    sponsor: Option<&'a str>,
    /// Description of the sponsor, from the operator; null where it is not given.
    about_sponsor: Option<&'a str>,
    /// Address of the page of the fund, from the operator; null where it is not given.
    fund_url: Option<&'a str>,
    /// Address of the page of the sponsor, from the operator; null where it is not given.
    fund_sponsor_url: Option<&'a str>,
    /// Least amount to invest, in the words of the operator, from the operator; null where it is
    /// not given.
    fund_minimum_investment: Option<&'a str>,
    /// Address of a picture of medium size, from the operator; null where it is not given.
    gc_medium_image: Option<&'a str>,
    /// Address of the website, from the operator; null where it is not given.
    website: Option<&'a str>,
    /// Address of the logo, from the operator; null where it is not given.
    logo: Option<&'a str>,
    /// Employer Identification Number of the fund or its sponsor: nine digits, from the operator;
    /// null where it is not given.
    ein: Option<Ein>,
    /// Type of fund, from the operator; null where it is not given.
    r#type: Option<&'a str>,
    /// Address of the fund, an object as the operator gives it; null where it is not given.
    #[schemars(with = "Option<Map<String, Value>>")]
    address: Option<Value>,
    /// Category, an object as the operator gives it; null where it is not given.
    #[schemars(with = "Option<Map<String, Value>>")]
    category: Option<Value>,
}

/// An identifier of chance, version 4; without a source of chance it is always the same.
fn message_id() -> String {
    let mut bytes = [0; 16];
    let _ = getrandom::fill(&mut bytes);
    Builder::from_random_bytes(bytes).into_uuid().to_string()
}

impl<'a> Answer<'a> {
    pub(super) fn of(
        prompt: &'a str,
        found: &'a chat::Answer,
        session: Option<&'static str>,
    ) -> Self {
        let source = |entry: &'a record::Knowledge| KnowledgeSource {
            article_id: &entry.article_id,
            title: &entry.title,
            url: entry.url.as_deref(),
        };
        Self {
            message_id: message_id(),
            message: &found.message,
            intent: found.intent.name(),
            intent_details: Details::of(prompt, found, session),
            nonprofits: found
                .nonprofits
                .iter()
                .map(|row| ChatNonprofit::of(&row.organization))
                .collect(),
            articles: found.articles.iter().map(Article::of).collect(),
            article: found.article.as_ref().map(|article| ArticleText {
                id: article.id,
                title: &article.title,
                url: article.url.as_deref(),
                text: article.text.as_deref(),
            }),
            suggestions: &found.suggestions,
            kb_sources: found.sources.iter().map(source).collect(),
            funds: found.funds.iter().map(Fund::of).collect(),
        }
    }
}

impl<'a> Details<'a> {
    fn of(prompt: &'a str, found: &'a chat::Answer, session: Option<&'static str>) -> Self {
        let frame = &found.frame;
        let goals = frame.goals();
        let named = found.named.as_ref();
        let ein = named.and_then(|named| named.ein);
        // In a list of similar nonprofits the name is that of the model for them; no row has it.
        let about_texts = matches!(found.intent, Intent::FindArticles | Intent::FindFunds);
        let topic = found.about.as_deref().filter(|_| about_texts);
        Self {
            llm_response: InterpretationSummary {
                function_name: found.intent.name(),
                arguments: applied_parameters(found, session),
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
fn applied_parameters(found: &chat::Answer, session: Option<&'static str>) -> Map<String, Value> {
    let mut all = arguments(&found.frame, None);
    let named = found.named.as_ref();
    for (name, value) in [
        ("organization_ein", json!(named.and_then(|named| named.ein))),
        ("article_id", json!(found.article_id)),
        ("query", json!(found.about)),
        ("model", json!(found.language_model)),
        ("session", json!(session)),
    ] {
        if !value.is_null() {
            all.insert(name.to_owned(), value);
        }
    }
    all
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
