//! The operators: their names, and the error classes that their reference pages demand.

use crate::ErrorClass;
use crate::plan::Binary;
use crate::words::words;

words! {
    /// A public operator. Errors take their operator's name from here, never from a string literal.
    Op,
    /// The page whose rules hold for the operator.
    pub page: Page;
    ScatterInPlace = "Tensor.scatter_" => Page::Scatter;
    Scatter = "Tensor.scatter" => Page::Scatter;
    ScatterAdd = "Tensor.scatter_add" => Page::ScatterAdd;
    ScatterAddInPlace = "Tensor.scatter_add_" => Page::ScatterAdd;
    ScatterMul = "scatter_mul" => Page::Rows;
    ExactSum = "ExactSum.add" => Page::ScatterAdd;
    ScatterReduce = "Tensor.scatter_reduce" => Page::ScatterReduce;
    ScatterReduceInPlace = "Tensor.scatter_reduce_" => Page::ScatterReduce;
    ScatterNd = "Tensor.scatter_nd" => Page::ScatterReduce;
    ScatterNdInPlace = "Tensor.scatter_nd_" => Page::ScatterReduce;
    ScatterUpdate = "scatter_update" => Page::Rows;
    ScatterAddRows = "scatter_add" => Page::Rows;
    ScatterSub = "scatter_sub" => Page::Rows;
    ScatterDiv = "scatter_div" => Page::Rows;
    ScatterMax = "scatter_max" => Page::Rows;
    ScatterMin = "scatter_min" => Page::Rows;
    IndexAdd = "Tensor.index_add" => Page::Slices;
    IndexAddInPlace = "Tensor.index_add_" => Page::Slices;
    IndexCopy = "Tensor.index_copy" => Page::Slices;
    IndexCopyInPlace = "Tensor.index_copy_" => Page::Slices;
    IndexFill = "Tensor.index_fill" => Page::Slices;
    IndexFillInPlace = "Tensor.index_fill_" => Page::Slices;
    IndexSelect = "Tensor.index_select" => Page::Slices;
    TakeAlongDim = "Tensor.take_along_dim" => Page::Gather;
    SegmentReduce = "segment_reduce" => Page::Segments;
    ScatterSoftmax = "scatter_softmax" => Page::Groups;
    ScatterLogsumexp = "scatter_logsumexp" => Page::Groups;
    Spmm = "spmm" => Page::Spmm;
    Gather = "Tensor.gather" => Page::Gather;
    GatherNd = "Tensor.gather_nd" => Page::Gather;
    ElementwiseMul = "elementwise_mul" => Page::ElementwiseMul;
    ElementwiseAdd = "elementwise_add" => Page::ElementwiseMul;
    ElementwiseSub = "elementwise_sub" => Page::ElementwiseMul;
    ElementwiseDiv = "elementwise_div" => Page::ElementwiseMul;
    ElementwiseMax = "elementwise_max" => Page::ElementwiseMul;
    ElementwiseMin = "elementwise_min" => Page::ElementwiseMul;
    Activate = "activate" => Page::ElementwiseMul;
    Mul = "Tensor.mul" => Page::Mul;
    MulInPlace = "Tensor.mul_" => Page::Mul;
    Add = "Tensor.add" => Page::Mul;
    AddInPlace = "Tensor.add_" => Page::Mul;
    Sub = "Tensor.sub" => Page::Mul;
    SubInPlace = "Tensor.sub_" => Page::Mul;
    Div = "Tensor.div" => Page::Mul;
    DivInPlace = "Tensor.div_" => Page::Mul;
    Maximum = "Tensor.maximum" => Page::Mul;
    MaximumInPlace = "Tensor.maximum_" => Page::Mul;
    Minimum = "Tensor.minimum" => Page::Mul;
    MinimumInPlace = "Tensor.minimum_" => Page::Mul;
    PlanAlong = "IndexPlan.along" => Page::Plan;
    PlanNd = "IndexPlan.nd" => Page::Plan;
    PlanSelect = "IndexPlan.select" => Page::Plan;
    Vjp = "vjp" => Page::ScatterReduce;
    Bincount = "bincount" => Page::Histogram;
    Histogram = "histogram" => Page::Histogram;
    Histogramdd = "histogramdd" => Page::Histogram;
    BinnedStatistic = "binned_statistic" => Page::Histogram;
    BinCodes = "bin_codes" => Page::Histogram;
    Argsort = "Tensor.argsort" => Page::Sort;
    Sort = "Tensor.sort" => Page::Sort;
    Unique = "unique" => Page::Unique;
    UniqueSync = "unique_sync" => Page::Unique;
    Searchsorted = "searchsorted" => Page::Search;
    Sum = "Tensor.sum" => Page::Dims;
    Prod = "Tensor.prod" => Page::Dims;
    Mean = "Tensor.mean" => Page::Dims;
    Amax = "Tensor.amax" => Page::Dims;
    Amin = "Tensor.amin" => Page::Dims;
    Argmax = "Tensor.argmax" => Page::Dims;
    Argmin = "Tensor.argmin" => Page::Dims;
    Lt = "Tensor.lt" => Page::Masks;
    Le = "Tensor.le" => Page::Masks;
    Gt = "Tensor.gt" => Page::Masks;
    Ge = "Tensor.ge" => Page::Masks;
    Eq = "Tensor.eq" => Page::Masks;
    Ne = "Tensor.ne" => Page::Masks;
    IsNan = "Tensor.isnan" => Page::Masks;
    LogicalAnd = "Tensor.logical_and" => Page::Masks;
    LogicalOr = "Tensor.logical_or" => Page::Masks;
    LogicalNot = "Tensor.logical_not" => Page::Masks;
    Where = "where" => Page::Where;
    Flatnonzero = "flatnonzero" => Page::Where;
    FlatnonzeroSync = "flatnonzero_sync" => Page::Where;
    Compress = "compress" => Page::Compress;
    CompressSync = "compress_sync" => Page::Compress;
    GroupBy = "group_by" => Page::GroupBy;
    GroupReduce = "Groups.reduce" => Page::GroupBy;
    GroupAgg = "Groups.agg" => Page::GroupBy;
    GroupQuantile = "Groups.quantile" => Page::GroupBy;
}

