//! Masks on a GPU.

use std::rc::Rc;

use crate::MAX_OP_RANK;
use crate::Result;
use crate::elementwise::plan::broadcast::BroadcastLoop;
use crate::engine::gpu::shaders::pass::{Choose, Compare, DigitScan, Positions};
use crate::engine::gpu::{DeviceBuffer, Format, Gpu, OperandLoop, Pass};
use crate::masks::backend::{Found, MaskBackend};
use crate::masks::plan::choose::ChoosePlan;
use crate::masks::plan::compare::{ComparePlan, Test};
use crate::masks::plan::positions::PositionsPlan;

impl MaskBackend for Rc<Gpu> {
    fn compare(&self, plan: &ComparePlan, x: &DeviceBuffer, y: &DeviceBuffer) -> Result<DeviceBuffer> {
        let out = DeviceBuffer::unfilled(self, plan.op().name(), "the result", plan.len())?;
        if plan.len() == 0 {
            return Ok(out);
        }
        let [left, right] = plan.operands(x, y);
        let [left_format, right_format] = plan.dtypes().map(Format::of);
        let params = Compare {
            left: left_format,
            right: right_format,
            loops: loops(plan.loops()),
            loop_count: plan.loops().len() as u32,
            len: plan.len() as u32,
            test: match plan.test() {
                Test::Less => 0,
                Test::LessOrEqual => 1,
                Test::Equal => 2,
            },
            is_negated: plan.is_negated().into(),
        };
        let pass = self.pass(Pass::Compare, &params).index(right).dst(&out).src(left);
        pass.rounds(4).record(plan.len().div_ceil(4));
        Ok(out)
    }

    /// Two passes: what x gives, then what y gives.
    fn choose(
        &self,
        plan: &ChoosePlan,
        mask: &DeviceBuffer,
        x: &DeviceBuffer,
        y: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let bytes = plan.len() * plan.dtype().size();
        let out = DeviceBuffer::unfilled(self, ChoosePlan::OP.name(), "the result", bytes)?;
        if plan.len() == 0 {
            return Ok(out);
        }
        for (values, wanted) in [(x, true), (y, false)] {
            let each = plan.loops().iter().map(|l| {
                let [mask, x, y] = l.strides;
                BroadcastLoop { len: l.len, x_stride: mask, y_stride: if wanted { x } else { y } }
            });
            let params = Choose {
                loops: loops(&each.collect::<Vec<_>>()),
                loop_count: plan.loops().len() as u32,
                len: plan.len() as u32,
                bits: 8 * plan.dtype().size() as u32,
                wanted: wanted.into(),
                is_first: wanted.into(),
            };
            let pass = self.pass(Pass::Choose, &params).index(mask).dst(&out).src(values);
            pass.record(bytes.div_ceil(4));
        }
        Ok(out)
    }

    /// Counts the positions of each tile, adds the counts up, and writes the positions.
    fn positions(&self, plan: &PositionsPlan, x: &DeviceBuffer) -> Result<Found<DeviceBuffer>> {
        let (op, tiles) = (plan.op().name(), plan.len().div_ceil(TILE));
        let (len, fill) = plan.size().unwrap_or((plan.len(), 0));
        let sums = DeviceBuffer::unfilled(self, op, "work on the positions", 4 * (tiles + 1))?;
        let positions = DeviceBuffer::unfilled(self, op, "the result", len * plan.positions().size())?;
        let significant = plan.significant_bits();
        let mut params = Positions {
            len: plan.len() as u32,
            bits: 8 * plan.dtype().size() as u32,
            significant: if plan.dtype().size() == 8 { significant >> 32 } else { significant } as u32,
            is_counting: 1,
            size: len as u32,
            words: plan.positions().size() as u32 / 4,
            fill: [fill as u32, (fill >> 32) as u32],
        };
        let count = self.pass(Pass::Positions, &params).dst(&sums).src(x);
        count.record_groups(tiles + 1);
        let scan = DigitScan { count: tiles as u32 + 1 };
        self.pass(Pass::DigitScan, &scan).dst(&sums).record_groups(1);
        params.is_counting = 0;
        let write = self.pass(Pass::Positions, &params).index(&sums).dst(&positions).src(x);
        write.record_groups(tiles.max(len.div_ceil(TILE)));
        Ok(Found { positions, len, sums: Some((sums, tiles)) })
    }
}

/// Elements of a workgroup in `shaders/masks/positions.wgsl`.
const TILE: usize = 4096;

/// The loops as a shader takes them, innermost first.
fn loops(plan: &[BroadcastLoop]) -> [OperandLoop; MAX_OP_RANK] {
    let mut loops = [OperandLoop::default(); MAX_OP_RANK];
    for (slot, l) in loops.iter_mut().zip(plan.iter().rev()) {
        *slot = OperandLoop { len: l.len as u32, unused: 0, strides: [l.x_stride as u32, l.y_stride as u32] };
    }
    loops
}
