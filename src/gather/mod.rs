//! A gather as data, and `gather` along a dimension and by index tuples.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;

use std::borrow::Cow;

use crate::elementwise::{self, product};
use crate::gather::backend::gather_from;
use crate::index::Index;
use crate::plan::{Addressing, Binary, IndexMode, Op, OutOfRange, Rounding, ValueRanges};
use crate::{Bits, DType, HostBuffer, Result, Scalar, Shape, Storage, Target, Tensor, dispatch, fit};

/// One call of any gather, not yet checked against the tensor that it reads. It owns its index.
#[derive(Clone)]
pub struct Gather {
    /// The operator whose rules and errors apply.
    pub op: Op,
    /// Where it reads.
    pub target: Target,
    /// How the call reads its index: what a value does that is out of range, and which value is ignored. A prepared index uses its own
    /// mode instead.
    pub mode: IndexMode,
    /// The result of a skipped entry.
    pub fill_value: Scalar,
}

pub(crate) struct CheckedGather<'a> {
    pub(crate) plan: Addressing,
    pub(crate) index: Cow<'a, Index>,
    /// The fill value in the table's dtype.
    pub(crate) fill: Bits,
    pub(crate) shape: Shape,
}

/// The bits of the largest and of the least int64.
const LARGEST: u64 = i64::MAX as u64;
const LEAST: u64 = LARGEST + 1;

impl Gather {
    /// A call whose index must be in range.
    pub fn new(op: Op, target: Target) -> Self {
        Self { op, target, mode: IndexMode::default(), fill_value: Scalar::Int(0) }
    }

