//! Statistics of values in bins. The place of each sample is found while its value is added: no array of all bins exists.

use crate::dtype::DType;
use crate::engine::Masked;
use crate::engine::cpu::kernels::job::{Output, aligned};
use crate::engine::cpu::kernels::loops::entries::repeated;
use crate::engine::cpu::kernels::reduce;
use crate::engine::cpu::run::Cpu;
use crate::error::Result;
use crate::histograms::kernels::histogram::{Brought, Count, Finder};
use crate::histograms::plan::binned::{BinnedPlan, Statistic};
use crate::host::HostBuffer;
use crate::scalar::{Bits, Scalar, load, store};

impl Cpu {
    /// The statistic of each row of values in each bin, one row after the other. `edges` has the edges of each column's bins. `values` are
    /// there unless the statistic is a count, in the dtype of the result.
    pub(crate) fn binned_statistic(
        &self,
        plan: &BinnedPlan,
        edges: &[&[f64]],
        x: Masked<'_, HostBuffer>,
        values: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let bins = plan.bins();
        let (op, dtype, samples) = (bins.op().name(), bins.out_dtype(), x.numbers.bytes());
        let row_len = bins.samples() * dtype.size();
        let values = values.map(HostBuffer::bytes).unwrap_or_default();
        let row_of = |row: usize| values.get(row * row_len..(row + 1) * row_len).unwrap_or_default();
        let one_row = |finder: &Finder<'_>, row: usize| match plan.statistic() {
            Statistic::Count => self.count_samples(op, dtype, finder, samples, None),
            Statistic::Sum | Statistic::Mean if plan.is_exact() => {
                let is_mean = plan.statistic() == Statistic::Mean;
                self.sum_exactly(op, dtype, finder, samples, row_of(row), is_mean)
            }
            Statistic::Sum | Statistic::Mean => {
                self.count_samples(op, dtype, finder, samples, Some(row_of(row)))
            }
            Statistic::Min | Statistic::Max => self.extremes(plan, finder, samples, row_of(row)),
        };
        self.with_finder(bins, edges, x, &mut |finder| {
            if plan.rows() == 1 {
                return one_row(finder, 0);
            }
            let mut out = HostBuffer::zeroed(op, plan.out_shape().size() * dtype.size())?;
            let size = (bins.places() * dtype.size()).max(1);
            let mut counts = None;
            for (row, slots) in out.bytes_mut().chunks_exact_mut(size).enumerate() {
                // Each row has the same counts.
                let made = match counts.take() {
                    Some(counts) => counts,
                    None => one_row(finder, row)?,
                };
                slots.copy_from_slice(made.bytes().get(..size).unwrap_or_default());
                counts = Some(made).filter(|_| plan.statistic() == Statistic::Count);
            }
            Ok(out)
        })
    }

    /// The smallest or the largest value in each bin, NaN in a bin without values.
    fn extremes(
        &self,
        plan: &BinnedPlan,
        finder: &Finder<'_>,
        samples: &[u8],
        values: &[u8],
    ) -> Result<HostBuffer> {
        let (op, dtype, places) =
            (plan.bins().op().name(), plan.bins().out_dtype(), finder.outside_of_all() as usize);
        let (reduce, size) = (plan.statistic().reduce(), dtype.size());
        let neutral = reduce.neutral(dtype);
        let [word, ..] = repeated(size, neutral);
        let mut table = HostBuffer::zeroed(op, ((places + 1) * size).next_multiple_of(8))?;
        table.elements_mut::<u64>().fill(word);
        let is_spread = finder.count(samples) / reduce::SPREAD <= places;
        let loops =
            if is_spread { reduce::spread_loops(reduce, dtype) } else { reduce::loops(reduce, dtype) };
        let out_table = Output::new(table.bytes_mut());
        let count = Count::new(finder, samples, loops, out_table, Brought::Each(values));
        count.add(0..count.len());
        table.truncate(places * size);
        // A bin with the neutral value has no values, or all of them are neutral.
        let nan = Scalar::Float(f64::NAN).cast(dtype);
        if !holds(values, size, neutral) {
            let elements = table.bytes_mut().chunks_exact_mut(size);
            elements.filter(|element| load(element) == neutral).for_each(|element| store(element, nan));
            return Ok(table);
        }
        let counts = self.count_samples(op, DType::Uint32, finder, samples, None)?;
        let elements = table.bytes_mut().chunks_exact_mut(size).zip(counts.elements::<u32>());
        elements.filter(|(_, count)| **count == 0).for_each(|(element, _)| store(element, nan));
        Ok(table)
    }
}

/// Whether one of the elements of `size` bytes, which are floats, has these bits.
fn holds(bytes: &[u8], size: usize, bits: Bits) -> bool {
    match size {
        2 => aligned(bytes).contains(&(bits as u16)),
        4 => aligned(bytes).contains(&(bits as u32)),
        _ => aligned(bytes).contains(&bits),
    }
}
