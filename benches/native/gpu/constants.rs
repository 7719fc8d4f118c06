//! Constants that only a physical GPU can decide, each forced in turn: the quads of a thread of a guarded multiply, and the dispatches
//! after which a batch is submitted. On a software adapter with the constants of hardware they show that the runs work.

use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::testing::Hooks as _;
use scatterwise::testing::gpu::{Arithmetic, Gpu};
use scatterwise::{DType, Tensor};
use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::table::{Table, time};

/// Quads of a thread.
const QUADS: [usize; 5] = [1, 2, 4, 8, 32];
/// Dispatches of a batch that is submitted: if nothing is in flight, and if one submission is. The last pair submits at the end alone.
const DUE: [[u32; 2]; 4] = [[4, 16], [8, 32], [16, 64], [u32::MAX; 2]];
/// Calls that are recorded one after the other.
const CALLS: usize = 300;
/// Elements of each of these.
const SMALL: usize = 1 << 16;

/// Measures both, and prints a table for each.
pub(crate) fn measure(gpu: &Rc<Gpu>, how: (Clock, Effort)) {
    gpu.pose_as_hardware(true);
    println!("## Quads of a thread\n\nA guarded multiply of 4 Mi float32.\n\n{}", quads(gpu, how));
    println!("## Dispatches of a submission\n\n{CALLS} multiplies of 64 Ki float32.\n\n{}", due(gpu, how));
    gpu.pose_as_hardware(false);
}

/// Ones on the GPU.
fn ones(len: usize) -> Tensor {
    Tensor::full(&[len], 1, DType::Float32).and_then(|ones| ones.upload()).expect("ones on the GPU")
}

fn quads(gpu: &Rc<Gpu>, (clock, effort): (Clock, Effort)) -> Table {
    let before = gpu.numerics().float32;
    gpu.force_arithmetic(Arithmetic::Guarded);
    let (x, y) = (ones(4 << 20), ones(4 << 20));
    let (x, y) = (&x, &y);
    let mut contestants = QUADS.map(|quads| -> Box<dyn FnMut(usize)> {
        Box::new(move |calls| {
            gpu.force_quads(Some(quads));
            (0..calls).for_each(|_| drop(x.mul(y).expect("a product")));
            block_on(gpu.sync()).expect("no error");
        })
    });
    let times = race(clock, effort, &mut contestants);
    gpu.force_quads(None);
    gpu.force_arithmetic(before);
    let mut table = Table::new(&["quads", "median", "spread"], 1);
    for (quads, times) in QUADS.iter().zip(times) {
        table.row([quads.to_string(), time(times.median()), format!("{:.0} %", 100.0 * times.spread())]);
    }
    table
}

fn due(gpu: &Rc<Gpu>, (clock, effort): (Clock, Effort)) -> Table {
    let (x, y) = (ones(SMALL), ones(SMALL));
    let (x, y) = (&x, &y);
    let mut contestants = DUE.map(|due| -> Box<dyn FnMut(usize)> {
        Box::new(move |calls| {
            gpu.force_due(Some(due));
            for _ in 0..calls {
                (0..CALLS).for_each(|_| drop(x.mul(y).expect("a product")));
                block_on(gpu.sync()).expect("no error");
            }
        })
    });
    let times = race(clock, effort, &mut contestants);
    gpu.force_due(None);
    let mut table = Table::new(&["idle", "one in flight", "median", "spread"], 2);
    for ([idle, one], times) in DUE.iter().zip(times) {
        let name = |due: u32| if due == u32::MAX { "at the end".into() } else { due.to_string() };
        let spread = format!("{:.0} %", 100.0 * times.spread());
        table.row([name(*idle), name(*one), time(times.median()), spread]);
    }
    table
}
