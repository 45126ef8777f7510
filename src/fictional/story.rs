//! Stories and metrics, as lines of curated data; stories as reports tell them, too.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::figure;
use super::phrase::{Alternatives, Voice};
use super::random::Random;
use super::subject::Subject;
use crate::table::table;

pub(super) static PARTS: LazyLock<Alternatives> =
    LazyLock::new(|| Alternatives::read(table!("data/fictional_stories.tsv")));

/// Threads of each cause.
const THREADS: u64 = 3;

/// Report years and the share of each: recent ones are more frequent.
const YEARS: [(u64, u64); 5] = [(35, 2025), (28, 2024), (19, 2023), (11, 2022), (7, 2021)];

/// What a story draws its parts with.
struct Teller<'a> {
    voice: Voice<'a>,
    cause: &'static str,
    /// Which of the threads of the cause.
    thread: usize,
    /// Whether the protagonist has no job, debts and past yet.
    is_young: bool,
}

/// Whether a thread, which counts from 0 here and from 1 in the table, is about somebody young.
fn is_young(cause: &'static str, thread: usize) -> bool {
    PARTS.all(cause, "young").iter().any(|number| number.parse() == Ok(thread + 1))
}

impl<'a> Teller<'a> {
    /// Draws the protagonist of the story of a number. Stories of one organization come after each other,
    /// so they take turns.
    fn draw(number: u64, subject: &'a Subject<'a>, random: &mut Random) -> Self {
        let (cause, thread) = (subject.cause.key, (number % THREADS) as usize);
        let is_young = is_young(cause, thread);
        let mut teller = Self { voice: Voice::of(subject), cause, thread, is_young };
        let name = PARTS.one("*", "name", random);
        (teller.voice.name, teller.voice.pronoun) = name.split_once(':').unwrap_or((name, "she"));
        teller.voice.role = teller.thread("role");
        teller
    }

    /// The part of the thread; empty when the table lacks it.
    fn thread(&self, part: &'static str) -> &'static str {
        PARTS.all(self.cause, part).get(self.thread).copied().unwrap_or("")
    }

    /// One for any cause.
    fn any(&self, part: &'static str, random: &mut Random) -> String {
        self.voice.render(PARTS.one("*", part, random), random)
    }

    /// The part of the thread or, as often when the protagonist is grown up, one for any cause.
    fn either(&self, part: &'static str, random: &mut Random) -> String {
        if random.chance(500) || self.is_young {
            return self.voice.render(self.thread(part), random);
        }
        self.any(part, random)
    }

    /// The part of the thread, mostly followed by one for any cause; `[grown, young]` is its name.
    fn extended(&self, part: &'static str, more: [&'static str; 2], random: &mut Random) -> String {
        let text = self.voice.render(self.thread(part), random);
        if random.chance(800) {
            return format!("{text} {}", self.any(more[usize::from(self.is_young)], random));
        }
        text
    }

