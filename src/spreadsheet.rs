//! What a spreadsheet makes of the cells of a CSV.

/// What joins the values of a list in one cell.
pub const LIST_SEPARATOR: &str = "; ";

/// What a spreadsheet may take for the beginning of a formula.
const FORMULA_STARTS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// A text that no spreadsheet takes for a formula: one that begins like one gets an apostrophe in front.
pub fn guarded(text: String) -> String {
    if text.starts_with(FORMULA_STARTS) { format!("'{text}") } else { text }
}
