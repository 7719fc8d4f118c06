//! Finds the bins of a histogram.

use core::arch::wasm32::*;

use bytemuck::Pod;

use crate::engine::cpu::kernels::vector::chosen::lanes::vectors;
use crate::histograms::kernels::bins::SingleAxis;

/// Whether bins are found by vectors: see [`find_bins`].
pub(crate) const FINDS_BINS: bool = true;

/// Numbers that vectors find bins of, eight at a time.
pub(crate) trait Sample: Pod {
    /// The numbers, rounded to float32.
    fn singles(chunk: &[Self; 8]) -> [v128; 2];

    /// A mask for each number that is less than the threshold of its guess. `axes` has the axes of numbers at even and at odd positions.
    ///
    /// # Safety
    /// The guesses are at most one more than the number of bins of their axis.
    unsafe fn are_below(chunk: &[Self; 8], guesses: [v128; 2], axes: [&SingleAxis<'_>; 2]) -> [v128; 2];
}

impl Sample for f32 {
    #[inline(always)]
    fn singles(chunk: &[Self; 8]) -> [v128; 2] {
        vectors(chunk)
    }

    #[inline(always)]
    unsafe fn are_below(
        chunk: &[Self; 8],
        [one, two]: [v128; 2],
        [even, odd]: [&SingleAxis<'_>; 2],
    ) -> [v128; 2] {
        let [first, second] = vectors(chunk);
        // SAFETY: the caller guarantees the guesses.
        unsafe { [f32x4_lt(first, singles(one, even, odd)), f32x4_lt(second, singles(two, even, odd))] }
    }
}

/// The thresholds of four guesses for float32 values.
///
/// # Safety
/// The guesses are at most one more than the number of bins of their axis.
#[inline(always)]
unsafe fn singles(guesses: v128, even: &SingleAxis<'_>, odd: &SingleAxis<'_>) -> v128 {
    // SAFETY: the caller guarantees the guesses.
    unsafe {
        f32x4(
            even.single(u32x4_extract_lane::<0>(guesses)),
            odd.single(u32x4_extract_lane::<1>(guesses)),
            even.single(u32x4_extract_lane::<2>(guesses)),
            odd.single(u32x4_extract_lane::<3>(guesses)),
        )
    }
}

impl Sample for f64 {
    #[inline(always)]
    fn singles(chunk: &[Self; 8]) -> [v128; 2] {
        let [a, b, c, d] = vectors(chunk);
        [four_of_doubles(a, b), four_of_doubles(c, d)]
    }

    #[inline(always)]
    unsafe fn are_below(chunk: &[Self; 8], guesses: [v128; 2], axes: [&SingleAxis<'_>; 2]) -> [v128; 2] {
        // SAFETY: the caller guarantees the guesses.
        unsafe { are_doubles_below(vectors(chunk), guesses, axes) }
    }
}

impl Sample for i32 {
    #[inline(always)]
    fn singles(chunk: &[Self; 8]) -> [v128; 2] {
        let [one, two] = vectors(chunk);
        [f32x4_convert_i32x4(one), f32x4_convert_i32x4(two)]
    }

    #[inline(always)]
    unsafe fn are_below(chunk: &[Self; 8], guesses: [v128; 2], axes: [&SingleAxis<'_>; 2]) -> [v128; 2] {
        let [one, two] = vectors(chunk);
        let numbers = [
            f64x2_convert_low_i32x4(one),
            f64x2_convert_low_i32x4(i64x2_shuffle::<1, 1>(one, one)),
            f64x2_convert_low_i32x4(two),
            f64x2_convert_low_i32x4(i64x2_shuffle::<1, 1>(two, two)),
        ];
        // SAFETY: the caller guarantees the guesses.
        unsafe { are_doubles_below(numbers, guesses, axes) }
    }
}

/// Four float64 numbers, rounded to float32.
#[inline(always)]
fn four_of_doubles(low: v128, high: v128) -> v128 {
    i64x2_shuffle::<0, 2>(f32x4_demote_f64x2_zero(low), f32x4_demote_f64x2_zero(high))
}

/// [`Sample::are_below`] for eight float64 numbers.
///
/// # Safety
/// As there.
#[inline(always)]
unsafe fn are_doubles_below(
    [a, b, c, d]: [v128; 4],
    [one, two]: [v128; 2],
    [even, odd]: [&SingleAxis<'_>; 2],
) -> [v128; 2] {
    // SAFETY: the caller guarantees the guesses.
    unsafe {
        let first = f64x2_lt(a, doubles::<0, 1>(one, even, odd));
        let second = f64x2_lt(b, doubles::<2, 3>(one, even, odd));
        let third = f64x2_lt(c, doubles::<0, 1>(two, even, odd));
        let fourth = f64x2_lt(d, doubles::<2, 3>(two, even, odd));
        [u32x4_shuffle::<0, 2, 4, 6>(first, second), u32x4_shuffle::<0, 2, 4, 6>(third, fourth)]
    }
}

/// The thresholds of two guesses, those of the lanes `EVEN` and `ODD`.
///
/// # Safety
/// The guesses are at most one more than the number of bins of their axis.
#[inline(always)]
unsafe fn doubles<const EVEN: usize, const ODD: usize>(
    guesses: v128,
    even: &SingleAxis<'_>,
    odd: &SingleAxis<'_>,
) -> v128 {
    // SAFETY: the caller guarantees the guesses.
    unsafe {
        f64x2(
            even.double(u32x4_extract_lane::<EVEN>(guesses)),
            odd.double(u32x4_extract_lane::<ODD>(guesses)),
        )
    }
}

/// What all guesses of a call share, for the columns of each lane.
struct Constants<'a> {
    axes: [&'a SingleAxis<'a>; 2],
    low: v128,
    scale: v128,
    /// A guess is not certain if `base` is at most this above it.
    margin: v128,
    /// Whether `base` is the number of bins, by a mask: then only guesses outside are not certain. Else it is t.
    is_exact: v128,
    bins_single: v128,
    /// The number of bins, which is also the bin of numbers outside.
    bins: v128,
}

/// Finds the bins of samples of one or two columns, eight numbers at a time. `values` has the numbers of the samples in row-major
/// order, a multiple of eight. `axes` has the axis of each column. With two columns, a vector holds both numbers of two samples.
#[inline(never)]
pub(crate) fn find_bins<T: Sample>(values: &[T], axes: &[SingleAxis<'_>], flat_bins: &mut [u32]) {
    let (Some(even), Some(odd)) = (axes.first(), axes.last()) else { return };
    let constants = Constants {
        axes: [even, odd],
        low: four_of([even.low, odd.low]),
        scale: four_of([even.scale, odd.scale]),
        margin: four_of([even, odd].map(|axis| if axis.is_exact { 0.0 } else { axis.margin })),
        is_exact: four_of([even, odd].map(|axis| if axis.is_exact { u32::MAX } else { 0 })),
        bins_single: four_of([even, odd].map(|axis| axis.bins as f32)),
        bins: four_of([even.bins, odd.bins]),
    };
    let (chunks, _) = values.as_chunks::<8>();
    if axes.len() == 1 {
        // The bin of a number outside is the number of bins, which is also its bin.
        let (slots, _) = flat_bins.as_chunks_mut::<8>();
        for (slot, chunk) in slots.iter_mut().zip(chunks) {
            *slot = bytemuck::cast(eight_bins(chunk, &constants));
        }
        return;
    }
    let (first, second) = (u32x4_splat(even.bins), u32x4_splat(odd.bins));
    let outside = u32x4_mul(first, second);
    let (slots, _) = flat_bins.as_chunks_mut::<4>();
    for (slot, chunk) in slots.iter_mut().zip(chunks) {
        let [one, two] = eight_bins(chunk, &constants);
        // The bins of four samples in the first column, and in the second.
        let (x, y) = (u32x4_shuffle::<0, 2, 4, 6>(one, two), u32x4_shuffle::<1, 3, 5, 7>(one, two));
        let is_outside = v128_or(u32x4_eq(x, first), u32x4_eq(y, second));
        let flat_bin = u32x4_add(u32x4_mul(x, second), y);
        *slot = bytemuck::cast(v128_bitselect(outside, flat_bin, is_outside));
    }
}

/// 1.5 · 2^23. Added to a much smaller integer, it leaves the integer in the low bits of a float32.
const SHIFT_SINGLE: f32 = 12_582_912.0;

/// The bins of eight numbers as [`SingleAxis`] finds them. NaN and numbers too large for float32 are outside, because their bits read as a
/// large guess; so do negative guesses.
#[inline(always)]
fn eight_bins<T: Sample>(chunk: &[T; 8], constants: &Constants<'_>) -> [v128; 2] {
    let [first, second] = T::singles(chunk);
    let ((one, unsure_one), (two, unsure_two)) =
        (four_guesses(first, constants), four_guesses(second, constants));
    if !v128_any_true(v128_or(unsure_one, unsure_two)) {
        return [u32x4_min(one, constants.bins), u32x4_min(two, constants.bins)];
    }
    let most = u32x4_add(constants.bins, u32x4_splat(1));
    let (one, two) = (u32x4_min(one, most), u32x4_min(two, most));
    // SAFETY: no guess is above `most`.
    let [below_one, below_two] = unsafe { T::are_below(chunk, [one, two], constants.axes) };
    // A mask with all bits set is −1.
    [
        u32x4_min(u32x4_add(one, below_one), constants.bins),
        u32x4_min(u32x4_add(two, below_two), constants.bins),
    ]
}

/// The guesses of four numbers, and a mask of those that are not certain.
#[inline(always)]
fn four_guesses(values: v128, constants: &Constants<'_>) -> (v128, v128) {
    let shift = f32x4_splat(SHIFT_SINGLE);
    let scaled = f32x4_mul(f32x4_sub(values, constants.low), constants.scale);
    let floor = f32x4_floor(scaled);
    let base = v128_bitselect(constants.bins_single, scaled, constants.is_exact);
    // The second is false for NaN, which is outside for certain.
    let is_unsure = f32x4_le(f32x4_sub(base, floor), constants.margin);
    (u32x4_sub(f32x4_add(floor, shift), shift), is_unsure)
}

/// A vector of a value for each of two columns, repeated.
fn four_of<T: Pod>([even, odd]: [T; 2]) -> v128 {
    let [vector] = vectors(&[even, odd, even, odd]);
    vector
}
