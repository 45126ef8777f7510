//! A query in plain words, what was asked before and explicit parameters, made into one question.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use super::SearchError;
use super::nonprofits::{Found, Like, Order, Query};
use crate::embed;
use crate::record::{Point, thousands};
use crate::snapshot::Snapshot;
use crate::understand::{
    self, Cues, Examples, Frame, Intent, Labels, Meant, Names, Otherwise, Part, Step,
    Understanding, Wanted, asks_for_several, described, follow,
};

/// Characters that a query may have.
pub const QUERY_CHARACTERS_MAX: usize = 256;

/// What interprets a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Model {
    /// Grammar, gazetteers and numbers.
    #[default]
    Grammar,
    /// The same, and the embedded language model for what is left.
    MiniLm,
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub q: Option<&'a str>,
    pub model: Model,
    /// What was asked for before in the session, if there is one.
    pub earlier: Option<&'a Frame>,
    /// What explicit parameters ask for.
    pub explicit: &'a Frame,
}

/// How it was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interpretation {
    /// What the query itself says.
    pub heard: Understanding,
    /// That and what was asked for before: what the session goes on from.
    pub kept: Frame,
    /// What is asked for, explicit parameters included.
    pub frame: Frame,
    /// How it goes on from what was asked before; `None` without a session.
    pub step: Option<Step>,
    /// Slots of which the query says something that explicit parameters overrule.
    overruled: Vec<&'static str>,
    /// Whether similarity alone speaks for the codes or goals asked for.
    inferred: bool,
    /// Whether it is asked for no longer, since it left nothing.
    is_relaxed: bool,
}

/// A part of a query that was taken for something, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Span<'a> {
    /// Where it begins, in characters of the query as it was sent.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// Its characters.
    pub text: &'a str,
    /// What it was taken for, in words.
    pub meaning: &'a str,
    /// How surely, 0 to 1.
    pub confidence: f32,
}

/// What pages and orders a question, beside what it asks for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Paging {
    pub origin: Option<Point>,
    pub distance_max: Option<f64>,
    /// Explicit; empty leaves the order to the query.
    pub sort: Vec<Order>,
    pub page: u64,
    pub size: usize,
}

/// Gives the meaning of a text by similarity, if it is clear, and how near it is.
pub type Similar<'a> = &'a dyn Fn(&str) -> Result<Option<(Meant, f32)>, SearchError>;

/// Interprets a question over a snapshot.
///
/// # Errors
/// When the snapshot is damaged, or was built with a model that is not at hand.
pub fn interpret(
    snapshot: &Snapshot,
    question: &Question<'_>,
) -> Result<Interpretation, SearchError> {
    let similar = |text: &str| meant(snapshot, text);
    interpret_with(snapshot, &similar, question)
}

/// Interprets a question with the names and the similarity given.
///
/// # Errors
/// Those of `names` and `similar`.
pub fn interpret_with(
    names: &dyn Names,
    similar: Similar<'_>,
    question: &Question<'_>,
) -> Result<Interpretation, SearchError> {
    let q = question.q.map(str::trim).filter(|q| !q.is_empty());
    let cues = question.earlier.zip(q).map(|(earlier, q)| (earlier, Cues::of(q)));
    let text = match (&cues, q) {
        (Some((_, cues)), _) => cues.rest.as_str(),
        (None, Some(q)) => q,
        (None, None) => "",
    };
    let goes_on = cues.as_ref().is_some_and(|(_, cues)| cues.goes_on());
    let mut heard =
        if goes_on { understand::read(text, names)? } else { understand::understand(text, names)? };
    let (kept, step) = match (&cues, question.earlier) {
        (Some((earlier, cues)), _) => {
            let (frame, step) = follow(earlier, cues, &heard);
            (frame, Some(step))
        }
        // Only parameters: the session goes on as it was.
        (None, Some(earlier)) => (earlier.clone(), Some(Step::Refined)),
        (None, None) => (heard.frame.clone(), None),
    };
    let mut frame = kept.overridden_by(question.explicit);
    let overruled = kept.overruled_by(question.explicit);
    let mut inferred = None;
    // What is written as a name is rather one that is not known exactly.
    if question.model == Model::MiniLm && !heard.is_titled {
        inferred = infer(&mut frame, similar)?;
        if let Some((meaning, cosine)) = &inferred {
            let confidence = cosine.clamp(0.0, 1.0);
            heard.parts.push(Part { span: 0..text.len(), meaning: meaning.clone(), confidence });
        }
    }
    let inferred = inferred.is_some();
    Ok(Interpretation { heard, kept, frame, step, overruled, inferred, is_relaxed: false })
}

