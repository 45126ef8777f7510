//! How a vector is kept: 12 bits a dimension in two planes, under one scale a vector.
//!
//! A row, little-endian: f32 scale; i8 coarse, one a dimension; u4 fine, for each 16 dimensions
//! eight bytes, the first eight dimensions in their low halves, the others in the high ones. The
//! number of dimensions is rounded up to [`LANES`], those added being nothing. A component is
//! `scale (coarse + (fine + 1/2) / 16 - 1/2)`: the coarse plane alone is off by at most half the
//! scale, both together by a 32nd of it.

use super::kernel::{self, Kernel};
use super::sign_bits::DistanceEstimator;

/// Dimensions are rounded up to a multiple of this many.
const LANES: usize = 32;

/// Dimensions that a vector may have: above, sums of products might leave 32 bits.
pub const DIMS_MAX: usize = 8192;

/// The largest coarse value.
const COARSE_MAX: f32 = 127.0;

/// Steps of the fine plane within one of the coarse plane.
const FINE_STEPS: f32 = 16.0;

/// What is taken from `16 coarse + fine` to meet the middle of a step.
const FINE_MIDDLE: f32 = FINE_STEPS / 2.0 - 0.5;

/// Bytes of a row before its codes: the scale.
pub(super) const SCALE_BYTES: usize = 4;

/// Why vectors of a length cannot be encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected vectors of 1 to {DIMS_MAX} dimensions, found {found}; use another model")]
pub struct DimsError {
    found: usize,
}

/// Turns vectors of a number of dimensions into rows of bytes and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Codec {
    dims: usize,
}

impl Codec {
    /// The codec of vectors with `dims` dimensions.
    ///
    /// # Errors
    /// If `dims` is 0 or above [`DIMS_MAX`].
    pub fn new(dims: usize) -> Result<Self, DimsError> {
        if dims == 0 || dims > DIMS_MAX {
            return Err(DimsError { found: dims });
        }
        Ok(Self { dims })
    }

    /// Dimensions of a vector.
    pub fn dims(self) -> usize {
        self.dims
    }

    /// Bytes of a row.
    pub fn row_bytes(self) -> usize {
        self.coarse_bytes() + self.fine_bytes()
    }

    /// Bytes of the coarse plane of a row, its scale included.
    pub(super) fn coarse_bytes(self) -> usize {
        SCALE_BYTES + self.width()
    }

    /// Bytes of the fine plane of a row.
    pub(super) fn fine_bytes(self) -> usize {
        self.width() / 2
    }

    /// Bytes of the 1-bit code: whole words.
    pub(super) fn bits_bytes(self) -> usize {
        self.dims.div_ceil(64) * 8
    }

    /// Dimensions as stored.
    fn width(self) -> usize {
        self.dims.next_multiple_of(LANES)
    }

    /// Encodes a vector of unit length; what is not finite counts as 0.
    ///
    /// # Panics
    /// When the vector has not [`Codec::dims`] components or the row not [`Codec::row_bytes`].
    pub fn encode(self, vector: &[f32], row: &mut [u8]) {
        assert_eq!(vector.len(), self.dims, "a vector of another model");
        assert_eq!(row.len(), self.row_bytes(), "a row of another codec");
        let component = |at: usize| vector.get(at).copied().filter(|x| x.is_finite());
        let largest =
            (0..self.dims).filter_map(component).fold(0.0, |max: f32, x| max.max(x.abs()));
        let scale = largest / COARSE_MAX;
        row.fill(0);
        if scale < f32::MIN_POSITIVE {
            return;
        }
        row[..SCALE_BYTES].copy_from_slice(&scale.to_le_bytes());
        let (coarse, fine) = row[SCALE_BYTES..].split_at_mut(self.width());
        for at in 0..self.width() {
            let steps = component(at).unwrap_or(0.0) / scale;
            let step = steps.round().clamp(-COARSE_MAX, COARSE_MAX);
            coarse[at] = step as i8 as u8;
            let within = ((steps - step + 0.5) * FINE_STEPS).clamp(0.0, FINE_STEPS - 1.0) as u8;
            let shift = if at % 16 < 8 { 0 } else { 4 };
            fine[at / 16 * 8 + at % 8] |= within << shift;
        }
    }

