//! The operations that a scatter can use to combine an update with the value in the table.
//!
//! Each operation is a table with a row for each kind of arithmetic. The row names the dtypes that use it. To add an operation, write its
//! file and add it to [`loops`]. The compiler then names every dtype that the file leaves out.

pub(crate) mod add;
pub(crate) mod divide;
pub(crate) mod extremes;
pub(crate) mod multiply;
pub(crate) mod replace;
pub(crate) mod table;
pub(crate) mod unlikely;

use crate::DType;
use crate::engine::cpu::kernels::Loops;
use crate::plan::Reduce;
use add::Add;
use divide::Divide;
use extremes::{Maximum, Minimum};
use multiply::Multiply;
use replace::Replace;

/// Duplicates are unlikely if the table has on average at most this many entries for each slot.
const UNLIKELY: usize = 16;

/// The loops of an operation on a dtype that are fastest for a table of `slots` and so many entries.
pub(crate) fn loops_for(reduce: Reduce, dtype: DType, entries: usize, slots: usize) -> &'static Loops {
    let duplicates_are_unlikely = entries / UNLIKELY <= slots;
    match (reduce, dtype) {
        (Reduce::Maximum, DType::Float32) if duplicates_are_unlikely => Maximum::loops_for_unlikely(),
        (Reduce::Minimum, DType::Float32) if duplicates_are_unlikely => Minimum::loops_for_unlikely(),
        (Reduce::Maximum, _) if !duplicates_are_unlikely => Maximum::loops_for_likely(dtype),
        (Reduce::Minimum, _) if !duplicates_are_unlikely => Minimum::loops_for_likely(dtype),
        _ => loops(reduce, dtype),
    }
}

pub(crate) fn loops(reduce: Reduce, dtype: DType) -> &'static Loops {
    match reduce {
        Reduce::Replace => Replace::loops(dtype),
        Reduce::Add => Add::loops(dtype),
        Reduce::Multiply => Multiply::loops(dtype),
        Reduce::Divide => Divide::loops(dtype),
        Reduce::Maximum => Maximum::loops(dtype),
        Reduce::Minimum => Minimum::loops(dtype),
    }
}
