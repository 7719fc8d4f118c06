//! Calls that are larger, longer or more than one dispatch, one batch or one dimension of a grid takes. Most of them are bugs that other
//! projects had; the issue is named.

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::Strategy;
use scatterwise::{DType, ErrorCode, Reduce, Scalar, Tensor};

#[cfg(feature = "webgpu")]
use crate::common::backends::{Backend, ForcedStrategy, on_webgpu};
use crate::common::backends::{Place, on_each_backend, read};
use crate::common::call::{Call, Method, Update};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{equal, error_of, same};

#[cfg(feature = "webgpu")]
one_thread!(a_device_of_compatibility_mode);
/// With `SCATTERWISE_COMPATIBILITY=1` a device allows no more than WebGPU's compatibility mode promises, and refuses every larger workgroup.
#[cfg(feature = "webgpu")]
async fn a_device_of_compatibility_mode() {
    on_webgpu("compatibility", async |gpu, report| {
        let most = gpu.limits().max_compute_invocations_per_workgroup;
        let is_small = std::env::var("SCATTERWISE_COMPATIBILITY").is_ok_and(|value| value == "1");
        report.row("threads", equal("128", most == 128, is_small));
        let ones = Tensor::full(&[5000], 1, DType::Int32).and_then(|ones| ones.upload()).unwrap();
        let outcome = async {
            let sorted = ones.argsort(0, false)?;
            equal("elements", read(&sorted).await?.bits(4999), 4999)
        };
        report.row("argsort", outcome.await);
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(more_workgroups_than_a_grid_dimension_has);
/// One dimension of a grid has at most 65,535 workgroups of 256 threads (onnxruntime#24519).
#[cfg(feature = "webgpu")]
async fn more_workgroups_than_a_grid_dimension_has() {
    const ONE_DIMENSION: usize = 65_535 * 256;
    const LEN: usize = ONE_DIMENSION + 1000;
    /// Reading all of it would take longer than the calls.
    const LOOKED_AT: [i32; 4] = [0, ONE_DIMENSION as i32 - 1, ONE_DIMENSION as i32, LEN as i32 - 1];
    on_webgpu("many-workgroups", async |gpu, report| {
        let zeros = Tensor::zeros(&[1, LEN], DType::Int32).and_then(|zeros| zeros.upload()).unwrap();
        let outcome = async {
            // Every entry is a column of its own, that is a thread.
            let mut table = zeros.clone();
            table.scatter_(0, &zeros, 7, Reduce::Add)?;
            let some = table.reshape(&[LEN])?.gather(0, &Tensor::from_elements(&[4], &LOOKED_AT)?)?;
            same("elements", Data::new(&[4], &[7i32; 4]).difference(&read(&some).await?))
        };
        report.row("scatter_", outcome.await);

        let outcome = async {
            // Written on the GPU, so that the check of all values has to run there.
            let mut index = zeros.clone();
            let last = Tensor::full(&[1, 1], LEN as i32 - 1, DType::Int32)?;
            index.scatter_(1, &last, 1, Reduce::Replace)?;
            zeros.gather(0, &index)?;
            let error = error_of(gpu.sync().await)?;
            equal("position", error.position_fact(), Some(&[0, LEN - 1][..]))
        };
        report.row("the check of index values", outcome.await);
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(more_bytes_than_every_device_binds);
/// WebGPU promises bindings of 128 MiB; whether a device has more is the adapter's affair.
#[cfg(feature = "webgpu")]
async fn more_bytes_than_every_device_binds() {
    const LEN: usize = (128 << 20) + 1000;
    on_webgpu("large-bindings", async |gpu, report| {
        let limits = gpu.limits();
        let most = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let outcome = async {
            let bytes = Tensor::zeros(&[LEN], DType::Uint8)?;
            if most < LEN as u64 {
                let error = error_of(bytes.upload().map(drop))?;
                return equal("refused", error.code(), ErrorCode::OutOfMemory);
            }
            let ends = Tensor::from_elements(&[3], &[-1, 0, (128 << 20) + 1])?;
            let mut there = bytes.upload()?;
            drop(bytes);
            there.scatter_(0, &ends, &Tensor::from_elements(&[3], &[7u8, 8, 9])?, Reduce::Add)?;
            let got = read(&there.gather(0, &ends)?).await?;
            drop(there);
            gpu.free_pooled();
            same("the ends", Data::new(&[3], &[7u8, 8, 9]).difference(&got))
        };
        report.row("scatter and gather", outcome.await);
    })
    .await;
}

one_thread!(a_million_updates_of_one_slot);
/// A million updates of one slot, in order (jax#38806): the sum of a million floats depends on the order.
async fn a_million_updates_of_one_slot() {
    const LEN: usize = 1_000_000;
    let mut numbers = Numbers(3);
    let src: Vec<f32> = (0..LEN).map(|_| numbers.below(1 << 24) as f32 / 1000.0 - 8000.0).collect();
    let sum = src.iter().fold(0.0f32, |sum, value| sum + value);
    on_each_backend("one-slot", async |backend, report| {
        let outcome = async {
            let mut table = backend.put(&Data::new(&[2], &[5.0f32, 0.0]))?;
            let index = Tensor::full(&[LEN], -1, DType::Int32)?;
            table.scatter_add_(0, &index, &Tensor::from_elements(&[LEN], &src)?)?;
            same("result", Data::new(&[2], &[5.0, sum]).difference(&read(&table).await?))
        };
        report.row("sum", outcome.await);
    })
    .await;
}

one_thread!(columns_longer_than_a_dispatch_walks);
/// Columns so long that the GPU walks them in several dispatches. A driver may also end a loop that it finds too long (llvmpipe after
/// some 32,000 rounds of all loops of a thread), so the calls differ in how many rounds they take for each entry.
async fn columns_longer_than_a_dispatch_walks() {
    let rows = long_columns();
    on_each_backend("long-columns", async |backend, report| {
        #[cfg(feature = "webgpu")]
        let _forced = match backend {
            Backend::Cpu => None,
            Backend::WebGpu(gpu) => Some(ForcedStrategy::new(gpu, Strategy::Columns)),
        };
        for (name, call, expected) in &rows {
            for &place in backend.places() {
                let outcome = async { call.check(call.make(backend, place)?, expected).await };
                report.row(&format!("{name} {place:?}"), outcome.await);
            }
        }
    })
    .await;
}

/// Calls whose columns are longer than the GPU walks in one dispatch: the name of each, the call, and its result by the oracle.
pub(super) fn long_columns() -> [(&'static str, Call, Data); 6] {
    const LEN: usize = 70_000;
    let mut numbers = Numbers(4);
    // `len` numbers from 0 to `bound` − 1.
    let mut below = |bound: u64, len: usize| (0..len).map(|_| numbers.below(bound)).collect::<Vec<_>>();
    let index = Data::from_bits(DType::Int64, &[LEN, 3], below(5, LEN * 3));
    let tuples = Data::from_bits(DType::Int32, &[LEN, 8], below(2, LEN * 8));
    let floats = |bits: Vec<u64>| bits.into_iter().map(|bits| bits as f32 / 3.0).collect::<Vec<_>>();
    let bytes = Data::from_bits(DType::Uint8, &[LEN, 3], below(256, LEN * 3));
    let src = Data::new(&[LEN, 3], &floats(below(1 << 22, LEN * 3)));
    let one_slot = Data::new(&[LEN, 3], &vec![-2i64; 3 * LEN]);
    let add = |table: Data, index: &Data, update: Update| Call {
        method: Method::ScatterAdd,
        table,
        dim: 0,
        index: index.clone().into(),
        update,
    };
    let rows = [
        ("float32", add(Data::new(&[5, 3], &[0.5f32; 15]), &index, src.clone().into())),
        ("elements that share words", add(Data::new(&[5, 3], &[7u8; 15]), &index, bytes.into())),
        (
            "tuples",
            Call::new(
                Method::ScatterAddNd,
                Data::new(&[2; 8], &[0.5f32; 256]),
                0,
                tuples,
                Data::new(&[LEN], &floats(below(1 << 22, LEN))),
            ),
        ),
        ("one slot", add(Data::new(&[5, 3], &[0.5f32; 15]), &one_slot, src.into())),
        ("a scalar", add(Data::new(&[5, 3], &[0.5f32; 15]), &one_slot, Scalar::Float(0.1).into())),
        ("a scalar, float64", add(Data::new(&[5, 3], &[0.5f64; 15]), &one_slot, Scalar::Float(0.1).into())),
    ];
    rows.map(|(name, call)| {
        let expected = call.expected();
        (name, call, expected)
    })
}

one_thread!(more_calls_than_a_batch_takes);
/// More calls than one batch has parameter blocks or status slots, without a read between them.
async fn more_calls_than_a_batch_takes() {
    const CALLS: usize = 2500;
    on_each_backend("many-calls", async |backend, report| {
        for &place in backend.places() {
            let outcome = async {
                let mut table = backend.put(&Data::new(&[3], &[0i32; 3]))?;
                let index = backend.put_at(place, &Data::new(&[2], &[0i32, -1]))?;
                for _ in 0..CALLS {
                    table.scatter_add_(0, &index, 1)?;
                }
                let expected = Data::new(&[3], &[CALLS as i32, 0, CALLS as i32]);
                same("result", expected.difference(&read(&table).await?))
            };
            report.row(&format!("{place:?}"), outcome.await);
        }
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(bad_values_among_more_calls_than_a_batch_takes);
/// A bad index value among more calls than a batch takes refuses its own call only, and is reported once.
#[cfg(feature = "webgpu")]
async fn bad_values_among_more_calls_than_a_batch_takes() {
    const CALLS: usize = 2500;
    const BAD: [usize; 3] = [0, 1023, 1500];
    on_webgpu("bad-values-among-many-calls", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        let outcome = async {
            let mut table = backend.put(&Data::new(&[3], &[0i32; 3]))?;
            let good = backend.put_at(Place::Computed, &Data::new(&[2], &[0i32, -1]))?;
            for call in 0..CALLS {
                if BAD.contains(&call) {
                    let bad = Data::new(&[2], &[0, 3 + call as i32]);
                    table.scatter_add_(0, &backend.put_at(Place::Computed, &bad)?, 1)?;
                } else {
                    table.scatter_add_(0, &good, 1)?;
                }
            }
            for call in BAD {
                let error = error_of(read(&table).await)?;
                let value = scatterwise::FactValue::Int(3 + call as i64);
                equal("value", error.value_fact(), Some(&value))?;
            }
            let done = (CALLS - BAD.len()) as i32;
            same("result", Data::new(&[3], &[done, 0, done]).difference(&read(&table).await?))
        };
        report.row("three of them", outcome.await);
    })
    .await;
}

one_thread!(a_hundred_times_the_same);
/// The same call a hundred times gives the same bits (pytorch#88244).
async fn a_hundred_times_the_same() {
    const LEN: usize = 1000;
    let mut numbers = Numbers(7);
    let index: Vec<i32> = (0..LEN).map(|_| numbers.below(5) as i32).collect();
    let src: Vec<f32> = (0..LEN).map(|_| numbers.below(1 << 20) as f32 / 3.0).collect();
    let (index, src) = (Data::new(&[LEN], &index), Data::new(&[LEN], &src));
    let call = Call::new(Method::ScatterAdd, Data::new(&[5], &[0.1f32; 5]), 0, index, src);
    let expected = call.expected();
    on_each_backend("the-same-call", async |backend, report| {
        let made: Vec<_> = (0..100).map(|_| call.make(backend, Place::Computed)).collect();
        for (k, made) in made.into_iter().enumerate() {
            let outcome = async { call.check(made?, &expected).await };
            report.row(&format!("time {k}"), outcome.await);
        }
    })
    .await;
}

one_thread!(reports_about_other_libraries);
/// Small calls whose results are known, from reports about other libraries.
async fn reports_about_other_libraries() {
    let ones = |dims: &[usize]| Data::new(dims, &vec![1.0f32; dims.iter().product()]);
    let counted = |dims: &[usize]| {
        Data::new(dims, &(1..=dims.iter().product::<usize>()).map(|k| k as f32).collect::<Vec<_>>())
    };
    let zeros = |dims: &[usize]| Data::new(dims, &vec![0i32; dims.iter().product()]);
    let replace = Method::ScatterInPlace(Reduce::Replace);
    let rows = [
        // The defect was to pair index and self by order, not by coordinates.
        (
            "rten: index smaller off the axis",
            Call::new(Method::ScatterAdd, ones(&[2, 3, 4]), 2, zeros(&[2, 2, 1]), counted(&[2, 2, 1])),
        ),
        (
            "pytorch#25836: src and self larger than index",
            Call::new(replace, ones(&[4, 5]), 0, zeros(&[2, 3]), counted(&[3, 6])),
        ),
        ("pytorch#2027: an empty index", Call::new(replace, ones(&[3, 5]), 0, zeros(&[0]), counted(&[3, 5]))),
        (
            "pytorch#2027: an empty index of self's rank",
            Call::new(Method::ScatterAdd, ones(&[3, 5]), 1, zeros(&[3, 0]), counted(&[3, 5])),
        ),
        (
            "onnxruntime#25326: zero-sized self",
            Call::new(Method::ScatterAdd, ones(&[3, 0]), 0, zeros(&[2, 0]), counted(&[2, 0])),
        ),
        ("zero-sized result", Call::new(Method::Gather, ones(&[3, 2]), 0, zeros(&[0, 2]), Scalar::Int(0))),
        (
            "burn#5195: a leading dimension of 1",
            Call::new(Method::ScatterAdd, ones(&[1, 4, 2]), 1, zeros(&[1, 3, 2]), counted(&[1, 3, 2])),
        ),
        (
            "pytorch#51323: integers",
            Call::new(
                Method::ScatterInPlace(Reduce::Multiply),
                Data::new(&[3], &[i32::MAX, 2, i32::MIN]),
                0,
                Data::new(&[3], &[0i32, 0, 2]),
                Scalar::Int(-2),
            ),
        ),
    ];
    on_each_backend("reports-about-others", async |backend, report| {
        for (name, call) in &rows {
            for &place in backend.places() {
                report.row(&format!("{name} {place:?}"), call.run(backend, place).await);
            }
        }
    })
    .await;
}
