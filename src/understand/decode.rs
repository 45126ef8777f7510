//! From labelled words to filters: what recognises amounts, places, codes and names gives each span that
//! [`crate::reader`] labels its value, and what comes out is a frame that is valid.
//!
//! A span becomes an [`Edit`] of a frame. A message that stands alone edits an empty one, a message that
//! goes on edits what was asked before. What has no value is told as not understood.

mod causes;

use std::ops::Range as Span;

use super::area;
use super::bound::{self, Outcome};
use super::code::{eins_in, ntee_in, subsections_in};
use super::edit::{Edit, Value, join_states};
use super::flag::is_opposite;
use super::frame::{EXPENSES, Frame, Part, Place, REVENUE, Understanding, Wanted};
use super::goal::{self, goals_in};
use super::naming::Names;
use super::order::{self, sort_of};
use super::organization::{self, is_bare, name_of, without_article};
use super::phrases;
use super::place::{self, places_in};
use super::size::sizes_in;
use super::token::Tokens;
use crate::index::columns::Range;
use crate::mapped::Damage;
use crate::reader::{self, Act, Intent, Message, Operation, Role};
use crate::record::{OrgSize, Subsection, Usd};

/// Probabilities nearer to 0 or 1 than this say no more.
const ODDS_LEAST: f64 = 0.002;

/// A place that is less sure than this is none where another one is surer and nothing joins them: `Section 8 housing,
/// Gary IN`.
const PLACE_SURE_MIN: f32 = 0.9;

/// Words before a place that may say that what is near it is meant.
const NEAR_WORDS_MAX: usize = 2;

/// What a message says, and what is asked for after it.
#[derive(Debug, Clone, PartialEq)]
pub struct Decoded {
    /// What the message itself says.
    pub heard: Understanding,
    /// That and what was asked for before, if it goes on from that.
    pub kept: Frame,
    /// Whether it goes on from what was asked for before.
    pub goes_on: bool,
}

/// A message whose spans get their values.
struct Decoder<'a> {
    text: &'a str,
    tokens: Tokens,
    /// What was asked for before.
    earlier: Option<&'a Frame>,
    message: &'a Message,
    names: &'a dyn Names,
    edits: Vec<Edit>,
    parts: Vec<Part>,
    unread: Vec<(usize, String)>,
    /// How many are wanted.
    count: Option<usize>,
    /// Whether it is a name, perhaps with its place, and nothing else.
    is_bare: bool,
    /// What nonprofits do: bytes of the text, and whether it comes beside what was asked for.
    causes: Vec<(Span<usize>, Operation)>,
}

/// Makes a frame of a message that is read, on top of what was asked for `earlier`.
///
/// # Errors
/// When an index of names is damaged.
pub fn decode(
    text: &str,
    message: &Message,
    earlier: Option<&Frame>,
    names: &dyn Names,
) -> Result<Decoded, Damage> {
    let tokens = Tokens::of(text);
    let is_bare = is_bare(&tokens, message);
    let is_titled = tokens.is_titled();
    let mut decoder = Decoder {
        text,
        tokens,
        earlier,
        message,
        names,
        edits: Vec::new(),
        parts: Vec::new(),
        unread: Vec::new(),
        count: None,
        is_bare,
        causes: Vec::new(),
    };
    decoder.read_spans()?;
    decoder.read_unmarked_eins();
    decoder.leave_impossible_sizes();
    join_states(&mut decoder.edits);
    decoder.read_causes()?;
    let Decoder { edits, mut parts, mut unread, count, .. } = decoder;
    parts.sort_by_key(|part| part.span.start);
    unread.sort();
    let mut frame = Frame::default();
    edits.iter().for_each(|edit| edit.apply(&mut frame, &Frame::default()));
    let names_one = frame.organization.is_some() || !frame.eins.is_empty();
    let base =
        earlier.filter(|earlier| message.act.label == Act::On && !names_one && !earlier.is_empty());
    let mut kept = base.cloned().unwrap_or_default();
    match base {
        Some(before) => edits.iter().for_each(|edit| edit.apply(&mut kept, before)),
        None => kept.clone_from(&frame),
    }
    let unread = unread.into_iter().map(|(_, words)| words).collect();
    let likely = f64::from(message.names_one).clamp(ODDS_LEAST, 1.0 - ODDS_LEAST);
    let name_odds = (likely / (1.0 - likely)).ln();
    let name = is_bare.then(|| name_of(message)).flatten();
    let otherwise = None;
    let heard =
        Understanding { frame, parts, unread, is_titled, count, name_odds, name, otherwise };
    Ok(Decoded { heard, kept, goes_on: base.is_some() })
}

