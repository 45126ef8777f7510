//! The state of a session: the current search of nonprofits and the last rows shown, which the next
//! message can refer to.

use std::collections::VecDeque;

use super::cause;
use super::edit::Step;
use super::frame::{Frame, NamedPlace};
use super::phrases::is_common;
use crate::index::columns::Dimension;
use crate::query::{Area, Figure, Flag};
use crate::reader::{Danger, DialogueAct, Known, Language};
use crate::record::Ein;

/// Rows of the last answer that are stored: as many as a page of a search may show.
pub const SHOWN_MAX: usize = 100;

/// Earlier frames that a message can return to; the oldest is dropped first.
pub const FRAMES_MAX: usize = 8;

/// Nonprofits stored as shown or mentioned; the oldest is dropped first.
pub const SEEN_MAX: usize = 60;

/// Messages for which a danger to life or limb is remembered.
const DANGER_MESSAGES_MAX: u8 = 3;

/// The kind of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subject {
    #[default]
    Nonprofits,
    Articles,
    Funds,
    /// What a term means.
    Knowledge,
    /// Who lost an exemption, where no list of those is loaded.
    Revocations,
}

/// A fact of a nonprofit that is asked for, or a count, a sum or groups of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactQuestion {
    pub fact: DialogueAct,
    /// Only of these years.
    pub years: Vec<u16>,
    /// The lines of a return that are asked for, by name.
    pub lines: Vec<&'static str>,
    /// What is added up.
    pub figure: Option<Figure>,
    /// What groups are by.
    pub by: Option<Dimension>,
}

impl FactQuestion {
    /// Asks for a fact without conditions.
    pub fn of(fact: DialogueAct) -> Self {
        Self { fact, years: Vec::new(), lines: Vec::new(), figure: None, by: None }
    }
}

/// What a session remembers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conversation {
    /// The current search of nonprofits.
    pub frame: Frame,
    /// The frames before it, the latest last; eight at most.
    pub earlier: VecDeque<Frame>,
    /// The kind of the last list: `the second one` counts in it, and `more` continues it.
    pub subject: Subject,
    /// The nonprofits of the last list, in order.
    pub nonprofits: Vec<Ein>,
    /// Whether these are candidates of a name, of which none was chosen: a pronoun means none of them.
    pub of_candidates: bool,
    /// Every nonprofit that was shown or spoken of, the latest last, each once; sixty at most.
    pub seen: VecDeque<Ein>,
    /// Facts to give about the nonprofit that the next message chooses; `None` if there is no choice to make.
    pub pending: Option<Vec<DialogueAct>>,
    /// The last message, as far as the reader reads it.
    pub said: Option<String>,
    /// The language of the last message.
    pub language: Option<Language>,
    /// Filters of that list from explicit parameters.
    pub explicit: Option<Box<Frame>>,
    /// The articles of the last list, in order.
    pub articles: Vec<i64>,
    /// The funds of the last list, in order.
    pub funds: Vec<i64>,
    /// The subject of the last list of articles or funds.
    pub topic: Option<String>,
    /// The last entry of the knowledge base that was quoted.
    pub entry: Option<String>,
    /// The nonprofit mentioned last: `its revenue`.
    pub focus: Option<Ein>,
    /// The last fact asked about it.
    pub asked: Option<FactQuestion>,
    /// The danger or need mentioned last.
    pub danger: Option<MentionedDanger>,
    /// The last danger to life or limb, which is not forgotten for what is asked next.
    pub grave_danger: Option<MentionedDanger>,
    /// Number of rows of the last list that were shown, on all its pages.
    pub rows: u64,
    /// The last query of a search, and its context.
    pub last: Option<Box<LastQuery>>,
}

/// A danger or need that a message mentioned and an answer told where to find help for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MentionedDanger {
    pub kind: Danger,
    /// Messages since then.
    pub messages: u8,
    /// Whether that answer was the short one, because the one before had said it in full.
    pub is_repeated: bool,
}

impl MentionedDanger {
    /// Whether answers still keep it in mind.
    pub fn is_recent(&self) -> bool {
        self.messages <= DANGER_MESSAGES_MAX
    }
}

