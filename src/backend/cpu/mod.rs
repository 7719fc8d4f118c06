//! The CPU backend. It dispatches on dtype and reduce once per call, outside the loops.

mod checked;
mod kernels;
mod scan;

use std::mem::MaybeUninit;
use std::rc::Rc;

use crate::backend::cpu::kernels::multiply::Output;
use crate::backend::cpu::kernels::positions::{Positions, WINDOW};
use crate::backend::cpu::kernels::{convert, indexed, mean, multiply, reduce};
use crate::backend::{Backend, Index, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::{HostBuffer, UninitBuffer, unshare};
use crate::plan::{Addressing, BroadcastPlan, OutOfRange, Reduce, Update};
use crate::scalar::{Bits, load, store};

pub use checked::CheckedIndex;
pub use kernels::convert::{from_integers, from_numbers};
pub use kernels::positions::{DROPPED, normalise};

/// Space on the stack for a copy of a small table, of up to 4 KiB. The call is run on the copy while the index is being checked, so a
/// long index need not be read from memory twice.
type Aside = [u64; 512];

/// Runs plans in host memory. Where a method does not say more, its only error is `RuntimeError`, when memory is exhausted.
///
/// It does not read the `state` of an [`Index`]: an index that was checked before is a [`CheckedIndex`], for which there are methods
/// of their own, and the range that an earlier check noted is kept in the index's buffer.
pub struct Cpu;

impl Backend for Cpu {
    type Buffer = HostBuffer;

    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        index: Index<'_, HostBuffer>,
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        if !update.is_single() {
            // The index is walked more than once, so its positions are computed once and kept.
            let positions = CheckedIndex::new(plan, index.buffer, index.dtype, OutOfRange::Raise)?;
            return self.scatter_at(plan, dtype, update, table, &positions, value);
        }
        let reduce = update.reduce;
        let mut window = [MaybeUninit::uninit(); WINDOW];
        let Some(own) = Rc::get_mut(table) else {
            // A shared table is copied in any case, so the index is checked while the copy is written to.
            let mut copy = HostBuffer::copy_of(plan.op().name(), table.bytes())?;
            let mut positions = Positions::checking(plan, index.buffer, index.dtype, &mut window);
            scatter_into(copy.bytes_mut(), dtype, reduce, &mut positions, value);
            positions.verdict()?;
            *table = Rc::new(copy);
            return Ok(());
        };
        let table = own.bytes_mut();
        // An index of one window is still in the first-level cache when it is read again, so a copy would gain nothing.
        if plan.entries() > WINDOW && table.len() <= size_of::<Aside>() {
            let mut positions = Positions::checking(plan, index.buffer, index.dtype, &mut window);
            let mut aside: Aside = bytemuck::Zeroable::zeroed();
            let (copy, _) = bytemuck::cast_slice_mut(&mut aside).split_at_mut(table.len());
            copy.copy_from_slice(table);
            scatter_into(copy, dtype, reduce, &mut positions, value);
            positions.verdict()?;
            table.copy_from_slice(copy);
            return Ok(());
        }
        let mut positions = Positions::checked(plan, index.buffer, index.dtype, &mut window)?;
        scatter_into(table, dtype, reduce, &mut positions, value);
        Ok(())
    }

    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        index: Index<'_, HostBuffer>,
        fill: Bits,
    ) -> Result<HostBuffer> {
        let mut window = [MaybeUninit::uninit(); WINDOW];
        collect(dtype, table, Positions::checking(plan, index.buffer, index.dtype, &mut window), fill)
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
        multiply::multiply(plan, dtype, Output::New(x.bytes(), out.slots()), y.bytes());
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
        let x = unshare(plan.op().name(), x)?.bytes_mut();
        // A plan in place never exchanges its operands, so `plan.operands` is not asked.
        multiply::multiply(plan, dtype, Output::InPlace(x), y.bytes());
        Ok(())
    }

    fn convert(&self, op: &'static str, from: DType, to: DType, buffer: &HostBuffer) -> Result<HostBuffer> {
        convert::convert(op, from, to, buffer)
    }
}

