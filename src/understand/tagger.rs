//! A message labelled without the trained model: recognisers find what tokens may be part of, lists
//! of phrases (`data/phrases.tsv`) decide among the labels, and the rest is the cause.
//!
//! It is the baseline that the model is measured by. Its only knowledge of a conversation is that a
//! message with neither a cause nor a nonprofit continues the one before.

use std::ops::Range;

use super::amount::{AmountRange, range_at};
use super::area::NamedArea;
use super::phrases::{self, is_common, is_counted};
use super::place::{self, Trust};
use super::token::{Token, TokenKind, Tokens};
use super::{area, cause, code, sdg};
use crate::reader::{
    Act, Bound, Direction, Intent, Language, Message, Operation, Prediction, Role, SortBy, Span,
};

/// How sure a recogniser is that says so by itself, and one that a word beside it has to confirm.
const SURE: f32 = 0.95;
const LIKELY: f32 = 0.7;
/// Words that may stand between an amount and the figure that it is of.
const FIGURE_REACH: usize = 3;
/// Digits of a year.
const YEAR_DIGITS: usize = 4;

/// A message whose tokens are being claimed.
struct Tagger<'a> {
    text: &'a str,
    tokens: Tokens,
    /// Tokens that are part of a span, or lead to one.
    is_claimed: Vec<bool>,
    /// Tokens of phrases that are part of a cause.
    is_kept: Vec<bool>,
    spans: Vec<Span>,
}

/// Labels a message.
pub fn tag(text: &str) -> Message {
    let tokens = Tokens::of(text);
    let (is_claimed, is_kept) = (vec![false; tokens.len()], vec![false; tokens.len()]);
    let mut tagger = Tagger { text, tokens, is_claimed, is_kept, spans: Vec::new() };
    let intent = tagger.tag_name();
    tagger.tag_listed();
    tagger.tag_amounts();
    tagger.tag_places();
    tagger.tag_sizes();
    tagger.tag_causes();
    let mut spans = tagger.spans;
    spans.sort_by_key(|span| span.bytes.start);
    let stands_alone = |span: &Span| matches!(span.role, Role::Cause | Role::Name | Role::Ein);
    let act = if spans.iter().any(stands_alone) { Act::New } else { Act::On };
    Message {
        intent: Prediction { label: intent, probability: SURE },
        names_one: 0.5,
        act: Prediction { label: act, probability: SURE },
        fact: None,
        language: Prediction { label: Language::English, probability: SURE },
        spans,
    }
}

