//! From labelled words to filters: the recognisers of amounts, places, codes and names give a value
//! to each span that [`crate::reader`] labels, and the result is a valid frame.
//!
//! A span becomes an [`Edit`] of a frame. A message that stands alone edits an empty one, a
//! follow-up edits the frame before it. Spans without a value are reported as not understood.

mod causes;
mod flags;
mod places;

pub use places::town_in_state;

use std::ops::Range as Span;

use self::flags::{SaidFlag, is_private, without_community};
use super::amount;
use super::attributes::{is_opposite, sizes_in, sort_of};
use super::bound::{self, Outcome};
use super::code::{eins_in, ntee_in, subsections_in};
use super::edit::{self, Edit, Value, join_states};
use super::frame::{Frame, NameUse, Understanding, UnderstoodSpan};
use super::giving::leave_gifts;
use super::lookup::Names;
use super::organization::{self, is_bare, name_of, without_article};
use super::phrases;
use super::place::{leave_streets, unknown_counties};
use super::place_assignment::PlaceMention;
use super::reading;
use super::sdg::{self, goals_in};
use super::sentence::range_words;
use super::token::Tokens;
use super::year;
use super::{says, tells};
use crate::mapped::Damage;
use crate::query::{Figure, Flag, Range};
use crate::reader::{self, Act, Intent, Message, Operation, Role};
use crate::record::{OrgSize, Subsection, Usd};

/// The least probability at which a bound is cleared.
const CLEARED_PROBABILITY_MIN: f32 = 0.5;

/// What a message means, and the frame after it.
#[derive(Debug, Clone, PartialEq)]
pub struct DecodedMessage {
    /// The meaning of the message itself.
    pub heard: Understanding,
    /// The frame after it, on top of the one before if it is a follow-up.
    pub kept: Frame,
    /// Whether it is a follow-up.
    pub goes_on: bool,
}

/// A message whose spans are being decoded.
struct Decoder<'a> {
    text: &'a str,
    tokens: Tokens,
    /// The frame before it.
    earlier: Option<&'a Frame>,
    message: &'a Message,
    names: &'a dyn Names,
    edits: Vec<Edit>,
    parts: Vec<UnderstoodSpan>,
    unread: Vec<(usize, String)>,
    /// The number of results wanted.
    count: Option<usize>,
    /// Whether it is a name, perhaps with its place, and nothing else.
    is_bare: bool,
    /// Places named by spans, until they are resolved together.
    mentions: Vec<(PlaceMention, Operation, f32)>,
    /// Causes: bytes of the text, and whether the cause is added to the one before.
    causes: Vec<(Span<usize>, Operation)>,
}

/// Decodes a labelled message on top of the `earlier` frame.
pub fn decode(
    text: &str,
    message: &Message,
    earlier: Option<&Frame>,
    names: &dyn Names,
) -> Result<DecodedMessage, Damage> {
    let tokens = Tokens::of(text);
    let flags = flags::flags_in(&tokens, message);
    let message = bound::wanted_unless_left_out(text, flags::without(text, message, &flags));
    let message = &causes::with_kinds(&tokens, leave_streets(text, leave_gifts(text, message)));
    let is_bare = is_bare(&tokens, message);
    let mut decoder = Decoder {
        text,
        tokens,
        earlier,
        message,
        names,
        edits: flags.iter().flat_map(SaidFlag::edits).collect(),
        parts: flags.iter().map(SaidFlag::part).collect(),
        unread: Vec::new(),
        count: None,
        is_bare,
        mentions: Vec::new(),
        causes: Vec::new(),
    };
    decoder.read_spans()?;
    decoder.assign_places()?;
    decoder.read_unmarked_eins();
    decoder.read_unmarked_years();
    decoder.leave_impossible_sizes();
    join_states(&mut decoder.edits);
    decoder.read_causes()?;
    let Decoder { mut edits, mut parts, mut unread, count, .. } = decoder;
    parts.sort_by_key(|part| part.span.start);
    unread.sort();
    let mut frame = Frame::default();
    edits.iter().for_each(|edit| edit.apply(&mut frame, &Frame::default()));
    let names_one = frame.organization.is_some() || !frame.eins.is_empty();
    if says(text, "instead of") && edit::exchanges(&edits, earlier) {
        // `Lincoln County instead of Knox`: the other places stay.
        edit::add_places(&mut edits);
    }
    edit::leave_parts_of_state(&mut edits, earlier);
    let base =
        earlier.filter(|earlier| message.act.label == Act::On && !names_one && !earlier.is_empty());
    let mut kept = base.cloned().unwrap_or_default();
    match base {
        Some(before) => {
            edits.iter().for_each(|edit| edit.apply(&mut kept, before));
            edit::keep_rest_of_state(&edits, &mut kept, before);
        }
        None => kept.clone_from(&frame),
    }
    [&mut frame, &mut kept].into_iter().for_each(keep_cause);
    let unread = unread.into_iter().map(|(_, words)| words).collect();
    let places = message.spans.iter().filter(|span| span.role == Role::Place);
    let unknown_counties =
        places.flat_map(|span| unknown_counties(&text[span.bytes.clone()])).collect();
    let heard = Understanding {
        frame,
        parts,
        unread,
        unknown_counties,
        count,
        name_odds: reading::reader_odds(message),
        name: is_bare.then(|| name_of(message)).flatten(),
        ..Understanding::default()
    };
    Ok(DecodedMessage { heard, kept, goes_on: base.is_some() })
}

