//! A scatter as data: what the public methods, prepared indices and traces share.

use std::borrow::Cow;
use std::rc::Rc;

use crate::dispatch::{self, Index, IndexValues, Value};
use crate::dtype::{DType, Promotion};
use crate::error::{Error, ErrorClass, ErrorCode, FactValue, Result};
use crate::ops::{IndexPlan, multiply, recent_plans};
use crate::plan::{Addressed, Addressing, Arguments, Factor, Op, Operand, OutOfRange, Rule, Update};
use crate::scalar::{Bits, Scalar};
use crate::shape::Shape;
use crate::tensor::{Tensor, fit};

/// What is scattered: a tensor, or one number for every index entry.
#[derive(Clone)]
pub enum Source {
    /// At least one element for each index entry; one row for each of tuples, rows or slices.
    Tensor(Tensor),
    /// Converted to self's dtype first.
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
    /// Slices along a dimension, named by an index of one dimension.
    Slices {
        /// The dimension.
        dim: i64,
        /// The slices.
        index: Tensor,
    },
    /// At index tuples; for `scatter_mul` and its siblings at rows.
    Tuples {
        /// The tuples, or the rows.
        indices: Tensor,
        /// How many of the first dimensions of table and indices belong together; a scatter does not read it.
        batch_dims: usize,
    },
    /// At the places of an index that was prepared.
    Planned(IndexPlan),
}

impl Target {
    /// Along dimension `dim`, at these places.
    pub fn along(dim: i64, index: &Tensor) -> Self {
        Self::Along { dim, index: index.clone() }
    }

    /// At these index tuples: the last dimension of `indices` holds the components of one tuple. There are no batch dimensions; for those, use
    /// the variant `Tuples`.
    pub fn tuples(indices: &Tensor) -> Self {
        Self::Tuples { indices: indices.clone(), batch_dims: 0 }
    }

    /// The slices along dimension `dim` that an index of one dimension names.
    pub fn slices(dim: i64, index: &Tensor) -> Self {
        Self::Slices { dim, index: index.clone() }
    }

    /// The same without owning it. Index tuples are read as rows where operator `op` works on rows.
    pub(super) fn lend(&self, op: Op) -> Place<'_> {
        match self {
            Self::Along { dim, index } => Place::Index(Addressed::Along(*dim), index),
            Self::Slices { dim, index } => Place::Index(Addressed::Slices(*dim), index),
            Self::Tuples { indices, batch_dims } => Place::tuples(op, indices, *batch_dims),
            Self::Planned(plan) => Place::Planned(plan),
        }
    }
}

impl From<&IndexPlan> for Target {
    fn from(plan: &IndexPlan) -> Self {
        Self::Planned(plan.clone())
    }
}

/// One call of any scatter, still to be checked against the tensor that it writes to. It owns its operands. Where an operand shares its
/// data with that tensor, the write makes a copy first, so that the operand stays as it is.
///
/// ```
/// use scatterwise::{Op, Reduce, Scatter, Target, Tensor};
/// let mut table = Tensor::from_elements(&[3], &[1, 10, 100])?;
/// let index = Tensor::from_elements(&[2], &[0, -1])?;
/// let (target, src) = (Target::along(0, &index), 5.into());
/// let call = Scatter::new(Op::ScatterInPlace, target, src, Reduce::Add);
/// call.run(&mut table)?;
/// assert_eq!(table.elements::<i32>(), Some(&[6, 10, 105][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
#[derive(Clone)]
pub struct Scatter {
    /// The operator whose rules and errors apply.
    pub op: Op,
    /// Where it writes.
    pub target: Target,
    /// What it writes.
    pub src: Source,
    /// What the source is multiplied by before it is applied.
    pub factor: Factor,
    /// How what is written meets what is there.
    pub update: Update,
    /// What an index value that is out of range does. A prepared index has a mode of its own, which counts.
    pub mode: OutOfRange,
}

