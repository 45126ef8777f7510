//! The network of a GGUF file, as candle has it for each architecture, on the processor.

use std::collections::HashMap;
use std::io::{Read, Seek};

use candle_core::quantized::gguf_file::{Content, Value};
use candle_core::{DType, Device, Tensor};
use candle_transformers::models::quantized_llama::ModelWeights as Llama;
use candle_transformers::models::quantized_phi3::ModelWeights as Phi3;
use candle_transformers::models::quantized_qwen2::ModelWeights as Qwen2;
use candle_transformers::models::quantized_qwen3::ModelWeights as Qwen3;

/// Tokens of a prompt and what is written after it, together.
pub const CONTEXT_TOKENS_MAX: usize = 2_048;

/// Tokens that are read at once; the clock is looked at between.
const CHUNK_TOKENS_MAX: usize = 32;

/// The architectures that are read, as files name them (`general.architecture`).
pub(super) const ARCHITECTURES: [&str; 4] = ["llama", "qwen2", "qwen3", "phi3"];

/// Sizes that memory is set aside by before any tensor is read. No model that a processor runs has larger ones.
const SIZES: [&str; 7] = [
    "block_count",
    "embedding_length",
    "feed_forward_length",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.key_length",
    "rope.dimension_count",
];
const SIZE_MAX: u64 = 65_536;

/// The table of which tokens' vectors are taken; it is held in f32.
const EMBEDDINGS: &str = "token_embd.weight";

/// A network with what it has read so far.
pub(super) enum Network {
    Llama(Box<Llama>),
    Qwen2(Box<Qwen2>),
    /// Single tokens go into a memory of their own, which only single tokens are read after: `is_single` says whether one
    /// was read.
    Qwen3 {
        weights: Box<Qwen3>,
        is_single: bool,
    },
    Phi3(Box<Phi3>),
}

impl Network {
    /// Reads the tensors. May panic on a file whose tensors do not fit each other.
    pub(super) fn of(
        mut content: Content,
        reader: &mut (impl Read + Seek),
    ) -> candle_core::Result<Self> {
        let name = architecture(&content.metadata);
        // Tables over all positions that a model could read take memory that nothing uses.
        let context = Value::U32(CONTEXT_TOKENS_MAX as u32);
        content.metadata.insert(format!("{name}.context_length"), context);
        let device = &Device::Cpu;
        Ok(match &*name {
            "qwen2" => Self::Qwen2(Qwen2::from_gguf(content, reader, device)?.into()),
            "qwen3" => {
                let weights = Qwen3::from_gguf(content, reader, device)?.into();
                Self::Qwen3 { weights, is_single: false }
            }
            "phi3" => Self::Phi3(Phi3::from_gguf(false, content, reader, device)?.into()),
            _ => Self::Llama(Llama::from_gguf(content, reader, device)?.into()),
        })
    }

    /// Another one that has read the same; the weights are shared. `None` of what cannot be copied.
    pub(super) fn copy(&self) -> Option<Self> {
        Some(match self {
            Self::Llama(weights) => Self::Llama(weights.clone()),
            Self::Qwen2(_) => return None,
            Self::Qwen3 { weights, is_single } => {
                Self::Qwen3 { weights: weights.clone(), is_single: *is_single }
            }
            Self::Phi3(weights) => Self::Phi3(weights.clone()),
        })
    }

    /// Forgets what it has read, where it cannot be copied.
    pub(super) fn clear(&mut self) {
        if let Self::Qwen2(weights) = self {
            weights.clear_kv_cache();
        }
    }

    /// How many of some tokens, at least one, are best read next.
    pub(super) fn chunk_tokens(&self, position: usize, tokens: usize) -> usize {
        match self {
            // It keeps a mask for each pair of length and position for good: these are few where chunks begin at
            // multiples of their length.
            Self::Qwen2(_) => {
                let aligned = position.trailing_zeros().min(CHUNK_TOKENS_MAX.ilog2());
                1 << aligned.min(tokens.ilog2())
            }
            Self::Qwen3 { is_single: true, .. } => 1,
            // Never leaves a single token for the last chunk.
            _ if tokens == CHUNK_TOKENS_MAX + 1 => CHUNK_TOKENS_MAX - 1,
            _ => tokens.min(CHUNK_TOKENS_MAX),
        }
    }

    /// Reads a chunk of tokens at a position, and returns how likely each token is to follow, as logits.
    pub(super) fn read(
        &mut self,
        tokens: &[u32],
        position: usize,
    ) -> candle_core::Result<Vec<f32>> {
        let input = Tensor::new(tokens, &Device::Cpu)?.unsqueeze(0)?;
        let logits = match self {
            Self::Llama(weights) => weights.forward(&input, position),
            Self::Qwen2(weights) => weights.forward(&input, position),
            Self::Qwen3 { weights, is_single } => {
                *is_single |= tokens.len() == 1;
                weights.forward(&input, position)
            }
            Self::Phi3(weights) => weights.forward(&input, position),
        };
        logits?.flatten_all()?.to_dtype(DType::F32)?.to_vec1()
    }
}

/// The architecture that a file names.
pub(super) fn architecture(metadata: &HashMap<String, Value>) -> String {
    let name = metadata.get("general.architecture").and_then(|name| name.to_string().ok());
    name.cloned().unwrap_or_default()
}

/// A size that a file states for its architecture.
fn size(content: &Content, name: &str) -> Option<u64> {
    let key = format!("{}.{name}", architecture(&content.metadata));
    content.metadata.get(&key)?.to_u64().ok()
}

/// The first size that no model has, with what is found.
pub(super) fn wrong_size(content: &Content) -> Option<String> {
    // Candle makes a slice of the bytes of each, which must not be none.
    let mut tensors = content.tensor_infos.iter();
    if let Some((name, _)) = tensors.find(|(_, tensor)| tensor.shape.dims().contains(&0)) {
        return Some(format!("tensor {name} without elements, expected some in each"));
    }
    SIZES.into_iter().find_map(|name| {
        let found = size(content, name)?;
        // Each block has tensors of its own.
        let blocks_max = content.tensor_infos.len() as u64;
        let max = if name == SIZES[0] { blocks_max } else { SIZE_MAX };
        let architecture = architecture(&content.metadata);
        (found == 0 || found > max)
            .then(|| format!("{architecture}.{name} {found}, expected 1 to {max}"))
    })
}

/// Bytes of memory that a file of a length takes: itself, the embeddings in f32, and what a whole context leaves behind.
pub(super) fn memory_bytes(content: &Content, file_bytes: u64) -> u64 {
    let elements = content.tensor_infos.get(EMBEDDINGS).map_or(0, |tensor| {
        let dims = tensor.shape.dims().iter();
        dims.fold(1u64, |product, size| product.saturating_mul(*size as u64))
    });
    let size = |name: &str| size(content, name).unwrap_or(1);
    let shared = size("attention.head_count") / size("attention.head_count_kv").max(1);
    let keys = size("embedding_length") / shared.max(1) * size("block_count");
    let kept = keys.saturating_mul(2 * CONTEXT_TOKENS_MAX as u64);
    file_bytes.saturating_add(elements.saturating_add(kept).saturating_mul(size_of::<f32>() as u64))
}
