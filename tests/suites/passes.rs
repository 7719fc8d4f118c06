//! The passes of a scatter on the GPU, one by one, against their Rust twins.

use std::rc::Rc;

use scatterwise::backend::gpu::{DeviceBuffer, Gpu, Pass};
use scatterwise::backend::{Index, IndexState, Value};
use scatterwise::{DType, IndexPlan, Op, Operand, Reduce, Shape};

use crate::common::backends::on_webgpu;
use crate::common::pairs::Numbers;
use crate::common::passes;
use crate::common::report::{Row, equal};

/// A scatter whose entries fill several tiles of the sort, the last one in part.
struct Case {
    name: &'static str,
    plan: IndexPlan,
    index: Vec<i64>,
    values: usize,
}

fn cases() -> Vec<Case> {
    let mut numbers = Numbers(11);
    let mut entries = |len: usize, bound: i64| -> Vec<i64> {
        (0..len).map(|_| numbers.below(2 * bound as u64) as i64 - bound).collect()
    };
    let shape = |dims: &[usize]| Shape::new("test", dims).unwrap();
    let along = |table: &[usize], index: &[usize], src: &[usize]| {
        let (table, index, src) = (shape(table), shape(index), shape(src));
        let operand = |shape, dtype| Operand { shape, dtype };
        let src = operand(&src, DType::Float32);
        IndexPlan::scatter_axis(
            Op::ScatterAdd,
            operand(&table, DType::Float32),
            0,
            operand(&index, DType::Int64),
            Some(src),
        )
        .unwrap()
    };
    let tuples = {
        let (table, index, src) = (shape(&[30, 40, 3]), shape(&[5000, 2]), shape(&[5000, 3]));
        let operand = |shape, dtype| Operand { shape, dtype };
        let src = operand(&src, DType::Float32);
        IndexPlan::scatter_nd(
            Op::ScatterAdd,
            operand(&table, DType::Float32),
            operand(&index, DType::Int64),
            Some(src),
        )
        .unwrap()
    };
    let mut pairs = entries(10_000, 30);
    pairs.iter_mut().skip(1).step_by(2).for_each(|value| *value = *value * 4 / 3);
    vec![
        Case { name: "one tile", plan: along(&[7], &[100], &[100]), index: entries(100, 7), values: 100 },
        Case {
            name: "four tiles, two loops",
            plan: along(&[300, 6], &[2900, 5], &[2900, 6]),
            index: entries(14_500, 300),
            values: 17_400,
        },
        Case { name: "tuples and rows", plan: tuples, index: pairs, values: 15_000 },
        // More entries of one row than a dispatch walks, next to others.
        Case {
            name: "long runs",
            plan: along(&[3], &[60_000], &[60_000]),
            index: (0..60_000).map(|k| if k % 7 == 0 { k % 3 } else { -2 }).collect(),
            values: 60_000,
        },
    ]
}

async fn words(buffer: &DeviceBuffer) -> scatterwise::Result<Vec<u32>> {
    Ok(buffer.read("test").await?.elements().to_vec())
}

#[pollster::test]
async fn passes_equal_their_twins() {
    on_webgpu("passes", async |gpu, report| {
        for case in cases() {
            report.row(&format!("{}: sort", case.name), sort(gpu, &case).await);
            report.row(&format!("{}: winner", case.name), winner(gpu, &case).await);
            report.row(&format!("{}: counted", case.name), counted(gpu, &case).await);
        }
    })
    .await;
}

