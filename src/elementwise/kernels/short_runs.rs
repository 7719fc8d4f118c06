//! Operations on two tensors whose innermost runs have a few elements in one operand or both, as `[n, 1] · [3]` has: the operands of many
//! runs are copied to where they follow each other, then combined by one call of the loop. A call for each run would take several times as
//! long as its elements.

use std::ops::Range;
use std::ptr;

use crate::elementwise::kernels::elementwise::{Combine, Runs};
use crate::elementwise::kernels::pairs::Order;
use crate::elementwise::plan::broadcast::BroadcastLoop;
use crate::engine::cpu::kernels::{CheckResult, Job, RowUpdates, cut, repeated};
use crate::index::kernels::Odometer;
use crate::index::kernels::columns::Step;

/// Bytes of results that are computed at a time. They fit the first-level cache with their operands.
const BLOCK: usize = 4096;

/// Runs of so many bytes or more are long.
const LONG: usize = 64;

/// Its items are the runs.
#[derive(Clone, Copy)]
pub(crate) struct ShortRuns<'a> {
    combine: Combine<'a>,
    /// The loops around the runs, outermost first.
    outer: &'a [BroadcastLoop],
    run: BroadcastLoop,
}

/// Room for the operands of a block, and for the last eight bytes that a repeated element may be written beyond it.
#[repr(align(8))]
struct Room([u8; BLOCK + 8]);

impl<'a> ShortRuns<'a> {
    /// The job of short runs; `None` if runs are long, or were made long.
    pub(crate) fn new(runs: &'a Runs<'a>, combine: Combine<'a>) -> Option<Self> {
        let (outer, run) = runs.short()?;
        (run.len * combine.size() < LONG).then_some(Self { combine, outer, run })
    }

    /// Copies the elements of some runs of one operand to `room`. The first of them begins at element `first` of `operand`, and each other one
    /// `around` elements after the one before it. Returns where the next one goes.
    ///
    /// # Safety
    /// These elements must exist, and `room` must have a place for them, and for eight bytes more.
    unsafe fn copy(
        &self,
        (operand, first): (*const u8, usize),
        (stride, around): (usize, usize),
        count: usize,
        room: *mut u8,
    ) -> *mut u8 {
        let (size, bytes) = (self.combine.size(), self.run.len * self.combine.size());
        let (words, rest) = (bytes & !7, bytes & 7);
        // SAFETY: as the caller promises. A word that is written beyond a run is written again, or in the eight bytes.
        unsafe {
            let (mut from, mut to) = (operand.add(first * size), room);
            for _ in 0..count {
                if stride == 0 {
                    let element = match size {
                        1 => (*from).into(),
                        2 => from.cast::<u16>().read_unaligned().into(),
                        4 => from.cast::<u32>().read_unaligned().into(),
                        _ => from.cast::<u64>().read_unaligned(),
                    };
                    let [word, ..] = repeated(size, element);
                    for at in (0..bytes).step_by(8) {
                        to.add(at).cast::<u64>().write_unaligned(word);
                    }
                } else {
                    for at in (0..words).step_by(8) {
                        to.add(at).cast::<u64>().write_unaligned(from.add(at).cast::<u64>().read_unaligned());
                    }
                    if rest & 4 != 0 {
                        let word = from.add(words).cast::<u32>().read_unaligned();
                        to.add(words).cast::<u32>().write_unaligned(word);
                    }
                    for at in bytes & !3..bytes {
                        *to.add(at) = *from.add(at);
                    }
                }
                (from, to) = (from.wrapping_add(around * size), to.add(bytes));
            }
            to
        }
    }
}

