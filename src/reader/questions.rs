//! Which question about money, people and relations a message asks, and which of its words are what it is
//! asked of.
//!
//! Two linear models over the message's words and the labels that the reader gave them. A binary one tells
//! which words ask and which are names, causes and places; a multinomial one tells the question, from the
//! words, and from the vector of the message with an example in the place of each name, cause and place.
//! Features and coefficients stand in `models/questions.tsv`, learned by `scripts/question_model.py`.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::labels::{Role, Topic};
use super::linear::{MessageModel, coefficient};
use super::{Message, Prediction, Reader};
use crate::embed::Error;
use crate::table::table;
use crate::text::runs;

const TOPICS: usize = Topic::ALL.len();

/// Words of the longest sequence that is a feature.
const SEQUENCE_MAX: usize = 3;

const YEAR_DIGITS: usize = 4;

/// A question, as far as the model knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    pub topic: Prediction<Topic>,
    /// What it is asked of: bytes of names, causes and places, in the order of the message.
    pub subjects: Vec<Range<usize>>,
}

static TOPIC_MODEL: LazyLock<MessageModel<TOPICS>> =
    LazyLock::new(|| MessageModel::of(table!("models/questions.tsv"), "whole"));

/// What speaks for a word to be one that asks.
static WORD_MODEL: LazyLock<HashMap<&'static str, f32>> = LazyLock::new(|| {
    let rows = table!("models/questions.tsv").rows().filter(|[part, _, _]| *part == "word");
    rows.map(|[_, feature, weight]| (feature, coefficient(weight))).collect()
});

impl Reader {
    /// The question that a message asks; `None` where it is likelier, or not surely, something else.
    pub fn question(&self, text: &str, message: &Message) -> Result<Option<Question>, Error> {
        let words = words(text, message);
        let asks = asking(&words);
        let (of_subjects, marked) = features_of_subjects(text, &words, &asks);
        let features = features_of_message(message, &words).into_iter().chain(of_subjects);
        let vector = self.model.embed_one(&marked)?;
        let [of_topics @ .., other] = &TOPIC_MODEL.log_probabilities(features, &vector, &[]);
        if 1.0 - other.exp() < TOPIC_MODEL.threshold {
            return Ok(None);
        }
        let topic = super::whole(of_topics, &Topic::ALL[..TOPICS - 1]);
        Ok(Some(Question { topic, subjects: subjects(text, &words, &asks) }))
    }

    /// What a question is asked of, whichever it is: bytes of names, causes and places.
    pub fn question_subjects(&self, text: &str, message: &Message) -> Vec<Range<usize>> {
        let words = words(text, message);
        subjects(text, &words, &asking(&words))
    }
}

