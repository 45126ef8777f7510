//! The planner's nearest organizations against exact search, under filters of falling selectivity,
//! by chance and by place.
//!
//! An organization found counts when its cosine is that of the tenth nearest or above, less
//! [`TIE`]: organizations of equal texts have equal vectors, and any of them may be answered.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use almoner::index::columns::Bitmap;
use almoner::index::vectors::{Hit, Matching, Nearest, Query, Vectors};
use almoner::record::OrgId;
use almoner::snapshot::Snapshot;
use rayon::prelude::*;

use super::again;
use super::exact::{COSINE_ERROR_MAX, K, Reference, TIE, Top, dot};
use super::questions::{self, Questions};
use fastrand::Rng;

/// Shares of the organizations that a filter lets pass, percent.
const SELECTIVITIES: [f64; 6] = [100.0, 50.0, 10.0, 1.0, 0.1, 0.01];

/// The least share of the exact answers that is to be found.
const RECALL_MIN: f64 = 0.98;

const SEED: u64 = 7;

/// `behind` is how much less the last cosine found is than the exact one, at most; `error` how far
/// a cosine is off, at most; `scored` the nodes that were compared for a text of others and for a
/// question for a cause, on the average.
const HEADING: &str = "filter        matches     all  others  causes  worst  behind  fewer  \
                       wrong     error          scored   plans";

/// Asks a snapshot; whether all that is promised holds.
pub fn check(snapshot: &Snapshot, count: usize) -> bool {
    let vectors = snapshot.vectors.as_ref().expect("a snapshot that was built with a model");
    let model = snapshot.model().expect("the model that the snapshot was built with");
    let start = Instant::now();
    let reference = Reference::of(vectors);
    let read = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let Questions { texts, of_others } = questions::questions(count);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let queries = model.embed(&texts, threads).expect("texts");
    let embedded = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let filters = filters(reference.organizations());
    let sets: Vec<Bitmap> = filters.iter().map(|filter| filter.set.clone()).collect();
    let tops = reference.nearest(&queries, &sets);
    let searched = start.elapsed().as_secs_f64();
    let statistics = vectors.statistics().expect("a whole snapshot");
    println!(
        "vectors: {} organizations, {} nodes, read in {read:.1} s; {} questions embedded in \
         {embedded:.1} s, {} filters searched exactly in {searched:.1} s",
        statistics.organizations,
        statistics.nodes,
        texts.len(),
        filters.len(),
    );
    let equal = tops.iter().filter(|tops| tops[0].rank(1) >= 1.0 - COSINE_ERROR_MAX).count();
    println!("{equal} questions are what an organization's text is");

    println!("recall@10 of all, of {of_others} texts of others, and of questions for causes");
    println!("{HEADING}");
    let mut holds = true;
    for (number, filter) in filters.iter().enumerate() {
        let tops: Vec<Top> = tops.iter().map(|tops| tops[number]).collect();
        holds &= row(vectors, &reference, &queries, of_others, filter, &tops);
    }
    holds &= again::check(snapshot, &reference, &queries);
    holds
}

/// Organizations that match.
struct Filter {
    name: String,
    set: Bitmap,
    matches: u64,
    /// Whether the planner is told of it; without it all match.
    is_told: bool,
}

impl Filter {
    fn of(name: String, organizations: usize, orgs: impl Iterator<Item = usize>) -> Self {
        let set = Bitmap::of(organizations as u32, orgs.map(|org| OrgId::new(org as u32)));
        Self { name, matches: set.count(), set, is_told: true }
    }
}

fn filters(organizations: usize) -> Vec<Filter> {
    let none = Filter::of("none".into(), organizations, 0..organizations);
    let mut filters = vec![Filter { is_told: false, ..none }];
    let mut random = Rng::with_seed(SEED);
    for percent in SELECTIVITIES {
        let share = percent / 100.0;
        let drawn: Vec<_> = (0..organizations).filter(|_| random.f64() < share).collect();
        // A place is a run of organizations.
        let length = (organizations as f64 * share) as usize;
        let start = random.usize(..organizations - length + 1);
        filters.push(Filter::of(format!("chance {percent}%"), organizations, drawn.into_iter()));
        let place = start..start + length;
        filters.push(Filter::of(format!("place {percent}%"), organizations, place));
    }
    filters
}

/// What one answer was worth.
struct Judged {
    recall: f64,
    /// How much less its last cosine is than that of the exact answer.
    behind: f32,
    /// Whether it has not as many organizations as it should.
    fewer: bool,
    /// Organizations that do not match, come twice or out of order.
    wrong: usize,
    /// The greatest difference of a cosine to the exact one.
    error: f32,
}

