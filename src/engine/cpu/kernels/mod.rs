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
