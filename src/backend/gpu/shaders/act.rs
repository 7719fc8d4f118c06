//! Activations of a multiply: the activations of each dtype, and the file with each function.

use crate::backend::gpu::shaders::combine::Kind;
use crate::dtype::DType;
use crate::plan::Activation;

/// The activation of a multiply of a dtype: `Some(None)` if it changes no product, `None` if no shader does it yet.
pub(super) fn select(act: Option<Activation>, dtype: DType) -> Option<Option<Activation>> {
    let is_unsigned = matches!(dtype, DType::Uint8 | DType::Uint16 | DType::Uint32 | DType::Uint64);
    match (act, dtype) {
        // `Pow` is x to the power of 1.
        (None | Some(Activation::Assign | Activation::Pow), _) => Some(None),
        // For integers, 1 · x + 0 is x.
        (Some(Activation::Scale), _) if !dtype.is_float() => Some(None),
        (Some(Activation::Abs), _) if is_unsigned => Some(None),
        (Some(_), DType::Bool | DType::Float64) => None,
        (Some(_), _) => Some(act),
    }
}

/// The file with the function of an activation. Activations of 16-bit floats are those of float32.
pub(super) fn file(act: Activation, kind: Kind) -> &'static str {
    match kind {
        Kind::Float16 | Kind::Bfloat16 | Kind::Float32 => float_file(act),
        Kind::Int64 | Kind::Uint64 => "act_int64",
        Kind::Int | Kind::Uint => "act_int",
        // `select` refuses these.
        Kind::Bool | Kind::Float64 => "",
    }
}

/// The file with the function of a float activation.
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
