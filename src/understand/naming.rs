//! A text as a name: the organizations that it may name, and how probably.

#[cfg(test)]
use crate::index::names::FEATURES;
use crate::index::names::{Feature, Features};
use crate::record::{Ein, thousands};

/// The probability from which on a name is resolved to one nonprofit, and no longer to its
/// namesakes. Of candidates with more, 98 in 100 are right (`models/names.tsv`).
pub const SURE: f64 = 0.8;

/// The least probability of a further candidate, as a share of the likeliest's.
const NAMESAKE_SHARE_MIN: f64 = 0.1;

/// How much heavier a nonprofit twenty times as large is: weights are logarithms
/// ([`Weight`](crate::index::typeahead::Weight)).
const DOMINANT_WEIGHT: f32 = 0.099;

/// Candidates that are kept, and counted as namesakes, at most.
pub const NAMESAKES_MAX: usize = 24;

/// The organizations that a text may name.
#[derive(Debug, Clone, PartialEq)]
pub struct NameMatches {
    /// The likeliest first, at most [`NAMESAKES_MAX`].
    pub candidates: Vec<NameMatch>,
    /// The probability that it names none of them.
    pub nobody: f64,
    /// How many names in the data have exactly the terms of the text.
    pub equal: usize,
}

/// A nonprofit that the text may name.
#[derive(Debug, Clone, PartialEq)]
pub struct NameMatch {
    pub ein: Ein,
    /// Its display name.
    pub name: String,
    /// The other name by which it was found, if any.
    pub other_name: Option<String>,
    /// The probability that it is the one, 0 to 1.
    pub probability: f64,
    /// How its names and its place fit the text.
    pub features: Features,
}

#[cfg(test)]
impl NameMatch {
    /// A nonprofit whose name is exactly the text.
    pub(crate) fn by_its_name(ein: Ein, name: String) -> Self {
        let mut features = [0.0; FEATURES];
        for feature in [
            Feature::InName,
            Feature::InOrder,
            Feature::Begins,
            Feature::Ends,
            Feature::Equal,
            Feature::Complete,
            Feature::Explained,
            Feature::NameMass,
            Feature::Spelled,
            Feature::Literal,
            Feature::ActiveCharity,
        ] {
            features[feature as usize] = 1.0;
        }
        Self { ein, name, other_name: None, probability: 0.99, features }
    }
}

impl Default for NameMatches {
    fn default() -> Self {
        Self { candidates: Vec::new(), nobody: 1.0, equal: 0 }
    }
}

/// How many namesakes there are, in words.
pub fn counted(namesakes: usize) -> String {
    match namesakes {
        1 => "one".to_owned(),
        // As many as are kept: there may be more that are alike.
        NAMESAKES_MAX => format!("{NAMESAKES_MAX} or more"),
        _ => thousands(namesakes as u64),
    }
}

impl NameMatches {
    /// The log odds that the text names somebody in the data.
    pub fn odds(&self) -> f64 {
        let nobody = self.nobody.clamp(1e-9, 1.0);
        ((1.0 - nobody).max(1e-9) / nobody).ln()
    }

    /// The number of candidates: at most [`NAMESAKES_MAX`], unless more have exactly the terms of
    /// the text as a name; 0 if the text probably names nobody, and nobody has exactly these terms.
    pub fn namesakes(&self) -> usize {
        let Some(likeliest) = self.candidates.first() else { return 0 };
        let has_its_terms = likeliest.features[Feature::Equal as usize] == 1.0;
        if self.odds() <= 0.0 && !has_its_terms {
            return 0;
        }
        let least = likeliest.probability * NAMESAKE_SHARE_MIN;
        let alike = self.candidates.iter().take_while(|one| one.probability >= least).count();
        if has_its_terms && alike > 1 { alike.max(self.equal) } else { alike }
    }

    /// Whether the likeliest explains every word of the text, and the text names somebody more likely than nobody.
    pub fn is_all_of_it(&self) -> bool {
        let explains = |one: &NameMatch| one.features[Feature::Explained as usize] == 1.0;
        self.odds() > 0.0 && self.candidates.first().is_some_and(explains)
    }

