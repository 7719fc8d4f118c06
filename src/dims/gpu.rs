//! Reductions along dimensions.
//!
//! A column is an element of the result. A pass combines parts of the terms of each column, and the next one the results of the parts,
//! until each column has one. No order can change these results, so threads share the terms as they like.

use std::ops::RangeInclusive;
use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::dims::backend::DimsBackend;
use crate::dims::plan::DimsPlan;
use crate::engine::Value;
use crate::engine::gpu::shaders::params::{MOST_THREADS, WORKGROUP};
use crate::engine::gpu::shaders::pass::{Dims, ExactRows};
use crate::engine::gpu::{
    DeviceBuffer, Entries, EntryLoop, Gpu, IndexFormat, Layout, NEVER_FAILS, Pass, ROUNDS, ShaderKey,
};
use crate::exact::gpu::scatter::Terms;
use crate::plan::{Axis, Reduce, Reduction, Sum, Update};
use crate::{DType, MAX_OP_RANK, PerDim, Result};

/// Columns are divided into parts until a pass has this many threads: an NVIDIA H200 holds 270 Ki.
const ENOUGH_THREADS: usize = 1 << 17;
/// So many threads are enough if each has few terms, because parts take one more dispatch.
const LEAST_THREADS: usize = 1 << 14;
/// A thread of a part has at least this many terms.
const TERMS_OF_PART: usize = 8;
/// A lane has at least this many terms.
const TERMS_OF_LANE: usize = 4;
/// Neighbouring columns of a workgroup, if there are as many: their elements fill a line of a cache.
const WIDTH: usize = 32;
/// The threads and the terms of a part on a software adapter.
const ON_SOFTWARE: (usize, usize) = (1 << 16, 32);

/// Terms of a row whose exact sum a workgroup makes: at most 64 for each thread, so that their digits fit 32 bits. Of fewer terms most of its
/// threads would have none. An estimate.
const EXACT_ROW: RangeInclusive<usize> = 64..=8192;

/// How the threads of a pass share the terms of each column.
#[derive(Clone, Copy)]
struct Share {
    /// Threads of a part, in one workgroup: a power of two.
    lanes: usize,
    /// Parts of each column. Each has a result, and the next pass combines these.
    parts: usize,
}

/// The terms of columns in a buffer.
#[derive(Clone, Copy)]
struct Columns {
    kept: PerDim<Axis>,
    reduced: PerDim<Axis>,
    count: usize,
    terms: usize,
}

impl Columns {
    /// The columns of a plan, whose terms are elements of self.
    fn of(plan: &DimsPlan) -> Self {
        let (kept, reduced) = (plan.kept().into(), plan.reduced().into());
        Self { kept, reduced, count: plan.out_shape().size(), terms: plan.terms() }
    }

    /// Whether neighbouring columns have neighbouring terms.
    fn are_neighbours(&self) -> bool {
        self.kept.last().is_some_and(|axis| axis.stride == 1)
    }

    /// How threads share the terms of each column.
    fn share(&self, gpu: &Gpu) -> Share {
        let (is_software, workgroup) = (gpu.is_software(), gpu.workgroup());
        let most_lanes = match (is_software, self.are_neighbours()) {
            // The lanes of a workgroup run in turn.
            (true, _) => 1,
            (false, true) => workgroup / self.count.next_power_of_two().min(WIDTH),
            (false, false) => workgroup,
        };
        let lanes = 1 << (self.terms / TERMS_OF_LANE).clamp(1, most_lanes).ilog2();
        let (threads, rounds) = (self.count * lanes, self.terms.div_ceil(lanes));
        let (enough, terms, is_full) = match is_software {
            true => (ON_SOFTWARE.0, ON_SOFTWARE.1, rounds <= 2 * ON_SOFTWARE.1),
            false => {
                let is_short = rounds <= 2 * TERMS_OF_PART && threads >= LEAST_THREADS;
                let is_small = self.count * self.terms <= LEAST_THREADS * TERMS_OF_PART;
                (ENOUGH_THREADS, TERMS_OF_PART, is_short || is_small)
            }
        };
        let wanted = if is_full { 1 } else { enough.div_ceil(threads).min(rounds.div_ceil(terms)) };
        // No thread runs longer than a watchdog allows.
        let least = rounds.div_ceil(ROUNDS / (1 + self.reduced.len()));
        Share { lanes, parts: wanted.max(least) }
    }