/// [`Target`] without owning it.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// What the index addresses, and the index.
    Index(Addressed, &'a Tensor),
    /// An index that was prepared.
    Planned(&'a IndexPlan),
}

#[cfg(target_arch = "wasm32")]
impl From<Place<'_>> for Target {
    fn from(place: Place<'_>) -> Self {
        match place {
            Place::Index(Addressed::Along(dim), index) => Self::along(dim, index),
            Place::Index(Addressed::Slices(dim), index) => Self::slices(dim, index),
            Place::Index(Addressed::Rows, indices) => Self::tuples(indices),
            Place::Index(Addressed::Tuples(batch_dims), indices) => {
                Self::Tuples { indices: indices.clone(), batch_dims }
            }
            Place::Planned(plan) => plan.into(),
        }
    }
}

impl<'a> Place<'a> {
    /// Index tuples; rows where the operator reads an index as rows.
    pub(crate) fn tuples(op: Op, indices: &'a Tensor, batch_dims: usize) -> Self {
        Self::Index(if op.works_on_rows() { Addressed::Rows } else { Addressed::Tuples(batch_dims) }, indices)
    }

    /// The sizes of the index whose product is its number of entries: all, but for index tuples without the last one.
    pub(super) fn entry_dims(self) -> &'a [usize] {
        match self {
            Self::Index(form, index) => form.entry_dims(&index.shape),
            Self::Planned(plan) => plan.entry_dims(),
        }
    }
}

/// [`Source`] without owning it.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    Tensor(&'a Tensor),
    Scalar(Scalar),
}

impl From<Given<'_>> for Source {
    fn from(given: Given<'_>) -> Self {
        match given {
            Given::Tensor(tensor) => tensor.into(),
            Given::Scalar(value) => Self::Scalar(value),
        }
    }
}

/// [`Scatter`] without owning its operands.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) op: Op,
    pub(crate) place: Place<'a>,
    pub(crate) src: Given<'a>,
    pub(crate) factor: Factor,
    pub(crate) update: Update,
    pub(crate) mode: OutOfRange,
}

/// A scatter that was checked, and what it needs to run.
pub(super) struct Checked<'a> {
    pub(super) plan: Rc<Addressing>,
    pub(super) index: CheckedTarget<'a>,
    /// In the table's dtype, times the factor.
    source: CheckedSource<'a>,
}

/// The index of a call.
pub(super) enum CheckedTarget<'a> {
    /// The call's own, whose values are checked where the call runs, or a prepared one.
    Given(Index<'a>),
    /// The call's own, prepared for this call alone, because its mode is not `Raise`.
    Resolved(Box<IndexValues>),
}

impl CheckedTarget<'_> {
    /// The index at `place` for a call with this plan. `mode` is that of the call; a prepared index has a mode of its own.
    ///
    /// # Errors
    /// As for [`IndexValues::new`], in a mode other than `Raise`.
    #[inline(always)]
    pub(super) fn new<'a>(
        plan: &Addressing,
        place: Place<'a>,
        mode: OutOfRange,
    ) -> Result<CheckedTarget<'a>> {
        match (place, mode) {
            (Place::Planned(prepared), _) => Ok(CheckedTarget::Given(Index::Prepared(prepared.values()))),
            (Place::Index(_, index), OutOfRange::Raise) => Ok(CheckedTarget::Given(Index::Tensor(index))),
            (Place::Index(_, index), OutOfRange::Wrap | OutOfRange::Clip | OutOfRange::Drop) => {
                Self::resolved(plan, index, mode)
            }
        }
    }

    /// The index of a call in a mode other than `Raise`. It is not a part of [`CheckedTarget::new`], which is inlined and stays short.
    fn resolved<'a>(plan: &Addressing, index: &Tensor, mode: OutOfRange) -> Result<CheckedTarget<'a>> {
        Ok(CheckedTarget::Resolved(Box::new(IndexValues::new(plan.clone(), index, mode)?)))
    }

    /// The index as `dispatch` takes it.
    pub(super) fn index(&self) -> Index<'_> {
        match self {
            Self::Given(index) => *index,
            Self::Resolved(values) => Index::Prepared(values),
        }
    }
}

