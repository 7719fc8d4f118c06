//! The activations of `elementwise_mul`: names, dtypes, and how closely a GPU follows the CPU.

use crate::plan::Op;
use crate::words::words;
use crate::{Allowed, DType, Error, ErrorClass, ErrorCode, Result};

words! {
    /// A function of one element, applied to the product in the same pass.
    ///
    /// These are Paddle's one-input operators that keep the shape, with their default attributes. The attributes are float32 numbers,
    /// for float64 tensors too: `leaky_relu` multiplies by 0.02f.
    Activation,
    /// The largest distance of a float32 result on WebGPU from the CPU's, in units in the last place, subnormal results included. 0
    /// means the same bits. `docs/NUMERICS.md` says where the numbers come from.
    pub gpu_ulps: u32;
    /// |x|. Integers wrap: the smallest integer stays as it is.
    Abs = "abs" => 0;
    /// The angle in 0 … π whose cosine is x.
    Acos = "acos" => 4;
    /// The angle in −π/2 … π/2 whose sine is x.
    Asin = "asin" => 4;
    /// The angle in −π/2 … π/2 whose tangent is x.
    Atan = "atan" => 4;
    /// x, for every dtype.
    Assign = "assign" => 0;
    /// x between 0 and 24.
    Brelu = "brelu" => 0;
    /// The whole number at or above x.
    Ceil = "ceil" => 0;
    /// cos x, x in radians, however large.
    Cos = "cos" => 6;
    /// x above 0, else e^x − 1.
    Elu = "elu" => 4;
    /// The error function.
    Erf = "erf" => 4;
    /// e^x. Integer results are cut towards zero; a result beyond the dtype is its largest value.
    Exp = "exp" => 4;
    /// The whole number at or below x.
    Floor = "floor" => 0;
    /// x/2 · (1 + erf(x/√2)).
    Gelu = "gelu" => 8;
    /// x where |x| > 0.5, else 0.
    HardShrink = "hard_shrink" => 0;
    /// 0.2f · x + 0.5 between 0 and 1.
    HardSigmoid = "hard_sigmoid" => 0;
    /// x · (x + 3 between 0 and 6, divided by 6).
    HardSwish = "hard_swish" => 0;
    /// x above 0, else 0.02f · x.
    LeakyRelu = "leaky_relu" => 0;
    /// ln x.
    Log = "log" => 4;
    /// ln(1 + x).
    Log1p = "log1p" => 4;
    /// −ln(1 + e^−x).
    Logsigmoid = "logsigmoid" => 6;
    /// x · tanh(ln(1 + e^x)).
    Mish = "mish" => 8;
    /// x to the power of 1: x.
    Pow = "pow" => 0;
    /// 1/x.
    Reciprocal = "reciprocal" => 0;
    /// 0 where x is negative, else x.
    Relu = "relu" => 0;
    /// x between 0 and 6.
    Relu6 = "relu6" => 0;
    /// The nearest whole number; ties go away from zero.
    Round = "round" => 0;
    /// 1/√x, rounded twice.
    Rsqrt = "rsqrt" => 0;
    /// 1 · x + 0, which is x, but +0 for −0.
    Scale = "scale" => 0;
    /// 1.050701f · (x above 0, else 1.6732632f · (e^x − 1)).
    Selu = "selu" => 4;
    /// 1/(1 + e^−x).
    Sigmoid = "sigmoid" => 6;
    /// −1, 0 or 1; 0 for NaN.
    Sign = "sign" => 0;
    /// sin x, x in radians, however large.
    Sin = "sin" => 6;
    /// ln(1 + e^x) of x between −40 and 40.
    SoftRelu = "soft_relu" => 6;
    /// ln(1 + e^x).
    Softplus = "softplus" => 6;
    /// x moved towards 0 by 0.5; 0 where |x| ≤ 0.5.
    Softshrink = "softshrink" => 0;
    /// x/(1 + |x|).
    Softsign = "softsign" => 0;
    /// √x.
    Sqrt = "sqrt" => 0;
    /// x². Integers wrap.
    Square = "square" => 0;
    /// 1.7159f · tanh(0.67f · x).
    Stanh = "stanh" => 4;
    /// x/(1 + e^−x).
    Swish = "swish" => 8;
    /// tanh x.
    Tanh = "tanh" => 4;
    /// x − tanh x.
    TanhShrink = "tanh_shrink" => 6;
    /// x above 1, else 0.
    ThresholdedRelu = "thresholded_relu" => 0;
}

