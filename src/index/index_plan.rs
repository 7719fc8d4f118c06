//! An index prepared once and used for many calls.
//!
//! An [`Addressing`] is the lowering of one call: geometry without data. An `IndexPlan` has the data of an index, and every call with
//! it makes its own lowering.

use std::rc::Rc;

use crate::index::{Index, IndexFacts};
use crate::plan::{Addressed, Addressing, Arguments, IndexMode, Op, Operand};
use crate::{DType, HostBuffer, Result, Shape, Target, Tensor};

/// An index for tensors of one shape, whose values were checked once. The index says *where*; the operator says *what*. A call with
/// it gives the same bits and errors as a call with the index itself.
///
/// The values of an index on a GPU are only known after [`IndexPlan::ready`]. Until then the plan serves tensors on that GPU only.
/// `docs/operators/IndexPlan.md`.
///
/// Cloning is cheap and shares everything. A later write to the index does not change the plan.
///
/// ```
/// use scatterwise::{DType, IndexPlan, Op, Reduce, Scatter, Target, Tensor};
/// let bins = Tensor::from_elements(&[4], &[1, 3, 1, -1])?;
/// let plan = IndexPlan::along(&[4], 0, &bins)?;
/// assert_eq!((plan.updates(), plan.has_duplicates()?), (4, true));
///
/// let mut counts = Tensor::zeros(&[4], DType::Int32)?;
/// for number in [1, 10] {
///     let target = Target::from(&plan);
///     Scatter::new(Op::ScatterInPlace, target, number.into(), Reduce::Add).run(&mut counts)?;
/// }
/// assert_eq!(counts.elements::<i32>(), Some(&[0, 22, 0, 22][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
#[derive(Clone)]
pub struct IndexPlan {
    form: Addressed,
    facts: Rc<IndexFacts>,
}

impl IndexPlan {
    /// A plan for every operator along a dimension, on tensors with these sizes. If an operator has stricter rules, each call checks them.
    ///
    /// # Errors
    /// `ValueError` for dim, ranks and sizes, `TypeError` for index's dtype, `IndexError` for an index value.
    pub fn along(dims: &[usize], dim: i64, index: &Tensor) -> Result<Self> {
        Self::along_with(dims, dim, index, IndexMode::default())
    }

    /// [`IndexPlan::along`] with a mode for values that are out of range, and a value that is ignored.
    ///
    /// # Errors
    /// As there; values that are out of range are errors only in mode [`OutOfRange::Raise`](crate::OutOfRange::Raise).
    pub fn along_with(dims: &[usize], dim: i64, index: &Tensor, mode: impl Into<IndexMode>) -> Result<Self> {
        Self::new(Op::PlanAlong, Addressed::Along(dim), dims, index, mode.into())
    }

    /// A plan for `index_select`, `index_add`, `index_copy` and `index_fill` along `dim`. The index has one dimension and names slices. No
    /// sizes are those of a scalar.
    ///
    /// # Errors
    /// As for [`IndexPlan::along_with`].
    pub fn select(dims: &[usize], dim: i64, index: &Tensor, mode: impl Into<IndexMode>) -> Result<Self> {
        Self::new(Op::PlanSelect, Addressed::Slices(dim), dims, index, mode.into())
    }

    /// A plan for every operator by index tuples, on tensors with these sizes. The last dimension of indices holds the tuples.
    ///
    /// # Errors
    /// As for [`IndexPlan::along`].
    pub fn nd(dims: &[usize], indices: &Tensor) -> Result<Self> {
        Self::nd_with(dims, indices, IndexMode::default())
    }

    /// [`IndexPlan::nd`] with a mode for values that are out of range, and a value that is ignored.
    ///
    /// # Errors
    /// As for [`IndexPlan::along_with`].
    pub fn nd_with(dims: &[usize], indices: &Tensor, mode: impl Into<IndexMode>) -> Result<Self> {
        Self::new(Op::PlanNd, Addressed::Tuples(0), dims, indices, mode.into())
    }

