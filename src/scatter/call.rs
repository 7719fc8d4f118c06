//! A scatter as data. The public methods, the gradients and the traces share it.

use std::borrow::Cow;
use std::rc::Rc;

use crate::elementwise::cpu::product;
use crate::engine::Value;
use crate::index::{Index, recent_plans};
use crate::plan::{Addressing, Factor, IndexMode, NdReduce, Op, Reduce, Rule, Update};
use crate::scatter::backend::scatter_into;
use crate::{
    DType, Error, ErrorClass, ErrorCode, Promotion, Result, Scalar, Shape, Source, Target, Tensor,
    check_whole, elementwise, fit,
};

/// One call of any scatter, not yet checked against the tensor that it writes to. It owns its operands. If an operand shares its
/// data with that tensor, the write makes a copy first, so that the operand does not change.
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
    /// The factor that multiplies the source before the update.
    pub factor: Factor,
    /// How an update combines with the value in the table.
    pub update: Update,
    /// How the call reads its index: what a value does that is out of range, and which value is ignored. A prepared index uses its own
    /// mode instead.
    pub mode: IndexMode,
}

/// A checked scatter, with everything that it needs to run.
pub(crate) struct Checked<'a> {
    pub(crate) plan: Rc<Addressing>,
    pub(crate) index: Cow<'a, Index>,
    /// In the table's dtype, times the factor.
    pub(crate) source: Value<Cow<'a, Tensor>>,
}

impl Checked<'_> {
    /// The source for another call on a table of this dtype, without a factor.
    pub(crate) fn source(&self, dtype: DType) -> Source {
        match &self.source {
            Value::Buffer(tensor) => Source::Tensor(tensor.as_ref().clone()),
            Value::Scalar(bits) => Source::Scalar(Scalar::load(*bits, dtype)),
        }
    }
}

impl Scatter {
    /// A call whose index must be in range.
    pub fn new(op: Op, target: Target, src: Source, update: impl Into<Update>) -> Self {
        Self { op, target, src, factor: Factor::One, update: update.into(), mode: IndexMode::default() }
    }

    /// A call with one of `scatter_nd`'s words, which says how an update is combined, and whether it is negated first.
    pub fn nd(op: Op, target: Target, src: Source, reduce: NdReduce) -> Self {
        let (reduce, factor) = reduce.parts();
        Self { factor, ..Self::new(op, target, src, reduce) }
    }

    /// The call of [`Tensor::index_add`] or its in-place variant.
    pub fn index_add(op: Op, target: Target, src: Source, alpha: Scalar) -> Self {
        Self { factor: Factor::alpha(alpha), ..Self::new(op, target, src, Reduce::Add) }
    }

    /// Runs the call on the device of the table.
    ///
    /// # Errors
    /// Those of the operator. A call that fails writes nothing.
    pub fn run(&self, table: &mut Tensor) -> Result<()> {
        // Borrowed, not moved: a move of this size calls `memory.copy`, which takes as long as the loop of a small call.
        let checked = self.check(table);
        let Ok(Checked { plan, index, source }) = &checked else { return checked.map(drop) };
        // A plan can have no entries although its index has some, which are still checked.
        if plan.index_entries() == 0 {
            return Ok(());
        }
        scatter_into(plan, self.update, table, index, source.as_deref())
    }

    /// Runs the call on a copy of the table, and returns the copy; the table does not change. The two share the data until the call
    /// first writes to it.
    pub(crate) fn run_on_copy(&self, table: &Tensor) -> Result<Tensor> {
        let mut out = table.clone();
        self.run(&mut out)?;
        Ok(out)
    }

    /// Checks the call. Two checks come later, when the call runs: index values that must be in range, and zero divisors. Returns
    /// the plan, the source in the table's dtype times the factor, and the index. In any mode but a plain one this already reads
    /// the values of an index in host memory.
    pub(crate) fn check(&self, table: &Tensor) -> Result<Checked<'_>> {
        self.check_in(self.mode, table)
    }

    /// [`Scatter::check`] in another mode.
    pub(crate) fn check_in(&self, mode: IndexMode, table: &Tensor) -> Result<Checked<'_>> {
        self.update.check(self.op, self.factor, table.dtype)?;
        let plan = recent_plans::of(&self.target.arguments(self.op, table.operand(), self.src.operand())?)?;
        let source = match (&self.src, self.factor) {
            // The usual case. It avoids the call of `converted_source`, which is not inlined.
            (Source::Tensor(tensor), Factor::One) if tensor.dtype == table.dtype => {
                Value::Buffer(Cow::Borrowed(tensor))
            }
            _ => self.converted_source(&plan, table.dtype)?,
        };
        Ok(Checked { index: self.target.index.in_mode(&plan, mode)?, plan, source })
    }

    /// The source in the dtype of the table, times the factor, each product rounded or wrapped.
    #[inline(never)]
    fn converted_source(&self, plan: &Addressing, dtype: DType) -> Result<Value<Cow<'_, Tensor>>> {
        let op = plan.op();
        // By the page of `scatter_`, an empty index ends all further checks. The call writes nothing, so any source will do.
        if plan.entries() == 0 && op.empty_index_ends_checks() {
            return Ok(Value::Scalar(0));
        }
        let source = match &self.src {
            Source::Scalar(value) => {
                if self.update.reduce != Reduce::Replace && !op.cuts_terms() {
                    check_whole(op, plan.scalar_name(), || None, *value, dtype)?;
                }
                Value::Scalar(fit(op.name(), plan.scalar_name(), *value, dtype)?)
            }
            Source::Tensor(tensor) if tensor.dtype == dtype => Value::Buffer(Cow::Borrowed(tensor)),
            Source::Tensor(tensor) => Value::Buffer(Cow::Owned(convert(op, tensor, dtype)?)),
        };
        let factor = match self.factor {
            Factor::One => return Ok(source),
            Factor::MinusOne => Scalar::Int(-1).cast(dtype),
            Factor::Alpha(value) => {
                check_whole(op, "alpha", || None, value, dtype)?;
                fit(op.name(), "alpha", value, dtype)?
            }
        };
        Ok(match source {
            Value::Buffer(tensor) => {
                let factor = Scalar::load(factor, dtype);
                let factor = Tensor::filled(op.name(), "alpha", Shape::scalar(), factor, dtype)?;
                Value::Buffer(Cow::Owned(elementwise::product_of_any_rank(op, &tensor, &factor)?))
            }
            Value::Scalar(bits) => Value::Scalar(product(dtype, bits, factor)),
        })
    }
}

/// Updates of another dtype, converted to `dtype`, the dtype of the table. Only operators on rows call this: all other plans refuse
/// such updates.
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
