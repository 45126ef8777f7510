//! From the probabilities of candidates to a decision: what the row's EIN says, and what keeps a likely candidate
//! from being a yes that nobody looks at.

use std::borrow::Cow;

use super::compare::{Compared, Comparison};
use super::name::NameForm;
use super::query::ParsedRow;
use super::{Decision, YesMin, model};

/// The probability from which on a person should look at it.
const MAYBE_MIN: f64 = 0.05;
/// By how much the likeliest candidate must be ahead of the next one to be a match.
const MARGIN_MIN: f64 = 0.2;
/// The least probability of a yes in a state that is another and near.
const YES_NEIGHBOUR_MIN: f64 = 0.9;
/// The probability of the organization that has the row's EIN, where its name is not another.
pub(super) const EIN_PROBABILITY: f64 = 0.995;
/// The same where the name is another: at the place of the row, so that it may have been renamed, and elsewhere.
const RENAMED_PROBABILITY: f64 = 0.4;
const ANOTHER_NAME_PROBABILITY: f64 = 0.1;
/// The least probability of the only one in its town that has exactly the name.
const ONLY_IN_TOWN_PROBABILITY: f64 = 0.9;
/// Mass of a name, and of one that has the town of the row in it, from which on the only organization with that name is
/// meant though its state is another. Of organizations in the master file whose name weighs so much, 0.3 and 0.2 %
/// share it with one in another state.
const UNMISTAKABLE_MASS_MIN: f32 = 35.0;
const UNMISTAKABLE_MASS_WITH_TOWN_MIN: f32 = 20.0;
/// How alike names are at least that may be one beside an EIN, by words and by pairs of letters.
const AGREES_MIN: f32 = 0.4;
const AGREES_CHARACTERS_MIN: f32 = 0.6;
/// How alike names are at least that are of one organization at one address, though each has a word of its own.
const SUBSTITUTED_SIMILARITY_MIN: f32 = 0.6;

/// How alike names are at least that may be of one organization though its city is another.
const ELSEWHERE_SIMILARITY_MIN: f32 = 0.8;

/// How well the row's EIN fits the candidate that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EinFit {
    /// The name may be the same.
    Agrees,
    /// The name is another, at the place that the row names.
    Renamed,
    /// The name is another, elsewhere or at an unknown place.
    Contradicts,
}

impl EinFit {
    /// Compares the row's EIN with a candidate that has it.
    pub(super) fn of(found: &Comparison, candidate: &Compared) -> Self {
        let fit = &candidate.names.fit;
        let is_alike = fit.similarity() >= AGREES_MIN || fit.characters >= AGREES_CHARACTERS_MIN;
        let has_kin = fit.kin_asked || fit.kin_found;
        let is_anothers = || found.candidates.iter().any(|one| one.names.fit.is_equal);
        let differs = fit.number_differs || fit.direction_differs || has_kin && is_anothers();
        match (is_alike && !differs, candidate.place.is_placed()) {
            (true, _) => Self::Agrees,
            (false, true) => Self::Renamed,
            (false, false) => Self::Contradicts,
        }
    }
}

/// The probabilities of candidates, in their order, and from which on the likeliest is a yes.
pub(super) fn score_candidates(found: &Comparison, yes: YesMin) -> (Vec<f64>, Option<f64>) {
    let rows: Vec<_> = found.candidates.iter().map(|one| (one.features, one.of_row)).collect();
    let mut probabilities = model::probabilities(&rows);
    let only = only_in_town(&found.candidates);
    let surely = only.filter(|at| {
        let one = &found.candidates[*at];
        !one.is_by_other_name && !one.place.is_another_address()
    });
    if let Some(at) = surely {
        raise(&mut probabilities, at, ONLY_IN_TOWN_PROBABILITY);
    }
    let owner = found.row.ein.ein();
    let owner = owner.and_then(|ein| found.candidates.iter().position(|one| one.ein == ein));
    if let Some(at) = owner {
        let least = match EinFit::of(found, &found.candidates[at]) {
            EinFit::Agrees => EIN_PROBABILITY,
            EinFit::Renamed => RENAMED_PROBABILITY,
            EinFit::Contradicts => ANOTHER_NAME_PROBABILITY,
        };
        raise(&mut probabilities, at, least);
    }
    let likeliest = (0..probabilities.len()).rev();
    let likeliest = likeliest.max_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    let yes_min = likeliest.and_then(|at| yes_min(found, at, only, yes));
    (probabilities, yes_min)
}

