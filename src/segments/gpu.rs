//! Reductions of neighbouring rows: a scatter whose index holds each row's segment number.

use std::rc::Rc;

use crate::engine::gpu::shaders::pass::{SegmentCheck, SegmentEnds, SegmentNumbers};
use crate::engine::gpu::{DeviceBuffer, Fault, Gpu, Pass};
use crate::index::gpu::Index;
use crate::plan::{Addressed, Addressing, Arguments, Op, Operand};
use crate::segments::backend::SegmentsOnGpu;
use crate::segments::plan::{CheckedSegments, GivenSegments, SegmentForm};
use crate::{DType, Error, HostBuffer, Result, Shape};

const OP: Op = Op::SegmentReduce;
/// How many sums a round of `shaders/segments/segment_ends.wgsl` adds.
const TERMS: usize = 16;

impl SegmentsOnGpu for Rc<Gpu> {
    fn index_of_segments(&self, segments: &CheckedSegments, dtype: DType) -> Result<(Addressing, Index)> {
        let plan = rows_into_segments(segments.ends().len(), [segments.rows(), segments.row()], dtype)?;
        let numbers = self.upload(OP.name(), numbers(segments)?.bytes())?;
        let longest_run = segments.lengths().max().map(|longest| longest as usize);
        Ok((plan, Index::positions(Rc::new(numbers), false, longest_run)))
    }

    fn index_of_given(
        &self,
        given: &GivenSegments,
        values: &DeviceBuffer,
        dtype: DType,
    ) -> Result<Option<(Addressing, Index)>> {
        let ends = self.ends_of_segments(given, values)?;
        self.check_segments(given, values, &ends);
        let (segments, [rows, row]) = (given.segments, given.sizes);
        if segments == 0 || rows * row == 0 {
            return Ok(None);
        }
        let numbers = DeviceBuffer::unfilled(self, OP.name(), "the segments of rows", 4 * rows)?;
        let step = 1 << segments.ilog2();
        let params = SegmentNumbers { segments: segments as u32, step };
        let pass = self.pass(Pass::SegmentNumbers, &params).dst(&numbers).src(&ends);
        pass.rounds(segments.ilog2() as usize + 1).record(rows);
        let plan = rows_into_segments(segments, given.sizes, dtype)?;
        Ok(Some((plan, Index::positions(Rc::new(numbers), false, None))))
    }
}

impl Gpu {
    /// The row at which each segment ends, one word each.
    pub(crate) fn ends_of_segments(
        self: &Rc<Self>,
        given: &GivenSegments,
        values: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let (segments, is_offsets) = (given.segments, given.form == SegmentForm::Offsets);
        let mut sums: Option<DeviceBuffer> = None;
        let mut distance = 1;
        loop {
            let made = DeviceBuffer::unfilled(self, OP.name(), "the ends of segments", 4 * segments)?;
            let terms = if is_offsets { 1 } else { TERMS };
            let params = SegmentEnds {
                words: words(given),
                rows: given.sizes[0] as u32,
                is_first: sums.is_none().into(),
                skip: is_offsets.into(),
                terms: terms as u32,
                distance: distance as u32,
            };
            let pass = self.pass(Pass::SegmentEnds, &params).index(values).dst(&made).src(sums.as_ref());
            pass.rounds(terms).record(segments);
            distance *= TERMS;
            if is_offsets || distance >= segments {
                return Ok(made);
            }
            sums = Some(made);
        }
    }

    /// Has the next read report lengths or offsets that do not divide the rows.
    fn check_segments(self: &Rc<Self>, given: &GivenSegments, values: &DeviceBuffer, ends: &DeviceBuffer) {
        let slot = self.take_slot(wrong_segments(*given));
        let params = SegmentCheck {
            words: words(given),
            rows: given.sizes[0] as u32,
            segments: given.segments as u32,
            is_offsets: (given.form == SegmentForm::Offsets).into(),
        };
        let pass = self.pass(Pass::SegmentCheck, &params).slot(slot).index(values).src(ends);
        pass.record_check(given.values() + 1);
    }
}

fn words(given: &GivenSegments) -> u32 {
    given.dtype.size() as u32 / 4
}

/// The plan of a scatter of rows, of `row` elements each, into the rows of their segments.
fn rows_into_segments(segments: usize, [rows, row]: [usize; 2], dtype: DType) -> Result<Addressing> {
    let shape = |dims: &[usize]| Shape::new(OP.name(), dims);
    let (table, src, index) = (shape(&[segments, row])?, shape(&[rows, row])?, shape(&[rows])?);
    let [table, src] = [&table, &src].map(|shape| Operand { shape, dtype });
    let index = Operand { shape: &index, dtype: DType::Int32 };
    let form = Addressed::Slices(0);
    Addressing::scatter(&Arguments { op: OP, form, table, index, src: Some(src) })
}

fn numbers(segments: &CheckedSegments) -> Result<HostBuffer> {
    let mut numbers = HostBuffer::zeroed(OP.name(), 4 * segments.rows())?;
    let mut rest = numbers.elements_mut::<u32>();
    for (number, length) in (0..).zip(segments.lengths()) {
        let (segment, after) = rest.split_at_mut(length as usize);
        segment.fill(number);
        rest = after;
    }
    Ok(numbers)
}

/// The error for what `shaders/segments/segment_check.wgsl` found. The last word is the row at which the segment begins.
fn wrong_segments(given: GivenSegments) -> impl Fn(Fault) -> Option<Error> {
    move |Fault { first, value, last }| {
        (first != 0).then(|| given.fault(!first as usize, value as i64, last.into()))
    }
}
