//! Where data is and who shares it: moves between devices, copies on write.

use scatterwise::{DType, Device, Reduce, Tensor};

#[cfg(feature = "webgpu")]
use crate::common::backends::on_webgpu;
use crate::common::backends::{on_each_backend, read};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{Row, equal, same};

#[cfg(feature = "webgpu")]
one_thread!(every_dtype_and_length_survives_the_gpu);
/// Tensors whose sizes are no multiple of those of the GPU: buffers are of whole words, and bindings of whole 16 bytes, but elements of
/// 1, 2, 4 or 8 bytes.
#[cfg(feature = "webgpu")]
async fn every_dtype_and_length_survives_the_gpu() {
    let lengths = || (0..=18).chain([31, 255, 257, 1000]);
    on_webgpu("round-trips", async |_, report| {
        for &dtype in DType::ALL {
            for len in lengths() {
                let mut numbers = Numbers(len as u64);
                let mask = if dtype == DType::Bool { 1 } else { u64::MAX };
                let data = Data::from_bits(
                    dtype,
                    &[len],
                    (0..len).map(|_| numbers.next() & mask).collect::<Vec<_>>(),
                );
                let outcome = async {
                    let there = data.tensor().to(Device::WebGpu).await?;
                    equal("device", there.device(), Device::WebGpu)?;
                    equal("bytes", there.bytes(), None)?;
                    let back = there.to(Device::Cpu).await?;
                    same("first trip", data.difference_of_bits(&Data::of(&back)))?;
                    same("second trip", data.difference_of_bits(&read(&back.upload()?).await?))
                };
                report.row(&format!("{dtype} × {len}"), outcome.await);
            }
        }
        for dims in [&[][..], &[0], &[2, 0, 3], &[1, 1, 1, 1, 1, 1, 1, 1, 1], &[2, 3, 4]] {
            let data = Data::new(dims, &vec![1.5f32; dims.iter().product()]);
            let outcome = async { same("data", data.difference(&read(&data.tensor().upload()?).await?)) };
            report.row(&format!("{dims:?}"), outcome.await);
        }
    })
    .await;
}

/// The elements of most tensors here.
const START: [i32; 4] = [1, 2, 3, 4];

/// Whether a tensor of four elements, of any shape, holds these. `what` is for the message.
async fn holds(what: &str, tensor: &Tensor, expected: [i32; 4]) -> Row {
    same(what, Data::new(&[4], &expected).difference(&read(&tensor.reshape(&[4])?).await?))
}

one_thread!(a_write_leaves_copies_alone);
/// A tensor and its copies share data until one of them is written to; then only that one changes.
async fn a_write_leaves_copies_alone() {
    on_each_backend("copies", async |backend, report| {
        let index = Tensor::from_elements(&[2], &[0, 3]).unwrap();
        let outcome = async {
            let mut first = backend.put(&Data::new(&[4], &START))?;
            let (second, mut third) = (first.clone(), first.reshape(&[2, 2])?);
            first.scatter_(0, &index, 10, Reduce::Add)?;
            holds("the one written to", &first, [11, 2, 3, 14]).await?;
            holds("its clone", &second, START).await?;
            holds("another view", &third, START).await?;
            third.scatter_(1, &Tensor::zeros(&[2, 1], DType::Int32)?, 7, Reduce::Replace)?;
            holds("the view written to", &third, [7, 2, 7, 4]).await?;
            holds("the clone", &second, START).await?;
            holds("the first", &first, [11, 2, 3, 14]).await
        };
        report.row("clone and reshape", outcome.await);

        let outcome = async {
            let mut tensor = backend.put(&Data::new(&[4], &START))?;
            let before = tensor.clone();
            tensor.scatter_(0, &index, before.clone(), Reduce::Multiply)?;
            holds("self", &tensor, [1, 2, 3, 8]).await?;
            holds("src", &before, START).await
        };
        report.row("src shares its data with self", outcome.await);
    })
    .await;
}

