//! Guesses the places of several samples of a histogram at a time.

use core::arch::wasm32::*;

use bytemuck::{Pod, Zeroable};

use super::lanes::vectors;
use crate::backend::cpu::kernels::bins::Axis;

/// Whether places are guessed: see [`guess_places`].
pub(crate) const GUESSES_PLACES: bool = true;

/// Guesses the places of samples of one or two columns, eight numbers at a time. `values` has the numbers of the samples in row-major
/// order, a multiple of eight. `axes` has the axis of each column. Returns whether all guesses are certain. A sample with an uncertain
/// guess gets the place [`UNSURE`](crate::backend::cpu::kernels::bins::UNSURE). With two columns, a vector holds both numbers of two
/// samples.
#[inline(never)]
pub(crate) fn guess_places(values: &[f32], axes: &[Axis<'_>], places: &mut [u32]) -> bool {
    let low = four_of(axes.iter().map(|axis| axis.low as f32));
    let scale = four_of(axes.iter().map(|axis| axis.scale as f32));
    let bins = four_of(axes.iter().map(|axis| axis.bins));
    let limit = four_of(axes.iter().map(|axis| axis.limit as f32));
    let constants = [low, scale, bins, limit];
    let (chunks, _) = values.as_chunks::<8>();
    // Collects the bits of all uncertain guesses. The mask of an uncertain guess, all bits set, is `UNSURE`.
    let mut unsure = u32x4_splat(0);
    if let [first, second] = axes {
        let (first, second) = (u32x4_splat(first.bins), u32x4_splat(second.bins));
        let outside = u32x4_mul(first, second);
        let (slots, _) = places.as_chunks_mut::<4>();
        for (slot, chunk) in slots.iter_mut().zip(chunks) {
            let [one, two] = vectors(chunk);
            let ((one, unsure_one), (two, unsure_two)) =
                (four_bins(one, constants), four_bins(two, constants));
            unsure = v128_or(unsure, v128_or(unsure_one, unsure_two));
            // The bins of four samples in the first column, and in the second.
            let (x, y) = (u32x4_shuffle::<0, 2, 4, 6>(one, two), u32x4_shuffle::<1, 3, 5, 7>(one, two));
            let is_outside = v128_or(u32x4_eq(x, first), u32x4_eq(y, second));
            let place = v128_bitselect(outside, u32x4_add(u32x4_mul(x, second), y), is_outside);
            let (unsure_x, unsure_y) = (
                u32x4_shuffle::<0, 2, 4, 6>(unsure_one, unsure_two),
                u32x4_shuffle::<1, 3, 5, 7>(unsure_one, unsure_two),
            );
            *slot = bytemuck::cast(v128_or(place, v128_or(unsure_x, unsure_y)));
        }
    } else {
        // The bin of a number outside is the number of bins, which is also its place.
        let (slots, _) = places.as_chunks_mut::<8>();
        for (slot, chunk) in slots.iter_mut().zip(chunks) {
            let [one, two] = vectors(chunk);
            let ((one, unsure_one), (two, unsure_two)) =
                (four_bins(one, constants), four_bins(two, constants));
            unsure = v128_or(unsure, v128_or(unsure_one, unsure_two));
            *slot = bytemuck::cast([v128_or(one, unsure_one), v128_or(two, unsure_two)]);
        }
    }
    !v128_any_true(unsure)
}

/// 1.5 · 2^23. Added to a much smaller number, it leaves the nearest integer in the low bits of a float32.
const SHIFT_SINGLE: f32 = 12_582_912.0;

/// The bins of four numbers as [`Axis`] finds them, and a mask with all bits set if a bin is uncertain. `bins` is the number of bins,
/// which is also the bin of numbers outside. NaN and numbers too large for float32 get this bin, because their bits read as a large bin.
#[inline(always)]
fn four_bins(values: v128, [low, scale, bins, limit]: [v128; 4]) -> (v128, v128) {
    let (shift, half) = (f32x4_splat(SHIFT_SINGLE), f32x4_splat(0.5));
    let scaled = f32x4_mul(f32x4_sub(values, low), scale);
    // Subtracting half first gives the integer below.
    let shifted = f32x4_add(f32x4_sub(scaled, half), shift);
    let from_middle = f32x4_abs(f32x4_sub(f32x4_sub(scaled, f32x4_sub(shifted, shift)), half));
    (u32x4_min(u32x4_sub(shifted, shift), bins), f32x4_gt(from_middle, limit))
}

/// A vector of one value for each column, repeated to fill it.
fn four_of<T: Pod>(columns: impl Iterator<Item = T> + Clone) -> v128 {
    let mut numbers: [T; 4] = Zeroable::zeroed();
    for (number, column) in numbers.iter_mut().zip(columns.cycle()) {
        *number = column;
    }
    let [vector] = vectors(&numbers);
    vector
}