/// Makes a candidate at least so probable; the others and nobody share the rest.
fn raise(probabilities: &mut [f64], at: usize, least: f64) {
    let before = probabilities[at];
    if before >= least {
        return;
    }
    let share = (1.0 - least) / (1.0 - before);
    probabilities.iter_mut().for_each(|probability| *probability *= share);
    probabilities[at] = least;
}

/// The only candidate that has exactly the name of the row in its city and state or its ZIP code, or that is the chapter
/// of that number there.
fn only_in_town(candidates: &[Compared]) -> Option<usize> {
    let there = candidates.iter().enumerate().filter(|(_, one)| {
        let is_in_city = one.place.city == Some(true) && one.place.state == Some(true);
        is_in_city || one.place.zip == Some(true)
    });
    let mut equal = there.clone().filter(|(_, one)| one.names.fit.is_equal);
    let mut chapters = there.filter(|(_, one)| one.names.fit.is_whole_chapter);
    let (found, next) = match equal.next() {
        Some(found) => (found, equal.next()),
        None => (chapters.next()?, chapters.next()),
    };
    next.is_none().then_some(found.0)
}

/// The probability from which on a candidate is a match without a person; `None` where it never is. `only` is the only
/// one in its town.
fn yes_min(found: &Comparison, at: usize, only: Option<usize>, yes: YesMin) -> Option<f64> {
    let candidate = &found.candidates[at];
    if let Some(ein) = found.row.ein.ein() {
        let is_owner = ein == candidate.ein && EinFit::of(found, candidate) == EinFit::Agrees;
        return is_owner.then_some(yes.0);
    }
    let (place, fit) = (&candidate.place, &candidate.names.fit);
    // `Band Boosters` are not `Cheerleading Boosters`.
    let is_one_address = place.has_same_address() && fit.similarity() >= SUBSTITUTED_SIMILARITY_MIN;
    if fit.number_differs || fit.is_substituted && !is_one_address {
        return None;
    }
    if candidate.may_be_host && !place.has_same_address() {
        return None;
    }
    // Every state has a Post 14, and one town may have its auxiliary beside it.
    if fit.is_chapter && !place.has_same_address() && only != Some(at) {
        return None;
    }
    // Data that lacks an organization often has a namesake in another state, even in a city named the same.
    let is_in_another_state = place.state == Some(false);
    if is_in_another_state && !place.has_same_address() && place.zip != Some(true) {
        if has_unmistakable_name(&found.row, candidate) {
            return Some(yes.0);
        }
        return (!place.is_elsewhere()).then(|| yes.0.max(YES_NEIGHBOUR_MIN));
    }
    let location = &found.row.location;
    let names_place =
        !location.city.is_empty() || location.zip != super::address::ZipReading::Unknown;
    if !names_place || place.is_placed() {
        return Some(yes.0);
    }
    // `Brother Francis Shelter` of Anchorage is not `Brother Francis Shelter Kodiak`.
    if place.city == Some(false) && fit.similarity() < ELSEWHERE_SIMILARITY_MIN {
        return None;
    }
    // A sort name may be a chapter's or a person's: the same one elsewhere is chance as often as not. So is
    // any name at another place where the row names no state.
    let is_chance = candidate.is_by_other_name || location.state.is_none();
    (!is_chance).then_some(yes.0)
}

