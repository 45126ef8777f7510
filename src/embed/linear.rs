//! A linear map in f32.

use super::Error;
use super::weights::Weights;

/// A linear map in f32, for the few outputs of heads.
#[derive(Debug)]
pub(super) struct Linear {
    /// `f32[outputs][inputs]`.
    matrix: Vec<f32>,
    bias: Vec<f32>,
}

impl Linear {
    /// The map of that name.
    pub(super) fn of(
        weights: &Weights<'_>,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self, Error> {
        let matrix = weights.tensor(&format!("{name}.weight"), &[outputs, inputs])?;
        Ok(Self { matrix, bias: weights.tensor(&format!("{name}.bias"), &[outputs])? })
    }

    /// What it gives for zero: `f32[outputs]`.
    pub(super) fn bias(&self) -> &[f32] {
        &self.bias
    }

    /// Adds the outputs for an input.
    pub(super) fn apply(&self, input: &[f32], out: &mut Vec<f32>) {
        let rows = self.matrix.chunks_exact(input.len());
        out.extend(rows.zip(&self.bias).map(|(row, bias)| bias + dot(row, input)));
    }
}

/// The product of two vectors, summed in lanes, so that it takes vector instructions.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0_f32; LANES];
    let (a_chunks, b_chunks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest = a_chunks.remainder().iter().zip(b_chunks.remainder());
    let rest: f32 = rest.map(|(a, b)| a * b).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f32>() + rest
}
