//! AVX-512 with VNNI: `vpdpbusd` multiplies sixteen times four bytes and adds them to the sums.
//!
//! The loop over the inputs stands in assembly: LLVM takes the instruction's intrinsic apart into
//! `vpmaddwd` and `vpaddd` wherever it holds the chain of sums to be the longer way, which halves
//! what many CPUs do, and where it optimises little it keeps the sums in memory.

use std::arch::asm;

use super::layer::{self, Batch, Layer, Scratch};
use super::packed::QUAD;
use super::{Multiply, PANEL, Packed, Rows};

/// Rows and panels of a tile: of 32 registers, twenty-four sums hide the latency of `vpdpbusd`, and
/// of eight rows and three panels eleven values are loaded for twenty-four products.
const TILE_ROWS: usize = 8;
const TILE_PANELS: usize = 3;

/// The sums of a tile: `i32[row][panel][column]`.
type Sums = [[[i32; PANEL]; TILE_PANELS]; TILE_ROWS];

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
pub(super) fn layer(layer: &Layer, batch: Batch, rows: &mut [f32], scratch: &mut Scratch) {
    layer::run::<Avx512>(layer, batch, rows, scratch);
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
    let (inputs, outputs) = (weights.inputs(), weights.outputs());
    let mut sums = [[[0; PANEL]; TILE_PANELS]; TILE_ROWS];
    for first_panel in (0..outputs / PANEL).step_by(TILE_PANELS) {
        // Where the last tile has panels to spare, its last panel is multiplied again.
        let count = TILE_PANELS.min(outputs / PANEL - first_panel);
        let panels = std::array::from_fn(|at| weights.panel(first_panel + at.min(count - 1)));
        let tiles = rows.values.chunks(TILE_ROWS * inputs).zip(rows.steps.chunks(TILE_ROWS));
        for ((tile, steps), out) in tiles.zip(out.chunks_mut(TILE_ROWS * outputs)) {
            match steps.len() {
                1 => sum_products::<1>(tile, panels, inputs, &mut sums),
                2 => sum_products::<2>(tile, panels, inputs, &mut sums),
                3 => sum_products::<3>(tile, panels, inputs, &mut sums),
                4 => sum_products::<4>(tile, panels, inputs, &mut sums),
                5 => sum_products::<5>(tile, panels, inputs, &mut sums),
                6 => sum_products::<6>(tile, panels, inputs, &mut sums),
                7 => sum_products::<7>(tile, panels, inputs, &mut sums),
                _ => sum_products::<TILE_ROWS>(tile, panels, inputs, &mut sums),
            }
            for ((step, sums), out) in steps.iter().zip(&sums).zip(out.chunks_mut(outputs)) {
                for (at, sums) in sums[..count].iter().enumerate() {
                    step.scale(sums, weights, (first_panel + at) * PANEL, out);
                }
            }
        }
    }
}

/// What is done for one row and four of its inputs: these, at `$quad`, in all lanes times the
/// quads of three panels in `zmm24` to `zmm26`.
macro_rules! row {
    ($row:literal, $quad:literal, $first:literal, $second:literal, $third:literal) => {
        concat!(
            ".if {height} > ",
            $row,
            "\n",
            "vpbroadcastd zmm27, dword ptr [",
            $quad,
            "]\n",
            "vpdpbusd zmm",
            $first,
            ", zmm27, zmm24\n",
            "vpdpbusd zmm",
            $second,
            ", zmm27, zmm25\n",
            "vpdpbusd zmm",
            $third,
            ", zmm27, zmm26\n",
            ".endif"
        )
    };
}

/// Puts a register to nought.
macro_rules! clear {
    ($register:literal) => {
        concat!("vpxord zmm", $register, ", zmm", $register, ", zmm", $register)
    };
}

/// Stores the sums of one row.
macro_rules! store {
    ($row:literal, $first:literal, $second:literal, $third:literal) => {
        concat!(
            ".if {height} > ",
            $row,
            "\n",
            "vmovdqu64 [{sums} + ",
            $row,
            " * 192], zmm",
            $first,
            "\n",
            "vmovdqu64 [{sums} + ",
            $row,
            " * 192 + 64], zmm",
            $second,
            "\n",
            "vmovdqu64 [{sums} + ",
            $row,
            " * 192 + 128], zmm",
            $third,
            "\n",
            ".endif"
        )
    };
}

