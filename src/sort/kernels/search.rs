//! Searches elements in sorted edges, by halving.

use std::marker::PhantomData;
use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, Job, Output, cut, elements};
use crate::plan::Order;
use crate::sort::kernels::keys::{NumberKey, number_key};
use crate::sort::plan::SearchPlan;
use crate::{DType, load};

/// The keys of edges. Edges and elements of one dtype are compared by the keys of that dtype; else all numbers have one order.
#[derive(Clone, Copy)]
pub(crate) enum EdgeKeys<'a> {
    Same(&'a [u64]),
    Mixed(&'a [NumberKey]),
}

/// Fills in the keys for [`EdgeKeys::Same`]. Returns the position of the first edge that is less than the one before it.
#[inline(never)]
pub(crate) fn fill_same(keys: &mut [u64], edges: &[u8], dtype: DType) -> Option<usize> {
    let order = Order::of(dtype);
    fill(keys, edges, dtype.size(), |bits| order.sort_key(bits))
}

/// [`fill_same`] for [`EdgeKeys::Mixed`].
#[inline(never)]
pub(crate) fn fill_mixed(keys: &mut [NumberKey], edges: &[u8], dtype: DType) -> Option<usize> {
    fill(keys, edges, dtype.size(), |bits| number_key(bits, dtype))
}

fn fill<K: Copy + PartialOrd>(
    keys: &mut [K],
    edges: &[u8],
    size: usize,
    key_of: impl Fn(u64) -> K,
) -> Option<usize> {
    let (mut fault, mut before) = (None, None);
    for (at, (slot, edge)) in keys.iter_mut().zip(edges.chunks_exact(size)).enumerate() {
        let key = key_of(load(edge));
        if fault.is_none() && before.is_some_and(|before| key < before) {
            fault = Some(at);
        }
        (*slot, before) = (key, Some(key));
    }
    fault
}

/// Searches the elements of x. A column of the job is an element.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    dtype: DType,
    len: usize,
    is_right: bool,
    edges: EdgeKeys<'a>,
    values: *const u8,
    out: *mut i64,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> Search<'a> {
    /// Writes an int64 for each element: how many edges are before it.
    pub(crate) fn new(plan: &SearchPlan, edges: EdgeKeys<'a>, values: &'a [u8], out: Output<'a>) -> Self {
        let (dtype, len) = (plan.dtype(), plan.len());
        Self {
            dtype,
            len,
            is_right: plan.is_right(),
            edges,
            values: elements(values, len, dtype.size()),
            out: out.elements(len, size_of::<i64>()).cast(),
            borrowed: PhantomData,
        }
    }

    #[inline(always)]
    fn each<K: Copy + PartialOrd, const RIGHT: bool>(
        &self,
        elements: Range<usize>,
        edges: &[K],
        key_of: impl Fn(u64) -> K,
    ) {
        let size = self.dtype.size();
        for at in elements {
            // SAFETY: `new` has checked the memory, and the element exists. Elements are aligned.
            let bits = unsafe {
                let element = self.values.add(at * size);
                match size {
                    1 => (*element).into(),
                    2 => (*element.cast::<u16>()).into(),
                    4 => (*element.cast::<u32>()).into(),
                    _ => *element.cast::<u64>(),
                }
            };
            let key = key_of(bits);
            let is_before = |edge: K| if RIGHT { edge <= key } else { edge < key };
            let (mut first, mut count) = (0, edges.len());
            // The answer is `first` to `first + count`. The compiler makes a move of the condition, so no branch is guessed.
            while count > 0 {
                let half = count / 2;
                // SAFETY: `first + count` is at most the number of edges.
                let edge = unsafe { *edges.get_unchecked(first + half) };
                let (after, rest) = (first + half + 1, count - half - 1);
                (first, count) = if is_before(edge) { (after, rest) } else { (first, half) };
            }
            // SAFETY: as above.
            unsafe { *self.out.add(at) = first as i64 };
        }
    }
}

impl Job for Search<'_> {
    fn len(&self) -> usize {
        self.len
    }

    fn work(&self) -> usize {
        let edges = match self.edges {
            EdgeKeys::Same(edges) => edges.len(),
            EdgeKeys::Mixed(edges) => edges.len(),
        };
        self.len.saturating_mul(1 + edges.checked_ilog2().map_or(0, |steps| steps as usize))
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        let items = cut(items, self.len);
        let (dtype, order) = (self.dtype, Order::of(self.dtype));
        match (self.edges, self.is_right) {
            (EdgeKeys::Same(edges), false) => {
                self.each::<_, false>(items, edges, |bits| order.sort_key(bits))
            }
            (EdgeKeys::Same(edges), true) => self.each::<_, true>(items, edges, |bits| order.sort_key(bits)),
            (EdgeKeys::Mixed(edges), false) => {
                self.each::<_, false>(items, edges, |bits| number_key(bits, dtype));
            }
            (EdgeKeys::Mixed(edges), true) => {
                self.each::<_, true>(items, edges, |bits| number_key(bits, dtype));
            }
        }
        CheckResult::NOTHING
    }
}
