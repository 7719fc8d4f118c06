//! What two safeguards in the shaders cost: that products are hidden from compilers (`shaders/lib/native_float.wgsl`), and that each dispatch leaves a mark, by which lost work is noticed. The same calls run with shaders from which either is taken out.
//! Processor time of all threads, on a software adapter.

use std::thread;

use pollster::block_on;
use scatterwise::testing::gpu::DeviceOptions;
use scatterwise::testing::gpu::testing::{Hooks as _, Rewrite, ShaderKey, Strategy, plant};
use scatterwise::{DType, IndexPlan, Reduce, Tensor};

use crate::common::backends::on_webgpu;
use crate::common::call::Planned as _;
use crate::common::report::say;

/// Takes out the word of the parameters that hides a product: it is zero, which compilers do not know.
fn without_zero(_: ShaderKey, text: &str) -> Option<String> {
    Some(text.replace("^params.head.zero", ""))
}

/// Takes out the mark that each dispatch adds to the count on the device.
fn without_mark(_: ShaderKey, text: &str) -> Option<String> {
    Some(text.replace("atomicAdd(&status[COMPLETED],1u);", ""))
}

/// Seconds of processor time that all threads of this process have used so far.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The program's name, which may have blanks, ends with the last parenthesis. Fields 12 and 13 behind it are the ticks in the
    // program and in the system. Linux counts 100 ticks in a second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split(' ').collect();
    let ticks: f64 = fields[12].parse::<f64>().unwrap() + fields[13].parse::<f64>().unwrap();
    ticks / 100.0
}

/// Elements of every operand but a table of few rows.
const LEN: usize = 1 << 18;
/// Rows of that table: a workgroup for each does not apply to more than 65,536.
const ROWS: usize = 64;
/// Calls whose time is averaged.
const TIMES: usize = 10;
/// The calls that are measured, by their position in `seconds`.
const CALLS: [&str; 5] =
    ["multiply", "gather", "add, a run per thread", "add, a row per group", "multiply, columns"];

/// Seconds of processor time that one call takes, on a device whose shaders are changed by `rewrite`. `call` is a position in `CALLS`.
async fn seconds(call: usize, rewrite: Option<Rewrite>) -> f64 {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    let gpu = scatterwise::start_gpu("test", options, None).await.unwrap();
    let values: Vec<f32> = (0..LEN).map(|k| 1.0 + (k % 1001) as f32 * 1e-4).collect();
    let index: Vec<i32> = (0..LEN).map(|k| ((k * 7919) % LEN) as i32).collect();
    // For rows that many entries name.
    let few: Vec<i32> = index.iter().map(|k| k % ROWS as i32).collect();
    let rows = Tensor::full(&[ROWS], 1.0, DType::Float32).unwrap().upload().unwrap();
    let values = Tensor::from_elements(&[LEN], &values).unwrap().upload().unwrap();
    let [index, few] = [index, few].map(|i| Tensor::from_elements(&[LEN], &i).unwrap());
    // Knows that no place repeats: only then the columns pass has a thread for each entry.
    let plan = IndexPlan::along(&[LEN], 0, &index).unwrap();
    let [index, few] = [index, few].map(|i| i.upload().unwrap());
    gpu.sync().await.unwrap();
    plant(rewrite);
    let run = || match call {
        0 => values.mul(&values),
        1 => values.gather(0, &index),
        2 => {
            gpu.force_strategy(Some(Strategy::RunPerThread));
            values.scatter(0, &index, &values, Reduce::Add)
        }
        3 => {
            gpu.force_strategy(Some(Strategy::RowPerGroup));
            rows.scatter_add(0, &few, &values)
        }
        _ => {
            gpu.force_strategy(Some(Strategy::Distinct));
            values.scatter_at(&plan, &values, Reduce::Multiply)
        }
    };
    // The first call compiles the shaders and runs the self-tests.
    drop(run().unwrap());
    gpu.sync().await.unwrap_or_default();
    let begin = processor_time();
    for _ in 0..TIMES {
        drop(run().unwrap());
        // Without marks the work is taken for lost, which is an error.
        gpu.sync().await.unwrap_or_default();
    }
    (processor_time() - begin) / TIMES as f64
}

one_thread!(
    #[ignore = "a measurement"]
    what_it_costs
);
/// Prints the time of each call as the shaders are, and without each of the two safeguards. It asks `on_webgpu` only whether there is a
/// GPU: every measurement starts a device of its own.
async fn what_it_costs() {
    on_webgpu("rounding-times", async |_, _| {
        for (call, name) in CALLS.into_iter().enumerate() {
            let rewrites: [Option<Rewrite>; 3] = [None, Some(without_zero), Some(without_mark)];
            let mut all = [const { Vec::new() }; 3];
            for _ in 0..3 {
                for (times, rewrite) in all.iter_mut().zip(rewrites) {
                    // A thread has devices and rewritten shaders of its own.
                    times.push(thread::spawn(move || block_on(seconds(call, rewrite))).join().unwrap());
                }
            }
            // The median of three, in milliseconds.
            let [as_it_is, seen, unmarked] = all.map(|mut times| {
                times.sort_by(f64::total_cmp);
                1e3 * times[1]
            });
            say(&format!(
                "{name}: {as_it_is:.1} ms; with products that are seen {seen:.1} ms; without the mark \
                 {unmarked:.1} ms"
            ));
        }
    })
    .await;
}
