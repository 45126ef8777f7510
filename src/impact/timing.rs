//! Which statement of time a figure is of: one that opens its statement, or stands in its clause.
//!
//! A statement of time about something else in the same sentence is worse than none, so a comma, a
//! number or a parenthesis between the two parts most of them.

use super::number::Figure;
use super::span::{self, Span};
use super::token::{Token, Tokens};

/// Tokens from a figure to a statement of time behind it.
const BEHIND_REACH: usize = 25;

/// Tokens from a figure to a rate behind it.
const RATE_REACH: usize = 14;

/// Tokens before a statement of time that still opens what it stands in.
const OPENING: usize = 4;

/// Tokens from a statement of time that opens nothing to the figure behind it.
const BEFORE_REACH: usize = 16;

/// Words of a heading with a year.
const HEADING_MAX: usize = 10;

/// The statements of time of a sentence, and how its tokens hang together.
pub(super) struct Timing<'a, 't> {
    tokens: &'a Tokens<'t>,
    spans: Vec<Span>,
    /// Of each token the statement that it stands in: its first token.
    statements: Vec<usize>,
    /// Of each token the parenthesis that it stands in: the token that opens it, or none.
    parentheses: Vec<Option<usize>>,
    /// How many amounts stand before each token.
    amounts: Vec<usize>,
    /// The first token that ends a heading: an amount, a parenthesis, the end of a statement.
    heading_end: usize,
}

impl<'a, 't> Timing<'a, 't> {
    /// Reads the statements of time of a sentence; `report_year` is as in [`span::spans`].
    pub(super) fn new(tokens: &'a Tokens<'t>, report_year: i32) -> Self {
        let mut statements = Vec::with_capacity(tokens.len());
        let mut parentheses = Vec::with_capacity(tokens.len());
        let mut amounts = Vec::with_capacity(tokens.len());
        let (mut start, mut open, mut count) = (0, None, 0);
        for (at, token) in tokens.iter().enumerate() {
            if token.is_punctuation(')') {
                open = None;
            }
            amounts.push(count);
            count += usize::from(token.is_amount());
            statements.push(start);
            parentheses.push(open);
            if token.is_punctuation('(') {
                open = Some(at);
            }
            if token.parts_statements() && open.is_none() {
                start = at + 1;
            }
        }
        let ends = |token: &Token<'_>| {
            token.is_amount() || token.parts_statements() || token.is_punctuation('(')
        };
        let heading_end = tokens.iter().position(ends).unwrap_or(tokens.len());
        let spans = span::spans(tokens, report_year);
        Self { tokens, spans, statements, parentheses, amounts, heading_end }
    }

    /// The statement of time that a figure is of, the nearest one if there are several.
    pub(super) fn of(&self, figure: &Figure) -> Option<Span> {
        let distance = |span: &Span| match span.first > figure.at {
            true => span.first.saturating_sub(figure.end),
            false => figure.at.saturating_sub(span.end),
        };
        let applies = |span: &&Span| match span.first > figure.at {
            true => self.trailing_span_applies(figure, span),
            false => self.leading_span_applies(figure, span),
        };
        self.spans.iter().filter(applies).min_by_key(|span| distance(span)).copied()
    }

    fn together(&self, figure: &Figure, span: &Span) -> bool {
        self.statements[figure.at] == self.statements[span.first]
            && self.parentheses[figure.at] == self.parentheses[span.first]
    }

    fn trailing_span_applies(&self, figure: &Figure, span: &Span) -> bool {
        let mut between = &self.tokens[figure.end.min(span.first)..span.first];
        let ends = self.tokens.at(span.end).parts_statements();
        // `for 365 men, annually;`
        if span.rate && ends && between.last().is_some_and(|token| token.is_punctuation(',')) {
            between = &between[..between.len() - 1];
        }
        let reach = if span.rate { RATE_REACH } else { BEHIND_REACH };
        if !self.together(figure, span) || between.len() > reach {
            return false;
        }
        if span.rate {
            let acts = |token: &Token<'_>| token.word.verb.is_some();
            // `and distributes`, but not `large and small`.
            let clause = |at: usize| between[at + 1..].iter().take(2).any(acts);
            return !between.iter().enumerate().any(|(at, token)| {
                token.is_amount() || token.is_in("rate_stops") || (token.is("and") && clause(at))
            });
        }
        // `…, and in 2022 we opened`: it opens what follows.
        let before = self.tokens.before(span.first, 1);
        let opens = before.is_in("clause_openings") || (before.is_punctuation(',') && !ends);
        let relative = between
            .windows(2)
            .any(|pair| pair[0].is_punctuation(',') && pair[1].is_in("relatives"));
        !opens && !relative && !between.iter().any(|token| token.is_punctuation(':'))
    }

    fn leading_span_applies(&self, figure: &Figure, span: &Span) -> bool {
        if self.heads(figure, span) {
            return true;
        }
        if !self.together(figure, span) {
            return false;
        }
        let start = self.statements[span.first];
        let between = &self.tokens[span.end.min(figure.at)..figure.at];
        let first = self.amounts[start] == self.amounts[span.first];
        if first && span.first - start <= OPENING {
            return true;
        }
        let before = self.tokens.before(span.first, 1);
        if before.is_in("clause_openings") || before.is_punctuation(',') {
            return true;
        }
        if span.rate {
            return self.tokens.at(span.end).word.verb.is_some_and(|verb| verb.does);
        }
        let parted = |token: &Token<'_>| token.is_amount() || token.is_in("time_stops");
        let reach = if first { BEFORE_REACH } else { BEFORE_REACH / 2 };
        between.len() <= reach && !between.iter().any(parted)
    }

    /// Whether a statement of time is of a heading, which is of all that follows it:
    /// `Facts for 2021-2022: 40 workshops were held; 60 people were trained`.
    fn heads(&self, figure: &Figure, span: &Span) -> bool {
        let from = span.end.min(self.tokens.len());
        let words = self.tokens[from..figure.at.max(from)]
            .iter()
            .take(HEADING_MAX)
            .take_while(|token| !token.is_punctuation(':') && !token.is_amount())
            .count();
        self.tokens.at(from + words).is_punctuation(':')
            && from + words < figure.at
            && self.parentheses[figure.at].is_none()
            && span.first <= self.heading_end
    }
}
