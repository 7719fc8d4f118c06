//! The public names of the scatters. `call.rs` implements them; the pages in `docs/operators` are their contract.

pub(crate) mod backend;
#[cfg(target_arch = "wasm32")]
pub(crate) mod boundary;
pub(crate) mod call;
pub(crate) mod cpu;
#[cfg(feature = "webgpu")]
pub(crate) mod gpu;
pub(crate) mod kernels;

use crate::plan::{NdReduce, Op, Reduce, Reduction};
use crate::{Result, Scalar, Scatter, Source, Target, Tensor};

/// Declares scatters into a copy of self, each with its in-place variant. `op` is the operator of the call.
macro_rules! scatters {
    ($($(#[$doc:meta])* $name:ident $arguments:tt, $in_place:ident: $copying:ident, $writing:ident, |$op:ident| $call:expr;)*) => {
        impl Tensor {
            $(scatters! { @variants $(#[$doc])* $name $arguments, $in_place: $copying, $writing, |$op| $call })*
        }
    };
    (@variants $(#[$doc:meta])* $name:ident ($($argument:ident: $kind:ty),*), $in_place:ident: $copying:ident, $writing:ident,
     |$op:ident| $call:expr) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of the operator's page. A call that fails writes nothing.
        pub fn $name(&self, $($argument: $kind),*) -> Result<Self> {
            let $op = Op::$copying;
            $call.run_on_copy(self)
        }

        #[doc = concat!("[`Tensor::", stringify!($name), "`] in place.")]
        ///
        /// # Errors
        /// The same.
        pub fn $in_place(&mut self, $($argument: $kind),*) -> Result<()> {
            let $op = Op::$writing;
            $call.run(self)
        }
    };
}

scatters! {
    /// `out[…, index[i…], …] ∘= src[i…]` along `dim`, into a copy; ∘ is replace, add or multiply, or any other [`Reduce`].
    /// `docs/operators/scatter_.md`.
    ///
    /// ```
    /// use scatterwise::{Reduce, Tensor};
    /// let mut t = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let index = Tensor::from_elements(&[2, 1], &[0i64, 1])?;
    /// t.scatter_(0, &index, 3, Reduce::Multiply)?;
    /// assert_eq!(t.elements::<f32>(), Some(&[3.0, 2.0, 9.0, 4.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter(dim: i64, index: &Self, src: impl Into<Source>, reduce: Reduce), scatter_: Scatter, ScatterInPlace,
        |op| Scatter::new(op, Target::along(dim, index), src.into(), reduce);

    /// `out[…, index[i…], …] += src[i…]` along `dim`. A scalar src is added for each entry: 1 counts the entries of each slot.
    /// `docs/operators/scatter_add.md`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[1, 5], &[1.0f32, 2.0, 3.0, 4.0, 5.0])?;
    /// let index = Tensor::from_elements(&[1, 2], &[2i64, 4])?;
    /// let out = t.scatter_add(1, &index, 8)?;
    /// assert_eq!(out.elements::<f32>(), Some(&[1.0, 2.0, 11.0, 4.0, 13.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter_add(dim: i64, index: &Self, src: impl Into<Source>), scatter_add_: ScatterAdd, ScatterAddInPlace,
        |op| Scatter::new(op, Target::along(dim, index), src.into(), Reduce::Add);

    /// `out[indices[…, 0], …, indices[…, K − 1], :] += updates[…, :]`; K is the size of the last dimension of indices.
    /// `docs/operators/scatter_add.md`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// let indices = Tensor::from_elements(&[3, 2], &[0, 0, 1, 1, 0, 0])?;
    /// let updates = Tensor::from_elements(&[3], &[10, 20, 30])?;
    /// assert_eq!(t.scatter_add_nd(&indices, &updates)?.elements::<i32>(), Some(&[41, 2, 3, 24][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter_add_nd(indices: &Self, updates: impl Into<Source>), scatter_add_nd_: ScatterAdd, ScatterAddInPlace,
        |op| Scatter::new(op, Target::tuples(indices), updates.into(), Reduce::Add);

    /// `out[…, index[i…], …] = reduction of self[…, index[i…], …] and every src[i…]` that goes there, along `dim`. `include_self`: whether
    /// self's value is one of the terms. `docs/operators/scatter_reduce.md`.
    ///
    /// ```
    /// use scatterwise::{Reduction, Tensor};
    /// let t = Tensor::from_elements(&[4], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let index = Tensor::from_elements(&[6], &[0, 1, 0, 1, 2, 1])?;
    /// let src = Tensor::from_elements(&[6], &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    /// let sums = t.scatter_reduce(0, &index, &src, Reduction::Sum, true)?;
    /// assert_eq!(sums.elements::<f32>(), Some(&[5.0, 14.0, 8.0, 4.0][..]));
    /// let most = t.scatter_reduce(0, &index, &src, Reduction::Amax, false)?;
    /// assert_eq!(most.elements::<f32>(), Some(&[3.0, 6.0, 5.0, 4.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter_reduce(dim: i64, index: &Self, src: impl Into<Source>, reduction: Reduction, include_self: bool), scatter_reduce_:
        ScatterReduce, ScatterReduceInPlace,
        |op| Scatter::new(op, Target::along(dim, index), src.into(), reduction.update(include_self));

    /// `out[indices[…, 0], …, indices[…, K − 1], :] ∘= updates[…, :]` with any of seven reductions. `docs/operators/scatter_nd.md`.
    ///
    /// ```
    /// use scatterwise::{NdReduce, Tensor};
    /// let t = Tensor::from_elements(&[2, 2], &[8, 9, 10, 11])?;
    /// let indices = Tensor::from_elements(&[2, 1], &[1, 1])?;
    /// let updates = Tensor::from_elements(&[2, 2], &[2, 3, 5, 1])?;
    /// let out = t.scatter_nd(&indices, &updates, NdReduce::Div)?;
    /// assert_eq!(out.elements::<i32>(), Some(&[8, 9, 1, 3][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter_nd(indices: &Self, updates: impl Into<Source>, reduce: NdReduce), scatter_nd_: ScatterNd, ScatterNdInPlace,
        |op| Scatter::nd(op, Target::tuples(indices), updates.into(), reduce);

    /// `out[…, index[i], …] += alpha · src[…, i, …]` along `dim`, in the order of index. `docs/operators/index_add.md`.
    ///
    /// ```
    /// use scatterwise::{Scalar, Tensor};
    /// let t = Tensor::from_elements(&[3], &[1, 1, 1])?;
    /// let (index, src) = (Tensor::from_elements(&[2], &[0, 0])?, Tensor::from_elements(&[2], &[5, 7])?);
    /// assert_eq!(t.index_add(0, &index, &src, Scalar::Int(2))?.elements::<i32>(), Some(&[25, 1, 1][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    index_add(dim: i64, index: &Self, src: impl Into<Source>, alpha: Scalar), index_add_: IndexAdd, IndexAddInPlace,
        |op| Scatter::index_add(op, Target::slices(dim, index), src.into(), alpha);

    /// `out[…, index[i], …] = src[…, i, …]` along `dim`; of several sources of a slot, the last stays. `docs/operators/index_add.md`.
    index_copy(dim: i64, index: &Self, src: impl Into<Source>), index_copy_: IndexCopy, IndexCopyInPlace,
        |op| Scatter::new(op, Target::slices(dim, index), src.into(), Reduce::Replace);

    /// `out[…, index[i], …] = value` along `dim`. `docs/operators/index_add.md`.
    index_fill(dim: i64, index: &Self, value: impl Into<Scalar>), index_fill_: IndexFill, IndexFillInPlace,
        |op| Scatter::new(op, Target::slices(dim, index), Source::Scalar(value.into()), Reduce::Replace);
}

/// Declares MindSpore's functions on the rows of a Parameter.
macro_rules! rows {
    ($($(#[$doc:meta])* $name:ident: $op:ident, $reduce:ident;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// Those of the operator's page. A call that fails writes nothing.
        pub fn $name(x: &mut Tensor, indices: &Tensor, updates: impl Into<Source>) -> Result<()> {
            Scatter::nd(Op::$op, Target::tuples(indices), updates.into(), NdReduce::$reduce).run(x)
        }
    )*};
}

rows! {
    /// `x[indices[i…], :] *= updates[i…, :]` in place. `docs/operators/scatter_mul.md`.
    ///
    /// ```
    /// use scatterwise::{Tensor, scatter_mul};
    /// let mut x = Tensor::from_elements(&[2, 3], &[1.0f32, 1.0, 1.0, 2.0, 2.0, 2.0])?;
    /// let indices = Tensor::from_elements(&[2], &[0, 1])?;
    /// let updates = Tensor::from_elements(&[2, 3], &[2.0f32; 6])?;
    /// scatter_mul(&mut x, &indices, &updates)?;
    /// assert_eq!(x.elements::<f32>(), Some(&[2.0, 2.0, 2.0, 4.0, 4.0, 4.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter_mul: ScatterMul, Multiply;
    /// `x[indices[i…], :] = updates[i…, :]`; of several updates of a row, the last in row-major order stays.
    /// `docs/operators/scatter_update.md`, for this function and those below.
    scatter_update: ScatterUpdate, Replace;
    /// `x[indices[i…], :] += updates[i…, :]`.
    ///
    /// ```
    /// use scatterwise::{Tensor, scatter_add};
    /// let mut x = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// scatter_add(&mut x, &Tensor::from_elements(&[2], &[1, 1])?, 10)?;
    /// assert_eq!(x.elements::<i32>(), Some(&[1, 2, 23, 24][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    scatter_add: ScatterAddRows, Add;
    /// `x[indices[i…], :] -= updates[i…, :]`.
    scatter_sub: ScatterSub, Sub;
    /// `x[indices[i…], :] /= updates[i…, :]`; an integer zero is a `ValueError`.
    scatter_div: ScatterDiv, Div;
    /// `x[indices[i…], :] = max(x[indices[i…], :], updates[i…, :])`: NaN wins, −0 < +0.
    scatter_max: ScatterMax, Amax;
    /// `x[indices[i…], :] = min(x[indices[i…], :], updates[i…, :])`: NaN wins, −0 < +0.
    scatter_min: ScatterMin, Amin;
}
