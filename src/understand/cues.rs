//! What a query says of those before it: that it goes on, what it clears, that it begins anew.

use super::amount;
use super::phrases;
use super::token::{Mark, Tokens};

/// What a follow-up may clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    Places,
    /// The city, not its state.
    City,
    Revenue,
    Expenses,
    Assets,
    Employees,
    Score,
    Rating,
    Sizes,
    Goals,
    Codes,
    Order,
    Cause,
    Standing,
    Vetting,
    /// The upper bounds of all figures.
    Upper,
    /// The lower ones.
    Lower,
}

impl Slot {
    /// By its name in the table of phrases.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "places" => Self::Places,
            "city" => Self::City,
            "revenue" => Self::Revenue,
            "expenses" => Self::Expenses,
            "assets" => Self::Assets,
            "employees" => Self::Employees,
            "score" => Self::Score,
            "rating" => Self::Rating,
            "sizes" => Self::Sizes,
            "goals" => Self::Goals,
            "codes" => Self::Codes,
            "order" => Self::Order,
            "cause" => Self::Cause,
            "standing" => Self::Standing,
            "vetting" => Self::Vetting,
            "upper" => Self::Upper,
            "lower" => Self::Lower,
            _ => return None,
        })
    }
}

/// What an opening does with the cause that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// Another comes on top.
    Narrows,
    /// Another takes its place.
    Replaces,
    /// What was said before was not meant.
    Corrects,
}

/// What a query says of those before it.
#[derive(Debug, Clone)]
pub struct Cues {
    /// The query without what it clears.
    pub rest: String,
    is_reset: bool,
    pub(super) cleared: Vec<Slot>,
    pub(super) opening: Option<Cause>,
    /// Whether places and the like come on top.
    pub(super) adds: bool,
    /// The amount that is all that a correction says: `I meant 1 million`.
    pub(super) amount: Option<f64>,
}

impl Cues {
    /// Reads a query for what it says of those before it.
    pub fn of(query: &str) -> Self {
        let mut tokens = Tokens::of(query);
        let end = tokens.list.iter().rposition(|token| !token.is_boundary()).map_or(0, |at| at + 1);
        let is_reset = tokens.any_phrase(0, phrases::of("reset")) == Some(end);
        let instead = mark_instead(&mut tokens, end);
        let adds = (0..end.min(2)).any(|at| tokens.any_phrase(at, phrases::of("also")).is_some())
            || tokens.any_phrase(end.saturating_sub(2), ["as well"]).is_some()
            || tokens.any_phrase(end.saturating_sub(1), ["too"]).is_some();
        let cleared = read_cleared(&mut tokens, end);
        let opening = read_opening(&mut tokens, end);
        let leaves_out = tokens.any_phrase(0, phrases::of("left out")).is_some();
        let opening = opening.or(leaves_out.then_some(Cause::Narrows));
        let mut rest = query.to_owned();
        for token in tokens.list.iter().rev().filter(|token| token.mark == Mark::Noise) {
            rest.replace_range(token.span.clone(), "");
        }
        let opening = match opening {
            // `those above 2 million instead`.
            Some(Cause::Narrows) | None if instead => Some(Cause::Replaces),
            opening => opening.or(adds.then_some(Cause::Narrows)),
        };
        let amount = lone_amount(&tokens, end).filter(|_| opening == Some(Cause::Corrects));
        Self { rest, is_reset, cleared, opening, adds, amount }
    }
}

/// The amount that is all that is left.
fn lone_amount(tokens: &Tokens, end: usize) -> Option<f64> {
    let first = (0..end).find(|&at| tokens.list[at].is_free() && !tokens.list[at].is_boundary())?;
    let amount = amount::at(tokens, first).filter(|amount| amount.tokens.end == end)?;
    (amount.low == amount.high && amount.low >= 1_000.0).then_some(amount.low)
}

impl Cues {
    /// Whether the query asks to forget what was before, and nothing else.
    pub fn is_reset(&self) -> bool {
        self.is_reset
    }

    /// Whether it begins as what changes or goes on from something before.
    pub fn goes_on(&self) -> bool {
        self.opening.is_some() || !self.cleared.is_empty()
    }
}

