//! Converts elements from one dtype to another, as [`Scalar::cast`](crate::Scalar::cast) defines it.
//!
//! A run of elements is widened to 64 bits each, then narrowed while it is in the cache. That takes one loop for each source
//! dtype and one for each target dtype, where pairs would take 156.

use std::mem::MaybeUninit;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::backend::cpu::half_float::HalfFloat;
use crate::dtype::DType;
use crate::error::Result;
use crate::host::{HostBuffer, UninitBuffer};
use crate::scalar::to_odd;

/// The number of elements in a run.
const RUN: usize = 256;

/// How the 64 bits of a widened element are to be read.
#[derive(Clone, Copy, PartialEq)]
enum Widened {
    Signed,
    Unsigned,
    Float,
}

impl Widened {
    fn of(dtype: DType) -> Self {
        match dtype.int_range() {
            None => Self::Float,
            // Unsigned numbers of fewer bits are signed ones too, which become floats faster.
            Some((_, max)) if i64::try_from(max).is_ok() => Self::Signed,
            Some(_) => Self::Unsigned,
        }
    }
}

/// Converts the elements of a buffer.
pub(super) fn convert(op: &'static str, from: DType, to: DType, buffer: &HostBuffer) -> Result<HostBuffer> {
    let bytes = buffer.bytes();
    produce(op, bytes.len() / from.size(), Widened::of(from), to, &mut |at, run| {
        let values = bytes.get(at * from.size()..(at + run.len()) * from.size());
        widen(from, values.unwrap_or_default(), run);
    })
}

/// Makes `count` elements of `dtype` from numbers. `fill` writes a run of them and is given the place of the first.
pub fn from_numbers(
    op: &'static str,
    count: usize,
    dtype: DType,
    fill: &mut dyn FnMut(usize, &mut [f64]),
) -> Result<HostBuffer> {
    produce(op, count, Widened::Float, dtype, &mut |at, run| fill(at, bytemuck::cast_slice_mut(run)))
}

fn produce(
    op: &'static str,
    count: usize,
    kind: Widened,
    to: DType,
    fill: &mut dyn FnMut(usize, &mut [u64]),
) -> Result<HostBuffer> {
    let mut out = UninitBuffer::new(op, count * to.size())?;
    let mut run = [0; RUN];
    for at in (0..count).step_by(RUN) {
        let Some(run) = run.get_mut(..RUN.min(count - at)) else { break };
        fill(at, run);
        narrow(kind, run, to, &mut Slots { out: &mut out, at });
    }
    // SAFETY: each run writes as many slots as it has elements, and together the runs have `count` elements.
    Ok(unsafe { out.assume_filled() })
}

/// Elements as float64, the integers of 64 bits rounded.
pub(super) fn to_numbers(from: DType, bytes: &[u8], run: &mut [f64]) {
    let kind = Widened::of(from);
    let run = bytemuck::cast_slice_mut(run);
    widen(from, bytes, run);
    if kind != Widened::Float {
        to_floats(run, kind == Widened::Signed, DType::Float64);
    }
}

/// Elements in 64 bits each.
fn widen(from: DType, bytes: &[u8], run: &mut [u64]) {
    fn each<T: Pod>(bytes: &[u8], run: &mut [u64], function: impl Fn(T) -> u64) {
        for (wide, &value) in run.iter_mut().zip(bytemuck::cast_slice(bytes)) {
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

fn narrow(kind: Widened, run: &mut [u64], to: DType, slots: &mut Slots<'_>) {
    let is_float = kind == Widened::Float;
    match to.int_range() {
        // Both zeros of a float are false, so the sign bit is shifted out.
        _ if to == DType::Bool => return slots.write(run, |x| u8::from(x << u32::from(is_float) != 0)),
        Some((min, max)) if is_float => cut(run, min as i64, max as u64),
        None if !is_float => to_floats(run, kind == Widened::Signed, to),
        _ => {}
    }
    match to {
        DType::Float32 => slots.write(run, |x| f64::from_bits(x) as f32),
        DType::Float16 => slots.write(run, |x| f16::round(to_odd(f64::from_bits(x)).to_bits()) as u16),
        DType::Bfloat16 => slots.write(run, |x| bf16::round(to_odd(f64::from_bits(x)).to_bits()) as u16),
        _ => match to.size() {
            1 => slots.write(run, |x| x as u8),
            2 => slots.write(run, |x| x as u16),
            4 => slots.write(run, |x| x as u32),
            _ => slots.write(run, |x| x),
        },
    }
}

/// Converts floats to integers. Casts drop the fraction and saturate at the ends of 64 bits, and NaN becomes 0.
fn cut(run: &mut [u64], min: i64, max: u64) {
    for wide in run {
        let x = f64::from_bits(*wide);
        *wide = if min < 0 { (x as i64).max(min).min(max as i64) as u64 } else { (x as u64).min(max) };
    }
}

/// Converts integers to float64 such that rounding once more, to a narrower float, gives what rounding once would have given.
fn to_floats(run: &mut [u64], is_signed: bool, to: DType) {
    for wide in run {
        let mut x = *wide;
        let sign = if is_signed { x as i64 >> 63 } else { 0 };
        // A float64 would round more than 53 bits. The low bits are replaced by one sticky bit, so that no tie between narrower
        // floats appears or is lost.
        if to != DType::Float64 && (x ^ sign as u64) >> 53 != 0 {
            x = (x & !0x7ff) | u64::from(x & 0x7ff != 0) << 11;
        }
        *wide = if is_signed { x as i64 as f64 } else { x as f64 }.to_bits();
    }
}

/// Where a run is written.
struct Slots<'a> {
    out: &'a mut UninitBuffer,
    at: usize,
}

impl Slots<'_> {
    fn write<T: Pod>(&mut self, run: &[u64], function: impl Fn(u64) -> T) {
        let slots = self.out.slots().get_mut(self.at..).unwrap_or_default();
        for (slot, &wide) in slots.iter_mut().zip(run) {
            *slot = MaybeUninit::new(function(wide));
        }
    }
}