    /// Whether the plan's index holds tuples, or names rows. Rows count as tuples of one number.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn is_of_tuples(&self) -> bool {
        matches!(self.form, Addressed::Tuples(_) | Addressed::Rows)
    }

    /// A plan for tensors with these sizes, by an operator that only makes plans.
    fn new(op: Op, form: Addressed, dims: &[usize], index: &Tensor, mode: IndexMode) -> Result<Self> {
        // Without a source, the plan ignores the dtype of the table.
        let table = Operand { shape: &Shape::new(op.name(), dims)?, dtype: DType::Bool };
        let lowered = Addressing::scatter(&Arguments { op, form, table, index: index.operand(), src: None })?;
        Ok(Self { form, facts: Rc::new(IndexFacts::new(lowered, index, mode)?) })
    }

    /// The sizes of the tensors that the plan serves.
    pub fn shape(&self) -> &Shape {
        self.lowered().table_shape()
    }

    /// How many updates a call applies, without those that the mode leaves out. A row of elements is one update. While only a GPU knows the
    /// values, see [`IndexPlan::ready`], all of them count.
    pub fn updates(&self) -> usize {
        self.facts.updates()
    }

    /// Whether two entries name the same destination, so that the order of updates can matter. Computed at the first call.
    ///
    /// # Errors
    /// `RuntimeError` while only a GPU knows the values, see [`IndexPlan::ready`], and when memory is exhausted.
    pub fn has_duplicates(&self) -> Result<bool> {
        self.facts.has_duplicates()
    }

    /// How many updates each slot gets: int32, on the CPU. The shape is that of the tensors for an index along a dimension, the size of that
    /// dimension for slices, and the sizes of the first dimensions for tuples.
    ///
    /// # Errors
    /// As for [`IndexPlan::has_duplicates`].
    ///
    /// ```
    /// use scatterwise::{IndexPlan, Tensor};
    /// let plan = IndexPlan::nd(&[3, 2], &Tensor::from_elements(&[3, 1], &[2, 0, 2])?)?;
    /// assert_eq!(plan.counts()?.elements::<i32>(), Some(&[1, 0, 2][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn counts(&self) -> Result<Tensor> {
        let counts = self.facts.counts()?;
        let dims = self.shape().dims();
        let lowered = self.lowered();
        let shape = match self.form {
            Addressed::Along(_) => self.shape().clone(),
            Addressed::Tuples(_) | Addressed::Rows => {
                Shape::new(Op::PlanNd.name(), dims.get(..lowered.components().len()).unwrap_or_default())?
            }
            // Only the counts of the first combination of coordinates before the dimension: all combinations have the same counts.
            Addressed::Slices(_) => Shape::of_size(lowered.positions()),
        };
        // `counts` also has the other combinations. If there is no combination, it is empty, and the zeros stay.
        let mut buffer = HostBuffer::zeroed("IndexPlan.counts", 4 * shape.size())?;
        for (slot, &count) in buffer.elements_mut::<u32>().iter_mut().zip(counts.elements()) {
            *slot = count;
        }
        Ok(Tensor::from_buffer(shape, DType::Int32, buffer))
    }

    /// Waits until the index values are in host memory. Returns at once, unless the index came from a GPU. Afterwards the plan
    /// serves every device, and no call checks it again.
    ///
    /// # Errors
    /// `IndexError` for an index value; the errors of a read.
    pub async fn ready(&self) -> Result<()> {
        self.facts.ready().await
    }

    /// Whether the values are in host memory. Then [`IndexPlan::ready`] returns at once, and no call checks the values again.
    #[cfg(target_arch = "wasm32")]
    pub(crate) fn is_ready(&self) -> bool {
        self.facts.are_known()
    }

    /// The lowering of a call without a source: the geometry of the index.
    fn lowered(&self) -> &Addressing {
        self.facts.lowered()
    }
}

impl From<&IndexPlan> for Target {
    fn from(plan: &IndexPlan) -> Self {
        Self { form: plan.form, index: Index::Prepared(plan.facts.clone()) }
    }
}
