//! One call of an operator, as data: what the vectors, the random calls and the error tables all are.

use scatterwise::{DType, IndexPlan, Reduce, Scalar, Source, Tensor, scatter_mul, scatter_mul_at};

use crate::common::backends::{Backend, Place, read};
use crate::common::data::Data;
use crate::common::oracle::{self, Places, Updates};
use crate::common::report::{Row, same};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    ScatterInPlace(Reduce),
    Scatter(Reduce),
    ScatterAddInPlace,
    ScatterAdd,
    Gather,
    ScatterAddNdInPlace,
    ScatterAddNd,
    GatherNd,
    ScatterMul,
}

/// `ScatterInPlace` and `Scatter` with every reduction, `ScatterAddInPlace` and `ScatterAdd`.
const SCATTERS_ALONG: usize = 2 * Reduce::ALL.len() + 2;

impl Method {
    /// Those that work along a dimension, with every reduction.
    pub(crate) const ALONG: [Self; SCATTERS_ALONG + 1] = {
        let mut all = [Self::Gather; SCATTERS_ALONG + 1];
        let mut at = 0;
        while at < Reduce::ALL.len() {
            all[at] = Self::ScatterInPlace(Reduce::ALL[at]);
            all[Reduce::ALL.len() + at] = Self::Scatter(Reduce::ALL[at]);
            at += 1;
        }
        all[SCATTERS_ALONG - 2] = Self::ScatterAddInPlace;
        all[SCATTERS_ALONG - 1] = Self::ScatterAdd;
        all
    };
    /// Those of them that scatter. A browser runs no test by strategy.
    #[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
    pub(crate) const SCATTERS: &'static [Self] = Self::ALONG.split_at(SCATTERS_ALONG).0;
    /// Those that take index tuples, or rows.
    pub(crate) const TUPLES: [Self; 4] =
        [Self::ScatterAddNdInPlace, Self::ScatterAddNd, Self::GatherNd, Self::ScatterMul];

    /// What it does with an update. A gather counts as `Replace`: both move bits as they are.
    pub(crate) fn reduce(self) -> Reduce {
        match self {
            Self::ScatterInPlace(reduce) | Self::Scatter(reduce) => reduce,
            Self::ScatterAddInPlace | Self::ScatterAdd => Reduce::Add,
            Self::ScatterAddNdInPlace | Self::ScatterAddNd => Reduce::Add,
            Self::ScatterMul => Reduce::Multiply,
            Self::Gather | Self::GatherNd => Reduce::Replace,
        }
    }

    pub(crate) fn is_gather(self) -> bool {
        matches!(self, Self::Gather | Self::GatherNd)
    }

    pub(crate) fn is_in_place(self) -> bool {
        match self {
            Self::ScatterInPlace(_) | Self::ScatterAddInPlace => true,
            Self::ScatterAddNdInPlace | Self::ScatterMul => true,
            Self::Scatter(_) | Self::ScatterAdd | Self::ScatterAddNd | Self::Gather | Self::GatherNd => false,
        }
    }

    /// Whether there may be more index entries along dim than places.
    pub(crate) fn takes_a_longer_index(self) -> bool {
        matches!(self, Self::ScatterAddInPlace | Self::ScatterAdd | Self::Gather)
    }

    /// How the operator's page spells it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ScatterInPlace(_) => "Tensor.scatter_",
            Self::Scatter(_) => "Tensor.scatter",
            Self::ScatterAddInPlace | Self::ScatterAddNdInPlace => "Tensor.scatter_add_",
            Self::ScatterAdd | Self::ScatterAddNd => "Tensor.scatter_add",
            Self::Gather => "Tensor.gather",
            Self::GatherNd => "Tensor.gather_nd",
            Self::ScatterMul => "scatter_mul",
        }
    }
}

/// The index or src of a call.
#[derive(Debug, Clone)]
pub(crate) enum Operand {
    /// Data of its own.
    Data(Data),
    /// self, with its data shared.
    Table,
}

/// What a scatter applies; a gather has no use for it.
#[derive(Debug, Clone)]
pub(crate) enum Update {
    Operand(Operand),
    Scalar(Scalar),
}

