//! A query while it is being read: tokens and what has been made of them so far.

use std::ops::Range;

use super::frame::{Frame, Part};
use super::token::{Mark, Tokens};

/// A query that is being read.
pub(super) struct Reader<'q> {
    pub(super) query: &'q str,
    pub(super) tokens: Tokens,
    pub(super) frame: Frame,
    pub(super) parts: Vec<Part>,
    /// Byte of the query and the words there.
    pub(super) unread: Vec<(usize, String)>,
}

impl<'q> Reader<'q> {
    pub(super) fn new(query: &'q str) -> Self {
        Self {
            query,
            tokens: Tokens::of(query),
            frame: Frame::default(),
            parts: Vec::new(),
            unread: Vec::new(),
        }
    }

    /// Tokens that became a filter, an order or a name.
    pub(super) fn claim(&mut self, tokens: Range<usize>, meaning: String, confidence: f32) {
        let span = self.tokens.span(tokens.clone());
        self.tokens.mark(tokens, Mark::Read);
        self.parts.push(Part { span, meaning, confidence });
    }

    /// Tokens that ask for what cannot be done.
    pub(super) fn leave_unread(&mut self, tokens: Range<usize>) {
        let span = self.tokens.span(tokens.clone());
        self.tokens.mark(tokens, Mark::Read);
        self.unread.push((span.start, self.query[span].to_owned()));
    }

    /// Tokens that say nothing.
    pub(super) fn drop_noise(&mut self, tokens: Range<usize>) {
        self.tokens.mark(tokens, Mark::Noise);
    }
}
