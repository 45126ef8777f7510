//! Combines a query in plain words, the conversation so far and explicit parameters into one question.

use std::thread;

use serde::Serialize;

use super::SearchError;
use super::nonprofits::{self, NonprofitPage, Order, PlaceHint, Query, RelevanceQuery};
use super::questions;
use crate::index::columns::Facet;
use crate::query::{Area, Figure, Filters, Flag, Flags};
use crate::reader::{Act, Intent, Message, Reader, Role};
use crate::record::{OrgId, Point, named};
use crate::snapshot::Snapshot;
use crate::understand::{
    self, Conversation, Frame, Lookup, NameUse, Names, Organization, Step, Understanding,
    UnderstoodSpan, asks_for_several, decode, tag,
};

/// Characters that a query may have.
pub const QUERY_CHARACTERS_MAX: usize = 256;

named! {
    /// The interpreter of queries.
    #[derive(Default)]
    Model {
        /// The trained reader on top of the embedded language model.
        #[default]
        MiniLm = "minilm",
        /// Recognisers, gazetteers and lists of phrases alone.
        Grammar = "grammar",
    }
}

named! {
    /// Which matches a question with words lists.
    #[derive(Default)]
    Extent {
        /// All, by meaning after those that fit.
        #[default]
        All = "all",
        /// Those that have all words or come close.
        Fitting = "fitting",
    }
}

/// The input of an interpretation.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub q: Option<&'a str>,
    pub model: Model,
    /// The state of the session, if there is one.
    pub earlier: Option<&'a Conversation>,
    /// The query as labelled by the trained reader, if it was.
    pub message: Option<&'a Message>,
    /// The frame from explicit parameters.
    pub explicit: &'a Frame,
}

/// How a query was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Interpretation {
    /// The meaning of the query itself.
    pub heard: Understanding,
    /// The same on top of earlier queries: the frame that the session continues.
    pub kept: Frame,
    /// The frame of the search, explicit parameters included.
    pub frame: Frame,
    /// How it relates to the query before; `None` without a session.
    pub step: Option<Step>,
    /// The question about money, people or relations that it certainly asks.
    pub question: Option<questions::Question>,
    /// The end of the part of the query that was read, if that is not all of it.
    read_end: Option<usize>,
    /// Whether the place comes from words, not from parameters.
    says_where: bool,
    /// Whether a parameter bounds revenue.
    sets_revenue: bool,
    /// Slots of the query that explicit parameters override.
    pub(super) overruled: Vec<&'static str>,
    /// Whether the filters exclude the named nonprofit.
    pub(super) leaves_out_named: bool,
    /// Flags that the query excludes but no loaded list has.
    pub(super) unchecked: Vec<Flag>,
}

/// An understood part of a query, and its position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Span<'a> {
    /// Where it begins, in characters of the query as sent.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// Its text.
    pub text: &'a str,
    /// Its meaning, in words.
    pub meaning: &'a str,
    /// Its probability, 0 to 1.
    pub confidence: f32,
}

/// Paging and order of a question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Presentation {
    pub origin: Option<Point>,
    pub distance_max: Option<f64>,
    /// Explicit; empty leaves the order to the query.
    pub sort: Vec<Order>,
    pub extent: Extent,
    pub page: u64,
    pub size: usize,
    /// The facets by which the matches are counted.
    pub facets: Vec<Facet>,
}

