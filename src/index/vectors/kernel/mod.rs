//! The inner loops over codes, in the widest form that the processor has.
//!
//! Every form gives the same bits: the sums are of integers, and the one of floats adds in eight
//! lanes in a fixed order without fused steps. The AVX-512 form is trusted only after it agreed
//! with the portable one on this machine. This is the one module of the index with `unsafe` code.

mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::OnceLock;

/// One form of the loops. The slices of a call are of equal length (in dimensions).
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernel {
    /// What it is called in reports.
    pub(super) name: &'static str,
    /// Sum of products of a query in i16 and a code in i8.
    pub(super) dot_query: fn(&[i16], &[u8]) -> i32,
    /// Sum of products of two codes in i8.
    pub(super) dot_codes: fn(&[u8], &[u8]) -> i32,
    /// Sum of products of a query and `16 coarse + fine`; the fine plane holds, for each 16
    /// dimensions, the first eight in the low and the others in the high half of its bytes.
    pub(super) dot_fine: fn(&[f32], &[u8], &[u8]) -> f32,
    /// Sum of a query's components at which a code of one bit each is set, by the query's planes.
    pub(super) sum_bits: fn(&[Planes], &[u8]) -> i32,
}

/// Bits of a query's component where it is compared with codes of one bit, in two's complement.
pub(super) const PLANES: usize = 5;

/// Of 64 components of a query: bit by bit, the lowest first, those that have it.
pub(super) type Planes = [u64; PLANES];

/// The form that serves everywhere.
pub(super) const PORTABLE: Kernel = Kernel {
    name: "portable",
    dot_query: portable::dot_query,
    dot_codes: portable::dot_codes,
    dot_fine: portable::dot_fine,
    sum_bits: portable::sum_bits,
};

/// The best form of this machine, chosen once.
pub(super) fn best() -> Kernel {
    static BEST: OnceLock<Kernel> = OnceLock::new();
    *BEST.get_or_init(|| {
        let mut all = available();
        let agrees = |kernel: &Kernel| agrees(kernel, &PORTABLE);
        all.retain(agrees);
        all.pop().unwrap_or(PORTABLE)
    })
}

/// Every form that this machine can run, the widest last.
pub(super) fn available() -> Vec<Kernel> {
    #[allow(unused_mut)]
    let mut all = vec![PORTABLE];
    #[cfg(target_arch = "x86_64")]
    all.extend(x86::available());
    all
}

/// Asks for the cache lines of a row before they are needed.
#[inline(always)]
pub(super) fn prefetch<T>(row: &[T]) {
    #[cfg(target_arch = "x86_64")]
    x86::prefetch(row);
    #[cfg(not(target_arch = "x86_64"))]
    let _ = row;
}

/// Whether two forms agree on codes that reach every corner: the ends of the range, odd tails.
fn agrees(one: &Kernel, other: &Kernel) -> bool {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (state >> 40) as u32
    };
    [0, 8, 16, 24, 32, 56, 64, 96, 200, 384, 512].into_iter().all(|dims| {
        let code = |next: &mut dyn FnMut() -> u32| -> Vec<u8> {
            (0..dims).map(|_| ((next() % 255) as i32 - 127) as i8 as u8).collect()
        };
        let (a, b) = (code(&mut next), code(&mut next));
        let fine: Vec<u8> = (0..dims / 2).map(|_| next() as u8).collect();
        let query: Vec<i16> = (0..dims).map(|_| (next() % 32_768) as i16 - 16_384).collect();
        let exact: Vec<f32> = query.iter().map(|&q| f32::from(q) / 16_384.0).collect();
        let floats = |kernel: &Kernel| {
            let whole = dims / 16 * 16;
            (kernel.dot_fine)(&exact[..whole], &a[..whole], &fine[..whole / 2]).to_bits()
        };
        let planes = std::array::from_fn(|plane| 0x9E37_79B9_7F4A_7C15 << plane);
        let planes = vec![planes; dims / 64];
        let bits = &a[..dims / 64 * 8];
        (one.sum_bits)(&planes, bits) == (other.sum_bits)(&planes, bits)
            && (one.dot_query)(&query, &a) == (other.dot_query)(&query, &a)
            && (one.dot_codes)(&a, &b) == (other.dot_codes)(&a, &b)
            && floats(one) == floats(other)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_best_is_one_that_agrees() {
        assert!(available().iter().all(|kernel| agrees(kernel, &PORTABLE)));
        let wrong = Kernel { dot_codes: |a, b| portable::dot_codes(a, b) + 1, ..PORTABLE };
        assert!(!agrees(&wrong, &PORTABLE));
        assert!(available().iter().any(|kernel| kernel.name == best().name));
    }

    proptest! {
        #[test]
        fn every_form_gives_the_same_bits(
            pairs in prop::collection::vec((-127_i8..=127, -127_i8..=127, any::<i16>(), any::<u8>()), 0..500),
        ) {
            let a: Vec<u8> = pairs.iter().map(|pair| pair.0 as u8).collect();
            let b: Vec<u8> = pairs.iter().map(|pair| pair.1 as u8).collect();
            let query: Vec<i16> = pairs.iter().map(|pair| pair.2).collect();
            let whole = pairs.len() / 16 * 16;
            let fine: Vec<u8> = pairs[..whole / 2].iter().map(|pair| pair.3).collect();
            let exact: Vec<f32> = query[..whole].iter().map(|&q| f32::from(q) / 32_767.0).collect();
            let naive_codes: i32 =
                pairs.iter().map(|pair| i32::from(pair.0) * i32::from(pair.1)).sum();
            let naive_query: i32 =
                pairs.iter().map(|pair| i32::from(pair.2) * i32::from(pair.0)).sum();
            let naive_fine: f64 = (0..whole)
                .map(|at| {
                    let byte = fine[at / 16 * 8 + at % 8];
                    let low = if at % 16 < 8 { byte & 15 } else { byte >> 4 };
                    f64::from(exact[at]) * f64::from(16 * i32::from(a[at] as i8) + i32::from(low))
                })
                .sum();
            let expected = (PORTABLE.dot_fine)(&exact, &a[..whole], &fine).to_bits();
            prop_assert!((f64::from(f32::from_bits(expected)) - naive_fine).abs() <= 1.0);
            for kernel in available() {
                prop_assert_eq!((kernel.dot_codes)(&a, &b), naive_codes, "{}", kernel.name);
                prop_assert_eq!((kernel.dot_query)(&query, &a), naive_query, "{}", kernel.name);
                let found = (kernel.dot_fine)(&exact, &a[..whole], &fine).to_bits();
                prop_assert_eq!(found, expected, "{}", kernel.name);
            }
        }
    }
}