    /// The workgroups of a pass, of `threads` threads each. One has several columns, or parts of them, as far as their lanes fit.
    fn workgroups(&self, Share { lanes, parts }: Share, threads: usize) -> usize {
        let width = threads / lanes;
        match self.are_neighbours() {
            true => self.count.div_ceil(width) * parts,
            false => (self.count * parts).div_ceil(width),
        }
    }

    /// The columns of the results of such a pass, whose terms are the results of the parts.
    fn of_parts(&self, parts: usize) -> Self {
        let is_along = self.are_neighbours();
        let axis = |len, stride| PerDim::from(&[Axis { len, stride }][..]);
        let (kept, reduced) = match is_along {
            true => (axis(self.count, 1), axis(parts, self.count)),
            false => (axis(self.count, parts), axis(parts, 1)),
        };
        Self { kept, reduced, count: self.count, terms: parts }
    }

    /// The parameters of a pass, without those that depend on dtypes.
    fn params(&self, Share { lanes, parts }: Share) -> Dims {
        let loops = |axes: &[Axis]| {
            let mut all = [[1, 0]; MAX_OP_RANK];
            all.iter_mut().zip(axes).for_each(|(to, axis)| *to = [axis.len as u32, axis.stride as u32]);
            all
        };
        Dims {
            kept: loops(&self.kept),
            reduced: loops(&self.reduced),
            kept_count: self.kept.len() as u32,
            reduced_count: self.reduced.len() as u32,
            columns: self.count as u32,
            terms: self.terms as u32,
            parts: parts as u32,
            lanes: lanes as u32,
            by_columns: self.are_neighbours().into(),
            ..Dims::default()
        }
    }
}

impl DimsBackend for Rc<Gpu> {
    fn reduce_dims(&self, plan: &DimsPlan, data: &DeviceBuffer) -> Result<DeviceBuffer> {
        let (op, from, dtype, reduce) = (plan.op().name(), plan.from(), plan.dtype(), plan.along().reduce());
        if let Some(layout) = widened(plan) {
            let key = |has_lanes, is_first| match is_first {
                true => ShaderKey::of(Pass::WidenDims(has_lanes, layout), dtype, reduce),
                false => ShaderKey::of(Pass::ReduceDims(has_lanes), dtype, reduce),
            };
            return self.combine_parts(plan, key, data, dtype.size());
        }
        let converted =
            if from.keeps_bits_as(dtype) { None } else { Some(self.convert(op, from, dtype, data)?) };
        let data = converted.as_ref().unwrap_or(data);
        if plan.sum() == Sum::Exact {
            return self.sum_exactly(plan, data);
        }
        if plan.along().is_position() {
            let key = |has_lanes, _| ShaderKey::find(Pass::Find(has_lanes), dtype, reduce);
            // Between passes a term is its key, of one or two words, and its number.
            return self.combine_parts(plan, key, data, dtype.size().max(4) + size_of::<u32>());
        }
        let key = |has_lanes, _| ShaderKey::of(Pass::ReduceDims(has_lanes), dtype, reduce);
        self.combine_parts(plan, key, data, dtype.size())
    }
}

impl Gpu {
    /// Sums floats by accumulators, to which threads add in any order: see `exact/gpu/scatter.rs`. Each term is an entry of a scatter, whose
    /// place the loops alone say.
    fn sum_exactly(self: &Rc<Self>, plan: &DimsPlan, data: &DeviceBuffer) -> Result<DeviceBuffer> {
        let (op, dtype, places) = (plan.op(), plan.dtype(), plan.out_shape().size());
        let out = DeviceBuffer::unfilled(self, op.name(), "the result", places * dtype.size())?;
        // A software adapter runs each lane of a workgroup in turn, and its atomic additions do not wait for each other. SwiftShader takes
        // three times longer with rows.
        if let Some(params) = exact_rows(plan).filter(|_| !self.is_software()) {
            let pass = self.pass(ShaderKey::of(Pass::ExactRows, dtype, Reduce::Add), &params);
            // Each term is read for its exponent, then for its digits.
            let rounds = 2 * plan.terms().div_ceil(self.workgroup());
            pass.dst(&out).src(data).rounds(rounds).record_groups(places);
            return Ok(out);
        }
        let index = self.upload(op.name(), &[0; 4])?;
        let terms = Terms {
            gpu: self,
            op,
            dtype,
            index: &index,
            format: IndexFormat::of_positions(1, false),
            entries: entries(plan),
            count: plan.len(),
            value: &Value::Buffer(data),
            slot: NEVER_FAILS,
        };
        // Nothing but the terms is in the sums, and a mean divides by their number.
        let reduction = if plan.divisor() == 1 { Reduction::Sum } else { Reduction::Mean };
        let update = Update { include_self: false, sum: Sum::Exact, ..reduction.update(false) };
        terms.run(&out, places, update, None, plan.divisor() as u32)?;
        Ok(out)
    }

