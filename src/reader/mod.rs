//! The trained model that reads a message: what it asks for, and what each of its words is part of.
//!
//! [`Reader`] labels; it knows no value and decides no filter (`understand::decode` does, with what
//! recognises amounts, places, codes and names). Its weights stand on the lower layers of the embedded
//! sentence model (`models/README.md` says how they are trained), its labels in `labels`.

mod danger;
mod dialogue_act;
mod explanation;
mod hints;
mod labels;
pub(crate) mod linear;
mod questions;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

pub use danger::Danger;
#[cfg(any(test, feature = "internals"))]
pub use danger::danger_features;
pub use dialogue_act::DialogueAct;
pub use explanation::Explanation;
#[cfg(any(test, feature = "internals"))]
pub use explanation::act_features;
pub use hints::{HINTS, hints};
pub use labels::{
    Act, Bound, Direction, Fact, Intent, Known, Language, Operation, Role, SortBy, Topic,
};
pub use questions::Question;
#[cfg(any(test, feature = "internals"))]
pub use questions::{message_features, word_features};

use crate::embed::{Error, Head, Labeller, Lazy, Model, Shape, Table};

/// The weights, trained by `scripts/reader/train.py`.
static WEIGHTS: &[u8] = include_bytes!("../../models/reader/model.safetensors");

/// Tokens of a text that are read: as many as 256 characters of prose have. Time goes by tokens, and of signs each is one.
pub const TOKENS_MAX: usize = 64;

/// Vectors of texts that a thread remembers: those of a message, of the one before it and of two of its parts.
const VECTORS_REMEMBERED: usize = 4;

/// Layers of the sentence model that are shared.
const SHARED_LAYERS: usize = 3;

/// The heads, in the order in which [`Reader::read`] takes them apart.
const HEADS: [Head; 9] = [
    of_tokens("role", Role::ALL.len()),
    of_tokens("bound", Bound::ALL.len()),
    of_tokens("operation", Operation::ALL.len()),
    of_tokens("sort_key", SortBy::ALL.len()),
    of_tokens("direction", Direction::ALL.len()),
    of_whole("intent", Intent::ALL.len()),
    of_whole("act", Act::ALL.len()),
    // The first is none.
    of_whole("fact", 1 + Fact::ALL.len()),
    of_whole("language", Language::ALL.len()),
];

const fn of_tokens(name: &'static str, labels: usize) -> Head {
    Head { name, labels, is_of_tokens: true }
}

const fn of_whole(name: &'static str, labels: usize) -> Head {
    Head { name, labels, is_of_tokens: false }
}

/// Beside the heads: which role follows which, and which roles go with what is asked for.
const TABLES: [Table; 2] = [
    Table { name: "role.transitions", rows: Role::ALL.len(), columns: Role::ALL.len() },
    Table { name: "role.by_intent", rows: Intent::ALL.len(), columns: Role::ALL.len() },
];

/// Reads messages.
#[derive(Debug)]
pub struct Reader {
    model: &'static Model,
    labeller: Labeller,
}

/// A message, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub intent: Prediction<Intent>,
    /// How likely it is that it asks for one nonprofit, 0 to 1.
    pub names_one: f32,
    pub act: Prediction<Act>,
    /// The fact that is asked for, where one is.
    pub fact: Option<Fact>,
    pub language: Prediction<Language>,
    /// What is part of something, in the order of the message.
    pub spans: Vec<Span>,
}

impl Message {
    /// The words of the spans of a role, of the `text` that was read.
    pub fn words<'t>(&self, text: &'t str, role: Role) -> impl Iterator<Item = &'t str> {
        let spans = self.spans.iter().filter(move |span| span.role == role);
        spans.filter_map(|span| text.get(span.bytes.clone()))
    }

    /// The `text` that was read with blanks in place of some spans.
    pub fn blanked(&self, text: &str, is_blank: impl Fn(&Span) -> bool) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for span in self.spans.iter().filter(|span| is_blank(span)) {
            bytes[span.bytes.clone()].fill(b' ');
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A label and how likely it is, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction<T> {
    pub label: T,
    pub probability: f32,
}

/// Neighbouring words that are part of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct Span {
    /// Bytes of the message.
    pub bytes: Range<usize>,
    pub role: Role,
    pub bound: Bound,
    pub operation: Operation,
    pub sort_by: SortBy,
    pub direction: Direction,
    /// How likely its role is, 0 to 1: of the least sure of its words.
    pub probability: f32,
}

