//! The definition of the activations, which the shaders follow. Numbers such as 24 are attributes of [`Activation`].
//!
//! There are two kinds. *Arithmetic* activations consist of single operations (+, −, ×, ÷, √, comparisons). Each is rounded in the
//! tensor's own dtype, so every backend can give the same bits. *Transcendental* activations are computed in float64 by the `libm` crate,
//! which is the same code in every build, and rounded once. A float32 result is the nearest float32, except in the rare case that
//! float64's own error decides a tie. float16 and bfloat16 are computed in float32 and rounded once more.

use std::f64::consts::FRAC_1_SQRT_2;
use std::slice;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::backend::cpu::kernels::exponential;
use crate::backend::cpu::kernels::half_float::HalfFloat;
use crate::backend::cpu::kernels::vector::{Double, FloatLanes, Single};
use crate::dtype::DType;
use crate::plan::Activation;
use crate::scalar::{Bits, load, store};

/// The elements as a slice.
///
/// # Safety
/// As for [`activate`].
unsafe fn of<'a, T: Pod>(values: *mut u8, len: usize) -> &'a mut [T] {
    // SAFETY: as the caller promises.
    unsafe { slice::from_raw_parts_mut(values.cast(), len) }
}

/// Applies the activation to `len` elements of `dtype` in place. The plan guarantees that the activation takes the dtype. An
/// operation on two tensors calls this with results that are still in the cache.
///
/// # Safety
/// These elements must exist, be aligned, and have no reference to them.
pub(crate) unsafe fn activate(act: Activation, dtype: DType, values: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    unsafe {
        match dtype {
            DType::Float32 => float32(act, of(values, len)),
            DType::Float64 => float64(act, of(values, len)),
            DType::Float16 => half_float::<f16>(act, of(values, len)),
            DType::Bfloat16 => half_float::<bf16>(act, of(values, len)),
            DType::Bool => {} // only assign takes it
            DType::Int8 | DType::Uint8 | DType::Int16 | DType::Uint16 => {
                integer(act, dtype, of(values, len * dtype.size()));
            }
            DType::Int32 | DType::Uint32 | DType::Int64 | DType::Uint64 => {
                integer(act, dtype, of(values, len * dtype.size()));
            }
        }
    }
}

/// Rounds `len` floats of `dtype` toward zero, in place. Other dtypes have no fractions.
///
/// # Safety
/// As for [`activate`].
pub(crate) unsafe fn truncate(dtype: DType, values: *mut u8, len: usize) {
    /// The whole part of a number of a half type, given as bits.
    fn half<H: HalfFloat>(bits: u16) -> u16 {
        H::round(f32::from_bits(H::widen(u32::from(bits))).trunc().to_bits()) as u16
    }
    // SAFETY: as the caller promises.
    unsafe {
        match dtype {
            DType::Float32 => of::<f32>(values, len).iter_mut().for_each(|x| *x = x.trunc()),
            DType::Float64 => of::<f64>(values, len).iter_mut().for_each(|x| *x = x.trunc()),
            DType::Float16 => of(values, len).iter_mut().for_each(|x| *x = half::<f16>(*x)),
            DType::Bfloat16 => of(values, len).iter_mut().for_each(|x| *x = half::<bf16>(*x)),
            DType::Bool | DType::Int8 | DType::Uint8 | DType::Int16 | DType::Uint16 => {}
            DType::Int32 | DType::Uint32 | DType::Int64 | DType::Uint64 => {}
        }
    }
}

/// Applies any activation to float32 numbers: by `exponential` if possible, else by `arithmetic`, else one by one in float64.
fn float32(act: Activation, values: &mut [f32]) {
    if exponential::activate(act, values) {
        return;
    }
    if let Some(function) = padded::<Single>(act, values) {
        values.iter_mut().for_each(|x| *x = function((*x).into()) as f32);
    }
}

/// Applies any activation to float64 numbers. `exponential` is not used, because its results differ beyond the range of float32.
fn float64(act: Activation, values: &mut [f64]) {
    if let Some(function) = padded::<Double>(act, values) {
        values.iter_mut().for_each(|x| *x = function(*x));
    }
}

/// Applies an arithmetic activation to any number of values; [`arithmetic`] itself takes whole vectors. An incomplete last vector is
/// copied to a full one. For a transcendental activation it changes nothing and returns the function for one value; else it returns
/// `None`.
fn padded<F: FloatLanes>(act: Activation, values: &mut [F::Element]) -> Option<fn(f64) -> f64> {
    let (vectors, rest) = values.split_at_mut(values.len() / F::COUNT * F::COUNT);
    let function = arithmetic::<F>(act, vectors);
    // No vector has more than four numbers.
    let mut last: [F::Element; 4] = bytemuck::Zeroable::zeroed();
    if let Some(last) = last.get_mut(..F::COUNT)
        && !rest.is_empty()
    {
        for (last, value) in last.iter_mut().zip(&*rest) {
            *last = *value;
        }
        arithmetic::<F>(act, last);
        for (last, value) in last.iter().zip(rest) {
            *value = *last;
        }
    }
    function
}

