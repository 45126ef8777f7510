//! Filters first: which way of searching answers a question best, by how many organizations match.

use super::codec::EncodedQuery;
use super::mapped_graph;
use super::query::{Hit, Matching, Nearest, Plan, Query};
use super::scan::{self, Scored};
use super::walk::{Slack, WalkParams};
use super::{Damage, Vectors};

/// Matches up to which every one is looked at: about a millisecond, and exact.
const SCAN_MATCHES_MAX: u64 = 20_000;

/// Results up to which the graph is walked. More are wanted by who pages on, and pages that neither
/// repeat a result nor leave one out need one order, however many results are asked for: the exact one.
const WALK_RESULTS_MAX: usize = 200;

/// The rank of the node found that the slack of a walk is measured from.
const SLACK_RANK: usize = 20;

/// Nodes that a walk meets at most, some 30 milliseconds, since they lie scattered: what is far from
/// everything is as far from any as from the next, and all would be near enough.
const MET_MAX: u64 = 128 * 1024;

/// Nodes that the prefilter by bits lets pass: the base, the number per result, and the matches per
/// further node. Out of 190,000 matches of a cause, 1,406 in all hold 0.990 of the nearest, 2,156
/// hold 0.995 and 3,640 hold 0.999.
const SIEVED: (usize, usize, u64) = (256, 16, 128);

/// What plans cost, measured on 200,000 real names (`benches/vectors/main.rs`), in nanoseconds: a match
/// whose bits are looked at, a node that passes the prefilter, a node that a walk meets. Measured when the
/// prefilter counted differing bits and a walk read the row of every node: now the first costs somewhat
/// more and the last less, and about where they meet either plan will do. What a walk for something
/// far meets past its width is left out: only the walk itself tells.
const BITS_NS: f64 = 20.0;
const PREFILTERED_NS: f64 = 250.0;
const VISIT_NS: f64 = 100.0;

/// Nodes that a walk meets for each that it keeps in view when all match; when a share of them
/// does, as many times more as the share to this power.
const VISITS: f64 = 15.0;
const SHARE_POWER: f64 = -2.0 / 3.0;

/// How many times as many nodes a walk meets when what matches is not near to what is asked, as
/// with filters by cause it may be; a scan costs the same whatever they are.
const FAR: f64 = 3.0;

/// Answers a question.
pub(super) fn nearest<T>(vectors: &Vectors<T>, ask: &Query<T>) -> Result<Nearest<T>, Damage> {
    let query = vectors.query(ask.query)?;
    let matches = ask.matching.map_or(vectors.count() as u64, |matching| matching.count);
    if let Some(distance_max) = ask.distance_max {
        return within(vectors, &query, ask, distance_max);
    }
    let plan = choose(vectors.count(), ask, matches);
    run(vectors, &query, ask, matches, plan)
}

/// The plan for a query that `matches` organizations match.
fn choose<T>(organizations: usize, ask: &Query<T>, matches: u64) -> Plan {
    let k = ask.k;
    if k == 0 || matches == 0 {
        return Plan::None;
    }
    if matches <= SCAN_MATCHES_MAX || k > WALK_RESULTS_MAX {
        return Plan::Scan;
    }
    let share = matches as f64 / organizations as f64;
    let far = if share < 1.0 { FAR } else { 1.0 };
    let walk = VISIT_NS * VISITS * ef(ask) as f64 * share.powf(SHARE_POWER) * far;
    let bits = BITS_NS * matches as f64 + PREFILTERED_NS * prefiltered(k, matches) as f64;
    if bits < walk { Plan::Bits } else { Plan::Graph }
}

/// Nodes that a walk keeps in view.
fn ef<T>(ask: &Query<T>) -> usize {
    ask.params.ef.max(2 * ask.k)
}

/// Nodes that the prefilter lets pass for `k` results out of `matches` matches.
fn prefiltered(k: usize, matches: u64) -> usize {
    SIEVED.0 + SIEVED.1 * k + (matches / SIEVED.2) as usize
}

/// Searches in a given way.
pub(super) fn run<T>(
    vectors: &Vectors<T>,
    query: &EncodedQuery,
    ask: &Query<T>,
    matches: u64,
    plan: Plan,
) -> Result<Nearest<T>, Damage> {
    let (k, matching) = (ask.k, ask.matching);
    let (nodes, visits) = match plan {
        Plan::None => (Vec::new(), 0),
        Plan::Scan => scan::exact(vectors, query, matching, k, f32::NEG_INFINITY)?,
        Plan::Bits => scan::prefilter(vectors, query, matching, k, prefiltered(k, matches))?,
        Plan::Graph | Plan::GraphThenScan => {
            let slack = Some(Slack { rank: SLACK_RANK, share: ask.params.slack });
            let visits_max = matches.min(MET_MAX);
            let params = WalkParams { ef: ef(ask), slack, visits_max };
            mapped_graph::walk(vectors, query, matching, k, params)?
        }
    };
    let hits = expand(vectors, nodes, k, matching)?;
    let enough = (hits.len() as u64) >= matches.min(k as u64);
    if plan == Plan::Scan || plan == Plan::None || enough {
        return Ok(Nearest { hits, plan, visits, within: None });
    }
    let (nodes, more) = scan::exact(vectors, query, matching, k, f32::NEG_INFINITY)?;
    let hits = expand(vectors, nodes, k, matching)?;
    let plan = if plan == Plan::Bits { Plan::Scan } else { Plan::GraphThenScan };
    Ok(Nearest { hits, plan, visits: visits + more, within: None })
}

/// Answers within a distance: counting exactly needs every match.
fn within<T>(
    vectors: &Vectors<T>,
    query: &EncodedQuery,
    ask: &Query<T>,
    distance_max: f32,
) -> Result<Nearest<T>, Damage> {
    let floor = 1.0 - distance_max;
    let (nodes, visits) = scan::exact(vectors, query, ask.matching, ask.k, floor)?;
    let hits = expand(vectors, nodes, ask.k, ask.matching)?;
    let within = scan::within(vectors, query, ask.matching, floor)?;
    let plan = if visits == 0 { Plan::None } else { Plan::Scan };
    Ok(Nearest { hits, plan, visits, within: Some(within) })
}

/// The matching rows of the nearest nodes.
fn expand<T>(
    vectors: &Vectors<T>,
    mut nodes: Vec<Scored>,
    k: usize,
    matching: Option<&Matching<T>>,
) -> Result<Vec<Hit<T>>, Damage> {
    nodes.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut hits: Vec<Hit<T>> = Vec::with_capacity(k.min(nodes.len()));
    for (cosine, node) in nodes {
        // Equally near nodes share their places by number.
        if hits.len() >= k && hits.last().is_none_or(|last| last.cosine > cosine) {
            break;
        }
        let rows = vectors.rows(node)?;
        let rows = rows.filter(|&row| matching.is_none_or(|matching| matching.set.contains(row)));
        hits.extend(rows.take(k).map(|row| Hit { row, cosine }));
    }
    hits.sort_unstable_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.row.cmp(&b.row)));
    hits.truncate(k);
    Ok(hits)
}
