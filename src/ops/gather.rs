//! `gather` along a dimension.

use std::rc::Rc;

use crate::backend::Backend;
use crate::backend::cpu::Cpu;
use crate::error::Result;
use crate::ops::host_index;
use crate::plan::{IndexPlan, Op};
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
        let op = Op::Gather;
        let plan = IndexPlan::gather_axis(op, self.operand(), dim, index.operand())?;
        let storage = match &self.storage {
            Storage::Host(buffer) => {
                let out = Cpu.gather(&plan, self.dtype, buffer, host_index(op, index)?)?;
                Storage::Host(Rc::new(out))
            }
            #[cfg(feature = "webgpu")]
            Storage::Device(buffer) => {
                let gpu = buffer.gpu();
                gpu.alive(op.name())?;
                let index = crate::ops::device::DeviceIndex::new(&gpu, &plan, index)?;
                Storage::Device(Rc::new(gpu.gather(&plan, self.dtype, buffer, index.get())?))
            }
        };
        Ok(Self { shape: index.shape.clone(), dtype: self.dtype, storage, range: None })
    }
}
