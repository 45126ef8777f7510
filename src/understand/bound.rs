//! The meaning of an amount in its context: a bound of a figure, or a correction of an earlier number.

use super::amount::{Amount, amounts_in, mended};
use super::edit::Value;
use super::frame::Frame;
use super::sentence::range_words;
use super::token::Tokens;
use super::{measures_in, phrases, says, sdg};
use crate::query::{Figure, Range, Sort, SortKey, Unit};
use crate::reader::{Act, Bound, Message, Operation, Role, Span};
use crate::record::{Sdg, SdgSet};

/// A number without a unit or a sign that is less than this is no amount of money by itself.
const MONEY_MIN: f64 = 1000.0;
/// By how much an amount without a bound (`$2 million budget`) may be missed, as a share of it.
const ABOUT: f64 = 0.25;

/// The outcome of reading an amount.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outcome {
    Value(Value),
    /// The number that is corrected: the `75` of `$175,000, not 75`.
    Corrected,
    Unread,
}

/// What a span of an amount changes, on top of the `earlier` frame.
pub(super) fn read(text: &str, message: &Message, span: &Span, earlier: Option<&Frame>) -> Outcome {
    let figure = Figure::named(span.role.name());
    if span.operation == Operation::Clear {
        return Outcome::Value(Value::AnyAmount { figure, bound: span.bound });
    }
    let bounds = matches!(span.bound, Bound::Min | Bound::Max | Bound::Range);
    if span.operation == Operation::Not && !bounds {
        return Outcome::Corrected;
    }
    // Amounts that the span touches: where it ends is less sure than that there is one.
    let found: Vec<_> = amounts_in(text)
        .into_iter()
        .filter(|(bytes, _)| bytes.start < span.bytes.end && span.bytes.start < bytes.end)
        .collect();
    // Words of comparison beside a lone amount say themselves what they mean, and so does a negation. A
    // message that goes on may speak of another bound: `raise the floor up to 2 million`.
    let compared = match &found[..] {
        [(bytes, _)] => compared(text, bytes.start, bytes.end),
        _ => None,
    };
    let is_new = message.act.label == Act::New;
    let bound = match compared.filter(|(_, is_negated)| is_new || *is_negated) {
        Some((said, is_negated)) if is_negated || span.operation == Operation::Not => {
            opposite(said)
        }
        Some((said, _)) => said,
        None if span.operation == Operation::Not => opposite(span.bound),
        None => span.bound,
    };
    let amounts: Vec<Amount> = found.into_iter().map(|(_, amount)| amount).collect();
    let corrects = |amounts: &[Amount]| {
        let has_unit = amounts.iter().any(|one| one.unit > 1.0);
        let amounts = amounts.iter().map(|one| one.low).collect();
        Outcome::Value(Value::Amounts { amounts, has_unit, bound })
    };
    let is_small =
        |one: &Amount| !one.is_money && one.unit == 1.0 && (1.0..MONEY_MIN).contains(&one.high);
    if figure.is_none_or(Figure::is_money) && amounts.iter().any(is_small) {
        let is_set = earlier.is_some_and(|earlier| {
            let ranges = &earlier.ranges;
            let is_any = || ranges.bounded().next().is_some();
            figure.map_or_else(is_any, |figure| !ranges[figure].is_open())
        });
        return match goals(&amounts, earlier).filter(|_| figure.is_none()) {
            _ if is_set => corrects(&amounts),
            Some(goals) => Outcome::Value(Value::Goals(goals)),
            None => Outcome::Unread,
        };
    }
    match figure {
        None if amounts.is_empty() => Outcome::Unread,
        None => corrects(&amounts),
        Some(figure) => {
            bounded(figure, bound, &amounts).map_or(Outcome::Unread, |(figure, range)| {
                let words = Tokens::of(&text[span.bytes.clone()]);
                let is_named = !is_new && words.has_any(phrases::of("end of range"));
                Outcome::Value(Value::Range { figure, range, is_named })
            })
        }
    }
}

/// Whether a role is that of an amount of money.
pub fn is_amount(role: Role) -> bool {
    matches!(role, Role::Amount | Role::Revenue | Role::Expenses | Role::Assets)
}

/// A message that wants the amounts and sizes before which nothing is left out: `food banks in Kentucky, anything under
/// $1 million`.
pub(super) fn wanted_unless_left_out(text: &str, mut message: Message) -> Message {
    let leaves_out = ["left out", "nothing", "removes", "takes away"];
    for span in &mut message.spans {
        let is_amount = Figure::named(span.role.name()).is_some()
            || matches!(span.role, Role::Amount | Role::Size);
        let has_word = || leaves_out.iter().any(|list| says(&text[..span.bytes.end], list));
        if is_amount && span.operation == Operation::Not && !has_word() {
            span.operation = Operation::Set;
        }
    }
    message
}

