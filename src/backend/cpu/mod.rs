//! The CPU backend: dispatches on dtype and reduce once, outside the loops.

mod activate;
mod broadcast;
mod checked;
mod kernels;
mod validate;

use std::rc::Rc;

use bytemuck::Pod;
use half::{bf16, f16};

use crate::backend::cpu::activate::Activate;
use crate::backend::{Backend, Index, Value};
use crate::dtype::{Bits, DType, Element, Scalar, Truth};
use crate::error::Result;
use crate::plan::{BroadcastPlan, IndexPlan, Op, Reduce};
use crate::storage::{HostBuffer, out_of_memory};
use crate::tensor::{load, store};

pub use checked::CheckedIndex;
#[cfg(feature = "webgpu")]
pub use validate::index_ranges;
pub use validate::normalise;

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
        apply(plan, dtype, reduce, table, &positions, value)
    }

    fn gather(
        &self,
        plan: &IndexPlan,
        dtype: DType,
        table: &HostBuffer,
        index: Index<'_, HostBuffer>,
    ) -> Result<HostBuffer> {
        let positions = normalise(plan, index.buffer, index.dtype)?;
        collect(plan, dtype, table, &positions)
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

    fn convert(&self, op: &'static str, from: DType, to: DType, buffer: &HostBuffer) -> Result<HostBuffer> {
        let elements = buffer.bytes().chunks_exact(from.size());
        let mut out = HostBuffer::zeroed(op, elements.len() * to.size())?;
        for (element, slot) in elements.zip(out.bytes_mut().chunks_exact_mut(to.size())) {
            store(slot, Scalar::load(load(element), from).cast(to));
        }
        Ok(out)
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

/// Runs a scatter whose index was checked.
fn apply(
    plan: &IndexPlan,
    dtype: DType,
    reduce: Reduce,
    table: &mut Rc<HostBuffer>,
    positions: &[u32],
    value: Value<'_, HostBuffer>,
) -> Result<()> {
    let table = unshare(plan.op(), table)?;
    dispatch(dtype, reduce, Apply { plan, positions, table, value });
    Ok(())
}

/// Runs a gather whose index was checked.
fn collect(plan: &IndexPlan, dtype: DType, table: &HostBuffer, positions: &[u32]) -> Result<HostBuffer> {
    let mut out = HostBuffer::zeroed(plan.op().name(), plan.entries() * plan.row().len * dtype.size())?;
    match dtype.size() {
        1 => kernels::gather::<u8>(plan, table.elements(), positions, out.elements_mut()),
        2 => kernels::gather::<u16>(plan, table.elements(), positions, out.elements_mut()),
        4 => kernels::gather::<u32>(plan, table.elements(), positions, out.elements_mut()),
        _ => kernels::gather::<u64>(plan, table.elements(), positions, out.elements_mut()),
    }
    Ok(out)
}

impl Cpu {
    /// [`Backend::scatter`] with an index that was checked before.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn scatter_at(
        &self,
        plan: &IndexPlan,
        dtype: DType,
        reduce: Reduce,
        table: &mut Rc<HostBuffer>,
        positions: &CheckedIndex,
        value: Value<'_, HostBuffer>,
    ) -> Result<()> {
        apply(plan, dtype, reduce, table, positions.below(plan.positions()), value)
    }

    /// [`Backend::gather`] with an index that was checked before.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub fn gather_at(
        &self,
        plan: &IndexPlan,
        dtype: DType,
        table: &HostBuffer,
        positions: &CheckedIndex,
    ) -> Result<HostBuffer> {
        collect(plan, dtype, table, positions.below(plan.positions()))
    }

    /// A scatter into a copy of the table, with a record of every write.
    ///
    /// # Errors
    /// `RuntimeError` when memory is exhausted.
    pub(crate) fn trace(
        &self,
        plan: &IndexPlan,
        dtype: DType,
        reduce: Reduce,
        table: &HostBuffer,
        positions: &CheckedIndex,
        value: Value<'_, HostBuffer>,
    ) -> Result<(Vec<Write>, HostBuffer)> {
        let positions = positions.below(plan.positions());
        let mut copy = HostBuffer::copy_of(plan.op().name(), table.bytes())?;
        let combine = dispatch(dtype, reduce, OnBits);
        let mut writes = Vec::new();
        let size = dtype.size();
        let span = |at: usize| at * size..(at + 1) * size;
        kernels::for_each_element(plan, positions, |entry, at, from| {
            let update = match value {
                Value::Buffer(values) => values.bytes().get(span(from)).map_or(0, load),
                Value::Scalar(bits) => bits,
            };
            let Some(cell) = copy.bytes_mut().get_mut(span(at)) else { return };
            let before = load(cell);
            let after = combine(before, update);
            store(cell, after);
            writes.push(Write { entry, element: at, value: from, before, update, after });
        });
        Ok((writes, copy))
    }
}

