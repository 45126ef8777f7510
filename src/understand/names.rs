//! The lookups in the data that understanding needs.

use super::frame::Frame;
use super::naming::NameMatches;
use crate::mapped::Damage;

/// Lookups of names and counts in the data.
pub trait Names {
    /// The organizations that a text may name.
    ///
    /// # Errors
    /// When the index is damaged.
    fn named(&self, text: &str) -> Result<NameMatches, Damage>;

    /// How many nonprofits satisfy a frame.
    ///
    /// # Errors
    /// When the columns are damaged.
    fn count(&self, frame: &Frame) -> Result<u64, Damage>;

    /// Whether this is a correctly spelt word.
    ///
    /// # Errors
    /// When the index is damaged.
    fn is_word(&self, word: &str) -> Result<bool, Damage>;

    /// The number of names with a word.
    ///
    /// # Errors
    /// When the index is damaged.
    fn frequency(&self, word: &str) -> Result<u64, Damage>;
}
