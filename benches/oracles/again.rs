//! How far a snapshot's vectors, of 12 bits a component, are from what the model gives in f32: some
//! texts are made of the records and embedded again.

use std::collections::HashMap;

use almoner::embed::{Model, recipe};
use almoner::index::vectors::{Codec, Query, Vectors};
use almoner::record::OrgId;
use almoner::snapshot::Snapshot;
use rayon::prelude::*;

use super::exact::{COSINE_ERROR_MAX, K, Reference, TIE, dot};
use fastrand::Rng;

/// Organizations whose texts are embedded again, at most one in [`SHARE`] of them.
const SAMPLE_MAX: usize = 2_000;
const SHARE: usize = 20;

/// Of so many queries one is answered from f32 proper as well.
const QUERIES_EACH: usize = 20;

/// Nearest organizations of such a query whose texts are embedded again.
const DEPTH: usize = 30;

const SEED: u64 = 17;

/// Embeds again; whether the vectors are those of the texts, and near enough.
pub fn check(snapshot: &Snapshot, reference: &Reference, queries: &[f32]) -> bool {
    let organizations = reference.organizations();
    let mut random = Rng::with_seed(SEED);
    let count = SAMPLE_MAX.min(organizations.div_ceil(SHARE));
    let orgs: Vec<usize> = (0..count).map(|_| random.usize(..organizations)).collect();
    let embedded = embedded(snapshot, &orgs);
    let others =
        orgs.iter().zip(&embedded).filter(|(org, vector)| !is_kept(reference, **org, vector));
    let others = others.count();
    let (mut largest, mut sum) = (0.0_f32, 0.0_f64);
    for (&org, vector) in orgs.iter().zip(&embedded) {
        for query in queries.chunks_exact(reference.dims) {
            let difference = (dot(vector, query) - dot(reference.row(org), query)).abs();
            largest = largest.max(difference);
            sum += f64::from(difference);
        }
    }
    let mean = sum / (orgs.len() * queries.len() / reference.dims) as f64;
    println!(
        "{} texts embedded again: {others} are not what the snapshot keeps; cosines in f32 differ \
         by {mean:.6}, at most {largest:.6}",
        orgs.len()
    );
    proper(snapshot, reference, queries, largest);
    others == 0 && largest <= COSINE_ERROR_MAX
}

/// Compares some answers with f32 proper: the texts of what is nearest by 12 bits, and of the
/// answer, are embedded again. What is further by 12 bits than the last of them by more than the
/// difference seen cannot be among the first ten by f32; for how many queries that is so is said.
fn proper(snapshot: &Snapshot, reference: &Reference, queries: &[f32], difference: f32) {
    let vectors = snapshot.vectors.as_ref().expect("a snapshot that was built with a model");
    let (mut recall, mut kept, mut asked, mut deep) = (0.0, 0.0, 0, 0);
    for query in queries.chunks_exact(reference.dims).step_by(QUERIES_EACH) {
        let (best, least) = reference.best(query, DEPTH);
        let found = nearest_of_all(vectors, query);
        let orgs: Vec<usize> = best.iter().chain(&found).copied().collect();
        let f32_cosines =
            embedded(snapshot, &orgs).iter().map(|vector| dot(vector, query)).collect();
        let kept_cosines = orgs.iter().map(|&org| dot(reference.row(org), query)).collect();
        let (share, tenth) = recall_of(f32_cosines, best.len());
        recall += share;
        kept += recall_of(kept_cosines, best.len()).0;
        deep += usize::from(least + difference < tenth);
        asked += 1;
    }
    println!(
        "{asked} questions without a filter: recall@10 against f32 proper {:.4}, against 12 bits \
         {:.4}; the {DEPTH} nearest were enough to know for {deep}",
        recall / f64::from(asked),
        kept / f64::from(asked)
    );
}

/// The nearest organizations of all, as the planner finds them.
fn nearest_of_all(vectors: &Vectors, query: &[f32]) -> Vec<usize> {
    let ask = Query::new(query, K);
    let found = vectors.nearest(&ask).expect("a whole snapshot");
    found.hits.iter().map(|hit| hit.row.index()).collect()
}

/// The share of the ten greatest of the first so many cosines that the others reach, and the tenth.
fn recall_of(mut cosines: Vec<f32>, best: usize) -> (f64, f32) {
    let found = cosines.split_off(best);
    cosines.sort_unstable_by(|a, b| b.total_cmp(a));
    let wanted = K.min(best);
    let last = cosines[wanted - 1];
    let right = found.iter().filter(|cosine| **cosine >= last - TIE).count();
    (right as f64 / wanted as f64, last)
}

/// The vectors of what is embedded of organizations, equal texts once.
fn embedded(snapshot: &Snapshot, orgs: &[usize]) -> Vec<Vec<f32>> {
    let model: &Model = snapshot.model().expect("the model that the snapshot was built with");
    let text = |&org: &usize| {
        let org = OrgId::new(org as u32);
        let organization = snapshot.records.organization(org).expect("a whole snapshot");
        let filings = snapshot.records.filings(org).expect("a whole snapshot");
        recipe::organization(&organization, filings.first())
    };
    let texts: Vec<String> = orgs.par_iter().map(text).collect();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    for text in &texts {
        numbers.entry(text).or_insert_with(|| {
            distinct.push(text);
            distinct.len() - 1
        });
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let vectors = model.embed(&distinct, threads).expect("texts");
    let dims = model.dimensions();
    texts.iter().map(|text| vectors[numbers[text.as_str()] * dims..][..dims].to_vec()).collect()
}

/// Whether a vector, encoded and decoded, is the one that the snapshot keeps, bit for bit.
fn is_kept(reference: &Reference, org: usize, vector: &[f32]) -> bool {
    let codec = Codec::new(reference.dims).expect("dimensions of a snapshot");
    let (mut row, mut decoded) = (vec![0; codec.row_bytes()], vec![0.0; reference.dims]);
    codec.encode(vector, &mut row);
    codec.decode(&row, &mut decoded);
    decoded == reference.row(org)
}
