//! Weights of a linear map in eight bits, and laid out for the tiles of the product.

use super::PANEL;

/// Inputs whose weights stand side by side for each output: what `vpdpbusd` multiplies at once.
pub(super) const QUAD: usize = 4;

/// Largest absolute value of a quantised weight.
const WEIGHT_MAX: f32 = 127.0;

/// What the positive weights of a group, and the negative ones, may sum to: times 255, the
/// largest activation, it fits 16 bits, in which AVX2 adds a group's products.
pub const GROUP_SUM_MAX: i32 = 128;

/// What a group's weights may sum to before they are rounded, each by half a unit at most.
const GROUP_SUM_ROOM: f32 = GROUP_SUM_MAX as f32 - 2.0;

/// How much of what activations reach is moved into the weights (SmoothQuant, Xiao and others 2023).
const SMOOTHING: f32 = 0.6;

/// What counts as no reach at all.
const REACH_MIN: f32 = 1e-5;

/// Inputs over which groups are spread, and the groups among them.
const GROUPED: usize = 8;
const GROUPS: usize = 2;

/// Which group of its eight an input belongs to: 0, 1, 4 and 5 make one, 2, 3, 6 and 7 the other.
/// Those are the products that AVX2 adds before it widens them.
fn group_of(input: usize) -> usize {
    input / 2 % GROUPS
}

/// What a linear map takes, over some rows.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    rows: usize,
    /// The largest absolute value of each input.
    reach: Vec<f32>,
    sums: Vec<f32>,
}

impl Inputs {
    /// Of rows `f32[rows][width]`.
    #[cold]
    pub(super) fn of(rows: &[f32], width: usize) -> Self {
        let mut inputs = Self { rows: rows.len() / width, ..Self::with_width(width) };
        for row in rows.chunks_exact(width) {
            inputs
                .reach
                .iter_mut()
                .zip(row)
                .for_each(|(most, value)| *most = most.max(value.abs()));
            inputs.sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        inputs
    }

    fn with_width(width: usize) -> Self {
        Self { rows: 0, reach: vec![0.0; width], sums: vec![0.0; width] }
    }

    /// Takes in what the same map took of other rows.
    pub fn join(&mut self, other: &Self) {
        if self.rows == 0 {
            *self = Self::with_width(other.reach.len());
        }
        self.rows += other.rows;
        self.reach.iter_mut().zip(&other.reach).for_each(|(most, value)| *most = most.max(*value));
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, value)| *sum += value);
    }
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
    /// Rounds a matrix `f32[outputs][inputs]`, each output by the finest scale that leaves its groups
    /// room; where it is known what the map takes, after smoothing it. `scripts/model/quantise.py`
    /// does it with less error, from texts that it lets through.
    pub fn round(matrix: &[f32], inputs: usize, seen: Option<&Inputs>) -> Self {
        let smoothing = match seen {
            Some(seen) => smoothing_of(matrix, inputs, &seen.reach),
            None => vec![1.0; inputs],
        };
        let (mut values, mut scales) = (Vec::with_capacity(matrix.len()), Vec::new());
        let mut smoothed = vec![0.0; inputs];
        for weights in matrix.chunks_exact(inputs) {
            for ((smoothed, weight), smoothing) in smoothed.iter_mut().zip(weights).zip(&smoothing)
            {
                *smoothed = weight * smoothing;
            }
            let scale = finest_scale(&smoothed);
            let inverse = if scale > 0.0 { 1.0 / scale } else { 0.0 };
            values.extend(smoothed.iter().map(|weight| (weight * inverse).round() as i8));
            scales.push(scale);
        }
        Self { values, scales, smoothing }
    }

    /// What rounding adds to the outputs of a matrix `f32[outputs][inputs]`, in the mean of what the map takes.
    pub fn mean_errors(&self, matrix: &[f32], seen: &Inputs) -> Vec<f32> {
        let inputs = self.smoothing.len();
        let rows = matrix.chunks_exact(inputs).zip(self.values.chunks_exact(inputs));
        rows.zip(&self.scales)
            .map(|((weights, values), scale)| {
                let kept = values.iter().zip(&self.smoothing);
                let errors = kept.zip(weights).map(|((value, smoothing), weight)| {
                    f32::from(*value) * scale / smoothing - weight
                });
                let sum: f32 = errors.zip(&seen.sums).map(|(error, sum)| error * sum).sum();
                sum / seen.rows.max(1) as f32
            })
            .collect()
    }

    /// Whether every group of every output keeps to [`GROUP_SUM_MAX`].
    pub fn fits(&self) -> bool {
        let outputs = self.values.chunks_exact(self.smoothing.len());
        outputs.flat_map(|weights| weights.chunks(GROUPED)).all(|weights| {
            group_sums(weights, i32::from)
                .iter()
                .all(|sums| sums.iter().all(|sum| *sum <= GROUP_SUM_MAX))
        })
    }
}

