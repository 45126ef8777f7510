//! Both sides of a grant in one question: `did the Maine Community Foundation give to Preble Street`.

use std::ops::Range;

use super::recipients::{Recipient, Recipients};
use super::{GrantsQuestion, Result};
use crate::naming::normalise;
use crate::reader::DialogueAct;
use crate::record::Ein;
use crate::search::chat::named_after::{is_cased, stretches};
use crate::search::chat::{Answer, Intent, NonprofitRef, Turn, hit};
use crate::search::details::details;
use crate::text::place_in;
use crate::understand::{opens_with, said_in, says, tells};

/// A grantor and the recipient that it may have given to.
pub(in crate::search::chat) struct GrantSides {
    grantor: Ein,
    recipient: Recipient,
}

impl Turn<'_> {
    /// The two sides of the grants that the message asks about, each named or the one spoken of; the grantor is known here.
    pub(in crate::search::chat) fn sides_of_grant(&self) -> Result<Option<GrantSides>> {
        if !opens_with(self.text, "auxiliary verb") {
            return Ok(None);
        }
        let verb = |list| said_in(self.text, list).into_iter().next();
        let opening = self.text.split_whitespace().next().map_or(0, str::len);
        let (grantor, recipient) = match (verb("gives to one"), verb("gets from one")) {
            (Some(gives), None) => (opening..gives.start, gives.end..self.text.len()),
            (None, Some(gets)) => (gets.end..self.text.len(), opening..gets.start),
            _ => return Ok(None),
        };
        let Some(grantor) = self.side_of(grantor)?.and_then(|side| side.ein) else {
            return Ok(None);
        };
        let recipient = self.side_of(recipient)?.filter(|one| one.ein != Some(grantor));
        Ok(recipient.map(|recipient| GrantSides { grantor, recipient }))
    }

    /// Who stands in a part of the message: the one spoken of, a nonprofit that is known here, or a name in capitals.
    fn side_of(&self, part: Range<usize>) -> Result<Option<Recipient>> {
        let words = self.text[part.clone()].trim_matches(|c: char| !c.is_alphanumeric());
        let form = normalise(words);
        if opens_with(&form, "anybody") {
            // `to anyone in Gilbert`: a place.
            return Ok(None);
        }
        if !form.split(' ').any(tells) || says(&form, "one of a pair") {
            let focus = self.conversation.focus.filter(|_| says(&form, "one of a pair"));
            let Some(ein) = focus else { return Ok(None) };
            let known = details(self.snapshot, ein)?;
            return Ok(known.map(|one| Recipient { ein: Some(ein), name: one.name }));
        }
        let within = |bytes: &Range<usize>| bytes.end <= part.end;
        let mut names = stretches(self.text, part.start);
        names.retain(within);
        if names.is_empty() {
            names.push(place_in(self.text, words));
        }
        for name in &names {
            if let Some(ein) = self.called_in(name)? {
                let known = details(self.snapshot, ein)?;
                return Ok(known.map(|one| Recipient { ein: Some(ein), name: one.name }));
            }
        }
        let written = names.into_iter().map(|name| &self.text[name]);
        let mut written = written.filter(|name| name.contains(' ') && is_cased(name));
        Ok(written.next().map(|name| Recipient { ein: None, name: name.to_owned() }))
    }

    /// The grants that the one made to the other.
    pub(in crate::search::chat) fn grants_between(mut self, sides: GrantSides) -> Result<Answer> {
        let GrantSides { grantor, recipient } = sides;
        let Some(mut profile) = self.profile(grantor)? else { return self.unknown() };
        let others = recipient.ein.map(|ein| details(self.snapshot, ein)).transpose()?.flatten();
        let recipients = Recipients { one: Some(recipient), ..Recipients::default() };
        profile.grants = GrantsQuestion { recipients, ..GrantsQuestion::default() };
        let message = profile.sentences(self.snapshot, &[DialogueAct::GrantsMade])?;
        let organization = profile.traced.organization;
        if let Some(other) = &others {
            self.conversation.remember(other.ein);
        }
        self.conversation.remember(grantor);
        self.conversation.focus = Some(grantor);
        let named = NonprofitRef { name: Some(organization.name.clone()), ein: Some(grantor) };
        let nonprofits = [organization].into_iter().chain(others).map(hit).collect();
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        Ok(Answer { named: Some(named), nonprofits, ..answer })
    }
}
