//! The tables of nouns, verbs, lists of words and phrases, looked up by lower-case form.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::record::named;
use crate::table::table;

named! {
    /// How much a noun says by itself.
    Count {
        Person = "person",
        Animal = "animal",
        Thing = "thing",
        /// Counts only right behind a verb of doing.
        Weak = "weak",
        /// The unit of a quantity of something else.
        Measure = "measure",
        /// People of the organization itself.
        Own = "own",
        /// What no figure of impact is in.
        Never = "never",
    }
}

/// A noun in the plural.
#[derive(Debug, Clone, Copy)]
pub(super) struct Noun {
    pub(super) count: Count,
    pub(super) singular: &'static str,
    /// Name of the kind of thing.
    pub(super) kind: &'static str,
    /// Whether it is the singular as well (`youth`, `fish`).
    pub(super) invariant: bool,
}

/// A form of a verb.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Verb {
    /// Base form.
    pub(super) lemma: &'static str,
    /// Past or participle.
    pub(super) past: bool,
    /// In -ing.
    pub(super) going: bool,
    /// Base form or third person.
    pub(super) present: bool,
    /// Something that the organization does to someone, or hands out.
    pub(super) does: bool,
    /// Only tells how many there are.
    pub(super) has: bool,
    /// Whether where it stands it is a noun: `services to`, `housing for`.
    pub(super) noun: bool,
}

/// What the tables have of a word.
#[derive(Debug, Default)]
pub(super) struct Word {
    /// The noun whose plural it is.
    pub(super) noun: Option<Noun>,
    /// Whether it is the singular of a noun.
    pub(super) is_singular: bool,
    pub(super) verb: Option<Verb>,
    lists: Vec<&'static str>,
    /// Numbers of the phrases that begin, and that end with it.
    phrases_from: Vec<usize>,
    phrases_to: Vec<usize>,
}

/// A phrase of a set.
#[derive(Debug, Clone)]
pub(super) struct Phrase {
    pub(super) set: &'static str,
    pub(super) meaning: &'static str,
    /// The words that may stand at each of its places; none where any may.
    pub(super) words: Vec<Vec<&'static str>>,
    /// Words behind which it is none.
    pub(super) not_behind: Vec<&'static str>,
}

#[derive(Default)]
struct Lexicon {
    words: HashMap<&'static str, Word>,
    lists: HashMap<&'static str, Vec<&'static str>>,
    phrases: Vec<Phrase>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::parse);

/// What no table has.
pub(super) static UNKNOWN: Word = Word {
    noun: None,
    is_singular: false,
    verb: None,
    lists: Vec::new(),
    phrases_from: Vec::new(),
    phrases_to: Vec::new(),
};

/// What the tables have of a form in lower case.
pub(super) fn word(form: &str) -> &'static Word {
    LEXICON.words.get(form).unwrap_or(&UNKNOWN)
}

/// Whether a list has a word.
pub(super) fn lists(list: &str, form: &str) -> bool {
    word(form).is_in(list)
}

/// The words of a list.
pub(super) fn list(name: &str) -> &'static [&'static str] {
    LEXICON.lists.get(name).map_or(&[], Vec::as_slice)
}

impl Word {
    /// Whether a list has it.
    pub(super) fn is_in(&self, list: &str) -> bool {
        debug_assert!(LEXICON.lists.contains_key(list), "no list {list}");
        self.lists.contains(&list)
    }

    /// The lists that have it.
    pub(super) fn list_names(&self) -> &[&'static str] {
        &self.lists
    }

    /// What it means as a phrase of a set.
    pub(super) fn meaning(&self, set: &str) -> Option<&'static str> {
        let mut phrases = self.phrases_from();
        phrases.find(|phrase| phrase.set == set && phrase.words.len() == 1).map(|one| one.meaning)
    }

    /// The phrases that begin with it.
    pub(super) fn phrases_from(&self) -> impl Iterator<Item = &'static Phrase> {
        self.phrases_from.iter().map(|&number| &LEXICON.phrases[number])
    }

    /// The phrases that end with it.
    pub(super) fn phrases_to(&self) -> impl Iterator<Item = &'static Phrase> {
        self.phrases_to.iter().map(|&number| &LEXICON.phrases[number])
    }
}

