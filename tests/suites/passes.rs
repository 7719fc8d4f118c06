//! The passes of a scatter on the GPU, one by one, against their Rust twins.

use std::rc::Rc;

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Hooks as _, Pass, Strategy};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::{DeviceBuffer, Gpu};
use scatterwise::testing::{Addressed, Addressing, Arguments, Operand};
use scatterwise::testing::{Backend, Index, IndexState, Value};
use scatterwise::{DType, Op, Reduce, Shape};

use crate::common::backends::{ForcedStrategy, on_webgpu};
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal};
use crate::twins::passes::{self, words_of};

/// A scatter whose entries fill several tiles of the sort, the last one in part.
struct Case {
    name: &'static str,
    plan: Addressing,
    index: Vec<i64>,
    values: usize,
}

fn shape(dims: &[usize]) -> Shape {
    Shape::new("test", dims).unwrap()
}

fn along(table: &[usize], index: &[usize], src: &[usize]) -> Addressing {
    let (table, index, src) = (shape(table), shape(index), shape(src));
    let operand = |shape, dtype| Operand { shape, dtype };
    let (table, src) = (operand(&table, DType::Float32), Some(operand(&src, DType::Float32)));
    let (op, form, index) = (Op::ScatterAdd, Addressed::Along(0), operand(&index, DType::Int64));
    Addressing::scatter(&Arguments { op, form, table, index, src }).unwrap()
}

/// Pairs that address rows of three elements.
fn tuples(entries: usize) -> Addressing {
    let (table, index, src) = (shape(&[30, 40, 3]), shape(&[entries, 2]), shape(&[entries, 3]));
    let operand = |shape, dtype| Operand { shape, dtype };
    let (table, src) = (operand(&table, DType::Float32), Some(operand(&src, DType::Float32)));
    let (op, form, index) = (Op::ScatterAdd, Addressed::Tuples(0), operand(&index, DType::Int64));
    Addressing::scatter(&Arguments { op, form, table, index, src }).unwrap()
}

/// Values of an index from −bound to bound − 1.
fn entries(numbers: &mut Numbers, len: usize, bound: i64) -> Vec<i64> {
    (0..len).map(|_| numbers.below(2 * bound as u64) as i64 - bound).collect()
}

fn pairs(numbers: &mut Numbers, len: usize) -> Vec<i64> {
    let mut pairs = entries(numbers, 2 * len, 30);
    pairs.iter_mut().skip(1).step_by(2).for_each(|value| *value = *value * 4 / 3);
    pairs
}

fn cases() -> Vec<Case> {
    let numbers = &mut Numbers(11);
    vec![
        Case {
            name: "one tile",
            plan: along(&[7], &[100], &[100]),
            index: entries(numbers, 100, 7),
            values: 100,
        },
        Case {
            name: "four tiles, two loops",
            plan: along(&[300, 6], &[2900, 5], &[2900, 6]),
            index: entries(numbers, 14_500, 300),
            values: 17_400,
        },
        Case { name: "tuples and rows", plan: tuples(5000), index: pairs(numbers, 5000), values: 15_000 },
        // More entries of one row than a dispatch walks, next to others.
        Case {
            name: "long runs",
            plan: along(&[3], &[60_000], &[60_000]),
            index: (0..60_000).map(|k| if k % 7 == 0 { k % 3 } else { -2 }).collect(),
            values: 60_000,
        },
    ]
}

/// Scatters of at most 1,024 entries.
fn small_cases() -> Vec<Case> {
    let numbers = &mut Numbers(12);
    vec![
        Case { name: "one entry", plan: along(&[7], &[1], &[1]), index: vec![-1], values: 1 },
        Case {
            name: "a workgroup's worth",
            plan: along(&[50], &[1024], &[1024]),
            index: entries(numbers, 1024, 50),
            values: 1024,
        },
        Case {
            name: "two loops",
            plan: along(&[9, 6], &[150, 5], &[150, 6]),
            index: entries(numbers, 750, 9),
            values: 900,
        },
        Case { name: "tuples and rows", plan: tuples(700), index: pairs(numbers, 700), values: 2100 },
    ]
}

async fn words(buffer: &DeviceBuffer) -> scatterwise::Result<Vec<u32>> {
    Ok(buffer.read("test").await?.elements().to_vec())
}

#[one_thread::test]
async fn passes_equal_their_twins() {
    on_webgpu("passes", async |gpu, report| {
        for case in cases() {
            report.row(&format!("{}: sort", case.name), sort(gpu, &case).await);
            report.row(&format!("{}: winner", case.name), winner(gpu, &case).await);
            report.row(&format!("{}: counted", case.name), counted(gpu, &case).await);
            report.row(&format!("{}: atomics", case.name), atomics(gpu, &case).await);
        }
        for case in small_cases() {
            let outcome = in_few_passes(gpu, &case, Strategy::Small, passes::small, passes::small).await;
            report.row(&format!("{}: small", case.name), outcome);
        }
    })
    .await;
}

