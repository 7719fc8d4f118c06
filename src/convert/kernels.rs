//! Converts elements from one dtype to another, as [`Scalar::cast`](crate::Scalar::cast) defines it.
//!
//! The pairs of dtypes that programs convert most have a loop of their own (`direct.rs`). For the others, a run of elements is widened to 64
//! bits each, then narrowed while it is in the cache. This takes one loop for each source dtype and one for each target dtype; a loop for
//! each pair would be 156 loops.

pub(crate) mod direct;

use std::mem::MaybeUninit;
use std::ops::Range;
use std::slice;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::convert::kernels::direct::convert_directly;
use crate::engine::cpu::kernels::job;
use crate::engine::cpu::kernels::{CheckResult, HalfFloat, Job, Output, aligned, cut};
use crate::{DType, to_odd};

pub(crate) const RUN: usize = 256;

/// How to read the 64 bits of a widened element.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Widened {
    Signed,
    Unsigned,
    Float,
}

impl Widened {
    /// The form in which [`widen`] writes the elements of a dtype.
    fn of(dtype: DType) -> Self {
        match dtype.int_range() {
            None => Self::Float,
            // Unsigned numbers of fewer than 64 bits are read as signed ones, which convert to floats faster.
            Some((_, max)) if i64::try_from(max).is_ok() => Self::Signed,
            Some(_) => Self::Unsigned,
        }
    }
}

/// Converts elements from one dtype to another. The columns are the elements.
#[derive(Clone, Copy)]
pub(crate) struct Convert<'a> {
    from: DType,
    to: DType,
    elements: &'a [u8],
    len: usize,
    out: *mut u8,
}

impl<'a> Convert<'a> {
    /// Writes all of `out`, whose elements are of dtype `to`.
    pub(crate) fn new(from: DType, elements: &'a [u8], to: DType, len: usize, out: Output<'a>) -> Self {
        job::elements(elements, len, from.size());
        Self { from, to, elements, len, out: out.elements(len, to.size()) }
    }
}

impl Job for Convert<'_> {
    fn len(&self) -> usize {
        self.len
    }

    #[inline(never)]
    fn run(&self, elements: Range<usize>) -> CheckResult {
        let mut run = [0; RUN];
        let Range { start: mut at, end } = cut(elements, self.len);
        let (size, to_size) = (self.from.size(), self.to.size());
        let bytes = self.elements.get(at * size..end * size).unwrap_or_default();
        // SAFETY: `new` has checked the length, and the output is borrowed mutably.
        if unsafe { convert_directly(self.from, bytes, self.to, self.out.add(at * to_size)) } {
            return CheckResult::NOTHING;
        }
        while at < end {
            let Some(run) = run.get_mut(..RUN.min(end - at)) else { break };
            let bytes = self.elements.get(at * size..(at + run.len()) * size).unwrap_or_default();
            // SAFETY: `new` has checked the length, and the output is borrowed mutably.
            unsafe { convert_run(self.from, bytes, run, self.to, self.out.add(at * to_size)) };
            at += run.len();
        }
        CheckResult::NOTHING
    }
}

/// Converts elements by way of `run` and writes them to `out`. `bytes` has at least as many elements of `from` as `run`.
///
/// # Safety
/// As for [`narrow`].
pub(crate) unsafe fn convert_run(from: DType, bytes: &[u8], run: &mut [u64], to: DType, out: *mut u8) {
    widen(from, bytes, run);
    // SAFETY: as the caller promises.
    unsafe { narrow(Widened::of(from), run, to, out) };
}

/// Reads elements as float64 numbers into `run`; rounds large integers of 64 bits. `bytes` has at least as many elements as `run`.
pub(crate) fn to_numbers(from: DType, bytes: &[u8], run: &mut [f64]) {
    let kind = Widened::of(from);
    let run = bytemuck::cast_slice_mut(run);
    widen(from, bytes, run);
    if kind != Widened::Float {
        to_floats(run, kind == Widened::Signed, DType::Float64);
    }
}

