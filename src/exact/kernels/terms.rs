//! The terms of a call whose sums are exact, and the slot of each.
//!
//! Elements are numbered in the order of the call. Any two may share a slot, so they are no columns of a job. But no order changes an exact
//! sum: ranges of elements may be added in any order, also to sums of their own, which are merged at the end. The caller owns all memory. A
//! range that lacks an accumulator stops and says how far it came; the caller allocates more and goes on from there.

use std::marker::PhantomData;
use std::ops::Range;

use half::{bf16, f16};

use crate::DType;
use crate::engine::cpu::kernels::{CheckResult, HalfFloat, Job, aligned, cut};
use crate::exact::kernels::sums::{Sums, Term};
use crate::histograms::kernels::histogram::Finder;
use crate::histograms::kernels::histogram::window::Room;
use crate::index::kernels::walker::{Elements, Numbers, WINDOW, Window};

/// The terms of a call, as plain data.
#[derive(Clone, Copy)]
pub(crate) struct ExactTerms<'a> {
    /// A float dtype.
    dtype: DType,
    /// The bytes of the values.
    values: &'a [u8],
    source: Source<'a>,
}

/// What names the slot and the value of each term.
#[derive(Clone, Copy)]
enum Source<'a> {
    /// `renamed`: the slot of each element where it is another than its own.
    Elements { elements: Elements<'a>, renamed: Option<&'a [u32]> },
    /// Samples of a histogram, whose values are their weights.
    Samples { finder: &'a Finder<'a>, samples: &'a [u8] },
}

impl<'a> ExactTerms<'a> {
    /// Terms of a float dtype, with the bytes of its values.
    pub(crate) fn new(dtype: DType, values: &'a [u8], elements: Elements<'a>) -> Self {
        Self { dtype, values, source: Source::Elements { elements, renamed: None } }
    }

    /// The same with these slots.
    pub(crate) fn renamed(dtype: DType, values: &'a [u8], elements: Elements<'a>, slots: &'a [u32]) -> Self {
        Self { dtype, values, source: Source::Elements { elements, renamed: Some(slots) } }
    }

    /// The weights of samples.
    pub(crate) fn of_samples(
        dtype: DType,
        weights: &'a [u8],
        finder: &'a Finder<'a>,
        samples: &'a [u8],
    ) -> Self {
        Self { dtype, values: weights, source: Source::Samples { finder, samples } }
    }

    pub(crate) fn len(&self) -> usize {
        match self.source {
            Source::Elements { elements, .. } => elements.len(),
            Source::Samples { finder, samples } => finder.count(samples),
        }
    }

    /// Adds the elements of a range to their slots. Returns how many are done: fewer than the range has if a term needs an accumulator and
    /// all are in use. An element that is left out or has no slot counts as done.
    #[inline(never)]
    pub(crate) fn add(&self, elements: Range<usize>, sums: &mut Sums<'_>) -> usize {
        let range = cut(elements, self.len());
        match self.source {
            Source::Elements { elements, renamed } => {
                let mut renamed = renamed.and_then(|slots| slots.get(range.clone()));
                let (mut traversal, mut done) = (elements.traverse(range), 0);
                while let Some(Window { slots, numbers }) = traversal.next() {
                    let own = renamed.as_mut().and_then(|rest| rest.split_off(..slots.len()));
                    let own = Window { slots: own.unwrap_or(slots), numbers };
                    let added = add_window(self.dtype, self.values, &own, sums);
                    done += added;
                    if added < slots.len() {
                        break;
                    }
                }
                done
            }
            Source::Samples { finder, samples } => {
                let mut room: Room = bytemuck::Zeroable::zeroed();
                let added = finder.windows(samples, range.clone(), |window| {
                    let values = window.values(self.values, self.dtype.size(), &mut room);
                    let own = Window { slots: window.flat_bins, numbers: Numbers::From(0) };
                    let done = add_window(self.dtype, values, &own, sums);
                    if done < window.flat_bins.len() {
                        Err(window.distance(done, range.start))
                    } else {
                        Ok(())
                    }
                });
                added.map_or_else(|done| done, |()| range.len())
            }
        }
    }
}

/// Adds the terms of a window, with the bytes of their values.
fn add_window(dtype: DType, values: &[u8], window: &Window<'_>, sums: &mut Sums<'_>) -> usize {
    match (dtype, &window.numbers) {
        (DType::Float32, Numbers::From(first)) => {
            sums.add::<f32>(window.slots, aligned(values).get(*first..).unwrap_or_default())
        }
        (DType::Float64, Numbers::From(first)) => {
            sums.add::<f64>(window.slots, aligned(values).get(*first..).unwrap_or_default())
        }
        (DType::Float16, _) => add_each(aligned(values), window, wide::<f16>, sums),
        (DType::Bfloat16, _) => add_each(aligned(values), window, wide::<bf16>, sums),
        (DType::Float64, _) => add_each(aligned(values), window, |value: f64| value, sums),
        _ => add_each(aligned(values), window, |value: f32| value, sums),
    }
}

/// The same for terms that are read one by one. The neutral value stands for one that does not exist.
#[inline(always)]
fn add_each<T: Copy, N: Term>(
    values: &[T],
    window: &Window<'_>,
    wide: impl Fn(T) -> N,
    sums: &mut Sums<'_>,
) -> usize {
    let mut terms = [N::default(); WINDOW];
    let mut done = 0;
    for slots in window.slots.chunks(WINDOW) {
        for (at, element) in (done..done + slots.len()).zip(&mut terms) {
            *element = values.get(window.number(at)).map_or(N::default(), |&value| wide(value));
        }
        let added = sums.add(slots, &terms);
        done += added;
        if added < slots.len() {
            break;
        }
    }
    done
}

/// Elements that go to sums of their own.
pub(crate) struct Part<'s> {
    pub(crate) sums: Sums<'s>,
    /// Begins after the elements that are done.
    pub(crate) rest: Range<usize>,
}

/// Parts of a call: a job whose columns are the parts. A part stops where it needs an accumulator.
#[derive(Clone, Copy)]
pub(crate) struct InParts<'a, 's> {
    terms: &'a ExactTerms<'a>,
    parts: *mut Part<'s>,
    count: usize,
    work: usize,
    borrowed: PhantomData<&'a mut [Part<'s>]>,
}

impl<'a, 's> InParts<'a, 's> {
    pub(crate) fn new(terms: &'a ExactTerms<'a>, parts: &'a mut [Part<'s>]) -> Self {
        let work = parts.iter().map(|part| part.rest.len()).sum();
        Self { terms, parts: parts.as_mut_ptr(), count: parts.len(), work, borrowed: PhantomData }
    }
}

impl Job for InParts<'_, '_> {
    fn len(&self) -> usize {
        self.count
    }

    fn work(&self) -> usize {
        self.work
    }

    #[inline(never)]
    fn run(&self, parts: Range<usize>) -> CheckResult {
        for at in cut(parts, self.count) {
            // SAFETY: the parts are borrowed mutably, and each column is one of them.
            let part = unsafe { &mut *self.parts.add(at) };
            part.rest.start += self.terms.add(part.rest.clone(), &mut part.sums);
        }
        CheckResult::NOTHING
    }
}

/// A number of a half type, given by its bits.
fn wide<H: HalfFloat>(bits: u16) -> f32 {
    f32::from_bits(H::widen(u32::from(bits)))
}
