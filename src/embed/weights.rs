//! Reads tensors by name and shape from weights in the safetensors format.

use candle_core::safetensors::Load;
use candle_core::{DType, Device, Tensor};
use safetensors::{Dtype, SafeTensors};

use super::Error;
use super::kernel::{GROUP_SUM_MAX, Norm, Packed, Quantised};

/// Opened weights.
pub(super) struct Weights<'a> {
    tensors: SafeTensors<'a>,
    epsilon: f32,
}

impl<'a> Weights<'a> {
    pub(super) fn of(bytes: &'a [u8], epsilon: f32) -> Result<Self, Error> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| Error::Parse {
            file: "model.safetensors",
            expected: "tensors in the safetensors format",
            source: error.into(),
        })?;
        Ok(Self { tensors, epsilon })
    }

    fn load(&self, name: &str) -> Option<Tensor> {
        self.tensors.tensor(name).ok()?.load(&Device::Cpu).ok()
    }

    /// A tensor of that shape as f32, row by row.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let wrong = |found: String| Error::Tensor {
            name: name.to_owned(),
            expected: format!("{shape:?} of floating point"),
            found,
        };
        let found = self.load(name).ok_or_else(|| wrong("none".to_owned()))?;
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

    /// A tensor of that shape in half precision: the bytes of the file, row by row.
    pub(super) fn half(&self, name: &str, shape: &[usize]) -> Result<&'a [u8], Error> {
        let found = self.tensors.tensor(name).ok();
        let halves = found.filter(|view| view.dtype() == Dtype::F16 && view.shape() == shape);
        halves.map(|view| view.data()).ok_or_else(|| Error::Tensor {
            name: name.to_owned(),
            expected: format!("{shape:?} of half precision"),
            found: "none or another".to_owned(),
        })
    }

    /// A tensor of that shape as bytes, row by row.
    pub(super) fn bytes(&self, name: &str, shape: &[usize]) -> Result<Vec<u8>, Error> {
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

    /// Linear maps of the same inputs, side by side, in eight bits.
    pub(super) fn linear<N: AsRef<str>>(
        &self,
        names: &[N],
        inputs: usize,
        outputs: usize,
    ) -> Result<Packed, Error> {
        let mut bias = Vec::new();
        let mut joined =
            Quantised { values: Vec::new(), scales: Vec::new(), smoothing: Vec::new() };
        for name in names {
            let name = name.as_ref();
            bias.extend(self.tensor(&format!("{name}.bias"), &[outputs])?);
            let matrix = self.quantised(name, inputs, outputs)?;
            if !joined.smoothing.is_empty() && joined.smoothing != matrix.smoothing {
                return Err(unfit(name, "smoothing", "that of the maps beside it"));
            }
            joined.values.extend(matrix.values);
            joined.scales.extend(matrix.scales);
            joined.smoothing = matrix.smoothing;
        }
        Ok(Packed::of(joined, bias))
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
            return Err(unfit(name, "smoothing", "no nought"));
        }
        if !matrix.fits() {
            let expected = format!("groups of weights of a sum up to {GROUP_SUM_MAX}");
            return Err(unfit(name, "weight", &expected));
        }
        Ok(matrix)
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

/// A linear map some part of which is not what was expected.
fn unfit(name: &str, part: &str, expected: &str) -> Error {
    let name = format!("{name}.{part}");
    Error::Tensor { name, expected: expected.to_owned(), found: "others".to_owned() }
}
