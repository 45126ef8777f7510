//! An instruction model of the operator's, in process or behind a server: what it may do for the chat, and how it is held
//! to that.
//!
//! It reads messages of which the trained reader is not sure, choosing among the dialogue acts, and puts composed answers
//! into other words, which count only while they say the same ([`Composed`]). It knows nothing of nonprofits and is asked
//! nothing about them. Whatever fails, is late or makes no sense leaves the reader's act or the composed sentence.

mod automaton;
mod generator;
mod network;
mod phrasing;
mod server;
#[cfg(test)]
mod tests;
mod tokens;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::reader::DialogueAct;
use automaton::Automaton;
use generator::Generator;
use network::ARCHITECTURES;
use server::Server;

pub use network::CONTEXT_TOKENS_MAX;
pub use phrasing::Composed;
pub use server::{ANSWER_BYTES_MAX, AddressError, ServerAddress};
pub use tokens::TokenizerError;

/// Time for one message, reading and phrasing together, unless it is set.
pub const LIMIT_MS_DEFAULT: u64 = 4_000;
/// The longest that can be set: a request that takes ten seconds is cut off.
pub const LIMIT_MS_MAX: u64 = 8_000;
/// Acts of one message.
pub const ACTS_MAX: usize = 4;
/// The longest composed answer that is put into other words.
pub const COMPOSED_BYTES_MAX: usize = 600;
/// The longest list of acts that is parsed.
const LIST_BYTES_MAX: usize = 256;

const READ: &str = include_str!("../../data/language_model_read.txt");
const PHRASE: &str = include_str!("../../data/language_model_phrase.txt");
/// Where prompts have the names of the acts, the message and the composed answer.
const ACTS_SLOT: &str = "{acts}";
const MESSAGE_SLOT: &str = "{message}";
const ANSWER_SLOT: &str = "{answer}";

/// Where a model is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelSource {
    /// A GGUF file.
    File(PathBuf),
    Server(ServerAddress),
}

impl FromStr for ModelSource {
    type Err = AddressError;

    /// What has a scheme is the address of a server, all else a file.
    fn from_str(text: &str) -> Result<Self, AddressError> {
        match text.contains("://") {
            true => text.parse().map(Self::Server),
            false => Ok(Self::File(PathBuf::from(text))),
        }
    }
}

/// How a model is used.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Time for one message.
    pub limit: Duration,
    /// What a server calls the model.
    pub name: Option<String>,
    /// What a server asks for.
    pub key: Option<String>,
}

/// Why a model cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("cannot read the language model {}; expected a GGUF file", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("{}: expected a whole GGUF file, found {found}; download it again", path.display())]
    Broken { path: PathBuf, found: String },
    #[error(
        "{}: expected a model of the architecture {}, found {found:?}; take another one, or let a server run it and give its address",
        path.display(), ARCHITECTURES.join(", ")
    )]
    Architecture { path: PathBuf, found: String },
    #[error("{}: the tokenizer cannot be used; take another file, or let a server run it and give its address", path.display())]
    Tokenizer { path: PathBuf, source: TokenizerError },
    #[error("{}: expected {needed_mb} MB of free memory, found {available_mb} MB; take a smaller model", path.display())]
    Memory { path: PathBuf, needed_mb: u64, available_mb: u64 },
    #[error(
        "a server needs the name of a model, and none was given; add --language-model-name NAME"
    )]
    Nameless,
    #[error(
        "the key of the server: expected printable ASCII, found something else; correct ALMONER_LANGUAGE_MODEL_KEY"
    )]
    Key,
}

/// Why a text is not written. The answer is then as it would be without a model.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("another message is being worked on")]
    Busy,
    #[error("the time for the message is over")]
    Late,
    #[error("the text is longer than expected")]
    Long,
    #[error("no token fits")]
    NoToken,
    #[error("the text says something else than expected")]
    Nonsense,
    #[error("the model cannot be run: {0}")]
    Engine(String),
    #[error("the server {host} gives no answer that can be used: {cause}")]
    Server { host: String, cause: String },
}

/// A prompt in two parts: what is the same for all messages, and the rest.
struct Prompt {
    fixed: String,
    rest: String,
}

impl Prompt {
    /// Fills a prompt's slots; what fills them is not looked through for slots.
    fn of(text: &str, message: &str, answer: &str) -> Self {
        let (fixed, rest) = text.split_once(MESSAGE_SLOT).unwrap_or((text, ""));
        let names = DialogueAct::predicted().join(", ");
        let (before, behind) = rest.split_once(ANSWER_SLOT).unwrap_or((rest, ""));
        let rest = format!("{message}{before}{answer}{behind}");
        Self { fixed: fixed.replace(ACTS_SLOT, &names), rest: rest.trim_end().to_owned() }
    }
}

/// What is to be written.
enum Form<'a> {
    List(&'a Automaton),
    Line { bytes_max: usize },
}

