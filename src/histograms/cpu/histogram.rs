//! Counts values into bins.

use std::num::NonZero;

use crate::convert::backend::ConvertBackend;
use crate::engine::Masked;
use crate::engine::cpu::kernels::{Output, reduce, repeated};
use crate::engine::cpu::{Cpu, is_any_order};
use crate::exact::cpu::sums::ExactSums;
use crate::exact::kernels::terms::ExactTerms;
use crate::histograms::backend::BincountBackend;
use crate::histograms::kernels::bins::{Thresholds, thresholds_len};
use crate::histograms::kernels::histogram::bytes::CountBytes;
use crate::histograms::kernels::histogram::min_max::kept_ends;
use crate::histograms::kernels::histogram::{Count, Finder, Weights, min_max};
use crate::histograms::plan::bincount::BincountPlan;
use crate::histograms::plan::histogram::{HistogramPlan, count_dtype};
use crate::index::kernels::check::IndexValue;
use crate::plan::{Reduce, Update};
use crate::{DType, HostBuffer, Result, load};

impl BincountBackend for Cpu {
    fn bincount(
        &self,
        plan: &BincountPlan,
        flat_bins: usize,
        x: Masked<'_, HostBuffer>,
        weights: Option<(&HostBuffer, Update)>,
    ) -> Result<HostBuffer> {
        let (op, out, samples) = (BincountPlan::OP.name(), plan.out_dtype(), x.numbers.bytes());
        let mut finder = Finder::of_integers(plan.dtype(), flat_bins as u32, plan.groups());
        finder.keep(x.mask.map(HostBuffer::bytes));
        let Some((weights, update)) = weights else {
            return self.count_samples(op, out, &finder, samples, None);
        };
        self.add_weights(op, out, update, &finder, samples, weights.bytes())
    }
}

impl Cpu {
    /// Adds the weights of samples, which have the dtype of the result, each in its bin. `finder` knows the bins. A bin without
    /// samples has the sum 0 and the mean NaN.
    pub(crate) fn add_weights(
        &self,
        op: &'static str,
        dtype: DType,
        update: Update,
        finder: &Finder<'_>,
        samples: &[u8],
        weights: &[u8],
    ) -> Result<HostBuffer> {
        let flat_bins = finder.outside_of_all() as usize;
        let terms = ExactTerms::of_samples(dtype, weights, finder, samples);
        // One bin more, for samples outside.
        let mut table = HostBuffer::zeroed(op, (flat_bins + 1) * dtype.size())?;
        let sums = ExactSums::of_call(op, dtype, flat_bins + 1, (update, terms.len()), table.bytes())?;
        let Some(mut sums) = sums else {
            return self.count_samples(op, dtype, finder, samples, Some(weights));
        };
        sums.add_terms(&terms)?;
        if update.is_mean() {
            table = sums.rounded(true, dtype)?;
        } else {
            sums.finish_sums(table.bytes_mut());
        }
        table.truncate(flat_bins * dtype.size());
        Ok(table)
    }

    /// Counts samples, or adds their weights in order, which have the dtype `out` of the result.
    pub(crate) fn count_samples(
        &self,
        op: &'static str,
        out: DType,
        finder: &Finder<'_>,
        samples: &[u8],
        weights: Option<&[u8]>,
    ) -> Result<HostBuffer> {
        let flat_bins = finder.outside_of_all() as usize;
        // The counts may have another dtype than the result. They are converted at the end.
        let dtype = weights.map_or(count_dtype(finder.count(samples), flat_bins, out), |_| out);
        let size = dtype.size();
        let mut table = HostBuffer::zeroed(op, (flat_bins + 1) * size)?;
        let one = repeated(size, Reduce::Multiply.neutral(dtype));
        let is_unweighted = weights.is_none();
        let weights = weights.map_or(Weights::Same(&one), Weights::Each);
        let adding = reduce::loops(Reduce::Add, dtype);
        let out_table = Output::new(table.bytes_mut());
        let count = Count::new(finder, samples, adding, out_table, weights);
        let add = (Reduce::Add, dtype);
        let is_of_words = cfg!(feature = "histograms") && dtype == DType::Uint32 && is_unweighted;
        let bytes = if is_of_words { CountBytes::new(finder, samples, out_table) } else { None };
        if let Some(bytes) = bytes {
            if self.run_in_parts(bytes, add, adding, out_table, flat_bins + 1).is_none() {
                bytes.add();
            }
            table.truncate(flat_bins * size);
            return if dtype == out { Ok(table) } else { self.convert(op, dtype, out, &table) };
        }
        let in_parts = is_any_order(Reduce::Add, dtype)
            && self.run_in_parts(count, add, adding, out_table, flat_bins + 1).is_some();
        if !in_parts {
            count.add(0..count.len());
        }
        table.truncate(flat_bins * size);
        if dtype == out { Ok(table) } else { self.convert(op, dtype, out, &table) }
    }

