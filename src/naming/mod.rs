//! The one normaliser of names and queries, and display title case.

/// The normal form in which names and queries are compared.
pub fn normalise(text: &str) -> String {
    text.to_lowercase()
}

/// An organization's name as a person would write it.
pub fn display_name(raw: &str) -> String {
    raw.to_owned()
}

/// A place's or street's name as a person would write it.
pub fn display_place(raw: &str) -> String {
    raw.to_owned()
}
