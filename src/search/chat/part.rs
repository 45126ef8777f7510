//! A part of a message that asks for something by itself.

use super::request::Request;
use super::worded;
use crate::reader::{DialogueAct, Intent, Message, Role, Span};
use crate::understand::{said_in, says};

/// A part of a message, and its request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Part {
    pub(super) text: String,
    pub(super) message: Message,
    pub(super) request: Request,
}

impl Part {
    /// Whether it would be a search and says nothing to search for, or only tells something: `mom has a sister there`.
    pub(super) fn says_nothing(&self) -> bool {
        let is_blank = |text: &str| !text.contains(char::is_alphanumeric);
        let exclaims = said_in(&self.text, "exclamation")
            .into_iter()
            .any(|said| is_blank(&self.text[..said.start]) && is_blank(&self.text[said.end..]));
        if exclaims {
            return true;
        }
        // `That's our grant size, not their revenue.`
        let is_amount = |span: &Span| worded::is_amount(span.role);
        let is_own = says(&self.text, "grants of the asker")
            && !self.text.contains('?')
            && self.message.spans.iter().all(|span| span.role == Role::Nothing || is_amount(span));
        if is_own || (self.request.asks_fact() && self.only_tells()) {
            return true;
        }
        let is_search = match self.request.act() {
            DialogueAct::Search | DialogueAct::Change | DialogueAct::Other => true,
            // `That's a thin list.`
            DialogueAct::Return => self.message.intent.label != Intent::Undo,
            _ => false,
        };
        let is_idle = |span: &Span| matches!(span.role, Role::Nothing | Role::Unread);
        is_search && self.message.spans.iter().all(is_idle)
    }

    /// Whether it has no word of a question and nothing that is sought or named.
    fn only_tells(&self) -> bool {
        let is_idle = |span: &Span| matches!(span.role, Role::Nothing | Role::Unread);
        let has_verb = self.text.split_whitespace().any(|word| says(word, "tells of somebody"));
        let asks = self.text.contains('?')
            || self.text.split_whitespace().any(|word| {
                says(word, "question opening") || says(word, "auxiliary verb") || says(word, "wish")
            });
        !asks && has_verb && self.message.spans.iter().all(is_idle)
    }
}