/// Reads elements into `run`, widened to 64 bits each. Floats become the bits of a float64, signed integers are sign-extended, unsigned
/// integers and bool (0 or 1) are zero-extended. No value changes. `bytes` has at least as many elements as `run`.
pub(crate) fn widen(from: DType, bytes: &[u8], run: &mut [u64]) {
    fn each<T: Pod>(bytes: &[u8], run: &mut [u64], function: impl Fn(T) -> u64) {
        for (wide, &value) in run.iter_mut().zip(aligned(bytes)) {
            *wide = function(value);
        }
    }
    let float = |bits: u32| f64::from(f32::from_bits(bits)).to_bits();
    match from {
        DType::Bool => each(bytes, run, |x: u8| (x != 0).into()),
        DType::Int8 => each(bytes, run, |x: i8| x as u64),
        DType::Uint8 => each(bytes, run, |x: u8| x.into()),
        DType::Int16 => each(bytes, run, |x: i16| x as u64),
        DType::Uint16 => each(bytes, run, |x: u16| x.into()),
        DType::Int32 => each(bytes, run, |x: i32| x as u64),
        DType::Uint32 => each(bytes, run, |x: u32| x.into()),
        DType::Int64 | DType::Uint64 | DType::Float64 => each(bytes, run, |x: u64| x),
        DType::Float16 => each(bytes, run, |x: u16| float(f16::widen(x.into()))),
        DType::Bfloat16 => each(bytes, run, |x: u16| float(bf16::widen(x.into()))),
        DType::Float32 => each(bytes, run, float),
    }
}

/// Converts widened elements to `to` and writes them to `out`. Overwrites `run` on the way.
///
/// # Safety
/// `out` must be the address of as many aligned elements of `to`, with no reference to them.
pub(crate) unsafe fn narrow(kind: Widened, run: &mut [u64], to: DType, out: *mut u8) {
    /// # Safety
    /// As for [`narrow`].
    unsafe fn write<T: Pod>(out: *mut u8, run: &[u64], function: impl Fn(u64) -> T) {
        // SAFETY: as the caller promises.
        let slots = unsafe { slice::from_raw_parts_mut(out.cast::<MaybeUninit<T>>(), run.len()) };
        for (slot, &wide) in slots.iter_mut().zip(run) {
            slot.write(function(wide));
        }
    }
    let is_float = kind == Widened::Float;
    match to.int_range() {
        // Both zeros of a float are false, so the sign bit is shifted out.
        _ if to == DType::Bool => {
            // SAFETY: as the caller promises.
            return unsafe { write(out, run, |x| u8::from(x << u32::from(is_float) != 0)) };
        }
        Some((min, max)) if is_float => floats_to_integers(run, min as i64, max as u64),
        None if !is_float => to_floats(run, kind == Widened::Signed, to),
        _ => {}
    }
    // SAFETY: as the caller promises.
    unsafe {
        match to {
            DType::Float32 => write(out, run, |x| f64::from_bits(x) as f32),
            // Rounds to odd first, so that the second rounding gives the same as rounding once.
            DType::Float16 => write(out, run, |x| f16::round(to_odd(f64::from_bits(x)).to_bits()) as u16),
            DType::Bfloat16 => write(out, run, |x| bf16::round(to_odd(f64::from_bits(x)).to_bits()) as u16),
            // Integers wrap: only their low bits are written. A float64 is written unchanged.
            _ => match to.size() {
                1 => write(out, run, |x| x as u8),
                2 => write(out, run, |x| x as u16),
                4 => write(out, run, |x| x as u32),
                _ => write(out, run, |x| x),
            },
        }
    }
}

/// Converts float64 numbers to integers from `min` to `max`, in place, as 64 bits. Drops the fraction; numbers out of range become the
/// nearest end, and NaN becomes 0. At the ends of 64 bits Rust's casts do this.
fn floats_to_integers(run: &mut [u64], min: i64, max: u64) {
    for wide in run {
        let x = f64::from_bits(*wide);
        *wide = if min < 0 { (x as i64).max(min).min(max as i64) as u64 } else { (x as u64).min(max) };
    }
}

/// Converts integers to float64, in place: to the nearest float64 if `to` is float64. Else the result is such that rounding it to the
/// narrower float `to` gives the same as rounding the integer once.
fn to_floats(run: &mut [u64], is_signed: bool, to: DType) {
    for wide in run {
        let mut x = *wide;
        // All bits set for a negative number; else none.
        let sign = if is_signed { x as i64 >> 63 } else { 0 };
        // float64 would round a number of more than 53 bits. The low 11 bits are replaced by one sticky bit above them. At most 53 bits
        // remain, and no tie between narrower floats appears or disappears.
        if to != DType::Float64 && (x ^ sign as u64) >> 53 != 0 {
            x = (x & !0x7ff) | u64::from(x & 0x7ff != 0) << 11;
        }
        *wide = if is_signed { x as i64 as f64 } else { x as f64 }.to_bits();
    }
}