    /// Checks the call. Index values that must be in range are checked later, when the call runs. In any mode but a plain one this
    /// already reads the values of an index in host memory.
    pub(crate) fn check(&self, table: &Tensor) -> Result<CheckedGather<'_>> {
        let (plan, shape) = self.target.gather(self.op, table.operand())?;
        let fill = fit(self.op.name(), "fill_value", self.fill_value, table.dtype)?;
        let index = self.target.index.in_mode(&plan, self.mode)?;
        Ok(CheckedGather { plan, index, fill, shape })
    }

    /// The call of a read whose index has another integer dtype than those that plans take: with one of these, and the same values. Those of
    /// uint64 beyond int64 become its largest, which is out of range too; if values wrap, negative ones of the same slots. The ignored
    /// value of uint64 has the bits of an int64; beyond it, the least int64 stands for it. `None` for any other call.
    #[inline(never)]
    pub(crate) fn widened(&self, table: &Tensor) -> Result<Option<Self>> {
        match &self.target.index {
            Index::Given(index) if self.op.reads_any_index() && index.dtype.is_other_index() => {
                let mut mode = self.mode;
                if index.dtype == DType::Uint64 {
                    mode.ignored = mode.ignored.map(|ignored| if ignored < 0 { i64::MIN } else { ignored });
                }
                let index = Index::Given(self.widen(index, table)?);
                Ok(Some(Self { target: Target { form: self.target.form, index }, mode, ..*self }))
            }
            _ => Ok(None),
        }
    }

    fn widen(&self, index: &Tensor, table: &Tensor) -> Result<Tensor> {
        let op = self.op;
        // The size of each dimension divides that of the table.
        let wraps = self.mode.out_of_range == OutOfRange::Wrap && table.size() > 0;
        let values = match &index.storage {
            _ if index.dtype != DType::Uint64 => {
                let fits = index.dtype.size() < size_of::<i32>();
                index.convert(op.name(), if fits { DType::Int32 } else { DType::Int64 })?
            }
            Storage::Host(buffer) => {
                let mut values = HostBuffer::copy_of(op.name(), buffer.bytes())?;
                let size = table.size().max(1) as u64;
                let ignored = self.mode.ignored.map(|ignored| ignored as u64);
                let beyond = LARGEST - u64::from(ignored == Some(LARGEST));
                let signed = |value: u64| match value {
                    0..=LARGEST => value,
                    _ if Some(value) == ignored => LEAST,
                    _ if wraps => (value % size).wrapping_sub(size),
                    _ => beyond,
                };
                values.elements_mut().iter_mut().for_each(|value| *value = signed(*value));
                Tensor::from_buffer(index.shape.clone(), DType::Int64, values)
            }
            Storage::Device(_) => self.widen_on_device(index, table.size(), wraps)?,
        };
        // What is known of the values after an upload. As 64-bit integers with a sign, those beyond are negative.
        let (Storage::Device(data), Storage::Device(given)) = (&values.storage, &index.storage) else {
            return Ok(values);
        };
        let ends = given.facts().and_then(ValueRanges::ends);
        if index.dtype == DType::Uint64 && (wraps || !matches!(ends, Some([(0.., _), _]))) {
            return Ok(values);
        }
        let storage = Storage::Device(data.with_facts_of(given));
        Ok(Tensor::from_storage(values.shape.clone(), values.dtype, storage))
    }

    /// [`Gather::widen`] for uint64 on a GPU.
    fn widen_on_device(&self, index: &Tensor, size: usize, wraps: bool) -> Result<Tensor> {
        let (op, flat) = (self.op, index.reshape(&[index.size()])?);
        let with = |binary, one: &Tensor, value: i128| {
            let value = Scalar::Int(value);
            let value = Tensor::filled(op.name(), "index", Shape::scalar(), value, DType::Uint64)?;
            elementwise::combined(op, binary, one, &value)
        };
        let [least, largest] = [LEAST, LARGEST].map(i128::from);
        let ignored = self.mode.ignored.map(|ignored| ignored as u64);
        let floor = Binary::Divide(Some(Rounding::Floor));
        // 1 for a value beyond int64, else 0.
        let is_beyond = with(floor, &flat, least)?;
        let mut values = if wraps {
            let whole = with(Binary::Multiply, &with(floor, &flat, size as i128)?, size as i128)?;
            let whole = with(Binary::Add, &whole, size as i128)?;
            let whole = elementwise::combined(op, Binary::Multiply, &is_beyond, &whole)?;
            elementwise::combined(op, Binary::Subtract, &flat, &whole)?
        } else {
            with(Binary::Minimum, &flat, largest)?
        };
        if !wraps && ignored == Some(LARGEST) {
            values = elementwise::combined(op, Binary::Subtract, &values, &is_beyond)?;
        }
        if let Some(ignored @ LEAST..) = ignored {
            let differs = with(Binary::Subtract, &flat, ignored.into())?.convert(op.name(), DType::Bool)?;
            let differs = differs.convert(op.name(), DType::Uint64)?;
            let from_least = with(Binary::Subtract, &values, least)?;
            let from_least = elementwise::combined(op, Binary::Multiply, &from_least, &differs)?;
            values = with(Binary::Add, &from_least, least)?;
        }
        values.convert(op.name(), DType::Int64)?.reshape(index.shape.dims())
    }

    /// Runs the call on the device of the table.
    ///
    /// # Errors
    /// Those of the operator.
    pub fn run(&self, table: &Tensor) -> Result<Tensor> {
        let widened = self.widened(table)?;
        let CheckedGather { plan, index, fill, shape } = widened.as_ref().unwrap_or(self).check(table)?;
        let storage = gather_from(&plan, table, &index, fill)?;
        Ok(Tensor::from_storage(shape, table.dtype, storage))
    }
}

