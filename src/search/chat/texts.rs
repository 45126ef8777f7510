//! Articles, funds and explanations.

use super::list::ROWS_NAMED;
use super::phrase::{phrase, quoted};
use super::{Act, Answer, Intent, ROWS, Result, Turn};
use crate::reader::{Language, Role};
use crate::record::{Article, Fund, Knowledge, RowId};
use crate::search::explanation_fit::IN_SPANISH;
use crate::search::library::{self, Hit, LibraryItem};
use crate::understand::{Conversation, Frame, Subject, cause_of};

/// Sentences of an entry that a message quotes.
const SENTENCES_QUOTED: usize = 5;
/// Entries that are looked at for an explanation.
pub(super) const READ_MAX: usize = 24;

/// Least nearness of what explains: farther entries are about something else.
pub(super) const EXPLAINS: f32 = 0.3;
/// From which nearness on one entry answers `A vs B` by itself.
pub(super) const EXPLAINS_BOTH: f32 = 0.6;

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
pub(super) fn explains(hit: &Hit<Knowledge>) -> bool {
    hit.nearness.is_none_or(|near| near >= EXPLAINS)
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
