//! Figures in lists: what goes on with the figure before it, and numbers behind their labels.

use super::figure::Figure;
use super::lexicon::{Count, lexicon};
use super::number::Quantity;
use super::token::{Token, TokenKind};

/// Whether tokens between two figures make the second continue the first: `400 students, 35
/// teachers and 12 schools`.
pub(super) fn joined(between: &[Token<'_>]) -> bool {
    const JOINTS: [&str; 12] = [
        "and",
        "in",
        "at",
        "from",
        "across",
        "for",
        "with",
        "to",
        "plus",
        "including",
        "as",
        "well",
    ];
    let between = behind_parenthesis(between);
    between.len() <= 3
        && between.iter().all(|token| {
            matches!(token.kind, TokenKind::Punctuation(',' | '&' | ';' | '/' | '('))
                || JOINTS.contains(&token.lower.as_str())
        })
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
pub(super) fn label(tokens: &[Token<'_>], quantity: &Quantity) -> Option<Figure> {
    let colon = quantity.first.checked_sub(1)?;
    let verbal = matches!(tokens[colon].lower.as_str(), "was" | "is" | "were" | "totaled");
    let sign = matches!(tokens[colon].kind, TokenKind::Punctuation(':' | '-' | '–' | '—' | '='));
    let parted = verbal || sign;
    let ends = tokens.get(quantity.end).is_none_or(|next| {
        (verbal && next.is("and"))
            || matches!(next.kind, TokenKind::Punctuation(sign) if sign != '%' && sign != '/' && sign != '-')
    });
    if !parted
        || !ends
        || quantity.yearlike
        || quantity.spanlike
        || quantity.value < 3.0
        || quantity.value.fract() != 0.0
    {
        return None;
    }
    let from = colon.saturating_sub(LABEL_MAX);
    let opening = tokens[from..colon].iter().rposition(|token| token.kind != TokenKind::Word);
    let first = opening.map_or(from, |at| from + at + 1);
    // The label must begin its clause, or the number may belong to what stands before.
    let words = &tokens[first..colon];
    let lexicon = lexicon();
    let head = words.iter().rposition(|token| lexicon.plural(&token.lower).is_some())?;
    let noun = lexicon.plural(&words[head].lower)?;
    let strong = matches!(noun.count, Count::Person | Count::Animal | Count::Thing);
    let served = words[head + 1..]
        .iter()
        .any(|token| lexicon.verb(&token.lower).is_some_and(|verb| verb.past));
    let numbered = words[..head].iter().any(|token| token.is("number"));
    let totalled = numbered || words[..head].iter().any(|token| token.is("total"));
    let told = if verbal { numbered } else { served || totalled };
    let planned = words.iter().any(|token| {
        lexicon.lists("hypothetical", &token.lower) || lexicon.lists("governing", &token.lower)
    });
    (strong && told && !planned && words.len() < LABEL_MAX).then(|| Figure {
        value: quantity.value,
        unit: words[head].lower.clone(),
        kind: noun.kind.to_owned(),
        text: words[0].start..tokens[quantity.end - 1].end,
        at: quantity.first,
        end: quantity.end,
    })
}
