//! Gathers on a GPU.

use std::rc::Rc;

use crate::engine::gpu::shaders::pass::Gather;
use crate::engine::gpu::{DeviceBuffer, Entries, Gpu, IndexFormat, Pass, ShaderKey, Width};
use crate::gather::backend::GatherBackend;
use crate::index::gpu::Index;
use crate::index::gpu::entries::{Units, loops_of_quads};
use crate::plan::Addressing;
use crate::{Bits, DType, Result};

impl GatherBackend for Rc<Gpu> {
    /// Rows move in the largest possible units. Elements that share words are gathered a word at a time.
    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &DeviceBuffer,
        index: &Index,
        fill: Bits,
    ) -> Result<DeviceBuffer> {
        let (op, elements) = (plan.op().name(), plan.entries() * plan.row().len);
        // A read may return the result of a refused gather before the refusal is known. The result must not show old data.
        let make = if index.unchecked.is_some() { DeviceBuffer::new } else { DeviceBuffer::unfilled };
        let out = make(self, op, "the result", elements * dtype.size())?;
        if plan.index_entries() == 0 {
            return Ok(out);
        }
        let slot = self.check(plan, index, None);
        // Rows without elements: the index was checked all the same.
        if elements == 0 {
            return Ok(out);
        }
        let units = Units::of(plan, dtype);
        let (mut format, mut entries) = (IndexFormat::new(plan, index), Entries::new(plan));
        units.apply(&mut entries);
        format.slot_stride = units.count(plan.slot_stride()) as u32;
        let len = units.count(elements);
        let threads = match units.width {
            // A thread per word; several elements share the word.
            Width::One | Width::Two => len.div_ceil(4 / dtype.size()),
            Width::Four | Width::Eight | Width::Sixteen => len,
        };
        // The element for a skipped entry, repeated to eight bytes: a unit of a row may hold several elements.
        let fill = (0..8 / dtype.size()).fold(0, |all, at| all | fill << (8 * dtype.size() * at));
        let fill = [fill as u32, (fill >> 32) as u32];
        let quads = loops_of_quads(&format, entries).filter(|_| units.width == Width::Four);
        let (key, entries, rounds) = match quads {
            // A thread per four words of the result.
            Some(entries) => (Pass::GatherQuads.into(), entries, 4),
            None => (ShaderKey::units(Pass::Gather, units.width), entries, 1),
        };
        let params = Gather { index: format, entries, fill, len: len as u32 };
        let pass = self.pass(key, &params).slot(slot).index(&*index.buffer).dst(&out).src(table);
        pass.rounds(rounds).record(threads.div_ceil(rounds));
        Ok(out)
    }
}
