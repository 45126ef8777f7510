//! The loops for x86-64 with AVX2, and with AVX-512 VNNI.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Kernel, Planes, portable};

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
    dot_fine: |query, coarse, fine| unsafe { dot_fine_avx2(query, coarse, fine) },
    // SAFETY: as above.
    sum_bits: |query, bits| unsafe { sum_bits_popcnt(query, bits) },
};

/// Asks for each cache line of a row.
#[inline(always)]
pub(super) fn prefetch<T>(row: &[T]) {
    for line in row.chunks((64 / size_of::<T>()).max(1)) {
        // SAFETY: prefetching has no effect on memory, and the address is within the slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
}

#[target_feature(enable = "avx2")]
fn dot_fine_avx2(query: &[f32], coarse: &[u8], fine: &[u8]) -> f32 {
    portable::dot_fine(query, coarse, fine)
}

#[target_feature(enable = "popcnt")]
fn sum_bits_popcnt(query: &[Planes], bits: &[u8]) -> i32 {
    portable::sum_bits(query, bits)
}

#[target_feature(enable = "avx2")]
fn sum_avx2(lanes: __m256i) -> i32 {
    let four = _mm_add_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b00_00_00_01>(two)))
}

/// Adds the products of 16 pairs to eight sums.
#[target_feature(enable = "avx2")]
fn add_query_avx2(sums: __m256i, query: &[i16; 16], code: &[u8; 16]) -> __m256i {
    // SAFETY: both arrays have the bytes that are loaded; the loads need no alignment.
    let (query, code) = unsafe {
        (_mm256_loadu_si256(query.as_ptr().cast()), _mm_loadu_si128(code.as_ptr().cast()))
    };
    _mm256_add_epi32(sums, _mm256_madd_epi16(query, _mm256_cvtepi8_epi16(code)))
}

/// Adds the products of 32 pairs of codes to eight sums. No code is −128, so that two products of 127 · 127 at
/// most, which is what 16 bits have to hold, are added without loss.
#[target_feature(enable = "avx2")]
fn add_codes_avx2(sums: __m256i, a: &[u8; 32], b: &[u8; 32]) -> __m256i {
    // SAFETY: both arrays have the 32 bytes that are loaded; the loads need no alignment.
    let (a, b) =
        unsafe { (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast())) };
    let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a));
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

#[target_feature(enable = "avx2")]
fn dot_query_avx2(query: &[i16], code: &[u8]) -> i32 {
    let length = query.len().min(code.len());
    let (queries, query_rest) = query[..length].as_chunks::<16>();
    let (codes, code_rest) = code[..length].as_chunks::<16>();
    // Sums of their own, so that no addition waits for the one before.
    let [mut a, mut b, mut c, mut d] = [_mm256_setzero_si256(); 4];
    let (fours, rest) = queries.as_chunks::<4>();
    let (code_fours, code_last) = codes.as_chunks::<4>();
    for (query, code) in fours.iter().zip(code_fours) {
        a = add_query_avx2(a, &query[0], &code[0]);
        b = add_query_avx2(b, &query[1], &code[1]);
        c = add_query_avx2(c, &query[2], &code[2]);
        d = add_query_avx2(d, &query[3], &code[3]);
    }
    for (query, code) in rest.iter().zip(code_last) {
        a = add_query_avx2(a, query, code);
    }
    let sums = _mm256_add_epi32(_mm256_add_epi32(a, b), _mm256_add_epi32(c, d));
    sum_avx2(sums) + portable::dot_query(query_rest, code_rest)
}

#[target_feature(enable = "avx2")]
fn dot_codes_avx2(a: &[u8], b: &[u8]) -> i32 {
    let length = a.len().min(b.len());
    let (a, a_rest) = a[..length].as_chunks::<32>();
    let (b, b_rest) = b[..length].as_chunks::<32>();
    let [mut w, mut x, mut y, mut z] = [_mm256_setzero_si256(); 4];
    let (a_fours, a_last) = a.as_chunks::<4>();
    let (b_fours, b_last) = b.as_chunks::<4>();
    for (a, b) in a_fours.iter().zip(b_fours) {
        w = add_codes_avx2(w, &a[0], &b[0]);
        x = add_codes_avx2(x, &a[1], &b[1]);
        y = add_codes_avx2(y, &a[2], &b[2]);
        z = add_codes_avx2(z, &a[3], &b[3]);
    }
    for (a, b) in a_last.iter().zip(b_last) {
        w = add_codes_avx2(w, a, b);
    }
    let sums = _mm256_add_epi32(_mm256_add_epi32(w, x), _mm256_add_epi32(y, z));
    sum_avx2(sums) + portable::dot_codes(a_rest, b_rest)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dot_query_avx512(query: &[i16], code: &[u8]) -> i32 {
    let length = query.len().min(code.len());
    let (queries, query_rest) = query[..length].as_chunks::<32>();
    let (codes, code_rest) = code[..length].as_chunks::<32>();
    let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for (query, code) in queries.iter().zip(codes) {
        // SAFETY: both chunks have the bytes that are loaded; the loads need no alignment.
        let (query, code) = unsafe {
            let code = _mm256_loadu_si256(code.as_ptr().cast());
            (_mm512_loadu_si512(query.as_ptr().cast()), _mm512_cvtepi8_epi16(code))
        };
        // Each in its turn, so that no sum waits for the one before.
        (even, odd) = (odd, _mm512_dpwssd_epi32(even, query, code));
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(even, odd))
        + portable::dot_query(query_rest, code_rest)
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dot_codes_avx512(a: &[u8], b: &[u8]) -> i32 {
    let length = a.len().min(b.len());
    let (a, a_rest) = a[..length].as_chunks::<32>();
    let (b, b_rest) = b[..length].as_chunks::<32>();
    let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for (a, b) in a.iter().zip(b) {
        // SAFETY: both chunks have the 32 bytes that are loaded; the loads need no alignment.
        let (a, b) = unsafe {
            let (a, b) =
                (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast()));
            (_mm512_cvtepi8_epi16(a), _mm512_cvtepi8_epi16(b))
        };
        (even, odd) = (odd, _mm512_dpwssd_epi32(even, a, b));
    }
    _mm512_reduce_add_epi32(_mm512_add_epi32(even, odd)) + portable::dot_codes(a_rest, b_rest)
}
