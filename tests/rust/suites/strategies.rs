//! Tables of other suites with each GPU strategy forced in turn: all strategies give the CPU's bits, and refuse alike.
//! Natively only: in a browser they would take longer than its test runner waits.

use std::rc::Rc;

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Gpu;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Hooks as _, Strategy};
use scatterwise::{DType, IndexPlan, Reduce, Tensor};

use crate::common::backends::{Backend, ForcedStrategy, Place, join_all, on_webgpu, read};
use crate::common::call::{Call, Method, Planned as _};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::random::{calls, for_random};
use crate::common::report::{Report, equal, same, say};
use crate::common::vectors::{ERRORS, RESULTS};
use crate::suites::{aliases, conformance, limits, properties};

/// Runs the rows of a suite once for each strategy, which is forced meanwhile, and prints how many scatters went which way: a strategy is
/// taken only where it applies.
async fn with_each_strategy(suite: &str, rows: impl AsyncFn(&Backend, Strategy, &mut Report)) {
    on_webgpu(suite, async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        for &strategy in Strategy::ALL {
            let before = gpu.strategies_run();
            {
                let _forced = ForcedStrategy::new(gpu, strategy);
                rows(&backend, strategy, report).await;
            }
            say(&format!("{suite} with {strategy:?} forced: {}", ways(gpu, before)));
        }
    })
    .await;
}

/// How many scatters went which way since a moment, for the output. `before` has the counts of that moment in the order of `Strategy::ALL`.
fn ways(gpu: &Rc<Gpu>, before: [u32; Strategy::ALL.len()]) -> String {
    let counts = gpu.strategies_run().into_iter().zip(before).map(|(after, before)| after - before);
    let ways = Strategy::ALL.iter().zip(counts).filter(|&(_, count)| count > 0);
    ways.map(|(way, count)| format!("{way:?} {count}")).collect::<Vec<_>>().join(", ")
}

one_thread!(vectors_by_strategy);
/// The vectors and long columns of the other suites, with each strategy forced.
async fn vectors_by_strategy() {
    let long_columns = limits::long_columns();
    with_each_strategy("vectors-by-strategy", async |backend, strategy, report| {
        let name = &format!("{strategy:?}");
        vectors(backend, name, report).await;
        for (call_name, call, expected) in &long_columns {
            let outcome = async { call.check(call.make(backend, Place::Computed)?, expected).await };
            report.row(&format!("{name} {call_name}"), outcome.await);
        }
    })
    .await;
}

one_thread!(calls_by_strategy);
/// Errors, random calls and aliases in the same way.
async fn calls_by_strategy() {
    with_each_strategy("calls-by-strategy", async |backend, strategy, report| {
        let name = &format!("{strategy:?}");
        // A workgroup for each of 5000 rows takes software adapters long, and that strategy is for few rows.
        let lengths =
            if strategy == Strategy::RowPerGroup { &aliases::LENGTHS[..2] } else { &aliases::LENGTHS };
        errors(backend, name, report).await;
        random_calls(backend, name, report).await;
        aliases::rows(backend, name, lengths, report).await;
    })
    .await;
}

one_thread!(a_plan_by_strategy);
/// The plan keeps a strategy's preparation of the index. Later calls with other reductions and dtypes use it and have the CPU's
/// bits.
async fn a_plan_by_strategy() {
    let index = Tensor::from_elements(&[6, 2], &[3, 0, -1, 0, 3, 4, 3, 0, 0, 0, 2, 0]).unwrap();
    let src: Vec<f32> = (0..12).map(|k| 1.1 + k as f32 / 3.0).collect();
    let src = Tensor::from_elements(&[6, 2], &src).unwrap();
    let ints = Tensor::from_elements(&[6, 2], &[7i32; 12]).unwrap();
    // The same calls on the CPU and on the GPU, with one plan.
    let calls = |floats: &mut Tensor, ints: &mut Tensor, plan: &IndexPlan, src: &Tensor| {
        for _ in 0..2 {
            floats.scatter_at_(plan, src, Reduce::Add)?;
            floats.scatter_at_(plan, 0.7, Reduce::Multiply)?;
            floats.scatter_at_(plan, 0.1, Reduce::Add)?;
            ints.scatter_at_(plan, 3, Reduce::Add)?;
        }
        floats.scatter_at_(plan, src, Reduce::Replace)?;
        floats.scatter_at_(plan, src, Reduce::Multiply)
    };
    let floats = Tensor::from_elements(&[6, 2], &[0.3f32; 12]).unwrap();
    let plan = IndexPlan::along(&[6, 2], 0, &index).unwrap();
    let mut expected = (floats.clone(), ints.clone());
    calls(&mut expected.0, &mut expected.1, &plan, &src).unwrap();
    with_each_strategy("plan-by-strategy", async |_, strategy, report| {
        let outcome = async {
            let mut got = (floats.upload()?, ints.upload()?);
            calls(&mut got.0, &mut got.1, &plan, &src.upload()?)?;
            same("float32", Data::of(&expected.0).difference(&read(&got.0).await?))?;
            same("int32", Data::of(&expected.1).difference(&read(&got.1).await?))
        };
        report.row(&format!("{strategy:?}"), outcome.await);
    })
    .await;
}

