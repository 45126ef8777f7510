//! The door of understanding: a query in plain words, the conversation so far and explicit parameters
//! become one [`Query`], with what explains it.

use serde::Serialize;

use super::cause::number_forms;
use super::cause_frame::cause_of;
use super::danger::{danger_in, language_in_danger, sought_in};
use super::decode::decode;
use super::edit::Step;
use super::frame::{Frame, NameUse, Organization, Understanding, UnderstoodSpan};
use super::lookup::Names;
use super::phrases;
use super::query::{Order, PlaceHint, Query, RelevanceQuery};
use super::question::Question;
use super::tagger::tag;
use super::{
    Conversation, UnderstandError, asks_for_several, hinted_places, names_revenue, or_name,
    restated, spelled, surroundings,
};
use crate::mapped::Damage;
use crate::query::{Area, Figure, Filters, Flag, Flags, Sort, SortKey};
use crate::reader::{Act, Danger, Intent, Language, Message, Reader, Role};
use crate::record::named;

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

/// What is to be understood.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The text, if there is one.
    pub q: Option<&'a str>,
    pub model: Model,
    /// The state of the session, if there is one.
    pub earlier: Option<&'a Conversation>,
    /// The query as labelled by the trained reader, if it was.
    pub message: Option<&'a Message>,
    /// The frame from explicit parameters.
    pub explicit: &'a Frame,
}