/// Writes the sums of the products of `HEIGHT` rows `u8[HEIGHT][inputs]` with three panels.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
#[allow(unsafe_code)]
fn sum_products<const HEIGHT: usize>(
    rows: &[u8],
    panels: [&[i8]; TILE_PANELS],
    inputs: usize,
    sums: &mut Sums,
) {
    assert!(HEIGHT <= TILE_ROWS && rows.len() == HEIGHT * inputs, "HEIGHT rows of all inputs");
    assert!(panels.iter().all(|panel| panel.len() == PANEL * inputs), "panels have all inputs");
    if inputs < QUAD {
        return;
    }
    // SAFETY: the loop runs inputs / 4 times and each time reads 64 bytes of each panel, which has
    // 16 · inputs, and 4 bytes of each of the HEIGHT rows, which have as many as inputs; of rows from HEIGHT
    // on, nothing is assembled. `sums` has 192 bytes for each row. Every register that is written is
    // declared.
    unsafe {
        asm!(
            clear!(0), clear!(1), clear!(2), clear!(3), clear!(4), clear!(5),
            clear!(6), clear!(7), clear!(8), clear!(9), clear!(10), clear!(11),
            clear!(12), clear!(13), clear!(14), clear!(15), clear!(16), clear!(17),
            clear!(18), clear!(19), clear!(20), clear!(21), clear!(22), clear!(23),
            "2:",
            "vmovdqu64 zmm24, [{first} + {at} * 8]",
            "vmovdqu64 zmm25, [{second} + {at} * 8]",
            "vmovdqu64 zmm26, [{third} + {at} * 8]",
            row!(0, "{rows}", 0, 1, 2),
            row!(1, "{rows} + {width}", 3, 4, 5),
            row!(2, "{rows} + {width} * 2", 6, 7, 8),
            row!(3, "{middle}", 9, 10, 11),
            row!(4, "{middle} + {width}", 12, 13, 14),
            row!(5, "{middle} + {width} * 2", 15, 16, 17),
            row!(6, "{low}", 18, 19, 20),
            row!(7, "{low} + {width}", 21, 22, 23),
            "add {rows}, 4",
            "add {middle}, 4",
            "add {low}, 4",
            "add {at}, 8",
            "cmp {at}, {end}",
            "jb 2b",
            store!(0, 0, 1, 2),
            store!(1, 3, 4, 5),
            store!(2, 6, 7, 8),
            store!(3, 9, 10, 11),
            store!(4, 12, 13, 14),
            store!(5, 15, 16, 17),
            store!(6, 18, 19, 20),
            store!(7, 21, 22, 23),
            height = const HEIGHT,
            rows = inout(reg) rows.as_ptr() => _,
            middle = inout(reg) rows.as_ptr().wrapping_byte_add(3 * inputs) => _,
            low = inout(reg) rows.as_ptr().wrapping_byte_add(6 * inputs) => _,
            width = in(reg) inputs,
            first = in(reg) panels[0].as_ptr(),
            second = in(reg) panels[1].as_ptr(),
            third = in(reg) panels[2].as_ptr(),
            // An eighth of the bytes of a panel that are done, and of those that there are.
            at = inout(reg) 0_usize => _,
            end = in(reg) inputs / QUAD * 8,
            sums = in(reg) sums.as_mut_ptr(),
            out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _, out("zmm4") _,
            out("zmm5") _, out("zmm6") _, out("zmm7") _, out("zmm8") _, out("zmm9") _,
            out("zmm10") _, out("zmm11") _, out("zmm12") _, out("zmm13") _, out("zmm14") _,
            out("zmm15") _, out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _,
            out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _, out("zmm24") _,
            out("zmm25") _, out("zmm26") _, out("zmm27") _,
            options(nostack),
        );
    }
}
