//! Compares the elements of two tensors. Results are computed in row-major order, one run of the innermost loop at a time.

use std::marker::PhantomData;
use std::ops::Range;
use std::{ptr, slice};

use bytemuck::{Pod, Zeroable};

use crate::DType;
use crate::convert::kernels::{to_numbers, widen};
use crate::elementwise::plan::broadcast::BroadcastLoop;
use crate::engine::cpu::kernels::{CheckResult, Job, Output, cut, divided, elements};
use crate::index::kernels::Odometer;
use crate::index::kernels::columns::Step;
use crate::load;
use crate::masks::kernels::rows::{Form, Rows, rows};
use crate::masks::plan::compare::ComparePlan;
use crate::sort::kernels::keys::{NumberKey, number_key};

/// The elements that are repeated or converted at a time, in the form that is compared. They fit the first-level cache.
type Block = [NumberKey; 128];

/// One of both operands.
#[derive(Clone, Copy)]
struct Side {
    dtype: DType,
    start: *const u8,
}

/// Compares two tensors. The items are the elements of the result.
#[derive(Clone, Copy)]
pub(crate) struct Compare<'a> {
    loops: &'a [BroadcastLoop],
    len: usize,
    form: Form,
    rows: Rows,
    flip: u8,
    sides: [Side; 2],
    out: *mut u8,
    borrowed: PhantomData<(&'a [u8], Output<'a>)>,
}

impl<'a> Compare<'a> {
    /// Of the left operand and the right one.
    pub(crate) fn new(plan: &'a ComparePlan, operands: [&'a [u8]; 2], out: Output<'a>) -> Self {
        let ([left_dtype, right_dtype], [left_len, right_len]) = (plan.dtypes(), plan.lens());
        let side = |bytes, dtype: DType, len| Side { dtype, start: elements(bytes, len, dtype.size()) };
        let [left, right] = operands;
        let form = Form::of(plan.dtypes());
        Self {
            loops: plan.loops(),
            len: plan.len(),
            form,
            rows: rows(form, plan.test()),
            flip: plan.is_negated().into(),
            sides: [side(left, left_dtype, left_len), side(right, right_dtype, right_len)],
            out: out.elements(plan.len(), 1),
            borrowed: PhantomData,
        }
    }

    /// Compares `len` pairs of a run, and writes the results from number `at` on. The operands begin at these elements.
    ///
    /// # Safety
    /// The results must exist, and the elements that the run reads for them.
    unsafe fn compare_run(
        &self,
        run: &BroadcastLoop,
        at: usize,
        starts: [usize; 2],
        len: usize,
        blocks: &mut [Block; 2],
    ) {
        let strides = [run.x_stride, run.y_stride];
        let is_direct = |side: &Side, stride| stride == 1 && self.form == Form::Elements(side.dtype);
        let direct = [is_direct(&self.sides[0], strides[0]), is_direct(&self.sides[1], strides[1])];
        let most = if direct == [true, true] { len } else { size_of::<Block>() / self.form.size().max(1) };
        let mut done = 0;
        while done < len {
            let count = most.min(len - done);
            let mut found = [ptr::null(); 2];
            let all = self.sides.iter().zip(starts).zip(strides).zip(direct).zip(blocks.iter_mut());
            for (slot, ((((side, start), stride), is_direct), block)) in found.iter_mut().zip(all) {
                // SAFETY: as the caller promises.
                let from = unsafe { side.start.add((start + done * stride) * side.dtype.size()) };
                *slot = if is_direct { from } else { block.as_ptr().cast() };
                // A repeated element fills the block once.
                if !is_direct && (stride == 1 || done == 0) {
                    // SAFETY: as the caller promises.
                    unsafe { self.fill(side.dtype, from, stride, count, block) };
                }
            }
            // SAFETY: there are as many elements on both sides, and the results exist.
            unsafe { (self.rows)(found[0], found[1], self.out.add(at + done), count, self.flip) };
            done += count;
        }
    }

    /// Fills a block with `count` elements in the form that is compared, or with one of them as many times.
    ///
    /// # Safety
    /// The elements must exist.
    unsafe fn fill(&self, dtype: DType, from: *const u8, stride: usize, count: usize, block: &mut Block) {
        let (size, given) = (dtype.size(), if stride == 0 { 1 } else { count });
        // SAFETY: as the caller promises.
        let bytes = unsafe { slice::from_raw_parts(from, given * size) };
        match self.form {
            Form::Elements(_) => {
                for (slot, &byte) in some(block, bytes.len()).iter_mut().zip(bytes) {
                    *slot = byte;
                }
            }
            Form::Integers => widen(dtype, bytes, some(block, given)),
            Form::Numbers => to_numbers(dtype, bytes, some(block, given)),
            Form::Keys => {
                for (at, key) in block.iter_mut().take(given).enumerate() {
                    let element = bytes.get(at * size..(at + 1) * size).unwrap_or_default();
                    *key = number_key(load(element), dtype);
                }
            }
        }
        if stride == 0 {
            match self.form.size() {
                1 => repeat::<u8>(block, count),
                2 => repeat::<u16>(block, count),
                4 => repeat::<u32>(block, count),
                8 => repeat::<u64>(block, count),
                _ => repeat::<NumberKey>(block, count),
            }
        }
    }
}

/// The first elements of a block, which has room for them.
fn some<T: Pod>(block: &mut Block, count: usize) -> &mut [T] {
    let list: &mut [T] = bytemuck::try_cast_slice_mut(block).unwrap_or_default();
    list.get_mut(..count).unwrap_or_default()
}

/// Repeats the first element of a block.
fn repeat<T: Pod>(block: &mut Block, count: usize) {
    let list = some::<T>(block, count);
    if let Some(&first) = list.first() {
        list.fill(first);
    }
}

impl Job for Compare<'_> {
    fn len(&self) -> usize {
        self.len
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        // A plan without loops has one result, or none.
        let single = BroadcastLoop { len: 1, x_stride: 0, y_stride: 0 };
        let (run, outer) = self.loops.split_last().unwrap_or((&single, &[]));
        let Range { start: mut at, end } = cut(items, self.len);
        let (number, mut begin) = divided(at, run.len);
        let mut outer = Odometer::at(outer, number);
        let mut blocks = [Block::zeroed(); 2];
        while at < end {
            let len = (run.len - begin).min(end - at);
            let starts = run.after(outer.start, begin);
            // SAFETY: the plan's positions are below the lengths, which `new` has checked.
            unsafe { self.compare_run(run, at, starts, len, &mut blocks) };
            at += len;
            begin = 0;
            outer.advance();
        }
        CheckResult::NOTHING
    }
}
