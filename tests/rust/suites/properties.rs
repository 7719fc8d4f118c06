//! Random calls against the oracle: ranks 1 to 8, every dtype, sizes from 0, negative indices, many
//! duplicates, index smaller than self and src, scalars, special floats, src and index aliasing self.

use scatterwise::DType;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::Arithmetic;

use crate::common::backends::{Backend, join_all, on_each_backend};
#[cfg(feature = "webgpu")]
use crate::common::backends::{ForcedArithmetic, on_webgpu};
use crate::common::call::{Call, Method};
use crate::common::random::{ALL, calls, for_random};
#[cfg(feature = "webgpu")]
use crate::common::report::Report;
use crate::common::report::Row;

one_thread!(random_calls_along_a_dimension);
async fn random_calls_along_a_dimension() {
    on_each_backend("random-calls-along", async |backend, report| {
        let check = async |calls: &[Call]| equal_the_oracle(backend, calls).await;
        for_random(report, "along", &calls(&Method::ALONG, DType::ALL, ALL), check).await;
    })
    .await;
}

one_thread!(random_calls_with_tuples);
async fn random_calls_with_tuples() {
    on_each_backend("random-calls-with-tuples", async |backend, report| {
        let check = async |calls: &[Call]| equal_the_oracle(backend, calls).await;
        for_random(report, "tuples", &calls(&Method::TUPLES, DType::ALL, ALL), check).await;
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(random_calls_beside_native_products);
/// Scatters have the CPU's bits where the adapter's own products are used, even if the probe does not allow these.
#[cfg(feature = "webgpu")]
async fn random_calls_beside_native_products() {
    const FLOATS: &[DType] = &[DType::Float32];
    on_webgpu("random-calls-by-arithmetic", async |gpu, report: &mut Report| {
        let _forced = ForcedArithmetic::new(gpu, Arithmetic::Native);
        let backend = Backend::WebGpu(gpu.clone());
        let check = async |calls: &[Call]| equal_the_oracle(&backend, calls).await;
        for_random(report, "float32", &calls(&Method::ALONG, FLOATS, ALL), check).await;
    })
    .await;
}

/// A row for each call, compared with the oracle. All calls are made before the first is read, so that on a GPU they share batches. The
/// calls take turns in the places of their operands.
pub(super) async fn equal_the_oracle(backend: &Backend, calls: &[Call]) -> Vec<Row> {
    let places = backend.places().iter().cycle();
    let made: Vec<_> = calls.iter().zip(places).map(|(call, &place)| call.make(backend, place)).collect();
    let rows = calls.iter().zip(made).map(async |(call, made)| call.check(made?, &call.expected()).await);
    join_all(rows).await
}
