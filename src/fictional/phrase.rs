//! Tables of alternatives, and the words that fill their braces. The alternatives are data,
//! `data/fictional_*.tsv`; the code knows nothing of their content.

use std::collections::HashMap;

use super::name::fill;
use super::random::Random;
use super::subject::Subject;
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

/// Who and what a text is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Voice<'a> {
    pub(super) subject: &'a Subject<'a>,
    /// First name of the protagonist; coined.
    pub(super) name: &'static str,
    /// `she` or `he`.
    pub(super) pronoun: &'static str,
    pub(super) role: &'static str,
    pub(super) event: &'static str,
    pub(super) job: &'static str,
    pub(super) guests: &'static [&'static str],
    pub(super) year: u64,
    /// `served 1,245 students`.
    pub(super) figure: &'a str,
}

const WEEKDAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

impl<'a> Voice<'a> {
    /// A text about an organization and nobody in particular.
    pub(super) fn of(subject: &'a Subject<'a>) -> Self {
        let (name, pronoun, role, event, job, figure) = ("", "", "", "", "", "");
        Self { subject, name, pronoun, role, event, job, guests: &[], year: 0, figure }
    }

    /// A text with its braces filled. A word in braces that means nothing is left out; its capital
    /// makes what is put there begin with one.
    pub(super) fn render(&self, text: &str, random: &mut Random) -> String {
        fill(text, |word| {
            let mut value = self.value(&word.to_ascii_lowercase(), random);
            if word.starts_with(|first: char| first.is_ascii_uppercase())
                && let Some(first) = value.get_mut(..1)
            {
                first.make_ascii_uppercase();
            }
            value
        })
    }

    /// What a word stands for; some meanings are drawn each time.
    pub(super) fn value(&self, word: &str, random: &mut Random) -> String {
        let (subject, cause, she) = (self.subject, self.subject.cause, self.pronoun == "she");
        let text = match word {
            "name" => self.name,
            "org" => &subject.short,
            "city" => &subject.city,
            "state" => &subject.state,
            "since" => return subject.founded.to_string(),
            "they" => self.pronoun,
            "their" if she => "her",
            "their" => "his",
            "them" if she => "her",
            "them" => "him",
            "place" => cause.place,
            "topic" => cause.topic,
            "people" => cause.people,
            "doing" => cause.doing,
            "role" => self.role,
            "event" => self.event,
            "job" => self.job,
            "a" if self.job.starts_with(['A', 'E', 'I', 'O', 'U']) => "an",
            "a" => "a",
            "guest" if !self.guests.is_empty() => random.pick(self.guests),
            "figure" => self.figure,
            "year" => return self.year.to_string(),
            "weekday" => random.pick(&WEEKDAYS),
            "month" => random.pick(&MONTH_NAMES),
            "few" => random.pick(&NUMBER_WORDS[2..10]),
            "months" => random.pick(&NUMBER_WORDS[3..19]),
            "years" => random.pick(&NUMBER_WORDS[2..13]),
            "tens" => return (12 + random.below(79)).to_string(),
            "hundreds" => return (110 + random.below(841)).to_string(),
            _ => "",
        };
        text.to_owned()
    }
}
