//! What was shown or spoken of before: `the second one`, `that organization`, `article 42`.

use super::{Fact, Noun, Shown, Which, content_end, fact, mark_all, topic};
use crate::understand::amount;
use crate::understand::cues::Cues;
use crate::understand::frame::Wanted;
use crate::understand::phrases::{self, is_edge, is_generic, is_lead};
use crate::understand::token::{Mark, Tokens};

/// The article whose number a message names.
pub(super) fn article(tokens: &Tokens) -> Option<i64> {
    let end = content_end(tokens);
    for at in 0..end {
        let Some(mut next) = tokens.any_phrase(at, phrases::of("article only")) else { continue };
        while matches!(
            tokens.form(next),
            "#" | "number" | "no" | "nr" | "id" | "numero" | "with" | "the" | "." | ":"
        ) {
            next += 1;
        }
        let Some(token) = tokens.list.get(next).filter(|token| token.is_number()) else { continue };
        // A number that is none of any article's: none is found.
        let number = token.form.parse().unwrap_or(i64::MAX);
        let glued = tokens.list.get(next + 1).is_some_and(|after| after.glued && after.is_word());
        let dull = |at: usize| tokens.list[at].is_boundary() || is_around(tokens.form(at));
        if !glued && (0..at).chain(next + 1..end).all(dull) {
            return Some(number);
        }
    }
    None
}

fn is_around(form: &str) -> bool {
    is_lead(form) || is_edge(form) || phrases::has("around reference", form)
}

/// What a message refers to and wants of it; `None` when it says more than that.
pub(super) fn shown(tokens: &mut Tokens, text: &str) -> Option<Shown> {
    let end = content_end(tokens);
    let noun = noun(tokens, end);
    let similar = similar(tokens, end);
    let strong = which(tokens, end);
    let mut which = strong;
    if which.is_none() {
        // `donate through this site` means the service.
        let service = |at: usize| tokens.any_phrase(at, SERVICE).is_some();
        let any_of_them = |at: usize| {
            tokens
                .any_phrase(at, ["one of them", "one of these", "one of those", "any of them"])
                .is_some()
        };
        if (0..end).any(|at| service(at) || any_of_them(at)) {
            return None;
        }
        // `more like that`, `its revenue`: words that refer only where nothing else does.
        let weakly = (0..end).any(|at| tokens.any_phrase(at, phrases::of("that weakly")).is_some());
        mark_all(tokens, "that weakly", Mark::Read);
        which = weakly.then_some(Which::That);
    }
    let fact = match similar {
        true => None,
        false => fact::read(tokens),
    };
    if similar {
        // `similar organizations in Texas` refers to the one spoken of, `similar to X` to X.
        return similar_to(tokens, text, end, which, strong.is_some(), noun);
    }
    let about = (0..end).any(|at| tokens.any_phrase(at, MORE).is_some());
    let dull = |at: usize| {
        let token = &tokens.list[at];
        !token.is_free()
            || token.is_boundary()
            || is_around(&token.form)
            || is_generic(&token.form)
            || phrases::has("around fact", &token.form)
    };
    // `its revenue`, `tell me more`, `revenue?`.
    let bare = fact.is_some_and(|fact| !fact.is_weak())
        && end <= FACT_TOKENS_MAX
        && !topic::asks_for_a_term(&Tokens::of(text))
        && !Cues::of(text).goes_on();
    let said = which.is_some() || about || bare;
    let weak = strong.is_none() && fact.is_none() && !about;
    // `they must be vetted` asks for others, `is it vetted` of one.
    let asks = phrases::has("asks of one", tokens.form(0)) || strong.is_some();
    if fact == Some(Fact::Vetted) && !asks {
        return None;
    }
    if !said || weak || !(0..end).all(dull) {
        return None;
    }
    // `make it smaller` refines; `tell me about them` is of all that were shown.
    let which = which.unwrap_or(Which::That);
    let is_sure = strong.is_some_and(|which| which != Which::That);
    Some(Shown { which, noun, wanted: Wanted::Itself, fact, rest: String::new(), is_sure })
}

/// What the service itself is called.
const SERVICE: [&str; 8] = [
    "this site",
    "this website",
    "this service",
    "this tool",
    "this app",
    "this page",
    "this chat",
    "your site",
];

/// Tokens of a message that names a fact and nothing else.
const FACT_TOKENS_MAX: usize = 3;

/// What asks for more on the one that was spoken of.
const MORE: [&str; 14] = [
    "tell me more",
    "more details",
    "more detail",
    "more info",
    "more information",
    "know more",
    "learn more",
    "more about it",
    "more about that",
    "more about them",
    "go deeper",
    "tell me about it",
    "tell me about them",
    "dime mas",
];

