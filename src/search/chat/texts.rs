//! Articles, funds and explanations.

use super::list::ROWS_NAMED;
use super::phrase::Phrase;
use super::{Answer, Intent, ROWS, SearchError, Topic, Turn, suggest};
use crate::naming::normalise;
use crate::reader::Language;
use crate::record::{Article, Fund, Knowledge, RowId};
use crate::search::library::{self, CLEAR, Hit, LibraryItem};
use crate::understand::{
    Conversation, Frame, Subject, asked_in_english, cause_of, has_stem, says, sides,
    subsections_of, tells,
};

/// Entries that an explanation quotes: of `A vs B` both.
const QUOTED_MAX: usize = 2;
/// Sentences of an entry that a message quotes.
const SENTENCES_QUOTED: usize = 3;
/// Sources that an explanation names.
const SOURCES_MAX: usize = 3;
/// Entries that are looked at for an explanation.
const READ_MAX: usize = 24;

/// Least nearness of what explains: farther entries are about something else.
const EXPLAINS: f32 = 0.3;
/// From which nearness on one entry answers `A vs B` by itself.
const EXPLAINS_BOTH: f32 = 0.6;
/// How much farther than the nearest a further source may be.
const FURTHER: f32 = 0.15;
/// What it adds to nearness that an entry names the subsection that is asked about.
const SUBSECTION_BONUS: f32 = 0.1;

/// The end of the identifier of an entry in Spanish; without it the entry is in English.
const IN_SPANISH: &str = "-es";

/// The entry of the knowledge base that says what can be asked.
const WHAT_TO_ASK: &str = "kb-what-to-ask";

/// What was found on a topic.
struct OnTopic<Turn, Record> {
    rows: Vec<Hit<Record>>,
    /// The topic's words.
    about: Option<String>,
    /// With all that is remembered but the rows.
    turn: Turn,
}

/// The entries that explain what is compared, and a thing that none explains.
struct Sides {
    quoted: Vec<Knowledge>,
    missing: Option<String>,
}