impl Decoder<'_> {
    fn read_spans(&mut self) -> Result<(), Damage> {
        let spans = &self.message.spans;
        let mut at = 0;
        while let Some(span) = spans.get(at) {
            let next = at + 1;
            at = match span.role {
                Role::Place | Role::Near => self.read_places(at)?,
                _ => {
                    self.read_span(span)?;
                    next
                }
            };
        }
        Ok(())
    }

    fn words(&self, span: &reader::Span) -> &str {
        &self.text[span.bytes.clone()]
    }

    /// Places that stand in a list, with what makes the first the middle of a circle; gives the span
    /// behind them.
    fn read_places(&mut self, first: usize) -> Result<usize, Damage> {
        let spans = &self.message.spans;
        let operation = spans[first..]
            .iter()
            .find(|span| span.role == Role::Place)
            .map_or(Operation::Set, |place| place.operation);
        let mut end = first + 1;
        while let Some(next) = spans.get(end) {
            let between = &self.text[spans[end - 1].bytes.end..next.bytes.start];
            let joined = match next.role {
                Role::Place => next.operation == operation || spans[end - 1].role == Role::Near,
                _ => false,
            };
            let is_joint = Tokens::of(between).list.iter().all(|token| {
                token.is_joint() || place::is_preposition(&token.form) || token.form == "the"
            });
            if !joined || !is_joint {
                break;
            }
            end += 1;
        }
        let tokens = &self.tokens;
        let start = spans[first].bytes.start;
        let at = tokens.position(start);
        // `cerca de Wichita`.
        let leads = |from: &usize| {
            let end = tokens.any_phrase(*from, phrases::of("near"));
            end.is_some_and(|end| (end..at).all(|at| place::is_preposition(tokens.form(at))))
        };
        let near = (at.saturating_sub(NEAR_WORDS_MAX)..at).find(leads);
        let start = near.map_or(start, |near| tokens.list[near].span.start);
        let bytes = start..spans[end - 1].bytes.end;
        let probability = spans[first..end].iter().map(|span| span.probability).fold(1.0, f32::min);
        let is_sure = |at: usize| spans[at].probability >= PLACE_SURE_MIN;
        let others = (0..spans.len()).filter(|at| !(first..end).contains(at));
        let mut other_places = others.filter(|at| spans[*at].role == Role::Place);
        if operation == Operation::Set && !(first..end).any(is_sure) && other_places.any(is_sure) {
            self.causes.push((bytes, Operation::Set));
            return Ok(end);
        }
        let words = &self.text[bytes.clone()];
        let places = places_in(words);
        if places.is_empty() && says(words, "whole state") {
            self.edit(Value::WholeState, operation, bytes, "the whole state", probability);
            return Ok(end);
        }
        let is_everywhere =
            || ["everywhere", "whole country"].into_iter().any(|list| says(words, list));
        if operation == Operation::Clear || (places.is_empty() && is_everywhere()) {
            let is_city = says(words, "city slot");
            let value = if is_city { Value::WholeState } else { Value::Places(places) };
            self.edit(value, Operation::Clear, bytes, "any place", probability);
            return Ok(end);
        }
        if places.is_empty() {
            // A country, or a place that no gazetteer has: it tells what they do, and ranks.
            let has_place = spans[first..end].iter().any(|span| span.role == Role::Place);
            match has_place && operation != Operation::Not {
                true => self.causes.push((bytes, Operation::Set)),
                false => self.leave_unread(bytes),
            }
            return Ok(end);
        }
        let mut places = self.of_that_name(places, operation);
        self.leave_uncovered_state(words, &mut places)?;
        self.choose_among_namesakes(&mut places)?;
        let bytes = match operation {
            Operation::Set => self.with_misspelt_city(&mut places, &bytes)?..bytes.end,
            _ => bytes,
        };
        let meaning = match operation {
            Operation::Not => format!("not in {}", place::named(&places)),
            _ => format!("in {}", place::named(&places)),
        };
        self.edit(Value::Places(places), operation, bytes, &meaning, probability);
        Ok(end)
    }

    /// `I meant the one in Maine`, or a state after a city of no state: the city that was asked for, as it
    /// is named there.
    fn of_that_name(&self, places: Vec<Place>, operation: Operation) -> Vec<Place> {
        let goes_on = self.message.act.label == Act::On && operation == Operation::Set;
        let refers = self.message.spans.iter().any(|span| span.role == Role::Reference);
        let before = self.earlier.map_or(&[][..], |earlier| &earlier.places[..]);
        if let ([city], [place]) = (before, &places[..])
            && city.city.is_some()
            && (refers || (goes_on && city.state.is_none()))
            && let Some(state) = place.state.filter(|_| place.is_state())
            && let Some(there) = city.within(state)
        {
            return vec![there];
        }
        places
    }

    /// The state that some words name alone: the great city of its name, where the data has somebody in
    /// that city and nobody in that state.
    fn leave_uncovered_state(&self, words: &str, places: &mut [Place]) -> Result<(), Damage> {
        let [place] = places else { return Ok(()) };
        let state = place.state.filter(|_| place.is_state());
        let Some(city) = state.and_then(|state| area::city_called(state, words)) else {
            return Ok(());
        };
        if self.count(place)? == 0 && self.count(&city)? > 0 {
            *place = city;
        }
        Ok(())
    }

    /// Of cities of one name the one in which the data has far more than in any other.
    fn choose_among_namesakes(&self, places: &mut [Place]) -> Result<(), Damage> {
        for place in places {
            let namesakes = area::namesakes(place).into_iter();
            let counted = namesakes.map(|one| Ok((self.count(&one)?, one)));
            let mut counted = counted.collect::<Result<Vec<_>, Damage>>()?;
            counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            let next = counted.get(1).map_or(0, |(count, _)| *count);
            let most = counted.into_iter().next();
            if let Some((count, one)) = most
                && count >= area::DOMINANCE as u64 * next.max(1)
            {
                *place = one;
            }
        }
        Ok(())
    }

    /// How many nonprofits are in a place.
    fn count(&self, place: &Place) -> Result<u64, Damage> {
        self.names.count(&Frame { places: vec![place.clone()], ..Frame::default() })
    }

    fn read_span(&mut self, span: &reader::Span) -> Result<(), Damage> {
        let words = self.words(span);
        let is_cleared = span.operation == Operation::Clear;
        let is_wanted = span.operation != Operation::Not && !is_opposite(span.role, words);
        let flag = |value: fn(Option<bool>) -> Value, yes: &str, no: &str| {
            let said = if is_wanted { yes } else { no };
            let flag = Some(is_wanted).filter(|_| !is_cleared);
            (Some(value(flag)), flag.map_or("", |_| said).to_owned())
        };
        let listed = |kind: &str, said: Vec<String>, value: Value| {
            let said = (!said.is_empty()).then(|| format!("{kind}{}", said.join(" or ")));
            ((is_cleared || said.is_some()).then_some(value), said.unwrap_or_default())
        };
        let (value, meaning) = match span.role {
            Role::Cause => {
                match span.operation {
                    Operation::Not => self.read_unwanted(span),
                    Operation::Clear => self.take(span, Value::NoCause, "any cause"),
                    _ => self.causes.push((span.bytes.clone(), span.operation)),
                }
                return Ok(());
            }
            // A name and no other word: whether it is one is for the index of names to say too.
            Role::Name if self.is_bare => {
                self.causes.push((span.bytes.clone(), Operation::Set));
                return Ok(());
            }
            Role::Name => return self.read_name(span),
            Role::Amount
            | Role::Revenue
            | Role::Expenses
            | Role::Assets
            | Role::Employees
            | Role::Score
            | Role::Rating => {
                self.read_amount(span);
                return Ok(());
            }
            // `no big law firms`: of what is unwanted.
            Role::Size if self.is_of_unwanted(span) => return Ok(()),
            Role::Size => {
                let sizes = sizes_in(words);
                let said = sizes.iter().map(|size| size.name().to_owned()).collect();
                listed("size ", said, Value::Sizes(sizes))
            }
            Role::Sdg => {
                let goals = goals_in(words);
                let said = (!goals.is_empty()).then(|| goal::said(goals));
                listed("", said.into_iter().collect(), Value::Goals(goals))
            }
            Role::Ntee => {
                let codes = ntee_in(words);
                listed("NTEE ", codes.clone(), Value::Codes(codes))
            }
            Role::Subsection => {
                let codes = self.subsections(span);
                let said = codes.iter().map(|code| format!("501(c)({})", code.number())).collect();
                listed("", said, Value::Subsections(codes))
            }
            Role::Foundation => {
                flag(Value::Foundation, "private foundations", "no private foundations")
            }
            Role::Deductible => {
                flag(Value::Deductible, "contributions deductible", "contributions not deductible")
            }
            Role::Revoked => flag(Value::Inactive, "exemption revoked", "exemption not revoked"),
            Role::Vetted => flag(Value::Vetted, "vetted", "not vetted"),
            Role::Sort => {
                let sort = sort_of(span).filter(|_| !is_cleared);
                let said = sort.map(|sort| order::said(sort).to_owned());
                listed("sorted by ", said.into_iter().collect(), Value::Sort(sort))
            }
            Role::Ein => {
                let eins = eins_in(words);
                listed("EIN ", eins.iter().map(ToString::to_string).collect(), Value::Eins(eins))
            }
            Role::Unread => (None, String::new()),
            Role::Count => {
                self.read_count(span);
                return Ok(());
            }
            Role::Nothing | Role::Place | Role::Near | Role::Reference | Role::Number => {
                return Ok(());
            }
        };
        match value {
            Some(value) => self.take(span, value, &meaning),
            None => self.leave_unread(span.bytes.clone()),
        }
        Ok(())
    }

    /// Subsections; none where they are not wanted but were not asked for: no filter leaves one out.
    fn subsections(&self, span: &reader::Span) -> Vec<Subsection> {
        let mut codes = subsections_in(self.words(span));
        let spans = &self.message.spans;
        let is_asked = |other: &reader::Span| {
            other.role == Role::Subsection && other.operation != Operation::Not
        };
        if span.operation == Operation::Not && !spans.iter().any(is_asked) {
            let before = self.earlier.map_or(&[][..], |earlier| &earlier.subsections[..]);
            codes.retain(|code| before.contains(code));
        }
        codes
    }

    /// Whether an unwanted span stands next before an unwanted cause.
    fn is_of_unwanted(&self, span: &reader::Span) -> bool {
        span.operation == Operation::Not
            && self.message.spans.iter().any(|next| {
                next.role == Role::Cause
                    && next.operation == Operation::Not
                    && self
                        .text
                        .get(span.bytes.end..next.bytes.start)
                        .is_some_and(|it| it.trim().is_empty())
            })
    }

    /// EINs of a message about one nonprofit that marks none: nothing else looks like one.
    fn read_unmarked_eins(&mut self) {
        let is_of_one = matches!(self.message.intent.label, Intent::Details | Intent::Similar);
        if is_of_one && !self.message.spans.iter().any(|span| span.role == Role::Ein) {
            let eins = eins_in(self.text);
            if !eins.is_empty() {
                self.edits.push(Edit { value: Value::Eins(eins), operation: Operation::Set });
            }
        }
    }

    /// A size that no amount beside it can have is told as not understood: the amount is said more exactly.
    fn leave_impossible_sizes(&mut self) {
        let amounts = self.edits.iter().filter_map(|edit| match edit.value {
            Value::Range { figure: REVENUE | EXPENSES, range, .. } => Some(range),
            _ => None,
        });
        let amounts: Vec<Range> = amounts.collect();
        let is_impossible = |edit: &Edit| match &edit.value {
            Value::Sizes(sizes) if !sizes.is_empty() => amounts.iter().any(|range| {
                let at = |bound: Option<f64>, open: i64| {
                    let dollars = bound.map_or(open, |bound| bound as i64);
                    OrgSize::of(None, Some(Usd::new(dollars)))
                };
                let (least, greatest) = (at(range.min, 0), at(range.max, i64::MAX));
                !sizes.iter().any(|size| least <= Some(*size) && Some(*size) <= greatest)
            }),
            _ => false,
        };
        if self.edits.iter().any(is_impossible) {
            self.edits.retain(|edit| !is_impossible(edit));
            let spans = self.message.spans.iter().filter(|span| span.role == Role::Size);
            for bytes in spans.map(|span| span.bytes.clone()).collect::<Vec<_>>() {
                self.parts.retain(|part| part.span != bytes);
                self.leave_unread(bytes);
            }
        }
    }

    /// How many are wanted.
    fn read_count(&mut self, span: &reader::Span) {
        let tokens = Tokens::of(self.words(span));
        // `a few` and `some` are as many as there are.
        let mut numbers = (0..tokens.len()).rev().filter_map(|at| tokens.number_at(at));
        let wanted = numbers.find(|number| *number >= 1.0);
        if let Some(count) = wanted.map(|number| number as usize) {
            self.count = Some(count);
            let (span, confidence) = (span.bytes.clone(), span.probability);
            self.parts.push(Part { span, meaning: format!("the first {count}"), confidence });
        }
    }

    /// A bound of a figure, or a number that corrects one. What no number can satisfy is told, and the first
    /// of both holds.
    fn read_amount(&mut self, span: &reader::Span) {
        let crosses = |a: Range, b: Range| a.min.zip(b.max).is_some_and(|(min, max)| min > max);
        let contradicts = |value: &Value| match value {
            Value::Range { figure, range, .. } => self.edits.iter().any(|edit| match edit.value {
                Value::Range { figure: other, range: first, .. } if other == *figure => {
                    crosses(*range, first) || crosses(first, *range)
                }
                _ => false,
            }),
            _ => false,
        };
        match bound::read(self.text, self.message, span, self.earlier) {
            Outcome::Value(value) if !contradicts(&value) => {
                let meaning = bound::meaning(&value);
                // An unwanted bound has become the opposite one.
                let operation = match span.operation {
                    Operation::Not => Operation::Set,
                    operation => operation,
                };
                self.edit(value, operation, span.bytes.clone(), &meaning, span.probability);
            }
            Outcome::Corrected => {}
            _ => self.leave_unread(span.bytes.clone()),
        }
    }

    /// A nonprofit by its name; its place may stand behind it.
    fn read_name(&mut self, span: &reader::Span) -> Result<(), Damage> {
        let wanted = match self.message.intent.label {
            Intent::Similar => Wanted::Similar,
            Intent::Find if span.operation == Operation::Not => {
                self.leave_unread(span.bytes.clone());
                return Ok(());
            }
            _ => Wanted::Itself,
        };
        if self.edits.iter().any(|edit| matches!(edit.value, Value::Organization(_))) {
            return Ok(());
        }
        let asked = without_article(self.words(span));
        let naming = self.names.named(asked)?;
        let found = organization::organization(asked, &naming, wanted);
        let meaning = organization::meaning(&found);
        self.take(span, Value::Organization(found), &meaning);
        Ok(())
    }

    fn take(&mut self, span: &reader::Span, value: Value, meaning: &str) {
        self.edit(value, span.operation, span.bytes.clone(), meaning, span.probability);
    }

    fn edit(
        &mut self,
        value: Value,
        operation: Operation,
        span: Span<usize>,
        meaning: &str,
        confidence: f32,
    ) {
        self.edits.push(Edit { value, operation });
        if !meaning.is_empty() {
            self.parts.push(Part { span, meaning: meaning.to_owned(), confidence });
        }
    }

    fn leave_unread(&mut self, bytes: Span<usize>) {
        self.unread.push((bytes.start, self.text[bytes].to_owned()));
    }
}

/// Whether a text has a phrase of a list.
fn says(text: &str, list: &str) -> bool {
    Tokens::of(text).has_any(phrases::of(list))
}
