//! `gather` along a dimension and by index tuples.

use std::rc::Rc;

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::error::Result;
use crate::ops::call::Where;
use crate::ops::{PreparedIndex, host_index};
use crate::plan::{IndexPlan, Op};
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
        let plan = IndexPlan::gather_axis(Op::Gather, self.operand(), dim, index.operand())?;
        self.collect(&plan, Where::Index(index), index.shape.clone())
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
        let (plan, shape) = IndexPlan::gather_nd(Op::GatherNd, self.operand(), indices.operand())?;
        self.collect(&plan, Where::Index(indices), shape)
    }

    /// [`Tensor::gather`] or [`Tensor::gather_nd`] with an index that was prepared for tensors of this shape.
    ///
    /// # Errors
    /// As for these two, without those about index values, which the plan has checked; and `ValueError` where
    /// self has another shape than the plan is for.
    pub fn gather_at(&self, plan: &PreparedIndex) -> Result<Self> {
        self.gather_planned(Op::Gather, plan)
    }

    /// [`Tensor::gather_at`] by the name that errors have.
    pub(crate) fn gather_planned(&self, op: Op, plan: &PreparedIndex) -> Result<Self> {
        let (lowered, shape) = plan.gather(op, self.operand())?;
        self.collect(&lowered, Where::Plan(plan), shape)
    }

    /// Runs a plan on the device where self is.
    fn collect(&self, plan: &IndexPlan, index: Where<'_>, shape: Shape) -> Result<Self> {
        let storage = match &self.storage {
            Storage::Host(buffer) => {
                let out = match index {
                    Where::Index(index) => Cpu.gather(plan, self.dtype, buffer, host_index(plan, index)?)?,
                    Where::Plan(prepared) => {
                        Cpu.gather_at(plan, self.dtype, buffer, &*prepared.positions(plan.op().name())?)?
                    }
                };
                Storage::Host(Rc::new(out))
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                let gpu = buffer.gpu();
                buffer.usable(plan.op().name())?;
                let index = match index {
                    Where::Index(index) => crate::ops::device::DeviceIndex::new(&gpu, plan, index)?,
                    Where::Plan(prepared) => prepared.on_device(&gpu, plan)?.index,
                };
                Storage::Device(Rc::new(gpu.gather(plan, self.dtype, buffer, index.get())?))
            }
        };
        Ok(Self::from_storage(shape, self.dtype, storage))
    }
}
