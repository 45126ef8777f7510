//! Answers one message of a chat.
//!
//! The trained reader determines what a message asks for; nonprofits are searched as by the beta
//! search. [`Answer::next`] is the state with which the session continues.

mod answer;
mod assisted;
mod compare;
mod danger;
mod facts;
mod funders;
mod intent;
mod list;
mod long;
mod one;
mod page;
mod phrase;
mod policy;
mod reading;
mod referents;
mod remembered;
mod request;
mod shown;
mod such;
mod suggest;
mod sums;
mod texts;

use super::SearchError;
use super::library;
use super::nonprofits::NonprofitHit;
use super::plan::Plan;
use super::questions::year_of;
use crate::language_model::LanguageModel;
use crate::reader::{Act, DialogueAct, Intent as Asks, Language, Message, Reader, Role};
use crate::record::{Article, Ein, Fund, Knowledge};
use crate::snapshot::Snapshot;
use crate::understand::{Conversation, FactQuestion, Frame, Subject, Which, referred};
use long::LongMessage;
use phrase::text;
use referents::Referents;
use request::{Part, Request};

pub use intent::Intent;
pub use suggest::Suggestion;

/// Characters of a message. Of one longer than the reader takes at once, the sentences that ask are
/// answered, and all of it is searched for signs of danger.
pub const MESSAGE_CHARACTERS_MAX: usize = 2_000;
/// Rows of nonprofits, articles or funds that an answer shows.
pub const ROWS: usize = 10;

/// The message and its session.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub message: &'a str,
    /// Filters from explicit parameters.
    pub explicit: &'a Frame,
    /// The state of the session; `None` without one.
    pub earlier: Option<&'a Conversation>,
    /// The language model that helps with unclear messages and with wording.
    pub language_model: Option<&'a LanguageModel>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
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

/// A message, or a part of one, being answered.
#[derive(Clone)]
struct Turn<'a> {
    snapshot: &'a Snapshot,
    /// As it was sent, trimmed.
    text: &'a str,
    /// As it was read.
    message: Message,
    /// What it asks for.
    request: Request,
    language: Language,
    explicit: Frame,
    /// The state of the conversation so far.
    conversation: Conversation,
}

/// The least probability at which a message counts as an accusation.
const ACCUSATION_PROBABILITY_MIN: f32 = 0.7;

/// The subject of articles or funds.
#[derive(Debug, Clone, PartialEq)]
enum Topic {
    /// Any subject.
    Any,
    /// These words.
    Of(String),
}

/// Answers a message.
pub fn answer(snapshot: &Snapshot, question: &Question<'_>) -> Result<Answer, SearchError> {
    let typed = question.message.trim();
    let reader = Reader::shared()?;
    let long = LongMessage::of(reader, typed);
    let asked = long.as_ref().map_or_else(|| typed.to_owned(), LongMessage::asked);
    let text = &*asked;
    let mut conversation = question.earlier.cloned().unwrap_or_default();
    let known = conversation.known();
    let message = request::read(reader, text, &known)?;
    let language = reading::language_of(text, &message.language, conversation.language);
    conversation.language = Some(language);
    let explicit = question.explicit.clone();
    let parts = request::parts(reader, text, &message, &known)?;
    let request = parts.first().map(|part| part.request.clone());
    let request = request.unwrap_or(Request { acts: Vec::new(), fact: None });
    let whole = Turn { snapshot, text, message, request, language, explicit, conversation };
    for text in long.iter().flat_map(LongMessage::stretches) {
        let message = reader.read(text, &[])?;
        if let Some(danger) = reader.danger(text, &message)? {
            return Turn { text, message, ..whole }.help_in(danger);
        }
    }
    if let Some(answer) = whole.before_policy()? {
        return Ok(answer);
    }
    whole.with_help(parts, question.language_model)
}

