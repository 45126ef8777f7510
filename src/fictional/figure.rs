//! Figures that organizations report: what was counted, how much of it, over which time, and a
//! sentence that says so.

use std::sync::LazyLock;

use super::phrase::{Alternatives, Voice};
use super::random::Random;
use super::subject::Subject;
use crate::record::thousands;
use crate::table::table;

/// What can be counted.
struct Kind {
    cause: &'static str,
    what: &'static str,
    unit: &'static str,
    least: u64,
    most: u64,
    /// `served {n} students`.
    phrase: &'static str,
}

static KINDS: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    table!("data/fictional_figures.tsv")
        .each(|[cause, what, unit, least, most, phrase]| {
            let (least, most) = (least.parse().ok()?, most.parse().ok()?);
            Some(Kind { cause, what, unit, least, most, phrase })
        })
        .collect()
});

/// Missions, programs and sentences with a figure.
pub(super) static PROGRAMS: LazyLock<Alternatives> =
    LazyLock::new(|| Alternatives::read(table!("data/fictional_programs.tsv")));

/// A figure.
#[derive(Debug)]
pub(super) struct Figure {
    /// `served 1,245 students`.
    pub(super) text: String,
    pub(super) what: &'static str,
    pub(super) unit: &'static str,
    pub(super) value: u64,
    /// Name of the time over which it adds up, and that in words.
    pub(super) time: &'static str,
    pub(super) time_text: String,
    pub(super) geo: Option<String>,
    /// A sentence that contains the text.
    pub(super) sentence: String,
}

/// Times by weight in percent, and how many of each make a year.
const TIMES: [(u64, (&str, u64)); 5] = [
    (56, ("annual", 1)),
    (12, ("monthly", 12)),
    (10, ("weekly", 52)),
    (7, ("daily", 365)),
    (15, ("cumulative", 0)),
];

/// Below this a figure is not given by the month, week or day.
const SHARE_MIN: u64 = 4;

/// Years of which a cumulative figure is the sum, at most: work grows, and began small.
const CUMULATED_YEARS_MAX: u64 = 8;

/// Dollars of a year's budget for each thing counted, at least: a small organization does not
/// serve millions.
const DOLLARS_EACH: u64 = 6;

/// From here on a number is rounded and told in millions.
const MILLION: u64 = 1_000_000;

/// A figure of a year; `turn` tells several of one organization apart: they differ in kind.
pub(super) fn draw(subject: &Subject<'_>, year: u64, turn: u64, random: &mut Random) -> Figure {
    let kind = kind_of(subject, turn);
    let a_year = yearly(kind, subject, random);
    let (mut time, parts) = random.weighted(&TIMES);
    let mut value = match parts {
        // Nothing adds up over years in the first one.
        0 => a_year * year.saturating_sub(subject.founded).min(CUMULATED_YEARS_MAX),
        parts => a_year / parts,
    };
    if value < SHARE_MIN {
        (time, value) = ("annual", a_year);
    }
    let (value, number) = told(value, random);
    let text = kind.phrase.replace("{n}", &number);
    let frame = PROGRAMS.one("*", time, random);
    let time_text = match time {
        "monthly" => "each month".to_owned(),
        "weekly" => "each week".to_owned(),
        "daily" => "each day".to_owned(),
        "cumulative" => format!("from {} to {year}", subject.founded),
        _ => format!("in {year}"),
    };
    let geo = match random.below(10) {
        0..=5 => Some(subject.geo.clone()),
        6 => Some(subject.state.clone()),
        _ => None,
    };
    let sentence = Voice { year, figure: &text, ..Voice::of(subject) }.render(frame, random);
    Figure { text, what: kind.what, unit: kind.unit, value, time, time_text, geo, sentence }
}

/// A sentence about a program's year: the same kind and about the same number in each year, so
/// that years can be compared; `percent` is this year's part of it.
pub(super) fn of_program(
    subject: &Subject<'_>,
    year: u64,
    turn: u64,
    percent: u64,
    random: &mut Random,
) -> String {
    let kind = kind_of(subject, turn);
    let (_, number) = told((yearly(kind, subject, random) * percent / 100).max(3), random);
    let figure = &*kind.phrase.replace("{n}", &number);
    let frame = PROGRAMS.one("*", "result", random);
    Voice { year, figure, ..Voice::of(subject) }.render(frame, random)
}

/// Years of a series, the last that of the report.
pub(super) const SERIES_YEARS: usize = 3;

/// Parts in a hundred of the last year's figure in each of them.
const SERIES_PERCENT: [u64; SERIES_YEARS] = [82, 93, 100];

