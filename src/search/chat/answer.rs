//! Answers of text only, and the answers to several parts of a message joined into one.

use super::{Answer, Intent};
use crate::understand::{Conversation, Frame};

impl Answer {
    /// An answer of text only.
    pub(super) fn of(intent: Intent, message: String, next: Conversation) -> Self {
        Self {
            intent,
            message,
            explained: String::new(),
            frame: Frame::default(),
            about: None,
            named: None,
            article_id: None,
            nonprofits: Vec::new(),
            articles: Vec::new(),
            article: None,
            suggestions: Vec::new(),
            sources: Vec::new(),
            funds: Vec::new(),
            plan: None,
            language_model: None,
            next,
        }
    }

    /// Appends the answer to a further part of the message; the rows of both are shown.
    pub(super) fn joined(self, other: Self) -> Self {
        let is_courtesy = matches!(self.intent, Intent::Greeting | Intent::Unknown);
        // Of two lists the later one stays.
        if self.intent == other.intent && !other.frame.is_empty() && !self.frame.is_empty() {
            return other;
        }
        let shows = !self.nonprofits.is_empty();
        let first = |mine: bool| mine || other.nonprofits.is_empty();
        Self {
            intent: if is_courtesy { other.intent } else { self.intent },
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
            sources: if self.sources.is_empty() { other.sources } else { self.sources },
            funds: if self.funds.is_empty() { other.funds } else { self.funds },
            plan: self.plan.or(other.plan),
            language_model: self.language_model.or(other.language_model),
            next: other.next,
        }
    }
}
