//! The CPU's kernels beside a plain loop: `cargo bench -p scatterwise-bench --bench cpu [-- --quick]`.

use std::hint::black_box;

use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::plain;
use scatterwise_bench::table::{Table, ratio, time};
use scatterwise_bench::workload::{ALL, Inputs, Number, Workload};

fn main() {
    // With this flag nothing is measured: a run only shows that the program starts.
    if std::env::args().any(|arg| arg == "--test") {
        return;
    }
    let effort = Effort::from_args();
    println!(
        "{} rounds, interleaved; medians of the thread's own time. Operands are there, results are new.\n",
        effort.rounds
    );
    let headings = [
        "workload",
        "size",
        "dtype",
        "ours",
        "planned",
        "plain loop",
        "ours / plain",
        "spread",
        "copy of the bytes",
    ];
    let mut table = Table::new(&headings, 3);
    for workload in ALL {
        table.row(measure::<f32>(workload, effort));
        table.row(measure::<i32>(workload, effort));
    }
    println!("{table}");
    println!(
        "`planned`: with an index that was checked before. `spread`: half the range of the middle half of ours, in\n\
         parts of the median. `copy`: as many bytes as the call must read and write, copied from one buffer to another."
    );
}

/// Measures a workload with elements of type `T`. Returns its row of the table. Panics where the result is not that of the plain loop.
fn measure<T: Number + PartialEq>(workload: &Workload, effort: Effort) -> Vec<String> {
    let inputs = workload.inputs::<T>();
    check(workload, &inputs);
    let mut ours = workload.tensors(&inputs).expect("operands");
    let mut planned = workload.tensors(&inputs).expect("operands");
    let plan = workload.plan(&planned.index).expect("a plan");
    let mut by_hand = workload.inputs::<T>();
    // A copy reads and writes each of its bytes, so it has half of the bytes, in words of eight.
    let words = (workload.least_bytes() / 16.0).ceil() as usize;
    let (from, mut to) = (vec![1u64; words], vec![2u64; words]);

    // Their times are read in this order below; a multiply has no plan, so that contestant comes last.
    let mut contestants: Vec<Box<dyn FnMut(usize)>> = vec![
        Box::new(|calls| {
            (0..calls).for_each(|_| drop(black_box(workload.run(&mut ours).expect("a result"))))
        }),
        Box::new(|calls| (0..calls).for_each(|_| drop(black_box(plain::run(workload, &mut by_hand))))),
        Box::new(|calls| {
            for _ in 0..calls {
                to.copy_from_slice(black_box(&from));
                black_box(&mut to);
            }
        }),
    ];
    if let Some(plan) = &plan {
        contestants.push(Box::new(|calls| {
            (0..calls)
                .for_each(|_| drop(black_box(workload.run_planned(&mut planned, plan).expect("a result"))));
        }));
    }
    let times = race(Clock::Thread, effort, &mut contestants);
    let dtype = T::DTYPE.name().to_owned();
    let planned = times.get(3).map_or(f64::NAN, |times| times.median());
    vec![
        workload.name.to_owned(),
        workload.size_name().to_owned(),
        dtype,
        time(times[0].median()),
        time(planned),
        time(times[1].median()),
        ratio(times[0].median() / times[1].median()),
        format!("{:.0} %", 100.0 * times[0].spread()),
        time(times[2].median()),
    ]
}

/// Panics unless the library's call and the plain loop have equal results: otherwise there is nothing to compare.
fn check<T: Number + PartialEq>(workload: &Workload, inputs: &Inputs<T>) {
    let mut operands = workload.tensors(inputs).expect("operands");
    let result = workload.run(&mut operands).expect("a result").unwrap_or(operands.table);
    let mut by_hand = inputs.clone();
    let right = plain::run(workload, &mut by_hand).unwrap_or(by_hand.table);
    assert!(
        result.elements::<T>() == Some(&right[..]),
        "{}: another result than the plain loop's",
        workload.name
    );
}
