//! Argmax and sparse products on a GPU.

use std::rc::Rc;

use crate::elementwise::backend::ElementwiseBackend;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::Value;
use crate::engine::gpu::shaders::pass::{FinalizeArgmax, FindArgmax, SparseEntries};
use crate::engine::gpu::{
    DeviceBuffer, ElementOrder, Entries, Gpu, IndexFormat, MOST_THREADS, Pass, ShaderKey, Width,
};
use crate::gather::backend::GatherBackend;
use crate::groups::backend::GroupsBackend;
use crate::groups::gpu::spmm::{EACH, words};
use crate::index::gpu::Index;
use crate::plan::{Addressing, Update};
use crate::scatter::gpu::order::count_entries;
use crate::scatter::gpu::strategy::{Request, traverses_rows};
use crate::{DType, Result};

pub(crate) mod spmm;

impl GroupsBackend for Rc<Gpu> {
    fn scatter_argmax(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<DeviceBuffer>,
        index: &Index,
        value: Value<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (op, places) = (plan.op().name(), plan.table_len());
        // Zeros: no update has won yet.
        let found = DeviceBuffer::new(self, op, "the winners", places * size_of::<u32>())?;
        let argmax = DeviceBuffer::unfilled(self, op, "the winners", places * size_of::<i64>())?;
        // The old values, if they compete. A shared table is copied before the first write.
        let before = if Rc::get_mut(table).is_none() {
            let copy = table.duplicate(op)?;
            Some(std::mem::replace(table, Rc::new(copy)))
        } else {
            update.include_self.then(|| table.duplicate(op).map(Rc::new)).transpose()?
        };
        let slot = self.check(plan, index, None);
        self.scatter_checked((plan, slot), dtype, update, table, index, value)?;
        let (width, order) = (Width::of(dtype), ElementOrder::of(dtype, false));
        let (inside, rounds) = colliding(plan);
        let threads = plan.entries() * plan.row().len;
        if threads > 0 && places > 0 {
            let params = FindArgmax {
                index: IndexFormat::new(plan, index),
                entries: Entries::new(plan),
                update: crate::engine::gpu::shaders::params::parts::Update::new(&value),
                order,
                inside,
                rounds,
            };
            let pass = self.pass(ShaderKey::units(Pass::FindArgmax, width), &params).slot(slot);
            pass.index(&*index.buffer).dst(&found).src(value.buffer()).scratch(&**table).record(threads);
        }
        if places > 0 {
            let include_self = update.include_self.into();
            let params = FinalizeArgmax { order, include_self };
            let pass = self.pass(ShaderKey::units(Pass::FinalizeArgmax, width), &params).slot(slot);
            pass.index(&found).dst(&argmax).src(&**table).scratch(before.as_deref()).record(places);
        }
        Ok(argmax)
    }

    fn with_gathered(
        &self,
        plans: (&Addressing, &BroadcastPlan),
        dtype: DType,
        x: &Self::Buffer,
        table: &Self::Buffer,
        index: &Self::Index<'_>,
    ) -> Result<Self::Buffer> {
        self.elementwise(plans.1, dtype, x, &self.gather(plans.0, dtype, table, index, 0)?)
    }

    fn has_spmm(
        &self,
        for_rows: &Addressing,
        dtype: DType,
        update: Update,
        has_values: bool,
        keeps_order: bool,
    ) -> bool {
        let entries = for_rows.entries();
        let words = words(for_rows, dtype, has_values).max(2 * entries);
        let continued = entries.div_ceil(self.steps_of_spmm() / EACH) as u64 * for_rows.row().len as u64;
        let fits = 4 * words as u64 <= self.most_bytes() && continued <= MOST_THREADS;
        let scatter = self.request(for_rows, dtype, update.reduce, false, false);
        fits && traverses_rows(&Request { keeps_order, ..scatter })
    }

    fn spmm(
        &self,
        [for_rows, for_columns]: [&Addressing; 2],
        dtype: DType,
        update: Update,
        [rows, columns]: [&Index; 2],
        values: Option<&DeviceBuffer>,
        dense: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let (op, elements) = (for_rows.op().name(), for_rows.table_len());
        // Zeros: a row without entries, and any row if the call is refused.
        let out = DeviceBuffer::new(self, op, "the result", elements * dtype.size())?;
        let rows_slot = self.check(for_rows, rows, None);
        let columns_slot = self.check(for_columns, columns, None);
        let (entries, row) = (for_rows.entries(), for_rows.row().len);
        if entries == 0 || elements == 0 {
            return Ok(out);
        }
        let sorted = rows.orders.sorted(self, for_rows, rows, rows_slot)?;
        // Zeros: rows without entries. If the columns are refused, there are no others.
        let words =
            DeviceBuffer::new(self, op, "work on index", 4 * words(for_rows, dtype, values.is_some()))?;
        let counts = update.is_mean().then(|| count_entries(self, for_rows, rows, rows_slot)).transpose()?;
        let (width, has_values) = (Width::of(dtype), u32::from(values.is_some()));
        let params = SparseEntries {
            index: IndexFormat::new(for_columns, columns),
            rows: (elements / row) as u32,
            entry_count: entries as u32,
            has_values,
        };
        let pass = self.pass(ShaderKey::units(Pass::SparseEntries, width), &params).slot(columns_slot);
        pass.index(&*columns.buffer).dst(&words).src(values).scratch(&*sorted).record(entries);
        let buffers = [&words, dense, &out];
        let longest_run = rows.orders.longest_run(for_rows);
        self.traverse_rows((for_rows, longest_run, rows_slot), dtype, update, has_values, &sorted, buffers);
        if let Some(counts) = &counts {
            self.divide_by_counts((for_rows, rows_slot), dtype, update, counts, &out);
        }
        Ok(out)
    }
}

/// How many entries one round of the colliding loop has, and its rounds: the position of an entry is its coordinate there.
fn colliding(plan: &Addressing) -> (u32, u32) {
    let Some(number) = plan.colliding_loop() else { return (1, 1) };
    let inside: usize = plan.loops().iter().skip(number + 1).map(|l| l.len).product();
    (inside.max(1) as u32, plan.loops().get(number).map_or(1, |l| l.len.max(1)) as u32)
}
