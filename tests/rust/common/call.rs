//! One call of an operator, as data. The vectors, the random calls and the error tables are such calls.

use scatterwise::{DType, Gather, IndexPlan, Op, Reduce, Scalar, Scatter, Source, Tensor, scatter_mul};

use crate::common::backends::{Backend, Place, read};
use crate::common::data::Data;
use crate::common::oracle::{self, Places, Updates};
use crate::common::report::{Row, same};

/// The operator of a call. Those with `Nd` in their name take index tuples.
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

/// How many methods scatter along a dimension: `ScatterInPlace` and `Scatter` with every reduction, `ScatterAddInPlace` and
/// `ScatterAdd`.
const SCATTERS_ALONG: usize = 2 * Reduce::ALL.len() + 2;

impl Method {
    /// Those that work along a dimension, with every reduction. A gather is the last one.
    pub(crate) const ALONG: [Self; SCATTERS_ALONG + 1] = {
        // A constant can have no iterator. Every place but the last is overwritten.
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
    /// Those of `ALONG` that scatter. Only the suite of the strategies takes them, which no browser runs.
    #[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
    pub(crate) const SCATTERS: &'static [Self] = Self::ALONG.split_at(SCATTERS_ALONG).0;
    /// Those that take index tuples, or rows.
    pub(crate) const TUPLES: [Self; 4] =
        [Self::ScatterAddNdInPlace, Self::ScatterAddNd, Self::GatherNd, Self::ScatterMul];

    /// How it combines an update with the old value. A gather counts as `Replace`: both move bits as they are.
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

/// What a scatter applies to the places that its index names; a gather ignores it.
#[derive(Debug, Clone)]
pub(crate) enum Update {
    Operand(Operand),
    Scalar(Scalar),
}

/// A call: `table.method(dim, index, update)`.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub(crate) method: Method,
    /// self, before the call.
    pub(crate) table: Data,
    /// Ignored by a method that takes tuples or rows.
    pub(crate) dim: i64,
    pub(crate) index: Operand,
    pub(crate) update: Update,
}

/// A call that was made.
pub(crate) struct Made {
    /// self, after it.
    pub(crate) table: Tensor,
    /// What was returned, for a call in place self again; or the error of the call.
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
    /// A call whose index and src have data of their own, made valid by [`Self::without_zero_divisors`].
    pub(crate) fn new(method: Method, table: Data, dim: i64, index: Data, update: impl Into<Update>) -> Self {
        Self { method, table, dim, index: index.into(), update: update.into() }.without_zero_divisors()
    }

    /// Makes a call valid that would be refused for its divisors: bool has no division, and integers have none by zero. Zeros in
    /// a src of integers become 1. Where that does not help (bool, a scalar that is 0 in the dtype, a src that is self), the call takes
    /// the maximum instead of dividing. Every other call stays as it is.
    fn without_zero_divisors(mut self) -> Self {
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
            // Only scatter_ and scatter divide.
            _ => {
                self.method = match self.method {
                    Method::ScatterInPlace(_) => Method::ScatterInPlace(Reduce::Maximum),
                    _ => Method::Scatter(Reduce::Maximum),
                }
            }
        }
        self
    }

    /// Makes the call on `backend`, with index and src at `place`. An error that is returned is one of putting the operands
    /// there; that of the call itself is in [`Made::outcome`].
    pub(crate) fn make(&self, backend: &Backend, place: Place) -> scatterwise::Result<Made> {
        self.make_with(backend, place, Self::run_method)
    }

    /// Makes the call as [`Self::make`] does, with a prepared index. A first call on a copy of self has used the plan, so this
    /// call uses the order that the plan kept.
    pub(crate) fn make_planned(&self, backend: &Backend, place: Place) -> scatterwise::Result<Made> {
        self.make_with(backend, place, |call, table, index, source| {
            let plan = call.plan(index)?;
            call.run_method_planned(&mut table.clone(), &plan, source)?;
            call.run_method_planned(table, &plan, source)
        })
    }

