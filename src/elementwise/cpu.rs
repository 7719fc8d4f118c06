//! Operations on two tensors.

use std::rc::Rc;

use crate::elementwise::backend::ElementwiseBackend;
use crate::elementwise::kernels::activate::Activate;
use crate::elementwise::kernels::elementwise::{Combine, Elementwise, Runs};
use crate::elementwise::kernels::short_runs::ShortRuns;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::{Output, reduce};
use crate::plan::Reduce;
use crate::{Bits, DType, HostBuffer, Result, UninitBuffer, reserved, unshare};

impl ElementwiseBackend for Cpu {
    fn elementwise(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &HostBuffer,
        y: &HostBuffer,
    ) -> Result<HostBuffer> {
        let mut out = UninitBuffer::new(plan.op().name(), plan.len() * dtype.size())?;
        match plan.activation_alone() {
            Some(act) => {
                self.run(&Activate::new(act, dtype, plan.len(), x.bytes(), Output::uninit(out.slots())));
            }
            None => {
                let (x, y) = plan.operands(x, y);
                self.run_elementwise(plan, dtype, Some(x), y, Output::uninit(out.slots()))?;
            }
        }
        // SAFETY: the job writes every element of the result.
        Ok(unsafe { out.assume_filled() })
    }

    fn elementwise_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<HostBuffer>,
        y: &HostBuffer,
    ) -> Result<()> {
        let x = unshare(plan.op().name(), x)?.bytes_mut();
        // A plan in place never exchanges its operands, so `plan.operands` is not needed.
        self.run_elementwise(plan, dtype, None, y, Output::new(x))
    }
}

impl Cpu {
    /// Combines x and y. Without x, the first operand is the content of `out`.
    fn run_elementwise(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: Option<&HostBuffer>,
        y: &HostBuffer,
        out: Output<'_>,
    ) -> Result<()> {
        let runs = Runs::new(plan);
        let words = runs.words(dtype.size());
        let mut repeated = Vec::new();
        if words > 0 {
            repeated = reserved(plan.op().name(), words)?;
            repeated.resize(words, 0);
        }
        let x = x.map(HostBuffer::bytes);
        let combine = Combine::new(&runs, dtype, x, y.bytes(), &mut repeated, out);
        match ShortRuns::new(&runs, combine) {
            Some(short) => self.run(&short),
            None => self.run(&Elementwise(combine)),
        };
        Ok(())
    }
}

/// The product of two elements of `dtype`, rounded or wrapped. Arguments and result are bit patterns.
pub(crate) fn product(dtype: DType, one: Bits, other: Bits) -> Bits {
    reduce::loops(Reduce::Multiply, dtype).combine(one, other)
}
