//! The reader in process: how long one message takes, and what it makes of messages.
//!
//! `cargo bench --bench reader` prints percentiles over the messages of `data/reader`. `-- show` reads
//! messages from standard input, a line each, and prints what each is labelled. `-- hints FILE...` prints
//! what the reader is told of the words of marked-up sentences, for `scripts/reader/train.py`. `-- reliability`
//! prints how often labels given with some probability are right, on the sentences that were held out.
//! `-- questions FILE` prints what the model of questions is told of the sentences of a table, for
//! `scripts/question_model.py`, `-- dangers FILE` and `-- acts FILE` what those of
//! dangers and dialogue acts are, for `scripts/message_model.py`; `-- fits FILE` prints how well the entries given in answer fit
//! their questions, for `scripts/explanation_fit.py`; `-- asked FILE` prints how many of them are read right.
//! `-- stories FILE.ndjson` prints what the model of stories is told of the sentences of passages, for
//! `scripts/story_model.py`, `-- figures FILE.ndjson` what the model of figures is told of their numbers, for
//! `scripts/figure_model.py`; `-- reports FILE.ndjson` prints the stories and metrics of the reports that they are of, and
//! how long they take, for `scripts/story_check.py`.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

use std::io::{BufRead as _, stdin};
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use almoner::curated::own_knowledge;
use almoner::embed::Lazy;
use almoner::impact::{Publication, report_metrics, report_numbers};
use almoner::reader::{
    Message, Reader, Topic, act_features, danger_features, hints, message_features, word_features,
};
use almoner::record::{Passage, PassageKind};
use almoner::search::explanation_fit::ExplanationFit;
use almoner::stories::{candidates, stories, story_features, training_rows};
use sha2::{Digest as _, Sha256};

/// What a model is given of a message.
type Features = fn(&str, &Message, Option<&str>) -> Vec<String>;

/// What stands for the message before one that is the first of a conversation.
const FIRST: &str = "-";

/// Prints what is asked for of a report.
type Print = fn(&Report);

/// Bins of probability.
const BINS: usize = 10;
/// One sentence in so many is held out of training, as `scripts/reader/markup.py` has it.
const HELD_OUT_ONE_OF: u8 = 20;

