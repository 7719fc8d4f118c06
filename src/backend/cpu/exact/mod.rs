//! Exact sums of a call: its terms, one after the other, each with its place.

mod groups;
mod numbering;
mod parts;
mod sums;
mod walk;

use std::rc::Rc;

pub use sums::ExactSums;

use crate::backend::cpu::exact::numbering::Numbering;
use crate::backend::cpu::exact::walk::{Terms, walk};
use crate::backend::cpu::kernels::histogram::Finder;
use crate::backend::cpu::run::Cpu;
use crate::backend::{CheckedSegments, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::{HostBuffer, unshare};
use crate::plan::{Addressing, HistogramPlan, Op, Update};
use crate::scalar::Bits;

/// If places are more than so many times the terms, only those that are named get memory.
const SPARSE: usize = 16;

impl Cpu {
    /// Adds the values of a scatter to exact sums, each where the positions say. `positions` has one for each entry of the index, checked
    /// for the plan, or `DROPPED`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted: some of the terms were added then.
    pub fn add_exact(
        &self,
        plan: &Addressing,
        positions: &[u32],
        value: Value<&HostBuffer>,
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
        value: Value<&HostBuffer>,
    ) -> Result<()> {
        let op = plan.op().name();
        sums::check_places(op, plan.table_len())?;
        let most = plan.entries() * plan.row().len;
        if plan.table_len() / SPARSE <= most {
            let mut sums = ExactSums::of_call(op, dtype, plan.table_len(), update, table.bytes())?;
            self.add_exact(plan, positions, value, &mut sums)?;
            sums.finish_call(update, unshare(op, table)?.bytes_mut());
            return Ok(());
        }
        let mut numbering = Numbering::new(op, most)?;
        walk(plan, positions, &mut |places, _| {
            numbering.add(places);
            Ok(())
        })?;
        let mut own = numbering.gather(op, table.bytes(), dtype.size())?;
        let mut sums = ExactSums::of_call(op, dtype, numbering.places().len(), update, own.bytes())?;
        let mut scalar = 0;
        let terms = Terms::new(dtype, bytes_of(&value, dtype, &mut scalar));
        walk(plan, positions, &mut |places, numbers| {
            numbering.replace(places);
            terms.add(places, numbers, &mut sums)
        })?;
        sums.finish_call(update, own.bytes_mut());
        numbering.scatter(own.bytes(), unshare(op, table)?.bytes_mut(), dtype.size());
        Ok(())
    }

    /// Runs `combine_segments` with exact sums. What a segment starts from is one of its terms, but a mean does not count it.
    pub(super) fn combine_segments_exact(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<HostBuffer>,
        data: &HostBuffer,
    ) -> Result<()> {
        let (op, ends, row) = (Op::SegmentReduce.name(), segments.ends(), segments.row());
        let mut sums = ExactSums::new(op, dtype, ends.len() * row, false)?;
        sums.begin(out.bytes());
        let terms = Terms::new(dtype, data.bytes());
        walk::segments(ends, row, &mut |places, numbers| terms.add(places, numbers, &mut sums))?;
        let end = |segment: usize| ends.get(segment).copied().unwrap_or_default();
        sums.finish(unshare(op, out)?.bytes_mut(), &|place| {
            let segment = place / row.max(1);
            let length = end(segment) - segment.checked_sub(1).map_or(0, end);
            if update.is_mean() { Some(length.into()).filter(|_| length > 0) } else { Some(1) }
        });
        Ok(())
    }

    /// Adds the weights of samples exactly, each in its place. `finder` knows the places, of which the one behind the last takes what is in none.
    pub(super) fn histogram_exact(
        &self,
        plan: &HistogramPlan,
        finder: &Finder<'_>,
        samples: &[u8],
        weights: &HostBuffer,
    ) -> Result<HostBuffer> {
        let (op, dtype, places) = (plan.op().name(), plan.out_dtype(), plan.out_shape().size());
        let mut table = HostBuffer::zeroed(op, places * dtype.size())?;
        let mut sums = ExactSums::new(op, dtype, places, false)?;
        sums.begin(table.bytes());
        finder.windows(samples, 0..plan.samples(), |first, positions| {
            let rest = weights.bytes().get(first * dtype.size()..).unwrap_or_default();
            Terms::new(dtype, rest).add_all(positions, &mut sums)
        })?;
        sums.finish_sums(table.bytes_mut());
        Ok(table)
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
