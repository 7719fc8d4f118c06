//! Prepared indices: the bits and the errors of the same call without one, on every device, and no memory kept.

mod refused;

#[cfg(feature = "webgpu")]
use std::rc::Rc;

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Gpu;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{Hooks as _, Strategy};
use scatterwise::{
    DType, Device, ErrorCode, Gather, IndexMode, IndexPlan, Op, OutOfRange, Reduce, Scatter, Target, Tensor,
};

#[cfg(feature = "webgpu")]
use crate::common::backends::on_webgpu;
use crate::common::backends::{Backend, Place, join_all, on_cpu, on_each_backend, read};
use crate::common::call::{Call, Method, Planned as _, scatter_mul_at};
use crate::common::data::Data;
use crate::common::oracle;
use crate::common::random::{ALL, calls, for_random};
use crate::common::report::{Row, equal, error_of, same};

one_thread!(random_calls_with_plans);
/// Random calls with prepared indices against the oracle; on a GPU also with each strategy forced.
async fn random_calls_with_plans() {
    on_each_backend("random-calls-with-plans", async |backend, report| {
        let check = async |calls: &[Call]| planned_equal_the_oracle(backend, calls).await;
        for_random(report, "along", &calls(&Method::ALONG, DType::ALL, ALL), check).await;
        for_random(report, "tuples", &calls(&Method::TUPLES, DType::ALL, ALL), check).await;
        #[cfg(feature = "webgpu")]
        let Backend::WebGpu(gpu) = backend else { return };
        #[cfg(feature = "webgpu")]
        for &strategy in Strategy::ALL {
            gpu.force_strategy(Some(strategy));
            let name = format!("{strategy:?}");
            for_random(report, &name, &calls(&Method::ALONG, DType::ALL, 100), check).await;
            for_random(report, &name, &calls(&Method::TUPLES, DType::ALL, 100), check).await;
        }
        #[cfg(feature = "webgpu")]
        gpu.force_strategy(None);
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(orders_serve_later_calls);
/// The order that a strategy keeps for an index serves later calls with other values, dtypes, tables and sizes of src.
#[cfg(feature = "webgpu")]
async fn orders_serve_later_calls() {
    on_webgpu("plan-orders", async |gpu, report| {
        let index = Data::new(&[3, 40], &(0..120).map(|k: i32| k * k % 7 - 3).collect::<Vec<_>>());
        let plan = IndexPlan::along(&[4, 40], 0, &index.tensor()).unwrap();
        for &strategy in Strategy::ALL {
            gpu.force_strategy(Some(strategy));
            for (round, dtype) in [DType::Float32, DType::Int8, DType::Float32].into_iter().enumerate() {
                for reduce in Reduce::ALL {
                    // A src larger than the index makes another lowering.
                    let dims = [3 + round, 40 + round];
                    let elements =
                        |len: usize| (0..len).map(|k| (1 + (k * 31 + round) % 13) as f32).collect::<Vec<_>>();
                    let of = |dims: &[usize]| {
                        Tensor::from_elements(dims, &elements(dims.iter().product()))
                            .and_then(|t| t.astype(dtype))
                    };
                    gpu.take_counts();
                    let outcome = async {
                        let (table, src) = (of(&[4, 40])?, of(&dims)?);
                        let expected = table.scatter(0, &index.tensor(), &src, *reduce)?;
                        let got = table.upload()?.scatter_at(&plan, &src.upload()?, *reduce)?;
                        same("result", Data::of(&expected).difference_of_bits(&read(&got).await?))
                    };
                    report.row(&format!("{strategy:?} {dtype} {reduce:?} {round}"), outcome.await);
                    let dispatches = gpu.take_counts().dispatches;
                    // Only the very first call by runs sorts, which takes many dispatches; a call that finds an order takes up
                    // to three. RowPerGroup takes the order that the runs made.
                    let sorts = strategy == Strategy::RunPerThread && round + reduces_before(*reduce) == 0;
                    report.row("kept", equal("sorting", dispatches > 3, sorts));
                }
            }
        }
        gpu.force_strategy(None);
    })
    .await;
}

/// The position of a reduction in `Reduce::ALL`.
#[cfg(feature = "webgpu")]
fn reduces_before(reduce: Reduce) -> usize {
    Reduce::ALL.iter().take_while(|&&other| other != reduce).count()
}

/// A row for each call, made with a prepared index. All calls are recorded before the first is read, so that they share batches.
async fn planned_equal_the_oracle(backend: &Backend, calls: &[Call]) -> Vec<Row> {
    let places = backend.places().iter().cycle();
    let made: Vec<_> =
        calls.iter().zip(places).map(|(call, &place)| call.make_planned(backend, place)).collect();
    let rows = calls.iter().zip(made).map(async |(call, made)| call.check(made?, &call.expected()).await);
    join_all(rows).await
}

one_thread!(duplicates_are_found);
/// Whether two entries of a column name the same place is known exactly, however it is found out: by a bit for each place where the
/// places are few for the entries (dense), by sorting where they are many (sparse).
async fn duplicates_are_found() {
    on_each_backend("plan-duplicates", async |backend, report| {
        if matches!(backend, Backend::Cpu) {
            let check = async |calls: &[Call]| calls.iter().map(duplicates_equal_the_oracle).collect();
            for_random(report, "along", &calls(&Method::ALONG, DType::ALL, ALL), check).await;
            for_random(report, "tuples", &calls(&Method::TUPLES, DType::ALL, ALL), check).await;
        }
        let far = 3_000_000;
        for (name, dims, values, expected) in [
            ("sparse, none", [far, 4], [0, 1, 2, 3, far as i32 - 1, 5], false),
            ("sparse, first and last", [far, 4], [7, 1, 2, 3, 4, 7], true),
            ("sparse, from the end", [far, 4], [far as i32 - 1, 1, 2, 3, 4, -1], true),
            ("dense, none", [6, 4], [0, 1, 2, 3, 4, -1], false),
            ("dense, one", [6, 4], [0, 1, 2, 3, 5, -1], true),
        ] {
            for is_nd in [false, true] {
                let outcome = async {
                    let index = backend.put(&Data::new(&[6, 1], &values))?;
                    let plan = match is_nd {
                        true => IndexPlan::nd(&dims, &index)?,
                        false => IndexPlan::along(&dims, 0, &index)?,
                    };
                    plan.ready().await?;
                    equal("updates", plan.updates(), 6)?;
                    equal("duplicates", plan.has_duplicates()?, expected)?;
                    equal("asked again", plan.has_duplicates()?, expected)
                };
                report.row(&format!("{name} nd={is_nd}"), outcome.await);
            }
        }
        // What the mode leaves out is no update; for slices each entry counts for each place before the dimension.
        let outcome = async {
            let index = backend.put(&Data::new(&[4], &[0, 9, -1, 0]))?;
            let plan = IndexPlan::along_with(&[3], 0, &index, OutOfRange::Drop)?;
            plan.ready().await?;
            equal("along", plan.updates(), 3)?;
            let mode = IndexMode { ignored: Some(0), ..OutOfRange::Drop.into() };
            let plan = IndexPlan::select(&[2, 3], 1, &index, mode)?;
            plan.ready().await?;
            equal("slices", plan.updates(), 2)?;
            equal("clip", IndexPlan::along_with(&[3], 0, &index, OutOfRange::Clip)?.updates(), 4)
        };
        report.row("updates that are left out", outcome.await);
        let outcome = async {
            // Each place once, in an order of its own, and then one of them again.
            let mut all: Vec<i32> = (0..1000).map(|k| k * 379 % 1000).collect();
            let plan = |values: &[i32]| IndexPlan::along(&[1000], 0, &Data::new(&[1000], values).tensor());
            equal("a permutation", plan(&all)?.has_duplicates()?, false)?;
            for (at, again) in [(999, 0), (0, 999), (500, 501)] {
                let before = std::mem::replace(&mut all[at], again * 379 % 1000);
                equal("with a repeat", plan(&all)?.has_duplicates()?, true)?;
                all[at] = before;
            }
            Ok(())
        };
        report.row("permutations", outcome.await);
        let outcome = async {
            let columns = IndexPlan::along(&[4, 3], 0, &Tensor::zeros(&[1, 3], DType::Int32)?)?;
            equal("the same row in each column", columns.has_duplicates()?, false)?;
            let all = |entries| IndexPlan::nd(&[2, 3], &Tensor::zeros(&[entries, 0], DType::Int32)?);
            equal("the whole table once", all(1)?.has_duplicates()?, false)?;
            equal("the whole table twice", all(2)?.has_duplicates()?, true)?;
            let empty_rows = IndexPlan::nd(&[2, 0], &Tensor::zeros(&[2, 1], DType::Int32)?)?;
            equal("a row of nothing twice", empty_rows.has_duplicates()?, true)
        };
        report.row("special shapes", outcome.await);
    })
    .await;
}

/// Whether the plan of a call finds duplicates where the oracle does.
fn duplicates_equal_the_oracle(call: &Call) -> Row {
    let index = call.index_data();
    let plan = call.plan(&index.tensor())?;
    // The oracle compares elements. Of rows without elements it sees none, though the same row may be named twice.
    if call.table.len() == 0 {
        return Ok(());
    }
    equal("duplicates", plan.has_duplicates()?, oracle::collides(&call.table, call.places(), index))
}

one_thread!(a_plan_serves_many_calls);
/// One plan, many calls: other operators, dtypes and tensors.
async fn a_plan_serves_many_calls() {
    on_each_backend("plan-reuse", async |backend, report| {
        for &place in backend.places() {
            for is_ready in [false, true] {
                let outcome = async {
                    let mut index = backend.put_at(place, &Data::new(&[3], &[1i32, -1, 1]))?;
                    let plan = IndexPlan::along(&[4], 0, &index)?;
                    if is_ready {
                        plan.ready().await?;
                    }
                    // A write to the index afterwards does not change the plan.
                    index.scatter_(0, &Tensor::zeros(&[1], DType::Int32)?, 3, Reduce::Replace)?;
                    let mut table = backend.put(&Data::new(&[4], &[1i32, 2, 3, 4]))?;
                    for _ in 0..3 {
                        table.scatter_add_at_(&plan, 1)?;
                    }
                    scatter_mul_at(&mut table, &plan, 2)?;
                    equal("after four calls", numbers(&table).await?, vec![1, 32, 3, 14])?;
                    let halves = table.astype(DType::Float16)?.scatter_at(&plan, 5, Reduce::Replace)?;
                    equal("in another dtype", numbers(&halves).await?, vec![1, 5, 3, 5])?;
                    equal("gathered", numbers(&table.gather_at(&plan)?).await?, vec![32, 14, 32])?;
                    equal("self", numbers(&table).await?, vec![1, 32, 3, 14])
                };
                report.row(&format!("{place:?} ready={is_ready}"), outcome.await);
            }
        }
    })
    .await;
}

/// The elements as int32, read from wherever they are.
async fn numbers(tensor: &Tensor) -> scatterwise::Result<Vec<i32>> {
    let host = tensor.to(Device::Cpu).await?.astype(DType::Int32)?;
    Ok(host.elements::<i32>().unwrap_or_default().to_vec())
}

#[cfg(feature = "webgpu")]
one_thread!(a_plan_works_on_both_devices);
/// A plan that was made on one device serves tensors on the other too. One whose index only the GPU has needs `ready` first.
#[cfg(feature = "webgpu")]
async fn a_plan_works_on_both_devices() {
    on_webgpu("plan-across-devices", async |gpu, report| {
        let outcome = async {
            let plan = IndexPlan::nd(&[3, 2], &Tensor::from_elements(&[2, 1], &[2i64, -3])?)?;
            let here = Tensor::from_elements(&[3, 2], &[1i32, 2, 3, 4, 5, 6])?;
            let there = here.upload()?;
            gpu.sync().await?;
            let before = gpu.bytes();
            gpu.take_counts();
            for _ in 0..3 {
                equal("here", numbers(&here.gather_at(&plan)?).await?, vec![5, 6, 1, 2])?;
                equal("there", numbers(&there.gather_at(&plan)?).await?, vec![5, 6, 1, 2])?;
            }
            // Two positions of four bytes, in a buffer of 16, the least that is bound.
            equal("uploaded once", gpu.bytes() - before, 16)?;
            let written = gpu.take_counts();
            // The positions are 8 bytes; parameters are written 256 bytes at a time.
            equal("and never again", written.written % 256, 8)?;
            drop(plan);
            equal("freed", gpu.bytes(), before)
        };
        report.row("from the host", outcome.await);

        for place in [Place::Uploaded, Place::Computed] {
            let outcome = async {
                let index = Backend::WebGpu(gpu.clone()).put_at(place, &Data::new(&[2], &[0i32, 1]))?;
                let plan = IndexPlan::along(&[2], 0, &index)?;
                let here = Tensor::from_elements(&[2], &[1i32, 2])?;
                for refused in [here.gather_at(&plan).map(drop), plan.has_duplicates().map(drop)] {
                    let error = error_of(refused)?;
                    equal("code", error.code(), ErrorCode::WrongDevice)?;
                    equal("way out", error.to_string().contains("await plan.ready()"), true)?;
                }
                plan.ready().await?;
                equal("duplicates", plan.has_duplicates()?, false)?;
                equal("here", numbers(&here.gather_at(&plan)?).await?, vec![1, 2])?;
                equal("there", numbers(&here.upload()?.gather_at(&plan)?).await?, vec![1, 2])
            };
            report.row(&format!("{place:?}"), outcome.await);
        }
    })
    .await;
}

one_thread!(plans_are_traced);
/// The trace of a call with a plan is that of the call with the index itself.
async fn plans_are_traced() {
    on_cpu("plan-trace", async |report| {
        let outcome = async {
            let table = Tensor::from_elements(&[2, 2], &[1i32, 2, 3, 4])?;
            let indices = Tensor::from_elements(&[2, 2], &[1i32, 0, -1, 0])?;
            let plan = IndexPlan::nd(&[2, 2], &indices)?;
            let src = Tensor::from_elements(&[2], &[10i32, 20])?;
            let call = |op, target| Scatter::new(op, target, (&src).into(), Reduce::Add);
            let (steps, result) = call(Op::ScatterInPlace, Target::from(&plan)).trace(&table)?;
            let (other, same_result) = call(Op::ScatterAdd, Target::tuples(&indices)).trace(&table)?;
            equal("steps", &steps, &other)?;
            same("result", Data::of(&result).difference(&Data::of(&same_result)))?;
            equal("entry", &steps[1].index, &vec![1])?;
            let (reads, result) = Gather::new(Op::GatherNd, Target::from(&plan)).trace(&table)?;
            let (other, _) = Gather::new(Op::GatherNd, Target::tuples(&indices)).trace(&table)?;
            equal("reads", &reads, &other)?;
            equal("source", &reads[1].source, &vec![1, 0])?;
            same("gathered", Data::of(&result).difference(&Data::of(&table.gather_nd(&indices)?)))
        };
        report.row("as without a plan", outcome.await);
        // Each combination of the coordinates before the dimension reads the same entries.
        let outcome = async {
            let table = Tensor::from_elements(&[3, 2], &[0i32, 1, 2, 3, 4, 5])?;
            let index = Tensor::from_elements(&[4], &[1i32, 0, 1, -1])?;
            let plan = IndexPlan::select(&[3, 2], 1, &index, OutOfRange::Raise)?;
            let trace = |target| Gather::new(Op::IndexSelect, target).trace(&table);
            let (reads, _) = trace(Target::slices(1, &index))?;
            let entries: Vec<usize> = reads.iter().flat_map(|read| read.index.clone()).collect();
            equal("entries", entries, [0, 1, 2, 3].repeat(3))?;
            equal("reads", trace(Target::from(&plan))?.0, reads)
        };
        report.row("slices", outcome.await);
    })
    .await;
}

one_thread!(places_without_elements_are_counted);
/// A place without elements counts its updates too.
async fn places_without_elements_are_counted() {
    on_cpu("plan-counts-of-nothing", async |report| {
        let index = Tensor::from_elements(&[3], &[2i32, 0, -1]).unwrap();
        let tuples = index.reshape(&[3, 1]).unwrap();
        let select = |dims: &[usize], dim| IndexPlan::select(dims, dim, &index, OutOfRange::Raise);
        let cases = [
            ("tuples", IndexPlan::nd(&[3, 0], &tuples), [1, 0, 2]),
            ("slices", select(&[3, 0], 0), [1, 0, 2]),
            // Counted for one combination of the coordinates before the dimension. If one of those has size 0, there is no combination.
            ("slices behind others", select(&[2, 3, 0], 1), [1, 0, 2]),
            ("slices behind nothing", select(&[0, 3], 1), [0, 0, 0]),
        ];
        for (name, plan, expected) in cases {
            let outcome = async { equal("counts", numbers(&plan?.counts()?).await?, expected.to_vec()) };
            report.row(name, outcome.await);
        }
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(dropped_plans_are_freed);
/// The positions of a plan count as memory on both devices, and are freed with its last handle.
#[cfg(feature = "webgpu")]
async fn dropped_plans_are_freed() {
    on_webgpu("plan-memory", async |gpu: &Rc<Gpu>, report| {
        let outcome = async {
            let table = Tensor::zeros(&[1024], DType::Float32)?.upload()?;
            let (host, device) = (scatterwise::testing::host_bytes(), gpu.bytes());
            for _ in 0..50 {
                let index = Tensor::zeros(&[2048], DType::Int64)?;
                let plan = IndexPlan::along(&[1024], 0, &index)?;
                drop(index);
                // 2,048 positions of four bytes.
                equal("positions", scatterwise::testing::host_bytes() - host, 8192)?;
                let other = plan.clone();
                drop(plan);
                let mut copy = table.clone();
                copy.scatter_add_at_(&other, 1)?;
                // The positions, and a copy of the table of 1,024 elements.
                equal("and on the device", gpu.bytes() - device, 8192 + 4096)?;
                drop(copy);
            }
            gpu.sync().await?;
            equal("host", scatterwise::testing::host_bytes(), host)?;
            equal("device", gpu.bytes(), device)
        };
        report.row("fifty plans", outcome.await);
    })
    .await;
}
