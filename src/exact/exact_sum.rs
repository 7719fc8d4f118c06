//! Exact sums in parts.

use crate::exact::backend::ExactParts;
use crate::index::Index;
use crate::plan::{Addressed, IndexMode, Op, Reduce};
use crate::scatter::call::Checked;
use crate::{
    DType, Device, Error, ErrorClass, ErrorCode, HostBuffer, Result, Scatter, Shape, Source, Storage, Target,
    Tensor,
};

/// The operator's name in errors.
const OP: &str = "ExactSum";

/// Exact sums of chunks, for threads, processes or machines. Each adds its own terms, in any order; the parts are then merged, in
/// any order. The result has the bits of one call with all terms. A slot is an element of the shape.
pub struct ExactSum {
    /// A tensor without data. A call is checked against its shape and dtype.
    like: Tensor,
    parts: ExactParts,
}

impl ExactSum {
    /// Sums without terms on the CPU. A slot without terms has the sum +0, the mean NaN and the count 0.
    ///
    /// # Errors
    /// `TypeError` for a dtype that is not a float; the errors of [`Shape::new`]; `RuntimeError` when memory is exhausted.
    ///
    /// ```
    /// use scatterwise::{DType, ExactSum, OutOfRange, Target, Tensor};
    /// let index = Tensor::from_elements(&[3], &[0, 0, 0])?;
    /// let mut sums = ExactSum::new(&[1], DType::Float32)?;
    /// sums.add(Target::along(0, &index), &Tensor::from_elements(&[3], &[1e8f32, 1.0, -1e8])?, OutOfRange::Raise)?;
    /// let mut others = ExactSum::from_bytes(&sums.to_bytes()?)?;
    /// others.merge(&sums)?;
    /// assert_eq!(others.sum()?.elements::<f32>(), Some(&[2.0][..]));
    /// assert_eq!(others.count()?.elements::<i64>(), Some(&[6][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn new(shape: &[usize], dtype: DType) -> Result<Self> {
        Self::new_on(shape, dtype, Device::Cpu)
    }

    /// [`ExactSum::new`] on a device.
    ///
    /// # Errors
    /// As for [`ExactSum::new`]; `RuntimeError` if no GPU runs.
    pub fn new_on(shape: &[usize], dtype: DType, device: Device) -> Result<Self> {
        if !dtype.is_float() {
            let text = format!(
                "dtype is {dtype}; it must be float16, bfloat16, float32 or float64: integers are exact as they are"
            );
            return Err(Error::new(ErrorClass::Type, ErrorCode::UnsupportedDtype, OP, text)
                .word("dtype", dtype.name()));
        }
        let shape = Shape::new(OP, shape)?;
        Ok(Self::of(shape.clone(), dtype, ExactParts::new(OP, shape.size(), dtype, device)?))
    }

    /// Sums with that shape.
    fn of(shape: Shape, dtype: DType, parts: ExactParts) -> Self {
        let like = Tensor::from_storage(shape, dtype, Storage::from(HostBuffer::default()));
        Self { like, parts }
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        self.like.shape()
    }

    /// The device of the sums.
    pub fn device(&self) -> Device {
        self.parts.device()
    }

    /// The dtype of the terms and of the results.
    pub fn dtype(&self) -> DType {
        self.like.dtype()
    }

    /// Adds each element of `src` to the slot that the index names, by the rules of [`Tensor::scatter_add`]. Sums without dimensions
    /// have one slot: that of an index 0 or −1 along dim 0, and of tuples of nothing, in indices of the shape `[n, 0]`. `mode` says how to
    /// handle an index value that is out of range, and which one is ignored.
    ///
    /// # Errors
    /// Those of the operator, and `RuntimeError` for operands that the device cannot read, and beyond 2^42 terms of one slot; such a
    /// call adds nothing. On a GPU an `IndexError` may come at the next read. `RuntimeError` when memory is exhausted: every later
    /// call then refuses the sums.
    pub fn add(&mut self, target: Target, src: impl Into<Source>, mode: impl Into<IndexMode>) -> Result<()> {
        let mode = mode.into();
        self.add_call(&Scatter { mode, ..Scatter::new(Op::ExactSum, target, src.into(), Reduce::Add) })
    }

    /// [`ExactSum::add`] of a call.
    #[inline(never)]
    fn add_call(&mut self, call: &Scatter) -> Result<()> {
        if self.like.shape.rank() == 0 && matches!(call.target.form, Addressed::Along(_)) {
            return self.add_to_the_only(call);
        }
        let checked = call.check(&self.like)?;
        self.add_checked(&checked)
    }

    /// Adds along the dimension of sums that have none: to the only slot, as of the shape `[1]`. A number as index or source is a list of one.
    #[inline(never)]
    fn add_to_the_only(&mut self, call: &Scatter) -> Result<()> {
        let listed = |tensor: &Tensor| {
            if tensor.shape.rank() == 0 { tensor.reshape(&[1]) } else { Ok(tensor.clone()) }
        };
        let mut call = call.clone();
        if let Index::Given(index) = &call.target.index {
            call.target.index = Index::Given(listed(index)?);
        }
        if let Source::Tensor(source) = &call.src {
            call.src = Source::Tensor(listed(source)?);
        }
        let like = listed(&self.like)?;
        let checked = call.check(&like)?;
        self.add_checked(&checked)
    }

    fn add_checked(&mut self, checked: &Checked<'_>) -> Result<()> {
        if checked.plan.index_entries() == 0 {
            return Ok(());
        }
        self.parts.add(&checked.plan, &checked.index, checked.source.as_deref())
    }

    /// Adds the terms of other sums.
    ///
    /// # Errors
    /// `TypeError` for another dtype, `ValueError` for another shape; `RuntimeError` for another device, and as for
    /// [`ExactSum::add`].
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        const MERGE: &str = "ExactSum.merge";
        let (own, others) = (&self.like, &other.like);
        if own.dtype != others.dtype {
            let text = format!("other has dtype {} and this {}; they must be equal", others.dtype, own.dtype);
            return Err(Error::new(ErrorClass::Type, ErrorCode::DtypeMismatch, MERGE, text)
                .word("other", others.dtype.name()));
        }
        if own.shape != others.shape {
            let text = format!("other has shape {} and this {}; they must be equal", others.shape, own.shape);
            return Err(Error::new(ErrorClass::Value, ErrorCode::ShapeMismatch, MERGE, text)
                .argument("other")
                .shape("other", others.shape.dims()));
        }
        self.parts.merge(MERGE, &other.parts)
    }

    /// The sum of each slot, rounded once.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn sum(&self) -> Result<Tensor> {
        self.parts
            .rounded("ExactSum.sum", false, self.like.dtype)
            .map(|sums| self.tensor(self.like.dtype, sums))
    }

    /// The sum of each slot divided by its count, rounded once.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn mean(&self) -> Result<Tensor> {
        self.parts
            .rounded("ExactSum.mean", true, self.like.dtype)
            .map(|means| self.tensor(self.like.dtype, means))
    }

    /// How many terms each slot has, int64.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn count(&self) -> Result<Tensor> {
        self.parts.counts("ExactSum.count").map(|counts| self.tensor(DType::Int64, counts))
    }

    /// A tensor with an element for each slot.
    #[inline(never)]
    fn tensor(&self, dtype: DType, storage: Storage) -> Tensor {
        Tensor::from_storage(self.like.shape.clone(), dtype, storage)
    }

    /// A copy, on the same device.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn duplicate(&mut self) -> Result<Self> {
        let parts = self.parts.duplicate(OP)?;
        Ok(Self { like: self.like.clone(), parts })
    }

    /// A copy on the CPU, of the sums as they are now.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted; the errors of a read.
    pub fn download(&mut self) -> impl Future<Output = Result<Self>> + use<> {
        let (like, parts) = (self.like.clone(), self.parts.download("ExactSum.to_bytes", self.like.dtype));
        async move { Ok(Self { like, parts: parts.await? }) }
    }

    /// The canonical bytes of sums on the CPU: equal sums have equal bytes. `docs/EXACT_SUM.md` specifies them.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted, and for sums on a GPU ([`ExactSum::download`]).
    pub fn to_bytes(&mut self) -> Result<Vec<u8>> {
        self.parts.bytes("ExactSum.to_bytes", &self.like.shape)
    }

    /// Reads sums from bytes of `to_bytes`, from this program or another.
    ///
    /// # Errors
    /// `ValueError` for all other bytes; `RuntimeError` when memory is exhausted.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Self::from_bytes_on(bytes, Device::Cpu)
    }

    /// [`ExactSum::from_bytes`] on a device.
    ///
    /// # Errors
    /// As for [`ExactSum::from_bytes`]; `RuntimeError` if no GPU runs.
    pub fn from_bytes_on(bytes: &[u8], device: Device) -> Result<Self> {
        let (shape, dtype, parts) = ExactParts::read("ExactSum.from_bytes", bytes, device)?;
        Ok(Self::of(shape, dtype, parts))
    }
}