/// A source in the dtype of the table, times the factor.
enum CheckedSource<'a> {
    Tensor(Cow<'a, Tensor>),
    Scalar(Bits),
}

impl Checked<'_> {
    /// The source for another call on a table of this dtype, without a factor.
    pub(super) fn source(&self, dtype: DType) -> Source {
        match &self.source {
            CheckedSource::Tensor(tensor) => Source::Tensor(tensor.as_ref().clone()),
            CheckedSource::Scalar(bits) => Source::Scalar(Scalar::load(*bits, dtype)),
        }
    }

    /// The source as `dispatch` takes it.
    pub(super) fn value(&self) -> Value<'_, Tensor> {
        match &self.source {
            CheckedSource::Tensor(tensor) => Value::Buffer(tensor),
            CheckedSource::Scalar(bits) => Value::Scalar(*bits),
        }
    }
}

impl Scatter {
    /// A call whose index has to be in range.
    pub fn new(op: Op, target: Target, src: Source, update: impl Into<Update>) -> Self {
        Self { op, target, src, factor: Factor::One, update: update.into(), mode: OutOfRange::Raise }
    }

    /// The same call without owning its operands.
    pub(super) fn lend(&self) -> Call<'_> {
        let src = match &self.src {
            Source::Tensor(tensor) => Given::Tensor(tensor),
            Source::Scalar(value) => Given::Scalar(*value),
        };
        let (place, factor) = (self.target.lend(self.op), self.factor);
        Call { op: self.op, place, src, factor, update: self.update, mode: self.mode }
    }

    /// Runs the call on the device where the table is.
    ///
    /// # Errors
    /// Those of the operator. Nothing was written then.
    pub fn run(&self, table: &mut Tensor) -> Result<()> {
        self.lend().run(table)
    }

    /// Runs the call on a copy of the table, and returns the copy; the table stays as it is. The data is copied when the call first writes to
    /// it: until then the two tensors share it.
    ///
    /// # Errors
    /// Those of the operator.
    pub(super) fn run_on_copy(&self, table: &Tensor) -> Result<Tensor> {
        let mut out = table.clone();
        self.run(&mut out)?;
        Ok(out)
    }
}

impl<'a> Call<'a> {
    /// The plan of the call: a kept one where one of the last calls had the same geometry, else a new one. With a prepared index it is
    /// always new.
    ///
    /// # Errors
    /// Those of the operator about shapes, ranks, dtypes and the dimension.
    fn plan(&self, table: Operand<'_>) -> Result<Rc<Addressing>> {
        let op = self.op;
        let src = match self.src {
            Given::Tensor(tensor) => Some(tensor.operand()),
            Given::Scalar(_) => None,
        };
        match self.place {
            Place::Index(form, index) => {
                recent_plans::of(&Arguments { op, form, table, index: index.operand(), src })
            }
            Place::Planned(plan) => plan.scatter(op, table, src).map(Rc::new),
        }
    }

