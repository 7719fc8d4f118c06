//! Counts samples into bins.
//!
//! A pass turns each edge into a limit: the least sample that is not below it, as an integer in the order of the samples. A thread
//! searches the limits for the bin of its sample, and compares words, whatever the dtypes are. Counts are atomic additions. With weights,
//! a pass writes the place of each sample, and a scatter adds the weights there, in order or exactly. If the range depends on the samples,
//! passes compute the edges too, by integer code for float64.

use std::ops::Deref;
use std::rc::Rc;

use crate::backend::gpu::buffer::DeviceBuffer;
use crate::backend::gpu::device::Gpu;
use crate::backend::gpu::dispatch::Bindings;
use crate::backend::gpu::faults::status::Recorded;
use crate::backend::gpu::index::Index;
use crate::backend::gpu::shaders::kernel::ShaderKey;
use crate::backend::gpu::shaders::layout::Samples;
use crate::backend::gpu::shaders::params::{
    Bins, CheckEdges, Column, Density, Edges, Extent, Format, Head, Limits, NEVER_FAILS, SelectPlaces,
    WORKGROUP, float_bits,
};
use crate::backend::gpu::shaders::pass::Pass;
use crate::backend::{Backend, Masked, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{Addressed, Addressing, Arguments, Groups, HistogramPlan, Op, Operand, Reduce, Update};
use crate::scalar::Scalar;
use crate::shape::{MAX_OP_RANK, Shape};

/// The words before the first limit: `FIRST_LIMIT` of `shaders/histogram/columns_of_bins.wgsl`.
const FIRST_LIMIT: usize = 8;
/// Numbers, or pairs, that a workgroup reduces to one pair: `TILE` of `shaders/histogram/extent.wgsl`.
const TILE: usize = 4096;

impl Gpu {
    /// `Backend::edges_of_extent`. All columns share one status slot for the reason why no edges exist.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn edges_of_extent(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        samples: Masked<'_, DeviceBuffer>,
        columns: &[usize],
    ) -> Result<Vec<DeviceBuffer>> {
        let slot = self.take_slot(Recorded::Edges(plan.clone()));
        let made = columns.iter().map(|&column| {
            let edges = self.edges_of_column(plan, samples, column, slot)?;
            match plan.extent_dtype() {
                DType::Float64 => Ok(edges),
                dtype => self.convert(plan.op().name(), DType::Float64, dtype, &edges),
            }
        });
        made.collect()
    }

    /// Has the next read report what is wrong with the given edges of a column, float64 by now. `dtype` is their dtype before.
    pub(crate) fn check_edges(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        column: usize,
        dtype: DType,
        edges: &DeviceBuffer,
    ) {
        let slot = self.take_slot(Recorded::GivenEdges(plan.clone(), column));
        let count = edges.len() / DType::Float64.size();
        for is_report in [false, true] {
            let params = CheckEdges {
                head: Head::new(if is_report { 1 } else { count }, slot),
                limits_whole: plan.limits_edges(dtype).into(),
                is_report: is_report.into(),
            };
            let bindings = Bindings { index: None, dst: None, src: Some(edges) };
            self.dispatch(ShaderKey::words(Pass::CheckEdges), params, &bindings);
        }
    }

    /// The edges of column number `column`, from its smallest and largest number. The edges are float64. If such edges do not
    /// exist, the status slot `slot` gets the reason, and the edges are NaN; but if two edges are merely equal, they stay.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn edges_of_column(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        samples: Masked<'_, DeviceBuffer>,
        column: usize,
        slot: u32,
    ) -> Result<DeviceBuffer> {
        let pair = self.extent(plan, samples, column)?;
        let bins = plan.bins(column);
        let edges = DeviceBuffer::unfilled(self, plan.op().name(), "the edges", 8 * (bins + 1))?;
        let [exponent_bits, fraction_bits] = float_bits(plan.extent_dtype());
        let params = Edges {
            head: Head::new(bins + 1, slot),
            bins: bins as u32,
            exponent_bits,
            fraction_bits,
            must_rise: plan.must_rise().into(),
            column: column as u32,
        };
        let bindings = Bindings { index: None, dst: Some(&edges), src: Some(&pair) };
        self.dispatch(ShaderKey::doubles(Pass::Edges), params, &bindings);
        Ok(edges)
    }

    /// The smallest and the largest number of a column that the mask keeps, as a pair of float64; 0 and 1 if it keeps none. The column has at
    /// least one sample. Each dispatch reduces
    /// every tile of numbers or pairs to one pair, until one pair is left.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn extent(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        samples: Masked<'_, DeviceBuffer>,
        column: usize,
    ) -> Result<DeviceBuffer> {
        let (kind, dtype) = (Samples::of(plan.dtype()), samples_dtype(plan));
        let mut count = plan.samples();
        let mut pairs: Option<DeviceBuffer> = None;
        loop {
            let tiles = count.div_ceil(TILE);
            let is_last = tiles == 1;
            let bytes = if is_last { 2 * dtype.size() } else { 2 * kind.key_bytes() * tiles };
            let made = DeviceBuffer::unfilled(self, plan.op().name(), "the range", bytes)?;
            let params = Extent {
                head: Head::new(tiles * WORKGROUP as usize, NEVER_FAILS),
                count: count as u32,
                first: column as u32,
                stride: plan.columns() as u32,
                is_first: pairs.is_none().into(),
                element_bits: if is_last { 8 * dtype.size() as u32 } else { 0 },
                flip: flip(dtype),
                has_mask: samples.mask.is_some().into(),
                one: (Scalar::Int(1).cast(dtype) << (64 - 8 * dtype.size()) >> 32) as u32,
            };
            let src = Some(pairs.as_ref().unwrap_or(samples.numbers));
            let bindings = Bindings { index: samples.mask, dst: Some(&made), src };
            self.dispatch(ShaderKey::words(Pass::Extent(kind)), params, &bindings);
            if is_last {
                return match dtype {
                    DType::Float64 => Ok(made),
                    _ => self.convert(plan.op().name(), dtype, DType::Float64, &made),
                };
            }
            (count, pairs) = (tiles, Some(made));
        }
    }

    /// The edges of all columns as float64, one column after the other, in one buffer.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn joined(
        self: &Rc<Self>,
        op: Op,
        columns: &[impl Deref<Target = DeviceBuffer>],
    ) -> Result<DeviceBuffer> {
        let len = columns.iter().map(|edges| edges.len()).sum();
        let all = DeviceBuffer::unfilled(self, op.name(), "the edges", len)?;
        let mut offset = 0;
        for edges in columns.iter().map(Deref::deref) {
            edges.copy_to(&all, offset);
            offset += edges.len();
        }
        Ok(all)
    }

    /// Counts the samples in each bin, or adds their weights as [`HistogramPlan::update`] says, in the plan's dtype. The edges are float64;
    /// those of the columns follow each other.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn histogram(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        edges: &DeviceBuffer,
        samples: Masked<'_, DeviceBuffer>,
        weights: Option<&DeviceBuffer>,
    ) -> Result<DeviceBuffer> {
        let (op, places, out) = (plan.op(), plan.out_shape().size(), plan.out_dtype());
        if plan.samples() == 0 {
            return DeviceBuffer::new(self, op.name(), "the result", places * out.size());
        }
        if samples.mask.is_some() || plan.groups().count != 1 {
            let positions = self.positions_in_bins(plan, edges, samples)?;
            return self.add_at(op, places, positions, weights.map(|weights| (weights, plan.update())), out);
        }
        let Some(weights) = weights else {
            let counts = DeviceBuffer::new(self, op.name(), "the counts", 4 * places)?;
            self.find_bins(plan, edges, samples.numbers, true, &counts)?;
            return self.convert(op.name(), DType::Uint32, out, &counts);
        };
        let positions = DeviceBuffer::unfilled(self, op.name(), "the places of samples", 4 * plan.samples())?;
        self.find_bins(plan, edges, samples.numbers, false, &positions)?;
        // An extra last place takes the weights outside of all bins. Then it is dropped.
        let mut sums = self.sums(op, (places + 1, out), Rc::new(positions), weights, plan.update())?;
        sums.truncate(places * out.size());
        Ok(sums)
    }

    /// Writes the count of each place of a group to `out`, or the place of each sample.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn find_bins(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        edges: &DeviceBuffer,
        numbers: &DeviceBuffer,
        is_counting: bool,
        out: &DeviceBuffer,
    ) -> Result<()> {
        let columns = columns(plan);
        let limits = self.limits_of(plan, columns, edges)?;
        let params = Bins {
            head: Head::new(plan.samples(), NEVER_FAILS),
            columns,
            column_count: plan.columns() as u32,
            outside: plan.places() as u32,
            is_counting: is_counting.into(),
            flip: flip(samples_dtype(plan)),
        };
        let bindings = Bindings { index: Some(&limits), dst: Some(out), src: Some(numbers) };
        let rounds = columns.iter().map(|column| (2 * column.step).checked_ilog2().unwrap_or(0) as usize);
        let key = ShaderKey::words(Pass::Bins(Samples::of(plan.dtype()), plan.columns() == 1));
        self.dispatch_rounds(key, params, rounds.sum(), &bindings);
        Ok(())
    }

    /// The position of each sample in the places of all groups, marked if no bin has the sample or the mask leaves it out.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(super) fn positions_in_bins(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        edges: &DeviceBuffer,
        samples: Masked<'_, DeviceBuffer>,
    ) -> Result<Index> {
        let op = plan.op().name();
        let positions = DeviceBuffer::unfilled(self, op, "the places of samples", 4 * plan.samples())?;
        self.find_bins(plan, edges, samples.numbers, false, &positions)?;
        Ok(self.select_places(positions, plan.places(), plan.groups(), samples.mask))
    }

    /// Turns places in a group into positions in all groups, marked where a sample has no place or the mask leaves it out.
    pub(super) fn select_places(
        self: &Rc<Self>,
        places: DeviceBuffer,
        outside: usize,
        groups: Groups,
        mask: Option<&DeviceBuffer>,
    ) -> Index {
        let params = SelectPlaces {
            head: Head::new(places.len() / 4, NEVER_FAILS),
            outside: outside as u32,
            has_mask: mask.is_some().into(),
            len: groups.len.max(1) as u32,
            stride: groups.stride.max(1) as u32,
        };
        let bindings = Bindings { index: None, dst: Some(&places), src: mask };
        self.dispatch(ShaderKey::words(Pass::SelectPlaces), params, &bindings);
        Index::positions(Rc::new(places), true, false)
    }

    /// Counts positions in `places` places, or adds their values, which have the dtype `out`. The counts are converted to `out`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(super) fn add_at(
        self: &Rc<Self>,
        op: Op,
        places: usize,
        positions: Index,
        values: Option<(&DeviceBuffer, Update)>,
        out: DType,
    ) -> Result<DeviceBuffer> {
        let dtype = if values.is_some() { out } else { DType::Uint32 };
        let zeros = DeviceBuffer::new(self, op.name(), "the result", places * dtype.size())?;
        let (value, update) = match values {
            Some((values, update)) => (Value::Buffer(values), update),
            None => (Value::Scalar(1), Reduce::Add.into()),
        };
        let made = self.scatter_at(op, (1, places), dtype, zeros, &positions, value, update)?;
        if dtype == out { Ok(made) } else { self.convert(op.name(), dtype, out, &made) }
    }

    /// Applies each row of values to a row of the table, at the positions, which all rows share. `rows` and `places` are the shape of the
    /// table.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    #[allow(clippy::too_many_arguments, reason = "a scatter has so many")]
    pub(super) fn scatter_at(
        self: &Rc<Self>,
        op: Op,
        (rows, places): (usize, usize),
        dtype: DType,
        table: DeviceBuffer,
        positions: &Index,
        value: Value<&DeviceBuffer>,
        update: Update,
    ) -> Result<DeviceBuffer> {
        let mut table = Rc::new(table);
        let entries = positions.buffer.len() / 4;
        let [of_table, of_index, of_source] = [&[rows, places][..], &[entries], &[rows, entries]];
        let shape = |dims: &[usize]| Shape::new(op.name(), dims);
        let (of_table, of_index, of_source) = (shape(of_table)?, shape(of_index)?, shape(of_source)?);
        let src = match value {
            Value::Buffer(_) => Some(Operand { shape: &of_source, dtype }),
            Value::Scalar(_) => None,
        };
        let plan = Addressing::scatter(&Arguments {
            op,
            form: Addressed::Slices(1),
            table: Operand { shape: &of_table, dtype },
            index: Operand { shape: &of_index, dtype: DType::Int32 },
            src,
        })?;
        self.scatter(&plan, dtype, update, &mut table, positions, value)?;
        match Rc::try_unwrap(table) {
            Ok(table) => Ok(table),
            // The buffer has one owner, but its type does not say so.
            Err(shared) => shared.duplicate(op.name()),
        }
    }

    /// The limits of all columns, for `bins.wgsl`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn limits_of(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        columns: [Column; MAX_OP_RANK],
        edges: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let (kind, dtype) = (Samples::of(plan.dtype()), samples_dtype(plan));
        let count = columns.iter().map(limit_count).sum::<usize>();
        let bytes = 4 * FIRST_LIMIT + kind.key_bytes() * count;
        let limits = DeviceBuffer::new(self, plan.op().name(), "the edges", bytes)?;
        let params = Limits {
            head: Head::new(count, NEVER_FAILS),
            columns,
            sample: Format::of(dtype),
            double: Format::of(DType::Float64),
            column_count: plan.columns() as u32,
            flip: flip(dtype),
        };
        let bindings = Bindings { index: None, dst: Some(&limits), src: Some(edges) };
        self.dispatch(ShaderKey::words(Pass::Limits(kind.widened())), params, &bindings);
        Ok(limits)
    }

    /// A histogram divided by the widths of the bins and by its sum, as float64: see `Cpu::density`. `dtype` is that of `hist`. The
    /// edges are float64. If `edges_dtype` is a float, the differences of edges are rounded to it.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn density(
        self: &Rc<Self>,
        op: Op,
        (hist, dtype): (&DeviceBuffer, DType),
        (edges, edges_dtype): (&DeviceBuffer, DType),
    ) -> Result<DeviceBuffer> {
        let len = hist.len() / dtype.size();
        let bins = edges.len() / DType::Float64.size() - 1;
        let values = self.convert(op.name(), dtype, DType::Float64, hist)?;
        if len == 0 {
            return Ok(values);
        }
        // The sum in order is a scatter that adds every count to the place of its group.
        let groups: Vec<u32> = (0..len).map(|at| (at / bins) as u32).collect();
        let groups = self.upload(op.name(), bytemuck::cast_slice(&groups))?;
        let sum =
            self.sums(op, (len / bins, DType::Float64), Rc::new(groups), &values, Reduce::Add.into())?;
        let [exponent_bits, fraction_bits] = float_bits(edges_dtype);
        let params =
            Density { head: Head::new(len, NEVER_FAILS), exponent_bits, fraction_bits, bins: bins as u32 };
        let bindings = Bindings { index: Some(edges), dst: Some(&values), src: Some(&sum) };
        self.dispatch(ShaderKey::doubles(Pass::Density), params, &bindings);
        Ok(values)
    }

    /// `places` new sums in `dtype`, initially zero. Adds values of that dtype as `update` says: `sums[positions[i]] += values[i]`. A
    /// position is one word, and below `places`.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    fn sums(
        self: &Rc<Self>,
        op: Op,
        (places, dtype): (usize, DType),
        positions: Rc<DeviceBuffer>,
        values: &DeviceBuffer,
        update: Update,
    ) -> Result<DeviceBuffer> {
        let mut sums = Rc::new(DeviceBuffer::new(self, op.name(), "the result", places * dtype.size())?);
        let table = Shape::new(op.name(), &[places])?;
        let entries = Shape::new(op.name(), &[positions.len() / 4])?;
        let [table, source] = [&table, &entries].map(|shape| Operand { shape, dtype });
        let of_index = Operand { shape: &entries, dtype: DType::Int32 };
        let form = Addressed::Along(0);
        let plan = Addressing::scatter(&Arguments { op, form, table, index: of_index, src: Some(source) })?;
        let index = Index::positions(positions, false, false);
        self.scatter(&plan, dtype, update, &mut sums, &index, Value::Buffer(values))?;
        match Rc::try_unwrap(sums) {
            Ok(sums) => Ok(sums),
            // The buffer has one owner, but its type does not say so.
            Err(shared) => shared.duplicate(op.name()),
        }
    }
}

/// The dtype of the samples on the device: 64-bit integers were converted to float64.
fn samples_dtype(plan: &HistogramPlan) -> DType {
    if Samples::of(plan.dtype()) == Samples::Float64 { DType::Float64 } else { plan.dtype() }
}

/// The top bit for signed integers, else 0: `flip` of `shaders/histogram/sample.wgsl`.
fn flip(dtype: DType) -> u32 {
    if dtype.is_signed_integer() { 1 << 31 } else { 0 }
}

/// The columns of a plan, for shaders.
fn columns(plan: &HistogramPlan) -> [Column; MAX_OP_RANK] {
    let mut columns = [Column::default(); MAX_OP_RANK];
    let (mut edges, mut limits) = (0, 0);
    for (number, column) in columns.iter_mut().enumerate().take(plan.columns()) {
        let bins = plan.bins(number) as u32;
        *column = Column { edges, bins, limits, step: 1 << (bins + 1).ilog2() };
        edges += bins + 1;
        limits += limit_count(column) as u32;
    }
    columns
}

/// How many limits a column has.
fn limit_count(column: &Column) -> usize {
    (2 * column.step as usize).saturating_sub(1)
}
