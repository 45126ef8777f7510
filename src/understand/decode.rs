//! From labelled words to filters: what recognises amounts, places, codes and names gives each span that
//! [`crate::reader`] labels its value, and what comes out is a frame that is valid.
//!
//! A span becomes an [`Edit`] of a frame. A message that stands alone edits an empty one, a message that
//! goes on edits what was asked before. What has no value is told as not understood.

use std::ops::Range as Span;

use super::amount::{self, Amount};
use super::code;
use super::edit::{Edit, Value};
use super::frame::{FIGURES, Frame, Part, Place, Understanding, Wanted};
use super::merge::place_in;
use super::naming::Names;
use super::order;
use super::place;
use super::quantity;
use super::reader::Reader;
use super::standing;
use super::token::{Kind, Token, Tokens};
use super::value::{goals_in, is_bare, led_by, name_of, places_in, says, sort_of, without_article};
use super::{cause, organization, phrases, typo};
use crate::mapped::Damage;
use crate::reader::{self, Act, Bound, Intent, Message, Operation, Role};

/// Probabilities nearer to 0 or 1 than this say no more.
const ODDS_LEAST: f64 = 0.002;

/// A place that is less sure than this is none where another one is surer and nothing joins them: `Section 8 housing,
/// Gary IN`.
const PLACE_SURE_MIN: f32 = 0.9;

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
    /// What was asked for before.
    earlier: Option<&'a Frame>,
    /// Its tokens, misspelt words of amounts mended.
    tokens: Tokens,
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
    let mut tokens = Tokens::of(text);
    let is_bare = is_bare(&tokens, message);
    let is_titled = tokens.is_titled();
    typo::mend_grammar(&mut tokens, names)?;
    let mut decoder = Decoder {
        text,
        earlier,
        tokens,
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
                Role::Place | Role::Near => self.read_places(at),
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
    fn read_places(&mut self, first: usize) -> usize {
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
        let bytes = spans[first].bytes.start..spans[end - 1].bytes.end;
        let probability = spans[first..end].iter().map(|span| span.probability).fold(1.0, f32::min);
        let is_sure = |at: usize| spans[at].probability >= PLACE_SURE_MIN;
        let others = (0..spans.len()).filter(|at| !(first..end).contains(at));
        let mut other_places = others.filter(|at| spans[*at].role == Role::Place);
        if operation == Operation::Set && !(first..end).any(is_sure) && other_places.any(is_sure) {
            self.causes.push((bytes, Operation::Set));
            return end;
        }
        let words = &self.text[bytes.clone()];
        let has_near = spans[first..end].iter().any(|span| span.role == Role::Near);
        let places = places_in(words, has_near);
        if places.is_empty() && says(words, "whole state") {
            self.edit(Value::WholeState, operation, bytes, "the whole state", probability);
            return end;
        }
        let is_everywhere =
            || ["everywhere", "whole country"].into_iter().any(|list| says(words, list));
        if operation == Operation::Clear || (places.is_empty() && is_everywhere()) {
            let is_city = phrases::meanings("slot")
                .any(|(slot, names)| slot == "city" && Tokens::of(words).has_any(names));
            let value = if is_city { Value::WholeState } else { Value::Places(places) };
            self.edit(value, Operation::Clear, bytes, "any place", probability);
            return end;
        }
        if places.is_empty() {
            // A country, or a place that no gazetteer has: it tells what they do, and ranks.
            let has_place = spans[first..end].iter().any(|span| span.role == Role::Place);
            match has_place && operation != Operation::Not {
                true => self.causes.push((bytes, Operation::Set)),
                false => self.leave_unread(bytes),
            }
            return end;
        }
        let places = self.of_that_name(places);
        let names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
        let names = names.join(" or ");
        let meaning = match operation {
            Operation::Not => format!("not in {names}"),
            _ => format!("in {names}"),
        };
        self.edit(Value::Places(places), operation, bytes, &meaning, probability);
        end
    }

    /// `I meant the one in Maine`: the city that was asked for, as it is named there.
    fn of_that_name(&self, places: Vec<Place>) -> Vec<Place> {
        let refers = self.message.spans.iter().any(|span| span.role == Role::Reference);
        let before = self.earlier.map_or(&[][..], |earlier| &earlier.places[..]);
        if let ([city], [Place { state: Some(state), city: None, zip: None, .. }]) =
            (before, &places[..])
            && refers
            && city.city.is_some()
            && let Some(there) = place_in(city, *state)
        {
            return vec![there];
        }
        places
    }

    fn read_span(&mut self, span: &reader::Span) -> Result<(), Damage> {
        let words = self.words(span);
        let is_cleared = span.operation == Operation::Clear;
        let wanted = span.operation != Operation::Not;
        let flag = |yes: &'static str, no: &'static str| match (is_cleared, wanted) {
            (true, _) => (None, ""),
            (_, true) => (Some(true), yes),
            (_, false) => (Some(false), no),
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
            Role::Size => {
                let sizes = standing::sizes_in(words);
                let said: Vec<&str> = sizes.iter().map(|size| size.name()).collect();
                let meaning = format!("size {}", said.join(" or "));
                ((is_cleared || !sizes.is_empty()).then_some(Value::Sizes(sizes)), meaning)
            }
            Role::Sdg => {
                let goals = goals_in(words);
                let said: Vec<String> =
                    goals.iter().map(|goal| goal.number().to_string()).collect();
                let found = is_cleared || !goals.is_empty();
                (found.then_some(Value::Goals(goals)), format!("SDG {}", said.join(" or ")))
            }
            Role::Ntee => {
                let codes = led_by(words, "ntee", |reader| {
                    code::read(reader);
                    (!reader.frame.ntee.is_empty()).then(|| reader.frame.ntee.clone())
                });
                let codes = codes.unwrap_or_default();
                let meaning = format!("NTEE {}", codes.join(" or "));
                ((is_cleared || !codes.is_empty()).then_some(Value::Codes(codes)), meaning)
            }
            Role::Subsection => {
                let found = led_by(words, "501c", |reader| {
                    code::read(reader);
                    (!reader.frame.subsections.is_empty()).then(|| reader.frame.subsections.clone())
                });
                let found = found.unwrap_or_default();
                let said: Vec<String> =
                    found.iter().map(|code| format!("501(c)({})", code.number())).collect();
                let is_found = is_cleared || !found.is_empty();
                (is_found.then_some(Value::Subsections(found)), said.join(" or "))
            }
            Role::Foundation => {
                let (flag, meaning) = flag("private foundations", "no private foundations");
                (Some(Value::Foundation(flag)), meaning.to_owned())
            }
            Role::Deductible => {
                let (flag, meaning) =
                    flag("contributions deductible", "contributions not deductible");
                (Some(Value::Deductible(flag)), meaning.to_owned())
            }
            Role::Revoked => {
                let (flag, meaning) = flag("exemption revoked", "exemption not revoked");
                (Some(Value::Inactive(flag)), meaning.to_owned())
            }
            Role::Vetted => {
                let (flag, meaning) = flag("vetted", "not vetted");
                (Some(Value::Vetted(flag)), meaning.to_owned())
            }
            Role::Sort => {
                let sort = sort_of(span).filter(|_| !is_cleared);
                let meaning =
                    sort.map_or(String::new(), |s| format!("sorted by {}", order::said(s)));
                ((is_cleared || sort.is_some()).then_some(Value::Sort(sort)), meaning)
            }
            Role::Ein => {
                let mut reader = Reader::new(words);
                code::read(&mut reader);
                let eins = reader.frame.eins;
                let said: Vec<String> = eins.iter().map(ToString::to_string).collect();
                let value = (!eins.is_empty()).then_some(Value::Eins(eins));
                (value, format!("EIN {}", said.join(" or ")))
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

    /// How many are wanted.
    fn read_count(&mut self, span: &reader::Span) {
        let tokens = Tokens::of(self.words(span));
        let number = |token: &Token| match token.kind {
            Kind::Number(number) => Some(number),
            _ => amount::small(&token.form),
        };
        // `a few` and `some` are as many as there are.
        let wanted = tokens.list.iter().rev().find_map(number).filter(|number| *number >= 1.0);
        if let Some(count) = wanted.map(|number| number as usize) {
            self.count = Some(count);
            let (span, confidence) = (span.bytes.clone(), span.probability);
            self.parts.push(Part { span, meaning: format!("the first {count}"), confidence });
        }
    }

    /// A bound of a figure, or a number that corrects one.
    fn read_amount(&mut self, span: &reader::Span) {
        let figure = FIGURES.iter().position(|figure| figure.name == span.role.name());
        if span.operation == Operation::Clear {
            let meaning =
                figure.map_or("any amount".to_owned(), |at| format!("any {}", FIGURES[at].name));
            self.take(span, Value::AnyAmount { figure, bound: span.bound }, &meaning);
            return;
        }
        // `$175,000, not 75`: what is corrected.
        let bounds = matches!(span.bound, Bound::Min | Bound::Max | Bound::Range);
        if span.operation == Operation::Not && !bounds {
            return;
        }
        // What is not over two million is under it.
        let bound = match (span.operation, span.bound) {
            (Operation::Not, Bound::Min) => Bound::Max,
            (Operation::Not, Bound::Max) => Bound::Min,
            (_, bound) => bound,
        };
        // Amounts that the span touches: where it ends is less sure than that there is one.
        let touches =
            |bytes: &Span<usize>| bytes.start < span.bytes.end && span.bytes.start < bytes.end;
        let found = quantity::amounts_in(&self.tokens).into_iter();
        let amounts: Vec<Amount> =
            found.filter(|(bytes, _)| touches(bytes)).map(|(_, amount)| amount).collect();
        let Some((figure, range)) = quantity::bounded(figure, bound, &amounts) else {
            self.leave_unread(span.bytes.clone());
            return;
        };
        match figure {
            Some(figure) => {
                let contradicts = |edit: &Edit| match edit.value {
                    Value::Range { figure: other, range: first } if other == figure => {
                        let crosses = |min: Option<f64>, max: Option<f64>| {
                            min.zip(max).is_some_and(|(min, max)| min > max)
                        };
                        crosses(range.min, first.max) || crosses(first.min, range.max)
                    }
                    _ => false,
                };
                // What no number can satisfy is told, and the first of both holds.
                if self.edits.iter().any(contradicts) {
                    self.leave_unread(span.bytes.clone());
                    return;
                }
                let meaning = quantity::said(FIGURES[figure], range);
                self.take(span, Value::Range { figure, range }, &meaning);
            }
            None => {
                let has_unit = amounts.iter().any(|one| one.unit > 1.0);
                let amounts = amounts.iter().map(|one| one.low).collect();
                self.take(span, Value::Amounts { amounts, has_unit, bound }, "an amount instead");
            }
        }
    }

    /// What nonprofits should not do: the codes that only such organizations carry.
    fn read_unwanted(&mut self, span: &reader::Span) {
        let codes = cause::codes_of(self.words(span));
        match codes.is_empty() {
            true => self.leave_unread(span.bytes.clone()),
            false => {
                let meaning = format!("not NTEE {}", codes.join(" or "));
                self.take(span, Value::NotCodes(codes), &meaning);
            }
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

    /// What nonprofits do, in one text.
    fn read_causes(&mut self) -> Result<(), Damage> {
        let mut causes = std::mem::take(&mut self.causes);
        causes.sort_by_key(|(bytes, _)| bytes.start);
        if causes.is_empty() {
            return Ok(());
        }
        let joins = causes
            .iter()
            .all(|(_, operation)| matches!(operation, Operation::Add | Operation::Narrow));
        let texts: Vec<&str> = causes.iter().map(|(bytes, _)| &self.text[bytes.clone()]).collect();
        let found = cause::read(&texts.join(", "), self.names)?;
        let operation = if joins { Operation::Add } else { Operation::Set };
        self.edits.push(Edit { value: Value::Cause(Box::new(found)), operation });
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
