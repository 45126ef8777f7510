//! The features of candidates: the scores of each index for a row, beside those of the question.

use std::collections::HashMap;

use rayon::prelude::*;

use super::super::SearchError;
use super::super::place_scope::Proximity;
use super::{CandidateLists, Cause, Ranker};
use crate::index::names::{self, Comparison};
use crate::processor_time::Account;
use crate::rank::{Feature, Features};
use crate::record::{Ntee, OrgId};

/// Candidates whose features one task works out.
const ROWS_A_TASK: usize = 64;

impl Ranker<'_> {
    /// The features of some rows, with the cosines of the text; `whole` is the vector of the whole question.
    pub(super) fn described(
        &self,
        text: &str,
        cause: &Cause,
        found: &CandidateLists,
        whole: Option<&[f32]>,
        orgs: &[OrgId],
        cosines: &[f32],
    ) -> Result<Vec<(OrgId, Features)>, SearchError> {
        let by_indexes = self.by_indexes(cause, found, whole, orgs, cosines)?;
        let question = self.request.query.words_beside(text);
        let names = &self.snapshot.names;
        let of_cause = names.comparison(text)?;
        let of_whole = question.as_deref().map(|whole| names.comparison(whole)).transpose()?;
        let account = Account::current();
        let compare = |(of_cause, of_whole): &mut (Comparison<'_>, Option<Comparison<'_>>),
                       rows: &[(OrgId, Features)]| {
            let row = |(org, features): &(OrgId, Features)| {
                let mut features = *features;
                let by_cause = of_cause.features(*org)?;
                let by_whole = of_whole.as_ref().map(|whole| whole.features(*org)).transpose()?;
                set_names(&mut features, &by_cause, by_whole.as_ref().unwrap_or(&by_cause));
                Ok((*org, features))
            };
            account.charge(|| rows.iter().map(row).collect::<Result<Vec<_>, SearchError>>())
        };
        // A comparison remembers how alike terms are, for one thread.
        let rows = by_indexes.par_chunks(ROWS_A_TASK).map_with((of_cause, of_whole), compare);
        Ok(rows.collect::<Result<Vec<_>, SearchError>>()?.into_iter().flatten().collect())
    }

    /// The features but for those of names.
    fn by_indexes(
        &self,
        cause: &Cause,
        found: &CandidateLists,
        whole: Option<&[f32]>,
        orgs: &[OrgId],
        cosines: &[f32],
    ) -> Result<Vec<(OrgId, Features)>, SearchError> {
        let query = self.request.query;
        let whole_cosines = match (&self.meaning, whole) {
            (Some((vectors, _)), Some(whole)) => vectors.cosines(whole, orgs)?,
            _ => cosines.to_vec(),
        };
        let (best, mean, deviation) = spread(cosines);
        let (best_of_whole, ..) = spread(&whole_cosines);
        let most = found.words.first().map_or(1.0, |one| one.1);
        let words: HashMap<OrgId, f32> = found.words.iter().copied().collect();
        let named: HashMap<OrgId, f64> = found.named.iter().copied().collect();
        let filed = self.snapshot.columns.ntee_of(orgs)?;
        let mut of_question = Features::default();
        of_question.set(Feature::IsName, f32::from(query.is_name));
        of_question.set(Feature::Matching, (self.request.total as f32).max(1.0).ln() / 10.0);
        of_question.set(Feature::IsTerm, f32::from(!query.ntee.is_empty()));
        of_question.set(Feature::CauseSure, cause.sure);
        let row = |at: usize, org: OrgId| {
            let mut features = of_question;
            let cosine = cosines.get(at).copied();
            features.set(Feature::Cosine, cosine.unwrap_or(0.0));
            features.set(Feature::CosineBehind, cosine.map_or(0.0, |cosine| best - cosine));
            features.set(Feature::CosineAbove, cosine.map_or(0.0, |one| (one - mean) / deviation));
            let of_whole = whole_cosines.get(at).copied();
            features.set(Feature::WholeCosine, of_whole.unwrap_or(0.0));
            features
                .set(Feature::WholeCosineBehind, of_whole.map_or(0.0, |one| best_of_whole - one));
            features.set(Feature::Words, words.get(&org).map_or(0.0, |score| score / most));
            features.set(Feature::Named, named.get(&org).map_or(0.0, |one| *one as f32));
            self.set_place(&mut features, org);
            self.set_codes(&mut features, cause, filed[at], org)?;
            Ok::<_, SearchError>((org, features))
        };
        orgs.iter().enumerate().map(|(at, org)| row(at, *org)).collect()
    }

    fn set_place(&self, features: &mut Features, org: OrgId) {
        let feature = match self.proximity(org) {
            Proximity::Anywhere => return,
            Proximity::Inside => Feature::InsidePlace,
            Proximity::Near => Feature::NearPlace,
            Proximity::InState => Feature::InState,
            Proximity::Elsewhere => Feature::Elsewhere,
        };
        features.set(feature, 1.0);
    }

    fn set_codes(
        &self,
        features: &mut Features,
        cause: &Cause,
        filed: Option<Ntee>,
        org: OrgId,
    ) -> Result<(), SearchError> {
        let terms = &self.request.query.ntee;
        features.set(Feature::Filed, f32::from(filed.is_some()));
        if let Some(code) = filed {
            features.set(Feature::FiledOfTerm, of_term(code, terms));
            features.set(Feature::Grantmaker, f32::from(code.major() == 'T'));
            let [same, decile, major] = cause.codes.of_code(code);
            features.set(Feature::FiledCode, same);
            features.set(Feature::FiledDecile, decile);
            features.set(Feature::FiledMajor, major);
        }
        let mut sums = [0.0; 4];
        for (code, probability) in self.snapshot.causes.predicted(org)? {
            let [same, decile, major] = cause.codes.of_code(code);
            for (sum, value) in sums.iter_mut().zip([of_term(code, terms), same, decile, major]) {
                *sum += probability * value;
            }
        }
        let [term, same, decile, major] = sums;
        features.set(Feature::PredictedOfTerm, term);
        features.set(Feature::PredictedCode, same);
        features.set(Feature::PredictedDecile, decile);
        features.set(Feature::PredictedMajor, major);
        Ok(())
    }
}

