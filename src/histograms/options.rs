//! What the operators that count take beside their samples: weights, a mask, a dimension and a dtype.

use crate::histograms::backend::require_on_cpu;
use crate::histograms::plan::counting::Counted;
use crate::plan::{Op, Reduce, Sum, Update};
use crate::{DType, Device, Result, Tensor};

/// The weights of samples. Each sample adds its weight instead of 1.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// An element for each sample.
    pub values: &'a Tensor,
    /// How the weights are summed.
    pub sum: Sum,
}

impl<'a> From<&'a Tensor> for Weights<'a> {
    fn from(values: &'a Tensor) -> Self {
        Self { values, sum: Sum::Ordered }
    }
}

/// Which samples count, where, and what for. The default counts each sample once.
#[derive(Clone, Copy, Default)]
pub struct CountOptions<'a> {
    /// What each sample adds instead of 1.
    pub weights: Option<Weights<'a>>,
    /// For each sample, whether it counts, as bool. The result is that of the samples that count: ranges, lengths and checks too. The range of
    /// no samples is 0 to 1.
    pub mask: Option<&'a Tensor>,
    /// The dimension of x along which samples are counted. The other dimensions stay, in front of the bins. All rows have the same bins.
    /// `histogramdd` has none: its error says so.
    pub dim: Option<i64>,
    /// The dtype of the result: any integer or float dtype. Counts are converted to it; weights are converted to it, and then summed in it.
    pub dtype: Option<DType>,
}

impl<'a> From<Option<Weights<'a>>> for CountOptions<'a> {
    fn from(weights: Option<Weights<'a>>) -> Self {
        Self { weights, ..Self::default() }
    }
}

impl CountOptions<'_> {
    pub(crate) fn counted(&self) -> Counted<'_> {
        Counted {
            weights: self.weights.map(|weights| weights.values.operand()),
            sum: self.weights.map_or(Sum::Ordered, |weights| weights.sum),
            mask: self.mask.map(Tensor::operand),
            dim: self.dim,
            dtype: self.dtype,
        }
    }

    /// Checks that the build has the sums, and that a call on the device of x can read weights and mask: nothing is read back from a GPU.
    pub(crate) fn check_devices(&self, op: Op, x: &Tensor) -> Result<()> {
        self.weights.map_or(Ok(()), |weights| weights.sum.check(op))?;
        check_on_cpu(op, x, "weights", self.weights.map(|weights| weights.values))?;
        check_on_cpu(op, x, "mask", self.mask)
    }
}

/// How weights are summed. Counts are integers, and their sums are always exact.
pub(crate) fn update(weights: Option<Weights<'_>>) -> Update {
    Update { sum: weights.map_or(Sum::Ordered, |weights| weights.sum), ..Reduce::Add.into() }
}

/// Checks that an operand is on the CPU if x is.
pub(crate) fn check_on_cpu(
    op: Op,
    x: &Tensor,
    argument: &'static str,
    operand: Option<&Tensor>,
) -> Result<()> {
    let operand = operand.filter(|_| x.device() == Device::Cpu);
    operand.map_or(Ok(()), |operand| require_on_cpu(op, argument, operand))
}
