//! One message in, the right kind of answer out.
//!
//! [`Message`] tells by its words what a message asks for; what it asks of nonprofits is understood and
//! searched as by the beta search. [`Answer::next`] is what the session goes on from.

mod fact;
mod find;
mod one;
mod say;
mod suggest;
mod texts;

#[cfg(test)]
mod tests;

use super::SearchError;
use super::interpret;
use super::library;
use super::nonprofits::Row;
use super::relevance::Plan;
use crate::record::{Article, Ein, Fund, Knowledge};
use crate::snapshot::Snapshot;
use crate::understand::{
    Act, Conversation, Courtesy, Frame, Intent, Message, Noun, Shown, Subject, Topic, Which,
};

pub use suggest::Suggestion;

/// Rows of nonprofits, articles or funds that an answer shows.
pub const ROWS: usize = 10;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub message: &'a str,
    /// What explicit parameters ask of nonprofits.
    pub explicit: &'a Frame,
    /// What the session remembers; `None` without a session.
    pub earlier: Option<&'a Conversation>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    pub intent: Intent,
    /// One or two sentences: what was found, and what was asked for.
    pub message: String,
    /// How nonprofits were asked for: what rows satisfy, and how they were ranked.
    pub explained: String,
    /// What rows of nonprofits satisfy, explicit parameters included; empty for other intents.
    pub frame: Frame,
    /// The words that rank, or that articles, funds or an explanation were looked for with.
    pub about: Option<String>,
    /// The nonprofit that was named or referred to.
    pub named: Option<Named>,
    /// The article that was asked for.
    pub article_id: Option<i64>,
    pub nonprofits: Vec<Row>,
    pub articles: Vec<Article>,
    pub article: Option<Article>,
    pub suggestions: Vec<Suggestion>,
    pub sources: Vec<Knowledge>,
    pub funds: Vec<Fund>,
    /// How nonprofits were found.
    pub plan: Option<Plan>,
    /// What the session remembers now.
    pub next: Conversation,
}

/// A nonprofit that was named or referred to.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// As it was called, or its own; `None` of an EIN that nobody has.
    pub name: Option<String>,
    /// `None` when none or several are called so.
    pub ein: Option<Ein>,
}

/// A message being answered.
struct Turn<'a> {
    snapshot: &'a Snapshot,
    message: Message,
    explicit: Frame,
    /// What is remembered so far.
    conversation: Conversation,
}

/// Answers a message.
///
/// # Errors
/// When the snapshot is damaged, or was built with a model that is not at hand.
pub fn answer(snapshot: &Snapshot, question: &Question<'_>) -> Result<Answer, SearchError> {
    let message = Message::read(question.message);
    let earlier = question.earlier.filter(|_| !message.begins_anew);
    let conversation = earlier.cloned().unwrap_or_default();
    let turn = Turn { snapshot, message, explicit: question.explicit.clone(), conversation };
    turn.answer(question.message)
}

