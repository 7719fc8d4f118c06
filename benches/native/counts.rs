//! What calls of the benchmark, and steps of the programs, record at full size, with the constants of hardware: it does not depend on the adapter. Prints JSON, from
//! which `npm run bench -- counts` writes docs/performance/counts.md.

mod instructions;
mod programs;

use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::testing::{Counts, Hooks as _, Recorded};
use scatterwise::testing::gpu::{DeviceOptions, Gpu};
use scatterwise::{
    Activation, Bins, DType, IndexPlan, Op, OutOfRange, Reduce, Reduction, Result, Scatter, Segments, Spmm,
    Statistic, Sum, Target, Tensor, Update, activate, bincount, binned_statistic, elementwise_add,
    elementwise_div, elementwise_max, elementwise_min, elementwise_mul, elementwise_sub, histogram,
    histogramdd, scatter_mul, segment_reduce,
};
use scatterwise_bench::workload::Random;

/// The rounds of loops that the first submission of any adapter may have.
const FIRST_BUDGET: u64 = 1 << 26;
/// Calls before the one that counts.
const WARM_UPS: usize = 3;
const MI: usize = 1 << 20;
const SQUARE: [usize; 2] = [2048, 2048];

fn main() {
    // An adapter that computes on the CPU counts the same.
    let options = DeviceOptions { software: true, ..DeviceOptions::default() };
    let gpu = match block_on(scatterwise::start_gpu("counts", options, None)) {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("Nothing was counted: {error}");
            std::process::exit(1);
        }
    };
    gpu.pose_as_hardware(true);
    // Else the times of this machine's submissions would decide how many dispatches a pass takes.
    gpu.force_budget(Some(FIRST_BUDGET));
    let mut cases = Cases { gpu, rows: Vec::new(), steps: Vec::new() };
    for dtype in [DType::Float32, DType::Int32] {
        cases.elementwise(dtype);
        cases.dims(dtype);
        cases.scatters(dtype);
        cases.others(dtype);
    }
    cases.programs();
    let [rows, steps] = [cases.rows, cases.steps].map(|list| list.join(",\n"));
    println!("{{ \"cases\": [\n{rows}\n], \"steps\": [\n{steps}\n] }}");
}

/// A pseudorandom whole number below `bound`: SplitMix.
fn below(at: usize, bound: usize) -> i32 {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed >> 32) % bound as u64) as i32
}

/// An index on the GPU, of numbers below `bound`.
fn index(dims: &[usize], bound: usize) -> Tensor {
    let numbers: Vec<_> = (0..dims.iter().product()).map(|at| below(at, bound)).collect();
    Tensor::from_elements(dims, &numbers).and_then(|index| index.upload()).expect("an index")
}

/// An index on the GPU of `len` rows below `bound`, few of them often: by Zipf's law, as the workloads have it.
fn zipf(len: usize, bound: usize) -> Tensor {
    let mut random = Random::default();
    let numbers: Vec<_> = (0..len).map(|_| random.zipf(bound) as i32).collect();
    Tensor::from_elements(&[len], &numbers).and_then(|index| index.upload()).expect("an index")
}

/// An operand on the GPU, without zeros.
fn operand(dims: &[usize], dtype: DType) -> Tensor {
    let numbers: Vec<_> = (0..dims.iter().product()).map(|at| below(at, 100) + 1).collect();
    let tensor = Tensor::from_elements(dims, &numbers).and_then(|tensor| tensor.astype(dtype));
    tensor.and_then(|tensor| tensor.upload()).expect("an operand")
}

/// The bytes of tensors.
fn bytes(tensors: &[&Tensor]) -> u64 {
    tensors.iter().map(|tensor| (tensor.size() * tensor.dtype().size()) as u64).sum()
}

/// The device, and the JSON of each case, and of each step of a program.
struct Cases {
    gpu: Rc<Gpu>,
    rows: Vec<String>,
    steps: Vec<String>,
}

