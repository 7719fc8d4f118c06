//! The public names of the scatters. `call.rs` implements them.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod call;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod reduce;
pub(crate) mod rows;
pub(crate) mod slices;

use crate::error::Result;
use crate::index::target::{Source, Target};
use crate::plan::op::Op;
use crate::plan::reduce::Reduce;
use crate::scatter::call::Scatter;
use crate::tensor::Tensor;

impl Tensor {
    /// `self[…, index[i…], …] ∘= src[i…]` in place. ∘ is replace, add or multiply, as in MindSpore, or any other [`Reduce`].
    ///
    /// - `dim` in −r … r − 1; `index` int32 or int64, values in −s … s − 1 with s = `self.shape[dim]`.
    /// - index, self and a tensor src have the same rank, 1 to 8; `index.size(d) ≤ self.size(d)` and `index.size(d) ≤ src.size(d)`
    ///   for every d. With an empty index nothing happens.
    /// - A tensor src has self's dtype; a number is converted to it first (2.5 becomes 2 in int32).
    /// - Updates are applied in row-major order of index. Of several replacements the last stays. Sums and products are rounded to
    ///   self's dtype after each step. CPU and GPU give the same bits.
    /// - `src` or `index` may share data with `self`: the result is as if they had been copied first.
    ///
    /// # Errors
    /// `RuntimeError` for dim, ranks, sizes, src's dtype and a number that does not fit; `TypeError` for index's dtype;
    /// `IndexError` for an index value, on the GPU possibly at the next read. [`Reduce::Divide`] adds `TypeError` for bool and
    /// `ValueError` for an integer divisor of zero. A call that fails writes nothing.
    ///
    /// Source: MindSpore, `Tensor.scatter_`.
    ///
    /// ```
    /// use scatterwise::{Reduce, Tensor};
    /// let mut t = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let index = Tensor::from_elements(&[2, 1], &[0i64, 1])?;
    /// t.scatter_(0, &index, 3, Reduce::Multiply)?;
    /// assert_eq!(t.elements::<f32>(), Some(&[3.0, 2.0, 9.0, 4.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn scatter_(&mut self, dim: i64, index: &Self, src: impl Into<Source>, reduce: Reduce) -> Result<()> {
        Scatter::new(Op::ScatterInPlace, Target::along(dim, index), src.into(), reduce).run(self)
    }

    /// [`Tensor::scatter_`] into a copy; self is unchanged.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_`].
    pub fn scatter(&self, dim: i64, index: &Self, src: impl Into<Source>, reduce: Reduce) -> Result<Self> {
        Scatter::new(Op::Scatter, Target::along(dim, index), src.into(), reduce).run_on_copy(self)
    }

    /// `self[…, index[i…], …] += src[i…]` into a copy; self is unchanged.
    ///
    /// As [`Tensor::scatter_`] with [`Reduce::Add`], with three differences. index may be longer than self along `dim` (more updates
    /// than places: a histogram). Integers and bool take whole numbers only, and cut no fraction. The error classes are those of
    /// this operator's page: `ValueError` for dim, ranks and sizes, `TypeError` for the dtypes of index and src and for a fraction,
    /// `RuntimeError` for a number that does not fit, `IndexError` for an index value.
    /// A scalar src is added for each entry: 1 counts the entries of each place.
    ///
    /// # Errors
    /// See above. A call that fails writes nothing.
    ///
    /// Source: MindSpore, `Tensor.scatter_add`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[1, 5], &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
    /// let index = Tensor::from_elements(&[1, 2], &[2i64, 4])?;
    /// let out = t.scatter_add(1, &index, 8)?;
    /// assert_eq!(out.elements::<f32>(), Some(&[1.0, 2.0, 11.0, 4.0, 13.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn scatter_add(&self, dim: i64, index: &Self, src: impl Into<Source>) -> Result<Self> {
        Scatter::new(Op::ScatterAdd, Target::along(dim, index), src.into(), Reduce::Add).run_on_copy(self)
    }

    /// [`Tensor::scatter_add`] in place.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_add`].
    pub fn scatter_add_(&mut self, dim: i64, index: &Self, src: impl Into<Source>) -> Result<()> {
        Scatter::new(Op::ScatterAddInPlace, Target::along(dim, index), src.into(), Reduce::Add).run(self)
    }

    /// `self[indices[…, 0], …, indices[…, K − 1], :] += updates[…, :]` into a copy; self is unchanged.
    ///
    /// K is the size of the last dimension of indices; K ≤ r, and indices has rank 2 at least. Each component of a tuple is in −n …
    /// n − 1 for its dimension's size n. `updates.shape` is `indices.shape[:-1] + self.shape[K:]`; with K = 0 every update is added
    /// to the whole of self. A scalar is added for each tuple. Row-major order, rounding and errors are as for
    /// [`Tensor::scatter_add`].
    ///
    /// # Errors
    /// `TypeError` for dtypes, `ValueError` for ranks and shapes, `IndexError` for an index value. A call that fails writes
    /// nothing.
    ///
    /// Source: MindSpore, `Tensor.scatter_add(indices, updates)`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// let indices = Tensor::from_elements(&[3, 2], &[0, 0, 1, 1, 0, 0])?;
    /// let updates = Tensor::from_elements(&[3], &[10, 20, 30])?;
    /// assert_eq!(t.scatter_add_nd(&indices, &updates)?.elements::<i32>(), Some(&[41, 2, 3, 24][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn scatter_add_nd(&self, indices: &Self, updates: impl Into<Source>) -> Result<Self> {
        Scatter::new(Op::ScatterAdd, Target::tuples(indices), updates.into(), Reduce::Add).run_on_copy(self)
    }

    /// [`Tensor::scatter_add_nd`] in place.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_add_nd`].
    pub fn scatter_add_nd_(&mut self, indices: &Self, updates: impl Into<Source>) -> Result<()> {
        Scatter::new(Op::ScatterAddInPlace, Target::tuples(indices), updates.into(), Reduce::Add).run(self)
    }
}

