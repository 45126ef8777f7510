//! The arithmetic of the encoder, chosen at run time for the CPU.
//!
//! Matrices are multiplied in bytes: weights of eight bits with a scale per output, activations of eight
//! bits with a scale and a zero per row, exact sums of 32 bits. Activations are first divided by a
//! smoothing per input, which evens out the few that are large, and the weights are rounded so that what one
//! loses the next make good (`scripts/model/quantise.py`). Everything else
//! (`layer`) is f32 in sixteen lanes whose order of additions is written down. So every kernel
//! gives the same vector, bit for bit, and caches and snapshots may move between machines.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lanes;
mod layer;
mod packed;
mod portable;

pub use lanes::{LANES, softmax};
pub use layer::{Batch, Layer, Norm, Scratch};
pub use packed::{GROUP_SUM_MAX, Packed, Quantised};

/// Largest quantised activation.
const ACTIVATION_MAX: f32 = 255.0;

/// Columns of a panel of packed weights: what one tile of a product spans.
pub const PANEL: usize = 16;

/// Instructions that the arithmetic is done with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kernel {
    /// Whatever the compiler makes of plain loops: SSE2 on x86-64, NEON on AArch64.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VNNI.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Multiplies quantised rows by packed weights.
trait Multiply {
    /// `out[r][o] = Σ rows[r][i] · weights[i][o] + bias[o]` for every row of `rows`.
    fn multiply(rows: Rows<'_>, weights: &Packed, out: &mut [f32]);
}

/// Quantised activations: `(values[r][i] − steps[r].zero) · steps[r].scale`.
#[derive(Clone, Copy)]
struct Rows<'a> {
    /// Row by row, each as long as the weights have inputs.
    values: &'a [u8],
    /// One per row.
    steps: &'a [Step],
}

/// How a row was quantised.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    /// What a unit is worth.
    scale: f32,
    /// Which value stands for nought.
    zero: i32,
}

impl Step {
    /// Makes the outputs from `first` on of the sums of one row. Inlined whole into each kernel, so that it is
    /// compiled for that kernel's instructions.
    #[inline(always)]
    fn scale<const WIDTH: usize>(
        self,
        sums: &[i32; WIDTH],
        weights: &Packed,
        first: usize,
        out: &mut [f32],
    ) {
        let totals = &weights.sums[first..][..WIDTH];
        let scales = &weights.scales[first..][..WIDTH];
        let bias = &weights.bias[first..][..WIDTH];
        let out = &mut out[first..][..WIDTH];
        for column in 0..WIDTH {
            let sum = sums[column] - self.zero * totals[column];
            out[column] = sum as f32 * (self.scale * scales[column]) + bias[column];
        }
    }
}

impl Kernel {
    /// The fastest that this CPU has. One that does not agree with the portable one is passed over.
    pub fn detect() -> Self {
        Self::available().into_iter().find(|kernel| kernel.agrees()).unwrap_or(Self::Portable)
    }

