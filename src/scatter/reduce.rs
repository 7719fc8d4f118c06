//! `scatter_reduce` and `scatter_nd`.

use crate::error::Result;
use crate::index::target::{Source, Target};
use crate::plan::op::Op;
use crate::plan::reduce::{NdReduce, Reduction};
use crate::scatter::call::Scatter;
use crate::tensor::Tensor;

impl Scatter {
    /// A call of `op` (`scatter_nd`, `scatter_update` and its siblings, or a gradient) with one of `scatter_nd`'s words. The word
    /// says how an update is combined, and whether it is negated first.
    pub fn nd(op: Op, target: Target, src: Source, reduce: NdReduce) -> Self {
        let (reduce, factor) = reduce.parts();
        Self { factor, ..Self::new(op, target, src, reduce) }
    }
}

impl Tensor {
    /// `out[…, index[i…], …] = reduction of self[…, index[i…], …] and every src[i…]` that goes there, along `dim`.
    ///
    /// - Shapes and dtypes as for [`Tensor::scatter_add`]: index may be longer than self along `dim`.
    /// - `include_self`: whether self's value is one of the terms. If not, the first update of a place replaces it. Places without
    ///   an index entry keep self's value.
    /// - Updates are applied in row-major order of index, and each step is rounded or wrapped. A mean is the sum divided once by
    ///   the number of its terms; for integers the quotient is rounded down. amax and amin: NaN wins, −0 < +0. bool: sum and amax
    ///   are OR, prod and amin are AND. CPU and GPU give the same bits.
    ///
    /// # Errors
    /// `ValueError` for dim, ranks and sizes, `TypeError` for the dtypes of index and src and for a mean of bool, `RuntimeError`
    /// for a number that does not fit, `IndexError` for an index value. A call that fails writes nothing.
    ///
    /// Source: PyTorch, `torch.Tensor.scatter_reduce`.
    ///
    /// ```
    /// use scatterwise::{Reduction, Tensor};
    /// let t = Tensor::from_elements(&[4], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let index = Tensor::from_elements(&[6], &[0, 1, 0, 1, 2, 1])?;
    /// let src = Tensor::from_elements(&[6], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let sums = t.scatter_reduce(0, &index, &src, Reduction::Sum, true)?;
    /// assert_eq!(sums.elements::<f32>(), Some(&[5.0, 14.0, 8.0, 4.0][..]));
    /// let most = t.scatter_reduce(0, &index, &src, Reduction::Amax, false)?;
    /// assert_eq!(most.elements::<f32>(), Some(&[3.0, 6.0, 5.0, 4.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn scatter_reduce(
        &self,
        dim: i64,
        index: &Self,
        src: impl Into<Source>,
        reduction: Reduction,
        include_self: bool,
    ) -> Result<Self> {
        let (target, src) = (Target::along(dim, index), src.into());
        Scatter::new(Op::ScatterReduce, target, src, reduction.update(include_self)).run_on_copy(self)
    }

    /// [`Tensor::scatter_reduce`] in place.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_reduce`].
    pub fn scatter_reduce_(
        &mut self,
        dim: i64,
        index: &Self,
        src: impl Into<Source>,
        reduction: Reduction,
        include_self: bool,
    ) -> Result<()> {
        let (target, src) = (Target::along(dim, index), src.into());
        Scatter::new(Op::ScatterReduceInPlace, target, src, reduction.update(include_self)).run(self)
    }

    /// `out[indices[…, 0], …, indices[…, K − 1], :] ∘= updates[…, :]` with any of seven reductions; self is unchanged.
    ///
    /// Shapes are as for [`Tensor::scatter_add_nd`], but indices of rank 1 are one tuple. Updates are applied in row-major order.
    /// `Sub` adds the negated update. `Div` truncates integers toward zero; an integer zero is refused before anything is written.
    ///
    /// # Errors
    /// `TypeError` for dtypes, `ValueError` for ranks, shapes and a zero divisor, `RuntimeError` for a number that does not fit,
    /// `IndexError` for an index value. A call that fails writes nothing.
    ///
    /// Source: MindSpore, `ops.tensor_scatter_elements` and its siblings; ONNX, `ScatterND`.
    ///
    /// ```
    /// use scatterwise::{NdReduce, Tensor};
    /// let t = Tensor::from_elements(&[2, 2], &[8, 9, 10, 11])?;
    /// let indices = Tensor::from_elements(&[2, 1], &[1, 1])?;
    /// let updates = Tensor::from_elements(&[2, 2], &[2, 3, 5, 1])?;
    /// let out = t.scatter_nd(&indices, &updates, NdReduce::Div)?;
    /// assert_eq!(out.elements::<i32>(), Some(&[8, 9, 1, 3][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn scatter_nd(&self, indices: &Self, updates: impl Into<Source>, reduce: NdReduce) -> Result<Self> {
        Scatter::nd(Op::ScatterNd, Target::tuples(indices), updates.into(), reduce).run_on_copy(self)
    }

    /// [`Tensor::scatter_nd`] in place.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_nd`].
    pub fn scatter_nd_(
        &mut self,
        indices: &Self,
        updates: impl Into<Source>,
        reduce: NdReduce,
    ) -> Result<()> {
        Scatter::nd(Op::ScatterNdInPlace, Target::tuples(indices), updates.into(), reduce).run(self)
    }
}
