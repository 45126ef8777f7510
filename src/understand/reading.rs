//! Whether a query is the name of a nonprofit or describes a kind of them.
//!
//! A logistic model over the evidence for both readings. Its coefficients are learned from queries
//! of people who had one nonprofit in mind or none (`scripts/reading_model.py`) and stored in
//! `models/readings.tsv`.

use std::sync::LazyLock;

use super::frame::{Frame, Understanding};
use super::naming::NameMatches;
use super::phrases::{is_common, is_edge};
use super::token::Tokens;
use super::{Names, cause};
use crate::index::names::FEATURES;
use crate::mapped::Damage;
use crate::model::coefficients;
use crate::query::Flag;
use crate::reader::Message;
use crate::table::{Table, table};

/// Log odds of a name beyond which more carry no more weight.
const NAME_ODDS_MAX: f64 = 8.0;

/// Evidence for or against a name besides [`Feature`](crate::index::names::Feature), in the order of the model's
/// coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Evidence {
    Constant,
    /// The log odds from the index of names.
    NameOdds,
    /// The probability of the likeliest nonprofit.
    Likeliest,
    /// The log odds from the trained reader.
    ReaderOdds,
    /// Whether the description has amounts, orders, codes and the like.
    Filter,
    /// Whether it has a size, or words that ask for what cannot be done: names have such words too.
    SizeOrUnread,
    /// Whether nothing in the data satisfies it.
    Empty,
    /// Whether the likeliest nonprofit does.
    Satisfied,
    /// Whether it has several places with nothing that joins them.
    Scattered,
    /// Whether it has a place.
    Place,
    /// Whether its cause is a plural.
    Plural,
    /// Whether its cause is one term of the table.
    Term,
    /// Whether it has no cause.
    NoCause,
    /// Whether it says nothing at all: any nonprofit will do.
    Nothing,
    /// The share of the cause's words that occur in no term and no title of a code.
    UnknownShare,
    /// How many words the query has, a tenth.
    Words,
    /// Whether it has capitals as names have them.
    Titled,
}

const OWN: usize = Evidence::Titled as usize + 1;

/// How many there are: these, and how the likeliest nonprofit fits the query.
pub const EVIDENCE: usize = OWN + FEATURES;

const TABLE: Table = table!("models/readings.tsv");

static MODEL: LazyLock<[f64; EVIDENCE]> = LazyLock::new(|| {
    let values: Vec<f64> = coefficients(TABLE).map(|(_, value)| value).collect();
    values.try_into().expect("a coefficient for each kind of evidence")
});

/// What a description that nothing satisfies weighs for a name beside its probability, where somebody
/// in the data is meant: to read it as one is of use, and the answer says what else it may be.
const OF_NO_USE: f64 = 2.0;

/// Probabilities nearer to 0 or 1 than this carry no more weight.
const ODDS_LEAST: f64 = 0.002;

/// The log odds that a message names one organization, by the trained reader.
pub(super) fn reader_odds(message: &Message) -> f64 {
    let likely = f64::from(message.names_one).clamp(ODDS_LEAST, 1.0 - ODDS_LEAST);
    (likely / (1.0 - likely)).ln()
}

/// The log odds that a query should be read as a name.
pub(super) fn odds(evidence: &[f64; EVIDENCE], naming: &NameMatches) -> f64 {
    let likely: f64 =
        MODEL.iter().zip(evidence).map(|(coefficient, value)| coefficient * value).sum();
    likely + OF_NO_USE * evidence[Evidence::Empty as usize] * (1.0 - naming.nobody)
}

/// What speaks for reading a query as the name of one of those that it may name, and what for the
/// description that it was understood as otherwise.
pub(super) fn evidence(
    tokens: &Tokens,
    naming: &NameMatches,
    names: &dyn Names,
    description: &Understanding,
) -> Result<[f64; EVIDENCE], Damage> {
    let frame = &description.frame;
    let foundation = [Flag::Foundation].map(|flag| (flag, frame.flags[flag]));
    let places_and_sizes = Frame {
        places: frame.places.clone(),
        flags: foundation.into_iter().collect(),
        choices: frame.choices.clone(),
        ..Frame::default()
    };
    let filters = frame.without_cause();
    let likeliest = naming.candidates.first();
    let cause = frame.cause.as_deref().unwrap_or_default();
    let words: Vec<&str> = cause.split_whitespace().filter(|word| !is_edge(word)).collect();
    let unknown = words.iter().filter(|word| !is_common(word) && !cause::is_in_table(word)).count();
    let is_plural = cause.ends_with('s') && !cause.ends_with("ss");
    let (mut is_empty, mut is_satisfied) = (false, likeliest.is_some());
    // A frame without conditions needs no count.
    if let Some(one) = likeliest.filter(|_| filters != Frame::default()) {
        is_empty = names.count(&filters)? == 0;
        is_satisfied = !is_empty && names.satisfies(&filters, one.ein)?;
    }
    let is_joined = tokens.list.iter().any(|token| token.is_joint());
    let pairs = [
        (Evidence::Constant, 1.0),
        (Evidence::NameOdds, naming.odds().clamp(-NAME_ODDS_MAX, NAME_ODDS_MAX)),
        (Evidence::Likeliest, likeliest.map_or(0.0, |one| one.probability)),
        (Evidence::ReaderOdds, description.name_odds),
        (Evidence::Filter, f64::from(filters != places_and_sizes)),
        (
            Evidence::SizeOrUnread,
            f64::from(!frame.choices.sizes.is_empty() || !description.unread.is_empty()),
        ),
        (Evidence::Empty, f64::from(is_empty)),
        (Evidence::Satisfied, f64::from(is_satisfied)),
        (Evidence::Scattered, f64::from(frame.places.len() > 1 && !is_joined)),
        (Evidence::Place, f64::from(!frame.places.is_empty())),
        (Evidence::Plural, f64::from(is_plural)),
        (Evidence::Term, f64::from(frame.cause_is_term)),
        (Evidence::NoCause, f64::from(frame.cause.is_none())),
        (Evidence::Nothing, f64::from(frame.is_empty())),
        (Evidence::UnknownShare, unknown as f64 / words.len().max(1) as f64),
        (Evidence::Words, tokens.len() as f64 / 10.0),
        (Evidence::Titled, f64::from(tokens.is_titled())),
    ];
    let mut all = [0.0; EVIDENCE];
    for (evidence, value) in pairs {
        all[evidence as usize] = value;
    }
    if let Some(one) = likeliest {
        all[OWN..].iter_mut().zip(one.features).for_each(|(to, value)| *to = f64::from(value));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::names::Feature;

    /// The order of the rows is that of the evidence: a number in another row would be silent.
    #[test]
    fn the_model_has_a_row_for_each_kind_of_evidence_in_its_place() {
        let rows: Vec<&str> = coefficients(TABLE).map(|(of, _)| of).collect();
        let own = [Evidence::Constant, Evidence::Empty, Evidence::NoCause, Evidence::Titled];
        for evidence in own {
            assert_eq!(rows[evidence as usize], format!("{evidence:?}"));
        }
        for feature in [Feature::InName, Feature::Misspelt, Feature::Weight, Feature::Literal] {
            assert_eq!(rows[OWN + feature as usize], format!("{feature:?}"));
        }
    }
}
