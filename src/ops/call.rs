//! A scatter and a gather as data: what the public methods, prepared indices and traces share.

use std::borrow::Cow;

use crate::backend::Value;
use crate::dispatch::{self, Index};
use crate::dtype::{Bits, DType, Promotion, Scalar};
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::ops::IndexPlan;
use crate::plan::{Addressing, Op, Operand, Reduce, Rule};
use crate::shape::Shape;
use crate::tensor::{Tensor, fit};

/// What is scattered: a tensor, or one number for every index entry.
#[derive(Clone)]
pub enum Source {
    /// One element per index entry.
    Tensor(Tensor),
    /// Converted to self's dtype first.
    Scalar(Scalar),
}

impl Source {
    fn operand(&self) -> Option<Operand<'_>> {
        match self {
            Self::Tensor(tensor) => Some(tensor.operand()),
            Self::Scalar(_) => None,
        }
    }
}

impl From<Tensor> for Source {
    fn from(tensor: Tensor) -> Self {
        Self::Tensor(tensor)
    }
}

impl From<&Tensor> for Source {
    fn from(tensor: &Tensor) -> Self {
        Self::Tensor(tensor.clone())
    }
}

impl<S: Into<Scalar>> From<S> for Source {
    fn from(scalar: S) -> Self {
        Self::Scalar(scalar.into())
    }
}

/// Where a scatter writes, or a gather reads.
#[derive(Clone)]
pub enum Target {
    /// Along a dimension.
    Along {
        /// The dimension.
        dim: i64,
        /// The places along it.
        index: Tensor,
    },
    /// At index tuples; for `scatter_mul` at rows.
    Tuples {
        /// The tuples, or the rows.
        indices: Tensor,
    },
    /// At the places of an index that was prepared.
    Planned(IndexPlan),
}

impl Target {
    /// Along dimension `dim`, at these places.
    pub fn along(dim: i64, index: &Tensor) -> Self {
        Self::Along { dim, index: index.clone() }
    }

    /// At these index tuples.
    pub fn tuples(indices: &Tensor) -> Self {
        Self::Tuples { indices: indices.clone() }
    }

    /// The sizes of what counts as one index entry each: the last dimension of tuples counts their components.
    pub(super) fn entry_dims(&self, op: Op) -> &[usize] {
        match (self, op) {
            (Self::Tuples { indices }, Op::ScatterMul) => indices.shape.dims(),
            (Self::Tuples { indices }, _) => {
                indices.shape.dims().split_last().map_or(&[], |(_, entries)| entries)
            }
            (Self::Along { index, .. }, _) => index.shape.dims(),
            (Self::Planned(plan), _) => plan.entry_dims(),
        }
    }

    fn index(&self) -> Index<'_> {
        match self {
            Self::Along { index, .. } | Self::Tuples { indices: index } => Index::Tensor(index),
            Self::Planned(plan) => Index::Prepared(plan.values()),
        }
    }
}

impl From<&IndexPlan> for Target {
    fn from(plan: &IndexPlan) -> Self {
        Self::Planned(plan.clone())
    }
}

/// One call of any scatter, still to be checked against the tensor that it writes to. It owns its operands, of which tensors are
/// counted references: a write to a tensor that is also an operand finds the data shared, and leaves it to the operand.
///
/// ```
/// use scatterwise::{Op, Reduce, Scatter, Target, Tensor};
/// let mut table = Tensor::from_elements(&[3], &[1, 10, 100])?;
/// let index = Tensor::from_elements(&[2], &[0, -1])?;
/// let (target, src) = (Target::along(0, &index), 5.into());
/// let call = Scatter { op: Op::ScatterInPlace, target, src, reduce: Reduce::Add };
/// call.run(&mut table)?;
/// assert_eq!(table.elements::<i32>(), Some(&[6, 10, 105][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
#[derive(Clone)]
pub struct Scatter {
    /// The operator whose rules and errors apply.
    pub op: Op,
    /// Where.
    pub target: Target,
    /// What.
    pub src: Source,
    /// And how.
    pub reduce: Reduce,
}

/// A scatter that was checked.
pub(super) struct Checked<'a> {
    pub(super) plan: Addressing,
    pub(super) index: Index<'a>,
    source: CheckedSource<'a>,
}

/// A source in the dtype of the table.
enum CheckedSource<'a> {
    Tensor(Cow<'a, Tensor>),
    Scalar(Bits),
}

