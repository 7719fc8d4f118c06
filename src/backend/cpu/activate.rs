//! The activations themselves. This is their one definition: shaders follow it.
//!
//! Two kinds. *Arithmetic* ones are made of single operations (+, −, ×, ÷, √, comparisons), each rounded in
//! the tensor's own dtype, so that every backend can give the same bits. *Transcendental* ones are computed in
//! float64 by the `libm` crate, which is the same code in every build, and rounded once: a float32 result is
//! the nearest to the formula's value, but for the rare case that float64's own error decides a tie.
//! float16 and bfloat16 go through float32 and are rounded once more.

use std::f64::consts::FRAC_1_SQRT_2;

use half::{bf16, f16};

use crate::backend::cpu::exponential;
use crate::dtype::{DType, Element};
use crate::plan::Activation;

/// An element that activations are applied to. Kernels call it with runs of results that are still cached.
pub(super) trait Activate: Element {
    /// Applies the activation in place; the plan has seen to it that it takes the dtype.
    fn activate(act: Activation, dtype: DType, values: &mut [Self]);
}

/// float32 and float64.
trait Real: Copy + PartialOrd + std::ops::Neg<Output = Self> + Element {
    /// An attribute. They are float32 numbers.
    fn attribute(value: f32) -> Self;
    fn plus(self, other: Self) -> Self;
    fn divide(self, other: Self) -> Self;
    fn absolute(self) -> Self;
    fn square_root(self) -> Self;
    fn next_above(self) -> Self;
    fn next_below(self) -> Self;
    fn nearest(self) -> Self;
    fn widen(self) -> f64;
    fn narrow(value: f64) -> Self;
    fn is_nan(self) -> bool;
}

macro_rules! real {
    ($($ty:ty)*) => {$(
        impl Real for $ty {
            fn attribute(value: f32) -> Self { Self::from(value) }
            fn plus(self, other: Self) -> Self { self + other }
            fn divide(self, other: Self) -> Self { self / other }
            fn absolute(self) -> Self { self.abs() }
            fn square_root(self) -> Self { self.sqrt() }
            fn next_above(self) -> Self { self.ceil() }
            fn next_below(self) -> Self { self.floor() }
            fn nearest(self) -> Self {
                // Ties away from zero. `round` is a call for each element.
                let whole = self.trunc();
                whole + Self::from(u8::from((self - whole).abs() >= 0.5)).copysign(self)
            }
            fn widen(self) -> f64 { self.into() }
            fn narrow(value: f64) -> Self { value as Self }
            fn is_nan(self) -> bool { <$ty>::is_nan(self) }
        }

    )*};
}
real!(f32 f64);

impl Activate for f32 {
    fn activate(act: Activation, _: DType, values: &mut [Self]) {
        if exponential::activate(act, values) {
            return;
        }
        match transcendental(act) {
            Some(function) => through_f64(values, function),
            None => arithmetic(act, values),
        }
    }
}

impl Activate for f64 {
    fn activate(act: Activation, _: DType, values: &mut [Self]) {
        match transcendental(act) {
            Some(function) => through_f64(values, function),
            None => arithmetic(act, values),
        }
    }
}

macro_rules! half_float {
    ($($ty:ty)*) => {$(
        impl Activate for $ty {
            fn activate(act: Activation, dtype: DType, values: &mut [Self]) {
                for run in values.chunks_mut(64) {
                    let mut wide = [0f32; 64];
                    let Some(wide) = wide.get_mut(..run.len()) else { continue };
                    for (wide, value) in wide.iter_mut().zip(&*run) { *wide = value.to_f32(); }
                    f32::activate(act, dtype, wide);
                    for (value, wide) in run.iter_mut().zip(&*wide) { *value = Self::from_f32(*wide); }
                }
            }
        }
    )*};
}
half_float!(f16 bf16);

macro_rules! integer {
    ($($unsigned:ty, $signed:ty, $signed_dtype:ident;)*) => {$(
        impl Activate for $unsigned {
            fn activate(act: Activation, dtype: DType, values: &mut [Self]) {
                let is_signed = dtype == DType::$signed_dtype;
                match act {
                    Activation::Abs if is_signed => map(values, |x| (x as $signed).wrapping_abs() as Self),
                    // Casts cut the fraction and stop at the ends of the range.
                    Activation::Exp if is_signed => {
                        map(values, |x| libm::exp((x as $signed) as f64) as $signed as Self);
                    }
                    Activation::Exp => map(values, |x| libm::exp(x as f64) as Self),
                    Activation::Square => map(values, |x| x.wrapping_mul(x)),
                    _ => {} // abs of unsigned, assign, pow and scale change nothing
                }
            }
        }
    )*};
}
integer!(u8, i8, Int8; u16, i16, Int16; u32, i32, Int32; u64, i64, Int64;);

impl Activate for crate::dtype::Truth {
    /// Only assign takes bool.
    fn activate(_: Activation, _: DType, _: &mut [Self]) {}
}

fn map<E: Copy>(values: &mut [E], function: impl Fn(E) -> E) {
    for value in values {
        *value = function(*value);
    }
}

