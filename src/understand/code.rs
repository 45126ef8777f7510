//! Codes: EINs, NTEE codes, subsections of section 501(c).

use super::phrases;
use super::reader::Reader;
use super::token::Tokens;
use crate::record::{Ein, Ntee, Subsection};
use crate::taxonomy;

/// Tokens before `NTEE` among which its code may stand.
const NTEE_REACH: usize = 4;

/// Reads every code.
pub(super) fn read(reader: &mut Reader<'_>) {
    read_eins(reader);
    read_subsections(reader);
    read_ntee(reader);
}

/// Where a list goes on: behind commas and conjunctions.
pub(super) fn past_joints(tokens: &Tokens, at: usize) -> usize {
    let mut next = at;
    while let Some(token) = tokens.free_at(next)
        && next - at < 2
        && token.is_joint()
        && token.form != "nor"
    {
        next += 1;
    }
    next
}

fn digits(tokens: &Tokens, at: usize, count: usize) -> Option<&str> {
    let token = tokens.free_at(at)?;
    let good = token.is_number()
        && token.form.len() == count
        && token.form.bytes().all(|byte| byte.is_ascii_digit())
        && token.span.len() == count;
    good.then_some(&*token.form)
}

/// `53-0196605`, `530196605`, `53 0196605`, `EIN no. 53 0196605`.
fn read_eins(reader: &mut Reader<'_>) {
    let mut at = 0;
    while at < reader.tokens.len() {
        let tokens = &reader.tokens;
        let is_money = at > 0 && tokens.list[at - 1].is_sign('$');
        let whole = digits(tokens, at, 9).filter(|_| !is_money).map(|d| (d.to_owned(), at + 1));
        // Nothing else is two digits and then seven.
        let apart = || {
            let first = digits(tokens, at, 2).filter(|_| !is_money)?;
            let dash = tokens.free_at(at + 1).is_some_and(|t| t.is_sign('-') && t.glued);
            let rest = if dash { at + 2 } else { at + 1 };
            Some((format!("{first}{}", digits(tokens, rest, 7)?), rest + 1))
        };
        let found = whole.or_else(apart);
        let read = found.and_then(|(text, end)| Some((text.parse::<Ein>().ok()?, end)));
        let Some((ein, end)) = read else {
            at += 1;
            continue;
        };
        let lead = [
            "ein",
            "ein number",
            "ein #",
            "eins",
            "tax id",
            "tax id number",
            "tax id #",
            "ein is",
            "employer identification number",
            "with ein",
            "the ein",
            "ein :",
            "fein",
            "ein no",
        ];
        let sign = |sign| at > 0 && tokens.list[at - 1].is_sign(sign);
        let before = at - usize::from(sign('.') || sign(':') || sign('#'));
        let start = tokens.any_phrase_before(before, lead).unwrap_or(at);
        if !reader.frame.eins.contains(&ein) {
            reader.frame.eins.push(ein);
        }
        reader.claim(start..end, format!("EIN {ein}"), 0.99);
        at = end;
    }
}

/// `501(c)(3)`, `501c3`, `501 c 4s`.
fn read_subsections(reader: &mut Reader<'_>) {
    let mut at = 0;
    while at < reader.tokens.len() {
        if reader.tokens.form(at) != "501" || !reader.tokens.list[at].is_free() {
            at += 1;
            continue;
        }
        let start = at;
        let mut end = at + 1;
        let mut codes = Vec::new();
        while let Some((code, next)) = subsection_at(&reader.tokens, end) {
            codes.extend(code);
            end = next;
            let joined = past_joints(&reader.tokens, end);
            let again = if reader.tokens.form(joined) == "501" { joined + 1 } else { joined };
            if joined == end || subsection_at(&reader.tokens, again).is_none() {
                break;
            }
            end = again;
        }
        if end > start + 1 {
            let end = reader
                .tokens
                .any_phrase(
                    end,
                    ["s", "status", "organizations", "orgs", "nonprofits", "charities"],
                )
                .unwrap_or(end);
            for code in &codes {
                if !reader.frame.subsections.contains(code) {
                    reader.frame.subsections.push(*code);
                }
            }
            let list: Vec<String> =
                codes.iter().map(|code| format!("501(c)({})", code.number())).collect();
            if list.is_empty() {
                reader.drop_noise(start..end);
            } else {
                reader.claim(start..end, list.join(" or "), 0.97);
            }
        }
        at = end.max(start + 1);
    }
}

/// `(c)(3)`, `c3`, `c 3`: the code, `None` for a bare `(c)`, and what follows.
fn subsection_at(tokens: &Tokens, at: usize) -> Option<(Option<Subsection>, usize)> {
    let open = |at: usize| tokens.free_at(at).is_some_and(|t| t.is_sign('(') || t.is_sign('-'));
    let close = |at: usize| tokens.free_at(at).is_some_and(|t| t.is_sign(')'));
    let mut next = if open(at) { at + 1 } else { at };
    let letter = tokens.free_at(next)?;
    let rest = letter.form.strip_prefix('c')?;
    next += 1;
    let number = rest.strip_suffix('s').unwrap_or(rest);
    let code = |text: &str| {
        let number: u8 = text.parse().ok().filter(|number| (1..=29).contains(number))?;
        Subsection::try_from(number).ok()
    };
    if !number.is_empty() {
        return Some((Some(code(number)?), next));
    }
    next += usize::from(close(next));
    let inner = if open(next) { next + 1 } else { next };
    match tokens.free_at(inner).filter(|token| token.is_number()) {
        Some(token) => {
            let end = inner + 1 + usize::from(close(inner + 1));
            Some((Some(code(&token.form)?), end))
        }
        None => Some((None, next)),
    }
}

