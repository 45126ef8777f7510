//! AVX2: `vpmaddubsw` multiplies 32 bytes and adds each pair in 16 bits. Two of its results are added before
//! `vpmaddwd` widens them, which the limit of a group of weights (`packed`) leaves room for, so that five
//! instructions do what takes eight in 16 bits.
//!
//! The loop over the inputs stands in assembly, as the one for AVX-512 does: where the compiler
//! optimises little, it keeps the sums in memory.

use std::arch::asm;

use super::layer::{self, Batch, Layer, Scratch};
use super::packed::QUAD;
use super::{Multiply, PANEL, Packed, Rows};

/// Rows of a tile: ten sums leave six registers for weights, activations, products and ones.
const TILE_ROWS: usize = 10;

/// Columns of a tile: half a panel, in which a register holds four weights of each.
const TILE_COLUMNS: usize = PANEL / 2;

/// Inputs that one round of the loop multiplies.
const ROUND: usize = 2 * QUAD;

/// The sums of a tile: `i32[row][column]`.
type Sums = [[i32; TILE_COLUMNS]; TILE_ROWS];

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
pub(super) fn layer(layer: &Layer, batch: Batch, rows: &mut [f32], scratch: &mut Scratch) {
    layer::run::<Avx2>(layer, batch, rows, scratch);
}

#[target_feature(enable = "avx2")]
pub(super) fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
    let (inputs, outputs) = (weights.inputs(), weights.outputs());
    // Tiles of nearly one height, so that none does little with the weights that it loads.
    let count = rows.steps.len();
    let height = count.div_ceil(count.div_ceil(TILE_ROWS).max(1)).max(1);
    let mut sums = [[0; TILE_COLUMNS]; TILE_ROWS];
    for at in 0..outputs / PANEL {
        let tiles = rows.values.chunks(height * inputs).zip(rows.steps.chunks(height));
        for ((tile, steps), out) in tiles.zip(out.chunks_mut(height * outputs)) {
            for half in 0..2 {
                let panel = &weights.panel(at)[half * QUAD * TILE_COLUMNS..];
                match steps.len() {
                    1 => sum_products::<1>(tile, panel, inputs, &mut sums),
                    2 => sum_products::<2>(tile, panel, inputs, &mut sums),
                    3 => sum_products::<3>(tile, panel, inputs, &mut sums),
                    4 => sum_products::<4>(tile, panel, inputs, &mut sums),
                    5 => sum_products::<5>(tile, panel, inputs, &mut sums),
                    6 => sum_products::<6>(tile, panel, inputs, &mut sums),
                    7 => sum_products::<7>(tile, panel, inputs, &mut sums),
                    8 => sum_products::<8>(tile, panel, inputs, &mut sums),
                    9 => sum_products::<9>(tile, panel, inputs, &mut sums),
                    _ => sum_products::<TILE_ROWS>(tile, panel, inputs, &mut sums),
                }
                let first = at * PANEL + half * TILE_COLUMNS;
                for ((step, sums), out) in steps.iter().zip(&sums).zip(out.chunks_mut(outputs)) {
                    step.scale(sums, weights, first, out);
                }
            }
        }
    }
}

/// What is done for one row and eight of its inputs: these, at `$round`, in all lanes times the two quads
/// of weights in `ymm10` and `ymm11`.
macro_rules! row {
    ($row:literal, $round:literal) => {
        concat!(
            ".if {height} > ",
            $row,
            "\n",
            "vpbroadcastd ymm13, dword ptr [",
            $round,
            "]\n",
            "vpbroadcastd ymm14, dword ptr [",
            $round,
            " + 4]\n",
            "vpmaddubsw ymm13, ymm13, ymm10\n",
            "vpmaddubsw ymm14, ymm14, ymm11\n",
            "vpaddw ymm13, ymm13, ymm14\n",
            "vpmaddwd ymm13, ymm13, ymm12\n",
            "vpaddd ymm",
            $row,
            ", ymm",
            $row,
            ", ymm13\n",
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
    ($row:literal) => {
        concat!(
            ".if {height} > ",
            $row,
            "\n",
            "vmovdqu [{sums} + ",
            $row,
            " * 32], ymm",
            $row,
            "\n",
            ".endif"
        )
    };
}

/// Writes the sums of the products of `HEIGHT` rows `u8[HEIGHT][inputs]` with the half of a panel that
/// begins where `panel` does.
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
fn sum_products<const HEIGHT: usize>(rows: &[u8], panel: &[i8], inputs: usize, sums: &mut Sums) {
    assert!(HEIGHT <= TILE_ROWS && rows.len() == HEIGHT * inputs, "HEIGHT rows of all inputs");
    assert!(inputs.is_multiple_of(ROUND), "whole rounds");
    assert!(panel.len() >= PANEL * inputs - QUAD * TILE_COLUMNS, "half a panel has all inputs");
    if inputs == 0 {
        return;
    }
    // SAFETY: the loop runs inputs / 8 times and each time reads 32 bytes of the panel and 32 that stand
    // 64 further, the last of which ends at 16 · inputs − 32 bytes, and 8 bytes of each of the HEIGHT rows,
    // which have as many as inputs; of rows from HEIGHT on, nothing is assembled. `sums` has 32 bytes for
    // each row. Every register that is written is declared.
    unsafe {
        asm!(
            clear!(0), clear!(1), clear!(2), clear!(3), clear!(4),
            clear!(5), clear!(6), clear!(7), clear!(8), clear!(9),
            // Sixteen ones of 16 bits.
            "vpcmpeqw ymm12, ymm12, ymm12",
            "vpsrlw ymm12, ymm12, 15",
            "2:",
            "vmovdqu ymm10, [{panel}]",
            "vmovdqu ymm11, [{panel} + 64]",
            row!(0, "{rows}"),
            row!(1, "{rows} + {width}"),
            row!(2, "{rows} + {width} * 2"),
            row!(3, "{third}"),
            row!(4, "{third} + {width}"),
            row!(5, "{third} + {width} * 2"),
            row!(6, "{sixth}"),
            row!(7, "{sixth} + {width}"),
            row!(8, "{sixth} + {width} * 2"),
            row!(9, "{ninth}"),
            "add {rows}, 8",
            "add {third}, 8",
            "add {sixth}, 8",
            "add {ninth}, 8",
            "add {panel}, 128",
            "dec {rounds}",
            "jnz 2b",
            store!(0), store!(1), store!(2), store!(3), store!(4),
            store!(5), store!(6), store!(7), store!(8), store!(9),
            height = const HEIGHT,
            rows = inout(reg) rows.as_ptr() => _,
            third = inout(reg) rows.as_ptr().wrapping_byte_add(3 * inputs) => _,
            sixth = inout(reg) rows.as_ptr().wrapping_byte_add(6 * inputs) => _,
            ninth = inout(reg) rows.as_ptr().wrapping_byte_add(9 * inputs) => _,
            width = in(reg) inputs,
            panel = inout(reg) panel.as_ptr() => _,
            rounds = inout(reg) inputs / ROUND => _,
            sums = in(reg) sums.as_mut_ptr(),
            out("ymm0") _, out("ymm1") _, out("ymm2") _, out("ymm3") _, out("ymm4") _,
            out("ymm5") _, out("ymm6") _, out("ymm7") _, out("ymm8") _, out("ymm9") _,
            out("ymm10") _, out("ymm11") _, out("ymm12") _, out("ymm13") _, out("ymm14") _,
            options(nostack),
        );
    }
}