impl Tagger<'_> {
    /// Whether a token is part of something else than a filter that is still looked for.
    fn is_other(&self, at: usize) -> bool {
        self.is_claimed[at] || self.is_kept[at]
    }

    /// Claims tokens for a role, with a negating word before them; `None` where one of them is something
    /// else already.
    fn claim(&mut self, tokens: Range<usize>, role: Role) -> Option<&mut Span> {
        if tokens.is_empty() || tokens.clone().any(|at| self.is_other(at)) {
            return None;
        }
        let negated = self.tokens.any_phrase_before(tokens.start, phrases::of("left out"));
        self.is_claimed[negated.unwrap_or(tokens.start)..tokens.start].fill(true);
        let operation = if negated.is_some() { Operation::Not } else { Operation::Set };
        Some(self.claim_all(tokens, role, operation))
    }

    fn claim_all(&mut self, tokens: Range<usize>, role: Role, operation: Operation) -> &mut Span {
        self.is_claimed[tokens.clone()].fill(true);
        let bytes = self.tokens.span(tokens);
        self.spans.push(Span { probability: SURE, ..Span::told(role, bytes, operation) });
        let last = self.spans.len() - 1;
        &mut self.spans[last]
    }

    /// Behind words that announce a name the rest of the sentence is one, but for what only says what
    /// nonprofits do.
    fn tag_name(&mut self) -> Intent {
        let announced = (0..self.tokens.len()).find_map(|at| {
            let behind = |list| self.tokens.any_phrase(at, phrases::of(list));
            behind("similar to")
                .map(|first| (at, first, Intent::Similar))
                .or_else(|| behind("about one").map(|first| (at, first, Intent::Details)))
        });
        let Some((at, first, intent)) = announced else { return Intent::Find };
        let ends = |at: &usize| {
            let token = &self.tokens.list[*at];
            matches!(token.kind, TokenKind::Punctuation('?' | '!' | ';'))
                || phrases::has("behind name", &token.form)
        };
        let end = (first..self.tokens.len()).find(ends).unwrap_or(self.tokens.len());
        let is_cause = |at: usize| {
            let form = self.tokens.form(at);
            is_common(form) || cause::is_known_word(form)
        };
        if (first..end).all(is_cause) || self.claim(first..end, Role::Name).is_none() {
            return Intent::Find;
        }
        self.is_claimed[at..first].fill(true);
        intent
    }

    /// What lists and forms of its own tell: codes, goals, orders, flags, years; and phrases of causes,
    /// which nothing else may take apart.
    fn tag_listed(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            at = self.listed_at(at).unwrap_or(at + 1);
        }
    }

    fn listed_at(&mut self, at: usize) -> Option<usize> {
        let tokens = &self.tokens;
        let coded = code::ein_at(tokens, at)
            .map(|(_, end)| (at..end, Role::Ein))
            .or_else(|| code::subsections_at(tokens, at).map(|end| (at..end, Role::Subsection)))
            .or_else(|| code::ntee_at(tokens, at).map(|found| (found, Role::Ntee)))
            .or_else(|| sdg::goals_at(tokens, at).map(|found| (found, Role::Sdg)));
        if let Some((found, role)) = coded {
            self.claim(found.clone(), role)?;
            return Some(found.end);
        }
        if let Some((sort_by, direction, end)) = order_at(tokens, at) {
            let span = self.claim(at..end, Role::Sort)?;
            (span.sort_by, span.direction) = (sort_by, direction);
            return Some(end);
        }
        if let Some((name, end)) = tokens.longest(at, "standing") {
            let base = name.strip_prefix("not ");
            let span = self.claim(at..end, Role::named(base.unwrap_or(name))?)?;
            if base.is_some() {
                span.operation = match span.operation {
                    Operation::Not => Operation::Set,
                    _ => Operation::Not,
                };
            }
            return Some(end);
        }
        if let Some(end) =
            tokens.any_phrase(at, phrases::of("nearest")).or_else(|| year_end(tokens, at))
        {
            self.claim(at..end, Role::Unread)?;
            return Some(end);
        }
        let kept =
            tokens.any_phrase(at, phrases::of("no place")).or(cause::phrase_end(tokens, at))?;
        self.is_kept[at..kept].fill(true);
        Some(kept)
    }

    /// Amounts with the figure and the words of comparison beside them; money that is bounded is revenue.
    fn tag_amounts(&mut self) {
        for found in self.tokens.scan(|at| range_at(&self.tokens, at)) {
            if let Some((tokens, role, bound)) = self.figure_of(&found)
                && let Some(span) = self.claim(tokens, role)
            {
                span.bound = bound;
            }
        }
    }

    fn figure_of(&self, found: &AmountRange) -> Option<(Range<usize>, Role, Bound)> {
        let tokens = &self.tokens;
        let Range { mut start, mut end } = found.tokens;
        // `K-12`, `#5`.
        if start > 0 && tokens.list[start].glued && !tokens.list[start - 1].is_boundary() {
            return None;
        }
        let before = tokens.longest_before(start, "bound before");
        let after = tokens.longest(end, "bound after");
        start = before.map_or(start, |(_, from)| from);
        end = after.map_or(end, |(_, to)| to);
        let is_between = |at: usize| phrases::has("beside field", tokens.form(at));
        let ahead = (start.saturating_sub(FIGURE_REACH)..=start)
            .rev()
            .take_while(|at| *at == start || is_between(*at))
            .find_map(|at| tokens.longest_before(at, "field"));
        let behind = (end..=end + FIGURE_REACH)
            .take_while(|at| *at == end || is_between(at - 1))
            .find_map(|at| tokens.longest(at, "field"));
        let bound = before.or(after).map(|(name, _)| name);
        let name = match (ahead, behind) {
            (Some((name, from)), _) => {
                start = from;
                name
            }
            (_, Some((name, to))) => {
                end = to;
                name
            }
            _ => {
                let last = found.second.as_ref().unwrap_or(&found.first);
                let is_money = last.is_money || found.first.is_money || last.unit > 1.0;
                let is_bounded = bound.is_some() || found.second.is_some();
                (is_money && is_bounded && !is_counted(tokens.form(end))).then_some("revenue")?
            }
        };
        // `3 stars or better`.
        let late = tokens.longest(end, "bound after").filter(|_| bound.is_none());
        end = late.map_or(end, |(_, to)| to);
        let bound = match bound.or(late.map(|(name, _)| name)) {
            Some("at least") => Bound::Min,
            Some("at most") => Bound::Max,
            Some(_) => Bound::About,
            None => Bound::None,
        };
        Some((start..end, Role::named(name)?, bound))
    }

    /// Places, with what leads to them: `within 10 miles of Boise`.
    fn tag_places(&mut self) {
        let radius = area::radius(&self.tokens).map_or(0..0, |radius| radius.tokens);
        for list in place::lists(&self.tokens, Trust::Perhaps, |at| self.is_other(at)) {
            let Range { start, end } = list.tokens;
            let form = |at: usize| self.tokens.form(at);
            let leads = |at: &usize| {
                !self.is_other(*at)
                    && (place::is_preposition(form(*at))
                        || phrases::has("beside place", form(*at))
                        || radius.contains(at))
            };
            let lead = (0..start).rev().take_while(leads).last().unwrap_or(start);
            let is_left_out = (lead..start).any(|at| phrases::has("left out", form(at)));
            let is_bare = lead == start && matches!(list.items[0].named, NamedArea::City(_, None));
            let Some(span) = self.claim(lead..end, Role::Place) else { continue };
            if is_bare {
                span.probability = LIKELY;
            }
            if is_left_out {
                span.operation = Operation::Not;
            }
        }
    }

    fn tag_sizes(&mut self) {
        for at in 0..self.tokens.len() {
            let found = self.tokens.longest(at, "size");
            // `small business`, `big brothers`.
            let is_of_others = |end: usize| phrases::has("sized", self.tokens.form(end));
            if let Some((_, end)) = found.filter(|(_, end)| !is_of_others(*end)) {
                self.claim(at..end, Role::Size);
            }
        }
    }

    /// What is left says what nonprofits do, or behind a negating word what they should not.
    fn tag_causes(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            let negated = |at: usize| self.tokens.any_phrase(at, phrases::of("left out"));
            let is_free = |at: usize| !self.is_claimed[at] && !self.is_kept[at];
            let begins = |at: usize| is_free(at) && negated(at).is_some();
            let ends = |end: &usize| self.is_claimed[*end] || (*end > at && begins(*end));
            let end = (at..self.tokens.len()).find(ends).unwrap_or(self.tokens.len());
            if let Some(first) = negated(at).filter(|first| *first < end && begins(at)) {
                let is_over = |at: &usize| self.tokens.list[*at].is_boundary();
                let clause = (first..end).find(is_over).unwrap_or(end);
                let text = &self.text[self.tokens.span(first..clause)];
                if !cause::codes_of(text).is_empty() {
                    self.claim_all(first..clause, Role::Cause, Operation::Not);
                    self.is_claimed[at..first].fill(true);
                    at = clause;
                    continue;
                }
            }
            let tells = |at: usize| {
                let token = &self.tokens.list[at];
                self.is_kept[at] || (token.is_word() && !is_common(&token.form))
            };
            if (at..end).any(tells) {
                self.claim_all(at..end, Role::Cause, Operation::Set);
            }
            at = end.max(at + 1);
        }
    }
}

