//! The years that a message asks about: of its own words, or those of the question before.

use super::Turn;
use crate::reader::{DialogueAct, Role};
use crate::search::details::details;
use crate::understand::{meaning_in, opens_with, says, years_of};

impl Turn<'_> {
    /// The first year that is asked for.
    pub(super) fn year(&self) -> Option<u16> {
        self.years().first().copied()
    }

    /// The years that are asked for, or that the question before asked for and this one speaks of.
    pub(super) fn years(&self) -> Vec<u16> {
        let said = years_of(self.text, &self.message);
        if said.is_empty() && says(self.text, "year before") {
            return self.year_before().into_iter().collect();
        }
        let before = self.conversation.asked.as_ref().filter(|_| says(self.text, "those years"));
        match before {
            Some(asked) if said.is_empty() => asked.years.clone(),
            _ => said,
        }
    }

    /// The year before the one that was asked for, or before the latest on file.
    fn year_before(&self) -> Option<u16> {
        let asked = self.conversation.asked.as_ref().and_then(|asked| asked.years.first().copied());
        let latest = || {
            let one = details(self.snapshot, self.conversation.focus?).ok()??;
            Some(one.latest_filing?.period_end.year())
        };
        asked.or_else(latest)?.checked_sub(1)
    }

    /// Two years of one nonprofit are no two nonprofits: `Red Cross revenue 2015 vs 2022`.
    pub(super) fn compare_years(&mut self) {
        let names = self.all_words(Role::Name).count();
        let is_of_one = names == 1 || (names == 0 && self.conversation.focus.is_some());
        let named = meaning_in(self.text, "figure compared").and_then(DialogueAct::named);
        let asks_figure = match self.request.act() {
            DialogueAct::Compare | DialogueAct::Trend => true,
            DialogueAct::GrantsMade | DialogueAct::GrantsReceived => named.is_some(),
            act => named.is_some() && !act.is_fact(),
        };
        if asks_figure && is_of_one && !self.has(Role::Cause) && self.years().len() > 1 {
            let read = self.request.fact().filter(|fact| *fact != DialogueAct::Trend);
            self.request.acts = vec![named.or(read).unwrap_or(DialogueAct::Revenue)];
        }
    }

    /// `and in 2020?` asks for the fact of before.
    pub(super) fn ask_of_another_year(&mut self) {
        let Some(asked) = &self.conversation.asked else {
            if self.conversation.focus.is_some() && self.goes_on_with_year_before() {
                self.request.acts = vec![DialogueAct::Revenue];
            }
            return;
        };
        let names_year = !years_of(self.text, &self.message).is_empty();
        let is_year_before = asked.fact.is_fact() && self.goes_on_with_year_before();
        let asks_same = is_year_before || (names_year && !self.request.asks_fact());
        if asks_same && !self.asks_anew() {
            self.request.acts = vec![asked.fact];
        }
    }

    /// `and the year before?` asks for nothing else, whatever its words are read as.
    fn goes_on_with_year_before(&self) -> bool {
        says(self.text, "year before") && opens_with(self.text, "asks the same")
    }
}
