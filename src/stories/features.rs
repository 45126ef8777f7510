//! The features of a sentence besides its vector: its words, what kinds of words it has, where it stands, and
//! the style of its section.

use std::collections::{HashMap, HashSet};

use super::lexicon::{base, is_capital, is_no_name, is_past, lists, lower, negates, words};
use super::sentence::{Section, Sentence};
use crate::record::PassageKind;

/// Lists of which a sentence has a word or none.
const PRESENCE: [&str; 13] = [
    "present", "had", "now", "plans", "supposed", "you", "kin", "they", "says", "staff", "numbers",
    "spans", "barriers",
];

/// Characters of the beginning of a word, which its forms share.
const BEGINNING: usize = 5;

/// Counts of a sentence that its neighbours have as features too.
struct Counts {
    third: usize,
    first: usize,
    own: usize,
    past: usize,
    has_digit: bool,
}

impl Counts {
    fn of(sentence: &Sentence<'_>) -> Self {
        let count = |list: &str| sentence.words.iter().filter(|word| lists(list, word)).count();
        Self {
            third: count("third"),
            first: count("first"),
            own: count("own"),
            past: sentence.words.iter().filter(|word| is_past(word)).count(),
            has_digit: sentence.text.bytes().any(|byte| byte.is_ascii_digit()),
        }
    }
}

/// The features of each sentence of a section, each once and sorted. `small` are the words that the report has in small
/// letters.
pub(super) fn features(section: &Section<'_>, small: &HashSet<String>) -> Vec<Vec<String>> {
    let sentences = &section.sentences;
    let counts: Vec<Counts> = sentences.iter().map(Counts::of).collect();
    let shared = of_section(section, small, &counts);
    let of_sentence = |(at, sentence): (usize, &Sentence<'_>)| {
        let mut found = shared.clone();
        of_words(sentence, &mut found);
        of_form(sentence, &counts[at], &mut found);
        let share = at as f64 / sentences.len().saturating_sub(1).max(1) as f64;
        found.push(format!("pos:{}", bucket(share, &[0.01, 0.2, 0.4, 0.6, 0.8, 0.99])));
        for (step, name) in [(-2, "pp"), (-1, "p"), (1, "n"), (2, "nn")] {
            let other = at.checked_add_signed(step).filter(|other| *other < sentences.len());
            let Some(other) = other else {
                found.push(format!("{name}none"));
                continue;
            };
            let told = &counts[other];
            let same = sentences[other].passage == sentence.passage;
            let facts = [
                (told.third > 0, "3"),
                (told.first > 0, "1"),
                (told.past > 0, "past"),
                (same, "same"),
            ];
            let held = facts.iter().filter(|(holds, _)| *holds);
            found.extend(held.map(|(_, fact)| format!("{name}{fact}")));
        }
        found.sort_unstable();
        found.dedup();
        found
    };
    sentences.iter().enumerate().map(of_sentence).collect()
}

fn of_section(section: &Section<'_>, small: &HashSet<String>, counts: &[Counts]) -> Vec<String> {
    let all = counts.len().max(1) as f64;
    let share = |holds: &dyn Fn(&Counts) -> bool| {
        counts.iter().filter(|count| holds(count)).count() as f64 / all
    };
    let mut names: HashMap<String, usize> = HashMap::new();
    for word in section.sentences.iter().flat_map(|sentence| &sentence.raw) {
        let word = base(word);
        let name = lower(word);
        if is_capital(word) && !small.contains(&name) && !is_no_name(&name) {
            *names.entry(name).or_default() += 1;
        }
    }
    let most = names.into_values().max().unwrap_or_default();
    let mut found = vec![
        format!("S3:{}", bucket(share(&|count| count.third > 0), &[0.05, 0.2, 0.35, 0.5, 0.7])),
        format!("S1:{}", bucket(share(&|count| count.first > 0), &[0.1, 0.3, 0.6])),
        format!("Sw:{}", bucket(share(&|count| count.own > 0), &[0.1, 0.3, 0.5])),
        format!("Sp:{}", bucket(share(&|count| count.past > 0), &[0.2, 0.4, 0.6, 0.8])),
        format!("Sn:{}", bucket(counts.len() as f64, &[2.0, 4.0, 6.0, 9.0, 14.0, 22.0])),
        format!("Sd:{}", bucket(share(&|count| count.has_digit), &[0.1, 0.3, 0.5, 0.7])),
        format!("St:{}", bucket(most as f64, &[1.0, 2.0, 3.0, 4.0, 6.0])),
    ];
    let first = section.heading.and_then(|heading| words(heading).first().map(|word| lower(word)));
    if first.is_some_and(|word| lists("meet", &word)) {
        found.push("meet".to_owned());
    }
    found
}

/// How many of rising bounds a value reaches.
fn bucket(value: f64, bounds: &[f64]) -> usize {
    bounds.iter().filter(|bound| value >= **bound).count()
}

fn of_words(sentence: &Sentence<'_>, found: &mut Vec<String>) {
    let words = &sentence.words;
    for word in words {
        found.push(format!("w:{word}"));
        if word.chars().count() > BEGINNING {
            found.push(format!("b:{}", word.chars().take(BEGINNING).collect::<String>()));
        }
    }
    if let Some(first) = words.first() {
        found.push(format!("f:{first}"));
    }
    if let [first, second, ..] = &words[..] {
        found.push(format!("ff:{first} {second}"));
    }
    let lists = PRESENCE.iter().filter(|list| words.iter().any(|word| lists(list, word)));
    found.extend(lists.map(|list| (*list).to_owned()));
    let is_year = |word: &String| {
        word.len() == 4
            && word.bytes().all(|byte| byte.is_ascii_digit())
            && (word.starts_with("19") || word.starts_with("20"))
    };
    let facts = [
        (words.iter().any(|word| word.ends_with("'d")), "had"),
        (words.iter().any(|word| negates(word)), "negations"),
        (words.iter().any(is_year), "year"),
    ];
    found.extend(facts.iter().filter(|(holds, _)| *holds).map(|(_, fact)| (*fact).to_owned()));
}

fn of_form(sentence: &Sentence<'_>, counts: &Counts, found: &mut Vec<String>) {
    let text = sentence.text;
    let facts = [
        (sentence.start == 0, "first"),
        (sentence.is_last, "last"),
        (text.contains(['"', '“']), "quote"),
        (text.starts_with(['"', '“']), "quote0"),
        (text.ends_with(['"', '”']), "quote9"),
        (text.starts_with(['—', '–']), "dash0"),
        (text.contains('$'), "money"),
        (counts.has_digit, "digit"),
        (text.ends_with('?'), "question"),
    ];
    found.extend(facts.iter().filter(|(holds, _)| *holds).map(|(_, fact)| (*fact).to_owned()));
    let length = sentence.words.len() as f64;
    found.extend([
        format!("k:{}", kind_name(sentence.kind)),
        format!("len:{}", bucket(length, &[4.0, 8.0, 14.0, 22.0, 32.0])),
        format!("3:{}", counts.third.min(2)),
        format!("1:{}", counts.first.min(2)),
        format!("we:{}", counts.own.min(2)),
        format!("past:{}", counts.past.min(3)),
    ]);
}

fn kind_name(kind: PassageKind) -> &'static str {
    match kind {
        PassageKind::Heading => "heading",
        PassageKind::Paragraph => "paragraph",
        PassageKind::ListItem => "list_item",
        PassageKind::Quotation => "quotation",
        PassageKind::Caption => "caption",
        PassageKind::TableRow => "table_row",
    }
}
