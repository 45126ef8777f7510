//! Boosted regression trees, read from a table and walked.

use super::{FEATURES, Feature};

/// A node of a tree: it leads on, or ends in a value.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    /// To the left where the feature is at most the threshold.
    Split {
        feature: usize,
        threshold: f32,
        left: u32,
        right: u32,
    },
    Leaf(f64),
}

/// The trees, whose leaves are added up.
#[derive(Debug, PartialEq)]
pub(super) struct Trees {
    /// Where each tree begins.
    roots: Vec<u32>,
    nodes: Vec<Node>,
}

impl Trees {
    /// Reads a table, one node a row, the nodes of a tree after each other, `#` before a comment. A node is
    /// `split`, feature, threshold, and how many rows on its two branches begin; or `leaf` and its
    /// value. A row `tree` begins a tree.
    ///
    /// # Errors
    /// What is wrong in which line.
    pub(super) fn parse(table: &str) -> Result<Self, String> {
        let mut trees = Self { roots: Vec::new(), nodes: Vec::new() };
        let rows = (1..).zip(table.lines()).filter(|(_, row)| !row.starts_with('#'));
        for (line, row) in rows {
            let wrong = || format!("line {line}: no node of a tree: {row:?}");
            let next = trees.nodes.len() as u32;
            match row.split('\t').collect::<Vec<_>>()[..] {
                ["tree"] => trees.roots.push(next),
                ["leaf", value] => {
                    trees.nodes.push(Node::Leaf(value.parse().map_err(|_| wrong())?));
                }
                ["split", feature, threshold, left, right] => {
                    let feature = Feature::named(feature).ok_or_else(wrong)? as usize;
                    let threshold = threshold.parse().map_err(|_| wrong())?;
                    let ahead = |rows: &str| match rows.parse::<u32>() {
                        Ok(rows) if rows > 0 => Ok(next + rows),
                        _ => Err(wrong()),
                    };
                    let (left, right) = (ahead(left)?, ahead(right)?);
                    trees.nodes.push(Node::Split { feature, threshold, left, right });
                }
                _ => return Err(wrong()),
            }
        }
        let is_beyond = |node: &Node| match node {
            Node::Split { left, right, .. } => *left.max(right) as usize >= trees.nodes.len(),
            Node::Leaf(_) => false,
        };
        let is_cut = trees.nodes.iter().any(is_beyond)
            || trees.roots.iter().any(|root| *root as usize >= trees.nodes.len());
        if is_cut { Err("the last tree is cut short".to_owned()) } else { Ok(trees) }
    }

    /// For each row the sum of the leaves that its features lead to. Tree by tree, since a tree fits a cache.
    pub(super) fn scores(&self, rows: &[&[f32; FEATURES]]) -> Vec<f64> {
        let mut scores = vec![0.0; rows.len()];
        for root in &self.roots {
            for (score, features) in scores.iter_mut().zip(rows) {
                *score += self.leaf(*root, features);
            }
        }
        scores
    }

    fn leaf(&self, mut at: u32, features: &[f32; FEATURES]) -> f64 {
        loop {
            match self.nodes[at as usize] {
                Node::Leaf(value) => return value,
                // Branches only lead ahead, so this ends.
                Node::Split { feature, threshold, left, right } => {
                    at = if features[feature] <= threshold { left } else { right };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "# a comment\ntree\nsplit\tcosine\t0.5\t1\t2\nleaf\t-1\nleaf\t2.5\ntree\nleaf\t0.25\n";

    #[test]
    fn leaves_add_up() {
        let trees = Trees::parse(TABLE).unwrap();
        let mut features = super::super::Features::default();
        assert_eq!(trees.scores(&[features.values()]), [-0.75]);
        features.set(Feature::Cosine, 0.5);
        assert_eq!(trees.scores(&[features.values()]), [-0.75]);
        features.set(Feature::Cosine, 0.51);
        assert_eq!(trees.scores(&[features.values()]), [2.75]);
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        for (table, said) in [
            ("tree\nsplit\tcosine\t0.5\t1\t2\nleaf\t1\n", "cut short"),
            ("tree\n", "cut short"),
            ("tree\nsplit\tcosine\t0.5\t0\t1\nleaf\t1\n", "line 2"),
            ("tree\nsplit\thue\t0.5\t1\t2\nleaf\t1\nleaf\t1\n", "line 2"),
            ("tree\nleaf\tx\n", "line 2"),
            ("branch\n", "line 1"),
        ] {
            let error = Trees::parse(table).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }
}