/// Applies any activation to numbers of a half type, given as bits. Computes in float32, 64 numbers at a time.
fn half_float<H: HalfFloat>(act: Activation, values: &mut [u16]) {
    for run in values.chunks_mut(64) {
        let mut wide = [0f32; 64];
        let Some(wide) = wide.get_mut(..run.len()) else { continue };
        for (wide, value) in wide.iter_mut().zip(&*run) {
            *wide = f32::from_bits(H::widen(u32::from(*value)));
        }
        float32(act, wide);
        for (value, wide) in run.iter_mut().zip(&*wide) {
            *value = H::round(wide.to_bits()) as u16;
        }
    }
}

/// Applies an activation to integers of any width, one by one. Results wrap, but exp saturates at the ends of the dtype. Few activations
/// take integers, and all of these are cheap.
fn integer(act: Activation, dtype: DType, values: &mut [u8]) {
    let (min, max) = dtype.int_range().unwrap_or_default();
    let (is_signed, unused) = (min < 0, Bits::BITS - 8 * dtype.size() as u32);
    for element in values.chunks_exact_mut(dtype.size()) {
        let bits = load(element);
        // Moves the sign bit of the element to the top and back, which extends it.
        let signed = (bits << unused) as i64 >> unused;
        let result = match act {
            Activation::Abs if is_signed => signed.unsigned_abs(),
            Activation::Exp => {
                let x = if is_signed { signed as f64 } else { bits as f64 };
                // The cast drops the fraction and saturates at the ends of the range.
                (libm::exp(x) as u64).min(max as u64)
            }
            Activation::Square => bits.wrapping_mul(bits),
            _ => return, // abs of unsigned, assign, pow and scale change nothing
        };
        store(element, result);
    }
}

/// Applies an arithmetic activation to whole vectors and returns `None`. The operations run in the dtype itself, in the order written
/// here. For a transcendental activation it changes nothing and returns the function for one value.
///
/// Comparisons with NaN are false. The selects are written so that NaN stays NaN where the formula keeps it.
fn arithmetic<F: FloatLanes>(act: Activation, values: &mut [F::Element]) -> Option<fn(f64) -> f64> {
    let number = F::splat;
    let (zero, half, one) = (F::splat(0.0), F::splat(0.5), F::splat(1.0));
    match act {
        Activation::Abs => F::each(values, F::abs),
        Activation::Brelu => F::each(values, |x| clamp(x, zero, number(24.0))),
        Activation::Ceil => F::each(values, F::ceil),
        Activation::Floor => F::each(values, F::floor),
        Activation::HardShrink => F::each(values, |x| F::select(x.abs().le_mask(half), zero, x)),
        Activation::HardSigmoid => F::each(values, |x| clamp(number(0.2) * x + half, zero, one)),
        Activation::HardSwish => F::each(values, hard_swish),
        Activation::LeakyRelu => F::each(values, |x| F::select(zero.lt_mask(x), x, number(0.02) * x)),
        Activation::Reciprocal => F::each(values, |x| one / x),
        Activation::Relu => F::each(values, |x| F::select(x.lt_mask(zero), zero, x)),
        Activation::Relu6 => F::each(values, |x| clamp(x, zero, number(6.0))),
        Activation::Round => F::each(values, round),
        Activation::Rsqrt => F::each(values, |x| one / x.sqrt()),
        Activation::Scale => F::each(values, |x| x + zero),
        Activation::Sign => F::each(values, sign),
        Activation::Softshrink => F::each(values, soft_shrink),
        Activation::Softsign => F::each(values, |x| x / (x.abs() + one)),
        Activation::Sqrt => F::each(values, F::sqrt),
        Activation::Square => F::each(values, |x| x * x),
        Activation::ThresholdedRelu => F::each(values, |x| F::select(x.le_mask(one), zero, x)),
        Activation::Assign | Activation::Pow => {} // to the power of 1

        Activation::Acos => return Some(libm::acos),
        Activation::Asin => return Some(libm::asin),
        Activation::Atan => return Some(libm::atan),
        Activation::Cos => return Some(libm::cos),
        Activation::Elu => return Some(elu),
        Activation::Erf => return Some(libm::erf),
        Activation::Exp => return Some(libm::exp),
        Activation::Gelu => return Some(gelu),
        Activation::Log => return Some(libm::log),
        Activation::Log1p => return Some(libm::log1p),
        Activation::Logsigmoid => return Some(log_sigmoid),
        Activation::Mish => return Some(mish),
        Activation::Selu => return Some(selu),
        Activation::Sigmoid => return Some(sigmoid),
        Activation::Sin => return Some(libm::sin),
        Activation::SoftRelu => return Some(soft_relu),
        Activation::Softplus => return Some(softplus),
        Activation::Stanh => return Some(scaled_tanh),
        Activation::Swish => return Some(swish),
        Activation::Tanh => return Some(libm::tanh),
        Activation::TanhShrink => return Some(tanh_shrink),
    }
    None
}