/// A query, with the frame and the features before it.
#[derive(Debug, Clone, PartialEq)]
pub struct LastQuery {
    text: String,
    frame: Frame,
    known: Vec<Known>,
}

impl Conversation {
    /// Remembers a list of nonprofits that was shown, and the position of its last row.
    pub fn show_nonprofits(&mut self, eins: impl IntoIterator<Item = Ein>, rows: u64) {
        self.subject = Subject::Nonprofits;
        self.nonprofits = eins.into_iter().take(SHOWN_MAX).collect();
        for ein in self.nonprofits.clone().into_iter().rev() {
            self.remember(ein);
        }
        self.of_candidates = false;
        self.focus = None;
        self.asked = None;
        self.pending = None;
        self.rows = rows;
    }

    /// Remembers a nonprofit as the last one shown or mentioned.
    pub fn remember(&mut self, ein: Ein) {
        self.seen.retain(|seen| *seen != ein);
        if self.seen.len() == SEEN_MAX {
            self.seen.pop_front();
        }
        self.seen.push_back(ein);
    }

    /// Starts another search; the one before can be returned to.
    pub fn ask(&mut self, frame: Frame) {
        if frame == self.frame {
            return;
        }
        if self.earlier.len() == FRAMES_MAX {
            self.earlier.pop_front();
        }
        self.earlier.push_back(std::mem::replace(&mut self.frame, frame));
    }

    /// The state of a session as its next message finds it: dangers are one message farther back.
    pub fn at_next_message(before: Option<&Self>) -> Self {
        let mut next = before.cloned().unwrap_or_default();
        for mentioned in [&mut next.danger, &mut next.grave_danger].into_iter().flatten() {
            mentioned.messages = mentioned.messages.saturating_add(1);
        }
        next
    }

    /// Remembers a danger or need that was answered.
    pub fn mention(&mut self, danger: MentionedDanger) {
        self.danger = Some(danger);
        if !danger.kind.is_need() {
            self.grave_danger = Some(danger);
        }
    }

    /// Continues with the frame of a message: if it is an earlier one, the frames after that are dropped.
    pub fn take_step(&mut self, step: Option<Step>, frame: Frame) {
        let before = self.earlier.iter().rposition(|earlier| *earlier == frame);
        match before.filter(|_| step == Some(Step::Back)) {
            Some(at) => {
                self.earlier.truncate(at);
                self.frame = frame;
            }
            None => self.ask(frame),
        }
    }

    /// The frame that a message returns to: the latest earlier one with the places and the cause of the
    /// message, or without any, the one before the last change. `None` if there is no such frame.
    pub fn back_to(&self, said: &Frame) -> Option<&Frame> {
        match said.places.is_empty() && said.cause.is_none() {
            true => self.earlier.back(),
            false => {
                let is_it = |earlier: &&Frame| {
                    has(earlier, said)
                        && (said.places.is_empty() || earlier.places.len() == said.places.len())
                };
                self.earlier.iter().rev().find(is_it)
            }
        }
    }

    /// The frame that a message with a reference continues: `ground`, the one it is read on top of,
    /// unless only an earlier frame has the cause of the reference (`those shelters` after a
    /// question about museums).
    pub fn spoken_of<'a>(&'a self, ground: &'a Frame, reference: &str) -> &'a Frame {
        let names = |frame: &&Frame| shares_cause(frame, reference);
        let now = Some(ground).filter(names);
        now.or_else(|| self.earlier.iter().rev().find(names)).unwrap_or(ground)
    }

    /// Records a query of a search and the frame after it.
    pub fn search(&mut self, text: &str, step: Option<Step>, frame: Frame) {
        if !self.is_repeated(text) {
            let (before, known) = (self.frame.clone(), self.known());
            self.last = Some(Box::new(LastQuery { text: text.to_owned(), frame: before, known }));
        }
        self.take_step(step, frame);
    }

    /// Whether a query is the last one again: its next page is asked for with the same words.
    pub fn is_repeated(&self, text: &str) -> bool {
        self.last.as_ref().is_some_and(|last| last.text == text)
    }

