//! `gather` along a dimension and by index tuples.

use crate::error::Result;
use crate::ops::{Gather, IndexPlan, Target};
use crate::plan::Op;
use crate::tensor::Tensor;

impl Tensor {
    /// `out[i…] = self[…, index[i…], …]` along `dim`; out has index's shape and self's dtype.
    ///
    /// `dim` in −r … r − 1; index int32 or int64, values in −s … s − 1; index and self have the same rank,
    /// 1 to 8; `index.size(d) ≤ self.size(d)` for d ≠ dim. Moves bits: NaN payloads, −0 and subnormals stay.
    ///
    /// # Errors
    /// `ValueError` for dim, ranks and sizes, `TypeError` for index's dtype, `IndexError` for an index
    /// value, on the GPU possibly at the next read.
    ///
    /// Source: MindSpore, `Tensor.gather`; PyTorch, `torch.gather`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let index = Tensor::from_elements(&[2, 2], &[0i32, 0, 1, 0])?;
    /// assert_eq!(t.gather(1, &index)?.elements::<f32>(), Some(&[1.0, 1.0, 4.0, 3.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn gather(&self, dim: i64, index: &Self) -> Result<Self> {
        let target = Target::along(dim, index);
        Gather { op: Op::Gather, target }.run(self)
    }

    /// `out[…, :] = self[indices[…, 0], …, indices[…, K − 1], :]`; out has the shape
    /// `indices.shape[:-1] + self.shape[K:]` and self's dtype.
    ///
    /// K is the size of the last dimension of indices (rank ≥ 1), K ≤ r; each component of a tuple is in
    /// −n … n − 1 for its dimension's size n. Moves bits.
    ///
    /// # Errors
    /// `ValueError` for ranks, `TypeError` for indices' dtype, `IndexError` for an index value, on the GPU
    /// possibly at the next read.
    ///
    /// Source: MindSpore, `ops.gather_nd`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// let indices = Tensor::from_elements(&[2, 1], &[1, 0])?;
    /// assert_eq!(t.gather_nd(&indices)?.elements::<i32>(), Some(&[3, 4, 1, 2][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn gather_nd(&self, indices: &Self) -> Result<Self> {
        let target = Target::tuples(indices);
        Gather { op: Op::GatherNd, target }.run(self)
    }

    /// [`Tensor::gather`] or [`Tensor::gather_nd`] with an index that was prepared for tensors of this shape.
    ///
    /// # Errors
    /// As for these two, without those about index values, which the plan has checked; and `ValueError` where
    /// self has another shape than the plan is for.
    pub fn gather_at(&self, plan: &IndexPlan) -> Result<Self> {
        Gather { op: Op::Gather, target: Target::from(plan) }.run(self)
    }
}
