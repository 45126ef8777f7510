//! AVX2: `vpmaddwd` multiplies eight pairs of 16 bits and adds each pair, twice a cycle.
//!
//! The loop over the inputs stands in assembly, as the one for AVX-512 does: where the compiler
//! optimises little, it keeps the sums in memory.

use std::arch::asm;
use std::arch::x86_64::*;

use super::layer::{self, Batch, Layer, Scratch};
use super::{Multiply, PANEL, Packed, Rows};

/// Rows of a tile: six rows of two registers leave four for weights, activations and products.
const TILE_ROWS: usize = 6;

/// The sums of a tile: `i32[row][column]`.
type Sums = [[i32; PANEL]; TILE_ROWS];

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
    let (inputs, outputs) = (weights.inputs, weights.outputs());
    let mut sums = [[0; PANEL]; TILE_ROWS];
    for at in 0..outputs / PANEL {
        let panel = weights.panel(at);
        let tiles = rows.values.chunks(TILE_ROWS * inputs).zip(rows.scales.chunks(TILE_ROWS));
        for ((tile, scales), out) in tiles.zip(out.chunks_mut(TILE_ROWS * outputs)) {
            match scales.len() {
                1 => sum_products::<1>(tile, panel, inputs, &mut sums),
                2 => sum_products::<2>(tile, panel, inputs, &mut sums),
                3 => sum_products::<3>(tile, panel, inputs, &mut sums),
                4 => sum_products::<4>(tile, panel, inputs, &mut sums),
                5 => sum_products::<5>(tile, panel, inputs, &mut sums),
                _ => sum_products::<TILE_ROWS>(tile, panel, inputs, &mut sums),
            }
            for ((scale, sums), out) in scales.iter().zip(&sums).zip(out.chunks_mut(outputs)) {
                scale_sums(sums, *scale, weights, at, out);
            }
        }
    }
}

/// Makes outputs of the sums of one row and one panel.
#[target_feature(enable = "avx2")]
#[inline]
#[allow(unsafe_code)]
fn scale_sums(sums: &[i32; PANEL], scale: f32, weights: &Packed, panel: usize, out: &mut [f32]) {
    let scales = &weights.scales[panel * PANEL..][..PANEL];
    let bias = &weights.bias[panel * PANEL..][..PANEL];
    let out = &mut out[panel * PANEL..][..PANEL];
    let scale = _mm256_set1_ps(scale);
    for at in [0, PANEL / 2] {
        // SAFETY: each of the four slices has PANEL = 16 values, eight from `at` on.
        unsafe {
            let product = _mm256_cvtepi32_ps(_mm256_loadu_si256(sums.as_ptr().add(at).cast()));
            let scales = _mm256_mul_ps(scale, _mm256_loadu_ps(scales.as_ptr().add(at)));
            let product = _mm256_mul_ps(product, scales);
            let product = _mm256_add_ps(product, _mm256_loadu_ps(bias.as_ptr().add(at)));
            _mm256_storeu_ps(out.as_mut_ptr().add(at), product);
        }
    }
}

/// What is done for one row and one pair of its inputs: the pair, at `$pair`, in all lanes times the
/// pairs of a panel in `ymm12` and `ymm13`.
macro_rules! row {
    ($row:literal, $pair:literal, $first:literal, $second:literal) => {
        concat!(
            ".if {height} > ",
            $row,
            "\n",
            "vpbroadcastd ymm14, dword ptr [",
            $pair,
            "]\n",
            "vpmaddwd ymm15, ymm12, ymm14\n",
            "vpaddd ymm",
            $first,
            ", ymm",
            $first,
            ", ymm15\n",
            "vpmaddwd ymm14, ymm13, ymm14\n",
            "vpaddd ymm",
            $second,
            ", ymm",
            $second,
            ", ymm14\n",
            ".endif"
        )
    };
}

/// Puts a register to nought.
macro_rules! clear {
    ($register:literal) => {
        concat!("vpxor ymm", $register, ", ymm", $register, ", ymm", $register)
    };
}

/// Stores the sums of one row.
macro_rules! store {
    ($row:literal, $first:literal, $second:literal) => {
        concat!(
            ".if {height} > ",
            $row,
            "\n",
            "vmovdqu [{sums} + ",
            $row,
            " * 64], ymm",
            $first,
            "\n",
            "vmovdqu [{sums} + ",
            $row,
            " * 64 + 32], ymm",
            $second,
            "\n",
            ".endif"
        )
    };
}

/// Writes the sums of the products of `HEIGHT` rows `i16[HEIGHT][inputs]` with a panel.
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn sum_products<const HEIGHT: usize>(rows: &[i16], panel: &[i16], inputs: usize, sums: &mut Sums) {
    assert!(HEIGHT <= TILE_ROWS && rows.len() == HEIGHT * inputs, "so many rows of all inputs");
    assert!(panel.len() == PANEL * inputs, "a panel has all inputs");
    if inputs < 2 {
        return;
    }
    let row_bytes = 2 * inputs;
    // SAFETY: the loop runs inputs / 2 times and each time reads 64 bytes of the panel, which has
    // 32 · inputs, and 4 bytes of each of the HEIGHT rows, which have 2 · inputs; of rows from HEIGHT
    // on, nothing is assembled. `sums` has 64 bytes for each row. Every register that is written is
    // declared.
    unsafe {
        asm!(
            clear!(0), clear!(1), clear!(2), clear!(3), clear!(4), clear!(5),
            clear!(6), clear!(7), clear!(8), clear!(9), clear!(10), clear!(11),
            "2:",
            "vmovdqu ymm12, [{panel}]",
            "vmovdqu ymm13, [{panel} + 32]",
            row!(0, "{rows}", 0, 1),
            row!(1, "{rows} + {width}", 2, 3),
            row!(2, "{rows} + {width} * 2", 4, 5),
            row!(3, "{low}", 6, 7),
            row!(4, "{low} + {width}", 8, 9),
            row!(5, "{low} + {width} * 2", 10, 11),
            "add {rows}, 4",
            "add {low}, 4",
            "add {panel}, 64",
            "cmp {panel}, {end}",
            "jb 2b",
            store!(0, 0, 1),
            store!(1, 2, 3),
            store!(2, 4, 5),
            store!(3, 6, 7),
            store!(4, 8, 9),
            store!(5, 10, 11),
            height = const HEIGHT,
            rows = inout(reg) rows.as_ptr() => _,
            low = inout(reg) rows.as_ptr().wrapping_byte_add(3 * row_bytes) => _,
            width = in(reg) row_bytes,
            panel = inout(reg) panel.as_ptr() => _,
            end = in(reg) panel.as_ptr_range().end,
            sums = in(reg) sums.as_mut_ptr(),
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _,
            out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _, out("ymm9") _,
            out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _, out("ymm14") _,
            out("ymm15") _,
            options(nostack),
        );
    }
}
