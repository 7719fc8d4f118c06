//! The product of a sparse matrix and a dense one.

use std::borrow::Cow;

use crate::elementwise::product_of_any_rank;
use crate::engine::Value;
use crate::gather::backend::gather_from;
use crate::groups::backend::spmm;
use crate::groups::plan::{MOST_ELEMENTS, SpmmPlan};
use crate::index::{Index, Reports, index_ends};
use crate::plan::{Addressed, IndexMode, Op, Operand, Reduction, Sum, value_error};
use crate::scatter::backend::scatter_into;
use crate::{Error, ErrorClass, ErrorCode, FactValue, Result, Scalar, Target, Tensor, dispatch, list};

const OP: Op = Op::Spmm;

/// One product of a sparse matrix and a dense one, which is also one step over a graph:
/// `out[rows[e], …] ∘= values[e] · dense[columns[e], …]` for every entry e, in order.
/// `docs/operators/spmm.md`.
///
/// ```
/// use scatterwise::{Spmm, Target, Tensor};
/// // The matrix [[10, 0], [0, 0], [0, 100]] times [[1, 2], [3, 4]].
/// let rows = Tensor::from_elements(&[2], &[0, 2])?;
/// let columns = Tensor::from_elements(&[2], &[0, 1])?;
/// let values = Tensor::from_elements(&[2], &[10.0f32, 100.0])?;
/// let dense = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
/// let product = Spmm::new(Target::slices(0, &rows), Target::slices(0, &columns), Some(&values)).run(&dense)?;
/// assert_eq!(product.elements::<f32>(), Some(&[10.0, 20.0, 0.0, 0.0, 300.0, 400.0][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
#[derive(Clone)]
pub struct Spmm {
    /// The row of each entry.
    pub rows: Target,
    /// The column of each entry.
    pub columns: Target,
    /// The value of each entry; `None` if each is 1.
    pub values: Option<Tensor>,
    /// The rows of the result; `None`: those of a prepared index, else the largest row + 1.
    pub size: Option<usize>,
    /// How the products of a row are combined: all but `Prod`.
    pub reduction: Reduction,
    /// What a sum of floats is.
    pub sum: Sum,
    /// How the call reads rows and columns. A prepared index uses its own mode instead.
    pub mode: IndexMode,
}

pub(crate) struct Checked<'a> {
    pub(crate) plan: SpmmPlan,
    pub(crate) rows: Cow<'a, Index>,
    pub(crate) columns: Cow<'a, Index>,
}

impl Spmm {
    /// A sum by indices that must be in range, into as many rows as the index says.
    pub fn new(rows: Target, columns: Target, values: Option<&Tensor>) -> Self {
        Self {
            rows,
            columns,
            values: values.cloned(),
            size: None,
            reduction: Reduction::Sum,
            sum: Sum::Ordered,
            mode: IndexMode::default(),
        }
    }

    /// Runs the call on the device of `dense`.
    ///
    /// Source: `torch_sparse.spmm`; SciPy, `csr_array @ dense`.
    ///
    /// # Errors
    /// Those of the page.
    pub fn run(&self, dense: &Tensor) -> Result<Tensor> {
        self.run_with(dense, false)
    }

    /// [`Spmm::run`]. `are_same`: both indices leave out the same entries.
    pub(crate) fn run_with(&self, dense: &Tensor, are_same: bool) -> Result<Tensor> {
        let call = self.check(dense)?;
        let (plans, update) = (call.plan.plans.each_ref(), call.plan.update);
        let shape = plans[0].table_shape().clone();
        let fused = |rows: &Index| {
            let indices = [rows, &*call.columns];
            let done = spmm(plans, update, indices, self.values.as_ref(), dense)?;
            Ok(done.map(|storage| Tensor::from_storage(shape.clone(), dense.dtype, storage)))
        };
        let left = || match are_same {
            true => Ok(Cow::Borrowed(&*call.rows)),
            false => call.rows.without(plans, &call.columns, &dense.storage, Reports::Each),
        };
        // Counts and neutral elements follow the rows, so the rows alone must say then which entries are skipped.
        let rows = if update.is_single() { Cow::Borrowed(&*call.rows) } else { left()? };
        if let Some(out) = fused(&rows)? {
            return Ok(out);
        }
        let rows = if update.is_single() { left()? } else { rows };
        // The rows are checked before the columns, as by the fused call.
        let rows = rows.prepared(plans[0], self.mode)?;
        let products = self.products(&call, dense)?;
        let zeros = Tensor::filled(OP.name(), "size", shape, Scalar::Int(0), dense.dtype)?;
        let mut out = dispatch::on_device_of(OP.name(), dense, zeros)?;
        if plans[0].index_entries() > 0 {
            scatter_into(plans[0], update, &mut out, &rows, Value::Buffer(&products))?;
        }
        Ok(out)
    }