fn main() {
    if std::env::args().any(|argument| argument == "hints") {
        let files = std::env::args().skip(1).filter(|argument| argument.ends_with(".jsonl"));
        for text in files.flat_map(|file| texts_of(Path::new(&file))) {
            print_hints(&text);
        }
        return;
    }
    let passages = || std::env::args().find(|argument| argument.ends_with(".ndjson"));
    let printed = [
        ("stories", print_sentences as Print),
        ("figures", print_numbers),
        ("reports", print_found),
    ];
    for (of, print) in printed {
        if std::env::args().any(|argument| argument == of) {
            let path = passages().expect("a file of passages");
            reports(Path::new(&path)).iter().for_each(print);
            return;
        }
    }
    if std::env::args().any(|argument| argument == "drafts") {
        let files = || std::env::args().filter(|argument| argument.ends_with(".ndjson"));
        let (passages, likely) = (files().next(), files().nth(1));
        let likely = rows_of(Path::new(&likely.expect("a file of probabilities")));
        print_drafts(&reports(Path::new(&passages.expect("a file of passages"))), &likely);
        return;
    }
    let reader = Reader::shared().expect("the embedded weights are whole");
    let table = || std::env::args().find(|argument| argument.ends_with(".tsv")).expect("a table");
    if std::env::args().any(|argument| argument == "questions") {
        print_questions(reader, Path::new(&table()));
        return;
    }
    let of_danger: Features = |text, message, _| danger_features(text, message);
    for (of, features, first) in
        [("dangers", of_danger, None), ("acts", act_features as Features, Some("first"))]
    {
        if std::env::args().any(|argument| argument == of) {
            print_messages(reader, Path::new(&table()), features, first);
            return;
        }
    }
    if std::env::args().any(|argument| argument == "fits") {
        print_fits(reader, Path::new(&table()));
        return;
    }
    if std::env::args().any(|argument| argument == "asked") {
        print_asked(reader, Path::new(&table()));
        return;
    }
    if std::env::args().any(|argument| argument == "show") {
        for line in stdin().lock().lines() {
            let line = line.expect("a line of text");
            let message = reader.read(&line, &[]).expect("a text");
            println!("{}", described(&line, &message));
        }
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/reader");
    if std::env::args().any(|argument| argument == "reliability") {
        print_reliability(reader, &rows(&folder));
        return;
    }
    let texts: Vec<String> = rows(&folder).iter().flat_map(texts_of_row).collect();
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

/// A report in passages, with a letter for the label of each sentence where any is marked.
struct Report {
    name: String,
    year: i32,
    passages: Vec<Passage>,
    labels: Vec<String>,
}

/// The reports of a file of passages: JSON objects with report, year (2023 where it is not given), page, kind, text and
/// labels.
fn reports(path: &Path) -> Vec<Report> {
    let mut found: Vec<Report> = Vec::new();
    for row in rows_of(path) {
        let text = |member: &str| row[member].as_str().unwrap_or_default().to_owned();
        let kind = match row["kind"].as_str().unwrap_or_default() {
            "heading" => PassageKind::Heading,
            "list_item" => PassageKind::ListItem,
            "quotation" => PassageKind::Quotation,
            "caption" => PassageKind::Caption,
            "table_row" => PassageKind::TableRow,
            _ => PassageKind::Paragraph,
        };
        let page = row["page"].as_u64().and_then(|page| page.try_into().ok()).unwrap_or(1);
        let name = text("report");
        if found.last().is_none_or(|last| last.name != name) {
            let year = row["year"].as_i64().and_then(|year| year.try_into().ok()).unwrap_or(2023);
            found.push(Report { name, year, passages: Vec::new(), labels: Vec::new() });
        }
        let last = found.last_mut().expect("a report was added");
        last.passages.push(Passage { page, kind, text: text("text") });
        last.labels.push(text("labels"));
    }
    found
}

/// For each sentence of a report its section, passage, label, features and vectors, as a JSON object.
fn print_sentences(report: &Report) {
    let mut at = 0;
    let mut passage = usize::MAX;
    for row in training_rows(&report.passages).expect("the embedded model is whole") {
        at = if row.passage == passage { at + 1 } else { 0 };
        passage = row.passage;
        let label = match report.labels[passage].as_bytes().get(at) {
            Some(b'g') => "background",
            Some(b'b') => "before",
            Some(b't') => "turning",
            Some(b'a') => "after",
            Some(b'q') => "quote",
            Some(b'o') => "obstacle",
            _ => "none",
        };
        let row = serde_json::json!({
            "report": report.name, "section": row.section, "passage": row.passage, "label": label,
            "features": row.features, "vector": row.vector, "context": row.context,
        });
        println!("{row}");
    }
}

/// The drafts of stories of reports, each as a JSON object with what the model that judges them is told; `likely` are the
/// probabilities of the labels of each sentence, or null.
fn print_drafts(reports: &[Report], likely: &[serde_json::Value]) {
    let mut start = 0;
    for report in reports {
        let count = story_features(&report.passages).len();
        let own = likely[start..start + count].iter();
        let probabilities: Vec<Option<_>> =
            own.map(|row| serde_json::from_value(row.clone()).expect("numbers or null")).collect();
        for draft in candidates(&report.passages, &probabilities) {
            let sentences: Vec<usize> = draft.sentences.iter().map(|at| start + at).collect();
            let evidence: serde_json::Map<_, _> = draft
                .evidence
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value.into()))
                .collect();
            let names: Vec<_> = draft
                .names
                .iter()
                .map(|(name, evidence)| {
                    let evidence: serde_json::Map<_, _> = evidence
                        .iter()
                        .map(|&(name, value)| (name.to_owned(), value.into()))
                        .collect();
                    serde_json::json!({ "name": name, "evidence": evidence })
                })
                .collect();
            let row = serde_json::json!({
                "report": report.name, "protagonist": draft.protagonist, "sentences": sentences,
                "evidence": evidence, "names": names,
            });
            println!("{row}");
        }
        start += count;
    }
}

/// For each number of a report its passage, what it would be as a metric, and features, as a JSON object.
fn print_numbers(report: &Report) {
    for (passage, number) in report_numbers(&report.passages, &report.publication()) {
        let passage = &report.passages[passage].text;
        let row = serde_json::json!({
            "report": report.name, "passage": passage, "metric": number.metric, "features": number.features,
        });
        println!("{row}");
    }
}