impl Span {
    /// Words that the message itself shows to have a role.
    pub fn told(role: Role, bytes: Range<usize>, operation: Operation) -> Self {
        let (bound, sort_by, direction) = (Bound::None, SortBy::None, Direction::None);
        Self { bytes, role, bound, operation, sort_by, direction, probability: 1.0 }
    }

    /// Whether it shares no byte with some others.
    pub fn is_apart(&self, bytes: &Range<usize>) -> bool {
        self.bytes.end <= bytes.start || bytes.end <= self.bytes.start
    }
}

impl Reader {
    /// The reader; a process has one, made when it is first asked for.
    pub fn shared() -> Result<&'static Self, Arc<Error>> {
        static READER: OnceLock<Result<Reader, Arc<Error>>> = OnceLock::new();
        READER.get_or_init(Self::new).as_ref().map_err(Arc::clone)
    }

    fn new() -> Result<Self, Arc<Error>> {
        let model = Lazy::embedded()?;
        let shape = Shape {
            shared: SHARED_LAYERS,
            context: Known::ALL.len(),
            hints: HINTS,
            heads: &HEADS,
            tables: &TABLES,
        };
        let labeller = Labeller::of(model, WEIGHTS, shape).map_err(Arc::new)?;
        Ok(Self { model, labeller })
    }

    /// The part of a text that is read: all of it, or the words within its first [`TOKENS_MAX`] tokens.
    pub fn readable_prefix<'t>(&self, text: &'t str) -> Result<&'t str, Error> {
        let Some(end) = self.model.token_start(text, TOKENS_MAX)? else { return Ok(text) };
        let (cut, rest) = text.split_at(text.floor_char_boundary(end));
        let is_within_word =
            !cut.ends_with(char::is_whitespace) && !rest.starts_with(char::is_whitespace);
        let whole = cut.rfind(char::is_whitespace).filter(|_| is_within_word);
        Ok(cut[..whole.unwrap_or(cut.len())].trim_end())
    }

    /// Reads a message, given what is known of the conversation before it.
    pub fn read(&self, text: &str, known: &[Known]) -> Result<Message, Error> {
        let context: Vec<f32> =
            Known::ALL.iter().map(|one| f32::from(known.contains(one))).collect();
        let hinted = hints(text);
        let hints = |bytes: &Range<usize>| {
            let at = hinted.partition_point(|(word, _)| word.end <= bytes.start);
            let (word, held) = hinted.get(at)?;
            (!bytes.is_empty() && word.start < bytes.end).then_some(&held[..])
        };
        let mut found = self.labeller.label(self.model, text, &context, hints)?;
        // The roles are a chain; every other label stands for itself.
        for (scores, head) in found.scores.iter_mut().zip(HEADS).skip(1) {
            scores.chunks_exact_mut(head.labels).for_each(log_softmax);
        }
        let [role, bound, operation, sort_by, direction, intent, act, fact, language] =
            &found.scores[..]
        else {
            return Err(Error::Config {
                file: "labels.json",
                expected: format!("{} heads", HEADS.len()),
                found: found.scores.len().to_string(),
            });
        };
        let names_one = Intent::ALL.iter().position(|one| *one == Intent::Details);
        let names_one = names_one.map_or(0.0, |at| intent[at].exp());
        let intent = whole(intent, &Intent::ALL);
        let words = words(text, &found.tokens);
        let roles = self.roles(role, intent.label, &words);
        // What else is asked of a run, all of its words tell together.
        let runs = runs(text, words.into_iter().zip(roles), operation);
        let span = |(role, Word { bytes, tokens }, probability)| Span {
            bytes,
            role,
            bound: likeliest(bound, &Bound::ALL, &tokens),
            operation: likeliest(operation, &Operation::ALL, &tokens),
            sort_by: likeliest(sort_by, &SortBy::ALL, &tokens),
            direction: likeliest(direction, &Direction::ALL, &tokens),
            probability,
        };
        let asks = |run: &(Role, Word, f32)| run.0 != Role::Nothing;
        let spans = runs.into_iter().filter(asks).map(span).collect();
        Ok(Message {
            intent,
            names_one,
            act: whole(act, &Act::ALL),
            fact: best_of(fact, 1 + Fact::ALL.len(), &(0..1))
                .0
                .checked_sub(1)
                .map(|at| Fact::ALL[at]),
            language: whole(language, &Language::ALL),
            spans,
        })
    }

    /// The vector of a text. The latest of a thread are remembered: a message is weighed for danger and for its acts, and
    /// after the one before it.
    fn vector(&self, text: &str) -> Result<Vec<f32>, Error> {
        thread_local! {
            static LATEST: RefCell<VecDeque<(String, Vec<f32>)>> = RefCell::default();
        }
        let known = LATEST.with_borrow(|latest| {
            latest.iter().find(|(known, _)| known == text).map(|(_, vector)| vector.clone())
        });
        if let Some(vector) = known {
            return Ok(vector);
        }
        let vector = self.model.embed_one(text)?;
        LATEST.with_borrow_mut(|latest| {
            latest.truncate(VECTORS_REMEMBERED - 1);
            latest.push_front((text.to_owned(), vector.clone()));
        });
        Ok(vector)
    }

    /// The vector of the message before; empty where there is none.
    fn vector_before(&self, before: Option<&str>) -> Result<Vec<f32>, Error> {
        before.map_or_else(|| Ok(Vec::new()), |said| self.vector(said))
    }

    /// The likeliest roles of words that stand in a row, and how likely each is: a linear-chain
    /// conditional random field, decoded after Viterbi; probabilities by the forward-backward algorithm.
    /// `scores`: `f32[tokens][roles]`.
    fn roles(&self, scores: &[f32], intent: Intent, words: &[Word]) -> Vec<(Role, f32)> {
        const ROLES: usize = Role::ALL.len();
        let transitions = self.labeller.table(0);
        let of_intent = Intent::ALL.iter().position(|known| *known == intent).unwrap_or_default();
        let bias = &self.labeller.table(1)[of_intent * ROLES..][..ROLES];
        // A word has one role: its tokens tell it together, as many as they are.
        let emissions: Vec<[f32; ROLES]> = words
            .iter()
            .map(|word| {
                std::array::from_fn(|role| {
                    let of_tokens = word.tokens.clone().map(|token| scores[token * ROLES + role]);
                    of_tokens.sum::<f32>() / word.tokens.len() as f32 + bias[role]
                })
            })
            .collect();
        let Some(first) = emissions.first() else { return Vec::new() };
        let through = |from: usize, to: usize| transitions[from * ROLES + to];
        let mut best = *first;
        let mut origins: Vec<[usize; ROLES]> = Vec::new();
        for emission in &emissions[1..] {
            let mut origin = [0; ROLES];
            let step: [f32; ROLES] = std::array::from_fn(|to| {
                let by = |from: usize| best[from] + through(from, to);
                let (from, score) = greatest((0..ROLES).map(by));
                origin[to] = from;
                score + emission[to]
            });
            origins.push(origin);
            best = step;
        }
        // Probabilities, scaled at every step so that none vanishes.
        let through: Vec<f32> = transitions.iter().map(|score| score.exp()).collect();
        let weights: Vec<[f32; ROLES]> = emissions.iter().map(shares).collect();
        let mut forward = vec![weights[0]];
        for weight in &weights[1..] {
            let before = forward[forward.len() - 1];
            let mut next = [0.0; ROLES];
            for (from, row) in through.chunks_exact(ROLES).enumerate() {
                next.iter_mut().zip(row).for_each(|(sum, share)| *sum += before[from] * share);
            }
            next.iter_mut().zip(weight).for_each(|(share, weight)| *share *= weight);
            forward.push(scaled(next));
        }
        let (mut role, _) = greatest(best.into_iter());
        let mut backward = [1.0; ROLES];
        let mut found = Vec::with_capacity(words.len());
        for at in (0..words.len()).rev() {
            let both: [f32; ROLES] = std::array::from_fn(|own| forward[at][own] * backward[own]);
            found.push((Role::ALL[role], scaled(both)[role]));
            if at > 0 {
                role = origins[at - 1][role];
                let behind: [f32; ROLES] = std::array::from_fn(|to| weights[at][to] * backward[to]);
                let rows = through.chunks_exact(ROLES);
                let sum = |row: &[f32]| row.iter().zip(behind).map(|(a, b)| a * b).sum::<f32>();
                let sums: Vec<f32> = rows.map(sum).collect();
                backward = scaled(std::array::from_fn(|from| sums[from]));
            }
        }
        found.reverse();
        found
    }
}