/// An amount in the measure that is spoken of, where the message names none: `only those above $1 million` of a list in
/// the order of assets.
pub(super) fn in_measure_spoken_of(
    text: &str,
    message: &Message,
    span: &Span,
    earlier: Option<&Frame>,
) -> Span {
    let by_assets = Sort::descending(SortKey::Figure(Figure::Assets));
    let is_of_assets = earlier.is_some_and(|earlier| {
        earlier.sort.first() == Some(&by_assets) && earlier.ranges[Figure::Revenue].is_open()
    });
    let names_measure = measures_in(text).into_iter().any(Figure::is_money);
    let is_open = matches!(span.role, Role::Revenue | Role::Amount) && !names_measure;
    let goes_on = message.act.label == Act::On && span.operation == Operation::Set;
    match is_of_assets && is_open && goes_on {
        true => Span { role: Role::Assets, ..span.clone() },
        false => span.clone(),
    }
}

/// The range that amounts of a figure bound, and the figure that it is of: a rating past the stars that
/// there are is a score. `None` where the figure can have no such amount.
fn bounded(figure: Figure, bound: Bound, amounts: &[Amount]) -> Option<(Figure, Range)> {
    let (first, last) = (amounts.first()?, amounts.last()?);
    let (low, high) = (first.low, last.high);
    let range = match bound {
        // `from $500K up to $3.5M`: two ends are a range, whatever the words between.
        Bound::Min if low >= last.low => Range { min: Some(low), max: None },
        Bound::Max if low >= last.low => Range { min: None, max: Some(first.high) },
        _ if low < high => Range { min: Some(low), max: Some(high) },
        // Of stars and scores more is better; nobody asks for those that have 3 only.
        _ if figure.definition().unit == Unit::Points => Range { min: Some(low), max: None },
        _ => Range {
            min: Some((low * (1.0 - ABOUT)).floor()),
            max: Some((first.high * (1.0 + ABOUT)).ceil()),
        },
    };
    // `rated 90 or higher`.
    let is_score = figure == Figure::Rating && high > figure.definition().bounds[1] + 1.0;
    let figure = if is_score { Figure::Score } else { figure };
    let [_, top] = figure.definition().bounds;
    let min = match range.min {
        // Many think of five stars; there are four.
        Some(min) if figure == Figure::Rating && min > top && min <= top + 1.0 => Some(top),
        min => min,
    };
    let max = range.max.filter(|&max| max <= top || min.is_none());
    min.is_none_or(|min| min <= top).then_some((figure, Range { min, max }))
}

/// Not over two million is under it.
fn opposite(bound: Bound) -> Bound {
    match bound {
        Bound::Min => Bound::Max,
        Bound::Max => Bound::Min,
        bound => bound,
    }
}

/// `both 14 and 15`, after goals: numbers of goals.
fn goals(amounts: &[Amount], earlier: Option<&Frame>) -> Option<SdgSet> {
    earlier.filter(|earlier| !earlier.sdgs.is_empty())?;
    let goal = |one: &Amount| Sdg::new(one.low as i64).ok().filter(|_| one.low.fract() == 0.0);
    amounts.iter().map(goal).collect()
}

/// The bound that the words next to an amount make it, and whether a negation precedes them.
fn compared(text: &str, start: usize, end: usize) -> Option<(Bound, bool)> {
    let tokens = mended(text);
    let (start, end) = (tokens.position(start), tokens.position(end));
    let before = tokens.longest_before(start, "bound before");
    let (name, from) =
        before.or_else(|| tokens.longest(end, "bound after").map(|(name, _)| (name, start)))?;
    let bound = match name {
        "at least" => Bound::Min,
        "at most" => Bound::Max,
        _ => return None,
    };
    let negates = ["left out", "nothing"].map(phrases::of).into_iter().flatten();
    Some((bound, tokens.any_phrase_before(from, negates).is_some()))
}

/// A bound in words.
pub(super) fn meaning(value: &Value) -> String {
    match value {
        Value::AnyAmount { figure: Some(figure), .. } => {
            format!("any {}", figure.definition().noun)
        }
        Value::AnyAmount { .. } => "any amount".to_owned(),
        Value::Range { figure, range, .. } => range_words(*figure, *range),
        Value::Goals(goals) => sdg::numbers_in_words(*goals),
        _ => "an amount instead".to_owned(),
    }
}
