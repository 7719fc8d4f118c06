//! Tensors after a device is lost. Natively tests run in the order of their names, and the tests after this one have to compile
//! every shader again. So the name of this file is late in the alphabet.

#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::Hooks as _;
use scatterwise::{ErrorCode, Tensor};

use crate::common::backends::{Backend, on_webgpu, read};
use crate::common::report::{equal, error_of};
use crate::suites::engine::{faulty, holds};

one_thread!(a_lost_device);
/// Everything on the lost device is refused with the same code, again and again; a device that is started afterwards works, but not with
/// tensors of the lost one.
async fn a_lost_device() {
    on_webgpu("lost-device", async |gpu, report| {
        let outcome = async {
            let backend = Backend::WebGpu(gpu.clone());
            let kept = Tensor::from_elements(&[3], &[1i32, 2, 3])?;
            let tensor = faulty(&backend, 11)?;
            gpu.lose_device();
            for _ in 0..2 {
                equal("a read", error_of(read(&tensor).await)?.code(), ErrorCode::DeviceLost)?;
            }
            equal("sync", error_of(gpu.sync().await)?.code(), ErrorCode::DeviceLost)?;
            let product = tensor.mul(&tensor).err().map(|error| error.code());
            equal("a call", product, Some(ErrorCode::DeviceLost))?;
            equal("without a device", kept.upload().is_err(), true)?;

            let options = scatterwise::testing::gpu::DeviceOptions { software: true, ..Default::default() };
            let next = scatterwise::start_gpu("test", options, None).await?;
            let moved = kept.upload()?;
            holds("on the next one", &moved.mul(&moved)?, &Tensor::from_elements(&[3], &[1i32, 4, 9])?)
                .await?;
            let mixed = moved.mul(&tensor).err().map(|error| error.code());
            equal("a tensor of the lost one", mixed, Some(ErrorCode::DeviceLost))?;
            next.sync().await.map_err(Into::into)
        };
        report.row("and the next", outcome.await);
    })
    .await;
}
