//! Statistics of values in bins. The place of each sample is found while its value is added: no array of all bins exists.

use crate::backend::Masked;
use crate::backend::cpu::kernels::histogram::{Brought, Count, Finder};
use crate::backend::cpu::kernels::job::Output;
use crate::backend::cpu::kernels::loops::repeated;
use crate::backend::cpu::kernels::reduce;
use crate::backend::cpu::run::Cpu;
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{BinnedPlan, Reduce, Statistic};
use crate::scalar::{Scalar, store};

impl Cpu {
    /// The statistic of each row of values in each bin, one row after the other. `edges` has the edges of each column's bins. `values` are
    /// there unless the statistic is a count, in the dtype of the result.
    pub(super) fn binned_statistic(
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
        let mut table = HostBuffer::zeroed(op, (places + 1) * size)?;
        // Whether a place has a value.
        let mut has_value = HostBuffer::zeroed(op, places + 1)?;
        let neutral = reduce.neutral(dtype);
        table.bytes_mut().chunks_exact_mut(size).for_each(|element| store(element, neutral));
        let yes = repeated(1, 1);
        let count = Count::new(finder, samples)
            .fill(0, reduce::loops(reduce, dtype), Output::new(table.bytes_mut()), Brought::Each(values))
            .fill(
                1,
                reduce::loops(Reduce::Replace, DType::Bool),
                Output::new(has_value.bytes_mut()),
                Brought::Same(&yes),
            );
        count.add(0..count.len());
        let nan = Scalar::Float(f64::NAN).cast(dtype);
        let elements = table.bytes_mut().chunks_exact_mut(size).zip(has_value.bytes());
        elements.filter(|(_, has_value)| **has_value == 0).for_each(|(element, _)| store(element, nan));
        table.truncate(places * size);
        Ok(table)
    }
}
