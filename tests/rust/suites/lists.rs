//! Ordered scatters by lists of entries: the CPU's bits for lists of every length at which a pass ends, in every dtype and by every reduction,
//! whatever entries are skipped; planted faults are found. Natively only: a page would wait for minutes.

use std::rc::Rc;

use scatterwise::testing::gpu::Gpu;
use scatterwise::testing::gpu::testing::{Hooks as _, Pass, Rewrite, ShaderKey, Strategy, plant};
use scatterwise::{DType, ErrorCode, IndexMode, IndexPlan, Op, OutOfRange, Reduce, Scatter, Target, Tensor};

use crate::common::backends::{AsHardware, Backend, ForcedStrategy, Place, on_webgpu, read};
use crate::common::call::Planned as _;
use crate::common::data::{Data, is_float};
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal, error_of, same, say};
use crate::suites::faulty_adapters;

/// How many entries name the first rows. No entry names the rows behind.
const LENGTHS: [usize; 24] =
    [0, 1, 2, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32, 33, 64, 128, 129, 256, 257, 1000, 1023, 1024, 1025, 3000];
const ROWS: usize = LENGTHS.len() + 500;

/// An index in which row k has `lengths[k]` entries, in no order.
fn shuffled(lengths: &[usize]) -> Vec<i64> {
    let mut numbers = Numbers(19);
    let each = |(row, &length): (usize, &usize)| vec![row as i64; length];
    let mut index: Vec<_> = lengths.iter().enumerate().flat_map(each).collect();
    for at in (1..index.len()).rev() {
        index.swap(at, numbers.below(at as u64 + 1) as usize);
    }
    index
}

/// Numbers near 1 whose sums and products are rounded, or small integers other than 0.
fn numbers(dtype: DType, len: usize) -> scatterwise::Result<Tensor> {
    let mut random = Numbers(23);
    let values: Vec<f64> = (0..len)
        .map(|_| {
            if is_float(dtype) {
                (1.0 + random.below(1 << 50) as f64 / (1u64 << 51) as f64)
                    .powi(1 - 2 * random.below(2) as i32)
            } else {
                (1 + random.below(7)) as f64
            }
        })
        .collect();
    Tensor::from_elements(&[len], &values)?.astype(dtype)
}

/// A scatter that can go by lists.
struct Work {
    /// Rows and the elements of a row.
    dims: [usize; 2],
    index: Vec<i64>,
    mode: IndexMode,
}

impl Work {
    fn new(dims: [usize; 2], index: Vec<i64>) -> Self {
        Self { dims, index, mode: IndexMode::default() }
    }

    /// Whether lists give the CPU's bits.
    async fn is_right(&self, gpu: &Rc<Gpu>, dtype: DType, reduce: Reduce) -> Row {
        let Self { dims: [rows, row], ref index, mode } = *self;
        let backend = Backend::WebGpu(gpu.clone());
        let index = Data::new(&[index.len(), 1], index);
        let table = numbers(dtype, rows * row)?.reshape(&[rows, row])?;
        let src = numbers(dtype, index.len() * row)?.reshape(&[index.len(), row])?;
        let run = |mut table: Tensor, index: &Tensor, src: Tensor| {
            let call = Scatter::new(Op::ScatterNdInPlace, Target::tuples(index), src.into(), reduce);
            Scatter { mode, ..call }.run(&mut table).map(|()| table)
        };
        let here = run(table.clone(), &index.tensor(), src.clone())?;
        let _forced = ForcedStrategy::new(gpu, Strategy::Lists);
        let at = Strategy::ALL.iter().position(|&one| one == Strategy::Lists).unwrap();
        let before = gpu.strategies_run()[at];
        let there = run(table.upload()?, &backend.put_at(Place::Computed, &index)?, src.upload()?)?;
        equal("went that way", gpu.strategies_run()[at] - before, 1)?;
        same("result", Data::of(&here).difference_of_bits(&read(&there).await?))
    }
}

