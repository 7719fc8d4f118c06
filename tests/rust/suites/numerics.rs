//! float32 to the last bit: the order of updates, the strict arithmetic and its twin, and the start-up probe's verdict.

#[cfg(feature = "webgpu")]
use std::rc::Rc;

#[cfg(feature = "webgpu")]
use scatterwise::Binary;
#[cfg(feature = "webgpu")]
use scatterwise::testing::gpu::{Arithmetic, Gpu};
use scatterwise::{DType, Reduce, Tensor};

#[cfg(feature = "webgpu")]
use crate::common::backends::{ForcedArithmetic, on_webgpu};
use crate::common::backends::{on_each_backend, read};
use crate::common::data::Data;
use crate::common::pairs::{edge_pairs, random_pairs};
use crate::common::report::{Fault, Row, equal, same, say};

one_thread!(order_matters);
/// Four updates of one place are applied in their order: in another one these sums and products would have other bits.
async fn order_matters() {
    let rows: [(&str, Reduce, [f32; 4], f32); 5] = [
        ("sum", Reduce::Add, [1e8, 1.0, -1e8, 1.0], 1.0),
        ("sum in another order", Reduce::Add, [1e8, -1e8, 1.0, 1.0], 2.0),
        ("product", Reduce::Multiply, [1e30, 1e30, 1e-30, 1e-30], f32::INFINITY),
        ("product in another order", Reduce::Multiply, [1e30, 1e-30, 1e30, 1e-30], 1.0),
        ("the last one", Reduce::Replace, [3.0, 1.0, 4.0, 1.5], 1.5),
    ];
    on_each_backend("order", async |backend, report| {
        for (name, reduce, src, expected) in &rows {
            for &place in backend.places() {
                let outcome = async {
                    let start = if *reduce == Reduce::Multiply { 1.0f32 } else { 0.0 };
                    let mut table = backend.put(&Data::new(&[4, 1], &[start; 4]))?;
                    let index = backend.put_at(place, &Data::new(&[4, 1], &[2i32, 2, -2, 2]))?;
                    let src = backend.put_at(place, &Data::new(&[4, 1], src))?;
                    table.scatter_(0, &index, &src, *reduce)?;
                    let got = read(&table).await?;
                    same("result", Data::new(&[4, 1], &[start, start, *expected, start]).difference(&got))
                };
                report.row(&format!("{name} {place:?}"), outcome.await);
            }
        }
    })
    .await;
}

/// The Rust twin of the shader of strict arithmetic against this CPU: natively only, for millions of pairs.
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
#[test]
fn the_twin_of_strict_arithmetic_is_exact() {
    use crate::twins::strict_float::{strict_add, strict_multiply};

    const RANDOM: usize = 2_000_000;
    for (a, b) in edge_pairs().chain(random_pairs(1).take(RANDOM)) {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let (sum, product) = (strict_add(a, b), strict_multiply(a, b));
        assert!(
            is_same(sum, x + y),
            "{x:e} ({a:#x}) + {y:e} ({b:#x}): {sum:#x}, not {:#x}",
            (x + y).to_bits()
        );
        assert!(
            is_same(product, x * y),
            "{x:e} ({a:#x}) · {y:e} ({b:#x}): {product:#x}, not {:#x}",
            (x * y).to_bits()
        );
    }
}

#[cfg(feature = "webgpu")]
one_thread!(gpu_arithmetic_is_exact);
/// Sums and products by a scatter have the CPU's bits on every adapter, and so have those of a multiply as far as the probe lets the
/// adapter's own be used.
#[cfg(feature = "webgpu")]
async fn gpu_arithmetic_is_exact() {
    const RANDOM: usize = 100_000;
    on_webgpu("float32-arithmetic", async |gpu, report| {
        let pairs: Vec<_> = edge_pairs().chain(random_pairs(2).take(RANDOM)).collect();
        let (a, b): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
        say(&format!("the start-up probe saw {:?}", gpu.numerics()));
        // Scatters do not ask which arithmetic there is.
        for arithmetic in Arithmetic::ALL {
            let _forced = ForcedArithmetic::new(gpu, arithmetic);
            for reduce in [Reduce::Add, Reduce::Multiply] {
                let name = format!("{reduce:?} of {} pairs beside {arithmetic:?} products", a.len());
                report.row(&name, combined(reduce, &a, &b).await);
            }
        }
        // From the adapter's own to the strict one: those before the one that the probe chose are not right here.
        let probed = Arithmetic::ALL.iter().position(|&arithmetic| arithmetic == gpu.numerics().float32);
        for (at, arithmetic) in Arithmetic::ALL.into_iter().enumerate() {
            let right_by_probe = || {
                let reason = "the probe says that this adapter's own arithmetic is not the CPU's";
                (Some(at) < probed).then(|| Fault::Skipped(reason.into())).map_or(Ok(()), Err)
            };
            for (binary, in_place) in OPERATIONS.into_iter().flat_map(|of| [(of, false), (of, true)]) {
                let outcome = async {
                    right_by_probe()?;
                    operated(gpu, arithmetic, (binary, in_place), &a, &b).await
                };
                let name = if in_place { "in place" } else { "" };
                report.row(&format!("{arithmetic:?} {binary:?} {name} of {} pairs", a.len()), outcome.await);
            }
        }
    })
    .await;
}

