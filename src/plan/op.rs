//! The operators: their names, and the class of error that the reference page of each demands.

use crate::error::ErrorClass;

macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A public operator. Errors take their operator's name from here, never from a string typed by hand.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operator.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The operator as its page spells it.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

ops! {
    /// `Tensor.scatter_`: in place.
    ScatterInPlace = "Tensor.scatter_";
    /// `Tensor.scatter`: its copying twin.
    Scatter = "Tensor.scatter";
    /// `Tensor.scatter_add`, both overloads: a new tensor.
    ScatterAdd = "Tensor.scatter_add";
    /// `Tensor.scatter_add_`: its in-place twin.
    ScatterAddInPlace = "Tensor.scatter_add_";
    /// `scatter_mul`: in place.
    ScatterMul = "scatter_mul";
    /// `Tensor.gather`.
    Gather = "Tensor.gather";
    /// `Tensor.gather_nd`.
    GatherNd = "Tensor.gather_nd";
    /// `elementwise_mul`: Paddle's alignment, then an activation.
    ElementwiseMul = "elementwise_mul";
    /// `Tensor.mul`: NumPy's alignment.
    Mul = "Tensor.mul";
    /// `Tensor.mul_`: its in-place twin.
    MulInPlace = "Tensor.mul_";
    /// `IndexPlan.along`: an index along a dimension, prepared for many calls.
    PlanAlong = "IndexPlan.along";
    /// `IndexPlan.nd`: index tuples, prepared for many calls.
    PlanNd = "IndexPlan.nd";
    /// `bincount`: how often each integer occurs.
    Bincount = "bincount";
    /// `histogram`: how many values fall in each bin.
    Histogram = "histogram";
    /// `histogramdd`: the same in several dimensions.
    Histogramdd = "histogramdd";
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

impl Op {
    /// The class of the error for a broken rule, as the operator's reference page has it.
    pub const fn error_class(self, rule: Rule) -> ErrorClass {
        match (self, rule) {
            (_, Rule::IndexDtype) => ErrorClass::Type,
            (Self::ScatterInPlace | Self::Scatter, _) => ErrorClass::Runtime,
            (Self::ScatterMul, Rule::SrcDtype) => ErrorClass::Runtime,
            (_, Rule::SrcDtype) => ErrorClass::Type,
            (_, Rule::Dim | Rule::Rank | Rule::Size) => ErrorClass::Value,
        }
    }

    /// The names of the two operands on the page of the operator.
    pub const fn operand_names(self) -> [&'static str; 2] {
        match self {
            Self::ElementwiseMul => ["x", "y"],
            Self::Mul | Self::MulInPlace => ["self", "other"],
            Self::ScatterInPlace | Self::Scatter | Self::ScatterAdd | Self::ScatterAddInPlace => {
                ["self", "src"]
            }
            Self::ScatterMul => ["input_x", "updates"],
            Self::Gather | Self::GatherNd | Self::PlanAlong | Self::PlanNd => ["self", "index"],
            Self::Bincount | Self::Histogram => ["x", "weights"],
            Self::Histogramdd => ["sample", "weights"],
        }
    }

    /// The name of the addressed tensor on the page of the operator.
    pub const fn table_name(self) -> &'static str {
        match self {
            Self::ScatterMul => "input_x",
            Self::PlanAlong | Self::PlanNd => "shape",
            Self::ElementwiseMul | Self::Bincount | Self::Histogram => "x",
            Self::Histogramdd => "sample",
            Self::ScatterInPlace | Self::Scatter | Self::ScatterAdd | Self::ScatterAddInPlace => "self",
            Self::Gather | Self::GatherNd | Self::Mul | Self::MulInPlace => "self",
        }
    }

    /// Whether the result is written to self, and so must have its shape.
    pub const fn writes_self(self) -> bool {
        matches!(self, Self::ScatterInPlace | Self::ScatterAddInPlace | Self::MulInPlace)
    }

    /// Whether index may be longer than self along `dim`. `scatter_`'s page forbids it.
    pub const fn index_may_exceed_dim(self) -> bool {
        !matches!(self, Self::ScatterInPlace | Self::Scatter)
    }

    /// Whether a source of another dtype is converted to the dtype of self, where an implicit conversion exists.
    pub const fn converts_source(self) -> bool {
        matches!(self, Self::ScatterMul)
    }

    /// Whether the operator takes a shape instead of a tensor.
    pub(super) const fn takes_a_shape(self) -> bool {
        matches!(self, Self::PlanAlong | Self::PlanNd)
    }

    /// The least rank of an index of tuples. An index of rank 1 is a single tuple, which some pages forbid.
    pub(super) const fn least_tuples_rank(self) -> usize {
        match self {
            Self::ScatterAdd | Self::ScatterAddInPlace => 2,
            Self::ScatterInPlace | Self::Scatter | Self::ScatterMul => 1,
            Self::Gather | Self::GatherNd | Self::PlanAlong | Self::PlanNd => 1,
            Self::ElementwiseMul | Self::Mul | Self::MulInPlace => 1,
            Self::Bincount | Self::Histogram | Self::Histogramdd => 1,
        }
    }

    /// Whether an empty index makes the call a no-op before ranks and sizes are looked at.
    pub const fn empty_index_ends_checks(self) -> bool {
        matches!(self, Self::ScatterInPlace | Self::Scatter)
    }
}