/// One element that a scatter wrote.
pub(crate) struct Write {
    /// Which index entry.
    pub(crate) entry: usize,
    /// Which element of the table.
    pub(crate) element: usize,
    /// Which element of the values.
    pub(crate) value: usize,
    /// The bits that were there.
    pub(crate) before: Bits,
    /// The bits of the update.
    pub(crate) update: Bits,
    /// The bits afterwards.
    pub(crate) after: Bits,
}

/// Something that runs with the element type and the way to combine that a dtype and a reduce mean.
trait Visitor {
    type Out;
    fn visit<E: Pod>(self, combine: impl Fn(E, E) -> E + 'static) -> Self::Out;
}

fn dispatch<V: Visitor>(dtype: DType, reduce: Reduce, visitor: V) -> V::Out {
    match (reduce, dtype) {
        (Reduce::Replace, _) => match dtype.size() {
            1 => visitor.visit::<u8>(|_, update| update),
            2 => visitor.visit::<u16>(|_, update| update),
            4 => visitor.visit::<u32>(|_, update| update),
            _ => visitor.visit::<u64>(|_, update| update),
        },
        (_, DType::Bool) => arithmetic::<Truth, V>(reduce, visitor),
        (_, DType::Int8 | DType::Uint8) => arithmetic::<u8, V>(reduce, visitor),
        (_, DType::Int16 | DType::Uint16) => arithmetic::<u16, V>(reduce, visitor),
        (_, DType::Int32 | DType::Uint32) => arithmetic::<u32, V>(reduce, visitor),
        (_, DType::Int64 | DType::Uint64) => arithmetic::<u64, V>(reduce, visitor),
        (_, DType::Float16) => arithmetic::<f16, V>(reduce, visitor),
        (_, DType::Bfloat16) => arithmetic::<bf16, V>(reduce, visitor),
        (_, DType::Float32) => arithmetic::<f32, V>(reduce, visitor),
        (_, DType::Float64) => arithmetic::<f64, V>(reduce, visitor),
    }
}

fn arithmetic<E: Element, V: Visitor>(reduce: Reduce, visitor: V) -> V::Out {
    match reduce {
        Reduce::Replace => visitor.visit::<E>(|_, update| update),
        Reduce::Add => visitor.visit::<E>(E::add),
        Reduce::Multiply => visitor.visit::<E>(E::multiply),
    }
}

/// A scatter whose index has been checked.
struct Apply<'a> {
    plan: &'a IndexPlan,
    positions: &'a [u32],
    table: &'a mut HostBuffer,
    value: Value<'a, HostBuffer>,
}

impl Visitor for Apply<'_> {
    type Out = ();
    fn visit<E: Pod>(self, combine: impl Fn(E, E) -> E + 'static) {
        let table = self.table.elements_mut::<E>();
        match self.value {
            Value::Buffer(values) => {
                kernels::scatter(self.plan, table, self.positions, values.elements(), combine);
            }
            Value::Scalar(bits) => {
                kernels::scatter(self.plan, table, self.positions, &[element::<E>(bits)], combine);
            }
        }
    }
}

/// Hands out the arithmetic on bits, for the trace, where a loop compiled for each dtype would be wasted.
struct OnBits;

impl Visitor for OnBits {
    type Out = CombineBits;
    fn visit<E: Pod>(self, combine: impl Fn(E, E) -> E + 'static) -> CombineBits {
        Box::new(move |before, update| {
            load(bytemuck::bytes_of(&combine(element::<E>(before), element::<E>(update))))
        })
    }
}

type CombineBits = Box<dyn Fn(Bits, Bits) -> Bits>;

fn element<E: Pod>(bits: Bits) -> E {
    let bytes = bits.to_le_bytes();
    let (element, _) = bytes.split_at(size_of::<E>());
    bytemuck::pod_read_unaligned(element)
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
