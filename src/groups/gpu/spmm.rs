//! The product of a sparse matrix and a dense one, by the entries in the order of their rows.

use std::rc::Rc;

use crate::DType;
use crate::elementwise::gpu::self_test::verified;
use crate::engine::gpu::shaders::pass::SparseRows;
use crate::engine::gpu::{Arithmetic, DeviceBuffer, Gpu, Pass, ShaderKey};
use crate::plan::{Addressing, Update};

/// Most elements of a thread with guarded products, and about the entries that these have together. An estimate: with 1, 2, 4 and 8 elements
/// that have one entry each, SwiftShader takes 1.47, 1.20, 0.87 and 0.77 of the time of the calls that the product stands for.
pub(crate) const EACH: usize = 8;

/// Words of what `sparse_entries.wgsl` writes: for each row of the result the ends of its run, for each entry a slot and its value.
pub(crate) fn words(plan: &Addressing, dtype: DType, has_values: bool) -> usize {
    let of_value = if has_values { dtype.size().div_ceil(4) } else { 0 };
    2 * plan.table_len() / plan.row().len.max(1) + plan.entries() * (1 + of_value)
}

impl Gpu {
    /// Most entries of a row that a dispatch of a sparse product traverses. An entry takes a round of a loop, and one more if its product is
    /// computed again.
    pub(crate) fn steps_of_spmm(&self) -> usize {
        self.rounds() / 2
    }

    /// The last passes of `Gpu::spmm`, which write the rows of the result.
    pub(crate) fn traverse_rows(
        self: &Rc<Self>,
        (plan, longest_run, slot): (&Addressing, usize, u32),
        dtype: DType,
        update: Update,
        has_values: u32,
        sorted: &DeviceBuffer,
        [words, dense, out]: [&DeviceBuffer; 3],
    ) {
        let (entries, row, elements) = (plan.entries(), plan.row().len, plan.table_len());
        let (neutral, steps) = (update.reduce.neutral(dtype), self.steps_of_spmm());
        let key = verified(self, ShaderKey::sparse_rows(dtype, update.reduce, self.numerics().float32));
        let average = (entries * row / elements).clamp(1, steps);
        let is_guarded = key.pass == Pass::SparseRows(Arithmetic::Guarded);
        let each = if is_guarded { (EACH / average).max(1) } else { 1 };
        let most = steps / each;
        let mut params = SparseRows {
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
        let record = |params: &SparseRows, rounds: usize, threads: usize| {
            let pass = self.pass(key, params).slot(slot).index(words).dst(out).src(dense).scratch(sorted);
            pass.rounds(rounds).record(threads);
        };
        let group = self.workgroup();
        record(&params, average * each, elements.div_ceil(group * each) * group);
        (params.most, params.each) = (steps as u32, 1);
        for begin in (most..longest_run).step_by(steps) {
            params.begin = begin as u32;
            let elements = entries.div_ceil(begin) * row;
            params.elements = elements as u32;
            record(&params, self.average_rounds(entries * row, elements, steps), elements);
        }
    }
}
