//! Articles, funds and explanations.

use std::ops::Range;

use super::danger::is_of_help;
use super::list::ROWS_NAMED;
use super::phrase::{help_beside, phrase, quoted};
use super::{Act, Answer, Intent, ROWS, Result, Turn};
use crate::naming::normalise;
use crate::reader::{DialogueAct, Intent as Asks, Language, Reader, Role, Span};
use crate::record::{Article, Fund, Knowledge, RowId};
use crate::search::explanation_fit::{ExplanationFit, IN_SPANISH};
use crate::search::library::{self, Hit, LibraryItem};
use crate::understand::{
    Conversation, Frame, Subject, all_clauses, cause_of, decode, has_stem, says, sentences, sides,
    tells,
};

/// Entries that an explanation quotes: of `A vs B` both.
const QUOTED_MAX: usize = 2;
/// Sentences of an entry that a message quotes.
const SENTENCES_QUOTED: usize = 5;
/// Sources that an explanation names.
const SOURCES_MAX: usize = 3;
/// Entries that are looked at for an explanation.
pub(super) const READ_MAX: usize = 24;

/// Least nearness of what explains: farther entries are about something else.
const EXPLAINS: f32 = 0.3;
/// From which nearness on one entry answers `A vs B` by itself.
pub(super) const EXPLAINS_BOTH: f32 = 0.6;
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
    /// Articles or funds on the subject of the message, else on the current one.
    pub(super) fn on_texts(self, subject: Subject) -> Result<Answer> {
        let causes =
            self.message.spans.iter().filter(|span| {
                matches!(span.role, Role::Cause | Role::Place | Role::Name | Role::Sdg)
            });
        let words: Vec<&str> = causes.map(|span| &self.text[span.bytes.clone()]).collect();
        let goes_on = self.message.act.label == Act::On;
        let topic = match words.is_empty() {
            false => Some(words.join(" ")),
            true => {
                let Conversation { topic, frame, .. } = &self.conversation;
                topic.clone().or_else(|| frame.cause.clone()).filter(|_| goes_on)
            }
        };
        match subject {
            Subject::Articles => self.articles(topic, 1),
            _ => self.funds_or_nonprofits(topic),
        }
    }

    /// Articles on a topic, or on any; where the operator has none, entries of the knowledge base.
    pub(super) fn articles(mut self, about: Option<String>, page: u64) -> Result<Answer> {
        let mut rows: Vec<Hit<Article>> =
            self.on_topic(about.as_deref(), page, Subject::Articles)?;
        if rows.is_empty() && page == 1 && self.snapshot.article_texts.count() == 0 {
            rows = self.explaining_articles(about.as_deref())?;
        }
        let message = self.of_texts("articles", &rows, about.as_deref());
        let rows: Vec<Article> = rows.into_iter().map(|hit| hit.record).collect();
        if !rows.is_empty() {
            self.conversation.articles = rows.iter().map(|article| article.id).collect();
        }
        let suggestions = self.after_articles(&rows, about.as_deref())?;
        let answer = Answer::of(Intent::FindArticles, message, self.conversation);
        Ok(Answer { articles: rows, about, suggestions, ..answer })
    }

    /// Funds for a topic, or for any; where no fund is for it, that and the nonprofits that are.
    pub(super) fn funds_or_nonprofits(self, topic: Option<String>) -> Result<Answer> {
        let Some(about) = &topic else { return self.funds(None, 1) };
        let nearest = library::about::<Fund>(self.snapshot, about, 0, ROWS)?;
        if nearest.iter().any(Hit::is_clear) {
            return self.funds(topic, 1);
        }
        let none = phrase!("texts.no_funds", about).say(self.language);
        let found = self.search()?;
        Ok(Answer { message: format!("{none} {}", found.message), ..found })
    }

    /// Funds for a topic, or for any.
    pub(super) fn funds(mut self, about: Option<String>, page: u64) -> Result<Answer> {
        let rows: Vec<Hit<Fund>> = self.on_topic(about.as_deref(), page, Subject::Funds)?;
        let message = self.of_texts("funds", &rows, about.as_deref());
        let rows: Vec<Fund> = rows.into_iter().map(|hit| hit.record).collect();
        if !rows.is_empty() {
            self.conversation.funds = rows.iter().map(|fund| fund.id).collect();
        }
        let suggestions = self.after_funds(about.as_deref())?;
        let answer = Answer::of(Intent::FindFunds, message, self.conversation);
        Ok(Answer { funds: rows, about, suggestions, ..answer })
    }

    /// The rows on a topic; what is remembered is up to date but for the rows.
    fn on_topic<Record: LibraryItem>(
        &mut self,
        topic: Option<&str>,
        page: u64,
        subject: Subject,
    ) -> Result<Vec<Hit<Record>>> {
        let skipped = usize::try_from(page.saturating_sub(1)).unwrap_or(usize::MAX);
        let skipped = skipped.saturating_mul(ROWS);
        let rows = match topic {
            None => library::any(self.snapshot, skipped, ROWS)?,
            Some(words) => library::about(self.snapshot, words, skipped, ROWS)?,
        };
        // `now nonprofits working on that`.
        if let Some(words) = topic
            && self.conversation.topic.as_deref() != topic
        {
            let Frame { cause, text, cause_ntee, cause_is_term, .. } =
                cause_of(words, self.snapshot)?;
            let cause = cause.or_else(|| Some(words.to_owned()));
            let text = text.or_else(|| Some(words.to_owned()));
            let frame = Frame { cause, text, cause_ntee, cause_is_term, ..Frame::default() };
            self.conversation.ask(frame);
        }
        self.conversation.subject = subject;
        self.conversation.topic = topic.map(str::to_owned);
        self.conversation.rows = (skipped + rows.len()) as u64;
        Ok(rows)
    }

    /// Entries of the knowledge base on a topic, as articles.
    fn explaining_articles(&self, about: Option<&str>) -> Result<Vec<Hit<Article>>> {
        let mut hits = match about {
            Some(about) => self.entries(about)?,
            None => library::any(self.snapshot, 0, READ_MAX)?,
        };
        hits.retain(|hit| explains(hit) && self.is_in_language(&hit.record));
        let mut rows = Vec::new();
        for Hit { record, nearness } in hits.into_iter().take(ROWS) {
            let at = library::position::<Knowledge>(self.snapshot, &record.article_id)?;
            rows.extend(at.map(|at| Hit { record: as_article(at, record), nearness }));
        }
        Ok(rows)
    }

    /// The text about a list of articles or funds.
    fn of_texts<Record: LibraryItem>(
        &self,
        what: &str,
        rows: &[Hit<Record>],
        about: Option<&str>,
    ) -> String {
        let titles = rows.iter().take(ROWS_NAMED);
        let titles = titles.map(|hit| quoted(hit.record.title(), self.language));
        let titles: Vec<String> = titles.collect();
        let name = match (rows.is_empty(), about) {
            (true, _) => format!("texts.no_{what}"),
            (false, Some(_)) if !rows.iter().any(Hit::is_clear) => "texts.nearest".to_owned(),
            _ => format!("texts.{what}"),
        };
        phrase!(name, count = rows.len(), about, titles).say(self.language)
    }

    /// One article.
    pub(super) fn article(mut self, id: i64) -> Result<Answer> {
        let mut article: Option<Article> = library::of_id(self.snapshot, &id)?;
        if self.snapshot.article_texts.count() == 0 {
            let at = u32::try_from(id).ok().and_then(|id| id.checked_sub(1));
            let at = at.filter(|at| *at < self.snapshot.knowledge_texts.count());
            article = match at {
                Some(at) => Some(as_article(at, self.snapshot.records.get(RowId::new(at))?)),
                None => None,
            };
        }
        let message = match &article {
            Some(Article { title, publisher, excerpt, .. }) => {
                phrase!("texts.article", title, publisher, excerpt)
            }
            None => phrase!("texts.no_article", number = id.to_string()),
        };
        let message = message.say(self.language);
        let mut suggestions = Vec::new();
        if let Some(article) = &article {
            suggestions = self.after_article(article)?;
            if self.conversation.articles.is_empty() {
                self.conversation.articles = vec![id];
            }
            self.conversation.subject = Subject::Articles;
        }
        if suggestions.is_empty() {
            suggestions = self.openings()?;
        }
        let answer = Answer::of(Intent::ArticleDetails, message, self.conversation);
        Ok(Answer { article, article_id: Some(id), suggestions, ..answer })
    }

    /// One fund.
    pub(super) fn fund(mut self, id: i64) -> Result<Answer> {
        let Some(fund) = library::of_id::<Fund>(self.snapshot, &id)? else {
            return self.unknown();
        };
        self.conversation.subject = Subject::Funds;
        let Fund { title, sponsor, purpose, fund_minimum_investment: least, .. } = &fund;
        let message = phrase!("texts.fund", title, sponsor, purpose, least).say(self.language);
        let suggestions = self.after_funds(purpose.as_deref())?;
        let answer = Answer::of(Intent::FindFunds, message, self.conversation);
        Ok(Answer { funds: vec![fund], suggestions, ..answer })
    }

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
        let is_whole_question = before.is_none() && asking.is_none();
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
            let nearest = hits.first().filter(|_| best >= EXPLAINS).map(|hit| hit.record.clone());
            let is_known = nearest.is_some();
            let nearest: Vec<Knowledge> = nearest.into_iter().collect();
            let answers = !is_whole_question || self.is_answered_by(&nearest)?;
            let first = match nearest.into_iter().next().filter(|_| answers) {
                None if is_whole_question => self.entry_of_part()?,
                first => first,
            };
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
                None if is_known => return self.unexplained(),
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
        let base = entry.article_id.trim_end_matches(IN_SPANISH).to_owned();
        let twin = match self.language {
            Language::Spanish => format!("{base}{IN_SPANISH}"),
            _ => base,
        };
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

    /// One article, by its number or as one of those shown.
    pub(super) fn one_article(self) -> Result<Answer> {
        let number = self.words(Role::Number).map(|words| {
            let digits: String = words.chars().filter(char::is_ascii_digit).collect();
            // A number that belongs to no article finds none.
            digits.parse().unwrap_or(i64::MAX)
        });
        match number.or(self.conversation.articles.first().copied()) {
            Some(id) => self.article(id),
            None => self.on_texts(Subject::Articles),
        }
    }
}