/// An order by its name in the table of phrases: a key, with `-` in front when it falls.
fn order_at(tokens: &Tokens, at: usize) -> Option<(SortBy, Direction, usize)> {
    let direction = |falls: bool| if falls { Direction::Descending } else { Direction::Ascending };
    if let Some((name, end)) = tokens.longest(at, "order") {
        let key = name.strip_prefix('-');
        return Some((SortBy::named(key.unwrap_or(name))?, direction(key.is_some()), end));
    }
    let (key, end) =
        tokens.longest(tokens.any_phrase(at, phrases::of("order by"))?, "order key")?;
    let way = tokens.longest(end, "order direction");
    let falls = way.map_or(key != "name", |(name, _)| name == "falling");
    Some((SortBy::named(key)?, direction(falls), way.map_or(end, |(_, end)| end)))
}

/// Where `founded in 1999` or `founded between 1999 and 2005` ends.
fn year_end(tokens: &Tokens, at: usize) -> Option<usize> {
    let end = tokens.any_phrase(at, phrases::of("before year"))?;
    let is_year = |token: &&Token| token.is_number() && token.form.len() == YEAR_DIGITS;
    let first = tokens.get(end).filter(is_year).map(|_| end + 1)?;
    let joined = tokens.get(first).filter(|token| token.is_joint());
    let second = joined.and_then(|_| tokens.get(first + 1)).filter(is_year);
    Some(if second.is_some() { first + 2 } else { first })
}
