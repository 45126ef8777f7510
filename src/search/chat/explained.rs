//! What explains a term or how something is done: entries of the knowledge base.

use std::ops::Range;

use super::danger::is_of_help;
use super::phrase::{help_beside, phrase};
use super::texts::{EXPLAINS, EXPLAINS_BOTH, explains, first_sentences};
use super::{Answer, Intent, Result, Turn};
use crate::naming::normalise;
use crate::reader::{DialogueAct, Intent as Asks, Reader, Role, Span};
use crate::record::Knowledge;
use crate::search::explanation_fit::{ExplanationFit, IN_SPANISH};
use crate::search::library::{self, Hit};
use crate::understand::{
    Conversation, Subject, all_clauses, decode, has_stem, says, sentences, sides, tells,
};

/// Entries that an explanation quotes: of `A vs B` both.
const QUOTED_MAX: usize = 2;
/// Sources that an explanation names.
const SOURCES_MAX: usize = 3;
/// How much farther than the nearest a further source may be.
const FURTHER: f32 = 0.15;
/// Parts of a message that are looked up by themselves where no entry answers all of it, and the words of one.
const PARTS_READ_MAX: usize = 6;
const PART_WORDS_MIN: usize = 4;
/// The probability from which on an entry answers a part: it says less than all of a message.
const PART_PROBABILITY_MIN: f32 = 0.75;

/// The entry of the knowledge base that says what can be asked.
const WHAT_TO_ASK: &str = "kb-what-to-ask";

/// The entries that explain what is compared, and a thing that none explains.
struct Sides {
    quoted: Vec<Knowledge>,
    missing: Option<String>,
}

