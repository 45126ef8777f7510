//! What understanding needs to know of the nonprofits in the data.

use super::frame::Frame;
use super::naming::NameMatches;
use crate::mapped::Damage;

/// What must be known of the nonprofits to understand a query.
pub trait Names {
    /// Who may be meant by a text.
    ///
    /// # Errors
    /// When the index is damaged.
    fn named(&self, text: &str) -> Result<NameMatches, Damage>;

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
