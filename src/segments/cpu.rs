//! Reductions of neighbouring rows.

use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::cpu::kernels::job::Output;
use crate::engine::cpu::kernels::reduce;
use crate::engine::cpu::run::Cpu;
use crate::error::Result;
use crate::host::{HostBuffer, unshare};
use crate::plan::op::Op;
use crate::plan::reduce::Update;
use crate::scatter::kernels::{Counts, Divide};
use crate::segments::backend::SegmentsBackend;
use crate::segments::kernels::Segments;
use crate::segments::plan::CheckedSegments;

impl SegmentsBackend for Cpu {
    fn combine_segments(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<HostBuffer>,
        data: &HostBuffer,
    ) -> Result<()> {
        if update.is_exact(dtype) {
            return self.combine_segments_exact(segments, dtype, update, out, data);
        }
        let out = Output::new(unshare(Op::SegmentReduce.name(), out)?.bytes_mut());
        let (loops, ends, row) = (reduce::loops(update.reduce, dtype), segments.ends(), segments.row());
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
