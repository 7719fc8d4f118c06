//! Plans: everything about a call that does not depend on tensor data. This folder has what several families lower to; a family's own
//! plans are in its `plan`.
//!
//! Plans validate arguments, with exceptions that are validated beside their operators: gradients, alpha, the conversion of updates, and
//! the dtype and shapes of exact sums (`gradients/`, `scatter/call.rs`, `exact/exact_sum.rs`). A plan has private fields and checked
//! constructors only, so every plan that exists can run. The kernels of every backend rely on that and never reject.

pub(crate) mod activation;
pub(crate) mod arguments;
pub(crate) mod axis;
pub(crate) mod binary;
pub(crate) mod checks;
pub(crate) mod getters;
pub(crate) mod index;
pub(crate) mod op;
pub(crate) mod order;
pub(crate) mod reduce;
pub(crate) mod rules;

pub(crate) use crate::plan::activation::Activation;
pub(crate) use crate::plan::arguments::{Addressed, ArgNames, Arguments, Operand};
pub(crate) use crate::plan::axis::Axis;
pub(crate) use crate::plan::binary::{Binary, Rounding};
pub(crate) use crate::plan::checks::{dtype_mismatch, fact, value_error, wrong_dtype, wrong_value};
pub(crate) use crate::plan::index::addressing::{Addressing, Loop, Row};
pub(crate) use crate::plan::index::facts::ValueRanges;
pub(crate) use crate::plan::index::mode::{Component, IndexMode, OutOfRange};
pub(crate) use crate::plan::op::{Op, Page, Rule};
pub(crate) use crate::plan::order::Order;
pub(crate) use crate::plan::reduce::{
    Factor, Gradient, Mean, NdReduce, Reduce, Reduction, Sum, Update, no_bool,
};
