//! Next steps: messages that, sent as they are, in a session or without one, return results.

use schemars::JsonSchema;
use serde::Serialize;

use super::phrase::{phrase, text};
use super::{Result, Turn};
use crate::naming::normalise;
use crate::query::{Area, Figure, Flag};
use crate::reader::{Intent as Asks, Language, Reader};
use crate::record::{Address, Article, Fund, Knowledge, Organization, State};
use crate::search::library::{self, Hit};
use crate::search::nonprofits::NonprofitPage;
use crate::taxonomy;
use crate::understand::{
    Frame, NamedPlace, Names as _, QUERY_CHARACTERS_MAX, cause_of, decode, restated,
};

/// Suggestions of an answer.
const SUGGESTIONS_MAX: usize = 5;

/// States that are suggested to narrow to.
const STATES_MAX: usize = 2;

/// Rows that a suggested narrower list must have: a list of one is no next step.
const NARROWED_MIN: usize = 3;

/// What could be asked next.
#[derive(Debug, Clone, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "ChatSuggestion")]
pub struct Suggestion {
    /// A few words to show.
    pub label: String,
    /// The message to send.
    pub message: String,
    /// Address of what it is about; null where there is none.
    pub url: Option<String>,
    /// Identifier of what it is about; null where there is none.
    pub content_id: Option<String>,
}

impl Suggestion {
    fn of(label: impl Into<String>, message: impl Into<String>) -> Self {
        Self { label: label.into(), message: message.into(), url: None, content_id: None }
    }
}

fn within_limits(mut suggestions: Vec<Suggestion>) -> Vec<Suggestion> {
    suggestions.retain(|suggestion| suggestion.message.chars().count() <= QUERY_CHARACTERS_MAX);
    suggestions.truncate(SUGGESTIONS_MAX);
    suggestions
}

/// A step to the details of a nonprofit.
pub(super) fn details_of(organization: &Organization, language: Language) -> Suggestion {
    let message = format!("tell me about EIN {}", organization.ein);
    let label = phrase!("suggest.about", name = organization.name).part(language);
    of_ein(organization, label, message)
}

/// A step about one nonprofit.
fn of_ein(organization: &Organization, label: impl Into<String>, message: String) -> Suggestion {
    let content_id = Some(organization.ein.to_string());
    Suggestion { content_id, ..Suggestion::of(label, message) }
}

fn place_of(state: State) -> NamedPlace {
    let area = Area { state: Some(state), ..Default::default() };
    NamedPlace::of(area).unwrap_or_default()
}