impl Checked<'_> {
    pub(super) fn value(&self) -> Value<'_, Tensor> {
        match &self.source {
            CheckedSource::Tensor(tensor) => Value::Buffer(tensor),
            CheckedSource::Scalar(bits) => Value::Scalar(*bits),
        }
    }
}

impl Scatter {
    /// Apart from `check`, so that the plan is made where it is wanted: it is several hundred bytes, and copying them is a
    /// good part of a small call.
    fn plan(&self, table: Operand<'_>) -> Result<Addressing> {
        let (op, src) = (self.op, self.src.operand());
        match (&self.target, op) {
            (Target::Along { dim, index }, _) => {
                Addressing::scatter_axis(op, table, *dim, index.operand(), src)
            }
            (Target::Tuples { indices }, Op::ScatterMul) => {
                Addressing::scatter_rows(op, table, indices.operand(), src)
            }
            (Target::Tuples { indices }, _) => Addressing::scatter_nd(op, table, indices.operand(), src),
            (Target::Planned(plan), _) => plan.scatter(op, table, src),
        }
    }

    /// Everything that can be said without index values.
    pub(super) fn check(&self, table: &Tensor) -> Result<Checked<'_>> {
        let plan = self.plan(table.operand())?;
        let source = match &self.src {
            // The page of `scatter_` looks at nothing more once the index is empty.
            _ if plan.entries() == 0 && plan.op().empty_index_ends_checks() => CheckedSource::Scalar(0),
            Source::Scalar(value) => {
                CheckedSource::Scalar(fit(plan.op().name(), plan.scalar_name(), *value, table.dtype)?)
            }
            Source::Tensor(tensor) if tensor.dtype == table.dtype => {
                CheckedSource::Tensor(Cow::Borrowed(tensor))
            }
            Source::Tensor(tensor) => {
                CheckedSource::Tensor(Cow::Owned(convert(plan.op(), tensor, table.dtype)?))
            }
        };
        Ok(Checked { plan, index: self.target.index(), source })
    }

    /// Runs the call on the device where the table is.
    ///
    /// # Errors
    /// Those of the operator. Nothing was written then.
    pub fn run(&self, table: &mut Tensor) -> Result<()> {
        let checked = self.check(table)?;
        if checked.plan.entries() == 0 {
            return Ok(());
        }
        dispatch::scatter(&checked.plan, self.reduce, table, checked.index, checked.value())
    }

    /// Runs the call on a copy of the table, which shares its data until then.
    pub(super) fn run_on_copy(&self, table: &Tensor) -> Result<Tensor> {
        let mut out = table.clone();
        self.run(&mut out)?;
        Ok(out)
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

/// One call of any gather, still to be checked against the tensor that it reads. It owns its index.
#[derive(Clone)]
pub struct Gather {
    /// The operator whose rules and errors apply.
    pub op: Op,
    /// Where.
    pub target: Target,
}

/// A gather that was checked.
pub(super) struct CheckedGather<'a> {
    pub(super) plan: Addressing,
    pub(super) index: Index<'a>,
    /// The shape of the result, whose first dimensions are those of the index entries.
    pub(super) shape: Shape,
    pub(super) entry_rank: usize,
}

impl Gather {
    /// Everything that can be said without index values.
    pub(super) fn check(&self, table: &Tensor) -> Result<CheckedGather<'_>> {
        let (op, table, index) = (self.op, table.operand(), self.target.index());
        Ok(match &self.target {
            Target::Along { dim, index: along } => CheckedGather {
                plan: Addressing::gather_axis(op, table, *dim, along.operand())?,
                index,
                shape: along.shape.clone(),
                entry_rank: along.shape.rank(),
            },
            Target::Tuples { indices } => {
                let (plan, shape) = Addressing::gather_nd(op, table, indices.operand())?;
                CheckedGather { plan, index, shape, entry_rank: indices.shape.rank().saturating_sub(1) }
            }
            Target::Planned(prepared) => {
                let (plan, shape) = prepared.gather(op, table)?;
                CheckedGather { plan, index, shape, entry_rank: prepared.entry_dims().len() }
            }
        })
    }

    /// Runs the call on the device where the table is.
    ///
    /// # Errors
    /// Those of the operator.
    pub fn run(&self, table: &Tensor) -> Result<Tensor> {
        let CheckedGather { plan, index, shape, .. } = self.check(table)?;
        let storage = dispatch::gather(&plan, table, index)?;
        Ok(Tensor::from_storage(shape, table.dtype, storage))
    }
}
