//! Updates of slices along a dimension, which an index of one dimension names: `index_add`, `index_copy` and `index_fill`.

use crate::error::Result;
use crate::index::target::{Source, Target};
use crate::plan::op::Op;
use crate::plan::reduce::{Factor, Reduce};
use crate::scalar::Scalar;
use crate::scatter::call::Scatter;
use crate::tensor::Tensor;

impl Tensor {
    /// `out[…, index[i], …] += alpha · src[…, i, …]` along `dim`, in the order of index; self is unchanged.
    ///
    /// src has self's shape, with the length of index along `dim`; a scalar is added at each entry. Each product is rounded or wrapped
    /// first, then each sum. alpha is converted to self's dtype, and must be whole for integers.
    ///
    /// # Errors
    /// As for [`Tensor::index_select`]; `TypeError` and `ValueError` for src's dtype and shape, `TypeError` for an alpha with a
    /// fraction, `RuntimeError` for an alpha that does not fit. A call that fails writes nothing.
    ///
    /// Source: PyTorch, `torch.Tensor.index_add`.
    ///
    /// ```
    /// use scatterwise::{Scalar, Tensor};
    /// let t = Tensor::from_elements(&[3], &[1, 1, 1])?;
    /// let (index, src) = (Tensor::from_elements(&[2], &[0, 0])?, Tensor::from_elements(&[2], &[5, 7])?);
    /// assert_eq!(t.index_add(0, &index, &src, Scalar::Int(2))?.elements::<i32>(), Some(&[25, 1, 1][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn index_add(&self, dim: i64, index: &Self, src: impl Into<Source>, alpha: Scalar) -> Result<Self> {
        Scatter::index_add(Op::IndexAdd, Target::slices(dim, index), src.into(), alpha).run_on_copy(self)
    }

    /// [`Tensor::index_add`] in place.
    ///
    /// # Errors
    /// As there.
    pub fn index_add_(
        &mut self,
        dim: i64,
        index: &Self,
        src: impl Into<Source>,
        alpha: Scalar,
    ) -> Result<()> {
        Scatter::index_add(Op::IndexAddInPlace, Target::slices(dim, index), src.into(), alpha).run(self)
    }

    /// `out[…, index[i], …] = src[…, i, …]` along `dim`; of several sources of a place, the last stays. Source: PyTorch,
    /// `torch.Tensor.index_copy`.
    ///
    /// # Errors
    /// As for [`Tensor::index_add`], without alpha.
    pub fn index_copy(&self, dim: i64, index: &Self, src: impl Into<Source>) -> Result<Self> {
        Scatter::new(Op::IndexCopy, Target::slices(dim, index), src.into(), Reduce::Replace).run_on_copy(self)
    }

    /// [`Tensor::index_copy`] in place.
    ///
    /// # Errors
    /// As there.
    pub fn index_copy_(&mut self, dim: i64, index: &Self, src: impl Into<Source>) -> Result<()> {
        Scatter::new(Op::IndexCopyInPlace, Target::slices(dim, index), src.into(), Reduce::Replace).run(self)
    }

    /// `out[…, index[i], …] = value` along `dim`. Source: PyTorch, `torch.Tensor.index_fill`.
    ///
    /// # Errors
    /// As for [`Tensor::index_select`]; `RuntimeError` for a value that does not fit.
    pub fn index_fill(&self, dim: i64, index: &Self, value: impl Into<Scalar>) -> Result<Self> {
        let (target, src) = (Target::slices(dim, index), Source::Scalar(value.into()));
        Scatter::new(Op::IndexFill, target, src, Reduce::Replace).run_on_copy(self)
    }

    /// [`Tensor::index_fill`] in place.
    ///
    /// # Errors
    /// As there.
    pub fn index_fill_(&mut self, dim: i64, index: &Self, value: impl Into<Scalar>) -> Result<()> {
        let (target, src) = (Target::slices(dim, index), Source::Scalar(value.into()));
        Scatter::new(Op::IndexFillInPlace, target, src, Reduce::Replace).run(self)
    }
}

impl Scatter {
    /// The call of [`Tensor::index_add`] or [`Tensor::index_add_`]; `op` says which.
    pub fn index_add(op: Op, target: Target, src: Source, alpha: Scalar) -> Self {
        Self { factor: Factor::alpha(alpha), ..Self::new(op, target, src, Reduce::Add) }
    }
}