    /// The products of all entries, a row each.
    fn products(&self, call: &Checked<'_>, dense: &Tensor) -> Result<Tensor> {
        let zero = 0;
        let picked = gather_from(&call.plan.plans[1], dense, &call.columns, zero)?;
        let picked = Tensor::from_storage(call.plan.products.clone(), dense.dtype, picked);
        match &self.values {
            Some(values) => {
                let values = dispatch::to_device_of(OP.name(), "values", values, dense)?;
                product_of_any_rank(OP, &picked, &as_column(&values, picked.shape.rank())?)
            }
            None => Ok(picked),
        }
    }

    /// Checks the call. Index values that must be in range are checked later, when the call runs.
    pub(crate) fn check(&self, dense: &Tensor) -> Result<Checked<'_>> {
        let plan = SpmmPlan::new(
            (self.reduction, self.sum),
            dense.operand(),
            self.values.as_ref().map(Tensor::operand),
            |len| index_of(&self.columns, "columns", len),
            || self.rows().and_then(|size| Ok((size, index_of(&self.rows, "rows", size)?))),
        )?;
        let rows = self.rows.index.in_mode(&plan.plans[0], self.mode)?;
        let columns = self.columns.index.in_mode(&plan.plans[1], self.mode)?;
        Ok(Checked { plan, rows, columns })
    }

    fn rows(&self) -> Result<usize> {
        match (self.size, &self.rows.index) {
            (Some(size), _) => Ok(size),
            (None, Index::Prepared(facts)) => {
                Ok(facts.lowered().table_shape().dims().first().copied().unwrap_or(0))
            }
            // The plan refuses what is no index.
            (None, Index::Given(rows)) if rows.size() == 0 || !rows.dtype.is_index() => Ok(0),
            (None, Index::Given(rows)) => {
                let unknown = || {
                    let text = "rows is on webgpu, and its largest value is not known here: give size, or await rows.to('cpu')";
                    Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, OP.name(), text)
                        .argument("rows")
                };
                let (possible, is_exact) = (i64::MIN..=MOST_ELEMENTS - 1, true);
                let refuse = |value, at| {
                    let slot = rows.shape.unravel(at);
                    let text = format!("rows{} is {value}: so many rows cannot be addressed", list(&slot));
                    Error::new(ErrorClass::Index, ErrorCode::IndexOutOfRange, OP.name(), text)
                        .argument("rows")
                        .position(slot)
                        .value(FactValue::Int(value))
                };
                let largest = index_ends(rows, possible, (self.mode.ignored, is_exact), &refuse)?;
                Ok(usize::try_from(largest.ok_or_else(unknown)?.saturating_add(1)).unwrap_or(0))
            }
        }
    }
}

/// The facts of an index that names some of `size` rows of a tensor. A prepared index may be for rows of any length.
fn index_of<'a>(target: &'a Target, name: &'static str, size: usize) -> Result<Operand<'a>> {
    let Index::Prepared(facts) = &target.index else { return Ok(target.index.operand()) };
    let shape = facts.lowered().table_shape();
    let is_first = matches!(target.form, Addressed::Slices(dim) if shape.wrap_dim(dim) == Some(0));
    if is_first && shape.dims().first() == Some(&size) {
        return Ok(target.index.operand());
    }
    let text = format!(
        "{name} is a plan for shape {shape}; it must be for slices of {size} along dim 0: \
         IndexPlan.select([{size}], 0, {name})"
    );
    Err(value_error(OP, ErrorCode::ShapeMismatch, name, text).shape(name, shape.dims()))
}

/// Elements of one dimension as rows of one element each, for a product with rows of that rank.
pub(crate) fn as_column(values: &Tensor, rank: usize) -> Result<Tensor> {
    let mut dims = vec![1; rank.max(1)];
    if let Some(first) = dims.first_mut() {
        *first = values.size();
    }
    values.reshape(&dims)
}
