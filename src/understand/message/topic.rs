//! Articles, funds and questions about terms: what the head of a message asks for.

use super::{Act, Topic, content_end};
use crate::understand::phrases::{self, is_edge, is_generic, is_lead};
use crate::understand::token::{Case, Tokens};

/// Articles or funds, if that is what a message asks for.
pub(super) fn read(tokens: &Tokens, text: &str) -> Option<Act> {
    if let Some(topic) = articles(tokens, text) {
        return Some(Act::Articles(topic));
    }
    funds(tokens, text).map(Act::Funds)
}

fn articles(tokens: &Tokens, text: &str) -> Option<Topic> {
    let end = content_end(tokens);
    for at in 0..end {
        if let Some(to) = tokens.any_phrase(at, phrases::of("to read"))
            && (0..at).all(|at| is_dull(tokens, at))
            && to < end
        {
            return Some(topic(tokens, text, to, end));
        }
    }
    let (at, to) = head(tokens, end, "article")?;
    // `I am writing an article on wells: which nonprofits dig them?`
    let for_some =
        (to..end).any(|at| tokens.any_phrase(at, phrases::of("asks for some")).is_some());
    let own = (0..at).any(|at| matches!(tokens.form(at), "writing" | "wrote" | "read" | "saw"))
        && matches!(tokens.form(at.saturating_sub(1)), "a" | "an" | "the" | "my");
    let refused = matches!(tokens.form(at.wrapping_sub(1)), "not" | "no" | "non");
    if for_some || own || refused {
        return None;
    }
    // `nonprofits that publish articles`.
    if (0..at).any(|at| is_generic(tokens.form(at)) && tokens.form(at).ends_with('s')) {
        return None;
    }
    // `news organizations`, `blog for cats`: the noun asks only at the end of its phrase.
    let sure = tokens.any_phrase(at, phrases::of("article only")).is_some();
    split(tokens, text, (at, to), end, sure)
}

fn funds(tokens: &Tokens, text: &str) -> Option<Topic> {
    let end = content_end(tokens);
    let (at, to) = head(tokens, end, "fund")?;
    let form = tokens.form(to - 1);
    let one = form.ends_with("fund") || form == "fondo" || form == "portfolio" || form == "daf";
    let determined = at > 0
        && matches!(
            tokens.form(at - 1),
            "a" | "an" | "any" | "some" | "which" | "what" | "one" | "un" | "another"
        );
    let before = at.checked_sub(1).map_or("", |before| tokens.form(before));
    let written_as_name = tokens.is_cased
        && tokens.list[at].case != Case::Lower
        && at > 0
        && tokens.list[at - 1].case != Case::Lower
        && tokens.list[at - 1].is_word();
    let some = (0..at).any(|at| {
        let form = tokens.form(at);
        is_generic(form) && form.ends_with('s') || matches!(form, "foundations" | "foundation")
    });
    // A question about funds is one about a term.
    let asks = asks_for_a_term(tokens) && !determined_by(tokens, at);
    // `and funds for it` goes on.
    let before = if at == 1 && before == "and" { "" } else { before };
    if (one && !determined)
        || phrases::has("before fund verb", before)
        || written_as_name
        || some
        || asks
    {
        return None;
    }
    split(tokens, text, (at, to), end, true)
}

/// `which funds`, `what funds`: asks for some.
fn determined_by(tokens: &Tokens, at: usize) -> bool {
    at > 0
        && matches!(tokens.form(at - 1), "which" | "what" | "any" | "some" | "impact" | "cause")
        && !matches!(tokens.form(at.saturating_sub(2)), "is" | "are")
}

/// The first noun of a list that stands as the head of what is asked for: the longest there.
fn head(tokens: &Tokens, end: usize, list: &str) -> Option<(usize, usize)> {
    (0..end).find_map(|at| Some((at, tokens.any_phrase(at, phrases::of(list))?)))
}

/// The topic of a head: behind it, or before it. `None` when the head is not what is asked for.
fn split(
    tokens: &Tokens,
    text: &str,
    (at, to): (usize, usize),
    end: usize,
    sure: bool,
) -> Option<Topic> {
    let dull_before = (0..at).all(|at| is_dull(tokens, at));
    if to >= end {
        return match (dull_before, sure) {
            (true, _) => Some(Topic::Any),
            // `climate articles`; `local news` alone may be anything.
            (false, true) => Some(topic(tokens, text, topic_start(tokens, at), at)),
            (false, false) => None,
        };
    }
    let boundary = tokens.list[to].is_boundary();
    match tokens.any_phrase(to, phrases::of("about topic")) {
        Some(from) if from < end && (dull_before || sure) => Some(topic(tokens, text, from, end)),
        // `any articles yet?`, `articles please`
        _ if boundary || (to..end).all(|at| is_dull(tokens, at)) => match dull_before {
            true => Some(Topic::Any),
            false => Some(topic(tokens, text, 0, at)),
        },
        _ => None,
    }
}

