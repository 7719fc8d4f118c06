//! The rules of operators on groups: softmax and logsumexp, sparse products.

use crate::plan::checks;
use crate::plan::{
    Addressed, Addressing, Arguments, Factor, Op, Operand, Reduction, Sum, Update, dtype_mismatch,
    value_error,
};
use crate::{Allowed, DType, Error, ErrorClass, ErrorCode, FactValue, MAX_OP_RANK, Result, Shape, list};

/// A checked call of `scatter_softmax` or `scatter_logsumexp`. The values of its index are still unchecked.
pub(crate) struct GroupsPlan {
    pub(crate) op: Op,
    /// The dimension along which entries are in groups.
    pub(crate) axis: usize,
    /// How many groups the caller wants.
    pub(crate) size: Option<usize>,
    src: Shape,
    index: Shape,
}

impl GroupsPlan {
    /// The plan for entries `src` with groups along `dim`. `is_on_gpu` says where src is.
    pub(crate) fn new(
        op: Op,
        (src, is_on_gpu): (Operand<'_>, bool),
        index: Operand<'_>,
        dim: i64,
        size: Option<usize>,
    ) -> Result<Self> {
        if !src.dtype.is_float() {
            let text =
                format!("src has dtype {}; it must have a float dtype (src.astype('float32'))", src.dtype);
            return Err(dtype_mismatch(op, "src", src.dtype, text));
        }
        if src.dtype == DType::Float64 && is_on_gpu {
            let text = "float64 is not done on WebGPU: await src.to('cpu'), or src.astype('float32')";
            let error = Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, op.name(), text);
            return Err(error.argument("src"));
        }
        checks::index_dtype(op, "index", index.dtype)?;
        let (sizes, other) = (src.shape.dims(), index.shape.dims());
        let shapes = |error: Error| error.shape("src", sizes).shape("index", other);
        checks::rank(op, "src", src.shape, 1..=MAX_OP_RANK).map_err(shapes)?;
        let axis = checks::axis(op, "src", src.shape, dim)?;
        if other.len() != 1 && other.len() != sizes.len() {
            let text = format!(
                "index has rank {} and src rank {}; index must have rank 1, and lie along dim, or src's rank",
                other.len(),
                sizes.len()
            );
            return Err(shapes(value_error(op, ErrorCode::RankMismatch, "index", text)));
        }
        let fits = |d: usize| match other.len() {
            1 if sizes.len() > 1 => d != axis || other.first() == sizes.get(axis),
            _ => other.get(d) == sizes.get(d) || other.get(d) == Some(&1),
        };
        if let Some(d) = (0..sizes.len()).find(|&d| !fits(d)) {
            let text = format!(
                "index has shape {} and src {}; in dim {d} index must have src's size{}",
                index.shape,
                src.shape,
                if other.len() == sizes.len() { " or 1" } else { "" }
            );
            return Err(shapes(value_error(op, ErrorCode::ShapeMismatch, "index", text).dim(d as i64)));
        }
        Ok(Self { op, axis, size, src: src.shape.clone(), index: index.shape.clone() })
    }

    /// The shape of a tensor with `rows` rows along the dimension of the groups, each like one of src.
    pub(crate) fn shape_of(&self, rows: usize) -> Result<Shape> {
        let mut dims = self.src.dims().to_vec();
        if let Some(len) = dims.get_mut(self.axis) {
            *len = rows;
        }
        Shape::of_result(self.op.name(), &dims)
    }

    /// So many groups, at most, have a result that can be addressed.
    pub(crate) fn most_groups(&self) -> i64 {
        let others = self.src.dims().iter().enumerate().filter(|&(dim, _)| dim != self.axis);
        MOST_ELEMENTS / others.map(|(_, &size)| size.max(1) as i64).product::<i64>()
    }

