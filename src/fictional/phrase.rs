//! Tables of alternatives, and the words that fill their braces. The alternatives are data,
//! `data/fictional_*.tsv`; the code knows nothing of their content.

use std::collections::HashMap;

use super::random::Random;
use super::subject::Subject;
use super::template::fill;
use crate::record::{MONTH_NAMES, NUMBER_WORDS};
use crate::table::Table;

/// Alternatives by the two columns before them.
pub(super) struct Alternatives(HashMap<(&'static str, &'static str), Vec<&'static str>>);

impl Alternatives {
    /// Reads rows of three columns, the last with `|` between alternatives.
    pub(super) fn read(table: Table) -> Self {
        let mut map: HashMap<_, Vec<_>> = HashMap::new();
        for [group, part, texts] in table.rows() {
            map.entry((group, part)).or_default().extend(texts.split('|'));
        }
        Self(map)
    }

    /// All of a group and part; none when the table lacks them.
    pub(super) fn all(&self, group: &'static str, part: &'static str) -> &[&'static str] {
        self.0.get(&(group, part)).map_or(&[], Vec::as_slice)
    }

    /// Every alternative: for the tests of the tables.
    #[cfg(test)]
    pub(super) fn texts(&self) -> impl Iterator<Item = &'static str> {
        self.0.values().flatten().copied()
    }

    /// One of them; empty when there are none.
    pub(super) fn one(
        &self,
        group: &'static str,
        part: &'static str,
        random: &mut Random,
    ) -> &'static str {
        match self.all(group, part) {
            [] => "",
            some => random.pick(some),
        }
    }
}

/// Who and what a text is about, beside its organization.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Voice {
    /// First name of the protagonist; coined.
    pub(super) name: &'static str,
    /// `she` or `he`.
    pub(super) pronoun: &'static str,
    pub(super) role: &'static str,
    pub(super) event: &'static str,
    pub(super) job: &'static str,
    pub(super) guests: &'static [&'static str],
    pub(super) year: u64,
}

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// Appends a text with its braces filled. A word in braces that means nothing is left out; its
/// capital makes what is put there begin with one.
pub(super) fn say(
    out: &mut String,
    text: &str,
    subject: &Subject,
    voice: &Voice,
    random: &mut Random,
) {
    fill(out, text, |out, word| {
        let begin = out.len();
        put(out, word, subject, voice, random);
        if word.starts_with(|first: char| first.is_ascii_uppercase())
            && let Some(first) = out.get_mut(begin..=begin)
        {
            first.make_ascii_uppercase();
        }
    });
}

/// What [`say`] appends, as a text of its own.
pub(super) fn render(text: &str, subject: &Subject, voice: &Voice, random: &mut Random) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    say(&mut out, text, subject, voice, random);
    out
}

fn put(out: &mut String, word: &str, subject: &Subject, voice: &Voice, random: &mut Random) {
    if let Some(fixed) = fixed(word, subject, voice) {
        out.push_str(fixed);
        return;
    }
    let drawn = if is(word, "guest") && !voice.guests.is_empty() {
        random.pick(voice.guests)
    } else if is(word, "weekday") {
        random.pick(&WEEKDAYS)
    } else if is(word, "month") {
        random.pick(&MONTH_NAMES)
    } else if is(word, "few") {
        random.pick(&NUMBER_WORDS[2..10])
    } else if is(word, "months") {
        random.pick(&NUMBER_WORDS[3..19])
    } else if is(word, "years") {
        random.pick(&NUMBER_WORDS[2..13])
    } else {
        ""
    };
    out.push_str(drawn);
    let number = if is(word, "tens") {
        12 + random.below(79)
    } else if is(word, "hundreds") {
        110 + random.below(841)
    } else if is(word, "year") {
        voice.year
    } else if is(word, "since") {
        subject.founded
    } else {
        return;
    };
    out.push_str(&number.to_string());
}

/// What a word stands for throughout a text; `None` for a word whose meaning is drawn each time.
fn fixed<'a>(word: &str, subject: &'a Subject, voice: &Voice) -> Option<&'a str> {
    let (cause, she) = (subject.cause, voice.pronoun == "she");
    let vowel = voice.job.starts_with(['A', 'E', 'I', 'O', 'U']);
    let known: [(&str, &'a str); 15] = [
        ("name", voice.name),
        ("org", &subject.short),
        ("city", &subject.city),
        ("they", voice.pronoun),
        ("their", if she { "her" } else { "his" }),
        ("them", if she { "her" } else { "him" }),
        ("place", cause.place),
        ("topic", cause.topic),
        ("people", cause.people),
        ("doing", cause.doing),
        ("state", &subject.state),
        ("role", voice.role),
        ("event", voice.event),
        ("job", voice.job),
        ("a", if vowel { "an" } else { "a" }),
    ];
    known.into_iter().find(|(known, _)| is(word, known)).map(|(_, text)| text)
}

/// Whether a word in braces is this one, with or without a capital.
fn is(word: &str, known: &str) -> bool {
    word.eq_ignore_ascii_case(known)
}

/// A text in which no braces are left, and what stood in those that mean nothing: for the tests of
/// the tables.
#[cfg(test)]
pub(super) fn unknown_words(text: &str, subject: &Subject, others: &[&str]) -> Vec<String> {
    let voice = Voice {
        name: "N",
        pronoun: "she",
        role: "r",
        event: "e",
        job: "j",
        guests: &["g"],
        year: 2024,
    };
    let mut random = Random::new(1, 1);
    let mut unknown = Vec::new();
    for piece in text.split('{').skip(1) {
        let word = piece.split_once('}').map_or("unclosed", |(word, _)| word);
        let mut out = String::new();
        put(&mut out, word, subject, &voice, &mut random);
        if out.is_empty() && !others.contains(&word) {
            unknown.push(word.to_owned());
        }
    }
    unknown
}
