//! Converts elements from one dtype to another, as [`Scalar::cast`](crate::Scalar::cast) defines it.

use crate::convert::backend::ConvertBackend;
use crate::convert::kernels::{Convert, RUN, Widened, narrow};
use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::Output;
use crate::{DType, HostBuffer, Result, UninitBuffer};

impl ConvertBackend for Cpu {
    fn convert(&self, op: &'static str, from: DType, to: DType, buffer: &HostBuffer) -> Result<HostBuffer> {
        let count = buffer.len() / from.size();
        let mut out = UninitBuffer::new(op, count * to.size())?;
        self.run(&Convert::new(from, buffer.bytes(), to, count, Output::uninit(out.slots())));
        // SAFETY: the job writes every element.
        Ok(unsafe { out.assume_filled() })
    }
}

/// A new buffer of `count` elements of `dtype`, converted from float64 numbers. Calls `fill(at, run)` for one run after the other. `fill`
/// writes all numbers of `run`; the first one is for element `at`.
pub(crate) fn from_numbers(
    op: &'static str,
    count: usize,
    dtype: DType,
    fill: &mut dyn FnMut(usize, &mut [f64]),
) -> Result<HostBuffer> {
    produce(op, count, Widened::Float, dtype, &mut |at, run| fill(at, bytemuck::cast_slice_mut(run)))
}

/// As [`from_numbers`], but from signed 64-bit integers, as words. An integer `dtype` keeps only their low bits.
pub(crate) fn from_integers(
    op: &'static str,
    count: usize,
    dtype: DType,
    fill: &mut dyn FnMut(usize, &mut [u64]),
) -> Result<HostBuffer> {
    produce(op, count, Widened::Signed, dtype, fill)
}

/// A new buffer of `count` elements of `to`. Calls `fill(at, run)` for one run after the other. `fill` writes all words of `run`: widened
/// elements of `kind`, the first one for element `at`.
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
        let Some(slots) = out.slots::<u8>().get_mut(at * to.size()..(at + run.len()) * to.size()) else {
            break;
        };
        // SAFETY: there is a slot for each byte of the run's elements.
        unsafe { narrow(kind, run, to, slots.as_mut_ptr().cast()) };
    }
    // SAFETY: each run writes as many slots as it has elements, and the runs have `count` elements together.
    Ok(unsafe { out.assume_filled() })
}
