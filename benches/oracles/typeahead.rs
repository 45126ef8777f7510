//! Typeahead against the naive answer, for many texts and several lengths of the answer.

use std::time::Instant;

use almoner::index::typeahead::Scope;
use almoner::naming;
use almoner::record::Ein;
use almoner::search::typeahead::LIMIT_MAX;
use almoner::snapshot::Snapshot;
use rayon::prelude::*;

use super::names::{Names, Offer};
use super::typed::{self, Kind, Typed};
use fastrand::Rng;

/// Suggestions asked for.
const LIMITS: [usize; 3] = [5, 10, LIMIT_MAX];

/// Differing answers that are shown.
const SHOWN_MAX: usize = 10;

const SEED: u64 = 11;

/// What came of one text.
struct Outcome {
    /// Suggestions of the longest answer, by reason.
    reasons: [u64; 4],
    /// The first length of answer that differed: found, expected.
    differing: Option<(Vec<Offer>, Vec<Offer>)>,
}

/// Asks a snapshot; whether every answer is the naive one.
pub fn check(snapshot: &Snapshot, prefixes: usize) -> bool {
    let start = Instant::now();
    let names = Names::of(snapshot);
    let (whole, later) = names.counts();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "typeahead: {whole} names and {later} rests of names, read and sorted in {seconds:.1} s"
    );

    let start = Instant::now();
    let mut typed = typed::texts(snapshot, prefixes, &mut Rng::with_seed(SEED));
    // Nine digits are an EIN, which is no matter of names.
    typed.retain(|typed| Ein::from_typed(&typed.text).is_none());
    let outcomes: Vec<Outcome> =
        typed.par_iter().map(|typed| outcome(snapshot, &names, &typed.text)).collect();
    let seconds = start.elapsed().as_secs_f64();
    println!("{} prefixes, each with {LIMITS:?} suggestions, in {seconds:.1} s", typed.len());
    print_table(&typed, &outcomes);
    print_differing(&typed, &outcomes);
    let same = outcomes.iter().all(|outcome| outcome.differing.is_none());
    let reasons = reasons(&outcomes);
    let [name, word, name_typo, word_typo] = reasons;
    println!("suggested by name {name}, word {word}, name typo {name_typo}, word typo {word_typo}");
    let is_whole = reasons.iter().all(|count| *count > 0);
    if !is_whole {
        println!("FAILED: a reason was never met, so it was not compared");
    }
    same && is_whole
}

fn outcome(snapshot: &Snapshot, names: &Names, typed: &str) -> Outcome {
    let expected = names.answer(&naming::normalise(typed), LIMIT_MAX);
    let mut outcome = Outcome { reasons: [0; 4], differing: None };
    expected.iter().for_each(|offer| outcome.reasons[offer.reason] += 1);
    for limit in LIMITS {
        let form = naming::normalise(typed);
        let hits = snapshot.typeahead.suggest(&form, Scope::ActiveCharities, limit);
        let found = hits.expect("a whole snapshot").into_iter().map(|hit| {
            let ein = snapshot.columns.ein_of(hit.org).expect("a whole snapshot");
            Offer { ein, reason: hit.reason as usize }
        });
        let found: Vec<Offer> = found.collect();
        let expected = &expected[..limit.min(expected.len())];
        if found != expected && outcome.differing.is_none() {
            outcome.differing = Some((found, expected.to_vec()));
        }
    }
    outcome
}

fn reasons(outcomes: &[Outcome]) -> [u64; 4] {
    let add = |sum: [u64; 4], one: &Outcome| std::array::from_fn(|at| sum[at] + one.reasons[at]);
    outcomes.iter().fold([0; 4], add)
}

fn print_table(typed: &[Typed], outcomes: &[Outcome]) {
    println!("typed           prefixes  identical  differing   nothing");
    let row = |title: &str, is_of_row: &dyn Fn(Kind) -> bool| {
        let (mut all, mut differing, mut nothing) = (0, 0, 0);
        for (_, outcome) in typed.iter().zip(outcomes).filter(|(typed, _)| is_of_row(typed.kind)) {
            all += 1;
            differing += usize::from(outcome.differing.is_some());
            nothing += usize::from(outcome.reasons.iter().sum::<u64>() == 0);
        }
        println!("{title:<14} {all:>9} {:>10} {differing:>10} {nothing:>9}", all - differing);
    };
    for kind in Kind::ALL {
        row(kind.title(), &|other| other == kind);
    }
    row("all", &|_| true);
}

fn print_differing(typed: &[Typed], outcomes: &[Outcome]) {
    let differing = typed.iter().zip(outcomes).filter_map(|(typed, outcome)| {
        outcome.differing.as_ref().map(|(found, expected)| (typed, found, expected))
    });
    for (typed, found, expected) in differing.take(SHOWN_MAX) {
        println!("FAILED: {:?} ({}), EINs and reasons", typed.text, typed.kind.title());
        for (title, offers) in [("found", found), ("expected", expected)] {
            let offers = offers.iter().map(|offer| format!("{}/{}", offer.ein, offer.reason));
            println!("  {title:<9} {}", offers.collect::<Vec<_>>().join(" "));
        }
    }
}
