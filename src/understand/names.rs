//! The lookups in the data that understanding needs.

use super::frame::Frame;
use super::naming::NameMatches;
use crate::mapped::Damage;

/// Lookups of names and counts in the data.
pub trait Names {
    /// The organizations that a text may name.
    fn named(&self, text: &str) -> Result<NameMatches, Damage>;

    /// How many nonprofits satisfy a frame.
    fn count(&self, frame: &Frame) -> Result<u64, Damage>;

    /// Whether this is a correctly spelt word.
    fn is_word(&self, word: &str) -> Result<bool, Damage>;

    /// The number of names with a word.
    fn frequency(&self, word: &str) -> Result<u64, Damage>;
}
