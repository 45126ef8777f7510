//! Answers one message of a chat.
//!
//! The trained reader determines what a message asks for; nonprofits are searched as by the beta
//! search. [`Answer::next`] is the state with which the session continues.

mod answer;
mod apart;
mod assisted;
mod begun;
mod called;
mod called_shown;
mod changes;
mod codes;
mod coverage;
mod danger;
mod entries;
mod explained;
mod exported;
mod facts;
mod funders;
mod groups;
mod half_named;
mod here;
mod included;
mod kept;
mod list;
mod listed_towns;
mod long;
mod message;
mod misread;
mod named_after;
mod national;
mod nearest;
mod next_rows;
mod one;
mod ordered;
mod page;
mod part;
mod parts;
mod person;
mod phrase;
mod places;
mod pointed;
mod properties;
mod reading;
mod recalled;
mod referents;
mod remembered;
mod request;
mod resolved;
mod several;
mod shown;
mod spelling;
mod such;
mod suggest;
mod sums;
mod texts;
mod titled;
mod unread;
mod which;
mod worded;
mod work;
mod years;

use super::SearchError;
use crate::language_model::LanguageModel;
use crate::naming::normalise;
use crate::reader::{
    Act, Danger, DialogueAct, Intent as Asks, Language, Message, Operation, Reader, Role, Span,
};
use crate::record::Ein;
use crate::snapshot::Snapshot;
use crate::understand::{
    Conversation, FactQuestion, Frame, Lookup, Subject, Which, opens_with, ordinals, referred,
    says, tells_danger,
};
use long::LongMessage;
use part::Part;
use referents::Referents;
use request::Request;

use answer::hit;
pub use answer::{Answer, Intent, NonprofitRef};
pub(super) use phrase::{help_beside, help_in};
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

/// A message, or a part of one, being answered.
#[derive(Clone)]
struct Turn<'a> {
    snapshot: &'a Lookup<'a>,
    /// As it was sent, trimmed.
    text: &'a str,
    /// As it was read.
    message: Message,
    /// What it asks for.
    request: Request,
    language: Language,
    explicit: Frame,
    /// Whether the rest of a list is asked for that ended behind its likely rows.
    asks_rest: bool,
    /// Whether no entry of the knowledge base answers it, so that none is sought again.
    is_unexplained: bool,
    /// The state of the conversation so far.
    conversation: Conversation,
}

type Result<T, E = SearchError> = std::result::Result<T, E>;

/// Answers a message.
pub fn answer(snapshot: &Snapshot, question: &Question<'_>) -> Result<Answer> {
    let mut answer = answer_to(snapshot, question)?.reminding_of_danger();
    let said = Reader::shared()?.readable_prefix(question.message.trim())?;
    answer.next.said = Some(said.to_owned());
    Ok(answer)
}

fn answer_to(snapshot: &Snapshot, question: &Question<'_>) -> Result<Answer> {
    let snapshot = &Lookup::of(snapshot);
    let typed = question.message.trim();
    let reader = Reader::shared()?;
    let long = LongMessage::of(reader, typed);
    let asked = long.as_ref().map_or_else(|| typed.to_owned(), LongMessage::asked);
    let asked = message::corrected(reader, asked, snapshot)?;
    let text = message::without_correction(&asked, question.earlier);
    let mut conversation = Conversation::at_next_message(question.earlier);
    if opens_with(text, "asks for a meaning") {
        conversation.said = None;
    }
    let known = conversation.known();
    let message = message::read(reader, text, &known)?;
    let language = reading::language_of(text, &message.language, conversation.language);
    conversation.language = Some(language);
    let explicit = question.explicit.clone();
    let mut parts = parts::parts(reader, text, &message, &known, conversation.said.as_deref())?;
    if text.len() < asked.len() {
        parts::keep_fact(&mut parts, conversation.asked.as_ref());
    }
    let request = parts.first().map(|part| part.request.clone()).unwrap_or_default();
    let whole = Turn {
        snapshot,
        text,
        message,
        request,
        language,
        explicit,
        asks_rest: false,
        is_unexplained: false,
        conversation,
    };
    let stretches = long.as_ref().map(LongMessage::stretches).unwrap_or_default();
    let places = long.as_ref().map(|long| long.places(snapshot)).transpose()?;
    let in_story = whole.danger_in_story(&stretches, places.as_deref())?;
    if let Some(answer) = in_story.map_or_else(|| whole.before_acts(), |one| Ok(Some(one)))? {
        return Ok(answer);
    }
    let needs_help = reader.needs_some_help(text, &whole.message)?;
    let places = places.map_or_else(|| whole.places_said(), Ok)?;
    let answered = whole.clone().with_help(parts, question.language_model)?;
    let mut answer = whole.with_titled(answered)?.warned_of_scam(typed, language);
    if needs_help && matches!(answer.intent, Intent::FindNonprofits | Intent::Unknown) {
        answer.message += &format!(" {}", phrase::text("help.unclear", language));
    }
    if answer.next.frame.is_empty() {
        answer.next.frame.places.extend(places);
    }
    Ok(answer)
}

