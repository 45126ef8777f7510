//! A figure: a number of a sentence, what it counts, and where the sentence states it.

/// A figure of a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub(super) value: f64,
    pub(super) unit: String,
    pub(super) kind: String,
    /// Bytes of the sentence that tell it.
    pub(super) text: std::ops::Range<usize>,
    /// Token of the number.
    pub(super) at: usize,
    /// Token behind what it counts.
    pub(super) end: usize,
}
