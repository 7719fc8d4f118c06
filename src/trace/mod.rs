//! The steps of a call: each write of a scatter, each read of a gather.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod cpu;

use crate::engine::Value;
use crate::gather::{CheckedGather, Gather};
use crate::plan::Addressing;
use crate::trace::backend::{trace_gather, trace_scatter};
use crate::{Error, ErrorClass, ErrorCode, Result, Scalar, Scatter, Shape, Tensor, reserved};

/// The most traced writes or reads. Nobody can look at more.
const MAX_STEPS: usize = 10_000;

/// One write.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Coordinates of the index entry, without those inside a tuple.
    pub index: Vec<usize>,
    /// Coordinates in the source; `None` for a scalar.
    pub source: Option<Vec<usize>>,
    /// Coordinates written.
    pub destination: Vec<usize>,
    /// The value before the write.
    pub before: Scalar,
    /// The update.
    pub operand: Scalar,
    /// The value afterwards.
    pub after: Scalar,
}

impl Scatter {
    /// Runs the call on a copy of `table`, on the CPU, with the usual order and arithmetic. Reports each write in order. A mean
    /// divides at the end; this division is done, but not reported.
    ///
    /// # Errors
    /// Those of the call, and `ValueError` (`trace-limit`) above 10,000 writes. On the CPU only.
    ///
    /// ```
    /// use scatterwise::{Op, Reduce, Scalar, Scatter, Target, Tensor};
    /// let table = Tensor::from_elements(&[2], &[1, 10])?;
    /// let target = Target::along(0, &Tensor::from_elements(&[2], &[1, 1])?);
    /// let call = Scatter::new(Op::ScatterInPlace, target, 3.into(), Reduce::Multiply);
    /// let (steps, result) = call.trace(&table)?;
    /// assert_eq!((steps[1].before, steps[1].after), (Scalar::Int(30), Scalar::Int(90)));
    /// assert_eq!(result.elements::<i32>(), Some(&[1, 90][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn trace(&self, table: &Tensor) -> Result<(Vec<Step>, Tensor)> {
        let checked = self.check(table)?;
        let plan = &checked.plan;
        let op = plan.op().name();
        // A plan can have no entries although its index has some, which are still checked.
        if plan.index_entries() == 0 {
            return Ok((Vec::new(), table.clone()));
        }
        check_step_count(plan, "writes")?;
        let (writes, result) =
            trace_scatter(plan, self.update, table, &checked.index, checked.source.as_deref())?;

        // Slices read the whole index again for each combination of coordinates before the dimension. Their entries are numbered
        // on, and `coordinates` starts again at the first entry. A gather does the same.
        let entries = Shape::new(op, self.target.form(self.op).entry_dims(plan.index_shape()))?;
        let source = match &checked.source {
            Value::Buffer(tensor) => Some(&tensor.shape),
            Value::Scalar(_) => None,
        };
        let scalar = |bits| Scalar::load(bits, table.dtype);
        let mut steps = reserved(op, writes.len())?;
        for write in writes {
            steps.push(Step {
                index: coordinates(op, &entries, write.entry)?,
                source: source.map(|shape| coordinates(op, shape, write.value)).transpose()?,
                destination: coordinates(op, &table.shape, write.element)?,
                before: scalar(write.before),
                operand: scalar(write.update),
                after: scalar(write.after),
            });
        }
        Ok((steps, Tensor::from_buffer(table.shape.clone(), table.dtype, result)))
    }
}

/// One read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// Coordinates of the index entry, without those inside a tuple.
    pub index: Vec<usize>,
    /// Coordinates read.
    pub source: Vec<usize>,
    /// Coordinates in the result.
    pub destination: Vec<usize>,
    /// The value.
    pub value: Scalar,
}

impl Gather {
    /// Runs the call on the CPU, by the usual loops, and reports each read in row-major order of the result.
    ///
    /// # Errors
    /// Those of the call, and `ValueError` (`trace-limit`) above 10,000 reads. On the CPU only.
    ///
    /// ```
    /// use scatterwise::{Gather, Op, Target, Tensor};
    /// let table = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// let target = Target::along(0, &Tensor::from_elements(&[1, 2], &[1, -2])?);
    /// let (reads, result) = Gather::new(Op::Gather, target).trace(&table)?;
    /// assert_eq!((&reads[1].source, &reads[1].destination), (&vec![0, 1], &vec![0, 1]));
    /// assert_eq!(result.elements::<i32>(), Some(&[3, 2][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn trace(&self, table: &Tensor) -> Result<(Vec<Read>, Tensor)> {
        let widened = self.widened(table)?;
        let CheckedGather { plan, index, fill, shape } = widened.as_ref().unwrap_or(self).check(table)?;
        let op = plan.op().name();
        check_step_count(&plan, "reads")?;
        let (fetches, result) = trace_gather(&plan, table, &index, fill)?;
        let entries = Shape::new(op, self.target.form(self.op).entry_dims(plan.index_shape()))?;
        let mut reads = reserved(op, fetches.len())?;
        for fetch in fetches {
            reads.push(Read {
                // The result has one row for each entry of the plan, one after another.
                index: coordinates(op, &entries, fetch.value / plan.row().len.max(1))?,
                source: coordinates(op, &table.shape, fetch.element)?,
                destination: coordinates(op, &shape, fetch.value)?,
                value: Scalar::load(fetch.bits, table.dtype),
            });
        }
        Ok((reads, Tensor::from_buffer(shape, table.dtype, result)))
    }
}

/// `verb` is the action of a step: "reads" or "writes".
fn check_step_count(plan: &Addressing, verb: &str) -> Result<()> {
    let steps = plan.entries().saturating_mul(plan.row().len);
    if steps > MAX_STEPS {
        let text = format!("this call {verb} {steps} times; up to {MAX_STEPS} {verb} can be traced");
        return Err(Error::new(ErrorClass::Value, ErrorCode::TraceLimit, plan.op().name(), text));
    }
    Ok(())
}

/// The coordinates of the element at row-major position `flat`. Unlike [`Shape::unravel`] it returns an error if memory is
/// exhausted: a trace has many such lists.
fn coordinates(op: &'static str, shape: &Shape, flat: usize) -> Result<Vec<usize>> {
    let mut place = reserved(op, shape.rank())?;
    shape.unravel_into(flat, &mut place);
    Ok(place)
}
