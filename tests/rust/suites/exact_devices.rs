//! Exact sums on each backend against the definition: every way in which WebGPU adds them, whatever the place of the operands.

use scatterwise::DType;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{ExactWays, Hooks as _};

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::pairs::Numbers;
use crate::common::report::{Row, same};
use crate::suites::exact::{FLOATS, Terms};
use crate::suites::exact_calls::{Case, updates};

/// Ways to add, by name: the choice, small tiles, copies, and few rows.
#[cfg(feature = "webgpu")]
fn ways() -> [(&'static str, ExactWays); 5] {
    let ways = ExactWays::default();
    [
        ("chosen", ways),
        ("tiles of 3", ExactWays { places: Some(3), few: Some(false), ..ways }),
        ("4 copies", ExactWays { copies: Some(4), few: Some(false), ..ways }),
        ("few", ExactWays { few: Some(true), ..ways }),
        ("few in tiles of 5", ExactWays { few: Some(true), places: Some(5), ..ways }),
    ]
}

/// Runs a check once for each way to add; on the CPU once.
async fn each_way(backend: &Backend, mut check: impl AsyncFnMut(&str)) {
    match backend {
        Backend::Cpu => check("").await,
        #[cfg(feature = "webgpu")]
        Backend::WebGpu(gpu) => {
            for (name, ways) in ways() {
                gpu.force_exact(ways);
                check(name).await;
            }
            gpu.force_exact(ExactWays::default());
        }
    }
}

one_thread!(every_way_has_the_bits_of_the_definition);
async fn every_way_has_the_bits_of_the_definition() {
    on_each_backend("exact-sums", async |backend, report| {
        let mut numbers = Numbers(45);
        for dtype in FLOATS {
            for kind in Terms::ALL {
                let cases = [
                    ("flat", Case::flat(dtype, kind, [7, 700], &mut numbers)),
                    ("rows", Case::rows(dtype, kind, [5, 3, 200], &mut numbers)),
                    ("long rows", Case::rows(dtype, kind, [3, 16, 40], &mut numbers)),
                    ("along", Case::along(dtype, kind, [4, 6, 50], &mut numbers)),
                    ("one", Case::rows(dtype, kind, [1, 1, 1], &mut numbers)),
                    ("few", Case::flat(dtype, kind, [3000, 90], &mut numbers)),
                ];
                each_way(backend, async |way| {
                    for (name, case) in &cases {
                        for (at, update) in updates().into_iter().enumerate() {
                            let places = backend.places();
                            let place = places[(at + name.len()) % places.len()];
                            let outcome = case.is_right(backend, place, update).await;
                            report
                                .row(&format!("{dtype} {kind:?} {name} {update:?} {place:?} {way}"), outcome);
                        }
                    }
                })
                .await;
            }
        }
    })
    .await;
}

impl Case {
    /// Makes the call on a backend and compares each place with the definition.
    async fn is_right(&self, backend: &Backend, place: Place, update: scatterwise::Update) -> Row {
        let mut table = backend.put(&self.table)?;
        let (index, src) = (backend.put_at(place, &self.index)?, backend.put_at(place, &self.values)?);
        self.call(&index, src.into(), update).run(&mut table)?;
        let expected = self.expected(update, |number| self.values.bits(number));
        same("result", expected.difference(&read(&table).await?))
    }
}

one_thread!(a_scalar_goes_to_every_entry);
async fn a_scalar_goes_to_every_entry() {
    on_each_backend("exact-scalars", async |backend, report| {
        let mut numbers = Numbers(46);
        for dtype in [DType::Bfloat16, DType::Float32, DType::Float64] {
            for update in updates() {
                let case = Case::rows(dtype, Terms::Uniform, [4, 5, 40], &mut numbers);
                let outcome = async {
                    let mut table = backend.put(&case.table)?;
                    case.call(&backend.put(&case.index)?, 0.1.into(), update).run(&mut table)?;
                    let expected = case.expected(update, |_| scatterwise::Scalar::Float(0.1).cast(dtype));
                    same("result", expected.difference(&read(&table).await?))
                };
                report.row(&format!("{dtype} {update:?}"), outcome.await);
            }
        }
    })
    .await;
}
