//! The positions of elements that are not 0, and what they select.

use crate::masks::plan::check_truth;
use crate::plan::getters::getters;
use crate::plan::{Op, Operand, checks, value_error};
use crate::{DType, ErrorCode, MAX_OP_RANK, Result, Shape};

/// A checked search for the elements that are not 0.
#[derive(Debug, Clone)]
pub(crate) struct PositionsPlan {
    op: Op,
    /// The dtype of the elements.
    dtype: DType,
    /// The number of elements. It fits 31 bits.
    len: usize,
    /// The dtype of the positions, int32 or int64.
    positions: DType,
    /// How many positions the caller wants, and the bits of what stands behind the last one.
    size: Option<(usize, u64)>,
}

impl PositionsPlan {
    /// `size`: how many positions, and the bits of what fills them up; all of them for `None`.
    pub(crate) fn new(op: Op, x: Operand<'_>, positions: DType, size: Option<(usize, u64)>) -> Result<Self> {
        let (len, name) = (x.shape.size(), op.operand_names()[0]);
        if i32::try_from(len).is_err() {
            let text = format!("{name} has {len} elements; at most 2147483647 have positions");
            return Err(value_error(op, ErrorCode::InvalidShape, name, text).shape(name, x.shape.dims()));
        }
        if let Some((size, _)) = size {
            Shape::of_result(op.name(), &[size]).map_err(|error| error.argument("size"))?;
        }
        Ok(Self { op, dtype: x.dtype, len, positions, size })
    }

    getters! { pub(crate) op: Op, dtype: DType, len: usize, positions: DType, size: Option<(usize, u64)> }

    /// The bits of an element that say whether it is 0: all but the sign of a float.
    pub(crate) fn significant_bits(&self) -> u64 {
        (u64::MAX >> (64 - 8 * self.dtype.size())) >> u32::from(self.dtype.is_float())
    }
}

/// The length of a mask that selects slices.
pub(crate) fn check_mask(op: Op, mask: Operand<'_>) -> Result<usize> {
    check_truth(op, "mask", mask.dtype)?;
    let [len] = *mask.shape.dims() else {
        let (rank, shape) = (mask.shape.rank(), mask.shape);
        let text = format!("mask has rank {rank} (shape {shape}); it must have one dimension");
        return Err(mismatch(op, mask.shape, ErrorCode::RankMismatch, text));
    };
    Ok(len)
}

/// Refuses a mask that does not select slices of x along `dim`.
pub(crate) fn check_compress(op: Op, mask: Operand<'_>, x: Operand<'_>, dim: i64) -> Result<()> {
    let len = check_mask(op, mask)?;
    checks::rank(op, "x", x.shape, 1..=MAX_OP_RANK)?;
    let axis = checks::axis(op, "x", x.shape, dim)?;
    if x.shape.dims().get(axis) == Some(&len) {
        return Ok(());
    }
    let text = format!(
        "mask has shape {} and x {}; mask must be as long as dimension {axis} of x",
        mask.shape, x.shape
    );
    Err(mismatch(op, mask.shape, ErrorCode::ShapeMismatch, text).shape("x", x.shape.dims()))
}

fn mismatch(op: Op, mask: &Shape, code: ErrorCode, text: String) -> crate::Error {
    value_error(op, code, "mask", text).shape("mask", mask.dims())
}
