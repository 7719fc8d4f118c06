//! Exact sums of a call: its terms, one after the other, each with its slot.

pub(crate) mod finish;
pub(crate) mod in_parts;
pub(crate) mod parts;
pub(crate) mod slot_map;
pub(crate) mod sums;

use std::rc::Rc;

use crate::exact::cpu::sums::ExactSums;

use crate::engine::Value;
use crate::engine::cpu::Cpu;
use crate::exact::cpu::slot_map::SlotMap;
use crate::exact::kernels::terms::ExactTerms;
use crate::index::kernels::walker::Elements;
use crate::plan::{Addressing, Update};
use crate::{Bits, DType, HostBuffer, Result, reserved, unshare};

/// If slots are more than so many times the terms, only those that are named get memory.
const SPARSE: usize = 16;

impl Cpu {
    /// Adds the values of a scatter to exact sums, each where the positions say. `positions` has one for each entry of the index, checked
    /// for the plan, or `SKIPPED`.
    /// On an error some of the terms were added.
    pub(crate) fn add_exact(
        &self,
        plan: &Addressing,
        positions: &[u32],
        value: Value<&HostBuffer>,
        sums: &mut ExactSums,
    ) -> Result<()> {
        let (mut scalar, dtype) = (0, sums.dtype());
        let elements = Elements::of_scatter(plan, positions);
        sums.add_terms(&ExactTerms::new(dtype, bytes_of(&value, dtype, &mut scalar), elements))
    }

    /// Runs a scatter whose sums are exact: what `ScatterBackend::scatter` does, but that each slot is rounded once. `positions` as above.
    /// On an error nothing was written.
    pub(crate) fn scatter_exact(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        positions: &[u32],
        value: Value<&HostBuffer>,
    ) -> Result<()> {
        let op = plan.op().name();
        sums::check_slots(op, plan.table_len())?;
        let most = plan.entries() * plan.row().len;
        if plan.table_len() / SPARSE <= most {
            let mut sums = ExactSums::begun(op, dtype, plan.table_len(), (update, most), table.bytes())?;
            self.add_exact(plan, positions, value, &mut sums)?;
            sums.finish_call(update, unshare(op, table)?.bytes_mut());
            return Ok(());
        }
        let mut scalar = 0;
        let values = bytes_of(&value, dtype, &mut scalar);
        let elements = Elements::Scatter { plan, positions };
        let mut slot_map = SlotMap::new(op, most)?;
        let mut slots = reserved(op, most)?;
        let mut traversal = elements.traverse(0..most);
        while let Some(window) = traversal.next() {
            slots.extend_from_slice(window.slots);
        }
        slot_map.add(&slots);
        slot_map.replace(&mut slots);
        let mut own = slot_map.gather(op, table.bytes(), dtype.size())?;
        let mut sums = ExactSums::begun(op, dtype, slot_map.slots().len(), (update, most), own.bytes())?;
        sums.add_terms(&ExactTerms::renamed(dtype, values, elements, &slots))?;
        sums.finish_call(update, own.bytes_mut());
        slot_map.scatter(own.bytes(), unshare(op, table)?.bytes_mut(), dtype.size());
        Ok(())
    }
}

/// The bytes of the elements of a value. A scalar is written to `scalar` first.
fn bytes_of<'a>(value: &Value<&'a HostBuffer>, dtype: DType, scalar: &'a mut Bits) -> &'a [u8] {
    match value {
        Value::Buffer(values) => values.bytes(),
        Value::Scalar(bits) => {
            // In little-endian order the first bytes are those of the element.
            *scalar = bits.to_le();
            bytemuck::bytes_of(scalar).get(..dtype.size()).unwrap_or_default()
        }
    }
}
