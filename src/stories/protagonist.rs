//! The protagonist of a story: the person or the group that it is about, in the words of the text.
//!
//! Names and phrases for people are candidates; a linear model (`model`) ranks them by where and how the story has them.

use std::collections::{BTreeMap, HashSet};

use super::lexicon::{base, is_capital, is_past, lists, lower, words};
use super::model::{Evidence, Label, StoryModel};
use super::names::{Mention, display_name, mentions};
use super::part::Part;
use super::sentence::Sentence;
use crate::text::place_in;

/// Words between an article and the noun of a phrase for people.
const PHRASE_WORDS_MAX: usize = 3;

/// Phrases for people of a story that are candidates.
const PHRASES_MAX: usize = 4;

/// Words before a name in which a word for kin or for somebody of the organization tells whose or who it is.
const ROLE_REACH: usize = 3;

/// Sentences before and behind a story in which its speaker may be named.
const AROUND: usize = 2;

/// Who a story is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Protagonist {
    /// As the text names them; a child or a patient by the first name.
    pub(super) name: String,
    /// The first word of the name without its title, in lower case.
    pub(super) key: String,
    /// How probable it is that the story is about them and not about another candidate, 0 to 1.
    pub(super) probability: f32,
    /// What speaks for it, each value by its name.
    pub(super) evidence: Evidence,
}

/// A name or a phrase that the story may be about.
#[derive(Debug, Default)]
pub(super) struct Candidate {
    /// The longest form of it.
    pub(super) name: String,
    pub(super) key: String,
    is_phrase: bool,
    pub(super) evidence: Evidence,
}

impl Candidate {
    fn add(&mut self, name: &'static str, value: f32) {
        *self.evidence.entry(name).or_default() += value;
    }

    fn raise(&mut self, name: &'static str) {
        self.evidence.insert(name, 1.0);
    }
}

/// The likeliest protagonist of the sentences of a story, if they name anybody.
pub(super) fn protagonist(parts: &[Part<'_>], small: &HashSet<String>) -> Option<Protagonist> {
    let model = StoryModel::shared();
    let mut all = candidates(parts, small);
    let scores: Vec<f32> = all.iter().map(|one| model.name_score(&one.evidence)).collect();
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = scores.iter().map(|score| (score - most).exp()).sum();
    let best = scores.iter().position(|score| *score >= most)?;
    let Candidate { name, key, is_phrase, evidence } = all.swap_remove(best);
    let name = if is_phrase { name } else { display_name(&name, &key, parts) };
    Some(Protagonist { name, key, probability: 1.0 / sum, evidence })
}

/// The candidates for a story's protagonist, each with the evidence.
pub(super) fn candidates(parts: &[Part<'_>], small: &HashSet<String>) -> Vec<Candidate> {
    let mut names: BTreeMap<String, Candidate> = BTreeMap::new();
    let found: Vec<Vec<Mention<'_>>> =
        parts.iter().map(|part| mentions(part.sentence.text, small)).collect();
    let all = parts.len().max(1) as f32;
    let told = |list: &str| {
        parts.iter().filter(|part| part.sentence.words.iter().any(|word| lists(list, word))).count()
            as f32
            / all
    };
    for (at, (part, own)) in parts.iter().zip(&found).enumerate() {
        let next = parts.get(at + 1).map(|next| next.sentence);
        let mut keys = HashSet::new();
        for mention in own {
            let key = key(mention, &found);
            let candidate = names.entry(key.clone()).or_default();
            of_mention(candidate, mention, part.sentence, next);
            candidate.add("mentions", 1.0);
            if keys.insert(key) {
                candidate.add("sentences", 1.0);
                match at {
                    0 => candidate.raise("opens_story"),
                    1 => candidate.raise("second"),
                    _ => {}
                }
                if part.label == Label::After {
                    candidate.raise("after");
                }
            }
        }
    }
    of_headings(&mut names, parts, small);
    of_surroundings(&mut names, parts, small);
    let (first, third) = (told("first"), told("third"));
    for (key, candidate) in &mut names {
        candidate.key.clone_from(key);
        let of = |name: &str| candidate.evidence.get(name).copied().unwrap_or_default();
        let (mentions, sentences) = (of("mentions"), of("sentences"));
        // A word that is only once in the text, at the beginning of a sentence, may have its capital from there.
        let is_lone =
            mentions == 1.0 && of("begins") == 1.0 && of("full") == 0.0 && of("heading") == 0.0;
        for name in MENTIONED {
            if let Some(value) = candidate.evidence.get_mut(name) {
                *value /= mentions.max(1.0);
            }
        }
        let evidence = &mut candidate.evidence;
        evidence.insert("lone", f32::from(u8::from(is_lone)));
        evidence.insert("sentences", sentences / all);
        evidence.insert("mentions", mentions.ln_1p());
        let subjects = evidence.get("subject").copied().unwrap_or_default() * mentions;
        evidence.insert("subjects", subjects.ln_1p());
        for (name, joint) in [
            ("heading", "heading_first_person"),
            ("signs", "signs_first_person"),
            ("around", "around_first_person"),
            ("sentences", "sentences_first_person"),
        ] {
            let value = evidence.get(name).copied().unwrap_or_default() * first * (1.0 - third);
            evidence.insert(joint, value);
        }
    }
    let mut found: Vec<Candidate> = names.into_values().collect();
    found.extend(phrases(parts, told("they"), third));
    found.extend(parts.first().and_then(|part| heading_phrase(part.section.heading?)));
    found
}

/// Evidence that is given as the share of the mentions of a name.
const MENTIONED: [&str; 12] = [
    "staff",
    "kin",
    "placed",
    "behind_preposition",
    "subject",
    "owner",
    "goes_on",
    "article",
    "begins",
    "pronoun",
    "quoted",
    "speaks",
];

/// The key of a name: of one by which a longer one ends, as `Mrs. Bell`, that of the longer one.
fn key(mention: &Mention<'_>, found: &[Vec<Mention<'_>>]) -> String {
    let own = words(mention.name);
    let is_last = |other: &&Mention<'_>| {
        let all = words(other.name);
        all.len() > 1
            && own.len() == 1
            && all.last().map(|word| base(word)) == own.first().map(|word| base(word))
    };
    found.iter().flatten().find(is_last).unwrap_or(mention).key()
}

