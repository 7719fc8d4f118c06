//! The product of a sparse matrix and a dense one, by the entries in the order of their rows.

use std::rc::Rc;

use crate::dtype::DType;
use crate::elementwise::gpu::trials::trusted;
use crate::engine::gpu::buffer::DeviceBuffer;
use crate::engine::gpu::device::Gpu;
use crate::engine::gpu::dispatch::Bindings;
use crate::engine::gpu::shaders::arithmetic::Arithmetic;
use crate::engine::gpu::shaders::kernel::ShaderKey;
use crate::engine::gpu::shaders::params::parts::{Head, IndexFormat};
use crate::engine::gpu::shaders::params::{MOST_THREADS, SparseEntries, SparseRows, WORKGROUP};
use crate::engine::gpu::shaders::pass::Pass;
use crate::engine::gpu::shaders::width::Width;
use crate::error::Result;
use crate::index::gpu::Index;
use crate::plan::index::addressing::Addressing;
use crate::plan::reduce::Update;
use crate::scatter::gpu::order::count_entries;
use crate::scatter::gpu::strategy::{ROUNDS, longest_run, walks_rows};

/// Most entries of a row that a dispatch walks. An entry takes a round of a loop, and one more if its product is computed again.
const STEPS: usize = ROUNDS / 2;

/// Most elements of a thread with guarded products, and about the entries that these have together. An estimate: with 1, 2, 4 and 8 elements
/// that have one entry each, SwiftShader takes 1.47, 1.20, 0.87 and 0.77 of the time of the calls that the product stands for.
const EACH: usize = 8;

/// Words of what `sparse_entries.wgsl` writes: for each row of the result the ends of its run, for each entry a place and its value.
fn words(plan: &Addressing, dtype: DType, has_values: bool) -> usize {
    let of_value = if has_values { dtype.size().div_ceil(4) } else { 0 };
    2 * plan.table_len() / plan.row().len.max(1) + plan.entries() * (1 + of_value)
}

impl Gpu {
    /// Whether [`Backend::spmm`](crate::engine::Backend::spmm) does such a call. If not, it is made of others. `keeps_order`:
    /// later calls use the order of the rows again.
    pub(crate) fn has_spmm(
        &self,
        for_rows: &Addressing,
        dtype: DType,
        update: Update,
        has_values: bool,
        keeps_order: bool,
    ) -> bool {
        let entries = for_rows.entries();
        let words = words(for_rows, dtype, has_values).max(2 * entries);
        let continued = entries.div_ceil(STEPS / EACH) as u64 * for_rows.row().len as u64;
        let fits = 4 * words as u64 <= self.most_bytes() && continued <= MOST_THREADS;
        let scatter = self.request(for_rows, dtype, update.reduce, false, false);
        fits && !update.is_exact(dtype) && walks_rows(&scatter, keeps_order)
    }

    /// [`Backend::spmm`](crate::engine::Backend::spmm), where [`Gpu::has_spmm`] says so.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn spmm(
        self: &Rc<Self>,
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
            head: Head::new(entries, columns_slot),
            index: IndexFormat::new(for_columns, columns),
            rows: (elements / row) as u32,
            entry_count: entries as u32,
            has_values,
        };
        let bindings = Bindings { index: Some(&columns.buffer), dst: Some(&words), src: values };
        self.dispatch_with(ShaderKey::units(Pass::SparseEntries, width), params, 1, &bindings, Some(&sorted));
        let buffers = [&words, dense, &out];
        self.walk_rows((for_rows, rows_slot), dtype, update, has_values, &sorted, buffers);
        if let Some(counts) = &counts {
            self.divide_by_counts((for_rows, rows_slot), dtype, update, counts, &out);
        }
        Ok(out)
    }

    /// The last passes of [`Gpu::spmm`], which write the rows of the result.
    fn walk_rows(
        self: &Rc<Self>,
        (plan, slot): (&Addressing, u32),
        dtype: DType,
        update: Update,
        has_values: u32,
        sorted: &DeviceBuffer,
        [words, dense, out]: [&DeviceBuffer; 3],
    ) {
        let (entries, row, elements) = (plan.entries(), plan.row().len, plan.table_len());
        let neutral = update.reduce.neutral(dtype);
        let key = trusted(self, ShaderKey::sparse_rows(dtype, update.reduce, self.numerics().float32));
        let average = (entries * row / elements).clamp(1, STEPS);
        let is_guarded = key.pass == Pass::SparseRows(Arithmetic::Guarded);
        let each = if is_guarded { (EACH / average).max(1) } else { 1 };
        let most = STEPS / each;
        let mut params = SparseRows {
            head: Head::new(elements.div_ceil(WORKGROUP as usize * each) * WORKGROUP as usize, slot),
            neutral: [neutral as u32, (neutral >> 32) as u32],
            is_neutral: u32::from(!update.include_self),
            row: row as u32,
            rows: (elements / row) as u32,
            entry_count: entries as u32,
            has_values,
            begin: 0,
            most: most as u32,
            elements: elements as u32,
            each: each as u32,
        };
        let bindings = Bindings { index: Some(words), dst: Some(out), src: Some(dense) };
        self.dispatch_with(key, params, average * each, &bindings, Some(sorted));
        (params.most, params.each) = (STEPS as u32, 1);
        for begin in (most..longest_run(plan)).step_by(STEPS) {
            params.begin = begin as u32;
            params.elements = (entries.div_ceil(begin) * row) as u32;
            params.head.threads = params.elements;
            // Few rows are so long, but a thread of such a row may walk `STEPS` entries. That counts as the average.
            self.dispatch_with(key, params, STEPS, &bindings, Some(sorted));
        }
    }
}