one_thread!(a_plan_without_duplicates);
/// A plan knows whether places repeat. Where none does, no call sorts, marks, counts or uses atomic operations.
async fn a_plan_without_duplicates() {
    const LEN: usize = 5000;
    // 379 and 6,000 have no factor in common, so that no place repeats.
    let places: Vec<i32> = (0..LEN as i32).map(|k| k * 379 % 6000).collect();
    // The same as pairs for [60, 100]; the second number counts from the end.
    let rows: Vec<i32> = places.iter().flat_map(|k| [k / 100, k % 100 - 100]).collect();
    let one_more = |places: &[i32]| [places, &places[..1]].concat();
    let make = |dims: &[usize], places: &[i32]| {
        IndexPlan::along(dims, 0, &Tensor::from_elements(&[places.len()], places).unwrap()).unwrap()
    };
    let pairs = Tensor::from_elements(&[LEN, 2], &rows).unwrap();
    on_webgpu("plan-without-duplicates", async |gpu, report| {
        for (name, dims, plan, is_distinct) in [
            ("elements", &[6000][..], make(&[6000], &places), true),
            ("elements, and one again", &[6000], make(&[6000], &one_more(&places)), false),
            ("rows", &[60, 100, 3], IndexPlan::nd(&[60, 100, 3], &pairs).unwrap(), true),
        ] {
            for dtype in [DType::Float32, DType::Int32, DType::Uint8, DType::Int64] {
                let len = dims.iter().product::<usize>();
                let updates = plan.updates() * dims.get(2).unwrap_or(&1);
                let ramp = |len: usize, step: usize| -> scatterwise::Result<Tensor> {
                    let values: Vec<i32> = (0..len).map(|k| (1 + k * step % 119) as i32).collect();
                    Tensor::from_elements(&[len], &values)?.astype(dtype)
                };
                for &reduce in Reduce::ALL {
                    let outcome = async {
                        let before = gpu.strategies_run();
                        let table = ramp(len, 7)?.reshape(dims)?;
                        let src = ramp(updates, 11)?;
                        let src = if dims.len() == 1 { src } else { src.reshape(&[LEN, 3])? };
                        let there = table.upload()?.scatter_at(&plan, &src.upload()?, reduce)?;
                        let again = there.scatter_at(&plan, 3, reduce)?;
                        let here = table.scatter_at(&plan, &src, reduce)?.scatter_at(&plan, 3, reduce)?;
                        same("result", Data::of(&here).difference_of_bits(&read(&again).await?))?;
                        let at = Strategy::ALL.iter().position(|&way| way == Strategy::Distinct).unwrap();
                        equal("ways", gpu.strategies_run()[at] - before[at], if is_distinct { 2 } else { 0 })
                    };
                    report.row(&format!("{name} {dtype} {reduce:?}"), outcome.await);
                }
            }
        }
    })
    .await;
}

