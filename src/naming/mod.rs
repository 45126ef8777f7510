//! The one normaliser of names and queries, and display title case.
//!
//! [`normalise`] is for comparing and indexing; [`display_name`] and [`display_place`] are for
//! showing. Display changes the case of letters and blanks, never a letter or a digit, so the
//! normal form of what is shown is the normal form of what was filed.

mod edits;
mod normal_form;
mod sentence;
mod street;
mod title;
mod visible;
mod words;

#[cfg(test)]
pub(crate) mod tests;

pub use edits::{edit_distance, edits, edits_max};
pub use normal_form::{normalise, normalise_into};
pub use visible::visible;

/// An organization's name as a person would write it: `YMCA OF GREATER NEW YORK INC` becomes
/// `YMCA of Greater New York Inc`. A name with a small letter in it stays as it is.
pub fn display_name(raw: &str) -> String {
    title::display_name(raw)
}

/// Another name of an organization as a person would write it, where the organization's own name
/// tells what is short for it: `WFCI` of `WORLD FELLOWSHIP CHURCH INTERNATIONAL`.
pub fn display_alternate(raw: &str, name: &str) -> String {
    title::display_alternate(raw, name)
}

/// A city's or street's name as a person would write it: `PO BOX 327` becomes `PO Box 327`. A text
/// with a small letter in it stays as it is.
pub fn display_place(raw: &str) -> String {
    street::display_place(raw)
}

/// A mission or description filed in capitals as sentences: `TO FEED VETERANS IN OHIO.` becomes
/// `To feed veterans in Ohio.` Only the case of letters changes; a text of which more than a fifth
/// of the letters are small stays as it is.
pub fn sentence_case(text: &str) -> String {
    sentence::sentence_case(text)
}

/// A text with its first letter in capitals.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
