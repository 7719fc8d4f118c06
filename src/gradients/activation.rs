//! The derivatives of the activations, built from activations and arithmetic. z is the argument of the activation. [`Activation`]
//! has the functions themselves; their attributes are numbers here, such as 24 for `brelu`.

use crate::gradients::elementwise::{applied, combined, product};
use crate::gradients::filled;
use crate::plan::{Activation, NdReduce};
use crate::{Result, Scalar, Source, Tensor};

/// A function of z. Formulas are data. As code, each step would return a `Result`, which takes five times the space.
enum Formula {
    Z,
    /// The same number for every z.
    Number(f64),
    Of(Activation, &'static Self),
    Plus(&'static Self, &'static Self),
    Times(&'static Self, &'static Self),
    Min(&'static Self, f64),
    Max(&'static Self, f64),
}

use Activation as A;
use Formula::{Max, Min, Number, Of, Plus, Times, Z};

impl Formula {
    /// The function at each element of z, each step rounded to the dtype of z. A number on the right of a sum or product stays a
    /// scalar, so no tensor is filled with it.
    fn at(&self, z: &Tensor) -> Result<Tensor> {
        let with =
            |one: &Self, reduce, number: f64| combined(&one.at(z)?, reduce, Source::Scalar(number.into()));
        match self {
            Z => Ok(z.clone()),
            Number(number) => filled(z, &z.shape, Scalar::Float(*number), z.dtype),
            Of(act, one) => applied(*act, &one.at(z)?),
            Plus(one, Number(number)) => with(one, NdReduce::Add, *number),
            Plus(one, other) => combined(&one.at(z)?, NdReduce::Add, Source::Tensor(other.at(z)?)),
            Times(one, Number(number)) => with(one, NdReduce::Multiply, *number),
            Times(one, other) => product(&one.at(z)?, &other.at(z)?),
            Min(one, number) => with(one, NdReduce::Amin, *number),
            Max(one, number) => with(one, NdReduce::Amax, *number),
        }
    }
}

const ROOT_HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
const TWO_OVER_ROOT_PI: f64 = std::f64::consts::FRAC_2_SQRT_PI;
const ONE_OVER_ROOT_TWO_PI: f64 = 0.398_942_280_401_432_7;
// The attributes of activations are float32 numbers.
const SELU_SCALE: f64 = 1.050_701_f32 as f64;
const SELU_ALPHA: f64 = 1.673_263_2_f32 as f64;
const STANH_A: f64 = 1.7159f32 as f64;
const STANH_B: f64 = 0.67f32 as f64;

/// 1 where a formula is positive, else 0.
macro_rules! positive {
    ($formula:expr) => {
        Of(A::Sign, &Of(A::Relu, &$formula))
    };
}

macro_rules! above {
    ($number:literal) => {
        positive!(Plus(&Z, &Number(-$number)))
    };
}

macro_rules! between {
    ($least:literal, $most:literal) => {
        Times(&above!($least), &positive!(Plus(&NEGATED, &Number($most))))
    };
}

/// σ(t) · σ(−t), the slope of the logistic function σ, at t = number · formula.
macro_rules! sigmoid_slope {
    ($number:expr, $formula:expr) => {
        Times(
            &Of(A::Sigmoid, &Times(&$formula, &Number($number))),
            &Of(A::Sigmoid, &Times(&$formula, &Number(-$number))),
        )
    };
}

const NEGATED: Formula = Times(&Z, &Number(-1.0));
/// z limited to ±1000, for products with a factor that is 0 for large |z|: infinity times 0 would be NaN.
const NEAR: Formula = Max(&Min(&Z, 1000.0), -1000.0);
const SQUARED: Formula = Of(A::Square, &Z);
const ONE_LESS_SQUARE: Formula = Plus(&Times(&SQUARED, &Number(-1.0)), &Number(1.0));
/// e^z, and 1 above 0.
const EXP_BELOW: Formula = Of(A::Exp, &Min(&Z, 0.0));
const SOFTPLUS: Formula = Of(A::Softplus, &Z);
const RSQRT: Formula = Of(A::Rsqrt, &Z);

/// The derivative of an activation at each element of `z`. At points without a derivative it is Paddle's: 0 on a step, 0 at the
/// bends of a bounded or shrinking activation, 0 for `abs` at 0, 1 for `hard_swish` at 3, and otherwise the derivative of the side
/// below.
pub(crate) fn derivative(act: Activation, z: &Tensor) -> Result<Tensor> {
    formula(act).at(z)
}

/// The derivative of an activation as a formula. [`derivative`] defines it at points without a derivative.
fn formula(act: Activation) -> &'static Formula {
    match act {
        A::Assign | A::Pow | A::Scale => &Number(1.0),
        A::Ceil | A::Floor | A::Round | A::Sign => &Number(0.0),
        A::Abs => &Of(A::Sign, &Z),
        A::Acos => &Times(&Of(A::Rsqrt, &ONE_LESS_SQUARE), &Number(-1.0)),
        A::Asin => &Of(A::Rsqrt, &ONE_LESS_SQUARE),
        A::Atan => &Of(A::Reciprocal, &Plus(&SQUARED, &Number(1.0))),
        A::Brelu => &between!(0.0, 24.0),
        A::Cos => &Times(&Of(A::Sin, &Z), &Number(-1.0)),
        A::Elu => &EXP_BELOW,
        A::Erf => &Times(&Of(A::Exp, &Times(&SQUARED, &Number(-1.0))), &Number(TWO_OVER_ROOT_PI)),
        A::Exp => &Of(A::Exp, &Z),
        // Φ(z) + z · φ(z).
        A::Gelu => &Plus(
            &Times(&Plus(&Of(A::Erf, &Times(&Z, &Number(ROOT_HALF))), &Number(1.0)), &Number(0.5)),
            &Times(
                &Times(&NEAR, &Of(A::Exp, &Times(&SQUARED, &Number(-0.5)))),
                &Number(ONE_OVER_ROOT_TWO_PI),
            ),
        ),
        A::HardShrink | A::Softshrink => &positive!(Plus(&Of(A::Abs, &Z), &Number(-0.5))),
        A::HardSigmoid => &Times(&between!(-2.5, 2.5), &Number(0.2f32 as f64)),
        A::HardSwish => &Plus(
            &Times(
                &between!(-3.0, 3.0),
                &Plus(&Times(&Max(&Min(&Z, 3.0), -3.0), &Number(1.0 / 3.0)), &Number(0.5)),
            ),
            &Plus(&Times(&positive!(Plus(&NEGATED, &Number(3.0))), &Number(-1.0)), &Number(1.0)),
        ),
        A::LeakyRelu => &Max(&above!(0.0), 0.02f32 as f64),
        A::Log => &Of(A::Reciprocal, &Z),
        A::Log1p => &Of(A::Reciprocal, &Plus(&Z, &Number(1.0))),
        A::Logsigmoid => &Of(A::Sigmoid, &NEGATED),
        // tanh s + z · (1 − tanh² s) · σ(z), where s = ln(1 + e^z). The factor 1 − tanh² s is computed as for `Tanh`.
        A::Mish => &Plus(
            &Of(A::Tanh, &SOFTPLUS),
            &Times(&Times(&Times(&NEAR, &sigmoid_slope!(2.0, SOFTPLUS)), &Of(A::Sigmoid, &Z)), &Number(4.0)),
        ),
        A::Reciprocal => &Times(&Of(A::Square, &Of(A::Reciprocal, &Z)), &Number(-1.0)),
        A::Relu => &above!(0.0),
        A::Relu6 => &between!(0.0, 6.0),
        A::Rsqrt => &Times(&Times(&Of(A::Square, &RSQRT), &RSQRT), &Number(-0.5)),
        A::Selu => &Plus(
            &Times(&above!(0.0), &Number(SELU_SCALE)),
            &Times(
                &Plus(&Times(&above!(0.0), &Number(-1.0)), &Number(1.0)),
                &Times(&EXP_BELOW, &Number(SELU_SCALE * SELU_ALPHA)),
            ),
        ),
        A::Sigmoid => &sigmoid_slope!(1.0, Z),
        A::Sin => &Of(A::Cos, &Z),
        A::SoftRelu => &Times(&Of(A::Sigmoid, &Z), &between!(-40.0, 40.0)),
        A::Softplus => &Of(A::Sigmoid, &Z),
        A::Softsign => &Of(A::Square, &Of(A::Reciprocal, &Plus(&Of(A::Abs, &Z), &Number(1.0)))),
        A::Sqrt => &Times(&RSQRT, &Number(0.5)),
        A::Square => &Times(&Z, &Number(2.0)),
        A::Stanh => &Times(&sigmoid_slope!(2.0 * STANH_B, Z), &Number(4.0 * STANH_A * STANH_B)),
        A::Swish => &Plus(&Of(A::Sigmoid, &Z), &Times(&NEAR, &sigmoid_slope!(1.0, Z))),
        // 1 − tanh² z = 4 · σ(2z) · σ(−2z). The right side avoids a difference of two nearly equal numbers.
        A::Tanh => &Times(&sigmoid_slope!(2.0, Z), &Number(4.0)),
        A::TanhShrink => &Of(A::Square, &Of(A::Tanh, &Z)),
        A::ThresholdedRelu => &above!(1.0),
    }
}