fn of_mention(
    candidate: &mut Candidate,
    mention: &Mention<'_>,
    sentence: &Sentence<'_>,
    next: Option<&Sentence<'_>>,
) {
    let text = sentence.text;
    if mention.text.len() > candidate.name.len() {
        mention.text.clone_into(&mut candidate.name);
    }
    let (before, behind) = (&text[..mention.start], &text[mention.start + mention.text.len()..]);
    let earlier: Vec<String> = words(before).into_iter().map(lower).collect();
    let nearest = earlier.last().map(String::as_str).unwrap_or_default();
    let near = &earlier[earlier.len().saturating_sub(ROLE_REACH)..];
    let later: Vec<String> = words(behind).into_iter().map(lower).collect();
    let has = |words: &[String], list: &str| words.iter().any(|word| lists(list, word));
    let follows = next.and_then(|next| next.words.first()).is_some_and(|word| lists("third", word));
    let quotes = before.matches(['"', '“', '”']).count();
    let speaks = later.first().is_some_and(|word| lists("says", word))
        || (quotes > 1 && lists("says", nearest));
    let is_appositive = behind.starts_with(", our ") || behind.starts_with(", the ");
    let is_owner = behind.starts_with("'s") || behind.starts_with("’s");
    let is_behind = lists("prepositions", nearest);
    let acts = behind.starts_with(' ')
        && later.first().is_some_and(|word| is_past(word) || lists("auxiliaries", word));
    let facts = [
        ("staff", has(near, "staff") || is_appositive),
        ("kin", has(near, "kin")),
        ("placed", lists("places", nearest)),
        ("behind_preposition", is_behind),
        ("subject", acts && !is_behind),
        ("owner", is_owner),
        ("goes_on", mention.goes_on),
        ("article", matches!(nearest, "a" | "an" | "the")),
        ("begins", earlier.is_empty()),
        ("pronoun", has(&later, "third") || follows),
        ("quoted", quotes % 2 == 1),
        ("speaks", speaks),
    ];
    facts.iter().filter(|(_, holds)| *holds).for_each(|(name, _)| candidate.add(name, 1.0));
    let aged = behind
        .strip_prefix(", ")
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let said = before.to_lowercase().replace('’', "'");
    let facts = [
        ("titled", mention.is_titled),
        ("aged", aged),
        ("introduces", said.ends_with("my name is ") || said.ends_with("i'm ")),
        ("full", words(mention.name).len() > 1),
        ("initial", mention.text.ends_with('.')),
        ("inside", !earlier.is_empty()),
    ];
    facts.iter().filter(|(_, holds)| *holds).for_each(|(name, _)| candidate.raise(name));
}