one_thread!(every_length_of_a_list);
/// All dtypes and reductions, and the constants of both kinds of adapters.
async fn every_length_of_a_list() {
    on_webgpu("lists", async |gpu, report| {
        let work = Work::new([ROWS, 1], shuffled(&LENGTHS));
        for &dtype in DType::ALL {
            for &reduce in Reduce::ALL {
                if (dtype, reduce) == (DType::Bool, Reduce::Divide) {
                    continue;
                }
                report.row(&format!("{dtype} {reduce:?}"), work.is_right(gpu, dtype, reduce).await);
                // llvmpipe would leave the loops of such quotients: see `LONG_ROUNDS`.
                if (reduce, dtype.size()) == (Reduce::Divide, 8) {
                    continue;
                }
                let _posing = AsHardware::new(gpu);
                let outcome = work.is_right(gpu, dtype, reduce).await;
                report.row(&format!("{dtype} {reduce:?} as hardware"), outcome);
            }
        }
    })
    .await;
}

one_thread!(lists_of_all_shapes);
/// Longer rows, one row for all entries, a law of Zipf, many lists of a kind; and so few rounds or so small a budget that passes are cut.
async fn lists_of_all_shapes() {
    let zipf = |len: usize| {
        let mut random = Numbers(29);
        let row = |of: u64| (4000.0f64.powf(of as f64 / (1u64 << 32) as f64) - 1.0) as i64;
        (0..len).map(|_| row(random.below(1 << 32))).collect::<Vec<_>>()
    };
    on_webgpu("lists-of-all-shapes", async |gpu, report| {
        for (name, work) in [
            ("rows of 3", Work::new([ROWS, 3], shuffled(&LENGTHS))),
            ("rows of 300", Work::new([40, 300], shuffled(&LENGTHS[..23]))),
            ("one row", Work::new([2, 1], vec![1; 70_000])),
            ("one row of many", Work::new([100_000, 1], vec![-1; 70_000])),
            ("ones", Work::new([1, 1], vec![0; 33])),
            ("Zipf", Work::new([4000, 1], zipf(100_000))),
            ("33 each", Work::new([3000, 1], shuffled(&[33; 2000]))),
            ("1,025 each", Work::new([50, 1], shuffled(&[1025; 40]))),
        ] {
            report
                .row(&format!("{name}, quotients"), work.is_right(gpu, DType::Float64, Reduce::Divide).await);
            for dtype in [DType::Float32, DType::Float16, DType::Float64] {
                let name = format!("{name}, {dtype}");
                report.row(&name, work.is_right(gpu, dtype, Reduce::Add).await);
                gpu.force_rounds(Some(2048));
                report.row(&format!("{name}, few rounds"), work.is_right(gpu, dtype, Reduce::Add).await);
                gpu.force_rounds(None);
                gpu.force_budget(Some(1 << 16));
                report.row(&format!("{name}, small budget"), work.is_right(gpu, dtype, Reduce::Add).await);
                gpu.force_budget(None);
            }
        }
    })
    .await;
}

one_thread!(no_thread_runs_long);
/// Quotients, whose updates take the most rounds, on this adapter, and on one that ends loops after as many rounds as llvmpipe.
async fn no_thread_runs_long() {
    on_webgpu("rounds-of-lists", async |gpu, report| {
        fn stops(_: ShaderKey, text: &str) -> Option<String> {
            Some(faulty_adapters::stops_loops(text, 32_767))
        }
        let in_turn = |rows: i64| (0..24_576).map(|k| k % rows).collect::<Vec<_>>();
        for dtype in [DType::Float32, DType::Float64] {
            let works = [
                ("4 long lists", [8192, 1], in_turn(4)),
                ("rows of 3", [8192, 3], in_turn(3)),
                ("medium lists", [8192, 1], in_turn(24)),
                ("all lengths", [ROWS, 1], shuffled(&LENGTHS)),
            ];
            for (name, dims, index) in works {
                let name = format!("{name}, {dtype}");
                let work = Work::new(dims, index);
                report.row(&name, work.is_right(gpu, dtype, Reduce::Divide).await);
                let run = async move || {
                    let gpu = faulty_adapters::start().await?;
                    plant(Some(stops as Rewrite));
                    work.is_right(&gpu, dtype, Reduce::Divide).await
                };
                report.row(&format!("{name}, loops end"), faulty_adapters::apart(run));
            }
        }
    })
    .await;
}

