//! The terms of a call whose sums are exact, and the place of each.
//!
//! Elements are numbered in the order of the call. Any two may share a place, so they are no columns of a job. But no order changes an exact
//! sum: ranges of elements may be added in any order, also to sums of their own, which are merged at the end. The caller owns all memory. A
//! range that lacks an accumulator stops and says how far it came; the caller allocates more and goes on from there.

use std::marker::PhantomData;
use std::ops::Range;

use bytemuck::AnyBitPattern;
use half::{bf16, f16};

use crate::dtype::DType;
use crate::engine::cpu::kernels::half_float::HalfFloat;
use crate::engine::cpu::kernels::job::{Job, Verdict, aligned, cut};
use crate::engine::cpu::kernels::loops::entries::ONCE;
use crate::exact::kernels::sums::{Sums, Term};
use crate::histograms::kernels::histogram::Finder;
use crate::histograms::kernels::histogram::window::Room;
use crate::index::kernels::columns::{Odometer, Start};
use crate::index::kernels::values::DROPPED;
use crate::plan::index::addressing::Addressing;

/// Elements of a window: few enough for the stack.
const WINDOW: usize = 256;

/// The terms of a call, as plain data.
#[derive(Clone, Copy)]
pub(crate) struct ExactTerms<'a> {
    /// A float dtype.
    dtype: DType,
    /// The bytes of the values.
    values: &'a [u8],
    elements: Elements<'a>,
}