    /// The context of a query: the frame before it, and the features given to the reader. A
    /// repeated query is read in the context that it had before.
    pub fn ground(&self, text: &str) -> (&Frame, Vec<Known>) {
        match &self.last {
            Some(last) if last.text == text => (&last.frame, last.known.clone()),
            _ => (&self.frame, self.known()),
        }
    }

    /// The features of the conversation for the reader of the next message.
    pub fn known(&self) -> Vec<Known> {
        let frame = &self.frame;
        let shown = match self.subject {
            Subject::Nonprofits | Subject::Revocations => Known::ShownNonprofits,
            Subject::Articles => Known::ShownArticles,
            Subject::Funds => Known::ShownFunds,
            Subject::Knowledge => Known::Explained,
        };
        let is_shown = match self.subject {
            Subject::Nonprofits | Subject::Revocations => !self.nonprofits.is_empty(),
            Subject::Articles => !self.articles.is_empty(),
            Subject::Funds => !self.funds.is_empty(),
            Subject::Knowledge => self.entry.is_some(),
        };
        let started = is_shown || self.focus.is_some() || !frame.is_empty();
        let mut known: Vec<Known> = [
            (started, Known::Started),
            (frame.cause.is_some(), Known::Cause),
            // Those that bear a name are a list as any other.
            (frame.organization.is_some() && frame.among.is_empty(), Known::Name),
            (!frame.places.is_empty() || !frame.not_places.is_empty(), Known::Place),
            (!frame.choices.sizes.is_empty(), Known::Size),
            (!frame.sdgs.is_empty(), Known::Sdg),
            (!frame.ntee.is_empty(), Known::Ntee),
            (!frame.subsections.is_empty(), Known::Subsection),
            (frame.flags[Flag::Foundation].is_some(), Known::Foundation),
            (frame.flags[Flag::Deductible].is_some(), Known::Deductible),
            (frame.flags[Flag::Inactive].is_some(), Known::Revoked),
            (frame.flags[Flag::Vetted].is_some(), Known::Vetted),
            (!frame.sort.is_empty(), Known::Sort),
            (is_shown, shown),
            (self.focus.is_some(), Known::ShownOne),
        ]
        .into_iter()
        .filter_map(|(is_so, name)| is_so.then_some(name))
        .collect();
        // Figures as features, as far as the model was trained with them.
        for (figure, range) in frame.ranges.bounded() {
            let bound = |end: &str| Known::named(&format!("{}_{end}", figure.name()));
            known.extend(range.min.and_then(|_| bound("min")));
            known.extend(range.max.and_then(|_| bound("max")));
        }
        known
    }

    /// Approximate size in bytes.
    pub(super) fn bytes(&self) -> usize {
        let asked = self.pending.as_ref().map_or(0, |facts| facts.len() * size_of::<DialogueAct>());
        let lists = (self.nonprofits.capacity() + self.seen.capacity()) * size_of::<Ein>()
            + asked
            + (self.articles.capacity() + self.funds.capacity()) * size_of::<i64>();
        let texts = [&self.topic, &self.entry, &self.said].into_iter().flatten().map(String::len);
        let before = self.earlier.capacity() * size_of::<Frame>()
            + self.earlier.iter().map(bytes_of).sum::<usize>();
        let last = self.last.as_ref().map_or(0, |last| {
            size_of::<LastQuery>() + last.text.len() + last.known.len() + bytes_of(&last.frame)
        });
        let explicit =
            self.explicit.as_deref().map_or(0, |asked| size_of::<Frame>() + bytes_of(asked));
        let frames = last + before + bytes_of(&self.frame) + explicit;
        size_of::<Self>() + lists + texts.sum::<usize>() + frames
    }
}

/// Whether a frame asks for the places and the cause of another.
fn has(frame: &Frame, said: &Frame) -> bool {
    let is_there = |place: &NamedPlace| {
        let same =
            |own: &NamedPlace| own == place || (place.city.is_some() && own.city == place.city);
        frame.places.iter().any(same)
    };
    said.places.iter().all(is_there)
        && said.cause.as_deref().is_none_or(|cause| shares_cause(frame, cause))
}

