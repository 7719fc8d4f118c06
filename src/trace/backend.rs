//! Scatters and gathers step by step, in host memory only.

use crate::dispatch::operands::Operands;
use crate::engine::Value;
use crate::engine::cpu::Cpu;
use crate::index::Index;
use crate::plan::{Addressing, Update};
use crate::scatter::backend::check_divisors;
use crate::trace::cpu::{Fetch, Write};
use crate::{Bits, HostBuffer, Result, Tensor};

pub(crate) fn trace_scatter(
    plan: &Addressing,
    update: Update,
    table: &Tensor,
    index: &Index,
    value: Value<&Tensor>,
) -> Result<(Vec<Write>, HostBuffer)> {
    check_divisors(plan, table.dtype, update, &value)?;
    let positions = Cpu.index(plan, index)?.kept()?;
    let value = Cpu.value(plan, value)?;
    let buffer = Cpu.operand(plan.op(), "self", table)?;
    Cpu.trace(plan, table.dtype, update, buffer, &positions, value.as_deref())
}

pub(crate) fn trace_gather(
    plan: &Addressing,
    table: &Tensor,
    index: &Index,
    fill: Bits,
) -> Result<(Vec<Fetch>, HostBuffer)> {
    let buffer = Cpu.operand(plan.op(), "self", table)?;
    Cpu.trace_gather(plan, table.dtype, buffer, Cpu.index(plan, index)?.kept()?, fill)
}
