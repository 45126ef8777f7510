//! Answers to danger and urgent need: who helps, and what is near.

use super::reply;
use super::{Answer, Intent, SearchError, Turn};
use crate::reader::{Danger, Language, Reader, Role};

impl Turn<'_> {
    /// Who helps, then what is near a place that is named or was spoken of; without one, the place is asked for, and
    /// the next message may name it. The same is not said twice.
    pub(super) fn help_in(mut self, danger: Danger) -> Result<Answer, SearchError> {
        let language = self.message.language.label;
        let say = |part: &str| {
            reply::text(&format!("{}{part}", danger.name()), language).unwrap_or_default()
        };
        let is_repeated = self.conversation.danger == Some(danger);
        self.conversation.danger = (!is_repeated).then_some(danger);
        let mut message = say(if is_repeated { ".again" } else { "" }).to_owned();
        let Some(sought) = sought(danger) else {
            return Ok(Answer::of(Intent::Unknown, message, self.conversation));
        };
        let known = self.conversation.frame.places.last().map(|place| place.name.clone());
        let place = self.words(Role::Place).map(str::to_owned).or(known);
        let shown = self.conversation.nonprofits.clone();
        let text = match &place {
            Some(place) => format!("{sought} in {place}"),
            None => sought.to_owned(),
        };
        let read = Reader::shared()?.read(&text, &[])?;
        let mut found = Turn { text: &text, message: read, ..self }.search()?;
        if place.is_some() && !found.nonprofits.is_empty() {
            message.push_str(&format!(" {}", say(".near")));
            return Ok(Answer { message, ..found });
        }
        if !is_repeated {
            message.push_str(&format!(" {}", say(".where")));
        }
        found.next.nonprofits = shown;
        Ok(Answer::of(Intent::Unknown, message, found.next))
    }
}

/// What is looked for near the person; `None` where a telephone is all that helps.
pub(super) fn sought(danger: Danger) -> Option<&'static str> {
    reply::text(&format!("{}.seek", danger.name()), Language::English)
}
