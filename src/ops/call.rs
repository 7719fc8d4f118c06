//! A scatter as data: arguments → plan → backend, run or traced.

use crate::backend::cpu::Cpu;
use crate::backend::{Backend, Value};
use crate::dtype::{Bits, DType, Promotion, Scalar};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::host::HostBuffer;
use crate::ops::{IndexPlan, host_buffer, host_index};
use crate::plan::{Addressing, Op, Operand, Reduce, Rule};
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

impl<'a> Source<'a> {
    pub(super) fn operand(&self) -> Option<Operand<'a>> {
        match *self {
            Self::Tensor(tensor) => Some(tensor.operand()),
            Self::Scalar(_) => None,
        }
    }
}

impl<'a> From<&'a Tensor> for Source<'a> {
    fn from(tensor: &'a Tensor) -> Self {
        Self::Tensor(tensor)
    }
}

impl<S: Into<Scalar>> From<S> for Source<'_> {
    fn from(scalar: S) -> Self {
        Self::Scalar(scalar.into())
    }
}

/// One call of any scatter, still to be checked against the tensor that it writes to. The public methods
/// say what each does; this is what they share, and what can be traced.
#[derive(Clone, Copy)]
pub enum Scatter<'a> {
    /// [`Tensor::scatter_`], [`Tensor::scatter_add`] and their twins.
    Along {
        /// Which of them.
        op: Op,
        /// The dimension.
        dim: i64,
        /// Where.
        index: &'a Tensor,
        /// What.
        src: Source<'a>,
        /// And how.
        reduce: Reduce,
    },
    /// [`Tensor::scatter_add_nd`] and its twin.
    Tuples {
        /// Which of them.
        op: Op,
        /// Where.
        indices: &'a Tensor,
        /// What is added.
        updates: Source<'a>,
    },
    /// [`scatter_mul`](crate::scatter_mul).
    Rows {
        /// Where.
        indices: &'a Tensor,
        /// The factors.
        updates: Source<'a>,
    },
    /// Any of them, with an index that was prepared.
    Planned {
        /// Which of them.
        op: Op,
        /// Where.
        plan: &'a IndexPlan,
        /// What.
        src: Source<'a>,
        /// And how.
        reduce: Reduce,
    },
}

/// Where a scatter writes.
#[derive(Clone, Copy)]
pub(super) enum Where<'a> {
    Index(&'a Tensor),
    Plan(&'a IndexPlan),
}

/// A scatter that was checked.
pub(super) struct Checked<'a> {
    pub(super) plan: Addressing,
    pub(super) index: Where<'a>,
    pub(super) reduce: Reduce,
    pub(super) source: CheckedSource<'a>,
}

/// A source in the table's dtype.
pub(super) enum CheckedSource<'a> {
    Tensor(&'a Tensor),
    Converted(Tensor),
    Scalar(Bits),
}

impl CheckedSource<'_> {
    pub(super) fn tensor(&self) -> Option<&Tensor> {
        match self {
            Self::Tensor(tensor) => Some(tensor),
            Self::Converted(tensor) => Some(tensor),
            Self::Scalar(_) => None,
        }
    }

    /// The bits of a scalar; 0 for a tensor.
    fn bits(&self) -> Bits {
        match self {
            Self::Scalar(bits) => *bits,
            Self::Tensor(_) | Self::Converted(_) => 0,
        }
    }
}

impl<'a> Scatter<'a> {
    /// Apart from `check`, so that the plan is made where it is wanted: it is several hundred bytes, and copying them is a
    /// good part of a small call.
    fn plan(self, target: Operand<'_>) -> Result<Addressing> {
        match self {
            Self::Along { op, dim, index, src, .. } => {
                Addressing::scatter_axis(op, target, dim, index.operand(), src.operand())
            }
            Self::Tuples { op, indices, updates } => {
                Addressing::scatter_nd(op, target, indices.operand(), updates.operand())
            }
            Self::Rows { indices, updates } => {
                Addressing::scatter_rows(Op::ScatterMul, target, indices.operand(), updates.operand())
            }
            Self::Planned { op, plan, src, .. } => plan.scatter(op, target, src.operand()),
        }
    }