impl Turn<'_> {
    /// What explains a term or how something is done; of two that are compared, both.
    pub(super) fn knowledge(mut self) -> Result<Answer> {
        if self.is_unexplained {
            return self.unexplained();
        }
        // `I want to start one that lends instruments: how? Are there already any?`
        if self.has(Role::Cause) && says(self.text, "starts a nonprofit") {
            self.conversation.frame =
                decode(self.text, &self.message, None, self.snapshot)?.heard.frame;
        } else {
            self.keep_place()?;
        }
        // Of `I'm 17 and want to start a nonprofit. What's there for refugees?` the first sentence.
        let asking = sentences(self.text)
            .into_iter()
            .map(|sentence| &self.text[sentence])
            .find(|sentence| says(sentence, "starts a nonprofit"));
        let mut hits = self.entries(asking.unwrap_or(self.text))?;
        let nearness =
            |hits: &[Hit<Knowledge>]| hits.first().map_or(0.0, |hit| hit.nearness.unwrap_or(1.0));
        let goes_on = self.goes_on_explaining();
        let before = match nearness(&hits) < EXPLAINS || goes_on {
            true => self.explained_before()?,
            false => None,
        };
        let is_whole = before.is_none() && asking.is_none();
        let is_same = |before: &Knowledge| {
            hits.first().is_some_and(|hit| hit.record.article_id == before.article_id)
        };
        if let Some(before) = before
            && (nearness(&hits) < EXPLAINS || (goes_on && is_same(&before)))
        {
            // `and what if we forget it?`
            hits = self.entries(&format!("{} {}", before.title, self.text))?;
            if goes_on && hits.first().is_some_and(|hit| hit.record.article_id == before.article_id)
            {
                // `how much is the fee?`: the rest of it tells.
                return self.whole_entry();
            }
            hits.retain(|hit| hit.record.article_id != before.article_id);
        }
        let best = nearness(&hits);
        let Sides { mut quoted, missing } = self.of_sides(&hits, best)?;
        if !quoted.is_empty() && !self.is_answered_by(&quoted)? {
            return self.unexplained();
        }
        if quoted.is_empty() {
            let first = self.answering(&hits, is_whole)?;
            self.is_unexplained = first.is_none();
            match first {
                Some(first) => quoted.push(first),
                None if self.asks_anew() && self.message.intent.label == Asks::Find => {
                    return self.search();
                }
                // `unidos us or whatever it is called now`.
                None if self.has(Role::Name) && !self.asks_of_a_kind()? => {
                    self.request.acts.clear();
                    return self.facts();
                }
                None if hits.first().is_some_and(explains) => return self.unexplained(),
                None => return self.unknown(),
            }
        }
        let language = self.language;
        let mut answer = self.explained_by(quoted, hits)?;
        if let Some(about) = missing {
            let said = phrase!("texts.no_entry", about).say(language);
            answer.message = format!("{said} {}", answer.message);
        }
        Ok(answer)
    }

    /// The nearest entry, if it answers; else the one that answers a part of the message.
    fn answering(&self, hits: &[Hit<Knowledge>], is_whole: bool) -> Result<Option<Knowledge>> {
        let nearest = hits.first().filter(|hit| explains(hit)).map(|hit| hit.record.clone());
        let nearest = Vec::from_iter(nearest);
        if !is_whole || self.is_answered_by(&nearest)? {
            return Ok(nearest.into_iter().next());
        }
        self.entry_of_part()
    }

    /// The entry that answers a sentence or a clause of a message that says more: `what is a QCD, and how would they do one?`
    fn entry_of_part(&self) -> Result<Option<Knowledge>> {
        let is_part = |bytes: &Range<usize>| {
            let words = self.text[bytes.clone()].split_whitespace().count();
            words >= PART_WORDS_MIN && bytes.len() < self.text.len()
        };
        let parts = sentences(self.text).into_iter().chain(all_clauses(self.text)).filter(is_part);
        for bytes in parts.take(PARTS_READ_MAX) {
            let text = &self.text[bytes];
            let message = Reader::shared()?.read(text, &[])?;
            let part = Turn { text, message, ..self.clone() };
            let nearest = part.entries(text)?.into_iter().next().filter(explains);
            let Some(Hit { record, .. }) = nearest else { continue };
            let fit = ExplanationFit::of(text, &part.explanation()?, &record);
            if fit.probability() >= PART_PROBABILITY_MIN {
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Says that no entry answers what is asked in general, what can be asked, and who helps where it is of violence or suicide.
    pub(super) fn unexplained(self) -> Result<Answer> {
        let lines: Vec<&str> = help_beside(self.text, self.language).collect();
        let mut answer = self.reply(Intent::Unknown, "texts.unexplained")?;
        for line in lines {
            answer.message += &format!(" {line}");
        }
        Ok(answer)
    }

    /// What explains the sides of a comparison, where no entry speaks of all of them.
    fn of_sides(&self, hits: &[Hit<Knowledge>], best: f32) -> Result<Sides> {
        let mut found = Sides { quoted: Vec::new(), missing: None };
        let sides = sides(self.text);
        let nearest = hits.first().filter(|_| best >= EXPLAINS_BOTH).map(|hit| &hit.record);
        let is_whole = nearest.is_some_and(|entry| sides.iter().all(|side| speaks_of(entry, side)));
        if sides.len() < 2 || is_whole {
            return Ok(found);
        }
        for side in sides {
            let nearest = self.entries(side)?.into_iter().next();
            match nearest.filter(|hit| explains(hit) && speaks_of(&hit.record, side)) {
                Some(hit) => found.quoted.push(hit.record),
                None => found.missing = Some(side.trim().to_owned()),
            }
        }
        found.quoted.dedup_by(|one, other| one.article_id == other.article_id);
        found.quoted.truncate(QUOTED_MAX);
        // `or` sets nothing against anything by itself.
        found.missing = found
            .missing
            .filter(|side| says(self.text, "difference") && !says(side, "speaks of somebody"));
        Ok(found)
    }

    /// Whether the message says nothing to find and refers to nobody, right behind an explanation: `how much is the fee?`
    pub(super) fn goes_on_explaining(&self) -> bool {
        use DialogueAct as Ask;
        let Conversation { subject, entry, focus, .. } = &self.conversation;
        let act = self.request.act();
        let is_open =
            matches!(act, Ask::Search | Ask::Change | Ask::Other | Ask::Missing | Ask::Total)
                || (act.is_fact() && focus.is_none());
        let is_of =
            |span: &Span| !matches!(span.role, Role::Nothing | Role::Unread | Role::Reference);
        *subject == Subject::Knowledge
            && entry.is_some()
            && is_open
            && self.by_number().is_none()
            && !self.message.spans.iter().any(is_of)
    }

    /// The entry that explained last, where that was the last answer.
    pub(super) fn explained_before(&self) -> Result<Option<Knowledge>> {
        let Conversation { subject, entry, .. } = &self.conversation;
        match entry.as_ref().filter(|_| *subject == Subject::Knowledge) {
            Some(id) => library::of_id(self.snapshot, id),
            None => Ok(None),
        }
    }

    /// One entry, in the language of the conversation where it is there in both.
    pub(super) fn explained(self, entry: Knowledge) -> Result<Answer> {
        let twin = self.id_in_language(entry.article_id.trim_end_matches(IN_SPANISH));
        let entry = library::of_id::<Knowledge>(self.snapshot, &twin)?.unwrap_or(entry);
        let hits = self.entries(&entry.title)?;
        self.explained_by(vec![entry], hits)
    }

    /// The entries quoted, with those near them as further sources.
    fn explained_by(mut self, quoted: Vec<Knowledge>, hits: Vec<Hit<Knowledge>>) -> Result<Answer> {
        let Some(first) = quoted.first() else { return self.unknown() };
        if let Some(danger) = self.grave_danger().filter(|_| !quoted.iter().any(is_of_help)) {
            return self.help_in(danger);
        }
        let loaded = quoted.iter().find_map(|entry| self.loaded(entry));
        let said = loaded.into_iter().chain(quoted.iter().map(first_sentences));
        let message = said.collect::<Vec<_>>().join(" ");
        self.conversation.subject = Subject::Knowledge;
        self.conversation.entry = Some(first.article_id.clone());
        let best = hits.first().and_then(|hit| hit.nearness);
        let is_near = |hit: &&Hit<Knowledge>| {
            hit.nearness.zip(best).is_none_or(|(near, best)| near >= best - FURTHER)
        };
        let is_quoted =
            |other: &&Knowledge| quoted.iter().any(|one| one.article_id == other.article_id);
        let further = hits.iter().filter(is_near).map(|hit| &hit.record);
        let further = further.filter(|other| !is_quoted(other)).cloned();
        let sources: Vec<Knowledge> =
            quoted.iter().cloned().chain(further).take(SOURCES_MAX).collect();
        let suggestions = self.after_knowledge(&hits, &sources)?;
        let about = Some(self.text.to_owned());
        let answer = Answer::of(Intent::Knowledge, message, self.conversation);
        Ok(Answer { sources, about, suggestions, ..answer })
    }

    /// All of the entry that explained last.
    pub(super) fn whole_entry(self) -> Result<Answer> {
        let Some(entry) = self.explained_before()? else { return self.unknown() };
        let message = entry.content.clone();
        Ok(Answer { message, ..self.explained(entry)? })
    }

    /// What can be asked.
    pub(super) fn help(self) -> Result<Answer> {
        let suggestions = self.openings()?;
        match library::of_id::<Knowledge>(self.snapshot, &WHAT_TO_ASK.to_owned())? {
            Some(entry) => Ok(Answer { suggestions, ..self.explained(entry)? }),
            None => self.reply(Intent::Greeting, "hello"),
        }
    }
}

/// Whether an entry has the words, or of many half, that tell what a side of a comparison is.
fn speaks_of(entry: &Knowledge, side: &str) -> bool {
    let texts = entry.questions.iter().chain([&entry.title, &entry.content]);
    let own = texts.map(|text| normalise(text)).collect::<Vec<_>>().join(" ");
    let side = normalise(side);
    let words: Vec<&str> = side.split(' ').filter(|word| tells(word)).collect();
    let said = words.iter().filter(|word| has_stem(&own, word)).count();
    said == words.len() || (words.len() > 2 && said * 2 >= words.len())
}
