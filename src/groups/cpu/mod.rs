//! Argmax and sparse products on the CPU.

use std::rc::Rc;

use crate::elementwise::kernels::elementwise::WithGathered;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::Value;
use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::Output;
use crate::gather::cpu::result;
use crate::groups::backend::GroupsBackend;
use crate::groups::cpu::argmax::{Updates, arg_reduce};
use crate::groups::kernels::spmm::{Matrix, Products};
use crate::index::cpu::Index;
use crate::plan::{Addressing, Op, Update};
use crate::scatter::cpu::division;
use crate::segments::plan::CheckedSegments;
use crate::{DType, HostBuffer, Result};

pub(crate) mod argmax;

/// The bytes of a table that no longer fits the caches nearby.
const LARGE: usize = 1 << 20;

impl GroupsBackend for Cpu {
    fn scatter_argmax(
        &self,
        plan: &Addressing,
        dtype: DType,
        update: Update,
        table: &mut Rc<HostBuffer>,
        index: &Index<'_>,
        value: Value<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let positions = index.all()?;
        // In little-endian order the first bytes are those of the element.
        let scalar;
        let values = match value {
            Value::Buffer(values) => values.bytes(),
            Value::Scalar(bits) => {
                scalar = bits.to_le();
                bytemuck::bytes_of(&scalar)
            }
        };
        arg_reduce(plan.op(), dtype, update, table, values, &Updates::Scatter(plan, &positions))
    }

    fn with_gathered(
        &self,
        plans: (&Addressing, &BroadcastPlan),
        dtype: DType,
        x: &HostBuffer,
        table: &HostBuffer,
        index: &Index<'_>,
    ) -> Result<HostBuffer> {
        let positions = &index.checked(plans.0)?;
        let mut out = result(dtype.size(), positions, 0)?;
        let slots = Output::uninit(out.slots());
        self.run(&WithGathered::new(plans.1, dtype, x.bytes(), table.bytes(), positions, slots));
        // SAFETY: no value is out of range, so the job writes the row of every entry that is not skipped; the others are 0.
        Ok(unsafe { out.assume_filled() })
    }

    fn has_spmm(&self, plan: &Addressing, dtype: DType, update: Update, _: bool, _: bool) -> bool {
        // Into a large table of rows of one element the scatter itself is faster: it partitions the entries.
        update.is_single() || plan.row().len > 1 || plan.table_len() * dtype.size() <= LARGE
    }

    fn spmm(
        &self,
        [rows_plan, columns_plan]: [&Addressing; 2],
        dtype: DType,
        update: Update,
        [rows, columns]: [&Index<'_>; 2],
        values: Option<&HostBuffer>,
        dense: &HostBuffer,
    ) -> Result<HostBuffer> {
        // A sum needs no more than the positions, which may be the caller's index.
        let (row_positions, column_positions) = (rows.all()?, columns.all()?);
        let skips = rows.drops() || columns.drops();
        let kept = if update.is_single() { None } else { Some(rows.kept()?) };
        let op = rows_plan.op().name();
        let mut out = HostBuffer::zeroed(op, rows_plan.table_len() * dtype.size())?;
        let counts = kept.as_deref().filter(|_| update.is_mean());
        let counts = counts.map(|rows| self.count(rows_plan, rows)).transpose()?;
        let table = Output::new(out.bytes_mut());
        let matrix = Matrix {
            rows: &row_positions,
            columns: &column_positions,
            skips,
            sizes: [rows_plan.positions(), columns_plan.positions()],
            values: values.map(HostBuffer::bytes),
        };
        let products = Products::new(matrix, dtype, update.reduce, table, dense.bytes(), rows_plan.row().len);
        if let Some(rows) = kept.as_deref().filter(|_| !update.include_self) {
            self.put_neutral(rows_plan, dtype, update.reduce, table, rows);
        }
        self.run(&products);
        if let Some(counts) = &counts {
            self.run(&division(rows_plan, dtype, update, table, counts));
        }
        Ok(out)
    }
}

impl Cpu {
    /// `Cpu::combine_segments` of a maximum or minimum. For each element of `out`, returns the row of data that won, as
    /// [`GroupsBackend::scatter_argmax`] does. `update.include_self` says whether the starting row competes; a segment without rows keeps it.
    pub(crate) fn segment_argmax(
        &self,
        segments: &CheckedSegments,
        dtype: DType,
        update: Update,
        out: &mut Rc<HostBuffer>,
        data: &HostBuffer,
    ) -> Result<HostBuffer> {
        arg_reduce(Op::SegmentReduce, dtype, update, out, data.bytes(), &Updates::Segments(segments))
    }
}
