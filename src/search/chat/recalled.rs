//! Lists of earlier in the conversation that a message goes back to.

use super::{Result, Turn, has_word};
use crate::naming::normalise;
use crate::reader::Reader;
use crate::understand::{Frame, is_generic, ordinals, says, tells};

impl Turn<'_> {
    /// Asks about earlier lists where the message says so: the lists of the whole conversation, the latest first (`of all that
    /// you've shown me`), or the one for a kind, in which a number counts (`the first one you gave me for the furniture`).
    pub(super) fn recall_lists(&mut self) -> Result<()> {
        if says(self.text, "all that was shown") {
            let seen = self.conversation.seen.iter().rev().copied();
            self.conversation.nonprofits = seen.collect();
            self.conversation.focus = None;
            return Ok(());
        }
        self.recall_list_of_kind()
    }

    /// Shows the latest list for a kind that the message names with a number, where the last list is for another.
    fn recall_list_of_kind(&mut self) -> Result<()> {
        if ordinals(self.text).is_empty() || self.conversation.earlier.is_empty() {
            return Ok(());
        }
        let form = normalise(self.text);
        let said: Vec<&str> =
            form.split(' ').filter(|word| tells(word) && !is_generic(word)).collect();
        let is_for = |frame: &Frame| {
            let cause = frame.cause.as_deref().map(normalise).unwrap_or_default();
            said.iter().any(|word| has_word(&cause, word))
        };
        if is_for(&self.conversation.frame) {
            return Ok(());
        }
        let mut earlier = self.conversation.earlier.iter().rev();
        let Some(frame) = earlier.find(|frame| is_for(frame)).cloned() else { return Ok(()) };
        let message = Reader::shared()?.read("", &[])?;
        let mut turn = Turn { text: "", message, ..self.clone() };
        turn.conversation.ask(frame);
        let understood = turn.interpret(None)?;
        self.conversation = turn.found(understood, 1)?.next;
        self.conversation.focus = None;
        Ok(())
    }
}