one_thread!(lists_skip_entries);
/// Every mode, with and without an ignored value. Where a value is refused, nothing is written.
async fn lists_skip_entries() {
    on_webgpu("lists-skip", async |gpu, report| {
        let mut index = shuffled(&LENGTHS);
        let range = ROWS as i64;
        index.iter_mut().enumerate().for_each(|(k, value)| match k % 7 {
            0 => *value -= range,
            1 => *value += 3 * range,
            2 => *value = 77,
            _ => {}
        });
        for &out_of_range in OutOfRange::ALL {
            for ignored in [None, Some(77)] {
                let name = format!("{out_of_range:?} {ignored:?}");
                let mut work = Work::new([ROWS, 1], index.clone());
                work.mode = IndexMode { out_of_range, ignored };
                if out_of_range == OutOfRange::Raise {
                    report.row(&name, is_refused(gpu, &work).await);
                    work.index.iter_mut().for_each(|value| *value %= range);
                }
                for dtype in [DType::Float32, DType::Bfloat16, DType::Float64] {
                    let outcome = work.is_right(gpu, dtype, Reduce::Add).await;
                    report.row(&format!("{name} {dtype}"), outcome);
                }
            }
        }
    })
    .await;
}

/// Whether a read reports the first value out of range, and the table has its old bits.
async fn is_refused(gpu: &Rc<Gpu>, work: &Work) -> Row {
    let _forced = ForcedStrategy::new(gpu, Strategy::Lists);
    let backend = Backend::WebGpu(gpu.clone());
    let index = backend.put_at(Place::Computed, &Data::new(&[work.index.len(), 1], &work.index))?;
    let table = numbers(DType::Float32, ROWS)?.reshape(&[ROWS, 1])?;
    let src = numbers(DType::Float32, work.index.len())?.reshape(&[work.index.len(), 1])?;
    let mut there = table.upload()?;
    let call = Scatter::new(Op::ScatterNdInPlace, Target::tuples(&index), src.upload()?.into(), Reduce::Add);
    Scatter { mode: work.mode, ..call }.run(&mut there)?;
    equal("code", error_of(read(&there).await)?.code(), ErrorCode::IndexOutOfRange)?;
    same("unchanged", Data::of(&table).difference(&read(&there).await?))
}

one_thread!(a_plan_sorts);
/// A plan keeps the order of its entries, so its calls sort once; other calls go by lists.
async fn a_plan_sorts() {
    const LEN: usize = 20_000;
    on_webgpu("lists-and-plans", async |gpu, report| {
        let index: Vec<i32> = (0..LEN as i64).map(|k| (k * k % 9973) as i32).collect();
        let index = Tensor::from_elements(&[LEN], &index).unwrap();
        let plan = IndexPlan::along(&[LEN], 0, &index).unwrap();
        let chosen = |before: [u32; Strategy::ALL.len()]| {
            let changed = gpu.strategies_run().into_iter().zip(before).map(|(after, before)| after != before);
            Strategy::ALL.iter().zip(changed).filter(|&(_, is)| is).map(|(&way, _)| way).collect::<Vec<_>>()
        };
        let outcome = async {
            let table = numbers(DType::Float32, LEN)?.upload()?;
            let before = gpu.strategies_run();
            let by_plan = table.scatter_at(&plan, &table, Reduce::Add)?;
            equal("by a plan", chosen(before), vec![Strategy::RunPerThread])?;
            let before = gpu.strategies_run();
            let by_lists = table.scatter_add(0, &index.upload()?, &table)?;
            equal("by an index", chosen(before), vec![Strategy::Lists])?;
            same("result", read(&by_plan).await?.difference_of_bits(&read(&by_lists).await?))
        };
        report.row("a plan", outcome.await);
    })
    .await;
}