    /// Puts the operands in their places and runs `call` with the table, the index and the source. `call` returns `None` where it works
    /// in place: then the table is the result.
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
        // But for zero divisors, which tests/rust/dtypes tries, only index values are checked: for src `Computed` is no other case.
        let src_place = if place == Place::Computed { Place::Uploaded } else { place };
        let src = match &self.update {
            Update::Operand(operand) => Some(put(operand, src_place)?),
            Update::Scalar(_) => None,
        };
        let source = match (src, &self.update) {
            (Some(src), _) => Source::Tensor(src),
            (None, Update::Scalar(value)) => Source::Scalar(*value),
            (None, Update::Operand(_)) => unreachable!("src was put somewhere above"),
        };
        let returned = call(self, &mut table, &index, &source);
        let outcome = returned.map(|tensor| tensor.unwrap_or_else(|| table.clone()));
        Ok(Made { table, outcome })
    }

    /// Runs the method on `table`. Returns the new tensor, or `None` where the method works in place, so that `table` is the result.
    fn run_method(
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

    /// The index prepared for tables with the shape of this one.
    pub(crate) fn plan(&self, index: &Tensor) -> scatterwise::Result<IndexPlan> {
        match self.places() {
            Places::Along(dim) => IndexPlan::along(&self.table.dims, dim, index),
            Places::Tuples => IndexPlan::nd(&self.table.dims, index),
            Places::Rows => {
                // An index of rows is one of tuples of one number.
                let dims = [index.shape().dims(), &[1]].concat();
                IndexPlan::nd(&self.table.dims, &index.reshape(&dims)?)
            }
        }
    }

    /// Runs the method on `table` with a prepared index. Returns the new tensor, or `None` where the method works in place.
    fn run_method_planned(
        &self,
        table: &mut Tensor,
        plan: &IndexPlan,
        source: &Source,
    ) -> scatterwise::Result<Option<Tensor>> {
        let (op, reduce, in_place) = match self.method {
            Method::ScatterInPlace(reduce) => (Op::ScatterInPlace, reduce, true),
            Method::Scatter(reduce) => (Op::Scatter, reduce, false),
            Method::ScatterAddInPlace | Method::ScatterAddNdInPlace => {
                (Op::ScatterAddInPlace, Reduce::Add, true)
            }
            Method::ScatterAdd | Method::ScatterAddNd => (Op::ScatterAdd, Reduce::Add, false),
            Method::ScatterMul => (Op::ScatterMul, Reduce::Multiply, true),
            Method::Gather | Method::GatherNd => return table.gather_at(plan).map(Some),
        };
        let call = Scatter::new(op, plan.into(), source.clone(), reduce);
        if in_place {
            return call.run(table).map(|()| None);
        }
        let mut out = table.clone();
        call.run(&mut out).map(|()| Some(out))
    }

    /// Which places the index names.
    pub(crate) fn places(&self) -> Places {
        match self.method {
            Method::ScatterAddNdInPlace | Method::ScatterAddNd | Method::GatherNd => Places::Tuples,
            Method::ScatterMul => Places::Rows,
            _ => Places::Along(self.dim),
        }
    }

    /// The values of the index, which may be those of self.
    pub(crate) fn index_data(&self) -> &Data {
        match &self.index {
            Operand::Data(data) => data,
            Operand::Table => &self.table,
        }
    }

    /// The result by the oracle: of a scatter self afterwards, of a gather the new tensor.
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

    /// Makes the call, reads its result and compares it with the oracle's.
    pub(crate) async fn run(&self, backend: &Backend, place: Place) -> Row {
        self.check(self.make(backend, place)?, &self.expected()).await
    }

    /// Reads the result of a call that was made and compares it with `expected`. Where the call is not in place, self must be as it
    /// was.
    pub(crate) async fn check(&self, made: Made, expected: &Data) -> Row {
        let got = read(&made.outcome?).await?;
        // Moves keep every bit; arithmetic may return any NaN.
        let moves = self.method.reduce() == Reduce::Replace;
        same("result", if moves { expected.difference_of_bits(&got) } else { expected.difference(&got) })?;
        if self.method.is_in_place() {
            return Ok(());
        }
        same("self afterwards", self.table.difference_of_bits(&read(&made.table).await?))
    }
}

/// Calls with a prepared index.
pub(crate) trait Planned: Sized {
    fn scatter_at_(
        &mut self,
        plan: &IndexPlan,
        src: impl Into<Source>,
        reduce: Reduce,
    ) -> scatterwise::Result<()>;
    fn scatter_at(
        &self,
        plan: &IndexPlan,
        src: impl Into<Source>,
        reduce: Reduce,
    ) -> scatterwise::Result<Self>;
    fn scatter_add_at_(&mut self, plan: &IndexPlan, src: impl Into<Source>) -> scatterwise::Result<()>;
    fn gather_at(&self, plan: &IndexPlan) -> scatterwise::Result<Self>;
}

impl Planned for Tensor {
    fn scatter_at_(
        &mut self,
        plan: &IndexPlan,
        src: impl Into<Source>,
        reduce: Reduce,
    ) -> scatterwise::Result<()> {
        Scatter::new(Op::ScatterInPlace, plan.into(), src.into(), reduce).run(self)
    }

    fn scatter_at(
        &self,
        plan: &IndexPlan,
        src: impl Into<Source>,
        reduce: Reduce,
    ) -> scatterwise::Result<Self> {
        let mut out = self.clone();
        Scatter::new(Op::Scatter, plan.into(), src.into(), reduce).run(&mut out).map(|()| out)
    }

    fn scatter_add_at_(&mut self, plan: &IndexPlan, src: impl Into<Source>) -> scatterwise::Result<()> {
        Scatter::new(Op::ScatterAddInPlace, plan.into(), src.into(), Reduce::Add).run(self)
    }

    fn gather_at(&self, plan: &IndexPlan) -> scatterwise::Result<Self> {
        Gather::new(Op::Gather, plan.into()).run(self)
    }
}

/// `scatter_mul` with a prepared index.
pub(crate) fn scatter_mul_at(
    table: &mut Tensor,
    plan: &IndexPlan,
    src: impl Into<Source>,
) -> scatterwise::Result<()> {
    Scatter::new(Op::ScatterMul, plan.into(), src.into(), Reduce::Multiply).run(table)
}
