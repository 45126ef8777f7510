//! The loops in plain Rust: what every other form must agree with, and what is compiled again for
//! wider instructions where the compiler does well by itself.

use super::{PLANES, Planes};

/// Sum of products of a query in i16 and a code in i8.
#[inline(always)]
pub(super) fn dot_query(query: &[i16], code: &[u8]) -> i32 {
    query.iter().zip(code).map(|(&q, &c)| i32::from(q) * i32::from(c as i8)).sum()
}

/// Sum of products of two codes in i8.
#[inline(always)]
pub(super) fn dot_codes(a: &[u8], b: &[u8]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(a as i8) * i32::from(b as i8)).sum()
}

/// Sum of products of a query and `16 coarse + fine`, in eight lanes that are added up in order.
#[inline(always)]
pub(super) fn dot_fine(query: &[f32], coarse: &[u8], fine: &[u8]) -> f32 {
    let mut lanes = [0_f32; 8];
    let rows = query.as_chunks::<16>().0.iter().zip(coarse.as_chunks::<16>().0);
    for ((query, coarse), fine) in rows.zip(fine.as_chunks::<8>().0) {
        for lane in 0..8 {
            let low = 16 * i32::from(coarse[lane] as i8) + i32::from(fine[lane] & 15);
            lanes[lane] += query[lane] * low as f32;
        }
        for lane in 0..8 {
            let high = 16 * i32::from(coarse[8 + lane] as i8) + i32::from(fine[lane] >> 4);
            lanes[lane] += query[8 + lane] * high as f32;
        }
    }
    lanes.iter().fold(0.0, |sum, lane| sum + lane)
}

/// Sum of a query's components at which a bit is set; eight bytes of bits for each 64 components.
#[inline(always)]
pub(super) fn sum_bits(query: &[Planes], bits: &[u8]) -> i32 {
    let mut counts = [0_u32; PLANES];
    for (planes, bits) in query.iter().zip(bits.as_chunks::<8>().0) {
        let bits = u64::from_le_bytes(*bits);
        for (count, plane) in counts.iter_mut().zip(planes) {
            *count += (plane & bits).count_ones();
        }
    }
    let [magnitude @ .., sign] = counts;
    let magnitude = magnitude.iter().rev().fold(0, |sum, count| 2 * sum + count.cast_signed());
    magnitude - (sign.cast_signed() << (PLANES - 1))
}
