//! The GPU, through whatever adapter answers: `cargo bench -p scatterwise-bench --bench gpu [-- --quick] [-- NAME]`.
//!
//! With `--processor`, all but the workloads are measured in processor time: for a software adapter on a machine with other work.
//! With `--strict`, the products of float32 multiplies are computed in integers, as on an adapter whose own are not the CPU's. Scatters always are.
//!
//! First the adapter's own copy rate. `counts` and `conversions` measure these alone, beside an int32 count and a copy, `commuting` only scatters
//! that need no order, and `exact` exact sums, both beside compare-exchange kernels; `groups` sorts and groups, beside
//! the CPU; `sparse` products of sparse matrices, beside the calls that they stand for; `constants` a multiply by other numbers of quads for a thread, and
//! calls submitted after other numbers of dispatches. Then, for each workload, every strategy that applies, forced in turn, beside the
//! chosen one, the chosen one with a prepared index, and for additions the compare-exchange rival. Results are
//! compared with the CPU's, bit for bit.

mod commuting;
mod constants;
mod counts;
mod exact;
mod groups;
mod rival;
mod sparse;

use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::testing::{Counts, Hooks as _, Strategy};
use scatterwise::testing::gpu::{Arithmetic, DeviceOptions, Gpu};
use scatterwise::{Device, IndexPlan, Tensor};
use scatterwise_bench::clock::{Clock, Effort, Times, race};
use scatterwise_bench::table::{Table, ratio, size, time};
use scatterwise_bench::workload::{ALL, Operands, Workload};

/// Bytes of the large copies that the adapter's rate is taken from: more than most caches hold.
const COPIED: usize = 64 << 20;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    // An adapter that computes on the CPU is measured too.
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    let gpu = match block_on(scatterwise::start_gpu("bench", options, None)) {
        Ok(gpu) => gpu,
        Err(error) => return println!("Nothing was measured: {error}"),
    };
    let rival = block_on(rival::Device::new()).expect("a second device");
    let effort = Effort::from_args();
    if std::env::args().any(|arg| arg == "--strict") {
        gpu.force_arithmetic(Arithmetic::Strict);
    }
    let facts = gpu.facts();
    let kind =
        if facts.software { "a software adapter: it computes on the CPU" } else { "a hardware adapter" };
    println!("Adapter: {} ({}), {kind}.", facts.description, facts.architecture);
    println!(
        "float32 products of multiplies: {:?}. {} rounds, interleaved; medians.\n",
        gpu.numerics().float32,
        effort.rounds
    );
    let copy_rates = copy_rates(&rival, effort);
    let is_wanted = |name| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let is_busy = std::env::args().any(|arg| arg == "--processor");
    let how = (if is_busy { Clock::Process } else { Clock::Wall }, effort);
    if is_wanted("counts") {
        println!("## Counts\n\n{}", counts::counts(&gpu, how));
    }
    if is_wanted("conversions") {
        println!("## Conversions\n\n{}", counts::conversions(&gpu, &rival, how));
    }

    if is_wanted("commuting") {
        commuting::measure(&gpu, &rival, how);
    }
    if is_wanted("exact") {
        exact::measure(&gpu, &rival, how);
    }
    if is_wanted("groups") {
        groups::measure(&gpu, how);
    }
    if is_wanted("constants") {
        constants::measure(&gpu, how);
    }
    if is_wanted("sparse") {
        sparse::measure(&gpu, how);
    }

    let mut bench = Bench { gpu, rival, effort, copy_rates, summary: empty_summary() };
    for workload in ALL
        .iter()
        .filter(|workload| wanted.is_empty() || wanted.iter().any(|name| workload.name.contains(name)))
    {
        bench.measure(workload);
    }
    println!("## Chosen against best\n\n{}", bench.summary);
}

/// The empty table of the summary. A row is a workload.
fn empty_summary() -> Table {
    let headings =
        ["workload", "size", "chosen", "best forced", "chosen", "best", "chosen / best", "rival / chosen"];
    Table::new(&headings, 4)
}

/// Prints the rates of copying in a table. Returns those of the large copies, in bytes per second: by command, and by a kernel.
/// Each byte that is copied counts twice, because it is read and written.
fn copy_rates(rival: &rival::Device, effort: Effort) -> [f64; 2] {
    let mut table = Table::new(&["copy of", "by command", "by a kernel"], 1);
    let mut large = [0.0; 2];
    for bytes in [COPIED >> 6, COPIED] {
        let times = race(Clock::Wall, effort, &mut rival.copies(bytes));
        // The large size comes last, so its rates are those that are returned.
        large = [0, 1].map(|at| 2.0 * bytes as f64 / times[at].median());
        table.row([size(bytes as f64), gigabytes(large[0]), gigabytes(large[1])]);
    }
    println!("## The adapter's own copy\n\n{table}");
    large
}