/// The greatest of some numbers, their mean and standard deviation, which is at least a little.
fn spread(values: &[f32]) -> (f32, f32, f32) {
    const DEVIATION_MIN: f32 = 1e-3;
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count;
    let best = values.iter().copied().fold(0.0, f32::max);
    (best, mean, variance.sqrt().max(DEVIATION_MIN))
}

/// How well a code is one of a term: 1 for the term's first prefix, less for a later one, little for one
/// of its major group.
fn of_term(code: Ntee, prefixes: &[String]) -> f32 {
    const LATER: f32 = 0.7;
    const SAME_MAJOR: f32 = 0.3;
    let is_of = |prefix: &String| code.as_str().starts_with(prefix.as_str());
    match prefixes.iter().position(is_of) {
        Some(0) => 1.0,
        Some(_) => LATER,
        None if prefixes.iter().any(|prefix| prefix.starts_with(code.major())) => SAME_MAJOR,
        None => 0.0,
    }
}

/// What comparing names with the cause and with the whole question says.
fn set_names(features: &mut Features, cause: &names::Features, whole: &names::Features) {
    use names::Feature as Of;
    let mut copy = |from: &names::Features, pairs: &[(Feature, Of)]| {
        for (feature, value) in pairs {
            features.set(*feature, from[*value as usize]);
        }
    };
    copy(
        cause,
        &[
            (Feature::CauseInName, Of::InName),
            (Feature::CauseInOtherName, Of::InOtherName),
            (Feature::CauseInPlace, Of::InPlace),
            (Feature::CauseUnexplained, Of::Unexplained),
            (Feature::CauseMisspelt, Of::Misspelt),
            (Feature::NameOpen, Of::Open),
            (Feature::NameOpenMass, Of::OpenMass),
            (Feature::CauseInOrder, Of::InOrder),
            (Feature::NameComplete, Of::Complete),
            (Feature::CauseExplained, Of::Explained),
            (Feature::CauseNameMass, Of::NameMass),
            (Feature::Weight, Of::Weight),
            (Feature::ActiveCharity, Of::ActiveCharity),
        ],
    );
    copy(
        whole,
        &[
            (Feature::WholeInName, Of::InName),
            (Feature::WholeInPlace, Of::InPlace),
            (Feature::WholeCityNamed, Of::CityNamed),
            (Feature::WholeUnexplained, Of::Unexplained),
            (Feature::WholeExplained, Of::Explained),
            (Feature::WholeEqual, Of::Equal),
            (Feature::WholeOtherNumber, Of::OtherNumber),
        ],
    );
}
