//! Text to unit vectors, in process, by a sentence model.
//!
//! A [`Model`] is read from a `Bundle` of files, embedded in the binary or in a folder, and checked
//! against its own configuration (`config`, `bundle`). `tokens` cuts a text into the model's tokens. The embedded
//! model is run in eight bits: `weights` reads it, `encoder` runs its layers with the arithmetic in `kernel`, a crate
//! of its own. A model in a folder is run by candle-transformers in f32 (`transformer`), as on a GPU many texts of the
//! embedded one; tests compare the encoder with it. `batches` embeds many texts, texts of one length together, so
//! that nothing is padded. `labeller` labels the tokens of a text instead, `classifier` assigns a text to a class, and
//! `cross_encoder` scores a passage against a question, all three with the embedded model. `recipe` chooses the text of
//! a record that is embedded, and `cache` keeps encoded vectors across builds.
//!
//! # Errors
//!
//! Encoding fails with [`Error::Tokens`] when the tokenizer refuses a text and, on a device, with [`Error::Candle`] when
//! candle or the device fails.

mod batches;
mod bundle;
mod cache;
mod classifier;
mod config;
mod cross_encoder;
mod encoder;
mod labeller;
mod lazy;
mod linear;
pub mod recipe;
mod tokens;
mod transformer;
mod weights;

use std::path::{Path, PathBuf};

pub use cache::{
    Cache, CacheError, Contents as CacheContents, Key, MAGIC as CACHE_MAGIC, ROWS_MAX,
};
pub use classifier::{Classifier, Shape as ClassifierShape};
pub use cross_encoder::{CrossEncoder, PAIR_TOKENS_MAX};
pub use labeller::{Head, Labeller, Labels, Shape, Table};
pub use lazy::Lazy;

use almoner_kernel as kernel;
use bundle::Bundle;
use candle_core::Device;
use config::Config;
use encoder::Encoder;
use tokens::Tokens;
use transformer::Transformer;

/// What a model in a folder is tried with when it is opened.
const TRIAL: &str = "nonprofit";

/// A model that embeds texts.
#[derive(Debug)]
pub struct Model {
    name: String,
    identity: String,
    config: Config,
    tokens: Tokens,
    arithmetic: Arithmetic,
}

/// What makes vectors of tokens.
#[derive(Debug)]
enum Arithmetic {
    /// The embedded model in eight bits; many texts on a device, if there is to be one.
    EightBits { encoder: Encoder, device: Option<Box<Transformer>> },
    /// A model from a folder.
    Transformer(Transformer),
}

