//! What it costs that no compiler sees through a rounding, and that each dispatch leaves a mark: the same calls with shaders from which
//! either is taken out. Processor time of all threads, on a software adapter.

use std::thread;

use pollster::block_on;
use scatterwise::testing::gpu::DeviceOptions;
use scatterwise::testing::gpu::testing::{Hooks as _, Rewrite, ShaderKey, Strategy, plant};
use scatterwise::{Reduce, Tensor};

use crate::common::backends::on_webgpu;
use crate::common::report::say;

fn without_zero(_: ShaderKey, text: &str) -> Option<String> {
    Some(text.replace("^params.head.zero", ""))
}

fn without_mark(_: ShaderKey, text: &str) -> Option<String> {
    Some(text.replace("atomicAdd(&status[ARRIVALS],1u);", ""))
}

/// Seconds that this process has computed for so far.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split(' ').collect();
    let ticks: f64 = fields[12].parse::<f64>().unwrap() + fields[13].parse::<f64>().unwrap();
    ticks / 100.0
}

const LEN: usize = 1 << 18;
const TIMES: usize = 10;

async fn seconds(call: usize, fault: Option<Rewrite>) -> f64 {
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    let gpu = scatterwise::start_gpu("test", options, None).await.unwrap();
    let values: Vec<f32> = (0..LEN).map(|k| 1.0 + (k % 1001) as f32 * 1e-4).collect();
    let index: Vec<i32> = (0..LEN).map(|k| ((k * 7919) % LEN) as i32).collect();
    let few: Vec<i32> = index.iter().map(|k| k % 64).collect();
    let values = Tensor::from_elements(&[LEN], &values).unwrap().upload().unwrap();
    let [index, few] = [index, few].map(|i| Tensor::from_elements(&[LEN], &i).unwrap().upload().unwrap());
    gpu.sync().await.unwrap();
    plant(fault);
    let run = || match call {
        0 => values.mul(&values),
        1 => values.gather(0, &index),
        2 => {
            gpu.force_strategy(Some(Strategy::RunPerThread));
            values.scatter(0, &index, &values, Reduce::Add)
        }
        3 => {
            gpu.force_strategy(Some(Strategy::RowPerGroup));
            values.scatter(0, &few, &values, Reduce::Add)
        }
        _ => {
            gpu.force_strategy(Some(Strategy::Distinct));
            values.scatter(0, &index, &values, Reduce::Multiply)
        }
    };
    // Compiles what is needed, and runs the canary.
    drop(run().unwrap());
    gpu.sync().await.unwrap_or_default();
    let begin = processor_time();
    for _ in 0..TIMES {
        drop(run().unwrap());
        // Without marks it is an error.
        gpu.sync().await.unwrap_or_default();
    }
    (processor_time() - begin) / TIMES as f64
}

#[one_thread::test]
#[ignore = "a measurement"]
async fn what_it_costs() {
    on_webgpu("rounding-times", async |_, _| {
        let names = ["multiply", "gather", "add, a run per thread", "add, a row per group", "multiply, columns"];
        for (call, name) in names.into_iter().enumerate() {
            let ways: [Option<Rewrite>; 3] = [None, Some(without_zero), Some(without_mark)];
            let mut all = [const { Vec::new() }; 3];
            for _ in 0..3 {
                for (times, way) in all.iter_mut().zip(ways) {
                    times.push(thread::spawn(move || block_on(seconds(call, way))).join().unwrap());
                }
            }
            let [now, without_zero, without_mark] = all.map(|mut times| {
                times.sort_by(f64::total_cmp);
                1e3 * times[1]
            });
            say(&format!(
                "{name}: {now:.1} ms; with roundings that are seen {without_zero:.1} ms; without the mark {without_mark:.1} ms"
            ));
        }
    })
    .await;
}