impl Job for ShortRuns<'_> {
    fn len(&self) -> usize {
        self.outer.iter().map(|l| l.len).product()
    }

    fn work(&self) -> usize {
        self.len() * self.run.len
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        let items = cut(items, self.len());
        let (run, combine, size) = (self.run, &self.combine, self.combine.size());
        let bytes = (run.len * size).max(1);
        let most = BLOCK / bytes;
        let Some((around, loops)) = self.outer.split_last() else { return CheckResult::NOTHING };
        let mut rooms = [const { Room([0; BLOCK + 8]) }, const { Room([0; BLOCK + 8]) }];
        let [x_room, y_room] = rooms.each_mut().map(|room| ptr::from_mut(&mut room.0).cast::<u8>());
        // An operand with the same elements in every run is copied once.
        let is_same = |stride: fn(&BroadcastLoop) -> usize| self.outer.iter().all(|l| stride(l) == 0);
        let same = [is_same(|l| l.x_stride), is_same(|l| l.y_stride)];
        let (number, mut at) = (items.start / around.len.max(1), items.start % around.len.max(1));
        let mut outer = Odometer::at(loops, number);
        let mut done = items.start;
        while done < items.end {
            let end = items.end.min(done + most);
            let is_first = done == items.start;
            let (mut x_to, mut y_to, mut next) = (x_room, y_room, done);
            while next < end {
                let count = (end - next).min(around.len - at);
                let [x, y] = around.after(outer.start, at);
                // SAFETY: the plan's positions are below the lengths, which `Combine` has checked. The rooms have a block, which `most` runs
                // fit.
                unsafe {
                    if is_first || !same[0] {
                        x_to = self.copy((combine.x, x), (run.x_stride, around.x_stride), count, x_to);
                    }
                    if is_first || !same[1] {
                        y_to = self.copy((combine.y, y), (run.y_stride, around.y_stride), count, y_to);
                    }
                }
                next += count;
                at += count;
                if at == around.len {
                    at = 0;
                    outer.advance();
                }
            }
            // SAFETY: the results of these runs exist, and nothing else writes them. The rooms have their operands.
            unsafe { combine.rows(done * run.len, [x_room, y_room], (end - done) * run.len) };
            done = end;
        }
        CheckResult::NOTHING
    }
}

impl Combine<'_> {
    /// Computes `len` results from result `at` on, and completes them.
    ///
    /// # Safety
    /// There must be as many elements at x and at y, and these results, which nothing else accesses.
    #[inline(always)]
    unsafe fn rows(&self, at: usize, [x, y]: [*const u8; 2], len: usize) {
        let (first, second) = if self.x_is_second { (y, x) } else { (x, y) };
        // SAFETY: as the caller promises.
        unsafe {
            let out = self.out.add(at * self.size());
            self.pairs.combine(Order::Rows, out, first, second, &RowUpdates::single(len, 1));
            if let Some(then) = self.then {
                then.replace(self.dtype, out, len);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{DType, Tensor};

    /// The numbers 0 to 100 in turn.
    fn numbers(dims: &[usize], dtype: DType) -> Tensor {
        let count: usize = dims.iter().product();
        let all: Vec<i32> = (0..count as i32).map(|at| at * 7 % 101).collect();
        Tensor::from_elements(dims, &all).and_then(|all| all.astype(dtype)).unwrap()
    }

    /// The element that an operand has for the result at `at`.
    fn place(dims: &[usize], at: &[usize]) -> usize {
        let own = &at[at.len() - dims.len()..];
        dims.iter().zip(own).fold(0, |place, (&len, &at)| place * len + if len == 1 { 0 } else { at })
    }

    #[test]
    fn each_result_is_that_of_its_own_elements() {
        let mut state = 5u32;
        let mut pick = |list: &[usize]| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            list[(state >> 16) as usize % list.len()]
        };
        for round in 0..300 {
            let dtype =
                [DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::Float32, DType::Float64]
                    [round % 6];
            let rank = pick(&[2, 3, 4]);
            let dims: Vec<usize> = (0..rank)
                .map(|d| if d == 0 { pick(&[1, 5, 40, 400]) } else { pick(&[1, 2, 3, 8, 17]) })
                .collect();
            // Each operand is repeated in some dimensions.
            let mut operand = || {
                let from = pick(&[0, 0, 0, 1]);
                dims.iter()
                    .skip(from)
                    .map(|&len| if pick(&[0, 0, 1]) == 1 { 1 } else { len })
                    .collect::<Vec<_>>()
            };
            let (one, other) = (operand(), operand());
            let (x, y) = (numbers(&one, dtype), numbers(&other, dtype));
            let read =
                |tensor: &Tensor| tensor.astype(DType::Int64).unwrap().elements::<i64>().unwrap().to_vec();
            let (first, second) = (read(&x), read(&y));
            let made = x.sub(&y).unwrap();
            for (at, &value) in read(&made).iter().enumerate() {
                let mut position = vec![0; rank - made.shape().rank()];
                position.extend(made.shape().unravel(at));
                let wanted = first[place(&one, &position)] - second[place(&other, &position)];
                assert_eq!(value, wanted, "{one:?} - {other:?} {dtype} at {position:?}");
            }
        }
    }
}