/// Each pass is compared with its twin on what the GPU's pass before it wrote.
async fn sort(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let on_gpu = gpu.upload("test", bytemuck::cast_slice(index))?;
    let unchecked = Index { buffer: &on_gpu, dtype: DType::Int64, state: IndexState::Unchecked };
    let entries = plan.entries();
    let (mut rows, mut order, mut counts) = (Vec::new(), (0..entries as u32).collect::<Vec<_>>(), Vec::new());
    let mut bit = 0;
    for (pass, buffer) in gpu.watch_order(plan, &unchecked)? {
        let got = words(&buffer).await?;
        match pass {
            Pass::Normalise => {
                rows = got[..entries].to_vec();
                equal("normalise", &rows, &passes::normalise(plan, index))?;
            }
            Pass::DigitCount => {
                equal("digit_count", &got, &passes::digit_count(&rows, bit))?;
                counts = got;
            }
            Pass::DigitScan => {
                equal("digit_scan", &got, &passes::digit_scan(&counts))?;
                counts = got;
            }
            _ => {
                equal("digit_scatter", &got, &passes::digit_scatter(&rows, &order, &counts, bit))?;
                (rows, order) = (got[..entries].to_vec(), got[entries..].to_vec());
                bit += 4;
            }
        }
    }
    let is_sorted =
        rows.is_sorted() && rows.windows(2).zip(order.windows(2)).all(|(r, o)| r[0] < r[1] || o[0] < o[1]);
    equal("sorted, and stable", is_sorted, true)?;

    let src: Vec<f32> = (0..case.values).map(|k| 0.1 + (k % 1013) as f32 / 7.0).collect();
    let mut expected = vec![0.5f32; plan.table_len()];
    let mut table = Rc::new(gpu.upload("test", bytemuck::cast_slice(&expected))?);
    let ordered = gpu.order(plan, &unchecked)?;
    let values = gpu.upload("test", bytemuck::cast_slice(&src))?;
    gpu.scatter_in_order(plan, DType::Float32, Reduce::Add, &mut table, &ordered, &Value::Buffer(&values))?;
    passes::segments(plan, index, &mut expected, &[rows, order].concat(), &src);
    equal("segments", &table.read("test").await?.elements::<f32>().to_vec(), &expected)
}

async fn winner(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let on_gpu = gpu.upload("test", bytemuck::cast_slice(index))?;
    let unchecked = Index { buffer: &on_gpu, dtype: DType::Int64, state: IndexState::Unchecked };
    let rows = passes::normalise(plan, index);
    let (marks, chosen) = gpu.watch_choose(plan, &unchecked)?;
    let marks = words(&marks).await?;
    equal("mark", &marks, &passes::mark(plan.table_len() / plan.row().len, &rows))?;
    let chosen = words(&chosen).await?;
    equal("choose", &chosen, &passes::choose(&rows, &marks))?;

    let src: Vec<i32> = (0..case.values as i32).collect();
    let mut expected = vec![-1; plan.table_len()];
    let mut table = Rc::new(gpu.upload("test", bytemuck::cast_slice(&expected))?);
    let order = gpu.choose(plan, &unchecked)?;
    let values = gpu.upload("test", bytemuck::cast_slice(&src))?;
    gpu.scatter_in_order(plan, DType::Int32, Reduce::Replace, &mut table, &order, &Value::Buffer(&values))?;
    passes::commit(plan, index, &mut expected, &chosen, &src);
    equal("commit", &table.read("test").await?.elements::<i32>().to_vec(), &expected)
}

async fn counted(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let on_gpu = gpu.upload("test", bytemuck::cast_slice(index))?;
    let unchecked = Index { buffer: &on_gpu, dtype: DType::Int64, state: IndexState::Unchecked };
    let counts = passes::count(plan.table_len() / plan.row().len, &passes::normalise(plan, index));
    equal("count", &words(&gpu.watch_count(plan, &unchecked)?).await?, &counts)?;
    for (name, scalar, reduce) in [
        ("sum", 0.1f32, Reduce::Add),
        ("sum towards zero", -0.3, Reduce::Add),
        ("ties", 0.5, Reduce::Add),
        ("product", 1.000_01, Reduce::Multiply),
        ("product that vanishes", -0.7, Reduce::Multiply),
        ("product that takes turns", -1.0, Reduce::Multiply),
    ] {
        let start: Vec<f32> =
            (0..plan.table_len()).map(|k| [1000.7, 8_388_607.0, 0.0, 3e-39, -5.5][k % 5]).collect();
        let mut expected = start.clone();
        let mut table = Rc::new(gpu.upload("test", bytemuck::cast_slice(&start))?);
        let order = gpu.count(plan, &unchecked)?;
        let value = Value::Scalar(scalar.to_bits().into());
        gpu.scatter_in_order(plan, DType::Float32, reduce, &mut table, &order, &value)?;
        let combine = |x: f32| if reduce == Reduce::Add { x + scalar } else { x * scalar };
        passes::repeat(&mut expected, plan.row().len, &counts, combine);
        let got = table.read("test").await?.elements::<u32>().to_vec();
        equal(name, &got, &expected.iter().map(|x| x.to_bits()).collect::<Vec<_>>())?;
    }
    Ok(())
}
