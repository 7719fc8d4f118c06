//! `bincount`, `histogram`, `histogramdd`, `binned_statistic` and `bin_codes`, by their arguments.

#[cfg(feature = "histograms")]
use crate::boundary::results::keep_all;
#[cfg(feature = "histograms")]
use crate::boundary::set_word;
#[cfg(feature = "histograms")]
use crate::boundary::wire::UPDATES;
use crate::boundary::{Arguments, table};
#[cfg(feature = "histograms")]
use crate::elementwise::combined;
use crate::histograms::bincount::count_integers;
#[cfg(feature = "histograms")]
use crate::histograms::bins::Bins;
use crate::histograms::options::{CountOptions, Weights};
use crate::histograms::plan::bincount::Length;
#[cfg(feature = "histograms")]
use crate::histograms::plan::binned::Statistic;
#[cfg(feature = "histograms")]
use crate::plan::Binary;
use crate::plan::{Op, Sum};
#[cfg(feature = "histograms")]
use crate::shape::MAX_RANK;
use crate::{DType, Result, Tensor};
#[cfg(feature = "histograms")]
use crate::{Scalar, Shape};

/// What counting calls take beside their samples.
#[derive(Default)]
struct Counted {
    weights: Option<Tensor>,
    mask: Option<Tensor>,
    dim: Option<i64>,
    dtype: Option<DType>,
    sum: Sum,
}

impl Counted {
    fn options(&self) -> CountOptions<'_> {
        let weights = self.weights.as_ref().map(|values| Weights { values, sum: self.sum });
        CountOptions { weights, mask: self.mask.as_ref(), dim: self.dim, dtype: self.dtype }
    }
}

pub(crate) fn bincount(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (x, weights) = (arguments.tensor()?, arguments.optional_tensor()?);
    let (least, length) = (arguments.integer(), arguments.optional_integer());
    let length = length.map_or(Length::AtLeast(least), Length::Exactly);
    let (mask, dim) = (arguments.optional_tensor()?, arguments.optional_integer());
    let (dtype, sum) = (arguments.dtype(), arguments.sum());
    #[cfg(feature = "histograms")]
    let mask = match arguments.scalar() {
        Some(ignored) => without(&x, mask, ignored)?,
        None => mask,
    };
    let counted = Counted { weights, mask, dim, dtype, sum };
    table::keep(count_integers(&x, &counted.options(), length)?)
}

/// A mask that also leaves out the elements of x that are `ignored`. A mask or an x that the plan refuses stays as it is.
#[cfg(feature = "histograms")]
fn without(x: &Tensor, mask: Option<Tensor>, ignored: Scalar) -> Result<Option<Tensor>> {
    let op = Op::Bincount;
    let is_in = |(least, most)| matches!(ignored, Scalar::Int(value) if (least..=most).contains(&value));
    if !x.dtype.int_range().is_some_and(is_in) || x.dtype == DType::Bool {
        return Ok(mask);
    }
    let flat = |tensor: &Tensor| tensor.reshape(&[tensor.size()]);
    let value = Tensor::filled(op.name(), "ignore_index", Shape::scalar(), ignored, x.dtype)?;
    // Any difference becomes true.
    let kept = combined(op, Binary::Subtract, &flat(x)?, &value)?.convert(op.name(), DType::Bool)?;
    let kept = match &mask {
        Some(mask) if mask.dtype != DType::Bool || mask.shape != x.shape => return Ok(Some(mask.clone())),
        Some(mask) => combined(op, Binary::Multiply, &flat(mask)?, &kept)?,
        None => kept,
    };
    Ok(Some(kept.reshape(x.shape.dims())?))
}

/// The division of each column of the samples into bins: the number of columns, and for each the edges or 0, the number of bins, and the
/// ends of the range.
#[cfg(feature = "histograms")]
fn columns(arguments: &mut Arguments) -> Result<Vec<(Bins, Option<[f64; 2]>)>> {
    let mut columns = Vec::new();
    for _ in 0..arguments.word().min(MAX_RANK as u32) {
        let (edges, count) = (arguments.optional_tensor()?, arguments.integer());
        let (has_range, ends) = (arguments.flag(), [arguments.number(), arguments.number()]);
        columns.push((edges.map_or(Bins::Count(count), Bins::Edges), has_range.then_some(ends)));
    }
    Ok(columns)
}

/// The histograms: the counts, and the edges of each column.
#[cfg(feature = "histograms")]
pub(crate) fn histogram(op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (x, columns) = (arguments.tensor()?, columns(arguments)?);
    let mut counted = Counted { weights: arguments.optional_tensor()?, ..Counted::default() };
    let has_one_column = op == Op::Histogram;
    let density = has_one_column && arguments.flag();
    counted.mask = arguments.optional_tensor()?;
    counted.dim = if has_one_column { arguments.optional_integer() } else { None };
    (counted.dtype, counted.sum) = (arguments.dtype(), arguments.sum());
    let options = counted.options();
    let (counts, edges) = crate::histograms::histogram::count(op, &x, &columns, &options, density)?;
    keep_all(counts, edges)
}

/// The statistic of each bin, and the edges of each column.
#[cfg(feature = "histograms")]
pub(crate) fn binned_statistic(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (sample, values) = (arguments.tensor()?, arguments.optional_tensor()?);
    let statistic = Statistic::ALL.get(arguments.word() as usize).copied().unwrap_or(Statistic::Count);
    let (columns, mask) = (columns(arguments)?, arguments.optional_tensor()?);
    let (result, edges) = crate::histograms::binned_statistic::binned_statistic(
        &sample,
        values.as_ref(),
        statistic,
        &columns,
        mask.as_ref(),
    )?;
    keep_all(result, edges)
}

/// The bin of each sample, and the edges of each column. The block has how many bins there are.
#[cfg(feature = "histograms")]
pub(crate) fn bin_codes(_op: Op, arguments: &mut Arguments) -> Result<u32> {
    let (sample, columns) = (arguments.tensor()?, columns(arguments)?);
    let (codes, edges, size) = crate::histograms::bin_codes::bin_codes(&sample, &columns)?;
    set_word(UPDATES, size as u32);
    keep_all(codes, edges)
}