/// What names the place and the value of each element.
#[derive(Clone, Copy)]
pub(crate) enum Elements<'a> {
    /// Places in a list; values that follow each other, or the first value for all.
    List { places: &'a [u32], is_single: bool },
    /// The elements of a scatter, at a checked position for each entry of the index, or `DROPPED`. `renamed`: the place of each element where
    /// it is another than the one that plan and positions name.
    Scatter { plan: &'a Addressing, positions: &'a [u32], renamed: Option<&'a [u32]> },
    /// Segments of rows of `row` elements, each ending before the row with that number.
    Segments { ends: &'a [u32], row: usize },
    /// Samples of a histogram, whose values are their weights.
    Samples { finder: &'a Finder<'a>, samples: &'a [u8] },
}

impl<'a> ExactTerms<'a> {
    /// Terms of a float dtype, with the bytes of its values.
    pub(crate) fn new(dtype: DType, values: &'a [u8], elements: Elements<'a>) -> Self {
        Self { dtype, values, elements }
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        match self.elements {
            Elements::List { places, .. } => places.len(),
            Elements::Scatter { plan, .. } => plan.entries() * plan.row().len,
            Elements::Segments { ends, row } => ends.last().map_or(0, |&end| end as usize) * row,
            Elements::Samples { finder, samples } => finder.count(samples),
        }
    }

    /// The places and the float32 values of a range, if both are lists.
    pub(crate) fn singles(&self, range: Range<usize>) -> Option<(&'a [u32], &'a [f32])> {
        match self.elements {
            Elements::List { places, is_single: false } if self.dtype == DType::Float32 => {
                Some((places.get(range.clone())?, aligned(self.values).get(range)?))
            }
            _ => None,
        }
    }

    /// Adds the elements of a range to their places. Returns how many are done: fewer than the range has if a term needs an accumulator and
    /// all are in use. An element that is left out or has no place counts as done.
    #[inline(never)]
    pub(crate) fn add(&self, elements: Range<usize>, sums: &mut Sums<'_>) -> usize {
        let range = cut(elements, self.len());
        match self.elements {
            Elements::List { places, is_single: false } => {
                let places = places.get(range.clone()).unwrap_or_default();
                let values = self.values.get(range.start * self.dtype.size()..).unwrap_or_default();
                self.add_neighbours(places, values, sums)
            }
            Elements::Samples { finder, samples } => {
                let mut room: Room = bytemuck::Zeroable::zeroed();
                let added = finder.windows(samples, range.clone(), |window| {
                    let values = window.values(self.values, self.dtype.size(), &mut room);
                    let done = self.add_neighbours(window.places, values, sums);
                    if done < window.places.len() { Err(window.distance(done, range.start)) } else { Ok(()) }
                });
                added.map_or_else(|done| done, |()| range.len())
            }
            Elements::List { .. } | Elements::Scatter { .. } | Elements::Segments { .. } => {
                self.add_windows(range, sums)
            }
        }
    }

    /// Writes the place of each element of a range to `places`, which has as many.
    #[inline(never)]
    pub(crate) fn places(&self, elements: Range<usize>, places: &mut [u32]) {
        let mut numbers = [0; WINDOW];
        let mut cursor = self.cursor(elements.start);
        for window in places.chunks_mut(WINDOW) {
            cursor.fill(window, &mut numbers);
        }
    }

    /// [`ExactTerms::add`] by windows of places and of the numbers of values.
    fn add_windows(&self, range: Range<usize>, sums: &mut Sums<'_>) -> usize {
        let (mut places, mut numbers) = ([0; WINDOW], [0; WINDOW]);
        let renamed = match self.elements {
            Elements::Scatter { renamed, .. } => renamed,
            Elements::List { .. } | Elements::Segments { .. } | Elements::Samples { .. } => None,
        };
        let mut cursor = self.cursor(range.start);
        let mut done = 0;
        while done < range.len() {
            let len = WINDOW.min(range.len() - done);
            let (Some(window), Some(numbers)) = (places.get_mut(..len), numbers.get_mut(..len)) else {
                break;
            };
            cursor.fill(window, numbers);
            let first = range.start + done;
            let renamed = renamed.and_then(|places| places.get(first..first + len));
            let added = self.add_window(renamed.unwrap_or(window), numbers, sums);
            done += added;
            if added < len {
                break;
            }
        }
        done
    }

    /// Adds the values with these numbers, at most a window of them.
    fn add_window(&self, places: &[u32], numbers: &[usize], sums: &mut Sums<'_>) -> usize {
        match self.dtype {
            DType::Float16 => sums.add(places, &self.read(numbers, wide::<f16>)),
            DType::Bfloat16 => sums.add(places, &self.read(numbers, wide::<bf16>)),
            DType::Float64 => sums.add(places, &self.read(numbers, |value: f64| value)),
            _ => sums.add(places, &self.read(numbers, |value: f32| value)),
        }
    }

    /// Adds as many values as places. The values follow each other.
    fn add_neighbours(&self, places: &[u32], values: &[u8], sums: &mut Sums<'_>) -> usize {
        match self.dtype {
            DType::Float32 => sums.add::<f32>(places, aligned(values)),
            DType::Float64 => sums.add::<f64>(places, aligned(values)),
            _ => {
                let own = ExactTerms::new(self.dtype, values, self.elements);
                let mut done = 0;
                let mut numbers = [0; WINDOW];
                for places in places.chunks(WINDOW) {
                    numbers.iter_mut().enumerate().for_each(|(at, number)| *number = done + at);
                    let added = own.add_window(places, numbers.get(..places.len()).unwrap_or_default(), sums);
                    done += added;
                    if added < places.len() {
                        break;
                    }
                }
                done
            }
        }
    }

    /// The values with these numbers; the neutral value for a number without a value.
    #[inline(always)]
    fn read<T: AnyBitPattern, N: Term>(&self, numbers: &[usize], wide: impl Fn(T) -> N) -> [N; WINDOW] {
        let values: &[T] = aligned(self.values);
        let mut window = [N::default(); WINDOW];
        for (slot, &number) in window.iter_mut().zip(numbers) {
            *slot = values.get(number).map_or(N::default(), |&value| wide(value));
        }
        window
    }

    /// A cursor at an element.
    fn cursor(&self, element: usize) -> Cursor<'a> {
        match self.elements {
            Elements::Scatter { plan, positions, .. } => {
                let row = plan.row().len.max(1);
                let (run, outer) = plan.loops().split_last().unwrap_or((&ONCE, &[]));
                let (entry, in_row) = (element / row, element % row);
                let (round, in_run) = (entry / run.len.max(1), entry % run.len.max(1));
                Cursor::Scatter {
                    plan,
                    positions,
                    outer: Odometer::at(outer, Start::default(), round),
                    in_run,
                    in_row,
                }
            }
            Elements::Segments { ends, row } => {
                let at = element / row.max(1);
                let segment = ends.partition_point(|&end| end as usize <= at);
                Cursor::Segments { ends, row, segment, element }
            }
            Elements::List { places, .. } => Cursor::First(places.get(element..).unwrap_or_default()),
            Elements::Samples { .. } => Cursor::First(&[]),
        }
    }
}

/// Elements that go to sums of their own.
pub(crate) struct Part<'s> {
    pub(crate) sums: Sums<'s>,
    /// Begins behind the elements that are done.
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
    fn run(&self, parts: Range<usize>) -> Verdict {
        for at in cut(parts, self.count) {
            // SAFETY: the parts are borrowed mutably, and each column is one of them.
            let part = unsafe { &mut *self.parts.add(at) };
            part.rest.start += self.terms.add(part.rest.clone(), &mut part.sums);
        }
        Verdict::NOTHING
    }
}

/// Names the place and the value of one element after the other.
enum Cursor<'a> {
    Scatter {
        plan: &'a Addressing,
        positions: &'a [u32],
        /// At the current round of the innermost loop.
        outer: Odometer<'a>,
        in_run: usize,
        in_row: usize,
    },
    Segments {
        ends: &'a [u32],
        row: usize,
        segment: usize,
        element: usize,
    },
    /// Places that all have the first value.
    First(&'a [u32]),
}

impl Cursor<'_> {
    /// Writes the place and the number of the value of the next elements, one for each of `places`.
    fn fill(&mut self, places: &mut [u32], numbers: &mut [usize]) {
        match self {
            Self::Scatter { plan, positions, outer, in_run, in_row } => {
                let (row, stride) = (plan.row(), plan.place_stride());
                let run = plan.loops().last().unwrap_or(&ONCE);
                for (to, from) in places.iter_mut().zip(numbers) {
                    let start = outer.start.after(*in_run, run);
                    let position = positions.get(start.index).copied().unwrap_or(DROPPED);
                    // Of an element that is dropped the place means nothing, and 32 bits may not hold it.
                    let place = start
                        .table
                        .wrapping_add((position as usize).wrapping_mul(stride))
                        .wrapping_add(*in_row);
                    *to = if position == DROPPED { DROPPED } else { place as u32 };
                    *from = start.value + *in_row * row.value_stride;
                    *in_row += 1;
                    if *in_row >= row.len {
                        *in_row = 0;
                        *in_run += 1;
                    }
                    if *in_run >= run.len {
                        *in_run = 0;
                        outer.advance();
                    }
                }
            }
            Self::Segments { ends, row, segment, element } => {
                let mut end = ends.get(*segment).map_or(usize::MAX, |&end| end as usize * *row);
                let mut in_row = *element % (*row).max(1);
                for (to, from) in places.iter_mut().zip(numbers) {
                    while *element >= end {
                        *segment += 1;
                        end = ends.get(*segment).map_or(usize::MAX, |&end| end as usize * *row);
                    }
                    *to = (*segment * *row + in_row) as u32;
                    *from = *element;
                    *element += 1;
                    in_row += 1;
                    if in_row == *row {
                        in_row = 0;
                    }
                }
            }
            Self::First(list) => {
                for ((to, from), &place) in places.iter_mut().zip(numbers).zip(list.iter()) {
                    (*to, *from) = (place, 0);
                }
                *list = list.get(places.len()..).unwrap_or_default();
            }
        }
    }
}

/// A number of a half type, given by its bits.
fn wide<H: HalfFloat>(bits: u16) -> f32 {
    f32::from_bits(H::widen(u32::from(bits)))
}
