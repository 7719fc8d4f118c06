//! The choice between two tensors by a mask, as loops over elements of the result.

use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::masks::plan::check_truth;
use crate::plan::getters::getters;
use crate::plan::{Op, Operand, checks, value_error};
use crate::{DType, ErrorCode, PerDim, Result, Shape};

/// One loop over elements of the result: elements of the mask, of x and of y from one round to the next, 0 where one is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ChoiceLoop {
    pub(crate) len: usize,
    pub(crate) strides: [usize; 3],
}

/// A checked choice: `out[…] = x[…]` where the mask is true, else `y[…]`. All three broadcast.
#[derive(Debug, Clone)]
pub(crate) struct ChoosePlan {
    dtype: DType,
    shape: Shape,
    /// Outermost first.
    loops: PerDim<ChoiceLoop>,
    /// The number of elements of the mask, of x and of y.
    lens: [usize; 3],
}

impl ChoosePlan {
    pub(crate) const OP: Op = Op::Where;

    pub(crate) fn new(mask: Operand<'_>, x: Operand<'_>, y: Operand<'_>) -> Result<Self> {
        let op = Self::OP;
        check_truth(op, "mask", mask.dtype)?;
        checks::same_dtype(op, ("y", y.dtype), ("x", x.dtype))?;
        checks::rank(op, "mask", mask.shape, 0..=crate::MAX_OP_RANK)?;
        let chosen = BroadcastPlan::of_any_dtypes(op, x, y)?.out_shape().clone();
        let values = Operand { shape: &chosen, dtype: x.dtype };
        let shape = match BroadcastPlan::of_any_dtypes(op, mask, values) {
            Ok(plan) => plan.out_shape().clone(),
            Err(_) => {
                let text = format!("mask {} does not broadcast with x and y, together {chosen}", mask.shape);
                return Err(value_error(op, ErrorCode::ShapeMismatch, "mask", text)
                    .shape("mask", mask.shape.dims())
                    .shape("x", x.shape.dims())
                    .shape("y", y.shape.dims()));
            }
        };
        let shapes = [mask.shape, x.shape, y.shape];
        let lens = shapes.map(Shape::size);
        Ok(Self { dtype: x.dtype, loops: lower(&shape, shapes), shape, lens })
    }

    getters! { pub(crate) dtype: DType, lens: [usize; 3]; shape: &Shape, loops: &[ChoiceLoop] }

    /// The number of elements of the result.
    pub(crate) fn len(&self) -> usize {
        self.shape.size()
    }
}

/// Checked shapes as loops. Dimensions of size 1 vanish, and neighbours become one loop where the same operands vary along both.
fn lower(shape: &Shape, operands: [&Shape; 3]) -> PerDim<ChoiceLoop> {
    let mut loops: PerDim<ChoiceLoop> = PerDim::new();
    if shape.size() == 0 {
        return loops;
    }
    // The lengths of the operands so far are the strides of the next dimension.
    let mut lens = [1; 3];
    for (from_right, &len) in shape.dims().iter().rev().enumerate() {
        let sizes = operands.map(|operand| operand.dims().iter().rev().nth(from_right).copied().unwrap_or(1));
        let mut next = ChoiceLoop { len, strides: [0; 3] };
        for ((stride, size), operand_len) in next.strides.iter_mut().zip(sizes).zip(&mut lens) {
            *stride = if size == 1 { 0 } else { *operand_len };
            *operand_len *= size;
        }
        match loops.last_mut() {
            _ if len == 1 => {}
            Some(inner) if next.strides == inner.strides.map(|stride| stride * inner.len) => inner.len *= len,
            _ => loops.push(next),
        }
    }
    loops.reverse();
    loops
}