#[cfg(feature = "webgpu")]
one_thread!(an_adapter_that_flushes_is_guarded);
/// The software adapters round as the CPU does, so that the probe need not choose strict arithmetic on any of them that keeps NaN. One that
/// takes subnormal numbers for zero is guarded: its own results are used where that cannot matter.
#[cfg(feature = "webgpu")]
async fn an_adapter_that_flushes_is_guarded() {
    on_webgpu("float32-arithmetic", async |gpu, report| {
        let numerics = gpu.numerics();
        if !gpu.facts().software {
            let reason = "what a hardware adapter does is for the probe to say";
            return report.row("chosen", Err(Fault::Skipped(reason.into())));
        }
        let expected = match (numerics.keeps_subnormals, numerics.keeps_nan) {
            (true, true) => Arithmetic::Native,
            (false, true) => Arithmetic::Guarded,
            (_, false) => Arithmetic::Strict,
        };
        report.row("chosen", equal("arithmetic", numerics.float32, expected));
    })
    .await;
}

/// Sums and products of all kinds of pairs, by scatters and a multiply, for the suite of faulty adapters.
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
pub(crate) async fn sums_and_products(gpu: &Rc<Gpu>) -> Row {
    let (a, b): (Vec<u32>, Vec<u32>) = edge_pairs().chain(random_pairs(3).take(10_000)).unzip();
    for reduce in [Reduce::Add, Reduce::Multiply] {
        combined(reduce, &a, &b).await?;
    }
    for binary in OPERATIONS {
        operated(gpu, gpu.numerics().float32, (binary, false), &a, &b).await?;
    }
    Ok(())
}

/// Combines a and b, bits of float32, element by element, on the GPU by a scatter and here, and fails the row where they differ.
#[cfg(feature = "webgpu")]
async fn combined(reduce: Reduce, a: &[u32], b: &[u32]) -> Row {
    // Every pair is a column of its own, so that all of them are computed in parallel.
    let index = Tensor::zeros(&[1, a.len()], DType::Int32)?;
    let mut table = tensor(a)?.upload()?;
    table.scatter_(0, &index, &tensor(b)?, reduce)?;
    let combine = |x, y| if reduce == Reduce::Add { x + y } else { x * y };
    wrong_pairs(&read(&table).await?, a, b, combine)
}

/// The operations on two tensors of float32.
#[cfg(feature = "webgpu")]
const OPERATIONS: [Binary; 6] =
    [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide(None), Binary::Maximum, Binary::Minimum];

/// Combines a and b, bits of float32, on the GPU by an operation on two tensors, or by its form in place, and here, and fails the row where they
/// differ.
#[cfg(feature = "webgpu")]
async fn operated(
    gpu: &Rc<Gpu>,
    arithmetic: Arithmetic,
    (binary, in_place): (Binary, bool),
    a: &[u32],
    b: &[u32],
) -> Row {
    let _forced = ForcedArithmetic::new(gpu, arithmetic);
    let (mut x, y) = (tensor(a)?.upload()?, tensor(b)?.upload()?);
    match (binary, in_place) {
        (Binary::Add, false) => x = x.add(&y)?,
        (Binary::Add, true) => x.add_(&y)?,
        (Binary::Subtract, false) => x = x.sub(&y)?,
        (Binary::Subtract, true) => x.sub_(&y)?,
        (Binary::Multiply, false) => x = x.mul(&y)?,
        (Binary::Multiply, true) => x.mul_(&y)?,
        (Binary::Divide(rounding), false) => x = x.div(&y, rounding)?,
        (Binary::Divide(rounding), true) => x.div_(&y, rounding)?,
        (Binary::Maximum, false) => x = x.maximum(&y)?,
        (Binary::Maximum, true) => x.maximum_(&y)?,
        (Binary::Minimum, false) => x = x.minimum(&y)?,
        (Binary::Minimum, true) => x.minimum_(&y)?,
    }
    let by_definition = |x: f32, y: f32| match binary {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide(_) => x / y,
        Binary::Maximum | Binary::Minimum if x.is_nan() || y.is_nan() => f32::NAN,
        // -0 is below +0.
        Binary::Maximum => {
            if x.total_cmp(&y).is_ge() {
                x
            } else {
                y
            }
        }
        Binary::Minimum => {
            if x.total_cmp(&y).is_le() {
                x
            } else {
                y
            }
        }
    };
    wrong_pairs(&read(&x).await?, a, b, by_definition)
}

/// A row of float32 from their bits.
fn tensor(bits: &[u32]) -> scatterwise::Result<Tensor> {
    Tensor::from_elements(&[1, bits.len()], bytemuck::cast_slice::<u32, f32>(bits))
}

/// Fails the row with the first five pairs whose result on the GPU is not `combine` of them.
fn wrong_pairs(got: &Data, a: &[u32], b: &[u32], combine: impl Fn(f32, f32) -> f32) -> Row {
    let wrong = a.iter().zip(b).enumerate().filter_map(|(k, (&a, &b))| {
        let (x, y) = (f32::from_bits(a), f32::from_bits(b));
        let (expected, got) = (combine(x, y), got.bits(k) as u32);
        (!is_same(got, expected)).then(|| format!("{a:#x}, {b:#x}: {got:#x}, not {:#x}", expected.to_bits()))
    });
    equal("the first wrong pairs", wrong.take(5).collect::<Vec<_>>(), Vec::new())
}

/// Whether `got` has the bits of `expected`; any NaN equals any NaN.
fn is_same(got: u32, expected: f32) -> bool {
    if expected.is_nan() { f32::from_bits(got).is_nan() } else { got == expected.to_bits() }
}
