//! Where the asker is: a place said with a question that needs none, or asked for where `near me` needs one.

use super::phrase::text;
use super::{Answer, Intent, Result, Turn};
use crate::reader::Role;
use crate::understand::{self, Frame, Interpretation, NameUse, NamedPlace, decode, says};

impl Turn<'_> {
    /// Whether somebody near the asker is sought, who has not said where that is.
    pub(super) fn needs_place(&self, frame: &Frame) -> bool {
        frame.places.is_empty() && frame.eins.is_empty() && says(self.text, "near the asker")
    }

    /// Asks where that is; the place in the next message continues the search.
    pub(super) fn ask_where(mut self, understood: &Interpretation) -> Result<Answer> {
        self.conversation.take_step(understood.step, understood.kept.clone());
        self.conversation.nonprofits.clear();
        self.where_is_asker()
    }

    /// Asks where it is that somebody like the nonprofit mentioned last is sought: `I'd rather give local, any here?`.
    pub(super) fn ask_where_alike(mut self) -> Result<Option<Answer>> {
        let Some(ein) = self.conversation.focus else { return Ok(None) };
        let Some(profile) = self.profile(ein)? else { return Ok(None) };
        let name = profile.traced.organization.name.clone();
        let like = understand::Organization::known(name, ein, NameUse::Similar);
        self.conversation.ask(Frame { organization: Some(like), ..Frame::default() });
        self.where_is_asker().map(Some)
    }

    fn where_is_asker(self) -> Result<Answer> {
        let message = text("where_is_asker", self.language).to_owned();
        self.told(Intent::FindNonprofits, message)
    }

    /// The places of a message, for the next one: `we want to give a boat, Soldotna Alaska`, `who around here helps kids`.
    pub(super) fn places_said(&self) -> Result<Vec<NamedPlace>> {
        let is_said = self.has(Role::Place) && self.conversation.frame.is_empty();
        Ok(match is_said {
            true => decode(self.text, &self.message, None, self.snapshot)?.heard.frame.places,
            false => Vec::new(),
        })
    }
}