/// Where the topic begins that stands before a head: behind the last word that announces one.
fn topic_start(tokens: &Tokens, at: usize) -> usize {
    let is_announcer = |at: &usize| matches!(tokens.form(*at), "about" | "on" | "regarding");
    (0..at).rfind(is_announcer).map_or(0, |at| at + 1)
}

fn is_dull(tokens: &Tokens, at: usize) -> bool {
    let token = &tokens.list[at];
    token.is_boundary()
        || is_lead(&token.form)
        || is_edge(&token.form)
        || phrases::has("around reference", &token.form)
        || matches!(
            &*token.form,
            "latest" | "recent" | "newest" | "available" | "yet" | "got" | "exist" | "carry"
        )
}

/// What some tokens say that something is about.
fn topic(tokens: &Tokens, text: &str, start: usize, end: usize) -> Topic {
    let first = (start..end).find(|&at| !is_filler(tokens, at));
    let last = (start..end).rfind(|&at| !is_filler(tokens, at));
    let said = tokens.joined(start..end);
    if phrases::has("same topic", &said) {
        return Topic::Same;
    }
    let (Some(first), Some(last)) = (first, last) else {
        return if phrases::of("same topic").any(|same| said.starts_with(same)) {
            Topic::Same
        } else {
            Topic::Any
        };
    };
    if phrases::has("same topic", &tokens.joined(first..last + 1)) {
        return Topic::Same;
    }
    Topic::Of(text[tokens.span(first..last + 1)].to_owned())
}

fn is_filler(tokens: &Tokens, at: usize) -> bool {
    let token = &tokens.list[at];
    token.is_boundary() || is_lead(&token.form) || is_edge(&token.form)
}

/// Whether a message asks what a term means or how something is done, not for nonprofits.
pub(super) fn asks_for_a_term(tokens: &Tokens) -> bool {
    let end = content_end(tokens);
    let first = (0..end)
        .find(|&at| {
            !matches!(
                tokens.form(at),
                "so" | "and"
                    | "but"
                    | "well"
                    | "um"
                    | "please"
                    | "also"
                    | "ok"
                    | ","
                    | "?"
                    | "hey"
                    | "can"
                    | "you"
                    | "could"
                    | "y"
            )
        })
        .unwrap_or(0);
    // `for my homework I need to know what NTEE codes are`.
    let told = |at: usize| {
        let asks_to_know = matches!(
            tokens.form(at.wrapping_sub(1)),
            "know" | "understand" | "wondering" | "explain" | "curious" | "me"
        );
        let question =
            matches!(tokens.form(at), "what" | "how" | "why" | "when" | "whether" | "if");
        (asks_to_know && question).then_some(at + 1)
    };
    let later = || (first + 1..end).find_map(told);
    let Some(from) = tokens.any_phrase(first, phrases::of("asks")).or_else(later) else {
        return false;
    };
    let mut terms = (from..end)
        .chain(first..from)
        .filter_map(|at| tokens.any_phrase(at, phrases::of("concept")).map(|to| (at, to)));
    let Some((at, to)) = terms.next() else { return false };
    // What `is the Humane Society legit` asks is of one, `which nonprofits accept stock` for some.
    let titled = tokens.is_cased
        && (from..end).any(|at| {
            let token = &tokens.list[at];
            token.is_word()
                && token.case != Case::Lower
                && at > first
                && token.form.len() > 1
                && token.case == Case::Title
                && !phrases::has("concept", &token.form)
        });
    let some = matches!(tokens.form(first), "which" | "what" | "who")
        && tokens
            .list
            .get(first + 1)
            .is_some_and(|next| is_generic(&next.form) && next.form.ends_with('s'));
    let in_place = (from..end).any(|at| matches!(tokens.form(at), "in" | "near") && at > to)
        && tokens.is_cased
        && tokens.list[at..end].iter().any(|t| t.case == Case::Title && t.is_word());
    !titled && !some && !in_place
}
