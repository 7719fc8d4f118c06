//! What groups of rows need of a device, and how their calls enter it.

use std::rc::Rc;

use crate::dispatch::operands::Operands;
use crate::dispatch::where_it_is;
use crate::engine::backend::backend;
use crate::engine::cpu::Cpu;
use crate::engine::{Backend, Masked};
use crate::group_by::plan::{GroupsPlan, empty_group};
use crate::plan::{Addressing, IndexMode, Op};
use crate::{DType, Result, Storage, Tensor};

backend! {
    pub(crate) trait GroupByBackend: Backend {
        /// Where each group begins among the rows in the order of groups, and where the last one ends, int32.
        fn offsets(&self, plan: &GroupsPlan, counts: &Self::Buffer) -> Result<Self::Buffer>;

        /// The rows of each group, then those that are left out, each in ascending order, int32. `groups` has the group of each row, −1 for
        /// rows that are left out.
        fn order(&self, plan: &GroupsPlan, groups: &Self::Buffer, offsets: &Self::Buffer) -> Result<Self::Buffer>;
    }
}

backend! {
    /// What groups need of a GPU alone, which cannot return an error at once.
    pub(crate) trait GroupByOnGpu: Backend {
        /// The positions of codes, a word each, −1 for the code that is ignored. The next read reports a code that is no group.
        fn positions(
            &self,
            places: &Addressing,
            codes: &Rc<Self::Buffer>,
            dtype: DType,
            mode: IndexMode,
        ) -> Result<Self::Buffer>;

        /// Has the next read report the first group whose count is 0.
        fn check_full(
            &self,
            op: Op,
            statistic: &'static str,
            dtype: DType,
            counts: &Self::Buffer,
        );
    }
}

/// The groups of codes, int32 or int64: a tensor of int32 with −1 for rows that are left out, and whether there may be any. On the CPU also the
/// number of rows of each group.
pub(crate) fn number(
    plan: &GroupsPlan,
    codes: &Tensor,
    mask: Option<&Tensor>,
    ignored: Option<i64>,
) -> Result<(Storage, bool, Option<Storage>)> {
    let op = GroupsPlan::OP;
    match &codes.storage {
        Storage::Host(buffer) => {
            let mask = mask.map(|mask| Cpu.operand(op, "mask", mask)).transpose()?;
            let made = Cpu.number(plan, Masked::new(mask, buffer), codes.dtype, ignored)?;
            let drops = mask.is_some() || ignored.is_some();
            let groups = made.groups.map_or_else(|| codes.storage.clone(), Storage::from);
            Ok((groups, drops, Some(made.counts.into())))
        }
        Storage::Device(data) => {
            data.usable(op.name())?;
            let mode = IndexMode { ignored, ..IndexMode::default() };
            Ok((data.gpu().positions(&plan.places, data, codes.dtype, mode)?.into(), true, None))
        }
    }
}

/// [`GroupByBackend::offsets`] on the device of the counts.
pub(crate) fn offsets(plan: &GroupsPlan, counts: &Tensor) -> Result<Storage> {
    where_it_is!(GroupsPlan::OP.name(), &counts.storage, |backend, counts| {
        Ok(backend.offsets(plan, counts)?.into())
    })
}

/// [`GroupByBackend::order`] on the device of the groups.
pub(crate) fn order(plan: &GroupsPlan, groups: &Tensor, offsets: &Tensor) -> Result<Storage> {
    where_it_is!(GroupsPlan::OP.name(), &groups.storage, |backend, groups| {
        let offsets = backend.operand(GroupsPlan::OP, "offsets", offsets)?;
        Ok(backend.order(plan, groups, &offsets)?.into())
    })
}

/// The most values of a group that are sorted in place.
const SHORT: u32 = 64;

/// Whether groups have so few values that it takes less time to sort each than all. False if only a GPU knows.
pub(crate) fn are_short(counts: &Tensor) -> bool {
    let counts = counts.storage.as_host();
    counts.is_some_and(|counts| counts.elements::<u32>().iter().all(|&count| count <= SHORT))
}

/// Sorts the values of each group, float64 without NaN, in place. False if a GPU has them.
pub(crate) fn sort_each(op: Op, values: &mut Tensor, offsets: &Tensor) -> Result<bool> {
    match (&mut values.storage, &offsets.storage) {
        (Storage::Host(values), Storage::Host(offsets)) => Cpu.sort_each(op, values, offsets).map(|()| true),
        (Storage::Host(_) | Storage::Device(_), _) => Ok(false),
    }
}

/// For each row how many rows of its group come before it, if the groups are in host memory.
pub(crate) fn number_within(plan: &GroupsPlan, groups: &Tensor) -> Result<Option<Storage>> {
    let groups = groups.storage.as_host();
    groups.map(|groups| Cpu.number_within(plan, groups).map(Storage::from)).transpose()
}

/// Refuses groups without rows, on a GPU at the next read.
pub(crate) fn check_full(op: Op, statistic: &'static str, dtype: DType, counts: &Tensor) -> Result<()> {
    match &counts.storage {
        Storage::Host(buffer) => {
            let empty = buffer.elements::<u32>().iter().position(|&count| count == 0);
            empty.map_or(Ok(()), |group| Err(empty_group(op, statistic, dtype, group)))
        }
        Storage::Device(data) => {
            data.usable(op.name())?;
            data.gpu().check_full(op, statistic, dtype, data);
            Ok(())
        }
    }
}