/// Panics where a condition that unchecked accesses rely on does not hold. An `assert!` in each place would put the text of its
/// condition into every download.
#[track_caller]
fn rely_on(holds: bool) {
    assert!(holds);
}

/// The product of two elements of that dtype, rounded or wrapped in it; all as bits.
pub(crate) fn product(dtype: DType, one: Bits, other: Bits) -> Bits {
    reduce::loops(Reduce::Multiply, dtype).combine(one, other)
}

/// Runs a gather into a new buffer, which has a row for each entry of the plan. Each element of the row of an entry that is left
/// out is `fill`.
fn collect(dtype: DType, table: &HostBuffer, mut positions: Positions<'_>, fill: Bits) -> Result<HostBuffer> {
    let plan = positions.plan();
    let mut out = UninitBuffer::new(plan.op().name(), plan.entries() * plan.row().len * dtype.size())?;
    if positions.drops() {
        for element in out.slots().chunks_exact_mut(dtype.size()) {
            for (slot, byte) in element.iter_mut().zip(fill.to_le_bytes()) {
                slot.write(byte);
            }
        }
    }
    indexed::gather(dtype.size(), table.bytes(), &mut positions, out.slots());
    positions.verdict()?;
    // SAFETY: no position was refused, so `gather` had all of them and wrote the row of every entry that is not left out. The
    // result has no other rows but those of entries that are left out, and was filled before if there are any.
    Ok(unsafe { out.assume_filled() })
}

impl Cpu {
    /// Runs [`Backend::scatter`] with an index that was checked before, for this plan or for one with at most as many positions.
    pub fn scatter_at(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        positions: &CheckedIndex,
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        // All memory is allocated before the first write, so that a call that fails writes nothing.
        let counts = update.is_mean().then(|| self.count(plan, positions)).transpose()?;
        let table = unshare(plan.op().name(), table)?.bytes_mut();
        if !update.include_self {
            // What a place holds does not count if it is replaced by the neutral element first.
            let neutral = Value::Scalar(update.reduce.neutral(dtype));
            let plan = plan.of_scalar();
            scatter_into(table, dtype, Reduce::Replace, &mut Positions::ready(&plan, positions), neutral);
        }
        scatter_into(table, dtype, update.reduce, &mut Positions::ready(plan, positions), value);
        if let Some(counts) = counts {
            let row = plan.row().len * dtype.size();
            let counts = counts.elements().iter().copied();
            mean::divide(dtype, table, row, counts, update.other_terms());
        }
        Ok(())
    }

    /// For each row of the table the number of entries that name it, as uint32. A row is what belongs to one entry: a single
    /// element where the plan scatters along a dimension.
    pub fn count(&self, plan: &Addressing, positions: &CheckedIndex) -> Result<HostBuffer> {
        let plan = plan.of_rows();
        let mut counts = HostBuffer::zeroed(plan.op().name(), 4 * plan.table_len())?;
        let mut positions = Positions::ready(&plan, positions);
        scatter_into(counts.bytes_mut(), DType::Uint32, Reduce::Add, &mut positions, Value::Scalar(1));
        Ok(counts)
    }

    /// Runs [`Backend::gather`] with an index that was checked before, for this plan or for one with at most as many positions.
    pub fn gather_at(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        positions: &CheckedIndex,
        fill: Bits,
    ) -> Result<HostBuffer> {
        collect(dtype, table, Positions::ready(plan, positions), fill)
    }

