//! Calls of `bincount`, `histogram`, `histogramdd` and `binned_statistic`. A column is one dimension of the samples: `histogramdd` and
//! `binned_statistic` take rows of x by all of their columns, the others have one.

mod definition;
pub(crate) mod vectors;

use scatterwise::{
    Bins, CountOptions, DType, Length, Statistic, Sum, Tensor, Weights, bincount, binned_statistic,
    histogram, histogramdd,
};

use crate::common::backends::{Backend, Place};
use crate::common::data::Data;

/// How a column is divided into bins.
#[derive(Debug, Clone)]
pub(crate) enum Division {
    /// That many bins of equal width.
    Count(i64),
    /// Bins between these ascending edges.
    Edges(Data),
}

/// The function that is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    Bincount(Length),
    /// Whether it makes a density of the counts.
    Histogram(bool),
    Histogramdd,
    /// The values are the weights.
    Binned(Statistic),
}

impl Kind {
    /// Whether samples are rows of x.
    fn has_rows(self) -> bool {
        matches!(self, Self::Histogramdd | Self::Binned(_))
    }
}

/// A call of one of the four.
#[derive(Debug, Clone)]
pub(crate) struct Counting {
    pub(crate) kind: Kind,
    /// The samples: rows and columns for `histogramdd`, else a list.
    pub(crate) x: Data,
    /// One for each column; `bincount` ignores them.
    pub(crate) bins: Vec<Division>,
    /// One for each of `bins`: the first and the last edge; `None` where these follow from the values.
    pub(crate) ranges: Vec<Option<[f64; 2]>>,
    /// One for each sample; without them each counts 1.
    pub(crate) weights: Option<Data>,
    /// What the sums of weights are.
    pub(crate) sum: Sum,
    /// Which samples count; all without it.
    pub(crate) mask: Option<Data>,
    /// The dimension along which samples are counted.
    pub(crate) dim: Option<i64>,
    /// The dtype of the result, if it is given.
    pub(crate) dtype: Option<DType>,
}

impl Counting {
    /// A call without ranges and weights.
    pub(crate) fn new(kind: Kind, x: Data, bins: Vec<Division>) -> Self {
        let ranges = vec![None; bins.len()];
        Self { kind, x, ranges, bins, weights: None, sum: Sum::Ordered, mask: None, dim: None, dtype: None }
    }

    /// Makes the call, with its operands at `place`. Returns the counts and behind them the edges of each column, which
    /// `bincount` does not have.
    pub(crate) fn run(&self, backend: &Backend, place: Place) -> scatterwise::Result<Vec<Tensor>> {
        let x = match backend {
            Backend::Cpu => self.x.tensor(),
            // The call runs on the device of x, so that x is uploaded for `Host` too; weights stay where `place` says.
            #[cfg(feature = "webgpu")]
            _ if place == Place::Host => backend.put(&self.x)?,
            #[cfg(feature = "webgpu")]
            _ => backend.put_at(place, &self.x)?,
        };
        let weights = self.weights.as_ref().map(|weights| backend.put_at(place, weights)).transpose()?;
        let mask = self.mask.as_ref().map(|mask| backend.put_at(place, mask)).transpose()?;
        let (values, mask) = (weights.as_ref(), mask.as_ref());
        let weights = values.map(|values| Weights { values, sum: self.sum });
        let options = CountOptions { weights, mask, dim: self.dim, dtype: self.dtype };
        let mut columns = Vec::new();
        for (bins, range) in self.bins.iter().zip(&self.ranges) {
            columns.push((bins.bins(backend, place)?, *range));
        }
        let (hist, edges) = match self.kind {
            Kind::Bincount(length) => (bincount(&x, options, length)?, Vec::new()),
            Kind::Histogram(density) => {
                let (hist, edges) = histogram(&x, &columns[0].0, columns[0].1, options, density)?;
                (hist, vec![edges])
            }
            Kind::Histogramdd => histogramdd(&x, &columns, options)?,
            Kind::Binned(statistic) => binned_statistic(&x, values, statistic, &columns, mask)?,
        };
        Ok([vec![hist], edges].concat())
    }
}

impl Division {
    /// The bins of a call, with edges at `place`.
    pub(crate) fn bins(&self, backend: &Backend, place: Place) -> scatterwise::Result<Bins> {
        Ok(match self {
            Self::Count(count) => Bins::Count(*count),
            Self::Edges(edges) => Bins::Edges(backend.put_at(place, edges)?),
        })
    }
}
