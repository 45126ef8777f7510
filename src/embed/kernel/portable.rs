//! Plain loops: what every other kernel must agree with.

use super::packed::QUAD;
use super::{Multiply, PANEL, Packed, Rows};

pub(super) struct Portable;

impl Multiply for Portable {
    #[inline(always)]
    fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
        let (inputs, outputs) = (weights.inputs(), weights.outputs());
        for panel in 0..outputs / PANEL {
            let first = panel * PANEL;
            let steps = rows.values.chunks_exact(inputs).zip(rows.steps);
            for ((row, step), out) in steps.zip(out.chunks_exact_mut(outputs)) {
                step.scale(&sums(row, weights.panel(panel)), weights, first, out);
            }
        }
    }
}

/// The sums of one row with the outputs of a panel.
#[inline(always)]
fn sums(row: &[u8], panel: &[i8]) -> [i32; PANEL] {
    let mut sums = [0_i32; PANEL];
    let quads = row.as_chunks::<QUAD>().0.iter();
    for (quad, weights) in quads.zip(panel.chunks_exact(QUAD * PANEL)) {
        for (sum, weights) in sums.iter_mut().zip(weights.as_chunks::<QUAD>().0) {
            for (value, weight) in quad.iter().zip(weights) {
                *sum += i32::from(*value) * i32::from(*weight);
            }
        }
    }
    sums
}
