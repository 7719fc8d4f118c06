//! The positions of true elements, and the slices that a mask selects.

use std::borrow::Cow;

use crate::masks::backend::{self, Found};
use crate::masks::plan::positions::{PositionsPlan, check_compress};
use crate::plan::Op;
use crate::{DType, Device, Gather, Result, Scalar, Shape, Storage, Target, Tensor, dispatch, fit};

/// The result of [`flatnonzero`].
pub struct Positions {
    /// The positions, ascending.
    pub positions: Tensor,
    /// How many there are, one int32, if the tensor is on a GPU and no size was given. The host does not know it yet, so `positions` has as many
    /// elements as the tensor. Once it was read, [`Tensor::first`] shortens them.
    pub count: Option<Tensor>,
}

/// The positions of the elements that are not 0 in the flat tensor, ascending; a NaN is not 0. `size`: exactly so many, cut or filled up with the
/// second number. They are of int64, or of int32 if `is_short`. `docs/operators/masks.md`.
///
/// # Errors
/// Those of the operator's page.
///
/// ```
/// use scatterwise::{Tensor, flatnonzero};
/// let x = Tensor::from_elements(&[2, 2], &[0.0f32, f32::NAN, -0.0, 3.0])?;
/// assert_eq!(flatnonzero(&x, None, false)?.positions.elements::<i64>(), Some(&[1, 3][..]));
/// assert_eq!(flatnonzero(&x, Some((3, (-1).into())), true)?.positions.elements::<i32>(), Some(&[1, 3, -1][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn flatnonzero(x: &Tensor, size: Option<(usize, Scalar)>, is_short: bool) -> Result<Positions> {
    positions_of(Op::Flatnonzero, x, size, is_short)
}

/// [`flatnonzero`] of x, or of the mask of another operator.
pub(crate) fn positions_of(
    op: Op,
    x: &Tensor,
    size: Option<(usize, Scalar)>,
    is_short: bool,
) -> Result<Positions> {
    let dtype = if is_short { DType::Int32 } else { DType::Int64 };
    let size = size.map(|(size, fill)| Ok((size, fit(op.name(), "fill", fill, dtype)?))).transpose()?;
    let plan = PositionsPlan::new(op, x.operand(), dtype, size)?;
    let Found { positions, len, sums } = backend::positions(&plan, x)?;
    let positions = Tensor::from_storage(Shape::of_size(len), plan.positions(), positions);
    let count = match sums.filter(|_| plan.size().is_none()) {
        Some((sums, tiles)) => {
            let sums = Tensor::from_storage(Shape::of_size(tiles + 1), DType::Int32, sums);
            let last = Tensor::from_elements(&[1], &[tiles as i32])?;
            Some(Gather::new(op, Target::slices(0, &last)).run(&sums)?)
        }
        None => None,
    };
    Ok(Positions { positions, count })
}

/// The slices of x along `dim` at which the mask, of one dimension as long as `dim`, is true, in their order. `positions` are those of
/// [`flatnonzero`] of the mask. `docs/operators/masks.md`.
///
/// # Errors
/// Those of the operator's page.
///
/// ```
/// use scatterwise::{Tensor, compress, flatnonzero};
/// let mask = Tensor::from_elements(&[3], &[1, 0, 3])?.ne(&Tensor::from_elements(&[], &[0])?)?;
/// let x = Tensor::from_elements(&[2, 3], &[1, 2, 3, 4, 5, 6])?;
/// let positions = flatnonzero(&mask, None, true)?.positions;
/// assert_eq!(compress(&mask, &positions, &x, 1)?.elements::<i32>(), Some(&[1, 3, 4, 6][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn compress(mask: &Tensor, positions: &Tensor, x: &Tensor, dim: i64) -> Result<Tensor> {
    check_compress(Op::Compress, mask.operand(), x.operand(), dim)?;
    select(Op::Compress, positions, x, dim)
}

/// The slices of x along `dim` at the positions, on a GPU if they are there.
pub(crate) fn select(op: Op, positions: &Tensor, x: &Tensor, dim: i64) -> Result<Tensor> {
    let x = match &positions.storage {
        Storage::Device(_) if x.device() == Device::Cpu => {
            Cow::Owned(dispatch::on_device_of(op.name(), positions, x.clone())?)
        }
        Storage::Device(_) | Storage::Host(_) => Cow::Borrowed(x),
    };
    Gather::new(op, Target::slices(dim, positions)).run(&x)
}
