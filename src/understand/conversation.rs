//! What a session remembers: what nonprofits are asked for, and what was shown last, so that the next
//! message can go on from it.

use super::frame::{FIGURES, Frame, Place};
use crate::index::columns::Area;
use crate::reader::Known;
use crate::record::Ein;

/// Rows of the last answer that are remembered: as many as a page of a search may show.
pub const SHOWN_MAX: usize = 100;

/// What an answer was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Subject {
    #[default]
    Nonprofits,
    Articles,
    Funds,
    /// What a term means.
    Knowledge,
}

/// What a session remembers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conversation {
    /// What nonprofits are asked for.
    pub frame: Frame,
    /// What was asked for before the last change.
    pub before: Option<Box<Frame>>,
    /// What was shown last: what `the second one` counts in, and `more` goes on from.
    pub subject: Subject,
    /// The nonprofits of the last list, in order.
    pub nonprofits: Vec<Ein>,
    /// What explicit parameters asked of them.
    pub explicit: Frame,
    /// The articles of the last list, in order.
    pub articles: Vec<i64>,
    /// The funds of the last list, in order.
    pub funds: Vec<i64>,
    /// What the last list of articles or funds was about.
    pub topic: Option<String>,
    /// The entry of the knowledge base that explained last.
    pub entry: Option<String>,
    /// The nonprofit spoken of last: `its revenue`.
    pub focus: Option<Ein>,
    /// Rows of the last list that were shown, on all its pages.
    pub rows: u64,
    /// The last query of a search, and what it was read on top of.
    pub last: Option<Box<LastQuery>>,
}

/// A query, and what was asked for and known before it.
#[derive(Debug, Clone, PartialEq)]
pub struct LastQuery {
    text: String,
    frame: Frame,
    known: Vec<Known>,
}

impl Conversation {
    /// Remembers a list of nonprofits that was shown, the last of so many `rows`.
    pub fn show_nonprofits(&mut self, eins: impl IntoIterator<Item = Ein>, rows: u64) {
        self.subject = Subject::Nonprofits;
        self.nonprofits = eins.into_iter().take(SHOWN_MAX).collect();
        self.focus = None;
        self.rows = rows;
    }

    /// Asks for something else from now on; what was asked for can be gone back to.
    pub fn ask(&mut self, frame: Frame) {
        if frame != self.frame {
            self.before = Some(Box::new(std::mem::replace(&mut self.frame, frame)));
        }
    }

    /// Remembers a query of a search and what it asks for.
    pub fn search(&mut self, text: &str, frame: Frame) {
        if !self.is_repeated(text) {
            let (before, known) = (self.frame.clone(), self.known());
            self.last = Some(Box::new(LastQuery { text: text.to_owned(), frame: before, known }));
        }
        self.ask(frame);
    }

    /// Whether a query is the last one again: its next page is asked for with the same words.
    pub fn is_repeated(&self, text: &str) -> bool {
        self.last.as_ref().is_some_and(|last| last.text == text)
    }

    /// What a query is read on top of: what was asked for before, and what the reader is told. The same
    /// query again is read as it was.
    pub fn ground(&self, text: &str) -> (&Frame, Vec<Known>) {
        match &self.last {
            Some(last) if last.text == text => (&last.frame, last.known.clone()),
            _ => (&self.frame, self.known()),
        }
    }

    /// What the reader of the next message is told.
    pub fn known(&self) -> Vec<Known> {
        let frame = &self.frame;
        let shown = match self.subject {
            Subject::Nonprofits => Known::ShownNonprofits,
            Subject::Articles => Known::ShownArticles,
            Subject::Funds => Known::ShownFunds,
            Subject::Knowledge => Known::Explained,
        };
        let is_shown = match self.subject {
            Subject::Nonprofits => !self.nonprofits.is_empty(),
            Subject::Articles => !self.articles.is_empty(),
            Subject::Funds => !self.funds.is_empty(),
            Subject::Knowledge => self.entry.is_some(),
        };
        let started = is_shown || self.focus.is_some() || !frame.is_empty();
        let mut known: Vec<Known> = [
            (started, Known::Started),
            (frame.cause.is_some(), Known::Cause),
            (frame.organization.is_some(), Known::Name),
            (!frame.places.is_empty() || !frame.not_places.is_empty(), Known::Place),
            (!frame.sizes.is_empty(), Known::Size),
            (!frame.sdgs.is_empty(), Known::Sdg),
            (!frame.ntee.is_empty(), Known::Ntee),
            (!frame.subsections.is_empty(), Known::Subsection),
            (frame.foundation.is_some(), Known::Foundation),
            (frame.deductible.is_some(), Known::Deductible),
            (frame.inactive.is_some(), Known::Revoked),
            (frame.vetted.is_some(), Known::Vetted),
            (!frame.sort.is_empty(), Known::Sort),
            (is_shown, shown),
            (self.focus.is_some(), Known::ShownOne),
        ]
        .into_iter()
        .filter_map(|(is_so, name)| is_so.then_some(name))
        .collect();
        const BOUNDS: [(Known, Known); FIGURES.len()] = [
            (Known::RevenueMin, Known::RevenueMax),
            (Known::ExpensesMin, Known::ExpensesMax),
            (Known::AssetsMin, Known::AssetsMax),
            (Known::EmployeesMin, Known::EmployeesMax),
            (Known::ScoreMin, Known::ScoreMax),
            (Known::RatingMin, Known::RatingMax),
        ];
        for ((min, max), range) in BOUNDS.into_iter().zip(frame.ranges()) {
            known.extend(range.min.map(|_| min));
            known.extend(range.max.map(|_| max));
        }
        known
    }

    /// About how many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.nonprofits.capacity() * size_of::<Ein>()
            + (self.articles.capacity() + self.funds.capacity()) * size_of::<i64>();
        let texts = [&self.topic, &self.entry].into_iter().flatten().map(String::len);
        let before = self.before.as_ref().map_or(0, |frame| size_of::<Frame>() + bytes_of(frame));
        let last = self.last.as_ref().map_or(0, |last| {
            size_of::<LastQuery>() + last.text.len() + last.known.len() + bytes_of(&last.frame)
        });
        let frames = last + before + bytes_of(&self.frame) + bytes_of(&self.explicit);
        size_of::<Self>() + lists + texts.sum::<usize>() + frames
    }
}

/// About how many bytes a frame holds beside itself.
fn bytes_of(frame: &Frame) -> usize {
    /// Of what an area holds beside itself: names of a city and a county.
    const AREA_TEXT: usize = 32;
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let list =
        |list: &[String]| list.iter().map(|item| item.len() + size_of::<String>()).sum::<usize>();
    let places = frame.places.iter().chain(&frame.not_places).map(|place: &Place| {
        let areas = place.areas.len() * (size_of::<Area>() + AREA_TEXT);
        size_of_val(place) + place.name.len() + areas
    });
    text(&frame.cause)
        + text(&frame.text)
        + list(&frame.cause_ntee)
        + list(&frame.ntee)
        + list(&frame.not_ntee)
        + places.sum::<usize>()
        + frame.organization.as_ref().map_or(0, |found| found.name.len())
}
