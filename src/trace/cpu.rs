//! The writes of a scatter and the reads of a gather, one by one.

use std::rc::Rc;

use crate::engine::Value;
use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::{Output, reduce};
use crate::exact::cpu::sums::ExactSums;
use crate::gather::backend::GatherBackend;
use crate::index::cpu::Index;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::elements::for_each_element;
use crate::plan::{Addressing, Update};
use crate::scatter::cpu::division;
use crate::{Bits, DType, HostBuffer, Result, load, store};

/// A read of an element of the table into element `value` of the result.
pub(crate) struct Fetch {
    pub(crate) element: usize,
    pub(crate) value: usize,
    pub(crate) bits: Bits,
}

/// A write of an element of the table: by an entry of the index, with element `value` of the values.
pub(crate) struct Write {
    pub(crate) entry: usize,
    pub(crate) element: usize,
    pub(crate) value: usize,
    /// The element before the write, even if `include_self` ignores it.
    pub(crate) before: Bits,
    pub(crate) update: Bits,
    pub(crate) after: Bits,
}

impl Cpu {
    /// Runs a scatter on a copy of the table. Returns the writes in order, and the copy. The division at the end of a mean runs
    /// too, but is not a write. `trace/mod.rs` limits the number of writes.
    pub(crate) fn trace(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &HostBuffer,
        positions: &CheckedIndex,
        value: Value<&HostBuffer>,
    ) -> Result<(Vec<Write>, HostBuffer)> {
        let op = plan.op().name();
        let counts = update.is_mean().then(|| self.count(plan, positions)).transpose()?;
        let mut copy = HostBuffer::copy_of(op, table.bytes())?;
        // An exact sum is rounded once, at the end. Each write shows the sum so far, rounded.
        let terms = plan.entries() * plan.row().len;
        let mut exact = ExactSums::of_call(op, dtype, plan.table_len(), (update, terms), table.bytes())?;
        // A byte for each element: 1 after its first write. Without `include_self`, the first update of an element is combined with the
        // neutral element.
        let mut is_written = HostBuffer::zeroed(op, plan.table_len())?;
        let loops = reduce::loops(update.reduce, dtype);
        let neutral = update.reduce.neutral(dtype);
        let mut writes = Vec::new();
        let size = dtype.size();
        let span = |at: usize| at * size..(at + 1) * size;
        let mut all = Vec::new();
        for_each_element(plan, positions.values(), &mut |entry, element, from| {
            all.push((entry, element, from))
        });
        for (entry, element, from) in all {
            // The plan guarantees that every element exists. The other cases only avoid a panic.
            let operand = match value {
                Value::Buffer(values) => values.bytes().get(span(from)).map_or(0, load),
                Value::Scalar(bits) => bits,
            };
            let Some(cell) = copy.bytes_mut().get_mut(span(element)) else { continue };
            let Some(is_written) = is_written.bytes_mut().get_mut(element) else { continue };
            let before = load(cell);
            let before_counts = update.include_self || std::mem::replace(is_written, 1) == 1;
            let after = match &mut exact {
                Some(sums) => sums.add_one(element, operand)?,
                None => loops.combine(if before_counts { before } else { neutral }, operand),
            };
            store(cell, after);
            writes.push(Write { entry, element, value: from, before, update: operand, after });
        }
        if let Some(sums) = exact {
            sums.finish_call(update, copy.bytes_mut());
        } else if let Some(counts) = &counts {
            self.run(&division(plan, dtype, update, Output::new(copy.bytes_mut()), counts));
        }
        Ok((writes, copy))
    }

    /// Runs a gather. Returns the reads in order, and the result. A skipped entry reads nothing. `trace/mod.rs` limits the number of
    /// reads.
    pub(crate) fn trace_gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        positions: Rc<CheckedIndex>,
        fill: Bits,
    ) -> Result<(Vec<Fetch>, HostBuffer)> {
        let index = Index::Checked(positions);
        let out = self.gather(plan, dtype, table, &index, fill)?;
        let size = dtype.size();
        let mut fetches = Vec::new();
        for_each_element(plan, &index.all()?, &mut |_, element, value| {
            let bits = out.bytes().get(value * size..(value + 1) * size).map_or(0, load);
            fetches.push(Fetch { element, value, bits });
        });
        Ok((fetches, out))
    }
}
