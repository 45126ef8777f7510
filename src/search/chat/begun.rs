//! A name that was typed short: its last word is the beginning of a word, as in `Trinity Rep` for Trinity Repertory Company.

use super::referents::UnresolvedName;
use super::{Answer, ROWS, Result, Turn, facts, hit, phrase::phrase};
use crate::index::typeahead::{Match, Scope};
use crate::naming::normalise;
use crate::reader::Role;
use crate::record::{Organization, State};
use crate::search::details::details;
use crate::understand::{decode, states_of};

/// Letters of a last word that may be cut off; fewer begin too many words.
const CUT_WORD_LETTERS_MIN: usize = 3;
/// Names that begin so among which one is looked for.
const BEGUN_MAX: usize = 25;

impl Turn<'_> {
    /// The answer about the only nonprofit whose name begins as a name that nobody has, which it names; or several to choose
    /// from. Nobody is vouched for by such a name.
    pub(super) fn of_begun(&self, name: &UnresolvedName) -> Result<Option<Answer>> {
        let asked = &name.asked;
        let begun = self.begun(asked)?;
        match &begun[..] {
            [] => Ok(None),
            [one] if !self.vouches() => {
                let (name, place) = (&one.name, facts::place(one));
                let said = phrase!("which_one.taken", name, place).say(self.language);
                let answer = self.clone().details_of(one.ein)?;
                let message = format!("{said} {}", answer.message);
                Ok(Some(Answer { message, about: Some(asked.clone()), ..answer }))
            }
            _ => {
                let rows = begun.into_iter().take(ROWS).map(hit).collect();
                self.clone().which_one(asked, rows).map(Some)
            }
        }
    }

    /// Those whose names begin as what was typed, in the middle of a word; those of the state under discussion if there are
    /// any.
    fn begun(&self, asked: &str) -> Result<Vec<Organization>> {
        let form = normalise(asked);
        let last = form.rsplit_once(' ').map(|(_, last)| last);
        if last.is_none_or(|last| last.len() < CUT_WORD_LETTERS_MIN) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        for hit in self.snapshot.typeahead.suggest(&form, Scope::All, BEGUN_MAX)? {
            if hit.reason != Match::Name {
                continue;
            }
            let card = self.snapshot.typeahead.card(hit.org)?;
            let names = [Some(&*card.name), card.alt_name.as_deref()];
            if names.into_iter().flatten().any(|name| is_cut(&normalise(name), &form)) {
                found.extend(details(self.snapshot, card.ein)?);
            }
        }
        let states = self.states_spoken_of()?;
        let is_there =
            |one: &Organization| one.address.state.is_some_and(|own| states.contains(&own));
        if found.iter().any(is_there) {
            found.retain(is_there);
        }
        Ok(found)
    }

    /// The states of the message, else those under discussion.
    fn states_spoken_of(&self) -> Result<Vec<State>> {
        let places = match self.has(Role::Place) {
            true => decode(self.text, &self.message, None, self.snapshot)?.heard.frame.places,
            false => self.conversation.frame.places.clone(),
        };
        Ok(states_of(&places))
    }
}

/// Whether a name goes on in the middle of the last word of another text, both in normal form.
fn is_cut(name: &str, form: &str) -> bool {
    name.strip_prefix(form).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_cut_in_the_middle_of_a_word() {
        for (name, form, expected) in [
            ("trinity repertory company", "trinity rep", true),
            ("trinity rep", "trinity rep", false),
            ("trinity rep company", "trinity rep", false),
            ("new trinity repertory", "trinity rep", false),
        ] {
            assert_eq!(is_cut(name, form), expected, "{name}");
        }
    }
}
