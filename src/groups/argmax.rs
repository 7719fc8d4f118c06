//! Argmax: which update of a maximum or minimum stays.

use crate::groups::backend::{row_winners, scatter_argmax};
use crate::plan::{Op, Reduction, Sum, Update};
use crate::scatter::call::Checked;
use crate::segments::{CheckedReduction, Segments};
use crate::{DType, Result, Scalar, Scatter, Shape, Tensor, dispatch};

impl Scatter {
    /// Runs the call, whose update must be a maximum or minimum, and returns which update won: an int64 tensor of the table's shape. For
    /// each slot it has the position of the winner along the call's dimension, in row-major order the first of equal ones, and the first
    /// NaN if there is one. It has −1 where the table's own value stayed, or no entry went. That value wins ties if it counts.
    ///
    /// # Errors
    /// Those of the operator; `ValueError` for an update that is neither.
    ///
    /// ```
    /// use scatterwise::{Op, Reduction, Scatter, Target, Tensor};
    /// let mut table = Tensor::from_elements(&[3], &[4, 4, 4])?;
    /// let index = Tensor::from_elements(&[4], &[0, 1, 1, 0])?;
    /// let src = Tensor::from_elements(&[4], &[4, 7, 7, 1])?;
    /// let most = Reduction::Amax.update(true);
    /// let call = Scatter::new(Op::ScatterReduceInPlace, Target::along(0, &index), src.into(), most);
    /// let winners = call.run_for_winners(&mut table)?;
    /// assert_eq!(table.elements::<i32>(), Some(&[4, 7, 4][..]));
    /// assert_eq!(winners.elements::<i64>(), Some(&[-1, 1, -1][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn run_for_winners(&self, table: &mut Tensor) -> Result<Tensor> {
        self.update.check_argmax(self.op)?;
        let Checked { plan, index, source } = &self.check(table)?;
        if plan.index_entries() == 0 {
            return no_argmax(self.op, table, table.shape.clone());
        }
        let argmax = scatter_argmax(plan, self.update, table, index, source.as_deref())?;
        Ok(Tensor::from_storage(table.shape.clone(), DType::Int64, argmax))
    }
}

/// `segment_reduce` by a maximum or minimum, and the row of data that won each element of the result, as int64: the first of equal ones, the
/// first NaN if there is one. It is −1 where `initial` stayed, which wins ties, and for a segment without rows.
///
/// # Errors
/// As for `segment_reduce`; `ValueError` for another reduction.
///
/// ```
/// use scatterwise::{Reduction, Segments, Tensor, segment_winners};
/// let data = Tensor::from_elements(&[5], &[1.0f32, 3.0, 3.0, 2.0, -1.0])?;
/// let lengths = Tensor::from_elements(&[3], &[3, 0, 2])?;
/// let (most, rows) = segment_winners(&data, Reduction::Amax, Segments::Lengths(&lengths), None)?;
/// assert_eq!(most.elements::<f32>(), Some(&[3.0, f32::NEG_INFINITY, 2.0][..]));
/// assert_eq!(rows.elements::<i64>(), Some(&[1, -1, 3][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn segment_winners(
    data: &Tensor,
    reduction: Reduction,
    segments: Segments<'_>,
    initial: Option<Scalar>,
) -> Result<(Tensor, Tensor)> {
    reduction.update(false).check_argmax(Op::SegmentReduce)?;
    let CheckedReduction { rows, update, mut out } =
        CheckedReduction::new(data, reduction, Sum::Ordered, segments, initial)?;
    // Without `initial` the rows alone compete.
    let update = Update { include_self: initial.is_some(), ..update };
    let argmax = row_winners(&rows, update, &mut out, data)?;
    let argmax = match argmax {
        Some(storage) => Tensor::from_storage(out.shape.clone(), DType::Int64, storage),
        None => no_argmax(Op::SegmentReduce, data, out.shape.clone())?,
    };
    Ok((out, argmax))
}

/// The argmax of no updates, on the device of a tensor.
fn no_argmax(op: Op, like: &Tensor, shape: Shape) -> Result<Tensor> {
    let made = Tensor::filled(op.name(), "return_indices", shape, Scalar::Int(-1), DType::Int64)?;
    dispatch::on_device_of(op.name(), like, made)
}
