//! The passes of a scatter on the GPU, one by one, against their Rust twins.

use std::rc::Rc;

use scatterwise::testing::GpuIndex as Index;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Hooks as _, Pass, Strategy};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::{DeviceBuffer, Gpu};
use scatterwise::testing::{Addressed, Addressing, Arguments, Operand, ScatterBackend, Value};
use scatterwise::{DType, Op, Reduce, Shape};

use crate::common::backends::{ForcedStrategy, on_webgpu};
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal};
use crate::twins::passes::{self, words_of};

/// A scatter whose passes are compared with their twins.
struct Case {
    name: &'static str,
    plan: Addressing,
    /// The index in row-major order: its values for `along`, numbers of tuples for `tuples`.
    index: Vec<i64>,
    /// How many elements src has.
    src_len: usize,
}

/// What a scatter applies: the words of src, or the bits of a scalar.
#[derive(Clone, Copy)]
enum Updates<'a> {
    Words(&'a [u32]),
    Scalar(u64),
}

/// A shape; its argument `"test"` is the operator that an error would name.
fn shape(dims: &[usize]) -> Shape {
    Shape::new("test", dims).unwrap()
}

/// The plan of `scatter_add` along dimension 0 with operands of these shapes. The passes ignore its dtypes; they get their own.
fn along(table: &[usize], index: &[usize], src: &[usize]) -> Addressing {
    let (table, index, src) = (shape(table), shape(index), shape(src));
    let operand = |shape, dtype| Operand { shape, dtype };
    let (table, src) = (operand(&table, DType::Float32), Some(operand(&src, DType::Float32)));
    let (op, form, index) = (Op::ScatterAdd, Addressed::Along(0), operand(&index, DType::Int64));
    Addressing::scatter(&Arguments { op, form, table, index, src }).unwrap()
}

/// The plan of `entries` pairs that address a table of 30 by 40 rows of three elements.
fn tuples(entries: usize) -> Addressing {
    let (table, index, src) = (shape(&[30, 40, 3]), shape(&[entries, 2]), shape(&[entries, 3]));
    let operand = |shape, dtype| Operand { shape, dtype };
    let (table, src) = (operand(&table, DType::Float32), Some(operand(&src, DType::Float32)));
    let (op, form, index) = (Op::ScatterAdd, Addressed::Tuples(0), operand(&index, DType::Int64));
    Addressing::scatter(&Arguments { op, form, table, index, src }).unwrap()
}

/// `len` values of an index from −bound to bound − 1.
fn entries(numbers: &mut Numbers, len: usize, bound: i64) -> Vec<i64> {
    (0..len).map(|_| numbers.below(2 * bound as u64) as i64 - bound).collect()
}

/// `len` pairs for `tuples`.
fn pairs(numbers: &mut Numbers, len: usize) -> Vec<i64> {
    let mut pairs = entries(numbers, 2 * len, 30);
    // The second dimension has 40 places: its numbers are stretched from −30 to 29 to −40 to 38.
    pairs.iter_mut().skip(1).step_by(2).for_each(|value| *value = *value * 4 / 3);
    pairs
}

/// Scatters whose entries are part of a tile of the sort (4,096 entries) or fill several, the last one in part.
fn cases() -> Vec<Case> {
    let numbers = &mut Numbers(11);
    vec![
        Case {
            name: "one tile",
            plan: along(&[7], &[100], &[100]),
            index: entries(numbers, 100, 7),
            src_len: 100,
        },
        Case {
            name: "four tiles, two loops",
            plan: along(&[300, 6], &[2900, 5], &[2900, 6]),
            index: entries(numbers, 14_500, 300),
            src_len: 17_400,
        },
        Case { name: "tuples and rows", plan: tuples(5000), index: pairs(numbers, 5000), src_len: 15_000 },
        // More entries of one row than a dispatch walks, next to others.
        Case {
            name: "long runs",
            plan: along(&[3], &[60_000], &[60_000]),
            index: (0..60_000).map(|k| if k % 7 == 0 { k % 3 } else { -2 }).collect(),
            src_len: 60_000,
        },
        // The numbers of entries begin behind the rows: at the second, third and fourth word of a quad.
        Case { name: "a word more", plan: tuples(4097), index: pairs(numbers, 4097), src_len: 12_291 },
        Case { name: "two words more", plan: tuples(8190), index: pairs(numbers, 8190), src_len: 24_570 },
        Case { name: "three words more", plan: tuples(19), index: pairs(numbers, 19), src_len: 57 },
        // 74 tiles have 1,184 counts.
        Case {
            name: "two rounds of the scan",
            plan: along(&[20], &[300_001], &[300_001]),
            index: entries(numbers, 300_001, 20),
            src_len: 300_001,
        },
    ]
}