impl Report {
    fn publication(&self) -> Publication<'static> {
        Publication {
            ein: "000000000".parse().expect("nine digits"),
            state: None,
            year: self.year,
            edition: self.name.clone(),
            url: None,
            published: None,
        }
    }
}

/// The stories and metrics of a report, each as a JSON object, and how long they took.
fn print_found(report: &Report) {
    let publication = report.publication();
    let started = Instant::now();
    let stories = stories(&report.passages, &publication).expect("the embedded model is whole");
    let metrics = report_metrics(&report.passages, &publication);
    let seconds = started.elapsed().as_secs_f64();
    let name = &report.name;
    for found in stories {
        let texts: Vec<&str> =
            report.passages[found.passages].iter().map(|passage| passage.text.as_str()).collect();
        let row = serde_json::json!({ "report": name, "story": found.story, "page": found.page, "passages": texts });
        println!("{row}");
    }
    for metric in metrics {
        println!("{}", serde_json::json!({ "report": name, "metric": metric }));
    }
    println!("{}", serde_json::json!({ "report": name, "seconds": seconds }));
}

/// The rows of the training data: sentences and dialogues.
fn rows(folder: &Path) -> Vec<serde_json::Value> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("data/reader") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(rows(&path));
        } else if path.extension().is_some_and(|end| end == "jsonl") {
            found.extend(rows_of(&path));
        }
    }
    found
}

fn rows_of(path: &Path) -> Vec<serde_json::Value> {
    let text = std::fs::read_to_string(path).expect("a text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON lines")).collect()
}

/// The messages of one file, without their marks.
fn texts_of(path: &Path) -> Vec<String> {
    rows_of(path).iter().flat_map(texts_of_row).collect()
}

fn texts_of_row(row: &serde_json::Value) -> Vec<String> {
    let turns = row["turns"].as_array().cloned().unwrap_or_else(|| vec![row.clone()]);
    turns.iter().filter_map(|turn| turn["text"].as_str()).map(unmarked).collect()
}

/// Of the roles and intents that are given with a probability of each tenth, how many are right: a span
/// where one of its role was marked, in sentences that stand alone and were held out.
fn print_reliability(reader: &Reader, rows: &[serde_json::Value]) {
    let mut roles = [(0_u32, 0.0_f32, 0_u32); BINS];
    let mut intents = roles;
    let count = |bins: &mut [(u32, f32, u32); BINS], probability: f32, is_right: bool| {
        let bin = &mut bins[((probability * BINS as f32) as usize).min(BINS - 1)];
        *bin = (bin.0 + 1, bin.1 + probability, bin.2 + u32::from(is_right));
    };
    let is_held_out = |marked: &&str| Sha256::digest(marked)[0].is_multiple_of(HELD_OUT_ONE_OF);
    for row in rows {
        let Some(marked) = row["text"].as_str().filter(is_held_out) else { continue };
        let text = unmarked(marked);
        let message = reader.read(&text, &[]).expect("a text");
        let marks = marks(marked);
        for span in &message.spans {
            let is_marked = marks.iter().any(|(bytes, role)| {
                role == span.role.name()
                    && bytes.start < span.bytes.end
                    && span.bytes.start < bytes.end
            });
            count(&mut roles, span.probability, is_marked);
        }
        let intent = message.intent;
        count(&mut intents, intent.probability, row["intent"] == intent.label.name());
    }
    for (name, bins) in [("roles of spans", roles), ("intents", intents)] {
        println!("{name}:");
        for (at, (count, sum, right)) in bins.into_iter().enumerate().filter(|(_, bin)| bin.0 > 0) {
            println!(
                "  {:.1} to {:.1}: {count} given, expected {:.3}, found {:.3}",
                at as f32 / BINS as f32,
                (at + 1) as f32 / BINS as f32,
                sum / count as f32,
                right as f32 / count as f32
            );
        }
    }
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

/// For each message its kind, its features, with `first` among them where it is known to begin a conversation, and its vector
/// with that of the message before, as a JSON object. Nearly all that are known to be the first search, so the program asks for
/// no such feature.
fn print_messages(reader: &Reader, path: &Path, features: Features, first: Option<&str>) {
    let model = Lazy::embedded().expect("the embedded model is whole");
    let table = std::fs::read_to_string(path).expect("a table");
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let kind = columns.next().expect("a kind");
        let text = &columns.next().expect("a message").replace(['[', ']'], "");
        let column = columns.next();
        let before = column.filter(|said| *said != FIRST);
        let message = reader.read(text, &[]).expect("a text");
        let mut features = features(text, &message, before);
        features.extend(first.filter(|_| column == Some(FIRST)).map(str::to_owned));
        let vector = model.embed_one(text).expect("a text");
        let of_before = before.map(|said| model.embed_one(said).expect("a text"));
        let row = serde_json::json!({
            "kind": kind, "text": text, "features": features, "vector": vector, "before": of_before,
        });
        println!("{row}");
    }
}

