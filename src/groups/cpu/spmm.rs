//! Products of a sparse matrix and a dense one.

use crate::dtype::DType;
use crate::engine::cpu::kernels::job::Output;
use crate::engine::cpu::run::Cpu;
use crate::error::Result;
use crate::groups::kernels::spmm::{Matrix, Products};
use crate::host::HostBuffer;
use crate::index::cpu::checked::CheckedIndex;
use crate::plan::index::addressing::Addressing;
use crate::plan::reduce::Update;
use crate::scatter::cpu::division;

impl Cpu {
    /// [`Backend::spmm`](crate::engine::Backend::spmm) by checked indices. Sums are ordered.
    pub(crate) fn spmm(
        &self,
        [rows_plan, columns_plan]: [&Addressing; 2],
        dtype: DType,
        update: Update,
        [rows, columns]: [&CheckedIndex; 2],
        values: Option<&HostBuffer>,
        dense: &HostBuffer,
    ) -> Result<HostBuffer> {
        let op = rows_plan.op().name();
        let mut out = HostBuffer::zeroed(op, rows_plan.table_len() * dtype.size())?;
        let counts = update.is_mean().then(|| self.count(rows_plan, rows)).transpose()?;
        let table = Output::new(out.bytes_mut());
        let matrix = Matrix {
            rows: rows.values(),
            columns: columns.values(),
            sizes: [rows_plan.positions(), columns_plan.positions()],
            values: values.map(HostBuffer::bytes),
        };
        let products = Products::new(matrix, dtype, update.reduce, table, dense.bytes(), rows_plan.row().len);
        if !update.include_self {
            self.put_neutral(rows_plan, dtype, update.reduce, table, rows);
        }
        self.run(&products);
        if let Some(counts) = &counts {
            self.run(&division(rows_plan, dtype, update, table, counts));
        }
        Ok(out)
    }
}
