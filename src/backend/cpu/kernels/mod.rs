//! The kernels: what runs over the elements of a call.

pub(super) mod activate;
pub(super) mod check;
pub(super) mod convert;
pub(super) mod exponential;
pub(super) mod half_float;
pub(super) mod histogram;
pub(super) mod indexed;
pub(super) mod loops;
pub(super) mod mean;
pub(super) mod multiply;
pub(super) mod positions;
pub(super) mod reduce;
pub(super) mod segments;
pub(super) mod vector;