/// The language of an entry.
pub(super) fn language_of(entry: &Knowledge) -> Language {
    match entry.article_id.ends_with(IN_SPANISH) {
        true => Language::Spanish,
        false => Language::English,
    }
}

/// Whether an entry is near enough to explain what is asked.
fn explains(hit: &Hit<Knowledge>) -> bool {
    hit.nearness.is_none_or(|near| near >= EXPLAINS)
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

/// An entry of the knowledge base as an article; its number is its position.
fn as_article(at: u32, entry: Knowledge) -> Article {
    Article {
        id: i64::from(at) + 1,
        excerpt: Some(first_sentences(&entry)),
        title: entry.title,
        url: entry.url,
        date_added: entry.date_added,
        text: Some(entry.content),
        ..Article::default()
    }
}

/// The first sentences of an entry.
pub(super) fn first_sentences(entry: &Knowledge) -> String {
    let text = &*entry.content;
    let begins = |c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '“' | '«' | '¿');
    let is_end = |at: &usize| {
        // `501(c)(3)`, `U.S. nonprofits` and `$1.5` end nothing.
        let before = text[..*at].chars().rev().take_while(|c| c.is_alphanumeric());
        let after = &text[at + 1..];
        let rest = after.strip_prefix(' ');
        (after.is_empty() || rest.is_some_and(|rest| rest.starts_with(begins)))
            && before.count() > 1
    };
    let ends = text.match_indices(['.', '!', '?']).map(|(at, _)| at).filter(is_end);
    let end = ends.take(SENTENCES_QUOTED).last().map_or(text.len(), |at| at + 1);
    text[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_quoted_by_its_first_sentences() {
        let entry = |content: &str| {
            let content = content.to_owned();
            let entry = Knowledge {
                article_id: "k".into(),
                title: "K".into(),
                url: None,
                content,
                date_added: None,
                questions: Vec::new(),
            };
            first_sentences(&entry)
        };
        assert_eq!(entry("One. Two. Three. Four. Five. Six."), "One. Two. Three. Four. Five.");
        assert_eq!(
            entry(
                "A U.S. nonprofit has $1.5 million. It gives. It keeps. So do all. Or some. Source: IRS."
            ),
            "A U.S. nonprofit has $1.5 million. It gives. It keeps. So do all. Or some."
        );
        assert_eq!(entry("no sentence at all"), "no sentence at all");
    }
}
