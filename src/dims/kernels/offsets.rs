//! Offsets in the loops of a plan.

use crate::engine::cpu::kernels::divided;
use crate::plan::Axis;
use crate::{Bits, DType};

/// A loop of one round, where a plan has none.
pub(crate) const ONCE: Axis = Axis { len: 1, stride: 0 };

/// How far the round with a number is from the first round of some loops.
pub(crate) fn offset(axes: &[Axis], number: usize) -> usize {
    let mut rest = number;
    let mut at = 0;
    for axis in axes.iter().rev() {
        let (outer, coordinate) = divided(rest, axis.len);
        at += coordinate * axis.stride;
        rest = outer;
    }
    at
}

/// Writes an element of a float dtype.
///
/// # Safety
/// It must exist, aligned.
pub(crate) unsafe fn write(out: *mut u8, at: usize, dtype: DType, bits: Bits) {
    // SAFETY: as the caller promises.
    unsafe {
        match dtype {
            DType::Float32 => out.cast::<u32>().add(at).write(bits as u32),
            DType::Float64 => out.cast::<u64>().add(at).write(bits),
            _ => out.cast::<u16>().add(at).write(bits as u16),
        }
    }
}

/// Calls a function for elements of a size, as unsigned integers.
macro_rules! each_width {
    ($size:expr, $function:ident($($argument:expr),*)) => {
        match $size {
            1 => $function::<u8>($($argument),*),
            2 => $function::<u16>($($argument),*),
            4 => $function::<u32>($($argument),*),
            _ => $function::<u64>($($argument),*),
        }
    };
}

pub(crate) use each_width;