/// Interprets a question with the names given: those of a snapshot.
pub fn interpret(
    names: &dyn Names,
    question: &Question<'_>,
) -> Result<Interpretation, SearchError> {
    let names = &Lookup::of(names);
    let typed = question.q.map(str::trim).filter(|q| !q.is_empty());
    // What a chat has read fits already.
    let q = match (typed, question.message) {
        (Some(q), None) => Some(Reader::shared()?.readable_prefix(q)?),
        (q, _) => q,
    };
    let beyond = q.zip(typed).map(|(q, typed)| typed[q.len()..].trim());
    let beyond = beyond.filter(|words| !words.is_empty());
    let ReadQuery { mut understanding, session_frame, step, asked } = match q {
        // Only parameters: the session is unchanged.
        None => {
            let earlier = question.earlier.map(|earlier| earlier.frame.clone());
            ReadQuery::without_words(earlier.unwrap_or_default(), Step::Refined)
        }
        Some(q) => read(q, names, question)?,
    };
    understanding.unread.extend(beyond.map(str::to_owned));
    let mut frame = session_frame.overridden_by(question.explicit);
    let unchecked = leave_unchecked(names, &mut frame, question.explicit)?;
    let overruled = session_frame.overruled_by(question.explicit);
    let step = question.earlier.map(|_| step);
    let says_where = question.explicit.places.is_empty();
    let sets_revenue = !question.explicit.ranges[Figure::Revenue].is_open();
    let leaves_out_named = leaves_out_named(names, &frame)?;
    Ok(Interpretation {
        heard: understanding,
        kept: session_frame,
        frame,
        step,
        question: asked,
        read_end: q.filter(|_| beyond.is_some()).map(str::len),
        says_where,
        sets_revenue,
        overruled,
        leaves_out_named,
        unchecked,
    })
}

/// Drops filters that exclude a flag which no loaded list has: they would leave nothing. Returns these flags.
fn leave_unchecked(
    names: &dyn Names,
    frame: &mut Frame,
    explicit: &Frame,
) -> Result<Vec<Flag>, SearchError> {
    let mut unchecked = Vec::new();
    for (flag, asked) in frame.flags.iter() {
        if asked == Some(false) && explicit.flags[flag].is_none() {
            let flags = Flags::from([(flag, false)]);
            if names.count(&Frame { flags, ..Frame::default() })? == 0 {
                unchecked.push(flag);
            }
        }
    }
    unchecked.iter().for_each(|flag| frame.flags[*flag] = None);
    Ok(unchecked)
}

/// Whether the filters of a frame exclude the nonprofit that it names and is about.
fn leaves_out_named(names: &dyn Names, frame: &Frame) -> Result<bool, SearchError> {
    let named = frame.organization.as_ref().filter(|named| named.wanted == NameUse::Itself);
    let Some(ein) = named.and_then(|named| named.ein) else { return Ok(false) };
    let is_narrowed = frame.filters() != Filters::default();
    let eins = vec![ein];
    Ok(is_narrowed && names.count(&Frame { organization: None, eins, ..frame.clone() })? == 0)
}

/// How a query was read.
struct ReadQuery {
    /// The meaning of the query itself.
    understanding: Understanding,
    /// The frame after it.
    session_frame: Frame,
    /// How it relates to the query before.
    step: Step,
    asked: Option<questions::Question>,
}

impl ReadQuery {
    /// A step to a frame that no words of the query describe.
    fn without_words(session_frame: Frame, step: Step) -> Self {
        Self { understanding: Understanding::default(), session_frame, step, asked: None }
    }
}

