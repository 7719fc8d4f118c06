//! Reductions of segments, by their arguments.

use crate::boundary::{Arguments, table};
use crate::plan::{Op, Reduction, Sum};
use crate::segments::Segments;
use crate::{Result, Scalar, Tensor};

/// A call of `segment_reduce`, which owns its operands.
pub(crate) struct SegmentCall {
    pub(crate) data: Tensor,
    pub(crate) reduction: Reduction,
    offsets: Option<Tensor>,
    lengths: Option<Tensor>,
    pub(crate) initial: Option<Scalar>,
    sum: Sum,
}

impl SegmentCall {
    pub(crate) fn read(arguments: &mut Arguments) -> Result<Self> {
        Ok(Self {
            data: arguments.tensor()?,
            reduction: arguments.reduction(),
            offsets: arguments.optional_tensor()?,
            lengths: arguments.optional_tensor()?,
            initial: arguments.scalar(),
            sum: arguments.sum(),
        })
    }

    /// The segments; without any, the data itself stands for lengths.
    pub(crate) fn segments(&self) -> Segments<'_> {
        match (&self.offsets, &self.lengths) {
            (Some(offsets), _) => Segments::Offsets(offsets),
            (None, lengths) => Segments::Lengths(lengths.as_ref().unwrap_or(&self.data)),
        }
    }
}

pub(crate) fn segment_reduce(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let call = SegmentCall::read(arguments)?;
    let out =
        crate::segments::segment_reduce(&call.data, call.reduction, call.sum, call.segments(), call.initial)?;
    table::keep(out)
}
