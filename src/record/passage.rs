//! Text of a report as its page shows it: what extraction reads.

use serde::{Deserialize, Serialize};

/// What a passage is on its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PassageKind {
    Heading,
    Paragraph,
    /// An item of a list.
    ListItem,
    /// A pull quote, or a quotation that is set off.
    Quotation,
    Caption,
    /// A row of a table, its cells separated by ` | `.
    TableRow,
}

/// A run of text that is read as one, such as a paragraph, in reading order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Page on which it begins, from 1.
    pub page: u32,
    pub kind: PassageKind,
    /// Plain text in one line; words that a line end had parted are whole again.
    pub text: String,
}
