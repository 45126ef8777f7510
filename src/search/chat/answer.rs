//! What is answered, and the answers to several parts of a message joined into one.

use super::Suggestion;
use super::phrase::text;
use crate::reader::Language;
use crate::record::{Article, Ein, Fund, Knowledge, Organization, named};
use crate::search::nonprofits::NonprofitHit;
use crate::search::plan::Plan;
use crate::understand::{Conversation, Frame, says};

named! {
    /// The intent of a message, as answers name it.
    #[derive(Default)]
    Intent {
        FindNonprofits = "find_nonprofits",
        SimilarNonprofits = "similar_nonprofits",
        NonprofitDetails = "nonprofit_details",
        FindArticles = "find_articles",
        ArticleDetails = "article_details",
        FindFunds = "find_funds",
        Knowledge = "knowledge",
        Greeting = "greeting",
        #[default]
        Unknown = "unknown",
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    pub intent: Intent,
    /// One or two sentences: the results, and the request as understood.
    pub message: String,
    /// How nonprofits were searched: the filters, and the ranking.
    pub explained: String,
    /// The filters on nonprofits, explicit parameters included; empty for other intents.
    pub frame: Frame,
    /// The words that rank, or that articles, funds or an explanation were searched with.
    pub about: Option<String>,
    /// The nonprofit that was named or referred to.
    pub named: Option<NonprofitRef>,
    /// The article that was asked for.
    pub article_id: Option<i64>,
    pub nonprofits: Vec<NonprofitHit>,
    pub articles: Vec<Article>,
    pub article: Option<Article>,
    pub suggestions: Vec<Suggestion>,
    pub sources: Vec<Knowledge>,
    pub funds: Vec<Fund>,
    /// How nonprofits were found.
    pub plan: Option<Plan>,
    /// The language model that read the message or worded the answer, if one did.
    pub language_model: Option<String>,
    /// The state of the session after this answer.
    pub next: Conversation,
}

/// A nonprofit that was named or referred to.
#[derive(Debug, Clone, PartialEq)]
pub struct NonprofitRef {
    /// Its name, as typed or as recorded; `None` for an unknown EIN.
    pub name: Option<String>,
    /// `None` if the name is unknown or ambiguous.
    pub ein: Option<Ein>,
}

impl Answer {
    /// Begins with a warning where a message tells signs of a scam, whatever it asks; an entry of the knowledge base says so
    /// itself.
    pub(super) fn warned_of_scam(mut self, typed: &str, language: Language) -> Self {
        if says(typed, "sign of a scam") && self.intent != Intent::Knowledge {
            self.message = format!("{} {}", text("scam", language), self.message);
        }
        self
    }

    /// An answer of text only.
    pub(super) fn of(intent: Intent, message: String, next: Conversation) -> Self {
        Self { intent, message, next, ..Self::default() }
    }

    /// Appends the answer to a further part of the message; the rows of both are shown.
    pub(super) fn joined(self, mut other: Self) -> Self {
        let is_courtesy = matches!(self.intent, Intent::Greeting | Intent::Unknown);
        // Of two lists the later one stays, and nobody has seen the other.
        if self.intent == other.intent && !other.frame.is_empty() && !self.frame.is_empty() {
            let has_row =
                |rows: &[NonprofitHit], ein| rows.iter().any(|row| row.organization.ein == ein);
            let (dropped, shown) = (&self.nonprofits, &other.nonprofits);
            other.next.seen.retain(|ein| !has_row(dropped, *ein) || has_row(shown, *ein));
            return other;
        }
        if self.message == other.message {
            return other;
        }
        let shows = !self.nonprofits.is_empty();
        // Rows beside an explanation are what the answer shows; its text names the source.
        let explains = self.intent == Intent::Knowledge && !other.nonprofits.is_empty();
        let intent = if is_courtesy || explains { other.intent } else { self.intent };
        let first = |mine: bool| mine || other.nonprofits.is_empty();
        Self {
            intent,
            message: format!("{} {}", self.message, other.message),
            named: other.named.or(self.named),
            nonprofits: if first(shows) { self.nonprofits } else { other.nonprofits },
            explained: if self.explained.is_empty() { other.explained } else { self.explained },
            frame: if self.frame.is_empty() { other.frame } else { self.frame },
            about: self.about.or(other.about),
            article_id: self.article_id.or(other.article_id),
            articles: if self.articles.is_empty() { other.articles } else { self.articles },
            article: self.article.or(other.article),
            suggestions: if shows { self.suggestions } else { other.suggestions },
            sources: match intent {
                Intent::Knowledge if self.sources.is_empty() => other.sources,
                Intent::Knowledge => self.sources,
                _ => Vec::new(),
            },
            funds: if self.funds.is_empty() { other.funds } else { self.funds },
            plan: self.plan.or(other.plan),
            language_model: self.language_model.or(other.language_model),
            next: other.next,
        }
    }
}

/// A row that no search measured.
pub(super) fn hit(organization: Organization) -> NonprofitHit {
    NonprofitHit { organization, cosine: None }
}
