//! Sorts, distinct elements and searches in sorted edges.

pub(crate) mod backend;
#[cfg(all(target_arch = "wasm32", feature = "sort"))]
pub(crate) mod boundary;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;
pub(crate) mod plan;

use crate::dispatch::where_it_is;
use crate::engine::{GroupCount, Groups};
use crate::gather::Gather;
use crate::plan::Op;
use crate::sort::backend::{SortBackend, search};
use crate::sort::plan::{SearchPlan, SortPlan};
use crate::{DType, Result, Shape, Storage, Target, Tensor};

/// The result of [`Tensor::sort`].
pub struct Sorted {
    /// The elements in their order, bit for bit.
    pub values: Tensor,
    /// Where each was, int64.
    pub indices: Tensor,
}

/// The result of [`unique`].
pub struct Unique {
    /// The distinct elements, in ascending order.
    pub values: Tensor,
    /// The first place of each in the flat tensor, int64.
    pub index: Tensor,
    /// For each element of the tensor the place of its value in `values`, int64.
    pub inverse: Tensor,
    /// How often each occurs, int64.
    pub counts: Tensor,
    /// How many distinct elements there are, one int64, if the tensor is on a GPU. The host does not know it yet, so `values`, `index` and
    /// `counts` have as many elements as the tensor. Once it was read, [`Tensor::first`] shortens them.
    pub count: Option<Tensor>,
}

impl Tensor {
    /// The positions along `dim` of the elements in ascending order: `self.gather(dim, argsort)` is sorted. Equal elements keep their
    /// order, also if the largest come first (`is_descending`). NaN is last in both directions. `docs/operators/sort.md`.
    ///
    /// # Errors
    /// Those of the operator's page.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[4], &[2.0f32, f32::NAN, 0.0, -0.0])?;
    /// assert_eq!(t.argsort(-1, false)?.elements::<i64>(), Some(&[2, 3, 0, 1][..]));
    /// assert_eq!(t.argsort(-1, true)?.elements::<i64>(), Some(&[0, 2, 3, 1][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn argsort(&self, dim: i64, is_descending: bool) -> Result<Self> {
        self.order(&SortPlan::new(Op::Argsort, self.operand(), dim, is_descending)?)
    }

    /// The elements along `dim` in ascending order, with the bits that they have, and their positions: see [`Tensor::argsort`].
    ///
    /// # Errors
    /// Those of the operator's page.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 3], &[3, 1, 2, 4, 6, 5])?;
    /// let sorted = t.sort(1, true)?;
    /// assert_eq!(sorted.values.elements::<i32>(), Some(&[3, 2, 1, 6, 5, 4][..]));
    /// assert_eq!(sorted.indices.elements::<i64>(), Some(&[0, 2, 1, 1, 2, 0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn sort(&self, dim: i64, is_descending: bool) -> Result<Sorted> {
        let plan = SortPlan::new(Op::Sort, self.operand(), dim, is_descending)?;
        let indices = self.order(&plan)?;
        let [_, len, _] = plan.sizes();
        if len <= 1 && self.storage.as_host().is_some() {
            return Ok(Sorted { values: self.clone(), indices });
        }
        // A gather takes at most eight dimensions, and these are three.
        let rows =
            |tensor: &Self| tensor.with_shape(Op::Sort.name(), Shape::new(Op::Sort.name(), &plan.sizes())?);
        let values = Gather::new(Op::Sort, Target::along(1, &rows(&indices)?)).run(&rows(self)?)?;
        Ok(Sorted { values: values.with_shape(Op::Sort.name(), self.shape.clone())?, indices })
    }

    fn order(&self, plan: &SortPlan) -> Result<Self> {
        let storage: Storage = where_it_is!(plan.op().name(), &self.storage, |backend, data| {
            backend.argsort(plan, data)?.into()
        });
        Ok(Self::from_storage(plan.shape().clone(), DType::Int64, storage))
    }

    /// The first `count` elements of a tensor of one dimension, or all of them if it has fewer.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted, a GPU is lost, or data on it is unusable.
    pub fn first(&self, op: Op, count: usize) -> Result<Self> {
        let count = count.min(self.size());
        let storage = backend::first(op.name(), &self.storage, count * self.dtype.size())?;
        Ok(Self::from_storage(Shape::new(op.name(), &[count])?, self.dtype, storage))
    }
}