    /// Combines the terms of each column to one result, in as many passes as parts need. `key` takes whether a part has several lanes, and
    /// whether its terms are elements. `of_part` is the bytes of a part's result.
    fn combine_parts(
        self: &Rc<Self>,
        plan: &DimsPlan,
        key: impl Fn(bool, bool) -> ShaderKey,
        data: &DeviceBuffer,
        of_part: usize,
    ) -> Result<DeviceBuffer> {
        let (mut columns, mut last): (_, Option<DeviceBuffer>) = (Columns::of(plan), None);
        loop {
            let share = columns.share(self);
            let (results, is_last) = (columns.count * share.parts, share.parts == 1);
            let bytes = results * if is_last { plan.out_dtype().size() } else { of_part };
            let made = DeviceBuffer::unfilled(self, plan.op().name(), "the result", bytes)?;
            let is_first = last.is_none();
            let params = Dims {
                is_first: is_first.into(),
                sign: sign(plan.from()),
                words: plan.out_dtype().size().div_ceil(4) as u32,
                ..columns.params(share)
            };
            let key = key(share.lanes > 1, is_first);
            let pass = self.pass(key, &params).dst(&made).src(last.as_ref().unwrap_or(data));
            let rounds =
                columns.terms.div_ceil(share.parts * share.lanes) + share.lanes.ilog2().div_ceil(2) as usize;
            pass.rounds(rounds).record_groups(columns.workgroups(share, self.workgroup()));
            if is_last {
                return Ok(made);
            }
            (columns, last) = (columns.of_parts(share.parts), Some(made));
        }
    }
}

/// The layout of elements that a sum reads and widens itself: integers and truth values whose sum has more words than an element.
fn widened(plan: &DimsPlan) -> Option<Layout> {
    let has_words = plan.dtype().size() >= 4;
    match Layout::of_dtype(plan.from()).filter(|_| plan.widens() && has_words)? {
        Layout::Bool => Some(Layout::Int8),
        layout => Some(layout),
    }
}

/// The top bit of an element of up to 32 bits that is signed, else 0.
fn sign(dtype: DType) -> u32 {
    if dtype.is_signed_integer() && dtype.size() <= 4 { 1 << (8 * dtype.size() - 1) } else { 0 }
}

/// The parameters of the pass with a workgroup for each row, if the columns of a plan are such rows.
fn exact_rows(plan: &DimsPlan) -> Option<ExactRows> {
    let is_row = matches!(plan.reduced(), [axis] if axis.stride == 1) && EXACT_ROW.contains(&plan.terms());
    let rows = plan.out_shape().size();
    let is_numbered = rows as u64 * u64::from(WORKGROUP) <= MOST_THREADS;
    let [rows, terms, divisor] = [rows, plan.terms(), plan.divisor() as usize].map(|number| number as u32);
    (is_row && is_numbered && plan.dtype().size() <= 4).then_some(ExactRows { rows, terms, divisor })
}

/// The loops over all elements of self as those of a scatter, in the order of the elements. Every entry has the position 0 in an index of
/// one word, and the place of its column.
fn entries(plan: &DimsPlan) -> Entries {
    let mut loops: PerDim<EntryLoop> = PerDim::new();
    let mut place = 1;
    for (axis, is_kept) in plan.axes_from_inside() {
        let table_stride = if is_kept { place } else { 0 };
        place *= if is_kept { axis.len as u32 } else { 1 };
        let (len, value_stride) = (axis.len as u32, axis.stride as u32);
        loops.push(EntryLoop { len, table_stride, value_stride, entry_stride: 0 });
    }
    loops.reverse();
    let mut entries = Entries { loop_count: loops.len() as u32, row: 1, ..Entries::default() };
    entries.loops.iter_mut().zip(loops.iter()).for_each(|(to, each)| *to = *each);
    entries
}