/// Adds what the headings over a story say.
fn of_headings(
    names: &mut BTreeMap<String, Candidate>,
    parts: &[Part<'_>],
    small: &HashSet<String>,
) {
    let mut headings: Vec<&str> = parts.iter().filter_map(|part| part.section.heading).collect();
    headings.dedup();
    for heading in headings {
        let presents = words(heading).first().is_some_and(|word| lists("meet", &lower(word)));
        for mention in mentions(heading, small) {
            let behind = &heading[mention.start + mention.text.len()..];
            let begins = words(&heading[..mention.start]).is_empty();
            let ends = words(behind)
                .first()
                .is_none_or(|word| word.starts_with(|c: char| c.is_ascii_digit()))
                || behind.starts_with([',', ':']);
            let candidate = names.entry(mention.key()).or_default();
            if candidate.name.is_empty() {
                candidate.raise("heading_only");
            }
            if mention.text.len() > candidate.name.len() {
                mention.text.clone_into(&mut candidate.name);
            }
            let owns = behind.starts_with("'s") || behind.starts_with("’s");
            let facts = [
                ("heading", true),
                ("heading_presents", presents),
                ("heading_names", begins && (ends || owns)),
            ];
            facts.iter().filter(|(_, holds)| *holds).for_each(|(name, _)| candidate.raise(name));
        }
    }
}

/// Adds who signs a story or is named right before it.
fn of_surroundings(
    names: &mut BTreeMap<String, Candidate>,
    parts: &[Part<'_>],
    small: &HashSet<String>,
) {
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
    let position = |part: &Part<'_>| {
        let own = &part.section.sentences;
        own.iter().position(|one| std::ptr::eq(one, part.sentence)).unwrap_or_default()
    };
    let start = position(first);
    let before = &first.section.sentences[start.saturating_sub(AROUND)..start];
    let behind = &last.section.sentences[position(last)..];
    let mut add = |sentence: &Sentence<'_>, fact: &'static str| {
        for mention in mentions(sentence.text, small) {
            let candidate = names.entry(mention.key()).or_default();
            if candidate.name.is_empty() {
                mention.text.clone_into(&mut candidate.name);
                candidate.raise("around_only");
            }
            candidate.raise(fact);
            if fact == "signs" {
                break;
            }
        }
    };
    before.iter().for_each(|sentence| add(sentence, "around"));
    let own = parts.iter().map(|part| part.sentence);
    let signatures = own.chain(behind.iter().skip(1).take(AROUND));
    signatures.filter(|one| one.text.starts_with(['—', '–'])).for_each(|one| add(one, "signs"));
}

/// Phrases for people, the first ones: `24 eleventh graders from Glenville`, `a logger`.
fn phrases(parts: &[Part<'_>], they: f32, third: f32) -> Vec<Candidate> {
    let mut found: Vec<Candidate> = Vec::new();
    let told = parts.iter().enumerate().filter(|(_, part)| part.label != Label::Quote);
    for (at, part) in told {
        let (raw, words) = (&part.sentence.raw, &part.sentence.words);
        for noun in (0..words.len()).filter(|&noun| lists("people", &words[noun])) {
            let Some(name) = phrase(part.sentence.text, raw, words, noun) else { continue };
            let key = words[noun].clone();
            let is_group = key.ends_with('s') || key == "people" || key == "men" || key == "women";
            if let Some(earlier) = found.iter_mut().find(|one| one.key == key) {
                earlier.add("phrase_again", 1.0);
                continue;
            }
            let mut one = Candidate { name, key, is_phrase: true, ..Candidate::default() };
            let is_number = one.name.starts_with(|c: char| c.is_ascii_digit());
            let facts = [
                ("phrase", true),
                ("phrase_first", at == 0),
                ("phrase_second", at == 1),
                ("phrase_group", is_group),
                ("phrase_number", is_number || (is_group && !lists("articles", &lower(raw[noun])))),
            ];
            facts.iter().filter(|(_, holds)| *holds).for_each(|(name, _)| one.raise(name));
            one.add(if is_group { "group_they" } else { "one_they" }, they);
            one.add(if is_group { "group_third" } else { "one_third" }, third);
            found.push(one);
        }
        if found.len() >= PHRASES_MAX {
            break;
        }
    }
    found
}

/// A heading that begins with a phrase for people: `A grandfather of four`.
fn heading_phrase(heading: &str) -> Option<Candidate> {
    let raw = words(heading);
    let lowered: Vec<String> = raw.iter().map(|word| lower(word)).collect();
    let noun = lowered.iter().position(|word| lists("people", word))?;
    let name =
        phrase(heading, &raw, &lowered, noun).filter(|name| heading.starts_with(name.as_str()))?;
    let evidence = [("phrase", 1.0), ("phrase_heading", 1.0)].into_iter().collect();
    Some(Candidate { name, key: lowered[noun].clone(), is_phrase: true, evidence })
}

/// The phrase whose noun is that word, from its article or number on.
fn phrase(text: &str, raw: &[&str], words: &[String], noun: usize) -> Option<String> {
    let from = (noun.saturating_sub(PHRASE_WORDS_MAX + 1)..=noun).rfind(|&at| {
        // Four digits are a year.
        let is_number = words[at].len() < 4 && words[at].bytes().all(|byte| byte.is_ascii_digit());
        at < noun && (is_number || lists("articles", &words[at]) || lists("numbers", &words[at]))
    })?;
    let place = |at: usize| place_in(text, raw[at]);
    let is_whole = (from..noun)
        .all(|at| matches!(&text[place(at).end..place(at + 1).start], " " | "-"))
        && !words[from + 1..noun].iter().any(|word| lists("spans", word) || lists("openers", word));
    let mut last = noun;
    if words.get(noun + 1).is_some_and(|word| word == "from" || word == "of") {
        let capitals = raw[noun + 2..].iter().take_while(|word| is_capital(word)).count();
        last += if capitals > 0 { 1 + capitals.min(3) } else { 0 };
    }
    is_whole.then(|| text[place(from).start..place(last).start + base(raw[last]).len()].to_owned())
}
