//! The GPU engine: memory that is used again, reads side by side, faults that are reported once.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::Hooks as _;
use scatterwise::{DType, Device, Reduce, Tensor};

use crate::common::backends::{Backend, Place, join_all, on_webgpu, read};
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of, same};

/// Bytes that the pool of freed buffers keeps at most, see `src/engine/gpu/memory/pool.rs`.
const KEPT_BYTES: u64 = 64 << 20;

/// A float32 tensor on the CPU: 0, step, 2 step …
fn ramp(len: usize, step: f32) -> Tensor {
    let values: Vec<f32> = (0..len).map(|k| k as f32 * step).collect();
    Tensor::from_elements(&[len], &values).unwrap()
}

/// Whether a read of `tensor` gives the elements of `expected`, which is on the CPU. `what` is for the message.
pub(super) async fn holds(what: &str, tensor: &Tensor, expected: &Tensor) -> Row {
    same(what, Data::of(expected).difference(&read(tensor).await?))
}

one_thread!(memory_is_used_again);
/// Buffers that are freed are used again, with the right contents, and no more of them are kept than may be.
async fn memory_is_used_again() {
    on_webgpu("pool", async |gpu, report| {
        gpu.free_pooled();
        let start = gpu.bytes();

        let outcome = async {
            let (mut x, zero) = (ramp(100_000, 1.0).upload()?, ramp(1, 1.0).upload()?);
            for _ in 0..100 {
                // By 1, computed again each time.
                x = x.mul(&zero.scatter(0, &Tensor::from_elements(&[1], &[0])?, 1, Reduce::Replace)?)?;
            }
            // x has 400,000 bytes.
            let held = gpu.bytes() - start + gpu.pooled_bytes();
            equal("a chain of 100 takes no more than a few buffers", held < 8 * 400_000, true)?;
            holds("and is right", &x, &ramp(100_000, 1.0)).await
        };
        report.row("within a batch", outcome.await);

        let outcome = async {
            // An upload takes effect before the batch that is being recorded. Here that batch reads `first`, so `second` must not
            // get its memory.
            let first = ramp(1000, 1.0).upload()?;
            let product = first.mul(&Tensor::full(&[1], 2.0, DType::Float32)?.upload()?)?;
            let shifted = first.gather(0, &Tensor::from_elements(&[2], &[999, 3])?)?;
            drop(first);
            let second = ramp(1000, 7.0).upload()?;
            holds("what was read before", &shifted, &Tensor::from_elements(&[2], &[999.0f32, 3.0])?).await?;
            holds("the product", &product, &ramp(1000, 2.0)).await?;
            holds("what was uploaded", &second, &ramp(1000, 7.0)).await
        };
        report.row("an upload into memory that a batch reads", outcome.await);

        let outcome = async {
            let backend = Backend::WebGpu(gpu.clone());
            // Leaves memory with values in the pool.
            drop(ramp(1000, 1.0).upload()?);
            gpu.sync().await?;
            let table = ramp(5, 1.0).upload()?;
            let index = backend.put_at(Place::Computed, &Data::new(&[1000], &[5i32; 1000]))?;
            let refused = table.gather(0, &index)?;
            // Memory that was never written holds zeros, and its use is no second fault.
            let next = ones(10)?.gather(0, &refused.astype(DType::Int32)?)?;
            error_of(read(&table).await)?;
            holds("refused", &refused, &Tensor::zeros(&[1000], DType::Float32)?).await?;
            holds("next", &next, &Tensor::full(&[1000], 1, DType::Int32)?).await
        };
        report.row("a refused gather shows nobody's data", outcome.await);

        let outcome = async {
            let many: Vec<_> = (0..20).map(|_| ramp(2 << 20, 1.0).upload()).collect::<Result<_, _>>()?;
            gpu.sync().await?;
            drop(many);
            equal("kept", gpu.pooled_bytes() <= KEPT_BYTES, true)?;
            equal("something is", gpu.pooled_bytes() >= 8 << 20, true)?;
            gpu.free_pooled();
            equal("after it was emptied", gpu.pooled_bytes(), 0)?;
            equal("held", gpu.bytes(), start)
        };
        report.row("no more than it may", outcome.await);
    })
    .await;
}

/// Ones of int32 on the GPU.
fn ones(len: usize) -> scatterwise::Result<Tensor> {
    Tensor::full(&[len], 1, DType::Int32)?.upload()
}

