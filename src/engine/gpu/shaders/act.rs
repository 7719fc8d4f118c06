//! Activations of an operation on two tensors: those of each dtype, and the file with each function.

use crate::DType;
use crate::engine::gpu::Kind;
use crate::plan::{Activation, Binary, Reduce, Rounding};

/// The activation for a dtype: `Some(None)` if it changes no element, `None` if no shader does it yet.
pub(crate) fn select(act: Option<Activation>, dtype: DType) -> Option<Option<Activation>> {
    let is_unsigned = matches!(dtype, DType::Uint8 | DType::Uint16 | DType::Uint32 | DType::Uint64);
    match (act, dtype) {
        // `Pow` is x to the power of 1.
        (None | Some(Activation::Assign | Activation::Pow), _) => Some(None),
        // For integers, 1 · x + 0 is x.
        (Some(Activation::Scale), _) if !dtype.is_float() => Some(None),
        (Some(Activation::Abs), _) if is_unsigned => Some(None),
        (Some(_), DType::Bool) => None,
        (Some(act), DType::Float64) => is_double(act).then_some(Some(act)),
        (Some(_), _) => Some(act),
    }
}

/// Whether shaders do the activation of float64: those that consist of single operations.
fn is_double(act: Activation) -> bool {
    matches!(float_file(act), "act_bits" | "act_arithmetic")
}

/// An operation and its activation for a dtype as shaders have them. A quotient of floats is rounded down by an activation. Quotients of
/// integers are truncated anyway, and no unsigned one is negative.
pub(crate) fn reduced(dtype: DType, binary: Binary, act: Option<Activation>) -> (Binary, Option<Activation>) {
    let is_signed = matches!(Kind::of(dtype), Kind::Int | Kind::Int64);
    match binary {
        // Of truth values the maximum is the OR, as their sum, and the minimum is the AND.
        Binary::Maximum if dtype == DType::Bool => (Binary::Add, act),
        Binary::Minimum if dtype == DType::Bool => (Binary::Multiply, act),
        Binary::Divide(Some(Rounding::Floor)) if dtype.is_float() => {
            (Binary::Divide(None), Some(Activation::Floor))
        }
        Binary::Divide(Some(Rounding::Floor)) if is_signed => (binary, act),
        Binary::Divide(Some(_)) if !dtype.is_float() => (Binary::Divide(None), act),
        _ => (binary, act),
    }
}

/// The file with the function of an activation. Activations of 16-bit floats are those of float32.
pub(crate) fn file(act: Activation, kind: Kind) -> &'static str {
    match kind {
        Kind::Float16 | Kind::Bfloat16 | Kind::Float32 | Kind::Float64 => float_file(act),
        Kind::Int | Kind::Uint | Kind::Int64 | Kind::Uint64 => "act_int",
        // `select` refuses it.
        Kind::Bool => "",
    }
}

fn float_file(act: Activation) -> &'static str {
    use Activation::{
        Abs, Acos, Asin, Assign, Atan, Brelu, Ceil, Cos, Elu, Erf, Exp, Floor, Gelu, HardShrink, HardSigmoid,
        HardSwish, LeakyRelu, Log, Log1p, Logsigmoid, Mish, Pow, Reciprocal, Relu, Relu6, Round, Rsqrt,
        Scale, Selu, Sigmoid, Sign, Sin, SoftRelu, Softplus, Softshrink, Softsign, Sqrt, Square, Stanh,
        Swish, Tanh, TanhShrink, ThresholdedRelu,
    };
    match act {
        // `select` leaves these out.
        Assign | Pow => "",
        Abs | Brelu | Ceil | Floor | HardShrink | Relu | Relu6 | Round | Scale | Sign | ThresholdedRelu => {
            "act_bits"
        }
        HardSigmoid | HardSwish | LeakyRelu | Reciprocal | Rsqrt | Softshrink | Softsign | Sqrt | Square => {
            "act_arithmetic"
        }
        Elu | Exp | Mish | Selu | Sigmoid | Swish => "act_exp",
        Stanh | Tanh | TanhShrink => "act_tanh",
        Log | Log1p | Logsigmoid | SoftRelu | Softplus => "act_log",
        Cos | Sin => "act_sin",
        Acos | Asin | Atan => "act_arc",
        Erf | Gelu => "act_erf",
    }
}

/// The operation of a scatter with the arithmetic of an operation on two tensors. A difference is the sum with the negated second operand.
pub(crate) fn reduce(binary: Binary) -> Reduce {
    match binary {
        Binary::Add | Binary::Subtract => Reduce::Add,
        Binary::Multiply => Reduce::Multiply,
        Binary::Divide(_) => Reduce::Divide,
        Binary::Maximum => Reduce::Maximum,
        Binary::Minimum => Reduce::Minimum,
    }
}
