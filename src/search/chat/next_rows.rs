//! The rows that follow those of a list.

use super::{Answer, ROWS, Result, Turn};
use crate::understand::{Conversation, Subject};

impl Turn<'_> {
    /// The next rows of the last list.
    pub(super) fn more(mut self) -> Result<Answer> {
        if self.conversation.subject == Subject::Knowledge && self.conversation.entry.is_some() {
            return self.whole_entry();
        }
        let page = (self.conversation.rows / ROWS as u64).saturating_add(1);
        let topic = self.conversation.topic.clone();
        match self.conversation.subject {
            Subject::Articles => self.articles(topic, page),
            Subject::Funds => self.funds(topic, page),
            Subject::Nonprofits | Subject::Knowledge | Subject::Revocations => {
                let before = self.conversation.explicit.as_deref().cloned().unwrap_or_default();
                let same = self.explicit.is_empty() || self.explicit == before;
                if self.explicit.is_empty() {
                    self.explicit = before;
                }
                let Conversation { nonprofits, rows, .. } = &self.conversation;
                self.asks_rest =
                    same && nonprofits.len() < ROWS && *rows == ROWS as u64 && page == 2;
                // What follows the rows that a condition left are others.
                self.conversation.frame.among.clear();
                let asks_rest = self.asks_rest;
                let mut answer = self.list(if same { page } else { 1 })?;
                if asks_rest {
                    // The next page is the second.
                    answer.next.rows = ROWS as u64 + 1;
                }
                Ok(answer)
            }
        }
    }
}
