//! What is asked of the work of the nonprofit spoken of: whether it does something, is of a kind or works somewhere. The
//! records say little of that, so an answer tells what there is: a code, the words of a name or a mission, a town.

use super::facts::{Profile, place};
use super::phrase::{Phrase, phrase};
use super::referents::Referents;
use super::worded::{act_of, is_amount};
use super::{Answer, Result, Turn, says_any};
use crate::naming::normalise;
use crate::places;
use crate::reader::{DialogueAct, Role};
use crate::record::Ein;
use crate::search::sentence::words_of;
use crate::understand::{
    cause_of, clauses, has_stem, is_generic, is_kind_word, names_state, said_in, says, superlative,
    tells,
};

/// What somebody asks of a nonprofit's work.
enum WorkQuestion {
    /// Whether it does something, or is of a kind, in words in normal form: `soup kitchen`.
    Does(String),
    /// Whether it works in a place.
    IsIn,
    /// What it charges.
    Costs,
}

impl Turn<'_> {
    /// The answer to a question after the work of the nonprofit spoken of: `is it really a hospice`, `does it help kids`.
    pub(super) fn asked_of_work(&self) -> Result<Option<Answer>> {
        let Some((asked, ein)) = self.work_asked()? else { return Ok(None) };
        let Some(profile) = self.profile(ein)? else { return Ok(None) };
        let organization = profile.organization();
        let url = &organization.website;
        let mission = profile.sentences(self.snapshot, &[DialogueAct::Mission])?;
        let said = match asked {
            WorkQuestion::IsIn => {
                vec![profile.say(phrase!("work.place", place = place(organization), url))]
            }
            WorkQuestion::Costs => vec![profile.say(phrase!("work.cost", url))],
            WorkQuestion::Does(words) => {
                vec![profile.say(self.work_known(&profile, &words)?), mission]
            }
        };
        self.clone().answer_about(profile, said.join(" ")).map(Some)
    }

    /// That answer, else the one to a message that only names somebody.
    pub(super) fn of_work_or_names(&mut self) -> Result<Option<Answer>> {
        match self.asked_of_work()? {
            Some(answer) => Ok(Some(answer)),
            None => self.of_names(),
        }
    }

    /// What the records of a nonprofit have of some words.
    fn work_known(&self, profile: &Profile<'_>, words: &str) -> Result<Phrase> {
        let organization = profile.organization();
        let cause = cause_of(words, self.snapshot)?;
        let code = organization.ntee.or(organization.group_ntee);
        let is_coded = cause.cause_is_term
            && code.is_some_and(|code| {
                cause.cause_ntee.iter().any(|prefix| code.as_str().starts_with(&**prefix))
            });
        let own = words_of(organization);
        let mut telling =
            words.split(' ').filter(|word| tells(word) && !is_generic(word)).peekable();
        let is_mentioned = telling.peek().is_some() && telling.all(|word| has_stem(&own, word));
        Ok(match (is_mentioned, is_coded) {
            (true, _) => phrase!("work.mentioned", words),
            (_, true) => phrase!("work.coded", words),
            _ => phrase!("work.unsaid", words),
        })
    }

    /// What the message asks of somebody's work, and of whom.
    fn work_asked(&self) -> Result<Option<(WorkQuestion, Ein)>> {
        let focus = self.conversation.focus;
        let is_one = says_any(self.text, &["one spoken of", "of it"]) && !self.has(Role::Cause);
        if let Some(ein) = focus.filter(|_| is_one && says(self.text, "asks what help costs")) {
            return Ok(Some((WorkQuestion::Costs, ein)));
        }
        let Some(start) = self.predicate() else { return Ok(None) };
        let Some(asked) = self.asked_by(start) else { return Ok(None) };
        let mut subject = self.clone();
        subject.text = &self.text[..start];
        subject.message.spans.retain(|span| span.bytes.end <= start);
        match subject.referents()? {
            Referents::Of(eins) if eins.len() == 1 => Ok(Some((asked, eins[0]))),
            _ => Ok(None),
        }
    }

    /// Where a question of one clause that is to be answered yes or no goes on behind the one that it is about: of `does the
    /// first one take pets` at the fifth word.
    fn predicate(&self) -> Option<usize> {
        let text = self.text;
        let has_parts = clauses(text).len() > 1;
        let is_decided =
            act_of(text, &self.message, &self.conversation.known()).is_some_and(|act| {
                !matches!(
                    act,
                    DialogueAct::Which
                        | DialogueAct::Change
                        | DialogueAct::Search
                        | DialogueAct::Knowledge
                )
            });
        if has_parts || is_decided || self.message.spans.iter().any(|span| is_amount(span.role)) {
            return None;
        }
        let mut at = 0;
        while let Some(end) =
            behind(text, at, "interjection").or_else(|| behind(text, at, "conjunction"))
        {
            at = end;
        }
        let verb = behind(text, at, "opens yes or no")?;
        let pronoun = behind(text, verb, "one spoken of");
        let named = || {
            let is_subject = |role| matches!(role, Role::Reference | Role::Name);
            let mut spans = self.message.spans.iter().filter(|span| is_subject(span.role));
            spans
                .find(|span| text[verb..span.bytes.start.max(verb)].trim().is_empty())
                .map(|span| span.bytes.end)
        };
        pronoun.or_else(named)
    }

    /// What is asked by the words from a byte on.
    fn asked_by(&self, start: usize) -> Option<WorkQuestion> {
        let text = self.text;
        let mut at = start;
        while let Some(end) = behind(text, at, "modifies a kind") {
            at = end;
        }
        let rest = &text[at..];
        let is_other = says_any(rest, &["not of work", "fact word", "class of a charity"])
            || superlative(rest).is_some()
            || rest.contains(|c: char| c.is_ascii_digit());
        if is_other {
            return None;
        }
        let opening = behind(text, at, "opens a kind");
        let verb = behind(text, at, "work verb");
        let object = &text[opening.or(verb)?..];
        let is_told = |word: &str| tells(word) && !is_generic(word);
        let words: Vec<&str> = object.split_whitespace().collect();
        let is_telling = |word: &&str| normalise(word).split(' ').any(is_told);
        let first = words.iter().position(is_telling)?;
        let last = words.iter().rposition(is_telling)?;
        let form = normalise(&words[first..=last].join(" "));
        let is_kind = form.split(' ').any(|word| is_kind_word(word) || says(word, "service noun"));
        let says_place = names_state(object)
            || places::is_city(&form)
            || self
                .message
                .spans
                .iter()
                .any(|span| span.role == Role::Place && span.bytes.start >= start);
        if says_place && !is_kind {
            return Some(WorkQuestion::IsIn);
        }
        let has_only = says(rest, "verb of having") || opening.is_some();
        (is_kind || !has_only).then_some(WorkQuestion::Does(form))
    }
}

/// Where a phrase of a list ends that begins at the first word from a byte on.
fn behind(text: &str, at: usize, list: &'static str) -> Option<usize> {
    let rest = &text[at..];
    let first = rest.find(char::is_alphanumeric)?;
    let said = said_in(rest, list).into_iter().find(|said| said.start == first)?;
    Some(at + said.end)
}