/// Asks all queries under a filter and prints what came of it; whether it is enough.
fn row(
    vectors: &Vectors,
    reference: &Reference,
    queries: &[f32],
    of_others: usize,
    filter: &Filter,
    tops: &[Top],
) -> bool {
    let found: Vec<Nearest> = queries
        .par_chunks_exact(reference.dims)
        .map(|query| nearest(vectors, query, filter))
        .collect();
    let asked = queries.chunks_exact(reference.dims).zip(&found).zip(tops);
    let judged: Vec<Judged> =
        asked.map(|((query, found), top)| judge(reference, query, filter, found, top)).collect();
    let recall = mean_recall(&judged);
    let [others, causes] = [&judged[..of_others], &judged[of_others..]].map(mean_recall);
    let [near, far] = [&found[..of_others], &found[of_others..]].map(mean_visits);
    let worst = judged.iter().map(|one| one.recall).fold(1.0, f64::min);
    let behind = judged.iter().map(|one| one.behind).fold(0.0, f32::max);
    let fewer = judged.iter().filter(|one| one.fewer).count();
    let wrong: usize = judged.iter().map(|one| one.wrong).sum();
    let error = judged.iter().map(|one| one.error).fold(0.0, f32::max);
    let mut plans: BTreeMap<String, usize> = BTreeMap::new();
    found.iter().for_each(|found| *plans.entry(found.plan.name().to_owned()).or_default() += 1);
    let plans: Vec<String> = plans.iter().map(|(plan, count)| format!("{plan} {count}")).collect();
    let holds = recall.min(others).min(causes) >= RECALL_MIN
        && fewer == 0
        && wrong == 0
        && error <= COSINE_ERROR_MAX;
    println!(
        "{:<12} {:>8} {recall:>7.4} {others:>7.4} {causes:>7.4} {worst:>6.1} {behind:>7.4} \
         {fewer:>6} {wrong:>6} {error:>9.6} {near:>7} {far:>7}   {}{}",
        filter.name,
        filter.matches,
        plans.join(", "),
        if holds { "" } else { "   FAILED" }
    );
    holds
}

/// The mean; 0 of none.
fn mean_visits(found: &[Nearest]) -> u64 {
    let sum: u64 = found.iter().map(|one| one.visits).sum();
    sum.checked_div(found.len() as u64).unwrap_or(0)
}

/// The mean; 1 of none.
fn mean_recall(judged: &[Judged]) -> f64 {
    let sum = judged.iter().map(|one| one.recall).sum::<f64>();
    if judged.is_empty() { 1.0 } else { sum / judged.len() as f64 }
}

fn nearest(vectors: &Vectors, query: &[f32], filter: &Filter) -> Nearest {
    let matching = Matching { set: &filter.set, count: filter.matches };
    let matching = filter.is_told.then_some(&matching);
    let ask = Query { matching, ..Query::new(query, K) };
    vectors.nearest(&ask).expect("a whole snapshot")
}

fn judge(
    reference: &Reference,
    query: &[f32],
    filter: &Filter,
    found: &Nearest,
    top: &Top,
) -> Judged {
    let wanted = K.min(filter.matches as usize);
    let exact = |org: OrgId| dot(reference.row(org.index()), query);
    let matching: BTreeSet<OrgId> =
        found.hits.iter().map(|hit| hit.row).filter(|&org| filter.set.contains(org)).collect();
    let is_right = |org: &&OrgId| wanted > 0 && exact(**org) >= top.rank(wanted) - TIE;
    let right = matching.iter().filter(is_right).count();
    let last = found.hits.get(wanted.wrapping_sub(1)).map(|hit| exact(hit.row));
    let is_in_order = |pair: &&[Hit]| {
        pair[0]
            .cosine
            .total_cmp(&pair[1].cosine)
            .reverse()
            .then(pair[0].row.cmp(&pair[1].row))
            .is_lt()
    };
    let misplaced = found.hits.windows(2).filter(|pair| !is_in_order(pair)).count();
    let errors = found.hits.iter().map(|hit| (hit.cosine - exact(hit.row)).abs());
    Judged {
        recall: if wanted == 0 { 1.0 } else { right as f64 / wanted as f64 },
        behind: last.map_or(0.0, |last| top.rank(wanted) - last),
        fewer: found.hits.len() < wanted,
        wrong: found.hits.len() - matching.len() + misplaced,
        error: errors.fold(0.0, f32::max),
    }
}
