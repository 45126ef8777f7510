//! A text as a name: who may be meant by it, and how surely.

use super::frame::Frame;
use crate::mapped::Damage;
use crate::record::Ein;

/// From which probability on one nonprofit is surely meant: what is said or asked of it then is of
/// it and of no namesake. Of candidates with more, 98 in 100 are right (`models/names.tsv`).
pub const SURE: f64 = 0.8;

/// Who may be meant by a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Naming {
    /// The likeliest first.
    pub candidates: Vec<Called>,
    /// The probability that none of them is.
    pub nobody: f64,
}

/// A nonprofit that may be meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Called {
    pub ein: Ein,
    /// As it is shown.
    pub name: String,
    /// That it is the one, 0 to 1.
    pub probability: f64,
    /// Whether a name of it has the text's words in their order, no more and no less.
    pub is_equal: bool,
}

impl Default for Naming {
    fn default() -> Self {
        Self { candidates: Vec::new(), nobody: 1.0 }
    }
}

impl Naming {
    /// The logarithm of the odds that somebody in the data is meant.
    pub fn odds(&self) -> f64 {
        let nobody = self.nobody.clamp(1e-9, 1.0);
        ((1.0 - nobody).max(1e-9) / nobody).ln()
    }

    /// The one that is surely meant.
    pub fn sure(&self) -> Option<&Called> {
        self.candidates.first().filter(|one| one.probability >= SURE)
    }
}

/// What must be known of the nonprofits to understand a query.
pub trait Names {
    /// Who may be meant by a text.
    ///
    /// # Errors
    /// When the index is damaged.
    fn named(&self, text: &str) -> Result<Naming, Damage>;

    /// How many nonprofits satisfy what a query asks for.
    ///
    /// # Errors
    /// When the columns are damaged.
    fn count(&self, frame: &Frame) -> Result<u64, Damage>;

    /// Whether this is a word, and not one misspelt.
    ///
    /// # Errors
    /// When the index is damaged.
    fn is_word(&self, word: &str) -> Result<bool, Damage>;

    /// In how many names a word occurs.
    ///
    /// # Errors
    /// When the index is damaged.
    fn frequency(&self, word: &str) -> Result<u64, Damage>;
}
