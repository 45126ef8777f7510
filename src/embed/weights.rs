//! Reads tensors by name and shape from weights in the safetensors format.

use std::borrow::Cow;

use candle_core::safetensors::Load;
use candle_core::{DType, Device, Tensor};
use half::f16;
use safetensors::{Dtype, SafeTensors};

use super::Error;
use super::kernel::{GROUP_SUM_MAX, Inputs, Norm, Packed, Quantised};

/// Opened weights.
pub(super) struct Weights<'a> {
    tensors: SafeTensors<'a>,
    /// What stands before every name: nothing, or what a model with a head on top writes.
    prefix: &'static str,
    epsilon: f32,
}

/// Prefixes that published models have.
const PREFIXES: [&str; 2] = ["", "bert."];

impl<'a> Weights<'a> {
    pub(super) fn of(bytes: &'a [u8], epsilon: f32) -> Result<Self, Error> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| Error::Parse {
            file: "model.safetensors",
            expected: "tensors in the safetensors format",
            source: error.into(),
        })?;
        let has = |prefix: &&&str| tensors.tensor(&format!("{prefix}{WORDS}")).is_ok();
        let prefix = PREFIXES.iter().find(has).copied().unwrap_or_default();
        Ok(Self { tensors, prefix, epsilon })
    }

    fn load(&self, name: &str) -> Option<Tensor> {
        self.tensors.tensor(name).ok()?.load(&Device::Cpu).ok()
    }

    /// A tensor of that shape as f32, row by row.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let name = format!("{}{name}", self.prefix);
        let wrong = |found: String| Error::Tensor {
            name: name.clone(),
            expected: format!("{shape:?} of floating point"),
            found,
        };
        let found = self.load(&name).ok_or_else(|| wrong("none".to_owned()))?;
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

    /// A tensor of that shape in half precision, its bytes row by row: those of the file where it is so there.
    pub(super) fn half(&self, name: &str, shape: &[usize]) -> Result<Cow<'a, [u8]>, Error> {
        let found = self.tensors.tensor(&format!("{}{name}", self.prefix));
        let halves = found.ok().filter(|view| view.dtype() == Dtype::F16 && view.shape() == shape);
        if let Some(bytes) = halves.map(|view| view.data())
            && bytes.as_chunks::<2>().0.iter().all(|half| f16::from_le_bytes(*half).is_finite())
        {
            return Ok(Cow::Borrowed(bytes));
        }
        let values = self.tensor(name, shape)?;
        Ok(values.into_iter().flat_map(|value| f16::from_f32(value).to_le_bytes()).collect())
    }

    /// A tensor of that shape as bytes, row by row.
    pub(super) fn bytes(&self, name: &str, shape: &[usize]) -> Result<Vec<u8>, Error> {
        let name = &format!("{}{name}", self.prefix);
        let wrong = |found: String| Error::Tensor {
            name: name.to_owned(),
            expected: format!("{shape:?} of bytes"),
            found,
        };
        let found = self.load(name).ok_or_else(|| wrong("none".to_owned()))?;
        if found.dims() != shape || found.dtype() != DType::U8 {
            return Err(wrong(format!("{:?} of {:?}", found.dims(), found.dtype())));
        }
        let values = found.flatten_all().and_then(|tensor| tensor.to_vec1::<u8>());
        values.map_err(|error| wrong(error.to_string()))
    }

    /// Whether the linear map `name` is stored in eight bits rather than in floating point.
    pub(super) fn is_quantised(&self, name: &str) -> bool {
        self.tensors.tensor(&format!("{}{name}.weight_scale", self.prefix)).is_ok()
    }

    /// Linear maps of the same inputs, side by side: in eight bits, or in floating point, of which eight bits
    /// are made by what is known of what the map takes.
    pub(super) fn linear<N: AsRef<str>>(
        &self,
        names: &[N],
        inputs: usize,
        outputs: usize,
        seen: Option<&Inputs>,
    ) -> Result<Packed, Error> {
        let (mut floating, mut bias) = (Vec::new(), Vec::new());
        let mut joined =
            Quantised { values: Vec::new(), scales: Vec::new(), smoothing: Vec::new() };
        for name in names {
            let name = name.as_ref();
            bias.extend(self.tensor(&format!("{name}.bias"), &[outputs])?);
            if !self.is_quantised(name) {
                floating.extend(self.tensor(&format!("{name}.weight"), &[outputs, inputs])?);
                continue;
            }
            let matrix = self.quantised(name, inputs, outputs)?;
            if !joined.smoothing.is_empty() && joined.smoothing != matrix.smoothing {
                return Err(self.unfit(name, "smoothing", "that of the maps beside it"));
            }
            joined.values.extend(matrix.values);
            joined.scales.extend(matrix.scales);
            joined.smoothing = matrix.smoothing;
        }
        match (joined.values.is_empty(), floating.is_empty()) {
            (true, _) => {
                let rounded = Quantised::round(&floating, inputs, seen);
                if let Some(seen) = seen {
                    let errors = rounded.mean_errors(&floating, seen);
                    bias.iter_mut().zip(errors).for_each(|(bias, error)| *bias -= error);
                }
                Ok(Packed::of(rounded, bias))
            }
            (false, true) => Ok(Packed::of(joined, bias)),
            (false, false) => {
                let name = names.first().map_or("", AsRef::as_ref);
                Err(self.unfit(
                    name,
                    "weight",
                    "eight bits in all maps of the same inputs, or in none",
                ))
            }
        }
    }

    /// The matrix of a linear map in eight bits.
    fn quantised(&self, name: &str, inputs: usize, outputs: usize) -> Result<Quantised, Error> {
        let values = self.bytes(&format!("{name}.weight"), &[outputs, inputs])?;
        let matrix = Quantised {
            values: values.into_iter().map(u8::cast_signed).collect(),
            scales: self.tensor(&format!("{name}.weight_scale"), &[outputs])?,
            smoothing: self.tensor(&format!("{name}.smoothing"), &[inputs])?,
        };
        if !matrix.smoothing.iter().all(|smoothing| smoothing.is_normal()) {
            return Err(self.unfit(name, "smoothing", "no nought"));
        }
        if !matrix.fits() {
            let expected = format!("groups of weights of a sum up to {GROUP_SUM_MAX}");
            return Err(self.unfit(name, "weight", &expected));
        }
        Ok(matrix)
    }

    fn unfit(&self, name: &str, part: &str, expected: &str) -> Error {
        let name = format!("{}{name}.{part}", self.prefix);
        Error::Tensor { name, expected: expected.to_owned(), found: "others".to_owned() }
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
