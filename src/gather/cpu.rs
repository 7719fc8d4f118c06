//! Gathers.

use std::mem::MaybeUninit;

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::{Output, repeated};
use crate::gather::backend::GatherBackend;
use crate::index::cpu::Index;
use crate::index::kernels::{Indexed, Positions};
use crate::plan::Addressing;
use crate::{Bits, DType, HostBuffer, Result, UninitBuffer};

impl GatherBackend for Cpu {
    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        index: &Index<'_>,
        fill: Bits,
    ) -> Result<HostBuffer> {
        let (size, positions) = (dtype.size(), &index.unchecked(plan));
        let mut out = result(size, positions, fill)?;
        let job = Indexed::gather(size, table.bytes(), positions, Output::uninit(out.slots()));
        let check_result = self.run(&job);
        index.finish_check((!job.is_empty()).then_some(check_result))?;
        // SAFETY: no value was out of range, so the job wrote the row of every entry that is not skipped. The result has no other rows
        // than those of skipped entries, and these were filled before the job.
        Ok(unsafe { out.assume_filled() })
    }
}

/// Memory for a gather's result. In the row of each skipped entry each element is `fill`.
pub(crate) fn result(size: usize, positions: &Positions<'_>, fill: Bits) -> Result<UninitBuffer> {
    let plan = positions.plan;
    let mut out = UninitBuffer::new(plan.op().name(), plan.entries() * plan.row().len * size)?;
    if positions.drops() {
        // Words: an element at a time takes longer than the gather.
        let [word, ..] = repeated(size, fill);
        let word = word.to_le_bytes().map(MaybeUninit::new);
        let (words, rest) = out.slots::<u8>().as_chunks_mut();
        words.fill(word);
        rest.iter_mut().zip(word).for_each(|(slot, byte)| *slot = byte);
    }
    Ok(out)
}