/// Scatters of at most 1,024 entries.
fn small_cases() -> Vec<Case> {
    let numbers = &mut Numbers(12);
    vec![
        Case { name: "one entry", plan: along(&[7], &[1], &[1]), index: vec![-1], src_len: 1 },
        Case {
            name: "a workgroup's worth",
            plan: along(&[50], &[1024], &[1024]),
            index: entries(numbers, 1024, 50),
            src_len: 1024,
        },
        Case {
            name: "two loops",
            plan: along(&[9, 6], &[150, 5], &[150, 6]),
            index: entries(numbers, 750, 9),
            src_len: 900,
        },
        Case { name: "tuples and rows", plan: tuples(700), index: pairs(numbers, 700), src_len: 2100 },
    ]
}

/// All words of a buffer, read from the device.
async fn words(buffer: &DeviceBuffer) -> scatterwise::Result<Vec<u32>> {
    Ok(buffer.read("test").await?.elements().to_vec())
}

one_thread!(passes_equal_their_twins);
/// Every strategy but those by the columns pass, which has no twin.
async fn passes_equal_their_twins() {
    on_webgpu("passes", async |gpu, report| {
        for case in cases() {
            report.row(&format!("{}: sort", case.name), sort(gpu, &case).await);
            report.row(&format!("{}: winner", case.name), winner(gpu, &case).await);
            report.row(&format!("{}: counted", case.name), counted(gpu, &case).await);
            report.row(&format!("{}: atomics", case.name), atomics(gpu, &case).await);
        }
        for case in small_cases() {
            report.row(&format!("{}: small", case.name), small(gpu, &case).await);
        }
    })
    .await;
}

/// Sums by the two strategies that sort. Each pass is compared with its twin on what the GPU's pass before it wrote.
async fn sort(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let entries = plan.entries();
    let src: Vec<f32> = (0..case.src_len).map(|k| 0.1 + (k % 1013) as f32 / 7.0).collect();
    type Twin = fn(&Addressing, &[i64], &mut [f32], &[u32], &[f32]);
    let ways: [(_, _, Twin); 2] = [
        ("run_per_thread", Strategy::RunPerThread, passes::run_per_thread),
        ("row_per_group", Strategy::RowPerGroup, passes::row_per_group),
    ];
    for (name, strategy, twin) in ways {
        let mut expected = vec![0.5f32; plan.table_len()];
        let (start, values) = (bytemuck::cast_slice(&expected), Updates::Words(bytemuck::cast_slice(&src)));
        let (got, written) =
            watched(gpu, case, strategy, (DType::Float32, Reduce::Add), start, values).await?;
        // The row of each entry and the entry's number, as far as they are sorted. `bit` is the lowest of the digit that is sorted by.
        let (mut rows, mut order) = (Vec::new(), (0..entries as u32).collect::<Vec<_>>());
        let (mut counts, mut bit) = (Vec::new(), 0);
        for (pass, output) in written {
            match pass {
                Pass::Normalise => {
                    rows = output[..entries].to_vec();
                    equal("normalise", &rows, &passes::normalise(plan, index))?;
                }
                Pass::DigitCount => {
                    equal("digit_count", &output, &passes::digit_count(&rows, bit))?;
                    counts = output;
                }
                Pass::DigitScan => {
                    equal("digit_scan", &output, &passes::digit_scan(&counts))?;
                    counts = output;
                }
                Pass::DigitScatter => {
                    equal("digit_scatter", &output, &passes::digit_scatter(&rows, &order, &counts, bit))?;
                    // Rows, and behind them the numbers of their entries.
                    (rows, order) = (output[..entries].to_vec(), output[entries..].to_vec());
                    bit += 4;
                }
                // The pass that applies the entries is compared by the table, below.
                _ => {}
            }
        }
        // Entries of the same row keep their order.
        let is_sorted = rows.is_sorted()
            && rows.windows(2).zip(order.windows(2)).all(|(r, o)| r[0] < r[1] || o[0] < o[1]);
        equal("sorted, and stable", is_sorted && bit > 0, true)?;
        twin(plan, index, &mut expected, &[rows, order].concat(), &src);
        equal(name, bytemuck::cast_slice::<_, f32>(&got), &expected)?;
    }
    Ok(())
}

