//! A layer of the encoder as an operation of candle.

use std::cell::RefCell;

use candle_core::{CpuStorage, InplaceOp1, Layout, bail};

use super::kernel::{Batch, Kernel, Layer, Scratch};

/// Runs a layer over rows `f32[texts · tokens][hidden]` in place, on the CPU: attention, feed-forward and
/// their norms in eight bits, by the instructions that the CPU has.
pub(super) struct LayerOp<'a> {
    kernel: Kernel,
    layer: &'a Layer,
    batch: Batch,
    /// candle lends an operation out as shared.
    scratch: RefCell<&'a mut Scratch>,
}

impl<'a> LayerOp<'a> {
    pub(super) fn new(
        kernel: Kernel,
        layer: &'a Layer,
        batch: Batch,
        scratch: &'a mut Scratch,
    ) -> Self {
        Self { kernel, layer, batch, scratch: RefCell::new(scratch) }
    }
}

impl InplaceOp1 for LayerOp<'_> {
    fn name(&self) -> &'static str {
        "encoder-layer"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> candle_core::Result<()> {
        let expected = [self.batch.texts * self.batch.tokens, self.layer.hidden()];
        let (CpuStorage::F32(values), Some((start, end))) = (storage, layout.contiguous_offsets())
        else {
            bail!("{} takes contiguous rows of f32", self.name());
        };
        if layout.dims() != expected {
            bail!("{} takes rows {expected:?}, found {:?}", self.name(), layout.dims());
        }
        let scratch = &mut self.scratch.borrow_mut();
        self.kernel.layer(self.layer, self.batch, &mut values[start..end], scratch);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use candle_core::{DType, Device, Tensor};

    use super::super::tests::model;
    use super::*;

    #[test]
    fn takes_rows_of_its_batch_alone() {
        let encoder = &model().encoder;
        let (rows, batch) = encoder.embed_tokens(&[&[101, 2833, 102]]).unwrap();
        let mut scratch = Scratch::default();
        let mut run = |rows: &Tensor| {
            encoder.run_layers(encoder.lower(1), batch, rows, &mut scratch).map_err(|error| {
                use std::error::Error as _;
                error.source().unwrap().to_string()
            })
        };
        let device = Device::Cpu;
        assert!(run(&rows.to_dtype(DType::F64).unwrap()).unwrap_err().contains("of f32"));
        let wide = Tensor::zeros((3, 768), DType::F32, &device).unwrap();
        assert!(run(&wide.narrow(1, 0, 384).unwrap()).unwrap_err().contains("contiguous"));
        assert!(run(&wide).unwrap_err().contains("[3, 384], found [3, 768]"));
        let before: Vec<f32> = rows.flatten_all().unwrap().to_vec1().unwrap();
        // Rows that begin within a larger tensor.
        let pair = Tensor::cat(&[&rows, &rows], 0).unwrap();
        run(&pair.narrow(0, 3, 3).unwrap()).unwrap();
        run(&rows).unwrap();
        let [first, second] = [0, 3].map(|start| pair.narrow(0, start, 3).unwrap());
        let values = |rows: &Tensor| rows.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        assert_eq!(values(&first), before);
        assert_eq!(values(&second), values(&rows));
        assert_ne!(values(&rows), before);
    }

    #[test]
    fn rows_that_are_kept_are_those_of_all() {
        let encoder = &model().encoder;
        let (hidden, layer) = (encoder.lower(1)[0].hidden(), encoder.lower(1));
        let texts: [&[u32]; 2] = [&[101, 2833, 5085, 102], &[101, 4937, 3899, 102]];
        let run = |kept: usize| {
            let (rows, batch) = encoder.embed_tokens(&texts).unwrap();
            let batch = Batch { kept, ..batch };
            encoder.run_layers(layer, batch, &rows, &mut Scratch::default()).unwrap();
            rows.flatten_all().unwrap().to_vec1::<f32>().unwrap()
        };
        let (all, first) = (run(4), run(1));
        assert_eq!(first[..hidden], all[..hidden]);
        assert_eq!(first[hidden..2 * hidden], all[4 * hidden..5 * hidden]);
    }
}