/// Adds what the cause means by similarity, where nothing says it in so many words: what was added,
/// and how near it is. The session keeps nothing of it.
fn infer(frame: &mut Frame, similar: Similar<'_>) -> Result<Option<(String, f32)>, SearchError> {
    let said = !frame.ntee.is_empty() || !frame.sdgs.is_empty() || frame.organization.is_some();
    let Some(text) = frame.text.as_deref().filter(|_| !said) else { return Ok(None) };
    let Some((meant, cosine)) = similar(text)? else { return Ok(None) };
    let meaning = match meant {
        Meant::Ntee(mut prefixes) => {
            // What is left out stays out.
            let overlaps = |a: &str, b: &str| a.starts_with(b) || b.starts_with(a);
            prefixes.retain(|prefix| !frame.not_ntee.iter().any(|barred| overlaps(prefix, barred)));
            if prefixes.is_empty() {
                return Ok(None);
            }
            frame.ntee = prefixes;
            format!("NTEE {} by similarity", frame.ntee.join(" or "))
        }
        Meant::Goal(goal) => {
            frame.sdgs.insert(goal);
            format!("SDG {} by similarity", goal.number())
        }
    };
    Ok(Some((meaning, cosine)))
}

impl Interpretation {
    /// Which parts of a query were taken for what, in its order. In a session none: there the
    /// query may only say what changes.
    pub fn spans<'a>(&'a self, q: &'a str) -> Vec<Span<'a>> {
        if self.step.is_some() {
            return Vec::new();
        }
        let blank = q.len() - q.trim_start().len();
        let span = |part: &'a Part| {
            let (start, end) = (part.span.start + blank, part.span.end + blank);
            let (before, text) = (q.get(..start)?, q.get(start..end)?);
            let start = before.chars().count();
            Some(Span {
                start,
                end: start + text.chars().count(),
                text,
                meaning: &part.meaning,
                confidence: part.confidence,
            })
        };
        self.heard.parts.iter().filter_map(span).collect()
    }

    /// Asks the question. What only similarity speaks for never leaves nothing: then it ranks, and
    /// filters no longer.
    ///
    /// # Errors
    /// Those of `search`.
    pub fn find<E>(
        &mut self,
        q: Option<&str>,
        paging: &Paging,
        search: impl Fn(&Query) -> Result<Found, E>,
    ) -> Result<Found, E> {
        if !paging.sort.is_empty() {
            let by = paging.sort.iter().filter_map(|order| match order {
                Order::By(sort) => Some(*sort),
                Order::Relevance => None,
            });
            let by = by.collect();
            if !self.frame.sort.is_empty() && self.frame.sort != by {
                self.overruled.push("order");
            }
            self.frame.sort = by;
        }
        let found = search(&self.query(q, paging.clone()))?;
        if found.total > 0 || !std::mem::take(&mut self.inferred) {
            return Ok(found);
        }
        let codes = std::mem::take(&mut self.frame.ntee);
        self.frame.cause_ntee.extend(codes);
        self.frame.sdgs = Default::default();
        self.is_relaxed = true;
        search(&self.query(q, paging.clone()))
    }

    /// The question to the snapshot.
    pub fn query(&self, q: Option<&str>, paging: Paging) -> Query {
        let frame = &self.frame;
        let named = frame.organization.as_ref();
        let similar = named.filter(|found| found.wanted == Wanted::Similar);
        let itself = named.filter(|found| found.wanted == Wanted::Itself);
        let by_name = itself.or(similar.filter(|found| found.ein.is_none()));
        let name = by_name.map(|found| &found.asked);
        let words = [name, frame.text.as_ref()];
        let words: Vec<&str> = words.into_iter().flatten().map(String::as_str).collect();
        let q = q.map(str::trim).filter(|q| !q.is_empty()).map(str::to_owned);
        let asked = || q.clone().filter(|_| self.step != Some(Step::Reset));
        let text = match (&words[..], similar) {
            // A distance is measured from something.
            ([], None) if paging.distance_max.is_some() => asked(),
            ([], _) => None,
            _ => Some(words.join(" ")),
        };
        let like = Like {
            text,
            nonprofit: similar.and_then(|found| found.ein),
            name: match by_name {
                Some(found) => Some(found.asked.clone()),
                None => asked()
                    .filter(|q| similar.is_none() && self.step.is_none() && !asks_for_several(q)),
            },
            is_name: by_name.is_some(),
            ntee: frame.cause_ntee.clone(),
            ntee_is_text: frame.cause_is_term,
            measured_with: asked(),
        };
        let sort = if paging.sort.is_empty() {
            frame.sort.iter().map(|sort| Order::By(*sort)).collect()
        } else {
            paging.sort
        };
        Query {
            filters: frame.filters(),
            origin: paging.origin,
            like,
            distance_max: paging.distance_max,
            sort,
            page: paging.page,
            size: paging.size,
        }
    }

    /// What is said of a query that is a name and nothing else.
    fn naming(&self) -> Option<String> {
        let named = self.frame.organization.as_ref()?;
        let only = Frame { organization: None, ..self.frame.clone() }.is_empty();
        let is_told = named.wanted == Wanted::Itself || named.namesakes == 0;
        if !is_told || !only || self.step.is_some_and(|s| s != Step::New) {
            return None;
        }
        let asked = &named.asked;
        let mut said = match (named.ein, named.namesakes) {
            (Some(ein), _) => {
                format!(
                    "Read as a name: {} (EIN {ein}) comes first, then what is like it",
                    named.name
                )
            }
            (None, 0) => format!(
                "No nonprofit called “{asked}” is in the data; the nearest by name come first"
            ),
            (None, 1) => {
                format!("Read as a name: the nonprofit that may be meant by “{asked}” comes first")
            }
            (None, count) => {
                format!(
                    "Read as a name: {} may be meant by “{asked}”, the likeliest comes first",
                    understand::counted(count)
                )
            }
        };
        said.push('.');
        said.push_str(&self.otherwise());
        Some(said)
    }

    /// What else may be meant.
    fn otherwise(&self) -> String {
        match &self.heard.otherwise {
            Some(Otherwise::Name(one)) => {
                format!(" It may also name {} (EIN {}).", one.name, one.ein)
            }
            Some(Otherwise::Kind(query)) => format!(" It may also mean “{query}”."),
            None => String::new(),
        }
    }

    /// What was understood, what was not, and how many nonprofits that is: one plain sentence.
    pub fn sentence(&self, found: &Found, distance_max: Option<f64>) -> String {
        let count = |count: u64, one: &str, more: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{} {more}", thousands(count)),
        };
        if let Some(said) = self.naming() {
            return said;
        }
        let mut said = described(&self.frame);
        if self.step == Some(Step::Reset) {
            said.insert(0, "starting over".to_owned());
        }
        if let Some(distance) = distance_max {
            said.push(match found.plan.meaning {
                Some(_) => format!("within a distance of {distance} in meaning"),
                None => "the distance in meaning asks nothing".to_owned(),
            });
        }
        let mut sentence = count(found.total, "nonprofit matches", "nonprofits match");
        match said.is_empty() {
            true => sentence.push_str("; nothing in the query narrows them"),
            false => sentence.push_str(&format!(": {}", said.join("; "))),
        }
        if let Some(sorted) = found.sorted {
            sentence.push_str(&match sorted {
                1 => "; the one that fits is shown".to_owned(),
                _ => format!("; the {} that fit are sorted", thousands(sorted)),
            });
        }
        if !self.overruled.is_empty() {
            let slots = self.overruled.join(", ");
            sentence.push_str(&format!("; parameters win over what the query says of {slots}"));
        }
        if self.is_relaxed {
            sentence
                .push_str("; what similarity alone speaks for would leave none, so it only ranks");
        }
        if !self.heard.unread.is_empty() {
            let words: Vec<String> =
                self.heard.unread.iter().map(|words| format!("“{words}”")).collect();
            sentence.push_str(&format!("; not understood: {}", words.join(", ")));
        }
        if found.unknown > 0 {
            let left_out = count(found.unknown, "more is", "more are");
            sentence.push_str(&format!("; {left_out} left out because a figure is not known"));
        }
        sentence.push('.');
        sentence.push_str(&self.otherwise());
        sentence
    }
}