impl Turn<'_> {
    fn answer(self, whole: &str) -> Result<Answer, SearchError> {
        // The title of an entry asks for that entry, whatever its words may mean.
        if let Some(entry) = library::titled(self.snapshot, whole)? {
            return self.explained(entry);
        }
        match self.message.act.clone() {
            Act::Reset => self.said(Intent::Greeting, say::RESET),
            Act::Courtesy(Courtesy::Hello) => self.said(Intent::Greeting, say::HELLO),
            Act::Courtesy(Courtesy::Thanks) => self.said(Intent::Greeting, say::THANKS),
            Act::Courtesy(Courtesy::Bye) => self.said(Intent::Greeting, say::BYE),
            Act::Help => self.help(),
            Act::More => self.more(),
            Act::Article(id) => self.article(id),
            Act::Articles(topic) => self.articles(&topic, 1),
            Act::Funds(topic) => self.funds(&topic, 1),
            Act::Knowledge => self.knowledge(true),
            Act::Shown(shown) => self.shown(&shown),
            Act::Fact { fact, name, asks } => self.fact_of(fact, &name, asks),
            Act::OffTopic => self.unknown(),
            Act::Distress => self.said(Intent::Unknown, say::DISTRESS),
            Act::Other => self.search(),
        }
    }

    /// An answer of words and suggestions; the session stays as it is.
    fn said(self, intent: Intent, message: &str) -> Result<Answer, SearchError> {
        let suggestions = suggest::openings(self.snapshot)?;
        let message = message.to_owned();
        Ok(Answer { suggestions, ..Answer::of(intent, message, self.conversation) })
    }

    /// What cannot be answered.
    fn unknown(self) -> Result<Answer, SearchError> {
        self.said(Intent::Unknown, say::UNKNOWN)
    }

    /// The next rows of the last list.
    fn more(mut self) -> Result<Answer, SearchError> {
        if self.conversation.rows == 0 {
            return self.said(Intent::Unknown, say::NOTHING_YET);
        }
        let page = (self.conversation.rows / ROWS as u64).saturating_add(1);
        let topic = match &self.conversation.topic {
            Some(topic) => Topic::Of(topic.clone()),
            None => Topic::Any,
        };
        match self.conversation.subject {
            Subject::Articles => self.articles(&topic, page),
            Subject::Funds => self.funds(&topic, page),
            Subject::Nonprofits | Subject::Knowledge => {
                let same = self.explicit.is_empty() || self.explicit == self.conversation.explicit;
                if self.explicit.is_empty() {
                    self.explicit = self.conversation.explicit.clone();
                }
                self.find("", if same { page } else { 1 })
            }
        }
    }

    /// What was shown or spoken of before.
    fn shown(self, shown: &Shown) -> Result<Answer, SearchError> {
        let subject = match (shown.noun, self.conversation.subject) {
            (Some(Noun::Article), _) => Subject::Articles,
            (Some(Noun::Fund), _) => Subject::Funds,
            (Some(Noun::Nonprofit), _) => Subject::Nonprofits,
            (None, _) if shown.fact.is_some() => Subject::Nonprofits,
            (None, subject) => subject,
        };
        let at = |count: usize| match shown.which {
            Which::Nth(number) => number.checked_sub(1).filter(|at| *at < count),
            Which::Last => count.checked_sub(1),
            Which::That => (count > 0).then_some(0),
        };
        let Conversation { nonprofits, articles, funds, focus, entry, .. } = &self.conversation;
        match subject {
            Subject::Articles => match at(articles.len()).map(|at| articles[at]) {
                Some(id) => self.article(id),
                None => self.missing(shown.which, subject),
            },
            Subject::Funds => match at(funds.len()).map(|at| funds[at]) {
                Some(id) => self.fund(id),
                None => self.missing(shown.which, subject),
            },
            // `tell me more` behind an explanation: all of it.
            Subject::Knowledge if shown.which == Which::That && entry.is_some() => {
                self.whole_entry()
            }
            Subject::Nonprofits | Subject::Knowledge => {
                let focus = focus.filter(|_| shown.which == Which::That);
                match focus.or(at(nonprofits.len()).map(|at| nonprofits[at])) {
                    Some(ein) => self.one_of_those(ein, shown),
                    // `they must be vetted` with nothing before it: rather a search.
                    None if !shown.is_sure && shown.fact.is_some() => self.search(),
                    None => self.missing(shown.which, subject),
                }
            }
        }
    }

    /// That the last list has not what was referred to.
    fn missing(self, which: Which, subject: Subject) -> Result<Answer, SearchError> {
        let Conversation { nonprofits, articles, funds, .. } = &self.conversation;
        let message = match subject {
            Subject::Articles => say::missing(which, articles.len(), "articles"),
            Subject::Funds => say::missing(which, funds.len(), "funds"),
            _ => say::missing(which, nonprofits.len(), "nonprofits"),
        };
        self.said(Intent::Unknown, &message)
    }

    /// What a message that no words decide asks for, by examples.
    fn likely(&self, text: &str, names_cause: bool) -> Result<Option<Intent>, SearchError> {
        interpret::intent(self.snapshot, text, names_cause)
    }
}

impl Answer {
    /// An answer of nothing but words.
    fn of(intent: Intent, message: String, next: Conversation) -> Self {
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
            next,
        }
    }
}