/// A rule that a call can violate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// `dim` is in −r … r − 1.
    Dim,
    /// The ranks agree and are supported.
    Rank,
    /// The sizes agree.
    Size,
    /// The dtype of the source is self's, or becomes it.
    SrcDtype,
    /// The dtype of the index is int32 or int64.
    IndexDtype,
}

/// Operators whose pages demand the same rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    Scatter,
    /// An axis, or index tuples.
    ScatterAdd,
    /// `scatter_reduce` and `scatter_nd`.
    ScatterReduce,
    /// MindSpore's functions on the rows of a Parameter.
    Rows,
    /// Slices named by an index of one dimension.
    Slices,
    Gather,
    ElementwiseMul,
    Mul,
    /// A prepared index.
    Plan,
    Segments,
    /// `scatter_softmax` and `scatter_logsumexp`.
    Groups,
    Histogram,
    Dims,
    Spmm,
    Sort,
    Unique,
    Search,
    /// Comparisons, and operations on truth values.
    Masks,
    /// A choice by a mask, and the positions of what is not 0.
    Where,
    /// The slices that a mask selects.
    Compress,
    /// `group_by` and the statistics of its groups.
    GroupBy,
}

impl Op {
    /// The class of the error for a broken rule, as on the operator's reference page.
    pub const fn error_class(self, rule: Rule) -> ErrorClass {
        match (self.page(), rule) {
            (_, Rule::IndexDtype) => ErrorClass::Type,
            (Page::Scatter, _) => ErrorClass::Runtime,
            (Page::Rows, Rule::SrcDtype) => ErrorClass::Runtime,
            (_, Rule::SrcDtype) => ErrorClass::Type,
            (_, Rule::Dim | Rule::Rank | Rule::Size) => ErrorClass::Value,
        }
    }

    /// The names of two operands on the page of the operator: of [`Op::table_name`], and of the other operand of an operation on two tensors,
    /// the source, the index of a gather, the lengths of segments, or the weights. `Arguments::names` has the name of a source for index
    /// tuples.
    pub const fn operand_names(self) -> [&'static str; 2] {
        let second = match self.page() {
            Page::ElementwiseMul | Page::Where => "y",
            Page::Mul | Page::Masks => "other",
            Page::Scatter | Page::ScatterAdd | Page::ScatterReduce | Page::Slices => "src",
            Page::Rows => "updates",
            Page::Gather | Page::Plan | Page::Groups | Page::Unique => "index",
            Page::Segments => "lengths",
            Page::Histogram if matches!(self, Self::BinnedStatistic) => "values",
            Page::Histogram => "weights",
            Page::Spmm => "values",
            Page::Dims | Page::Sort => "dim",
            Page::Search | Page::Compress => "x",
            Page::GroupBy => "values",
        };
        [self.table_name(), second]
    }

    /// Whether it reads by an index, of any integer dtype.
    pub(crate) const fn reads_any_index(self) -> bool {
        matches!(self, Self::Gather | Self::GatherNd | Self::IndexSelect | Self::TakeAlongDim)
    }

