//! `scatter_`, `scatter_add` and `scatter_mul`: arguments → plan → backend.

use crate::backend::cpu::Cpu;
use crate::backend::{Backend, Value};
use crate::dtype::{DType, Promotion, Scalar};
use crate::error::{Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::ops::{host_buffer, host_index};
use crate::plan::{IndexPlan, Op, Operand, Reduce, Rule};
use crate::storage::Storage;
use crate::tensor::{Tensor, fit};

/// What is scattered: a tensor, or one number for every index entry.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// One element per index entry.
    Tensor(&'a Tensor),
    /// Converted to self's dtype first.
    Scalar(Scalar),
}

impl<'a> From<&'a Tensor> for Source<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Self::Tensor(tensor)
    }
}

impl<'a> Source<'a> {
    fn operand(&self) -> Option<Operand<'a>> {
        match *self {
            Self::Tensor(tensor) => Some(tensor.operand()),
            Self::Scalar(_) => None,
        }
    }
}

impl<S: Into<Scalar>> From<S> for Source<'_> {
    fn from(scalar: S) -> Self {
        Self::Scalar(scalar.into())
    }
}

impl Tensor {
    /// `self[…, index[i…], …] ∘= src[i…]` in place, where ∘ is replace, add or multiply.
    ///
    /// - `dim` in −r … r − 1; `index` int32 or int64, values in −s … s − 1 with s = `self.shape[dim]`.
    /// - index, self and a tensor src have the same rank, 1 to 8; `index.size(d) ≤ self.size(d)` and
    ///   `index.size(d) ≤ src.size(d)` for every d. An empty index: nothing happens.
    /// - A tensor src has self's dtype; a number is converted to it first (2.5 becomes 2 in int32).
    /// - Updates are applied in row-major order of index: of several replacements the last stays; sums and
    ///   products are rounded to self's dtype after each step. CPU and GPU give the same bits.
    /// - `src` or `index` may share data with `self`: the result is as if they had been copied first.
    ///
    /// # Errors
    /// `RuntimeError` for dim, ranks, sizes, src's dtype and a number that does not fit; `TypeError` for
    /// index's dtype; `IndexError` for an index value, on the GPU possibly at the next read. Nothing is
    /// written by a call that fails.
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
    pub fn scatter_<'a>(
        &mut self,
        dim: i64,
        index: &Self,
        src: impl Into<Source<'a>>,
        reduce: Reduce,
    ) -> Result<()> {
        self.scatter_along(Op::ScatterInPlace, dim, index, src.into(), reduce)
    }

    /// [`Tensor::scatter_`] into a copy; self is unchanged.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_`].
    pub fn scatter<'a>(
        &self,
        dim: i64,
        index: &Self,
        src: impl Into<Source<'a>>,
        reduce: Reduce,
    ) -> Result<Self> {
        let mut out = self.clone();
        out.scatter_along(Op::Scatter, dim, index, src.into(), reduce)?;
        Ok(out)
    }

    /// `self[…, index[i…], …] += src[i…]` into a copy; self is unchanged.
    ///
    /// As [`Tensor::scatter_`] with [`Reduce::Add`], but index may be longer than self along `dim` (more
    /// updates than places: a histogram), and the error classes are those of this operator's page:
    /// `ValueError` for dim, ranks and sizes, `TypeError` for the dtypes of index and src, `RuntimeError`
    /// for a number that does not fit, `IndexError` for an index value. A scalar src counts.
    ///
    /// # Errors
    /// See above. Nothing is written by a call that fails.
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
    pub fn scatter_add<'a>(&self, dim: i64, index: &Self, src: impl Into<Source<'a>>) -> Result<Self> {
        let mut out = self.clone();
        out.scatter_along(Op::ScatterAdd, dim, index, src.into(), Reduce::Add)?;
        Ok(out)
    }

    /// [`Tensor::scatter_add`] in place.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_add`].
    pub fn scatter_add_<'a>(&mut self, dim: i64, index: &Self, src: impl Into<Source<'a>>) -> Result<()> {
        self.scatter_along(Op::ScatterAddInPlace, dim, index, src.into(), Reduce::Add)
    }

    /// `self[indices[…, 0], …, indices[…, K − 1], :] += updates[…, :]` into a copy; self is unchanged.
    ///
    /// K is the size of the last dimension of indices, which has rank 2 at least; K ≤ r. Each component of
    /// a tuple is in −n … n − 1 for its dimension's size n. `updates.shape` is
    /// `indices.shape[:-1] + self.shape[K:]`; with K = 0 every update is added to the whole of self. A
    /// scalar counts. Row-major order, rounding and errors as for [`Tensor::scatter_add`].
    ///
    /// # Errors
    /// `TypeError` for dtypes, `ValueError` for ranks and shapes, `IndexError` for an index value. Nothing is
    /// written by a call that fails.
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
    pub fn scatter_add_nd<'a>(&self, indices: &Self, updates: impl Into<Source<'a>>) -> Result<Self> {
        let mut out = self.clone();
        out.scatter_tuples(Op::ScatterAdd, indices, updates.into())?;
        Ok(out)
    }

    /// [`Tensor::scatter_add_nd`] in place.
    ///
    /// # Errors
    /// As for [`Tensor::scatter_add_nd`].
    pub fn scatter_add_nd_<'a>(&mut self, indices: &Self, updates: impl Into<Source<'a>>) -> Result<()> {
        self.scatter_tuples(Op::ScatterAddInPlace, indices, updates.into())
    }

    /// What the names along a dimension share.
    pub(crate) fn scatter_along(
        &mut self,
        op: Op,
        dim: i64,
        index: &Self,
        src: Source<'_>,
        reduce: Reduce,
    ) -> Result<()> {
        let plan = IndexPlan::scatter_axis(op, self.operand(), dim, index.operand(), src.operand())?;
        self.scatter_with(&plan, index, src, reduce)
    }

    /// What the two names with tuples share.
    pub(crate) fn scatter_tuples(&mut self, op: Op, indices: &Self, updates: Source<'_>) -> Result<()> {
        let plan = IndexPlan::scatter_nd(op, self.operand(), indices.operand(), updates.operand())?;
        self.scatter_with(&plan, indices, updates, Reduce::Add)
    }

    /// Runs a plan on the device where self is.
    fn scatter_with(
        &mut self,
        plan: &IndexPlan,
        index: &Self,
        src: Source<'_>,
        reduce: Reduce,
    ) -> Result<()> {
        let op = plan.op();
        let scalar = match src {
            Source::Scalar(value) => Some(fit(op.name(), "value", value, self.dtype)?),
            Source::Tensor(_) => None,
        };
        if plan.entries() == 0 {
            return Ok(());
        }
        match &mut self.storage {
            Storage::Host(buffer) => {
                let index = host_index(op, index)?;
                let value = match (src, scalar) {
                    (Source::Tensor(src), _) => Value::Buffer(host_buffer(op, "src", src)?),
                    (_, bits) => Value::Scalar(bits.unwrap_or_default()),
                };
                Cpu.scatter(plan, self.dtype, reduce, buffer, index, value)
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                use crate::ops::device;
                let gpu = buffer.gpu();
                gpu.alive(op.name())?;
                let index = device::DeviceIndex::new(&gpu, plan, index)?;
                let values = match src {
                    Source::Tensor(src) => Some(device::buffer(&gpu, op, src)?),
                    Source::Scalar(_) => None,
                };
                let value = match &values {
                    Some(values) => Value::Buffer(&**values),
                    None => Value::Scalar(scalar.unwrap_or_default()),
                };
                gpu.scatter(plan, self.dtype, reduce, buffer, index.get(), value)?;
                self.range = None;
                Ok(())
            }
        }
    }
}

