//! Statistics of values in bins. The bin of each sample is found while its value is added: no array of all bins exists.

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::{Output, aligned, reduce, repeated};
use crate::histograms::kernels::histogram::{Count, Finder, Weights};
use crate::histograms::plan::binned::BinnedPlan;
use crate::{Bits, DType, HostBuffer, Result, Scalar, load, store};

impl Cpu {
    /// The smallest or the largest value in each bin, NaN in a bin without values.
    pub(crate) fn extremes(
        &self,
        plan: &BinnedPlan,
        finder: &Finder<'_>,
        samples: &[u8],
        values: &[u8],
    ) -> Result<HostBuffer> {
        let (op, dtype, flat_bins) =
            (plan.bins().op().name(), plan.bins().out_dtype(), finder.outside_of_all() as usize);
        let (reduce, size) = (plan.statistic().reduce(), dtype.size());
        let neutral = reduce.neutral(dtype);
        let [word, ..] = repeated(size, neutral);
        let mut table = HostBuffer::zeroed(op, ((flat_bins + 1) * size).next_multiple_of(8))?;
        table.elements_mut::<u64>().fill(word);
        let loops = reduce::loops_for(reduce, dtype, finder.count(samples), flat_bins);
        let out_table = Output::new(table.bytes_mut());
        let count = Count::new(finder, samples, loops, out_table, Weights::Each(values));
        count.add(0..count.len());
        table.truncate(flat_bins * size);
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