impl Cases {
    /// Counts a call. It runs before, so that shaders, plans and buffers are there. `operands` are read, or written too if the call is
    /// in place; the result is written. A call that the dtype does not have is left out.
    fn count(&mut self, name: &str, operands: &[&Tensor], call: impl Fn() -> Result<Tensor>) {
        let Some(dtype) = operands.first().map(|first| first.dtype()) else { return };
        let call = || call().map(|out| vec![out]);
        let Ok((counts, recorded, out)) = self.counted(call) else { return };
        let least = bytes(operands) + bytes(&out.iter().collect::<Vec<_>>());
        let sizes = operands.iter().copied().chain(&out).map(Tensor::size);
        let elements = sizes.max().unwrap_or_default() as u64;
        let title = format!("\"name\": \"{name}\", \"dtype\": \"{dtype}\"");
        self.rows.push(row(&title, &counts, &recorded, least, elements));
        eprintln!("{name}, {dtype}: {} dispatches", counts.dispatches);
    }

    /// Counts a step of a program, which begins with that many bytes of data, and leaves some tensors.
    fn step(&mut self, name: &str, begin: u64, call: impl FnMut() -> Result<Vec<Tensor>>) {
        let counted = self.counted(call);
        let (counts, recorded, left) = counted.unwrap_or_else(|error| panic!("{name}: {error}"));
        let least = begin + bytes(&left.iter().collect::<Vec<_>>());
        self.steps.push(row(&format!("\"name\": \"{name}\""), &counts, &recorded, least, 0));
        eprintln!("{name}: {} dispatches", counts.dispatches);
    }

    /// What a call records, and its results.
    fn counted(
        &mut self,
        mut call: impl FnMut() -> Result<Vec<Tensor>>,
    ) -> Result<(Counts, Vec<Recorded>, Vec<Tensor>)> {
        let finish = || block_on(self.gpu.sync()).expect("no error");
        // Compiles, uploads plans, and makes the self-tests that come with the calls of a shader until it is verified.
        for _ in 0..WARM_UPS {
            call()?;
            finish();
        }
        self.gpu.take_counts();
        self.gpu.list_recorded(true);
        let out = call()?;
        let counts = self.gpu.take_counts();
        finish();
        Ok((counts, self.gpu.list_recorded(false), out))
    }

    fn elementwise(&mut self, dtype: DType) {
        let (x, y) = (operand(&SQUARE, dtype), operand(&SQUARE, dtype));
        self.count("multiply, same shape", &[&x, &y], || elementwise_mul(&x, &y, 0, None));
        {
            let (x, y) = (operand(&[32, 128, 32, 32], dtype), operand(&[128, 32], dtype));
            self.count("multiply at axis 1", &[&x, &y], || elementwise_mul(&x, &y, 1, None));
        }
        let (rows, row) = (operand(&[4096, 1024], dtype), operand(&[1024], dtype));
        self.count("multiply by a row", &[&rows, &row], || elementwise_mul(&rows, &row, 1, None));
        self.count("add, same shape", &[&x, &y], || elementwise_add(&x, &y, 0, None));
        self.count("sub, same shape", &[&x, &y], || elementwise_sub(&x, &y, 0, None));
        self.count("div, same shape", &[&x, &y], || elementwise_div(&x, &y, 0, None));
        self.count("maximum, same shape", &[&x, &y], || elementwise_max(&x, &y, 0, None));
        self.count("minimum, same shape", &[&x, &y], || elementwise_min(&x, &y, 0, None));
        self.count("add by a row", &[&rows, &row], || elementwise_add(&rows, &row, 1, None));
        self.count("maximum by a row", &[&rows, &row], || elementwise_max(&rows, &row, 1, None));
        self.count("activate, relu", &[&x], || activate(&x, Activation::Relu));
        self.count("activate, exp", &[&x], || activate(&x, Activation::Exp));
    }

    fn dims(&mut self, dtype: DType) {
        let x = operand(&SQUARE, dtype);
        for dim in [1, 0] {
            let dims = Some(&[dim][..]);
            self.count(&format!("sum along {dim}"), &[&x], || x.sum(dims, false, None));
            self.count(&format!("mean along {dim}"), &[&x], || x.mean(dims, false, None));
            self.count(&format!("amax along {dim}"), &[&x], || x.amax(dims, false));
            self.count(&format!("amin along {dim}"), &[&x], || x.amin(dims, false));
            self.count(&format!("argmax along {dim}"), &[&x], || x.argmax(Some(dim), false));
            self.count(&format!("argmin along {dim}"), &[&x], || x.argmin(Some(dim), false));
        }
        self.count("sum of all", &[&x], || x.sum(None, false, None));
    }

