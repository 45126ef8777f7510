//! Articles, funds and explanations.

use super::reply::FixedReply;
use super::{Answer, Intent, ROWS, SearchError, Topic, Turn, say, suggest};
use crate::record::{Article, Fund, Knowledge};
use crate::search::library::{self, Hit, LibraryItem};
use crate::understand::{Frame, Subject, asked_in_english, cause_of};

/// Sources that an explanation names.
const SOURCES_MAX: usize = 3;

/// Least nearness of what explains: farther entries are about something else.
const EXPLAINS: f32 = 0.3;

/// How much farther than the nearest a further source may be.
const FURTHER: f32 = 0.15;

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

/// The nearest entries, and those not much farther.
fn nearest(hits: &[Hit<Knowledge>]) -> impl Iterator<Item = &Knowledge> {
    let best = hits.first().and_then(|hit| hit.nearness);
    let near = move |hit: &&Hit<Knowledge>| {
        hit.nearness.zip(best).is_none_or(|(this, best)| this >= best - FURTHER)
    };
    hits.iter().filter(near).take(SOURCES_MAX).map(|hit| &hit.record)
}

impl Turn<'_> {
    /// Articles on a topic.
    pub(super) fn articles(self, topic: &Topic, page: u64) -> Result<Answer, SearchError> {
        let OnTopic { rows, about, mut turn } =
            self.on_topic::<Article>(topic, page, Subject::Articles)?;
        let message = say::articles(&rows, about.as_deref(), page);
        let rows: Vec<Article> = rows.into_iter().map(|hit| hit.record).collect();
        if !rows.is_empty() {
            turn.conversation.articles = rows.iter().map(|article| article.id).collect();
        }
        let suggestions = suggest::after_articles(turn.snapshot, &rows, about.as_deref())?;
        let answer = Answer::of(Intent::FindArticles, message, turn.conversation);
        Ok(Answer { articles: rows, about, suggestions, ..answer })
    }

    /// Funds for a topic.
    pub(super) fn funds(self, topic: &Topic, page: u64) -> Result<Answer, SearchError> {
        let OnTopic { rows, about, mut turn } =
            self.on_topic::<Fund>(topic, page, Subject::Funds)?;
        let message = say::funds(&rows, about.as_deref(), page);
        let rows: Vec<Fund> = rows.into_iter().map(|hit| hit.record).collect();
        if !rows.is_empty() {
            turn.conversation.funds = rows.iter().map(|fund| fund.id).collect();
        }
        let suggestions = suggest::after_funds(turn.snapshot, about.as_deref())?;
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

    /// One article.
    pub(super) fn article(mut self, id: i64) -> Result<Answer, SearchError> {
        let article: Option<Article> = library::of_id(self.snapshot, &id)?;
        let message = say::article(article.as_ref(), id);
        let mut suggestions = Vec::new();
        if let Some(article) = &article {
            suggestions = suggest::after_article(self.snapshot, article)?;
            if self.conversation.articles.is_empty() {
                self.conversation.articles = vec![id];
            }
            self.conversation.subject = Subject::Articles;
        }
        if suggestions.is_empty() {
            suggestions = suggest::openings(self.snapshot)?;
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
        let message = say::fund(&fund);
        let suggestions = suggest::after_funds(self.snapshot, fund.purpose.as_deref())?;
        let answer = Answer::of(Intent::FindFunds, message, self.conversation);
        Ok(Answer { funds: vec![fund], suggestions, ..answer })
    }

    /// What explains a term or how something is done.
    pub(super) fn knowledge(self) -> Result<Answer, SearchError> {
        let asked = asked_in_english(self.text).unwrap_or(self.text);
        let hits: Vec<Hit<Knowledge>> = library::about(self.snapshot, asked, 0, SOURCES_MAX * 2)?;
        let best = hits.first().and_then(|hit| hit.nearness);
        if hits.is_empty() || best.is_some_and(|best| best < EXPLAINS) {
            return self.unknown();
        }
        let sources = nearest(&hits).cloned().collect();
        self.explained_by(sources, hits)
    }

    /// One entry, with those that are as near to its title.
    pub(super) fn explained(self, entry: Knowledge) -> Result<Answer, SearchError> {
        let hits = library::about(self.snapshot, &entry.title, 0, SOURCES_MAX * 2)?;
        let others = nearest(&hits).filter(|other| other.article_id != entry.article_id).cloned();
        let sources = std::iter::once(entry.clone()).chain(others).take(SOURCES_MAX).collect();
        self.explained_by(sources, hits)
    }

    fn explained_by(
        mut self,
        sources: Vec<Knowledge>,
        hits: Vec<Hit<Knowledge>>,
    ) -> Result<Answer, SearchError> {
        let Some(first) = sources.first() else { return self.unknown() };
        let message = say::explained(first);
        self.conversation.subject = Subject::Knowledge;
        self.conversation.entry = Some(first.article_id.clone());
        let suggestions = suggest::after_knowledge(self.snapshot, &hits, &sources)?;
        let about = Some(self.text.to_owned());
        let answer = Answer::of(Intent::Knowledge, message, self.conversation);
        Ok(Answer { sources, about, suggestions, ..answer })
    }

    /// All of the entry that explained last.
    pub(super) fn whole_entry(self) -> Result<Answer, SearchError> {
        let entry = match &self.conversation.entry {
            Some(id) => library::of_id::<Knowledge>(self.snapshot, id)?,
            None => None,
        };
        let Some(entry) = entry else { return self.unknown() };
        let message = entry.content.clone();
        Ok(Answer { message, ..self.explained(entry)? })
    }

    /// What can be asked.
    pub(super) fn help(self) -> Result<Answer, SearchError> {
        let suggestions = suggest::openings(self.snapshot)?;
        match library::of_id::<Knowledge>(self.snapshot, &WHAT_TO_ASK.to_owned())? {
            Some(entry) => Ok(Answer { suggestions, ..self.explained(entry)? }),
            None => self.reply(Intent::Greeting, FixedReply::Hello),
        }
    }
}
