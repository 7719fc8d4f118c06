//! The CPU backend. It dispatches on dtype and reduce once per call, outside the loops.

mod activate;
mod broadcast;
mod checked;
mod convert;
mod exponential;
mod half_float;
mod histogram;
mod kernels;
mod loops;
mod positions;
mod reduce;
mod validate;
mod vector;

use std::mem::MaybeUninit;
use std::rc::Rc;

use crate::backend::cpu::broadcast::Output;
use crate::backend::cpu::positions::{Positions, WINDOW};
use crate::backend::{Backend, Index, Value};
use crate::dtype::{Bits, DType, load, store};
use crate::error::Result;
use crate::host::{HostBuffer, UninitBuffer, out_of_memory};
use crate::plan::{Addressing, BroadcastPlan, Op, Reduce};

pub use checked::CheckedIndex;
pub use convert::from_numbers;
pub use positions::normalise;

/// Space on the stack for a copy of a small table. The call is run on the copy while the index is being checked, so the index
/// need not be read twice.
type Aside = [u64; 512];

/// Runs plans in host memory.
pub struct Cpu;

impl Backend for Cpu {
    type Buffer = HostBuffer;

    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        table: &mut Rc<HostBuffer>,
        index: Index<'_, HostBuffer>,
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        let mut window = [MaybeUninit::uninit(); WINDOW];
        let Some(own) = Rc::get_mut(table) else {
            let mut copy = HostBuffer::copy_of(plan.op().name(), table.bytes())?;
            let mut positions = Positions::checking(plan, index.buffer, index.dtype, &mut window);
            scatter(dtype, reduce, copy.bytes_mut(), &mut positions, value);
            positions.verdict()?;
            *table = Rc::new(copy);
            return Ok(());
        };
        let table = own.bytes_mut();
        if plan.entries() > WINDOW && table.len() <= size_of::<Aside>() {
            let mut positions = Positions::checking(plan, index.buffer, index.dtype, &mut window);
            let mut aside: Aside = bytemuck::Zeroable::zeroed();
            let (copy, _) = bytemuck::cast_slice_mut(&mut aside).split_at_mut(table.len());
            copy.copy_from_slice(table);
            scatter(dtype, reduce, copy, &mut positions, value);
            positions.verdict()?;
            table.copy_from_slice(copy);
            return Ok(());
        }
        let mut positions = Positions::checked(plan, index.buffer, index.dtype, &mut window)?;
        scatter(dtype, reduce, table, &mut positions, value);
        Ok(())
    }

    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        index: Index<'_, HostBuffer>,
    ) -> Result<HostBuffer> {
        let mut window = [MaybeUninit::uninit(); WINDOW];
        collect(dtype, table, Positions::checking(plan, index.buffer, index.dtype, &mut window))
    }

    fn multiply(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &HostBuffer,
        y: &HostBuffer,
    ) -> Result<HostBuffer> {
        let mut out = UninitBuffer::new(plan.op().name(), plan.len() * dtype.size())?;
        let (x, y) = plan.operands(x, y);
        multiply(plan, dtype, Output::New(x.bytes(), out.slots()), y);
        // SAFETY: `multiply` writes every element of the result.
        Ok(unsafe { out.assume_filled() })
    }

    fn multiply_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<HostBuffer>,
        y: &HostBuffer,
    ) -> Result<()> {
        multiply(plan, dtype, Output::InPlace(unshare(plan.op(), x)?.bytes_mut()), y);
        Ok(())
    }

    fn convert(&self, op: &'static str, from: DType, to: DType, buffer: &HostBuffer) -> Result<HostBuffer> {
        convert::convert(op, from, to, buffer)
    }
}

/// Multiplies in the dtype's arithmetic.
fn multiply(plan: &BroadcastPlan, dtype: DType, output: Output<'_>, y: &HostBuffer) {
    let loops = reduce::loops(Reduce::Multiply, dtype);
    broadcast::multiply(plan, dtype, loops, output, y.bytes());
}

/// Runs a gather into a new buffer.
fn collect(dtype: DType, table: &HostBuffer, mut positions: Positions<'_>) -> Result<HostBuffer> {
    let plan = positions.plan();
    let mut out = UninitBuffer::new(plan.op().name(), plan.entries() * plan.row().len * dtype.size())?;
    kernels::gather(dtype.size(), table.bytes(), &mut positions, out.slots());
    positions.verdict()?;
    // SAFETY: no position was refused, so `gather` had all of them and wrote the row of every entry. The result holds nothing
    // else.
    Ok(unsafe { out.assume_filled() })
}