fn read(q: &str, names: &dyn Names, question: &Question<'_>) -> Result<ReadQuery, SearchError> {
    let earlier = question.earlier;
    let is_repeated = question.message.is_none() && earlier.is_some_and(|it| it.is_repeated(q));
    // What a message of a chat was read on top of is known to the chat.
    let (ground, known) = match (question.message, earlier) {
        (Some(_), Some(earlier)) => (Some(&earlier.frame), Vec::new()),
        (None, Some(earlier)) => {
            let (frame, known) = earlier.ground(q);
            (Some(frame), known)
        }
        (_, None) => (None, Vec::new()),
    };
    let mut message = match (question.message, question.model) {
        (Some(message), _) => message.clone(),
        (None, Model::Grammar) => tag(q),
        (None, Model::MiniLm) => Reader::shared()?.read(q, &known)?,
    };
    let without = |frame, step| Ok(ReadQuery::without_words(frame, step));
    match (message.intent.label, earlier) {
        (Intent::Reset, Some(_)) => return without(Frame::default(), Step::Reset),
        (Intent::Undo, Some(earlier)) if is_repeated => {
            return without(earlier.frame.clone(), Step::Back);
        }
        (Intent::Undo, Some(earlier)) => {
            let said = decode(q, &message, None, names)?.heard.frame;
            if let Some(before) = earlier.back_to(&said) {
                return without(before.clone(), Step::Back);
            }
            // Without an earlier query of that kind it is no way back, but a change.
            message.act.label = Act::On;
        }
        _ => {}
    }
    // A chat resolves this from its message itself.
    let asked = match (question.message, question.model) {
        (None, Model::MiniLm) => questions::Question::read(names, q, &message)?,
        _ => None,
    };
    let reference = message.words(q, Role::Reference).collect::<Vec<_>>().join(" ");
    let ground = earlier.zip(ground).map(|(earlier, ground)| earlier.spoken_of(ground, &reference));
    let mut decoded = decode(q, &message, ground, names)?;
    // The recognisers may understand a query that the trained reader cannot label.
    let is_nothing = decoded.heard.frame.is_empty() && decoded.heard.unread.is_empty();
    if is_nothing && !decoded.goes_on && question.message.is_none() {
        decoded = decode(q, &tag(q), ground, names)?;
    }
    if decoded.goes_on {
        let (understanding, session_frame) = (decoded.heard, decoded.kept);
        return Ok(ReadQuery { understanding, session_frame, step: Step::Refined, asked });
    }
    let understanding = understand::or_name(q, names, decoded.heard)?;
    let session_frame = understanding.frame.clone();
    Ok(ReadQuery { understanding, session_frame, step: Step::New, asked })
}

