//! Articles, funds and explanations.

use super::{Answer, ROWS, SearchError, Turn, say, suggest};
use crate::record::{Article, Fund, Knowledge};
use crate::search::library::{self, Hit, Listed};
use crate::understand::{Frame, Intent, Subject, Topic, understand};

/// Sources that an explanation names.
const SOURCES_MAX: usize = 3;

/// Least cosine of what explains: farther entries are about something else. Where the words leave no
/// doubt that a term is asked about, its entry may be farther.
const EXPLAINS: f32 = 0.38;
const EXPLAINS_SURELY: f32 = 0.2;

/// How much farther than the nearest a further source may be.
const FURTHER: f32 = 0.15;

/// What was found on a topic.
struct OnTopic<Turn, Record> {
    rows: Vec<Hit<Record>>,
    /// The topic's words.
    about: Option<String>,
    /// With all that is remembered but the rows.
    turn: Turn,
}

impl Turn<'_> {
    /// Articles on a topic.
    pub(super) fn articles(self, topic: &Topic, page: u32) -> Result<Answer, SearchError> {
        let OnTopic { rows, about, mut turn } =
            self.on_topic::<Article>(topic, page, Subject::Articles)?;
        let message = say::articles(&rows, about.as_deref(), page);
        let rows: Vec<Article> = rows.into_iter().map(|hit| hit.record).collect();
        turn.conversation.articles = rows.iter().map(|article| article.id).collect();
        let suggestions = suggest::after_articles(turn.snapshot, &rows, about.as_deref())?;
        let answer = Answer::of(Intent::FindArticles, message, turn.conversation);
        Ok(Answer { articles: rows, about, suggestions, ..answer })
    }

    /// Funds for a topic.
    pub(super) fn funds(self, topic: &Topic, page: u32) -> Result<Answer, SearchError> {
        let OnTopic { rows, about, turn } = self.on_topic::<Fund>(topic, page, Subject::Funds)?;
        let message = say::funds(&rows, about.as_deref(), page);
        let rows = rows.into_iter().map(|hit| hit.record).collect();
        let suggestions = suggest::after_funds(turn.snapshot, about.as_deref())?;
        let answer = Answer::of(Intent::FindFunds, message, turn.conversation);
        Ok(Answer { funds: rows, about, suggestions, ..answer })
    }

    /// The rows on a topic and the topic's words; what is remembered is up to date but for the rows.
    fn on_topic<Record: Listed>(
        mut self,
        topic: &Topic,
        page: u32,
        subject: Subject,
    ) -> Result<OnTopic<Self, Record>, SearchError> {
        let about = match topic {
            Topic::Any => None,
            Topic::Same => self.conversation.frame.cause.clone(),
            Topic::Of(words) => Some(words.clone()),
        };
        let skipped = (page as usize).saturating_sub(1).saturating_mul(ROWS);
        let rows = match about.as_deref() {
            None => library::latest(self.snapshot, skipped, ROWS)?,
            Some(about) => library::about(self.snapshot, about, skipped, ROWS)?,
        };
        // `now nonprofits working on that`.
        if let Topic::Of(words) = topic {
            let heard = understand(words, self.snapshot)?.frame;
            let Frame { cause, text, cause_ntee, cause_is_term, .. } = heard;
            let cause = cause.or_else(|| Some(words.clone()));
            let text = text.or_else(|| Some(words.clone()));
            self.conversation.frame =
                Frame { cause, text, cause_ntee, cause_is_term, ..Frame::default() };
        }
        self.conversation.subject = subject;
        self.conversation.pages = page;
        Ok(OnTopic { rows, about, turn: self })
    }

    /// One article.
    pub(super) fn article(mut self, id: i64) -> Result<Answer, SearchError> {
        let article = library::article(self.snapshot, id)?;
        let message = say::article(article.as_ref(), id);
        let mut suggestions = Vec::new();
        if let Some(article) = &article {
            suggestions = suggest::after_article(self.snapshot, article)?;
            if !self.conversation.articles.contains(&id) {
                self.conversation.articles = vec![id];
            }
        }
        if suggestions.is_empty() {
            suggestions = suggest::openings(self.snapshot)?;
        }
        let answer = Answer::of(Intent::ArticleDetails, message, self.conversation);
        Ok(Answer { article, article_id: Some(id), suggestions, ..answer })
    }

    /// What explains a term or how something is done.
    pub(super) fn knowledge(mut self, is_sure: bool) -> Result<Answer, SearchError> {
        let least = if is_sure { EXPLAINS_SURELY } else { EXPLAINS };
        let asked = self.message.text.clone();
        let hits: Vec<Hit<Knowledge>> = library::about(self.snapshot, &asked, 0, SOURCES_MAX * 2)?;
        let best = hits.iter().filter_map(|hit| hit.cosine).fold(f32::MIN, f32::max);
        let explains = |hit: &&Hit<Knowledge>| {
            hit.cosine.is_none_or(|cosine| cosine >= least.max(best - FURTHER))
        };
        let mut near: Vec<&Hit<Knowledge>> = hits.iter().filter(explains).collect();
        // Words decide between entries of one topic, but never against a clear meaning.
        near.sort_by(|one, other| {
            let coarse = |hit: &Hit<Knowledge>| hit.cosine.map(|cosine| (cosine * 10.0) as i32);
            coarse(other).cmp(&coarse(one))
        });
        let sources: Vec<Knowledge> =
            near.into_iter().take(SOURCES_MAX).map(|hit| hit.record.clone()).collect();
        let Some(first) = sources.first() else { return self.unknown() };
        let message = say::explained(first);
        self.conversation.subject = Subject::Knowledge;
        let suggestions = suggest::after_knowledge(self.snapshot, &hits, &sources)?;
        let answer = Answer::of(Intent::Knowledge, message, self.conversation);
        Ok(Answer { sources, about: Some(asked), suggestions, ..answer })
    }

    /// What can be asked.
    pub(super) fn help(mut self) -> Result<Answer, SearchError> {
        self.message.text = say::HELP_TOPIC.to_owned();
        let suggestions = suggest::openings(self.snapshot)?;
        Ok(Answer { suggestions, ..self.knowledge(true)? })
    }
}
