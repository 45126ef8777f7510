//! Codes: EINs, NTEE codes, subsections of section 501(c).

use std::collections::BTreeSet;
use std::ops::Range;

use super::phrases::{self, is_common};
use super::token::{Case, Token, TokenKind, Tokens};
use crate::record::{Ein, Ntee, Subsection};
use crate::taxonomy;

/// The EINs of a text.
pub(super) fn eins_in(text: &str) -> Vec<Ein> {
    let tokens = Tokens::of(text);
    (0..tokens.len()).filter_map(|at| Some(ein_at(&tokens, at)?.0)).collect()
}

/// The EIN that begins at a token, and where it ends: `53-0196605`, `530196605`, `53 0196605`; behind a word that
/// announces one also without the zeros in front, `EIN 10631747`.
pub(super) fn ein_at(tokens: &Tokens, at: usize) -> Option<(Ein, usize)> {
    let plain = |at: usize| {
        let token = tokens.get(at)?;
        let is_plain = token.is_number() && token.form.len() == token.span.len();
        is_plain.then_some(&*token.form)
    };
    let digits = |at: usize, count: usize| plain(at).filter(|digits| digits.len() == count);
    let is_dash = |at: usize| {
        let is_sign = |token: &Token| {
            matches!(token.kind, TokenKind::Punctuation('-' | '\u{2010}'..='\u{2015}' | '\u{2212}'))
        };
        tokens.get(at).is_some_and(is_sign)
    };
    if at > 0 && tokens.has_sign(at - 1, '$') {
        return None;
    }
    if let Some(whole) = digits(at, 9) {
        return Some((whole.parse().ok()?, at + 1));
    }
    let is_announced = || {
        let before = at.checked_sub(1).map(|before| tokens.form(before));
        before.is_some_and(|word| phrases::has("ein name", word))
    };
    if let Some(ein) = plain(at).filter(|_| is_announced()).and_then(Ein::from_typed) {
        return Some((ein, at + 1));
    }
    // Nothing else is two digits and then seven.
    let rest = at + 1 + usize::from(is_dash(at + 1));
    let text = format!("{}{}", digits(at, 2)?, digits(rest, 7)?);
    Some((text.parse().ok()?, rest + 1))
}

/// The EIN that a text is, if it is nothing else but words that announce one.
pub fn ein_alone(text: &str) -> Option<Ein> {
    Ein::from_typed(text).or_else(|| {
        let tokens = Tokens::of(text);
        let (at, (ein, end)) = (0..tokens.len()).find_map(|at| Some((at, ein_at(&tokens, at)?)))?;
        let announces = |token: &Token| !token.is_word() || phrases::has("ein word", &token.form);
        let mut others = tokens.list[..at].iter().chain(&tokens.list[end..]);
        others.all(announces).then_some(ein)
    })
}

/// The subsections of section 501(c) of a text that is known to name some: `501(c)(3)`, `c4s and c6`, `19`.
pub fn subsections_in(text: &str) -> Vec<Subsection> {
    let mut found = Vec::new();
    for token in Tokens::of(text).list {
        let number = token.form.strip_prefix('c').unwrap_or(&token.form);
        let number = number.strip_suffix('s').unwrap_or(number).parse::<u8>().ok();
        let number = number.filter(|number| (1..=29).contains(number));
        if let Some(code) = number.and_then(|number| Subsection::try_from(number).ok())
            && !found.contains(&code)
        {
            found.push(code);
        }
    }
    found
}

/// Where `501(c)(3)` and what it is listed with end, if it begins at a token.
pub(super) fn subsections_at(tokens: &Tokens, at: usize) -> Option<usize> {
    let is_part = |token: &Token| {
        let rest = token.form.strip_prefix('c').unwrap_or(&token.form);
        let is_code = rest.trim_end_matches('s').parse::<u8>().is_ok();
        let is_mark = matches!(&*token.form, "501" | "(" | ")" | "-" | "c" | "s");
        is_mark || (is_code && (token.glued || rest.len() < token.form.len()))
    };
    let is_501 = tokens.form(at) == "501";
    let mut end = at + 1;
    for next in at + 1..tokens.len() {
        let token = &tokens.list[next];
        if is_part(token) || (token.is_number() && tokens.form(next - 1) == "c") {
            end = next + 1;
        } else if !token.is_joint() {
            break;
        }
    }
    (is_501 && end > at + 1).then_some(end)
}

/// The codes of a text that is known to name some: `NTEE K31`, `A20 and B25`, `E20 to E24`, `major group A`.
pub(super) fn ntee_in(text: &str) -> Vec<String> {
    let tokens = Tokens::of(text);
    let mut codes: Vec<String> = Vec::new();
    for (at, token) in tokens.list.iter().enumerate() {
        // An article, or a letter that joins, is no major group, but for the last.
        let is_capital = tokens.is_cased && token.case == Case::Upper;
        let is_word = !is_capital && is_common(&token.form) && at + 1 < tokens.len();
        let Some(code) = code_of(token).filter(|_| !is_word) else { continue };
        codes.extend(codes_between(text, &tokens, at, &code));
        codes.push(code);
    }
    let mut seen = BTreeSet::new();
    codes.retain(|code| seen.insert(code.clone()));
    codes
}

