//! Names that a message writes in capitals (`God's Pantry Food Bank in Lexington, Hindman Settlement School`), whatever the
//! trained reader took them for.

use std::ops::Range;

use super::listed_towns::words_in;
use super::{Answer, Intent, Result, Turn, hit};
use crate::naming::normalise;
use crate::places;
use crate::reader::Role;
use crate::record::Ein;
use crate::understand::{Names as _, is_kind_word, names_state, says, tells};

/// Words of the shortest name that its capitals alone identify.
const NAME_WORDS_MIN: usize = 2;
/// Letters of a word whose point may be that of an abbreviation.
const ABBREVIATION_CHARACTERS_MAX: usize = 3;
/// Names of a message that are looked up.
const NAMES_MAX: usize = 12;

impl Turn<'_> {
    /// The names that the message writes in capitals: neither places nor kinds.
    pub(super) fn titled_names(&self) -> Vec<Range<usize>> {
        let is_place = |name: &Range<usize>| {
            let mut spans = self.message.spans.iter();
            spans.any(|span| span.role == Role::Place && !span.is_apart(name))
        };
        let names = titled(self.text).into_iter().filter(|name| {
            let form = normalise(&self.text[name.clone()]);
            !(is_place(name)
                || places::is_city(&form)
                || names_state(&form)
                || form.split(' ').all(is_kind_word))
        });
        names.take(NAMES_MAX).collect()
    }

    /// The nonprofit that surely has a name, else the one in the first place behind it.
    pub(super) fn surely_titled(&self, name: &Range<usize>) -> Result<Option<Ein>> {
        let mut spans = self.message.spans.iter();
        let place = spans.find(|span| span.role == Role::Place && span.bytes.start >= name.end);
        let own = self.text[name.clone()].to_owned();
        let placed = place.map(|place| format!("{own}, {}", &self.text[place.bytes.clone()]));
        for asked in [own].into_iter().chain(placed) {
            if let Some(one) = self.snapshot.named(&asked)?.sure_by_all() {
                return Ok(Some(one.ein));
            }
        }
        Ok(None)
    }

    /// An explanation, with the nonprofit that the message names in capitals beside its question, and what is on file about
    /// it: `the last payee is a church, Mt. Zion Baptist in Louisville; do I have to bounce it?`.
    pub(super) fn with_titled(&self, answer: Answer) -> Result<Answer> {
        if answer.intent != Intent::Knowledge || !answer.nonprofits.is_empty() {
            return Ok(answer);
        }
        let [name] = &self.titled_names()[..] else { return Ok(answer) };
        let Some(ein) = self.surely_titled(name)? else { return Ok(answer) };
        let Some(profile) = self.profile(ein)? else { return Ok(answer) };
        let mut answer = answer;
        answer.message = format!("{} {}", answer.message, profile.portrait());
        answer.nonprofits.push(hit(profile.traced.organization));
        answer.next.remember(ein);
        answer.next.focus = Some(ein);
        Ok(answer)
    }
}

/// The stretches of a text in which every word that tells something begins with a capital letter, at least two of them; signs
/// end one. A text all in capitals has none.
fn titled(text: &str) -> Vec<Range<usize>> {
    if !text.contains(char::is_lowercase) {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    let (mut run, mut count): (Option<Range<usize>>, usize) = (None, 0);
    for word in words_in(text, 0..text.len()) {
        let typed = &text[word.clone()];
        let bare = typed.trim_matches(|c: char| !c.is_alphanumeric());
        let at = word.start + typed.find(bare).unwrap_or_default();
        let bare_bytes = at..at + bare.len();
        let is_title = bare.starts_with(char::is_uppercase) && tells(&normalise(bare));
        let opens_anew = !typed.starts_with(char::is_alphanumeric);
        if opens_anew && is_title {
            found.extend(run.take().filter(|_| count >= NAME_WORDS_MIN));
        }
        match &mut run {
            Some(run) if is_title => (run.end, count) = (bare_bytes.end, count + 1),
            // `Boys and Girls Club`: what joins belongs to the name if another word of it follows.
            Some(_) if says(bare, "within a name") => {}
            None if is_title => (run, count) = (Some(bare_bytes), 1),
            _ => found.extend(run.take().filter(|_| count >= NAME_WORDS_MIN)),
        }
        // `Mt. Zion Baptist`, but `Louisville.`.
        let is_short = bare.chars().count() <= ABBREVIATION_CHARACTERS_MAX;
        let ends = match &text[at + bare.len()..word.end] {
            "" => false,
            "." => !is_short,
            _ => true,
        };
        if ends {
            found.extend(run.take().filter(|_| count >= NAME_WORDS_MIN));
        }
    }
    found.extend(run.filter(|_| count >= NAME_WORDS_MIN));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_identify_names() {
        for (text, expected) in [
            (
                "Also God's Pantry Food Bank in Lexington KY, Hindman Settlement School, and \"Apalachian Artisan Center\"",
                &[
                    "God's Pantry Food Bank",
                    "Lexington KY",
                    "Hindman Settlement School",
                    "Apalachian Artisan Center",
                ][..],
            ),
            (
                "Is the Boys and Girls Club of the Delta one of these?",
                &["Boys and Girls Club of the Delta"],
            ),
            (
                "a church, Mt. Zion Baptist in Louisville. Food Banks",
                &["Mt. Zion Baptist", "Food Banks"],
            ),
            ("WHAT ABOUT PREBLE STREET", &[]),
            ("the library in Casper, Wyoming", &[]),
        ] {
            let found: Vec<&str> = titled(text).into_iter().map(|name| &text[name]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
