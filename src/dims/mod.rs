//! Reductions along dimensions.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;

use crate::dims::backend::DimsBackend;
use crate::dims::plan::{Along, DimsPlan};
use crate::dispatch::{self, where_it_is};
use crate::plan::{Addressed, Reduce};
use crate::{DType, Result, Scalar, Scatter, Shape, Storage, Target, Tensor};

impl Tensor {
    /// The sum along dimensions: `out[kept…] = Σ self[…]`.
    ///
    /// - `dims` are the dimensions to reduce, negative ones counted from the back; `None` reduces all, `Some(&[])` none. With `keepdim`
    ///   they stay with size 1. Ranks 0 to 8.
    /// - `dtype` converts each element first, as [`Tensor::astype`] does. `None` is the dtype of self, but 64 bits for bool and for integers
    ///   narrower than that ([`DType::of_sum`]).
    /// - A sum of floats is exact and rounded once, so that no order changes its bits: see [`Sum::Exact`](crate::Sum::Exact). Integers
    ///   wrap; as bool it is OR. The sum of no elements is +0.
    ///
    /// # Errors
    /// `ValueError` for a dim that does not exist or is named twice, and for ranks above 8.
    ///
    /// Source: NumPy, `numpy.sum`; the names are PyTorch's, `torch.sum`.
    ///
    /// ```
    /// use scatterwise::{DType, Tensor};
    /// let tensor = Tensor::from_elements(&[2, 3], &[1.0f32, 1e8, -1e8, 2.0, 3.0, 4.0])?;
    /// assert_eq!(tensor.sum(Some(&[1]), false, None)?.elements::<f32>(), Some(&[1.0, 9.0][..]));
    /// let count = tensor.astype(DType::Bool)?.sum(None, false, None)?;
    /// assert_eq!(count.elements::<i64>(), Some(&[6][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn sum(&self, dims: Option<&[i64]>, keepdim: bool, dtype: Option<DType>) -> Result<Self> {
        self.reduce_dims(Along::Sum, dims, keepdim, dtype)
    }

    /// The product along dimensions: `out[kept…] = Π self[…]`. Integers wrap; floats are multiplied in row-major order of all reduced elements and
    /// rounded after each step. As bool it is AND. The product of no elements is 1. The parameters and the dtype are those of [`Tensor::sum`].
    ///
    /// # Errors
    /// As for [`Tensor::sum`].
    ///
    /// Source: NumPy, `numpy.prod`; the names are PyTorch's, `torch.prod`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let tensor = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 5])?;
    /// assert_eq!(tensor.prod(Some(&[1]), false, None)?.elements::<i64>(), Some(&[2, 15][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn prod(&self, dims: Option<&[i64]>, keepdim: bool, dtype: Option<DType>) -> Result<Self> {
        self.reduce_dims(Along::Prod, dims, keepdim, dtype)
    }

    /// The mean along dimensions: the exact sum divided by the number of terms, rounded once. The mean of no elements is NaN. The
    /// parameters are those of [`Tensor::sum`].
    ///
    /// # Errors
    /// As for [`Tensor::sum`], and `TypeError` for integers and bool.
    ///
    /// Source: NumPy, `numpy.mean`; the names are PyTorch's, `torch.mean`.
    ///
    /// ```
    /// use scatterwise::{DType, Tensor};
    /// let tensor = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 5])?;
    /// assert!(tensor.mean(None, false, None).is_err());
    /// let mean = tensor.mean(Some(&[0]), true, Some(DType::Float32))?;
    /// assert_eq!((mean.shape().dims(), mean.elements::<f32>()), (&[1, 2][..], Some(&[2.0, 3.5][..])));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn mean(&self, dims: Option<&[i64]>, keepdim: bool, dtype: Option<DType>) -> Result<Self> {
        self.reduce_dims(Along::Mean, dims, keepdim, dtype)
    }

    /// The largest element along dimensions. NaN wins, and −0 < +0. The parameters are those of [`Tensor::sum`].
    ///
    /// # Errors
    /// As for [`Tensor::sum`], and `ValueError` if an element of the result has no terms.
    ///
    /// Source: PyTorch, `torch.amax`.
    pub fn amax(&self, dims: Option<&[i64]>, keepdim: bool) -> Result<Self> {
        self.reduce_dims(Along::Amax, dims, keepdim, None)
    }

    /// The smallest element along dimensions, as for [`Tensor::amax`].
    ///
    /// # Errors
    /// As for [`Tensor::amax`].
    ///
    /// Source: PyTorch, `torch.amin`.
    pub fn amin(&self, dims: Option<&[i64]>, keepdim: bool) -> Result<Self> {
        self.reduce_dims(Along::Amin, dims, keepdim, None)
    }

    /// The position of the largest element along a dimension, int64: the first of those that are equal as numbers, or the first NaN.
    /// For `None` it is the position in the flat tensor.
    ///
    /// # Errors
    /// As for [`Tensor::amax`].
    ///
    /// Source: NumPy, `numpy.argmax`; the names are PyTorch's, `torch.argmax`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let tensor = Tensor::from_elements(&[2, 3], &[1i32, 3, 3, 9, 2, 1])?;
    /// assert_eq!(tensor.argmax(Some(1), false)?.elements::<i64>(), Some(&[1, 0][..]));
    /// assert_eq!(tensor.argmax(None, false)?.elements::<i64>(), Some(&[3][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn argmax(&self, dim: Option<i64>, keepdim: bool) -> Result<Self> {
        self.reduce_dims(Along::Argmax, dim.as_ref().map(std::slice::from_ref), keepdim, None)
    }

    /// The position of the smallest element along a dimension, as for [`Tensor::argmax`].
    ///
    /// # Errors
    /// As for [`Tensor::amax`].
    ///
    /// Source: NumPy, `numpy.argmin`; the names are PyTorch's, `torch.argmin`.
    pub fn argmin(&self, dim: Option<i64>, keepdim: bool) -> Result<Self> {
        self.reduce_dims(Along::Argmin, dim.as_ref().map(std::slice::from_ref), keepdim, None)
    }

    pub(crate) fn reduce_dims(
        &self,
        along: Along,
        dims: Option<&[i64]>,
        keepdim: bool,
        dtype: Option<DType>,
    ) -> Result<Self> {
        let plan = DimsPlan::new(along, self.operand(), dims, keepdim, dtype)?;
        let (shape, dtype) = (plan.out_shape().clone(), plan.out_dtype());
        if plan.is_ordered() && !plan.is_empty() && matches!(self.storage, Storage::Device(_)) {
            let (call, mut table) = self.as_scatter(&plan)?;
            call.run(&mut table)?;
            return table.with_shape(plan.op().name(), shape);
        }
        if !plan.is_empty() {
            let storage: Storage = where_it_is!(plan.op().name(), &self.storage, |backend, data| {
                backend.reduce_dims(&plan, data)?.into()
            });
            return Ok(Self::from_storage(shape, dtype, storage));
        }
        let of_nothing = match along {
            Along::Mean => Scalar::Float(f64::NAN),
            _ => Scalar::Int((along == Along::Prod).into()),
        };
        dispatch::on_device_of(
            plan.op().name(),
            self,
            Self::filled(plan.op().name(), "dtype", shape, of_nothing, dtype)?,
        )
    }

    /// A product in order as a scatter into a table of ones, which a GPU splits into several passes. Its gradient is the scatter's. The plan
    /// is not empty.
    pub(crate) fn as_scatter(&self, plan: &DimsPlan) -> Result<(Scatter, Self)> {
        let (op, count) = (plan.op(), plan.out_shape().size());
        let src = self.convert(op.name(), plan.dtype())?;
        let single = match plan.reduced() {
            [] => Some(1),
            &[axis] => Some(axis.stride),
            _ => None,
        };
        let (dims, form, index, src) = match single {
            // Slices along the only reduced dimension.
            Some(inner) => {
                let sizes = [count / inner, plan.terms(), inner];
                let index = Self::filled(
                    op.name(),
                    "index",
                    Shape::new(op.name(), &[plan.terms()])?,
                    Scalar::Int(0),
                    DType::Int32,
                )?;
                (vec![sizes[0], 1, inner], Addressed::Slices(1), index, src.reshape(&sizes)?)
            }
            // Each element names its column.
            None => {
                let index = Self::from_elements(&[plan.len(), 1], &plan.columns()?)?;
                (vec![count], Addressed::Tuples(0), index, src.reshape(&[plan.len()])?)
            }
        };
        let index = dispatch::on_device_of(op.name(), self, index)?;
        let ones =
            Self::filled(op.name(), "self", Shape::new(op.name(), &dims)?, Scalar::Int(1), plan.dtype())?;
        let table = dispatch::on_device_of(op.name(), self, ones)?;
        Ok((Scatter::new(op, Target::new(form, &index), src.into(), Reduce::Multiply), table))
    }
}