/// `input_x[indices[i…], :] *= updates[i…, :]` in place.
///
/// indices of any rank with values in −n … n − 1, n = `input_x.shape[0]`; input_x of rank 1 to 8;
/// `updates.shape` is `indices.shape + input_x.shape[1:]`. Updates of another dtype are converted to
/// input_x's first, where the table of [`DType::promotes_to`] has a conversion; a scalar multiplies every
/// row. Row-major order of indices, rounded after each multiplication; CPU and GPU give the same bits.
/// `updates` or `indices` may share data with input_x: the result is as if they had been copied first.
///
/// # Errors
/// `TypeError` for indices' dtype and dtypes without a conversion, `RuntimeError` where input_x would have to
/// change its dtype, `ValueError` for ranks and shapes, `IndexError` for an index value. Nothing is written
/// by a call that fails.
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
pub fn scatter_mul<'a>(input_x: &mut Tensor, indices: &Tensor, updates: impl Into<Source<'a>>) -> Result<()> {
    let updates = updates.into();
    let op = Op::ScatterMul;
    let plan = IndexPlan::scatter_rows(op, input_x.operand(), indices.operand(), updates.operand())?;
    let converted = match updates {
        Source::Tensor(updates) => convert_updates(op, updates, input_x.dtype)?,
        Source::Scalar(_) => None,
    };
    let updates = converted.as_ref().map_or(updates, Source::Tensor);
    input_x.scatter_with(&plan, indices, updates, Reduce::Multiply)
}

/// Updates in the dtype of input_x; `None` where they have it.
fn convert_updates(op: Op, updates: &Tensor, dtype: DType) -> Result<Option<Tensor>> {
    let from = updates.dtype;
    if from == dtype {
        return Ok(None);
    }
    let (class, text) = match from.promotes_to(dtype) {
        Promotion::Converts => return updates.astype(dtype).map(Some),
        Promotion::OtherWay => (
            op.error_class(Rule::SrcDtype),
            format!("updates has dtype {from} and input_x {dtype}, whose dtype would have to change"),
        ),
        Promotion::None => (
            ErrorClass::Type,
            format!(
                "updates has dtype {from} and input_x {dtype}, between which there is no implicit conversion"
            ),
        ),
    };
    Err(Error::new(class, ErrorCode::DtypeMismatch, op.name(), format!("{text} (updates.astype('{dtype}'))"))
        .argument("updates")
        .value(FactValue::Text(from.name().into())))
}
