//! The smallest and the largest number among samples.

use std::num::NonZero;

use crate::DType;
use crate::convert::kernels::to_numbers;
use crate::engine::cpu::kernels::{aligned, vector};
use crate::histograms::kernels::histogram::window::{WINDOW, bytes_of, offsets_of};

/// The smallest and the largest number of a column of samples of `dtype`, as float64, among the samples that the mask keeps. −0 is less than
/// 0. If any number is NaN, at least one of the two is NaN. `None` if the mask keeps no sample. Without a mask there must be a sample.
#[inline(never)]
pub(crate) fn min_max(
    dtype: DType,
    samples: &[u8],
    mask: Option<&[u8]>,
    column: usize,
    columns: NonZero<usize>,
) -> Option<[f64; 2]> {
    if (columns.get(), dtype, mask) == (1, DType::Float32, None) {
        // Read as integers, the bit patterns of positive numbers are ordered as the numbers are, and those of negative numbers in
        // reverse. So the smallest number has the largest unsigned pattern if any number is negative. The largest number has the smallest
        // signed pattern if all numbers are negative.
        let (least, most) = vector::extremes(aligned(samples));
        let largest = vector::largest(aligned(samples));
        let min = if largest >> 31 != 0 { largest } else { least as u32 };
        let max = if most >= 0 { most } else { least };
        return Some([min, max as u32].map(|bits| f32::from_bits(bits).into()));
    }
    // The smallest and the largest so far, as `ordered` integers.
    let mut keys = [i64::MAX, i64::MIN];
    let (mut window, mut room) = ([0.0; WINDOW], [0; WINDOW]);
    let (size, most) = (bytes_of(dtype), WINDOW / columns * columns.get());
    let count = samples.len() / size;
    let mut at = 0;
    while at < count {
        let Some(values) = window.get_mut(..most.min(count - at)) else { break };
        to_numbers(dtype, samples.get(at * size.get()..).unwrap_or_default(), values);
        let mut take = |value: &f64| {
            let key = ordered(value.to_bits() as i64);
            keys = [key.min(keys[0]), key.max(keys[1])];
        };
        match mask {
            None => values.iter().skip(column).step_by(columns.get()).for_each(take),
            Some(mask) => {
                let kept = offsets_of(mask, at / columns, values.len() / columns, &mut room);
                let number_of = |&offset: &u32| values.get(offset as usize * columns.get() + column);
                kept.iter().filter_map(number_of).for_each(&mut take);
            }
        }
        at += values.len();
    }
    let [least, most] = keys;
    (least <= most).then_some(keys.map(|key| f64::from_bits(ordered(key) as u64)))
}

/// A negative index value with its number, and the largest value, both among those that the mask keeps. If none is negative, the first is 0
/// with the number 0. `None` if the mask keeps no value.
#[inline(never)]
pub(crate) fn kept_ends<T: Copy + Ord + Into<i64>>(values: &[T], mask: &[u8]) -> Option<[(i64, usize); 2]> {
    let (mut ends, mut room) = ([i64::MAX, i64::MIN], [0; WINDOW]);
    for (window, values) in values.chunks(WINDOW).enumerate() {
        let kept = offsets_of(mask, window * WINDOW, values.len(), &mut room);
        for value in kept.iter().filter_map(|&offset| values.get(offset as usize)) {
            let value: i64 = (*value).into();
            ends = [value.min(ends[0]), value.max(ends[1])];
        }
    }
    let [least, most] = ends;
    let is_negative = |(at, value): (usize, &T)| {
        let value: i64 = (*value).into();
        (value < 0 && mask.get(at).is_some_and(|&is_kept| is_kept != 0)).then_some((value, at))
    };
    let negative = if least < 0 { values.iter().enumerate().find_map(is_negative) } else { None };
    (least <= most).then(|| [negative.unwrap_or_default(), (most, 0)])
}

/// Maps the bits of a float64 to an integer so that integers are ordered as the numbers are: inverts all bits but the sign of a negative
/// number. Applied again, it returns the bits.
fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}
