//! How many of those that were counted are of a kind.

use super::phrase::phrase;
use super::sums::within;
use super::{Answer, Intent, Result, Turn};
use crate::query::Flag;
use crate::reader::{DialogueAct, Role};
use crate::understand::{cause_of, said_in, says};

impl Turn<'_> {
    /// The answer to a question after a kind within a count, else about the one that a message half remembers.
    pub(super) fn included_or_half_named(&self) -> Result<Option<Answer>> {
        self.included_in_count()?.map_or_else(|| self.of_half_named(), |answer| Ok(Some(answer)))
    }

    /// How many of those that were counted are of a kind: `does that include churches?`. The count before stays what is
    /// spoken of.
    fn included_in_count(&self) -> Result<Option<Answer>> {
        let asked = self.conversation.asked.as_ref();
        let is_counted = asked.is_some_and(|asked| asked.fact == DialogueAct::Count);
        let asks = says(self.text, "asks whether included") && self.has(Role::Cause);
        if !is_counted || !asks || self.has(Role::Place) {
            return Ok(None);
        }
        let frame = &self.conversation.frame;
        if frame.cause.is_some() && !self.is_coded(frame)? {
            return Ok(None);
        }
        let words: Vec<&str> = self.all_words(Role::Cause).collect();
        let words = words.join(" ");
        let asked = said_in(&words, "asks whether included").into_iter().map(|said| said.end).max();
        let words = words[asked.unwrap_or_default()..].trim().to_owned();
        let kind = cause_of(&words, self.snapshot)?;
        let mut filters = frame.filters();
        filters.ntee_prefixes = within(&filters.ntee_prefixes, &frame.cause_ntee);
        let are_churches = says(&words, "church");
        match are_churches {
            true => filters.flags[Flag::Church] = Some(true),
            false if kind.cause_is_term => {
                let both = within(&filters.ntee_prefixes, &kind.cause_ntee);
                if both.is_empty() {
                    return self.clone().no_such_counted(&words).map(Some);
                }
                filters.ntee_prefixes = both;
            }
            false => return Ok(None),
        }
        let count = self.chosen_by(&filters)?.count();
        let name = match count {
            0 => return self.clone().no_such_counted(&words).map(Some),
            _ if are_churches => "count.included.churches",
            _ => "count.included",
        };
        let message = phrase!(name, count, cause = words).say(self.language);
        self.clone().told(Intent::NonprofitDetails, message).map(Some)
    }

    /// That none of those counted is of a kind.
    fn no_such_counted(self, words: &str) -> Result<Answer> {
        let message = phrase!("count.included.none", cause = words).say(self.language);
        self.told(Intent::NonprofitDetails, message)
    }
}
