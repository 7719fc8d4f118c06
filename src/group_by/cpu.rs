//! The counting sort of groups on the CPU.

use std::rc::Rc;

use crate::engine::Masked;
use crate::engine::cpu::Cpu;
use crate::group_by::backend::GroupByBackend;
use crate::group_by::kernels;
use crate::group_by::plan::GroupsPlan;
use crate::plan::{Addressing, Op};
use crate::{DType, Error, HostBuffer, Result, UninitBuffer, unshare};

/// The groups of rows.
pub(crate) struct Numbered {
    /// The group of each row, −1 for rows that are left out; `None` if they are the codes, bit for bit.
    pub(crate) groups: Option<HostBuffer>,
    pub(crate) counts: HostBuffer,
}

impl Cpu {
    /// The group of each row, and the rows of each group. Codes are int32 or int64.
    pub(crate) fn number(
        &self,
        plan: &GroupsPlan,
        codes: Masked<'_, HostBuffer>,
        dtype: DType,
        ignored: Option<i64>,
    ) -> Result<Numbered> {
        let op = GroupsPlan::OP.name();
        let mut counts = HostBuffer::zeroed(op, 4 * plan.size)?;
        if dtype == DType::Int32 && codes.mask.is_none() && ignored.is_none() {
            let wrong = kernels::count(codes.numbers.elements(), counts.elements_mut());
            wrong.map_or(Ok(()), |row| Err(wrong_code(&plan.places, codes.numbers, dtype, row)))?;
            return Ok(Numbered { groups: None, counts });
        }
        let mut groups = UninitBuffer::new(op, 4 * plan.rows)?;
        let left_out = (codes.mask.map(HostBuffer::bytes).unwrap_or_default(), ignored);
        let (slots, counted) = (groups.slots(), counts.elements_mut());
        let wrong = match dtype {
            DType::Int64 => kernels::number(codes.numbers.elements::<i64>(), left_out, slots, counted),
            _ => kernels::number(codes.numbers.elements::<i32>(), left_out, slots, counted),
        };
        wrong.map_or(Ok(()), |row| Err(wrong_code(&plan.places, codes.numbers, dtype, row)))?;
        // SAFETY: there is a code for each row, none of them wrong, so that every slot was written.
        Ok(Numbered { groups: Some(unsafe { groups.assume_filled() }), counts })
    }
}

fn wrong_code(places: &Addressing, codes: &HostBuffer, dtype: DType, row: usize) -> Error {
    let code = match dtype {
        DType::Int64 => codes.elements::<i64>().get(row).copied(),
        _ => codes.elements::<i32>().get(row).map(|&code| code.into()),
    };
    places.index_error(row, code.unwrap_or_default())
}

impl GroupByBackend for Cpu {
    fn offsets(&self, plan: &GroupsPlan, counts: &HostBuffer) -> Result<HostBuffer> {
        let mut offsets = UninitBuffer::new(GroupsPlan::OP.name(), 4 * (plan.size + 1))?;
        kernels::offsets(counts.elements(), offsets.slots());
        // SAFETY: there is a count for each group, so that every slot was written.
        Ok(unsafe { offsets.assume_filled() })
    }

    fn order(&self, plan: &GroupsPlan, groups: &HostBuffer, offsets: &HostBuffer) -> Result<HostBuffer> {
        let op = GroupsPlan::OP.name();
        let mut places = HostBuffer::copy_of(op, offsets.bytes())?;
        let mut order = HostBuffer::zeroed(op, 4 * plan.rows)?;
        kernels::order(groups.elements(), places.elements_mut(), order.elements_mut());
        Ok(order)
    }
}

impl Cpu {
    /// Sorts the values of each group, float64 without NaN, in place: for groups of few values.
    pub(crate) fn sort_each(&self, op: Op, values: &mut Rc<HostBuffer>, offsets: &HostBuffer) -> Result<()> {
        let values = unshare(op.name(), values)?;
        kernels::sort_each(values.elements_mut(), offsets.elements());
        Ok(())
    }

    /// For each row how many rows of its group come before it, −1 for rows that are left out.
    pub(crate) fn number_within(&self, plan: &GroupsPlan, groups: &HostBuffer) -> Result<HostBuffer> {
        let op = GroupsPlan::OP.name();
        let mut counts = HostBuffer::zeroed(op, 4 * plan.size)?;
        let mut numbers = UninitBuffer::new(op, 4 * plan.rows)?;
        kernels::number_within(groups.elements(), counts.elements_mut(), numbers.slots());
        // SAFETY: there is a group for each row, so that every slot was written.
        Ok(unsafe { numbers.assume_filled() })
    }
}
