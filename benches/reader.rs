//! The reader in process: how long one message takes, and what it makes of messages.
//!
//! `cargo bench --bench reader` prints percentiles over the messages of `data/reader`. `-- show` reads
//! messages from standard input, a line each, and prints what each is labelled. `-- hints FILE...` prints
//! what the reader is told of the words of marked-up sentences, for `scripts/reader/train.py`.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::io::{BufRead as _, stdin};
use std::path::Path;
use std::time::{Duration, Instant};

use almoner::reader::{Message, Reader, hints};

fn main() {
    if std::env::args().any(|argument| argument == "hints") {
        let files = std::env::args().skip(1).filter(|argument| argument.ends_with(".jsonl"));
        for text in files.flat_map(|file| texts_of(Path::new(&file))) {
            print_hints(&text);
        }
        return;
    }
    let reader = Reader::shared().expect("the embedded weights are whole");
    if std::env::args().any(|argument| argument == "show") {
        for line in stdin().lock().lines() {
            let line = line.expect("a line of text");
            let message = reader.read(&line, &[]).expect("a text");
            println!("{}", described(&line, &message));
        }
        return;
    }
    let texts = texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reader"));
    let mut times: Vec<Duration> = texts
        .iter()
        .map(|text| {
            let started = Instant::now();
            reader.read(text, &[]).expect("a text");
            started.elapsed()
        })
        .collect();
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    let (median, p99, worst) = (at(0.5), at(0.99), at(1.0));
    println!("{} messages: p50 {median:.1?}, p99 {p99:.1?}, worst {worst:.1?}", times.len());
}

/// The messages of the training data, without their marks.
fn texts(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).expect("data/reader") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts.extend(self::texts(&path));
        } else if path.extension().is_some_and(|end| end == "jsonl") {
            texts.extend(texts_of(&path));
        }
    }
    texts
}

/// The messages of one file, without their marks.
fn texts_of(path: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for line in std::fs::read_to_string(path).expect("a text").lines() {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON lines");
        let turns = row["turns"].as_array().cloned().unwrap_or_else(|| vec![row.clone()]);
        texts.extend(turns.iter().filter_map(|turn| turn["text"].as_str()).map(unmarked));
    }
    texts
}

/// One JSON object: the text, and for each word its first character, the one behind it, and its hints.
fn print_hints(text: &str) {
    let characters = |byte: usize| text[..byte].chars().count();
    let words: Vec<serde_json::Value> = hints(text)
        .into_iter()
        .map(|(bytes, held)| {
            serde_json::json!([characters(bytes.start), characters(bytes.end), held])
        })
        .collect();
    println!("{}", serde_json::json!({ "text": text, "words": words }));
}

/// `[words](label)` is `words`.
fn unmarked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        plain.push_str(before);
        let (words, behind) = behind.split_once("](").expect("a mark has a label");
        plain.push_str(words);
        rest = behind.split_once(')').expect("a label ends").1;
    }
    plain + rest
}

fn described(text: &str, message: &Message) -> String {
    let Message { intent, act, fact, language, spans, .. } = message;
    let mut said = format!(
        "{text}\n  {} {:.2}, {} {:.2}, {}{}",
        intent.label.name(),
        intent.probability,
        act.label.name(),
        act.probability,
        language.label.name(),
        fact.map_or(String::new(), |fact| format!(", {}", fact.name())),
    );
    for span in spans {
        said.push_str(&format!(
            "\n    [{}] {} {} {} {} {} {:.2}",
            &text[span.bytes.clone()],
            span.role.name(),
            span.bound.name(),
            span.operation.name(),
            span.sort_by.name(),
            span.direction.name(),
            span.probability
        ));
    }
    said
}