/// What texts are compared with, of the model that was last asked, by its identity: a process has one
/// as a rule.
struct OfModel<Kept>(Mutex<Option<(String, Arc<Kept>)>>);

static LABELS: OfModel<Labels> = OfModel(Mutex::new(None));
static EXAMPLES: OfModel<Examples> = OfModel(Mutex::new(None));

impl<Kept> OfModel<Kept> {
    /// That of the snapshot's model, made when it is first asked for; `None` without vectors.
    fn get(
        &self,
        snapshot: &Snapshot,
        make: impl FnOnce(&dyn Fn(&[String]) -> EmbedResult) -> Result<Kept, embed::Error>,
    ) -> Result<Option<Arc<Kept>>, SearchError> {
        if snapshot.vectors.is_none() {
            return Ok(None);
        }
        let model = snapshot.model()?;
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((identity, known)) = &*kept
            && identity == model.identity()
        {
            return Ok(Some(known.clone()));
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let made = Arc::new(make(&|texts| model.embed(texts, threads))?);
        *kept = Some((model.identity().to_owned(), made.clone()));
        Ok(Some(made))
    }
}

type EmbedResult = Result<Vec<f32>, embed::Error>;

fn labels(snapshot: &Snapshot) -> Result<Option<Arc<Labels>>, SearchError> {
    LABELS.get(snapshot, |embed| Labels::new(|texts| embed(texts)))
}

fn examples(snapshot: &Snapshot) -> Result<Option<Arc<Examples>>, SearchError> {
    EXAMPLES.get(snapshot, |embed| Examples::new(|texts| embed(texts)))
}

fn meant(snapshot: &Snapshot, text: &str) -> Result<Option<(Meant, f32)>, SearchError> {
    let Some(labels) = labels(snapshot)? else { return Ok(None) };
    Ok(labels.meant(&snapshot.model()?.embed_one(text)?))
}

/// What a message asks for, by its likeness to examples; `None` without vectors. `names_cause` says
/// whether it names something that nonprofits do.
///
/// # Errors
/// When the snapshot was built with a model that is not at hand.
pub(super) fn intent(
    snapshot: &Snapshot,
    text: &str,
    names_cause: bool,
) -> Result<Option<Intent>, SearchError> {
    let Some(examples) = examples(snapshot)? else { return Ok(None) };
    Ok(Some(examples.intent(&snapshot.model()?.embed_one(text)?, names_cause)))
}

/// Makes ready what the first queries would else wait for: the model, the labels of `minilm` and the
/// examples of the chat.
///
/// # Errors
/// When the snapshot was built with a model that is not at hand.
pub fn warm(snapshot: &Snapshot) -> Result<(), SearchError> {
    examples(snapshot)?;
    labels(snapshot).map(drop)
}