impl<'a> Request<'a> {
    /// A text with parameters, outside a session.
    pub fn of(q: Option<&'a str>, explicit: &'a Frame) -> Self {
        Self { q, model: Model::default(), earlier: None, message: None, explicit }
    }
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
    pub question: Option<Question>,
    /// The danger or urgent need in it, and its language; a chat answers that itself.
    pub danger: Option<(Danger, Language)>,
    /// The part of the query that was read, with its misspelt words corrected, to rank by.
    pub typed: Option<String>,
    /// Whether the place comes from words, not from parameters.
    says_where: bool,
    /// Whether a parameter bounds revenue.
    sets_revenue: bool,
    /// Slots of the query that explicit parameters override.
    pub overruled: Vec<&'static str>,
    /// Whether the filters exclude the named nonprofit.
    pub leaves_out_named: bool,
    /// Flags that the query excludes, or asks for by its cause, but no loaded list has.
    pub unchecked: Vec<Flag>,
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

/// Understands a text, a session and parameters over the data that `names` looks up.
pub fn interpret(
    names: &dyn Names,
    request: &Request<'_>,
) -> Result<Interpretation, UnderstandError> {
    let typed = request.q.map(str::trim).filter(|q| !q.is_empty());
    // What a chat has read fits already.
    let q = match (typed, request.message) {
        (Some(q), None) => Some(Reader::shared()?.readable_prefix(q)?),
        (q, _) => q,
    };
    let beyond = q.zip(typed).map(|(q, typed)| typed[q.len()..].trim());
    let beyond = beyond.filter(|words| !words.is_empty());
    let spelled = match (q, request.message) {
        (Some(q), None) => spelled(q, names)?,
        _ => None,
    };
    let q = spelled.as_ref().map(|spelled| spelled.text.as_str()).or(q);
    let mut understood = match q {
        // Only parameters: the session is unchanged.
        None => {
            let earlier = request.earlier.map(|earlier| earlier.frame.clone());
            Interpretation::without_words(earlier.unwrap_or_default(), Step::Refined)
        }
        Some(q) => read(q, names, request)?,
    };
    if let Some(spelled) = &spelled {
        for part in &mut understood.heard.parts {
            part.span = spelled.typed(&part.span);
        }
    }
    understood.heard.unread.extend(beyond.map(str::to_owned));
    let (mut frame, overruled) = understood.kept.overridden_by(request.explicit);
    let unchecked = leave_unchecked(names, &mut frame, request.explicit)?;
    for phrase in &frame.not_names {
        let words: Vec<Vec<String>> = phrase.split(' ').map(number_forms).collect();
        frame.not_eins.extend(names.with_words(&frame, &words)?);
    }
    Ok(Interpretation {
        leaves_out_named: leaves_out_named(names, &frame)?,
        frame,
        step: understood.step.filter(|_| request.earlier.is_some()),
        typed: q.map(str::to_owned),
        says_where: request.explicit.places.is_empty(),
        sets_revenue: !request.explicit.ranges[Figure::Revenue].is_open(),
        overruled,
        unchecked,
        ..understood
    })
}

/// Drops filters that exclude a flag which no loaded list has, or that a cause asks for, which ranks without: they would
/// leave nothing. Returns these flags.
fn leave_unchecked(
    names: &dyn Names,
    frame: &mut Frame,
    explicit: &Frame,
) -> Result<Vec<Flag>, UnderstandError> {
    let mut unchecked = Vec::new();
    for (flag, asked) in frame.flags.iter() {
        let Some(asked) = asked.filter(|asked| !asked || is_of_cause(flag)) else { continue };
        if explicit.flags[flag].is_none() {
            let flags = Flags::from([(flag, asked)]);
            if names.count(&Frame { flags, ..Frame::default() })? == 0 {
                unchecked.push(flag);
            }
        }
    }
    unchecked.iter().for_each(|flag| frame.flags[*flag] = None);
    Ok(unchecked)
}

/// Whether a flag is one that causes ask for.
fn is_of_cause(flag: Flag) -> bool {
    phrases::meanings("flag of a cause").any(|(name, _)| name == flag.definition().name)
}

/// Whether the filters of a frame exclude the nonprofit that it names and is about.
fn leaves_out_named(names: &dyn Names, frame: &Frame) -> Result<bool, UnderstandError> {
    let named = frame.organization.as_ref().filter(|named| named.wanted == NameUse::Itself);
    let Some(ein) = named.and_then(|named| named.ein) else { return Ok(false) };
    Ok(frame.filters() != Filters::default() && !names.satisfies(frame, ein)?)
}

/// The meaning of a query on top of the conversation, without parameters.
fn read(
    q: &str,
    names: &dyn Names,
    request: &Request<'_>,
) -> Result<Interpretation, UnderstandError> {
    let earlier = request.earlier;
    let is_repeated = request.message.is_none() && earlier.is_some_and(|it| it.is_repeated(q));
    // What a message of a chat was read on top of is known to the chat.
    let (ground, known) = match (request.message, earlier) {
        (Some(_), Some(earlier)) => (Some(&earlier.frame), Vec::new()),
        (None, Some(earlier)) => {
            let (frame, known) = earlier.ground(q);
            (Some(frame), known)
        }
        (_, None) => (None, Vec::new()),
    };
    let mut message = match (request.message, request.model) {
        (Some(message), _) => message.clone(),
        (None, Model::Grammar) => tag(q),
        (None, Model::MiniLm) => Reader::shared()?.read(q, &known)?,
    };
    let without = |frame, step| Ok(Interpretation::without_words(frame, step));
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
    // A chat resolves these from its message itself.
    let (question, danger) = match (request.message, request.model) {
        (None, Model::MiniLm) => (Question::read(names, q, &message)?, danger_in(q, &message)?),
        _ => (None, None),
    };
    let language = language_in_danger(q, message.language.label);
    let danger = danger.map(|danger| (danger, language));
    let reference = message.words(q, Role::Reference).collect::<Vec<_>>().join(" ");
    let ground = earlier.zip(ground).map(|(earlier, ground)| earlier.spoken_of(ground, &reference));
    let mut decoded = decode(q, &message, ground, names)?;
    // The recognisers may understand a query that the trained reader cannot label.
    let is_nothing = decoded.heard.frame.is_empty() && decoded.heard.unread.is_empty();
    if is_nothing && !decoded.goes_on && request.message.is_none() {
        decoded = decode(q, &tag(q), ground, names)?;
    }
    let (heard, kept, step) = match decoded.goes_on {
        true => (decoded.heard, decoded.kept, Step::Refined),
        false => {
            let sought = danger.map_or(&[][..], |(danger, _)| sought_in(danger));
            let heard = match sought.is_empty() {
                true => or_name(q, names, decoded.heard)?,
                false => seeking(sought, decoded.heard, names)?,
            };
            let kept = heard.frame.clone();
            (heard, kept, Step::New)
        }
    };
    let step = Some(step);
    Ok(Interpretation { heard, kept, step, question, danger, ..Interpretation::default() })
}

/// Who helps in a danger in any of some ways, where the query says: its words are somebody's story.
fn seeking(
    kinds: &[&str],
    heard: Understanding,
    names: &dyn Names,
) -> Result<Understanding, Damage> {
    let mut sought = cause_of(kinds[0], names)?;
    for kind in &kinds[1..] {
        let codes = cause_of(kind, names)?.cause_ntee;
        let codes = codes.into_iter().filter(|code| !sought.cause_ntee.contains(code));
        sought.cause_ntee.extend(codes.collect::<Vec<_>>());
    }
    sought.cause = Some(kinds.join(" or "));
    let frame = Frame { places: heard.frame.places, ..sought };
    Ok(Understanding { frame, ..heard })
}

impl Interpretation {
    /// Applies bounds and orders by revenue to the assets of private foundations, unless a text has a word for revenue: the
    /// master file has no revenue of foundations, and the largest have most assets.
    pub fn measure_foundations_by_assets(&mut self, text: &str) {
        if self.frame.flags[Flag::Foundation] != Some(true) || names_revenue(text) {
            return;
        }
        for frame in [&mut self.frame, &mut self.kept] {
            for sort in &mut frame.sort {
                if sort.key == SortKey::Figure(Figure::Revenue) {
                    sort.key = SortKey::Figure(Figure::Assets);
                }
            }
            let revenue = std::mem::take(&mut frame.ranges[Figure::Revenue]);
            if frame.ranges[Figure::Assets].is_open() {
                frame.ranges[Figure::Assets] = revenue;
            }
        }
    }

