//! Scatters and counts in parts, each on a table of its own.

use std::num::NonZero;

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::{AnyOrder, CheckResult, Loops, Output, Privatised, merge, repeated};
use crate::plan::Reduce;
use crate::{DType, HostBuffer};

/// Whether updates give the same bits in any order and grouping, beginning with neutral elements.
pub(crate) fn is_any_order(reduce: Reduce, dtype: DType) -> bool {
    match reduce {
        Reduce::Replace | Reduce::Divide => false,
        Reduce::Add | Reduce::Multiply | Reduce::Maximum | Reduce::Minimum => !dtype.is_float(),
    }
}

impl Cpu {
    /// Does work on a table of `len` elements in parts, if threads gain from that and there is memory for their tables. `loops` are those of
    /// `reduce`, which must be one of any order.
    pub(crate) fn run_in_parts(
        &self,
        work: impl AnyOrder,
        (reduce, dtype): (Reduce, DType),
        loops: &Loops,
        table: Output<'_>,
        len: usize,
    ) -> Option<CheckResult> {
        let parts = NonZero::new(self.parts(work.work_of_all(), len)).filter(|parts| parts.get() > 1)?;
        let bytes = len * loops.size;
        // Tables that begin at words, so that they are aligned.
        let stride = bytes.next_multiple_of(8);
        let mut tables = HostBuffer::zeroed("", stride * parts.get()).ok()?;
        let neutral = reduce.neutral(dtype);
        if neutral != 0 {
            let [word, ..] = repeated(loops.size, neutral);
            tables.elements_mut::<u64>().fill(word);
        }
        // SAFETY: the table has `len` elements, and each of the others as many.
        let job = unsafe { Privatised::new(work, Output::new(tables.bytes_mut()), stride, parts) };
        let check_result = self.run(&job);
        for own in tables.bytes().chunks_exact(stride.max(8)) {
            merge(loops, table, own, len);
        }
        Some(check_result)
    }
}
