//! Features of a whole draft, for the model that judges whether it is a story.

use super::draft::Draft;
use super::lexicon::{is_past, lists};
use super::model::Label;
use super::part::Part;
use super::sentence::Sentence;

/// Lists whose share of the sentences is looked at.
const SHARES: [&str; 10] = [
    "third",
    "first",
    "own",
    "they",
    "plans",
    "supposed",
    "staff",
    "organizations",
    "animals",
    "nature",
];

/// The evidence of a draft besides that of its protagonist, each value by its name, most of them from 0 to 1.
pub(super) fn evidence(draft: &Draft<'_>) -> Vec<(&'static str, f32)> {
    let parts = &draft.parts;
    let all = parts.len().max(1) as f32;
    let most = |labels: &[Label]| {
        let of = |part: &Part<'_>| {
            labels.iter().map(|label| part.probabilities[*label as usize]).sum::<f32>()
        };
        parts.iter().map(of).fold(0.0_f32, f32::max)
    };
    let sum =
        |label: Label| parts.iter().map(|part| part.probabilities[label as usize]).sum::<f32>();
    let share = |holds: &dyn Fn(&Sentence<'_>) -> bool| {
        parts.iter().filter(|part| holds(part.sentence)).count() as f32 / all
    };
    let change = most(&[Label::Before, Label::Turning]);
    let after = most(&[Label::After]);
    let mut found = vec![
        ("bias", 1.0),
        ("sentences", all.ln()),
        ("told", parts.iter().map(Part::in_story).sum::<f32>() / all),
        ("least_told", parts.iter().map(Part::in_story).fold(1.0_f32, f32::min)),
        ("before", most(&[Label::Before])),
        ("turning", most(&[Label::Turning])),
        ("after", after),
        ("change", change.min(after)),
        ("sum_before", sum(Label::Before).ln_1p()),
        ("sum_turning", sum(Label::Turning).ln_1p()),
        ("sum_after", sum(Label::After).ln_1p()),
        ("past", share(&|sentence| sentence.words.iter().any(|word| is_past(word)))),
        ("of_section", of_section(draft)),
    ];
    found.extend(SHARES.map(|list| {
        (list, share(&|sentence| sentence.words.iter().any(|word| lists(list, word))))
    }));
    found.extend(draft.protagonist.iter().map(|hero| ("protagonist", hero.probability)));
    found
}

/// How much of the sections that it stands in is a part of it.
fn of_section(draft: &Draft<'_>) -> f32 {
    let sections = draft.parts.chunk_by(|one, other| std::ptr::eq(one.section, other.section));
    let all: usize = sections.map(|parts| parts[0].section.sentences.len()).sum();
    draft.parts.len() as f32 / all.max(1) as f32
}
