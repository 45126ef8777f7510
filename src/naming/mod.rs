//! The one normaliser of names and queries, and display title case.
//!
//! [`normalise`] is for comparing and indexing; [`display_name`] and [`display_place`] are for
//! showing. Display changes the case of letters and blanks, never a letter or a digit, so the
//! normal form of what is shown is the normal form of what was filed.

mod edits;
mod normal_form;
mod person;
mod sentence;
mod street;
mod title;
mod visible;
mod words;

#[cfg(test)]
pub(crate) mod tests;

pub use edits::{edit_distance, edits, edits_max};
pub use normal_form::{is_apostrophe, normalise, normalise_into};
pub use person::{initials_of, is_person, is_trustee, leads_to_beneficiary};
pub use sentence::sentence_case;
pub use street::display_place;
pub use title::{display_alternate, display_name};
pub use visible::visible;

/// A text with its first letter in capitals.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