#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    pub(crate) table: Data,
    /// Means nothing to a method that takes tuples.
    pub(crate) dim: i64,
    pub(crate) index: Operand,
    pub(crate) update: Update,
}

/// A call that was made.
pub(crate) struct Made {
    /// self, after it.
    pub(crate) table: Tensor,
    /// What was returned: for a call in place self again.
    pub(crate) outcome: scatterwise::Result<Tensor>,
}

impl From<Data> for Operand {
    fn from(data: Data) -> Self {
        Self::Data(data)
    }
}

impl From<Data> for Update {
    fn from(data: Data) -> Self {
        Self::Operand(data.into())
    }
}

impl From<Scalar> for Update {
    fn from(value: Scalar) -> Self {
        Self::Scalar(value)
    }
}

impl Call {
    pub(crate) fn new(method: Method, table: Data, dim: i64, index: Data, update: impl Into<Update>) -> Self {
        Self { method, table, dim, index: index.into(), update: update.into() }.without_zero_divisors()
    }

    /// The same call where it would be refused for its divisors: bool has no division, and integers none by zero.
    pub(crate) fn without_zero_divisors(mut self) -> Self {
        let dtype = self.table.dtype;
        if self.method.reduce() != Reduce::Divide || dtype.is_float() {
            return self;
        }
        match &mut self.update {
            Update::Operand(Operand::Data(data)) if dtype != DType::Bool => {
                for at in 0..data.len() {
                    if data.bits(at) == 0 {
                        data.set_bits(at, 1);
                    }
                }
            }
            Update::Scalar(value) if dtype != DType::Bool && value.cast(dtype) != 0 => {}
            _ => {
                self.method = match self.method {
                    Method::ScatterInPlace(_) => Method::ScatterInPlace(Reduce::Maximum),
                    _ => Method::Scatter(Reduce::Maximum),
                }
            }
        }
        self
    }

    /// Makes the call, with its operands at `place`. Errors of the call itself are in the result.
    pub(crate) fn make(&self, backend: &Backend, place: Place) -> scatterwise::Result<Made> {
        self.make_with(backend, place, Self::returned)
    }

    /// The same call with a prepared index, which has been used before: what was kept then is used now.
    pub(crate) fn make_planned(&self, backend: &Backend, place: Place) -> scatterwise::Result<Made> {
        self.make_with(backend, place, |call, table, index, source| {
            let plan = call.plan(index)?;
            call.returned_planned(&mut table.clone(), &plan, source)?;
            call.returned_planned(table, &plan, source)
        })
    }

    fn make_with(
        &self,
        backend: &Backend,
        place: Place,
        call: impl Fn(&Self, &mut Tensor, &Tensor, &Source) -> scatterwise::Result<Option<Tensor>>,
    ) -> scatterwise::Result<Made> {
        let mut table = backend.put(&self.table)?;
        let put = |operand: &Operand, place| match operand {
            Operand::Data(data) => backend.put_at(place, data),
            Operand::Table => Ok(table.clone()),
        };
        let index = put(&self.index, place)?;
        // Where src was computed makes no difference.
        let src_place = if place == Place::Computed { Place::Uploaded } else { place };
        let src = match &self.update {
            Update::Operand(operand) => Some(put(operand, src_place)?),
            Update::Scalar(_) => None,
        };
        let source = match (src, &self.update) {
            (Some(src), _) => Source::Tensor(src),
            (None, Update::Scalar(value)) => Source::Scalar(*value),
            (None, Update::Operand(_)) => unreachable!("operands were put somewhere above"),
        };
        let returned = call(self, &mut table, &index, &source);
        let outcome = returned.map(|tensor| tensor.unwrap_or_else(|| table.clone()));
        Ok(Made { table, outcome })
    }

