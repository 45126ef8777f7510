//! Which entries of the knowledge base explain a text.

use super::danger::is_of_help;
use super::phrase::help_beside;
use super::texts::{EXPLAINS_BOTH, READ_MAX, language_of};
use super::{Answer, Result, Turn, says_any};
use crate::curated::own_knowledge;
use crate::reader::{Danger, DialogueAct, Explanation, Language, Prediction, Reader, Role};
use crate::record::Knowledge;
use crate::search::explanation_fit::{ExplanationFit, IN_SPANISH};
use crate::search::library::{self, Hit};
use crate::understand::{asked_in_english, says, subsections_of};

/// What the logarithm of an entry's probability, above this one, adds to nearness: by 182 messages of conversations.
const LIKELY_ENTRY: f32 = 1.0 / 12.0;
const LIKELY_ENTRY_FROM: f32 = 0.003;
/// From which probability on an entry is looked at, however far it is.
const LIKELY_ENTRY_MIN: f32 = 0.03;
/// What it adds to nearness that an entry names the subsection that is asked about.
const SUBSECTION_BONUS: f32 = 0.1;
/// How probable an explanation, and the likeliest entry of it, must be to come before everything else; before an urgent
/// need both together, and the entry.
const EXPLAINED_CERTAIN_MIN: f32 = 0.8;
const ENTRY_CERTAIN_MIN: f32 = 0.6;
const EXPLAINED_BEFORE_NEED_MIN: f32 = 0.2;
pub(super) const ENTRY_LIKELY_MIN: f32 = 0.5;
/// Digits of a section of the tax code or of a form that stands for one subject alone.
const LAW_DIGITS: usize = 4;