one_thread!(
    #[ignore = "measures"]
    time_of_float_maxima
);
/// Prints the times of a maximum of a million float32 by an order and by atomic operations, and of an int32 maximum of the same entries.
async fn time_of_float_maxima() {
    const LEN: usize = 1 << 20;
    on_webgpu("time-of-maxima", async |gpu, report| {
        for slots in [16, 1 << 16, LEN] {
            let mut numbers = Numbers(5);
            let places: Vec<i32> = (0..LEN).map(|_| numbers.below(slots as u64) as i32).collect();
            let src: Vec<i32> = (0..LEN).map(|_| numbers.below(1 << 24) as i32 - (1 << 23)).collect();
            let plan = Tensor::from_elements(&[LEN], &places).unwrap().upload().unwrap();
            let ordered = if slots == 16 { Strategy::RowPerGroup } else { Strategy::RunPerThread };
            let mut times = [vec![], vec![], vec![]];
            for round in 0..6 {
                for (at, (dtype, strategy)) in [
                    (DType::Float32, ordered),
                    (DType::Float32, Strategy::Atomics),
                    (DType::Int32, Strategy::Atomics),
                ]
                .into_iter()
                .enumerate()
                {
                    let outcome = async {
                        let _forced = ForcedStrategy::new(gpu, strategy);
                        let src = Tensor::from_elements(&[LEN], &src)?.astype(dtype)?.upload()?;
                        let table = Tensor::zeros(&[slots], dtype)?.upload()?;
                        read(&table.reshape(&[slots])?).await?;
                        let start = std::time::Instant::now();
                        let out = table.scatter_reduce(0, &plan, &src, scatterwise::Reduction::Amax, true)?;
                        gpu.sync().await?;
                        if round > 0 {
                            times[at].push(start.elapsed().as_secs_f64() * 1e3);
                        }
                        drop(out);
                        Ok(())
                    };
                    let outcome: scatterwise::Result<()> = outcome.await;
                    outcome.unwrap();
                }
            }
            let medians = times.map(|mut times| {
                times.sort_by(f64::total_cmp);
                times[times.len() / 2]
            });
            say(&format!("{slots} places: by an order, atomic, int32 atomic: {medians:.1?} ms"));
            report.row(&format!("{slots}"), Ok(()));
        }
    })
    .await;
}

one_thread!(a_million_updates_by_strategy);
/// A million float32 updates, most of them in a few slots, have the CPU's bits every time.
async fn a_million_updates_by_strategy() {
    a_million_updates(&[(Some(Strategy::RunPerThread), 3), (Some(Strategy::Columns), 1)]).await;
}

one_thread!(
    #[ignore = "takes minutes on a software adapter"]
    a_million_updates_a_hundred_times
);
/// A million updates, a hundred times, by the strategy that a caller gets.
async fn a_million_updates_a_hundred_times() {
    a_million_updates(&[(None, 100)]).await;
}

one_thread!(
    #[ignore = "takes long on a software adapter"]
    a_million_updates_sorted_a_hundred_times
);
/// A million updates, a hundred times by runs: five minutes on SwiftShader, where a sort takes twice as long as a walk along columns.
async fn a_million_updates_sorted_a_hundred_times() {
    a_million_updates(&[(Some(Strategy::RunPerThread), 100)]).await;
}

/// Adds a million float32 to a table and compares a hash of its bits with that of the CPU's: each strategy as often as its number says,
/// `None` being the one that is chosen.
async fn a_million_updates(times: &[(Option<Strategy>, usize)]) {
    const LEN: usize = 1 << 20;
    const SLOTS: usize = 1 << 18;
    let mut numbers = Numbers(5);
    let index: Vec<i32> = (0..LEN)
        .map(|_| {
            let bound = [4, 1000, SLOTS as u64][numbers.below(3) as usize];
            numbers.below(bound) as i32
        })
        .collect();
    let src: Vec<f32> = (0..LEN).map(|_| numbers.below(1 << 24) as f32 / 1000.0 - 8000.0).collect();
    let (index, src) = (Data::new(&[LEN], &index), Data::new(&[LEN], &src));
    let zeros = Data::new(&[SLOTS], &vec![0.0f32; SLOTS]);
    let mut on_cpu = zeros.tensor();
    on_cpu.scatter_add_(0, &index.tensor(), src.tensor()).unwrap();
    let expected = hash(&Data::of(&on_cpu));
    on_webgpu("a-million-updates", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        for &(strategy, times) in times {
            let _forced = strategy.map(|strategy| ForcedStrategy::new(gpu, strategy));
            let name = strategy.map_or("chosen".into(), |strategy| format!("{strategy:?}"));
            for time in 0..times {
                let outcome = async {
                    let mut table = backend.put(&zeros)?;
                    table.scatter_add_(0, &backend.put(&index)?, &backend.put(&src)?)?;
                    equal("hash", hash(&read(&table).await?), expected)
                };
                report.row(&format!("{name} {time}"), outcome.await);
            }
        }
    })
    .await;
}

