//! Groups of entries, with the entries whose index is ignored in a group of their own: group 0, before all others. So no pass needs a branch
//! for each entry, which processors could not predict.

use std::mem::MaybeUninit;

use crate::groups::plan::MOST_ELEMENTS;
use crate::index::cpu::ends;
use crate::{DType, Result, Storage, Tensor, UninitBuffer, unshare};

pub(crate) const SKIPPED_GROUP: i32 = 0;

/// An index of groups as int32, with [`SKIPPED_GROUP`] for a value that is ignored and the next number for any other; and the number of groups.
/// `None` if the index is on a GPU, has no values, or has one that is negative or does not fit.
pub(crate) fn with_skipped(
    op: &'static str,
    index: &Tensor,
    ignored: i64,
) -> Result<Option<(Tensor, usize)>> {
    let Storage::Host(buffer) = &index.storage else { return Ok(None) };
    let mut shifted = UninitBuffer::new(op, index.size() * size_of::<i32>())?;
    let fits = match index.dtype {
        DType::Int64 => shift(shifted.slots(), buffer.elements::<i64>(), ignored),
        _ => shift(shifted.slots(), buffer.elements::<i32>(), ignored),
    };
    if !fits || index.size() == 0 {
        return Ok(None);
    }
    // SAFETY: the index has a value for each element of its shape, so `shift` has written every slot.
    let shifted = unsafe { shifted.assume_filled() };
    let (_, largest) = ends(&shifted, DType::Int32);
    Ok(Some((Tensor::from_buffer(index.shape.clone(), DType::Int32, shifted), largest as usize + 1)))
}

/// Writes the group of each entry. Returns whether all values can be shifted.
fn shift<T: Copy + Into<i64>>(groups: &mut [MaybeUninit<i32>], values: &[T], ignored: i64) -> bool {
    let mut fits = true;
    for (group, &value) in groups.iter_mut().zip(values) {
        let value = value.into();
        let is_skipped = value == ignored;
        fits &= is_skipped | (0..MOST_ELEMENTS.min(i32::MAX.into())).contains(&value);
        group.write(if is_skipped { SKIPPED_GROUP } else { (value as i32).wrapping_add(1) });
    }
    fits
}

/// Replaces the numbers of entries in group [`SKIPPED_GROUP`] by +0. Each entry of an index by [`with_skipped`] has a row of `row` numbers;
/// a shorter index is repeated.
pub(crate) fn clear_skipped(
    op: &'static str,
    index: &Tensor,
    row: usize,
    numbers: &mut Tensor,
) -> Result<()> {
    if let (Storage::Host(index), Storage::Host(buffer)) = (&index.storage, &mut numbers.storage) {
        // Words, so that one loop does for both dtypes: float32 and float64.
        let words = row * numbers.dtype.size() / size_of::<u32>();
        clear(unshare(op, buffer)?.elements_mut(), index.elements(), words);
    }
    Ok(())
}

/// Clears the words of entries in group [`SKIPPED_GROUP`]. An entry has `row` words.
fn clear(words: &mut [u32], groups: &[i32], row: usize) {
    let cleared = |word: u32, group| if group == SKIPPED_GROUP { 0 } else { word };
    // A chunk must have a length, hence `max`.
    for block in words.chunks_exact_mut((groups.len() * row).max(1)) {
        if row == 1 {
            block.iter_mut().zip(groups).for_each(|(word, &group)| *word = cleared(*word, group));
            continue;
        }
        for (row, &group) in block.chunks_exact_mut(row.max(1)).zip(groups) {
            row.iter_mut().for_each(|word| *word = cleared(*word, group));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_entry_is_in_group_0() {
        let groups = |values: &[i64], ignored| {
            let narrow: Vec<i32> = values.iter().map(|&value| value as i32).collect();
            let [wide, narrow] = [
                Tensor::from_elements(&[values.len()], values),
                Tensor::from_elements(&[values.len()], &narrow),
            ]
            .map(|index| with_skipped("test", &index.unwrap(), ignored).unwrap());
            let read = |found: Option<(Tensor, usize)>| {
                found.map(|(index, count)| (index.elements::<i32>().unwrap().to_vec(), count))
            };
            let (wide, narrow) = (read(wide), read(narrow));
            assert_eq!(wide, narrow);
            wide
        };
        assert_eq!(groups(&[2, -1, 0, -1], -1), Some((vec![3, 0, 1, 0], 4)));
        assert_eq!(groups(&[2, 5, 0], 2), Some((vec![0, 6, 1], 7)));
        assert_eq!(groups(&[2, 0], 1 << 40), Some((vec![3, 1], 4)));
        assert_eq!(groups(&[-5; 3], -5), Some((vec![0; 3], 1)));
        let most = i64::from(i32::MAX);
        assert_eq!(groups(&[most - 1, most], most), Some((vec![i32::MAX, 0], 1 << 31)));
        for refused in [&[][..], &[0, -1], &[0, i64::from(i32::MIN)], &[most]] {
            assert_eq!(groups(refused, -7), None);
        }
        let wide = Tensor::from_elements(&[1], &[1i64 << 32]).unwrap();
        assert!(with_skipped("test", &wide, 0).unwrap().is_none());
    }

    #[test]
    fn numbers_of_skipped_entries_become_zero() {
        let index = Tensor::from_elements(&[3], &[0, 2, 0]).unwrap();
        for row in [1, 2] {
            for blocks in 0..3 {
                let count = 3 * row * blocks;
                let mut numbers = Tensor::from_elements(&[count], &vec![f32::NAN; count]).unwrap();
                let shared = numbers.clone();
                clear_skipped("test", &index, row, &mut numbers).unwrap();
                let are_kept = (0..count).map(|at| at / row % 3 == 1);
                let bits = numbers.elements::<f32>().unwrap().iter().map(|number| number.to_bits());
                assert!(bits.eq(are_kept.map(|is_kept| if is_kept { f32::NAN.to_bits() } else { 0 })));
                assert!(shared.elements::<f32>().unwrap().iter().all(|number| number.is_nan()));
            }
        }
        let mut numbers = Tensor::from_elements(&[3], &[-0.0, 1.5, f64::INFINITY]).unwrap();
        clear_skipped("test", &index, 1, &mut numbers).unwrap();
        let bits: Vec<u64> =
            numbers.elements::<f64>().unwrap().iter().map(|number| number.to_bits()).collect();
        assert_eq!(bits, [0, 1.5f64.to_bits(), 0]);
    }
}
