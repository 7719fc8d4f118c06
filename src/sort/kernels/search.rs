//! Searches elements in sorted edges, by halving.

use std::marker::PhantomData;
use std::ops::Range;

use crate::engine::cpu::kernels::{CheckResult, Job, Output, aligned, cut, elements, vector};
use crate::plan::Order;
use crate::sort::kernels::keys::{NumberKey, number_key};
use crate::sort::plan::SearchPlan;
use crate::{DType, load};

/// The edges that are searched. Edges and elements of one dtype are compared by the keys of that dtype; else all numbers have one order.
#[derive(Clone, Copy)]
pub(crate) enum Edges<'a> {
    /// The keys of edges, for many searches.
    Same(&'a [u64]),
    /// The same for edges of another dtype.
    Mixed(&'a [NumberKey]),
    /// The edges themselves, for few searches.
    Given(&'a [u8]),
}

/// Fills in the keys for [`Edges::Same`].
#[inline(never)]
pub(crate) fn fill_same(keys: &mut [u64], edges: &[u8], dtype: DType) {
    let order = Order::of(dtype);
    fill(keys, edges, dtype.size(), |bits| order.sort_key(bits));
}

/// Fills in the keys for [`Edges::Mixed`].
#[inline(never)]
pub(crate) fn fill_mixed(keys: &mut [NumberKey], edges: &[u8], dtype: DType) {
    fill(keys, edges, dtype.size(), |bits| number_key(bits, dtype));
}

#[inline(always)]
fn fill<K>(keys: &mut [K], edges: &[u8], size: usize, key_of: impl Fn(u64) -> K) {
    for (slot, edge) in keys.iter_mut().zip(edges.chunks_exact(size)) {
        *slot = key_of(load(edge));
    }
}

/// The position of the first edge that is less than the one before it.
#[inline(never)]
pub(crate) fn first_unsorted(edges: &[u8], dtype: DType) -> Option<usize> {
    let ascends = match dtype {
        DType::Float32 => vector::ascends::<f32>(aligned(edges)),
        DType::Float64 => vector::ascends::<f64>(aligned(edges)),
        DType::Int32 => vector::ascends::<i32>(aligned(edges)),
        DType::Int64 => vector::ascends::<i64>(aligned(edges)),
        _ => false,
    };
    if ascends {
        return None;
    }
    let (order, mut before) = (Order::of(dtype), 0);
    let keys = edges.chunks_exact(dtype.size()).map(|edge| order.sort_key(load(edge)));
    { keys }.position(|key| std::mem::replace(&mut before, key) > key)
}

/// Searches the elements of x. A column of the job is an element.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    dtype: DType,
    len: usize,
    is_right: bool,
    edges: Edges<'a>,
    edge_count: usize,
    edges_dtype: DType,
    values: *const u8,
    out: *mut i64,
    borrowed: PhantomData<&'a mut [u8]>,
}

impl<'a> Search<'a> {
    /// Writes an int64 for each element: how many edges are before it.
    pub(crate) fn new(plan: &SearchPlan, edges: Edges<'a>, values: &'a [u8], out: Output<'a>) -> Self {
        let (dtype, len) = (plan.dtype(), plan.len());
        Self {
            dtype,
            len,
            is_right: plan.is_right(),
            edges,
            edge_count: match edges {
                Edges::Same(keys) => keys.len(),
                Edges::Mixed(keys) => keys.len(),
                Edges::Given(bytes) => bytes.len() / plan.edges_dtype().size(),
            },
            edges_dtype: plan.edges_dtype(),
            values: elements(values, len, dtype.size()),
            out: out.elements(len, size_of::<i64>()).cast(),
            borrowed: PhantomData,
        }
    }

    /// `edge` gives the key of the edge with a number, which exists.
    #[inline(always)]
    fn each<K: PartialOrd, const RIGHT: bool>(
        &self,
        elements: Range<usize>,
        edge: impl Fn(usize) -> K,
        key_of: impl Fn(u64) -> K,
    ) {
        let size = self.dtype.size();
        for at in elements {
            // SAFETY: `new` has checked the memory, and the element exists. Elements are aligned.
            let bits = unsafe { element(self.values, at, size) };
            let key = key_of(bits);
            let is_before = |edge: K| if RIGHT { edge <= key } else { edge < key };
            let (mut first, mut count) = (0, self.edge_count);
            // The answer is `first` to `first + count`. The compiler makes a move of the condition, so no branch is guessed.
            while count > 0 {
                let half = count / 2;
                let (after, rest) = (first + half + 1, count - half - 1);
                (first, count) = if is_before(edge(first + half)) { (after, rest) } else { (first, half) };
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
        self.len.saturating_mul(1 + self.edge_count.checked_ilog2().map_or(0, |steps| steps as usize))
    }

    #[inline(never)]
    fn run(&self, items: Range<usize>) -> CheckResult {
        let items = cut(items, self.len);
        let (dtype, order) = (self.dtype, Order::of(self.dtype));
        let same = |bits| order.sort_key(bits);
        let mixed = |bits| number_key(bits, dtype);
        match (self.edges, self.is_right) {
            (Edges::Same(keys), false) => self.each::<_, false>(items, key_of(keys), same),
            (Edges::Same(keys), true) => self.each::<_, true>(items, key_of(keys), same),
            (Edges::Mixed(keys), false) => self.each::<_, false>(items, key_of(keys), mixed),
            (Edges::Mixed(keys), true) => self.each::<_, true>(items, key_of(keys), mixed),
            (Edges::Given(bytes), is_right) => {
                let (from, size) = (self.edges_dtype, self.edges_dtype.size());
                // SAFETY: a search asks for edges that exist, which are aligned.
                let edge = |at| number_key(unsafe { element(bytes.as_ptr(), at, size) }, from);
                if is_right {
                    self.each::<_, true>(items, edge, mixed);
                } else {
                    self.each::<_, false>(items, edge, mixed);
                }
            }
        }
        CheckResult::NOTHING
    }
}

/// The key of the edge with a number.
#[inline(always)]
fn key_of<K: Copy>(keys: &[K]) -> impl Fn(usize) -> K {
    // SAFETY: a search asks for edges that exist.
    move |at| unsafe { *keys.get_unchecked(at) }
}

/// The bits of an element.
///
/// # Safety
/// It must exist, aligned.
#[inline(always)]
unsafe fn element(elements: *const u8, at: usize, size: usize) -> u64 {
    // SAFETY: as the caller promises.
    unsafe {
        let element = elements.add(at * size);
        match size {
            1 => (*element).into(),
            2 => (*element.cast::<u16>()).into(),
            4 => (*element.cast::<u32>()).into(),
            _ => *element.cast::<u64>(),
        }
    }
}
