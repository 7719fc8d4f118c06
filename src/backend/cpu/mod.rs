//! The CPU backend: dispatches on dtype and reduce once, outside the loops.

mod activate;
mod broadcast;
mod kernels;
mod validate;

use std::rc::Rc;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::backend::cpu::activate::Activate;
use crate::backend::{Backend, Index, Value};
use crate::dtype::{DType, Element, Truth};
use crate::error::Result;
use crate::plan::{BroadcastPlan, IndexPlan, Op, Reduce};
use crate::storage::{HostBuffer, out_of_memory};

pub use validate::{index_range, normalise};

/// Runs plans in host memory.
pub struct Cpu;

impl Backend for Cpu {
    type Buffer = HostBuffer;

    fn scatter(
        &self,
        plan: &IndexPlan,
        dtype: DType,
        reduce: Reduce,
        table: &mut Rc<HostBuffer>,
        index: Index<'_, HostBuffer>,
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        let positions = normalise(plan, index.buffer, index.dtype)?;
        let mut call = Scatter { plan, positions: &positions, table: unshare(plan.op(), table)?, value };
        match (reduce, dtype) {
            (Reduce::Replace, _) => match dtype.size() {
                1 => call.run::<u8>(|_, new| new),
                2 => call.run::<u16>(|_, new| new),
                4 => call.run::<u32>(|_, new| new),
                _ => call.run::<u64>(|_, new| new),
            },
            (Reduce::Add | Reduce::Multiply, DType::Bool) => call.reduce::<Truth>(reduce),
            (_, DType::Int8 | DType::Uint8) => call.reduce::<u8>(reduce),
            (_, DType::Int16 | DType::Uint16) => call.reduce::<u16>(reduce),
            (_, DType::Int32 | DType::Uint32) => call.reduce::<u32>(reduce),
            (_, DType::Int64 | DType::Uint64) => call.reduce::<u64>(reduce),
            (_, DType::Float16) => call.reduce::<f16>(reduce),
            (_, DType::Bfloat16) => call.reduce::<bf16>(reduce),
            (_, DType::Float32) => call.reduce::<f32>(reduce),
            (_, DType::Float64) => call.reduce::<f64>(reduce),
        }
        Ok(())
    }

    fn gather(
        &self,
        plan: &IndexPlan,
        dtype: DType,
        table: &HostBuffer,
        index: Index<'_, HostBuffer>,
    ) -> Result<HostBuffer> {
        let positions = normalise(plan, index.buffer, index.dtype)?;
        let mut out = HostBuffer::zeroed(plan.op().name(), plan.entries() * dtype.size())?;
        match dtype.size() {
            1 => kernels::gather::<u8>(plan, table.elements(), &positions, out.elements_mut()),
            2 => kernels::gather::<u16>(plan, table.elements(), &positions, out.elements_mut()),
            4 => kernels::gather::<u32>(plan, table.elements(), &positions, out.elements_mut()),
            _ => kernels::gather::<u64>(plan, table.elements(), &positions, out.elements_mut()),
        }
        Ok(out)
    }

    fn multiply(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &HostBuffer,
        y: &HostBuffer,
    ) -> Result<HostBuffer> {
        let mut out = HostBuffer::zeroed(plan.op().name(), plan.len() * dtype.size())?;
        multiply(plan, dtype, Some(x), y, &mut out);
        Ok(out)
    }

    fn multiply_in_place(
        &self,
        plan: &BroadcastPlan,
        dtype: DType,
        x: &mut Rc<HostBuffer>,
        y: &HostBuffer,
    ) -> Result<()> {
        multiply(plan, dtype, None, y, unshare(plan.op(), x)?);
        Ok(())
    }
}

/// A multiply in the dtype's arithmetic. Without x the result's buffer has it.
fn multiply(
    plan: &BroadcastPlan,
    dtype: DType,
    x: Option<&HostBuffer>,
    y: &HostBuffer,
    out: &mut HostBuffer,
) {
    fn run<E: Activate>(
        plan: &BroadcastPlan,
        dtype: DType,
        x: Option<&HostBuffer>,
        y: &HostBuffer,
        out: &mut HostBuffer,
    ) {
        let x = x.map(HostBuffer::elements::<E>);
        broadcast::multiply(plan, dtype, x, y.elements(), out.elements_mut());
    }
    let run = match dtype {
        DType::Bool => run::<Truth>,
        DType::Int8 | DType::Uint8 => run::<u8>,
        DType::Int16 | DType::Uint16 => run::<u16>,
        DType::Int32 | DType::Uint32 => run::<u32>,
        DType::Int64 | DType::Uint64 => run::<u64>,
        DType::Float16 => run::<f16>,
        DType::Bfloat16 => run::<bf16>,
        DType::Float32 => run::<f32>,
        DType::Float64 => run::<f64>,
    };
    run(plan, dtype, x, y, out);
}

/// A scatter whose index has been checked.
struct Scatter<'a> {
    plan: &'a IndexPlan,
    positions: &'a [u32],
    table: &'a mut HostBuffer,
    value: Value<'a, HostBuffer>,
}

impl Scatter<'_> {
    fn reduce<E: Element>(&mut self, reduce: Reduce) {
        match reduce {
            Reduce::Replace => self.run::<E>(|_, new| new),
            Reduce::Add => self.run::<E>(E::add),
            Reduce::Multiply => self.run::<E>(E::multiply),
        }
    }

    fn run<E: Pod>(&mut self, combine: impl Fn(E, E) -> E) {
        let table = self.table.elements_mut::<E>();
        match &self.value {
            Value::Buffer(values) => {
                kernels::scatter(self.plan, table, self.positions, values.elements(), combine);
            }
            Value::Scalar(bits) => {
                let bytes = bits.to_le_bytes();
                let (element, _) = bytes.split_at(size_of::<E>());
                let value = bytemuck::pod_read_unaligned::<E>(element);
                kernels::scatter(self.plan, table, self.positions, &[value], combine);
            }
        }
    }
}

/// The buffer for writing: itself where nobody else holds it, else a copy that takes its place.
fn unshare(op: Op, buffer: &mut Rc<HostBuffer>) -> Result<&mut HostBuffer> {
    let op = op.name();
    if Rc::get_mut(buffer).is_none() {
        *buffer = Rc::new(HostBuffer::copy_of(op, buffer.bytes())?);
    }
    let len = buffer.bytes().len();
    Rc::get_mut(buffer).ok_or_else(|| out_of_memory(op, len))
}
