//! Scatters.

use std::mem::MaybeUninit;
use std::rc::Rc;

use crate::engine::Value;
use crate::engine::cpu::kernels::{ByDestination, CheckResult, GROUP, Job, Output, reduce, repeated};
use crate::engine::cpu::{Cpu, is_any_order};
use crate::index::cpu::checked::CheckedIndex;
use crate::index::cpu::{CallIndex, Index};
use crate::index::kernels::kept::SPARE_SLOTS;
use crate::index::kernels::positions::WINDOW;
use crate::index::kernels::{Indexed, Positions};
use crate::plan::{Addressing, Reduce, Update};
use crate::scatter::backend::ScatterBackend;
use crate::scatter::kernels::{Counts, Divide};
use crate::{DType, HostBuffer, Result, SPARE, load, unshare};

const _: () = assert!(SPARE_SLOTS * size_of::<u64>() <= SPARE); // the slots of elements of any dtype

/// Space on the stack for a copy of a table of up to 4 KiB. The call runs on the copy while it checks the index, so a long index is read
/// from memory only once.
type Aside = [u64; 512];

/// The bytes of a scatter's values, as its job reads them. A single value is repeated in `one` for a group of entries.
#[inline(always)]
fn bytes_of<'v>(
    plan: &Addressing,
    size: usize,
    value: &Value<&'v HostBuffer>,
    one: &'v mut MaybeUninit<[u64; GROUP]>,
) -> &'v [u8] {
    let element = match value {
        Value::Buffer(values) if plan.value_len() != 1 => return values.bytes(),
        Value::Buffer(values) => values.bytes().get(..size).map_or(0, load),
        Value::Scalar(bits) => *bits,
    };
    bytemuck::bytes_of(one.write(repeated(size, element)))
}

fn job<'a>(
    dtype: DType,
    reduce: Reduce,
    table: Output<'a>,
    positions: &'a Positions<'a>,
    values: &'a [u8],
) -> Indexed<'a> {
    let plan = positions.plan;
    let loops = reduce::loops_for(reduce, dtype, plan.entries(), plan.table_len());
    Indexed::scatter(loops, table, positions, values)
}

impl ScatterBackend for Cpu {
    fn scatter(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        index: &Index<'_>,
        value: Value<&HostBuffer>,
    ) -> Result<()> {
        if update.is_exact(dtype) {
            return self.scatter_exact(plan, dtype, update, table, &index.all()?, value);
        }
        match index {
            Index::Given(index) if update.is_single() => {
                self.scatter_once(plan, dtype, update.reduce, table, index, value)
            }
            // The index is traversed more than once, or was checked before.
            Index::Given(_) | Index::Checked(_) => {
                self.scatter_at(plan, dtype, update, table, &*index.kept()?, value)
            }
        }
    }
}

