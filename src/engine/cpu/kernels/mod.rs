//! What the `kernels` of the families share. Kernels are jobs that compute the elements of a call. They allocate nothing, return no errors
//! and cannot panic, so they import neither `host` nor `error`.

pub(crate) mod half_float;
pub(crate) mod halves;
pub(crate) mod job;
pub(crate) mod loops;
pub(crate) mod offsets;
pub(crate) mod operation;
pub(crate) mod partition;
pub(crate) mod reduce;
pub(crate) mod span;
pub(crate) mod vector;

pub(crate) use crate::engine::cpu::kernels::half_float::{F32Operation, HalfFloat, Words, through_f32};
pub(crate) use crate::engine::cpu::kernels::halves::{Maximum, Minimum};
pub(crate) use crate::engine::cpu::kernels::job::{
    ALL, CheckResult, Fault, GRAIN_BYTES, Job, Output, aligned, cut, elements, rely_on,
};
pub(crate) use crate::engine::cpu::kernels::loops::entries::{
    CombineBits, EntryLoop, GROUP, IndexedLoop, ONCE, Rounds, combine_indexed, combine_shared,
    combine_strided, combine_strided_unit, pair, repeated,
};
pub(crate) use crate::engine::cpu::kernels::loops::gather::gather_loop;
pub(crate) use crate::engine::cpu::kernels::loops::segments::{SegmentLoop, combine_segments};
pub(crate) use crate::engine::cpu::kernels::loops::{Loops, RowLoop, RowUpdates, combine_bits, combine_rows};
pub(crate) use crate::engine::cpu::kernels::offsets::divided;
pub(crate) use crate::engine::cpu::kernels::operation::{Operation, Truth, VectorOperation};
pub(crate) use crate::engine::cpu::kernels::partition::{
    AnyOrder, ByDestination, Partition, Privatised, merge,
};
pub(crate) use crate::engine::cpu::kernels::reduce::table::combine;
pub(crate) use crate::engine::cpu::kernels::reduce::unlikely::{MaximumInIntegers, MinimumInIntegers};
pub(crate) use crate::engine::cpu::kernels::span::Span;
pub(crate) use crate::engine::cpu::kernels::vector::lanes::{F64Lanes, FloatLanes, SHIFT};
pub(crate) use crate::engine::cpu::kernels::vector::{Double, IndexLanes, Lane, Single};
