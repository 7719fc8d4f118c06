//! Integers that are added in 64 bits, and floats that become integers.

use core::arch::wasm32::*;

/// An integer of up to 32 bits.
pub(crate) trait Narrow: Copy + Into<i64> {
    /// Four values as two vectors of 64 bits.
    ///
    /// # Safety
    /// There must be four.
    unsafe fn widened(values: *const Self) -> [v128; 2];
}

/// Declares how the four values at `$at` become words, and these two vectors of 64 bits.
macro_rules! narrow {
    ($($dtype:ty: |$at:ident| $words:expr, $low:ident, $high:ident;)*) => {$(
        impl Narrow for $dtype {
            #[inline(always)]
            unsafe fn widened(values: *const Self) -> [v128; 2] {
                let $at = values.cast();
                // SAFETY: as the caller promises. Vectors need not be aligned.
                let words = unsafe { $words };
                [$low(words), $high(words)]
            }
        }
    )*};
}

narrow! {
    i8: |at| i32x4_extend_low_i16x8(i16x8_extend_low_i8x16(v128_load32_zero(at))), i64x2_extend_low_i32x4, i64x2_extend_high_i32x4;
    u8: |at| u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(v128_load32_zero(at))), u64x2_extend_low_u32x4, u64x2_extend_high_u32x4;
    i16: |at| i32x4_load_extend_i16x4(at), i64x2_extend_low_i32x4, i64x2_extend_high_i32x4;
    u16: |at| u32x4_load_extend_u16x4(at), u64x2_extend_low_u32x4, u64x2_extend_high_u32x4;
    i32: |at| v128_load(at), i64x2_extend_low_i32x4, i64x2_extend_high_i32x4;
    u32: |at| v128_load(at), u64x2_extend_low_u32x4, u64x2_extend_high_u32x4;
}

/// Adds rows of 16 values to 16 sums, which stay in registers.
///
/// # Safety
/// The rows must exist, `count` of them, `stride` values apart.
pub(crate) unsafe fn add_widened<T: Narrow>(
    sums: &mut [i64; 16],
    values: *const T,
    count: usize,
    stride: usize,
) {
    let memory = sums.as_mut_ptr().cast::<[v128; 8]>();
    // SAFETY: eight vectors have the bytes of the sums. Reads and writes of them need not be aligned.
    let mut own = unsafe { memory.read_unaligned() };
    for row in 0..count {
        let values = values.wrapping_add(row * stride);
        // SAFETY: as the caller promises.
        let four = |first: usize| unsafe { T::widened(values.wrapping_add(first)) };
        let [one, two, three, last] = [four(0), four(4), four(8), four(12)];
        own = [
            i64x2_add(own[0], one[0]),
            i64x2_add(own[1], one[1]),
            i64x2_add(own[2], two[0]),
            i64x2_add(own[3], two[1]),
            i64x2_add(own[4], three[0]),
            i64x2_add(own[5], three[1]),
            i64x2_add(own[6], last[0]),
            i64x2_add(own[7], last[1]),
        ];
    }
    // SAFETY: as above.
    unsafe { memory.write_unaligned(own) };
}

/// The whole parts; the nearest end for numbers out of range, and 0 for NaN.
#[inline(always)]
pub(crate) fn to_integers(values: &[f32; 16]) -> [i32; 16] {
    bytemuck::cast(whole_parts(values))
}

/// As [`to_integers`], in the range of a byte.
#[inline(always)]
pub(crate) fn to_bytes(values: &[f32; 16]) -> [u8; 16] {
    let [one, two, three, last] = whole_parts(values);
    bytemuck::cast(u8x16_narrow_i16x8(i16x8_narrow_i32x4(one, two), i16x8_narrow_i32x4(three, last)))
}

#[inline(always)]
pub(crate) fn to_floats(values: &[i32; 16]) -> [f32; 16] {
    floats(four_vectors(values))
}

#[inline(always)]
pub(crate) fn to_doubles(values: &[f32; 16]) -> [f64; 16] {
    // No `map` here and below: where small code is asked for, it becomes a loop that goes by way of memory.
    let doubles =
        |four| [f64x2_promote_low_f32x4(four), f64x2_promote_low_f32x4(i64x2_shuffle::<1, 0>(four, four))];
    let [one, two, three, last] = four_vectors(values);
    bytemuck::cast([doubles(one), doubles(two), doubles(three), doubles(last)])
}

#[inline(always)]
pub(crate) fn bytes_to_integers(values: &[u8; 16]) -> [i32; 16] {
    bytemuck::cast(words(values))
}

#[inline(always)]
pub(crate) fn bytes_to_floats(values: &[u8; 16]) -> [f32; 16] {
    floats(words(values))
}

/// Bytes, four in a vector.
#[inline(always)]
fn words(values: &[u8; 16]) -> [v128; 4] {
    let all = bytemuck::cast::<_, v128>(*values);
    let (low, high) = (u16x8_extend_low_u8x16(all), u16x8_extend_high_u8x16(all));
    [
        u32x4_extend_low_u16x8(low),
        u32x4_extend_high_u16x8(low),
        u32x4_extend_low_u16x8(high),
        u32x4_extend_high_u16x8(high),
    ]
}

#[inline(always)]
fn whole_parts(values: &[f32; 16]) -> [v128; 4] {
    let [one, two, three, last] = four_vectors(values);
    [
        i32x4_trunc_sat_f32x4(one),
        i32x4_trunc_sat_f32x4(two),
        i32x4_trunc_sat_f32x4(three),
        i32x4_trunc_sat_f32x4(last),
    ]
}

#[inline(always)]
fn floats([one, two, three, last]: [v128; 4]) -> [f32; 16] {
    bytemuck::cast([
        f32x4_convert_i32x4(one),
        f32x4_convert_i32x4(two),
        f32x4_convert_i32x4(three),
        f32x4_convert_i32x4(last),
    ])
}

#[inline(always)]
fn four_vectors<T: bytemuck::Pod>(values: &[T; 16]) -> [v128; 4] {
    const { assert!(size_of::<T>() == 4) };
    // SAFETY: they are the bytes of the values. Vectors need not be aligned.
    unsafe { values.as_ptr().cast::<[v128; 4]>().read_unaligned() }
}