/// A rate in bytes per second, as text.
fn gigabytes(rate: f64) -> String {
    format!("{:.1} GB/s", rate / 1e9)
}

/// What all workloads are measured with, and the summary of those that were measured.
struct Bench {
    gpu: Rc<Gpu>,
    rival: rival::Device,
    effort: Effort,
    /// Bytes per second of large copies, by command and by a kernel.
    copy_rates: [f64; 2],
    summary: Table,
}

/// One way to do a workload.
#[derive(Clone)]
enum Way {
    /// By the strategy that the library chooses.
    Chosen,
    /// By this strategy, whatever it would choose.
    Forced(Strategy),
    /// By the strategy that it chooses for a prepared index.
    Planned(IndexPlan),
}

impl Way {
    /// The name in the tables.
    fn name(&self) -> String {
        match self {
            Self::Chosen => "chosen".into(),
            Self::Forced(strategy) => format!("{strategy:?}").to_lowercase(),
            Self::Planned(_) => "chosen, planned".into(),
        }
    }
}

impl Bench {
    /// Checks and times a workload by every way that there is, prints its table, and adds its row to the summary. In all these
    /// functions `here` are operands in host memory, `there` operands on the GPU.
    fn measure(&mut self, workload: &Workload) {
        let inputs = workload.inputs::<f32>();
        let here = workload.tensors(&inputs).expect("operands");
        let right = expected(workload, &here);
        let (chosen, ways) = self.ways(workload, &here);
        let checked: Vec<_> = ways.iter().map(|way| self.check(workload, way, &here, &right)).collect();

        let job = self.rival.scatter_add(workload, &inputs);
        let mut contestants: Vec<Box<dyn FnMut(usize) + '_>> = Vec::new();
        for way in &ways {
            let mut there = here.upload().expect("operands on the GPU");
            let this = &*self;
            contestants.push(Box::new(move |calls| this.finish_calls(workload, way, &mut there, calls)));
        }
        if let Some(job) = &job {
            let rival = &self.rival;
            contestants.push(Box::new(move |calls| rival.run(job, calls)));
        }
        let times = race(Clock::Wall, self.effort, &mut contestants);
        drop(contestants);
        self.report(workload, &ways, &checked, &times);
        self.summarise(workload, chosen, &ways, &times);
    }

    /// The strategy that the library chooses, which only a scatter has, and every way to do the workload. A strategy that is forced
    /// counts only if it then runs: not every one is possible for every call.
    fn ways(&self, workload: &Workload, here: &Operands) -> (Option<Strategy>, Vec<Way>) {
        // The strategy that runs while this one is forced, or none: that whose count of calls has grown afterwards.
        let ran = |strategy| {
            let before = self.gpu.strategies_run();
            self.gpu.force_strategy(strategy);
            let mut there = here.upload().expect("operands on the GPU");
            workload.run(&mut there).expect("a result");
            let after = self.gpu.strategies_run();
            let counts = before.iter().zip(after).zip(Strategy::ALL);
            counts.filter(|((before, after), _)| *before != after).map(|(_, &strategy)| strategy).next()
        };
        let chosen = ran(None);
        let forced = Strategy::ALL
            .iter()
            .filter(|&&strategy| workload.reduce().is_some() && ran(Some(strategy)) == Some(strategy));
        let mut ways = vec![Way::Chosen];
        ways.extend(forced.map(|&strategy| Way::Forced(strategy)));
        ways.extend(workload.plan(&here.index).expect("a plan").map(Way::Planned));
        block_on(self.gpu.sync()).expect("no error");
        (chosen, ways)
    }

    /// Records the call, without waiting. Returns as [`Workload::run`] does.
    fn call(&self, workload: &Workload, way: &Way, operands: &mut Operands) -> Option<Tensor> {
        self.gpu.force_strategy(if let Way::Forced(strategy) = way { Some(*strategy) } else { None });
        match way {
            Way::Planned(plan) => workload.run_planned(operands, plan).expect("a result"),
            _ => workload.run(operands).expect("a result"),
        }
    }

    /// Records the call `calls` times and waits until the GPU has finished.
    fn finish_calls(&self, workload: &Workload, way: &Way, operands: &mut Operands, calls: usize) {
        for _ in 0..calls {
            self.call(workload, way, operands);
        }
        block_on(self.gpu.sync()).expect("no error");
    }

