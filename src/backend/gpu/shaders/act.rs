//! Which shader function does an activation, and the parts that it needs.

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

const BITS: &str = shader!("lib/act_bits.wgsl");
const DIVIDE: &str = shader!("lib/strict_divide.wgsl");
const ARITHMETIC: &str = shader!("lib/act_arithmetic.wgsl");
const EXP: &str = shader!("lib/act_exp.wgsl");
const TANH: &str = shader!("lib/act_tanh.wgsl");
const LOG: &str = shader!("lib/act_log.wgsl");
const SIN: &str = shader!("lib/act_sin.wgsl");
const ARC: &str = shader!("lib/act_arc.wgsl");
const ERF: &str = shader!("lib/act_erf.wgsl");
const NONE: &str = shader!("lib/act_none.wgsl");
const INT: &str = shader!("lib/act_int.wgsl");
const INT64: &str = shader!("lib/act_int64.wgsl");

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

    /// The two parts of the shader function's name that follow `act_`: the activation's name, and a suffix that only integers have.
    fn function(self) -> [&'static str; 2] {
        match self {
            Self::None => ["none", ""],
            Self::Float(act) | Self::Float16(act) | Self::Bfloat16(act) => [act.name(), ""],
            Self::Signed(Activation::Square) | Self::Unsigned(Activation::Square) => ["square", "_int"],
            Self::Signed64(Activation::Square) | Self::Unsigned64(Activation::Square) => ["square", "_int64"],
            Self::Signed64(act) => [act.name(), "_signed64"],
            Self::Unsigned64(act) => [act.name(), "_unsigned64"],
            Self::Signed(act) => [act.name(), "_signed"],
            Self::Unsigned(act) => [act.name(), "_unsigned"],
        }
    }

    /// Whether it calls functions of `shaders/lib/strict_float.wgsl`.
    pub(crate) fn uses_strict_float(self) -> bool {
        matches!(self, Self::Float(_) | Self::Float16(_) | Self::Bfloat16(_))
    }

    /// The parts with the shader function of the activation and what it calls.
    fn parts(self) -> &'static [&'static str] {
        use Activation::{
            Abs, Acos, Asin, Assign, Atan, Brelu, Ceil, Cos, Elu, Erf, Exp, Floor, Gelu, HardShrink,
            HardSigmoid, HardSwish, LeakyRelu, Log, Log1p, Logsigmoid, Mish, Pow, Reciprocal, Relu, Relu6,
            Round, Rsqrt, Scale, Selu, Sigmoid, Sign, Sin, SoftRelu, Softplus, Softshrink, Softsign, Sqrt,
            Square, Stanh, Swish, Tanh, TanhShrink, ThresholdedRelu,
        };
        let (Self::Float(act) | Self::Float16(act) | Self::Bfloat16(act)) = self else {
            return match self {
                Self::None => &[NONE],
                Self::Signed64(_) | Self::Unsigned64(_) => &[INT64],
                _ => &[INT],
            };
        };
        match act {
            // `select` makes `Act::None` of these.
            Assign | Pow => &[],
            Abs | Brelu | Ceil | Floor | HardShrink | Relu | Relu6 | Round | Scale | Sign
            | ThresholdedRelu => &[BITS],
            HardSigmoid | HardSwish | LeakyRelu | Reciprocal | Rsqrt | Softshrink | Softsign | Sqrt
            | Square => &[BITS, DIVIDE, ARITHMETIC],
            Elu | Exp | Mish | Selu | Sigmoid | Swish => &[BITS, DIVIDE, EXP],
            Stanh | Tanh | TanhShrink => &[BITS, DIVIDE, EXP, TANH],
            Log | Log1p | Logsigmoid | SoftRelu | Softplus => &[BITS, DIVIDE, EXP, LOG],
            Cos | Sin => &[SIN],
            Acos | Asin | Atan => &[BITS, DIVIDE, ARC],
            Erf | Gelu => &[BITS, DIVIDE, EXP, ERF],
        }
    }

    /// The text of the activation: its parts, and the function `activate`, which applies it to one element.
    pub(crate) fn source(self) -> String {
        let [name, suffix] = self.function();
        // An element of 16 bits is widened to the bits of a float32 before, and rounded back after.
        let (before, after) = match self {
            Self::Float16(_) => ("float16_round(", "(float16_widen(x)))"),
            Self::Bfloat16(_) => ("bfloat16_round(", "(x << 16u))"),
            _ => ("", "(x)"),
        };
        let call = format!("{before}act_{name}{suffix}{after}");
        self.parts().concat() + &format!("fn activate(x: Element) -> Element {{\n    return {call};\n}}\n")
    }
}
