//! The jobs that check the values of an index, and that traverse an index with the rows that it names.

pub(crate) mod check;
pub(crate) mod columns;
pub(crate) mod indexed;
pub(crate) mod kept;
pub(crate) mod modes;
pub(crate) mod offsets;
pub(crate) mod positions;
pub(crate) mod resolve;
pub(crate) mod values;
pub(crate) mod walker;

pub(crate) use crate::index::kernels::columns::{Odometer, Start};
pub(crate) use crate::index::kernels::indexed::{Indexed, gather_rows, scatter_rows};
pub(crate) use crate::index::kernels::kept::BLOCK;
pub(crate) use crate::index::kernels::offsets::SKIPPED;
pub(crate) use crate::index::kernels::positions::Positions;
