//! The tokenizer and the layout of a conversation, from the metadata of a GGUF file.
//!
//! What somebody typed is encoded as text only, never as a control token: it cannot end its turn. The bytes of each token
//! are kept beside the tokenizer, since the automaton is one over bytes.

use std::collections::HashMap;

use candle_core::quantized::gguf_file::Value;
use tokenizers::models::bpe::{BPE, BpeBuilder, Merges, Vocab};
use tokenizers::normalizers::{Prepend, Replace, Sequence as Normalizers};
use tokenizers::pre_tokenizers::PreTokenizerWrapper;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{SplitDelimiterBehavior, Tokenizer};

/// How files mark tokens that are no text, and one that stands for a byte (`tokenizer.ggml.token_type`).
const UNKNOWN: i32 = 2;
const CONTROL: i32 = 3;
const BYTE: i32 = 6;

/// The sign that stands for a blank in vocabularies of SentencePiece.
const BLANK: &str = "▁";

/// How texts are parted before they are merged, by `tokenizer.ggml.pre`; all others as GPT-2 parts them.
const PATTERNS: [(&str, &str); 2] = [
    (
        "llama-bpe",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
    (
        "qwen2",
        r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    ),
];

/// How a turn of the user opens, and how it closes and the answer begins, by the first token that a vocabulary has of
/// these; each piece that is a token of the vocabulary is that token, the rest is text.
const LAYOUTS: [(&[&str], &[&str]); 3] = [
    (&["<|im_start|>", "user\n"], &["<|im_end|>", "\n", "<|im_start|>", "assistant\n"]),
    (
        &["<|start_header_id|>", "user", "<|end_header_id|>", "\n\n"],
        &["<|eot_id|>", "<|start_header_id|>", "assistant", "<|end_header_id|>", "\n\n"],
    ),
    (&["<|user|>", "\n"], &["<|end|>", "\n", "<|assistant|>", "\n"]),
];
/// Where the template of the file has these words.
const INSTRUCTION: (&[&str], &[&str]) = (&["[INST]", " "], &[" ", "[/INST]"]);
const PLAIN: (&[&str], &[&str]) = (&["User: "], &["\nAssistant:"]);
/// What a model that thinks first is given in the place of its thoughts.
const NO_THOUGHTS: [&str; 4] = ["<think>", "\n\n", "</think>", "\n\n"];

/// Why a vocabulary cannot be used: what was expected, and what was found.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct TokenizerError {
    expected: &'static str,
    found: String,
}

/// The tokenizer of a model.
pub(super) struct Tokens {
    tokenizer: Tokenizer,
    /// By number; `None` of those that are no text.
    bytes: Vec<Option<Vec<u8>>>,
    end: Option<u32>,
    /// What a turn of the user opens with.
    pub(super) opening: Vec<u32>,
    /// What closes it and begins the answer.
    pub(super) closing: Vec<u32>,
}

type Metadata = HashMap<String, Value>;

impl Tokens {
    /// Reads the vocabulary.
    pub(super) fn of(metadata: &Metadata) -> Result<Self, TokenizerError> {
        let vocabulary = Vocabulary::of(metadata)?;
        let tokenizer = vocabulary.tokenizer(metadata).map_err(|cause| TokenizerError {
            expected: "merges of tokens of the vocabulary",
            found: cause.to_string(),
        })?;
        let number = |key: &str| metadata.get(key).and_then(|value| value.to_u32().ok());
        let bytes = vocabulary.bytes();
        let end = number("tokenizer.ggml.eos_token_id");
        let mut tokens = Self { tokenizer, bytes, end, opening: Vec::new(), closing: Vec::new() };
        let template = string(metadata, "tokenizer.chat_template");
        let has = |piece: &str| vocabulary.numbers.contains_key(piece);
        let layout = LAYOUTS.into_iter().find(|layout| has(layout.0[0]));
        let (opening, closing) = match layout {
            Some(layout) => layout,
            None if template.is_some_and(|text| text.contains("[INST]")) => INSTRUCTION,
            None => PLAIN,
        };
        let begins = metadata.get("tokenizer.ggml.add_bos_token");
        let begins = begins.and_then(|value| value.to_bool().ok()).unwrap_or(!vocabulary.is_gpt2);
        tokens.opening.extend(number("tokenizer.ggml.bos_token_id").filter(|_| begins));
        tokens.opening.extend(tokens.pieces(&vocabulary, opening)?);
        tokens.closing = tokens.pieces(&vocabulary, closing)?;
        if NO_THOUGHTS.into_iter().step_by(2).all(has) {
            tokens.closing.extend(tokens.pieces(&vocabulary, &NO_THOUGHTS)?);
        }
        Ok(tokens)
    }

