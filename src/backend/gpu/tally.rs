//! Counts of integers themselves, for `bincount`.

use std::rc::Rc;

use crate::backend::Backend;
use crate::backend::gpu::buffer::DeviceBuffer;
use crate::backend::gpu::device::Gpu;
use crate::backend::gpu::dispatch::Bindings;
use crate::backend::gpu::faults::status::Recorded;
use crate::backend::gpu::shaders::kernel::ShaderKey;
use crate::backend::gpu::shaders::layout::Layout;
use crate::backend::gpu::shaders::params::{Head, NEVER_FAILS, Tally, TallyReport, sign_of};
use crate::backend::gpu::shaders::pass::Pass;
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::BincountPlan;

impl Gpu {
    /// Counts the values of x in `places` places. A result has fewer than 2^32 samples, so counts are words, and become int64 at the end.
    /// `is_checked`: the host knows that each value has a place. Otherwise a value without one is negative, and the next read reports it.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn count_values(
        self: &Rc<Self>,
        plan: &BincountPlan,
        places: usize,
        x: &DeviceBuffer,
        is_checked: bool,
    ) -> Result<DeviceBuffer> {
        let op = BincountPlan::OP.name();
        let counts = DeviceBuffer::new(self, op, "the counts", 4 * places)?;
        self.tally(plan, places, x, is_checked, Some(&counts));
        self.convert(op, DType::Uint32, DType::Int64, &counts)
    }

    /// Has the next read report the first negative value of x, if there is one.
    pub(crate) fn check_values(self: &Rc<Self>, plan: &BincountPlan, places: usize, x: &DeviceBuffer) {
        self.tally(plan, places, x, false, None);
    }

    /// Adds the number of each value to `counts`, if given, and checks the values unless they are.
    fn tally(
        self: &Rc<Self>,
        plan: &BincountPlan,
        places: usize,
        x: &DeviceBuffer,
        is_checked: bool,
        counts: Option<&DeviceBuffer>,
    ) {
        let dtype = plan.dtype();
        let len = x.len() / dtype.size();
        // No value of an unsigned dtype is without a place.
        let is_checked = is_checked || !dtype.is_signed_integer();
        let Some(layout) = Layout::of_dtype(dtype).filter(|_| len > 0 && (counts.is_some() || !is_checked))
        else {
            return;
        };
        let slot = if is_checked { NEVER_FAILS } else { self.take_slot(Recorded::Values(plan.clone())) };
        let sign = sign_of(dtype);
        let params = Tally {
            head: Head::new(len.div_ceil(4), slot),
            sign,
            places: places as u32,
            len: len as u32,
            is_counting: counts.is_some().into(),
        };
        let bindings = Bindings { index: None, dst: counts, src: Some(x) };
        self.dispatch_rounds(ShaderKey::words(Pass::Tally(layout)), params, 4, &bindings);
        if !is_checked {
            let params = TallyReport { head: Head::new(1, slot), sign };
            let bindings = Bindings { index: None, dst: None, src: Some(x) };
            self.dispatch(ShaderKey::words(Pass::TallyReport(layout)), params, &bindings);
        }
    }
}
