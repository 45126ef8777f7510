//! The same model in stock candle, in f32: what the encoder's vectors are compared with.

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config as BertConfig};

use std::path::Path;

use super::Error;
use super::bundle::Bundle;
use super::config::Config;
use super::tokens::Tokens;

/// A model in stock candle.
pub struct Reference {
    bert: BertModel,
    tokens: Tokens,
}

impl Reference {
    /// The model in a folder, or the embedded one.
    ///
    /// # Errors
    /// As [`super::Model::load`].
    pub fn load(folder: Option<&Path>) -> Result<Self, Error> {
        let bundle = folder.map_or_else(Bundle::embedded, Bundle::open)?;
        let tokens = Tokens::of(&bundle, &Config::of(&bundle)?)?;
        let config: BertConfig = serde_json::from_slice(&bundle.config).map_err(failed)?;
        let bytes = bundle.weights.into_owned();
        let weights = VarBuilder::from_buffered_safetensors(bytes, DType::F32, &Device::Cpu);
        let bert = weights.and_then(|weights| BertModel::load(weights, &config)).map_err(failed)?;
        Ok(Self { bert, tokens })
    }

    /// The vector of one text: `f32[dimensions]`, unit length.
    ///
    /// # Errors
    /// When the tokenizer or candle refuses.
    pub fn embed_one(&self, text: &str) -> Result<Vec<f32>, Error> {
        let tokens = self.tokens.of_text(text)?;
        self.encode(&tokens).map_err(failed)
    }

    fn encode(&self, tokens: &[u32]) -> candle_core::Result<Vec<f32>> {
        let tokens = Tensor::new(tokens, &Device::Cpu)?.unsqueeze(0)?;
        let states = self.bert.forward(&tokens, &tokens.zeros_like()?, None)?;
        let mean = states.mean(1)?.squeeze(0)?;
        let length = mean.sqr()?.sum_all()?.sqrt()?;
        mean.broadcast_div(&length)?.to_vec1()
    }
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Reference(error.into())
}
