//! Candidates: the organizations whose terms weigh most of a question, the heaviest of equals.
//!
//! Document at a time over the postings of every position, with the bound of MaxScore (Turtle and
//! Flood, *Query evaluation*, 1995): positions that cannot lift an organization above the worst
//! candidate any more are only looked up for those that others lead to. Ranks come heaviest first,
//! so that of equal scores the first ones stay, and once every candidate has all of the question
//! nothing better can come.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::documents::Documents;
use super::postings::{Cursor, END};
use super::query::Query;
use super::terms::Terms;
use crate::mapped::{Damage, Mapped};
use crate::record::OrgId;

/// Steps over postings that one question may take: what bounds its time, whatever is asked.
pub const STEPS_MAX: u32 = 120_000;

/// Whose candidates are wanted.
pub(super) struct Wanted<'a> {
    pub k: usize,
    pub only_active_charities: bool,
    pub accepts: &'a dyn Fn(OrgId) -> bool,
}

/// Where the lists are.
#[derive(Clone, Copy)]
pub(super) struct Lists<'index> {
    pub terms: &'index Terms,
    pub postings: &'index Mapped,
    pub documents: &'index Documents,
}

/// The lists of one position, and what each adds.
struct Union<'index> {
    lists: Vec<(Cursor<'index>, f32)>,
    most: f32,
}

impl Union<'_> {
    fn rank(&self) -> u32 {
        self.lists.iter().map(|(cursor, _)| cursor.rank()).min().unwrap_or(END)
    }

    /// What it adds to an organization that it stands on.
    fn weight_at(&self, rank: u32) -> f32 {
        let here = self.lists.iter().filter(|(cursor, _)| cursor.rank() == rank);
        here.map(|(_, weight)| *weight).fold(0.0, f32::max)
    }

    fn pass(&mut self, rank: u32) -> Result<(), Damage> {
        for (cursor, _) in &mut self.lists {
            if cursor.rank() == rank {
                cursor.advance()?;
            }
        }
        Ok(())
    }

    fn seek(&mut self, rank: u32) -> Result<(), Damage> {
        self.lists.iter_mut().try_for_each(|(cursor, _)| cursor.seek(rank))
    }
}

/// A candidate while better ones are looked for; the worst is the greatest.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scored {
    score: f32,
    rank: u32,
}

impl Eq for Scored {}

impl Ord for Scored {
    fn cmp(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then(self.rank.cmp(&other.rank))
    }
}

impl PartialOrd for Scored {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The ranks of at most `k` candidates.
pub(super) fn candidates(
    lists: Lists<'_>,
    query: &Query,
    wanted: &Wanted<'_>,
) -> Result<Vec<u32>, Damage> {
    let mut unions = unions(lists, query)?;
    unions.sort_by(|a, b| b.most.total_cmp(&a.most));
    // What all positions from one on can add.
    let mut bounds = vec![0.0; unions.len() + 1];
    for at in (0..unions.len()).rev() {
        bounds[at] = bounds[at + 1] + unions[at].most;
    }
    let mut best: BinaryHeap<Scored> = BinaryHeap::with_capacity(wanted.k + 1);
    let (mut essential, mut threshold, mut steps) = (unions.len(), 0.0_f32, 0);
    while steps < STEPS_MAX && essential > 0 && bounds[0] > threshold {
        let rank = unions[..essential].iter().map(Union::rank).min().unwrap_or(END);
        if rank == END {
            break;
        }
        let mut score = 0.0;
        for (at, union) in unions.iter_mut().enumerate() {
            if score + bounds[at] <= threshold {
                break;
            }
            steps += union.lists.len() as u32;
            if at >= essential {
                union.seek(rank)?;
            }
            score += union.weight_at(rank);
        }
        for union in &mut unions[..essential] {
            union.pass(rank)?;
        }
        if score <= threshold {
            continue;
        }
        let (org, is_active_charity) = lists.documents.org(rank)?;
        if (wanted.only_active_charities && !is_active_charity) || !(wanted.accepts)(org) {
            continue;
        }
        best.push(Scored { score, rank });
        if best.len() > wanted.k {
            best.pop();
        }
        if best.len() == wanted.k {
            threshold = best.peek().map_or(0.0, |worst| worst.score);
            while essential > 0 && bounds[essential - 1] <= threshold {
                essential -= 1;
            }
        }
    }
    Ok(best.into_sorted_vec().into_iter().map(|scored| scored.rank).collect())
}

fn unions<'index>(lists: Lists<'index>, query: &Query) -> Result<Vec<Union<'index>>, Damage> {
    let mut unions = Vec::with_capacity(query.positions.len());
    for position in &query.positions {
        let mut union = Union { lists: Vec::new(), most: 0.0 };
        for one in position.alternatives.iter().chain(&position.state) {
            let weight = one.mass * one.quality;
            let frequency = lists.terms.frequency(one.term)?;
            let start = lists.terms.postings(one.term)?;
            union.lists.push((Cursor::new(lists.postings, start, frequency)?, weight));
            union.most = union.most.max(weight);
        }
        if !union.lists.is_empty() {
            unions.push(union);
        }
    }
    Ok(unions)
}