impl Tensor {
    /// `out[i…] = self[…, index[i…], …]` along `dim`. `docs/operators/gather.md`.
    ///
    /// # Errors
    /// Those of the operator's page.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let index = Tensor::from_elements(&[2, 2], &[0i32, 0, 1, 0])?;
    /// assert_eq!(t.gather(1, &index)?.elements::<f32>(), Some(&[1.0, 1.0, 4.0, 3.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn gather(&self, dim: i64, index: &Self) -> Result<Self> {
        Gather::new(Op::Gather, Target::along(dim, index)).run(self)
    }

    /// `out[…, :] = self[indices[…, 0], …, indices[…, K − 1], :]`; K is the size of the last dimension of indices.
    /// `docs/operators/scatter_nd.md`.
    ///
    /// # Errors
    /// Those of the operator's page.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// let indices = Tensor::from_elements(&[2, 1], &[1, 0])?;
    /// assert_eq!(t.gather_nd(&indices)?.elements::<i32>(), Some(&[3, 4, 1, 2][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn gather_nd(&self, indices: &Self) -> Result<Self> {
        Gather::new(Op::GatherNd, Target::tuples(indices)).run(self)
    }

    /// [`Tensor::gather_nd`] where the first `batch_dims` dimensions of self and indices are batches:
    /// `out[b, …, :] = self[b, indices[b, …, 0], …, :]`.
    ///
    /// # Errors
    /// Those of the operator's page.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2, 2], &[0, 1, 2, 3, 4, 5, 6, 7])?;
    /// let indices = Tensor::from_elements(&[2, 1], &[1, 0])?;
    /// assert_eq!(t.gather_nd_batched(&indices, 1)?.elements::<i32>(), Some(&[2, 3, 4, 5][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn gather_nd_batched(&self, indices: &Self, batch_dims: usize) -> Result<Self> {
        Gather::new(Op::GatherNd, Target::batched(indices, batch_dims)).run(self)
    }

    /// [`Tensor::gather`] where index and self broadcast against each other in all dimensions but `dim`. Without a `dim` both are
    /// flattened first. `docs/operators/take_along_dim.md`.
    ///
    /// # Errors
    /// Those of the operator's page.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 3], &[10, 30, 20, 60, 40, 50])?;
    /// let most = Tensor::from_elements(&[2, 1], &[1, 0])?;
    /// assert_eq!(t.take_along_dim(&most, Some(1))?.elements::<i32>(), Some(&[30, 60][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn take_along_dim(&self, index: &Self, dim: Option<i64>) -> Result<Self> {
        let (table, target) = self.along_broadcast(index, dim)?;
        Gather::new(Op::TakeAlongDim, target).run(&table)
    }

    /// `out[…, i, …] = self[…, index[i], …]` along `dim`. `docs/operators/index_add.md`.
    ///
    /// # Errors
    /// Those of the operator's page.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 3], &[1, 2, 3, 4, 5, 6])?;
    /// let out = t.index_select(1, &Tensor::from_elements(&[2], &[2, 0])?)?;
    /// assert_eq!(out.elements::<i32>(), Some(&[3, 1, 6, 4][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn index_select(&self, dim: i64, index: &Self) -> Result<Self> {
        Gather::new(Op::IndexSelect, Target::slices(dim, index)).run(self)
    }

    /// The table and the target of [`Tensor::take_along_dim`]. If the index has size 1 in a dimension other than `dim`, it is
    /// repeated to the table's size. A table of size 1 stays: the plan reads the same slot again. Operands that do not fit stay as
    /// they are, and the plan refuses them. Without a `dim` both are flattened.
    pub(crate) fn along_broadcast(&self, index: &Self, dim: Option<i64>) -> Result<(Self, Target)> {
        let Some(dim) = dim else {
            let (table, index) = (self.reshape(&[self.size()])?, index.reshape(&[index.size()])?);
            return Ok((table, Target::along(0, &index)));
        };
        // The sizes of the repeated index.
        let mut dims = index.shape.dims().to_vec();
        let axis = self.shape.wrap_dim(dim);
        let mut is_refused = index.shape.rank() != self.shape.rank()
            || !(index.dtype.is_index() || index.dtype.is_other_index());
        for (d, (len, &size)) in dims.iter_mut().zip(self.shape.dims()).enumerate() {
            if *len == 1 && Some(d) != axis {
                *len = size;
            }
            is_refused |= Some(d) != axis && *len != size && size != 1;
        }
        if is_refused || index.shape.dims() == dims {
            return Ok((self.clone(), Target::along(dim, index)));
        }
        // A product with ones repeats the index on any device, and a product with 1 keeps an integer.
        let op = Op::TakeAlongDim;
        let ones = Self::filled(
            op.name(),
            "index",
            Shape::of_result(op.name(), &dims)?,
            Scalar::Int(1),
            index.dtype,
        )?;
        let ones = dispatch::on_device_of(op.name(), index, ones)?;
        Ok((self.clone(), Target::along(dim, &product(op, index, &ones)?)))
    }
}
