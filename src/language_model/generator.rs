//! A model of a GGUF file, in process: reads a prompt and writes token by token, always the likeliest.
//!
//! What a prompt begins with is the same for every message. It is read once (`warm`), and a copy of the network goes on
//! from there.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use candle_core::quantized::gguf_file::Content;

use super::automaton::Automaton;
use super::network::{self, ARCHITECTURES, CONTEXT_TOKENS_MAX, Network};
use super::tokens::Tokens;
use super::{Failure, Form, OpenError, Prompt};

/// Answers whether the time for a text is over.
pub(super) type Deadline<'a> = &'a dyn Fn() -> bool;

/// A model, one text at a time.
pub(super) struct Generator {
    tokens: Tokens,
    network: Network,
    /// What has read the beginning of prompts, by that beginning.
    warmed: HashMap<String, (Network, usize)>,
}

impl Generator {
    /// Reads a file: a whole GGUF file of an architecture that is known, for which memory suffices.
    pub(super) fn open(path: &Path) -> Result<Self, OpenError> {
        let unreadable = |source| OpenError::Unreadable { path: path.to_owned(), source };
        let file = File::open(path).map_err(unreadable)?;
        let file_bytes = file.metadata().map_err(unreadable)?.len();
        let mut reader = BufReader::new(file);
        let broken = |found: String| OpenError::Broken { path: path.to_owned(), found };
        // candle takes the sizes that a file states for true, and panics where they do not fit each other.
        let content = guarded(|| Content::read(&mut reader)).map_err(broken)?;
        let architecture = network::architecture(&content.metadata);
        if !ARCHITECTURES.contains(&&*architecture) {
            return Err(OpenError::Architecture { path: path.to_owned(), found: architecture });
        }
        if let Some(found) = network::wrong_size(&content) {
            return Err(broken(found));
        }
        let needed = network::memory_bytes(&content, file_bytes);
        if let Some(available) = available_bytes().filter(|available| needed > *available) {
            let [needed_mb, available_mb] = [needed, available].map(|bytes| bytes / 1_000_000);
            return Err(OpenError::Memory { path: path.to_owned(), needed_mb, available_mb });
        }
        let tokens = Tokens::of(&content.metadata)
            .map_err(|source| OpenError::Tokenizer { path: path.to_owned(), source })?;
        let network = guarded(|| Network::of(content, &mut reader)).map_err(broken)?;
        Ok(Self { tokens, network, warmed: HashMap::new() })
    }

    /// Reads the beginning of a prompt once, for all that begin so.
    pub(super) fn warm(&mut self, prompt: &Prompt) -> Result<(), Failure> {
        let Some(mut network) = self.network.copy() else { return Ok(()) };
        let fixed = self.fixed_tokens(prompt)?;
        let mut writing = Writing::new(&mut network, 0, &|| false);
        writing.read(&fixed)?;
        self.warmed.insert(prompt.fixed.clone(), (network, fixed.len()));
        Ok(())
    }

    fn fixed_tokens(&self, prompt: &Prompt) -> Result<Vec<u32>, Failure> {
        let fixed = self.tokens.encode(&prompt.fixed).ok_or(Failure::NoToken)?;
        Ok([&self.tokens.opening[..], &fixed].concat())
    }

    /// What the model writes after a prompt.
    pub(super) fn write(
        &mut self,
        prompt: &Prompt,
        form: &Form<'_>,
        is_over: Deadline<'_>,
    ) -> Result<String, Failure> {
        let rest = self.tokens.encode(&prompt.rest).ok_or(Failure::NoToken)?;
        let mut read = [rest, self.tokens.closing.clone()].concat();
        let warmed = self.warmed.get(&prompt.fixed);
        let warmed = warmed.and_then(|(network, length)| Some((network.copy()?, *length)));
        if warmed.is_none() {
            read = [self.fixed_tokens(prompt)?, read].concat();
            self.network.clear();
        }
        let mut copy = warmed.or_else(|| Some((self.network.copy()?, 0)));
        let (network, position) = match &mut copy {
            Some((network, position)) => (network, *position),
            None => (&mut self.network, 0),
        };
        let mut writing = Writing::new(network, position, is_over);
        let tokens = &self.tokens;
        let written = guarded(|| {
            Ok::<_, Failure>(writing.read(&read).and_then(|()| match form {
                Form::List(automaton) => writing.list(tokens, automaton),
                Form::Line { bytes_max } => writing.line(tokens, *bytes_max),
            }))
        });
        written.map_err(Failure::Engine)?
    }
}

