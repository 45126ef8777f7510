//! Texts to tokens, with the model's own tokenizer.

use std::ops::Range;

use tokenizers::{Tokenizer, TruncationParams};

use super::Error;
use super::bundle::Bundle;
use super::config::Config;

/// Bytes of a text that are looked at: no model counts tokens past them, and a tokenizer takes time
/// for every one.
const BYTES_MAX: usize = 64 * 1024;

/// The tokenizer.
#[derive(Debug)]
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    vocabulary: u32,
}

impl Tokens {
    /// Reads a bundle's tokenizer and fits it to the model: cut at its limit, nothing padded.
    pub(super) fn of(bundle: &Bundle, config: &Config) -> Result<Self, Error> {
        let parse = |source| Error::Parse {
            file: "tokenizer.json",
            expected: "a tokenizer as the crate tokenizers writes it",
            source,
        };
        let mut tokenizer = Tokenizer::from_bytes(&bundle.tokenizer).map_err(parse)?;
        let tokens = tokenizer.get_vocab_size(true);
        if tokens > config.vocabulary {
            return Err(Error::Config {
                file: "tokenizer.json",
                expected: format!("at most the {} tokens of config.json", config.vocabulary),
                found: tokens.to_string(),
            });
        }
        let cut = TruncationParams { max_length: config.tokens_max, ..TruncationParams::default() };
        tokenizer.with_padding(None).with_truncation(Some(cut)).map_err(parse)?;
        Ok(Self { tokenizer, vocabulary: config.vocabulary as u32 })
    }

    /// The tokens of a text, special ones included: at least one, at most the model's limit.
    pub(super) fn of_text(&self, text: &str) -> Result<Vec<u32>, Error> {
        let text = &text[..text.floor_char_boundary(BYTES_MAX)];
        self.checked(self.tokenizer.encode_fast(text, true).map_err(Error::Tokens)?.get_ids())
    }

    /// The tokens of a text, and the bytes of it that each stands for: none for special ones.
    pub(super) fn with_places(&self, text: &str) -> Result<(Vec<u32>, Vec<Range<usize>>), Error> {
        let text = &text[..text.floor_char_boundary(BYTES_MAX)];
        let encoding = self.tokenizer.encode(text, true).map_err(Error::Tokens)?;
        let places = encoding.get_offsets().iter().map(|&(start, end)| start..end).collect();
        Ok((self.checked(encoding.get_ids())?, places))
    }

    /// The tokens of a question and of a passage behind it, special ones included.
    pub(super) fn of_pair(&self, question: &str, passage: &str) -> Result<Vec<u32>, Error> {
        let [question, passage] =
            [question, passage].map(|text| &text[..text.floor_char_boundary(BYTES_MAX)]);
        let pair = self.tokenizer.encode_fast((question, passage), true).map_err(Error::Tokens)?;
        self.checked(pair.get_ids())
    }

    fn checked(&self, tokens: &[u32]) -> Result<Vec<u32>, Error> {
        match tokens.iter().find(|&&token| token >= self.vocabulary) {
            Some(token) => Err(Error::Tokens(format!("token {token} is not in the model").into())),
            None if tokens.is_empty() => Err(Error::Tokens("the text has no token".into())),
            None => Ok(tokens.to_vec()),
        }
    }
}
