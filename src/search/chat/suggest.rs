//! Next steps: messages that, sent as they are, in a session or without one, return results.

use super::SearchError;
use super::phrase::{Phrase, text};
use crate::query::{Area, Figure, Flag};
use crate::reader::{Intent as Asks, Language, Reader};
use crate::record::{Address, Article, Fund, Knowledge, Organization, State};
use crate::search::interpret::QUERY_CHARACTERS_MAX;
use crate::search::library::{self, Hit};
use crate::search::nonprofits::NonprofitPage;
use crate::snapshot::Snapshot;
use crate::taxonomy;
use crate::understand::{Frame, NamedPlace, Names, cause_of, decode, restated};

/// Suggestions of an answer.
const SUGGESTIONS_MAX: usize = 5;

/// States that are suggested to narrow to.
const STATES_MAX: usize = 2;

/// Rows that a suggested narrower list must have: a list of one is no next step.
const NARROWED_MIN: usize = 3;

/// A next step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What it does, in a few words.
    pub label: String,
    /// The message to send.
    pub message: String,
    /// The external address that it leads to, if any.
    pub url: Option<String>,
    /// EIN or identifier of its subject, if it is about one thing.
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

/// First steps, from the content of this snapshot.
pub(super) fn openings(
    snapshot: &Snapshot,
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    let label = |name: &str| text(name, language);
    let mut all = Vec::new();
    if let Some(org) = snapshot.greatest()? {
        let organization = snapshot.records.organization(org)?;
        if let Some(state) = organization.address.state {
            let name = state.name();
            let message = format!("food banks in {name}");
            all.push(Suggestion::of(labelled("suggest.food", "place", name, language), message));
            let message = format!("largest museums in {name}");
            all.push(Suggestion::of(labelled("suggest.museums", "place", name, language), message));
        }
        all.push(details_of(&organization, language));
    }
    if snapshot.article_texts.count() > 0 {
        all.push(Suggestion::of(label("suggest.articles"), "show me articles"));
    }
    if snapshot.fund_texts.count() > 0 {
        all.push(Suggestion::of(label("suggest.funds"), "show me funds"));
    }
    if snapshot.knowledge_texts.count() > 0 {
        all.push(Suggestion::of(label("suggest.term"), label("suggest.term")));
    }
    Ok(within_limits(all))
}

/// A step to the details of a nonprofit.
pub(super) fn details_of(organization: &Organization, language: Language) -> Suggestion {
    let message = format!("tell me about EIN {}", organization.ein);
    let content_id = Some(organization.ein.to_string());
    let label = labelled("suggest.about", "name", &organization.name, language);
    Suggestion { content_id, ..Suggestion::of(label, message) }
}

/// What a step is called, with a value in its slot.
fn labelled(name: &str, slot: &'static str, value: &str, language: Language) -> String {
    Phrase::new(name).with(slot, value).part(language)
}

/// A search restated in words, if these are certainly read as the same search.
fn restating(
    snapshot: &Snapshot,
    label: impl Into<String>,
    frame: &Frame,
) -> Result<Option<Suggestion>, SearchError> {
    let message = restated(frame);
    let read = Reader::shared()?.read(&message, &[])?;
    if read.intent.label != Asks::Find {
        return Ok(None);
    }
    let read = decode(&message, &read, None, snapshot)?.heard.frame;
    // A cause without codes makes no sense without its context.
    let sure = read.cause.is_none() || !read.cause_ntee.is_empty();
    let same = read.filters() == frame.filters() && read.cause == frame.cause;
    let good = sure && same && read.organization.is_none();
    Ok(good.then(|| Suggestion::of(label, message)))
}

/// A step to similar nonprofits, if the name identifies the nonprofit.
fn similar_to(
    snapshot: &Snapshot,
    organization: &Organization,
    language: Language,
) -> Result<Option<Suggestion>, SearchError> {
    let name = &organization.name;
    if snapshot.named(name)?.sure().map(|one| one.ein) != Some(organization.ein) {
        return Ok(None);
    }
    let content_id = Some(organization.ein.to_string());
    let label = labelled("suggest.similar", "name", name, language);
    let message = format!("nonprofits similar to {name}");
    Ok(Some(Suggestion { content_id, ..Suggestion::of(label, message) }))
}

