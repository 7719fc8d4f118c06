//! Transcendental activations, of single numbers in float64 by `libm`, and of vectors by `exponential.rs`. Builds without the feature `activations`
//! have `transcendental_none.rs` in the place of this file.

use std::f64::consts::FRAC_1_SQRT_2;

use libm::exp;

use crate::elementwise::kernels::exponential;
pub(crate) use crate::elementwise::kernels::exponential::activate as in_vectors;
use crate::plan::Activation;

/// A transcendental activation of one number.
pub(crate) type OfNumber = fn(f64) -> f64;

/// The function of a transcendental activation.
pub(crate) fn of(act: Activation) -> OfNumber {
    match act {
        Activation::Acos => libm::acos,
        Activation::Asin => libm::asin,
        Activation::Atan => libm::atan,
        Activation::Cos => libm::cos,
        Activation::Elu => elu,
        Activation::Erf => libm::erf,
        Activation::Gelu => gelu,
        Activation::Log => libm::log,
        Activation::Log1p => libm::log1p,
        Activation::Logsigmoid => log_sigmoid,
        Activation::Mish => mish,
        Activation::Selu => selu,
        Activation::Sigmoid => sigmoid,
        Activation::Sin => libm::sin,
        Activation::SoftRelu => soft_relu,
        Activation::Softplus => softplus,
        Activation::Stanh => scaled_tanh,
        Activation::Swish => swish,
        Activation::Tanh => libm::tanh,
        Activation::TanhShrink => tanh_shrink,
        Activation::Exp => exp,
        Activation::Abs
        | Activation::Assign
        | Activation::Brelu
        | Activation::Ceil
        | Activation::Floor
        | Activation::HardShrink
        | Activation::HardSigmoid
        | Activation::HardSwish
        | Activation::LeakyRelu
        | Activation::Pow
        | Activation::Reciprocal
        | Activation::Relu
        | Activation::Relu6
        | Activation::Round
        | Activation::Rsqrt
        | Activation::Scale
        | Activation::Sign
        | Activation::Softshrink
        | Activation::Softsign
        | Activation::Sqrt
        | Activation::Square
        | Activation::ThresholdedRelu => exp, // not transcendental: nobody asks
    }
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