/// Each pass is compared with its twin on what the GPU's pass before it wrote.
async fn sort(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let entries = plan.entries();
    let src: Vec<f32> = (0..case.values).map(|k| 0.1 + (k % 1013) as f32 / 7.0).collect();
    type Twin = fn(&Addressing, &[i64], &mut [f32], &[u32], &[f32]);
    let ways: [(_, _, Twin); 2] = [
        ("run_per_thread", Strategy::RunPerThread, passes::run_per_thread),
        ("row_per_group", Strategy::RowPerGroup, passes::row_per_group),
    ];
    for (name, strategy, twin) in ways {
        let mut expected = vec![0.5f32; plan.table_len()];
        let (start, values) = (bytemuck::cast_slice(&expected), Ok(bytemuck::cast_slice(&src)));
        let (got, written) =
            watched(gpu, case, strategy, (DType::Float32, Reduce::Add), start, values).await?;
        let (mut rows, mut order) = (Vec::new(), (0..entries as u32).collect::<Vec<_>>());
        let (mut counts, mut bit) = (Vec::new(), 0);
        for (pass, got) in written {
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
                Pass::DigitScatter => {
                    equal("digit_scatter", &got, &passes::digit_scatter(&rows, &order, &counts, bit))?;
                    (rows, order) = (got[..entries].to_vec(), got[entries..].to_vec());
                    bit += 4;
                }
                // What applies the entries.
                _ => {}
            }
        }
        let is_sorted = rows.is_sorted()
            && rows.windows(2).zip(order.windows(2)).all(|(r, o)| r[0] < r[1] || o[0] < o[1]);
        equal("sorted, and stable", is_sorted && bit > 0, true)?;
        twin(plan, index, &mut expected, &[rows, order].concat(), &src);
        equal(name, bytemuck::cast_slice::<_, f32>(&got), &expected)?;
    }
    Ok(())
}

async fn winner(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let src: Vec<i32> = (0..case.values as i32).collect();
    let mut expected = vec![-1; plan.table_len()];
    let (start, values) = (bytemuck::cast_slice(&expected), Ok(bytemuck::cast_slice(&src)));
    let way = (DType::Int32, Reduce::Replace);
    let (got, written) = watched(gpu, case, Strategy::Winner, way, start, values).await?;
    let rows = passes::normalise(plan, index);
    let marks = of_pass(&written, Pass::Mark);
    equal("mark", marks, &passes::mark(plan.table_len() / plan.row().len, &rows))?;
    let chosen = of_pass(&written, Pass::Choose);
    equal("choose", chosen, &passes::choose(&rows, marks))?;
    passes::commit(plan, index, &mut expected, chosen, &src);
    equal("commit", bytemuck::cast_slice::<_, i32>(&got), &expected)
}

async fn counted(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let counts = passes::count(plan.table_len() / plan.row().len, &passes::normalise(plan, index));
    for (name, scalar, reduce) in [
        ("sum", 0.1f32, Reduce::Add),
        ("sum towards zero", -0.3, Reduce::Add),
        ("ties", 0.5, Reduce::Add),
        ("product", 1.000_01, Reduce::Multiply),
        ("product that vanishes", -0.7, Reduce::Multiply),
        ("product that takes turns", -1.0, Reduce::Multiply),
    ] {
        let mut expected: Vec<f32> =
            (0..plan.table_len()).map(|k| [1000.7, 8_388_607.0, 0.0, 3e-39, -5.5][k % 5]).collect();
        let (start, value) = (bytemuck::cast_slice(&expected), Err(scalar.to_bits().into()));
        let way = (DType::Float32, reduce);
        let (got, written) = watched(gpu, case, Strategy::CountThenRepeat, way, start, value).await?;
        equal("count", of_pass(&written, Pass::Count), &counts)?;
        let combine = |x: f32| if reduce == Reduce::Add { x + scalar } else { x * scalar };
        passes::apply_counted(&mut expected, plan.row().len, &counts, combine);
        equal(name, &got[..], bytemuck::cast_slice(&expected))?;
    }
    Ok(())
}

/// What passes have written, in order.
type Written = Vec<(Pass, Vec<u32>)>;

/// What a pass that ran once has written.
fn of_pass(written: &Written, pass: Pass) -> &[u32] {
    written.iter().find(|(which, _)| *which == pass).map_or(&[], |(_, words)| words)
}

/// [`scattered`], and what its passes have written.
async fn watched(
    gpu: &Rc<Gpu>,
    case: &Case,
    strategy: Strategy,
    way: (DType, Reduce),
    table: &[u32],
    src: Result<&[u32], u64>,
) -> Result<(Vec<u32>, Written), Fault> {
    gpu.watch(true);
    let got = scattered(gpu, case, strategy, way, table, src).await;
    let mut written = Vec::new();
    for (pass, buffer) in gpu.watch(false) {
        written.push((pass, words(&buffer).await?));
    }
    Ok((got?, written))
}

