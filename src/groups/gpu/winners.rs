//! Maxima and minima with the updates that won. First the maximum; then every update that has its bits competes by its position.

use std::rc::Rc;

use crate::dtype::DType;
use crate::engine::Value;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::dispatch::Bindings;
use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::params::parts::{Entries, FloatBits, Head, IndexFormat, Update};
use crate::engine::gpu::shaders::params::{FindWinners, SettleWinners};
use crate::engine::gpu::shaders::pass::Pass;
use crate::engine::gpu::shaders::width::Width;
use crate::error::Result;
use crate::index::gpu::Index;
use crate::plan::index::addressing::Addressing;
use crate::segments::plan::CheckedSegments;

impl Gpu {
    /// `Backend::scatter_winners`.
    ///
    /// # Errors
    /// Those of `Backend::scatter`.
    pub(crate) fn scatter_winners(
        self: &Rc<Self>,
        plan: &Addressing,
        dtype: DType,
        update: crate::plan::reduce::Update,
        table: &mut Rc<DeviceBuffer>,
        index: &Index,
        value: Value<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (op, places) = (plan.op().name(), plan.table_len());
        // Zeros: no update has won yet.
        let found = DeviceBuffer::new(self, op, "the winners", places * size_of::<u32>())?;
        let winners = DeviceBuffer::unfilled(self, op, "the winners", places * size_of::<i64>())?;
        // The old values, if they compete. A shared table is copied before the first write.
        let before = if Rc::get_mut(table).is_none() {
            let copy = table.duplicate(op)?;
            Some(std::mem::replace(table, Rc::new(copy)))
        } else {
            update.include_self.then(|| table.duplicate(op).map(Rc::new)).transpose()?
        };
        let slot = self.check(plan, index, None);
        self.scatter_checked((plan, slot), dtype, update, table, index, value)?;
        let (width, bits) = (Width::of(dtype), FloatBits::of(dtype));
        let (inside, rounds) = meeting(plan);
        let threads = plan.entries() * plan.row().len;
        if threads > 0 && places > 0 {
            let params = FindWinners {
                head: Head::new(threads, slot),
                index: IndexFormat::new(plan, index),
                entries: Entries::new(plan),
                update: Update::new(&value),
                bits,
                inside,
                rounds,
                unused_0: 0,
                unused_1: 0,
            };
            let src = match value {
                Value::Buffer(buffer) => Some(buffer),
                Value::Scalar(_) => None,
            };
            let bindings = Bindings { index: Some(&index.buffer), dst: Some(&found), src };
            let key = ShaderKey::units(Pass::FindWinners, width);
            self.dispatch_with(key, params, 1, &bindings, Some(table));
        }
        if places > 0 {
            let head = Head::new(places, slot);
            let include_self = update.include_self.into();
            let params = SettleWinners { head, bits, include_self, ..SettleWinners::default() };
            let bindings = Bindings { index: Some(&found), dst: Some(&winners), src: Some(table) };
            let key = ShaderKey::units(Pass::SettleWinners, width);
            self.dispatch_with(key, params, 1, &bindings, before.as_deref());
        }
        Ok(winners)
    }

    /// `Backend::segment_winners`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn segment_winners(
        self: &Rc<Self>,
        segments: &CheckedSegments,
        dtype: DType,
        update: crate::plan::reduce::Update,
        out: &mut Rc<DeviceBuffer>,
        data: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let (plan, index) = self.index_of_segments(segments, dtype)?;
        self.scatter_winners(&plan, dtype, update, out, &index, Value::Buffer(data))
    }
}

/// How many entries one round of the meeting loop has, and its rounds: the position of an entry is its coordinate there.
fn meeting(plan: &Addressing) -> (u32, u32) {
    let Some(number) = plan.meeting_loop() else { return (1, 1) };
    let inside: usize = plan.loops().iter().skip(number + 1).map(|l| l.len).product();
    (inside.max(1) as u32, plan.loops().get(number).map_or(1, |l| l.len.max(1)) as u32)
}
