//! The end of exact sums: each slot is rounded once.

use crate::exact::cpu::sums::ExactSums;
use crate::{DType, HostBuffer, Result, Scalar, UninitBuffer, load, store};

impl ExactSums {
    /// Writes the sum of each slot, rounded once, to `bytes`. NaN does not overwrite NaN, so that a slot to which nothing was added keeps its
    /// bits.
    pub(crate) fn finish_sums(&self, bytes: &mut [u8]) {
        if self.dtype != DType::Float32 || self.low.len() > 0 {
            return self.finish(bytes, &|_| Some(1));
        }
        let elements: &mut [f32] = bytemuck::cast_slice_mut(bytes);
        for (element, &high) in elements.iter_mut().zip(self.high.elements::<f64>()) {
            let sum = high as f32;
            *element = if sum.is_nan() && element.is_nan() { *element } else { sum };
        }
        self.finish_some(bytes, self.dtype, true, &|_| Some(1));
    }

    /// Writes the sum of each slot, divided by `divisor(slot)` and rounded once, to `bytes`. A slot without a divisor is not written.
    /// NaN does not overwrite NaN.
    pub(crate) fn finish(&self, bytes: &mut [u8], divisor: &dyn Fn(usize) -> Option<u64>) {
        self.finish_some(bytes, self.dtype, false, divisor);
    }

    /// [`ExactSums::finish`] of all slots, or of those that have accumulators, as elements of a dtype.
    fn finish_some(
        &self,
        bytes: &mut [u8],
        dtype: DType,
        are_spilled: bool,
        divisor: &dyn Fn(usize) -> Option<u64>,
    ) {
        if are_spilled && self.tally.used == 0 {
            return;
        }
        let (sums, numbers) = (self.view(), self.numbers.elements::<u32>());
        for (slot, element) in bytes.chunks_exact_mut(dtype.size()).enumerate() {
            if are_spilled && numbers.get(slot) == Some(&0) {
                continue;
            }
            let Some(divisor) = divisor(slot) else { continue };
            let is_nan = self.high.elements::<f64>().get(slot).is_some_and(|high| high.is_nan());
            if !is_nan || !Scalar::load(load(element), dtype).as_f64().is_nan() {
                store(element, sums.quotient(dtype, slot, divisor));
            }
        }
    }

    /// The sums or the means, rounded once to a float dtype. At slots without terms a sum is +0 and a mean NaN.
    pub(crate) fn rounded(&self, means: bool, dtype: DType) -> Result<HostBuffer> {
        // One division and a conversion are one rounding: see `quotient_of_floats`.
        let has_floats = self.dtype == DType::Float32 && self.low.len() == 0;
        if means && has_floats && dtype == self.dtype && self.count_size() == 4 && self.most_terms() < 1 << 28
        {
            let mut out = UninitBuffer::new(self.op, 4 * self.slots())?;
            let sums = self.high.elements::<f64>().iter().zip(self.counts.elements::<u32>());
            for (mean, (&sum, &count)) in out.slots::<f32>().iter_mut().zip(sums) {
                let quotient = (sum / f64::from(count)) as f32;
                mean.write(if count == 0 || quotient.is_nan() { f32::NAN } else { quotient });
            }
            // SAFETY: every slot was filled: slots have a float and a count each.
            let mut out = unsafe { out.assume_filled() };
            self.finish_some(out.bytes_mut(), dtype, true, &|slot| Some(self.count(slot)));
            return Ok(out);
        }
        let size = dtype.size();
        let mut out = HostBuffer::zeroed(self.op, self.slots() * size)?;
        let of_none = Scalar::Float(if means { f64::NAN } else { 0.0 }).cast(dtype);
        out.bytes_mut().chunks_exact_mut(size).for_each(|element| store(element, of_none));
        self.finish_some(out.bytes_mut(), dtype, false, &|slot| match self.count(slot) {
            0 => None,
            count => Some(if means { count } else { 1 }),
        });
        Ok(out)
    }
}