impl Activation {
    /// The activation of that name. `op` is the operator that the error names.
    ///
    /// # Errors
    /// `ValueError` (`unknown-act`) for any other word; case matters.
    ///
    /// ```
    /// use scatterwise::{Activation, Op};
    /// assert_eq!(Activation::from_name(Op::ElementwiseMul, "relu"), Ok(Activation::Relu));
    /// assert!(Activation::from_name(Op::ElementwiseMul, "relu_6").is_err());
    /// ```
    pub fn from_name(op: Op, name: &str) -> Result<Self> {
        Self::ALL.iter().copied().find(|act| act.name() == name).ok_or_else(|| {
            let text = format!("act is '{name}', which is no activation; leave it out for none");
            let error = Error::new(ErrorClass::Value, ErrorCode::UnknownAct, op.name(), text);
            error.not_among("act", name, Self::NAMES)
        })
    }

    /// Whether the activation needs functions such as exp or sin, which differ between platforms. The others are made of operations that are
    /// rounded once, the same everywhere.
    pub(crate) const fn is_transcendental(self) -> bool {
        self.gpu_ulps() > 0
    }

    /// Whether the activation is defined for the dtype. All are defined for the four floating-point dtypes; abs, pow, scale and
    /// square also for the eight integer dtypes, whose results are integers; assign for every dtype.
    pub const fn takes(self, dtype: DType) -> bool {
        match self {
            Self::Assign => true,
            Self::Abs | Self::Pow | Self::Scale | Self::Square => !matches!(dtype, DType::Bool),
            _ => dtype.is_float(),
        }
    }

    /// Refuses a dtype that the activation does not take.
    pub(crate) fn check_dtype(self, op: Op, dtype: DType) -> Result<()> {
        if !cfg!(feature = "activations") && self.is_transcendental() {
            let text = format!("act is '{}', which needs the feature 'activations'", self.name());
            return Err(Error::new(ErrorClass::Runtime, ErrorCode::NotInThisEntry, op.name(), text)
                .word("act", self.name()));
        }
        const FLOATS: &[&str] = &["float16", "bfloat16", "float32", "float64"];
        if self.takes(dtype) {
            return Ok(());
        }
        let integers = if self.takes(DType::Int32) { "or an integer dtype " } else { "" };
        let name = self.name();
        let text = format!(
            "act '{name}' takes a floating-point dtype {integers}and x has {dtype}: x.astype('float32')"
        );
        let error =
            Error::new(ErrorClass::Type, ErrorCode::ActDtype, op.name(), text).word("act", dtype.name());
        // An activation that takes integers refuses only bool. The sentence says that better than a list of twelve dtypes.
        Err(if integers.is_empty() { error.allowed(Allowed::Words(FLOATS)) } else { error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_taken_by_five() {
        for &dtype in DType::ALL {
            let count = Activation::ALL.iter().filter(|act| act.takes(dtype)).count();
            let expected = match dtype {
                DType::Bool => 1,
                _ if dtype.is_float() => 43,
                _ => 5,
            };
            assert_eq!(count, expected, "{dtype}");
        }
        let error = Activation::Relu.check_dtype(Op::ElementwiseMul, DType::Int32).unwrap_err();
        assert_eq!(error.class(), ErrorClass::Type);
    }
}