    /// The operation of an operator on two tensors, without the rounding that a call of `div` may ask for. The products inside other
    /// operators are their own.
    pub const fn binary(self) -> Binary {
        match self {
            Self::ElementwiseAdd | Self::Add | Self::AddInPlace | Self::LogicalOr => Binary::Add,
            Self::ElementwiseSub | Self::Sub | Self::SubInPlace => Binary::Subtract,
            Self::ElementwiseDiv | Self::Div | Self::DivInPlace => Binary::Divide(None),
            Self::ElementwiseMax | Self::Maximum | Self::MaximumInPlace => Binary::Maximum,
            Self::ElementwiseMin | Self::Minimum | Self::MinimumInPlace => Binary::Minimum,
            _ => Binary::Multiply,
        }
    }

    /// Whether an operator on two tensors writes its result into the first one.
    pub(crate) fn overwrites_first(self) -> bool {
        self.page() == Page::Mul && self.name().ends_with('_')
    }

    /// Whether a call writes at places that an index names: its errors say that nothing was written. Any other call only reads there.
    pub(crate) const fn writes_by_index(self) -> bool {
        match self.page() {
            Page::Scatter | Page::ScatterAdd | Page::Rows => true,
            Page::ScatterReduce => !matches!(self, Self::Vjp),
            Page::Slices => !matches!(self, Self::IndexSelect),
            Page::Gather | Page::Plan | Page::Segments | Page::Groups | Page::Histogram | Page::Spmm => false,
            Page::ElementwiseMul | Page::Mul | Page::Dims => false,
            Page::Sort | Page::Unique | Page::Search => false,
            Page::Masks | Page::Where | Page::Compress | Page::GroupBy => false,
        }
    }

    /// Whether a negative index value counts from the end. A group has a number of its own.
    pub(crate) const fn counts_from_end(self) -> bool {
        !matches!(self.page(), Page::Groups | Page::GroupBy)
    }

    /// The name of the addressed tensor on the page of the operator. Histograms and counts address their result; for these it is
    /// the name of the counted tensor.
    pub const fn table_name(self) -> &'static str {
        match self.page() {
            Page::Rows if matches!(self, Self::ScatterMul) => "input_x",
            Page::Rows | Page::ElementwiseMul | Page::Unique | Page::Where => "x",
            Page::Search => "edges",
            Page::Plan => "shape",
            Page::Scatter | Page::ScatterAdd | Page::ScatterReduce | Page::Slices => "self",
            Page::Gather | Page::Mul | Page::Dims | Page::Sort | Page::Masks => "self",
            Page::Segments => "data",
            Page::Groups => "src",
            Page::Spmm => "dense",
            Page::GroupBy => "codes",
            Page::Compress => "mask",
            Page::Histogram if matches!(self, Self::Histogramdd | Self::BinnedStatistic | Self::BinCodes) => {
                "sample"
            }
            Page::Histogram => "x",
        }
    }

    /// The name of a scalar source on the page of the operator. `tensor_name` is the page's name of a tensor source.
    pub(crate) const fn scalar_name(self, tensor_name: &'static str) -> &'static str {
        let is_fill = matches!(self, Self::IndexFill | Self::IndexFillInPlace);
        if is_fill || matches!(self.page(), Page::Scatter) { "value" } else { tensor_name }
    }

    /// Whether index may be longer than self along `dim`. The page of `scatter_` forbids it.
    pub const fn index_may_exceed_dim(self) -> bool {
        !matches!(self.page(), Page::Scatter)
    }

    /// Whether indices name rows of the first dimension instead of tuples. Such an operator also converts updates of another dtype,
    /// if an implicit conversion exists.
    pub const fn works_on_rows(self) -> bool {
        matches!(self.page(), Page::Rows)
    }

    /// Whether the addressed tensor may be a scalar.
    pub(crate) const fn takes_a_scalar(self) -> bool {
        matches!(self.page(), Page::Slices)
            || matches!(self, Self::ScatterNd | Self::ScatterNdInPlace | Self::ExactSum | Self::Vjp)
            || matches!(self, Self::PlanNd | Self::PlanSelect)
    }

    /// Whether the operator takes a shape instead of a tensor.
    pub(crate) const fn takes_a_shape(self) -> bool {
        matches!(self.page(), Page::Plan)
    }

    /// The least rank of an index of tuples. An index of rank 1 is a single tuple, which some pages forbid.
    pub(crate) const fn least_tuples_rank(self) -> usize {
        if matches!(self.page(), Page::ScatterAdd) { 2 } else { 1 }
    }

    /// Whether a fraction in a source is cut where the table has integers, also if it is a term or a factor. Elsewhere only a
    /// replacement is cut.
    pub(crate) const fn cuts_terms(self) -> bool {
        matches!(self.page(), Page::Scatter)
    }

    /// Whether an empty index ends the call as a no-op before the checks of ranks and sizes.
    pub const fn empty_index_ends_checks(self) -> bool {
        matches!(self.page(), Page::Scatter)
    }
}