fn through_f64<R: Real>(values: &mut [R], function: fn(f64) -> f64) {
    map(values, |x| R::narrow(function(x.widen())));
}

/// Single operations in the dtype itself, in the order in which they are written here.
fn arithmetic<R: Real>(act: Activation, values: &mut [R]) {
    let [zero, half, one] = [0.0, 0.5, 1.0].map(R::attribute);
    match act {
        Activation::Abs => map(values, R::absolute),
        Activation::Brelu => map(values, |x| clamp(x, zero, R::attribute(24.0))),
        Activation::Ceil => map(values, R::next_above),
        Activation::Floor => map(values, R::next_below),
        Activation::HardShrink => map(values, |x| if x.absolute() <= half { zero } else { x }),
        Activation::HardSigmoid => {
            map(values, |x| clamp(R::attribute(0.2).multiply(x).plus(half), zero, one));
        }
        Activation::HardSwish => map(values, hard_swish),
        Activation::LeakyRelu => map(values, |x| if x > zero { x } else { R::attribute(0.02).multiply(x) }),
        Activation::Reciprocal => map(values, |x| one.divide(x)),
        Activation::Relu => map(values, |x| if x < zero { zero } else { x }),
        Activation::Relu6 => map(values, |x| clamp(x, zero, R::attribute(6.0))),
        Activation::Round => map(values, R::nearest),
        Activation::Rsqrt => map(values, |x| one.divide(x.square_root())),
        Activation::Scale => map(values, |x| x.plus(zero)),
        Activation::Sign => map(values, sign),
        Activation::Softshrink => map(values, soft_shrink),
        Activation::Softsign => map(values, |x| x.divide(x.absolute().plus(one))),
        Activation::Sqrt => map(values, R::square_root),
        Activation::Square => map(values, |x| x.multiply(x)),
        Activation::ThresholdedRelu => map(values, |x| if x <= one { zero } else { x }),
        _ => {} // assign and pow, which is to the power of 1; the others are transcendental
    }
}

/// x between the two; NaN stays, and so does −0.
fn clamp<R: Real>(x: R, low: R, high: R) -> R {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// Dividing before multiplying keeps large x finite.
fn hard_swish<R: Real>(x: R) -> R {
    let six = R::attribute(6.0);
    clamp(x.plus(R::attribute(3.0)), R::attribute(0.0), six).divide(six).multiply(x)
}

fn sign<R: Real>(x: R) -> R {
    let zero = R::attribute(0.0);
    R::attribute(if x > zero {
        1.0
    } else if x < zero {
        -1.0
    } else {
        0.0
    })
}

fn soft_shrink<R: Real>(x: R) -> R {
    let half = R::attribute(0.5);
    if x > half {
        x.plus(-half)
    } else if x < -half {
        x.plus(half)
    } else if x.is_nan() {
        x
    } else {
        R::attribute(0.0)
    }
}

/// The function of a transcendental activation; `None` for an arithmetic one.
fn transcendental(act: Activation) -> Option<fn(f64) -> f64> {
    Some(match act {
        Activation::Acos => libm::acos,
        Activation::Asin => libm::asin,
        Activation::Atan => libm::atan,
        Activation::Cos => libm::cos,
        Activation::Elu => elu,
        Activation::Erf => libm::erf,
        Activation::Exp => libm::exp,
        Activation::Gelu => |x| x * 0.5 * libm::erfc(-x * FRAC_1_SQRT_2),
        Activation::Log => libm::log,
        Activation::Log1p => libm::log1p,
        Activation::Logsigmoid => |x| -softplus(-x),
        Activation::Mish => mish,
        Activation::Selu => {
            |x| f64::from(1.050_701_f32) * if x > 0.0 { x } else { 1.673_263_2_f32 as f64 * libm::expm1(x) }
        }
        Activation::Sigmoid => sigmoid,
        Activation::Sin => libm::sin,
        Activation::SoftRelu => |x| softplus(x.clamp(-40.0, 40.0)),
        Activation::Softplus => softplus,
        Activation::Stanh => |x| f64::from(1.7159_f32) * libm::tanh(f64::from(0.67_f32) * x),
        Activation::Swish => |x| x * sigmoid(x),
        Activation::Tanh => libm::tanh,
        Activation::TanhShrink => tanh_shrink,
        _ => return None,
    })
}

fn elu(x: f64) -> f64 {
    if x > 0.0 { x } else { libm::expm1(x) }
}

fn sigmoid(x: f64) -> f64 {
    exponential::sigmoid(x, libm::exp(-x.abs()))
}

fn softplus(x: f64) -> f64 {
    exponential::softplus(x, libm::exp(-x.abs()))
}

fn mish(x: f64) -> f64 {
    exponential::mish(x, libm::exp(x))
}

/// x − tanh x. Near 0 the difference would lose what it is about, so the series of tanh takes over.
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
    if x.abs() > 0.15 || x == 0.0 {
        return x - libm::tanh(x);
    }
    let square = x * x;
    x * square * SERIES.iter().rev().fold(0.0, |sum, coefficient| sum * square + coefficient)
}