/// Replacement by the strategy that finds the last entry of each row. Each pass is compared with its twin.
async fn winner(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let src: Vec<i32> = (0..case.src_len as i32).collect();
    let mut expected = vec![-1; plan.table_len()];
    let (start, values) = (bytemuck::cast_slice(&expected), Updates::Words(bytemuck::cast_slice(&src)));
    let way = (DType::Int32, Reduce::Replace);
    let (got, written) = watched(gpu, case, Strategy::Winner, way, start, values).await?;
    let rows = passes::normalise(plan, index);
    let marks = [Pass::Mark, Pass::MarkQuads].map(|pass| of_pass(&written, pass)).concat();
    equal("mark", &marks, &passes::mark(plan.table_len() / plan.row().len, &rows))?;
    passes::commit(plan, index, &mut expected, &marks, &src);
    equal("commit", bytemuck::cast_slice::<_, i32>(&got), &expected)
}

/// One scalar for all entries, by the strategy that counts them: the result is that of a loop that applies it as often.
async fn counted(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let Case { plan, index, .. } = case;
    let counts = passes::count(plan.table_len() / plan.row().len, &passes::normalise(plan, index));
    for (name, scalar) in [("sum", 0.1f32), ("sum towards zero", -0.3), ("ties", 0.5)] {
        // Values at which sums round in different ways: near a power of two, zero, subnormal.
        let mut expected: Vec<f32> =
            (0..plan.table_len()).map(|k| [1000.7, 8_388_607.0, 0.0, 3e-39, -5.5][k % 5]).collect();
        let (start, value) = (bytemuck::cast_slice(&expected), Updates::Scalar(scalar.to_bits().into()));
        let way = (DType::Float32, Reduce::Add);
        let (got, written) = watched(gpu, case, Strategy::CountThenRepeat, way, start, value).await?;
        let counted = [Pass::Count, Pass::CountQuads].map(|pass| of_pass(&written, pass)).concat();
        equal("count", &counted, &counts)?;
        passes::apply_counted(&mut expected, plan.row().len, &counts, |x| x + scalar);
        equal(name, &got[..], bytemuck::cast_slice(&expected))?;
    }
    Ok(())
}

/// The words that each pass wrote, in the order in which the passes ran.
type Written = Vec<(Pass, Vec<u32>)>;

/// The words of a pass that ran once; empty if it did not run.
fn of_pass(written: &Written, pass: Pass) -> &[u32] {
    written.iter().find(|(which, _)| *which == pass).map_or(&[], |(_, words)| words)
}

/// Runs the scatter of a case as [`scattered`] does, and also returns what its passes have written.
async fn watched(
    gpu: &Rc<Gpu>,
    case: &Case,
    strategy: Strategy,
    way: (DType, Reduce),
    table: &[u32],
    src: Updates<'_>,
) -> Result<(Vec<u32>, Written), Fault> {
    gpu.watch(true);
    let got = scattered(gpu, case, strategy, way, table, src).await;
    // Stops watching, also after an error.
    let mut written = Vec::new();
    for (pass, buffer) in gpu.watch(false) {
        written.push((pass, words(&buffer).await?));
    }
    Ok((got?, written))
}