    /// A step to a frame that no words of the query describe.
    fn without_words(kept: Frame, step: Step) -> Self {
        Self { kept, step: Some(step), ..Self::default() }
    }

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

    /// The query for a `page`, which says how much is asked for. An order that it has takes the place of the text's.
    pub fn query(&mut self, page: Query) -> Query {
        let mut sort = page.sort;
        let sorts_listed = page.ends_with_text && !sort.is_empty();
        if sort.is_empty() {
            sort = self.frame.sort.iter().map(|sort| Order::By(*sort)).collect();
        } else {
            let by = sort.iter().filter_map(|order| match order {
                Order::By(sort) => Some(*sort),
                Order::Relevance => None,
            });
            let by = by.collect();
            if !self.frame.sort.is_empty() && self.frame.sort != by {
                self.overruled.push("order");
            }
            self.frame.sort = by;
        }
        let relevance = self.relevance(page.distance_max.is_some());
        // `foundations in Kentucky`: the master file has no revenue of most, by which the largest would come first.
        let seeks_foundations = self.frame.flags[Flag::Foundation] == Some(true);
        let is_unranked = relevance.text.is_none() && relevance.nonprofit.is_none();
        if sort.is_empty() && seeks_foundations && is_unranked && self.typed.is_some() {
            sort = vec![Order::By(Sort::descending(SortKey::Figure(Figure::Assets)))];
        }
        let filters = self.frame.filters();
        // A parameter asks for amounts.
        let admits_ceilings = filters.admits_ceilings && !self.sets_revenue;
        let filters = Filters { admits_ceilings, ..filters };
        let place = self.place(relevance.question.as_deref());
        Query { filters, relevance, place, sort, sorts_listed, ..page }
    }

    /// The text or nonprofit to rank by.
    fn relevance(&self, is_measured: bool) -> RelevanceQuery {
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
        let typed = || self.typed.clone().filter(|_| self.step != Some(Step::Reset));
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
            (None, None) => Some(restated(frame)).filter(|_| text.is_some()),
        };
        RelevanceQuery {
            text,
            nonprofit: similar.and_then(|found| found.ein),
            is_name: by_name.is_some_and(|found| found.namesakes > 0),
            may_name: by_name.is_some()
                || (self.step.is_none()
                    && self.typed.as_deref().is_some_and(|typed| !asks_for_several(typed))),
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
            None => question.map(hinted_places).unwrap_or_default(),
        };
        let areas: Vec<Area> = places.iter().flat_map(|place| place.areas.clone()).collect();
        let surroundings = surroundings(&places);
        (!areas.is_empty()).then_some(PlaceHint { areas, surroundings, is_filter })
    }
}
