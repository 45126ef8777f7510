//! Names of which the end is forgotten: `Coalition to Restore something`, `Greater Yellowstone something or other`.

use super::referents::Referents;
use super::spelling::is_of_name;
use super::{Answer, Result, Turn};
use crate::naming::normalise;
use crate::query::{Area, Filters};
use crate::reader::DialogueAct;
use crate::record::{Ein, Organization};
use crate::search::nonprofits::{self, Query, RelevanceQuery};
use crate::understand::{decode, is_kind_word, rest_forgotten, says, tells};

/// Rows among which the one is looked for.
const ROWS_MAX: usize = 40;
/// Words that are remembered.
const WORDS_MAX: usize = 6;

impl Turn<'_> {
    /// The nonprofit whose name has, one after the other, the words before the sign of what is forgotten: the only one, or
    /// the first of those in a town or a state that the message names.
    pub(super) fn half_named(&self) -> Result<Option<Ein>> {
        let Some(remembered) = self.half_remembered() else { return Ok(None) };
        let said = decode(self.text, &self.message, None, self.snapshot)?.heard.frame.state();
        let state = said.or_else(|| self.conversation.frame.state());
        let there = state.map(|state| Area { state: Some(state), ..Area::default() });
        for areas in [there.into_iter().collect(), Vec::new()] {
            let filters = Filters { areas, ..Filters::default() };
            let like = RelevanceQuery { is_name: true, ..RelevanceQuery::text(remembered.clone()) };
            let found = nonprofits::search(self.snapshot, &Query::of(filters, like, ROWS_MAX))?;
            let has_words = |one: &Organization| {
                format!(" {} ", normalise(&one.name)).contains(&format!(" {remembered} "))
            };
            let rows = found.rows.into_iter().map(|row| row.organization);
            let called: Vec<Organization> = rows.filter(has_words).collect();
            let near = called.iter().find(|one| self.tells_town_of(one));
            let only = called.first().filter(|_| called.len() == 1);
            if let Some(one) = near.or(only) {
                return Ok(Some(one.ein));
            }
        }
        Ok(None)
    }

    /// The words of a name of which the end is forgotten, in normal form.
    pub(super) fn half_remembered(&self) -> Option<String> {
        let before = rest_forgotten(self.text)?;
        let remembered = remembered(&self.text[before]);
        let telling = remembered.split(' ').filter(|word| tells(word));
        // `mejor algo para niños`.
        let is_change = telling.clone().all(|word| says(word, "change word"));
        let is_told = telling.clone().count() > 1
            || telling.clone().any(|word| is_of_name(word) && !is_kind_word(word));
        (!remembered.is_empty() && !is_change && is_told).then_some(remembered)
    }

    /// The nonprofit that a part of a message names before the next asks about it: `the second one - what's its EIN`.
    pub(super) fn leading_one(&self) -> Result<Option<Ein>> {
        match (self.only_number(), self.half_named()?) {
            (Some(Referents::Of(eins)), _) if eins.len() == 1 => Ok(eins.first().copied()),
            (_, Some(one)) => Ok(Some(one)),
            // `the old one, the humane association`.
            _ => match self.by_name_shown(&self.seen()?)?[..] {
                [one] => Ok(Some(one)),
                _ => self.surely_named(),
            },
        }
    }

    /// The answer about that one: its portrait, where only its name or its mission is asked for.
    pub(super) fn of_half_named(&self) -> Result<Option<Answer>> {
        use DialogueAct::{Changed, Mission};
        let Some(ein) = self.half_named()? else { return Ok(None) };
        let mut turn = self.clone();
        turn.request.acts = self.request.facts();
        turn.request.acts.retain(|fact| !matches!(fact, Mission | Changed));
        turn.details_of(ein).map(Some)
    }

    /// Whether the message has the name of an organization's town.
    fn tells_town_of(&self, one: &Organization) -> bool {
        let form = format!(" {} ", normalise(self.text));
        let town = one.address.city.as_deref().map(normalise);
        town.is_some_and(|town| form.contains(&format!(" {town} ")))
    }
}

/// The words of a name in a stretch of text, in normal form: from the first capital letter on that only small words follow,
/// or without capitals what stands behind words like `called`.
fn remembered(before: &str) -> String {
    let words: Vec<&str> = before.split_whitespace().collect();
    let is_capital = |word: &&str| word.starts_with(char::is_uppercase);
    let is_joint = |word: &&str| !tells(&normalise(word)) && !word.is_empty();
    let is_named = |word: &str| !says(word, "conjunction") && !says(word, "said of names");
    let last = words.iter().rposition(|word| is_named(word)).map(|at| words[at]);
    let has_capitals =
        words.iter().skip(1).any(is_capital) || last.as_ref().is_some_and(is_capital);
    // `I'd sooner have something`, `I live in Wichita and want to do something` name nobody.
    let is_cased = words.first().is_some_and(is_capital);
    if (is_cased || has_capitals) && !last.as_ref().is_some_and(is_capital) && !is_called(&words) {
        return String::new();
    }
    let from = match has_capitals {
        true => {
            let run =
                words.iter().rev().take_while(|word| is_capital(word) || is_joint(word)).count();
            let start = words.len() - run;
            start + words[start..].iter().position(is_capital).unwrap_or(run)
        }
        false => words.iter().rposition(|word| says(word, "said of names")).map_or(0, |at| at + 1),
    };
    let kept = &words[from.max(words.len().saturating_sub(WORDS_MAX))..];
    let form = normalise(&kept.join(" "));
    // `habitat for humanity or something`.
    let mut words: Vec<&str> = form.split(' ').skip_while(|word| !tells(word)).collect();
    while words.pop_if(|last| !tells(last)).is_some() {}
    words.join(" ")
}

/// Whether a word for a name stands among some: `it is called`.
fn is_called(words: &[&str]) -> bool {
    words.iter().any(|word| says(word, "calls"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_are_the_words_before_the_sign() {
        for (text, expected) in [
            ("wetlands down in Louisiana, Coalition to Restore something", "coalition to restore"),
            (
                "an outfit around Bozeman, Greater Yellowstone something or other",
                "greater yellowstone",
            ),
            ("its called heart to heart something", "heart to heart"),
            ("la de Ponce, se llama Centro Ponceño algo", "centro ponceno"),
            ("habitat for humanity or something", "habitat for humanity"),
            ("anything like that or something", ""),
            ("I'd sooner have something under a million a year", ""),
            ("I'm a vet in Wichita and I'd like to do something for younger ones", ""),
        ] {
            let before = rest_forgotten(text).unwrap();
            assert_eq!(remembered(&text[before]), expected, "{text}");
        }
        assert_eq!(rest_forgotten("something for dogs in Reno"), None);
    }
}
