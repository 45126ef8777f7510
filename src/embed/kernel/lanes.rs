//! What a layer does to rows of f32: the compiler makes registers of it, as wide as there are.
//!
//! What is done number by number is a plain loop over the row. Sums and maxima are taken in sixteen
//! lanes that are joined in a fixed order, and no multiplication is fused with an addition, so that the
//! result does not depend on the width of the registers. Every row's length is a multiple of [`LANES`].

use std::array;

use super::{ACTIVATION_MAX, Step};

/// Numbers that are worked on side by side.
pub const LANES: usize = 16;

/// 1.5 · 2²³: added to a number below 2²², it leaves the number rounded in the lowest bits.
const ROUNDING: f32 = 12_582_912.0;

/// Layer normalisation in place: mean 0, variance 1, then gain and bias.
#[inline(always)]
pub(super) fn norm(row: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let count = row.len() as f32;
    let mean = sum(row, |value| value) / count;
    let variance = sum(row, |value| (value - mean) * (value - mean)) / count;
    let inverse = 1.0 / (variance + epsilon).sqrt();
    for ((value, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
        *value = (*value - mean) * inverse * gain + bias;
    }
}

/// Adds one row to another.
#[inline(always)]
pub(super) fn add(row: &mut [f32], other: &[f32]) {
    for (value, other) in row.iter_mut().zip(other) {
        *value += other;
    }
}

/// Quantises a row times what `reciprocals` has for each input, from its least to its largest value, nought
/// among them and exact.
#[inline(always)]
pub(super) fn quantise(row: &[f32], reciprocals: &[f32], out: &mut [u8]) -> Step {
    let (most, least) = reach(row, reciprocals);
    let span = most - least;
    let inverse = if span > 0.0 { ACTIVATION_MAX / span } else { 0.0 };
    let zero = rounded(-least * inverse);
    for ((value, reciprocal), out) in row.iter().zip(reciprocals).zip(out) {
        let value = rounded(value * reciprocal * inverse) + zero;
        *out = value.clamp(0, ACTIVATION_MAX as i32) as u8;
    }
    Step { scale: span / ACTIVATION_MAX, zero }
}

/// The largest and the least of nought and the products of two rows.
#[inline(always)]
fn reach(row: &[f32], reciprocals: &[f32]) -> (f32, f32) {
    let (mut most, mut least) = ([0_f32; LANES], [0_f32; LANES]);
    let reciprocals = reciprocals.as_chunks::<LANES>().0.iter();
    for (values, reciprocals) in row.as_chunks::<LANES>().0.iter().zip(reciprocals) {
        let values: [f32; LANES] = array::from_fn(|lane| values[lane] * reciprocals[lane]);
        most = array::from_fn(|lane| larger(most[lane], values[lane]));
        least = array::from_fn(|lane| -larger(-least[lane], -values[lane]));
    }
    (most.into_iter().fold(0.0, larger), -least.into_iter().map(|v| -v).fold(0.0, larger))
}

#[inline(always)]
fn larger(most: f32, value: f32) -> f32 {
    if value > most { value } else { most }
}

/// The Gaussian error linear unit, exact to 1e-6, in place.
#[inline(always)]
pub(super) fn gelu(row: &mut [f32]) {
    for value in row {
        // 1 − erf after Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.28.
        let z = value.abs() * std::f32::consts::FRAC_1_SQRT_2;
        let series = 1.0
            + z * (0.070_523_08
                + z * (0.042_282_01
                    + z * (0.009_270_527
                        + z * (0.000_152_014_3 + z * (0.000_276_567_2 + z * 0.000_043_063_8)))));
        let square = series * series;
        let fourth = square * square;
        let eighth = fourth * fourth;
        let below = 0.5 / (eighth * eighth);
        *value *= if *value > 0.0 { 1.0 - below } else { below };
    }
}

/// Softmax in place of the first `count` values; what stands behind them becomes 0.
#[inline(always)]
pub fn softmax(row: &mut [f32], count: usize) {
    row[count..].fill(f32::MIN);
    let most = largest(row);
    for value in row.iter_mut() {
        *value = exp(*value - most);
    }
    row[count..].fill(0.0);
    let inverse = 1.0 / sum(row, |value| value);
    for value in row {
        *value *= inverse;
    }
}

/// The largest of the values.
#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let mut lanes = [f32::MIN; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        lanes = array::from_fn(|lane| larger(lanes[lane], chunk[lane]));
    }
    lanes.into_iter().fold(f32::MIN, larger)
}

/// The sum of a function of the values, lane by lane.
#[inline(always)]
pub(super) fn sum(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0_f32; LANES];
    for chunk in row.as_chunks::<LANES>().0 {
        lanes = array::from_fn(|lane| lanes[lane] + of(chunk[lane]));
    }
    let mut width = LANES / 2;
    while width > 0 {
        for lane in 0..width {
            lanes[lane] += lanes[lane + width];
        }
        width /= 2;
    }
    lanes[0]
}

