//! The kernels: jobs that compute the elements of a call. They allocate nothing, return no errors and cannot panic, so they import
//! neither `host` nor `error`.

pub(super) mod activate;
pub(super) mod binary;
pub(super) mod bins;
pub(super) mod check;
pub(super) mod columns;
pub(super) mod convert;
pub(super) mod dims;
pub(super) mod elementwise;
pub(super) mod exact;
pub(super) mod exact_terms;
pub(super) mod exponential;
pub(super) mod half_float;
pub(super) mod histogram;
pub(super) mod indexed;
pub(super) mod job;
mod kept;
pub(super) mod loops;
pub(super) mod mean;
pub(super) mod operation;
pub(super) mod positions;
pub(super) mod quotient;
pub(super) mod reduce;
pub(super) mod scan;
pub(super) mod segments;
pub(super) mod sort;
pub(super) mod span;
pub(super) mod split;
pub(super) mod spmm;
pub(super) mod values;
pub(super) mod vector;
pub(super) mod winners;
