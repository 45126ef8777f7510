//! What a graph is built over and of, in memory: the coarse plane, 1-bit codes, and the neighbours of each node.

use super::DEGREE;
use super::codec::{self, Codec, SCALE_BYTES};
use super::kernel::{self, Kernel};
use super::sign_bits::DistanceEstimator;

/// Neighbours, by node; unused places hold `NO_NODE`.
pub(super) type Neighbours = Vec<[u32; DEGREE]>;

/// The coarse plane and the 1-bit codes in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Codes<'a> {
    bytes: &'a [u8],
    stride: usize,
    bits: &'a [u8],
    bits_stride: usize,
    kernel: Kernel,
}

impl<'a> Codes<'a> {
    pub(super) fn new(bytes: &'a [u8], bits: &'a [u8], codec: Codec) -> Self {
        let (stride, bits_stride) = (codec.coarse_bytes(), codec.bits_bytes());
        Self { bytes, stride, bits, bits_stride, kernel: kernel::best() }
    }

    pub(super) fn nodes(&self) -> usize {
        self.bytes.len() / self.stride
    }

    #[inline]
    pub(super) fn row(&self, node: u32) -> &'a [u8] {
        let start = node as usize * self.stride;
        &self.bytes[start..start + self.stride]
    }

    #[inline]
    pub(super) fn bits(&self, node: u32) -> &'a [u8] {
        &self.bits[node as usize * self.bits_stride..][..self.bits_stride]
    }

    /// Estimates cosines to a node from 1-bit codes.
    pub(super) fn estimator(&self, node: u32) -> DistanceEstimator {
        let code = self.row(node)[SCALE_BYTES..].iter();
        let components: Vec<f32> = code.map(|&code| f32::from(code.cast_signed())).collect();
        DistanceEstimator::of(&components, self.kernel)
    }

    /// Cosine of two nodes, nearly.
    #[inline]
    pub(super) fn near(&self, one: u32, other: u32) -> f32 {
        let (one, other) = (self.row(one), self.row(other));
        let sum = (self.kernel.dot_codes)(&one[SCALE_BYTES..], &other[SCALE_BYTES..]);
        codec::scale(one) * codec::scale(other) * sum as f32
    }

    /// Distance of two nodes: finite and never negative.
    #[inline]
    pub(super) fn apart(&self, one: u32, other: u32) -> f32 {
        (1.0 - self.near(one, other)).max(0.0)
    }
}
