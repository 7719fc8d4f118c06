//! How many dispatches calls of full size take, with the constants of hardware: a dispatch costs a GPU 5 to 100 µs, however little it finds
//! to do. What is recorded does not depend on the adapter. Natively only: in a browser the calls would take longer than its test runner waits.

use scatterwise::testing::gpu::testing::{Hooks as _, Recorded, Strategy};
use scatterwise::{Activation, Along, DType, IndexPlan, OutOfRange, Reduce, Spmm, Tensor, activate};

use crate::common::backends::{AsHardware, Backend, ForcedStrategy, on_webgpu, read};
use crate::common::call::{Call, Method, Planned as _};
use crate::common::data::Data;
use crate::common::random::{calls, for_random};
use crate::common::report::{equal, same, say};
use crate::suites::properties;

const MILLION: usize = 1 << 20;

/// Pseudorandom whole numbers below `bound`.
fn below(bound: usize, len: usize) -> Vec<i32> {
    let mixed = (1..=len as u64).map(|at| at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32);
    mixed.map(|number| (number % bound as u64) as i32).collect()
}

fn floats(len: usize) -> scatterwise::Result<Tensor> {
    Tensor::from_elements(&[len], &below(1000, len).iter().map(|&k| k as f32 / 64.0).collect::<Vec<_>>())
}

one_thread!(few_dispatches);
/// The bars of ordered sums, of sparse products and of their plans.
async fn few_dispatches() {
    on_webgpu("dispatches", async |gpu, report| {
        gpu.pose_as_hardware(true);
        for (name, entries, slots, strategy, most) in [
            ("an ordered sum of a million", MILLION, MILLION, None, 8),
            ("an ordered sum of a million, sorted", MILLION, MILLION, Some(Strategy::RunPerThread), 28),
            (
                "an ordered sum of four million into 16 slots",
                4 * MILLION,
                16,
                Some(Strategy::RowPerGroup),
                60,
            ),
        ] {
            let _forced = strategy.map(|strategy| ForcedStrategy::new(gpu, strategy));
            let outcome = async {
                let index = Tensor::from_elements(&[entries], &below(slots, entries))?;
                let (table, src) = (floats(slots)?, floats(entries)?);
                let here = table.scatter_add(0, &index, &src)?;
                let (there, index, src) = (table.upload()?, index.upload()?, src.upload()?);
                gpu.take_counts();
                let there = there.scatter_add(0, &index, &src)?;
                let counts = gpu.take_counts();
                say(&format!("{name}: {} dispatches, {} bind groups", counts.dispatches, counts.groups));
                equal("few", counts.dispatches <= most, true)?;
                // The digits of a sort take turns between two buffers, and each submission has a few of them.
                equal("few bind groups", counts.groups <= counts.dispatches, true)?;
                // llvmpipe would leave the loops of long runs: see `LONG_ROUNDS`. The probe finds that out, and this test does not ask it.
                if entries > slots {
                    return gpu.sync().await.map_err(Into::into);
                }
                same("result", Data::of(&here).difference_of_bits(&read(&there).await?))
            };
            report.row(name, outcome.await);
        }
        let outcome = async {
            let index = Tensor::from_elements(&[MILLION], &below(MILLION, MILLION))?;
            let plan = IndexPlan::along(&[MILLION], 0, &index)?;
            let (table, src) = (floats(MILLION)?, floats(MILLION)?);
            let here = table.scatter_at(&plan, &src, Reduce::Add)?;
            let (there, src) = (table.upload()?, src.upload()?);
            there.scatter_at(&plan, &src, Reduce::Add)?;
            gpu.take_counts();
            let there = there.scatter_at(&plan, &src, Reduce::Add)?;
            let counts = gpu.take_counts();
            say(&format!("the same by a plan: {} dispatches", counts.dispatches));
            equal("few", counts.dispatches <= 3, true)?;
            same("result", Data::of(&here).difference_of_bits(&read(&there).await?))
        };
        report.row("an ordered sum of a million by a plan", outcome.await);
        let outcome = async {
            const ROWS: usize = 1 << 15;
            let index = |seed: usize| Tensor::from_elements(&[MILLION], &below(ROWS - seed, MILLION));
            let [rows, columns] = [&[ROWS][..], &[ROWS, 4]]
                .map(|dims| IndexPlan::select(dims, 0, &index(dims.len())?, OutOfRange::Raise));
            let (rows, columns) = (rows?, columns?);
            let (values, dense) = (floats(MILLION)?, floats(4 * ROWS)?.reshape(&[ROWS, 4])?);
            let product = |values: &Tensor| Spmm::new((&rows).into(), (&columns).into(), Some(values));
            let here = product(&values).run(&dense)?;
            let (values, dense) = (values.upload()?, dense.upload()?);
            product(&values).run(&dense)?;
            // A slow adapter would get the passes in pieces.
            gpu.force_budget(Some(1 << 40));
            gpu.take_counts();
            let there = product(&values).run(&dense)?;
            gpu.force_budget(None);
            let counts = gpu.take_counts();
            say(&format!("a sparse product of a million entries by plans: {} dispatches", counts.dispatches));
            equal("few", counts.dispatches <= 6, true)?;
            same("result", Data::of(&here).difference_of_bits(&read(&there).await?))
        };
        report.row("a sparse product by plans", outcome.await);
        gpu.pose_as_hardware(false);
    })
    .await;
}

