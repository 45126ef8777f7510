//! Sentence models of the families that candle-transformers has, in f32, on any device that candle has: every text
//! of a model from a folder goes through one, and on a GPU many texts of the embedded model.

use std::collections::{HashMap, HashSet};

use candle_core::{DType, Device, Tensor, safetensors};
use candle_nn::VarBuilder;
use candle_transformers::models::{bert, distilbert, modernbert, nomic_bert, xlm_roberta};

use super::Error;
use super::bundle::Bundle;
use super::config::{Config, Family, Pooling};

/// What checkpoints write before the names of a model's tensors, by family and by who saved them.
const PREFIXES: [&str; 6] = ["", "model.", "bert.", "distilbert.", "roberta.", "nomic_bert."];

/// The prefix that candle asks for ModernBERT's tensors with, whether or not the checkpoint has it.
const ASKED_PREFIX: &str = "model.";

/// Tokens of a batch on the CPU: what is between two layers fits tens of megabytes.
const CPU_BATCH_TOKENS: usize = 4 * 1024;

/// Tokens of a batch on a device: enough to keep a GPU busy.
const DEVICE_BATCH_TOKENS: usize = 16 * 1024;

/// A model, run by candle-transformers.
pub(super) struct Transformer {
    network: Network,
    pooling: Pooling,
    device: Device,
}

/// The layers, by family.
enum Network {
    Bert(bert::BertModel),
    DistilBert(distilbert::DistilBertModel),
    Roberta(xlm_roberta::XLMRobertaModel),
    ModernBert(modernbert::ModernBert),
    NomicBert(nomic_bert::NomicBertModel),
}

impl std::fmt::Debug for Transformer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Transformer").field("device", &self.device).finish_non_exhaustive()
    }
}

impl Transformer {
    /// The model of a bundle on a device.
    ///
    /// # Errors
    /// [`Error::Parse`] when `config.json` lacks what its family needs, [`Error::Weights`] when the weights are not
    /// those of that configuration.
    pub(super) fn of(bundle: &Bundle, config: &Config, device: &Device) -> Result<Self, Error> {
        let tensors = floating(&bundle.weights, device).map_err(Error::Weights)?;
        let names: HashSet<String> = tensors.keys().cloned().collect();
        let stored = move |name: &str| {
            let bare = name.strip_prefix(ASKED_PREFIX).unwrap_or(name);
            let candidates = PREFIXES.iter().map(|prefix| format!("{prefix}{bare}"));
            candidates.into_iter().find(|name| names.contains(name)).unwrap_or(name.to_owned())
        };
        let weights = VarBuilder::from_tensors(tensors, DType::F32, device).rename_f(stored);
        let network = match config.family {
            Family::Bert => bert::BertModel::load(weights, &bundle.config()?).map(Network::Bert),
            Family::DistilBert => {
                let model = distilbert::DistilBertModel::load(weights, &bundle.config()?);
                model.map(Network::DistilBert)
            }
            Family::Roberta => {
                let model = xlm_roberta::XLMRobertaModel::new(&bundle.config()?, weights);
                model.map(Network::Roberta)
            }
            Family::ModernBert => {
                modernbert::ModernBert::load(weights, &bundle.config()?).map(Network::ModernBert)
            }
            Family::NomicBert => {
                let model = nomic_bert::NomicBertModel::load(weights, &bundle.config()?);
                model.map(Network::NomicBert)
            }
        };
        let network = network.map_err(Error::Weights)?;
        Ok(Self { network, pooling: config.pooling, device: device.clone() })
    }

    /// What its arithmetic is called, with the device.
    pub(super) fn kernel(&self) -> &'static str {
        match self.device {
            Device::Cpu => "f32 on the CPU",
            Device::Cuda(_) => "f32 on CUDA",
            Device::Metal(_) => "f32 on Metal",
        }
    }

    pub(super) fn is_on_cpu(&self) -> bool {
        self.device.is_cpu()
    }

    /// Tokens that are encoded at once.
    pub(super) fn batch_tokens(&self) -> usize {
        if self.is_on_cpu() { CPU_BATCH_TOKENS } else { DEVICE_BATCH_TOKENS }
    }

    /// The vectors of texts of equally many tokens: `f32[texts][hidden]`, unit length.
    ///
    /// # Errors
    /// [`Error::Candle`] when the device fails, or when a vector has no length, as of weights that are not finite.
    pub(super) fn encode(&self, texts: &[&[u32]]) -> Result<Vec<f32>, Error> {
        let tokens = texts.first().map_or(0, |text| text.len());
        let tokens = Tensor::from_vec(texts.concat(), (texts.len(), tokens), &self.device)?;
        let states = self.states(&tokens)?;
        let pooled = match self.pooling {
            Pooling::Mean => states.mean(1)?,
            Pooling::FirstToken => states.narrow(1, 0, 1)?.squeeze(1)?,
        };
        let lengths = pooled.sqr()?.sum_keepdim(1)?.sqrt()?;
        let vectors: Vec<f32> = pooled.broadcast_div(&lengths)?.flatten_all()?.to_vec1()?;
        match vectors.iter().find(|value| !value.is_finite()) {
            Some(value) => {
                let text = format!("a vector of finite numbers was expected, {value} is in it");
                Err(candle_core::Error::Msg(text).into())
            }
            None => Ok(vectors),
        }
    }

    /// The last layer's rows: `f32[texts][tokens][hidden]`. No text is padded, so nothing is masked.
    fn states(&self, tokens: &Tensor) -> candle_core::Result<Tensor> {
        match &self.network {
            Network::Bert(model) => model.forward(tokens, &tokens.zeros_like()?, None),
            Network::DistilBert(model) => {
                // Here 1 is what is masked.
                let mask = Tensor::zeros((1, 1, 1, tokens.dim(1)?), DType::U8, &self.device)?;
                model.forward(tokens, &mask)
            }
            Network::Roberta(model) => {
                let (mask, types) = (tokens.ones_like()?, tokens.zeros_like()?);
                model.forward(tokens, &mask, &types, None, None, None)
            }
            Network::ModernBert(model) => model.forward(tokens, &tokens.ones_like()?),
            Network::NomicBert(model) => model.forward(tokens, Some(&tokens.zeros_like()?), None),
        }
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
        let mut part = |part: &str| {
            let name = format!("{map}.{part}");
            let missing = || candle_core::Error::CannotFindTensor { path: name.clone() };
            tensors.remove(&name).ok_or_else(missing)?.to_dtype(DType::F32)
        };
        let (bytes, scale, smoothing) =
            (part("weight")?, part("weight_scale")?, part("smoothing")?);
        // Two's complement, which candle has no type for.
        let integers = (&bytes - (bytes.ge(128_f64)?.to_dtype(DType::F32)? * 256.0)?)?;
        let scaled = integers.broadcast_mul(&scale.unsqueeze(1)?)?;
        tensors.insert(format!("{map}.weight"), scaled.broadcast_div(&smoothing)?);
    }
    Ok(tensors)
}
