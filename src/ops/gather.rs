//! `gather` along a dimension and by index tuples.

use std::rc::Rc;

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::error::Result;
use crate::ops::call::Where;
use crate::ops::{IndexPlan, host_index};
use crate::plan::{Addressing, Op};
use crate::shape::Shape;
use crate::storage::Storage;
use crate::tensor::Tensor;

impl Tensor {
    /// `out[i…] = self[…, index[i…], …]` along `dim`; out has index's shape and self's dtype.
    ///
    /// `dim` in −r … r − 1; index int32 or int64, values in −s … s − 1; index and self have the same rank,
    /// 1 to 8; `index.size(d) ≤ self.size(d)` for d ≠ dim. Moves bits: NaN payloads, −0 and subnormals stay.
    ///
    /// # Errors
    /// `ValueError` for dim, ranks and sizes, `TypeError` for index's dtype, `IndexError` for an index
    /// value, on the GPU possibly at the next read.
    ///
    /// Source: MindSpore, `Tensor.gather`; PyTorch, `torch.gather`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    /// let index = Tensor::from_elements(&[2, 2], &[0i32, 0, 1, 0])?;
    /// assert_eq!(t.gather(1, &index)?.elements::<f32>(), Some(&[1.0, 1.0, 4.0, 3.0][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn gather(&self, dim: i64, index: &Self) -> Result<Self> {
        Gather::Along { dim, index }.run(self)
    }

    /// `out[…, :] = self[indices[…, 0], …, indices[…, K − 1], :]`; out has the shape
    /// `indices.shape[:-1] + self.shape[K:]` and self's dtype.
    ///
    /// K is the size of the last dimension of indices (rank ≥ 1), K ≤ r; each component of a tuple is in
    /// −n … n − 1 for its dimension's size n. Moves bits.
    ///
    /// # Errors
    /// `ValueError` for ranks, `TypeError` for indices' dtype, `IndexError` for an index value, on the GPU
    /// possibly at the next read.
    ///
    /// Source: MindSpore, `ops.gather_nd`.
    ///
    /// ```
    /// use scatterwise::Tensor;
    /// let t = Tensor::from_elements(&[2, 2], &[1, 2, 3, 4])?;
    /// let indices = Tensor::from_elements(&[2, 1], &[1, 0])?;
    /// assert_eq!(t.gather_nd(&indices)?.elements::<i32>(), Some(&[3, 4, 1, 2][..]));
    /// # Ok::<(), scatterwise::Error>(())
    /// ```
    pub fn gather_nd(&self, indices: &Self) -> Result<Self> {
        Gather::Tuples { indices }.run(self)
    }

    /// [`Tensor::gather`] or [`Tensor::gather_nd`] with an index that was prepared for tensors of this shape.
    ///
    /// # Errors
    /// As for these two, without those about index values, which the plan has checked; and `ValueError` where
    /// self has another shape than the plan is for.
    pub fn gather_at(&self, plan: &IndexPlan) -> Result<Self> {
        Gather::Planned { op: Op::Gather, plan }.run(self)
    }
}

/// One call of any gather, still to be checked against the tensor that it reads: what the public methods share, and what can be
/// traced.
#[derive(Clone, Copy)]
pub enum Gather<'a> {
    /// [`Tensor::gather`].
    Along {
        /// The dimension.
        dim: i64,
        /// Where.
        index: &'a Tensor,
    },
    /// [`Tensor::gather_nd`].
    Tuples {
        /// Where.
        indices: &'a Tensor,
    },
    /// Either of them, with an index that was prepared.
    Planned {
        /// Which of them.
        op: Op,
        /// Where.
        plan: &'a IndexPlan,
    },
}

/// A gather that was checked.
pub(super) struct CheckedGather<'a> {
    pub(super) plan: Addressing,
    pub(super) index: Where<'a>,
    /// The shape of the result, whose first dimensions are those of the index entries.
    pub(super) shape: Shape,
    pub(super) entry_rank: usize,
}

impl<'a> Gather<'a> {
    /// Everything that can be said without index values.
    pub(super) fn check(self, table: &Tensor) -> Result<CheckedGather<'a>> {
        let table = table.operand();
        Ok(match self {
            Self::Along { dim, index } => CheckedGather {
                plan: Addressing::gather_axis(Op::Gather, table, dim, index.operand())?,
                index: Where::Index(index),
                shape: index.shape.clone(),
                entry_rank: index.shape.rank(),
            },
            Self::Tuples { indices } => {
                let (plan, shape) = Addressing::gather_nd(Op::GatherNd, table, indices.operand())?;
                let entry_rank = indices.shape.rank().saturating_sub(1);
                CheckedGather { plan, index: Where::Index(indices), shape, entry_rank }
            }
            Self::Planned { op, plan: prepared } => {
                let (plan, shape) = prepared.gather(op, table)?;
                let entry_rank = prepared.entry_dims().len();
                CheckedGather { plan, index: Where::Plan(prepared), shape, entry_rank }
            }
        })
    }

    /// Runs the call on the device where the table is.
    pub(crate) fn run(self, table: &Tensor) -> Result<Tensor> {
        let CheckedGather { plan, index, shape, .. } = self.check(table)?;
        let storage = match &table.storage {
            Storage::Host(buffer) => {
                let out = match index {
                    Where::Index(index) => {
                        Cpu.gather(&plan, table.dtype, buffer, host_index(&plan, index)?)?
                    }
                    Where::Plan(prepared) => {
                        let positions = prepared.positions(plan.op().name())?;
                        Cpu.gather_at(&plan, table.dtype, buffer, &positions)?
                    }
                };
                Storage::Host(Rc::new(out))
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                let gpu = buffer.gpu();
                buffer.usable(plan.op().name())?;
                let index = match index {
                    Where::Index(index) => crate::ops::device::DeviceIndex::new(&gpu, &plan, index)?,
                    Where::Plan(prepared) => prepared.on_device(&gpu, &plan)?.index,
                };
                Storage::Device(Rc::new(gpu.gather(&plan, table.dtype, buffer, index.get())?))
            }
        };
        Ok(Tensor::from_storage(shape, table.dtype, storage))
    }
}