/// FNV-1a of the bytes.
fn hash(data: &Data) -> u64 {
    data.bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The recorded calls that must pass. The index was computed on the device, because only then every pass runs, also the one that checks.
async fn vectors(backend: &Backend, name: &str, report: &mut Report) {
    for file in RESULTS {
        let required: Vec<_> = file.cases().into_iter().filter(|case| case.required).collect();
        let rows = required.iter().map(|case| conformance::result(case, backend, Place::Computed));
        for (case, outcome) in required.iter().zip(join_all(rows).await) {
            report.row(&format!("{name} {}", case.id), outcome);
        }
    }
}

/// The recorded calls that must fail, with an index that only the device can check.
async fn errors(backend: &Backend, name: &str, report: &mut Report) {
    for case in ERRORS.cases() {
        let Ok(call) = case.call() else { continue };
        let outcome = conformance::error(&case, &call, backend, Place::Computed).await;
        report.row(&format!("{name} {}", case.id), conformance::if_required(&case, outcome));
    }
}

/// Random scatters along a dimension, and by tuples and rows, against the oracle.
async fn random_calls(backend: &Backend, name: &str, report: &mut Report) {
    const TUPLES: &[Method] = &[Method::ScatterAddNdInPlace, Method::ScatterAddNd, Method::ScatterMul];
    let check = async |calls: &[Call]| properties::equal_the_oracle(backend, calls).await;
    for_random(report, &format!("{name} along"), &calls(Method::SCATTERS, DType::ALL, 250), check).await;
    for_random(report, &format!("{name} tuples"), &calls(TUPLES, DType::ALL, 100), check).await;
}

one_thread!(a_long_run_is_several_submissions);
/// Half a million entries of one row are walked by one thread, a piece in each dispatch. That is few threads and much work, which has to be
/// seen: the call is several submissions.
async fn a_long_run_is_several_submissions() {
    const ENTRIES: usize = 1 << 19;
    on_webgpu("long-run", async |gpu, report| {
        let _forced = ForcedStrategy::new(gpu, Strategy::RunPerThread);
        let outcome = async {
            let places = Tensor::from_elements(&[ENTRIES], &vec![5i32; ENTRIES])?;
            let values: Vec<f32> = (0..ENTRIES).map(|k| 1.0 + (k % 97) as f32 / 64.0).collect();
            let (table, src) =
                (Tensor::from_elements(&[7], &[0.5f32; 7])?, Tensor::from_elements(&[ENTRIES], &values)?);
            let here = table.scatter_add(0, &places, &src)?;
            gpu.take_counts();
            // A submission ends after this many rounds of loops.
            gpu.force_budget(Some(1 << 19));
            let there = table.upload()?.scatter_add(0, &places.upload()?, &src.upload()?);
            gpu.force_budget(None);
            let pieces = gpu.take_counts().submissions;
            same("result", Data::of(&here).difference_of_bits(&read(&there?).await?))?;
            equal("pieces", pieces >= 2, true)
        };
        report.row("one row", outcome.await);
    })
    .await;
}

one_thread!(work_in_pieces);
/// Work that is too much for one submission is cut into several, between dispatches and within them.
async fn work_in_pieces() {
    const ENTRIES: usize = 1000;
    let places: Vec<i32> = (0..ENTRIES as i32).map(|k| k * k % 701 - 350).collect();
    let plan = IndexPlan::along(&[ENTRIES], 0, &Tensor::from_elements(&[ENTRIES], &places).unwrap()).unwrap();
    on_webgpu("pieces", async |gpu, report| {
        for &strategy in Strategy::ALL {
            let _forced = ForcedStrategy::new(gpu, strategy);
            for dtype in [DType::Float32, DType::Uint8] {
                for reduce in [Reduce::Replace, Reduce::Add] {
                    let outcome = async {
                        let ramp = |len: usize, step: usize| -> scatterwise::Result<Tensor> {
                            let values: Vec<i32> = (0..len).map(|k| (1 + k * step % 113) as i32).collect();
                            Tensor::from_elements(&[len], &values)?.astype(dtype)
                        };
                        let (table, src) = (ramp(ENTRIES, 7)?, ramp(ENTRIES, 11)?);
                        let calls = |table: &Tensor, src: &Tensor| {
                            let out = table.scatter_at(&plan, src, reduce)?.scatter_at(&plan, 3, reduce)?;
                            Ok::<_, scatterwise::Error>([out.gather_at(&plan)?, out.mul(table)?, out])
                        };
                        let here = calls(&table, &src)?;
                        gpu.take_counts();
                        gpu.force_budget(Some(1024)); // rounds of loops in a submission
                        let there = calls(&table.upload()?, &src.upload()?);
                        gpu.force_budget(None);
                        let pieces = gpu.take_counts().submissions;
                        for (here, there) in here.iter().zip(&there?) {
                            same("result", Data::of(here).difference_of_bits(&read(there).await?))?;
                        }
                        equal("pieces", pieces >= 2, true)
                    };
                    report.row(&format!("{strategy:?} {dtype} {reduce:?}"), outcome.await);
                }
            }
        }
    })
    .await;
}
