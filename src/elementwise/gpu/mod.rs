//! Operations on two tensors on a GPU.

use std::rc::Rc;

use crate::elementwise::backend::ElementwiseBackend;
use crate::elementwise::gpu::geometry::Geometry;
use crate::elementwise::gpu::record::record;
use crate::elementwise::gpu::self_test::verified;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::gpu::{DeviceBuffer, Fault, Gpu, NEVER_FAILS, Operands, ShaderKey, Width};
use crate::plan::Activation;
use crate::{DType, Error, ErrorClass, ErrorCode, Op, Result};

pub(crate) mod geometry;
pub(crate) mod record;
pub(crate) mod self_test;

impl ElementwiseBackend for Rc<Gpu> {
    fn elementwise(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &DeviceBuffer,
        y: &DeviceBuffer,
    ) -> Result<DeviceBuffer> {
        let (key, geometry) = self.elementwise_key(plan, dtype, false)?;
        // A read may return the result of a refused quotient before the refusal is known. The result must not show old data.
        let is_checked = plan.binary().refuses_zeros(dtype);
        let make = if is_checked { DeviceBuffer::new } else { DeviceBuffer::unfilled };
        let out = make(self, plan.op().name(), "the result", plan.len() * dtype.size())?;
        let slot = if is_checked { self.check_second(plan, dtype, y) } else { NEVER_FAILS };
        if !plan.is_empty() {
            // The plan may exchange the operands.
            let (x, y) = plan.operands(x, y);
            record(self, verified(self, key), &geometry, x, y, Some(&out), slot);
        }
        Ok(out)
    }

    /// If x is not shared, each thread overwrites the quad of x (four words) that it read. Nothing is allocated.
    fn elementwise_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<DeviceBuffer>,
        y: &DeviceBuffer,
    ) -> Result<()> {
        let is_checked = plan.binary().refuses_zeros(dtype);
        if Rc::get_mut(x).is_none() {
            // A refused quotient must leave x as it is.
            if is_checked {
                *x = Rc::new(x.duplicate(plan.op().name())?);
            } else {
                *x = Rc::new(self.elementwise(plan, dtype, x, y)?);
                return Ok(());
            }
        }
        let (key, geometry) = self.elementwise_key(plan, dtype, true)?;
        let slot = if is_checked { self.check_second(plan, dtype, y) } else { NEVER_FAILS };
        if !plan.is_empty() {
            record(self, verified(self, key), &geometry, x, y, None, slot);
        }
        Ok(())
    }
}

impl Gpu {
    /// Records a check of integer divisors of a plan, which must not be zero, and returns the status slot for the operation's passes.
    fn check_second(self: &Rc<Self>, plan: &BroadcastPlan, dtype: DType, divisors: &DeviceBuffer) -> u32 {
        let slot = self.take_slot(zero_divisor(plan.clone()));
        self.check_divisors(slot, dtype, divisors);
        slot
    }

    /// The shader of an operation on two tensors, and how it runs. `in_place`: the result overwrites x.
    fn elementwise_key(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        in_place: bool,
    ) -> Result<(ShaderKey, Geometry)> {
        let geometry = Geometry::new(plan, Width::of(dtype));
        let operands = Operands { y: geometry.access, in_place, x_is_second: plan.takes_x_second() };
        let float32 = self.numerics().float32;
        // The product with 1 has the bits of x, unless they are those of a NaN.
        let is_alone = plan.op() == Op::Activate;
        let alone = if is_alone { ShaderKey::activate(dtype, plan.activation()) } else { None };
        let product = || ShaderKey::elementwise(dtype, plan.binary(), float32, plan.activation(), operands);
        let key = alone.or_else(product);
        Ok((key.ok_or_else(|| unsupported(plan, dtype))?, geometry))
    }
}

/// The error if no shader does the plan's activation for a dtype.
fn unsupported(plan: &BroadcastPlan, dtype: DType) -> Error {
    let act = plan.activation().map_or("", Activation::name);
    // `activate` has no y.
    let y = if plan.op() == Op::Activate { "" } else { " and y.to('cpu')" };
    let text = format!(
        "act '{act}' of {dtype} is not done on WebGPU: await x.to('cpu'){y}, or convert first, by x.astype('float32')"
    );
    Error::new(ErrorClass::Runtime, ErrorCode::UnsupportedOnDevice, plan.op().name(), text)
        .word("act", dtype.name())
}

/// The error for what `shaders/index/divisors.wgsl` found.
fn zero_divisor(plan: BroadcastPlan) -> impl Fn(Fault) -> Option<Error> {
    move |Fault { last, .. }| (last != 0).then(|| plan.divisor_error(!last as usize))
}
