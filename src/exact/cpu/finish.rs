//! The end of exact sums: each place is rounded once.

use crate::dtype::DType;
use crate::exact::arithmetic::limbs::Unit;
use crate::exact::arithmetic::quick::quick_single;
use crate::exact::cpu::sums::ExactSums;
use crate::exact::kernels::quotient::{quotient_of_all, quotient_of_floats, sum_to_odd};
use crate::scalar::{Bits, Scalar, load, store};

impl ExactSums {
    /// Writes the sum of each place, rounded once, to `bytes`. NaN does not overwrite NaN, so that a place to which nothing was added keeps its
    /// bits.
    pub(crate) fn finish_sums(&self, bytes: &mut [u8]) {
        if self.dtype != DType::Float32 {
            return self.finish(bytes, &|_| Some(1));
        }
        let elements: &mut [f32] = bytemuck::cast_slice_mut(bytes);
        let (high, low) = (self.high.elements::<f64>(), self.low.elements::<f64>());
        if self.is_dense {
            let limbs = self.limbs.elements::<i64>().chunks_exact(Unit::Single.limbs());
            for (place, ((element, &high), limbs)) in elements.iter_mut().zip(high).zip(limbs).enumerate() {
                let low = low.get(place).copied().unwrap_or(-0.0);
                *element = if high.is_finite() {
                    single_of_all([high, low], limbs)
                } else {
                    single(*element, high, low)
                };
            }
            return;
        }
        if low.is_empty() {
            for (element, &high) in elements.iter_mut().zip(high) {
                *element = single(*element, high, -0.0);
            }
        } else {
            for ((element, &high), &low) in elements.iter_mut().zip(high).zip(low) {
                *element = single(*element, high, low);
            }
        }
        let numbers = self.numbers.elements::<u32>().iter().enumerate();
        for (place, _) in numbers.filter(|(_, number)| **number != 0) {
            if let (high, low, Some(limbs)) = self.parts(place)
                && let Some(element) = elements.get_mut(place).filter(|_| high.is_finite())
            {
                *element = single_of_all([high, low], limbs);
            }
        }
    }

    /// Writes the sum of each place, divided by `divisor(place)` and rounded once, to `bytes`. A place without a divisor is not written. NaN
    /// does not overwrite NaN.
    pub(crate) fn finish(&self, bytes: &mut [u8], divisor: &dyn Fn(usize) -> Option<u64>) {
        let size = self.dtype.size();
        for (place, element) in bytes.chunks_exact_mut(size).enumerate() {
            let Some(divisor) = divisor(place) else { continue };
            let bits = self.quotient(place, divisor);
            let is_nan = self.high.elements::<f64>().get(place).is_some_and(|high| high.is_nan());
            if !is_nan || !Scalar::load(load(element), self.dtype).as_f64().is_nan() {
                store(element, bits);
            }
        }
    }

    /// The sum of a place divided by a number, rounded once.
    pub(crate) fn quotient(&self, place: usize, divisor: u64) -> Bits {
        let (high, low, limbs) = self.parts(place);
        match limbs.filter(|_| high.is_finite()) {
            Some(limbs) if divisor == 1 && self.dtype == DType::Float32 => {
                single_of_all([high, low], limbs).to_bits().into()
            }
            Some(limbs) => quotient_of_all(self.dtype, [high, low], limbs, divisor),
            None => quotient_of_floats(self.dtype, high, low, divisor),
        }
    }
}

/// The sum of two floats, rounded once to float32. The second counts if the first is finite. `before`, if both it and the sum are NaN.
#[inline(always)]
fn single(before: f32, high: f64, low: f64) -> f32 {
    let sum = if low == 0.0 || !high.is_finite() { high as f32 } else { sum_to_odd(high, low) as f32 };
    if sum.is_nan() && before.is_nan() { before } else { sum }
}

/// The sum of finite floats and an accumulator, rounded once to float32. Of zeros the first float has the sign.
#[inline(always)]
fn single_of_all(floats: [f64; 2], limbs: &[i64]) -> f32 {
    quick_single(floats, limbs).unwrap_or_else(|| {
        let bits = quotient_of_all(DType::Float32, floats, limbs, 1);
        let [high, low] = floats;
        if bits == 0 && high == 0.0 && low == 0.0 { high as f32 } else { f32::from_bits(bits as u32) }
    })
}