one_thread!(operands_may_change_after_the_call);
/// An operand may be written to after the call. The call uses the values from before.
async fn operands_may_change_after_the_call() {
    on_each_backend("operands-changed-later", async |backend, report| {
        for &place in backend.places() {
            let outcome = async {
                let mut tensor = backend.put(&Data::new(&[4], &START))?;
                let mut index = backend.put_at(place, &Data::new(&[2], &[0i32, 1]))?;
                let mut src = backend.put_at(place, &Data::new(&[2], &[10i32, 20]))?;
                let first = Tensor::zeros(&[1], DType::Int32)?;
                tensor.scatter_(0, &index, &src, Reduce::Add)?;
                index.scatter_(0, &first, 3, Reduce::Replace)?;
                src.scatter_(0, &first, 100, Reduce::Replace)?;
                tensor.scatter_(0, &index, &src, Reduce::Add)?;
                drop((index, src));
                holds("result", &tensor, [11, 42, 3, 104]).await
            };
            report.row(&format!("{place:?}"), outcome.await);
        }
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(a_tensor_moves_back_and_forth);
/// Data is neither lost nor stale after moving there and back, again and again (burn#1282).
#[cfg(feature = "webgpu")]
async fn a_tensor_moves_back_and_forth() {
    on_webgpu("back-and-forth", async |_, report| {
        let index = Tensor::from_elements(&[2], &[1, 1]).unwrap();
        let outcome = async {
            let mut tensor = Data::new(&[4], &START).tensor();
            for _ in 0..3 {
                tensor.scatter_(0, &index, 1, Reduce::Add)?;
                tensor = tensor.to(Device::WebGpu).await?;
                tensor.scatter_(0, &index, 1, Reduce::Add)?;
                tensor = tensor.to(Device::Cpu).await?;
            }
            equal("device", tensor.device(), Device::Cpu)?;
            holds("result", &tensor, [1, 14, 3, 4]).await
        };
        report.row("written to on both", outcome.await);
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(dropped_tensors_are_freed);
/// Data that is let go of is freed, on both devices.
#[cfg(feature = "webgpu")]
async fn dropped_tensors_are_freed() {
    on_webgpu("memory", async |gpu, report| {
        let outcome = async {
            let (host, device) = (scatterwise::testing::host_bytes(), gpu.bytes());
            for _ in 0..10 {
                let table = Tensor::zeros(&[1000], DType::Float32)?.upload()?;
                let index = Tensor::zeros(&[1000], DType::Int64)?;
                let copy = table.scatter_add(0, &index, 1)?;
                equal("while alive", gpu.bytes() >= device + 8000, true)?;
                read(&copy).await?;
            }
            equal("host", scatterwise::testing::host_bytes(), host)?;
            equal("device", gpu.bytes(), device)
        };
        report.row("ten calls", outcome.await);
    })
    .await;
}

one_thread!(an_empty_index_does_nothing_wherever_it_is);
/// An index without entries is accepted in each of the places that an index may be in, which the library treats differently.
async fn an_empty_index_does_nothing_wherever_it_is() {
    on_each_backend("empty-index", async |backend, report| {
        for dtype in [DType::Int32, DType::Int64] {
            for &place in backend.places() {
                let outcome = async {
                    let mut tensor = backend.put(&Data::new(&[4], &START))?;
                    let index = backend.put_at(place, &Data::from_bits(dtype, &[0], []))?;
                    tensor.scatter_(0, &index, 9, Reduce::Replace)?;
                    tensor.scatter_add_(0, &index, 9)?;
                    equal("gathered", read(&tensor.gather(0, &index)?).await?.len(), 0)?;
                    holds("self", &tensor, START).await
                };
                report.row(&format!("{dtype} {place:?}"), outcome.await);
            }
        }
    })
    .await;
}
