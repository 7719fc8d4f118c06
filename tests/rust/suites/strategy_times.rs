//! Every strategy side by side over the workloads of docs/PERFORMANCE.md: where the thresholds of
//! `src/backend/gpu/scatter/strategy.rs` come from. Not a test; run it with
//! `cargo test --release --test main strategy_times -- --ignored --nocapture`.

use std::rc::Rc;
use std::time::Instant;

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Hooks as _, Strategy};
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::{DeviceOptions, Gpu};
use scatterwise::{DType, Reduce, Scalar, Source, Tensor, scatter_mul};

use crate::common::backends::ForcedStrategy;
use crate::common::pairs::Numbers;

/// A call that is measured, with its operands on the GPU.
struct Workload {
    name: String,
    table: Tensor,
    index: Tensor,
    /// `None` is the scalar 0.5.
    source: Option<Tensor>,
    call: fn(&mut Tensor, &Tensor, Source) -> scatterwise::Result<()>,
}

/// float32 from 1 to 1.25 on the GPU.
fn floats(dims: &[usize]) -> Tensor {
    let len = dims.iter().product::<usize>();
    let data: Vec<f32> = (0..len).map(|k| 1.0 + (k % 1000) as f32 / 4096.0).collect();
    Tensor::from_elements(dims, &data).unwrap().upload().unwrap()
}

/// An int32 index on the GPU whose values `entry` draws.
fn index(dims: &[usize], mut entry: impl FnMut(&mut Numbers) -> u64) -> Tensor {
    let mut numbers = Numbers(1);
    let data: Vec<i32> = (0..dims.iter().product()).map(|_| entry(&mut numbers) as i32).collect();
    Tensor::from_elements(dims, &data).unwrap().upload().unwrap()
}

/// Draws values below `bound`, small ones more often, about as Zipf's law has it for words: value k with a probability that falls as 1/k.
fn zipf(bound: u64) -> impl FnMut(&mut Numbers) -> u64 {
    move |numbers| {
        // From 0 to 1, without 0.
        let unit = (numbers.below(1 << 30) + 1) as f64 / (1u64 << 30) as f64;
        ((bound as f64).powf(unit) as u64 - 1).min(bound - 1)
    }
}

/// The workloads with about one of `part` of their elements; small tables and 1,000 updates stay as they are. `part` is a square number:
/// of two dimensions each is divided by its root.
fn workloads(part: usize) -> Vec<Workload> {
    let add = |table: &mut Tensor, index: &Tensor, source: Source| table.scatter_add_(0, index, source);
    let replace_1 = |table: &mut Tensor, index: &Tensor, source: Source| {
        table.scatter_(1, index, source, Reduce::Replace)
    };
    let replace_0 = |table: &mut Tensor, index: &Tensor, source: Source| {
        table.scatter_(0, index, source, Reduce::Replace)
    };
    let multiply = |table: &mut Tensor, index: &Tensor, source: Source| {
        table.scatter_(0, index, source, Reduce::Multiply)
    };
    let rows_add = |table: &mut Tensor, index: &Tensor, source: Source| table.scatter_add_nd_(index, source);
    let rows_multiply =
        |table: &mut Tensor, index: &Tensor, source: Source| scatter_mul(table, index, source);
    let (million, four_million) = ((1 << 20) / part, (4 << 20) / part);
    let row = |name: &str, table: &[usize], index: Tensor, source: Option<&[usize]>, call| Workload {
        name: format!("{name} /{part}"),
        table: floats(table),
        index,
        source: source.map(floats),
        call,
    };
    let side = (part as f64).sqrt() as usize;
    let (w, h) = (4096 / side, 1024 / side);
    let ids = 20_000 / part;
    vec![
        row(
            "scatter_ [1024,4096] dim 1",
            &[h, w],
            index(&[h, w], |n| n.below(w as u64)),
            Some(&[h, w]),
            replace_1,
        ),
        row(
            "scatter_ 1-D 1M",
            &[million],
            index(&[million], |n| n.below(million as u64)),
            Some(&[million]),
            replace_0,
        ),
        row(
            "add 1M to 1M",
            &[million],
            index(&[million], |n| n.below(million as u64)),
            Some(&[million]),
            add,
        ),
        row("add 4M to 16", &[16], index(&[four_million], |n| n.below(16)), Some(&[four_million]), add),
        row("histogram 4M of 256", &[256], index(&[four_million], |n| n.below(256)), None, add),
        row(
            "multiply [4096,256] by [1024,256] dim 0",
            &[4096 / side, 256 / side],
            index(&[1024 / side, 256 / side], |n| n.below(4096 / side as u64)),
            Some(&[1024 / side, 256 / side]),
            multiply,
        ),
        row(
            "rows add [50000,128] by 20000",
            &[50_000 / part, 128],
            index(&[ids, 1], zipf(50_000 / part as u64)),
            Some(&[ids, 128]),
            rows_add,
        ),
        row(
            "rows multiply [50000,128] by 20000",
            &[50_000 / part, 128],
            index(&[ids], zipf(50_000 / part as u64)),
            Some(&[ids, 128]),
            rows_multiply,
        ),
        row(
            "nd add [512,512,16] by 200000",
            &[512 / side, 512 / side, 16],
            index(&[200_000 / part, 2], |n| n.below(512 / side as u64)),
            Some(&[200_000 / part, 16]),
            rows_add,
        ),
        row("add 1000 to 1000", &[1000], index(&[1000], |n| n.below(1000)), Some(&[1000]), add),
        row("add 1000 to 16", &[16], index(&[1000], |n| n.below(16)), Some(&[1000]), add),
    ]
}