impl Turn<'_> {
    /// Answers that precede the act of the message: to an empty message, the title of an entry,
    /// danger, or the answer to an open question.
    fn before_policy(&self) -> Result<Option<Answer>, SearchError> {
        let has_words = self.text.chars().any(char::is_alphanumeric);
        if !has_words && self.explicit.is_empty() {
            return self.clone().unknown().map(Some);
        }
        if let Some(entry) = library::titled(self.snapshot, self.text)? {
            let language = texts::language_of(&entry);
            return Turn { language, ..self.clone() }.explained(entry).map(Some);
        }
        if let Some(danger) = Reader::shared()?.danger(self.text, &self.message)? {
            return self.clone().help_in(danger).map(Some);
        }
        let label = self.message.intent.label;
        if label == Asks::Accusation
            && self.message.intent.probability >= ACCUSATION_PROBABILITY_MIN
        {
            return self.clone().reply(Intent::Unknown, "accusation").map(Some);
        }
        if let Some(pending) = &self.conversation.pending
            && let Some(ein) = self.chosen()?
        {
            let acts =
                if self.request.asks_fact() { self.request.facts() } else { pending.clone() };
            let request = Request { acts, fact: None };
            let mut answer = Turn { request, ..self.clone() }.details_of(ein)?;
            answer.next.pending = None;
            return Ok(Some(answer));
        }
        Ok(None)
    }

    /// The one of those shown that the message chooses.
    fn chosen(&self) -> Result<Option<Ein>, SearchError> {
        let shown = &self.conversation.nonprofits;
        let is_list = matches!(
            self.request.act(),
            DialogueAct::Return | DialogueAct::Count | DialogueAct::Total | DialogueAct::More
        );
        let found = match self.explicit_referents()? {
            Referents::Of(eins) if !is_list => match &eins[..] {
                [ein] => Some(*ein),
                _ => None,
            },
            _ => self.only_names_shown()?,
        };
        Ok(found.filter(|ein| shown.contains(ein)))
    }

    /// Answers each part in turn, in the conversation that the one before leaves; the texts are joined.
    fn in_parts(mut self, parts: Vec<Part>) -> Result<Answer, SearchError> {
        self.conversation.pending = None;
        if let [_] = &parts[..] {
            return self.one_part();
        }
        let mut said: Option<Answer> = None;
        let asks_fact: Vec<bool> = parts.iter().map(|part| part.request.asks_fact()).collect();
        for (at, Part { text, message, request }) in parts.into_iter().enumerate() {
            let conversation = match &said {
                Some(before) => before.next.clone(),
                None => self.conversation.clone(),
            };
            let mut turn = Turn { text: &text, message, request, conversation, ..self.clone() };
            if said.is_some() {
                turn.message.act.label = Act::On;
            }
            let is_thanked = turn.request.act() == DialogueAct::Thanks;
            // `Farm Rescue, that's it. where are they?`
            let leads = !turn.request.asks_fact() && asks_fact.get(at + 1) == Some(&true);
            if said.is_none()
                && leads
                && !is_thanked
                && let Some(ein) = turn.surely_named()?
            {
                self.conversation.focus = Some(ein);
                self.conversation.remember(ein);
                continue;
            }
            let described = turn.clone();
            let mut answer = turn.one_part()?;
            // `the BB King place in Indianola, what is it called`: the parts after it are about that one.
            if answer.next.focus.is_none() {
                answer.next.focus = described.remembered(&answer.next.frame, &answer.nonprofits);
            }
            if is_thanked {
                answer.message = phrase::text("thanks.short", self.language).to_owned();
            }
            said = Some(match said {
                Some(before) => before.joined(answer),
                None => answer,
            });
        }
        said.map_or_else(|| self.unknown(), Ok)
    }

    fn one_part(mut self) -> Result<Answer, SearchError> {
        let asks_list = matches!(
            self.request.act(),
            DialogueAct::Search | DialogueAct::Change | DialogueAct::Other | DialogueAct::More
        );
        if let Some(act) = self.asked_of_money()? {
            self.request.acts = vec![act];
        }
        if Ein::from_typed(self.text).is_some() {
            self.request.acts.clear();
            return self.facts();
        }
        // `and in 2020?` asks for the fact of before.
        if let Some(asked) = self.conversation.asked
            && self.year().is_some()
            && !self.request.asks_fact()
            && !self.asks_anew()
        {
            self.request.acts = vec![asked.fact];
        }
        // A name that was shown wins over every other reading of its words.
        if asks_list && self.explicit.is_empty() {
            if let Some(ein) = self.only_names_shown()? {
                self.request.acts.clear();
                return self.details_of(ein);
            }
            match self.only_number() {
                Some(Referents::Of(eins)) if eins.len() == 1 => {
                    self.request.acts.clear();
                    return self.details_of(eins[0]);
                }
                Some(Referents::Beyond(number)) => return self.beyond(number),
                _ => {}
            }
        }
        if asks_list && let Some(ein) = self.named_apart()? {
            self.request.acts.clear();
            return self.details_of(ein);
        }
        self.leave_danger();
        self.leave_story();
        self.place_in_state();
        if self.stands_alone() {
            self.message.act.label = Act::New;
        }
        self.stay_in_place();
        self.go_on();
        let label = self.message.intent.label;
        let asks_of_one = self.request.asks_fact()
            || matches!(self.request.act(), DialogueAct::Compare | DialogueAct::Similar);
        if !asks_of_one && self.words(Role::Ein).is_some() {
            // `tell me about EIN 97-0000001`.
            self.request.acts.clear();
            return self.facts();
        }
        match label {
            Asks::Article if self.words(Role::Number).is_some() => self.one_article(),
            Asks::Funds if self.snapshot.fund_texts.count() > 0 => self.on_texts(Subject::Funds),
            Asks::Article if self.request.act() == DialogueAct::Articles => self.one_article(),
            _ if self.shows_text() => self.shown_text(),
            _ => self.by_policy(),
        }
    }

    /// Acts on the rows shown, and changes, continue the query before.
    fn go_on(&mut self) {
        use DialogueAct as Ask;
        let is_shown = !self.conversation.nonprofits.is_empty();
        match self.request.act() {
            Ask::Most | Ask::Count | Ask::Total | Ask::Which if is_shown => {
                self.message.act.label = Act::On;
            }
            DialogueAct::Change => self.message.act.label = Act::On,
            DialogueAct::Search if self.message.intent.label == Asks::Undo => {
                self.message.intent.label = Asks::Find;
            }
            _ => {}
        }
    }

    /// Whether articles or funds were shown last and one of them is referred to.
    fn shows_text(&self) -> bool {
        matches!(self.conversation.subject, Subject::Articles | Subject::Funds)
            && self.words(Role::Reference).is_some()
            && matches!(self.message.intent.label, Asks::Details | Asks::Article)
    }

    fn shown_text(self) -> Result<Answer, SearchError> {
        let at = match self.referred().first() {
            Some(Which::Nth(number)) => number.saturating_sub(1),
            _ => 0,
        };
        let Conversation { subject, articles, funds, .. } = &self.conversation;
        match subject {
            Subject::Articles => match articles.get(at).copied() {
                Some(id) => self.article(id),
                None => self.beyond(at + 1),
            },
            _ => match funds.get(at).copied() {
                Some(id) => self.fund(id),
                None => self.beyond(at + 1),
            },
        }
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
        let language = self.conversation.language;
        self.conversation = Conversation { language, ..Conversation::default() };
        self.reply(Intent::Greeting, "reset")
    }

    /// A greeting; a message that only looks like one is searched.
    fn courtesy(self, name: &str) -> Result<Answer, SearchError> {
        let is_courtesy = matches!(
            self.message.intent.label,
            Asks::Hello | Asks::Thanks | Asks::Bye | Asks::Unclear | Asks::OffTopic
        );
        match is_courtesy || !self.asks_anew() {
            true => self.reply(Intent::Greeting, name),
            false => self.search(),
        }
    }

    /// A message off the subject, unless it says what to find.
    fn other(self) -> Result<Answer, SearchError> {
        let asks = self.asks_anew() || self.words(Role::Name).is_some();
        let finds = matches!(self.message.intent.label, Asks::Find | Asks::Details);
        if (asks && finds) || !self.explicit.is_empty() {
            return self.search();
        }
        match self.conversation.subject {
            Subject::Knowledge => self.knowledge(),
            _ => self.unknown(),
        }
    }

    /// Articles on the subject of the message.
    fn on_articles(self) -> Result<Answer, SearchError> {
        self.on_texts(Subject::Articles)
    }

    /// Articles or funds on the subject of the message, else on the current one.
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
            // A number that belongs to no article finds none.
            digits.parse().unwrap_or(i64::MAX)
        });
        match number.or(self.conversation.articles.first().copied()) {
            Some(id) => self.article(id),
            None => self.on_texts(Subject::Articles),
        }
    }

    /// A fixed text.
    fn reply(self, intent: Intent, name: &str) -> Result<Answer, SearchError> {
        let language = self.language;
        self.told(intent, text(name, language).to_owned())
    }

    /// An answer of text and suggestions; the session stays as it is.
    fn told(self, intent: Intent, message: String) -> Result<Answer, SearchError> {
        let suggestions = suggest::openings(self.snapshot, self.language)?;
        Ok(Answer { suggestions, ..Answer::of(intent, message, self.conversation) })
    }

    /// A message that cannot be answered.
    fn unknown(self) -> Result<Answer, SearchError> {
        let name = match self.language {
            Language::English | Language::Spanish => "unknown",
            Language::Other => "other_language",
        };
        self.reply(Intent::Unknown, name)
    }

    /// The next rows of the last list.
    fn more(mut self) -> Result<Answer, SearchError> {
        if self.conversation.subject == Subject::Knowledge && self.conversation.entry.is_some() {
            return self.whole_entry();
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
                let before = self.conversation.explicit.as_deref().cloned().unwrap_or_default();
                let same = self.explicit.is_empty() || self.explicit == before;
                if self.explicit.is_empty() {
                    self.explicit = before;
                }
                self.list(if same { page } else { 1 })
            }
        }
    }
}