impl Turn<'_> {
    /// Answers that precede the act of the message: to an empty message, the title of an entry,
    /// danger, or the answer to an open question.
    fn before_acts(&self) -> Result<Option<Answer>> {
        let has_words = self.text.chars().any(char::is_alphanumeric);
        if !has_words && self.explicit.is_empty() {
            return self.clone().unknown().map(Some);
        }
        let sure_answers = [
            Self::asked_of_work,
            Self::surely_explained,
            Self::deductible_bequest,
            Self::deductible_kind,
            Self::distance_asked,
            Self::best_paid,
        ];
        for answer in sure_answers {
            if let Some(answer) = answer(self)? {
                return Ok(Some(answer));
            }
        }
        let danger = self.danger()?;
        let may_be_explained =
            danger.is_none_or(Danger::is_need) && !tells_danger(self.text, &self.message);
        if may_be_explained && let Some(answer) = self.certainly_explained(danger)? {
            return Ok(Some(answer));
        }
        if let Some(danger) = danger {
            return self.clone().help_in(danger).map(Some);
        }
        if self.accuses() {
            return self.clone().accused().map(Some);
        }
        if let Some(answer) = self.clone().asked_apart()? {
            return Ok(Some(answer));
        }
        if let Some(pending) = &self.conversation.pending
            && let Some(ein) = self.chosen()?
        {
            let mut turn = self.clone();
            let facts = turn.request.facts();
            turn.request.acts = if facts.is_empty() { pending.clone() } else { facts };
            let mut answer = turn.details_of(ein)?;
            answer.next.pending = None;
            return Ok(Some(answer));
        }
        Ok(None)
    }

    /// Answers each part in turn, in the conversation that the one before leaves; the texts are joined.
    fn in_parts(mut self, parts: Vec<Part>) -> Result<Answer> {
        self.conversation.pending = None;
        if let [_] = &parts[..] {
            return self.one_part();
        }
        let mut said: Option<Answer> = None;
        let asks_fact: Vec<bool> = parts.iter().map(|part| part.request.asks_fact()).collect();
        let asks_more = |at: usize| at + 1 < asks_fact.len();
        for (at, part) in parts.into_iter().enumerate() {
            if part.says_nothing() && (said.is_some() || asks_more(at)) {
                continue;
            }
            let Part { text, message, request } = part;
            let mut turn = Turn { text: &text, message, request, ..self.clone() };
            if let Some(before) = &said {
                turn.conversation = before.next.clone();
                turn.message.act.label = Act::On;
            }
            let is_thanked = turn.request.act() == DialogueAct::Thanks;
            // `Farm Rescue, that's it. where are they?`
            let leads = !asks_fact[at] && asks_fact.get(at + 1) == Some(&true);
            if said.is_none()
                && leads
                && !is_thanked
                && let Some(ein) = turn.leading_one()?
            {
                self.conversation.focus = Some(ein);
                self.conversation.remember(ein);
                continue;
            }
            let described = turn.clone();
            let mut answer = turn.one_part()?;
            // What was found before says more than that nobody is known to be meant.
            if said.is_some() && answer.message == phrase::text("which_one.first", self.language) {
                continue;
            }
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

    fn one_part(mut self) -> Result<Answer> {
        self.recall_lists()?;
        self.read_groups();
        self.compare_years();
        self.compare_two();
        self.ask_pay_of_others();
        if let Some(answer) = self.of_work_or_names()? {
            return Ok(answer);
        }
        let asks_list = matches!(
            self.request.act(),
            DialogueAct::Search | DialogueAct::Change | DialogueAct::Other | DialogueAct::More
        ) || self.is_bare_number();
        let is_worded = self.is_worded();
        if let Some(act) = self.asked_of_money()?.filter(|_| !is_worded) {
            self.request.acts = vec![act];
        }
        let gives_ein = self.has(Role::Ein) && says(self.text, "gives an EIN");
        if gives_ein || Ein::from_typed(self.text).is_some() {
            self.request.acts.clear();
            return self.facts();
        }
        if let Some(answer) = self.of_rows_shown()? {
            return Ok(answer);
        }
        self.ask_of_another_year();
        if let Some(answer) = self.included_or_half_named()? {
            return Ok(answer);
        }
        if asks_list {
            match self.singled_out()? {
                Referents::Of(eins) => {
                    self.request.acts = self.fact_gone_on_with().into_iter().collect();
                    return self.details_of(eins[0]);
                }
                Referents::Beyond(number) if !self.shows_text() => return self.beyond(number),
                _ => {}
            }
        }
        self.ask_the_same();
        self.seek_nearer();
        self.leave_danger();
        self.leave_story();
        self.leave_shown_name()?;
        self.place_in_state();
        if self.stands_alone() {
            self.message.act.label = Act::New;
        }
        self.stay_in_place();
        self.seek_explained()?;
        self.go_on();
        let label = self.message.intent.label;
        let asks_of_one = self.request.asks_fact()
            || matches!(self.request.act(), DialogueAct::Compare | DialogueAct::Similar);
        if !asks_of_one && self.has(Role::Ein) {
            // `tell me about EIN 97-0000001`.
            self.request.acts.clear();
            return self.facts();
        }
        match label {
            _ if is_worded => self.by_act(),
            Asks::Article if self.has(Role::Number) => self.one_article(),
            Asks::Funds if self.asks_for_funds() && !self.asks_for_advice() => {
                self.on_texts(Subject::Funds)
            }
            Asks::Article if self.request.act() == DialogueAct::Articles => self.one_article(),
            _ if self.shows_text() => self.shown_text(),
            _ => self.by_act(),
        }
    }

    /// Answers by the act, as far as the conversation has what it needs; else nonprofits are searched.
    fn by_act(self) -> Result<Answer> {
        use DialogueAct as Ask;
        let Conversation { nonprofits, earlier, rows, entry, .. } = &self.conversation;
        let is_shown = !nonprofits.is_empty();
        if self.asks_of_counted() {
            return self.of_counted();
        }
        if let Some(order) = self.facts_in_order() {
            return self.ordered_facts(order);
        }
        if self.asks_for_advice() {
            return self.advice();
        }
        if let Some(answer) = self.nearest_of_shown()? {
            return Ok(answer);
        }
        match self.request.act() {
            _ if self.goes_on_explaining() => self.knowledge(),
            Ask::Hello => self.courtesy("hello"),
            Ask::Thanks => self.courtesy("thanks"),
            Ask::Bye => self.courtesy("bye"),
            Ask::Reset => self.reset(),
            Ask::Help => self.help(),
            Ask::Articles => self.on_texts(Subject::Articles),
            Ask::Source => self.source(),
            Ask::Why if is_shown => self.why(),
            Ask::Knowledge if self.seeks_somebody()? => self.search(),
            Ask::Knowledge | Ask::Why => self.knowledge(),
            Ask::Return if !earlier.iter().all(Frame::is_empty) => self.go_back(),
            Ask::More if *rows > 0 || entry.is_some() => self.more(),
            Ask::Compare => self.compare(),
            Ask::Most => self.most(),
            Ask::Which if self.has(Role::Name) => self.facts(),
            Ask::Which if is_shown => self.which(),
            Ask::Count => self.count(),
            Ask::Groups => self.groups(),
            Ask::Total => self.total(),
            Ask::Similar => self.similar(),
            Ask::Funders => self.funders_or_list(),
            Ask::Other => self.other(),
            Ask::Search | Ask::Change | Ask::Which | Ask::Return | Ask::More => self.search(),
            _ => self.facts(),
        }
    }

    /// Acts on the rows shown, and changes, continue the query before.
    fn go_on(&mut self) {
        use DialogueAct as Ask;
        let is_shown = !self.conversation.nonprofits.is_empty();
        let act = self.request.act();
        let is_of_rows = matches!(act, Ask::Most | Ask::Which) || sums::is_counting(act);
        if sums::is_counting(act) && self.speaks_of_all_there() {
            self.message.act.label = Act::New;
        } else if (act == Ask::Change && !self.stands_alone()) || (is_of_rows && is_shown) {
            self.message.act.label = Act::On;
        } else if act == Ask::Search && self.message.intent.label == Asks::Undo {
            self.message.intent.label = Asks::Find;
        }
    }

    /// Whether the message is about all nonprofits of a place, whatever was asked for before: `nonprofits by county in Vermont`.
    fn speaks_of_all_there(&self) -> bool {
        self.has(Role::Place)
            && !self.has(Role::Reference)
            && says(self.text, "all nonprofits")
            && !says_any(self.text, &["those shown", "of those shown", "they", "of them"])
    }

    /// Whether articles or funds were shown last and one of them is referred to.
    fn shows_text(&self) -> bool {
        matches!(self.conversation.subject, Subject::Articles | Subject::Funds)
            && self.has(Role::Reference)
            && (matches!(self.message.intent.label, Asks::Details | Asks::Article)
                || !ordinals(self.text).is_empty())
    }

    fn shown_text(self) -> Result<Answer> {
        let at = match self.referred().first() {
            Some(Which::Nth(number)) => number.saturating_sub(1),
            _ => 0,
        };
        let Conversation { subject, articles, funds, .. } = &self.conversation;
        let is_article = *subject == Subject::Articles;
        match (if is_article { articles } else { funds }).get(at).copied() {
            Some(id) if is_article => self.article(id),
            Some(id) => self.fund(id),
            None => self.beyond(at + 1),
        }
    }

    /// The words of the first span of a role.
    fn words(&self, role: Role) -> Option<&str> {
        self.all_words(role).next()
    }

    /// The words of every span of a role.
    fn all_words(&self, role: Role) -> impl Iterator<Item = &str> {
        self.message.words(self.text, role)
    }

    /// The words of every span of a role, in normal form.
    fn form(&self, role: Role) -> String {
        self.all_words(role).map(normalise).collect::<Vec<_>>().join(" ")
    }

    fn has(&self, role: Role) -> bool {
        self.message.spans.iter().any(|span| span.role == role)
    }

    /// Whether the message sets a value of a role: neither adds to it nor leaves it out.
    fn sets(&self, role: Role) -> bool {
        let is_set = |span: &Span| span.role == role && span.operation == Operation::Set;
        self.message.spans.iter().any(is_set)
    }

    /// Which of those shown the message refers to, if it does.
    fn referred(&self) -> Vec<Which> {
        self.all_words(Role::Reference).flat_map(referred).collect()
    }

    /// Whether the message only refers to the one mentioned last: `that one`.
    fn only_refers(&self) -> bool {
        let spans = &self.message.spans;
        let refers = |span: &Span| matches!(span.role, Role::Reference | Role::Nothing);
        self.referred() == [Which::That]
            && spans.iter().all(refers)
            && !says(self.text, "those shown")
            && !says(self.text, "they")
            && spans.iter().any(|span| says(&self.text[span.bytes.clone()], "of it"))
    }
}

/// Whether a word is one of those of a normal form.
fn has_word(form: &str, word: &str) -> bool {
    form.split(' ').any(|own| own == word)
}

/// Whether a text has a phrase of one of these lists.
fn says_any(text: &str, lists: &[&str]) -> bool {
    lists.iter().any(|list| says(text, list))
}