/// What embeds many texts.
enum Bulk<'m> {
    Encoder(&'m Encoder),
    Transformer(&'m Transformer),
}

/// Why a model cannot be used, or a text not be embedded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the model cannot be read.
    #[error("cannot read {path}; a model folder holds config.json, tokenizer.json and \
             model.safetensors", path = path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// A file of the embedded model is not the one that was embedded.
    #[error(
        "the embedded model is damaged: {file} has SHA-256 {found}, expected {expected}; \
             install the program again"
    )]
    Sum {
        file: &'static str,
        /// What it should be, in hexadecimal digits.
        expected: String,
        /// What it is.
        found: String,
    },
    /// The configuration is not of a model that this program runs.
    #[error("{file} of the model: expected {expected}, found {found}")]
    Config {
        file: &'static str,
        /// What would do.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A file of the model is not of its format.
    #[error("{file} of the model cannot be parsed; expected {expected}")]
    Parse {
        file: &'static str,
        /// Which format.
        expected: &'static str,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A tensor is missing or has another shape.
    #[error("model.safetensors: tensor {name} should be {expected}, found {found}")]
    Tensor {
        name: String,
        /// Its shape and type by the configuration.
        expected: String,
        /// What the file has.
        found: String,
    },
    /// The text cannot be cut into tokens.
    #[error("the model's tokenizer refuses the text")]
    Tokens(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The weights are not those of the configuration.
    #[error("model.safetensors does not hold the model that config.json describes")]
    Weights(#[source] candle_core::Error),
    /// What only the embedded model can do.
    #[error("the embedded model is needed here, which {name} is not")]
    NotEmbedded { name: String },
    /// An operation of candle failed.
    #[error("the model cannot be run")]
    Candle(#[from] candle_core::Error),
}

impl Model {
    /// The model that the binary embeds, all-MiniLM-L6-v2, prepared for this CPU: some 50 ms on two cores.
    ///
    /// # Errors
    /// [`Error::Sum`] when the binary was damaged.
    pub fn embedded() -> Result<Self, Error> {
        Self::in_eight_bits(None)
    }

    /// The model in a folder: `config.json`, `tokenizer.json` and `model.safetensors` as sentence
    /// models are published.
    ///
    /// # Errors
    /// When a file is missing, is not of its format, or does not fit the others.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Self::open_on(folder, &Device::Cpu)
    }

    /// The model in a folder, or the embedded one, with many texts embedded on a device.
    #[cfg(any(test, feature = "internals", feature = "gpu"))]
    pub fn load_on(folder: Option<&Path>, device: &Device) -> Result<Self, Error> {
        match folder {
            Some(folder) => Self::open_on(folder, device),
            None => Self::in_eight_bits(Some(device)),
        }
    }

    fn open_on(folder: &Path, device: &Device) -> Result<Self, Error> {
        let bundle = Bundle::open(folder)?;
        let config = Config::of(&bundle)?;
        let (tokens, identity) = (Tokens::of(&bundle, &config)?, bundle.identity()?);
        let transformer = Transformer::of(&bundle, &config, device)?;
        let found = transformer.encode(&[&tokens.of_text(TRIAL)?])?.len();
        if found != config.hidden {
            let (expected, found) = (format!("vectors of {found}"), config.hidden.to_string());
            return Err(Error::Config { file: "config.json", expected, found });
        }
        let arithmetic = Arithmetic::Transformer(transformer);
        Ok(Self { name: bundle.name, identity, config, tokens, arithmetic })
    }

    fn in_eight_bits(device: Option<&Device>) -> Result<Self, Error> {
        let (bundle, weights) = (Bundle::embedded(), bundle::WEIGHTS_EMBEDDED);
        let config = Config::of(&bundle)?;
        let shape = bundle.config()?;
        let ((tokens, identity), encoder) = rayon::join(
            || rayon::join(|| Tokens::of(&bundle, &config), || bundle.identity()),
            || Encoder::of(weights, shape),
        );
        // First, since whatever else is wrong with a damaged file follows from it.
        let (identity, tokens, encoder) = (identity?, tokens?, encoder?);
        let device = device
            .map(|device| Transformer::of(&bundle, &config, device))
            .transpose()?
            .map(Box::new);
        let arithmetic = Arithmetic::EightBits { encoder, device };
        Ok(Self { name: bundle.name, identity, config, tokens, arithmetic })
    }

    /// The encoder of the embedded model, on whose layers heads stand.
    ///
    /// # Errors
    /// [`Error::NotEmbedded`] for a model from a folder.
    fn encoder(&self) -> Result<&Encoder, Error> {
        match &self.arithmetic {
            Arithmetic::EightBits { encoder, .. } => Ok(encoder),
            Arithmetic::Transformer(_) => Err(Error::NotEmbedded { name: self.name.clone() }),
        }
    }

    fn bulk(&self) -> Bulk<'_> {
        match &self.arithmetic {
            Arithmetic::EightBits { encoder, device: None } => Bulk::Encoder(encoder),
            Arithmetic::EightBits { device: Some(device), .. } => Bulk::Transformer(device),
            Arithmetic::Transformer(transformer) => Bulk::Transformer(transformer),
        }
    }

    /// What it is called: `all-MiniLM-L6-v2`, or its folder's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// SHA-256 of its files and of the arithmetic's version, 64 hexadecimal digits: equal identities
    /// give equal vectors.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// Name and identity in one: `all-MiniLM-L6-v2@` and sixteen hexadecimal digits.
    pub fn identifier(&self) -> String {
        format!("{}@{}", self.name, &self.identity[..16])
    }

    /// Numbers in a vector.
    pub fn dimensions(&self) -> usize {
        self.config.hidden
    }

    /// Tokens that count of a text, the two at its ends included; what follows is cut off.
    #[cfg(any(test, feature = "internals"))]
    pub fn tokens_max(&self) -> usize {
        self.config.tokens_max
    }

    /// What many texts are embedded by: the instructions of this CPU, or a device of candle.
    pub fn kernel(&self) -> &'static str {
        match self.bulk() {
            Bulk::Encoder(encoder) => encoder.kernel(),
            Bulk::Transformer(transformer) => transformer.kernel(),
        }
    }

    /// [`Model::identity`], and what many texts are embedded by where that makes other vectors.
    pub fn bulk_identity(&self) -> String {
        match &self.arithmetic {
            Arithmetic::EightBits { device: Some(transformer), .. } => {
                format!("{} {}", self.identity, transformer.kernel())
            }
            Arithmetic::Transformer(transformer) if !transformer.is_on_cpu() => {
                format!("{} {}", self.identity, transformer.kernel())
            }
            _ => self.identity.clone(),
        }
    }

    /// The vector of one text: `f32[dimensions]`, unit length.
    pub fn embed_one(&self, text: &str) -> Result<Vec<f32>, Error> {
        let tokens = self.tokens.of_text(text)?;
        match &self.arithmetic {
            Arithmetic::EightBits { encoder, .. } => Ok(encoder.encode_one(&tokens)),
            Arithmetic::Transformer(transformer) => transformer.encode(&[&tokens]),
        }
    }

    /// The vectors of many texts, computed on `threads` threads: `f32[texts][dimensions]`, unit
    /// length, each the same as [`Model::embed_one`] gives; by candle-transformers, nearly the same.
    pub fn embed<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        threads: usize,
    ) -> Result<Vec<f32>, Error> {
        batches::embed(self, texts, threads)
    }

    /// Where a token of a text begins, by its number, the one at the beginning of texts not counted; `None` where the
    /// text has fewer.
    pub fn token_start(&self, text: &str, number: usize) -> Result<Option<usize>, Error> {
        let (_, places) = self.tokens.with_places(text)?;
        let ends = places.len().saturating_sub(1);
        Ok(places[..ends].get(number + 1).map(|bytes| bytes.start))
    }

    /// How many tokens a text has, the two at its ends included.
    pub fn count_tokens(&self, text: &str) -> Result<usize, Error> {
        Ok(self.tokens.of_text(text)?.len())
    }
}

#[cfg(test)]
mod tests;
