//! Statistics of values in bins.

use crate::histograms::plan::counting::Counted;
use crate::histograms::plan::histogram::{Division, HistogramPlan};
use crate::plan::getters::getters;
use crate::plan::{Op, Operand, Reduce, Reduction, Sum, Update, value_error, wrong_dtype, wrong_value};
use crate::words::words;
use crate::{DType, ErrorCode, Result, Shape, list};

words! {
    /// A statistic of the values in a bin.
    Statistic,
    /// How a value is combined with those before it in its bin.
    pub(crate) reduce: Reduce;
    /// How many there are.
    Count = "count" => Reduce::Add;
    /// Their sum. Of floats it is exact and rounded once, integers wrap, and for bool it is OR.
    Sum = "sum" => Reduce::Add;
    /// The exact sum divided by the count, rounded once. Only floats have it.
    Mean = "mean" => Reduce::Add;
    /// The smallest. NaN wins, and −0 < +0. Only floats have it.
    Min = "min" => Reduce::Minimum;
    /// The largest, as `Min`.
    Max = "max" => Reduce::Maximum;
}

impl Statistic {
    /// Whether a bin without values has NaN; else it has 0.
    pub(crate) const fn is_nan_of_none(self) -> bool {
        matches!(self, Self::Mean | Self::Min | Self::Max)
    }
}

/// A checked call of `binned_statistic`. Only conditions on values are still unchecked.
#[derive(Debug, Clone)]
pub(crate) struct BinnedPlan {
    /// The bins of the samples. Its dtype is that of the result.
    bins: HistogramPlan,
    statistic: Statistic,
    /// How many rows of values there are. The result has the bins of each.
    rows: usize,
    out_shape: Shape,
}

impl BinnedPlan {
    pub(crate) const OP: Op = Op::BinnedStatistic;

    /// The plan for samples with these values. `mask` says which samples count. `divisions` are those of [`HistogramPlan::new`].
    pub(crate) fn new(
        sample: Operand<'_>,
        values: Option<Operand<'_>>,
        statistic: Statistic,
        divisions: &[(Division<'_>, Option<[f64; 2]>)],
        mask: Option<Operand<'_>>,
    ) -> Result<Self> {
        let op = Self::OP;
        let dtype = match values {
            Some(values) if statistic != Statistic::Count => values.dtype,
            _ => DType::Float64,
        };
        let counted = Counted { mask, sum: Sum::Exact, ..Counted::default() };
        let bins = HistogramPlan::new(op, sample, &counted, divisions)?.with_dtype(dtype);
        let name = statistic.name();
        if values.is_none() && statistic != Statistic::Count {
            let text =
                format!("values is missing: a {name} needs a value for each sample; only 'count' does not");
            return Err(wrong_value(op, "values", text));
        }
        if statistic.is_nan_of_none() && !dtype.is_float() {
            let text = format!(
                "values has dtype {dtype}, and a bin without values has the {name} NaN, which only floats have: \
                 values.astype('float64')"
            );
            return Err(wrong_dtype(op, "values", dtype, text));
        }
        // The dimension of the rows comes before those of the bins.
        let (rows, mut dims) = match values.map(|values| values.shape.dims()) {
            None => (1, Vec::new()),
            Some([samples]) if *samples == bins.samples() => (1, Vec::new()),
            Some(&[rows, samples]) if samples == bins.samples() => (rows, vec![rows]),
            Some(found) => {
                let samples = bins.samples();
                let text = format!(
                    "values has shape {}; it must be [{samples}], a value for each sample of sample {}, or [k, {samples}] \
                     for k statistics over the same bins",
                    list(found),
                    sample.shape
                );
                return Err(value_error(op, ErrorCode::ShapeMismatch, "values", text)
                    .shape("sample", sample.shape.dims())
                    .shape("values", found));
            }
        };
        dims.extend_from_slice(bins.out_shape().dims());
        let out_shape = Shape::of_result(op.name(), &dims)?;
        Ok(Self { bins, statistic, rows, out_shape })
    }

    getters! { pub(crate) statistic: Statistic, rows: usize; bins: &HistogramPlan, out_shape: &Shape }

    /// How values are combined: sums exactly.
    pub(crate) fn update(&self) -> Update {
        let sum = Sum::Exact;
        match self.statistic {
            Statistic::Mean => Update { sum, ..Reduction::Mean.update(false) },
            // The first value of a bin replaces what is there; a sum begins with 0.
            Statistic::Min | Statistic::Max => {
                Update { include_self: false, ..self.statistic.reduce().into() }
            }
            Statistic::Sum | Statistic::Count => Update { sum, ..Reduce::Add.into() },
        }
    }
}