/// A text being written.
pub(super) struct Writing<'a> {
    network: &'a mut Network,
    /// Tokens that were read and written.
    position: usize,
    pub(super) logits: Vec<f32>,
    is_over: Deadline<'a>,
}

impl<'a> Writing<'a> {
    pub(super) fn new(network: &'a mut Network, position: usize, is_over: Deadline<'a>) -> Self {
        Self { network, position, logits: Vec::new(), is_over }
    }

    /// Reads tokens.
    pub(super) fn read(&mut self, mut tokens: &[u32]) -> Result<(), Failure> {
        if self.position + tokens.len() > CONTEXT_TOKENS_MAX {
            return Err(Failure::Long);
        }
        while !tokens.is_empty() {
            if (self.is_over)() {
                return Err(Failure::Late);
            }
            let length = self.network.chunk_tokens(self.position, tokens.len());
            let (chunk, rest) = tokens.split_at(length);
            let logits = self.network.read(chunk, self.position);
            self.logits = logits.map_err(|cause| Failure::Engine(first_line(&cause)))?;
            self.position += chunk.len();
            tokens = rest;
        }
        Ok(())
    }

    /// The likeliest of the tokens that may follow.
    fn likeliest(&self, may_follow: impl Fn(u32) -> bool) -> Option<u32> {
        let all = self.logits.iter().zip(0..).filter(|(_, token)| may_follow(*token));
        // The first of equals.
        all.max_by(|one, other| one.0.total_cmp(other.0).then(other.1.cmp(&one.1))).map(|one| one.1)
    }

    /// A text of an automaton. What is forced is read without asking.
    fn list(&mut self, tokens: &Tokens, automaton: &Automaton) -> Result<String, Failure> {
        let (mut state, mut text, mut unread) = (Automaton::START, Vec::new(), Vec::new());
        loop {
            let (forced, behind) = automaton.forced(state);
            text.extend_from_slice(&forced);
            state = behind;
            if automaton.is_end(state) {
                return String::from_utf8(text).map_err(|_| Failure::NoToken);
            }
            let forced = String::from_utf8(forced).map_err(|_| Failure::NoToken)?;
            unread.extend(tokens.encode(&forced).ok_or(Failure::NoToken)?);
            self.read(&unread)?;
            let next = |token| {
                let bytes = tokens.bytes(token).filter(|bytes| !bytes.is_empty())?;
                Some((automaton.advance(state, bytes)?, bytes))
            };
            let token = self.likeliest(|token| next(token).is_some()).ok_or(Failure::NoToken)?;
            let (behind, bytes) = next(token).ok_or(Failure::NoToken)?;
            text.extend_from_slice(bytes);
            state = behind;
            unread = vec![token];
        }
    }

    /// A text of one line, to its end.
    fn line(&mut self, tokens: &Tokens, bytes_max: usize) -> Result<String, Failure> {
        let mut text = Vec::new();
        while text.len() <= bytes_max {
            let token = self.likeliest(|_| true).ok_or(Failure::NoToken)?;
            let bytes = tokens.bytes(token);
            match bytes {
                Some(bytes) if !bytes.contains(&b'\n') => text.extend_from_slice(bytes),
                // Blank lines may come first.
                Some(_) if text.is_empty() => {}
                _ => return String::from_utf8(text).map_err(|_| Failure::NoToken),
            }
            self.read(&[token])?;
        }
        Err(Failure::Long)
    }
}

/// What some work of candle makes; a panic is an error too.
fn guarded<T, E: ToString>(work: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(made) => made.map_err(|cause| first_line(&cause)),
        Err(_) => Err("tensors that do not fit each other".to_owned()),
    }
}

/// What an error of candle says; where it was raised follows on further lines.
fn first_line(cause: &impl ToString) -> String {
    cause.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Memory that the system could give; `None` where it does not tell.
fn available_bytes() -> Option<u64> {
    let told = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes.saturating_mul(1024))
}