faults! {
    in |key| matches!(key.pass, Pass::Link | Pass::ShortLists | Pass::MediumLists | Pass::LongLists);
    exchanges_nothing: "atomicExchange(" => "atomicMin(";
    takes_any_of_eight: "low=min(max(vec4<u32>(0u,low.xyz),new_number),low);" => "low=vec4<u32>(new_number.x,low.xyz);";
    takes_the_first_eight_again: "first=low.x+1u;" => "first=0u;";
    notes_one_list: "atomicAdd(&longer[kind],1u)" => "atomicMax(&longer[kind],1u)";
    keeps_the_order_of_a_list: "vec4<u32>(numbers[k])<mine" => "vec4<u32>(k)<at_four";
    loses_a_turn: "begin+=128u" => "begin+=256u";
    takes_one_of_four: "named|=1u<<i" => "named=1u<<i";
    begins_again: "begin=params.begin;" => "begin=0u;";
}

one_thread!(faults_in_lists_are_found);
/// Each planted fault gives wrong bits, and so does scratch memory that is not cleared. No pass runs without end in them.
async fn faults_in_lists_are_found() {
    on_webgpu("faults-in-lists", async |gpu, report| {
        let finds = |outcome: Row| match outcome {
            Err(Fault::Wrong(text)) if text.starts_with("result") => Ok(()),
            Ok(()) => Err(Fault::Wrong("not found".into())),
            other => other,
        };
        for &(name, fault) in FAULTS {
            let run = async move || {
                let gpu = faulty_adapters::start().await?;
                plant(Some(fault as Rewrite));
                gpu.force_rounds(Some(1024));
                Work::new([ROWS, 1], shuffled(&LENGTHS)).is_right(&gpu, DType::Float32, Reduce::Add).await
            };
            report.row(name, finds(faulty_adapters::apart(run)));
        }
        let outcome = async {
            let work = Work::new([ROWS, 1], shuffled(&LENGTHS));
            gpu.keep_old_bytes(true);
            let mut outcome = Ok(());
            for _ in 0..3 {
                outcome = outcome.and(work.is_right(gpu, DType::Float32, Reduce::Add).await);
            }
            gpu.keep_old_bytes(false);
            finds(outcome)
        };
        report.row("old bytes", outcome.await);
    })
    .await;
}

one_thread!(
    #[ignore = "measures"]
    time_of_lists
);
/// Prints the least times of ordered float32 sums by a sort and by lists, interleaved.
async fn time_of_lists() {
    on_webgpu("time-of-lists", async |gpu, report| {
        for (entries, rows, row) in [
            (1 << 20, 1 << 20, 1),
            (1 << 20, 1 << 18, 1),
            (1 << 18, 1 << 22, 1),
            (1 << 18, 1 << 18, 4),
            (1 << 14, 1 << 14, 1),
        ] {
            let mut random = Numbers(5);
            let index: Vec<i32> = (0..entries).map(|_| random.below(rows as u64) as i32).collect();
            let index = Tensor::from_elements(&[entries, 1], &index).unwrap().upload().unwrap();
            let [table, src] = [rows, entries].map(|len| {
                numbers(DType::Float32, len * row).unwrap().reshape(&[len, row]).unwrap().upload().unwrap()
            });
            let ways = [Strategy::RunPerThread, Strategy::Lists];
            let mut least = [f64::INFINITY; 2];
            for _ in 0..8 {
                for (least, way) in least.iter_mut().zip(ways) {
                    let _forced = ForcedStrategy::new(gpu, way);
                    let (target, src) = (Target::tuples(&index), src.clone().into());
                    let call = Scatter::new(Op::ScatterNdInPlace, target, src, Reduce::Add);
                    gpu.sync().await.unwrap();
                    let start = std::time::Instant::now();
                    call.run(&mut table.clone()).unwrap();
                    gpu.sync().await.unwrap();
                    *least = least.min(start.elapsed().as_secs_f64() * 1e3);
                }
            }
            let [sort, lists] = least;
            say(&format!(
                "{entries} entries, {rows} rows of {row}: a sort {sort:.2} ms, lists {lists:.2} ms"
            ));
            report.row(&format!("{entries} {rows} {row}"), Ok(()));
        }
    })
    .await;
}