/// Limits x to `low` … `high`. Keeps NaN, and keeps −0 if `low` is 0.
fn clamp<F: FloatLanes>(x: F, low: F, high: F) -> F {
    F::select(x.lt_mask(low), low, F::select(high.lt_mask(x), high, x))
}

/// x · clamp(x + 3, 0, 6) / 6. Divides before it multiplies, so that large x stay finite.
fn hard_swish<F: FloatLanes>(x: F) -> F {
    let six = F::splat(6.0);
    clamp(x + F::splat(3.0), F::splat(0.0), six) / six * x
}

/// Rounds to the nearest integer, ties away from zero.
fn round<F: FloatLanes>(x: F) -> F {
    let whole = x.trunc();
    whole + F::select(F::splat(0.5).le_mask((x - whole).abs()), F::splat(1.0), F::splat(0.0)).copysign(x)
}

/// 1, −1 or 0 by the sign of x; 0 for NaN.
fn sign<F: FloatLanes>(x: F) -> F {
    let zero = F::splat(0.0);
    F::select(zero.lt_mask(x), F::splat(1.0), F::select(x.lt_mask(zero), F::splat(-1.0), zero))
}

/// x moved toward 0 by 0.5; 0 if |x| ≤ 0.5.
fn soft_shrink<F: FloatLanes>(x: F) -> F {
    let half = F::splat(0.5);
    let inside = F::select(x.abs().le_mask(half), F::splat(0.0), x); // NaN stays
    F::select(half.lt_mask(x), x - half, F::select(x.lt_mask(-half), x + half, inside))
}

/// x · Φ(x), with the distribution function Φ of the normal distribution.
fn gelu(x: f64) -> f64 {
    x * 0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// −ln(1 + e^−x).
fn log_sigmoid(x: f64) -> f64 {
    -softplus(-x)
}

/// ln(1 + e^x), with x limited to −40 … 40. Keeps NaN.
fn soft_relu(x: f64) -> f64 {
    softplus(x.clamp(-40.0, 40.0))
}

/// The constants are float32 numbers, as all attributes of activations.
fn scaled_tanh(x: f64) -> f64 {
    f64::from(1.7159_f32) * libm::tanh(f64::from(0.67_f32) * x)
}

/// x/(1 + e^−x).
fn swish(x: f64) -> f64 {
    x * sigmoid(x)
}

/// x if it is positive, else e^x − 1.
fn elu(x: f64) -> f64 {
    if x > 0.0 { x } else { libm::expm1(x) }
}

/// λ · (x if it is positive, else α · (e^x − 1)). The constants λ and α are float32 numbers, as all attributes of activations.
fn selu(x: f64) -> f64 {
    f64::from(1.050_701_f32) * if x > 0.0 { x } else { 1.673_263_2_f32 as f64 * libm::expm1(x) }
}

/// 1/(1 + e^−x).
fn sigmoid(x: f64) -> f64 {
    exponential::sigmoid(x, libm::exp(-x.abs()))
}

/// ln(1 + e^x).
fn softplus(x: f64) -> f64 {
    exponential::softplus(x, libm::exp(-x.abs()))
}

/// x · tanh(ln(1 + e^x)).
fn mish(x: f64) -> f64 {
    exponential::mish(x, libm::exp(x))
}

/// x − tanh x. Near 0 the subtraction would cancel most digits. There the series of tanh from x³ on is added up, with reversed signs.
fn tanh_shrink(x: f64) -> f64 {
    const SERIES: [f64; 9] = [
        1.0 / 3.0,
        -2.0 / 15.0,
        17.0 / 315.0,
        -62.0 / 2835.0,
        1382.0 / 155_925.0,
        -21_844.0 / 6_081_075.0,
        929_569.0 / 638_512_875.0,
        -6_404_582.0 / 10_854_718_875.0,
        443_861_162.0 / 1_856_156_927_625.0,
    ];
    // Up to 0.15, the omitted terms are below 1e-18 of the result. The formula turns −0 into +0; the series would keep −0.
    if x.abs() > 0.15 || x == 0.0 {
        return x - libm::tanh(x);
    }
    let square = x * x;
    x * square * SERIES.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient)
}