    /// Those that this CPU has, fastest first.
    fn available() -> Vec<Self> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vnni")
            {
                all.push(Self::Avx512);
            }
            if is_x86_feature_detected!("avx2") {
                all.push(Self::Avx2);
            }
        }
        all.push(Self::Portable);
        all
    }

    /// Its name, as figures and logs give it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => "AVX-512 VNNI",
        }
    }

    /// Runs one layer over the batch's rows, in place.
    #[allow(unsafe_code)]
    pub fn layer(self, layer: &Layer, batch: Batch, rows: &mut [f32], scratch: &mut Scratch) {
        match self {
            Self::Portable => layer::run::<portable::Portable>(layer, batch, rows, scratch),
            // SAFETY: the value exists only where `available` found AVX2.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { avx2::layer(layer, batch, rows, scratch) },
            // SAFETY: the value exists only where `available` found AVX-512 F, BW and VNNI.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512::layer(layer, batch, rows, scratch) },
        }
    }

    /// The norm of the embeddings, before the first layer.
    pub fn norm(self, norm: &Norm, rows: &mut [f32]) {
        for row in rows.chunks_exact_mut(norm.gain.len()) {
            lanes::norm(row, &norm.gain, &norm.bias, norm.epsilon);
        }
    }

    #[allow(unsafe_code)]
    fn multiply(self, rows: Rows<'_>, weights: &Packed, out: &mut [f32]) {
        match self {
            Self::Portable => portable::Portable::multiply(rows, weights, out),
            // SAFETY: as in `layer`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => unsafe { avx2::multiply(rows, weights, out) },
            // SAFETY: as in `layer`.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => unsafe { avx512::multiply(rows, weights, out) },
        }
    }

    /// Whether it gives the very products of the portable kernel, for every height of a tile, weights and
    /// activations at their limits included.
    fn agrees(self) -> bool {
        const INPUTS: usize = 40;
        const OUTPUTS: usize = 5 * PANEL;
        let wave = |index: usize| (index * 2_654_435_761) >> 7;
        let mut values: Vec<i8> =
            (0..INPUTS * OUTPUTS).map(|at| (wave(at) % 65) as i8 - 32).collect();
        values[..8].copy_from_slice(&[64, 64, -64, -64, 0, 0, 0, 0]);
        values[INPUTS..INPUTS + 8].copy_from_slice(&[127, 1, 0, 1, 0, 0, 127, 0]);
        let scales = (0..OUTPUTS).map(|output| 0.01 + output as f32).collect();
        let smoothing = vec![1.0; INPUTS];
        let bias = (0..OUTPUTS).map(|output| wave(output) as f32).collect();
        let weights = Packed::of(Quantised { values, scales, smoothing }, bias);
        (1..=23).all(|height| {
            let mut values: Vec<u8> =
                (0..height * INPUTS).map(|at| (wave(at * 7 + 3) % 256) as u8).collect();
            values[..INPUTS].fill(255);
            let step = |row: usize| Step { scale: 0.01 * (row + 1) as f32, zero: row as i32 * 11 };
            let steps: Vec<Step> = (0..height).map(step).collect();
            let rows = Rows { values: &values, steps: &steps };
            let (mut ours, mut portable) =
                (vec![0.0; height * OUTPUTS], vec![1.0; height * OUTPUTS]);
            self.multiply(rows, &weights, &mut ours);
            Self::Portable.multiply(rows, &weights, &mut portable);
            ours == portable
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_of_this_cpu_agrees_with_the_portable_one() {
        for kernel in Kernel::available() {
            assert!(kernel.agrees(), "{} gives other products", kernel.name());
        }
    }

    #[test]
    fn the_product_of_bytes_is_near_the_product_in_f64() {
        let (inputs, outputs, height) = (384, 32, 5);
        let value = |index: usize| ((index * 7919 % 2003) as f32 / 1001.5 - 1.0) * 0.3;
        let matrix: Vec<f32> = (0..inputs * outputs).map(value).collect();
        let bias: Vec<f32> = (0..outputs).map(|column| column as f32 / 10.0).collect();
        // Weights of at most 32, so that a group of four keeps to its sum.
        let scale = 0.3 / 32.0;
        let quantised = Quantised {
            values: matrix.iter().map(|weight| (weight / scale).round() as i8).collect(),
            scales: vec![scale * 0.5; outputs],
            smoothing: vec![0.5; inputs],
        };
        assert!(quantised.fits());
        let weights = Packed::of(quantised, bias.clone());
        let rows: Vec<f32> = (0..height * inputs).map(|i| value(i * 31 + 5) + 0.1).collect();
        let (mut values, mut steps) = (vec![0; rows.len()], Vec::new());
        for (row, quantised) in rows.chunks(inputs).zip(values.chunks_mut(inputs)) {
            steps.push(lanes::quantise(row, &weights.reciprocals, quantised));
        }
        let mut out = vec![0.0; height * outputs];
        Kernel::detect().multiply(Rows { values: &values, steps: &steps }, &weights, &mut out);
        for (row, out) in rows.chunks(inputs).zip(out.chunks(outputs)) {
            for (column, &got) in out.iter().enumerate() {
                let weights = &matrix[column * inputs..][..inputs];
                let exact: f64 =
                    row.iter().zip(weights).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
                let error = (f64::from(got) - exact - f64::from(bias[column])).abs();
                assert!(error < 0.05, "{got} for {exact} + {}", bias[column]);
            }
        }
    }
}