/// Milliseconds of the call of a workload, from the call until the GPU is done.
fn time(gpu: &Rc<Gpu>, workload: &Workload) -> f64 {
    let mut table = workload.table.clone();
    let source = || workload.source.as_ref().map_or(Source::Scalar(Scalar::Float(0.5)), Source::from);
    // A first call, which is not measured, copies the table and compiles the pipelines.
    (workload.call)(&mut table, &workload.index, source()).unwrap();
    pollster::block_on(gpu.sync()).unwrap();
    let start = Instant::now();
    (workload.call)(&mut table, &workload.index, source()).unwrap();
    pollster::block_on(gpu.sync()).unwrap();
    start.elapsed().as_secs_f64() * 1e3
}

/// Prints the time of each workload by each strategy that applies to it, and the strategy that is chosen where another does not apply.
#[test]
#[ignore = "takes minutes and asserts nothing"]
fn strategy_times() {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    let gpu = pollster::block_on(scatterwise::start_gpu("test", options, None)).unwrap();
    println!("{:?}; milliseconds, median of 5, interleaved", gpu.facts().description);
    for workload in workloads(64).into_iter().chain(workloads(1)) {
        let mut times = vec![Vec::new(); Strategy::ALL.len()];
        // The chosen strategy of a scatter to which the forced one does not apply; `None` if all apply.
        let mut chosen = None;
        // Every strategy in turn, so that a disturbance does not hit all times of one.
        for _ in 0..5 {
            for (times, &strategy) in times.iter_mut().zip(Strategy::ALL) {
                let before = gpu.strategies_run();
                let forced = ForcedStrategy::new(&gpu, strategy);
                let time = time(&gpu, &workload);
                drop(forced);
                let after = gpu.strategies_run();
                let ran = (0..after.len()).max_by_key(|&k| after[k] - before[k]).map(|k| Strategy::ALL[k]);
                if ran == Some(strategy) {
                    times.push(time);
                } else {
                    chosen = ran;
                }
            }
        }
        println!("{}", workload.name);
        let chosen_name = chosen.map_or("?".into(), |chosen| format!("{chosen:?}"));
        for (times, strategy) in times.iter_mut().zip(Strategy::ALL) {
            times.sort_by(f64::total_cmp);
            if let Some(median) = times.get(times.len() / 2) {
                println!("    {strategy:?}: {median:.2}");
            }
        }
        println!("    chosen: {chosen_name}");
    }
}

/// Prints the times of float32 sums, which are in integers, beside those of int32 sums, by each of three strategies and for tables of two sizes.
#[test]
#[ignore = "takes minutes and asserts nothing"]
fn arithmetic_times() {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    let gpu = pollster::block_on(scatterwise::start_gpu("test", options, None)).unwrap();
    println!("{:?}; median of 7, interleaved, milliseconds", gpu.facts().description);
    // How many updates, into how many slots.
    let many = [(1 << 20, 1 << 20), (1 << 20, 1 << 14)];
    let few_slots = [(1 << 17, 1 << 10), (1 << 17, 1 << 6)];
    let ways =
        [(Strategy::Columns, many), (Strategy::RunPerThread, many), (Strategy::RowPerGroup, few_slots)];
    let calls = ways.into_iter().flat_map(|(way, sizes)| sizes.map(|(updates, slots)| (way, updates, slots)));
    for (strategy, updates, slots) in calls {
        // Columns of 64 entries each: as many threads as a device can use.
        let (dims, index_dims) = match strategy {
            Strategy::Columns => (vec![slots / (1 << 14), 1 << 14], vec![updates / (1 << 14), 1 << 14]),
            _ => (vec![slots], vec![updates]),
        };
        let index = index(&index_dims, |numbers| numbers.below(dims[0] as u64));
        let floats_table = floats(&dims);
        let floats_src = floats(&index_dims);
        let dtypes = [DType::Float32, DType::Int32];
        let operands =
            dtypes.map(|dtype| [&floats_table, &floats_src].map(|tensor| tensor.astype(dtype).unwrap()));
        let mut times = [const { Vec::new() }; 2];
        for _ in 0..7 {
            for (times, [table, src]) in times.iter_mut().zip(&operands) {
                let _forced = ForcedStrategy::new(&gpu, strategy);
                let mut table = table.clone();
                table.scatter_add_(0, &index, src).unwrap();
                pollster::block_on(gpu.sync()).unwrap();
                let start = Instant::now();
                table.scatter_add_(0, &index, src).unwrap();
                pollster::block_on(gpu.sync()).unwrap();
                times.push(start.elapsed().as_secs_f64() * 1e3);
            }
        }
        let row = dtypes.iter().zip(times).map(|(dtype, mut times)| {
            times.sort_by(f64::total_cmp);
            format!("{dtype} {:.1}", times[times.len() / 2])
        });
        println!("{strategy:?} {dims:?}: {}", row.collect::<Vec<_>>().join(", "));
    }
}
