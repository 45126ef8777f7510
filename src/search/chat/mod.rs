//! One message in, the right kind of answer out.
//!
//! The trained reader tells what a message asks for; what it asks of nonprofits is understood and searched
//! as by the beta search. [`Answer::next`] is what the session goes on from.

mod compare;
mod danger;
mod fact;
mod figure;
mod find;
mod intent;
mod leaders;
mod money;
mod one;
mod relatives;
mod reply;
mod say;
mod standing;
mod suggest;
mod texts;

#[cfg(test)]
mod tests;

use super::SearchError;
use super::library;
use super::nonprofits::NonprofitHit;
use super::plan::Plan;
use super::questions::year_of;
use crate::reader::{Act, Intent as Asks, Language, Message, Reader, Role, Span};
use crate::record::{Article, Ein, Fund, Knowledge};
use crate::snapshot::Snapshot;
use crate::understand::{Conversation, FactQuestion, Frame, Subject, Which, referred};
use reply::FixedReply;

pub use intent::Intent;
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
    /// What the session remembers now.
    pub next: Conversation,
}

/// A nonprofit that was named or referred to.
#[derive(Debug, Clone, PartialEq)]
pub struct NonprofitRef {
    /// As it was called, or its own; `None` of an EIN that nobody has.
    pub name: Option<String>,
    /// `None` when none or several are called so.
    pub ein: Option<Ein>,
}

/// A message being answered.
struct Turn<'a> {
    snapshot: &'a Snapshot,
    /// As it was sent, trimmed.
    text: &'a str,
    /// As it was read.
    message: Message,
    explicit: Frame,
    /// What is remembered so far.
    conversation: Conversation,
}

/// How probable a courtesy must be to be answered by one.
const COURTESY_PROBABILITY_MIN: f32 = 0.5;

/// What articles or funds are to be about.
#[derive(Debug, Clone, PartialEq)]
enum Topic {
    /// Anything.
    Any,
    /// These words.
    Of(String),
}

/// Answers a message.
///
/// # Errors
/// When the snapshot is damaged, or was built with a model that is not at hand.
pub fn answer(snapshot: &Snapshot, question: &Question<'_>) -> Result<Answer, SearchError> {
    let text = question.message.trim();
    let conversation = question.earlier.cloned().unwrap_or_default();
    let message = Reader::shared()?.read(text, &conversation.known())?;
    let explicit = question.explicit.clone();
    Turn { snapshot, text, message, explicit, conversation }.answer()
}