/// Shares of scores that are logarithms, of the greatest.
fn shares<const COUNT: usize>(scores: &[f32; COUNT]) -> [f32; COUNT] {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    scores.map(|score| (score - most).exp())
}

/// Numbers that sum to one, in the same proportions.
fn scaled<const COUNT: usize>(values: [f32; COUNT]) -> [f32; COUNT] {
    let sum: f32 = values.iter().sum();
    values.map(|value| value / sum.max(f32::MIN_POSITIVE))
}

/// A word: its bytes, and the tokens that it is cut into.
struct Word {
    bytes: Range<usize>,
    tokens: Range<usize>,
}

/// Joins the tokens of each word: pieces of letters and digits with nothing between them.
fn words(text: &str, tokens: &[Range<usize>]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let of_text = |(_, bytes): &(usize, &Range<usize>)| {
        !bytes.is_empty() && text.get(Range::clone(bytes)).is_some()
    };
    for (at, bytes) in tokens.iter().enumerate().filter(of_text) {
        let is_word = |bytes: &Range<usize>| {
            text.get(bytes.clone()).is_some_and(|piece| piece.chars().any(char::is_alphanumeric))
        };
        match words.last_mut() {
            // Several tokens of one character: `½` is `1`, `/` and `2`.
            Some(last) if bytes.start < last.bytes.end => {
                last.bytes.end = last.bytes.end.max(bytes.end);
                last.tokens.end = at + 1;
            }
            Some(last)
                if last.bytes.end == bytes.start && is_word(&last.bytes) && is_word(bytes) =>
            {
                last.bytes.end = bytes.end;
                last.tokens.end = at + 1;
            }
            _ => words.push(Word { bytes: bytes.clone(), tokens: at..at + 1 }),
        }
    }
    words
}