/// What evens out the reach of inputs and the largest weights of a matrix `f32[outputs][inputs]`.
fn smoothing_of(matrix: &[f32], inputs: usize, reach: &[f32]) -> Vec<f32> {
    let mut largest = vec![REACH_MIN; inputs];
    for weights in matrix.chunks_exact(inputs) {
        largest.iter_mut().zip(weights).for_each(|(most, weight)| *most = most.max(weight.abs()));
    }
    let of = |(reach, largest): (&f32, &f32)| {
        reach.max(REACH_MIN).powf(SMOOTHING) / largest.powf(1.0 - SMOOTHING)
    };
    let smoothing: Vec<f32> = reach.iter().zip(&largest).map(of).collect();
    let mean = smoothing.iter().map(|value| value.ln()).sum::<f32>() / inputs as f32;
    smoothing.into_iter().map(|value| value / mean.exp()).collect()
}

/// The finest scale that keeps the weights of one output within their limits.
fn finest_scale(weights: &[f32]) -> f32 {
    let largest = weights.iter().fold(0_f32, |largest, weight| largest.max(weight.abs()));
    let groups = weights.chunks(GROUPED).flat_map(|weights| group_sums(weights, |weight| weight));
    let sum = groups.flatten().fold(0_f32, f32::max);
    (largest / WEIGHT_MAX).max(sum / GROUP_SUM_ROOM)
}

/// Of each group among eight inputs: what its positive weights sum to, and its negative ones without
/// their sign.
fn group_sums<W: Copy, S>(weights: &[W], value: impl Fn(W) -> S) -> [[S; 2]; GROUPS]
where
    S: Copy + Default + PartialOrd + std::ops::AddAssign + std::ops::Neg<Output = S>,
{
    let mut sums = [[S::default(); 2]; GROUPS];
    for (input, weight) in weights.iter().enumerate() {
        let weight = value(*weight);
        let [above, below] = &mut sums[group_of(input)];
        let nought = S::default();
        *above += if weight > nought { weight } else { nought };
        *below += if weight > nought { nought } else { -weight };
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
    fn rounded_weights_leave_their_groups_room() {
        let wave = |at: usize| ((at * 7919 % 2003) as f32 / 1001.5 - 1.0).powi(3);
        for matrix in [vec![1.0; 64 * PANEL], (0..64 * PANEL).map(wave).collect()] {
            let rounded = Quantised::round(&matrix, 64, None);
            assert!(rounded.fits());
            for (at, weight) in matrix.iter().enumerate() {
                let scale = rounded.scales[at / 64];
                let back = f32::from(rounded.values[at]) * scale;
                assert!((back - weight).abs() <= 0.501 * scale, "{back} for {weight}");
            }
        }
    }

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

    #[test]
    fn a_column_of_zeros_stays_zero() {
        let packed = Packed::of(
            Quantised::round(&[0.0; 8 * PANEL], 8, Some(&Inputs::of(&[1.0; 8], 8))),
            vec![1.5; PANEL],
        );
        assert!(packed.values.iter().all(|&value| value == 0));
        assert_eq!(packed.scales, [0.0; PANEL]);
    }
}
