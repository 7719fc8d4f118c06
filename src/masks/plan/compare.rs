//! Comparisons of two tensors, as loops over pairs of elements.

use crate::elementwise::plan::broadcast::{BroadcastLoop, BroadcastPlan};
use crate::plan::getters::getters;
use crate::plan::{Op, Operand};
use crate::{DType, PerDim, Result, Shape};

/// What a comparison tests of a pair. Every other comparison is one of these, of the exchanged pair or negated. A NaN passes no test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Test {
    Less,
    /// Of floats. Of integers it is `Less` of the exchanged pair, negated.
    LessOrEqual,
    Equal,
}

/// A checked comparison of the elements of two tensors by their values.
#[derive(Debug, Clone)]
pub(crate) struct ComparePlan {
    op: Op,
    shape: Shape,
    /// The loops over elements of the result, outermost first. x of a loop is the left operand.
    loops: PerDim<BroadcastLoop>,
    /// The number of elements of the left operand, and of the right one.
    lens: [usize; 2],
    dtypes: [DType; 2],
    test: Test,
    is_negated: bool,
    /// Whether the right operand is the first one of the call.
    is_exchanged: bool,
}

impl ComparePlan {
    /// The plan of a comparison by its operator. The shapes broadcast as NumPy's.
    pub(crate) fn new(op: Op, x: Operand<'_>, y: Operand<'_>) -> Result<Self> {
        let broadcast = BroadcastPlan::of_any_dtypes(op, x, y)?;
        let (mut test, mut is_exchanged, mut is_negated) = match op {
            Op::Lt => (Test::Less, false, false),
            Op::Gt => (Test::Less, true, false),
            Op::Le => (Test::LessOrEqual, false, false),
            Op::Ge => (Test::LessOrEqual, true, false),
            Op::Ne | Op::IsNan => (Test::Equal, false, true),
            _ => (Test::Equal, false, false),
        };
        if test == Test::LessOrEqual && !x.dtype.is_float() && !y.dtype.is_float() {
            (test, is_exchanged, is_negated) = (Test::Less, !is_exchanged, true);
        }
        // The loops of the broadcast have the larger operand as x, which may be the second one.
        let x_is_left = is_exchanged == broadcast.is_swapped();
        let mut loops = PerDim::from(broadcast.loops());
        let mut lens = [broadcast.x_len(), broadcast.y_len()];
        if !x_is_left {
            lens.reverse();
            loops.iter_mut().for_each(|each| std::mem::swap(&mut each.x_stride, &mut each.y_stride));
        }
        let mut dtypes = [x.dtype, y.dtype];
        if is_exchanged {
            dtypes.reverse();
        }
        Ok(Self {
            op,
            shape: broadcast.out_shape().clone(),
            loops,
            lens,
            dtypes,
            test,
            is_negated,
            is_exchanged,
        })
    }

    getters! {
        pub(crate) op: Op, lens: [usize; 2], dtypes: [DType; 2], test: Test, is_negated: bool;
        shape: &Shape, loops: &[BroadcastLoop]
    }

    /// The call's operands as the left one and the right one.
    pub(crate) fn operands<T>(&self, first: T, second: T) -> [T; 2] {
        if self.is_exchanged { [second, first] } else { [first, second] }
    }

    /// The number of elements of the result.
    pub(crate) fn len(&self) -> usize {
        self.shape.size()
    }
}
