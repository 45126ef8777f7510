//! The same weights in stock candle, in f32: what the encoder's vectors are compared with.

use std::collections::HashMap;
use std::path::Path;

use candle_core::{DType, Device, Tensor, safetensors};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config as BertConfig};

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
        let bundle = folder.map_or_else(|| Ok(Bundle::embedded()), Bundle::open)?;
        let tokens = Tokens::of(&bundle, &Config::of(&bundle)?)?;
        let config: BertConfig = serde_json::from_slice(&bundle.config).map_err(failed)?;
        let tensors = floating(&bundle.weights).map_err(failed)?;
        let weights = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
        let bert = BertModel::load(weights, &config).map_err(failed)?;
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

/// The tensors of a model by name, maps in eight bits as what they stand for.
pub(super) fn floating(weights: &[u8]) -> candle_core::Result<HashMap<String, Tensor>> {
    let mut tensors = safetensors::load_buffer(weights, &Device::Cpu)?;
    let scaled = |name: &String| Some(name.strip_suffix(".weight_scale")?.to_owned());
    let maps: Vec<String> = tensors.keys().filter_map(scaled).collect();
    for map in maps {
        let [weight, scale, smoothing] = ["weight", "weight_scale", "smoothing"].map(|part| {
            let tensor = tensors.remove(&format!("{map}.{part}")).expect("the three come together");
            tensor.to_dtype(DType::F32)
        });
        // Two's complement, which candle has no type for.
        let bytes = weight?;
        let integers = (&bytes - (bytes.ge(128_f64)?.to_dtype(DType::F32)? * 256.0)?)?;
        let scaled = integers.broadcast_mul(&scale?.unsqueeze(1)?)?;
        tensors.insert(format!("{map}.weight"), scaled.broadcast_div(&smoothing?)?);
    }
    Ok(tensors)
}

fn failed(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::Reference(error.into())
}