    /// Runs a scatter on a copy of the table. Returns every write in the order in which they are made, and the copy. The division at
    /// the end of a mean is done, and is not among the writes. These are few, as `ops/trace.rs` sees to.
    pub(crate) fn trace(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &HostBuffer,
        positions: &CheckedIndex,
        value: Value<'_, HostBuffer>,
    ) -> Result<(Vec<Write>, HostBuffer)> {
        let counts = update.is_mean().then(|| self.count(plan, positions)).transpose()?;
        let mut positions = Positions::ready(plan, positions);
        let mut copy = HostBuffer::copy_of(plan.op().name(), table.bytes())?;
        // A byte for each element, 1 once it was written: without `include_self` the first update of an element is combined with
        // the neutral element and not with what is there.
        let mut is_written = HostBuffer::zeroed(plan.op().name(), plan.table_len())?;
        let loops = reduce::loops(update.reduce, dtype);
        let neutral = update.reduce.neutral(dtype);
        let mut writes = Vec::new();
        let size = dtype.size();
        let span = |at: usize| at * size..(at + 1) * size;
        indexed::for_each_element(&mut positions, &mut |entry, element, from| {
            // No element is missing, as the plan guarantees: the other cases below exist only so that nothing can panic.
            let operand = match value {
                Value::Buffer(values) => values.bytes().get(span(from)).map_or(0, load),
                Value::Scalar(bits) => bits,
            };
            let Some(cell) = copy.bytes_mut().get_mut(span(element)) else { return };
            let Some(is_written) = is_written.bytes_mut().get_mut(element) else { return };
            let before = load(cell);
            let before_counts = update.include_self || std::mem::replace(is_written, 1) == 1;
            let after = loops.combine(if before_counts { before } else { neutral }, operand);
            store(cell, after);
            writes.push(Write { entry, element, value: from, before, update: operand, after });
        });
        if let Some(counts) = counts {
            let row = plan.row().len * size;
            let counts = counts.elements().iter().copied();
            mean::divide(dtype, copy.bytes_mut(), row, counts, update.other_terms());
        }
        Ok((writes, copy))
    }

    /// Runs a gather. Returns every read in the order in which they are made, and the result. An entry that is left out reads
    /// nothing. The reads are few, as `ops/trace.rs` sees to.
    pub(crate) fn trace_gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        positions: &CheckedIndex,
        fill: Bits,
    ) -> Result<(Vec<Fetch>, HostBuffer)> {
        let out = self.gather_at(plan, dtype, table, positions, fill)?;
        let mut positions = Positions::ready(plan, positions);
        let size = dtype.size();
        let mut fetches = Vec::new();
        indexed::for_each_element(&mut positions, &mut |_, element, value| {
            let bits = out.bytes().get(value * size..(value + 1) * size).map_or(0, load);
            fetches.push(Fetch { element, value, bits });
        });
        Ok((fetches, out))
    }
}

/// One element that a gather read.
pub(crate) struct Fetch {
    /// The number of the element in the table.
    pub(crate) element: usize,
    /// The number of the element of the result that it became.
    pub(crate) value: usize,
    pub(crate) bits: Bits,
}

/// One element that a scatter wrote.
pub(crate) struct Write {
    /// The number of the index entry that it was written for.
    pub(crate) entry: usize,
    /// The number of the element in the table.
    pub(crate) element: usize,
    /// The number of the element of the values that was applied.
    pub(crate) value: usize,
    /// What was in the table, whether it counted or not.
    pub(crate) before: Bits,
    pub(crate) update: Bits,
    pub(crate) after: Bits,
}

/// Combines every value with the element of the table that its entry names: one walk over the index. `table` holds the bytes of
/// elements of `dtype`. Ends early where a position is refused.
fn scatter_into(
    table: &mut [u8],
    dtype: DType,
    reduce: Reduce,
    positions: &mut Positions<'_>,
    value: Value<'_, HostBuffer>,
) {
    let scalar;
    let values = match value {
        Value::Buffer(values) => values.bytes(),
        Value::Scalar(bits) => {
            // In little-endian order the first bytes are those of the element.
            scalar = bits.to_le();
            bytemuck::bytes_of(&scalar).get(..dtype.size()).unwrap_or_default()
        }
    };
    let plan = positions.plan();
    let is_spread = plan.entries() / reduce::SPREAD <= plan.table_len();
    let loops = if is_spread { reduce::spread_loops(reduce, dtype) } else { reduce::loops(reduce, dtype) };
    indexed::scatter(loops, table, positions, values);
}