impl Lexicon {
    fn parse() -> Self {
        let mut lexicon = Self::default();
        let nouns = table!("data/impact_nouns.tsv").each(|row| lexicon.add_noun(row));
        nouns.for_each(drop);
        table!("data/impact_verbs.tsv").rows().for_each(|row| lexicon.add_verb(row));
        for [list, words] in table!("data/impact_words.tsv").rows() {
            for word in words.split(' ') {
                lexicon.word(word).lists.push(list);
                lexicon.lists.entry(list).or_default().push(word);
            }
        }
        table!("data/impact_phrases.tsv").rows().for_each(|row| lexicon.add_phrases(row));
        lexicon
    }

    fn word(&mut self, form: &'static str) -> &mut Word {
        self.words.entry(form).or_default()
    }

    fn add_noun(&mut self, [plural, singular, count, kind]: [&'static str; 4]) -> Option<()> {
        let count = Count::named(count)?;
        let kind = if kind.is_empty() { plural } else { kind };
        self.word(plural).noun =
            Some(Noun { count, singular, kind, invariant: plural == singular });
        self.word(singular).is_singular = true;
        Some(())
    }

    fn add_verb(&mut self, [lemma, third, going, past, roles]: [&'static str; 5]) {
        let role = |name| roles.split(' ').any(|role| role == name);
        let does = role("serve") || role("give");
        let verb = Verb { lemma, does, has: role("have"), ..Verb::default() };
        let present = [lemma, third].map(|form| (form, Verb { present: true, ..verb }));
        let past = past.split(' ').map(|form| (form, Verb { past: true, ..verb }));
        let forms = present.into_iter().chain([(going, Verb { going: true, ..verb })]).chain(past);
        forms.for_each(|(form, verb)| self.word(form).verb.get_or_insert_default().merge(verb));
    }

    /// Adds a phrase, once with and once without each word that may be missing.
    fn add_phrases(&mut self, [set, meaning, text]: [&'static str; 3]) {
        let phrase = Phrase { set, meaning, words: Vec::new(), not_behind: Vec::new() };
        let mut phrases = vec![phrase];
        for place in text.split(' ') {
            if let Some(words) = place.strip_prefix('!') {
                phrases[0].not_behind = words.split('|').collect();
                continue;
            }
            let needed = place.strip_suffix('?');
            let without = if needed.is_some() { phrases.clone() } else { Vec::new() };
            let words = match needed.unwrap_or(place) {
                "*" => Vec::new(),
                list if list.starts_with('<') => self.lists[list.trim_matches(['<', '>'])].clone(),
                words => words.split('|').collect(),
            };
            phrases.iter_mut().for_each(|phrase| phrase.words.push(words.clone()));
            phrases.extend(without);
        }
        for phrase in phrases {
            let number = self.phrases.len();
            for word in phrase.words.first().into_iter().flatten() {
                self.word(word).phrases_from.push(number);
            }
            for word in phrase.words.last().into_iter().flatten() {
                self.word(word).phrases_to.push(number);
            }
            self.phrases.push(phrase);
        }
    }
}

/// Whether a word that no table has looks like a plural.
pub(super) fn looks_plural(word: &str) -> bool {
    word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is", "'s"].iter().any(|ending| word.ends_with(ending))
}

impl Verb {
    /// Adds another reading of the same form (`put`, `found`).
    fn merge(&mut self, other: Self) {
        if self.lemma.is_empty() {
            self.lemma = other.lemma;
        }
        self.past |= other.past;
        self.going |= other.going;
        self.present |= other.present;
        self.does |= other.does;
        self.has |= other.has;
    }
}