/// `NTEE K31`, `ntee codes A20 and B25`, `NTEE major group A`; a bare code only when it is all there
/// is, since `K12` and `B12` are mostly something else.
fn read_ntee(reader: &mut Reader<'_>) {
    for at in 0..reader.tokens.len() {
        if let Some(first) = reader.tokens.any_phrase(at, phrases::of("ntee")) {
            let first =
                if reader.tokens.free_at(first).is_some_and(|t| t.is_sign(':') || t.is_sign('=')) {
                    first + 1
                } else {
                    first
                };
            take_list(reader, at, first);
        }
    }
    // `coded A65`.
    for at in 0..reader.tokens.len() {
        if let Some(first) =
            reader.tokens.any_phrase(at, ["coded", "coded as", "classified as", "with code"])
            && code_at(&reader.tokens, first).is_some_and(|code| code.len() > 1)
        {
            take_list(reader, at, first);
        }
    }
    if !reader.frame.ntee.is_empty() {
        for at in 0..reader.tokens.len() {
            if let Some(end) =
                reader.tokens.any_phrase(at, ["under ntee", "in ntee", "by ntee", "ntee"])
            {
                reader.drop_noise(at..end);
            }
        }
    }
    // `K31 NTEE code`, `classified as C30 under NTEE`.
    for at in 1..reader.tokens.len() {
        let Some(end) = reader.tokens.any_phrase(at, ["ntee", "ntee code", "ntee codes"]) else {
            continue;
        };
        let before = (0..at).rev().find_map(|at| {
            let code = code_at(&reader.tokens, at).filter(|code| code.len() > 1)?;
            Some((at, code))
        });
        if let Some((start, code)) = before {
            // Far from it: `T20 orgs in Nebraska (NTEE)`.
            if at - start > NTEE_REACH {
                reader.drop_noise(at..end);
                push(reader, vec![code], start..start + 1);
                continue;
            }
            let lead = [
                "classified as",
                "coded as",
                "code",
                "coded",
                "classified",
                "with code",
                "category",
            ];
            let start = reader.tokens.any_phrase_before(start, lead).unwrap_or(start);
            push(reader, vec![code], start..end);
        }
    }
    let bare: Vec<usize> = (0..reader.tokens.len())
        .filter(|&at| {
            reader.tokens.free_at(at).is_some_and(|t| {
                !t.is_boundary()
                    && !matches!(
                        &*t.form,
                        "and" | "or" | "code" | "codes" | "nonprofits" | "organizations" | "in"
                    )
            })
        })
        .collect();
    let all = !bare.is_empty()
        && bare.iter().all(|&at| {
            let code = code_at(&reader.tokens, at).filter(|code| code.len() == 3 && code != "K12");
            code.is_some()
        });
    if all {
        for at in bare {
            if let Some(code) = code_at(&reader.tokens, at) {
                push(reader, vec![code], at..at + 1);
            }
        }
    }
}

fn take_list(reader: &mut Reader<'_>, start: usize, first: usize) {
    let mut codes = Vec::new();
    let mut end = first;
    let mut at = first;
    while let Some(code) = code_at(&reader.tokens, at) {
        codes.push(code);
        end = at + 1;
        at = past_joints(&reader.tokens, end);
        if at == end {
            break;
        }
    }
    if codes.is_empty() {
        // The code may stand before.
        let before = |at: usize| code_at(&reader.tokens, at).is_some_and(|code| code.len() > 1);
        if (0..start).any(before) {
            return;
        }
        let end = if reader.tokens.free_at(first).is_some_and(|t| t.is_word()) {
            first + 1
        } else {
            first
        };
        reader.leave_unread(start..end);
        return;
    }
    push(reader, codes, start..end);
}

fn push(reader: &mut Reader<'_>, codes: Vec<String>, tokens: std::ops::Range<usize>) {
    let said = format!("NTEE {}", codes.join(" or "));
    for code in codes {
        if !reader.frame.ntee.contains(&code) {
            reader.frame.ntee.push(code);
        }
    }
    reader.claim(tokens, said, 0.97);
}

/// The code, decile or major group at a token, in capitals, if the taxonomy has it.
fn code_at(tokens: &Tokens, at: usize) -> Option<String> {
    let token = tokens.free_at(at).filter(|token| token.is_word() && token.form.len() <= 3)?;
    let code: Ntee = token.form.parse().ok()?;
    let text = code.as_str().to_owned();
    let known = match text.len() {
        2 => taxonomy::issue_area(code).is_some(),
        _ => taxonomy::title(code).is_some(),
    };
    known.then_some(text)
}
