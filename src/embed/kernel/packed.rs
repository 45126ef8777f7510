//! Weights of a linear map in eight bits, and laid out for the tiles of the product.

use super::PANEL;

/// Inputs whose weights stand side by side for each output: what `vpdpbusd` multiplies at once.
pub(super) const QUAD: usize = 4;

/// What the positive weights of a group, and the negative ones, may sum to: times 255, the
/// largest activation, it fits 16 bits, in which AVX2 adds a group's products.
pub const GROUP_SUM_MAX: i32 = 128;

/// Inputs over which groups are spread, and the groups among them.
const GROUPED: usize = 8;
const GROUPS: usize = 2;

/// Which group of its eight an input belongs to: 0, 1, 4 and 5 make one, 2, 3, 6 and 7 the other.
/// Those are the products that AVX2 adds before it widens them.
fn group_of(input: usize) -> usize {
    input / 2 % GROUPS
}

/// A matrix in eight bits: `weight[o][i] ≈ values[o][i] · scales[o] / smoothing[i]`.
#[derive(Debug)]
pub struct Quantised {
    /// `i8[outputs][inputs]`.
    pub values: Vec<i8>,
    /// `f32[outputs]`.
    pub scales: Vec<f32>,
    /// `f32[inputs]`: what activations are divided by before they are quantised.
    pub smoothing: Vec<f32>,
}

impl Quantised {
    /// Whether every group of every output keeps to [`GROUP_SUM_MAX`].
    pub fn fits(&self) -> bool {
        let outputs = self.values.chunks_exact(self.smoothing.len());
        outputs.flat_map(|weights| weights.chunks(GROUPED)).all(|weights| {
            group_sums(weights).iter().all(|sums| sums.iter().all(|sum| *sum <= GROUP_SUM_MAX))
        })
    }
}

/// Of each group among eight inputs: what its positive weights sum to, and its negative ones without
/// their sign.
fn group_sums(weights: &[i8]) -> [[i32; 2]; GROUPS] {
    let mut sums = [[0; 2]; GROUPS];
    for (input, weight) in weights.iter().enumerate() {
        let weight = i32::from(*weight);
        let [above, below] = &mut sums[group_of(input)];
        *above += weight.max(0);
        *below += (-weight).max(0);
    }
    sums
}

/// A linear map: `inputs` to `outputs`, with a bias.
#[derive(Debug)]
pub struct Packed {
    /// Panels of [`PANEL`] outputs; in a panel, for each [`QUAD`] of inputs, the weights of each
    /// output side by side: `i8[panel][quad][output][QUAD]`.
    values: Vec<i8>,
    /// Of each output: what its weights sum to.
    pub(super) sums: Vec<i32>,
    /// Of each output: what a unit of its quantised weights is worth.
    pub(super) scales: Vec<f32>,
    /// Of each output.
    pub(super) bias: Vec<f32>,
    /// Of each input: what activations are multiplied by before they are quantised.
    pub(super) reciprocals: Vec<f32>,
}

impl Packed {
    /// Of a matrix that [fits](Quantised::fits) and a bias `f32[outputs]`; inputs are a multiple of eight,
    /// outputs of [`PANEL`] (as the configuration of a model was checked for).
    pub fn of(matrix: Quantised, bias: Vec<f32>) -> Self {
        let (inputs, outputs) = (matrix.smoothing.len(), bias.len());
        assert!(inputs.is_multiple_of(GROUPED) && outputs.is_multiple_of(PANEL), "checked shapes");
        let mut values = vec![0; inputs * outputs];
        let panels = values.chunks_exact_mut(PANEL * inputs);
        for (panel, weights) in panels.zip(matrix.values.chunks_exact(PANEL * inputs)) {
            for (column, weights) in weights.chunks_exact(inputs).enumerate() {
                let places = panel.as_chunks_mut::<QUAD>().0.iter_mut().skip(column).step_by(PANEL);
                places.zip(weights.as_chunks::<QUAD>().0).for_each(|(place, quad)| *place = *quad);
            }
        }
        let sum = |weights: &[i8]| weights.iter().map(|weight| i32::from(*weight)).sum();
        Self {
            values,
            sums: matrix.values.chunks_exact(inputs).map(sum).collect(),
            scales: matrix.scales,
            bias,
            reciprocals: matrix.smoothing.iter().map(|smoothing| 1.0 / smoothing).collect(),
        }
    }

    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    pub fn inputs(&self) -> usize {
        self.reciprocals.len()
    }

    /// The panel of the outputs from `16 · panel` on: `i8[inputs / 4][PANEL][4]`.
    #[inline(always)]
    pub(super) fn panel(&self, panel: usize) -> &[i8] {
        let length = PANEL * self.inputs();
        &self.values[panel * length..][..length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_what_is_added_in_sixteen_bits() {
        let mut weights = vec![0_i8; GROUPED * PANEL];
        weights[..GROUPED].copy_from_slice(&[64, 64, -64, -64, 1, 0, 0, 0]);
        let quantised =
            |values| Quantised { values, scales: vec![1.0; PANEL], smoothing: vec![1.0; GROUPED] };
        assert!(!quantised(weights.clone()).fits(), "129 among inputs 0, 1, 4 and 5");
        weights[..GROUPED].copy_from_slice(&[64, 64, -64, -64, -1, 0, 1, 0]);
        assert!(quantised(weights).fits());
    }
}
