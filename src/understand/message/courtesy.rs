//! Greetings, thanks and farewells: whole messages of them, and those around what is asked for.

use super::Courtesy;
use crate::understand::phrases::{self, is_lead};
use crate::understand::token::Tokens;

/// The longest courtesy at a position, and where it ends.
fn at(tokens: &Tokens, at: usize) -> Option<(Courtesy, usize)> {
    [("hello", Courtesy::Hello), ("thanks", Courtesy::Thanks), ("bye", Courtesy::Bye)]
        .into_iter()
        .filter_map(|(list, courtesy)| Some((courtesy, tokens.any_phrase(at, phrases::of(list))?)))
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// The courtesy that all of a message is: the one that says most.
pub(super) fn whole(message: &str) -> Option<Courtesy> {
    let tokens = Tokens::of(message);
    let mut found: Option<Courtesy> = None;
    let mut next = 0;
    while next < tokens.len() {
        if let Some((courtesy, end)) = at(&tokens, next) {
            // `ok bye`, `hi, thanks`: what comes later says more.
            found = match (found, courtesy) {
                (Some(Courtesy::Bye), _) => found,
                _ => Some(courtesy),
            };
            next = end;
            continue;
        }
        let token = &tokens.list[next];
        let dull = !token.is_word() && !token.is_number();
        if dull || (found.is_some() && phrases::has("behind courtesy", &token.form)) {
            next += 1;
            continue;
        }
        return None;
    }
    found
}

/// What people say while they think; spoken messages hold it.
const FILLERS: [&str; 7] = ["uh", "um", "uhh", "umm", "uhm", "er", "erm"];

/// A message without what is said while thinking.
pub(super) fn without_fillers(message: &str) -> String {
    let mut text = message.to_owned();
    for token in Tokens::of(message).list.iter().rev() {
        if FILLERS.contains(&&*token.form) {
            text.replace_range(token.span.clone(), "");
        }
    }
    text
}

/// A message without the courtesies before and behind what it asks for.
pub(super) fn stripped(message: &str) -> String {
    let tokens = Tokens::of(message);
    let mut first = 0;
    while let Some((courtesy, end)) = at(&tokens, first) {
        let Some(next) = tokens.list.get(end) else { break };
        // `cool schools`, `great lakes`, `HI` for Hawaii are none.
        let parts = next.is_boundary() || next.is_sign('-');
        let opens = is_lead(&next.form)
            || phrases::has("opening", &next.form)
            || phrases::has("behind courtesy", &next.form);
        let upper =
            tokens.is_cased && tokens.list[first].case == crate::understand::token::Case::Upper;
        let hello = courtesy == Courtesy::Hello && !upper && !tokens.is_titled();
        if !(parts || hello || (opens && tokens.form(first) != "good")) {
            break;
        }
        first = end;
        while tokens.list.get(first).is_some_and(|token| token.is_boundary() || token.is_sign('-'))
        {
            first += 1;
        }
    }
    // `Where were we. Only the small ones`: a sentence that says nothing.
    let stop = |at: &usize| {
        let token = &tokens.list[*at];
        token.is_sign('.') || token.is_sign('!') || token.is_sign('?')
    };
    if let Some(stop) = (first + 1..tokens.len().saturating_sub(1)).find(stop) {
        let dull = |at: usize| {
            let form = tokens.form(at);
            is_lead(form) || phrases::has("behind courtesy", form) || tokens.list[at].is_boundary()
        };
        if (first..stop).all(dull) {
            first = stop + 1;
        }
    }
    // `thanks a lot for your help, now Texas`.
    if first > 0 {
        let comma = (first..tokens.len()).find(|&at| tokens.list[at].is_boundary());
        if let Some(comma) = comma
            && (first..comma).all(|at| phrases::has("behind courtesy", tokens.form(at)))
        {
            first = comma + 1;
        }
    }
    let mut end = tokens.len();
    while end > first && tokens.list[end - 1].is_boundary() && !tokens.list[end - 1].is_sign(')') {
        end -= 1;
    }
    let thanked = tokens.any_phrase_before(end, phrases::of("courtesy behind"));
    if let Some(start) = thanked.filter(|start| *start > first) {
        end = start;
    } else {
        end = tokens.len();
    }
    match tokens.list.get(first..end) {
        Some([from, .., to]) => message[from.span.start..to.span.end].to_owned(),
        Some([only]) => message[only.span.clone()].to_owned(),
        _ => String::new(),
    }
}