    pub(crate) fn with_finder(
        &self,
        plan: &HistogramPlan,
        edges: &[&[f64]],
        x: Masked<'_, HostBuffer>,
        run: &mut dyn FnMut(&Finder<'_>) -> Result<HostBuffer>,
    ) -> Result<HostBuffer> {
        let op = plan.op().name();
        let lens: usize = edges.iter().map(|edges| thresholds_len(edges)).sum();
        let (mut doubles, mut singles) =
            (HostBuffer::zeroed(op, lens * 8)?, HostBuffer::zeroed(op, lens * 4)?);
        let (mut doubles, mut singles) = (doubles.elements_mut::<f64>(), singles.elements_mut::<f32>());
        let thresholds = edges.iter().map(|edges| {
            let len = thresholds_len(edges);
            let (double, single) = (cut_off(&mut doubles, len), cut_off(&mut singles, len));
            Thresholds::fill(edges, double, single)
        });
        let mut finder = Finder::new(plan.dtype(), edges, thresholds, plan.flat_bins() as u32, plan.groups());
        // If memory for the table is short, find the bin of each sample by itself.
        let (mut of_all, len) = (Vec::new(), finder.table_len(plan.samples()));
        if len > 0 && of_all.try_reserve_exact(len).is_ok() {
            of_all.resize(len, 0);
            finder.tabulate(&mut of_all);
        }
        finder.keep(x.mask.map(HostBuffer::bytes));
        run(&finder)
    }

    /// The smallest and the largest number of a column, as float64. −0 is less than 0. If any number is NaN, at least one of the two is
    /// NaN. There must be a sample. If the mask keeps none, the ends are 0 and 1.
    pub(crate) fn min_max(&self, plan: &HistogramPlan, x: Masked<'_, HostBuffer>, column: usize) -> [f64; 2] {
        let columns = NonZero::new(plan.columns()).unwrap_or(NonZero::<usize>::MIN);
        let mask = x.mask.map(HostBuffer::bytes);
        min_max(plan.dtype(), x.numbers.bytes(), mask, column, columns).unwrap_or([0.0, 1.0])
    }

    /// The first negative value of an index and its number, or 0 and 0 if no value is negative; then the largest value and 0. `dtype` is
    /// int32 or int64. `None` if the index is empty. Notes the bounds on the buffer. With a mask, all this is about the values that it keeps,
    /// and nothing is cached.
    pub(crate) fn ends(
        &self,
        dtype: DType,
        x: &HostBuffer,
        mask: Option<&HostBuffer>,
    ) -> Option<[(i64, usize); 2]> {
        let is_narrow = dtype.size() == 4;
        if let Some(mask) = mask.map(HostBuffer::bytes) {
            return if is_narrow {
                kept_ends::<i32>(x.elements(), mask)
            } else {
                kept_ends::<i64>(x.elements(), mask)
            };
        }
        let range = if is_narrow { i32::extremes(x.elements()) } else { i64::extremes(x.elements()) };
        let (min, max) = range?;
        // SAFETY: no value is outside these bounds. If no value is negative, the lower bound may be 0.
        unsafe { x.cache_range(dtype, (min, max)) };
        let values = x.bytes().chunks_exact(dtype.size()).map(|bytes| {
            let bits = load(bytes) as i64;
            if is_narrow { (bits as i32).into() } else { bits }
        });
        let negative = if min < 0 { values.enumerate().find(|(_, value)| *value < 0) } else { None };
        let (at, least) = negative.unwrap_or((0, 0));
        Some([(least, at), (max, 0)])
    }
}

fn cut_off<'a, T>(list: &mut &'a mut [T], len: usize) -> &'a mut [T] {
    list.split_off_mut(..len).unwrap_or_default()
}
