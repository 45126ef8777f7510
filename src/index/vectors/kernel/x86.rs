//! The loops for x86-64 with AVX2, and with AVX-512 VNNI.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Kernel, portable};

/// The forms that this processor can run, the widest last.
pub(super) fn available() -> Vec<Kernel> {
    let mut all = Vec::new();
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        all.push(AVX2);
        let wide = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vnni");
        if wide {
            all.push(Kernel {
                name: "avx512vnni",
                // SAFETY: the features that the functions need were detected.
                dot_query: |query, code| unsafe { dot_query_avx512(query, code) },
                // SAFETY: as above.
                dot_codes: |a, b| unsafe { dot_codes_avx512(a, b) },
                ..AVX2
            });
        }
    }
    all
}

/// Offered by [`available`] only where AVX2 and POPCNT were detected.
const AVX2: Kernel = Kernel {
    name: "avx2",
    // SAFETY: the features that the functions need were detected before the kernel is offered.
    dot_query: |query, code| unsafe { dot_query_avx2(query, code) },
    // SAFETY: as above.
    dot_codes: |a, b| unsafe { dot_codes_avx2(a, b) },
    // SAFETY: as above.
    hamming: |a, b| unsafe { hamming_popcnt(a, b) },
    // SAFETY: as above.
    dot_fine: |query, coarse, fine| unsafe { dot_fine_avx2(query, coarse, fine) },
};

/// Asks for each cache line of a row.
#[inline(always)]
pub(super) fn prefetch(row: &[u8]) {
    for line in row.chunks(64) {
        // SAFETY: prefetching has no effect on memory, and the address is within the slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

#[target_feature(enable = "avx2,popcnt")]
fn hamming_popcnt(a: &[u8], b: &[u8]) -> u32 {
    portable::hamming(a, b)
}

#[target_feature(enable = "avx2")]
fn dot_fine_avx2(query: &[f32], coarse: &[u8], fine: &[u8]) -> f32 {
    portable::dot_fine(query, coarse, fine)
}

#[target_feature(enable = "avx2")]
fn sum_avx2(lanes: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
}

#[target_feature(enable = "avx2")]
fn dot_query_avx2(query: &[i16], code: &[u8]) -> i32 {
    let length = query.len().min(code.len());
    let (queries, query_rest) = query[..length].as_chunks::<16>();
    let (codes, code_rest) = code[..length].as_chunks::<16>();
    let mut sums = [_mm256_setzero_si256(); 2];
    for (at, (query, code)) in queries.iter().zip(codes).enumerate() {
        // SAFETY: both chunks have the bytes that are loaded; the loads need no alignment.
        let (query, code) = unsafe {
            let code = _mm_loadu_si128(code.as_ptr().cast());
            (_mm256_loadu_si256(query.as_ptr().cast()), _mm256_cvtepi8_epi16(code))
        };
        sums[at & 1] = _mm256_add_epi32(sums[at & 1], _mm256_madd_epi16(query, code));
    }
    sum_avx2(_mm256_add_epi32(sums[0], sums[1])) + portable::dot_query(query_rest, code_rest)
}

#[target_feature(enable = "avx2")]
fn dot_codes_avx2(a: &[u8], b: &[u8]) -> i32 {
    let length = a.len().min(b.len());
    let (a, a_rest) = a[..length].as_chunks::<16>();
    let (b, b_rest) = b[..length].as_chunks::<16>();
    let mut sums = [_mm256_setzero_si256(); 2];
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        // SAFETY: both chunks have the 16 bytes that are loaded; the loads need no alignment.
        let (a, b) = unsafe {
            let (a, b) = (_mm_loadu_si128(a.as_ptr().cast()), _mm_loadu_si128(b.as_ptr().cast()));
            (_mm256_cvtepi8_epi16(a), _mm256_cvtepi8_epi16(b))
        };
        sums[at & 1] = _mm256_add_epi32(sums[at & 1], _mm256_madd_epi16(a, b));
    }
    sum_avx2(_mm256_add_epi32(sums[0], sums[1])) + portable::dot_codes(a_rest, b_rest)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dot_query_avx512(query: &[i16], code: &[u8]) -> i32 {
    let length = query.len().min(code.len());
    let (queries, query_rest) = query[..length].as_chunks::<32>();
    let (codes, code_rest) = code[..length].as_chunks::<32>();
    let mut sums = [_mm512_setzero_si512(); 2];
    for (at, (query, code)) in queries.iter().zip(codes).enumerate() {
        // SAFETY: both chunks have the bytes that are loaded; the loads need no alignment.
        let (query, code) = unsafe {
            let code = _mm256_loadu_si256(code.as_ptr().cast());
            (_mm512_loadu_si512(query.as_ptr().cast()), _mm512_cvtepi8_epi16(code))
        };
        sums[at & 1] = _mm512_dpwssd_epi32(sums[at & 1], query, code);
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
        + portable::dot_query(query_rest, code_rest)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dot_codes_avx512(a: &[u8], b: &[u8]) -> i32 {
    let length = a.len().min(b.len());
    let (a, a_rest) = a[..length].as_chunks::<32>();
    let (b, b_rest) = b[..length].as_chunks::<32>();
    let mut sums = [_mm512_setzero_si512(); 2];
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        // SAFETY: both chunks have the 32 bytes that are loaded; the loads need no alignment.
        let (a, b) = unsafe {
            let (a, b) =
                (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast()));
            (_mm512_cvtepi8_epi16(a), _mm512_cvtepi8_epi16(b))
        };
        sums[at & 1] = _mm512_dpwssd_epi32(sums[at & 1], a, b);
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(sums[0], sums[1]))
        + portable::dot_codes(a_rest, b_rest)
}
