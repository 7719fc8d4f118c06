//! What a scatter did, write by write, and a gather, read by read.

use std::rc::Rc;

use crate::backend::cpu::{CheckedIndex, Cpu};
use crate::dtype::Scalar;
use crate::error::{Error, ErrorClass, ErrorCode, Result};
use crate::ops::call::{Where, host_value};
use crate::ops::gather::CheckedGather;
use crate::ops::{Gather, Scatter, host_buffer, host_index};
use crate::plan::Addressing;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// The most writes or reads that are traced: more are too many to look at.
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
    /// The value that was there.
    pub before: Scalar,
    /// The update.
    pub operand: Scalar,
    /// The value afterwards.
    pub after: Scalar,
}

impl Scatter<'_> {
    /// Runs the call on a copy of `table`, on the CPU, by the loops that always run, and reports each write in
    /// the order in which they happen.
    ///
    /// # Errors
    /// Those of the call, and `ValueError` (`trace-limit`) above 10,000 writes. On the CPU only.
    ///
    /// ```
    /// use scatterwise::{Op, Reduce, Scalar, Scatter, Tensor};
    /// let table = Tensor::from_elements(&[2], &[1, 10])?;
    /// let index = Tensor::from_elements(&[2], &[1, 1])?;
    /// let (op, reduce) = (Op::ScatterInPlace, Reduce::Multiply);
    /// let call = Scatter::Along { op, dim: 0, index: &index, src: 3.into(), reduce };
    /// let (steps, result) = call.trace(&table)?;
    /// assert_eq!((steps[1].before, steps[1].after), (Scalar::Int(30), Scalar::Int(90)));
    /// assert_eq!(result.elements::<i32>(), Some(&[1, 90][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn trace(self, table: &Tensor) -> Result<(Vec<Step>, Tensor)> {
        let checked = self.check(table)?;
        let plan = &checked.plan;
        let op = plan.op();
        // Rows may be empty: then there is nothing to write, but the index is checked all the same.
        if plan.entries() == 0 {
            return Ok((Vec::new(), table.clone()));
        }
        check_step_count(plan, "writes")?;
        let value = host_value(plan, &checked.source)?;
        let positions = check_index(plan, checked.index)?;
        let buffer = host_buffer(op, "self", table)?;
        let (writes, result) = Cpu.trace(plan, table.dtype, checked.reduce, buffer, &positions, value)?;

        let entries = match self {
            Scatter::Along { index, .. } | Scatter::Rows { indices: index, .. } => index.shape.dims(),
            // The last dimension of an index of tuples counts their components.
            Scatter::Tuples { indices, .. } => {
                indices.shape.dims().split_last().map_or(&[][..], |(_, entries)| entries)
            }
            Scatter::Planned { plan, .. } => plan.entry_dims(),
        };
        let entries = Shape::new(op.name(), entries)?;
        let source = checked.source.tensor().map(|tensor| &tensor.shape);
        let scalar = |bits| Scalar::load(bits, table.dtype);
        let steps = writes.into_iter().map(|write| Step {
            index: entries.unravel(write.entry),
            source: source.map(|shape| shape.unravel(write.value)),
            destination: table.shape.unravel(write.element),
            before: scalar(write.before),
            operand: scalar(write.update),
            after: scalar(write.after),
        });
        Ok((steps.collect(), Tensor::from_buffer(table.shape.clone(), table.dtype, result)))
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

impl Gather<'_> {
    /// Runs the call on the CPU, by the loops that always run, and reports each read in row-major order of the
    /// result.
    ///
    /// # Errors
    /// Those of the call, and `ValueError` (`trace-limit`) above 10,000 reads. On the CPU only.
    ///
    /// ```
    /// use scatterwise::{Gather, Tensor};
    /// let table = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// let index = Tensor::from_elements(&[1, 2], &[1, -2])?;
    /// let (reads, result) = Gather::Along { dim: 0, index: &index }.trace(&table)?;
    /// assert_eq!((&reads[1].source, &reads[1].destination), (&vec![0, 1], &vec![0, 1]));
    /// assert_eq!(result.elements::<i32>(), Some(&[3, 2][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn trace(self, table: &Tensor) -> Result<(Vec<Read>, Tensor)> {
        let CheckedGather { plan, index, shape, entry_rank } = self.check(table)?;
        check_step_count(&plan, "reads")?;
        let buffer = host_buffer(plan.op(), "self", table)?;
        let positions = check_index(&plan, index)?;
        let (fetches, result) = Cpu.trace_gather(&plan, table.dtype, buffer, &positions)?;
        let reads = fetches.into_iter().map(|fetch| {
            let destination = shape.unravel(fetch.value);
            Read {
                index: destination.iter().copied().take(entry_rank).collect(),
                source: table.shape.unravel(fetch.element),
                destination,
                value: Scalar::load(fetch.bits, table.dtype),
            }
        });
        Ok((reads.collect(), Tensor::from_buffer(shape.clone(), table.dtype, result)))
    }
}

/// Whether a call has few enough steps to look at.
fn check_step_count(plan: &Addressing, verb: &str) -> Result<()> {
    let steps = plan.entries().saturating_mul(plan.row().len);
    if steps > MAX_STEPS {
        let text = format!("this call {verb} {steps} times; up to {MAX_STEPS} {verb} can be traced");
        return Err(Error::new(ErrorClass::Value, ErrorCode::TraceLimit, plan.op().name(), text));
    }
    Ok(())
}

/// The positions that an index means, each checked.
fn check_index(plan: &Addressing, index: Where<'_>) -> Result<Rc<CheckedIndex>> {
    match index {
        Where::Index(index) => {
            let index = host_index(plan, index)?;
            Ok(Rc::new(CheckedIndex::new(plan, index.buffer, index.dtype)?))
        }
        Where::Plan(prepared) => prepared.positions(plan.op().name()),
    }
}
