//! Masks on the CPU.

use std::mem::MaybeUninit;

use bytemuck::Pod;

use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::Output;
use crate::masks::backend::{Found, MaskBackend};
use crate::masks::kernels::choose::Choose;
use crate::masks::kernels::compare::Compare;
use crate::masks::kernels::positions;
use crate::masks::plan::choose::ChoosePlan;
use crate::masks::plan::compare::ComparePlan;
use crate::masks::plan::positions::PositionsPlan;
use crate::{DType, HostBuffer, Result, UninitBuffer};

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

    fn positions(&self, plan: &PositionsPlan, x: &HostBuffer) -> Result<Found<HostBuffer>> {
        match plan.dtype().size() {
            1 => positions_of(plan, x.elements::<u8>()),
            2 => positions_of(plan, x.elements::<u16>()),
            4 => positions_of(plan, x.elements::<u32>()),
            _ => positions_of(plan, x.elements::<u64>()),
        }
    }
}

fn positions_of<T: Pod + Into<u64>>(plan: &PositionsPlan, elements: &[T]) -> Result<Found<HostBuffer>> {
    let significant = plan.significant_bits();
    let (len, fill) = plan.size().unwrap_or_else(|| (positions::count(elements, significant), 0));
    let mut out = UninitBuffer::new(plan.op().name(), len * plan.positions().size())?;
    if plan.positions() == DType::Int32 {
        let written = positions::write(elements, significant, |at| at as u32, out.slots());
        rest(&mut out, written).fill(MaybeUninit::new(fill as u32));
    } else {
        let written = positions::write(elements, significant, |at| at as u64, out.slots());
        rest(&mut out, written).fill(MaybeUninit::new(fill));
    }
    // SAFETY: positions are in the first `written` slots, and all others were filled.
    let positions = unsafe { out.assume_filled() };
    if plan.size().is_none() && len > 0 {
        // SAFETY: without a size nothing is filled up, and positions are numbers of elements.
        unsafe { positions.cache_range(plan.positions(), (0, plan.len() as i64 - 1)) };
    }
    Ok(Found { positions, len, sums: None })
}

/// The slots behind those that were written.
fn rest<P: Pod>(out: &mut UninitBuffer, written: usize) -> &mut [MaybeUninit<P>] {
    out.slots().get_mut(written..).unwrap_or_default()
}
