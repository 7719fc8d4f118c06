//! Finds out whether this adapter's float32 arithmetic gives the CPU's bits. It runs once, at start, the functions that the
//! kernels call.

use std::rc::Rc;

use crate::backend::gpu::engine::Bindings;
use crate::backend::gpu::params::{Head, NEVER_FAILS, Probe};
use crate::backend::gpu::{Gpu, ShaderKey};
use crate::error::Result;

/// How float32 sums and products are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arithmetic {
    /// By the adapter.
    #[default]
    Native,
    /// Products by the adapter where both operands are such that it is sure to be right, which
    /// `shaders/broadcast/guarded.wgsl` sees from their bits; everything else as [`Arithmetic::Strict`].
    Guarded,
    /// In integers, by `shaders/lib/strict_float.wgsl`: right on every adapter, and slower.
    Strict,
}

impl Arithmetic {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Native, Self::Guarded, Self::Strict];
}

/// What the probe saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numerics {
    /// What is used.
    pub float32: Arithmetic,
    /// Whether the adapter keeps subnormal numbers.
    pub keeps_subnormals: bool,
    /// Whether the adapter keeps NaN and the infinities.
    pub keeps_nan: bool,
}

/// A chain of updates: an element, then what is added to it or multiplied with it in order.
const STEPS: usize = 4;
const CHAINS: usize = 12;
type Chains = [[f32; STEPS + 1]; CHAINS];

/// Chains whose result is different where subnormal numbers are taken for zero.
const SUBNORMAL: std::ops::Range<usize> = 0..4;
/// Chains with NaN and infinities.
const NAN: std::ops::Range<usize> = 4..8;

const SUMS: Chains = [
    [1e-40, 1e-40, 1e-40, 1e-40, 1e-40],
    [1.5e-38, -1.4e-38, 0.0, 0.0, 0.0],
    [3e-39, 3e-39, 3e-39, 3e-39, 3e-39],
    [-1e-40, 1e-40, -2e-40, 0.0, 1e-45],
    [f32::MAX, f32::MAX, -f32::MAX, 0.0, 2.0],
    [f32::NAN, 1.0, 2.0, 0.0, -3.0],
    [f32::INFINITY, 0.0, -1.0, f32::NEG_INFINITY, 1.0],
    [-f32::MAX, -f32::MAX, 1.0, 2.0, 3.0],
    // Ties, order, signs of zero.
    [16_777_216.0, 1.0, 1.0, 2.999_999_8, 1.000_000_1],
    [1.0, 1e8, -1e8, 1e-3, 3.0],
    [-0.0, -0.0, -0.0, -0.0, -0.0],
    [0.1, 0.2, 0.3, 0.7, 1.1],
];

const PRODUCTS: Chains = [
    [1.5e-38, 0.5, 0.5, 1.0, 1.0],
    [1e-40, 1_048_576.0, 0.7, 1.5, 1.0],
    [3e-39, 3.0, 5.0, 0.3, 0.1],
    [-2e-38, 0.3, 0.3, 7.0, 3.0],
    [f32::MAX, 2.0, 0.0, 1.0, 1.0],
    [f32::NAN, 1.0, 2.0, 0.0, -3.0],
    [f32::INFINITY, -1.0, 0.5, -2.0, 1.0],
    [-f32::MAX, f32::MAX, 0.5, 1.0, -1.0],
    // Ties, order, signs of zero.
    [16_777_215.0, 3.0, 1.000_000_1, 2.999_999_8, 0.333_333_34],
    [1e20, 1e-20, 1e20, 1e-10, 3.0],
    [-0.0, 2.0, -3.0, 1.0, 5.0],
    [0.1, 0.2, 0.3, 0.7, 1.1],
];

/// How many pairs of further chains there are, of normal numbers: hundreds of roundings.
const ROUNDED: u32 = 64;

/// One of these chains; even ones are for sums, odd ones for products. Sums often need a tie to be rounded. Products do
/// where the factors have 13 bits, as in every other pair of chains.
fn rounded(chain: u32) -> [f32; STEPS + 1] {
    let mut state = chain;
    std::array::from_fn(|_| {
        // SplitMix32: numbers that look random and are the same every time.
        state = state.wrapping_add(0x9e37_79b9);
        let mut bits = state;
        bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
        bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
        bits ^= bits >> 16;
        let fraction = if (chain / 2).is_multiple_of(2) { bits >> 9 } else { bits >> 20 << 11 };
        f32::from_bits(((bits & 1) << 31) | ((127 + ((bits >> 1) & 7)) << 23) | fraction)
    })
}

/// Runs every chain on the GPU and here, and compares.
pub(super) async fn run(gpu: &Rc<Gpu>) -> Result<Numerics> {
    const OP: &str = "init";
    // As `shaders/probe/probe.wgsl` has them.
    let chains = SUMS.iter().zip(&PRODUCTS).flat_map(|(&sum, &product)| [sum, product]);
    let chains: Vec<_> = chains.chain((0..2 * ROUNDED).map(rounded)).collect();
    let starts: Vec<f32> = chains.iter().map(|&[start, ..]| start).collect();
    let steps: Vec<f32> = chains.iter().flat_map(|[_, steps @ ..]| steps).copied().collect();
    let starts = gpu.upload(OP, bytemuck::cast_slice(&starts))?;
    let steps = gpu.upload(OP, bytemuck::cast_slice(&steps))?;
    let params = Probe { head: Head::new(chains.len(), NEVER_FAILS) };
    gpu.dispatch(ShaderKey::PROBE, params, &Bindings { index: None, dst: Some(&starts), src: Some(&steps) });
    let results = starts.read(OP).await?;

    let same = |at: usize, got: f32| {
        let combine = |a: f32, &b: &f32| if at.is_multiple_of(2) { a + b } else { a * b };
        let expected = chains.get(at).map_or(0.0, |[start, steps @ ..]| steps.iter().fold(*start, combine));
        got.to_bits() == expected.to_bits() || (got.is_nan() && expected.is_nan())
    };
    let wrong: Vec<usize> = results
        .elements()
        .iter()
        .enumerate()
        .filter(|&(at, &got)| !same(at, got))
        .map(|(at, _)| at / 2)
        .collect();
    let float32 = match wrong.as_slice() {
        [] => Arithmetic::Native,
        wrong if wrong.iter().all(|at| SUBNORMAL.contains(at) || NAN.contains(at)) => Arithmetic::Guarded,
        _ => Arithmetic::Strict,
    };
    Ok(Numerics {
        float32,
        keeps_subnormals: !wrong.iter().any(|at| SUBNORMAL.contains(at)),
        keeps_nan: !wrong.iter().any(|at| NAN.contains(at)),
    })
}