    /// What one call records, and whether its result has the bits of `right`, which is the CPU's.
    fn check(&self, workload: &Workload, way: &Way, here: &Operands, right: &Tensor) -> (Counts, bool) {
        let mut there = here.upload().expect("operands on the GPU");
        // The second call is counted: the first compiles, fills the pool of buffers and uploads a plan. It works on a clone, so that the
        // table stays as it is.
        self.finish_calls(workload, way, &mut there.clone(), 1);
        self.gpu.take_counts();
        let result = self.call(workload, way, &mut there);
        block_on(self.gpu.sync()).expect("no error");
        let counts = self.gpu.take_counts();
        let result = block_on(result.unwrap_or(there.table).to(Device::Cpu)).expect("a result");
        (counts, result.bits_equal(right) == Some(true))
    }

    /// Prints the table of a workload. `ways`, `checked` and `times` are in one order; a time behind those of the ways is the rival's.
    fn report(&self, workload: &Workload, ways: &[Way], checked: &[(Counts, bool)], times: &[Times]) {
        let headings = [
            "way",
            "bits",
            "median",
            "spread",
            "least GB/s",
            "of copies",
            "dispatches",
            "calls",
            "writes",
            "buffers bound",
            "copied, written",
        ];
        let mut table = Table::new(&headings, 2);
        // The rate at which the least bytes are read and written, in bytes per second.
        let rate = |times: &Times| workload.least_bytes() / times.median();
        let timed = |times: &Times| {
            let [command, kernel] = self.copy_rates.map(|copy| 100.0 * rate(times) / copy);
            let share = format!("{command:.0} % / {kernel:.0} %");
            [
                time(times.median()),
                format!("{:.0} %", 100.0 * times.spread()),
                format!("{:.2}", rate(times) / 1e9),
                share,
            ]
        };
        for ((way, (counts, is_right)), times) in ways.iter().zip(checked).zip(times) {
            let bits = if *is_right { "the CPU's" } else { "WRONG" };
            // Calls of WebGPU: three for each dispatch (pipeline set, bind group set, dispatch), and one for anything else.
            let calls = 3 * counts.dispatches
                + counts.groups
                + counts.copies
                + counts.writes
                + counts.buffers
                + counts.submissions;
            let amounts = [counts.dispatches, calls, counts.writes].map(|amount| amount.to_string());
            let bytes = [size(counts.bound as f64), size((counts.copied + counts.written) as f64)];
            table.row([way.name(), bits.into()].into_iter().chain(timed(times)).chain(amounts).chain(bytes));
        }
        if let Some(times) = times.get(ways.len()) {
            // A call of the rival alone is a dispatch, of three calls of WebGPU: its job, and so its bind group, is made before the timing.
            let amounts = ["1", "3", "0", "", ""].map(str::to_owned);
            let names = ["compare-exchange", "any order"].map(str::to_owned);
            table.row(names.into_iter().chain(timed(times)).chain(amounts));
        }
        let least = size(workload.least_bytes());
        println!(
            "## {} ({})\n\nAt least {least} must be read and written.\n\n{table}",
            workload.name,
            workload.size_name()
        );
    }

    /// Adds the workload's row to the summary, if it has strategies; the library's choice is `chosen`. The other arguments are those
    /// of `report`.
    fn summarise(&mut self, workload: &Workload, chosen: Option<Strategy>, ways: &[Way], times: &[Times]) {
        let (Some(first), Some(chosen)) = (times.first(), chosen) else { return };
        // The chosen way and the same one forced are one way, measured twice.
        let is_chosen = |way: &Way| matches!(way, Way::Forced(strategy) if *strategy == chosen);
        let twin = ways.iter().zip(times).find(|(way, _)| is_chosen(way)).map(|(_, times)| times);
        let ours = twin.map_or(first.clone(), |twin| first.and(twin));
        let forced = ways.iter().zip(times).filter_map(|(way, times)| match way {
            Way::Forced(strategy) if *strategy == chosen => Some((chosen, ours.median())),
            Way::Forced(strategy) => Some((*strategy, times.median())),
            Way::Chosen | Way::Planned(_) => None,
        });
        let Some((best, least)) = forced.min_by(|one, two| one.1.total_cmp(&two.1)) else { return };
        let rival = times.get(ways.len()).map_or(f64::NAN, |rival| rival.median() / ours.median());
        self.summary.row([
            workload.name.to_owned(),
            workload.size_name().to_owned(),
            format!("{chosen:?}").to_lowercase(),
            format!("{best:?}").to_lowercase(),
            time(ours.median()),
            time(least),
            ratio(ours.median() / least),
            ratio(rival),
        ]);
    }
}

/// The result of the workload on the CPU.
fn expected(workload: &Workload, here: &Operands) -> Tensor {
    let mut operands = here.clone();
    workload.run(&mut operands).expect("a result").unwrap_or(operands.table)
}