    /// The error for a value of the index that is the number of no group. `position` is its row-major position.
    pub(crate) fn wrong_group(&self, value: i64, position: usize) -> Error {
        let slot = self.index.unravel(position);
        let (rule, most) = match self.size.map(|size| size as i64 - 1) {
            Some(-1) => ("size is 0, which allows none".to_owned(), -1),
            Some(most) => (format!("allowed are 0 to {most}"), most),
            None if value < 0 => ("the number of a group is not negative".to_owned(), i64::MAX),
            None => ("so many groups cannot be addressed".to_owned(), self.most_groups() - 1),
        };
        let text = format!("index{} is {value}: {rule}", list(&slot));
        let error = Error::new(ErrorClass::Index, ErrorCode::IndexOutOfRange, self.op.name(), text);
        let error = error.argument("index").position(slot).value(FactValue::Int(value));
        error.allowed(Allowed::Range(0, most))
    }
}

/// The most elements of a tensor, as [`Shape::of_result`] has it.
pub(crate) const MOST_ELEMENTS: i64 =
    if isize::MAX as u64 / 8 < u32::MAX as u64 { isize::MAX as i64 / 8 } else { u32::MAX as i64 };

/// A checked product of a sparse matrix and a dense one. The values of both indices are still unchecked.
pub(crate) struct SpmmPlan {
    /// How rows of products go into the result, and how rows of the dense matrix are read.
    pub(crate) plans: [Addressing; 2],
    /// How the products are combined with the rows of zeros: these count in a sum, and in no extreme.
    pub(crate) update: Update,
    /// The shape of the products, one row for each entry.
    pub(crate) products: Shape,
}

const OP: Op = Op::Spmm;

/// How both indices of a sparse product address: slices along the first dimension.
pub(crate) const SLICES: Addressed = Addressed::Slices(0);

impl SpmmPlan {
    /// The plan of a product. `columns` gets the number of rows of `dense`, and returns their index. `rows` returns the number of rows of the
    /// result, and their index.
    pub(crate) fn new<'a>(
        (reduction, sum): (Reduction, Sum),
        dense: Operand<'_>,
        values: Option<Operand<'_>>,
        columns: impl FnOnce(usize) -> Result<Operand<'a>>,
        rows: impl FnOnce() -> Result<(usize, Operand<'a>)>,
    ) -> Result<Self> {
        if reduction == Reduction::Prod {
            let text = "reduce is 'prod'; it must be 'sum', 'mean', 'amax' or 'amin'";
            return Err(value_error(OP, ErrorCode::UnknownReduce, "reduce", text));
        }
        let is_sum = matches!(reduction, Reduction::Sum | Reduction::Mean);
        let mut update = Update { include_self: is_sum, sum, ..reduction.update(false) };
        update.check(OP, Factor::One, dense.dtype)?;
        update.sum = sum.of(dense.dtype);
        let arguments = |table, index, src| Arguments { op: OP, form: SLICES, table, index, src };
        let (&len, rest) = dense.shape.dims().split_first().unwrap_or((&0, &[]));
        let (for_columns, products) = Addressing::gather(&arguments(dense, columns(len)?, None))?;
        let (size, index) = rows()?;
        let shape = |rows| Shape::of_result(OP.name(), &[&[rows], rest].concat());
        let (out, source) = (shape(size)?, shape(index.shape.size())?);
        let [table, source] = [&out, &source].map(|shape| Operand { shape, dtype: dense.dtype });
        let for_rows = Addressing::scatter(&arguments(table, index, Some(source)))?;
        let entries = for_columns.index_shape();
        if for_rows.index_entries() != for_columns.index_entries() {
            return Err(unequal("rows", for_rows.index_shape(), entries));
        }
        if let Some(values) = values {
            checks::same_dtype(OP, ("values", values.dtype), ("dense", dense.dtype))?;
            if values.shape != entries {
                return Err(unequal("values", values.shape, entries));
            }
        }
        Ok(Self { plans: [for_rows, for_columns], update, products })
    }
}

/// The error for an operand without one element for each entry.
fn unequal(name: &'static str, shape: &Shape, columns: &Shape) -> Error {
    let text = format!(
        "{name} has shape {shape} and columns {columns}; they must be equal, with one element for each entry"
    );
    value_error(OP, ErrorCode::ShapeMismatch, name, text)
        .shape(name, shape.dims())
        .shape("columns", columns.dims())
}
