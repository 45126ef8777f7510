//! What a nonprofit achieved, in its own words: the two most telling sentences of what its return says
//! its programmes accomplished.
//!
//! A sentence is telling by what stands in it (`impact::telling`) and by how many of its words the others
//! have, and the second by how few it has of the first.

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use super::error::BuildError;
use super::merge::MergedOrganizations;
use super::report::Progress;
use crate::impact;
use crate::naming;
use crate::record::Filing;

/// Sentences that are compared: the most telling ones.
const SENTENCES_COMPARED_MAX: usize = 6;

/// Characters that a sentence may have: shorter ones are headings, longer ones lists.
const CHARACTERS: std::ops::RangeInclusive<usize> = 40..=420;

/// How sentences begin that say what a nonprofit is for and not what it did.
const MISSION_STARTS: [&str; 4] = ["mission", "our mission", "the mission", "to "];

/// How sentences begin that go on from one before, which a summary does not have.
const CONTINUING_STARTS: [&str; 14] = [
    "in addition",
    "additionally",
    "also",
    "furthermore",
    "moreover",
    "however",
    "therefore",
    "as a result",
    "this ",
    "these ",
    "those ",
    "they ",
    "it ",
    "such ",
];

/// How much the share of words that the others have counts beside what stands in a sentence, and how much
/// that of the first counts against the second.
const CENTRAL_WEIGHT: f32 = 2.0;
const REPEATED_WEIGHT: f32 = 2.5;

/// Letters from which on a word is compared: shorter ones mostly only join others.
const LETTERS_MIN: usize = 4;

/// Returns that are read between two words about progress.
const WINDOW: usize = 4_096;

/// Summaries by packed EIN.
pub(super) type Summaries = HashMap<u32, String>;

/// Chooses the summary of every organization that has a return and no overlay with one.
pub(super) fn choose_all(
    merged: &MergedOrganizations,
    progress: &dyn Progress,
) -> Result<Summaries, BuildError> {
    let filers = merged.to_be_summarised();
    progress.stage("choosing summaries", Some(filers.len() as u64));
    let mut summaries = Summaries::new();
    for window in filers.chunks(WINDOW) {
        let found: Vec<(u32, Option<String>)> = window
            .par_iter()
            .map(|&(ein, filing)| Ok((ein, chosen(&candidates(&merged.arena().get(filing)?)))))
            .collect::<Result<_, BuildError>>()?;
        summaries.extend(found.into_iter().filter_map(|(ein, summary)| Some((ein, summary?))));
        progress.advance(window.len() as u64);
    }
    Ok(summaries)
}

/// A sentence, where it stands, and how telling it is.
struct Candidate {
    at: usize,
    text: String,
    telling: f32,
}