enum Engine {
    File(Box<Mutex<Generator>>),
    Server(Box<Mutex<Server>>),
}

/// A model, ready for messages.
pub struct LanguageModel {
    name: String,
    limit: Duration,
    engine: Engine,
    acts: Automaton,
    written: AtomicU64,
    failed: AtomicU64,
}

impl std::fmt::Debug for LanguageModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

impl LanguageModel {
    /// Loads a file, or makes ready to ask a server, which is not asked yet.
    pub fn open(source: &ModelSource, settings: Settings) -> Result<Self, OpenError> {
        let Settings { limit, name, key } = settings;
        let (name, engine) = match source {
            ModelSource::File(path) => {
                let generator = Mutex::new(Generator::open(path)?);
                let file = path.file_name().unwrap_or(path.as_os_str());
                let name = name.unwrap_or_else(|| file.to_string_lossy().into_owned());
                (name, Engine::File(generator.into()))
            }
            ModelSource::Server(address) => {
                let model = name.ok_or(OpenError::Nameless)?;
                let name = format!("{model}@{}", address.host());
                let server = Server::new(address.clone(), model, key.as_deref());
                (name, Engine::Server(Mutex::new(server.ok_or(OpenError::Key)?).into()))
            }
        };
        let acts = Automaton::of_lists(&DialogueAct::predicted(), ACTS_MAX);
        let (written, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { name, limit, engine, acts, written, failed })
    }

    /// What answers call it: the name of the file, or the model's and the host's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads what prompts begin with, which takes seconds, or asks whether the server is there; fails where the model
    /// will be of no use as it is. Messages meanwhile are answered without it.
    pub fn warm(&self) -> Result<(), Failure> {
        match &self.engine {
            Engine::File(generator) => {
                let mut generator = free(generator)?;
                [READ, PHRASE].iter().try_for_each(|text| generator.warm(&Prompt::of(text, "", "")))
            }
            Engine::Server(server) => free(server)?.probe(),
        }
    }

    /// When a message that begins now is answered without the model.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.limit
    }

    /// What a message asks for, by the model; an answer that names anything but 1 to [`ACTS_MAX`] acts is an error.
    pub fn acts(&self, message: &str, until: Instant) -> Result<Vec<DialogueAct>, Failure> {
        let prompt = Prompt::of(READ, message, "");
        parse_acts(&self.write(&prompt, &Form::List(&self.acts), until)?).ok_or(Failure::Nonsense)
    }

    /// A composed answer in other words; words that do not say the same are an error.
    pub fn phrased(
        &self,
        message: &str,
        composed: &Composed<'_>,
        until: Instant,
    ) -> Result<String, Failure> {
        if composed.text.len() > COMPOSED_BYTES_MAX {
            return Err(Failure::Long);
        }
        let prompt = Prompt::of(PHRASE, message, composed.text);
        let form = Form::Line { bytes_max: composed.phrasing_bytes_max() };
        let written = self.write(&prompt, &form, until)?;
        let phrasing = written.trim().trim_matches('"');
        let says_same = composed.is_said_by(phrasing);
        says_same.then(|| phrasing.to_owned()).ok_or(Failure::Nonsense)
    }

    /// Writes one text at a time: who finds the model at work goes without.
    fn write(&self, prompt: &Prompt, form: &Form<'_>, until: Instant) -> Result<String, Failure> {
        let written = match &self.engine {
            Engine::File(generator) => free(generator).and_then(|mut generator| {
                generator.write(prompt, form, &|| Instant::now() >= until)
            }),
            Engine::Server(server) => {
                free(server).and_then(|server| server.write(prompt, form, until))
            }
        };
        let counter = if written.is_ok() { &self.written } else { &self.failed };
        counter.fetch_add(1, Ordering::Relaxed);
        written
    }

    /// How many texts were written, and how many that were asked for were not.
    pub fn texts(&self) -> (u64, u64) {
        (self.written.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed))
    }
}

/// Locks what is free, or fails as busy. A poisoned lock is taken over, as every text resets its content.
fn free<T>(lock: &Mutex<T>) -> Result<MutexGuard<'_, T>, Failure> {
    match lock.try_lock() {
        Ok(free) => Ok(free),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(Failure::Busy),
    }
}

/// Reads a list of acts: names of acts and nothing else, each once.
fn parse_acts(text: &str) -> Option<Vec<DialogueAct>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct List {
        acts: Vec<String>,
    }
    if text.len() > LIST_BYTES_MAX {
        return None;
    }
    let list: List = serde_json::from_str(text).ok()?;
    let mut acts = Vec::new();
    for name in &list.acts {
        let act = DialogueAct::named(name)?;
        if !acts.contains(&act) {
            acts.push(act);
        }
    }
    (1..=ACTS_MAX).contains(&list.acts.len()).then_some(acts)
}
