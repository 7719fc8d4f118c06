//! Memory that the GPU does not have: one typed error, and the library goes on.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

#[cfg(target_os = "linux")]
use scatterwise::Reduce;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::Hooks as _;
use scatterwise::{DType, Error, ErrorCode, IndexPlan, Tensor};

use crate::common::backends::{on_webgpu, read};
use crate::common::call::Planned as _;
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of, same};

/// The elements of a tensor so large that a browser is asked whether it had the memory.
const LEN: usize = 1 << 19;

/// Whether an error says that memory of `bytes` bytes was refused.
fn refusal(error: &Error, bytes: usize) -> Row {
    equal("code", error.code(), ErrorCode::OutOfMemory)?;
    equal(&error.to_string(), error.to_string().contains(&format!("{bytes} bytes")), true)
}

/// Whether a read of a float32 tensor of rank 1 gives nothing but 2. `what` is for the message.
async fn is_twos(what: &str, tensor: &Tensor) -> Row {
    let len = tensor.shape().size();
    same(what, Data::new(&[len], &vec![2.0f32; len]).difference(&read(tensor).await?))
}

/// A tensor of `LEN` twos on the GPU.
fn twos() -> scatterwise::Result<Tensor> {
    Tensor::full(&[LEN], 2.0, DType::Float32)?.upload()
}

one_thread!(memory_that_is_refused);
/// The next new buffer is refused, once for a result and once for a copy. Natively the call fails, in a browser the next read or `sync()`.
/// After that one error everything works again, but for the tensor that has no memory.
async fn memory_that_is_refused() {
    on_webgpu("refused-memory", async |gpu, report| {
        let outcome = async {
            let (x, one) = (twos()?, Tensor::full(&[1], 1.0, DType::Float32)?.upload()?);
            gpu.sync().await?;
            gpu.free_pooled();
            gpu.refuse_next();
            let product = x.mul(&one);
            // 4 bytes for each element.
            let error = match &product {
                Err(error) => error.clone(),
                Ok(_) => error_of(gpu.sync().await)?,
            };
            refusal(&error, 4 * LEN)?;
            gpu.sync().await?;
            if let Ok(refused) = product {
                refusal(&error_of(refused.mul(&one).map(drop))?, 4 * LEN)?;
                refusal(&error_of(read(&refused).await)?, 4 * LEN)?;
            }
            gpu.sync().await?;
            is_twos("the operand", &x).await?;
            is_twos("the same call", &x.mul(&one)?).await
        };
        report.row("for a result", outcome.await);

        let outcome = async {
            let mut table = twos()?;
            let same_data = table.clone();
            let index = Tensor::from_elements(&[1], &[3])?.upload()?;
            gpu.sync().await?;
            gpu.free_pooled();
            gpu.refuse_next();
            let outcome = table.scatter_add_(0, &index, 1);
            let reads = [read(&same_data).await.map(drop), read(&same_data).await.map(drop)];
            let errors: Vec<_> = [outcome].into_iter().chain(reads).filter_map(Result::err).collect();
            equal("errors", errors.len(), 1)?;
            refusal(&errors[0], 4 * LEN)?;
            gpu.sync().await?;
            is_twos("what shared the data", &same_data).await
        };
        report.row("for a copy of what is shared", outcome.await);
    })
    .await;
}

one_thread!(what_a_dropped_batch_was_to_write);
/// If a browser has no memory for a buffer, it drops the buffer's whole batch. Tensors that the batch should have written keep
/// rejecting after the refusal was reported; tensors that it only read still work.
async fn what_a_dropped_batch_was_to_write() {
    on_webgpu("dropped-batches", async |gpu, report| {
        let one = Tensor::full(&[1], 1.0, DType::Float32).and_then(|one| one.upload()).unwrap();
        let index = Tensor::from_elements(&[2], &[3, 5]).and_then(|index| index.upload()).unwrap();
        // Whether a tensor that the dropped batch was to write is refused, by a read and by a call.
        let is_not_run = async |what: &str, tensor: &Tensor| {
            let error = error_of(read(tensor).await)?;
            equal(what, error.code(), ErrorCode::OutOfMemory)?;
            error_of(tensor.mul(&one).map(drop)).map(drop)
        };

        let outcome = async {
            let (x, mut table) = (twos()?, twos()?);
            gpu.sync().await?;
            gpu.free_pooled();
            gpu.refuse_next();
            let product = x.mul(&one);
            table.scatter_add_(0, &index, 1)?;
            let follows = table.gather(0, &index)?;
            if product.is_err() {
                // Natively there is nothing to drop.
                return same("sums", Data::new(&[2], &[3.0f32; 2]).difference(&read(&follows).await?));
            }
            refusal(&error_of(gpu.sync().await)?, 4 * LEN)?;
            is_not_run("written", &table).await?;
            is_not_run("made of it", &follows).await?;
            is_twos("only read", &x).await?;
            is_twos("the same call", &x.mul(&one)?).await
        };
        report.row("submitted", outcome.await);

        // The refusal is reported while another batch is in the making.
        let outcome = async {
            let (x, mut table) = (twos()?, twos()?);
            gpu.sync().await?;
            gpu.free_pooled();
            gpu.refuse_next();
            let Ok(product) = x.mul(&one) else { return Ok(()) };
            let mut sync = pin!(gpu.sync());
            // One poll: it submits, and natively it may also be done.
            let begun = poll_fn(|context| Poll::Ready(sync.as_mut().poll(context))).await;
            let again = product.mul(&one)?;
            table.scatter_add_(0, &index, 1)?;
            let reported = if let Poll::Ready(reported) = begun { reported } else { sync.await };
            refusal(&error_of(reported)?, 4 * LEN)?;
            is_not_run("written", &table).await?;
            is_not_run("a product of it", &again).await?;
            is_twos("only read", &x).await?;
            is_twos("the same call", &x.mul(&one)?).await
        };
        report.row("in the making", outcome.await);

        // The plan uploads its positions and orders again.
        let outcome = async {
            let plan = IndexPlan::along(&[LEN], 0, &Tensor::from_elements(&[2], &[3, 5])?)?;
            let ramp: Vec<f32> = (0..LEN).map(|k| k as f32).collect();
            let x = Tensor::from_elements(&[LEN], &ramp)?.upload()?;
            gpu.sync().await?;
            gpu.free_pooled();
            gpu.refuse_next();
            let Ok(_product) = x.mul(&one) else { return Ok(()) };
            drop(x.gather_at(&plan)?);
            refusal(&error_of(gpu.sync().await)?, 4 * LEN)?;
            let got = read(&x.gather_at(&plan)?).await?;
            same("gathered", Data::new(&[2], &[3.0f32, 5.0]).difference(&got))
        };
        report.row("a plan", outcome.await);
    })
    .await;
}

