//! Reductions along dimensions.

use crate::convert::backend::ConvertBackend;
use crate::dims::backend::DimsBackend;
use crate::dims::kernels::Reduce;
use crate::dims::kernels::find::Find;
use crate::dims::plan::DimsPlan;
use crate::engine::cpu::Cpu;
use crate::engine::cpu::kernels::Output;
use crate::{DType, HostBuffer, Result, UninitBuffer};

impl DimsBackend for Cpu {
    fn reduce_dims(&self, plan: &DimsPlan, data: &HostBuffer) -> Result<HostBuffer> {
        let (op, count) = (plan.op().name(), plan.out_shape().size());
        let mut out = UninitBuffer::new(op, count * plan.dtype().size())?;
        self.run(&Reduce::new(plan, data.bytes(), Output::uninit(out.slots())));
        // SAFETY: the job writes every element.
        let best = unsafe { out.assume_filled() };
        if !plan.along().is_position() {
            return Ok(best);
        }
        let mut places = UninitBuffer::new(op, count * size_of::<i64>())?;
        self.run(&Find::new(plan, data.bytes(), best.bytes(), Output::uninit(places.slots())));
        // SAFETY: the job writes every element.
        let places = unsafe { places.assume_filled() };
        match plan.out_dtype() {
            DType::Int64 => Ok(places),
            other => self.convert(op, DType::Int64, other, &places),
        }
    }
}
