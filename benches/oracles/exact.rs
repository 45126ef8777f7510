//! Exact search: every vector of a snapshot in f32 against every query.
//!
//! A snapshot keeps 12 bits a component and scale, and so does the cache beside it (`vectors.cache`
//! holds the same rows by the hash of their text), so what is read here are those, decoded to f32;
//! `again` says how far they are from what the model gives.

use almoner::index::columns::Bitmap;
use almoner::index::vectors::Vectors;
use almoner::record::OrgId;
use rayon::prelude::*;

/// Neighbours wanted.
pub const K: usize = 10;

/// Cosines that are no further apart are equal.
pub const TIE: f32 = 1e-6;

/// How far an answer's cosine may be from that of the vectors in f32: what docs/vectors.md says.
pub const COSINE_ERROR_MAX: f32 = 0.0005;

/// Sets that organizations can be members of: bits of a [`Members`].
pub const SETS_MAX: usize = 16;
type Members = u16;

/// Vectors that meet all queries before the next: as many as a core's second-level cache holds
/// beside some queries.
const TILE: usize = 32;

/// Vectors that a thread takes at a time.
const CHUNK: usize = TILE * 256;

/// The vectors of all organizations.
pub struct Reference {
    pub dims: usize,
    /// By OrgId.
    vectors: Vec<f32>,
}

/// The greatest cosines, falling; those that there are not are [`f32::NEG_INFINITY`].
#[derive(Debug, Clone, Copy)]
pub struct Top([f32; K]);

impl Top {
    const NONE: Self = Self([f32::NEG_INFINITY; K]);

    /// The one of a rank from 1 on.
    pub fn rank(&self, rank: usize) -> f32 {
        self.0[rank - 1]
    }

    #[inline]
    fn offer(&mut self, cosine: f32) {
        if cosine <= self.0[K - 1] {
            return;
        }
        let place = self.0.partition_point(|other| *other >= cosine);
        self.0.copy_within(place..K - 1, place + 1);
        self.0[place] = cosine;
    }
}

impl Reference {
    /// Reads the vectors of a snapshot.
    pub fn of(vectors: &Vectors) -> Self {
        let dims = vectors.dims();
        let mut all = vec![0.0; vectors.count() * dims];
        all.par_chunks_exact_mut(dims).enumerate().for_each(|(org, row)| {
            let vector = vectors.vector(OrgId::new(org as u32)).expect("a whole snapshot");
            row.copy_from_slice(&vector);
        });
        Self { dims, vectors: all }
    }

    /// How many there are.
    pub fn organizations(&self) -> usize {
        self.vectors.len() / self.dims
    }

    /// The vector of an organization.
    pub fn row(&self, org: usize) -> &[f32] {
        &self.vectors[org * self.dims..][..self.dims]
    }

    /// The greatest cosines of each query in each set: `[query][set]`.
    pub fn nearest(&self, queries: &[f32], sets: &[Bitmap]) -> Vec<Vec<Top>> {
        assert!(sets.len() <= SETS_MAX, "too many sets for so few bits");
        let mut members: Vec<Members> = vec![0; self.organizations()];
        for (number, set) in sets.iter().enumerate() {
            set.iter().for_each(|org| members[org.index()] |= 1 << number);
        }
        let none = || vec![vec![Top::NONE; sets.len()]; queries.len() / self.dims];
        let chunks = self.vectors.par_chunks(CHUNK * self.dims).zip(members.par_chunks(CHUNK));
        chunks
            .fold(none, |mut tops, (vectors, members)| {
                let tiles = vectors.chunks(TILE * self.dims).zip(members.chunks(TILE));
                tiles.for_each(|(tile, members)| self.meet(queries, tile, members, &mut tops));
                tops
            })
            .reduce(none, |mut all, more| {
                for (all, more) in all.iter_mut().flatten().zip(more.iter().flatten()) {
                    more.0.iter().for_each(|&cosine| all.offer(cosine));
                }
                all
            })
    }

    /// Compares some vectors with all queries.
    fn meet(&self, queries: &[f32], tile: &[f32], members: &[Members], tops: &mut [Vec<Top>]) {
        for (query, tops) in queries.chunks_exact(self.dims).zip(tops) {
            for (vector, &members) in tile.chunks_exact(self.dims).zip(members) {
                let cosine = dot(vector, query);
                let mut left = members;
                while left != 0 {
                    tops[left.trailing_zeros() as usize].offer(cosine);
                    left &= left - 1;
                }
            }
        }
    }

    /// The organizations of the greatest cosines with a query, in no order, and the least of them.
    pub fn best(&self, query: &[f32], count: usize) -> (Vec<usize>, f32) {
        let rows = self.vectors.par_chunks_exact(self.dims).enumerate();
        let mut all: Vec<(usize, f32)> = rows.map(|(org, row)| (org, dot(row, query))).collect();
        let last = count.min(all.len()) - 1;
        let (_, &mut (_, least), _) =
            all.select_nth_unstable_by(last, |a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        (all[..=last].iter().map(|one| one.0).collect(), least)
    }
}

/// The product of two vectors, in lanes so that it vectorises; equal vectors give equal products.
pub fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 16];
    let (a, rest) = a.as_chunks::<16>();
    let (b, other) = b.as_chunks::<16>();
    for (a, b) in a.iter().zip(b) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += a * b;
        }
    }
    let rest: f32 = rest.iter().zip(other).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f32>() + rest
}