/// Least figure of a series: smaller ones are of a staff more often than of a year's work.
const SERIES_MIN: u64 = 15;

/// A kind of figure over some years, and a sentence about the last of them.
#[derive(Debug)]
pub(super) struct Series {
    pub(super) what: &'static str,
    pub(super) values: [u64; SERIES_YEARS],
    pub(super) sentence: String,
}

/// The series up to a year; `turn` tells several of one organization apart: they differ in kind.
pub(super) fn series(subject: &Subject<'_>, year: u64, turn: u64, random: &mut Random) -> Series {
    let kind = kind_of(subject, turn);
    let value = yearly(kind, subject, random).max(SERIES_MIN);
    let figure = &*kind.phrase.replace("{n}", &thousands(value));
    let frame = PROGRAMS.one("*", "result", random);
    let sentence = Voice { year, figure, ..Voice::of(subject) }.render(frame, random);
    Series { what: kind.what, values: SERIES_PERCENT.map(|part| value * part / 100), sentence }
}

/// One of the kinds of the cause and those of any; some of any are in the table.
fn kind_of(subject: &Subject<'_>, turn: u64) -> &'static Kind {
    let cause = subject.cause.key;
    let kinds: Vec<_> = KINDS.iter().filter(|kind| [cause, "*"].contains(&kind.cause)).collect();
    let count = kinds.len() as u64;
    kinds[((subject.money % count + turn) % count) as usize]
}

fn yearly(kind: &Kind, subject: &Subject<'_>, random: &mut Random) -> u64 {
    let bound = (subject.money / DOLLARS_EACH).clamp(kind.least * 2, kind.most);
    kind.least + random.skewed(bound - kind.least)
}

/// A number as reports tell it, and what that says.
fn told(value: u64, random: &mut Random) -> (u64, String) {
    if value >= MILLION {
        let tenths = value / (MILLION / 10);
        return (tenths * (MILLION / 10), format!("{}.{} million", tenths / 10, tenths % 10));
    }
    let value = match value {
        20_000.. => value / 100 * 100,
        4_000.. if random.chance(500) => value / 10 * 10,
        _ => value,
    };
    let before = if random.chance(120) { "more than " } else { "" };
    (value, format!("{before}{}", thousands(value)))
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use super::super::row::Row;
    use super::super::subject::CAUSES;
    use super::*;

    /// How many kinds of figures there are, of any cause.
    pub(in super::super) fn kinds_in_table() -> usize {
        KINDS.iter().map(|kind| kind.what).collect::<BTreeSet<_>>().len()
    }

    #[test]
    fn every_cause_has_kinds_and_they_make_sense() {
        for cause in CAUSES.iter() {
            assert!(KINDS.iter().any(|kind| kind.cause == cause.key), "{}", cause.key);
        }
        for kind in KINDS.iter() {
            let known = kind.cause == "*" || CAUSES.iter().any(|cause| cause.key == kind.cause);
            assert!(known, "{}", kind.cause);
            assert!(kind.phrase.matches("{n}").count() == 1, "{}", kind.phrase);
            assert!(0 < kind.least && kind.least * 2 <= kind.most, "{}", kind.what);
        }
    }

    #[test]
    fn sentences_contain_their_figures() {
        let mut times = BTreeSet::new();
        for stream in 0..2_000 {
            let row = Row {
                name: "YARBROOK CENTER".into(),
                city: "AUSTIN",
                state: "TX",
                revenue: Some(stream * stream * 40),
                ntee: "K31".into(),
                ruling: 200_101,
                ..Row::default()
            };
            let mut random = Random::new(9, stream as u64);
            let figure = draw(&Subject::of(&row), 2024, stream as u64, &mut random);
            assert!(figure.sentence.contains(&figure.text), "{figure:?}");
            assert!(!figure.sentence.contains(['{', '}']), "{figure:?}");
            assert!(figure.value > 0 && !figure.text.contains(" 0 "), "{figure:?}");
            let digits: String = figure.text.chars().filter(char::is_ascii_digit).collect();
            let number: u64 = digits.parse().unwrap();
            let million = if figure.text.contains("million") { MILLION / 10 } else { 1 };
            assert_eq!(number * million, figure.value, "{figure:?}");
            times.insert(figure.time);
        }
        assert_eq!(times.len(), TIMES.len());
    }

    #[test]
    fn large_numbers_are_told_in_millions() {
        let mut random = Random::new(1, 1);
        assert_eq!(told(2_345_678, &mut random), (2_300_000, "2.3 million".to_owned()));
    }
}