    fn pieces(
        &self,
        vocabulary: &Vocabulary<'_>,
        pieces: &[&str],
    ) -> Result<Vec<u32>, TokenizerError> {
        let mut tokens = Vec::new();
        for piece in pieces {
            match vocabulary.numbers.get(piece) {
                Some(number) => tokens.push(*number),
                None => tokens.extend(self.encode(piece).ok_or_else(|| TokenizerError {
                    expected: "tokens for every text",
                    found: format!("none for {piece:?}"),
                })?),
            }
        }
        Ok(tokens)
    }

    /// The tokens of a text; `None` where the vocabulary has none for a part of it.
    pub(super) fn encode(&self, text: &str) -> Option<Vec<u32>> {
        let encoding = self.tokenizer.encode_fast(text, false).ok()?;
        (text.is_empty() || !encoding.is_empty()).then(|| encoding.get_ids().to_vec())
    }

    /// The bytes of a token; `None` of one that is no text.
    pub(super) fn bytes(&self, token: u32) -> Option<&[u8]> {
        let bytes = self.bytes.get(token as usize)?.as_deref();
        bytes.filter(|_| self.end != Some(token))
    }
}

/// The tokens that a file lists.
struct Vocabulary<'a> {
    tokens: Vec<&'a str>,
    types: Vec<i32>,
    numbers: HashMap<&'a str, u32>,
    /// Byte-level tokens with merges, as GPT-2 has them; else those of SentencePiece, with scores.
    is_gpt2: bool,
}

impl<'a> Vocabulary<'a> {
    fn of(metadata: &'a Metadata) -> Result<Self, TokenizerError> {
        let wrong = |expected, found: &str| TokenizerError { expected, found: found.to_owned() };
        let is_gpt2 = match string(metadata, "tokenizer.ggml.model") {
            Some("gpt2") => true,
            Some("llama") => false,
            found => return Err(wrong("gpt2 or llama", found.unwrap_or("nothing"))),
        };
        let tokens = texts(metadata, "tokenizer.ggml.tokens");
        if tokens.is_empty() {
            return Err(wrong("a list of tokens", "none"));
        }
        let types = list(metadata, "tokenizer.ggml.token_type");
        let types = types.iter().map(|value| value.to_i32().unwrap_or_default()).collect();
        let numbers = tokens.iter().zip(0..).map(|(token, number)| (*token, number)).collect();
        Ok(Self { tokens, types, numbers, is_gpt2 })
    }

    fn tokenizer(&self, metadata: &Metadata) -> tokenizers::Result<Tokenizer> {
        let merges = match self.is_gpt2 {
            true => texts(metadata, "tokenizer.ggml.merges"),
            false => return self.sentence_piece(metadata),
        };
        let pair = |merge: &str| {
            let (left, right) = merge.split_once(' ')?;
            Some((left.to_owned(), right.to_owned()))
        };
        let merges: Merges = merges.into_iter().filter_map(pair).collect();
        let mut tokenizer = Tokenizer::new(self.model(merges).build()?);
        let parts = string(metadata, "tokenizer.ggml.pre").unwrap_or_default();
        let pattern = PATTERNS.into_iter().find(|pattern| pattern.0 == parts);
        let mut steps: Vec<PreTokenizerWrapper> = Vec::new();
        if let Some((_, pattern)) = pattern {
            let pattern = SplitPattern::Regex(pattern.to_owned());
            steps.push(Split::new(pattern, SplitDelimiterBehavior::Isolated, false)?.into());
        }
        if parts == "smollm" {
            steps.push(Digits::new(true).into());
        }
        steps.push(ByteLevel::new(false, false, pattern.is_none()).into());
        tokenizer.with_pre_tokenizer(Some(Sequence::new(steps)));
        Ok(tokenizer)
    }

