//! Errors of calls that only the device can check, and operands on the wrong device.

use std::rc::Rc;

use scatterwise::testing::gpu::Gpu;
use scatterwise::{ErrorCode, FactValue, Reduce, Tensor};

use crate::common::backends::{Backend, Place, on_webgpu, read};
use crate::common::data::Data;
use crate::common::report::{Fault, Row, equal, error_of, same};

/// An index for dimension 0 of `table()`, which has five places. It was computed on the device, so that only the device can check it:
/// a call with a bad one returns, and the error is reported later.
fn computed(backend: &Backend, values: &[i32]) -> scatterwise::Result<Tensor> {
    backend.put_at(Place::Computed, &Data::new(&[values.len()], values))
}

fn table() -> Data {
    Data::new(&[5], &[10i32, 11, 12, 13, 14])
}

/// Whether a read of the tensor succeeds, with these values.
async fn holds(tensor: &Tensor, expected: [i32; 5]) -> Row {
    same("values", Data::new(&[5], &expected).difference(&read(tensor).await?))
}

/// Whether a read of `tensor`, which need not be the one of the bad call, reports an error, whose position is `position`.
async fn reports(tensor: &Tensor, position: usize) -> Row {
    match read(tensor).await {
        Err(error) => equal("position", error.position_fact(), Some(&[position][..])),
        Ok(data) => Err(Fault::Wrong(format!("no error, but {data:?}"))),
    }
}

one_thread!(deferred_errors);
/// Errors of calls that only the device could check. The next read of any tensor or `sync` reports each of them once.
async fn deferred_errors() {
    on_webgpu("deferred-errors", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        report.row("reported once, by a read", reported_by_a_read(&backend).await);
        report.row("reported once, by sync", reported_by_sync(gpu, &backend).await);
        report.row("reported by the read of another tensor", reported_elsewhere(&backend).await);
        report.row("reported though the tensor is gone", reported_after_drop(gpu, &backend).await);
        report.row("several, in order", several_in_order(&backend).await);
        report.row("the rest of the batch goes on", the_batch_goes_on(&backend).await);
        report.row("a copy leaves the original", a_copy_leaves_the_original(&backend).await);
    })
    .await;
}

async fn reported_by_a_read(backend: &Backend) -> Row {
    let mut tensor = backend.put(&table())?;
    tensor.scatter_add_(0, &computed(backend, &[0, 5])?, 1)?;
    reports(&tensor, 1).await?;
    holds(&tensor, [10, 11, 12, 13, 14]).await
}

async fn reported_by_sync(gpu: &Rc<Gpu>, backend: &Backend) -> Row {
    let mut tensor = backend.put(&table())?;
    tensor.scatter_(0, &computed(backend, &[-6, 0])?, 1, Reduce::Multiply)?; // −6 is out of range
    let error = error_of(gpu.sync().await)?;
    equal("position", error.position_fact(), Some(&[0][..]))?;
    gpu.sync().await?; // not again
    holds(&tensor, [10, 11, 12, 13, 14]).await
}

/// The read that reports the error need not be of the tensor of the bad call, and reads that follow are fine.
async fn reported_elsewhere(backend: &Backend) -> Row {
    let (mut tensor, neighbour) = (backend.put(&table())?, backend.put(&table())?);
    tensor.scatter_add_(0, &computed(backend, &[0, 1, 7])?, 1)?;
    reports(&neighbour, 2).await?;
    holds(&neighbour, [10, 11, 12, 13, 14]).await?;
    holds(&tensor, [10, 11, 12, 13, 14]).await
}

async fn reported_after_drop(gpu: &Rc<Gpu>, backend: &Backend) -> Row {
    let mut tensor = backend.put(&table())?;
    tensor.scatter_add_(0, &computed(backend, &[9])?, 1)?;
    drop(tensor);
    let error = error_of(gpu.sync().await)?;
    equal("value", error.value_fact(), Some(&FactValue::Int(9)))
}

/// Three bad calls, each with its bad value at another position: three reads report them in the order of the calls.
async fn several_in_order(backend: &Backend) -> Row {
    let mut tensor = backend.put(&table())?;
    tensor.scatter_add_(0, &computed(backend, &[5])?, 1)?;
    let gathered = tensor.gather(0, &computed(backend, &[0, 0, -6])?)?;
    tensor.scatter_add_(0, &computed(backend, &[1, 5])?, 1)?;
    reports(&tensor, 0).await?;
    reports(&gathered, 2).await?;
    reports(&tensor, 1).await?;
    holds(&tensor, [10, 11, 12, 13, 14]).await
}

/// Calls before and after a refused one, on its tensor and on others, are done as if it had not been.
async fn the_batch_goes_on(backend: &Backend) -> Row {
    let (mut tensor, mut neighbour) = (backend.put(&table())?, backend.put(&table())?);
    let (good, bad) = (computed(backend, &[0, -1])?, computed(backend, &[2, 5])?);
    tensor.scatter_add_(0, &good, 100)?;
    tensor.scatter_add_(0, &bad, 1000)?;
    neighbour.scatter_add_(0, &good, 100)?;
    let gathered = tensor.gather(0, &Tensor::from_elements(&[5], &[0, 1, 2, 3, 4])?)?;
    tensor.scatter_add_(0, &good, 100)?;
    reports(&tensor, 1).await?;
    holds(&gathered, [110, 11, 12, 13, 114]).await?;
    holds(&tensor, [210, 11, 12, 13, 214]).await?;
    holds(&neighbour, [110, 11, 12, 13, 114]).await
}

/// A refused call into a copy leaves the original unchanged.
async fn a_copy_leaves_the_original(backend: &Backend) -> Row {
    let tensor = backend.put(&table())?;
    let copy = tensor.scatter_add(0, &computed(backend, &[5])?, 1)?;
    reports(&copy, 0).await?;
    holds(&tensor, [10, 11, 12, 13, 14]).await?;
    holds(&copy, [10, 11, 12, 13, 14]).await
}

one_thread!(operands_on_the_gpu_of_a_tensor_on_the_cpu);
/// A call on a tensor on the CPU refuses operands on the GPU: it would have to wait for them.
async fn operands_on_the_gpu_of_a_tensor_on_the_cpu() {
    on_webgpu("wrong-device", async |gpu, report| {
        let backend = Backend::WebGpu(gpu.clone());
        // Of two, the index is named.
        for (operands, argument) in [("index", "index"), ("src", "src"), ("both", "index")] {
            let outcome = (|| {
                let index = Tensor::from_elements(&[2], &[0, 1])?;
                let mut tensor = table().tensor();
                let refused = match operands {
                    "index" => tensor.scatter_(0, &index.upload()?, 1, Reduce::Add),
                    "both" => tensor.scatter_(0, &index.upload()?, &backend.put(&table())?, Reduce::Add),
                    _ => tensor.scatter_(0, &index, &backend.put(&table())?, Reduce::Add),
                };
                let error = error_of(refused)?;
                equal("code", error.code(), ErrorCode::WrongDevice)?;
                equal("argument", error.argument_name(), Some(argument))?;
                same("self afterwards", table().difference(&Data::of(&tensor)))
            })();
            report.row(operands, outcome);
        }
    })
    .await;
}
