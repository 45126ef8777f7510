//! AVX2: `vpmaddwd` multiplies eight pairs of 16 bits and adds each pair, twice a cycle.

use std::arch::x86_64::*;

use super::layer::{self, Batch, Layer, Scratch};
use super::{Multiply, PANEL, Packed, Rows};

/// Rows of a tile: six rows of two registers leave four for weights, activations and products.
const TILE: usize = 6;

pub(super) struct Avx2;

impl Multiply for Avx2 {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
        // SAFETY: reached only from `layer` below, which requires AVX2.
        unsafe { multiply(rows, weights, out) }
    }
}

/// One layer, compiled for AVX2.
#[target_feature(enable = "avx2")]
pub(super) fn layer(layer: &Layer, batch: Batch, scratch: &mut Scratch) {
    layer::run::<Avx2>(layer, batch, scratch);
}

#[target_feature(enable = "avx2")]
pub(super) fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
    let height = rows.scales.len();
    for panel in 0..weights.outputs() / PANEL {
        let mut row = 0;
        while row < height {
            let tile = Tile { rows, weights, row, panel };
            row += match height - row {
                1 => tile.run::<1>(out),
                2 => tile.run::<2>(out),
                3 => tile.run::<3>(out),
                4 => tile.run::<4>(out),
                5 => tile.run::<5>(out),
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
    #[target_feature(enable = "avx2")]
    #[inline]
    #[allow(unsafe_code)]
    fn run<const HEIGHT: usize>(&self, out: &mut [f32]) -> usize {
        let inputs = self.weights.inputs;
        let rows = &self.rows.values[self.row * inputs..][..HEIGHT * inputs];
        let panel = self.weights.panel(self.panel);
        assert!(panel.len() == PANEL * inputs, "a panel has all inputs");
        let mut sums = [[_mm256_setzero_si256(); 2]; HEIGHT];
        for pair in 0..inputs / 2 {
            // SAFETY: the panel has 2 · PANEL values for each of its inputs / 2 pairs, and each of
            // the HEIGHT rows has `inputs` values, as the lengths above state.
            unsafe {
                let at = panel.as_ptr().add(pair * 2 * PANEL);
                let first = _mm256_loadu_si256(at.cast());
                let second = _mm256_loadu_si256(at.add(PANEL).cast());
                for (row, sums) in sums.iter_mut().enumerate() {
                    let activations = rows.as_ptr().add(row * inputs + pair * 2).cast::<i32>();
                    let activations = _mm256_set1_epi32(activations.read_unaligned());
                    sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(first, activations));
                    sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(second, activations));
                }
            }
        }
        let (first, outputs) = (self.panel * PANEL, self.weights.outputs());
        for (row, sums) in sums.iter().enumerate() {
            let scale = _mm256_set1_ps(self.rows.scales[self.row + row]);
            let out = &mut out[(self.row + row) * outputs + first..][..PANEL];
            let scales = &self.weights.scales[first..][..PANEL];
            let bias = &self.weights.bias[first..][..PANEL];
            for (half, sums) in sums.iter().enumerate() {
                // SAFETY: each of the three slices has PANEL = 16 values.
                unsafe {
                    let scales = _mm256_loadu_ps(scales.as_ptr().add(half * 8));
                    let bias = _mm256_loadu_ps(bias.as_ptr().add(half * 8));
                    let product = _mm256_cvtepi32_ps(*sums);
                    let product = _mm256_mul_ps(product, _mm256_mul_ps(scale, scales));
                    let product = _mm256_add_ps(product, bias);
                    _mm256_storeu_ps(out.as_mut_ptr().add(half * 8), product);
                }
            }
        }
        HEIGHT
    }
}