/// `dog rescues, no cats`: who is of the cause itself is not left out by its code.
fn keep_cause(frame: &mut Frame) {
    let causes = &frame.cause_ntee;
    frame.not_ntee.retain(|code| !causes.iter().any(|own| own.starts_with(&**code)));
}

/// What of some bytes stands before others and behind them; empty where nothing does.
fn sides(own: &Span<usize>, cut: &Span<usize>) -> [Span<usize>; 2] {
    let before = own.start..cut.start.clamp(own.start, own.end);
    let after = cut.end.clamp(before.end, own.end)..own.end;
    [before, after]
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

    /// Whether all of a span stands for private foundations.
    fn is_foundation(&self, span: &reader::Span) -> bool {
        let form = self.form(span);
        // Of `fundaciones privadas` the reader may take the second word alone for what they do.
        let before = self.text[..span.bytes.start].split_whitespace().next_back();
        let widened = before.map(|word| format!("{} {form}", crate::naming::normalise(word)));
        phrases::meanings("standing").any(|(kind, mut words)| {
            kind == Flag::Foundation.definition().name
                && words.any(|word| word == form || widened.as_deref() == Some(word))
        })
    }

    /// The words of a span in normal form.
    fn form(&self, span: &reader::Span) -> String {
        crate::naming::normalise(self.words(span))
    }

    fn read_span(&mut self, span: &reader::Span) -> Result<(), Damage> {
        match span.role {
            Role::Cause => match span.operation {
                Operation::Not => return self.read_unwanted(span),
                Operation::Clear => self.take(span, Value::NoCause, "any cause"),
                // Whoever asks for foundations and nothing else asks for a kind.
                Operation::Set if self.is_foundation(span) => {
                    let value = Value::Flag(Flag::Foundation, Some(true));
                    self.take(span, value, Flag::Foundation.description());
                }
                // `toda la isla` says where and not what.
                _ if self.earlier.is_some()
                    && phrases::has("whole state", &self.form(span))
                    && !says(self.text, "not the whole state") =>
                {
                    self.take(span, Value::WholeState, "the whole state");
                }
                _ => self.causes.push((span.bytes.clone(), span.operation)),
            },
            // A name and no other word: whether it is one is for the index of names to say too.
            Role::Name if self.is_bare && span.operation != Operation::Not => {
                self.causes.push((span.bytes.clone(), Operation::Set));
            }
            Role::Name => return self.read_name(span),
            Role::Amount
            | Role::Revenue
            | Role::Expenses
            | Role::Assets
            | Role::Employees
            | Role::Score
            | Role::Rating => self.read_amount(span),
            Role::Count => self.read_count(span),
            Role::Vetted if self.is_doubtful(span) => {
                self.causes.push((span.bytes.clone(), span.operation));
            }
            // `the Y` is a kind, and no code of a major group.
            Role::Ntee if self.is_term(span) => {
                self.causes.push((span.bytes.clone(), span.operation));
            }
            // `no big law firms`: of what is unwanted.
            Role::Size if self.is_of_unwanted(span) => {}
            Role::Nothing | Role::Place | Role::Near | Role::Reference | Role::Number => {}
            _ => match self.value_of(span) {
                (Some(value), meaning) => self.take(span, value, &meaning),
                (None, _) => self.leave_unread(span.bytes.clone()),
            },
        }
        Ok(())
    }

    /// What a span asks for by its words alone, and that in words; `None` where they say nothing.
    fn value_of(&self, span: &reader::Span) -> (Option<Value>, String) {
        let words = self.words(span);
        let is_cleared = span.operation == Operation::Clear;
        let is_wanted = span.operation != Operation::Not && !is_opposite(span.role, words);
        let flag = |flag: Flag| {
            let asked = Some(is_wanted).filter(|_| !is_cleared);
            let said = match asked {
                Some(true) => flag.description(),
                Some(false) => flag.negated_description(),
                None => "",
            };
            (Some(Value::Flag(flag, asked)), said.to_owned())
        };
        let listed = |kind: &str, said: Vec<String>, value: Value| {
            let said = (!said.is_empty()).then(|| format!("{kind}{}", said.join(" or ")));
            ((is_cleared || said.is_some()).then_some(value), said.unwrap_or_default())
        };
        match span.role {
            Role::Size => {
                let sizes = sizes_in(words);
                let said = sizes.iter().map(|size| size.name().to_owned()).collect();
                listed("size ", said, Value::Sizes(sizes))
            }
            Role::Sdg => {
                let goals = goals_in(words);
                let said = (!goals.is_empty()).then(|| sdg::numbers_in_words(goals));
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
            Role::Foundation if !is_private(words) => {
                (without_community(words).filter(|_| !is_wanted), String::new())
            }
            Role::Foundation => flag(Flag::Foundation),
            Role::Deductible => flag(Flag::Deductible),
            // `their own tax status` asks for none that lost it.
            Role::Revoked if is_wanted && !says(words, "lost") => (None, String::new()),
            Role::Revoked => flag(Flag::Inactive),
            Role::Vetted => flag(Flag::Vetted),
            Role::Sort => {
                let sort = sort_of(span).filter(|_| !is_cleared);
                let said = sort.map(|sort| sort.description().to_owned());
                listed("sorted by ", said.into_iter().collect(), Value::Sort(sort))
            }
            Role::Ein => {
                let eins = eins_in(words);
                listed("EIN ", eins.iter().map(ToString::to_string).collect(), Value::Eins(eins))
            }
            // The model knows no role of years, and none of figures that are to be known.
            Role::Unread => match self.bounded(span) {
                Some((figure, range)) => {
                    let value = Value::Range { figure, range, is_named: false };
                    (Some(value), range_words(figure, range))
                }
                None => (None, String::new()),
            },
            _ => (None, String::new()),
        }
    }

    /// The figure that a span without a role bounds: years, or whatever revenue is known.
    fn bounded(&self, span: &reader::Span) -> Option<(Figure, Range)> {
        if phrases::has("known figure", &self.form(span)) {
            return Some((Figure::Revenue, Range { min: Some(0.0), max: None }));
        }
        year::bounded(self.words(span)).filter(|_| span.operation == Operation::Set)
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

    /// Years that no span marks: `which of them go back before 1990`.
    fn read_unmarked_years(&mut self) {
        let is_range = |edit: &Edit| matches!(edit.value, Value::Range { .. });
        if self.message.intent.label == Intent::Find
            && !self.edits.iter().any(is_range)
            && let Some((figure, range)) = year::bounded(self.text)
        {
            let value = Value::Range { figure, range, is_named: false };
            self.edits.push(Edit { value, operation: Operation::Set });
        }
    }

    /// Reports a size that contradicts the amounts as not understood: amounts are the more exact.
    fn leave_impossible_sizes(&mut self) {
        let amounts = self.edits.iter().filter_map(|edit| match edit.value {
            Value::Range { figure: Figure::Revenue | Figure::Expenses, range, .. } => Some(range),
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
            self.parts.push(UnderstoodSpan {
                span,
                meaning: format!("the first {count}"),
                confidence,
            });
        }
    }

    /// A bound of a figure, or a number that corrects one. Of two contradictory bounds the first
    /// holds, and the second is reported.
    fn read_amount(&mut self, span: &reader::Span) {
        let is_unsure =
            span.operation == Operation::Clear && span.probability < CLEARED_PROBABILITY_MIN;
        let is_age = matches!(span.role, Role::Score | Role::Rating | Role::Amount)
            && amount::is_age(self.text, &span.bytes);
        if is_unsure || is_age || amount::is_askers(self.text, &span.bytes) {
            return;
        }
        let span = &bound::in_measure_spoken_of(self.text, self.message, span, self.earlier);
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
            Intent::Similar => NameUse::Similar,
            _ if span.operation == Operation::Not => return self.read_unwanted_names(span),
            _ => NameUse::Itself,
        };
        if self.edits.iter().any(|edit| matches!(edit.value, Value::Organization(_))) {
            return Ok(());
        }
        let asked = without_article(self.words(span));
        let found = organization::named_organization(asked, wanted, self.names)?;
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
            self.parts.push(UnderstoodSpan { span, meaning: meaning.to_owned(), confidence });
        }
    }

    fn leave_unread(&mut self, bytes: Span<usize>) {
        self.unread.push((bytes.start, self.text[bytes].to_owned()));
    }
}
