//! Masks on the CPU.

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::Output;
use crate::masks::backend::MaskBackend;
use crate::masks::kernels::choose::Choose;
use crate::masks::kernels::compare::Compare;
use crate::masks::plan::choose::ChoosePlan;
use crate::masks::plan::compare::ComparePlan;
use crate::{HostBuffer, Result, UninitBuffer};

impl MaskBackend for Cpu {
    fn compare(&self, plan: &ComparePlan, x: &HostBuffer, y: &HostBuffer) -> Result<HostBuffer> {
        let mut out = UninitBuffer::new(plan.op().name(), plan.len())?;
        let operands = plan.operands(x, y).map(HostBuffer::bytes);
        self.run(&Compare::new(plan, operands, Output::uninit(out.slots())));
        // SAFETY: the job writes every element of the result.
        Ok(unsafe { out.assume_filled() })
    }

    fn choose(
        &self,
        plan: &ChoosePlan,
        mask: &HostBuffer,
        x: &HostBuffer,
        y: &HostBuffer,
    ) -> Result<HostBuffer> {
        let mut out = UninitBuffer::new(ChoosePlan::OP.name(), plan.len() * plan.dtype().size())?;
        let operands = [mask, x, y].map(HostBuffer::bytes);
        self.run(&Choose::new(plan, operands, Output::uninit(out.slots())));
        // SAFETY: the job writes every element of the result.
        Ok(unsafe { out.assume_filled() })
    }
}