fn similar_to(
    tokens: &Tokens,
    text: &str,
    end: usize,
    which: Option<Which>,
    is_sure: bool,
    noun: Option<Noun>,
) -> Option<Shown> {
    // Where what it is similar to would stand, another name may.
    let read = |at: usize| !tokens.list[at].is_free();
    let last = (0..end).rfind(|&at| read(at))? + 1;
    let dull = |at: usize| {
        let token = &tokens.list[at];
        read(at) || token.is_boundary() || is_around(&token.form) || is_generic(&token.form)
    };
    let before = (0..last).all(dull);
    let follows = tokens.list.get(last).is_none_or(|next| {
        next.is_boundary()
            || phrases::has("behind name", &next.form)
            || phrases::has("preposition", &next.form)
            || is_similar_noun(&next.form)
    });
    let open = matches!(tokens.form(last.saturating_sub(1)), "to" | "like" | "of" | "a");
    if !before || !follows || (which.is_none() && open && last < end) {
        return None;
    }
    let rest = (last..end).skip_while(|&at| is_similar_noun(tokens.form(at))).collect::<Vec<_>>();
    let rest = match (rest.first(), rest.last()) {
        (Some(&first), Some(&to)) => text[tokens.span(first..to + 1)].to_owned(),
        _ => String::new(),
    };
    // `anything like that in Texas` may go on with the search; `like the first one` cannot.
    let which = which.unwrap_or(Which::That);
    Some(Shown { which, noun, wanted: Wanted::Similar, fact: None, rest, is_sure })
}

/// What `similar` may stand before without saying to what.
fn is_similar_noun(form: &str) -> bool {
    is_generic(form)
        || matches!(form, "work" | "things" | "stuff" | "missions" | "programs" | "kind")
}

/// Marks what asks for similar ones.
fn similar(tokens: &mut Tokens, end: usize) -> bool {
    for at in 0..end {
        let Some(to) = tokens.any_phrase(at, phrases::of("like it")) else { continue };
        // `I like the first one`, `what is it like`.
        let verb = tokens.form(at) == "like"
            && (at == 0
                || matches!(tokens.form(at - 1), "i" | "id" | "would" | "is" | "look" | "we"));
        if !verb {
            tokens.mark(at..to, Mark::Read);
            return true;
        }
    }
    false
}

fn noun(tokens: &Tokens, end: usize) -> Option<Noun> {
    (0..end).find_map(|at| {
        let form = tokens.form(at);
        if phrases::has("noun article", form) {
            return Some(Noun::Article);
        }
        if phrases::has("noun fund", form) {
            return Some(Noun::Fund);
        }
        let one = is_generic(form)
            && !form.ends_with('s')
            && !matches!(form, "one" | "result" | "anything" | "something" | "non");
        one.then_some(Noun::Nonprofit)
    })
}

/// Which of those shown is meant, in so many words; they are marked as read.
fn which(tokens: &mut Tokens, end: usize) -> Option<Which> {
    for at in 0..end {
        if let Some((number, to)) = numbered(tokens, at)
            && (to >= end
                || tokens.list[to].is_boundary()
                || phrases::has("behind reference", tokens.form(to))
                || !tokens.list[to].is_free())
        {
            let to = if to < end && tokens.list[to].is_word() && is_named(tokens.form(to)) {
                to + 1
            } else {
                to
            };
            tokens.mark(at..to.min(end), Mark::Read);
            return Some(Which::Nth(number));
        }
        if let Some(to) = tokens.any_phrase(at, phrases::of("last")) {
            let over = to >= end
                || tokens.list[to].is_boundary()
                || phrases::has("behind reference", tokens.form(to));
            if over {
                let to = if to < end && is_named(tokens.form(to)) { to + 1 } else { to };
                tokens.mark(at..to.min(end), Mark::Read);
                return Some(Which::Last);
            }
        }
        if let Some(to) = tokens.any_phrase(at, phrases::of("that")) {
            tokens.mark(at..to, Mark::Read);
            return Some(Which::That);
        }
    }
    None
}

/// Whether a word calls what was shown by what it is.
fn is_named(form: &str) -> bool {
    matches!(
        form,
        "one"
            | "ones"
            | "result"
            | "option"
            | "item"
            | "entry"
            | "organization"
            | "org"
            | "nonprofit"
            | "charity"
            | "group"
            | "foundation"
            | "article"
            | "story"
            | "post"
            | "fund"
    )
}

/// `the second`, `2nd`, `#2`, `number 2`: the number and where it ends.
fn numbered(tokens: &Tokens, at: usize) -> Option<(usize, usize)> {
    let ordinal = phrases::meanings("nth")
        .filter_map(|(number, names)| Some((number.parse().ok()?, tokens.any_phrase(at, names)?)))
        .max_by_key(|found: &(usize, usize)| found.1);
    if ordinal.is_some() {
        return ordinal;
    }
    let number = |at: usize| {
        let token = tokens.free_at(at)?;
        let spelled = amount::small(&token.form).map(|number| number as usize);
        token.form.parse().ok().or(spelled).filter(|number| (1..=100).contains(number))
    };
    // `2nd`.
    if let Some(value) = number(at)
        && tokens
            .list
            .get(at + 1)
            .is_some_and(|unit| unit.glued && matches!(&*unit.form, "st" | "nd" | "rd" | "th"))
    {
        return Some((value, at + 2));
    }
    let sign = tokens.free_at(at).is_some_and(|token| token.is_sign('#'))
        || phrases::has("before number", tokens.form(at));
    if sign && let Some(value) = number(at + 1) {
        return Some((value, at + 2));
    }
    None
}