impl Turn<'_> {
    /// Articles on a topic.
    pub(super) fn articles(self, topic: &Topic, page: u64) -> Result<Answer, SearchError> {
        let OnTopic { rows, about, mut turn } =
            self.on_topic::<Article>(topic, page, Subject::Articles)?;
        if rows.is_empty() && page == 1 && turn.snapshot.article_texts.count() == 0 {
            return turn.explaining_articles(about);
        }
        let message = turn.of_texts("articles", &rows, |article| &article.title, about.as_deref());
        let rows: Vec<Article> = rows.into_iter().map(|hit| hit.record).collect();
        if !rows.is_empty() {
            turn.conversation.articles = rows.iter().map(|article| article.id).collect();
        }
        let suggestions =
            suggest::after_articles(turn.snapshot, &rows, about.as_deref(), turn.language)?;
        let answer = Answer::of(Intent::FindArticles, message, turn.conversation);
        Ok(Answer { articles: rows, about, suggestions, ..answer })
    }

    /// Funds for a topic.
    pub(super) fn funds(self, topic: &Topic, page: u64) -> Result<Answer, SearchError> {
        let OnTopic { rows, about, mut turn } =
            self.on_topic::<Fund>(topic, page, Subject::Funds)?;
        let message = turn.of_texts("funds", &rows, |fund| &fund.title, about.as_deref());
        let rows: Vec<Fund> = rows.into_iter().map(|hit| hit.record).collect();
        if !rows.is_empty() {
            turn.conversation.funds = rows.iter().map(|fund| fund.id).collect();
        }
        let suggestions = suggest::after_funds(turn.snapshot, about.as_deref(), turn.language)?;
        let answer = Answer::of(Intent::FindFunds, message, turn.conversation);
        Ok(Answer { funds: rows, about, suggestions, ..answer })
    }

    /// The rows on a topic and the topic's words; what is remembered is up to date but for the rows.
    fn on_topic<Record: LibraryItem>(
        mut self,
        topic: &Topic,
        page: u64,
        subject: Subject,
    ) -> Result<OnTopic<Self, Record>, SearchError> {
        let about = match topic {
            Topic::Any => None,
            Topic::Of(words) => Some(words.clone()),
        };
        let skipped = usize::try_from(page.saturating_sub(1)).unwrap_or(usize::MAX);
        let skipped = skipped.saturating_mul(ROWS);
        let rows = match about.as_deref() {
            None => library::any(self.snapshot, skipped, ROWS)?,
            Some(about) => library::about(self.snapshot, about, skipped, ROWS)?,
        };
        // `now nonprofits working on that`.
        if let Topic::Of(words) = topic
            && self.conversation.topic.as_deref() != Some(words)
        {
            let Frame { cause, text, cause_ntee, cause_is_term, .. } =
                cause_of(words, self.snapshot)?;
            let cause = cause.or_else(|| Some(words.clone()));
            let text = text.or_else(|| Some(words.clone()));
            self.conversation.ask(Frame {
                cause,
                text,
                cause_ntee,
                cause_is_term,
                ..Frame::default()
            });
        }
        self.conversation.subject = subject;
        self.conversation.topic.clone_from(&about);
        self.conversation.rows = (skipped + rows.len()) as u64;
        Ok(OnTopic { rows, about, turn: self })
    }

    /// Where the operator has no articles: entries of the knowledge base on the topic, as articles.
    fn explaining_articles(mut self, about: Option<String>) -> Result<Answer, SearchError> {
        let hits = match &about {
            Some(about) => self.entries(about)?,
            None => library::any(self.snapshot, 0, READ_MAX)?,
        };
        let is_near = |hit: &Hit<Knowledge>| hit.nearness.is_none_or(|near| near >= EXPLAINS);
        let hits = hits.into_iter().filter(|hit| is_near(hit) && self.is_in_language(&hit.record));
        let mut rows = Vec::new();
        for hit in hits.take(ROWS) {
            rows.extend(
                library::position::<Knowledge>(self.snapshot, &hit.record.article_id)?
                    .map(|at| Hit { record: as_article(at, hit.record), nearness: hit.nearness }),
            );
        }
        let message = self.of_texts("articles", &rows, |article| &article.title, about.as_deref());
        let articles: Vec<Article> = rows.into_iter().map(|hit| hit.record).collect();
        if !articles.is_empty() {
            self.conversation.articles = articles.iter().map(|article| article.id).collect();
        }
        let suggestions =
            suggest::after_articles(self.snapshot, &articles, about.as_deref(), self.language)?;
        let answer = Answer::of(Intent::FindArticles, message, self.conversation);
        Ok(Answer { articles, about, suggestions, ..answer })
    }

    /// The text about a list of articles or funds.
    fn of_texts<Record>(
        &self,
        what: &str,
        rows: &[Hit<Record>],
        title: impl Fn(&Record) -> &str,
        about: Option<&str>,
    ) -> String {
        let quote = |hit: &Hit<Record>| match self.language {
            Language::Spanish => format!("«{}»", title(&hit.record)),
            _ => format!("“{}”", title(&hit.record)),
        };
        let titles: Vec<String> = rows.iter().take(ROWS_NAMED).map(quote).collect();
        let clear = rows.iter().any(|hit| hit.nearness.is_none_or(|near| near >= CLEAR));
        let name = match (rows.is_empty(), about) {
            (true, _) => format!("texts.no_{what}"),
            (false, Some(_)) if !clear => "texts.nearest".to_owned(),
            _ => format!("texts.{what}"),
        };
        Phrase::new(name)
            .with("count", rows.len())
            .with_some("about", about)
            .with("titles", titles)
            .say(self.language)
    }

    /// One article.
    pub(super) fn article(mut self, id: i64) -> Result<Answer, SearchError> {
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
            Some(article) => Phrase::new("texts.article")
                .with("title", &article.title)
                .with_some("publisher", article.publisher.clone())
                .with_some("excerpt", article.excerpt.clone())
                .say(self.language),
            None => {
                Phrase::new("texts.no_article").with("number", id.to_string()).say(self.language)
            }
        };
        let mut suggestions = Vec::new();
        if let Some(article) = &article {
            suggestions = suggest::after_article(self.snapshot, article, self.language)?;
            if self.conversation.articles.is_empty() {
                self.conversation.articles = vec![id];
            }
            self.conversation.subject = Subject::Articles;
        }
        if suggestions.is_empty() {
            suggestions = suggest::openings(self.snapshot, self.language)?;
        }
        let answer = Answer::of(Intent::ArticleDetails, message, self.conversation);
        Ok(Answer { article, article_id: Some(id), suggestions, ..answer })
    }

    /// One fund.
    pub(super) fn fund(mut self, id: i64) -> Result<Answer, SearchError> {
        let Some(fund) = library::of_id::<Fund>(self.snapshot, &id)? else {
            return self.unknown();
        };
        self.conversation.subject = Subject::Funds;
        let message = Phrase::new("texts.fund")
            .with("title", &fund.title)
            .with_some("sponsor", fund.sponsor.clone())
            .with_some("purpose", fund.purpose.clone())
            .with_some("least", fund.fund_minimum_investment.clone())
            .say(self.language);
        let suggestions =
            suggest::after_funds(self.snapshot, fund.purpose.as_deref(), self.language)?;
        let answer = Answer::of(Intent::FindFunds, message, self.conversation);
        Ok(Answer { funds: vec![fund], suggestions, ..answer })
    }

    /// What explains a term or how something is done; of two that are compared, both.
    pub(super) fn knowledge(self) -> Result<Answer, SearchError> {
        let mut hits = self.entries(self.text)?;
        let nearness =
            |hits: &[Hit<Knowledge>]| hits.first().map_or(0.0, |hit| hit.nearness.unwrap_or(1.0));
        if nearness(&hits) < EXPLAINS
            && let Some(before) = self.explained_before()?
        {
            // `and what if we forget it?`
            hits = self.entries(&format!("{} {}", before.title, self.text))?;
            hits.retain(|hit| hit.record.article_id != before.article_id);
        }
        let best = nearness(&hits);
        let Sides { mut quoted, missing } = self.of_sides(&hits, best)?;
        if quoted.is_empty() {
            if hits.is_empty() || best < EXPLAINS {
                return match self.asks_anew()
                    && self.message.intent.label == crate::reader::Intent::Find
                {
                    true => self.search(),
                    false => self.unknown(),
                };
            }
            quoted.extend(hits.first().map(|hit| hit.record.clone()));
        }
        let language = self.language;
        let mut answer = self.explained_by(quoted, hits)?;
        if let Some(side) = missing {
            let said = Phrase::new("texts.no_entry").with("about", side).say(language);
            answer.message = format!("{said} {}", answer.message);
        }
        Ok(answer)
    }

    /// What explains the sides of a comparison, where no entry speaks of all of them.
    fn of_sides(&self, hits: &[Hit<Knowledge>], best: f32) -> Result<Sides, SearchError> {
        let mut found = Sides { quoted: Vec::new(), missing: None };
        let sides = sides(self.text);
        let nearest = hits.first().filter(|_| best >= EXPLAINS_BOTH).map(|hit| &hit.record);
        let is_whole = nearest.is_some_and(|entry| sides.iter().all(|side| speaks_of(entry, side)));
        if sides.len() < 2 || is_whole {
            return Ok(found);
        }
        for side in sides {
            let nearest = self.entries(side)?.into_iter().next();
            let is_near = |hit: &Hit<Knowledge>| hit.nearness.is_none_or(|near| near >= EXPLAINS);
            match nearest.filter(|hit| is_near(hit) && speaks_of(&hit.record, side)) {
                Some(hit) => found.quoted.push(hit.record),
                None => found.missing = Some(side.trim().to_owned()),
            }
        }
        found.quoted.dedup_by(|one, other| one.article_id == other.article_id);
        found.quoted.truncate(QUOTED_MAX);
        // `or` sets nothing against anything by itself.
        found.missing = found.missing.filter(|_| says(self.text, "difference"));
        Ok(found)
    }

    /// The entry that explained last, where that was the last answer.
    fn explained_before(&self) -> Result<Option<Knowledge>, SearchError> {
        let Conversation { subject, entry, .. } = &self.conversation;
        match entry.as_ref().filter(|_| *subject == Subject::Knowledge) {
            Some(id) => library::of_id(self.snapshot, id),
            None => Ok(None),
        }
    }

    /// Entries near a text in the language of the conversation, the nearest first. Who asks in Spanish for what only an
    /// operator's English entry explains is answered by that.
    pub(super) fn entries(&self, asked: &str) -> Result<Vec<Hit<Knowledge>>, SearchError> {
        let mut hits: Vec<Hit<Knowledge>> = library::about(self.snapshot, asked, 0, READ_MAX)?;
        if self.language == Language::Spanish {
            let mut own: Vec<Hit<Knowledge>> = hits.clone();
            own.retain(|hit| self.is_in_language(&hit.record));
            let best = own.first().and_then(|hit| hit.nearness).unwrap_or(0.0);
            if let Some(english) = asked_in_english(asked).filter(|_| best < EXPLAINS_BOTH) {
                hits = library::about(self.snapshot, english, 0, READ_MAX)?;
                for hit in &mut hits {
                    let id = format!("{}{IN_SPANISH}", hit.record.article_id);
                    if let Some(twin) = library::of_id::<Knowledge>(self.snapshot, &id)? {
                        hit.record = twin;
                    }
                }
            } else if !own.is_empty() {
                hits = own;
            }
        } else {
            hits.retain(|hit| self.is_in_language(&hit.record));
        }
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
            hits.sort_by(|a, b| b.nearness.unwrap_or(0.0).total_cmp(&a.nearness.unwrap_or(0.0)));
        }
        Ok(hits)
    }

    fn is_in_language(&self, entry: &Knowledge) -> bool {
        (language_of(entry) == Language::Spanish) == (self.language == Language::Spanish)
    }

    /// One entry, in the language of the conversation where it is there in both.
    pub(super) fn explained(self, entry: Knowledge) -> Result<Answer, SearchError> {
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
    fn explained_by(
        mut self,
        quoted: Vec<Knowledge>,
        hits: Vec<Hit<Knowledge>>,
    ) -> Result<Answer, SearchError> {
        let Some(first) = quoted.first() else { return self.unknown() };
        let message = quoted.iter().map(first_sentences).collect::<Vec<_>>().join(" ");
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
        let suggestions = suggest::after_knowledge(self.snapshot, &hits, &sources, self.language)?;
        let about = Some(self.text.to_owned());
        let answer = Answer::of(Intent::Knowledge, message, self.conversation);
        Ok(Answer { sources, about, suggestions, ..answer })
    }

    /// All of the entry that explained last.
    pub(super) fn whole_entry(self) -> Result<Answer, SearchError> {
        let Some(entry) = self.explained_before()? else { return self.unknown() };
        let message = entry.content.clone();
        Ok(Answer { message, ..self.explained(entry)? })
    }

    /// What can be asked.
    pub(super) fn help(self) -> Result<Answer, SearchError> {
        let suggestions = suggest::openings(self.snapshot, self.language)?;
        match library::of_id::<Knowledge>(self.snapshot, &WHAT_TO_ASK.to_owned())? {
            Some(entry) => Ok(Answer { suggestions, ..self.explained(entry)? }),
            None => self.reply(Intent::Greeting, "hello"),
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
    let excerpt = Some(first_sentences(&entry));
    Article {
        id: i64::from(at) + 1,
        title: entry.title,
        excerpt,
        url: entry.url,
        publisher: None,
        is_gc_original: None,
        date_added: entry.date_added,
        date_modified: None,
        evergreen: None,
        text: Some(entry.content),
    }
}

/// The first sentences of an entry.
pub(super) fn first_sentences(entry: &Knowledge) -> String {
    let mut end = 0;
    let mut sentences = 0;
    let text = &entry.content;
    for (at, _) in text.match_indices(['.', '!', '?']) {
        let after = &text[at + 1..];
        // `501(c)(3)`, `U.S. nonprofits` and `$1.5` end nothing.
        let abbreviation = text[..at].chars().rev().take_while(|c| c.is_alphanumeric()).count() < 2;
        let begins = after.is_empty()
            || after.strip_prefix(' ').is_some_and(|rest| {
                rest.starts_with(|c: char| {
                    c.is_uppercase() || c.is_ascii_digit() || matches!(c, '“' | '«' | '¿')
                })
            });
        if begins && !abbreviation {
            end = at + 1;
            sentences += 1;
            if sentences == SENTENCES_QUOTED {
                break;
            }
        }
    }
    if end == 0 { text.clone() } else { text[..end].to_owned() }
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
        assert_eq!(entry("One. Two. Three. Four."), "One. Two. Three.");
        assert_eq!(
            entry("A U.S. nonprofit has $1.5 million. It gives. It keeps. Source: IRS."),
            "A U.S. nonprofit has $1.5 million. It gives. It keeps."
        );
        assert_eq!(entry("no sentence at all"), "no sentence at all");
    }
}