    fn scatters(&mut self, dtype: DType) {
        self.scatters_along(dtype);
        self.scatters_of_rows(dtype);
        self.exact_sums(dtype);
        let (x, at, src) = (operand(&[MI], dtype), index(&[MI], MI), operand(&[MI], dtype));
        let here = block_on(at.to(scatterwise::Device::Cpu)).expect("an index");
        let plan = IndexPlan::along(&[MI], 0, &here).expect("a plan");
        self.count("add by a plan, as many slots as updates", &[&x, &at, &src], || {
            let mut out = x.clone();
            let call = Scatter::new(Op::ScatterAddInPlace, (&plan).into(), (&src).into(), Reduce::Add);
            call.run(&mut out).map(|()| out)
        });
    }

    fn scatters_along(&mut self, dtype: DType) {
        let matrix = [1024, 4096];
        let (x, at, src) = (operand(&matrix, dtype), index(&matrix, 4096), operand(&matrix, dtype));
        self.count("replace along 1", &[&x, &at, &src], || x.scatter(1, &at, &src, Reduce::Replace));
        self.count("gather along 1", &[&x, &at], || x.gather(1, &at));
        for (name, slots, entries) in
            [("add, as many slots as updates", MI, MI), ("add into 16 slots", 16, 4 * MI)]
        {
            let (x, at, src) =
                (operand(&[slots], dtype), index(&[entries], slots), operand(&[entries], dtype));
            self.count(name, &[&x, &at, &src], || x.scatter_add(0, &at, &src));
        }
        let (x, at) = (operand(&[256], dtype), index(&[4 * MI], 256));
        self.count("count into 256 slots", &[&x, &at], || x.scatter_add(0, &at, 1));
        let (x, at, src) =
            (operand(&[4096, 256], dtype), index(&[1024, 256], 4096), operand(&[1024, 256], dtype));
        self.count("scatter multiply along 0", &[&x, &at, &src], || {
            x.scatter(0, &at, &src, Reduce::Multiply)
        });
        let (x, at, src) = (operand(&[MI], dtype), index(&[MI], MI), operand(&[MI], dtype));
        self.count("maximum, as many slots as updates", &[&x, &at, &src], || {
            x.scatter(0, &at, &src, Reduce::Maximum)
        });
    }

    fn scatters_of_rows(&mut self, dtype: DType) {
        let rows = operand(&[50_000, 128], dtype);
        let (at, src) = (zipf(20_000, 50_000), operand(&[20_000, 128], dtype));
        let operands = [&rows, &at, &src];
        self.count("add rows, Zipf", &operands, || rows.scatter_add_nd(&at.reshape(&[20_000, 1])?, &src));
        self.count("multiply rows, Zipf", &operands, || {
            let mut out = rows.clone();
            scatter_mul(&mut out, &at, &src).map(|()| out)
        });
        let (x, at, src) =
            (operand(&[512, 512, 16], dtype), index(&[200_000, 2], 512), operand(&[200_000, 16], dtype));
        self.count("add at pairs", &[&x, &at, &src], || x.scatter_add_nd(&at, &src));
    }

    fn exact_sums(&mut self, dtype: DType) {
        for (name, slots) in [
            ("exact sums, as many slots as updates", MI),
            ("exact sums into 65,536 slots", 1 << 16),
            ("exact sums into 16 slots", 16),
        ] {
            let (x, at, src) = (operand(&[slots], dtype), index(&[MI], slots), operand(&[MI], dtype));
            let update = Update { sum: Sum::Exact, ..Reduce::Add.into() };
            self.count(name, &[&x, &at, &src], || {
                let mut out = x.clone();
                let call = Scatter::new(Op::ScatterAddInPlace, Target::along(0, &at), (&src).into(), update);
                call.run(&mut out).map(|()| out)
            });
        }
    }