    /// What a row stands for: within 1/32 of its scale of each component that was encoded.
    ///
    /// # Panics
    /// When the vector has not [`Codec::dims`] components or the row not [`Codec::row_bytes`].
    pub fn decode(self, row: &[u8], vector: &mut [f32]) {
        assert_eq!(row.len(), self.row_bytes(), "a row of another codec");
        let (coarse, fine) = row.split_at(self.coarse_bytes());
        self.decode_planes(coarse, fine, vector);
    }

    /// As [`Codec::decode`], from the two planes.
    pub(super) fn decode_planes(self, coarse: &[u8], fine: &[u8], vector: &mut [f32]) {
        assert_eq!(vector.len(), self.dims, "a vector of another model");
        let scale = scale(coarse) / FINE_STEPS;
        for (at, component) in vector.iter_mut().enumerate() {
            *component = scale * (joined(coarse, fine, at) - FINE_MIDDLE);
        }
    }

    /// The 1-bit code of a row: whether each component is positive.
    pub(super) fn bits(self, row: &[u8], bits: &mut [u8]) {
        let (coarse, fine) = row.split_at(self.coarse_bytes());
        bits.fill(0);
        for at in 0..self.dims {
            if joined(coarse, fine, at) > FINE_MIDDLE {
                bits[at / 8] |= 1 << (at % 8);
            }
        }
    }
}

/// The scale of a row of the coarse plane.
#[inline]
pub(super) fn scale(coarse: &[u8]) -> f32 {
    f32::from_le_bytes(*coarse.first_chunk().expect("a row begins with its scale"))
}

/// `16 coarse + fine` of a component.
fn joined(coarse: &[u8], fine: &[u8], at: usize) -> f32 {
    let byte = fine[at / 16 * 8 + at % 8];
    let low = if at % 16 < 8 { byte & 15 } else { byte >> 4 };
    f32::from(coarse[SCALE_BYTES + at] as i8) * FINE_STEPS + f32::from(low)
}

/// A query, in the forms that the planes are compared with.
#[derive(Debug)]
pub(super) struct EncodedQuery {
    kernel: Kernel,
    /// As the coarse plane is compared with it.
    coarse: Vec<i16>,
    /// What a unit of `coarse` stands for.
    unit: f32,
    /// As it is, filled up with zeros.
    exact: Vec<f32>,
    /// [`FINE_MIDDLE`] times the sum of its components.
    middle: f32,
    /// By how many times a row's scale the coarse score may be off, in halves of the scale.
    reach: f32,
}

impl EncodedQuery {
    /// A query of [`Codec::dims`] components; what is not finite counts as 0.
    pub(super) fn new(codec: Codec, vector: &[f32]) -> Self {
        let mut exact: Vec<f32> =
            vector.iter().map(|x| if x.is_finite() { *x } else { 0.0 }).collect();
        exact.resize(codec.width(), 0.0);
        let largest = exact.iter().fold(0.0, |max: f32, x| max.max(x.abs()));
        // So that no sum of products with codes leaves 32 bits.
        let steps = (i32::MAX as usize / (128 * codec.width())).min(i16::MAX as usize) as f32;
        let unit = if largest > 0.0 { largest / steps } else { 1.0 };
        let coarse = exact.iter().map(|x| (x / unit).round() as i16).collect();
        let total: f32 = exact.iter().sum();
        let absolute: f32 = exact.iter().map(|x| x.abs()).sum();
        // Half a step of each of its components against the largest code, and a step of rows.
        let own = unit * codec.width() as f32 * COARSE_MAX;
        let reach = (absolute + own) * (1.0 + 1e-4);
        Self { kernel: kernel::best(), coarse, unit, exact, middle: total * FINE_MIDDLE, reach }
    }