/// The codes between the one at a token and the one that a range joins to it: `E21` and `E22` of `E20-E24`.
fn codes_between(text: &str, tokens: &Tokens, at: usize, last: &str) -> Vec<String> {
    let before = |count: usize| at.checked_sub(count).and_then(|at| tokens.get(at));
    let is_dash = |first: &Token| {
        let between = text[first.span.end..tokens.list[at].span.start].trim();
        matches!(between, "-" | "\u{2010}" | "\u{2011}" | "\u{2012}" | "\u{2013}" | "\u{2014}")
    };
    let is_joint = |joint: &Token| phrases::has("range joint", &joint.form);
    let first = before(1)
        .filter(|first| is_dash(first))
        .or_else(|| before(1).filter(|joint| is_joint(joint)).and_then(|_| before(2)))
        .and_then(code_of);
    let Some(first) = first.filter(|first| first.len() == last.len()) else { return Vec::new() };
    let is_between = |code: &&str| {
        code.len() == last.len() && code[..1] == last[..1] && first.as_str() < *code && *code < last
    };
    taxonomy::titles().map(|(code, _)| code).filter(is_between).map(str::to_owned).collect()
}

/// Where the codes that begin at a token end, with the word that announces them on either side. Without
/// one they are what the whole text is: `K12` and `B12` are mostly something else.
pub(super) fn ntee_at(tokens: &Tokens, at: usize) -> Option<Range<usize>> {
    let lead = tokens.any_phrase(at, phrases::of("ntee"));
    let is_code = |at: usize| tokens.get(at).and_then(code_of).is_some_and(|code| code.len() > 1);
    let first = lead.unwrap_or(at);
    let is_group = lead.is_some() && tokens.get(first).and_then(code_of).is_some();
    let joins_codes = |at: usize| phrases::has("range joint", tokens.form(at)) && is_code(at + 1);
    let mut end = first + usize::from(is_group);
    while is_code(end)
        || (end > first
            && (tokens.list[end..].first().is_some_and(Token::is_joint) || joins_codes(end)))
    {
        end += 1;
    }
    while end > first && tokens.list[end - 1].is_joint() {
        end -= 1;
    }
    let behind = tokens.any_phrase(end, phrases::of("ntee"));
    let is_all = at == 0 && end == tokens.len();
    (end > first && (lead.is_some() || behind.is_some() || is_all))
        .then(|| at..behind.unwrap_or(end))
}

/// The code, decile or major group that a token is, in capitals, if the taxonomy has it.
fn code_of(token: &Token) -> Option<String> {
    let code: Ntee =
        token.form.parse().ok().filter(|_| token.is_word() && token.form.len() <= 3)?;
    let text = code.as_str().to_owned();
    let known = match text.len() {
        2 => taxonomy::issue_area(code).is_some(),
        _ => taxonomy::title(code).is_some(),
    };
    known.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_name_codes() {
        for (text, expected) in [
            ("NTEE K31", "K31"),
            ("ntee codes P, K3", "P K3"),
            ("NTEE E20-E24", "E20 E21 E22 E24"),
            ("codes C30 through C34", "C30 C32 C34"),
            ("a code of the major group a", "A"),
            ("classification I", "I"),
            ("NTEE Q99Z99", ""),
        ] {
            assert_eq!(ntee_in(text).join(" "), expected, "{text}");
        }
        for (text, expected) in [
            ("501(c)(3)", vec![3]),
            ("501c4 or c6", vec![4, 6]),
            ("c19s", vec![19]),
            ("social clubs under c7", vec![7]),
            ("501(c)(99)", vec![]),
        ] {
            let codes: Vec<u8> = subsections_in(text).iter().map(|code| code.number()).collect();
            assert_eq!(codes, expected, "{text}");
        }
        for (text, is_one) in [
            ("EIN 53-0196605", true),
            ("53 0196605", true),
            ("tax id: 530196605", true),
            ("53‑0196605", true),
            ("EIN of the one: 10631747", false),
            ("$530196605 budget", false),
            ("EIN 53-0196605 museums", false),
        ] {
            assert_eq!(ein_alone(text).is_some(), is_one, "{text}");
        }
        for (text, expected) in [
            ("the revenue of EIN 10631747", "010631747"),
            ("the revenue of 53–0196605", "530196605"),
            ("with 10631747 members", ""),
        ] {
            let found: Vec<String> = eins_in(text).iter().map(ToString::to_string).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