/// After a list of nonprofits: narrower searches, or wider ones if nothing was found.
pub(super) fn after_nonprofits(
    snapshot: &Snapshot,
    frame: &Frame,
    found: &NonprofitPage,
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    if found.total == 0 {
        return wider(snapshot, frame, language);
    }
    let mut all = Vec::new();
    let asked = Frame { sort: Vec::new(), ..frame.clone() };
    if frame.organization.is_none() {
        if frame.places.is_empty() {
            let states = snapshot.columns.states(&found.best)?;
            for state in most_frequent(states).into_iter().take(STATES_MAX) {
                let narrower = Frame { places: vec![place_of(state)], ..asked.clone() };
                all.extend(restating(
                    snapshot,
                    labelled("suggest.in", "place", state.name(), language),
                    &narrower,
                )?);
            }
        }
        if frame.sizes.is_empty() {
            let sizes = snapshot.columns.sizes(&found.best)?;
            for size in most_frequent(sizes).into_iter().take(1) {
                let narrower = Frame { sizes: vec![size], ..asked.clone() };
                let size = text(&format!("size.{}", size.name()), language);
                let label = labelled("suggest.size", "size", size, language);
                all.extend(restating(snapshot, label, &narrower)?);
            }
        }
        all.extend(nearest_cause(snapshot, &asked, found)?);
    }
    if let Some(row) = found.rows.first() {
        if frame.organization.is_none() {
            all.extend(similar_to(snapshot, &row.organization, language)?);
        }
        all.push(details_of(&row.organization, language));
    }
    Ok(within_limits(all))
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

fn place_of(state: State) -> NamedPlace {
    let area = Area { state: Some(state), ..Default::default() };
    NamedPlace::of(area).unwrap_or_default()
}

/// The cause of the first row with a code outside the cause asked for.
fn nearest_cause(
    snapshot: &Snapshot,
    frame: &Frame,
    found: &NonprofitPage,
) -> Result<Option<Suggestion>, SearchError> {
    let Some(cause) = &frame.cause else { return Ok(None) };
    let other = found.rows.iter().find_map(|row| {
        let code = row.organization.ntee?;
        let asked = frame.cause_ntee.iter().any(|prefix| code.as_str().starts_with(&**prefix));
        taxonomy::title(code).filter(|_| !asked)
    });
    let Some(title) = other else { return Ok(None) };
    let words = crate::naming::normalise(title);
    if crate::naming::normalise(cause) == words {
        return Ok(None);
    }
    restating(snapshot, title, &Frame { cause: Some(words), ..frame.clone() })
}

/// A search without results, with one of its conditions removed.
fn wider(
    snapshot: &Snapshot,
    frame: &Frame,
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    let without = |figures: &[Figure]| {
        let kept = frame.ranges.iter().filter(|(figure, _)| !figures.contains(figure));
        Frame { ranges: kept.collect(), ..frame.clone() }
    };
    let mut flags = frame.flags;
    flags[Flag::Vetted] = None;
    let without: [(&str, Frame); 8] = [
        ("suggest.any_vetting", Frame { flags, ..frame.clone() }),
        ("suggest.any_revenue", without(&[Figure::Revenue])),
        ("suggest.any_size", Frame { sizes: Vec::new(), ..frame.clone() }),
        ("suggest.any_figure", without(&[Figure::Expenses, Figure::Assets])),
        ("suggest.any_score", without(&[Figure::Score, Figure::Rating])),
        ("suggest.any_goal", Frame { sdgs: Default::default(), ..frame.clone() }),
        (
            "suggest.whole_state",
            Frame { places: frame.state().map(place_of).into_iter().collect(), ..frame.clone() },
        ),
        ("suggest.anywhere", Frame { places: Vec::new(), not_places: Vec::new(), ..frame.clone() }),
    ];
    let mut all = Vec::new();
    for (label, wider) in without {
        if wider == *frame || all.len() == SUGGESTIONS_MAX {
            continue;
        }
        if snapshot.columns.select(&wider.filters())?.matching.count() > 0 {
            all.extend(restating(snapshot, text(label, language), &wider)?);
        }
    }
    if all.is_empty() {
        return openings(snapshot, language);
    }
    Ok(within_limits(all))
}

/// After one nonprofit.
pub(super) fn after_details(
    snapshot: &Snapshot,
    organization: &Organization,
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    let mut all = Vec::new();
    all.extend(similar_to(snapshot, organization, language)?);
    let words = organization.ntee.and_then(taxonomy::title).map(crate::naming::normalise);
    let Address { city, state, .. } = &organization.address;
    if let (Some(words), Some(city), Some(state)) = (words, city, state) {
        let area = Area { city: Some(city.clone()), state: Some(*state), ..Area::default() };
        let place = format!("{city}, {state}");
        let places = NamedPlace::of(area).map(|area| NamedPlace { name: place.clone(), ..area });
        let others =
            Frame { cause: Some(words), places: places.into_iter().collect(), ..Frame::default() };
        all.extend(restating(
            snapshot,
            labelled("suggest.others", "place", &place, language),
            &others,
        )?);
    }
    for (label, asked) in [
        ("suggest.revenue", "what is the revenue of"),
        ("suggest.exempt", "what is the tax status of"),
    ] {
        let message = format!("{asked} EIN {}?", organization.ein);
        let content_id = Some(organization.ein.to_string());
        all.push(Suggestion { content_id, ..Suggestion::of(text(label, language), message) });
    }
    Ok(within_limits(all))
}

/// A step to an article.
fn article(article: &Article, language: Language) -> Suggestion {
    let Article { id, title, url, .. } = article;
    Suggestion {
        url: url.clone(),
        content_id: Some(id.to_string()),
        ..Suggestion::of(
            labelled("suggest.read", "title", title, language),
            format!("show me article {id}"),
        )
    }
}

/// After a list of articles.
pub(super) fn after_articles(
    snapshot: &Snapshot,
    rows: &[Article],
    about: Option<&str>,
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    let mut all: Vec<Suggestion> = rows.iter().take(2).map(|row| article(row, language)).collect();
    if let Some(about) = about {
        all.extend(nonprofits_for(snapshot, about, language)?);
        if !library::about::<Fund>(snapshot, about, 0, 1)?.is_empty() {
            let label = labelled("suggest.funds_for", "about", about, language);
            all.push(Suggestion::of(label, format!("funds for {about}")));
        }
    }
    if all.is_empty() {
        return openings(snapshot, language);
    }
    Ok(within_limits(all))
}

/// Nonprofits for a topic, where its words are read as a cause.
fn nonprofits_for(
    snapshot: &Snapshot,
    about: &str,
    language: Language,
) -> Result<Option<Suggestion>, SearchError> {
    let cause = Frame { cause: cause_of(about, snapshot)?.cause, ..Frame::default() };
    match cause.cause {
        Some(_) => {
            restating(snapshot, labelled("suggest.nonprofits", "about", about, language), &cause)
        }
        None => Ok(None),
    }
}

/// After an article: others on the same, and nonprofits for it.
pub(super) fn after_article(
    snapshot: &Snapshot,
    shown: &Article,
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    let hits: Vec<Hit<Article>> = library::about(snapshot, &shown.title, 0, 3)?;
    let others = hits.iter().map(|hit| &hit.record).filter(|other| other.id != shown.id);
    Ok(within_limits(others.map(|other| article(other, language)).collect()))
}

/// After a list of funds.
pub(super) fn after_funds(
    snapshot: &Snapshot,
    about: Option<&str>,
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    let mut all = Vec::new();
    if let Some(about) = about {
        all.extend(nonprofits_for(snapshot, about, language)?);
        if !library::about::<Article>(snapshot, about, 0, 1)?.is_empty() {
            let label = labelled("suggest.articles_about", "about", about, language);
            all.push(Suggestion::of(label, format!("articles about {about}")));
        }
    }
    Ok(within_limits(all))
}

/// After an explanation: other entries near it.
pub(super) fn after_knowledge(
    snapshot: &Snapshot,
    hits: &[Hit<Knowledge>],
    shown: &[Knowledge],
    language: Language,
) -> Result<Vec<Suggestion>, SearchError> {
    let is_shown =
        |entry: &&Knowledge| shown.iter().any(|other| other.article_id == entry.article_id);
    let others = hits.iter().map(|hit| &hit.record).filter(|entry| !is_shown(entry));
    let all: Vec<Suggestion> = others
        .take(3)
        .map(|entry| Suggestion {
            url: entry.url.clone(),
            content_id: Some(entry.article_id.clone()),
            ..Suggestion::of(entry.title.clone(), entry.title.clone())
        })
        .collect();
    if all.is_empty() {
        return openings(snapshot, language);
    }
    Ok(within_limits(all))
}
