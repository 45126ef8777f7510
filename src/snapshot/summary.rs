//! What a nonprofit achieved, in its own words: the two most telling sentences of what its return says
//! its programmes accomplished.
//!
//! A sentence is telling by what stands in it (`impact::telling`); with a model, also by how near it is
//! to what the others are about, and the second by how far it is from the first.

use crate::embed::{self, Model};
use crate::impact;
use crate::record::Filing;

/// Sentences that are compared by meaning: the most telling ones. Embedding takes milliseconds each.
const CANDIDATES_MAX: usize = 6;

/// Characters that a sentence may have: shorter ones are headings, longer ones lists.
const CHARACTERS: std::ops::RangeInclusive<usize> = 40..=420;

/// How much nearness to the other sentences counts beside what stands in one, and how much nearness to
/// the first counts against the second.
const CENTRAL_WEIGHT: f32 = 1.0;
const REPEATED_WEIGHT: f32 = 1.5;

/// A sentence, where it stands, and how telling it is.
struct Candidate<'a> {
    at: usize,
    text: &'a str,
    telling: f32,
}

/// The two most telling sentences of a return, in its order; `None` when it has none.
///
/// # Errors
/// When the model fails.
pub(super) fn of(filing: &Filing, model: Option<&Model>) -> Result<Option<String>, embed::Error> {
    let candidates = candidates(filing);
    let chosen = match model {
        Some(model) if candidates.len() > 2 => nearest(&candidates, model)?,
        _ => (0..candidates.len().min(2)).collect(),
    };
    let mut chosen: Vec<&Candidate<'_>> = chosen.into_iter().map(|at| &candidates[at]).collect();
    chosen.sort_by_key(|candidate| candidate.at);
    let texts: Vec<&str> = chosen.iter().map(|candidate| candidate.text).collect();
    Ok((!texts.is_empty()).then(|| texts.join(" ")))
}

/// The most telling sentences, best first.
fn candidates(filing: &Filing) -> Vec<Candidate<'_>> {
    let metrics = impact::metrics(filing, None);
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let descriptions = filing.programs.iter().map(|program| program.description.as_str());
    for (at, text) in descriptions.flat_map(impact::sentences).enumerate() {
        let repeated = candidates.iter().any(|known| known.text.eq_ignore_ascii_case(text));
        if repeated || !is_sentence(text) {
            continue;
        }
        let stated = metrics.iter().filter(|one| one.source_snippet.as_deref() == Some(text));
        let telling = impact::telling(text, stated.count());
        candidates.push(Candidate { at, text, telling });
    }
    candidates.sort_by(|one, other| other.telling.total_cmp(&one.telling));
    candidates.truncate(CANDIDATES_MAX);
    candidates
}

/// Whether a text is a whole sentence, neither a heading nor what a broken one left.
fn is_sentence(text: &str) -> bool {
    let begins = text.chars().find(|c| c.is_alphanumeric());
    begins.is_some_and(|c| c.is_uppercase() || c.is_numeric())
        && text.ends_with(['.', '!', '?', '"', '”', ')'])
        && !text.contains("---")
        && CHARACTERS.contains(&text.chars().count())
}

/// The two that tell most of what all are about without saying the same.
fn nearest(candidates: &[Candidate<'_>], model: &Model) -> Result<Vec<usize>, embed::Error> {
    let texts: Vec<&str> = candidates.iter().map(|candidate| candidate.text).collect();
    let vectors = model.embed(&texts, 1)?;
    let vectors: Vec<&[f32]> = vectors.chunks_exact(model.dimensions()).collect();
    let cosine = |one: usize, other: usize| -> f32 {
        vectors[one].iter().zip(vectors[other]).map(|(a, b)| a * b).sum()
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
    Ok(first.into_iter().chain(second).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Date, Form, Program};

    fn filing(descriptions: &[&str]) -> Filing {
        let program = |description: &&str| Program {
            description: (*description).to_owned(),
            expenses: None,
            grants: None,
            revenue: None,
        };
        Filing {
            ein: "170000001".parse().unwrap(),
            form: Form::Full,
            tax_year: 2023,
            period_end: Date::new(2023, 12, 31).unwrap(),
            filed: None,
            amended: false,
            object_id: None,
            name: "A CLUB".into(),
            doing_business_as: None,
            street: None,
            city: None,
            state: None,
            zip: None,
            subsection: None,
            website: None,
            mission: None,
            year_formed: None,
            revenue: None,
            expenses: None,
            assets: None,
            liabilities: None,
            net_assets: None,
            employees: None,
            volunteers: None,
            officers: Vec::new(),
            programs: descriptions.iter().map(program).collect(),
        }
    }

    const SERVED: &str = "In 2023 our kitchen served 48,000 hot meals to 1,200 neighbours.";
    const HOUSED: &str = "Case workers helped 310 families move from shelters into homes.";
    const MET: &str = "The board met in the usual place and discussed the usual matters.";

    #[test]
    fn the_sentences_with_figures_are_told_in_their_order() {
        let text = format!("Meals. {MET} {HOUSED} {SERVED}");
        let told = of(&filing(&[&text]), None).unwrap().unwrap();
        assert_eq!(told, format!("{HOUSED} {SERVED}"));
        let model = Model::embedded().unwrap();
        let told = of(&filing(&[&text]), Some(&model)).unwrap().unwrap();
        assert_eq!(told, format!("{HOUSED} {SERVED}"));
    }

    #[test]
    fn what_is_no_sentence_is_not_told() {
        for none in [
            "",
            "Meals and shelter for all who need them in our county",
            "and justice and address race in the places where people live.",
            "Member engagement-----------------meeting in the usual places.",
            "We help.",
        ] {
            assert_eq!(of(&filing(&[none]), None).unwrap(), None, "{none:?}");
        }
        assert_eq!(of(&filing(&[SERVED, SERVED]), None).unwrap().unwrap(), SERVED);
        assert_eq!(of(&filing(&[]), None).unwrap(), None);
    }
}
