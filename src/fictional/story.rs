//! Stories and metrics, as lines of curated data.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::figure;
use super::line::day;
use super::phrase::{Alternatives, Voice, render};
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
    subject: &'a Subject,
    voice: Voice,
    /// Which of the threads of the cause.
    thread: usize,
    age: Age,
}

/// Whether the protagonist has a job, debts and a past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Age {
    Grown,
    Young,
}

impl Age {
    /// That of a thread, which counts from 0 here and from 1 in the table.
    fn of(cause: &'static str, thread: usize) -> Self {
        let young = PARTS.all(cause, "young").iter().any(|n| n.parse() == Ok(thread + 1));
        if young { Self::Young } else { Self::Grown }
    }
}

impl Teller<'_> {
    /// The part of the thread; empty when the table lacks it.
    fn thread(&self, part: &'static str) -> &'static str {
        PARTS.all(self.subject.cause.key, part).get(self.thread).copied().unwrap_or("")
    }

    /// The first where the protagonist is grown up, else the second.
    fn by_age(&self, grown: &'static str, young: &'static str) -> &'static str {
        match self.age {
            Age::Grown => grown,
            Age::Young => young,
        }
    }

    /// The part of the thread or, as often when the protagonist is grown up, one for any cause.
    fn either(&self, part: &'static str, random: &mut Random) -> String {
        let own = random.chance(500) || self.age == Age::Young;
        let text = if own { self.thread(part) } else { PARTS.one("*", part, random) };
        self.render(text, random)
    }

    /// The part of the thread, mostly followed by one for any cause.
    fn extended(
        &self,
        part: &'static str,
        grown: &'static str,
        young: &'static str,
        random: &mut Random,
    ) -> String {
        let mut text = self.render(self.thread(part), random);
        if random.chance(800) {
            let more = PARTS.one("*", self.by_age(grown, young), random);
            text.push(' ');
            text.push_str(&self.render(more, random));
        }
        text
    }

    /// One of the cause or one for any, by `per_mille`.
    fn of_cause(&self, per_mille: u64, part: &'static str, random: &mut Random) -> &'static str {
        let group = if random.chance(per_mille) { self.subject.cause.key } else { "*" };
        match PARTS.one(group, part, random) {
            "" => PARTS.one("*", part, random),
            text => text,
        }
    }

    fn render(&self, text: &str, random: &mut Random) -> String {
        render(text, self.subject, &self.voice, random)
    }
}

/// The story of that number.
pub(super) fn story(number: u64, subject: &Subject, random: &mut Random) -> Value {
    let report_year = random.weighted(&YEARS);
    // Stories of one organization come after each other, so they take turns.
    let thread = (number % THREADS) as usize;
    let age = Age::of(subject.cause.key, thread);
    let mut teller = Teller { subject, voice: Voice::default(), thread, age };
    let name = PARTS.one("*", "name", random);
    (teller.voice.name, teller.voice.pronoun) = name.split_once(':').unwrap_or((name, "she"));
    teller.voice.role = teller.thread("role");
    let ripple = teller.of_cause(if age == Age::Young { 1000 } else { 600 }, "ripple", random);
    let call = teller.of_cause(600, "call", random);
    let attribution = PARTS.one("*", "attribution", random);
    let identity = match age {
        Age::Grown => teller.of_cause(400, "identity", random),
        Age::Young => PARTS.one("*", "identity_young", random),
    };
    json!({
        "kind": "story",
        "story_id": format!("fictional-story-{:06}", number + 1),
        "ein": &subject.ein,
        "organization_name": &subject.name,
        "story_title": teller.either("title", random),
        "emotional_hook": teller.either("hook", random),
        "full_quote": teller.either("quote", random),
        "quote_attribution": teller.render(attribution, random),
        "protagonist": teller.render("{name}, {role}", random),
        "before_state": teller.extended("before", "before_more", "before_young", random),
        "transformation_moment": teller.extended("moment", "moment_more", "moment_young", random),
        "after_state": teller.extended("after", "after_more", "after_young", random),
        "time_to_impact": teller.render(PARTS.one("*", "time", random), random),
        "obstacles_overcome": obstacles(&teller, random),
        "metrics": metrics(number, subject, report_year, random),
        "ripple_effect": teller.render(ripple, random),
        "call_to_action": random.chance(900).then(|| teller.render(call, random)),
        "story_category": subject.cause.label,
        "identity_alignment": identity,
        "date_extracted": day(report_year + 1, random),
        "source_url": format!("{}/annual-report-{report_year}", subject.site),
        "report_year": report_year,
        // The mean of two numbers: most stories are middling, some are the best.
        "power_score": ((random.below(101) + random.below(101)) / 2) as f64 / 10.0,
        "confidence_score": (100 - random.skewed(61)) as f64 / 100.0,
    })
}

/// Up to three, each once.
fn obstacles(teller: &Teller<'_>, random: &mut Random) -> Vec<String> {
    let all = PARTS.all("*", teller.by_age("obstacle", "obstacle_young"));
    let (first, step) = (random.below(all.len() as u64), 1 + random.below(4));
    (0..random.below(4))
        .filter_map(|turn| all.get(((first + turn * step) % all.len() as u64) as usize))
        .map(|text| teller.render(text, random))
        .collect()
}

fn metrics(number: u64, subject: &Subject, year: u64, random: &mut Random) -> Vec<Value> {
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
pub(super) fn metric(number: u64, turn: u64, subject: &Subject, random: &mut Random) -> Value {
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
        "date_added": day(report_year + 1, random),
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
        assert_eq!((Age::of("youth", 0), Age::of("food", 0)), (Age::Young, Age::Grown));
        assert_eq!((Age::of("sports", 0), Age::of("sports", 1)), (Age::Young, Age::Grown));
        for name in PARTS.all("*", "name") {
            assert!(name.ends_with(":she") || name.ends_with(":he"), "{name}");
        }
    }
}
