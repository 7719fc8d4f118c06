//! Does this adapter's float32 arithmetic give the CPU's bits? Asked once, at start, of the very kernels.

use std::rc::Rc;

use crate::backend::cpu::Cpu;
use crate::backend::gpu::Gpu;
use crate::backend::{Backend, Index, IndexState, Value};
use crate::dtype::DType;
use crate::error::Result;
use crate::plan::{IndexPlan, Op, Operand, Reduce};
use crate::shape::Shape;
use crate::storage::HostBuffer;

/// How float32 sums and products are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arithmetic {
    /// By the adapter.
    #[default]
    Native,
    /// In integers, by `shaders/lib/strict_float.wgsl`: right on every adapter, and slower.
    Strict,
}

/// What the probe saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Numerics {
    /// What is used.
    pub float32: Arithmetic,
    /// Whether the adapter keeps subnormal numbers.
    pub keeps_subnormals: bool,
    /// Whether the adapter keeps NaN and the infinities.
    pub keeps_nan: bool,
}

/// One chain of updates per row: what is there, then what is added or multiplied to it in order.
const STEPS: usize = 4;
const CHAINS: usize = 12;
type Chains = [[f32; STEPS + 1]; CHAINS];

/// Chains that come out differently where subnormals count as zero.
const SUBNORMAL: std::ops::Range<usize> = 0..4;
/// Chains that meet NaN and the infinities.
const NAN: std::ops::Range<usize> = 4..8;

const SUMS: Chains = [
    [1e-40, 1e-40, 1e-40, 1e-40, 1e-40],
    [1.5e-38, -1.4e-38, 0.0, 0.0, 0.0],
    [3e-39, 3e-39, 3e-39, 3e-39, 3e-39],
    [-1e-40, 1e-40, -2e-40, 0.0, 1e-45],
    [f32::MAX, f32::MAX, -f32::MAX, 0.0, 2.0],
    [f32::NAN, 1.0, 2.0, 0.0, -3.0],
    [f32::INFINITY, 0.0, -1.0, f32::NEG_INFINITY, 1.0],
    [-f32::MAX, -f32::MAX, 1.0, 2.0, 3.0],
    // Ties, order, signs of zero.
    [16_777_216.0, 1.0, 1.0, 2.999_999_8, 1.000_000_1],
    [1.0, 1e8, -1e8, 1e-3, 3.0],
    [-0.0, -0.0, -0.0, -0.0, -0.0],
    [0.1, 0.2, 0.3, 0.7, 1.1],
];

const PRODUCTS: Chains = [
    [1.5e-38, 0.5, 0.5, 1.0, 1.0],
    [1e-40, 1_048_576.0, 0.7, 1.5, 1.0],
    [3e-39, 3.0, 5.0, 0.3, 0.1],
    [-2e-38, 0.3, 0.3, 7.0, 3.0],
    [f32::MAX, 2.0, 0.0, 1.0, 1.0],
    [f32::NAN, 1.0, 2.0, 0.0, -3.0],
    [f32::INFINITY, -1.0, 0.5, -2.0, 1.0],
    [-f32::MAX, f32::MAX, 0.5, 1.0, -1.0],
    // Ties, order, signs of zero.
    [16_777_215.0, 3.0, 1.000_000_1, 2.999_999_8, 0.333_333_34],
    [1e20, 1e-20, 1e20, 1e-10, 3.0],
    [-0.0, 2.0, -3.0, 1.0, 5.0],
    [0.1, 0.2, 0.3, 0.7, 1.1],
];

/// Runs every chain with both reductions on the GPU and on the CPU, and compares.
pub(super) async fn run(gpu: &Rc<Gpu>) -> Result<Numerics> {
    let mut seen = Numerics { float32: Arithmetic::Native, keeps_subnormals: true, keeps_nan: true };
    // Both are under way before the first is waited for: this is part of every start on WebGPU.
    let runs = [(Reduce::Add, &SUMS), (Reduce::Multiply, &PRODUCTS)];
    for same in runs.map(|(reduce, chains)| compare(gpu, reduce, chains)) {
        let same = same?.await?;
        let all =
            |range: std::ops::Range<usize>| same.get(range).is_some_and(|same| same.iter().all(|&same| same));
        seen.keeps_subnormals &= all(SUBNORMAL);
        seen.keeps_nan &= all(NAN);
        if !all(0..CHAINS) {
            seen.float32 = Arithmetic::Strict;
        }
    }
    Ok(seen)
}

/// For each chain, whether the GPU's native arithmetic gave the CPU's bits.
fn compare(
    gpu: &Rc<Gpu>,
    reduce: Reduce,
    chains: &Chains,
) -> Result<impl Future<Output = Result<Vec<bool>>> + use<>> {
    const OP: &str = "init";
    let table_shape = Shape::new(OP, &[CHAINS, 1])?;
    let value_shape = Shape::new(OP, &[CHAINS, STEPS])?;
    let table = Operand { shape: &table_shape, dtype: DType::Float32 };
    let index = Operand { shape: &value_shape, dtype: DType::Int32 };
    let values = Operand { shape: &value_shape, dtype: DType::Float32 };
    let plan = IndexPlan::scatter_axis(Op::ScatterAdd, table, 1, index, Some(values))?;
    let start = chains.map(|[start, ..]| start);
    let steps = chains.map(|[_, steps @ ..]| steps);
    let bytes =
        [bytemuck::bytes_of(&start), bytemuck::bytes_of(&[0u32; STEPS * CHAINS]), bytemuck::bytes_of(&steps)];

    let [table, index, values] = bytes.map(|bytes| HostBuffer::copy_of(OP, bytes));
    let (mut on_cpu, index, values) = (Rc::new(table?), index?, values?);
    Cpu.scatter(&plan, DType::Float32, reduce, &mut on_cpu, unchecked(&index), Value::Buffer(&values))?;

    let [table, index, values] = bytes.map(|bytes| gpu.upload(OP, bytes));
    let (mut on_gpu, index, values) = (Rc::new(table?), index?, values?);
    gpu.scatter(&plan, DType::Float32, reduce, &mut on_gpu, unchecked(&index), Value::Buffer(&values))?;
    let on_gpu = on_gpu.read(OP);

    let same = |(one, two): (&f32, &f32)| one.to_bits() == two.to_bits() || (one.is_nan() && two.is_nan());
    Ok(async move { Ok(on_cpu.elements().iter().zip(on_gpu.await?.elements()).map(same).collect()) })
}

fn unchecked<B>(buffer: &B) -> Index<'_, B> {
    Index { buffer, dtype: DType::Int32, state: IndexState::Unchecked }
}