    /// SentencePiece merges what makes the token of the highest score: the merges are all ways to make a token of two.
    fn sentence_piece(&self, metadata: &Metadata) -> tokenizers::Result<Tokenizer> {
        let scores = list(metadata, "tokenizer.ggml.scores");
        let score = |number: u32| scores.get(number as usize).and_then(|score| score.to_f32().ok());
        let mut merges = Vec::new();
        for (token, number) in self.tokens.iter().zip(0..) {
            for (at, _) in token.char_indices().skip(1) {
                let (left, right) = token.split_at(at);
                if self.numbers.contains_key(left) && self.numbers.contains_key(right) {
                    let rank = score(number).unwrap_or(-(number as f32));
                    merges.push((rank, number, (left.to_owned(), right.to_owned())));
                }
            }
        }
        merges.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let merges = merges.into_iter().map(|(_, _, pair)| pair).collect();
        let mut tokenizer = Tokenizer::new(self.model(merges).byte_fallback(true).build()?);
        let blanks = Replace::new(" ", BLANK)?;
        let steps = vec![Prepend::new(BLANK.to_owned()).into(), blanks.into()];
        tokenizer.with_normalizer(Some(Normalizers::new(steps)))?;
        Ok(tokenizer)
    }

    fn model(&self, merges: Merges) -> BpeBuilder {
        let numbers = self.numbers.iter().map(|(token, number)| ((*token).to_owned(), *number));
        BPE::builder().vocab_and_merges(numbers.collect::<Vocab>(), merges)
    }

    /// The bytes of each token.
    fn bytes(&self) -> Vec<Option<Vec<u8>>> {
        let of_signs = signs();
        let bytes_of = |(at, token): (usize, &&str)| match self.types.get(at).copied() {
            Some(UNKNOWN | CONTROL) => None,
            // `<0x0A>`
            Some(BYTE) => {
                let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
                u8::from_str_radix(digits, 16).ok().map(|byte| vec![byte])
            }
            _ if self.is_gpt2 => token.chars().map(|sign| of_signs.get(&sign).copied()).collect(),
            _ => Some(token.replace(BLANK, " ").into_bytes()),
        };
        self.tokens.iter().enumerate().map(bytes_of).collect()
    }
}

/// The byte that each sign of a byte-level vocabulary stands for: itself where it can be printed, else the next one from
/// U+0100 on.
fn signs() -> HashMap<char, u8> {
    let is_printed = |byte: &u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let printed = (0..=u8::MAX).filter(is_printed).map(|byte| (char::from(byte), byte));
    let others = (0..=u8::MAX).filter(|byte| !is_printed(byte));
    printed.chain(('\u{100}'..).zip(others)).collect()
}

fn string<'a>(metadata: &'a Metadata, key: &str) -> Option<&'a str> {
    metadata.get(key)?.to_string().ok().map(String::as_str)
}

/// A list of values; of what is missing, none.
fn list<'a>(metadata: &'a Metadata, key: &str) -> &'a [Value] {
    metadata.get(key).and_then(|value| value.to_vec().ok()).map_or(&[], Vec::as_slice)
}

fn texts<'a>(metadata: &'a Metadata, key: &str) -> Vec<&'a str> {
    list(metadata, key).iter().map(|value| value.to_string().map_or("", String::as_str)).collect()
}