impl Interpretation {
    /// The understood parts of a query, in order. Empty in a session: there the query may only
    /// contain a change.
    pub fn spans<'a>(&'a self, q: &'a str) -> Vec<Span<'a>> {
        if self.step.is_some() {
            return Vec::new();
        }
        let blank = q.len() - q.trim_start().len();
        let span = |part: &'a UnderstoodSpan| {
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

    /// Runs the question.
    pub fn find<E>(
        &mut self,
        q: Option<&str>,
        paging: &Presentation,
        search: impl FnOnce(&Query) -> Result<NonprofitPage, E>,
    ) -> Result<NonprofitPage, E> {
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
        search(&self.query(q, paging.clone()))
    }

    /// The question for the snapshot.
    pub fn query(&self, q: Option<&str>, paging: Presentation) -> Query {
        let frame = &self.frame;
        let sort = if paging.sort.is_empty() {
            frame.sort.iter().map(|sort| Order::By(*sort)).collect()
        } else {
            paging.sort
        };
        let relevance = self.relevance(q, paging.distance_max.is_some());
        let filters = frame.filters();
        // A parameter asks for amounts.
        let admits_ceilings = filters.admits_ceilings && !self.sets_revenue;
        Query {
            filters: Filters { admits_ceilings, ..filters },
            origin: paging.origin,
            place: self.place(relevance.question.as_deref()),
            relevance,
            distance_max: paging.distance_max,
            sort,
            page: paging.page,
            size: paging.size,
            facets: paging.facets,
            ends_with_text: paging.extent == Extent::Fitting,
        }
    }

    /// The text or nonprofit to rank by.
    fn relevance(&self, q: Option<&str>, is_measured: bool) -> RelevanceQuery {
        let frame = &self.frame;
        let named = frame.organization.as_ref();
        let similar = named.filter(|found| found.wanted == NameUse::Similar);
        let itself = named.filter(|found| found.wanted == NameUse::Itself);
        let by_name = itself.or(similar.filter(|found| found.ein.is_none()));
        let cause = self.described().unwrap_or(frame);
        let holds_text = |found: &Organization| {
            let name = found.asked.to_lowercase();
            cause.text.as_ref().is_some_and(|text| name.contains(&text.to_lowercase()))
        };
        // Where the name contains the cause, the cause alone says more than the whole name.
        let name = by_name.filter(|found| !holds_text(found)).map(|found| &found.asked);
        let words: Vec<&str> =
            [name, cause.text.as_ref()].into_iter().flatten().map(String::as_str).collect();
        let q = q.map(str::trim).filter(|q| !q.is_empty());
        let q = q.map(|q| self.read_end.and_then(|end| q.get(..end)).unwrap_or(q).to_owned());
        let typed = || q.clone().filter(|_| self.step != Some(Step::Reset));
        let text = match (&words[..], similar) {
            // A distance is measured from something.
            ([], None) if is_measured => typed(),
            ([], _) => None,
            _ => Some(words.join(" ")),
        };
        let question = match (by_name, similar) {
            (_, Some(found)) => Some(found.asked.clone()),
            // In a session, a query that continues a list ranks as the list did.
            _ if self.step.is_none() => typed(),
            (Some(found), _) => Some(found.asked.clone()),
            (None, None) => Some(understand::restated(frame)).filter(|_| text.is_some()),
        };
        RelevanceQuery {
            text,
            nonprofit: similar.and_then(|found| found.ein),
            is_name: by_name.is_some_and(|found| found.namesakes > 0),
            may_name: by_name.is_some()
                || (self.step.is_none() && q.as_deref().is_some_and(|q| !asks_for_several(q))),
            question,
            ntee: cause.cause_ntee.clone(),
            ntee_is_text: cause.cause_is_term,
            measured_with: typed(),
        }
    }

    /// The query as a description, if it was read only as a name.
    fn described(&self) -> Option<&Frame> {
        let described = self.heard.described.as_deref();
        described.filter(|_| self.kept == self.heard.frame)
    }

    /// The place that words name: a filter if it certainly is a place.
    fn place(&self, question: Option<&str>) -> Option<PlaceHint> {
        if !self.says_where {
            return None;
        }
        let filters = &self.frame.places;
        let described = self.described().map(|described| &described.places);
        let is_filter = !filters.is_empty();
        let places = match described.filter(|described| !is_filter && !described.is_empty()) {
            Some(described) => described.clone(),
            None if is_filter => filters.clone(),
            None => question.map(understand::hinted_places).unwrap_or_default(),
        };
        let areas: Vec<Area> = places.iter().flat_map(|place| place.areas.clone()).collect();
        let surroundings = understand::surroundings(&places);
        (!areas.is_empty()).then_some(PlaceHint { areas, surroundings, is_filter })
    }
}

/// Warms up what the first queries would otherwise wait for: the tables of the grammar, by a
/// question for the first nonprofit of the snapshot, and meanwhile the trained reader.
pub fn warm(snapshot: &Snapshot) -> Result<(), SearchError> {
    let rehearse = || -> Result<(), SearchError> {
        if snapshot.columns.organizations() == 0 {
            return Ok(());
        }
        let first = snapshot.records.organization(OrgId::new(0))?;
        let state = first.address.state.map(|state| state.code().to_owned());
        let place = [first.address.city, state];
        let q =
            [Some(first.name)].into_iter().chain(place).flatten().collect::<Vec<_>>().join(", ");
        let explicit = Frame::default();
        let model = Model::Grammar;
        let question =
            Question { q: Some(&q), model, earlier: None, message: None, explicit: &explicit };
        let mut understood = interpret(snapshot, &question)?;
        let paging = Presentation { size: 1, ..Presentation::default() };
        understood.find(Some(&q), &paging, |query| nonprofits::search(snapshot, query))?;
        Ok(())
    };
    thread::scope(|scope| {
        let rehearsal = scope.spawn(rehearse);
        Reader::shared()?;
        rehearsal.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