/// `input_x[indices[i…], :] *= updates[i…, :]` in place.
///
/// indices of any rank with values in −n … n − 1, n = `input_x.shape[0]`; input_x of rank 1 to 8;
/// `updates.shape` is `indices.shape + input_x.shape[1:]`.
/// Updates of another dtype are first converted to input_x's, if the table of
/// [`DType::promotes_to`](crate::DType::promotes_to) has a conversion. A scalar multiplies every named row. Updates are applied in
/// row-major order of indices, and each product is rounded. CPU and GPU give the same bits. `updates` or `indices` may share data
/// with input_x: the result is as if they had been copied first.
///
/// # Errors
/// `TypeError` for indices' dtype and dtypes without a conversion, `RuntimeError` if only input_x could be converted, for a number
/// that does not fit and for a fraction in integers, `ValueError` for ranks and shapes, `IndexError` for an index value. A call that
/// fails writes nothing.
///
/// Source: MindSpore, `ops.scatter_mul`.
///
/// ```
/// use scatterwise::{Tensor, scatter_mul};
/// let mut x = Tensor::from_elements(&[2, 3], &[1.0f32, 1.0, 1.0, 2.0, 2.0, 2.0])?;
/// let indices = Tensor::from_elements(&[2], &[0, 1])?;
/// let updates = Tensor::from_elements(&[2, 3], &[2.0f32; 6])?;
/// scatter_mul(&mut x, &indices, &updates)?;
/// assert_eq!(x.elements::<f32>(), Some(&[2.0, 2.0, 2.0, 4.0, 4.0, 4.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn scatter_mul(input_x: &mut Tensor, indices: &Tensor, updates: impl Into<Source>) -> Result<()> {
    Scatter::new(Op::ScatterMul, Target::tuples(indices), updates.into(), Reduce::Multiply).run(input_x)
}