    /// Checks the call, but for index values that have to be in range and zero divisors, which are checked where it runs. Makes ready
    /// what it takes: the plan, the source in the table's dtype times the factor, and the index. In a mode other than `Raise` the
    /// values of an index in host memory are read here.
    pub(super) fn check(&self, table: &Tensor) -> Result<Checked<'a>> {
        self.update.check(self.op, self.factor, table.dtype)?;
        let plan = self.plan(table.operand())?;
        let source = match (self.src, self.factor) {
            // The usual case, without a call of `converted_source`, which is not inlined.
            (Given::Tensor(tensor), Factor::One) if tensor.dtype == table.dtype => {
                CheckedSource::Tensor(Cow::Borrowed(tensor))
            }
            _ => self.converted_source(&plan, table.dtype)?,
        };
        Ok(Checked { index: CheckedTarget::new(&plan, self.place, self.mode)?, plan, source })
    }

    /// The source in the dtype of the table, times the factor, each product rounded or wrapped.
    ///
    /// # Errors
    /// `RuntimeError` for a scalar or factor that does not fit the dtype, and when memory is exhausted; the operator's error for a tensor
    /// whose dtype is not converted; `TypeError` for a factor with a fraction in an integer dtype.
    #[inline(never)]
    fn converted_source(&self, plan: &Addressing, dtype: DType) -> Result<CheckedSource<'a>> {
        let op = plan.op();
        // The page of `scatter_` looks at nothing more once the index is empty. The call writes nothing, so any source will do.
        if plan.entries() == 0 && op.empty_index_ends_checks() {
            return Ok(CheckedSource::Scalar(0));
        }
        let source = match self.src {
            Given::Scalar(value) => CheckedSource::Scalar(fit(op.name(), plan.scalar_name(), value, dtype)?),
            Given::Tensor(tensor) if tensor.dtype == dtype => CheckedSource::Tensor(Cow::Borrowed(tensor)),
            Given::Tensor(tensor) => CheckedSource::Tensor(Cow::Owned(convert(op, tensor, dtype)?)),
        };
        let factor = match self.factor {
            Factor::One => return Ok(source),
            Factor::MinusOne => Scalar::Int(-1).cast(dtype),
            Factor::Alpha(value) => alpha(op, value, dtype)?,
        };
        Ok(match source {
            CheckedSource::Tensor(tensor) => {
                let factor = Scalar::load(factor, dtype);
                let factor = Tensor::filled(op.name(), "alpha", Shape::scalar(), factor, dtype)?;
                CheckedSource::Tensor(Cow::Owned(multiply::product_of_any_rank(op, &tensor, &factor)?))
            }
            CheckedSource::Scalar(bits) => CheckedSource::Scalar(dispatch::product(dtype, bits, factor)),
        })
    }

    /// Runs the call on the device where the table is.
    ///
    /// # Errors
    /// Those of the operator. Nothing was written then.
    pub(crate) fn run(&self, table: &mut Tensor) -> Result<()> {
        let checked = self.check(table)?;
        // A size of 0 in front of the dimension of slices leaves the plan without entries. Those of the index are checked all the same.
        if checked.plan.entries() == 0 && checked.plan.index_entries() == 0 {
            return Ok(());
        }
        dispatch::scatter(&checked.plan, self.update, table, checked.index.index(), checked.value())
    }
}

/// The bits of a factor in the dtype.
///
/// # Errors
/// In an integer dtype `TypeError` for a factor with a fraction, since cutting the fraction would be a surprise, and for NaN and the
/// infinities; `RuntimeError` for a number that does not fit.
fn alpha(op: Op, value: Scalar, dtype: DType) -> Result<Bits> {
    let has_fraction = matches!(value, Scalar::Float(number) if number.fract() != 0.0);
    if has_fraction && !dtype.is_float() {
        let text = format!("alpha is {value}, and {dtype} has no fractions: it must be whole");
        return Err(Error::new(ErrorClass::Type, ErrorCode::InvalidArgument, op.name(), text)
            .argument("alpha")
            .value(FactValue::Float(value.as_f64())));
    }
    fit(op.name(), "alpha", value, dtype)
}

/// Updates of another dtype, converted to `dtype`, that of the table. Only operators on rows get here: the plans of the others have
/// refused such updates.
///
/// # Errors
/// Where there is no implicit conversion: the operator's error if the table would have to be converted instead, else `TypeError`.
fn convert(op: Op, updates: &Tensor, dtype: DType) -> Result<Tensor> {
    let (from, table) = (updates.dtype, op.table_name());
    let (class, text) = match from.promotes_to(dtype) {
        Promotion::Converts => return updates.convert(op.name(), dtype),
        Promotion::OtherWay => (
            op.error_class(Rule::SrcDtype),
            format!("updates has dtype {from} and {table} {dtype}, whose dtype would have to change"),
        ),
        Promotion::None => (
            ErrorClass::Type,
            format!(
                "updates has dtype {from} and {table} {dtype}, between which there is no implicit conversion"
            ),
        ),
    };
    Err(Error::new(class, ErrorCode::DtypeMismatch, op.name(), format!("{text} (updates.astype('{dtype}'))"))
        .word("updates", from.name()))
}
