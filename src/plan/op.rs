//! The operators: their names, and the error classes that their reference pages demand.

use crate::error::ErrorClass;
use crate::plan::binary::Binary;

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $page:ident;)*) => {
        /// A public operator. Errors take their operator's name from here, never from a string literal.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operator.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The operator as its page spells it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The page whose rules hold for the operator.
            pub const fn page(self) -> Page {
                match self { $(Self::$name => Page::$page,)* }
            }
        }
    };
}

ops! {
    /// `Tensor.scatter_`: in place.
    ScatterInPlace = "Tensor.scatter_", Scatter;
    /// `Tensor.scatter`: its copying twin.
    Scatter = "Tensor.scatter", Scatter;
    /// `Tensor.scatter_add`, both overloads: a new tensor.
    ScatterAdd = "Tensor.scatter_add", ScatterAdd;
    /// `Tensor.scatter_add_`: its in-place twin.
    ScatterAddInPlace = "Tensor.scatter_add_", ScatterAdd;
    /// `scatter_mul`: in place.
    ScatterMul = "scatter_mul", Rows;
    /// `ExactSum.add`: into exact sums.
    ExactSum = "ExactSum.add", ScatterAdd;
    /// `Tensor.scatter_reduce`: a new tensor.
    ScatterReduce = "Tensor.scatter_reduce", ScatterReduce;
    /// `Tensor.scatter_reduce_`: its in-place twin.
    ScatterReduceInPlace = "Tensor.scatter_reduce_", ScatterReduce;
    /// `Tensor.scatter_nd`: a new tensor.
    ScatterNd = "Tensor.scatter_nd", ScatterReduce;
    /// `Tensor.scatter_nd_`: its in-place twin.
    ScatterNdInPlace = "Tensor.scatter_nd_", ScatterReduce;
    /// `scatter_update`: in place, as its siblings below.
    ScatterUpdate = "scatter_update", Rows;
    /// `scatter_add`, the function.
    ScatterAddRows = "scatter_add", Rows;
    /// `scatter_sub`.
    ScatterSub = "scatter_sub", Rows;
    /// `scatter_div`.
    ScatterDiv = "scatter_div", Rows;
    /// `scatter_max`.
    ScatterMax = "scatter_max", Rows;
    /// `scatter_min`.
    ScatterMin = "scatter_min", Rows;
    /// `Tensor.index_add`: a new tensor.
    IndexAdd = "Tensor.index_add", Slices;
    /// `Tensor.index_add_`: its in-place twin.
    IndexAddInPlace = "Tensor.index_add_", Slices;
    /// `Tensor.index_copy`: a new tensor.
    IndexCopy = "Tensor.index_copy", Slices;
    /// `Tensor.index_copy_`: its in-place twin.
    IndexCopyInPlace = "Tensor.index_copy_", Slices;
    /// `Tensor.index_fill`: a new tensor.
    IndexFill = "Tensor.index_fill", Slices;
    /// `Tensor.index_fill_`: its in-place twin.
    IndexFillInPlace = "Tensor.index_fill_", Slices;
    /// `Tensor.index_select`.
    IndexSelect = "Tensor.index_select", Slices;
    /// `Tensor.take_along_dim`.
    TakeAlongDim = "Tensor.take_along_dim", Gather;
    /// `segment_reduce`.
    SegmentReduce = "segment_reduce", Segments;
    /// `scatter_softmax`.
    ScatterSoftmax = "scatter_softmax", Groups;
    /// `scatter_logsumexp`.
    ScatterLogsumexp = "scatter_logsumexp", Groups;
    /// `spmm`: a sparse matrix times a dense one.
    Spmm = "spmm", Spmm;
    /// `Tensor.gather`.
    Gather = "Tensor.gather", Gather;
    /// `Tensor.gather_nd`.
    GatherNd = "Tensor.gather_nd", Gather;
    /// `elementwise_mul`: Paddle's alignment, then an activation.
    ElementwiseMul = "elementwise_mul", ElementwiseMul;
    /// `elementwise_add`: the same with sums.
    ElementwiseAdd = "elementwise_add", ElementwiseMul;
    /// `elementwise_sub`: with differences.
    ElementwiseSub = "elementwise_sub", ElementwiseMul;
    /// `elementwise_div`: with quotients; integers are truncated.
    ElementwiseDiv = "elementwise_div", ElementwiseMul;
    /// `elementwise_max`: with maxima.
    ElementwiseMax = "elementwise_max", ElementwiseMul;
    /// `elementwise_min`: with minima.
    ElementwiseMin = "elementwise_min", ElementwiseMul;
    /// `activate`: an activation alone.
    Activate = "activate", ElementwiseMul;
    /// `Tensor.mul`: NumPy's alignment.
    Mul = "Tensor.mul", Mul;
    /// `Tensor.mul_`: its in-place twin.
    MulInPlace = "Tensor.mul_", Mul;
    /// `Tensor.add`.
    Add = "Tensor.add", Mul;
    /// `Tensor.add_`: its in-place twin.
    AddInPlace = "Tensor.add_", Mul;
    /// `Tensor.sub`.
    Sub = "Tensor.sub", Mul;
    /// `Tensor.sub_`: its in-place twin.
    SubInPlace = "Tensor.sub_", Mul;
    /// `Tensor.div`.
    Div = "Tensor.div", Mul;
    /// `Tensor.div_`: its in-place twin.
    DivInPlace = "Tensor.div_", Mul;
    /// `Tensor.maximum`.
    Maximum = "Tensor.maximum", Mul;
    /// `Tensor.maximum_`: its in-place twin.
    MaximumInPlace = "Tensor.maximum_", Mul;
    /// `Tensor.minimum`.
    Minimum = "Tensor.minimum", Mul;
    /// `Tensor.minimum_`: its in-place twin.
    MinimumInPlace = "Tensor.minimum_", Mul;
    /// `IndexPlan.along`: an index along a dimension, prepared for many calls.
    PlanAlong = "IndexPlan.along", Plan;
    /// `IndexPlan.nd`: index tuples, prepared for many calls.
    PlanNd = "IndexPlan.nd", Plan;
    /// `IndexPlan.select`: an index of one dimension that names whole slices, prepared for many calls.
    PlanSelect = "IndexPlan.select", Plan;
    /// `vjp`: the calls that gradients are made of.
    Vjp = "vjp", ScatterReduce;
    /// `bincount`: how often each integer occurs.
    Bincount = "bincount", Histogram;
    /// `histogram`: how many values fall in each bin.
    Histogram = "histogram", Histogram;
    /// `histogramdd`: the same in several dimensions.
    Histogramdd = "histogramdd", Histogram;
    /// `binned_statistic`: a statistic of the values in each bin.
    BinnedStatistic = "binned_statistic", Histogram;
    /// `Tensor.argsort`: the order of elements along a dimension.
    Argsort = "Tensor.argsort", Sort;
    /// `Tensor.sort`: the elements in that order.
    Sort = "Tensor.sort", Sort;
    /// `unique`: the distinct elements.
    Unique = "unique", Unique;
    /// `searchsorted`: where elements belong among sorted edges.
    Searchsorted = "searchsorted", Search;
    /// `Tensor.sum`: along dimensions, as its siblings below.
    Sum = "Tensor.sum", Dims;
    /// `Tensor.mean`.
    Mean = "Tensor.mean", Dims;
    /// `Tensor.amax`.
    Amax = "Tensor.amax", Dims;
    /// `Tensor.amin`.
    Amin = "Tensor.amin", Dims;
    /// `Tensor.argmax`.
    Argmax = "Tensor.argmax", Dims;
    /// `Tensor.argmin`.
    Argmin = "Tensor.argmin", Dims;
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
    /// `scatter_`.
    Scatter,
    /// `scatter_add`: an axis, or index tuples.
    ScatterAdd,
    /// `scatter_reduce` and `scatter_nd`.
    ScatterReduce,
    /// MindSpore's functions on the rows of a Parameter.
    Rows,
    /// Slices named by an index of one dimension.
    Slices,
    /// `gather` and its siblings.
    Gather,
    /// `elementwise_mul` and its siblings.
    ElementwiseMul,
    /// `mul` and its siblings.
    Mul,
    /// A prepared index.
    Plan,
    /// `segment_reduce`.
    Segments,
    /// `scatter_softmax` and `scatter_logsumexp`.
    Groups,
    /// `bincount`, `histogram`, `histogramdd`, `binned_statistic`.
    Histogram,
    /// Reductions along dimensions.
    Dims,
    /// `spmm`.
    Spmm,
    /// `argsort` and `sort`.
    Sort,
    /// `unique`.
    Unique,
    /// `searchsorted`.
    Search,
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

    /// The names of two operands on the page of the operator. For an operation on two tensors these are its operands. Otherwise the first is the
    /// tensor that is written to, read or counted; the second is the source, the index of a gather, the lengths of segments, or the
    /// weights. `Arguments::names` has the name of a source for index tuples.
    pub const fn operand_names(self) -> [&'static str; 2] {
        match self.page() {
            Page::ElementwiseMul => ["x", "y"],
            Page::Mul => ["self", "other"],
            Page::Scatter | Page::ScatterAdd | Page::ScatterReduce | Page::Slices => ["self", "src"],
            Page::Rows => [self.table_name(), "updates"],
            Page::Gather | Page::Plan => ["self", "index"],
            Page::Segments => ["data", "lengths"],
            Page::Groups => ["src", "index"],
            Page::Histogram if matches!(self, Self::BinnedStatistic) => ["sample", "values"],
            Page::Histogram => [self.table_name(), "weights"],
            Page::Spmm => ["dense", "values"],
            Page::Dims | Page::Sort => ["self", "dim"],
            Page::Unique => ["x", "index"],
            Page::Search => ["edges", "x"],
        }
    }

    /// The operation of an operator on two tensors, without the rounding that a call of `div` may ask for. The products inside other
    /// operators are their own.
    pub const fn binary(self) -> Binary {
        match self {
            Self::ElementwiseAdd | Self::Add | Self::AddInPlace => Binary::Add,
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
        }
    }

    /// Whether a negative index value counts from the end. Groups have no end: their number is that of the largest index.
    pub(crate) const fn counts_from_end(self) -> bool {
        !matches!(self.page(), Page::Groups)
    }

    /// The name of the addressed tensor on the page of the operator. Histograms and counts address their result; for these it is
    /// the name of the counted tensor.
    pub const fn table_name(self) -> &'static str {
        match self.page() {
            Page::Rows if matches!(self, Self::ScatterMul) => "input_x",
            Page::Rows | Page::ElementwiseMul | Page::Unique => "x",
            Page::Search => "edges",
            Page::Plan => "shape",
            Page::Scatter | Page::ScatterAdd | Page::ScatterReduce | Page::Slices => "self",
            Page::Gather | Page::Mul | Page::Dims | Page::Sort => "self",
            Page::Segments => "data",
            Page::Groups => "src",
            Page::Spmm => "dense",
            Page::Histogram if matches!(self, Self::Histogramdd | Self::BinnedStatistic) => "sample",
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
            || matches!(self, Self::ScatterNd | Self::ScatterNdInPlace | Self::Vjp)
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