/// How a query begins, if as one that goes on; its first words are noise to the other readers.
fn read_opening(tokens: &mut Tokens, end: usize) -> Option<Cause> {
    let mut opening: Option<Cause> = None;
    let mut start = 0;
    // `could you please include only those`, `oh sorry, I meant`: several, and courtesies between.
    loop {
        let polite = |at: &usize| {
            let token = &tokens.list[*at];
            token.is_boundary() || !token.is_free() || POLITE.contains(&&*token.form)
        };
        let first = (start..end).find(|at| !polite(at)).unwrap_or(end);
        let found = (start..=first.min(end.saturating_sub(1))).find_map(|at| {
            let openings = phrases::meanings("opening").filter_map(|(meaning, names)| {
                let cause = match meaning {
                    "narrows" => Cause::Narrows,
                    "corrects" => Cause::Corrects,
                    _ => Cause::Replaces,
                };
                Some((tokens.any_phrase(at, names)?, cause))
            });
            openings.max_by_key(|found| found.0)
        });
        let Some((to, cause)) = found else { return opening.or_else(|| only_behind(tokens, end)) };
        opening = match opening {
            Some(Cause::Corrects) => opening,
            _ => Some(cause),
        };
        tokens.mark(0..to, Mark::Noise);
        start = to;
    }
}

/// `theaters only`, `theaters there`: what is meant instead.
fn only_behind(tokens: &mut Tokens, end: usize) -> Option<Cause> {
    let last = end.checked_sub(1).filter(|&last| last > 0)?;
    // `who is out there` means no place.
    let before = tokens.form(last - 1);
    let there = tokens.form(last) == "there" && !matches!(before, "out" | "is" | "are" | "from");
    if tokens.form(last) != "only" && !there {
        return None;
    }
    tokens.mark(last..end, Mark::Noise);
    Some(Cause::Replaces)
}

/// Words before an opening that say nothing.
const POLITE: [&str; 34] = [
    "could", "you", "please", "can", "would", "include", "show", "me", "just", "i", "want", "id",
    "like", "lets", "ok", "okay", "uh", "um", "so", "oh", "hmm", "well", "pls", "plz", "no", "yes",
    "maybe", "dear", "the", "now", "thanks", "to", "see", "prefer",
];

/// Whether something is said to be instead of what was before; the words that say so behind it are noise.
fn mark_instead(tokens: &mut Tokens, end: usize) -> bool {
    let mut instead = false;
    for at in 0..end {
        if let Some(to) = tokens.any_phrase(at, phrases::of("instead")) {
            instead = true;
            if tokens.form(to) == "of" {
                // What it is to be instead of is asked for no longer.
                let stop = (to..end).find(|&at| tokens.list[at].is_boundary()).unwrap_or(end);
                tokens.mark(at..stop, Mark::Noise);
            } else if at > 0 && to == end {
                tokens.mark(at..to, Mark::Noise);
            }
        }
    }
    instead
}

/// What is to be asked for no longer; the tokens that say so are noise to the other readers.
fn read_cleared(tokens: &mut Tokens, end: usize) -> Vec<Slot> {
    let mut cleared = Vec::new();
    for at in 0..end {
        if let Some(to) = tokens.any_phrase(at, phrases::of("everywhere")) {
            let to = tokens.any_phrase(to, phrases::of("behind slot")).unwrap_or(to);
            cleared.push(Slot::Places);
            tokens.mark(at..to, Mark::Noise);
        }
        if let Some(to) = tokens.any_phrase(at, phrases::of("whole state")) {
            let to = tokens.any_phrase(to, phrases::of("behind slot")).unwrap_or(to);
            // `the whole state of Louisiana` names it.
            if tokens.form(to) != "of" {
                cleared.push(Slot::City);
            }
            tokens.mark(at..to, Mark::Noise);
        }
        let Some(mut to) = tokens.any_phrase(at, phrases::of("clear")) else { continue };
        // `the vetting and the revenue cap`.
        while let Some((end_of_slot, slot)) = slot_at(tokens, to) {
            // `any size`, but not `any city ballet`.
            if matches!(tokens.form(at), "any" | "all") && end_of_slot < end {
                break;
            }
            cleared.push(slot);
            to = end_of_slot;
            let next = match tokens.form(to) {
                "and" | "or" if tokens.form(to + 1) == "the" => to + 2,
                "and" | "or" => to + 1,
                _ => to,
            };
            tokens.mark(at..to, Mark::Noise);
            match slot_at(tokens, next).filter(|_| next > to) {
                Some(_) => {
                    tokens.mark(to..next, Mark::Noise);
                    to = next;
                }
                None => break,
            }
        }
    }
    cleared
}

/// What may be cleared, named at a position, and where its name ends.
fn slot_at(tokens: &Tokens, at: usize) -> Option<(usize, Slot)> {
    let (to, slot) = phrases::meanings("slot")
        .filter_map(|(slot, names)| Some((tokens.any_phrase(at, names)?, Slot::named(slot)?)))
        .max_by_key(|found| found.0)?;
    Some((tokens.any_phrase(to, phrases::of("behind slot")).unwrap_or(to), slot))
}
