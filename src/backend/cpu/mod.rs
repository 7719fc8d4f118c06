//! The CPU backend.
//!
//! Its files check, allocate and make errors, and then run jobs of the `kernels`, which do none of that. Each dispatches on dtype and reduce
//! once per call, outside the loops.

mod checked;
mod convert;
mod elements;
mod exact;
mod gather;
mod histogram;
mod index;
mod kernels;
mod multiply;
#[cfg(test)]
mod ranges;
mod run;
mod scan;
mod scatter;
mod segments;
mod trace;

use std::rc::Rc;

use crate::backend::cpu::index::CallIndex;
use crate::backend::{Backend, Index, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{Addressing, BroadcastPlan, OutOfRange, Update};
use crate::scalar::Bits;

pub use checked::CheckedIndex;
pub use convert::{from_integers, from_numbers};
pub use exact::ExactSums;
pub use index::normalise;
pub use kernels::values::DROPPED;
pub(crate) use multiply::product;
pub use run::Cpu;
pub(crate) use trace::{Fetch, Write};

/// It does not read the `state` of an [`Index`]: an index that was checked before is a [`CheckedIndex`], for which there are methods
/// of their own, and the range that an earlier check noted is kept in the index's buffer.
impl Backend for Cpu {
    type Buffer = HostBuffer;

    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        index: Index<'_, HostBuffer>,
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        if update.is_exact(dtype) {
            let positions = normalise(plan, index.buffer, index.dtype)?;
            return self.scatter_exact(plan, dtype, update, table, &positions, value);
        }
        if !update.is_single() {
            // The index is walked more than once, so its positions are computed once and kept.
            let positions = CheckedIndex::new(plan, index.buffer, index.dtype, OutOfRange::Raise)?;
            return self.scatter_at(plan, dtype, update, table, &positions, value);
        }
        let index = CallIndex::new(plan, index.buffer, index.dtype);
        self.scatter_once(plan, dtype, update.reduce, table, index, value)
    }

    fn gather(
        &self,
        plan: &Addressing,
        dtype: DType,
        table: &HostBuffer,
        index: Index<'_, HostBuffer>,
        _: Bits,
    ) -> Result<HostBuffer> {
        self.gather_by(dtype, table, CallIndex::new(plan, index.buffer, index.dtype))
    }

    fn multiply(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &HostBuffer,
        y: &HostBuffer,
    ) -> Result<HostBuffer> {
        self.multiply_new(plan, dtype, x, y)
    }

    fn multiply_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<HostBuffer>,
        y: &HostBuffer,
    ) -> Result<()> {
        self.multiply_over(plan, dtype, x, y)
    }

    fn convert(&self, op: &'static str, from: DType, to: DType, buffer: &HostBuffer) -> Result<HostBuffer> {
        convert::convert(op, from, to, buffer)
    }
}