    /// Estimates distances from 1-bit codes.
    pub(super) fn estimator(&self) -> DistanceEstimator {
        DistanceEstimator::of(&self.exact, self.kernel)
    }

    /// Nearly the cosine to a row of the coarse plane.
    #[inline]
    pub(super) fn coarse(&self, row: &[u8]) -> f32 {
        let (scale, code) = row.split_at(SCALE_BYTES);
        let sum = (self.kernel.dot_query)(&self.coarse, code);
        scale_of(scale) * self.unit * sum as f32
    }

    /// How far the coarse score of rows of a scale may be from the cosine.
    pub(super) fn coarse_error(&self, scale: f32) -> f32 {
        0.5 * scale * self.reach + 1e-6
    }

    /// The cosine to a row.
    #[inline]
    pub(super) fn cosine(&self, coarse: &[u8], fine: &[u8]) -> f32 {
        let (scale, code) = coarse.split_at(SCALE_BYTES);
        let sum = (self.kernel.dot_fine)(&self.exact, code, fine) - self.middle;
        (scale_of(scale) / FINE_STEPS * sum).clamp(-1.0, 1.0)
    }
}

#[inline]
fn scale_of(bytes: &[u8]) -> f32 {
    f32::from_le_bytes(*bytes.first_chunk().expect("four bytes were split off"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn unit(mut vector: Vec<f32>) -> Vec<f32> {
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9);
        vector.iter_mut().for_each(|x| *x /= length);
        vector
    }

    #[test]
    fn refuses_dimensions_that_cannot_be() {
        assert!(Codec::new(0).is_err() && Codec::new(DIMS_MAX + 1).is_err());
        let codec = Codec::new(384).unwrap();
        assert_eq!((codec.row_bytes(), codec.bits_bytes()), (580, 48));
    }

    #[test]
    fn what_is_nothing_stays_nothing() {
        let codec = Codec::new(3).unwrap();
        let mut row = vec![1; codec.row_bytes()];
        codec.encode(&[f32::NAN, f32::INFINITY, 0.0], &mut row);
        let mut back = [1.0; 3];
        codec.decode(&row, &mut back);
        assert_eq!(back, [0.0; 3]);
        assert_eq!(
            EncodedQuery::new(codec, &[f32::NAN; 3]).coarse(&row[..codec.coarse_bytes()]),
            0.0
        );
    }

    proptest! {
        #[test]
        fn a_row_is_near_its_vector(
            pairs in prop::collection::vec((-1.0_f32..1.0, -1.0_f32..1.0), 1..500),
        ) {
            let (vector, query): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            let (vector, query) = (unit(vector), unit(query));
            let codec = Codec::new(vector.len()).unwrap();
            let mut row = vec![0; codec.row_bytes()];
            codec.encode(&vector, &mut row);
            let mut back = vec![0.0; vector.len()];
            codec.decode(&row, &mut back);
            let (coarse, fine) = row.split_at(codec.coarse_bytes());
            let step = scale(coarse);
            for (x, y) in vector.iter().zip(&back) {
                prop_assert!((x - y).abs() <= step / 32.0 * 1.01, "{x} {y} {step}");
            }
            let dot = |a: &[f32], b: &[f32]| -> f32 {
                a.iter().zip(b).map(|(a, b)| a * b).sum()
            };
            let encoded = EncodedQuery::new(codec, &query);
            // What was rounded may be longer than a unit; a cosine never is.
            let expected = dot(&query, &back).clamp(-1.0, 1.0);
            prop_assert!((encoded.cosine(coarse, fine) - expected).abs() < 1e-5);
            let off = (encoded.coarse(coarse) - dot(&query, &vector)).abs();
            prop_assert!(off <= encoded.coarse_error(step), "{off}");
            let mut bits = vec![0; codec.bits_bytes()];
            codec.bits(&row, &mut bits);
            let is_set = |at: usize| bits[at / 8] >> (at % 8) & 1 == 1;
            prop_assert!(back.iter().enumerate().all(|(at, x)| is_set(at) == (*x > 0.0)));
        }
    }
}