    fn others(&mut self, dtype: DType) {
        let x = operand(&[MI], dtype);
        let ends: Vec<_> = (0..=10_000).map(|at| (at * MI / 10_000) as i32).collect();
        let offsets = Tensor::from_elements(&[10_001], &ends).and_then(|offsets| offsets.upload());
        let offsets = offsets.expect("offsets");
        self.count("sums of segments", &[&x, &offsets], || {
            segment_reduce(&x, Reduction::Sum, Sum::Ordered, Segments::Offsets(&offsets), None)
        });
        let many = operand(&[4 * MI], dtype);
        self.count("bincount, 256 bins", &[&many], || bincount(&many, None, 256));
        let range = Some([0.0, 128.0]);
        self.count("histogram, 256 bins", &[&x], || {
            histogram(&x, &256.into(), range, None, false).map(|(counts, _)| counts)
        });
        let points = operand(&[MI, 2], dtype);
        let columns: [(Bins, _); 2] = [(512.into(), range), (512.into(), range)];
        self.count("histogramdd, 512 × 512 bins", &[&points], || {
            histogramdd(&points, &columns, None).map(|(counts, _)| counts)
        });
        self.count("histogramdd, 512 × 512 bins, with weights", &[&points, &x], || {
            histogramdd(&points, &columns, Some((&x).into())).map(|(counts, _)| counts)
        });
        let flat = index(&[MI], 512 * 512);
        let table = operand(&[512 * 512], dtype);
        self.count("add, 1 Mi into 262,144 slots", &[&table, &flat, &x], || table.scatter_add(0, &flat, &x));
        self.count("binned sums, 512 × 512 bins", &[&points, &x], || {
            binned_statistic(&points, Some(&x), Statistic::Sum, &columns, None).map(|(sums, _)| sums)
        });
        self.products(dtype);
    }

    fn products(&mut self, dtype: DType) {
        const ROWS: usize = 1 << 16;
        let (values, dense) = (operand(&[MI], dtype), operand(&[ROWS, 4], dtype));
        let plan = |dims: &[usize]| {
            let here = block_on(index(&[MI], ROWS).to(scatterwise::Device::Cpu)).expect("an index");
            IndexPlan::select(dims, 0, &here, OutOfRange::Raise).expect("a plan")
        };
        let (rows, columns) = (plan(&[ROWS]), plan(&[ROWS, 4]));
        self.count("spmm, with plans", &[&values, &dense], || {
            Spmm::new((&rows).into(), (&columns).into(), Some(&values)).run(&dense)
        });
    }
}

/// The JSON of a case. Submissions are those of the call and of the `sync()` behind it. Instructions are for each of `elements`, if any.
fn row(title: &str, counts: &Counts, recorded: &[Recorded], least: u64, elements: u64) -> String {
    let mut batches = vec![0];
    let mut operations = (elements > 0).then_some(0);
    let mut passes = Vec::new();
    for what in recorded {
        match *what {
            Recorded::Dispatch { key, threads, rounds } => {
                let here = operations.and_then(|_| instructions::of_thread(key, rounds));
                operations = operations.zip(here).map(|(sum, each)| sum + each * threads);
                if let Some(batch) = batches.last_mut() {
                    *batch += 1;
                }
                passes.push([threads, rounds]);
            }
            Recorded::Submission => batches.push(0),
        }
    }
    let submissions = batches.len() - 1;
    let between =
        batches.iter().skip(1).max().filter(|_| submissions > 1).map_or("null".into(), u32::to_string);
    let [narrowest, widest] =
        [passes.iter().min(), passes.iter().max()].map(|pass| pass.copied().unwrap_or_default());
    format!(
        "{{ {title}, \"dispatches\": {}, \"submissions\": {submissions}, \
         \"first\": {}, \"between\": {between}, \"threads\": [{}, {}], \"rounds\": [{}, {}], \"bytes\": {}, \
         \"least\": {least}, \"instructions\": {} }}",
        counts.dispatches,
        batches[0],
        widest[0],
        narrowest[0],
        widest[1],
        narrowest[1],
        counts.bound + counts.copied,
        operations.map_or("null".into(), |all| format!("{:.1}", all as f64 / elements as f64)),
    )
}
