//! What is asked of people, of a gift, or of this program as of somebody who acts: answered apart from the parts of a
//! message.

use super::phrase::text;
use super::referents::Referents;
use super::worded::{act_of, is_amount};
use super::{Answer, Intent, Result, Turn};
use crate::reader::{DialogueAct, Role};
use crate::understand::{opens_with, says};

impl Turn<'_> {
    /// Whether the words of the message decide its act.
    pub(super) fn is_worded(&self) -> bool {
        let act = act_of(self.text, &self.message, &self.conversation.known());
        act == Some(self.request.act())
    }

    /// The answer to what is asked of people, of a gift, or of this program as of somebody who acts.
    pub(super) fn asked_apart(mut self) -> Result<Option<Answer>> {
        self.conversation.pending = None;
        match self.request.act() {
            DialogueAct::Errand if says(self.text, "handles a list") => {
                self.reply(Intent::Unknown, "errand.list").map(Some)
            }
            DialogueAct::Errand => self.reply(Intent::Unknown, "errand").map(Some),
            DialogueAct::Boards => self.boards().map(Some),
            DialogueAct::Vetting => self.vetted().map(Some),
            _ => Ok(None),
        }
    }

    /// What the lists say of whoever a wrong is asked after, and that they judge nobody: `is Feeding South Dakota a scam?`.
    pub(super) fn accused(mut self) -> Result<Answer> {
        self.request.acts = vec![DialogueAct::Standing];
        let said = text("accusation.of_one", self.language);
        let answer = match self.referents()? {
            Referents::Of(eins) => self.details_of(eins[0])?,
            Referents::Called(name) => self.of_called(name)?,
            _ => return self.reply(Intent::Unknown, "accusation"),
        };
        Ok(Answer { message: format!("{said} {}", answer.message), ..answer })
    }

    /// What to check of the nonprofit that is to be given to; else those that the message describes.
    fn vetted(mut self) -> Result<Answer> {
        self.message.spans.retain(|span| !is_amount(span.role));
        if let Some(named) = self.named_after()? {
            return self.details_of(named.ein);
        }
        let named = match self.explicit_referents()? {
            Referents::Of(eins) => eins.first().copied(),
            _ => self.surely_named()?,
        };
        let named = named.or(self.conversation.focus.filter(|_| says(self.text, "of it")));
        match named {
            Some(ein) => self.details_of(ein),
            None if opens_with(self.text, "vets") && self.take_words_for_name() => self.facts(),
            None if self.has(Role::Name) => self.facts(),
            None => {
                self.request.acts = vec![DialogueAct::Search];
                self.search()
            }
        }
    }
}