/// Whether a candidate alone has exactly the name of the row, and hardly two bodies would have that name.
fn has_unmistakable_name(row: &ParsedRow, candidate: &Compared) -> bool {
    let name = &row.names[candidate.names.asked];
    let is_alone = candidate.names.fit.is_equal && candidate.standing.namesakes == 0;
    let is_own = name.is_first && !candidate.is_by_other_name;
    let is_in_city = candidate.place.city != Some(false);
    let city = if is_in_city { &[] } else { row.location.city.as_slice() };
    is_alone && is_own && is_unmistakable(&name.form, city)
}

/// Whether hardly two bodies would have a name; `city` is that of the row where the candidate's is another.
fn is_unmistakable(name: &NameForm<'_>, city: &[Cow<'_, str>]) -> bool {
    let has = |word: &Cow<'_, str>| name.terms.iter().any(|term| term.text == *word);
    let has_town = !city.is_empty() && city.iter().all(has);
    let least = if has_town { UNMISTAKABLE_MASS_WITH_TOWN_MIN } else { UNMISTAKABLE_MASS_MIN };
    name.terms.iter().map(|term| term.mass).sum::<f32>() >= least
}

/// What probabilities, the greatest first, come to.
pub(super) fn decide(probabilities: &[f64], yes_min: Option<f64>) -> Decision {
    let probability = |at: usize| probabilities.get(at).copied().unwrap_or_default();
    let (first, second) = (probability(0), probability(1));
    if yes_min.is_some_and(|least| first >= least) && first - second >= MARGIN_MIN {
        Decision::Yes
    } else if first >= MAYBE_MIN {
        Decision::Maybe
    } else {
        Decision::No
    }
}

#[cfg(test)]
mod tests {
    use super::super::YES_DEFAULT;
    use super::*;
    use crate::index::names::WeighedTerm;

    #[test]
    fn what_is_raised_leaves_the_rest_to_the_others() {
        let mut probabilities = [0.5, 0.3];
        raise(&mut probabilities, 0, 0.9);
        assert!((probabilities[0] - 0.9).abs() < 1e-9 && (probabilities[1] - 0.06).abs() < 1e-9);
        raise(&mut probabilities, 0, 0.5);
        assert!((probabilities[0] - 0.9).abs() < 1e-9);
        let mut last = [0.999, 0.0];
        raise(&mut last, 1, 0.1);
        assert!(last[0] < 0.9 + 1e-9 && last.iter().sum::<f64>() <= 1.0);
    }

    #[test]
    fn a_name_with_the_town_in_it_needs_less_to_be_unmistakable() {
        let term = |text: &'static str, mass| WeighedTerm { text: Cow::Borrowed(text), mass };
        let name =
            NameForm::new(vec![term("covenant", 7.0), term("living", 6.0), term("keene", 8.0)]);
        let city = |words: &[&'static str]| -> Vec<Cow<'static, str>> {
            words.iter().map(|word| Cow::Borrowed(*word)).collect()
        };
        assert!(is_unmistakable(&name, &city(&["keene"])));
        assert!(!is_unmistakable(&name, &city(&["keene", "valley"])));
        assert!(!is_unmistakable(&name, &[]));
        let rare = NameForm::new(vec![term("xia", 18.0), term("gibbs", 18.0)]);
        assert!(is_unmistakable(&rare, &[]));
    }

    #[test]
    fn decisions() {
        let of = |probabilities: &[f64]| decide(probabilities, Some(YES_DEFAULT));
        assert_eq!(of(&[]), Decision::No);
        assert_eq!(of(&[0.95, 0.03]), Decision::Yes);
        assert_eq!(of(&[0.6, 0.3]), Decision::Maybe);
        assert_eq!(of(&[0.01]), Decision::No);
        assert_eq!(decide(&[0.99], None), Decision::Maybe);
        assert_eq!((YesMin::new(0.2), YesMin::new(f64::NAN)), (None, None));
    }
}
