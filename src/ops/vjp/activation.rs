//! The derivatives of the activations, made of activations and arithmetic.

use super::elementwise::{applied, combined, product, scaled};
use super::filled;
use crate::error::Result;
use crate::plan::{Activation, NdReduce};
use crate::tensor::Tensor;

/// 2/√π.
const TWO_OVER_ROOT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;
/// 1/√(2π).
const ONE_OVER_ROOT_TWO_PI: f64 = 0.398_942_280_401_432_7;

/// The derivative of an activation at each element of `z`. Where it has none, at a kink, it is that of the side below, or 0 on a
/// step.
pub(super) fn derivative(act: Activation, z: &Tensor) -> Result<Tensor> {
    use Activation as A;
    let of = applied;
    Ok(match act {
        A::Assign | A::Pow | A::Scale => filled(z, &z.shape, 1, z.dtype)?,
        A::Ceil | A::Floor | A::Round | A::Sign => filled(z, &z.shape, 0, z.dtype)?,
        A::Abs => of(A::Sign, z)?,
        A::Acos => scaled(&of(A::Rsqrt, &one_minus(&of(A::Square, z)?)?)?, -1.0)?,
        A::Asin => of(A::Rsqrt, &one_minus(&of(A::Square, z)?)?)?,
        A::Atan => of(A::Reciprocal, &plus(&of(A::Square, z)?, 1.0)?)?,
        A::Brelu => between(z, 0.0, 24.0)?,
        A::Cos => scaled(&of(A::Sin, z)?, -1.0)?,
        A::Elu => of(A::Exp, &combined(z, NdReduce::Amin, 0.0)?)?,
        A::Erf => scaled(&of(A::Exp, &scaled(&of(A::Square, z)?, -1.0)?)?, TWO_OVER_ROOT_PI)?,
        A::Exp => of(A::Exp, z)?,
        A::Gelu => {
            let below = scaled(&plus(&of(A::Erf, &scaled(z, std::f64::consts::FRAC_1_SQRT_2)?)?, 1.0)?, 0.5)?;
            let bell = of(A::Exp, &scaled(&of(A::Square, z)?, -0.5)?)?;
            sum(&below, &scaled(&product(z, &bell)?, ONE_OVER_ROOT_TWO_PI)?)?
        }
        A::HardShrink | A::Softshrink => above(&of(A::Abs, z)?, 0.5)?,
        A::HardSigmoid => scaled(&between(z, -2.5, 2.5)?, 0.2)?,
        A::HardSwish => {
            let slope = plus(&scaled(z, 1.0 / 3.0)?, 0.5)?;
            sum(&product(&between(z, -3.0, 3.0)?, &slope)?, &above(z, 3.0)?)?
        }
        A::LeakyRelu => combined(&above(z, 0.0)?, NdReduce::Amax, f64::from(0.02f32))?,
        A::Log => of(A::Reciprocal, z)?,
        A::Log1p => of(A::Reciprocal, &plus(z, 1.0)?)?,
        A::Logsigmoid => of(A::Sigmoid, &scaled(z, -1.0)?)?,
        A::Mish => {
            let soft = of(A::Softplus, z)?;
            let growth = product(&product(z, &sigmoid_slope(&scaled(&soft, 2.0)?)?)?, &of(A::Sigmoid, z)?)?;
            sum(&of(A::Tanh, &soft)?, &scaled(&growth, 4.0)?)?
        }
        A::Reciprocal => scaled(&of(A::Square, &of(A::Reciprocal, z)?)?, -1.0)?,
        A::Relu => above(z, 0.0)?,
        A::Relu6 => between(z, 0.0, 6.0)?,
        A::Rsqrt => {
            let root = of(A::Rsqrt, z)?;
            scaled(&product(&of(A::Square, &root)?, &root)?, -0.5)?
        }
        A::Selu => {
            let (scale, alpha) = (f64::from(1.050_701_f32), f64::from(1.673_263_2_f32));
            let is_above = above(z, 0.0)?;
            let curve = of(A::Exp, &combined(z, NdReduce::Amin, 0.0)?)?;
            let below = product(&one_minus(&is_above)?, &scaled(&curve, scale * alpha)?)?;
            sum(&scaled(&is_above, scale)?, &below)?
        }
        A::Sigmoid => sigmoid_slope(z)?,
        A::Sin => of(A::Cos, z)?,
        A::SoftRelu => product(&of(A::Sigmoid, z)?, &between(z, -40.0, 40.0)?)?,
        A::Softplus => of(A::Sigmoid, z)?,
        A::Softsign => of(A::Square, &of(A::Reciprocal, &plus(&of(A::Abs, z)?, 1.0)?)?)?,
        A::Sqrt => scaled(&of(A::Rsqrt, z)?, 0.5)?,
        A::Square => scaled(z, 2.0)?,
        A::Stanh => {
            let (a, b) = (f64::from(1.7159f32), f64::from(0.67f32));
            scaled(&sigmoid_slope(&scaled(z, 2.0 * b)?)?, 4.0 * a * b)?
        }
        A::Swish => sum(&of(A::Sigmoid, z)?, &product(z, &sigmoid_slope(z)?)?)?,
        // 1 − tanh² z, without the difference of numbers that are nearly equal.
        A::Tanh => scaled(&sigmoid_slope(&scaled(z, 2.0)?)?, 4.0)?,
        A::TanhShrink => of(A::Square, &of(A::Tanh, z)?)?,
        A::ThresholdedRelu => above(z, 1.0)?,
    })
}

/// σ(z) · σ(−z), which is the slope of the logistic function.
fn sigmoid_slope(z: &Tensor) -> Result<Tensor> {
    product(&applied(Activation::Sigmoid, z)?, &applied(Activation::Sigmoid, &scaled(z, -1.0)?)?)
}

/// 1 where z is above a number, else 0.
fn above(z: &Tensor, number: f64) -> Result<Tensor> {
    applied(Activation::Sign, &applied(Activation::Relu, &plus(z, -number)?)?)
}

/// 1 where z is between two numbers, else 0.
fn between(z: &Tensor, least: f64, most: f64) -> Result<Tensor> {
    product(&above(z, least)?, &above(&scaled(z, -1.0)?, -most)?)
}

fn plus(z: &Tensor, number: f64) -> Result<Tensor> {
    combined(z, NdReduce::Add, number)
}

fn one_minus(z: &Tensor) -> Result<Tensor> {
    plus(&scaled(z, -1.0)?, 1.0)
}

fn sum(one: &Tensor, other: &Tensor) -> Result<Tensor> {
    combined(one, NdReduce::Add, other)
}