/// Runs a scatter by a strategy, and returns the words of the table.
async fn scattered(
    gpu: &Rc<Gpu>,
    Case { plan, index, .. }: &Case,
    strategy: Strategy,
    (dtype, reduce): (DType, Reduce),
    table: &[u32],
    src: Result<&[u32], u64>,
) -> Result<Vec<u32>, Fault> {
    let index = gpu.upload("test", bytemuck::cast_slice(index))?;
    let index = Index { buffer: &index, dtype: DType::Int64, state: IndexState::Unchecked };
    let mut table = Rc::new(gpu.upload("test", bytemuck::cast_slice(table))?);
    let src = src.map(|words| gpu.upload("test", bytemuck::cast_slice(words)));
    let value = match &src {
        Ok(buffer) => Value::Buffer(buffer.as_ref().map_err(Clone::clone)?),
        Err(scalar) => Value::Scalar(*scalar),
    };
    let _forced = ForcedStrategy::new(gpu, strategy);
    let before = gpu.strategies_run();
    gpu.scatter(plan, dtype, reduce.into(), &mut table, index, value)?;
    let at = Strategy::ALL.iter().position(|&way| way == strategy).unwrap();
    equal("went that way", gpu.strategies_run()[at] - before[at], 1)?;
    Ok(words(&table).await?)
}

async fn atomics(gpu: &Rc<Gpu>, case: &Case) -> Row {
    use DType::{Bool, Float64, Int32, Int64, Uint8, Uint16, Uint32};
    use Reduce::{Add, Multiply, Replace};
    let ways: [(DType, Reduce, Option<u64>, passes::Apply); 9] = [
        (Int32, Add, None, passes::add_4),
        (Int64, Add, None, passes::add_8),
        (Int64, Add, Some(0xffff_ffff), passes::add_8),
        (Bool, Add, None, passes::or),
        (Bool, Multiply, None, passes::and),
        (Uint8, Replace, Some(0xa7), passes::store_packed),
        (Uint16, Replace, Some(0xb00f), passes::store_packed),
        (Uint32, Replace, Some(0xdead_beef), passes::store_4),
        (Float64, Replace, Some(0x3ff0_1234_5678_9abc), passes::store_8),
    ];
    for (dtype, reduce, scalar, apply) in ways {
        let bits = 8 * dtype.size();
        let mut expected = words_of(1, case.plan.table_len(), dtype);
        let src = words_of(2, case.values, dtype);
        let values = scalar.map_or(Ok(&src[..]), Err);
        let got = scattered(gpu, case, Strategy::Atomics, (dtype, reduce), &expected, values).await?;
        let bytes: &[u8] = bytemuck::cast_slice(&src);
        let update = |at: usize| {
            let element = bytes.iter().skip(at * dtype.size()).take(dtype.size());
            scalar.unwrap_or(element.rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte)))
        };
        let mut dst = passes::Words { words: &mut expected, bits };
        passes::atomics(&case.plan, &case.index, &mut dst, update, apply);
        equal(&format!("{dtype} {reduce:?} {scalar:x?}"), &got, &expected)?;
    }
    Ok(())
}

/// What a twin takes: the plan, the index, the table, an update by its number, and how it is combined.
type Twin<E> = fn(&Addressing, &[i64], &mut [E], &dyn Fn(usize) -> E, &dyn Fn(E, E) -> E);

async fn in_few_passes(
    gpu: &Rc<Gpu>,
    case: &Case,
    strategy: Strategy,
    of_words: Twin<u32>,
    of_bytes: Twin<u8>,
) -> Row {
    let (len, values) = (case.plan.table_len(), case.values);
    let start: Vec<f32> = (0..len.next_multiple_of(4)).map(|k| k as f32 / 3.0).collect();
    let src: Vec<f32> = (0..values).map(|k| 0.1 + (k % 1013) as f32 / 7.0).collect();
    let (start, src) = (bytemuck::cast_slice::<_, u32>(&start), bytemuck::cast_slice::<_, u32>(&src));
    let add = |a: u32, b: u32| (f32::from_bits(a) + f32::from_bits(b)).to_bits();
    let scalar = 0.3f32.to_bits();
    for (name, reduce, values) in [
        ("sums", Reduce::Add, Ok(src)),
        ("sums of a scalar", Reduce::Add, Err(u64::from(scalar))),
        ("replacement", Reduce::Replace, Ok(src)),
    ] {
        let mut expected = start.to_vec();
        let way = (DType::Float32, reduce);
        let got = scattered(gpu, case, strategy, way, &expected, values).await?;
        let update = |at: usize| values.map_or(scalar, |src| src[at]);
        let combine = |a, b| if reduce == Reduce::Add { add(a, b) } else { b };
        of_words(&case.plan, &case.index, &mut expected, &update, &combine);
        equal(name, &got, &expected)?;
    }
    // Elements that share words.
    let table = words_of(3, len, DType::Uint8);
    let src = words_of(4, values, DType::Uint8);
    let way = (DType::Uint8, Reduce::Multiply);
    let got = scattered(gpu, case, strategy, way, &table, Ok(&src)).await?;
    let mut expected: Vec<u8> = bytemuck::cast_slice(&table).to_vec();
    let bytes: &[u8] = bytemuck::cast_slice(&src);
    of_bytes(&case.plan, &case.index, &mut expected, &|at| bytes[at], &u8::wrapping_mul);
    equal("bytes", bytemuck::cast_slice(&got), &expected[..])
}