/// For each question and the entry given in answer, one JSON object: the grade and how well they fit.
fn print_fits(reader: &Reader, path: &Path) {
    let table = std::fs::read_to_string(path).expect("a table");
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, grade, text] = columns[..] else { panic!("{line}: not three columns") };
        let message = reader.read(text, &[]).expect("a text");
        let explanation = reader.explanation(text, &message, None).expect("a text");
        let entry = own_knowledge().iter().find(|own| own.article_id == id).expect("an entry");
        let fit = ExplanationFit::of(text, &explanation, entry);
        let grade: u8 = grade.parse().expect("a grade");
        println!("{}", serde_json::json!({"grade": grade, "numbers": fit.numbers(), "text": text}));
    }
}

/// For each sentence, as written and in small letters, one JSON object: its question, whether it is the second
/// of both, the features of the whole, and those of each word with whether it asks.
fn print_questions(reader: &Reader, path: &Path) {
    for (question, marked) in sentences(path) {
        for (is_small, marked) in [(false, marked.clone()), (true, marked.to_lowercase())] {
            let (mut text, mut subjects) = (String::new(), Vec::new());
            for c in marked.chars() {
                match c {
                    '[' => subjects.push(text.len()..text.len()),
                    ']' => subjects.last_mut().expect("a bracket opens").end = text.len(),
                    c => text.push(c),
                }
            }
            let message = reader.read(&text, &[]).expect("a text");
            let whole = message_features(&text, &message);
            let words: Vec<serde_json::Value> = word_features(&text, &message)
                .into_iter()
                .map(|(bytes, features)| {
                    let asks = !subjects.iter().any(|subject| subject.contains(&bytes.start));
                    serde_json::json!([asks, features])
                })
                .collect();
            println!(
                "{}",
                serde_json::json!({
                    "question": question, "text": text, "is_small": is_small, "whole": whole,
                    "words": words,
                })
            );
        }
    }
}

/// Questions and sentences of a table.
fn sentences(path: &Path) -> Vec<(String, String)> {
    let table = std::fs::read_to_string(path).expect("a table");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let (question, sentence) = line.split_once('\t').expect("a question and a sentence");
        (question.to_owned(), sentence.to_owned())
    };
    rows.map(row).collect()
}

/// Of the sentences of each question, how many are read as it, and which are not.
fn print_asked(reader: &Reader, path: &Path) {
    let rows = sentences(path);
    let (mut right, mut by_question) = (0, Vec::new());
    for topic in Topic::ALL {
        let (mut found, mut count) = (0, 0);
        for (question, text) in rows.iter().filter(|row| row.0 == topic.name()) {
            let message = reader.read(text, &[]).expect("a text");
            let asked = reader.question(text, &message).expect("a text");
            let read = asked.as_ref().map_or(Topic::Other, |asked| asked.topic.label);
            count += 1;
            found += u32::from(read == topic);
            if read != topic {
                println!("{} for {question}: {text}", read.name());
            }
        }
        right += found;
        by_question.push(format!("{} {found} of {count}", topic.name()));
    }
    println!("{right} of {}: {}", rows.len(), by_question.join(", "));
}

/// `[words](label)` is `words`.
fn unmarked(text: &str) -> String {
    cut(text).0
}

/// The marks of a sentence: bytes of the text without them, and the role.
fn marks(text: &str) -> Vec<(Range<usize>, String)> {
    cut(text).1
}

fn cut(text: &str) -> (String, Vec<(Range<usize>, String)>) {
    let (mut plain, mut marks) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('[') {
        plain.push_str(before);
        let (words, behind) = behind.split_once("](").expect("a mark has a label");
        let (label, behind) = behind.split_once(')').expect("a label ends");
        let role = label.split(' ').next().unwrap_or_default();
        marks.push((plain.len()..plain.len() + words.len(), role.to_owned()));
        plain.push_str(words);
        rest = behind;
    }
    (plain + rest, marks)
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
