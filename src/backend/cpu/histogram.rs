//! Counts values into bins.

use std::num::NonZero;

use crate::backend::cpu::convert::convert;
use crate::backend::cpu::kernels::bins::{Thresholds, thresholds_len};
use crate::backend::cpu::kernels::check::IndexValue;
use crate::backend::cpu::kernels::convert::to_numbers;
use crate::backend::cpu::kernels::histogram::{Count, Finder, extent};
use crate::backend::cpu::kernels::job::Output;
use crate::backend::cpu::kernels::loops::repeated;
use crate::backend::cpu::kernels::reduce;
use crate::backend::cpu::run::Cpu;
use crate::dtype::DType;
use crate::error::Result;
use crate::host::HostBuffer;
use crate::plan::{HistogramPlan, Reduce, count_dtype, round};
use crate::scalar::load;

impl Cpu {
    /// Counts the samples of x in the places of the plan, or adds their weights, in order. `edges` has the edges of each column's bins,
    /// which do not decrease. `weights` has one element for each sample, in the dtype of the result.
    pub(crate) fn histogram(
        &self,
        plan: &HistogramPlan,
        edges: &[&[f64]],
        x: &HostBuffer,
        weights: Option<&HostBuffer>,
    ) -> Result<HostBuffer> {
        let (op, places) = (plan.op().name(), plan.out_shape().size());
        let out = plan.out_dtype();
        // The counts may have another dtype than the result. They are converted at the end.
        let dtype = weights.map_or(count_dtype(plan.samples(), places, out), |_| out);
        let size = dtype.size();
        let mut table = HostBuffer::zeroed(op, (places + 1) * size)?;
        let lens: usize = edges.iter().map(|edges| thresholds_len(edges)).sum();
        let (mut doubles, mut singles) =
            (HostBuffer::zeroed(op, lens * 8)?, HostBuffer::zeroed(op, lens * 4)?);
        let (mut doubles, mut singles) = (doubles.elements_mut::<f64>(), singles.elements_mut::<f32>());
        let thresholds = edges.iter().map(|edges| {
            let len = thresholds_len(edges);
            let (double, single) = (cut_off(&mut doubles, len), cut_off(&mut singles, len));
            Thresholds::fill(edges, double, single)
        });
        let mut finder = Finder::new(plan.dtype(), edges, thresholds, places as u32);
        // If memory for the table is short, find the place of each sample by itself.
        let (mut of_all, len) = (Vec::new(), finder.table_len(plan.samples()));
        if len > 0 && of_all.try_reserve_exact(len).is_ok() {
            of_all.resize(len, 0);
            finder.tabulate(&mut of_all);
        }
        if let Some(weights) = weights.filter(|_| plan.update().is_exact(out)) {
            return self.histogram_exact(plan, &finder, x.bytes(), weights);
        }
        let one = repeated(size, Reduce::Multiply.neutral(dtype));
        let adding = reduce::loops(Reduce::Add, dtype);
        let (out_table, weights) = (Output::new(table.bytes_mut()), weights.map(HostBuffer::bytes));
        let count = Count::new(&finder, x.bytes(), adding, out_table, weights, &one);
        count.add(0..count.len());
        table.truncate(places * size);
        if dtype == out { Ok(table) } else { convert(op, dtype, out, &table) }
    }

    /// The smallest and the largest number of a column, as float64. −0 is less than 0. If any number is NaN, at least one of the two is
    /// NaN. There must be a sample.
    pub(crate) fn extent(&self, plan: &HistogramPlan, x: &HostBuffer, column: usize) -> [f64; 2] {
        let columns = NonZero::new(plan.columns()).unwrap_or(NonZero::<usize>::MIN);
        extent(plan.dtype(), x.bytes(), column, columns)
    }

    /// Divides a histogram of one column by the widths of the bins and by its sum, in float64. `dtype` is the histogram's. The widths
    /// have the dtype of the edges, or float64 for integer edges.
    pub(crate) fn density(
        &self,
        op: &'static str,
        (hist, dtype): (&HostBuffer, DType),
        (edges, edges_dtype): (&[f64], DType),
    ) -> Result<HostBuffer> {
        let mut out = HostBuffer::zeroed(op, hist.bytes().len() / dtype.size() * 8)?;
        let values = out.elements_mut::<f64>();
        to_numbers(dtype, hist.bytes(), values);
        let sum: f64 = values.iter().fold(0.0, |sum, &value| sum + value);
        let width_dtype = if edges_dtype.is_float() { edges_dtype } else { DType::Float64 };
        for (value, (&one, &next)) in values.iter_mut().zip(edges.iter().zip(edges.iter().skip(1))) {
            *value = *value / round(next - one, width_dtype) / sum;
        }
        Ok(out)
    }

    /// The first negative value of an index and its number, or 0 and 0 if no value is negative; then the largest value and 0. `dtype` is
    /// int32 or int64. `None` if the index is empty. Notes the bounds on the buffer.
    pub(crate) fn ends(&self, dtype: DType, x: &HostBuffer) -> Option<[(i64, usize); 2]> {
        let is_narrow = dtype.size() == 4;
        let range = if is_narrow { i32::extremes(x.elements()) } else { i64::extremes(x.elements()) };
        let (min, max) = range?;
        // SAFETY: no value is outside these bounds. If no value is negative, the lower bound may be 0.
        unsafe { x.note_range(dtype, (min, max)) };
        let values = x.bytes().chunks_exact(dtype.size()).map(|bytes| {
            let bits = load(bytes) as i64;
            if is_narrow { (bits as i32).into() } else { bits }
        });
        let negative = if min < 0 { values.enumerate().find(|(_, value)| *value < 0) } else { None };
        let (at, least) = negative.unwrap_or((0, 0));
        Some([(least, at), (max, 0)])
    }
}

/// Cuts the first `len` elements off a list, which may be shorter.
fn cut_off<'a, T>(list: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    list.split_off_mut(..len).unwrap_or_default()
}