/// e to a power of at most 0, exact to 2e-7 of the result; what is too small for a normal number is
/// about 1e-38.
#[inline(always)]
fn exp(power: f32) -> f32 {
    let power = if power > -87.0 { power } else { -87.0 };
    let shifted = power * std::f32::consts::LOG2_E + ROUNDING;
    let whole = shifted - ROUNDING;
    // ln 2 in two parts, so that the rest is exact.
    let rest = power - whole * 0.693_359_4 + whole * 2.121_944_4e-4;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (1.0 / 6.0
                                + rest * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest / 720.0)))));
    // 2 to the whole part, made in the exponent's bits.
    let exponent = (shifted.to_bits() as i32).wrapping_sub(ROUNDING.to_bits() as i32) + 127;
    series * f32::from_bits((exponent << 23) as u32)
}

/// To the nearest integer, for numbers below 2²² in absolute value.
#[inline(always)]
fn rounded(value: f32) -> i32 {
    (value + ROUNDING).to_bits() as i32 - ROUNDING.to_bits() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error function to 1e-12, by its series.
    fn erf(x: f64) -> f64 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        (2.0 / std::f64::consts::PI.sqrt() * sum).clamp(-1.0, 1.0)
    }

    #[test]
    fn gelu_is_near_the_exact_one() {
        for step in -4000..4000 {
            let x = step as f32 / 1000.0;
            let mut row = [x; LANES];
            gelu(&mut row);
            let x = f64::from(x);
            let exact = 0.5 * x * (1.0 + erf(x / std::f64::consts::SQRT_2));
            assert!(
                (f64::from(row[0]) - exact).abs() < 1e-6,
                "gelu({x}) = {}, not {exact}",
                row[0]
            );
        }
        let mut far = [-1000.0, 1000.0, -30.0, 30.0, 0.0, -0.0, 1e30, -1e30].repeat(2);
        gelu(&mut far);
        assert_eq!((far[1], far[3]), (1000.0, 30.0));
        assert!(far[0].abs() < 1e-30 && far[2].abs() < 1e-30);
        assert!(far.iter().all(|value| value.is_finite()));
    }

    #[test]
    fn exp_is_near_the_exact_one() {
        for step in 0..8600 {
            let power = -step as f32 / 100.0;
            let exact = f64::from(power).exp();
            let error = (f64::from(exp(power)) - exact).abs() / exact;
            assert!(error < 3e-7, "exp({power}) is off by {error}");
        }
        assert!(exp(f32::MIN) < 1e-37);
    }

    #[test]
    fn softmax_sums_to_one_over_what_counts() {
        let mut row: Vec<f32> = (0..32).map(|at| (at * 7 % 11) as f32 - 5.0).collect();
        let given = row.clone();
        softmax(&mut row, 19);
        let exact: Vec<f64> = given[..19].iter().map(|&value| f64::from(value).exp()).collect();
        let whole: f64 = exact.iter().sum();
        for (got, exact) in row.iter().zip(&exact) {
            assert!((f64::from(*got) - exact / whole).abs() < 1e-6);
        }
        assert_eq!(row[19..], [0.0; 13]);
    }

    #[test]
    fn norm_has_mean_nought_and_variance_one() {
        let mut row: Vec<f32> = (0..48).map(|at| (at * at % 17) as f32).collect();
        norm(&mut row, &[1.0; 48], &[0.0; 48], 1e-12);
        let mean = sum(&row, |value| value) / 48.0;
        let variance = sum(&row, |value| value * value) / 48.0;
        assert!(mean.abs() < 1e-6 && (variance - 1.0).abs() < 1e-5, "{mean} {variance}");
    }

    #[test]
    fn quantised_values_are_within_half_a_unit_and_the_ends_within_one() {
        let row: Vec<f32> = (0..64).map(|at| ((at * 37 % 101) as f32 - 30.0) / 7.0).collect();
        let reciprocals: Vec<f32> = (0..64).map(|at| 0.5 + (at % 3) as f32).collect();
        let mut quantised = [0; 64];
        let step = quantise(&row, &reciprocals, &mut quantised);
        for ((value, reciprocal), &quantised) in row.iter().zip(&reciprocals).zip(&quantised) {
            let back = (i32::from(quantised) - step.zero) as f32 * step.scale;
            let units = if matches!(quantised, 0 | 255) { 1.001 } else { 0.501 };
            assert!((value * reciprocal - back).abs() <= units * step.scale, "{value} {back}");
        }
        let ends = (quantised.iter().min(), quantised.iter().max());
        assert_eq!(ends, (Some(&0), Some(&255)));
        let nought = quantise(&[0.0; 16], &[1.0; 16], &mut quantised[..16]);
        assert_eq!((nought.scale, nought.zero), (0.0, 0));
        assert_eq!(quantised[..16], [0; 16]);
    }
}
