//! The protagonist of a story: the person or the group that it is about, in the words of the text.

use std::collections::{BTreeMap, HashSet};

use super::lexicon::{base, is_capital, is_no_name, lists, lower, words};
use super::model::Label;
use super::part::Part;
use crate::text::place_in;

/// Points of a name from which it is the protagonist's.
const POINTS_MIN: f32 = 2.0;

/// Points of a name for standing in the first sentence, and in the second.
const EARLY_POINTS: [f32; 2] = [1.2, 0.6];

/// Points of a name for standing in the heading.
const HEADING_POINTS: f32 = 2.0;

/// Points of a name that stands in the heading alone: less than makes it sure.
const HEADING_ONLY_POINTS: f32 = 1.7;

/// Bytes of a small word that shows that a heading is no title in capitals: articles and prepositions show nothing.
const SENTENCE_WORD_MIN: usize = 5;

/// Words of a name, titles included.
const NAME_WORDS_MAX: usize = 5;

/// Words between an article and the noun of a phrase for people.
const PHRASE_WORDS_MAX: usize = 3;

/// Words of illness in a story from which its protagonist is a patient.
const PATIENT_WORDS_MIN: usize = 2;

/// Age below which somebody is a child.
const ADULT_AGE: u32 = 18;

/// Who a story is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Protagonist {
    /// As the text names them; a child or a patient by the first name.
    pub(super) name: String,
    /// The first word of the name without its title, in lower case.
    pub(super) key: String,
}

/// A name where a text has it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mention<'a> {
    /// With its title, without `'s`.
    pub(super) text: &'a str,
    /// Without its title.
    pub(super) name: &'a str,
    /// Byte of the text at which it begins.
    pub(super) start: usize,
    is_titled: bool,
    /// Whether a word for somebody of the organization stands right before it.
    is_staff: bool,
    /// Whether a preposition of places stands before it.
    is_placed: bool,
    /// Whether another word with a capital follows, as in the name of a place: `Red Wash`.
    goes_on: bool,
}

impl Mention<'_> {
    /// The first word of the name in lower case.
    pub(super) fn key(&self) -> String {
        words(self.name).first().map_or_else(String::new, |word| lower(base(word)))
    }
}

/// The names in a text: words with a capital in a row that the report has nowhere in small letters.
pub(super) fn mentions<'a>(text: &'a str, small: &HashSet<String>) -> Vec<Mention<'a>> {
    let all = words(text);
    let place = |word: &str| place_in(text, word);
    let is_name = |word: &str| {
        let key = lower(base(word));
        is_capital(word)
            && !small.contains(&key)
            && !is_no_name(&key)
            && !lists("peoples", &key)
            && !lists("staff", &key)
            && !lists("openers", &key)
    };
    let is_title = |word: &str| is_capital(word) && lists("titles", &lower(word));
    let adjoins = |one: &str, next: &str| {
        let between = &text[place(one).end..place(next).start];
        matches!(between, " " | "-" | "–") || (between == ". " && is_title(one))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let titles = (at..all.len().min(at + 2)).take_while(|&next| is_title(all[next])).count();
        let first = at + titles;
        let joined = |next: usize| next == at || adjoins(all[next - 1], all[next]);
        let mut end = first;
        while end < all.len().min(at + NAME_WORDS_MAX)
            && joined(end)
            && is_name(all[end])
            // `Halima's Alterations` is no name of Halima.
            && (end == first || base(all[end - 1]) == all[end - 1])
        {
            end += 1;
        }
        if end == first {
            at += 1;
            continue;
        }
        let (from, name, last) = (place(all[at]).start, place(all[first]).start, all[end - 1]);
        let until = place(last).start + base(last).len();
        let before = at.checked_sub(1).map(|before| lower(all[before])).unwrap_or_default();
        let body = all[first..end].iter().any(|word| lists("organizations", &lower(base(word))));
        if !body {
            found.push(Mention {
                text: &text[from..until],
                name: &text[name..until],
                start: from,
                is_titled: titles > 0,
                is_staff: lists("staff", &before),
                is_placed: lists("places", &before),
                goes_on: end < all.len() && is_capital(all[end]) && adjoins(last, all[end]),
            });
        }
        at = end;
    }
    found
}

/// What speaks for a name.
#[derive(Debug, Default)]
struct Candidate {
    points: f32,
    /// The longest form of it.
    longest: String,
}

impl Candidate {
    fn add(&mut self, mention: &Mention<'_>, points: f32) {
        self.points += points;
        if mention.text.len() > self.longest.len() {
            mention.text.clone_into(&mut self.longest);
        }
    }
}