/// The two best sentences in the return's order; `None` of none.
fn chosen(candidates: &[Candidate]) -> Option<String> {
    let chosen = match candidates.len() {
        0..=2 => (0..candidates.len()).collect(),
        _ => nearest(candidates),
    };
    let mut chosen: Vec<&Candidate> = chosen.into_iter().map(|at| &candidates[at]).collect();
    chosen.sort_by_key(|candidate| candidate.at);
    let texts: Vec<&str> = chosen.iter().map(|candidate| candidate.text.as_str()).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// The most telling sentences, best first.
fn candidates(filing: &Filing) -> Vec<Candidate> {
    let metrics = impact::metrics(filing, None);
    let mut candidates: Vec<Candidate> = Vec::new();
    let descriptions = filing.programs.iter().map(|program| program.description.as_str());
    for (at, text) in descriptions.flat_map(impact::sentences).enumerate() {
        let repeated = candidates.iter().any(|known| known.text.eq_ignore_ascii_case(text));
        let is_mission = filing.mission.as_deref().is_some_and(|mission| mission.contains(text));
        if repeated || is_mission || !is_sentence(text) {
            continue;
        }
        let stated = metrics.iter().filter(|one| one.source_snippet.as_deref() == Some(text));
        let telling = impact::telling(text, stated.count());
        candidates.push(Candidate { at, text: text.to_owned(), telling });
    }
    candidates.sort_by(|one, other| other.telling.total_cmp(&one.telling));
    candidates.truncate(SENTENCES_COMPARED_MAX);
    candidates
}

/// Whether a text is a whole sentence that stands by itself, neither a heading nor what a broken one left.
fn is_sentence(text: &str) -> bool {
    let begins = text.chars().find(|c| c.is_alphanumeric());
    begins.is_some_and(|c| c.is_uppercase() || c.is_numeric())
        && text.ends_with(['.', '!', '?', '"', '”', ')'])
        && !text.contains("---")
        && !MISSION_STARTS
            .iter()
            .chain(&CONTINUING_STARTS)
            .any(|start| text.to_lowercase().starts_with(start))
        && CHARACTERS.contains(&text.chars().count())
}

/// The two that tell most of what all are about without saying the same.
fn nearest(candidates: &[Candidate]) -> Vec<usize> {
    let words: Vec<HashSet<String>> = candidates.iter().map(|one| words(&one.text)).collect();
    let cosine = |one: usize, other: usize| -> f32 {
        let common = words[one].intersection(&words[other]).count();
        let lengths = words[one].len() * words[other].len();
        common as f32 / (lengths.max(1) as f32).sqrt()
    };
    let all = 0..candidates.len();
    let worth: Vec<f32> = all
        .clone()
        .map(|one| {
            let near: f32 = all.clone().map(|other| cosine(one, other)).sum();
            candidates[one].telling + CENTRAL_WEIGHT * near / candidates.len() as f32
        })
        .collect();
    let best = |worth: &dyn Fn(usize) -> f32, but: Option<usize>| {
        let left = all.clone().filter(|&one| Some(one) != but);
        // Of equal ones the first.
        left.rev().max_by(|&one, &other| worth(one).total_cmp(&worth(other)))
    };
    let first = best(&|one| worth[one], None);
    let second = first.and_then(|first| {
        best(&|one| worth[one] - REPEATED_WEIGHT * cosine(one, first), Some(first))
    });
    first.into_iter().chain(second).collect()
}

/// The words that a sentence is compared by.
fn words(text: &str) -> HashSet<String> {
    let form = naming::normalise(text);
    let long = form.split(' ').filter(|word| word.chars().count() >= LETTERS_MIN);
    long.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Form, Month, Program};

    fn filing(descriptions: &[&str]) -> Filing {
        let program = |description: &&str| Program {
            description: (*description).to_owned(),
            expenses: None,
            grants: None,
            revenue: None,
        };
        Filing {
            name: "A CLUB".into(),
            programs: descriptions.iter().map(program).collect(),
            ..Filing::of_figures(
                "170000001".parse().unwrap(),
                Form::Full,
                Month::new(2023, 12).unwrap(),
            )
        }
    }

    fn summary_of(descriptions: &[&str]) -> Option<String> {
        chosen(&candidates(&filing(descriptions)))
    }

    const SERVED: &str = "In 2023 our kitchen served 48,000 hot meals to 1,200 neighbours.";
    const HOUSED: &str = "Case workers helped 310 families move from shelters into homes.";
    const MET: &str = "The board met in the usual place and discussed the usual matters.";

    #[test]
    fn the_sentences_with_figures_are_told_in_their_order() {
        let text = format!("Meals. {MET} {HOUSED} {SERVED}");
        assert_eq!(summary_of(&[&text]).unwrap(), format!("{HOUSED} {SERVED}"));
    }

    #[test]
    fn the_second_does_not_repeat_the_first() {
        let candidate = |at, text: &str| Candidate { at, text: text.to_owned(), telling: 1.0 };
        let meals = candidate(0, "Volunteers brought warm meals to older neighbours.");
        let again = candidate(1, "Volunteers brought warm meals to older neighbours at home.");
        let homes = candidate(2, "Volunteers repaired roofs for neighbours.");
        let both = format!("{} {}", meals.text, homes.text);
        let candidates = [meals, again, homes];
        assert_eq!(chosen(&candidates).unwrap(), both);
        // What stands in a sentence counts as well.
        let [meals, again, homes] = candidates;
        let again = Candidate { telling: 3.0, ..again };
        let both = format!("{} {}", again.text, homes.text);
        assert_eq!(chosen(&[meals, again, homes]).unwrap(), both);
    }

    #[test]
    fn what_is_no_sentence_is_not_told() {
        for none in [
            "",
            "Meals and shelter for all who need them in our county",
            "and justice and address race in the places where people live.",
            "Member engagement-----------------meeting in the usual places.",
            "We help.",
            "Our mission is to bring good food to everybody in the county.",
            "To bring good food to everybody in the county, and to teach cooking.",
            "In addition, 200 lawyers donated 5,000 hours of their time in 2023.",
            "They served 48,000 hot meals to 1,200 neighbours in the county.",
        ] {
            assert_eq!(summary_of(&[none]), None, "{none:?}");
        }
        assert_eq!(summary_of(&[SERVED, SERVED]).unwrap(), SERVED);
        assert_eq!(summary_of(&[]), None);
    }
}