impl Turn<'_> {
    /// What the message may ask for, the likeliest first.
    pub(super) fn acts(&self) -> Result<Vec<Prediction<DialogueAct>>> {
        let before = self.conversation.said.as_deref();
        Ok(Reader::shared()?.dialogue_acts(self.text, &self.message, before)?)
    }

    /// Whether the message asks for an explanation, and for which.
    pub(super) fn explanation(&self) -> Result<Explanation> {
        let before = self.conversation.said.as_deref();
        Ok(Reader::shared()?.explanation(self.text, &self.message, before)?)
    }

    /// The entry that the message certainly asks for, whatever nonprofit is spoken of: `can I send it out of my IRA`. Before an
    /// urgent need less is enough: `he says he is a notario`.
    pub(super) fn certainly_explained(&self, need: Option<Danger>) -> Result<Option<Answer>> {
        // `never mind the vetting`: its words say otherwise.
        let is_worded = self.is_worded() && self.request.act() != DialogueAct::Knowledge;
        // `which of those are c4 not c3`.
        let is_of_shown = !self.conversation.nonprofits.is_empty()
            && (self.has(Role::Reference)
                || says_any(self.text, &["which of", "of those shown", "those shown"]));
        // `can we give Heartland 75k without expenditure responsibility`.
        let is_of_grant = (says(self.text, "asks whether it may get a grant")
            && !self.by_name_shown(&self.seen()?)?.is_empty())
            || (says(self.text, "needs responsibility") && self.conversation.focus.is_some());
        let is_of_one = self.has(Role::Name) || self.has(Role::Ein) || is_of_grant;
        if is_of_shown || is_of_one || (need.is_none() && is_worded) {
            return Ok(None);
        }
        let explanation = self.explanation()?;
        let Some((id, likeliest)) = explanation.entries.first().copied() else { return Ok(None) };
        let least = if need.is_some() { ENTRY_LIKELY_MIN } else { ENTRY_CERTAIN_MIN };
        if likeliest < least {
            return Ok(None);
        }
        let explained = self.knowledge_probability()?;
        let may_be = match need {
            None => explained >= EXPLAINED_CERTAIN_MIN,
            Some(_) => explained * likeliest >= EXPLAINED_BEFORE_NEED_MIN,
        };
        let answers = |entry| ExplanationFit::of(self.text, &explanation, entry).answers();
        if may_be && own_entry(&self.id_in_language(id)).is_none_or(answers) {
            return self.clone().knowledge().map(Some);
        }
        Ok(None)
    }

    /// Entries near a text in the language of the conversation, the nearest first. Who asks in Spanish for what only an
    /// operator's English entry explains is answered by that.
    pub(super) fn entries(&self, asked: &str) -> Result<Vec<Hit<Knowledge>>> {
        let mut hits: Vec<Hit<Knowledge>> = library::about(self.snapshot, asked, 0, READ_MAX)?;
        let is_own = |hit: &Hit<Knowledge>| self.is_in_language(&hit.record);
        let nearest = hits.iter().find(|hit| is_own(hit));
        let best = nearest.and_then(|hit| hit.nearness).unwrap_or(0.0);
        let is_spanish = self.language == Language::Spanish;
        let is_answered = !is_spanish || best >= EXPLAINS_BOTH;
        let english = if is_answered { None } else { asked_in_english(asked) };
        if let Some(english) = english {
            hits = library::about(self.snapshot, english, 0, READ_MAX)?;
            for hit in &mut hits {
                let id = format!("{}{IN_SPANISH}", hit.record.article_id);
                if let Some(twin) = library::of_id::<Knowledge>(self.snapshot, &id)? {
                    hit.record = twin;
                }
            }
        } else if !is_spanish || hits.iter().any(is_own) {
            hits.retain(is_own);
        }
        self.add_likely_entries(asked, &mut hits)?;
        let numbers = numbers_of_law(asked);
        hits.retain(|hit| numbers.iter().all(|number| has_number(&hit.record, number)));
        let asked = subsections_of(asked);
        if !asked.is_empty() {
            for hit in &mut hits {
                let Knowledge { title, questions, .. } = &hit.record;
                let texts = questions.iter().chain([title]);
                let names = texts.flat_map(|text| subsections_of(text)).collect::<Vec<_>>();
                if asked.iter().all(|code| names.contains(code)) {
                    hit.nearness = hit.nearness.map(|near| near + SUBSECTION_BONUS);
                }
            }
        }
        hits.sort_by(|a, b| b.nearness.unwrap_or(0.0).total_cmp(&a.nearness.unwrap_or(0.0)));
        Ok(hits)
    }

    /// Whether one of some entries answers the message, and does not only come nearest. An operator's entry answers by being
    /// near, and so does one for people in danger where the message speaks of that.
    pub(super) fn is_answered_by(&self, entries: &[Knowledge]) -> Result<bool> {
        let explanation = self.explanation()?;
        let speaks_of_danger = help_beside(self.text, self.language).next().is_some();
        let mut entries = entries.iter();
        Ok(entries.any(|entry| {
            own_entry(&entry.article_id).is_none()
                || (speaks_of_danger && is_of_help(entry))
                || ExplanationFit::of(self.text, &explanation, entry).answers()
        }))
    }

    /// The identifier of an entry in the language of the conversation, from the one without the ending of a language.
    pub(super) fn id_in_language(&self, base: &str) -> String {
        let ending = if self.language == Language::Spanish { IN_SPANISH } else { "" };
        format!("{base}{ending}")
    }

    /// Brings nearer what the model of explanations takes a text to ask for.
    fn add_likely_entries(&self, asked: &str, hits: &mut Vec<Hit<Knowledge>>) -> Result<()> {
        let reader = Reader::shared()?;
        let likely = match asked == self.text {
            true => self.explanation()?.entries,
            false => reader.explanation(asked, &reader.read(asked, &[])?, None)?.entries,
        };
        for (entry, probability) in likely.into_iter().filter(|one| one.1 >= LIKELY_ENTRY_MIN) {
            let bonus = LIKELY_ENTRY * (probability / LIKELY_ENTRY_FROM).ln_1p();
            let id = self.id_in_language(entry);
            match hits.iter_mut().find(|hit| hit.record.article_id == id) {
                Some(hit) => hit.nearness = hit.nearness.map(|near| near + bonus),
                None => {
                    let record = library::of_id(self.snapshot, &id)?;
                    hits.extend(record.map(|record| Hit { record, nearness: Some(bonus) }));
                }
            }
        }
        Ok(())
    }

    pub(super) fn is_in_language(&self, entry: &Knowledge) -> bool {
        (language_of(entry) == Language::Spanish) == (self.language == Language::Spanish)
    }
}

/// The program's own entry of an identifier.
fn own_entry(id: &str) -> Option<&'static Knowledge> {
    own_knowledge().iter().find(|own| own.article_id == id)
}

/// The numbers of sections and forms that a text asks about: `4940` of `section 4940`. An entry without them explains
/// another.
fn numbers_of_law(text: &str) -> Vec<&str> {
    let is_number = |number: &str| {
        number.len() == LAW_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let pairs = words.clone().zip(words.skip(1));
    pairs
        .filter(|(before, number)| is_number(number) && says(before, "word of law"))
        .map(|(_, number)| number)
        .collect()
}

fn has_number(entry: &Knowledge, number: &str) -> bool {
    let texts = entry.questions.iter().chain([&entry.title, &entry.content]);
    texts.flat_map(|text| text.split(|c: char| !c.is_ascii_digit())).any(|own| own == number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_forms_are_told_from_years_and_amounts() {
        for (text, expected) in [
            ("what is section 4940?", &["4940"][..]),
            ("Form 8283, or section 4960(a)?", &["8283", "4960"]),
            ("is a gift of 2500 dollars in 2024 deductible? form 990", &[]),
            ("we have 1200 members, must we file?", &[]),
        ] {
            assert_eq!(numbers_of_law(text), expected, "{text}");
        }
    }
}
