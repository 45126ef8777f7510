//! What a message of a conversation asks for, as far as its words alone tell: courtesies, articles and
//! funds on a topic, a question about a term, something that was shown before; else a search.
//!
//! What cannot be told by words is left to [`Examples`](super::Examples).

mod courtesy;
mod fact;
mod reference;
mod topic;

#[cfg(test)]
mod tests;

pub use fact::{Fact, fact_beside_ein};

use super::cues::Cues;
use super::frame::Wanted;
use super::phrases;
use super::token::{Mark, Tokens};

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// To forget what was before.
    Reset,
    /// Words that greet, thank or take leave.
    Courtesy(Courtesy),
    /// What can be asked.
    Help,
    /// The next rows of what was asked for last.
    More,
    /// The article of a number.
    Article(i64),
    /// Articles on a topic.
    Articles(Topic),
    /// Funds for a topic.
    Funds(Topic),
    /// What a term means, or how something is done.
    Knowledge,
    /// Something that was shown or spoken of.
    Shown(Shown),
    /// A fact of a nonprofit that is called `name`, if there is one; else perhaps what a term means.
    Fact { fact: Fact, name: String, asks: bool },
    /// What has nothing to do with nonprofits.
    OffTopic,
    /// That somebody is in danger.
    Distress,
    /// Anything else: a search, or nothing that can be answered.
    Other,
}

/// A courtesy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Courtesy {
    Hello,
    Thanks,
    Bye,
}

/// What articles or funds are to be about.
#[derive(Debug, Clone, PartialEq)]
pub enum Topic {
    /// Anything.
    Any,
    /// What was asked for before.
    Same,
    /// These words.
    Of(String),
}

/// Something that was shown or spoken of, and what is wanted of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    pub which: Which,
    /// What it is called, if it is.
    pub noun: Option<Noun>,
    pub wanted: Wanted,
    pub fact: Option<Fact>,
    /// What else is said: filters for what is similar.
    pub rest: String,
    /// Whether nothing else can be meant.
    pub is_sure: bool,
}

/// Which of those shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// From 1.
    Nth(usize),
    Last,
    /// The one that was spoken of.
    That,
}

/// What something shown is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Noun {
    Article,
    Fund,
    Nonprofit,
}

/// A message, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub act: Act,
    /// The message without the courtesies around what it asks for.
    pub text: String,
    /// Whether it asks to forget what was before, and then for something else.
    pub begins_anew: bool,
}

impl Message {
    /// Reads a message.
    pub fn read(message: &str) -> Self {
        let text = courtesy::stripped(&courtesy::without_fillers(message));
        let (text, begins_anew) = without_reset(&text);
        let act = if begins_anew && text.is_empty() { Act::Reset } else { act(message, &text) };
        Self { act, text, begins_anew }
    }
}

/// Within how many tokens what is off topic says so.
const OFF_TOPIC_WITHIN: usize = 4;

fn act(message: &str, text: &str) -> Act {
    if let Some(courtesy) = courtesy::whole(message) {
        return Act::Courtesy(courtesy);
    }
    let mut tokens = Tokens::of(text);
    let end = content_end(&tokens);
    if is_phrase(&tokens, end, "help") {
        return Act::Help;
    }
    if (0..end).any(|at| tokens.any_phrase(at, phrases::of("distress")).is_some()) {
        return Act::Distress;
    }
    if (0..end.min(OFF_TOPIC_WITHIN))
        .any(|at| tokens.any_phrase(at, phrases::of("off topic")).is_some())
    {
        return Act::OffTopic;
    }
    if is_phrase(&tokens, end, "more rows") {
        return Act::More;
    }
    if super::ein_in(text).is_some() {
        return Act::Other;
    }
    let asks = topic::asks_for_a_term(&tokens);
    // `articles I mean` asks for no meaning.
    let of_words = |at: usize| {
        let word = matches!(tokens.form(at), "mean" | "means" | "meant" | "difference" | "differ");
        word && !matches!(tokens.form(at.wrapping_sub(1)), "i" | "you" | "we")
    };
    if asks && (0..end).any(of_words) {
        return Act::Knowledge;
    }
    if let Some(number) = reference::article(&tokens) {
        return Act::Article(number);
    }
    if let Some(shown) = reference::shown(&mut tokens.clone(), text) {
        return Act::Shown(shown);
    }
    if let Some(act) = topic::read(&tokens, text) {
        return act;
    }
    // `forget the state` asks no nonprofit's state.
    if !Cues::of(text).goes_on()
        && let Some((fact, name)) = fact::of_named(&mut tokens, text)
    {
        return Act::Fact { fact, name, asks };
    }
    if asks { Act::Knowledge } else { Act::Other }
}

/// A message behind words that ask to forget what was before, and whether there are some.
fn without_reset(text: &str) -> (String, bool) {
    if Cues::of(text).is_reset() {
        return (String::new(), true);
    }
    let tokens = Tokens::of(text);
    let Some(end) = tokens.any_phrase(0, phrases::of("reset")) else {
        return (text.to_owned(), false);
    };
    let next = tokens.list.get(end);
    let parts = next.is_some_and(|next| {
        next.is_boundary() || next.is_sign('-') || matches!(&*next.form, "with" | "and" | "now")
    });
    match tokens.list.get(end + 1).filter(|_| parts) {
        Some(first) => (text[first.span.start..].to_owned(), true),
        None => (text.to_owned(), false),
    }
}

/// Where the last token that is no sign ends.
fn content_end(tokens: &Tokens) -> usize {
    tokens.list.iter().rposition(|token| !token.is_boundary()).map_or(0, |at| at + 1)
}

/// Whether the tokens before `end` are one phrase of a list, but for `please` and the like around it.
fn is_phrase(tokens: &Tokens, end: usize, list: &str) -> bool {
    let polite =
        |at: usize| matches!(tokens.form(at), "please" | "pls" | "plz" | "now" | "," | "me");
    let first = (0..end).find(|&at| !polite(at)).unwrap_or(end);
    first < end
        && tokens
            .any_phrase(first, phrases::of(list))
            .is_some_and(|to| to == end || (to..end).all(polite))
}

/// Marks phrases of a list, wherever they stand.
fn mark_all(tokens: &mut Tokens, list: &str, mark: Mark) {
    let mut at = 0;
    while at < tokens.len() {
        match tokens.any_phrase(at, phrases::of(list)) {
            Some(end) => {
                tokens.mark(at..end, mark);
                at = end;
            }
            None => at += 1,
        }
    }
}
