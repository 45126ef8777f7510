//! What of a message the trained reader leaves open: who is named apart, what is the asker's own story, which words are a
//! town, and what a question about money asks for.

use std::ops::Range;

use super::referents::{self, NameResolution, Referents};
use super::{SearchError, Turn, request};
use crate::naming::normalise;
use crate::places;
use crate::reader::{DialogueAct, Intent as Asks, Reader, Role, Span};
use crate::record::Ein;
use crate::understand::{
    NameUse, Names as _, clauses, is_generic, is_kind_word, sentences, tells as is_told,
};

impl Turn<'_> {
    /// Who is surely named in a sentence that says nothing else to find (`isn't Heifer there?`).
    pub(super) fn named_apart(&self) -> Result<Option<Ein>, SearchError> {
        for sentence in sentences(self.text) {
            let within =
                |span: &&Span| sentence.start <= span.bytes.start && span.bytes.end <= sentence.end;
            let spans: Vec<&Span> = self.message.spans.iter().filter(within).collect();
            let finds = spans.iter().any(|span| span.role == Role::Cause);
            let [name] =
                spans.iter().filter(|span| span.role == Role::Name).collect::<Vec<_>>()[..]
            else {
                continue;
            };
            if finds || self.message.intent.label == Asks::Similar {
                continue;
            }
            let asked = self.text[name.bytes.clone()].trim();
            let naming = self.snapshot.named(asked)?;
            let found = crate::understand::organization(asked, &naming, NameUse::Itself);
            if let NameResolution::One(ein) = self.resolved(found)? {
                return Ok(Some(ein));
            }
        }
        Ok(None)
    }

    /// `what about Barre too`: a town of the state that is spoken of is no cause.
    pub(super) fn place_in_state(&mut self) {
        let Some(state) = self.conversation.frame.state() else { return };
        if self.request.act() != DialogueAct::Change {
            return;
        }
        let text = self.text;
        let is_town = |span: &Span| {
            let words = &text[span.bytes.clone()];
            let counties = places::find_counties(&places::county_key(words));
            let is_there = places::has_city(&places::city_key(words), state)
                || counties.iter().any(|county| county.state == state);
            is_there && !normalise(words).split(' ').all(is_kind_word)
        };
        for span in self.message.spans.iter_mut().filter(|span| span.role == Role::Cause) {
            if is_town(span) {
                span.role = Role::Place;
            }
        }
    }

    /// Leaves what the message tells of the asker (`I teach band in Jackson`) where it says besides what to find.
    pub(super) fn leave_story(&mut self) {
        let tells = |clause: &Range<usize>| request::is_story(&self.text[clause.clone()]);
        let of_story: Vec<Range<usize>> = sentences(self.text)
            .into_iter()
            .flat_map(|sentence| {
                let start = sentence.start;
                clauses(&self.text[sentence])
                    .into_iter()
                    .map(move |clause| start + clause.start..start + clause.end)
            })
            .filter(tells)
            .collect();
        let is_of_story =
            |span: &Span| of_story.iter().any(|clause| clause.contains(&span.bytes.start));
        let says_kind = |span: &Span| {
            let form = normalise(&self.text[span.bytes.clone()]);
            form.split(' ').any(|word| is_told(word) && !is_generic(word))
        };
        for role in [Role::Cause, Role::Place] {
            let asks = |span: &Span| span.role == role && !is_of_story(span) && says_kind(span);
            if self.message.spans.iter().any(asks) {
                self.message.spans.retain(|span| span.role != role || !is_of_story(span));
            }
        }
    }

    /// What the model of questions about money and people says of one that the acts leave open: which way grants go, and
    /// whether it is asked of somebody who is named.
    pub(super) fn asked_of_money(&self) -> Result<Option<DialogueAct>, SearchError> {
        let act = self.request.act();
        let is_grants = matches!(act, DialogueAct::GrantsMade | DialogueAct::GrantsReceived);
        let is_open = matches!(act, DialogueAct::Knowledge | DialogueAct::Kind);
        if self.request.acts.len() != 1 || !(is_grants || is_open) {
            return Ok(None);
        }
        let asked = Reader::shared()?.question(self.text, &self.message)?;
        let Some(act) = asked.and_then(|asked| referents::act_of(asked.topic.label)) else {
            return Ok(None);
        };
        let is_named = is_open && self.explicit_referents()? != Referents::Nobody;
        let goes_other_way =
            is_grants && matches!(act, DialogueAct::GrantsMade | DialogueAct::GrantsReceived);
        Ok(Some(act).filter(|_| is_named || goes_other_way))
    }

    /// `the second one` and no more.
    pub(super) fn only_number(&self) -> Option<Referents> {
        let asks = |role| !matches!(role, Role::Reference | Role::Unread | Role::Nothing);
        let is_only = !self.message.spans.iter().any(|span| asks(span.role));
        self.by_number().filter(|_| is_only)
    }
}