impl Cpu {
    /// Runs the job of a scatter. `index` is the prepared index that it uses, if it uses one.
    #[inline(always)]
    fn run_scatter<'a>(
        &self,
        (dtype, reduce): (DType, Reduce),
        table: Output<'a>,
        positions: &'a Positions<'a>,
        values: &'a [u8],
        index: Option<&CheckedIndex>,
    ) -> CheckResult {
        let job = job(dtype, reduce, table, positions, values);
        if self.has_threads()
            && let Some(check_result) = self.run_divided(&job, (dtype, reduce), table, values, index)
        {
            return check_result;
        }
        self.run(&job)
    }

    /// Runs the job of a scatter with a single column on several threads: in parts if its updates may come in any order, else by a partition of
    /// its prepared index. `None` if threads gain nothing.
    #[inline(never)]
    fn run_divided<'a>(
        &self,
        job: &Indexed<'a>,
        (dtype, reduce): (DType, Reduce),
        table: Output<'a>,
        values: &'a [u8],
        index: Option<&CheckedIndex>,
    ) -> Option<CheckResult> {
        let (plan, loops) = (job.plan(), job.loops()?);
        if plan.loops().len() != 1 || job.len() != 1 {
            return None;
        }
        if is_any_order(reduce, dtype)
            && let Some(check_result) =
                self.run_in_parts(*job, (reduce, dtype), loops, table, plan.table_len())
        {
            return Some(check_result);
        }
        if plan.row().len != 1 {
            return None;
        }
        let partition = index?.partition(plan)?;
        Some(self.run(&ByDestination::new(loops, table, plan, values, partition)?))
    }

    pub(crate) fn scatter_once(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        table: &mut Rc<HostBuffer>,
        index: &CallIndex<'_>,
        value: Value<&HostBuffer>,
    ) -> Result<()> {
        let mut one = MaybeUninit::uninit();
        let values = bytes_of(plan, dtype.size(), &value, &mut one);
        // Scatters into memory that nobody sees yet. After an error its content is useless.
        let scatter_unseen = |table: &mut [u8]| {
            let positions = index.unchecked();
            if plan.entries() == 0 || plan.row().len == 0 {
                return index.finish_check(&index.check());
            }
            let table = Output::new(table);
            index.finish_check(&self.run_scatter((dtype, reduce), table, &positions, values, None))
        };
        let Some(own) = Rc::get_mut(table) else {
            // A shared table must be copied anyway.
            let mut copy = HostBuffer::copy_of(plan.op().name(), table.bytes())?;
            scatter_unseen(copy.bytes_mut())?;
            *table = Rc::new(copy);
            return Ok(());
        };
        let table = own.bytes_mut();
        // An index of one window is still in the first-level cache at its second reading, so a copy would gain nothing.
        if plan.entries() > WINDOW && table.len() <= size_of::<Aside>() {
            let mut aside: Aside = bytemuck::Zeroable::zeroed();
            let (copy, _) = bytemuck::cast_slice_mut(&mut aside).split_at_mut(table.len());
            copy.copy_from_slice(table);
            scatter_unseen(copy)?;
            table.copy_from_slice(copy);
            return Ok(());
        }
        let positions = index.checked()?;
        self.run_scatter((dtype, reduce), Output::new(table), &positions, values, None);
        Ok(())
    }

    /// A scatter that is not exact, by an index that was checked for this plan, or for a plan with at most as many positions.
    pub(crate) fn scatter_at(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        index: &CheckedIndex,
        value: Value<&HostBuffer>,
    ) -> Result<()> {
        // Allocate all memory and make all jobs before the first write, so that a call that fails writes nothing.
        let counts = update.is_mean().then(|| self.count(plan, index)).transpose()?;
        let table = Output::with_spare(unshare(plan.op().name(), table)?.bytes_and_spare());
        let mut one = MaybeUninit::uninit();
        let values = bytes_of(plan, dtype.size(), &value, &mut one);
        let checked = index.positions(plan);
        if !update.include_self {
            self.put_neutral(plan, dtype, update.reduce, table, index);
        }
        self.run_scatter((dtype, update.reduce), table, &checked, values, Some(index));
        if let Some(counts) = &counts {
            self.run(&division(plan, dtype, update, table, counts));
        }
        Ok(())
    }

    /// Replaces the addressed elements of a table by the neutral element: then the values that were there do not count.
    pub(crate) fn put_neutral(
        &self,
        plan: &Addressing,
        dtype: DType,
        reduce: Reduce,
        table: Output<'_>,
        index: &CheckedIndex,
    ) {
        let neutral = repeated(dtype.size(), reduce.neutral(dtype));
        let plan = plan.of_scalar();
        let positions = index.positions(&plan);
        let replace = (dtype, Reduce::Replace);
        self.run_scatter(replace, table, &positions, bytemuck::bytes_of(&neutral), Some(index));
    }

    /// The number of entries that name each row of the table, as uint32.
    pub(crate) fn count(&self, plan: &Addressing, index: &CheckedIndex) -> Result<HostBuffer> {
        let plan = plan.of_rows();
        let mut counts = HostBuffer::zeroed(plan.op().name(), 4 * plan.table_len())?;
        let (table, one) = (Output::with_spare(counts.bytes_and_spare()), repeated(4, 1));
        let positions = index.positions(&plan);
        self.run_scatter(
            (DType::Uint32, Reduce::Add),
            table,
            &positions,
            bytemuck::bytes_of(&one),
            Some(index),
        );
        Ok(counts)
    }
}

/// The job that divides each row of the table by its number of terms. That number follows from the number of updates.
pub(crate) fn division<'a>(
    plan: &Addressing,
    dtype: DType,
    update: Update,
    table: Output<'a>,
    counts: &'a HostBuffer,
) -> Divide<'a> {
    Divide::new(dtype, table, plan.row().len, Counts::Each(counts.elements()), update.other_terms())
}
