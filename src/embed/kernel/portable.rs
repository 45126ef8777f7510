//! Plain loops: what every other kernel must agree with.

use super::{Multiply, PANEL, Packed, Rows};

pub(super) struct Portable;

impl Multiply for Portable {
    #[inline(always)]
    fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
        let (inputs, outputs) = (weights.inputs, weights.outputs());
        for panel in 0..outputs / PANEL {
            let first = panel * PANEL;
            let scales = &weights.scales[first..first + PANEL];
            let bias = &weights.bias[first..first + PANEL];
            let rows = rows.values.chunks_exact(inputs).zip(rows.scales);
            for ((row, row_scale), out) in rows.zip(out.chunks_exact_mut(outputs)) {
                let sums = sums(row, weights.panel(panel));
                for (column, out) in out[first..first + PANEL].iter_mut().enumerate() {
                    *out = sums[column] as f32 * (row_scale * scales[column]) + bias[column];
                }
            }
        }
    }
}

/// The sums of one row with the outputs of a panel.
#[inline(always)]
fn sums(row: &[i16], panel: &[i16]) -> [i32; PANEL] {
    let mut sums = [0_i32; PANEL];
    for (pair, weights) in row.chunks_exact(2).zip(panel.chunks_exact(2 * PANEL)) {
        let (low, high) = (i32::from(pair[0]), i32::from(pair[1]));
        for (sum, weight) in sums.iter_mut().zip(weights.chunks_exact(2)) {
            *sum += low * i32::from(weight[0]) + high * i32::from(weight[1]);
        }
    }
    sums
}
