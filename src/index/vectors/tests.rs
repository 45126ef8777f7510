//! The index against the naive answer.

mod plans;

use std::num::NonZeroUsize;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::index::columns::Bitmap;
use crate::mapped::{BlockSums, MappedFile, files_in};
use crate::record::OrgId;

const FILES: [&str; 4] = [COARSE, FINE, BITS, GRAPH];

pub(super) fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9);
    vector.iter_mut().for_each(|x| *x /= length);
    vector
}

/// Numbers by chance, in [0, 1).
pub(super) struct Rng(pub(super) u64);

impl Rng {
    pub(super) fn next(&mut self) -> f32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        (self.next() * bound as f32) as usize % bound
    }

    /// Vectors around a few centres, some of them equal.
    pub(super) fn clustered(&mut self, count: usize, dims: usize) -> Vec<Vec<f32>> {
        let mut random = |spread: f32| -> Vec<f32> {
            (0..dims).map(|_| spread * (self.next() + self.next() + self.next() - 1.5)).collect()
        };
        let centres: Vec<Vec<f32>> = (0..count.div_ceil(40)).map(|_| random(1.0)).collect();
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(count);
        for at in 0..count {
            let noise = random(0.6);
            let centre = &centres[at * 7919 % centres.len()];
            vectors.push(unit(centre.iter().zip(&noise).map(|(a, b)| a + b).collect()));
        }
        for _ in 0..count / 8 {
            let (from, to) = (self.below(count), self.below(count));
            vectors[to] = vectors[from].clone();
        }
        vectors
    }
}

pub(super) fn opened(folder: &Path) -> Result<Vectors, OpenError> {
    Vectors::open(&mut files_in(folder))
}

pub(super) fn built(vectors: &[Vec<f32>], dims: usize) -> (tempfile::TempDir, Vectors) {
    let folder = tempfile::tempdir().unwrap();
    let counts = build(folder.path(), vectors, dims, 2);
    let opened = opened(folder.path()).unwrap();
    let statistics = opened.statistics().unwrap();
    assert_eq!((counts.organizations, counts.nodes), (vectors.len() as u64, statistics.nodes));
    assert_eq!(counts.bytes, statistics.bytes.iter().sum::<u64>());
    (folder, opened)
}

fn build(folder: &Path, vectors: &[Vec<f32>], dims: usize, threads: usize) -> Counts {
    let codec = Codec::new(dims).unwrap();
    let mut builder = Builder::create(folder, dims).unwrap();
    let mut row = vec![0; codec.row_bytes()];
    for vector in vectors {
        codec.encode(vector, &mut row);
        builder.push(&row).unwrap();
    }
    builder.finish(NonZeroUsize::new(threads).unwrap(), &mut |_| {}).unwrap()
}

/// Every matching organization by the cosine that the index itself gives.
pub(super) fn naive(index: &Vectors, query: &[f32], set: Option<&Bitmap>) -> Vec<Hit> {
    let orgs: Vec<OrgId> = (0..index.count() as u32)
        .map(OrgId::new)
        .filter(|&org| set.is_none_or(|set| set.contains(org)))
        .collect();
    let cosines = index.cosines(query, &orgs).unwrap();
    let mut hits: Vec<Hit> =
        orgs.into_iter().zip(cosines).map(|(row, cosine)| Hit { row, cosine }).collect();
    hits.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.row.cmp(&b.row)));
    hits
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn exact_plans_answer_exactly(
        seed in any::<u64>(),
        (count, dims) in (1_usize..300, 1_usize..70),
        runs in prop::collection::vec((0_usize..300, 0_usize..90), 0..4),
        (k, distance_max) in (0_usize..320, prop::option::of(0.0_f32..1.5)),
        filtered in any::<bool>(),
    ) {
        let mut chance = Rng(seed);
        let vectors = chance.clustered(count, dims);
        let (_folder, index) = built(&vectors, dims);
        let query = unit((0..dims).map(|_| chance.next() - 0.5).collect());
        let runs: Vec<_> = runs.into_iter().map(|(from, length)| from..from + length).collect();
        let set = Bitmap::of_runs(count as u32, &runs);
        let matching = Matching { set: &set, count: set.count() };
        let matching = filtered.then_some(&matching);
        let ask = Query { matching, distance_max, ..Query::new(&query, k) };
        let found = index.nearest(&ask).unwrap();
        let mut expected = naive(&index, &query, matching.map(|m| m.set));
        if let Some(distance_max) = distance_max {
            expected.retain(|hit| hit.cosine >= 1.0 - distance_max);
            prop_assert_eq!(found.within, Some(expected.len() as u64));
        }
        expected.truncate(k);
        prop_assert_eq!(found.hits, expected);
        for (at, vector) in vectors.iter().enumerate() {
            let kept = index.vector(OrgId::new(at as u32)).unwrap();
            let cosine: f32 = kept.iter().zip(vector).map(|(a, b)| a * b).sum();
            prop_assert!(cosine > 0.999, "{cosine}");
        }
    }
}

#[test]
fn one_input_gives_the_same_files_however_many_threads() {
    let vectors = Rng(11).clustered(3_000, 32);
    let built = [1, 2, 5].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        build(folder.path(), &vectors, 32, threads);
        FILES.map(|file| std::fs::read(folder.path().join(file)).unwrap())
    });
    assert!(built[0] == built[1] && built[0] == built[2]);
}

#[test]
fn equal_vectors_are_one_node_in_the_order_of_their_first() {
    let (a, b) = (unit(vec![1.0, 0.2]), unit(vec![0.1, 1.0]));
    let (_folder, index) = built(&[b.clone(), a.clone(), b.clone(), b.clone()], 2);
    assert_eq!(index.statistics().unwrap().nodes, 2);
    let nodes: Vec<u32> = (0..4).map(|org| index.node(OrgId::new(org)).unwrap()).collect();
    assert_eq!(nodes, [0, 1, 0, 0]);
    let ask = Query::new(&b, 2);
    let orgs: Vec<u32> = index.nearest(&ask).unwrap().hits.iter().map(|hit| hit.row.0).collect();
    assert_eq!(orgs, [0, 2]);
}

#[test]
fn refuses_what_is_not_a_row_or_a_query_of_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::create(folder.path(), 4).unwrap();
    let bytes = Codec::new(4).unwrap().row_bytes();
    assert!(matches!(builder.push(&vec![0; bytes - 1]), Err(BuildError::Row { .. })));
    assert!(matches!(builder.push(&vec![0xFF; bytes]), Err(BuildError::Row { .. })));
    assert!(Builder::create(folder.path(), 0).is_err());
    let (_folder, index) = built(&[vec![1.0, 0.0]], 2);
    let ask = Query::new(&[1.0], 1);
    assert!(matches!(index.nearest(&ask), Err(Damage::Form { .. })));
    assert!(index.cosines(&[1.0, 0.0], &[OrgId::new(1)]).is_err());
    assert!(index.vector(OrgId::new(7)).is_err());
}

#[test]
fn an_index_of_nothing_answers_nothing() {
    let (_folder, index) = built(&[], 5);
    let ask = Query { distance_max: Some(1.0), ..Query::new(&[0.0; 5], 3) };
    let found = index.nearest(&ask).unwrap();
    assert_eq!((found.hits.len(), found.within, found.plan), (0, Some(0), Plan::None));
}
