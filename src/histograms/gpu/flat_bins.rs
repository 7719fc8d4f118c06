//! The bins of samples. A pass turns each edge into a limit: the least sample that is not below it, as an integer in the order of the samples.
//! A thread searches the limits for the bin of its sample, and compares words, whatever the dtypes are.

use std::ops::Deref;
use std::rc::Rc;

use crate::engine::Masked;
use crate::engine::gpu::shaders::pass::{Bins, Limits, SelectBins};
use crate::engine::gpu::{Column, DeviceBuffer, Format, Gpu, Pass, Samples};
use crate::histograms::plan::counting::Groups;
use crate::histograms::plan::histogram::HistogramPlan;
use crate::index::gpu::Index;
use crate::{DType, MAX_OP_RANK, Result};

/// The words before the first limit: `FIRST_LIMIT` of `shaders/histograms/columns_of_bins.wgsl`.
const FIRST_LIMIT: usize = 8;
/// Stands for the position of a sample that is skipped, as in `shaders/lib/frame.wgsl`.
const SKIPPED: u32 = u32::MAX;

/// What becomes of the bins of samples.
#[derive(Clone, Copy)]
pub(crate) enum Found<'a> {
    /// They are written, and the number of bins for a sample outside of all.
    Bins,
    /// They are written as positions, `SKIPPED` for a sample outside of all.
    Positions,
    /// Samples are counted, in words.
    Counts,
    /// These weights are added, integers of one word, in another buffer than the samples.
    Sums(&'a DeviceBuffer),
}

impl Gpu {
    /// Writes the count of each bin of a group to `out`, or the sum of its weights, or the bin of each sample.
    pub(crate) fn find_bins(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = DeviceBuffer>],
        numbers: &DeviceBuffer,
        what: Found<'_>,
        out: &DeviceBuffer,
    ) -> Result<()> {
        let columns = columns(plan);
        let limits = self.limits_of(plan, columns, edges)?;
        let params = Bins {
            columns,
            column_count: plan.columns() as u32,
            outside: match what {
                Found::Positions => SKIPPED,
                Found::Bins | Found::Counts | Found::Sums(_) => plan.flat_bins() as u32,
            },
            update: match what {
                Found::Positions | Found::Bins => 0,
                Found::Counts => 1,
                Found::Sums(_) => 2,
            },
            flip: flip(samples_dtype(plan)),
        };
        let rounds = columns.iter().map(|column| (2 * column.step).checked_ilog2().unwrap_or(0) as usize);
        let pass = Pass::Bins(Samples::of(plan.dtype()), plan.columns() == 1);
        let weights = if let Found::Sums(weights) = what { Some(weights) } else { None };
        let pass = self.pass(pass, &params).index(&limits).dst(out).src(numbers).scratch(weights);
        pass.rounds(rounds.sum()).record(plan.samples());
        Ok(())
    }

    /// The position of each sample in the bins of all groups, marked if no bin has the sample or the mask leaves it out.
    pub(crate) fn positions_in_bins(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        edges: &[impl Deref<Target = DeviceBuffer>],
        samples: Masked<'_, DeviceBuffer>,
    ) -> Result<Index> {
        let op = plan.op().name();
        let positions = DeviceBuffer::unfilled(self, op, "the places of samples", 4 * plan.samples())?;
        if samples.mask.is_none() && plan.groups().count == 1 {
            self.find_bins(plan, edges, samples.numbers, Found::Positions, &positions)?;
            return Ok(Index::positions(Rc::new(positions), true, None));
        }
        self.find_bins(plan, edges, samples.numbers, Found::Bins, &positions)?;
        Ok(self.select_bins(positions, plan.flat_bins(), plan.groups(), samples.mask))
    }

    /// Turns bins in a group into positions in all groups, marked where a sample has no bin or the mask leaves it out.
    pub(crate) fn select_bins(
        self: &Rc<Self>,
        flat_bins: DeviceBuffer,
        outside: usize,
        groups: Groups,
        mask: Option<&DeviceBuffer>,
    ) -> Index {
        let params = SelectBins {
            outside: outside as u32,
            has_mask: mask.is_some().into(),
            len: groups.len.max(1) as u32,
            stride: groups.stride.max(1) as u32,
        };
        self.pass(Pass::SelectBins, &params).dst(&flat_bins).src(mask).record(flat_bins.len() / 4);
        Index::positions(Rc::new(flat_bins), true, None)
    }

    /// The limits of all columns, for `bins.wgsl`.
    fn limits_of(
        self: &Rc<Self>,
        plan: &HistogramPlan,
        columns: [Column; MAX_OP_RANK],
        edges: &[impl Deref<Target = DeviceBuffer>],
    ) -> Result<DeviceBuffer> {
        let (kind, dtype) = (Samples::of(plan.dtype()), samples_dtype(plan));
        let count = columns.iter().map(limit_count).sum::<usize>();
        let bytes = 4 * FIRST_LIMIT + kind.key_bytes() * count;
        let limits = DeviceBuffer::new(self, plan.op().name(), "the edges", bytes)?;
        let params = Limits {
            columns,
            sample: Format::of(dtype),
            double: Format::of(DType::Float64),
            column_count: plan.columns() as u32,
            flip: flip(dtype),
        };
        let joined;
        let edges = match edges {
            [only] => &**only,
            columns => {
                joined = self.joined(plan.op(), columns)?;
                &joined
            }
        };
        self.pass(Pass::Limits(kind.widened()), &params).dst(&limits).src(edges).record(count);
        Ok(limits)
    }
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

/// The dtype of the samples on the device: 64-bit integers were converted to float64.
pub(crate) fn samples_dtype(plan: &HistogramPlan) -> DType {
    if Samples::of(plan.dtype()) == Samples::Float64 { DType::Float64 } else { plan.dtype() }
}

/// The top bit for signed integers, else 0: `flip` of `shaders/histograms/sample.wgsl`.
pub(crate) fn flip(dtype: DType) -> u32 {
    if dtype.is_signed_integer() { 1 << 31 } else { 0 }
}
