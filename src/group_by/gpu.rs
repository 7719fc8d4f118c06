//! Groups of rows on a GPU: the index's check of codes, the sums of lengths that segments have, and the radix sort.

use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::engine::gpu::{DeviceBuffer, Fault, Gpu};
use crate::group_by::backend::{GroupByBackend, GroupByOnGpu};
use crate::group_by::plan::{GroupsPlan, empty_group};
use crate::index::backend::IndexOnGpu;
use crate::plan::{Addressing, IndexMode, Op, Operand};
use crate::segments::plan::{GivenSegments, SegmentForm};
use crate::sort::backend::SortBackend;
use crate::sort::plan::SortPlan;
use crate::{DType, Result, Shape};

const OP: &str = GroupsPlan::OP.name();

impl GroupByBackend for Rc<Gpu> {
    fn offsets(&self, plan: &GroupsPlan, counts: &DeviceBuffer) -> Result<DeviceBuffer> {
        let out = DeviceBuffer::new(self, OP, "the result", 4 * (plan.size + 1))?;
        if plan.size > 0 {
            let (form, sizes) = (SegmentForm::Lengths, [plan.rows, 1]);
            let lengths = GivenSegments { form, segments: plan.size, sizes, dtype: DType::Int32 };
            self.ends_of_segments(&lengths, counts)?.copy_to(&out, 4);
        }
        Ok(out)
    }

    fn order(&self, plan: &GroupsPlan, groups: &DeviceBuffer, _: &DeviceBuffer) -> Result<DeviceBuffer> {
        // Without a sign, −1 comes last.
        let codes = Operand { shape: &Shape::new(OP, &[plan.rows])?, dtype: DType::Uint32 };
        let order = self.argsort(&SortPlan::flat(GroupsPlan::OP, codes)?, groups)?;
        self.convert(OP, DType::Int64, DType::Int32, &order)
    }
}

impl GroupByOnGpu for Rc<Gpu> {
    fn positions(
        &self,
        places: &Addressing,
        codes: &Rc<DeviceBuffer>,
        dtype: DType,
        mode: IndexMode,
    ) -> Result<DeviceBuffer> {
        if places.index_entries() == 0 {
            return DeviceBuffer::new(self, OP, "the result", 0);
        }
        let index = self.resolve(places, Rc::clone(codes), dtype, mode, false)?;
        self.check(places, &index, None);
        Rc::try_unwrap(index.buffer).or_else(|shared| shared.duplicate(OP))
    }

    fn check_full(&self, op: Op, statistic: &'static str, dtype: DType, counts: &DeviceBuffer) {
        let slot = self.take_slot(move |Fault { last, .. }| {
            (last != 0).then(|| empty_group(op, statistic, dtype, !last as usize))
        });
        self.check_divisors(slot, DType::Int32, counts);
    }
}
