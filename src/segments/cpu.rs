//! Reductions of neighbouring rows.

use std::rc::Rc;

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::{Output, reduce};
use crate::exact::cpu::sums::ExactSums;
use crate::exact::kernels::terms::ExactTerms;
use crate::index::kernels::walker::Elements;
use crate::plan::{Mean, Op, Update};
use crate::scatter::kernels::{Counts, Divide};
use crate::segments::kernels::Segments;
use crate::segments::plan::CheckedSegments;
use crate::{DType, HostBuffer, Result, unshare};

impl Cpu {
    /// Combines the row of each segment in `out` with the segment's rows of `data`, in order. `out` has the starting row of each segment.
    /// That row always counts: `update.include_self` is true.
    pub(crate) fn combine_segments(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<HostBuffer>,
        data: &HostBuffer,
    ) -> Result<()> {
        let (op, ends, row) = (Op::SegmentReduce.name(), segments.ends(), segments.row());
        // What a segment starts from is one of its terms, but a mean does not count it.
        let of_sums = Update { mean: Mean::No, ..update };
        if let Some(mut sums) = ExactSums::of_call(op, dtype, ends.len() * row, (of_sums, 0), out.bytes())? {
            sums.add_terms(&ExactTerms::new(dtype, data.bytes(), Elements::Segments { ends, row }))?;
            let end = |segment: usize| ends.get(segment).copied().unwrap_or_default();
            sums.finish(unshare(op, out)?.bytes_mut(), &|slot| {
                let segment = slot / row.max(1);
                let length = end(segment) - segment.checked_sub(1).map_or(0, end);
                if update.is_mean() { Some(length.into()).filter(|_| length > 0) } else { Some(1) }
            });
            return Ok(());
        }
        let out = Output::new(unshare(op, out)?.bytes_mut());
        let loops = reduce::loops(update.reduce, dtype);
        // SAFETY: the ends of checked segments do not decrease.
        let combine = unsafe { Segments::new(loops, out, data.bytes(), ends, row) };
        let divide = Divide::new(dtype, out, row, Counts::Ends(ends), update.other_terms());
        self.run(&combine);
        if update.is_mean() {
            self.run(&divide);
        }
        Ok(())
    }
}
