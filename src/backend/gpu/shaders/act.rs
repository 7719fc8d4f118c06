//! Which shader function does an activation, and the file that it is in.

use crate::dtype::DType;
use crate::plan::Activation;

/// What a multiply does with each product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// It leaves the product as it is.
    None,
    /// A function of float32.
    Float(Activation),
    /// A function of float32: a float16 is widened to it, and the result is rounded back.
    Float16(Activation),
    /// The same for bfloat16.
    Bfloat16(Activation),
    /// A function of signed integers of up to 32 bits.
    Signed(Activation),
    /// A function of unsigned integers of up to 32 bits.
    Unsigned(Activation),
    /// A function of int64.
    Signed64(Activation),
    /// A function of uint64.
    Unsigned64(Activation),
}

impl Act {
    /// What a multiply does for an activation and a dtype that it takes: `Act::None` where that leaves every product as it is. No `Act` at
    /// all where no shader does it yet.
    pub fn select(act: Option<Activation>, dtype: DType) -> Option<Self> {
        Some(match (act, dtype) {
            // These change nothing: `Pow` is x to the power of 1.
            (None | Some(Activation::Assign | Activation::Pow), _) => Self::None,
            (Some(act), DType::Float32) => Self::Float(act),
            (Some(act), DType::Float16) => Self::Float16(act),
            (Some(act), DType::Bfloat16) => Self::Bfloat16(act),
            // Of integers, 1 · x + 0 is x; so is |x| where there is no sign.
            (Some(Activation::Scale), dtype) if !dtype.is_float() => Self::None,
            (Some(Activation::Abs), DType::Uint8 | DType::Uint16 | DType::Uint32 | DType::Uint64) => {
                Self::None
            }
            (Some(act), DType::Uint8 | DType::Uint16 | DType::Uint32) => Self::Unsigned(act),
            (Some(act), DType::Uint64) => Self::Unsigned64(act),
            (Some(act), DType::Int8 | DType::Int16 | DType::Int32) => Self::Signed(act),
            (Some(act), DType::Int64) => Self::Signed64(act),
            (Some(_), DType::Bool | DType::Float64) => return None,
        })
    }

    /// The flags of shaders for it.
    pub(super) fn flags(self) -> [&'static str; 2] {
        match self {
            Self::None => ["", ""],
            Self::Float(_) | Self::Float16(_) | Self::Bfloat16(_) | Self::Signed(_) | Self::Signed64(_) => {
                ["ACT", ""]
            }
            Self::Unsigned(_) | Self::Unsigned64(_) => ["ACT", "UNSIGNED"],
        }
    }

    /// Its name, and the file with its function.
    pub(super) fn function(self) -> [&'static str; 2] {
        match self {
            Self::None => ["", ""],
            Self::Float(act) | Self::Float16(act) | Self::Bfloat16(act) => [act.name(), float_file(act)],
            Self::Signed(act) | Self::Unsigned(act) => [act.name(), "act_int"],
            Self::Signed64(act) | Self::Unsigned64(act) => [act.name(), "act_int64"],
        }
    }
}

/// The file with the function of an activation of floats.
fn float_file(act: Activation) -> &'static str {
    use Activation::{
        Abs, Acos, Asin, Assign, Atan, Brelu, Ceil, Cos, Elu, Erf, Exp, Floor, Gelu, HardShrink, HardSigmoid,
        HardSwish, LeakyRelu, Log, Log1p, Logsigmoid, Mish, Pow, Reciprocal, Relu, Relu6, Round, Rsqrt,
        Scale, Selu, Sigmoid, Sign, Sin, SoftRelu, Softplus, Softshrink, Softsign, Sqrt, Square, Stanh,
        Swish, Tanh, TanhShrink, ThresholdedRelu,
    };
    match act {
        // `select` makes `Act::None` of these.
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