one_thread!(more_than_a_device_binds);
/// Sizes that the device cannot bind are refused before anybody is asked.
async fn more_than_a_device_binds() {
    on_webgpu("more-than-is-bound", async |gpu, report| {
        let limits = gpu.limits();
        // The most bytes that a pass can bind. A read needs 16 bytes more, and index values are signed numbers of 32 bits.
        let most = limits.max_buffer_size.saturating_sub(16).min((1 << 31) - 16);
        let most = limits.max_storage_buffer_binding_size.min(most) as usize;
        let outcome = async {
            // A product of 2^15 rows with one column too many.
            let column = Tensor::zeros(&[1 << 15, 1], DType::Float64)?.upload()?;
            let row = Tensor::zeros(&[1, most / (8 << 15) + 1], DType::Float64)?.upload()?;
            let bytes = (8 << 15) * row.shape().size();
            let error = error_of(column.mul(&row).map(drop))?;
            refusal(&error, bytes)?;
            equal("the limit is named", error.to_string().contains(&most.to_string()), true)?;
            let index = Tensor::zeros(&[1 << 15, 1], DType::Int32)?;
            refusal(&error_of(row.gather_nd(&index).map(drop))?, bytes)?;
            gpu.sync().await.map_err(Into::into)
        };
        report.row("a product and a gather", outcome.await);
    })
    .await;
}

#[cfg(target_os = "linux")]
one_thread!(memory_that_runs_out);
/// Memory that really runs out: `take_memory_away` runs in a process of its own, because the memory is missing for every test in the process.
#[cfg(target_os = "linux")]
async fn memory_that_runs_out() {
    on_webgpu("memory-runs-out", async |gpu, report| {
        if !gpu.facts().software {
            return;
        }
        let this = std::env::current_exe().unwrap();
        let name = "suites::memory::take_memory_away::test";
        let output = std::process::Command::new(this).args(["--exact", name, "--ignored"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let passed = output.status.success() && text.contains("1 passed");
        report.row(
            "for good",
            equal(&format!("{text}{}", String::from_utf8_lossy(&output.stderr)), passed, true),
        );
    })
    .await;
}

/// A copy of `tensor` on the device in which 3 is written to the places of `index`: hardly any work for much memory.
#[cfg(target_os = "linux")]
fn touched(tensor: &Tensor, index: &Tensor) -> scatterwise::Result<Tensor> {
    tensor.scatter(0, index, 3, Reduce::Replace)
}

#[cfg(target_os = "linux")]
one_thread!(
    #[ignore = "run by memory_that_runs_out"]
    take_memory_away
);
/// Limits the address space of this process to five buffers more than it has, and makes copies until the driver's own allocation fails:
/// that is one typed error, and when the copies are dropped the same call works.
#[cfg(target_os = "linux")]
async fn take_memory_away() {
    const BYTES: usize = 64 << 20;
    on_webgpu("memory-taken-away", async |gpu, report| {
        let outcome = async {
            let x = Tensor::full(&[BYTES / 4], 2, DType::Int32)?.upload()?;
            let index = Tensor::from_elements(&[1], &[-1])?.upload()?;
            let ends = Tensor::from_elements(&[2], &[0, -1])?.upload()?;
            let expected = Data::new(&[2], &[2, 3]);
            let is_touched = async |tensor: &Tensor| {
                same("the ends", expected.difference(&read(&tensor.gather(0, &ends)?).await?))
            };
            is_touched(&touched(&x, &index)?).await?;
            gpu.free_pooled();
            let status = std::fs::read_to_string("/proc/self/statm").unwrap();
            // The first number is the size of the address space, in pages of 4,096 bytes.
            let used = 4096 * status.split(' ').next().unwrap().parse::<usize>().unwrap();
            let limit = format!("--as={}", used + 5 * BYTES);
            let process = std::process::id().to_string();
            let limited = std::process::Command::new("prlimit").args(["--pid", &process, &limit]).status();
            equal("prlimit", limited.is_ok_and(|status| status.success()), true)?;

            let mut copies = Vec::new();
            let error = loop {
                match touched(&x, &index) {
                    Ok(copy) => copies.push(copy),
                    Err(error) => break error,
                }
                equal("less than a hundred copies", copies.len() < 100, true)?;
            };
            refusal(&error, BYTES)?;
            gpu.sync().await?;
            for copy in &copies {
                is_touched(copy).await?;
            }
            drop(copies);
            gpu.free_pooled();
            gpu.sync().await?;
            is_touched(&touched(&x, &index)?).await?;
            gpu.sync().await.map_err(Into::into)
        };
        report.row("until there is none", outcome.await);
    })
    .await;
}
