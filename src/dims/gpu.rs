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
    DeviceBuffer, ElementOrder, Entries, EntryLoop, Gpu, IndexFormat, NEVER_FAILS, Pass, ROUNDS, ShaderKey,
    Width,
};
use crate::exact::gpu::scatter::Terms;
use crate::plan::{Axis, Reduce, Reduction, Sum, Update};
use crate::{DType, MAX_OP_RANK, PerDim, Result};

/// A part has at least this many terms, where a column has several parts.
const LEAST_TERMS: usize = 32;
/// Columns are divided into parts until a pass has this many threads.
const ENOUGH_THREADS: usize = 1 << 16;

/// Terms of a row whose exact sum a workgroup makes: at most 32 for each thread, so that their digits fit 32 bits. Of fewer terms most of its
/// threads would have none. An estimate.
const EXACT_ROW: RangeInclusive<usize> = 64..=8192;

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

    /// Into how many parts the terms of each column are divided.
    fn parts(&self) -> usize {
        let most = self.terms / LEAST_TERMS;
        let wanted =
            if self.terms <= 2 * LEAST_TERMS { 1 } else { ENOUGH_THREADS.div_ceil(self.count).min(most) };
        wanted.max(self.terms.div_ceil(ROUNDS / (1 + self.reduced.len())))
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

    /// The parameters of a pass over parts of terms of a dtype.
    fn params(&self, parts: usize, dtype: DType) -> Dims {
        let loops = |axes: &[Axis]| {
            let mut all = [[1, 0]; MAX_OP_RANK];
            all.iter_mut().zip(axes).for_each(|(to, axis)| *to = [axis.len as u32, axis.stride as u32]);
            all
        };
        Dims {
            kept: loops(&self.kept),
            reduced: loops(&self.reduced),
            order: ElementOrder::of(dtype, false),
            kept_count: self.kept.len() as u32,
            reduced_count: self.reduced.len() as u32,
            columns: self.count as u32,
            terms: self.terms as u32,
            parts: parts as u32,
            by_columns: self.are_neighbours().into(),
        }
    }
}

impl DimsBackend for Rc<Gpu> {
    fn reduce_dims(&self, plan: &DimsPlan, data: &DeviceBuffer) -> Result<DeviceBuffer> {
        let (op, from, dtype) = (plan.op().name(), plan.from(), plan.dtype());
        let converted =
            if from.keeps_bits_as(dtype) { None } else { Some(self.convert(op, from, dtype, data)?) };
        let (data, columns) = (converted.as_ref().unwrap_or(data), Columns::of(plan));
        if plan.sum() == Sum::Exact {
            return self.sum_exactly(plan, data);
        }
        let best = self.combine_parts(op, dtype, plan.along().reduce(), columns, data)?;
        if !plan.along().is_position() {
            return Ok(best);
        }
        let parts = columns.parts();
        let found =
            DeviceBuffer::unfilled(self, op, "the positions", columns.count * parts * size_of::<u32>())?;
        let key = ShaderKey::units(Pass::Find, Width::of(dtype));
        let params = columns.params(parts, dtype);
        let pass = self.pass(key, &params).index(&best).dst(&found).src(data);
        pass.rounds(columns.terms.div_ceil(parts)).record(columns.count * parts);
        let found = match parts {
            1 => found,
            _ => self.combine_parts(op, DType::Uint32, Reduce::Minimum, columns.of_parts(parts), &found)?,
        };
        self.convert(op, DType::Uint32, DType::Int64, &found)
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
            let rounds = 2 * plan.terms().div_ceil(WORKGROUP as usize);
            pass.dst(&out).src(data).rounds(rounds).record(places * WORKGROUP as usize);
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

    /// Combines the terms of each column to one element.
    fn combine_parts(
        self: &Rc<Self>,
        op: &'static str,
        dtype: DType,
        reduce: Reduce,
        mut columns: Columns,
        data: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let key = ShaderKey::of(Pass::ReduceDims, dtype, reduce);
        let mut last: Option<DeviceBuffer> = None;
        loop {
            let parts = columns.parts();
            let made = DeviceBuffer::unfilled(self, op, "the result", columns.count * parts * dtype.size())?;
            let params = columns.params(parts, dtype);
            let pass = self.pass(key, &params).dst(&made).src(last.as_ref().unwrap_or(data));
            pass.rounds(columns.terms.div_ceil(parts)).record(columns.count * parts);
            if parts == 1 {
                return Ok(made);
            }
            (columns, last) = (columns.of_parts(parts), Some(made));
        }
    }
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