/// Which words ask, and are no part of a name, a cause or a place.
fn asking(words: &[Word<'_>]) -> Vec<bool> {
    features_of_words(words)
        .iter()
        .map(|features| {
            let known = features.iter().filter_map(|feature| WORD_MODEL.get(&**feature));
            known.sum::<f32>() > 0.0
        })
        .collect()
}

/// The input of the model of words: the bytes and the features of each.
#[cfg(any(test, feature = "internals"))]
pub fn word_features(text: &str, message: &Message) -> Vec<(Range<usize>, Vec<String>)> {
    let words = words(text, message);
    let features = features_of_words(&words);
    words.into_iter().map(|word| word.bytes).zip(features).collect()
}

/// The input of the model of whole messages, before the words that ask are known.
pub fn message_features(text: &str, message: &Message) -> Vec<String> {
    features_of_message(message, &words(text, message))
}

fn features_of_words(words: &[Word<'_>]) -> Vec<Vec<String>> {
    let forms = edged(words.iter().map(|word| &*word.form));
    let of_word = |(at, word): (usize, &Word<'_>)| {
        // `forms` begins with the edge of the message.
        let (before, after) = (forms[at], forms[at + 2]);
        let (form, role) = (&word.form, word.role);
        let role_of =
            |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("^", |word| word.role);
        let case = if word.is_titled { "titled" } else { "plain" };
        vec![
            "bias".to_owned(),
            format!("w:{form}"),
            format!("<:{before}"),
            format!(">:{after}"),
            format!("<w:{before} {form}"),
            format!("w>:{form} {after}"),
            format!("r:{role}"),
            format!("<r:{}", role_of(at.checked_sub(1))),
            format!(">r:{}", role_of(Some(at + 1))),
            format!("rw:{role} {form}"),
            format!("c:{case}"),
            format!("cw:{case} {form}"),
            format!("cr:{case} {role}"),
        ]
    };
    words.iter().enumerate().map(of_word).collect()
}

/// The reader's labels of the message, sequences of its words, and the same with labels in place of
/// names and values.
fn features_of_message(message: &Message, words: &[Word<'_>]) -> Vec<String> {
    let names = message.spans.iter().filter(|span| span.role == Role::Name).count();
    let mut all = vec![
        "bias".to_owned(),
        format!("i:{}", message.intent.label.name()),
        format!("f:{}", message.fact.map_or("none", |fact| fact.name())),
        format!("n:{}", names.min(2)),
    ];
    let forms = edged(words.iter().map(|word| &*word.form));
    let mut labels = edged(words.iter().map(|word| &*word.label));
    labels.dedup();
    for count in 1..=SEQUENCE_MAX {
        all.extend(forms.windows(count).map(|run| format!("w:{}", run.join(" "))));
        let is_labelled = |run: &&[&str]| run.iter().any(|one| one.starts_with('@'));
        let runs = labels.windows(count).filter(is_labelled);
        all.extend(runs.map(|run| format!("l:{}", run.join(" "))));
    }
    all
}

/// How subjects end, and sequences of words with a mark in the place of each subject; and the message with
/// an example in the place of each.
fn features_of_subjects(text: &str, words: &[Word<'_>], asks: &[bool]) -> (Vec<String>, String) {
    let (mut all, mut marked) = (Vec::new(), Vec::new());
    let (mut example, mut end) = (String::new(), 0);
    let mut at = 0;
    while at < words.len() {
        let count = asks[at..].iter().take_while(|asks| !**asks).count();
        let first = &words[at];
        let Some(last) = words[at..at + count].last() else {
            marked.push(&*first.form);
            at += 1;
            continue;
        };
        let (mark, instead) = mark(&words[at..at + count]);
        all.extend([format!("s:{mark} {}", last.form), format!("s1:{}", last.form)]);
        marked.push(mark);
        example.push_str(&text[end..first.bytes.start]);
        example.push_str(instead);
        end = last.bytes.end;
        at += count;
    }
    example.push_str(&text[end..]);
    let marked = edged(marked.into_iter());
    for count in 1..=SEQUENCE_MAX {
        all.extend(marked.windows(count).map(|run| format!("m:{}", run.join(" "))));
    }
    (all, example)
}

/// What stands for a subject, a place, a name or a cause: its mark, and one of the kind.
fn mark(subject: &[Word<'_>]) -> (&'static str, &'static str) {
    let of = |roles: &[Role]| {
        let is_one = |word: &&Word<'_>| roles.iter().any(|role| role.name() == word.role);
        subject.iter().filter(is_one).count()
    };
    if of(&[Role::Place, Role::Near]) == subject.len() {
        return ("@place", "Ohio");
    }
    let is_name = of(&[Role::Name, Role::Ein]) * 2 >= subject.len();
    match is_name || subject.iter().all(|word| word.is_titled) {
        true => ("@name", "Acme"),
        false => ("@cause", "hunger"),
    }
}

/// Neighbouring words that do not ask, as far as nothing parts them.
fn subjects(text: &str, words: &[Word<'_>], asks: &[bool]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for (word, asks) in words.iter().zip(asks) {
        let bytes = &word.bytes;
        match found.last_mut().filter(|_| is_open && !asks) {
            Some(last) if is_joined(&text[last.end..bytes.start]) => last.end = bytes.end,
            _ if !asks => found.push(bytes.clone()),
            _ => {}
        }
        is_open = !asks;
    }
    found
}

/// Whether what stands between two words parts no name: `St. Jude`, `Children’s`, but not `a, b`.
fn is_joined(between: &str) -> bool {
    !between.contains([',', ';', '?', '(', ')']) && !between.contains(" - ")
}

/// A word with what was made of it.
struct Word<'a> {
    bytes: Range<usize>,
    form: String,
    role: &'a str,
    /// What stands for it where names and values are left out: its label, or its form.
    label: String,
    is_titled: bool,
}

/// Words between the edges of the message.
fn edged<'a>(words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    std::iter::once("^").chain(words).chain(["$"]).collect()
}

fn words<'a>(text: &str, message: &'a Message) -> Vec<Word<'a>> {
    let is_cased = text.chars().any(char::is_lowercase);
    let words = runs(text, char::is_alphanumeric);
    words.map(|bytes| word(text, bytes, is_cased, message)).collect()
}

fn word<'a>(text: &str, bytes: Range<usize>, is_cased: bool, message: &'a Message) -> Word<'a> {
    let written = &text[bytes.clone()];
    let form = match written.bytes().all(|byte| byte.is_ascii_digit()) {
        true if written.len() == YEAR_DIGITS => "#year".to_owned(),
        true => "#".to_owned(),
        false => written.to_lowercase(),
    };
    let span = message.spans.iter().find(|span| span.bytes.contains(&bytes.start));
    let label = match span.map(|span| span.role) {
        Some(Role::Name) => "@name".to_owned(),
        Some(Role::Cause) => "@cause".to_owned(),
        Some(Role::Place | Role::Near) => "@place".to_owned(),
        Some(
            Role::Amount
            | Role::Revenue
            | Role::Expenses
            | Role::Assets
            | Role::Employees
            | Role::Count,
        ) => "@amount".to_owned(),
        Some(Role::Ein) => "@ein".to_owned(),
        _ => form.clone(),
    };
    let is_titled = is_cased && written.chars().next().is_some_and(char::is_uppercase);
    Word {
        bytes,
        form,
        role: span.map_or(Role::Nothing, |span| span.role).name(),
        label,
        is_titled,
    }
}
