//! What a session remembers: what nonprofits are asked for, and what was shown last, so that the next
//! message can go on from it.

use super::frame::{Frame, Place};
use crate::index::columns::Area;
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
}

impl Conversation {
    /// Remembers a list of nonprofits that was shown, the last of so many `rows`.
    pub fn show_nonprofits(&mut self, eins: impl IntoIterator<Item = Ein>, rows: u64) {
        self.subject = Subject::Nonprofits;
        self.nonprofits = eins.into_iter().take(SHOWN_MAX).collect();
        self.focus = None;
        self.rows = rows;
    }

    /// About how many bytes it holds.
    pub(super) fn bytes(&self) -> usize {
        let lists = self.nonprofits.capacity() * size_of::<Ein>()
            + (self.articles.capacity() + self.funds.capacity()) * size_of::<i64>();
        let texts = [&self.topic, &self.entry].into_iter().flatten().map(String::len);
        let frames = bytes_of(&self.frame) + bytes_of(&self.explicit);
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
