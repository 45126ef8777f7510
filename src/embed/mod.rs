//! Text to unit vectors, in process: a BERT-family sentence model, mean-pooled.
//!
//! A [`Model`] is read from a `Bundle` of files, embedded in the binary or in a folder, and checked
//! against its own configuration (`config`, `bundle`, `weights`). `tokens` cuts a text into the
//! model's tokens; `encoder` runs the layers with the arithmetic in `kernel`, a crate of its own; `batches` spreads
//! many texts over threads, texts of one length together, so that nothing is padded and a text's
//! vector does not depend on its company. `stock` is the same model in stock candle, in f32, which tests compare
//! with and GPUs run. `labeller` labels the tokens of a text instead, `classifier` assigns a text to a class, and
//! `cross_encoder` scores a passage against a question. `recipe` chooses the text of a record that is embedded, and
//! `cache` keeps encoded vectors across builds.
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
#[cfg(feature = "stock")]
mod stock;
mod tokens;
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
use config::Config;
use encoder::Encoder;
use tokens::Tokens;

use crate::taxonomy;

/// Of how many titles one is let through to calibrate a model, and how many make a longer text.
const CALIBRATION_STEP: usize = 8;
const CALIBRATION_JOINED: usize = 6;

/// A model that embeds texts.
#[derive(Debug)]
pub struct Model {
    name: String,
    identity: String,
    config: Config,
    tokens: Tokens,
    encoder: Encoder,
    /// What embeds many texts in place of the encoder.
    #[cfg(feature = "stock")]
    stock: Option<stock::Stock>,
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
        Self::of(&Bundle::embedded())
    }

    /// The model in a folder: `config.json`, `tokenizer.json` and `model.safetensors` as sentence
    /// models are published.
    ///
    /// # Errors
    /// When a file is missing, is not of its format, or does not fit the others.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        Self::of(&Bundle::open(folder)?)
    }

    /// The model in a folder, or the embedded one; many texts are embedded by candle's own operations, in f32 on a device, and
    /// single ones by the encoder.
    #[cfg(feature = "stock")]
    pub fn load_on(folder: Option<&Path>, device: &candle_core::Device) -> Result<Self, Error> {
        let bundle = Bundle::load(folder)?;
        let stock = Some(stock::Stock::of(&bundle, device)?);
        Ok(Self { stock, ..Self::of(&bundle)? })
    }

    fn of(bundle: &Bundle) -> Result<Self, Error> {
        let config = Config::of(bundle)?;
        let ((tokens, identity), encoder) = rayon::join(
            || rayon::join(|| Tokens::of(bundle, &config), || bundle.identity()),
            || Encoder::of(bundle, &config),
        );
        // First, since whatever else is wrong with a damaged file follows from it.
        let identity = identity?;
        let (tokens, mut encoder) = (tokens?, encoder?);
        encoder.calibrate(bundle, || calibration(&tokens))?;
        Ok(Self {
            name: bundle.name.clone(),
            identity,
            config,
            tokens,
            encoder,
            #[cfg(feature = "stock")]
            stock: None,
        })
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
        #[cfg(feature = "stock")]
        if let Some(stock) = &self.stock {
            return stock.device();
        }
        self.encoder.kernel()
    }

    /// [`Model::identity`], and what many texts are embedded by where that makes other vectors.
    pub fn bulk_identity(&self) -> String {
        #[cfg(feature = "stock")]
        if let Some(stock) = &self.stock {
            return format!("{} {}", self.identity, stock.device());
        }
        self.identity.clone()
    }

    /// The vector of one text: `f32[dimensions]`, unit length.
    pub fn embed_one(&self, text: &str) -> Result<Vec<f32>, Error> {
        Ok(self.encoder.encode_one(&self.tokens.of_text(text)?))
    }

    /// The vectors of many texts, computed on `threads` threads: `f32[texts][dimensions]`, unit
    /// length, each the same as [`Model::embed_one`] gives; on a device, nearly the same.
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

/// The tokens of texts that show a model what it will be given: titles of NTEE codes, alone and several in
/// one text, and nothing.
fn calibration(tokens: &Tokens) -> Result<Vec<Vec<u32>>, Error> {
    let titles: Vec<&str> =
        taxonomy::titles().map(|(_, title)| title).step_by(CALIBRATION_STEP).collect();
    let longer = titles.chunks(CALIBRATION_JOINED).map(|titles| titles.join(". "));
    let texts = titles.iter().map(|title| (*title).to_owned()).chain(longer).chain([String::new()]);
    texts.map(|text| tokens.of_text(&text)).collect()
}

#[cfg(test)]
mod tests;
