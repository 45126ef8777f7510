//! Weights of a linear map, quantised and laid out for the tiles of the product.

use super::{ACTIVATION_MAX, PANEL, WEIGHT_MAX};

/// A linear map: `inputs` to `outputs`, with a bias.
#[derive(Debug)]
pub(in crate::embed) struct Packed {
    /// Panels of [`PANEL`] outputs; in a panel, for each pair of inputs, the two weights of each
    /// output side by side: `values[panel][pair][output][2]`.
    values: Vec<i16>,
    /// Of each output: what a unit of its quantised weights is worth.
    pub(super) scales: Vec<f32>,
    /// Of each output.
    pub(super) bias: Vec<f32>,
    pub(super) inputs: usize,
}

impl Packed {
    /// Of a matrix `f32[outputs][inputs]` and a bias `f32[outputs]`; inputs are even, outputs a
    /// multiple of [`PANEL`] (as the configuration of a model was checked for).
    ///
    /// A column's scale leaves room for its worst sum: the products of one output cannot overflow
    /// 32 bits whatever the activations are.
    pub(in crate::embed) fn of(matrix: &[f32], bias: &[f32], inputs: usize) -> Self {
        let outputs = bias.len();
        assert!(inputs.is_multiple_of(2) && outputs.is_multiple_of(PANEL), "checked shapes");
        let mut values = vec![0; inputs * outputs];
        let mut scales = Vec::with_capacity(outputs);
        for (output, weights) in matrix.chunks_exact(inputs).enumerate() {
            let scale = scale_of(weights);
            let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
            let (panel, column) = (output / PANEL, output % PANEL);
            let panel = &mut values[panel * PANEL * inputs..][..PANEL * inputs];
            for (input, weight) in weights.iter().enumerate() {
                let at = (input / 2 * PANEL + column) * 2 + input % 2;
                panel[at] = (weight * inverse).round() as i16;
            }
            scales.push(scale);
        }
        Self { values, scales, bias: bias.to_vec(), inputs }
    }

    pub(in crate::embed) fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// The panel of the outputs from `16 · panel` on: `i16[inputs / 2][PANEL][2]`.
    #[inline(always)]
    pub(super) fn panel(&self, panel: usize) -> &[i16] {
        &self.values[panel * PANEL * self.inputs..][..PANEL * self.inputs]
    }
}

fn scale_of(weights: &[f32]) -> f32 {
    let largest = weights.iter().fold(0_f32, |largest, weight| largest.max(weight.abs()));
    let sum: f64 = weights.iter().map(|weight| f64::from(weight.abs())).sum();
    // Half a unit a weight is what rounding may add.
    let room = f64::from(i32::MAX) / f64::from(ACTIVATION_MAX) - 0.5 * weights.len() as f64;
    (largest / WEIGHT_MAX).max((sum / room) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sum_can_overflow() {
        // Weights that are all as large as can be: the worst column there is.
        for inputs in [2, 384, 3072, 8192] {
            let matrix = vec![1.0; inputs * PANEL];
            let packed = Packed::of(&matrix, &[0.0; PANEL], inputs);
            let sum: i64 = packed.values.iter().step_by(PANEL).map(|&w| i64::from(w.abs())).sum();
            let column: i64 = (0..inputs / 2)
                .map(|pair| {
                    let at = pair * PANEL * 2;
                    i64::from(packed.values[at]) + i64::from(packed.values[at + 1])
                })
                .sum();
            assert!(sum > 0 && column * ACTIVATION_MAX as i64 <= i64::from(i32::MAX), "{inputs}");
        }
    }

    #[test]
    fn a_column_of_zeros_stays_zero() {
        let packed = Packed::of(&[0.0; 4 * PANEL], &[1.5; PANEL], 4);
        assert!(packed.values.iter().all(|&value| value == 0));
        assert_eq!(packed.scales, [0.0; PANEL]);
    }
}
