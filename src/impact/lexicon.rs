//! The tables of nouns, verbs and small words, looked up by lower-case form.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::table::table;

/// How much a noun says by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    Person,
    Animal,
    Thing,
    /// Counts only right behind a verb of doing.
    Weak,
    /// The unit of a quantity of something else.
    Measure,
    /// People of the organization itself.
    Own,
    /// What no figure of impact is in.
    Never,
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

/// The tables, parsed.
pub(super) struct Lexicon {
    plurals: HashMap<&'static str, Noun>,
    singulars: HashSet<&'static str>,
    verbs: HashMap<&'static str, Verb>,
    words: HashMap<&'static str, HashSet<&'static str>>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(Lexicon::parse);

/// The tables, parsed at first use.
pub(super) fn lexicon() -> &'static Lexicon {
    &LEXICON
}

impl Lexicon {
    /// The plural noun of a form.
    pub(super) fn plural(&self, word: &str) -> Option<Noun> {
        self.plurals.get(word).copied()
    }

    /// Whether a form is the singular of a noun of the table.
    pub(super) fn is_singular(&self, word: &str) -> bool {
        self.singulars.contains(word)
    }

    /// The verb of a form.
    pub(super) fn verb(&self, word: &str) -> Option<Verb> {
        self.verbs.get(word).copied()
    }

    /// Whether a list of the table of words has a word.
    pub(super) fn lists(&self, list: &str, word: &str) -> bool {
        self.words.get(list).is_some_and(|words| words.contains(word))
    }

    fn parse() -> Self {
        let mut lexicon = Self {
            plurals: HashMap::new(),
            singulars: HashSet::new(),
            verbs: HashMap::new(),
            words: HashMap::new(),
        };
        table!("data/impact_nouns.tsv").rows().for_each(|row| lexicon.add_noun(row));
        table!("data/impact_verbs.tsv").rows().for_each(|row| lexicon.add_verb(row));
        for [list, words] in table!("data/impact_words.tsv").rows() {
            lexicon.words.entry(list).or_default().extend(words.split(' '));
        }
        lexicon
    }

    fn add_noun(&mut self, [plural, singular, count, kind]: [&'static str; 4]) {
        let count = match count {
            "person" => Count::Person,
            "animal" => Count::Animal,
            "thing" => Count::Thing,
            "weak" => Count::Weak,
            "measure" => Count::Measure,
            "own" => Count::Own,
            _ => Count::Never,
        };
        let kind = if kind.is_empty() { plural } else { kind };
        self.plurals.insert(plural, Noun { count, singular, kind, invariant: plural == singular });
        self.singulars.insert(singular);
    }

    fn add_verb(&mut self, [lemma, third, going, past, roles]: [&'static str; 5]) {
        let role = |name| roles.split(' ').any(|role| role == name);
        let does = role("serve") || role("give");
        let verb = Verb { lemma, does, has: role("have"), ..Verb::default() };
        self.form(lemma).merge(Verb { present: true, ..verb });
        self.form(third).merge(Verb { present: true, ..verb });
        self.form(going).merge(Verb { going: true, ..verb });
        for form in past.split(' ') {
            self.form(form).merge(Verb { past: true, ..verb });
        }
    }

    fn form(&mut self, form: &'static str) -> &mut Verb {
        self.verbs.entry(form).or_default()
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
