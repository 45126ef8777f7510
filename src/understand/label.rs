//! What is left of a query to NTEE codes or goals, by the similarity of embeddings.
//!
//! Labels are the titles of the taxonomy, the terms of the table of causes, and what each goal is
//! about. A text is given the codes of the nearest labels only when they are near and agree; numbers
//! and places are never its business.

use super::cause;
use super::goal::GOALS;
use crate::record::Sdg;
use crate::taxonomy;

/// Least cosine of a label that counts.
const NEAR: f32 = 0.62;
/// Least cosine of a goal: its label is a sentence, which nothing short comes very near to.
const NEAR_GOAL: f32 = 0.60;
/// Labels that are looked at.
const VOTERS: usize = 5;
/// Least share of their votes that the winner has.
const AGREEMENT: f32 = 0.5;

/// What a label stands for.
#[derive(Debug, Clone, PartialEq)]
enum Stands {
    /// Prefixes of NTEE codes.
    Ntee(Vec<String>),
    Goal(Sdg),
}

/// Labels and their vectors.
#[derive(Debug)]
pub struct Labels {
    stands: Vec<Stands>,
    /// `f32[labels][dimensions]`.
    vectors: Vec<f32>,
}

/// What a text means.
#[derive(Debug, Clone, PartialEq)]
pub enum Meant {
    /// Nonprofits with a code of one of these prefixes.
    Ntee(Vec<String>),
    /// Nonprofits that work for a goal.
    Goal(Sdg),
}

impl Labels {
    /// The labels, embedded.
    ///
    /// # Errors
    /// Those of `embed`, which is to give the texts' unit vectors one after another.
    pub fn new<E>(embed: impl FnOnce(&[String]) -> Result<Vec<f32>, E>) -> Result<Self, E> {
        let (mut texts, mut stands) = (Vec::new(), Vec::new());
        for (code, title) in taxonomy::titles().filter(|(code, _)| !is_general(code)) {
            texts.push(title.to_owned());
            stands.push(Stands::Ntee(vec![code[..2].to_owned()]));
        }
        for (term, prefixes) in cause::terms().filter(|(_, prefixes)| !prefixes.is_empty()) {
            texts.push(term.to_owned());
            stands.push(Stands::Ntee(prefixes.iter().map(|prefix| (*prefix).to_owned()).collect()));
        }
        for goal in GOALS.iter() {
            texts.push(format!("{}: {}", goal.title, goal.description));
            stands.push(Stands::Goal(goal.goal));
        }
        Ok(Self { vectors: embed(&texts)?, stands })
    }

    /// What the text of a unit vector means, if that is clear, and how near it is.
    pub fn meant(&self, vector: &[f32]) -> Option<(Meant, f32)> {
        let labels = self.vectors.chunks_exact(vector.len().max(1));
        let mut nearest: Vec<(f32, usize)> =
            labels.enumerate().map(|(at, label)| (dot(label, vector), at)).collect();
        let voters = VOTERS.min(nearest.len());
        if voters == 0 {
            return None;
        }
        nearest.select_nth_unstable_by(voters - 1, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        nearest.truncate(voters);
        nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let (best, at) = nearest[0];
        match &self.stands[at] {
            Stands::Goal(goal) if best >= NEAR_GOAL => Some((Meant::Goal(*goal), best)),
            Stands::Ntee(prefixes) if best >= NEAR => {
                let major = prefixes.first()?.get(..1)?;
                let near: Vec<&(f32, usize)> =
                    nearest.iter().filter(|(c, _)| *c >= NEAR * 0.9).collect();
                let agreeing = near.iter().filter(|(_, at)| match &self.stands[*at] {
                    Stands::Ntee(other) => other.iter().any(|prefix| prefix.starts_with(major)),
                    Stands::Goal(_) => false,
                });
                let share = agreeing.count() as f32 / near.len() as f32;
                (share >= AGREEMENT).then(|| (Meant::Ntee(widened(prefixes)), best))
            }
            _ => None,
        }
    }
}

/// The product of two vectors, in lanes: one sum would wait for each addition in turn.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Codes that every major group has for what serves the group itself (alliances, fund raising).
fn is_general(code: &str) -> bool {
    code.get(1..2).is_some_and(|digit| digit == "0" || digit == "1") || code.ends_with("99")
}

/// Codes of a decile are as a rule not told apart by filers: the decile stands for them.
fn widened(prefixes: &[String]) -> Vec<String> {
    let mut wide: Vec<String> = Vec::new();
    for prefix in prefixes {
        let decile = prefix[..prefix.len().min(2)].to_owned();
        if !wide.contains(&decile) {
            wide.push(decile);
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_plain_sums() {
        for length in [0, 1, 15, 16, 17, 384, 390] {
            let a: Vec<f32> = (0..length).map(|at| (at as f32 * 0.37).sin()).collect();
            let b: Vec<f32> = (0..length).map(|at| (at as f32 * 0.11).cos()).collect();
            let plain: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            assert!((f64::from(dot(&a, &b)) - plain).abs() < 1e-3, "{length}");
        }
    }

    /// Labels in as many dimensions as there are labels, each its own direction.
    #[test]
    fn a_text_means_what_its_nearest_labels_agree_on() {
        let mut count = 0;
        let labels = Labels::new(|texts| {
            count = texts.len();
            let mut vectors = vec![0.0; count * count];
            (0..count).for_each(|at| vectors[at * count + at] = 1.0);
            Ok::<_, ()>(vectors)
        })
        .unwrap();
        let towards = |at: usize, cosine: f32| {
            let mut vector = vec![0.0; count];
            vector[at] = cosine;
            vector
        };
        let first = match &labels.stands[0] {
            Stands::Ntee(prefixes) => prefixes.clone(),
            Stands::Goal(_) => unreachable!("titles of codes come first"),
        };
        assert_eq!(labels.meant(&towards(0, 0.9)), Some((Meant::Ntee(widened(&first)), 0.9)));
        assert_eq!(labels.meant(&towards(0, NEAR - 0.01)), None);
        let goal = labels.meant(&towards(count - 1, 0.9));
        assert_eq!(goal, Some((Meant::Goal(GOALS[16].goal), 0.9)));
        assert_eq!(labels.meant(&[]), None);
    }
}