impl Turn<'_> {
    fn answer(self) -> Result<Answer, SearchError> {
        let has_words = self.text.chars().any(char::is_alphanumeric);
        if !has_words && self.explicit.is_empty() {
            return self.unknown();
        }
        // The title of an entry asks for that entry, whatever its words may mean.
        if let Some(entry) = library::titled(self.snapshot, self.text)? {
            return self.explained(entry);
        }
        if let Some(danger) = Reader::shared()?.danger(self.text, &self.message)? {
            return self.help_in(danger);
        }
        if let Some(asked) = self.money_question()? {
            return self.on_money(asked);
        }
        match self.message.intent.label {
            _ if self.asks_of_focus() => self.details(),
            // With explicit filters there is something to find in any case.
            _ if !self.explicit.is_empty() && self.asks_nothing_else() => self.search(),
            Asks::Find => self.search(),
            Asks::Similar => self.similar(),
            Asks::Details => self.details(),
            Asks::Compare => self.compare(),
            Asks::Articles => self.on_texts(Subject::Articles),
            Asks::Funds => self.on_texts(Subject::Funds),
            Asks::Article => self.one_article(),
            Asks::Knowledge => self.knowledge(),
            Asks::Source => self.source(),
            Asks::Hello | Asks::Thanks | Asks::Bye if self.is_hardly_courtesy() => self.search(),
            Asks::Hello => self.reply(Intent::Greeting, FixedReply::Hello),
            Asks::Thanks => self.reply(Intent::Greeting, FixedReply::Thanks),
            Asks::Bye => self.reply(Intent::Greeting, FixedReply::Bye),
            Asks::Help => self.help(),
            Asks::More => self.more(),
            Asks::Reset => self.reset(),
            Asks::Undo => self.undo(),
            Asks::Accusation => self.reply(Intent::Unknown, FixedReply::Accusation),
            Asks::Distress | Asks::OffTopic | Asks::Unclear => self.unknown(),
        }
    }

    /// Whether a message goes on to ask the nonprofit spoken of for a fact, or for that of another year
    /// (`and in 2020?`): there is nothing in it to find anybody by.
    fn asks_of_focus(&self) -> bool {
        let says_whom = |span: &Span| !matches!(span.role, Role::Unread | Role::Reference);
        self.message.intent.label == Asks::Find
            && self.message.act.label == Act::On
            && self.conversation.focus.is_some()
            && !self.message.spans.iter().any(says_whom)
            && self.fact().is_some()
    }

    /// Whether a message is likelier something else than a courtesy: `red cros`.
    fn is_hardly_courtesy(&self) -> bool {
        self.message.intent.probability < COURTESY_PROBABILITY_MIN
    }

    /// Whether a message of words alone, that asks for no list, leaves its parameters to ask.
    fn asks_nothing_else(&self) -> bool {
        matches!(self.message.intent.label, Asks::Unclear | Asks::OffTopic)
    }

    /// The fact that is asked for, and of which year; where only a year is, the fact of before.
    fn fact(&self) -> Option<FactQuestion> {
        let year = self.year();
        let before = self.conversation.asked.filter(|_| year.is_some());
        let fact = self.message.fact.or(before.map(|asked| asked.fact))?;
        Some(FactQuestion { fact, year })
    }

    /// The year that is asked for.
    fn year(&self) -> Option<u16> {
        year_of(self.text, &self.message)
    }

    /// The words of the first span of a role.
    fn words(&self, role: Role) -> Option<&str> {
        self.message.words(self.text, role).next()
    }

    /// Which of those shown the message refers to, if it does.
    fn referred(&self) -> Vec<Which> {
        self.message.words(self.text, Role::Reference).flat_map(referred).collect()
    }

    fn reset(mut self) -> Result<Answer, SearchError> {
        self.conversation = Conversation::default();
        self.reply(Intent::Greeting, FixedReply::Reset)
    }

    /// The list before the last change.
    fn undo(self) -> Result<Answer, SearchError> {
        if self.conversation.earlier.is_empty() {
            return self.reply(Intent::Unknown, FixedReply::NothingBefore);
        }
        self.search()
    }

    /// Articles or funds on what the message says, else on what was spoken of.
    fn on_texts(self, subject: Subject) -> Result<Answer, SearchError> {
        let causes =
            self.message.spans.iter().filter(|span| {
                matches!(span.role, Role::Cause | Role::Place | Role::Name | Role::Sdg)
            });
        let words: Vec<&str> = causes.map(|span| &self.text[span.bytes.clone()]).collect();
        let goes_on = self.message.act.label == Act::On;
        let topic = match words.is_empty() {
            false => Topic::Of(words.join(" ")),
            true => {
                let Conversation { topic, frame, .. } = &self.conversation;
                let same = topic.clone().or_else(|| frame.cause.clone());
                same.filter(|_| goes_on).map_or(Topic::Any, Topic::Of)
            }
        };
        match subject {
            Subject::Articles => self.articles(&topic, 1),
            _ => self.funds(&topic, 1),
        }
    }

    /// One article, by its number or as one of those shown.
    fn one_article(self) -> Result<Answer, SearchError> {
        let number = self.words(Role::Number).map(|words| {
            let digits: String = words.chars().filter(char::is_ascii_digit).collect();
            // A number that is none of any article's: none is found.
            digits.parse().unwrap_or(i64::MAX)
        });
        match number {
            Some(id) => self.article(id),
            None => {
                let which = self.referred().first().copied().unwrap_or(Which::That);
                self.shown(which, Subject::Articles)
            }
        }
    }

    /// A text that is always the same, in the language of the message.
    fn reply(self, intent: Intent, reply: FixedReply) -> Result<Answer, SearchError> {
        let message = reply.text(self.message.language.label);
        self.said(intent, message)
    }

    /// An answer of words and suggestions; the session stays as it is.
    fn said(self, intent: Intent, message: &str) -> Result<Answer, SearchError> {
        let suggestions = suggest::openings(self.snapshot)?;
        let message = message.to_owned();
        Ok(Answer { suggestions, ..Answer::of(intent, message, self.conversation) })
    }

    /// What cannot be answered.
    fn unknown(self) -> Result<Answer, SearchError> {
        let reply = match self.message.language.label {
            Language::English | Language::Spanish => FixedReply::Unknown,
            Language::Other => FixedReply::OtherLanguage,
        };
        self.reply(Intent::Unknown, reply)
    }

    /// The next rows of the last list.
    fn more(mut self) -> Result<Answer, SearchError> {
        if self.conversation.subject == Subject::Knowledge && self.conversation.entry.is_some() {
            return self.whole_entry();
        }
        if self.conversation.rows == 0 {
            return self.reply(Intent::Unknown, FixedReply::NothingYet);
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
                self.list(if same { page } else { 1 })
            }
        }
    }

    /// Something of a list that was shown, or that was spoken of.
    fn shown(self, which: Which, subject: Subject) -> Result<Answer, SearchError> {
        let at = |count: usize| match which {
            Which::Nth(number) => number.checked_sub(1).filter(|at| *at < count),
            Which::Last => count.checked_sub(1),
            Which::That => (count > 0).then_some(0),
        };
        let asked = self.fact();
        let Conversation { articles, funds, entry, .. } = &self.conversation;
        match subject {
            Subject::Articles => match at(articles.len()).map(|at| articles[at]) {
                Some(id) => self.article(id),
                None => self.missing(which, subject),
            },
            Subject::Funds => match at(funds.len()).map(|at| funds[at]) {
                Some(id) => self.fund(id),
                None => self.missing(which, subject),
            },
            // `tell me more` behind an explanation: all of it.
            Subject::Knowledge if which == Which::That && entry.is_some() => self.whole_entry(),
            Subject::Nonprofits | Subject::Knowledge => match self.ein_shown(which) {
                Some(ein) => self.details_of(ein, asked),
                None => self.missing(which, Subject::Nonprofits),
            },
        }
    }

    /// Which nonprofit of the last list is referred to.
    fn ein_shown(&self, which: Which) -> Option<Ein> {
        let Conversation { nonprofits, focus, .. } = &self.conversation;
        match which {
            Which::Nth(number) => nonprofits.get(number.checked_sub(1)?).copied(),
            Which::Last => nonprofits.last().copied(),
            Which::That => focus.or(nonprofits.first().copied()),
        }
    }

    /// That the last list has not what was referred to.
    fn missing(self, which: Which, subject: Subject) -> Result<Answer, SearchError> {
        let Conversation { nonprofits, articles, funds, .. } = &self.conversation;
        let (intent, count, what) = match subject {
            Subject::Articles => (Intent::ArticleDetails, articles.len(), "articles"),
            Subject::Funds => (Intent::FindFunds, funds.len(), "funds"),
            _ => (Intent::NonprofitDetails, nonprofits.len(), "nonprofits"),
        };
        self.said(intent, &say::missing(which, count, what))
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
