//! Answers without data: greetings, a new start, fixed texts, and messages that cannot be read.

use super::phrase::text;
use super::request::THANKS_WORDS_MAX;
use super::{Answer, Asks, Intent, Language, Result, Turn, message};
use crate::reader::{Act, Reader, Role};
use crate::understand::{Conversation, Subject, is_town, says};

impl Turn<'_> {
    pub(super) fn reset(mut self) -> Result<Answer> {
        let language = self.conversation.language;
        self.conversation = Conversation { language, ..Conversation::default() };
        self.reply(Intent::Greeting, "reset")
    }

    /// A greeting; a message that only looks like one is searched.
    pub(super) fn courtesy(self, name: &str) -> Result<Answer> {
        let is_courtesy = matches!(
            self.message.intent.label,
            Asks::Hello | Asks::Thanks | Asks::Bye | Asks::Unclear | Asks::OffTopic
        );
        let is_short = self.text.split_whitespace().count() <= THANKS_WORDS_MAX;
        let seeks = self.has(Role::Cause)
            || self.has(Role::Name)
            || self.all_words(Role::Place).any(is_town)
            || self.text.contains('?');
        let only_thanks = is_short && says(self.text, "thanks") && !seeks;
        match is_courtesy || only_thanks || !self.asks_anew() {
            true => self.reply(Intent::Greeting, name),
            false => self.search(),
        }
    }

    /// A message off the subject, unless it says what to find.
    pub(super) fn other(self) -> Result<Answer> {
        let asks = self.asks_anew() || self.has(Role::Name);
        let finds = matches!(self.message.intent.label, Asks::Find | Asks::Details);
        if (asks && finds) || !self.explicit.is_empty() {
            return self.search();
        }
        match self.conversation.subject {
            Subject::Knowledge => self.knowledge(),
            _ => self.read_alone(),
        }
    }

    /// What the message seeks where it is read without the conversation, in the place under discussion; without that it
    /// cannot be answered.
    pub(super) fn read_alone(mut self) -> Result<Answer> {
        if !self.conversation.frame.is_empty() {
            let alone = message::read(Reader::shared()?, self.text, &[])?;
            if alone.intent.label == Asks::Find && alone.words(self.text, Role::Cause).count() > 0 {
                self.message = alone;
                self.message.act.label = Act::On;
                let understood = self.interpret(Some(self.text))?;
                return self.found(understood, 1);
            }
        }
        // `its share our strength i think`.
        if let Some(ein) = self.surely_named()? {
            self.request.acts.clear();
            return self.details_of(ein);
        }
        self.unknown()
    }

    /// A fixed text.
    pub(super) fn reply(self, intent: Intent, name: &str) -> Result<Answer> {
        let language = self.language;
        self.told(intent, text(name, language).to_owned())
    }

    /// An answer of text and suggestions; the session stays as it is.
    pub(super) fn told(self, intent: Intent, message: String) -> Result<Answer> {
        let suggestions = self.openings()?;
        Ok(Answer { suggestions, ..Answer::of(intent, message, self.conversation) })
    }

    /// A message that cannot be answered.
    pub(super) fn unknown(self) -> Result<Answer> {
        let name = match self.language {
            Language::English | Language::Spanish => "unknown",
            Language::Other => "other_language",
        };
        self.reply(Intent::Unknown, name)
    }
}
