//! Gathers.

use std::mem::MaybeUninit;

use crate::dtype::DType;
use crate::engine::cpu::kernels::job::Output;
use crate::engine::cpu::kernels::loops::entries::repeated;
use crate::engine::cpu::run::Cpu;
use crate::error::Result;
use crate::gather::backend::GatherBackend;
use crate::host::{HostBuffer, UninitBuffer};
use crate::index::cpu::Index;
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::index::CallIndex;
use crate::index::kernels::indexed::Indexed;
use crate::index::kernels::positions::Positions;
use crate::plan::index::addressing::Addressing;
use crate::scalar::Bits;

impl GatherBackend for Cpu {
    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        index: &Index<'_>,
        fill: Bits,
    ) -> Result<HostBuffer> {
        match *index {
            Index::Checked(ref positions) => self.gather_at(plan, dtype, table, positions, fill),
            Index::Given(index, index_dtype) => {
                self.gather_by(dtype, table, &CallIndex::new(plan, index, index_dtype))
            }
        }
    }
}

impl Cpu {
    /// Runs `GatherBackend::gather` by an index that was checked for this plan, or for a plan with at most
    /// as many positions.
    pub(crate) fn gather_at(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        positions: &CheckedIndex,
        fill: Bits,
    ) -> Result<HostBuffer> {
        self.collect(dtype, table, &positions.positions(plan), fill, None)
    }

    /// Gathers by an index that may be unchecked.
    pub(crate) fn gather_by(
        &self,
        dtype: DType,
        table: &HostBuffer,
        index: &CallIndex<'_>,
    ) -> Result<HostBuffer> {
        self.collect(dtype, table, &index.unchecked(), 0, Some(index))
    }

    /// Runs a gather into a new buffer with a row for each entry. The rows of dropped entries are `fill`. `index` is given if the job
    /// checks its values.
    fn collect(
        &self,
        dtype: DType,
        table: &HostBuffer,
        positions: &Positions<'_>,
        fill: Bits,
        index: Option<&CallIndex<'_>>,
    ) -> Result<HostBuffer> {
        let size = dtype.size();
        let mut out = result(size, positions, fill)?;
        let job = Indexed::gather(size, table.bytes(), positions, Output::uninit(out.slots()));
        let verdict = self.run(&job);
        if let Some(index) = index {
            index.judge(&if job.is_empty() { index.check() } else { verdict })?;
        }
        // SAFETY: no value was out of range, so the job wrote the row of every entry that is not dropped. The result has no other rows
        // than those of dropped entries, and these were filled before the job.
        Ok(unsafe { out.assume_filled() })
    }
}

/// Memory for a gather's result. In the row of each dropped entry each element is `fill`.
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
