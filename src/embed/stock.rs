//! The same weights in stock candle, in f32, on any device that candle has: what the encoder's vectors are
//! compared with, and what a GPU embeds many texts by.

use std::collections::HashMap;

use candle_core::{DType, Device, Tensor, safetensors};
use candle_nn::VarBuilder;
use candle_transformers::models::bert::{BertModel, Config as BertConfig};

use super::Error;
use super::bundle::Bundle;

/// A model in stock candle.
pub(super) struct Stock {
    bert: BertModel,
    device: Device,
}

impl std::fmt::Debug for Stock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stock").field("device", &self.device).finish_non_exhaustive()
    }
}

impl Stock {
    /// The weights of a bundle on a device.
    pub(super) fn of(bundle: &Bundle, device: &Device) -> Result<Self, Error> {
        let config: BertConfig = bundle.config()?;
        let tensors = floating(&bundle.weights, device)?;
        let weights = VarBuilder::from_tensors(tensors, DType::F32, device);
        Ok(Self { bert: BertModel::load(weights, &config)?, device: device.clone() })
    }

    /// What the device is called.
    pub(super) fn device(&self) -> &'static str {
        match self.device {
            Device::Cpu => "f32 on the CPU",
            Device::Cuda(_) => "f32 on CUDA",
            Device::Metal(_) => "f32 on Metal",
        }
    }

    /// The vectors of texts of equally many tokens: `f32[texts][hidden]`, unit length.
    pub(super) fn encode(&self, texts: &[&[u32]]) -> Result<Vec<f32>, Error> {
        let tokens = texts.first().map_or(0, |text| text.len());
        let tokens = Tensor::from_vec(texts.concat(), (texts.len(), tokens), &self.device)?;
        let states = self.bert.forward(&tokens, &tokens.zeros_like()?, None)?;
        let means = states.mean(1)?;
        let lengths = means.sqr()?.sum_keepdim(1)?.sqrt()?;
        Ok(means.broadcast_div(&lengths)?.flatten_all()?.to_vec1()?)
    }
}

/// The tensors of a model by name, maps in eight bits as what they stand for.
pub(super) fn floating(
    weights: &[u8],
    device: &Device,
) -> candle_core::Result<HashMap<String, Tensor>> {
    let mut tensors = safetensors::load_buffer(weights, device)?;
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
