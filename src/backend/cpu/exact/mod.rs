//! Exact sums of a call: its terms, one after the other, each with its place.

mod numbering;
mod sums;
mod walk;

use std::rc::Rc;

pub use sums::ExactSums;

use crate::backend::Value;
use crate::backend::cpu::Cpu;
use crate::backend::cpu::exact::numbering::Numbering;
use crate::backend::cpu::exact::walk::{Terms, walk};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::{HostBuffer, unshare};
use crate::plan::{Addressing, Mean, Update};
use crate::scalar::Bits;

/// If places are more than so many times the terms, only those that are named get memory.
const SPARSE: usize = 16;

impl Cpu {
    /// Adds the values of a scatter to exact sums, each where the positions say. `positions` has one for each entry of the index, checked
    /// for the plan, or [`DROPPED`](super::DROPPED).
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted: some of the terms were added then.
    pub fn add_exact(
        &self,
        plan: &Addressing,
        positions: &[u32],
        value: Value<'_, HostBuffer>,
        sums: &mut ExactSums,
    ) -> Result<()> {
        let mut scalar = 0;
        let terms = Terms::new(sums.dtype(), bytes_of(&value, sums.dtype(), &mut scalar));
        if walk::is_flat(plan) {
            let is_single = plan.value_len() == 1 && plan.entries() > 1;
            return if is_single { terms.add_first(positions, sums) } else { terms.add_all(positions, sums) };
        }
        walk(plan, positions, &mut |places, numbers| terms.add(places, numbers, sums))
    }

    /// Runs a scatter whose sums are exact: what `Backend::scatter` does, but that each place is rounded once. `positions` as above.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted. Nothing was written then.
    pub fn scatter_exact(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        positions: &[u32],
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        let op = plan.op().name();
        let counts = update.is_mean() || !update.include_self;
        let most = plan.entries() * plan.row().len;
        if plan.table_len() / SPARSE <= most {
            let mut sums = ExactSums::new(op, dtype, plan.table_len(), counts)?;
            if update.include_self {
                sums.begin(table.bytes());
            }
            self.add_exact(plan, positions, value, &mut sums)?;
            let divisors = divisors(update, sums.take_counts());
            sums.finish(unshare(op, table)?.bytes_mut(), divisors);
            return Ok(());
        }
        let mut numbering = Numbering::new(op, most)?;
        walk(plan, positions, &mut |places, _| {
            numbering.add(places);
            Ok(())
        })?;
        let mut sums = ExactSums::new(op, dtype, numbering.places().len(), counts)?;
        let mut own = numbering.gather(op, table.bytes(), dtype.size())?;
        if update.include_self {
            sums.begin(own.bytes());
        }
        let mut scalar = 0;
        let terms = Terms::new(dtype, bytes_of(&value, dtype, &mut scalar));
        walk(plan, positions, &mut |places, numbers| {
            numbering.replace(places);
            terms.add(places, numbers, &mut sums)
        })?;
        let divisors = divisors(update, sums.take_counts());
        sums.finish(own.bytes_mut(), divisors);
        numbering.scatter(own.bytes(), unshare(op, table)?.bytes_mut(), dtype.size());
        Ok(())
    }
}

/// The bytes of the elements of a value. A scalar is written to `scalar` first.
fn bytes_of<'a>(value: &Value<'a, HostBuffer>, dtype: DType, scalar: &'a mut Bits) -> &'a [u8] {
    match value {
        Value::Buffer(values) => values.bytes(),
        Value::Scalar(bits) => {
            // In little-endian order the first bytes are those of the element.
            *scalar = bits.to_le();
            bytemuck::bytes_of(scalar).get(..dtype.size()).unwrap_or_default()
        }
    }
}

/// What the sum of a place is divided by; `None` where nothing is written.
fn divisors(update: Update, counts: HostBuffer) -> impl Fn(usize) -> Option<u64> {
    move |place| {
        let Some(&count) = counts.elements::<u64>().get(place) else { return Some(1) };
        match update.mean {
            _ if count == 0 => None,
            Mean::No => Some(1),
            Mean::OfUpdates => Some(count),
            Mean::WithSelf => Some(count + 1),
        }
    }
}
