//! Reads tensors by name and shape from weights in the safetensors format.

use candle_core::safetensors::SliceSafetensors;
use candle_core::{DType, Device};

use super::Error;
use super::kernel::{Norm, Packed};

/// Opened weights.
pub(super) struct Weights<'a> {
    tensors: SliceSafetensors<'a>,
    /// What stands before every name: nothing, or what a model with a head on top writes.
    prefix: &'static str,
    epsilon: f32,
}

/// Prefixes that published models have.
const PREFIXES: [&str; 2] = ["", "bert."];

impl<'a> Weights<'a> {
    pub(super) fn of(bytes: &'a [u8], epsilon: f32) -> Result<Self, Error> {
        let tensors = SliceSafetensors::new(bytes).map_err(|error| Error::Parse {
            file: "model.safetensors",
            expected: "tensors in the safetensors format",
            source: error.into(),
        })?;
        let has = |prefix: &&&str| tensors.get(&format!("{prefix}{WORDS}")).is_ok();
        let prefix = PREFIXES.iter().find(has).copied().unwrap_or_default();
        Ok(Self { tensors, prefix, epsilon })
    }

    /// A tensor of that shape as f32, row by row.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let name = format!("{}{name}", self.prefix);
        let wrong = |found: String| Error::Tensor {
            name: name.clone(),
            expected: format!("{shape:?} of floating point"),
            found,
        };
        let found = self.tensors.load(&name, &Device::Cpu).map_err(|_| wrong("none".to_owned()))?;
        let floating = matches!(found.dtype(), DType::F32 | DType::F16 | DType::BF16 | DType::F64);
        if found.dims() != shape || !floating {
            return Err(wrong(format!("{:?} of {:?}", found.dims(), found.dtype())));
        }
        let values = found
            .to_dtype(DType::F32)
            .and_then(|tensor| tensor.flatten_all()?.to_vec1::<f32>())
            .map_err(|error| wrong(error.to_string()))?;
        match values.iter().find(|value| !value.is_finite()) {
            Some(value) => Err(wrong(format!("{value} in it"))),
            None => Ok(values),
        }
    }

    /// A tensor of that shape as bytes, row by row.
    pub(super) fn bytes(&self, name: &str, shape: &[usize]) -> Result<Vec<u8>, Error> {
        let wrong = |found: String| Error::Tensor {
            name: name.to_owned(),
            expected: format!("{shape:?} of bytes"),
            found,
        };
        let found = self.tensors.load(name, &Device::Cpu).map_err(|_| wrong("none".to_owned()))?;
        if found.dims() != shape || found.dtype() != DType::U8 {
            return Err(wrong(format!("{:?} of {:?}", found.dims(), found.dtype())));
        }
        let values = found.flatten_all().and_then(|tensor| tensor.to_vec1::<u8>());
        values.map_err(|error| wrong(error.to_string()))
    }

    /// A linear map by its name.
    pub(super) fn linear(
        &self,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Packed, Error> {
        let (matrix, bias) = self.matrix_and_bias(name, inputs, outputs)?;
        Ok(Packed::of(&matrix, &bias, inputs))
    }

    /// Several linear maps of the same inputs, side by side.
    pub(super) fn linears(
        &self,
        names: &[String],
        inputs: usize,
        outputs: usize,
    ) -> Result<Packed, Error> {
        let (mut matrix, mut bias) = (Vec::new(), Vec::new());
        for name in names {
            let (weights, biases) = self.matrix_and_bias(name, inputs, outputs)?;
            matrix.extend(weights);
            bias.extend(biases);
        }
        Ok(Packed::of(&matrix, &bias, inputs))
    }

    /// The matrix of a linear map, `f32[outputs][inputs]`, and what is added.
    pub(super) fn matrix_and_bias(
        &self,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<(Vec<f32>, Vec<f32>), Error> {
        let matrix = self.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
        Ok((matrix, self.tensor(&format!("{name}.bias"), &[outputs])?))
    }

    /// A layer normalisation by its name.
    pub(super) fn norm(&self, name: &str, hidden: usize) -> Result<Norm, Error> {
        Ok(Norm {
            gain: self.tensor(&format!("{name}.weight"), &[hidden])?,
            bias: self.tensor(&format!("{name}.bias"), &[hidden])?,
            epsilon: self.epsilon,
        })
    }
}

/// The embeddings of words.
pub(super) const WORDS: &str = "embeddings.word_embeddings.weight";