one_thread!(small_operands_are_written_together);
/// All small operands of a batch are written to the device together: each write costs as much as a small call.
async fn small_operands_are_written_together() {
    on_webgpu("uploads", async |gpu, report| {
        const CALLS: usize = 50;
        let bytes: Vec<u8> = (0..5).collect();
        let outcome = async {
            let mut table = Tensor::zeros(&[7], DType::Int32)?.upload()?;
            let small = Tensor::from_elements(&[5], &bytes)?;
            gpu.sync().await?;
            gpu.take_counts();
            let mut kept = Vec::new();
            for call in 0..CALLS as i32 {
                let index = Tensor::from_elements(&[3], &[0, call % 7, -1])?;
                table.scatter_add_(0, &index, &Tensor::from_elements(&[3], &[call, 1, 2])?)?;
                // Five bytes, which are no whole words, and a tensor that is dropped unread.
                kept.push(small.upload()?);
                drop(ramp(9, 1.0).upload()?);
            }
            let got = read(&table).await?;
            let counts = gpu.take_counts();
            equal("writes, submissions", (counts.writes, counts.submissions), (1, 1))?;
            let mut expected = [0i32; 7];
            for call in 0..CALLS as i32 {
                for (at, value) in [(0, call), (call % 7, 1), (6, 2)] {
                    expected[at as usize] += value;
                }
            }
            same("the sums", Data::new(&[7], &expected).difference(&got))?;
            holds("the bytes", kept.last().unwrap(), &small).await
        };
        report.row("one write for fifty calls", outcome.await);

        let outcome = async {
            // 60 that are gathered, most of them of no whole words: more than fit one upload. Then two that are too large to be
            // gathered, around one of the largest size that is (65,536 bytes).
            let sizes = (0..60).map(|k| 50_001 + 5 * k).chain([300_003, 65_536, 65_537]);
            let tensors: Vec<_> = sizes.map(ramp_u8).collect();
            let there = tensors.iter().map(Tensor::upload).collect::<Result<Vec<_>, _>>()?;
            for (k, (tensor, expected)) in there.iter().zip(&tensors).enumerate() {
                holds(&format!("tensor {k}"), tensor, expected).await?;
            }
            Ok(())
        };
        report.row("and more than fits", outcome.await);
    })
    .await;
}

/// A uint8 tensor on the CPU whose values depend on its length too.
fn ramp_u8(len: usize) -> Tensor {
    let values: Vec<u8> = (0..len).map(|k| (k * 7 + len) as u8).collect();
    Tensor::from_elements(&[len], &values).unwrap()
}

/// A tensor 1, 2, 3 to whose element `value` a call adds 1. Where `value` is out of range (from 3 on), only the device finds out: the next
/// read or `sync` of anything reports it, and the tensor stays as it is.
pub(super) fn faulty(backend: &Backend, value: i32) -> scatterwise::Result<Tensor> {
    let mut tensor = backend.put(&Data::new(&[3], &[1i32, 2, 3]))?;
    tensor.scatter_add_(0, &backend.put_at(Place::Computed, &Data::new(&[1], &[value]))?, 1)?;
    Ok(tensor)
}

/// The index value that the error of a read names; `None` if there is no error, or it names none.
fn value_of(outcome: scatterwise::Result<Data>) -> Option<i64> {
    match outcome.err()?.value_fact() {
        Some(&scatterwise::FactValue::Int(value)) => Some(value),
        _ => None,
    }
}

one_thread!(faults_are_reported_once);
/// A bad index value that only the device finds is reported by one read or `sync`, whichever is first.
async fn faults_are_reported_once() {
    on_webgpu("faults", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());

        let outcome = async {
            const FAULTS: i32 = 1500;
            let tensors: Vec<_> = (0..FAULTS).map(|k| faulty(&backend, 3 + k)).collect::<Result<_, _>>()?;
            let outcomes = join_all(tensors.iter().map(read)).await;
            let mut seen: Vec<_> = outcomes.into_iter().filter_map(value_of).collect();
            seen.sort_unstable();
            equal("values", seen, (3..3 + i64::from(FAULTS)).collect())?;
            gpu.sync().await?;
            holds("a tensor", &tensors[700], &Tensor::from_elements(&[3], &[1i32, 2, 3])?).await
        };
        report.row("more than there are slots, by reads side by side", outcome.await);

        let outcome = async {
            let tensor = faulty(&backend, 7)?;
            let outcomes = join_all((0..5).map(|_| read(&tensor))).await;
            let seen: Vec<_> = outcomes.into_iter().filter_map(value_of).collect();
            equal("values", seen, vec![7])?;
            gpu.sync().await.map_err(Into::into)
        };
        report.row("one, by five reads of the same tensor", outcome.await);

        let outcome = async {
            let tensor = faulty(&backend, 8)?;
            {
                // Polled once and dropped.
                let mut given_up = pin!(gpu.sync());
                poll_fn(|context| Poll::Ready(_ = given_up.as_mut().poll(context))).await;
            }
            let error = gpu.sync().await.err().or(tensor.to(Device::Cpu).await.err());
            // Natively that one poll has already reported it, and the report was dropped. In a browser it is still to be reported.
            equal("reported again", error.is_some(), cfg!(target_arch = "wasm32"))?;
            gpu.sync().await.map_err(Into::into)
        };
        report.row("though who asked first went away", outcome.await);

        let outcome = async {
            let first = faulty(&backend, 9)?;
            gpu.free_pooled(); // submits
            let second = faulty(&backend, 10)?;
            drop(first);
            equal("first", value_of(read(&second).await), Some(9))?;
            equal("second", value_of(read(&second).await), Some(10))?;
            gpu.sync().await.map_err(Into::into)
        };
        report.row("from two batches, in order", outcome.await);
    })
    .await;
}
