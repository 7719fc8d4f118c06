//! Where a call writes or reads, and the values that it writes.

use crate::index::{Index, Reports};
use crate::plan::{Addressed, Addressing, Arguments, IndexMode, Op, Operand, Rule};
use crate::{ErrorCode, Result, Scalar, Shape, Tensor};

/// The source of a scatter: a tensor, or one number for every index entry.
#[derive(Clone)]
pub enum Source {
    /// A tensor with at least one element for each index entry; for tuples, rows and slices, with one row for each.
    Tensor(Tensor),
    /// A number. It is first converted to self's dtype.
    Scalar(Scalar),
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

impl Source {
    #[inline(always)]
    pub(crate) fn operand(&self) -> Option<Operand<'_>> {
        match self {
            Self::Tensor(tensor) => Some(tensor.operand()),
            Self::Scalar(_) => None,
        }
    }
}

/// Where a scatter writes, or a gather reads. A prepared index ([`IndexPlan`](crate::IndexPlan)) converts to a target.
#[derive(Clone)]
pub struct Target {
    pub(crate) form: Addressed,
    pub(crate) index: Index,
}

impl Target {
    /// Along dimension `dim`, at these slots.
    pub fn along(dim: i64, index: &Tensor) -> Self {
        Self::new(Addressed::Along(dim), index)
    }

    /// At these index tuples: the last dimension of `indices` holds the components of one tuple. `scatter_mul` and its siblings
    /// have no tuples; for them the indices name rows.
    pub fn tuples(indices: &Tensor) -> Self {
        Self::batched(indices, 0)
    }

    /// [`Target::tuples`] with batches: the first `batch_dims` dimensions of table and indices belong together.
    pub fn batched(indices: &Tensor, batch_dims: usize) -> Self {
        Self::new(Addressed::Tuples(batch_dims), indices)
    }

    /// The slices along dimension `dim` that an index of one dimension names.
    pub fn slices(dim: i64, index: &Tensor) -> Self {
        Self::new(Addressed::Slices(dim), index)
    }

    #[inline(always)]
    pub(crate) fn new(form: Addressed, index: &Tensor) -> Self {
        Self { form, index: Index::Given(index.clone()) }
    }

    /// What the index addresses in a call of `op`. If `op` works on rows, index tuples are rows, except those of a prepared index.
    #[inline(always)]
    pub(crate) fn form(&self, op: Op) -> Addressed {
        match (self.form, &self.index) {
            (Addressed::Tuples(_), Index::Given(_)) if op.works_on_rows() => Addressed::Rows,
            (form, _) => form,
        }
    }

    #[inline(always)]
    pub(crate) fn arguments<'a>(
        &'a self,
        op: Op,
        table: Operand<'a>,
        src: Option<Operand<'a>>,
    ) -> Result<Arguments<'a>> {
        if let Index::Prepared(facts) = &self.index {
            check_shape(op, table.shape, facts.lowered().table_shape())?;
        }
        Ok(Arguments { op, form: self.form(op), table, index: self.index.operand(), src })
    }

    /// The plan of a scatter, without a search among the recent plans.
    pub(crate) fn scatter(&self, op: Op, table: Operand<'_>, src: Option<Operand<'_>>) -> Result<Addressing> {
        Addressing::scatter(&self.arguments(op, table, src)?)
    }

    pub(crate) fn gather(&self, op: Op, table: Operand<'_>) -> Result<(Addressing, Shape)> {
        Addressing::gather(&self.arguments(op, table, None)?)
    }

    /// The target of a scatter by `op`, prepared for the calls that its gradients are made of: the first call reports a value that is out of
    /// range. An index that was prepared before stays as it is.
    pub(crate) fn for_gradients(&self, op: Op, table: Operand<'_>, mode: IndexMode) -> Result<Self> {
        match &self.index {
            Index::Prepared(_) => Ok(self.clone()),
            Index::Given(_) => {
                let index = self.index.prepared(&self.scatter(op, table, None)?, mode)?.into_owned();
                Ok(Self { form: self.form(op), index: index.reporting(Reports::Next) })
            }
        }
    }
}

fn check_shape(op: Op, table: &Shape, plan: &Shape) -> Result<()> {
    if table == plan {
        return Ok(());
    }
    let name = op.table_name();
    let text = format!(
        "{name} has shape {table} and the plan is for {plan}; they must be equal \
         (make a plan for this shape, or {name}.reshape the tensor)"
    );
    Err(op
        .error(Rule::Size, ErrorCode::ShapeMismatch, "plan", text)
        .shape(name, table.dims())
        .shape("plan", plan.dims()))
}
