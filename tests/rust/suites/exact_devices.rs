//! Exact sums on each backend against the definition: every way in which WebGPU adds them, whatever the place of the operands.

use scatterwise::OutOfRange::Raise;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::testing::{ExactStrategy, Hooks as _};
use scatterwise::{DType, ErrorCode, ExactSum, Op, OutOfRange, Scatter, Target, Tensor};

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{Row, equal, same};
use crate::suites::exact::{FLOATS, Terms};
use crate::suites::exact_calls::{Case, updates};

/// Ways to add, by name: the choice, small tiles, copies, and few rows.
#[cfg(feature = "webgpu")]
fn ways() -> [(&'static str, ExactStrategy); 5] {
    let ways = ExactStrategy::default();
    [
        ("chosen", ways),
        ("tiles of 3", ExactStrategy { places: Some(3), copies: Some(1), compacted: Some(false), ..ways }),
        ("4 copies", ExactStrategy { copies: Some(4), compacted: Some(false), ..ways }),
        ("few", ExactStrategy { compacted: Some(true), ..ways }),
        ("few in tiles of 5", ExactStrategy { compacted: Some(true), places: Some(5), ..ways }),
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
            gpu.force_exact(ExactStrategy::default());
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
                    ("carrying", Case::carrying(dtype, &mut numbers)),
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

one_thread!(parts_have_the_bytes_of_the_cpu);
/// Chunks that are added, merged and read from bytes on each device have the bytes and the results of one sum on the CPU.
async fn parts_have_the_bytes_of_the_cpu() {
    on_each_backend("exact-parts", async |backend, report| {
        let mut numbers = Numbers(48);
        for dtype in FLOATS {
            for kind in Terms::ALL {
                let case = Case::flat(dtype, kind, [9, 300], &mut numbers);
                each_way(backend, async |way| {
                    report.row(&format!("{dtype} {kind:?} {way}"), parts(backend, &case).await);
                })
                .await;
            }
        }
    })
    .await;
}

async fn parts(backend: &Backend, case: &Case) -> Row {
    let (dtype, device) = (case.table.dtype, backend.device());
    let places = case.table.dims.as_slice();
    let add =
        |sums: &mut ExactSum, index: &Tensor, src: &Tensor| sums.add(Target::along(0, index), src, Raise);
    let mut whole = ExactSum::new(places, dtype)?;
    add(&mut whole, &case.index.tensor(), &case.values.tensor())?;
    let mut sums = ExactSum::new_on(places, dtype, device)?;
    equal("device", sums.device(), device)?;
    for (at, first) in (0..case.index.len()).step_by(case.index.len() / 4).enumerate() {
        let [index, src] = [case.part(&case.index, first), case.part(&case.values, first)];
        // Operands come from the host or from the device.
        let on_device =
            |tensor: &Tensor| if at % 2 == 0 { Ok(tensor.clone()) } else { backend.put(&Data::of(tensor)) };
        let mut part = ExactSum::new_on(places, dtype, device)?;
        add(&mut part, &on_device(&index)?, &on_device(&src)?)?;
        if at == 2 {
            let bytes = part.download().await?.to_bytes()?;
            part = ExactSum::from_bytes_on(&bytes, device)?;
        }
        sums.merge(&part)?;
    }
    let copy = sums.duplicate()?;
    for (name, one, two) in [
        ("sum", sums.sum()?, whole.sum()?),
        ("mean", sums.mean()?, whole.mean()?),
        ("count", sums.count()?, whole.count()?),
    ] {
        same(name, Data::of(&two).difference(&read(&one).await?))?;
    }
    let bytes = sums.download().await?.to_bytes()?;
    equal("bytes", bytes == whole.to_bytes()?, true)?;
    sums.merge(&copy)?;
    let twice = whole.duplicate()?;
    whole.merge(&twice)?;
    equal("twice", sums.download().await?.to_bytes()? == whole.to_bytes()?, true)
}

one_thread!(a_bad_index_adds_nothing);
/// Also where only a device knows the values. The error then comes with the next read.
async fn a_bad_index_adds_nothing() {
    on_each_backend("exact-bad-index", async |backend, report| {
        for &place in backend.places() {
            let outcome = async {
                let before = Data::new(&[3], &[1.0f32, 2.0, 3.0]);
                let (bad, src) = (Data::new(&[3], &[0, 1, 3]), Data::new(&[3], &[1.0f32, 1.0, 1.0]));
                let index = backend.put_at(place, &bad)?;
                let mut table = backend.put(&before)?;
                let update =
                    scatterwise::Update { sum: scatterwise::Sum::Exact, ..scatterwise::Reduce::Add.into() };
                let call =
                    Scatter::new(Op::ScatterReduce, Target::along(0, &index), src.tensor().into(), update);
                let told = match call.run(&mut table) {
                    Err(error) => Err(error),
                    Ok(()) => read(&table).await.map(|_| ()),
                };
                equal("code", told.unwrap_err().code(), ErrorCode::IndexOutOfRange)?;
                same("table", before.difference(&read(&table).await?))?;
                let mut sums = ExactSum::new_on(&[3], DType::Float32, backend.device())?;
                let told = match sums.add(Target::along(0, &index), src.tensor(), Raise) {
                    Err(error) => Err(error),
                    Ok(()) => sums.download().await.map(|_| ()),
                };
                equal("code", told.unwrap_err().code(), ErrorCode::IndexOutOfRange)?;
                same("count", Data::new(&[3], &[0i64, 0, 0]).difference(&read(&sums.count()?).await?))?;
                sums.add(Target::along(0, &index), src.tensor(), OutOfRange::Drop)?;
                same("count", Data::new(&[3], &[1i64, 1, 0]).difference(&read(&sums.count()?).await?))
            };
            report.row(&format!("{place:?}"), outcome.await);
        }
    })
    .await;
}