/// Whether a word that tells something is of a frame's cause too.
fn shares_cause(frame: &Frame, words: &str) -> bool {
    let own: Vec<String> =
        frame.cause.iter().flat_map(|cause| cause.split(' ')).map(cause::stem).collect();
    let words = crate::naming::normalise(words);
    words.split(' ').any(|word| !is_common(word) && own.contains(&cause::stem(word)))
}

/// Approximate heap size of a frame in bytes.
fn bytes_of(frame: &Frame) -> usize {
    /// Of what an area holds beside itself: names of a city and a county.
    const AREA_TEXT: usize = 32;
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let list =
        |list: &[String]| list.iter().map(|item| item.len() + size_of::<String>()).sum::<usize>();
    let places = frame.places.iter().chain(&frame.not_places).map(|place: &NamedPlace| {
        let areas = place.areas.len() * (size_of::<Area>() + AREA_TEXT);
        size_of_val(place) + place.name.len() + areas
    });
    text(&frame.cause)
        + text(&frame.text)
        + list(&frame.cause_ntee)
        + list(&frame.ntee)
        + list(&frame.not_ntee)
        + list(&frame.not_names)
        + (frame.not_eins.len() + frame.among.len()) * size_of::<Ein>()
        + places.sum::<usize>()
        + frame.organization.as_ref().map_or(0, |found| found.name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(cause: &str) -> Frame {
        Frame { cause: Some(cause.to_owned()), ..Frame::default() }
    }

    fn after(causes: &[&str]) -> Conversation {
        let mut conversation = Conversation::default();
        causes.iter().for_each(|cause| conversation.ask(about(cause)));
        conversation
    }

    #[test]
    fn earlier_frames_are_gone_back_to_by_what_they_ask_for() {
        let conversation = after(&["animal shelters", "art museums", "libraries"]);
        let cause = |frame: Option<&Frame>| frame.and_then(|frame| frame.cause.clone());
        for (said, expected) in [
            (Frame::default(), Some("art museums")),
            (about("the shelter"), Some("animal shelters")),
            (about("museum"), Some("art museums")),
            (about("theaters"), None),
        ] {
            assert_eq!(cause(conversation.back_to(&said)).as_deref(), expected, "{said:?}");
        }
        for (reference, expected) in [
            ("those shelters", "animal shelters"),
            ("those", "libraries"),
            ("the libraries", "libraries"),
        ] {
            assert_eq!(
                cause(Some(conversation.spoken_of(&conversation.frame, reference))).as_deref(),
                Some(expected)
            );
        }
    }

    #[test]
    fn a_grave_danger_is_remembered_beside_a_need_for_a_few_messages() {
        let mention = |kind| MentionedDanger { kind, messages: 0, is_repeated: false };
        let mut conversation = Conversation::default();
        conversation.mention(mention(Danger::SelfHarm));
        conversation.mention(mention(Danger::Lawyer));
        let grave = |of: &Conversation| {
            of.grave_danger.filter(MentionedDanger::is_recent).map(|one| one.kind)
        };
        for _ in 0..DANGER_MESSAGES_MAX {
            conversation = Conversation::at_next_message(Some(&conversation));
            assert_eq!(grave(&conversation), Some(Danger::SelfHarm));
        }
        assert_eq!(conversation.danger.map(|one| one.kind), Some(Danger::Lawyer));
        assert_eq!(grave(&Conversation::at_next_message(Some(&conversation))), None);
    }

    #[test]
    fn steps_back_forget_what_came_after() {
        let mut conversation = after(&["shelters", "museums", "libraries"]);
        for expected in [Some("museums"), Some("shelters"), None] {
            let before = conversation.back_to(&Frame::default()).unwrap().clone();
            conversation.take_step(Some(Step::Back), before);
            assert_eq!(conversation.frame.cause.as_deref(), expected);
        }
        assert!(conversation.back_to(&Frame::default()).is_none());
    }

    #[test]
    fn the_oldest_frames_are_forgotten() {
        let causes: Vec<String> = (0..FRAMES_MAX + 5).map(|n| format!("cause{n}")).collect();
        let causes: Vec<&str> = causes.iter().map(String::as_str).collect();
        assert_eq!(after(&causes).earlier.len(), FRAMES_MAX);
    }
}