/// Neighbouring words of one role as one run, with the least of their probabilities; a name goes on over
/// punctuation. `operation`: `f32[tokens][operations]`.
fn runs(
    text: &str,
    words: impl Iterator<Item = (Word, (Role, f32))>,
    operation: &[f32],
) -> Vec<(Role, Word, f32)> {
    let mut runs: Vec<(Role, Word, f32)> = Vec::new();
    for (word, (role, probability)) in words {
        let is_sign =
            |bytes: &Range<usize>| !text[bytes.clone()].chars().any(char::is_alphanumeric);
        if let [.., (Role::Name, _, _), (Role::Nothing, between, _)] = &runs[..]
            && role == Role::Name
            && is_sign(&between.bytes)
        {
            runs.pop();
        }
        // `not St. Paul, Minneapolis`: behind punctuation something else may be done with the next.
        let is_other = |run: &Word| {
            let last = text[..run.bytes.end].chars().next_back();
            last.is_some_and(|c| matches!(c, ',' | ';' | '/'))
                && likeliest(operation, &Operation::ALL, &run.tokens)
                    != likeliest(operation, &Operation::ALL, &word.tokens)
        };
        match runs.last_mut().filter(|(own, run, _)| *own == role && !is_other(run)) {
            Some((_, run, least)) => {
                run.bytes.end = word.bytes.end;
                run.tokens.end = word.tokens.end;
                *least = least.min(probability);
            }
            None => runs.push((role, word, probability)),
        }
    }
    runs
}

/// The greatest of some values, of equal ones the last, and where it stands.
fn greatest(values: impl Iterator<Item = f32>) -> (usize, f32) {
    values.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, f32::NEG_INFINITY))
}

/// The likeliest label of some tokens together, and how likely it is.
fn best_of(scores: &[f32], labels: usize, tokens: &Range<usize>) -> (usize, f32) {
    let count = tokens.len() as f32;
    let mean = |label: usize| {
        let of_tokens = tokens.clone().map(|token| scores[token * labels + label]);
        of_tokens.sum::<f32>() / count
    };
    let (label, score) = greatest((0..labels).map(mean));
    (label, score.exp())
}

fn likeliest<T: Copy>(scores: &[f32], labels: &'static [T], tokens: &Range<usize>) -> T {
    labels[best_of(scores, labels.len(), tokens).0]
}

/// The label of the whole: that of the first token.
fn whole<T: Copy>(scores: &[f32], labels: &'static [T]) -> Prediction<T> {
    let (label, probability) = best_of(scores, labels.len(), &(0..1));
    Prediction { label: labels[label], probability }
}

fn log_softmax(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - most).exp()).sum();
    scores.iter_mut().for_each(|score| *score -= most + sum.ln());
}
