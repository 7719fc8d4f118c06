//! Conversions by one loop from dtype to dtype. Rust's casts are those of [`Scalar::cast`](crate::Scalar::cast): integers wrap, fractions are
//! cut, floats beyond the range become its nearest end, and NaN becomes 0.

use std::mem::MaybeUninit;
use std::slice;

use bytemuck::Pod;

use crate::DType;
use crate::engine::cpu::kernels::{aligned, vector};

/// Elements that a loop takes at a time. Their number is a constant, so the compiler makes vectors of them.
const GROUP: usize = 16;

/// Converts all elements of `bytes` and writes them to `out`. Returns false, and writes nothing, if this pair of dtypes has no loop.
///
/// # Safety
/// `out` must be the address of as many aligned elements of `to`, with no reference to them.
pub(crate) unsafe fn convert_directly(from: DType, bytes: &[u8], to: DType, out: *mut u8) -> bool {
    // SAFETY: as the caller promises: the second type of each pair has the size and the alignment of `to`.
    unsafe {
        match (from, to) {
            (DType::Bool, DType::Int32) => each(bytes, out, |x: u8| i32::from(x != 0)),
            (DType::Bool, DType::Float32) => each(bytes, out, |x: u8| f32::from(u8::from(x != 0))),
            (DType::Uint8, DType::Int32) => {
                groups(bytes, out, vector::bytes_to_integers, |x: u8| i32::from(x))
            }
            (DType::Uint8, DType::Float32) => {
                groups(bytes, out, vector::bytes_to_floats, |x: u8| f32::from(x))
            }
            (DType::Uint8, DType::Bool) => each(bytes, out, |x: u8| u8::from(x != 0)),
            (DType::Int32, DType::Bool) => each(bytes, out, |x: i32| u8::from(x != 0)),
            (DType::Int32, DType::Uint8) => each(bytes, out, |x: i32| x as u8),
            (DType::Int32, DType::Int64) => each(bytes, out, |x: i32| i64::from(x)),
            (DType::Int32, DType::Float32) => groups(bytes, out, vector::to_floats, |x: i32| x as f32),
            (DType::Int32, DType::Float64) => each(bytes, out, |x: i32| f64::from(x)),
            (DType::Int64, DType::Bool) => each(bytes, out, |x: i64| u8::from(x != 0)),
            (DType::Int64, DType::Float32) => each(bytes, out, |x: i64| x as f32),
            (DType::Int64, DType::Float64) => each(bytes, out, |x: i64| x as f64),
            (DType::Float32, DType::Bool) => each(bytes, out, |x: f32| u8::from(x != 0.0)),
            (DType::Float32, DType::Uint8) => groups(bytes, out, vector::to_bytes, |x: f32| x as u8),
            (DType::Float32, DType::Int32) => groups(bytes, out, vector::to_integers, |x: f32| x as i32),
            (DType::Float32, DType::Float64) => groups(bytes, out, vector::to_doubles, |x: f32| f64::from(x)),
            (DType::Float64, DType::Int32) => each(bytes, out, |x: f64| x as i32),
            _ => return false,
        }
    }
    true
}

/// # Safety
/// As for [`convert_directly`].
#[inline(always)]
unsafe fn each<T: Pod, U: Pod>(bytes: &[u8], out: *mut u8, function: impl Fn(T) -> U) {
    let of_group = |group: &[T; GROUP]| group.map(&function);
    // SAFETY: as the caller promises.
    unsafe { groups(bytes, out, of_group, &function) };
}

/// `of_group` does the same as `function`, for a group.
///
/// # Safety
/// As for [`convert_directly`].
#[inline(always)]
unsafe fn groups<T: Pod, U: Pod>(
    bytes: &[u8],
    out: *mut u8,
    of_group: impl Fn(&[T; GROUP]) -> [U; GROUP],
    function: impl Fn(T) -> U,
) {
    let values = aligned::<T>(bytes);
    // SAFETY: as the caller promises.
    let slots = unsafe { slice::from_raw_parts_mut(out.cast::<MaybeUninit<U>>(), values.len()) };
    let ((groups, rest), (own, own_rest)) = (values.as_chunks::<GROUP>(), slots.as_chunks_mut::<GROUP>());
    for (own, group) in own.iter_mut().zip(groups) {
        // SAFETY: they are the slots of a group. A `map` into them would copy each element again.
        unsafe { own.as_mut_ptr().cast::<[U; GROUP]>().write(of_group(group)) };
    }
    for (slot, &value) in own_rest.iter_mut().zip(rest) {
        slot.write(function(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;

    const DTYPES: [DType; 6] =
        [DType::Bool, DType::Uint8, DType::Int32, DType::Int64, DType::Float32, DType::Float64];

    /// The bits of elements: small numbers, ends of ranges, infinities, NaN, and others.
    fn bits(dtype: DType, at: usize) -> u64 {
        let ends =
            [0.0, -0.0, 0.5, -0.5, 1.0, 255.0, 255.9, 256.0, -1.0, 2147483520.0, 2147483648.0, -2147483648.0];
        let others =
            [9.3e18, -9.3e18, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE];
        let numbers: Vec<f64> = ends.into_iter().chain(others).collect();
        let random = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        match (dtype, at % 2) {
            (DType::Float64, 0) => numbers[at / 2 % numbers.len()].to_bits(),
            (DType::Float32, 0) => (numbers[at / 2 % numbers.len()] as f32).to_bits().into(),
            (DType::Bool, _) => random >> 62 & 1,
            (_, 0) => random,
            _ => random >> (random >> 58), // numbers of any size
        }
    }

    #[test]
    fn a_loop_gives_what_the_cast_of_each_element_gives() {
        for (from, to) in DTYPES.into_iter().flat_map(|from| DTYPES.map(|to| (from, to))) {
            let mut has_loop = false;
            for len in [0, 1, 15, 16, 17, 100] {
                let mut given = vec![0u64; len];
                let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut given);
                let element = |at| bits(from, at).to_le_bytes()[..from.size()].to_vec();
                let all: Vec<u8> = (0..len).flat_map(element).collect();
                bytes[..all.len()].copy_from_slice(&all);
                let mut out = vec![0u64; len];
                // SAFETY: there are eight bytes for each element.
                has_loop =
                    unsafe { convert_directly(from, &bytes[..all.len()], to, out.as_mut_ptr().cast()) };
                if !has_loop {
                    continue;
                }
                for at in 0..len {
                    let own = crate::load(&bytemuck::cast_slice(&out)[at * to.size()..(at + 1) * to.size()]);
                    let wanted = Scalar::load(crate::load(&element(at)), from).cast(to);
                    let is_nan = match to {
                        DType::Float32 => {
                            f32::from_bits(own as u32).is_nan() && f32::from_bits(wanted as u32).is_nan()
                        }
                        DType::Float64 => f64::from_bits(own).is_nan() && f64::from_bits(wanted).is_nan(),
                        _ => false,
                    };
                    assert!(own == wanted || is_nan, "{from} to {to}, element {at}: {own:x}, not {wanted:x}");
                }
            }
            let is_frequent =
                (from, to) == (DType::Float32, DType::Int32) || (from, to) == (DType::Uint8, DType::Float32);
            assert!(has_loop || !is_frequent, "{from} to {to}");
        }
    }
}
