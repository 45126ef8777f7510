//! Answers to danger and urgent need: who helps, and where help is near.

use super::phrase::{self, exists};
use super::request::Request;
use super::{Answer, Intent, Result, Turn};
use crate::reader::{Danger, DialogueAct, Language, Reader, Role};
use crate::understand::{Conversation, Frame};

impl Turn<'_> {
    /// Who helps, then what the place named or mentioned before offers; without a place the answer
    /// asks for one, and the next message may name it. The same text is never repeated in a row.
    pub(super) fn help_in(mut self, danger: Danger) -> Result<Answer> {
        let language = self.language;
        let say = |part: &str| phrase::text(&format!("{}{part}", danger.name()), language);
        let is_repeated = self.conversation.danger == Some(danger);
        self.conversation.danger = (!is_repeated).then_some(danger);
        let mut message = say(if is_repeated { ".again" } else { "" }).to_owned();
        let Some(sought) = sought(danger) else {
            return Ok(Answer::of(Intent::Unknown, message, self.conversation));
        };
        let known = self.conversation.frame.places.first().map(|place| &*place.name);
        let place = self.words(Role::Place).or(known).map(str::to_owned);
        let before = self.conversation.clone();
        let text = match &place {
            Some(place) => format!("{sought} in {place}"),
            None => sought.to_owned(),
        };
        let read = Reader::shared()?.read(&text, &[])?;
        let request = Request { acts: vec![DialogueAct::Search], fact: None };
        let found = Turn { text: &text, message: read, request, ..self }.search()?;
        if let Some(place) = place {
            if found.nonprofits.is_empty() {
                return Ok(Answer::of(Intent::Unknown, message, before));
            }
            message.push_str(&format!(" {}", say(".near").replace("{place}", &place)));
            return Ok(Answer { message, ..found });
        }
        if !is_repeated {
            message.push_str(&format!(" {}", say(".where")));
        }
        // What was shown stays; only what is looked for moves on.
        let Conversation { frame, earlier, last, .. } = found.next;
        let next = Conversation { frame, earlier, last, rows: 0, ..before };
        Ok(Answer::of(Intent::Unknown, message, next))
    }

    /// What was looked for in a danger is no part of what is asked for next: `and food pantries`.
    pub(super) fn leave_danger(&mut self) {
        let sought = self.conversation.danger.and_then(sought);
        let asks = self.has(Role::Cause);
        let frame = &mut self.conversation.frame;
        if asks && sought.is_some() && frame.cause.as_deref() == sought {
            *frame = Frame { places: std::mem::take(&mut frame.places), ..Frame::default() };
        }
    }
}

/// What is looked for near the person; `None` where a telephone is all that helps.
fn sought(danger: Danger) -> Option<&'static str> {
    let name = format!("{}.seek", danger.name());
    exists(&name).then(|| phrase::text(&name, Language::English))
}