/// The distinct elements of a tensor in ascending order: `values[inverse[i]]` equals `x[i]`. All NaN are one value, at the end, and −0 and
/// 0 are one. `values[k]` has the bits of the first such element of the flat tensor, at `index[k]`.
///
/// # Errors
/// `ValueError` for more than 2^32 − 1 elements.
///
/// ```
/// use scatterwise::{Tensor, unique};
/// let x = Tensor::from_elements(&[5], &[3, 1, 3, 2, 1])?;
/// let groups = unique(&x)?;
/// assert_eq!(groups.values.elements::<i32>(), Some(&[1, 2, 3][..]));
/// assert_eq!(groups.index.elements::<i64>(), Some(&[1, 3, 0][..]));
/// assert_eq!(groups.inverse.elements::<i64>(), Some(&[2, 0, 2, 1, 0][..]));
/// assert_eq!(groups.counts.elements::<i64>(), Some(&[2, 1, 2][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn unique(x: &Tensor) -> Result<Unique> {
    unique_by(Op::Unique, x)
}

/// [`unique`] in one of its forms.
pub(crate) fn unique_by(op: Op, x: &Tensor) -> Result<Unique> {
    let plan = SortPlan::flat(op, x.operand())?;
    where_it_is!(op.name(), &x.storage, |backend, data| {
        let Groups { index, inverse, counts, count } = backend.groups(&plan, data)?;
        let (len, count) = match count {
            GroupCount::Known(len) => (len, None),
            GroupCount::Unread(count) => (x.size(), Some(count.into())),
        };
        unique_of(op, x, [index.into(), inverse.into(), counts.into()], len, count)
    })
}

/// The result of [`unique`]: `index`, `inverse` and `counts` of `len` groups, or of at most as many if `count` has their number.
fn unique_of(
    op: Op,
    x: &Tensor,
    [index, inverse, counts]: [Storage; 3],
    len: usize,
    count: Option<Storage>,
) -> Result<Unique> {
    let integers = |shape, storage| Tensor::from_storage(shape, DType::Int64, storage);
    let row = |len| Shape::new(op.name(), &[len]);
    let index = integers(row(len)?, index);
    let flat = x.with_shape(op.name(), row(x.size())?)?;
    Ok(Unique {
        values: Gather::new(op, Target::slices(0, &index)).run(&flat)?,
        inverse: integers(x.shape.clone(), inverse),
        counts: integers(row(len)?, counts),
        count: count.map(|count| Ok(integers(row(1)?, count))).transpose()?,
        index,
    })
}

/// For each element of x the number of edges before it: `edges[out − 1] < x ≤ edges[out]`, and if `is_right`
/// `edges[out − 1] ≤ x < edges[out]`. Numbers of different dtypes are compared by their values. `docs/operators/sort.md`.
///
/// # Errors
/// Those of the operator's page.
///
/// ```
/// use scatterwise::{Tensor, searchsorted};
/// let edges = Tensor::from_elements(&[3], &[1, 2, 2])?;
/// let x = Tensor::from_elements(&[3], &[0.5f32, 2.0, 9.0])?;
/// assert_eq!(searchsorted(&edges, &x, false)?.elements::<i64>(), Some(&[0, 1, 3][..]));
/// assert_eq!(searchsorted(&edges, &x, true)?.elements::<i64>(), Some(&[0, 3, 3][..]));
/// # Ok::<(), scatterwise::Error>(())
/// ```
pub fn searchsorted(edges: &Tensor, x: &Tensor, is_right: bool) -> Result<Tensor> {
    search_by(&SearchPlan::new(edges.operand(), x.operand(), is_right)?, edges, x)
}

/// [`searchsorted`] by its plan.
pub(crate) fn search_by(plan: &SearchPlan, edges: &Tensor, x: &Tensor) -> Result<Tensor> {
    Ok(Tensor::from_storage(x.shape.clone(), DType::Int64, search(plan, edges, x)?))
}
