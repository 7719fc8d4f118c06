//! Counts of integers themselves, for `bincount`.

use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::engine::Masked;
use crate::engine::gpu::shaders::pass::{CountIntegers, CountReport};
use crate::engine::gpu::{DeviceBuffer, Fault, Gpu, Layout, NEVER_FAILS, Pass, sign_of};
use crate::histograms::backend::{BincountBackend, BincountOnGpu};
use crate::histograms::plan::bincount::BincountPlan;
use crate::plan::Update;
use crate::{DType, Error, Result};

impl BincountBackend for Rc<Gpu> {
    fn bincount(
        &self,
        plan: &BincountPlan,
        flat_bins: usize,
        x: Masked<'_, DeviceBuffer>,
        weights: Option<(&DeviceBuffer, Update)>,
    ) -> Result<DeviceBuffer> {
        let (op, dtype, out) = (BincountPlan::OP, plan.dtype(), plan.out_dtype());
        let (len, groups) = (x.numbers.len() / dtype.size(), plan.groups());
        if len == 0 {
            return DeviceBuffer::new(self, op.name(), "the result", groups.count * flat_bins * out.size());
        }
        let positions = DeviceBuffer::unfilled(self, op.name(), "the places of samples", 4 * len)?;
        let top = if dtype.is_signed_integer() { 1 << 31 } else { 0 };
        let params = CountIntegers { places: flat_bins as u32, writes: 1, top, ..CountIntegers::default() };
        self.count_integers(plan, params, x, false, Some(&positions));
        let positions = self.select_bins(positions, flat_bins, groups, x.mask);
        self.add_at(op, groups.count * flat_bins, positions, weights, out)
    }
}

impl BincountOnGpu for Rc<Gpu> {
    fn count_values(
        &self,
        plan: &BincountPlan,
        flat_bins: usize,
        x: &DeviceBuffer,
        is_checked: bool,
    ) -> Result<DeviceBuffer> {
        let op = BincountPlan::OP.name();
        let counts = DeviceBuffer::new(self, op, "the counts", 4 * flat_bins)?;
        let params = CountIntegers { places: flat_bins as u32, is_counting: 1, ..CountIntegers::default() };
        self.count_integers(plan, params, Masked { numbers: x, mask: None }, is_checked, Some(&counts));
        self.convert(op, DType::Uint32, plan.out_dtype(), &counts)
    }

    fn check_values(&self, plan: &BincountPlan, flat_bins: usize, x: &DeviceBuffer) {
        let params = CountIntegers { places: flat_bins as u32, ..CountIntegers::default() };
        self.count_integers(plan, params, Masked { numbers: x, mask: None }, false, None);
    }
}

impl Gpu {
    /// Writes to `dst`, if given, what `params` says, and checks the values unless they are.
    fn count_integers(
        self: &Rc<Self>,
        plan: &BincountPlan,
        params: CountIntegers,
        x: Masked<'_, DeviceBuffer>,
        is_checked: bool,
        dst: Option<&DeviceBuffer>,
    ) {
        let dtype = plan.dtype();
        let len = x.numbers.len() / dtype.size();
        // No value of an unsigned dtype is without a bin.
        let is_checked = is_checked || !dtype.is_signed_integer();
        let Some(layout) = Layout::of_dtype(dtype).filter(|_| len > 0 && (dst.is_some() || !is_checked))
        else {
            return;
        };
        let slot = if is_checked { NEVER_FAILS } else { self.take_slot(negative(plan.clone())) };
        let sign = sign_of(dtype);
        let params = CountIntegers { sign, len: len as u32, has_mask: x.mask.is_some().into(), ..params };
        let pass = self.pass(Pass::CountIntegers(layout), &params).slot(slot).index(x.mask);
        pass.dst(dst).src(x.numbers).rounds(4).record(len.div_ceil(4));
        if !is_checked {
            self.pass(Pass::CountReport(layout), &CountReport { sign }).slot(slot).src(x.numbers).record(1);
        }
    }
}

/// The error for what `shaders/histograms/count_integers.wgsl` and `count_report.wgsl` found.
fn negative(plan: BincountPlan) -> impl Fn(Fault) -> Option<Error> {
    move |Fault { first, value, .. }| (first != 0).then(|| plan.negative(!first as usize, value as i64))
}