    /// One of the cause or one for any, by `per_mille`.
    fn of_cause(&self, per_mille: u64, part: &'static str, random: &mut Random) -> &'static str {
        let group = if random.chance(per_mille) { self.cause } else { "*" };
        match PARTS.one(group, part, random) {
            "" => PARTS.one("*", part, random),
            text => text,
        }
    }
}

/// A story as a report tells it, its heading and its paragraphs, which begin with these openings.
pub(super) fn told(
    number: u64,
    subject: &Subject<'_>,
    openings: &Alternatives,
    random: &mut Random,
) -> (String, Vec<String>) {
    let teller = Teller::draw(number, subject, random);
    let parts = [
        ("before", ["before_more", "before_young"]),
        ("moment", ["moment_more", "moment_young"]),
        ("after", ["after_more", "after_young"]),
    ];
    let mut paragraphs = Vec::new();
    for (part, more) in parts {
        let own = [openings.one("story", part, random), teller.thread(part)];
        let [opening, own] = own.map(|text| teller.voice.render(text, random));
        let more = teller.any(more[usize::from(teller.is_young)], random);
        paragraphs.push(format!("{opening} {own} {more}"));
    }
    let quote = teller.voice.render(teller.thread("quote"), random);
    paragraphs.push(format!("“{quote}” {} says.", teller.voice.name));
    (teller.voice.render(teller.thread("title"), random), paragraphs)
}

/// The story of that number.
pub(super) fn story(number: u64, subject: &Subject<'_>, random: &mut Random) -> Value {
    let report_year = random.weighted(&YEARS);
    let teller = Teller::draw(number, subject, random);
    let is_young = teller.is_young;
    let ripple = teller.of_cause(if is_young { 1000 } else { 600 }, "ripple", random);
    let call = teller.of_cause(600, "call", random);
    let attribution = PARTS.one("*", "attribution", random);
    let identity = if is_young {
        PARTS.one("*", "identity_young", random)
    } else {
        teller.of_cause(400, "identity", random)
    };
    json!({
        "kind": "story",
        "story_id": format!("fictional-story-{:06}", number + 1),
        "ein": &subject.ein,
        "organization_name": &subject.name,
        "story_title": teller.either("title", random),
        "emotional_hook": teller.either("hook", random),
        "full_quote": teller.either("quote", random),
        "quote_attribution": teller.voice.render(attribution, random),
        "protagonist": teller.voice.render("{name}, {role}", random),
        "before_state": teller.extended("before", ["before_more", "before_young"], random),
        "transformation_moment": teller.extended("moment", ["moment_more", "moment_young"], random),
        "after_state": teller.extended("after", ["after_more", "after_young"], random),
        "time_to_impact": teller.any("time", random),
        "obstacles_overcome": obstacles(&teller, random),
        "metrics": metrics(number, subject, report_year, random),
        "ripple_effect": teller.voice.render(ripple, random),
        "call_to_action": random.chance(900).then(|| teller.voice.render(call, random)),
        "story_category": subject.cause.label,
        "identity_alignment": identity,
        "date_extracted": random.day(report_year + 1),
        "source_url": format!("{}/annual-report-{report_year}", subject.site),
        "report_year": report_year,
        // The mean of two numbers: most stories are middling, some are the best.
        "power_score": ((random.below(101) + random.below(101)) / 2) as f64 / 10.0,
        "confidence_score": (100 - random.skewed(61)) as f64 / 100.0,
    })
}

/// Up to three, each once.
fn obstacles(teller: &Teller<'_>, random: &mut Random) -> Vec<String> {
    let all = PARTS.all("*", if teller.is_young { "obstacle_young" } else { "obstacle" });
    let (first, step) = (random.below(all.len() as u64), 1 + random.below(4));
    (0..random.below(4))
        .filter_map(|turn| all.get(((first + turn * step) % all.len() as u64) as usize))
        .map(|text| teller.voice.render(text, random))
        .collect()
}

fn metrics(number: u64, subject: &Subject<'_>, year: u64, random: &mut Random) -> Vec<Value> {
    let start = random.below(5);
    (0..random.below(4))
        .map(|turn| {
            let figure = figure::draw(subject, year, start + turn, random);
            json!({
                "metric_id": format!("fictional-story-{:06}-{}", number + 1, turn + 1),
                "metric_text": figure.text,
                "metric_type": figure.what,
                "metric_value": figure.value,
                "unit": figure.unit,
                "geo_impact": figure.geo,
                "time_aggregation": figure.time,
            })
        })
        .collect()
}

/// The metric of that number; `turn` counts those of the organization.
pub(super) fn metric(number: u64, turn: u64, subject: &Subject<'_>, random: &mut Random) -> Value {
    let report_year = random.weighted(&YEARS);
    let figure = figure::draw(subject, report_year, turn, random);
    json!({
        "kind": "metric",
        "metric_id": format!("fictional-metric-{:06}", number + 1),
        "ein": &subject.ein,
        "metric_text": figure.text,
        "metric_type": figure.what,
        "metric_value": figure.value,
        "unit": figure.unit,
        "geo_impact": figure.geo,
        "time_aggregation": figure.time,
        "time_aggregation_text": figure.time_text,
        "source_snippet": figure.sentence,
        "url": format!("{}/annual-report-{report_year}", subject.site),
        "report_year": report_year,
        "date_added": random.day(report_year + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::super::subject::CAUSES;
    use super::*;

    /// Parts of which the n-th of a cause belong to one story.
    const THREADED: [&str; 7] = ["title", "role", "hook", "before", "moment", "after", "quote"];

    #[test]
    fn every_cause_has_three_whole_threads() {
        for cause in CAUSES.iter() {
            for part in THREADED {
                let found = PARTS.all(cause.key, part).len();
                assert_eq!(found, 3, "{} {part}", cause.key);
            }
            for part in ["ripple", "call"] {
                assert!(!PARTS.all(cause.key, part).is_empty(), "{} {part}", cause.key);
            }
        }
        let general = ["name", "title", "hook", "before_more", "moment_more", "after_more"];
        let more = ["quote", "attribution", "obstacle", "time", "ripple", "call", "identity"];
        let young = ["before_young", "moment_young", "after_young", "obstacle_young"];
        for part in general.into_iter().chain(more).chain(young) {
            assert!(PARTS.all("*", part).len() >= 5, "{part}");
        }
        for (cause, thread, expected) in
            [("youth", 0, true), ("food", 0, false), ("sports", 0, true), ("sports", 1, false)]
        {
            assert_eq!(is_young(cause, thread), expected, "{cause} {thread}");
        }
        for name in PARTS.all("*", "name") {
            assert!(name.ends_with(":she") || name.ends_with(":he"), "{name}");
        }
    }
}