    /// Everything that can be said without index values.
    pub(super) fn check(self, table: &Tensor) -> Result<Checked<'a>> {
        let plan = self.plan(table.operand())?;
        let (index, source, reduce) = match self {
            Self::Along { index, src, reduce, .. } => (Where::Index(index), src, reduce),
            Self::Tuples { indices, updates, .. } => (Where::Index(indices), updates, Reduce::Add),
            Self::Rows { indices, updates } => (Where::Index(indices), updates, Reduce::Multiply),
            Self::Planned { plan, src, reduce, .. } => (Where::Plan(plan), src, reduce),
        };
        let source = match source {
            // The page of `scatter_` looks at nothing more once the index is empty.
            _ if plan.entries() == 0 && plan.op().empty_index_ends_checks() => CheckedSource::Scalar(0),
            Source::Scalar(value) => {
                CheckedSource::Scalar(fit(plan.op().name(), plan.scalar_name(), value, table.dtype)?)
            }
            Source::Tensor(tensor) if tensor.dtype == table.dtype => CheckedSource::Tensor(tensor),
            Source::Tensor(tensor) => CheckedSource::Converted(convert(plan.op(), tensor, table.dtype)?),
        };
        Ok(Checked { plan, index, reduce, source })
    }

    /// Runs the call on the device where the table is.
    pub(crate) fn run(self, table: &mut Tensor) -> Result<()> {
        let Checked { plan, index, reduce, source } = self.check(table)?;
        if plan.entries() == 0 {
            return Ok(());
        }
        match &mut table.storage {
            Storage::Host(buffer) => match index {
                Where::Index(index) => {
                    let (index, value) = (host_index(&plan, index)?, host_value(&plan, &source)?);
                    Cpu.scatter(&plan, table.dtype, reduce, buffer, index, value)
                }
                Where::Plan(prepared) => {
                    let positions = prepared.positions(plan.op().name())?;
                    let value = host_value(&plan, &source)?;
                    Cpu.scatter_at(&plan, table.dtype, reduce, buffer, &positions, value)
                }
            },
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                use crate::ops::device;
                let (gpu, op) = (buffer.gpu(), plan.op());
                buffer.usable(op.name())?;
                let index = match index {
                    Where::Index(index) => device::DeviceIndex::new(&gpu, &plan, index)?.into(),
                    Where::Plan(prepared) => prepared.on_device(&gpu, &plan)?,
                };
                let values = source.tensor().map(|tensor| device::buffer(&gpu, op, tensor)).transpose()?;
                let value = values.as_deref().map_or_else(|| Value::Scalar(source.bits()), Value::Buffer);
                let (orders, index) = (index.orders(), index.index.get());
                gpu.scatter_with(&plan, table.dtype, reduce, buffer, index, orders, value)?;
                table.ranges = None;
                Ok(())
            }
        }
    }
}

/// A source in host memory.
pub(super) fn host_value<'a>(
    plan: &Addressing,
    source: &'a CheckedSource<'_>,
) -> Result<Value<'a, HostBuffer>> {
    match source.tensor() {
        Some(tensor) => host_buffer(plan.op(), plan.source_name(), tensor).map(Value::Buffer),
        None => Ok(Value::Scalar(source.bits())),
    }
}

/// Updates in the dtype of input_x; only the plan of `scatter_mul` lets other dtypes through.
fn convert(op: Op, updates: &Tensor, dtype: DType) -> Result<Tensor> {
    let from = updates.dtype;
    let (class, text) = match from.promotes_to(dtype) {
        Promotion::Converts => return updates.convert(op.name(), dtype),
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
        .word("updates", from.name()))
}
