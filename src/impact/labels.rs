//! What a number in a report counts, as far as its words, its row or the passage next to it say.

use super::counted;
use super::extract::{self, Strictness};
use super::lexicon::{self, Count, looks_plural};
use super::number::{Figure, Quantity};
use super::token::{Token, TokenKind, Tokens};

/// Words of a label that tell what is counted.
const LABEL_WORDS_MAX: usize = 6;

/// The kind of what is counted, its unit, and the words that say so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Naming {
    pub(super) kind: String,
    pub(super) unit: String,
    pub(super) text: String,
}

/// What a number with its label behind it counts, where the label names what may be counted, or what was done.
pub(super) fn naming(said: &str) -> Option<Naming> {
    let tokens = Tokens::of(said);
    let figures = extract::figures(&tokens, Strictness::Accomplishments);
    if let Some(Figure { kind, unit, text, .. }) = figures.into_iter().next() {
        return Some(Naming { kind, unit, text: said[text].to_owned() });
    }
    let TokenKind::Number(_) = tokens.at(0).kind else { return None };
    let label = words_behind(&tokens, 1);
    let is_done = label.first().is_some_and(|token| token.word.verb.is_some_and(|verb| verb.past));
    let head = head(label).or_else(|| is_done.then(|| label.len() - 1))?;
    let is_own = |token: &Token<'_>| {
        token.is_in("staff")
            || token.is_in("governing")
            || lexicon::lists("money_labels", &token.lower)
    };
    let refused = label.iter().any(is_own);
    (!refused).then(|| Naming {
        kind: joined(&label[..=head]),
        unit: label[head].lower.clone(),
        text: said[..label[head].end].to_owned(),
    })
}

/// Whether a label or the heading of a column names what may be counted.
pub(super) fn counts(label: &str) -> bool {
    !label.is_empty() && naming(&format!("3 {}", uncapitalised(label))).is_some()
}

/// What the number of a cell counts: its column names it, or else the label of the row or the part of that behind a comma.
pub(super) fn of_cell(column: &str, label: &str) -> Option<Naming> {
    let of_column = Tokens::of(column);
    let noun = of_column.iter().rfind(|token| token.word.noun.is_some());
    let noun = noun.map(|token| token.lower.clone());
    let part = label.split_once(", ").map(|(_, part)| part.to_owned());
    let labels = [noun, Some(uncapitalised(label)), part].into_iter().flatten();
    labels.filter(|label| !label.is_empty()).find_map(|label| naming(&format!("3 {label}")))
}

/// What any text that stands for a label names.
pub(super) fn of_label(label: &str) -> Option<Naming> {
    let tokens = Tokens::of(label);
    let words: Vec<&Token<'_>> =
        tokens.iter().filter(|token| token.kind == TokenKind::Word).take(LABEL_WORDS_MAX).collect();
    let unit = words.iter().find(|token| is_counted(token)).or(words.last())?;
    let kind: Vec<&str> = words.iter().map(|token| token.lower.as_str()).collect();
    Some(Naming { kind: kind.join(" "), unit: unit.lower.clone(), text: label.to_owned() })
}

/// The figure of a number in running text, named by the words behind it or else by those before it.
pub(super) fn in_text(tokens: &Tokens<'_>, quantity: &Quantity) -> Option<Figure> {
    let Quantity { value, first, end, .. } = *quantity;
    let from = |first: usize, end: usize| tokens[first].start..tokens[end - 1].end;
    if let Some(counted) = counted::counted(tokens, end) {
        let kind = if counted.kind.is_empty() { counted.unit.clone() } else { counted.kind };
        let text = from(first, counted.end);
        return Some(Figure { value, unit: counted.unit, kind, text, at: first, end: counted.end });
    }
    let behind = words_behind(tokens, end);
    if let Some(last) = behind.len().checked_sub(1) {
        let head = head(behind).unwrap_or(last);
        let (unit, kind) = (behind[head].lower.clone(), joined(&behind[..=head]));
        let text = from(first, end + head + 1);
        return Some(Figure { value, unit, kind, text, at: first, end: end + head + 1 });
    }
    let is_part = |token: &&Token<'_>| token.kind == TokenKind::Word;
    let label_end = tokens[..first].iter().rposition(|token| token.kind == TokenKind::Word)? + 1;
    let words = tokens[..label_end].iter().rev().take(LABEL_WORDS_MAX);
    let label = &tokens[label_end - words.take_while(is_part).count()..label_end];
    let unit = label.iter().rfind(|token| is_counted(token)).or(label.last())?.lower.clone();
    let text = label[0].start..tokens[end - 1].end;
    Some(Figure { value, unit, kind: joined(label), text, at: first, end })
}

/// The words from a token on that may be a label.
fn words_behind<'a, 't>(tokens: &'a Tokens<'t>, from: usize) -> &'a [Token<'t>] {
    let is_part = |token: &&Token<'_>| token.kind == TokenKind::Word && !token.is_in("ends");
    let words = tokens[from..].iter().take(LABEL_WORDS_MAX);
    &tokens[from..from + words.take_while(is_part).count()]
}

/// The word of a label that names what is counted.
fn head(label: &[Token<'_>]) -> Option<usize> {
    label.iter().position(is_counted)
}

fn is_counted(token: &Token<'_>) -> bool {
    match token.word.noun {
        Some(noun) => !matches!(noun.count, Count::Never | Count::Own),
        None => looks_plural(&token.lower),
    }
}

fn joined(tokens: &[Token<'_>]) -> String {
    tokens.iter().map(|token| token.lower.as_str()).collect::<Vec<_>>().join(" ")
}

/// A label as it stands behind its number, unless it is in capitals.
fn uncapitalised(label: &str) -> String {
    let mut chars = label.chars();
    let first = chars.next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
    match chars.clone().next() {
        Some(second) if second.is_uppercase() => label.to_owned(),
        _ => first + chars.as_str(),
    }
}
