//! Questions about a nationally known nonprofit whose state is not loaded: the answer says where it is registered, and takes
//! no nonprofit of a similar name for it.

use super::facts::place;
use super::list::ROWS_NAMED;
use super::phrase::{Value, phrase};
use super::spelling::without_legal_form;
use super::{Answer, Intent, ROWS, Result, Turn};
use crate::naming::normalise;
use crate::query::Filters;
use crate::reader::{DialogueAct, Role};
use crate::record::Ein;
use crate::search::called::has_all_words;
use crate::search::national::{NationalBody, by_name, named_in};
use crate::search::nonprofits::{self, NonprofitHit, Query, RelevanceQuery};

/// Words of a message that may ask for one by a name that the reader does not mark.
const WORDS_MAX: usize = 8;

impl Turn<'_> {
    /// The nonprofit that the message names: exactly, or anywhere in a short message in which no name and no place was read.
    fn national_body(&self) -> Option<&'static NationalBody> {
        let is_short = self.text.split_whitespace().count() <= WORDS_MAX;
        match self.has(Role::Name) {
            true => self.all_words(Role::Name).find_map(by_name),
            false if is_short && !self.has(Role::Place) => named_in(self.text),
            false => None,
        }
    }

    /// Where a nationally known nonprofit is registered, if its state is not loaded and no loaded nonprofit has exactly its
    /// name; with the loaded ones whose names contain it.
    pub(super) fn of_national(&self) -> Result<Option<Answer>> {
        let coverage = &self.snapshot.coverage;
        let asks_else = self.request.act() == DialogueAct::Knowledge || self.has(Role::Ein);
        let body = self.national_body().filter(|_| !asks_else);
        let body = body.filter(|body| !coverage.has_file(body.state));
        let Some(body) = body.filter(|_| coverage.states_if_partial().is_some()) else {
            return Ok(None);
        };
        let asked = Some(body.name.to_owned());
        let like = RelevanceQuery {
            question: asked,
            is_name: true,
            ..RelevanceQuery::text(body.name.to_owned())
        };
        let query = Query::of(Filters::default(), like, ROWS);
        let found = nonprofits::search(self.snapshot, &query)?;
        let is_it = |row: &NonprofitHit| {
            let name = normalise(&row.organization.name);
            body.names.iter().any(|own| own == without_legal_form(&name))
        };
        if found.rows.iter().any(is_it) {
            return Ok(None);
        }
        let mut rows = found.rows;
        rows.retain(|row| has_all_words(&row.organization, body.name));
        if let Some(state) = self.conversation.frame.state() {
            rows.retain(|row| row.organization.address.state == Some(state));
        }
        let state = body.state.name();
        let mut message = phrase!("national.elsewhere", name = body.name, state).say(self.language);
        let named: Vec<String> = rows
            .iter()
            .take(ROWS_NAMED)
            .map(|NonprofitHit { organization: one, .. }| {
                let place = place(one).unwrap_or_default();
                phrase!("which_one.row", name = one.name, place).part(self.language)
            })
            .collect();
        if !named.is_empty() {
            let names = Value::Any(named);
            message += &format!(" {}", phrase!("national.here", names).say(self.language));
        }
        let mut turn = self.clone();
        let eins: Vec<Ein> = rows.iter().map(|row| row.organization.ein).collect();
        if !eins.is_empty() {
            turn.conversation.show_nonprofits(eins, 0);
        }
        turn.conversation.of_candidates = true;
        turn.conversation.focus = None;
        let answer = turn.told(Intent::NonprofitDetails, message)?;
        Ok(Some(Answer { nonprofits: rows, about: Some(body.name.to_owned()), ..answer }))
    }
}
