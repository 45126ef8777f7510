//! Figures in lists: what goes on with the figure before it, and numbers behind their labels.

use super::lexicon::Count;
use super::number::{Figure, Quantity};
use super::token::{Token, TokenKind, Tokens};

/// Whether tokens between two figures make the second continue the first: `400 students, 35
/// teachers and 12 schools`.
pub(super) fn joined(between: &[Token<'_>]) -> bool {
    let between = behind_parenthesis(between);
    between.len() <= 3 && between.iter().all(|token| token.is_in("joints"))
}

/// Tokens of a parenthesis over which a list goes on.
const PARENTHESIS_MAX: usize = 14;

/// What stands behind the parenthesis with which tokens begin, if they do: `61 asylum cases (14
/// affirmative) and 67 other cases`.
fn behind_parenthesis<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    let opens = tokens.first().is_some_and(|token| token.is_punctuation('('));
    let close = tokens.iter().take(PARENTHESIS_MAX).position(|token| token.is_punctuation(')'));
    match close.filter(|_| opens) {
        Some(close) => &tokens[close + 1..],
        None => tokens,
    }
}

/// Words of a label before a number.
const LABEL_MAX: usize = 7;

/// The figure of a number behind its label: `Number of individuals served: 18,468`.
pub(super) fn label(tokens: &Tokens<'_>, quantity: &Quantity) -> Option<Figure> {
    let colon = quantity.first.checked_sub(1)?;
    let (before, next) = (&tokens[colon], tokens.at(quantity.end));
    let verbal = before.is_in("copulas");
    let sign = matches!(before.kind, TokenKind::Punctuation(':' | '-' | '–' | '—' | '='));
    let ends = match next.kind {
        TokenKind::Punctuation(sign) => !matches!(sign, '%' | '/' | '-'),
        TokenKind::Word => verbal && next.is("and"),
        kind => kind == TokenKind::End,
    };
    let counts = quantity.value >= 3.0 && quantity.value.fract() == 0.0;
    if !(verbal || sign) || !ends || quantity.yearlike || quantity.spanlike || !counts {
        return None;
    }
    let words = tokens[..colon].iter().rev().take(LABEL_MAX);
    let length = words.take_while(|token| token.kind == TokenKind::Word).count();
    // The label must begin its clause, or the number may belong to what stands before.
    let words = &tokens[colon - length..colon];
    let head = words.iter().rposition(|token| token.word.noun.is_some())?;
    let noun = words[head].word.noun?;
    let strong = matches!(noun.count, Count::Person | Count::Animal | Count::Thing);
    let served =
        words[head + 1..].iter().any(|token| token.word.verb.is_some_and(|verb| verb.past));
    let says = |word| words[..head].iter().any(|token| token.is(word));
    let told = says("number") || (!verbal && (served || says("total")));
    let planned = words.iter().any(|token| token.is_in("hypothetical") || token.is_in("governing"));
    (strong && told && !planned && length < LABEL_MAX).then(|| Figure {
        value: quantity.value,
        unit: words[head].lower.clone(),
        kind: noun.kind.to_owned(),
        text: words[0].start..tokens[quantity.end - 1].end,
        at: quantity.first,
        end: quantity.end,
    })
}