one_thread!(few_dispatches_of_reductions);
/// The bars of extremes, of their positions and of sums of integers: data is read once, whatever its width.
async fn few_dispatches_of_reductions() {
    on_webgpu("reductions", async |gpu, report| {
        let _posing = AsHardware::new(gpu);
        // A slow adapter would get the passes in pieces.
        gpu.force_budget(Some(1 << 40));
        for (along, dtype, dims, most) in [
            (Along::Amax, DType::Float32, Some(1), 1),
            (Along::Amin, DType::Float32, Some(0), 2),
            (Along::Argmax, DType::Float32, Some(1), 1),
            (Along::Argmin, DType::Float32, Some(0), 2),
            (Along::Amax, DType::Float32, None, 2),
            (Along::Argmax, DType::Float32, None, 2),
            (Along::Sum, DType::Int32, Some(1), 1),
            (Along::Sum, DType::Int8, Some(0), 2),
            (Along::Sum, DType::Bool, None, 2),
        ] {
            let outcome = async {
                let input = floats(MILLION)?.astype(dtype)?.reshape(&[1 << 10, 1 << 10])?;
                let reduced = |x: &Tensor| match (along, dims) {
                    (Along::Sum, dim) => x.sum(dim.as_ref().map(std::slice::from_ref), false, None),
                    (Along::Amax, dim) => x.amax(dim.as_ref().map(std::slice::from_ref), false),
                    (Along::Amin, dim) => x.amin(dim.as_ref().map(std::slice::from_ref), false),
                    (Along::Argmax, dim) => x.argmax(dim, false),
                    (_, dim) => x.argmin(dim, false),
                };
                let (here, there) = (reduced(&input)?, input.upload()?);
                gpu.take_counts();
                let there = reduced(&there)?;
                let counts = gpu.take_counts();
                say(&format!("{along:?} {dtype} {dims:?}: {} dispatches", counts.dispatches));
                equal("few", counts.dispatches <= most, true)?;
                // Whole buffers are bound. A second read of the data would make twice as many bytes.
                equal("bytes", counts.bound <= (dtype.size() + 1) as u64 * MILLION as u64, true)?;
                same("result", Data::of(&here).difference_of_bits(&read(&there).await?))
            };
            report.row(&format!("{along:?} {dtype} {dims:?}"), outcome.await);
        }
        gpu.force_budget(None);
    })
    .await;
}

one_thread!(a_gpu_runs_while_calls_are_recorded);
/// An idle GPU gets the first 8 dispatches, and 32 more while it runs these. Then what is recorded waits until one of the two submissions has
/// ended. The bits stay the same.
async fn a_gpu_runs_while_calls_are_recorded() {
    on_webgpu("overlap", async |gpu, report| {
        let outcome = async {
            let x = floats(1000)?;
            let (mut here, mut there, factor) =
                (x.clone(), x.upload()?, Tensor::full(&[1], 1.25, DType::Float32)?);
            gpu.sync().await?;
            gpu.pose_as_hardware(true);
            gpu.take_counts();
            let mut submissions = Vec::new();
            for _ in 0..100 {
                here = here.mul(&factor)?;
                there = there.mul(&factor)?;
                submissions.push(gpu.take_counts().submissions);
            }
            gpu.pose_as_hardware(false);
            let at: Vec<_> = (0..100).filter(|&at| submissions[at] > 0).collect();
            // The products and a self-test are 101 dispatches. A submission follows 32, or 8 if the one before has ended.
            let are_early = at.first().is_some_and(|&first| first <= 8) && at.len() <= 101 / 8;
            equal(&format!("submissions before products {at:?}"), are_early && at.len() >= 2, true)?;
            same("result", Data::of(&here).difference_of_bits(&read(&there).await?))
        };
        report.row("a chain of products", outcome.await);
        let backend = Backend::WebGpu(gpu.clone());
        let check = async |calls: &[Call]| properties::equal_the_oracle(&backend, calls).await;
        gpu.pose_as_hardware(true);
        for_random(report, "calls", &calls(Method::SCATTERS, DType::ALL, 200), check).await;
        gpu.pose_as_hardware(false);
    })
    .await;
}

one_thread!(elementwise_passes_fill_a_gpu);
/// Four million elements need at least 256 Ki threads, and no thread has more than four rounds of elements.
async fn elementwise_passes_fill_a_gpu() {
    type Operation = fn(&Tensor, &Tensor) -> scatterwise::Result<Tensor>;
    let operations: [(&str, Operation); 8] = [
        ("mul", |x, y| x.mul(y)),
        ("add", |x, y| x.add(y)),
        ("sub", |x, y| x.sub(y)),
        ("div", |x, y| x.div(y, None)),
        ("maximum", |x, y| x.maximum(y)),
        ("minimum", |x, y| x.minimum(y)),
        ("relu", |x, _| activate(x, Activation::Relu)),
        ("exp", |x, _| activate(x, Activation::Exp)),
    ];
    on_webgpu("occupancy", async |gpu, report| {
        gpu.pose_as_hardware(true);
        gpu.force_budget(Some(1 << 26));
        for (name, operation) in operations {
            let outcome = async {
                let x = floats(4 * MILLION)?.upload()?;
                // The first calls come with self-tests, which are small.
                for _ in 0..3 {
                    operation(&x, &x)?;
                    gpu.sync().await?;
                }
                gpu.list_recorded(true);
                operation(&x, &x)?;
                let recorded = gpu.list_recorded(false);
                gpu.sync().await?;
                say(&format!("{name}: {recorded:?}"));
                // A float32 quotient declares the rounds of its long division, which read no memory.
                let most = if name == "div" { u64::MAX } else { 4 };
                let fills = |pass: &Recorded| match *pass {
                    Recorded::Dispatch { threads, rounds, .. } => threads >= 1 << 18 && rounds <= most,
                    Recorded::Submission => true,
                };
                equal("occupancy", !recorded.is_empty() && recorded.iter().all(fills), true)
            };
            report.row(name, outcome.await);
        }
        gpu.force_budget(None);
        gpu.pose_as_hardware(false);
    })
    .await;
}
