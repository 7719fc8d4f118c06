//! The workloads of `workload.rs` under divan, to look closely at one: `cargo bench -p scatterwise-bench --bench kernels -- rows`.

use divan::Bencher;
use scatterwise_bench::plain;
use scatterwise_bench::workload::{ALL, Number, Workload};

fn main() {
    divan::main();
}

/// The names of all workloads, with their sizes: the arguments that divan shows and filters by.
fn names() -> impl Iterator<Item = String> {
    ALL.iter().map(|workload| format!("{} ({})", workload.name, workload.size_name()))
}

/// The workload to which `names` gives this name.
fn named(name: &str) -> &'static Workload {
    ALL.iter()
        .zip(names())
        .find(|(_, known)| known == name)
        .map(|(workload, _)| workload)
        .expect("a workload")
}

/// The library's call.
#[divan::bench(args = names(), types = [f32, i32], sample_count = 20)]
fn ours<T: Number>(bencher: Bencher<'_, '_>, name: &str) {
    let workload = named(name);
    let mut operands = workload.tensors(&workload.inputs::<T>()).expect("operands");
    bencher.bench_local(|| workload.run(&mut operands).expect("a result"));
}

/// The library's call with a prepared index. A multiply has none, and measures nothing.
#[divan::bench(args = names(), types = [f32, i32], sample_count = 20)]
fn planned<T: Number>(bencher: Bencher<'_, '_>, name: &str) {
    let workload = named(name);
    let mut operands = workload.tensors(&workload.inputs::<T>()).expect("operands");
    let Some(plan) = workload.plan(&operands.index).expect("a plan") else { return };
    bencher.bench_local(|| workload.run_planned(&mut operands, &plan).expect("a result"));
}

/// The loop that one would write by hand.
#[divan::bench(args = names(), types = [f32, i32], sample_count = 20)]
fn plain_loop<T: Number>(bencher: Bencher<'_, '_>, name: &str) {
    let workload = named(name);
    let mut inputs = workload.inputs::<T>();
    bencher.bench_local(|| plain::run(workload, &mut inputs));
}