    /// Runs the method; a call in place returns nothing.
    fn returned(
        &self,
        table: &mut Tensor,
        index: &Tensor,
        source: &Source,
    ) -> scatterwise::Result<Option<Tensor>> {
        let (dim, source) = (self.dim, source.clone());
        match self.method {
            Method::ScatterInPlace(reduce) => table.scatter_(dim, index, source, reduce).map(|()| None),
            Method::ScatterAddInPlace => table.scatter_add_(dim, index, source).map(|()| None),
            Method::Scatter(reduce) => table.scatter(dim, index, source, reduce).map(Some),
            Method::ScatterAdd => table.scatter_add(dim, index, source).map(Some),
            Method::Gather => table.gather(dim, index).map(Some),
            Method::ScatterAddNdInPlace => table.scatter_add_nd_(index, source).map(|()| None),
            Method::ScatterAddNd => table.scatter_add_nd(index, source).map(Some),
            Method::GatherNd => table.gather_nd(index).map(Some),
            Method::ScatterMul => scatter_mul(table, index, source).map(|()| None),
        }
    }

    /// The index prepared for tables like this one.
    pub(crate) fn plan(&self, index: &Tensor) -> scatterwise::Result<IndexPlan> {
        match self.places() {
            Places::Along(dim) => IndexPlan::along(&self.table.dims, dim, index),
            Places::Tuples => IndexPlan::nd(&self.table.dims, index),
            Places::Rows => {
                let dims = [index.shape().dims(), &[1]].concat();
                IndexPlan::nd(&self.table.dims, &index.reshape(&dims)?)
            }
        }
    }

    /// Runs the method with a prepared index.
    pub(crate) fn returned_planned(
        &self,
        table: &mut Tensor,
        plan: &IndexPlan,
        source: &Source,
    ) -> scatterwise::Result<Option<Tensor>> {
        let source = source.clone();
        match self.method {
            Method::ScatterInPlace(reduce) => table.scatter_at_(plan, source, reduce).map(|()| None),
            Method::Scatter(reduce) => table.scatter_at(plan, source, reduce).map(Some),
            Method::ScatterAddInPlace | Method::ScatterAddNdInPlace => {
                table.scatter_add_at_(plan, source).map(|()| None)
            }
            Method::ScatterAdd | Method::ScatterAddNd => table.scatter_add_at(plan, source).map(Some),
            Method::Gather | Method::GatherNd => table.gather_at(plan).map(Some),
            Method::ScatterMul => scatter_mul_at(table, plan, source).map(|()| None),
        }
    }

    /// Which places the index names.
    pub(crate) fn places(&self) -> Places {
        match self.method {
            Method::ScatterAddNdInPlace | Method::ScatterAddNd | Method::GatherNd => Places::Tuples,
            Method::ScatterMul => Places::Rows,
            _ => Places::Along(self.dim),
        }
    }

    /// The index, wherever it comes from.
    pub(crate) fn index_data(&self) -> &Data {
        match &self.index {
            Operand::Data(data) => data,
            Operand::Table => &self.table,
        }
    }

    /// What the specification says of it.
    pub(crate) fn expected(&self) -> Data {
        let own = |operand: &Operand| match operand {
            Operand::Data(data) => data.clone(),
            Operand::Table => self.table.clone(),
        };
        let (index, places) = (self.index_data().clone(), self.places());
        if self.method.is_gather() {
            return oracle::gather(&self.table, places, &index);
        }
        let updates = match &self.update {
            Update::Operand(operand) => Updates::Tensor(own(operand)),
            Update::Scalar(value) => Updates::Scalar(*value),
        };
        oracle::scatter(&self.table, places, &index, &updates, self.method.reduce())
    }

    /// Makes the call and checks it against the specification.
    pub(crate) async fn run(&self, backend: &Backend, place: Place) -> Row {
        self.check(self.make(backend, place)?, &self.expected()).await
    }

    /// Reads what a call left and compares it with what it should have.
    pub(crate) async fn check(&self, made: Made, expected: &Data) -> Row {
        let got = read(&made.outcome?).await?;
        let moves = self.method.reduce() == Reduce::Replace;
        same("result", if moves { expected.difference_of_bits(&got) } else { expected.difference(&got) })?;
        if self.method.is_in_place() {
            return Ok(());
        }
        same("self afterwards", self.table.difference_of_bits(&read(&made.table).await?))
    }
}