/// The protagonist of the sentences of a story, if they name anybody.
pub(super) fn protagonist(parts: &[Part<'_>], small: &HashSet<String>) -> Option<Protagonist> {
    let mut candidates: BTreeMap<String, Candidate> = BTreeMap::new();
    for (at, part) in parts.iter().enumerate() {
        let next = parts.get(at + 1).and_then(|next| next.sentence.words.first());
        let is_subject = next.is_some_and(|word| lists("third", word));
        for mention in mentions(part.sentence.text, small) {
            let early = EARLY_POINTS.get(at).copied().unwrap_or_default();
            let points = points(&mention, part.sentence.text, is_subject) + early;
            candidates.entry(mention.key()).or_default().add(&mention, points);
        }
    }
    let mut headings: Vec<&str> = parts.iter().filter_map(|part| part.heading).collect();
    headings.dedup();
    for heading in headings {
        let presents = words(heading).first().is_some_and(|word| lists("meet", &lower(word)));
        // In a heading in title case any word may have a capital.
        let is_sentence = words(heading)
            .iter()
            .any(|word| word.starts_with(char::is_lowercase) && word.len() >= SENTENCE_WORD_MIN);
        for mention in mentions(heading, small) {
            let points = match candidates.contains_key(&mention.key()) {
                true => HEADING_POINTS,
                false if presents => HEADING_POINTS,
                false if is_sentence => HEADING_ONLY_POINTS,
                false => continue,
            };
            candidates.entry(mention.key()).or_default().add(&mention, points);
        }
    }
    let best = candidates.iter().max_by(|(one_key, one), (other_key, other)| {
        one.points.total_cmp(&other.points).then_with(|| other_key.cmp(one_key))
    });
    let named = |(key, candidate): (&String, &Candidate)| Protagonist {
        name: display_name(&candidate.longest, key, parts),
        key: key.clone(),
    };
    let sure = best.filter(|(_, candidate)| candidate.points >= POINTS_MIN).map(named);
    sure.or_else(|| group(parts)).or_else(|| best.map(named))
}

/// How much a mention says that its name is the protagonist's.
fn points(mention: &Mention<'_>, text: &str, is_subject: bool) -> f32 {
    let behind = &text[mention.start + mention.text.len()..];
    let before = text[..mention.start].to_lowercase().replace('’', "'");
    let aged = behind
        .strip_prefix(", ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let introduces = before.ends_with("my name is ") || before.ends_with("i'm ");
    let follows_staff = behind.strip_prefix(", our ").is_some() || before.ends_with("our ");
    let weights = [
        (mention.is_titled, 0.3),
        (mention.is_staff || follows_staff, -1.5),
        (mention.is_placed, -1.0),
        (mention.goes_on, -1.0),
        (aged, 1.5),
        (introduces, 4.0),
        (is_subject, 0.4),
    ];
    1.0 + weights.iter().filter(|(holds, _)| *holds).map(|(_, weight)| weight).sum::<f32>()
}

/// The name as it is shown: of a child or a patient only the first.
fn display_name(longest: &str, key: &str, parts: &[Part<'_>]) -> String {
    let all = words(longest);
    let first = all.iter().find(|word| lower(base(word)) == *key);
    match first {
        Some(first) if all.len() > 1 && is_private(key, parts) => base(first).to_owned(),
        _ => longest.to_owned(),
    }
}

/// Whether somebody is a child, or a patient.
fn is_private(key: &str, parts: &[Part<'_>]) -> bool {
    let told = |part: &&Part<'_>| part.label != Label::None;
    let illness = parts
        .iter()
        .filter(told)
        .flat_map(|part| &part.sentence.words)
        .filter(|word| lists("patients", word));
    let distinct: HashSet<&String> = illness.collect();
    if distinct.len() >= PATIENT_WORDS_MIN {
        return true;
    }
    parts.iter().any(|part| {
        let words = &part.sentence.words;
        let Some(at) = words.iter().position(|word| base(word) == key) else { return false };
        let near = &words[at + 1..words.len().min(at + 7)];
        let is_young = |word: &String| word.parse().is_ok_and(|age: u32| age < ADULT_AGE);
        near.first().is_some_and(is_young)
            || near.iter().any(|word| lists("children", word))
                && !near.iter().any(|word| lists("kin", word))
    })
}

/// The first phrase for people: `24 eleventh graders from Glenville`, `a logger`.
fn group(parts: &[Part<'_>]) -> Option<Protagonist> {
    parts.iter().filter(|part| part.label != Label::Quote).find_map(|part| {
        let (text, raw, words) = (part.sentence.text, &part.sentence.raw, &part.sentence.words);
        let noun = words.iter().position(|word| lists("people", word))?;
        let from = (noun.saturating_sub(PHRASE_WORDS_MAX + 1)..=noun).rfind(|&at| {
            // Four digits are a year.
            let is_number =
                words[at].len() < 4 && words[at].bytes().all(|byte| byte.is_ascii_digit());
            at < noun && (is_number || lists("articles", &words[at]))
        })?;
        let place = |at: usize| place_in(text, raw[at]);
        let is_whole = (from..noun).all(|at| &text[place(at).end..place(at + 1).start] == " ");
        let mut last = noun;
        if words.get(noun + 1).is_some_and(|word| word == "from") {
            let capitals = raw[noun + 2..].iter().take_while(|word| is_capital(word)).count();
            last += if capitals > 0 { 1 + capitals.min(2) } else { 0 };
        }
        let name = text[place(from).start..place(last).start + base(raw[last]).len()].to_owned();
        is_whole.then(|| Protagonist { key: words[noun].clone(), name })
    })
}
