//! AVX-512 with VNNI: `vpdpwssd` multiplies sixteen pairs of 16 bits and adds them to the sums.

use std::arch::x86_64::*;

use super::layer::{self, Batch, Layer, Scratch};
use super::{Multiply, PANEL, Packed, Rows};

/// Rows of a tile: of 32 registers, twelve sums leave the latency of `vpdpwssd` hidden.
const TILE: usize = 12;

pub(super) struct Avx512;

impl Multiply for Avx512 {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
        // SAFETY: reached only from `layer` below, which requires AVX-512 F, BW and VNNI.
        unsafe { multiply(rows, weights, out) }
    }
}

/// One layer, compiled for AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn layer(layer: &Layer, batch: Batch, scratch: &mut Scratch) {
    layer::run::<Avx512>(layer, batch, scratch);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
    let height = rows.scales.len();
    for panel in 0..weights.outputs() / PANEL {
        let mut row = 0;
        while row < height {
            let tile = Tile { rows, weights, row, panel };
            row += match height - row {
                1 => tile.run::<1>(out),
                2 | 3 => tile.run::<2>(out),
                4..=7 => tile.run::<4>(out),
                8..=11 => tile.run::<8>(out),
                _ => tile.run::<TILE>(out),
            };
        }
    }
}

/// Some rows times one panel.
struct Tile<'a> {
    rows: Rows<'a>,
    weights: &'a Packed,
    row: usize,
    panel: usize,
}

impl Tile<'_> {
    /// Computes `HEIGHT` rows; says how many.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    #[inline]
    #[allow(unsafe_code)]
    fn run<const HEIGHT: usize>(&self, out: &mut [f32]) -> usize {
        let inputs = self.weights.inputs;
        let rows = &self.rows.values[self.row * inputs..][..HEIGHT * inputs];
        let panel = self.weights.panel(self.panel);
        assert!(panel.len() == PANEL * inputs, "a panel has all inputs");
        let mut sums = [_mm512_setzero_si512(); HEIGHT];
        for pair in 0..inputs / 2 {
            // SAFETY: the panel has 2 · PANEL values for each of its inputs / 2 pairs, and each of
            // the HEIGHT rows has `inputs` values, as the lengths above state.
            unsafe {
                let weights = _mm512_loadu_si512(panel.as_ptr().add(pair * 2 * PANEL).cast());
                for (row, sum) in sums.iter_mut().enumerate() {
                    let activations = rows.as_ptr().add(row * inputs + pair * 2).cast::<i32>();
                    let activations = _mm512_set1_epi32(activations.read_unaligned());
                    *sum = _mm512_dpwssd_epi32(*sum, weights, activations);
                }
            }
        }
        let (first, outputs) = (self.panel * PANEL, self.weights.outputs());
        for (row, sum) in sums.iter().enumerate() {
            let scale = _mm512_set1_ps(self.rows.scales[self.row + row]);
            let out = &mut out[(self.row + row) * outputs + first..][..PANEL];
            let scales = &self.weights.scales[first..][..PANEL];
            let bias = &self.weights.bias[first..][..PANEL];
            // SAFETY: each of the three slices has PANEL = 16 values.
            unsafe {
                let scales = _mm512_loadu_ps(scales.as_ptr());
                let bias = _mm512_loadu_ps(bias.as_ptr());
                let product = _mm512_cvtepi32_ps(*sum);
                let product = _mm512_mul_ps(product, _mm512_mul_ps(scale, scales));
                _mm512_storeu_ps(out.as_mut_ptr(), _mm512_add_ps(product, bias));
            }
        }
        HEIGHT
    }
}
