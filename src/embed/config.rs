//! The description of a model in the files beside its weights, checked before they are read.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Error;
use super::bundle::{Bundle, NamedFile};

/// Limits of what is run: a configuration past them is a mistake or an attack, not a sentence model.
const HIDDEN_MAX: usize = 1024;
const VOCABULARY_MAX: usize = 1 << 20;

/// What vectors must be multiples of, for the index of vectors.
const HIDDEN_STEP: usize = 16;

/// Tokens of a text that count at most, since attention takes the square of them in memory.
const TOKENS_CEILING: usize = 1024;
const TOKENS_MIN: usize = 4;

/// The architecture, by which candle-transformers has a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Bert,
    DistilBert,
    /// RoBERTa, XLM-RoBERTa and CamemBERT.
    Roberta,
    ModernBert,
    NomicBert,
}

/// Families by the `model_type` of `config.json`.
const FAMILIES: [(&str, Family); 7] = [
    ("bert", Family::Bert),
    ("distilbert", Family::DistilBert),
    ("roberta", Family::Roberta),
    ("xlm-roberta", Family::Roberta),
    ("camembert", Family::Roberta),
    ("modernbert", Family::ModernBert),
    ("nomic_bert", Family::NomicBert),
];

/// How the rows of the tokens become one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pooling {
    Mean,
    FirstToken,
}

/// What is known of a model before its weights are read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Config {
    pub(super) family: Family,
    pub(super) pooling: Pooling,
    /// Numbers in a text's vector.
    pub(super) hidden: usize,
    pub(super) vocabulary: usize,
    /// Tokens of a text that count, the special ones included.
    pub(super) tokens_max: usize,
}

/// What every family publishes in `config.json`, some under other names.
#[derive(Deserialize)]
struct Published {
    #[serde(alias = "dim", alias = "n_embd")]
    hidden_size: usize,
    vocab_size: usize,
    #[serde(alias = "n_positions")]
    max_position_embeddings: usize,
    #[serde(default)]
    pad_token_id: Option<usize>,
    model_type: Option<String>,
}

/// The pooling's configuration as published; of its modes one is true.
#[derive(Deserialize)]
struct PublishedPooling {
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_sqrt_len_tokens: bool,
    #[serde(default)]
    pooling_mode_weightedmean_tokens: bool,
    #[serde(default)]
    pooling_mode_lasttoken: bool,
}

/// The limit as published.
#[derive(Default, Deserialize)]
struct Limit {
    max_seq_length: Option<usize>,
}

/// A step of a sentence model as published in `modules.json`.
#[derive(Deserialize)]
struct Module {
    #[serde(rename = "type")]
    kind: String,
}

/// Steps that are run: the transformer, its pooling, and unit length.
const MODULES: [&str; 3] = ["Transformer", "Pooling", "Normalize"];

impl Config {
    /// Reads and checks the configuration of a bundle.
    pub(super) fn of(bundle: &Bundle) -> Result<Self, Error> {
        let published: Published = bundle.config()?;
        let limit: Limit = read(bundle.limit.as_ref(), "an object with max_seq_length")?;
        check_modules(bundle.modules.as_ref())?;
        let kind = published.model_type.as_deref().unwrap_or("bert");
        let family = FAMILIES.iter().find(|(name, _)| *name == kind).map(|(_, family)| *family);
        let Some(family) = family else {
            let names: Vec<&str> = FAMILIES.iter().map(|(name, _)| *name).collect();
            return Err(unfit("config.json", format!("model_type of {}", names.join(", ")), kind));
        };
        // RoBERTa counts positions from behind the padding's.
        let offset = match family {
            Family::Roberta => published.pad_token_id.unwrap_or(1) + 1,
            _ => 0,
        };
        let positions = published.max_position_embeddings.saturating_sub(offset);
        let tokens_max = limit.max_seq_length.unwrap_or(positions).min(positions);
        let config = Self {
            family,
            pooling: pooling(bundle.pooling.as_ref())?,
            hidden: published.hidden_size,
            vocabulary: published.vocab_size,
            tokens_max: tokens_max.min(TOKENS_CEILING),
        };
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), Error> {
        let is_in_steps = self.hidden > 0 && self.hidden.is_multiple_of(HIDDEN_STEP);
        let checks = [
            (
                is_in_steps && self.hidden <= HIDDEN_MAX,
                format!("hidden_size a multiple of {HIDDEN_STEP} up to {HIDDEN_MAX}"),
                self.hidden,
            ),
            (
                (1..=VOCABULARY_MAX).contains(&self.vocabulary),
                format!("vocab_size of 1 to {VOCABULARY_MAX}"),
                self.vocabulary,
            ),
            (
                self.tokens_max >= TOKENS_MIN,
                format!("max_position_embeddings and max_seq_length of at least {TOKENS_MIN}"),
                self.tokens_max,
            ),
        ];
        match checks.into_iter().find(|(holds, ..)| !holds) {
            Some((_, expected, found)) => Err(unfit("config.json", expected, &found.to_string())),
            None => Ok(()),
        }
    }
}

fn unfit(file: &'static str, expected: impl Into<String>, found: &str) -> Error {
    Error::Config { file, expected: expected.into(), found: found.to_owned() }
}

/// What a file says, the default where the model has no such file.
fn read<T: Default + DeserializeOwned>(
    file: Option<&NamedFile>,
    expected: &'static str,
) -> Result<T, Error> {
    let Some((file, bytes)) = file else { return Ok(T::default()) };
    serde_json::from_slice(bytes).map_err(|error| Error::Parse {
        file,
        expected,
        source: error.into(),
    })
}

/// The pooling that a file names; the mean where there is no file.
fn pooling(named: Option<&NamedFile>) -> Result<Pooling, Error> {
    let published: Option<PublishedPooling> =
        read(named, "an object with pooling_mode_mean_tokens")?;
    let (Some(published), Some((file, _))) = (published, named) else { return Ok(Pooling::Mean) };
    let others = published.pooling_mode_max_tokens
        || published.pooling_mode_mean_sqrt_len_tokens
        || published.pooling_mode_weightedmean_tokens
        || published.pooling_mode_lasttoken;
    match (published.pooling_mode_mean_tokens, published.pooling_mode_cls_token, others) {
        (true, false, false) => Ok(Pooling::Mean),
        (false, true, false) => Ok(Pooling::FirstToken),
        _ => {
            let expected = "pooling_mode_mean_tokens or pooling_mode_cls_token alone to be true";
            Err(unfit(file, expected, "another pooling"))
        }
    }
}

/// Refuses a model with steps that are not run, such as a dense layer behind the pooling.
fn check_modules(named: Option<&NamedFile>) -> Result<(), Error> {
    let modules: Vec<Module> = read(named, "a list of the model's steps")?;
    let is_run =
        |module: &&Module| MODULES.iter().any(|name| module.kind.rsplit('.').next() == Some(*name));
    match modules.iter().find(|module| !is_run(module)) {
        Some(module) => {
            Err(unfit("modules.json", format!("steps of {}", MODULES.join(", ")), &module.kind))
        }
        None => Ok(()),
    }
}