/// Runs the scatter of a case by a strategy, which has to apply, on elements of `dtype` whose words are `table`. Returns the words of the
/// table afterwards.
async fn scattered(
    gpu: &Rc<Gpu>,
    Case { plan, index, .. }: &Case,
    strategy: Strategy,
    (dtype, reduce): (DType, Reduce),
    table: &[u32],
    src: Updates<'_>,
) -> Result<Vec<u32>, Fault> {
    let index = Rc::new(gpu.upload("test", bytemuck::cast_slice(index))?);
    let index = Index::values(index, DType::Int64, false);
    let mut table = Rc::new(gpu.upload("test", bytemuck::cast_slice(table))?);
    let uploaded;
    let value = match src {
        Updates::Words(words) => {
            uploaded = gpu.upload("test", bytemuck::cast_slice(words))?;
            Value::Buffer(&uploaded)
        }
        Updates::Scalar(bits) => Value::Scalar(bits),
    };
    let _forced = ForcedStrategy::new(gpu, strategy);
    let before = gpu.strategies_run();
    gpu.scatter(plan, dtype, reduce.into(), &mut table, &index, value)?;
    let at = Strategy::ALL.iter().position(|&way| way == strategy).unwrap();
    equal("went that way", gpu.strategies_run()[at] - before[at], 1)?;
    Ok(words(&table).await?)
}

/// The strategy of atomic operations: each of its operations with each width of elements. Maximum and minimum have no twin and
/// are left out.
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
        let src = words_of(2, case.src_len, dtype);
        let values = scalar.map_or(Updates::Words(&src), Updates::Scalar);
        let got = scattered(gpu, case, Strategy::Atomics, (dtype, reduce), &expected, values).await?;
        let bytes: &[u8] = bytemuck::cast_slice(&src);
        // The bits of element `at` of src, or of the scalar. The twin asks for both alike.
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

/// The strategy for few entries, which is one pass: sums and replacement of float32, then products of bytes, four of which share a word.
async fn small(gpu: &Rc<Gpu>, case: &Case) -> Row {
    let (len, src_len) = (case.plan.table_len(), case.src_len);
    // Up to three elements more than the plan's table has, which stay as they are.
    let start: Vec<f32> = (0..len.next_multiple_of(4)).map(|k| k as f32 / 3.0).collect();
    let src: Vec<f32> = (0..src_len).map(|k| 0.1 + (k % 1013) as f32 / 7.0).collect();
    let (start, src) = (bytemuck::cast_slice::<_, u32>(&start), bytemuck::cast_slice::<_, u32>(&src));
    let add = |a: u32, b: u32| (f32::from_bits(a) + f32::from_bits(b)).to_bits();
    let scalar = 0.3f32.to_bits();
    for (name, reduce, values) in [
        ("sums", Reduce::Add, Updates::Words(src)),
        ("sums of a scalar", Reduce::Add, Updates::Scalar(u64::from(scalar))),
        ("replacement", Reduce::Replace, Updates::Words(src)),
    ] {
        let mut expected = start.to_vec();
        let way = (DType::Float32, reduce);
        let got = scattered(gpu, case, Strategy::Small, way, &expected, values).await?;
        let update = |at: usize| match values {
            Updates::Words(words) => words[at],
            Updates::Scalar(bits) => bits as u32,
        };
        let combine = |a, b| if reduce == Reduce::Add { add(a, b) } else { b };
        passes::small(&case.plan, &case.index, &mut expected, &update, &combine);
        equal(name, &got, &expected)?;
    }
    // Elements that share words.
    let table = words_of(3, len, DType::Uint8);
    let src = words_of(4, src_len, DType::Uint8);
    let way = (DType::Uint8, Reduce::Multiply);
    let got = scattered(gpu, case, Strategy::Small, way, &table, Updates::Words(&src)).await?;
    let mut expected: Vec<u8> = bytemuck::cast_slice(&table).to_vec();
    let bytes: &[u8] = bytemuck::cast_slice(&src);
    passes::small(&case.plan, &case.index, &mut expected, &|at| bytes[at], &u8::wrapping_mul);
    equal("bytes", bytemuck::cast_slice(&got), &expected[..])
}
