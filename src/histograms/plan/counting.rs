//! What each sample of a counting call is worth, and where it counts: weights, a mask, and groups along a dimension.

use crate::plan::checks::axis;
use crate::plan::{Op, Operand, Sum, value_error, wrong_dtype, wrong_value};
use crate::{DType, ErrorCode, Result, Shape, list};

/// The operands and options that all counting calls share. The default counts every sample once.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counted<'a> {
    /// A weight for each sample.
    pub(crate) weights: Option<Operand<'a>>,
    /// How weights are summed.
    pub(crate) sum: Sum,
    /// For each sample, whether it counts.
    pub(crate) mask: Option<Operand<'a>>,
    /// The dimension along which samples are counted.
    pub(crate) dim: Option<i64>,
    /// The dtype of the result.
    pub(crate) dtype: Option<DType>,
}

impl Counted<'_> {
    /// Checks that weights and mask have the shape `samples`, and that the dtype can count. Errors name the counted tensor and its shape.
    pub(crate) fn check(&self, op: Op, samples: &[usize], (name, x): (&'static str, &Shape)) -> Result<()> {
        if self.dtype == Some(DType::Bool) {
            let text = "dtype is bool, which cannot count; it must be an integer or float dtype ('int32')";
            return Err(wrong_dtype(op, "dtype", DType::Bool, text));
        }
        if let Some(mask) = self.mask
            && mask.dtype != DType::Bool
        {
            let text = format!("mask has dtype {}; it must be bool (mask.astype('bool'))", mask.dtype);
            return Err(wrong_dtype(op, "mask", mask.dtype, text));
        }
        let named = [("weights", "a weight", self.weights), ("mask", "an element", self.mask)];
        for (argument, what, operand) in named {
            let Some(shape) = operand.map(|operand| operand.shape) else { continue };
            if shape.dims() != samples {
                let text = format!(
                    "{argument} has shape {shape}; it must be {}, {what} for each sample of {name} {x}",
                    list(samples)
                );
                return Err(value_error(op, ErrorCode::ShapeMismatch, argument, text)
                    .shape(name, x.dims())
                    .shape(argument, shape.dims()));
            }
        }
        Ok(())
    }
}

/// Groups of samples. Each group has bins of its own, one group after the other. Without a `dim` all samples are one group; with it, a
/// group has the samples that differ in this dimension alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Groups {
    pub(crate) count: usize,
    /// Samples in a group.
    pub(crate) len: usize,
    /// How many samples lie between neighbours of a group. So many groups begin next to each other.
    pub(crate) stride: usize,
}

impl Groups {
    /// The groups of samples of a shape, and the dimensions of the result that come before the bins.
    pub(crate) fn new(op: Op, x: &Shape, dim: Option<i64>) -> Result<(Self, Vec<usize>)> {
        let Some(dim) = dim else {
            return Ok((Self { count: 1, len: x.size(), stride: 1 }, Vec::new()));
        };
        let [name, _] = op.operand_names();
        if op != Op::Bincount && op != Op::Histogram {
            let text = "dim is for bincount and histogram; the samples here are rows";
            return Err(wrong_value(op, "dim", text));
        }
        let at = axis(op, name, x, dim)?;
        let mut others = x.dims().to_vec();
        let len = others.remove(at);
        let stride = others.iter().skip(at).product();
        Ok((Self { count: others.iter().product(), len, stride }, others))
    }
}