impl Cpu {
    /// Runs [`Backend::scatter`] with an index that was checked before.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn scatter_at(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        table: &mut Rc<HostBuffer>,
        positions: &CheckedIndex,
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        let table = unshare(plan.op(), table)?.bytes_mut();
        let mut positions = Positions::ready(plan, positions);
        scatter(dtype, reduce, table, &mut positions, value);
        Ok(())
    }

    /// Runs [`Backend::gather`] with an index that was checked before.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn gather_at(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        positions: &CheckedIndex,
    ) -> Result<HostBuffer> {
        collect(dtype, table, Positions::ready(plan, positions))
    }

    /// Runs a scatter on a copy of the table and records every write.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn trace(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        table: &HostBuffer,
        positions: &CheckedIndex,
        value: Value<'_, HostBuffer>,
    ) -> Result<(Vec<Write>, HostBuffer)> {
        let mut positions = Positions::ready(plan, positions);
        let mut copy = HostBuffer::copy_of(plan.op().name(), table.bytes())?;
        let loops = reduce::loops(reduce, dtype);
        let mut writes = Vec::new();
        let size = dtype.size();
        let span = |at: usize| at * size..(at + 1) * size;
        kernels::for_each_element(&mut positions, &mut |entry, at, from| {
            let update = match value {
                Value::Buffer(values) => values.bytes().get(span(from)).map_or(0, load),
                Value::Scalar(bits) => bits,
            };
            let Some(cell) = copy.bytes_mut().get_mut(span(at)) else { return };
            let before = load(cell);
            let after = loops.combine(before, update);
            store(cell, after);
            writes.push(Write { entry, element: at, value: from, before, update, after });
        });
        Ok((writes, copy))
    }

    /// Runs a gather and records every read.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn trace_gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        positions: &CheckedIndex,
    ) -> Result<(Vec<Fetch>, HostBuffer)> {
        let out = self.gather_at(plan, dtype, table, positions)?;
        let mut positions = Positions::ready(plan, positions);
        let size = dtype.size();
        let mut fetches = Vec::new();
        kernels::for_each_element(&mut positions, &mut |_, element, value| {
            let bits = out.bytes().get(value * size..(value + 1) * size).map_or(0, load);
            fetches.push(Fetch { element, value, bits });
        });
        Ok((fetches, out))
    }
}

/// One element that a gather read.
pub(crate) struct Fetch {
    /// Which element of the table.
    pub(crate) element: usize,
    /// Which element of the result.
    pub(crate) value: usize,
    /// Its bits.
    pub(crate) bits: Bits,
}

/// One element that a scatter wrote.
pub(crate) struct Write {
    /// Which index entry.
    pub(crate) entry: usize,
    /// Which element of the table.
    pub(crate) element: usize,
    /// Which element of the values.
    pub(crate) value: usize,
    /// The bits before the update.
    pub(crate) before: Bits,
    /// The bits of the update.
    pub(crate) update: Bits,
    /// The bits after the update.
    pub(crate) after: Bits,
}

/// Scatters into the bytes of a table.
fn scatter(
    dtype: DType,
    reduce: Reduce,
    table: &mut [u8],
    positions: &mut Positions<'_>,
    value: Value<'_, HostBuffer>,
) {
    let scalar;
    let values = match value {
        Value::Buffer(values) => values.bytes(),
        Value::Scalar(bits) => {
            scalar = bits.to_le();
            bytemuck::bytes_of(&scalar).get(..dtype.size()).unwrap_or_default()
        }
    };
    kernels::scatter(reduce::loops(reduce, dtype), table, positions, values);
}

/// The buffer for writing. If it is shared, a copy takes its place first.
fn unshare(op: Op, buffer: &mut Rc<HostBuffer>) -> Result<&mut HostBuffer> {
    let op = op.name();
    if Rc::get_mut(buffer).is_none() {
        *buffer = Rc::new(HostBuffer::copy_of(op, buffer.bytes())?);
    }
    let len = buffer.bytes().len();
    Rc::get_mut(buffer).ok_or_else(|| out_of_memory(op, len))
}