    /// Among namesakes, the one some twenty times as large as any other: people seldom mean the
    /// namesakes of a great nonprofit.
    pub fn dominant(&self) -> Option<&NameMatch> {
        self.largest(Feature::Equal)
    }

    /// The same among those whose names have all words of the text: `Red Cross`.
    pub fn dominant_bearer(&self) -> Option<&NameMatch> {
        self.largest(Feature::Explained)
    }

    fn largest(&self, feature: Feature) -> Option<&NameMatch> {
        let weight = |one: &NameMatch| one.features[Feature::Weight as usize];
        let is_namesake = |one: &&NameMatch| one.features[feature as usize] == 1.0;
        let mut alike: Vec<&NameMatch> = self.candidates.iter().filter(is_namesake).collect();
        alike.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        let next = alike.get(1).map_or(0.0, |one| weight(one));
        alike.first().copied().filter(|one| weight(one) - next >= DOMINANT_WEIGHT)
    }

    /// The only one whose name has exactly the terms of the text: `Three Square`, beside `Three Square Plan Giving`.
    pub fn only_equal(&self) -> Option<&NameMatch> {
        let is_equal = |one: &&NameMatch| one.features[Feature::Equal as usize] == 1.0;
        self.candidates.iter().find(is_equal).filter(|_| self.equal == 1)
    }

    /// The one that is identified with certainty.
    pub fn sure(&self) -> Option<&NameMatch> {
        self.candidates.first().filter(|one| one.probability >= SURE)
    }

    /// The one that is identified with certainty, by a text that is all of its name.
    pub fn sure_by_all(&self) -> Option<&NameMatch> {
        self.sure().filter(|_| self.is_all_of_it())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_match(probability: f64, has_its_terms: bool) -> NameMatch {
        let mut found = NameMatch::by_its_name("970000001".parse().unwrap(), "Zyxw".to_owned());
        found.probability = probability;
        found.features[Feature::Equal as usize] = f32::from(has_its_terms);
        found
    }

    #[test]
    fn a_giant_is_meant_before_its_namesakes() {
        let of = |weights: &[f32]| {
            let candidates = weights.iter().map(|weight| {
                let mut one = name_match(0.3, true);
                one.features[Feature::Weight as usize] = *weight;
                one
            });
            NameMatches { candidates: candidates.collect(), nobody: 0.1, equal: weights.len() }
        };
        assert!(of(&[0.3, 0.6, 0.4]).dominant().is_some());
        assert!(of(&[0.3, 0.6, 0.55]).dominant().is_none());
        assert!(of(&[]).dominant().is_none());
        // `Red Cross`: no name is just that.
        let mut named = of(&[0.3, 0.6]);
        named.candidates.iter_mut().for_each(|one| one.features[Feature::Equal as usize] = 0.0);
        assert!(named.dominant().is_none() && named.dominant_bearer().is_some());
    }

    #[test]
    fn who_alone_has_just_the_name_is_told_from_those_with_longer_ones() {
        let of = |equal| NameMatches {
            candidates: vec![name_match(0.5, false), name_match(0.4, true)],
            nobody: 0.1,
            equal,
        };
        assert_eq!(of(1).only_equal().map(|one| one.probability), Some(0.4));
        assert_eq!(of(2).only_equal(), None);
    }

    #[test]
    fn namesakes_are_those_nearly_as_likely() {
        let naming =
            |nobody, candidates: Vec<NameMatch>| NameMatches { candidates, nobody, equal: 283 };
        for (naming, count) in [
            (NameMatches::default(), 0),
            (
                naming(
                    0.2,
                    vec![name_match(0.5, false), name_match(0.3, false), name_match(0.01, false)],
                ),
                2,
            ),
            // Many namesakes make each unlikely, and yet they are in the data.
            (
                naming(
                    0.7,
                    vec![name_match(0.1, true), name_match(0.1, true), name_match(0.1, true)],
                ),
                283,
            ),
            (naming(0.7, vec![name_match(0.3, false)]), 0),
        ] {
            assert_eq!(naming.namesakes(), count, "{naming:?}");
        }
        assert_eq!([3, NAMESAKES_MAX, 1283].map(counted), ["3", "24 or more", "1,283"]);
    }
}
