//! The operators by name, and which class of error each one's page asks for.

use crate::error::ErrorClass;

/// A public operator. Errors take their operator's name from here, never from a string typed by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// `Tensor.scatter_`: in place.
    ScatterInPlace,
    /// `Tensor.scatter`: its copying twin.
    Scatter,
    /// `Tensor.scatter_add`, both overloads: a new tensor.
    ScatterAdd,
    /// `Tensor.scatter_add_`: its in-place twin.
    ScatterAddInPlace,
    /// `scatter_mul`: in place.
    ScatterMul,
    /// `Tensor.gather`.
    Gather,
    /// `Tensor.gather_nd`.
    GatherNd,
    /// `elementwise_mul`: Paddle's alignment, then an activation.
    ElementwiseMul,
    /// `Tensor.mul`: NumPy's alignment.
    Mul,
    /// `Tensor.mul_`: its in-place twin.
    MulInPlace,
    /// `IndexPlan.along`: an index along a dimension, prepared for many calls.
    PlanAlong,
    /// `IndexPlan.nd`: index tuples, prepared for many calls.
    PlanNd,
}

/// A rule that a call can break.
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
    /// The operator as its page spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ScatterInPlace => "Tensor.scatter_",
            Self::Scatter => "Tensor.scatter",
            Self::ScatterAdd => "Tensor.scatter_add",
            Self::ScatterAddInPlace => "Tensor.scatter_add_",
            Self::ScatterMul => "scatter_mul",
            Self::Gather => "Tensor.gather",
            Self::GatherNd => "Tensor.gather_nd",
            Self::ElementwiseMul => "elementwise_mul",
            Self::Mul => "Tensor.mul",
            Self::MulInPlace => "Tensor.mul_",
            Self::PlanAlong => "IndexPlan.along",
            Self::PlanNd => "IndexPlan.nd",
        }
    }

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

    /// What the page calls the two operands of a multiply.
    pub const fn operand_names(self) -> [&'static str; 2] {
        match self {
            Self::ElementwiseMul => ["x", "y"],
            _ => ["self", "other"],
        }
    }

    /// What the page calls the tensor that is addressed.
    pub const fn table_name(self) -> &'static str {
        match self {
            Self::ScatterMul => "input_x",
            Self::PlanAlong | Self::PlanNd => "shape",
            _ => "self",
        }
    }

    /// Whether the result takes self's place, and so must have its shape.
    pub const fn writes_self(self) -> bool {
        matches!(self, Self::ScatterInPlace | Self::ScatterAddInPlace | Self::MulInPlace)
    }

    /// Whether index may be longer than self along `dim`. `scatter_`'s page forbids it.
    pub const fn index_may_exceed_dim(self) -> bool {
        !matches!(self, Self::ScatterInPlace | Self::Scatter)
    }

    /// Whether a source of another dtype is converted to self's, where the table of conversions has a way.
    pub const fn converts_source(self) -> bool {
        matches!(self, Self::ScatterMul)
    }

    /// Whether there is no tensor yet, only the shape that it will have.
    pub(super) const fn takes_a_shape(self) -> bool {
        matches!(self, Self::PlanAlong | Self::PlanNd)
    }

    /// The least rank of an index of tuples: one may stand alone, unless the operator's page forbids it.
    pub(super) const fn least_tuples_rank(self) -> usize {
        match self {
            Self::ScatterAdd | Self::ScatterAddInPlace => 2,
            _ => 1,
        }
    }

    /// Whether an empty index makes the call a no-op before ranks and sizes are looked at.
    pub const fn empty_index_ends_checks(self) -> bool {
        matches!(self, Self::ScatterInPlace | Self::Scatter)
    }
}