/// The values that occur often enough, most frequent first; ties are in order of occurrence.
fn most_frequent<Value: PartialEq + Copy>(values: Vec<Option<Value>>) -> Vec<Value> {
    let mut counts: Vec<(Value, usize)> = Vec::new();
    let all = values.len();
    for value in values.into_iter().flatten() {
        match counts.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    // A value that all rows have narrows nothing.
    counts.retain(|(_, count)| *count >= NARROWED_MIN && *count < all);
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().map(|(value, _)| value).collect()
}

impl Turn<'_> {
    /// First steps, from the content of this snapshot.
    pub(super) fn openings(&self) -> Result<Vec<Suggestion>> {
        let (snapshot, language) = (self.snapshot, self.language);
        let mut all = Vec::new();
        if let Some(org) = snapshot.greatest()? {
            let organization = snapshot.records.organization(org)?;
            if let Some(state) = organization.address.state {
                let place = state.name();
                for (label, kind) in
                    [("suggest.food", "food banks"), ("suggest.museums", "largest museums")]
                {
                    let label = phrase!(label, place).part(language);
                    all.push(Suggestion::of(label, format!("{kind} in {place}")));
                }
            }
            all.push(details_of(&organization, language));
        }
        let term = text("suggest.term", language);
        for (count, label, message) in [
            (snapshot.article_texts.count(), "suggest.articles", "show me articles"),
            (snapshot.fund_texts.count(), "suggest.funds", "show me funds"),
            (snapshot.knowledge_texts.count(), "suggest.term", term),
        ] {
            if count > 0 {
                all.push(Suggestion::of(text(label, language), message));
            }
        }
        Ok(within_limits(all))
    }

    /// Suggestions within the limits; the first steps if there are none.
    fn or_openings(&self, suggestions: Vec<Suggestion>) -> Result<Vec<Suggestion>> {
        match suggestions.is_empty() {
            true => self.openings(),
            false => Ok(within_limits(suggestions)),
        }
    }

    /// A search restated in words, if these are certainly read as the same search.
    fn restating(&self, label: impl Into<String>, frame: &Frame) -> Result<Option<Suggestion>> {
        let message = restated(frame);
        let read = Reader::shared()?.read(&message, &[])?;
        if read.intent.label != Asks::Find {
            return Ok(None);
        }
        let read = decode(&message, &read, None, self.snapshot)?.heard.frame;
        // A cause without codes makes no sense without its context.
        let sure = read.cause.is_none() || !read.cause_ntee.is_empty();
        let same = read.filters() == frame.filters() && read.cause == frame.cause;
        let good = sure && same && read.organization.is_none();
        Ok(good.then(|| Suggestion::of(label, message)))
    }

    /// A step to similar nonprofits, if the name identifies the nonprofit.
    fn similar_to(&self, organization: &Organization) -> Result<Option<Suggestion>> {
        let name = &organization.name;
        if self.snapshot.named(name)?.sure().map(|one| one.ein) != Some(organization.ein) {
            return Ok(None);
        }
        let label = phrase!("suggest.similar", name).part(self.language);
        Ok(Some(of_ein(organization, label, format!("nonprofits similar to {name}"))))
    }

    /// After a list of nonprofits: narrower searches, or wider ones if nothing was found.
    pub(super) fn after_nonprofits(
        &self,
        frame: &Frame,
        found: &NonprofitPage,
    ) -> Result<Vec<Suggestion>> {
        if found.total == 0 {
            return self.wider(frame);
        }
        let mut all = Vec::new();
        if frame.organization.is_none() {
            let asked = Frame { sort: Vec::new(), ..frame.clone() };
            if frame.places.is_empty() {
                let states = self.snapshot.columns.states(&found.best)?;
                for state in most_frequent(states).into_iter().take(STATES_MAX) {
                    let narrower = Frame { places: vec![place_of(state)], ..asked.clone() };
                    let label = phrase!("suggest.in", place = state.name()).part(self.language);
                    all.extend(self.restating(label, &narrower)?);
                }
            }
            if frame.choices.sizes.is_empty() {
                let sizes = self.snapshot.columns.sizes(&found.best)?;
                if let Some(size) = most_frequent(sizes).first() {
                    let mut narrower = asked.clone();
                    narrower.choices.sizes = vec![*size];
                    let size = text(&format!("size.{}", size.name()), self.language);
                    let label = phrase!("suggest.size", size).part(self.language);
                    all.extend(self.restating(label, &narrower)?);
                }
            }
            all.extend(self.nearest_cause(&asked, found)?);
        }
        if let Some(row) = found.rows.first() {
            if frame.organization.is_none() {
                all.extend(self.similar_to(&row.organization)?);
            }
            all.push(details_of(&row.organization, self.language));
        }
        Ok(within_limits(all))
    }

    /// The cause of the first row with a code outside the cause asked for.
    fn nearest_cause(&self, frame: &Frame, found: &NonprofitPage) -> Result<Option<Suggestion>> {
        let Some(cause) = &frame.cause else { return Ok(None) };
        let other = found.rows.iter().find_map(|row| {
            let code = row.organization.ntee?;
            let asked = frame.cause_ntee.iter().any(|prefix| code.as_str().starts_with(&**prefix));
            taxonomy::title(code).filter(|_| !asked)
        });
        match other.map(|title| (title, normalise(title))) {
            Some((title, words)) if normalise(cause) != words => {
                self.restating(title, &Frame { cause: Some(words), ..frame.clone() })
            }
            _ => Ok(None),
        }
    }

    /// A search without results, with one of its conditions removed.
    fn wider(&self, frame: &Frame) -> Result<Vec<Suggestion>> {
        let without = |figures: &[Figure]| {
            let kept = frame.ranges.iter().filter(|(figure, _)| !figures.contains(figure));
            Frame { ranges: kept.collect(), ..frame.clone() }
        };
        let mut flags = frame.flags;
        flags[Flag::Vetted] = None;
        let places = frame.state().map(place_of).into_iter().collect();
        let mut any_size = frame.clone();
        any_size.choices.sizes.clear();
        let nowhere = Frame { places: Vec::new(), not_places: Vec::new(), ..frame.clone() };
        let without: [(&str, Frame); 8] = [
            ("suggest.any_vetting", Frame { flags, ..frame.clone() }),
            ("suggest.any_revenue", without(&[Figure::Revenue])),
            ("suggest.any_size", any_size),
            ("suggest.any_figure", without(&[Figure::Expenses, Figure::Assets])),
            ("suggest.any_score", without(&[Figure::Score, Figure::Rating])),
            ("suggest.any_goal", Frame { sdgs: Default::default(), ..frame.clone() }),
            ("suggest.whole_state", Frame { places, ..frame.clone() }),
            ("suggest.anywhere", nowhere),
        ];
        let mut all = Vec::new();
        for (label, wider) in without {
            if wider == *frame || all.len() == SUGGESTIONS_MAX {
                continue;
            }
            if self.snapshot.count(&wider)? > 0 {
                all.extend(self.restating(text(label, self.language), &wider)?);
            }
        }
        self.or_openings(all)
    }

    /// After one nonprofit.
    pub(super) fn after_details(&self, organization: &Organization) -> Result<Vec<Suggestion>> {
        let mut all = Vec::from_iter(self.similar_to(organization)?);
        let cause = organization.ntee.and_then(taxonomy::title).map(normalise);
        let Address { city, state, .. } = &organization.address;
        if let (Some(_), Some(city), Some(state)) = (&cause, city, state) {
            let area = Area { city: Some(city.clone()), state: Some(*state), ..Area::default() };
            let place = format!("{city}, {state}");
            let label = phrase!("suggest.others", place).part(self.language);
            let places = NamedPlace::of(area).map(|area| NamedPlace { name: place, ..area });
            let places = places.into_iter().collect();
            all.extend(self.restating(label, &Frame { cause, places, ..Frame::default() })?);
        }
        for (label, asked) in [
            ("suggest.revenue", "what is the revenue of"),
            ("suggest.exempt", "what is the tax status of"),
        ] {
            let message = format!("{asked} EIN {}?", organization.ein);
            all.push(of_ein(organization, text(label, self.language), message));
        }
        Ok(within_limits(all))
    }

    /// A step to an article.
    fn read_article(&self, Article { id, title, url, .. }: &Article) -> Suggestion {
        let label = phrase!("suggest.read", title).part(self.language);
        let (url, content_id) = (url.clone(), Some(id.to_string()));
        Suggestion { url, content_id, ..Suggestion::of(label, format!("show me article {id}")) }
    }

    /// After a list of articles.
    pub(super) fn after_articles(
        &self,
        rows: &[Article],
        about: Option<&str>,
    ) -> Result<Vec<Suggestion>> {
        let mut all: Vec<_> = rows.iter().take(2).map(|row| self.read_article(row)).collect();
        if let Some(about) = about {
            all.extend(self.nonprofits_for(about)?);
            if !library::about::<Fund>(self.snapshot, about, 0, 1)?.is_empty() {
                let label = phrase!("suggest.funds_for", about).part(self.language);
                all.push(Suggestion::of(label, format!("funds for {about}")));
            }
        }
        self.or_openings(all)
    }

    /// Nonprofits for a topic, where its words are read as a cause.
    fn nonprofits_for(&self, about: &str) -> Result<Option<Suggestion>> {
        let cause = cause_of(about, self.snapshot)?.cause;
        if cause.is_none() {
            return Ok(None);
        }
        let label = phrase!("suggest.nonprofits", about).part(self.language);
        self.restating(label, &Frame { cause, ..Frame::default() })
    }

    /// After an article: others on the same, and nonprofits for it.
    pub(super) fn after_article(&self, shown: &Article) -> Result<Vec<Suggestion>> {
        let hits: Vec<Hit<Article>> = library::about(self.snapshot, &shown.title, 0, 3)?;
        let others = hits.iter().map(|hit| &hit.record).filter(|other| other.id != shown.id);
        Ok(within_limits(others.map(|other| self.read_article(other)).collect()))
    }

    /// After a list of funds.
    pub(super) fn after_funds(&self, about: Option<&str>) -> Result<Vec<Suggestion>> {
        let Some(about) = about else { return Ok(Vec::new()) };
        let mut all = Vec::from_iter(self.nonprofits_for(about)?);
        if !library::about::<Article>(self.snapshot, about, 0, 1)?.is_empty() {
            let label = phrase!("suggest.articles_about", about).part(self.language);
            all.push(Suggestion::of(label, format!("articles about {about}")));
        }
        Ok(within_limits(all))
    }

    /// After an explanation: other entries near it.
    pub(super) fn after_knowledge(
        &self,
        hits: &[Hit<Knowledge>],
        shown: &[Knowledge],
    ) -> Result<Vec<Suggestion>> {
        let is_shown =
            |entry: &&Knowledge| shown.iter().any(|other| other.article_id == entry.article_id);
        let others = hits.iter().map(|hit| &hit.record).filter(|entry| !is_shown(entry));
        let suggestion = |entry: &Knowledge| Suggestion {
            url: entry.url.clone(),
            content_id: Some(entry.article_id.clone()),
            ..Suggestion::of(entry.title.clone(), entry.title.clone())
        };
        self.or_openings(others.take(3).map(suggestion).collect())
    }
}
