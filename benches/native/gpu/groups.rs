//! Sorts and groups of a million elements, beside the same calls on the CPU: [`Row`] has one call.

use std::hint::black_box;
use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::Gpu;
use scatterwise::{
    Activation, Bins, CountOptions, DType, Device, Length, Reduction, Result, Segments, Statistic, Tensor,
    Weights, bincount, binned_statistic, elementwise_sub, histogramdd, scatter_logsumexp, scatter_softmax,
    searchsorted, segment_winners, unique,
};
use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::table::{Table, ratio, time};
use scatterwise_bench::workload::Random;

/// Elements; groups; bins of each column.
const COUNT: usize = 1 << 20;
const GROUPS: usize = 1 << 16;
const BINS: i64 = 512;

/// A call that takes its operands where they are.
type Call = fn(&[Tensor]) -> Result<Tensor>;

/// How the results of both devices compare.
#[derive(Clone, Copy, PartialEq)]
enum Promise {
    /// Bit by bit.
    SameBits,
    /// Within a bound, which the suites check.
    Bound,
}

/// A call, by its name.
struct Row {
    name: &'static str,
    operands: Vec<Tensor>,
    call: Call,
    promise: Promise,
}

/// Measures and prints the table.
pub fn measure(gpu: &Rc<Gpu>, (clock, effort): (Clock, Effort)) {
    let headings = ["call", "bits", "GPU", "spread", "CPU, one thread", "GPU / CPU"];
    let mut table = Table::new(&headings, 2);
    for Row { name, operands, call, promise } in rows().expect("operands") {
        let there: Vec<Tensor> =
            operands.iter().map(|operand| operand.upload().expect("an operand on the GPU")).collect();
        let [on_cpu, on_gpu] = [&operands, &there].map(|operands| call(operands).expect("a result"));
        let on_gpu = block_on(on_gpu.to(Device::Cpu)).expect("a result");
        let bits = match on_gpu.bits_equal(&on_cpu) {
            Some(true) => "the CPU's",
            _ if promise == Promise::Bound => "others",
            _ => "WRONG",
        };
        let mut contestants: [Box<dyn FnMut(usize)>; 2] = [
            Box::new(|calls| {
                (0..calls).for_each(|_| drop(call(&there).expect("a result")));
                block_on(gpu.sync()).expect("no error");
            }),
            Box::new(|calls| (0..calls).for_each(|_| drop(black_box(call(&operands).expect("a result"))))),
        ];
        let times = race(clock, effort, &mut contestants);
        let [ours, cpu] = [0, 1].map(|at| times[at].median());
        let spread = format!("{:.0} %", 100.0 * times[0].spread());
        table.row([name.into(), bits.into(), time(ours), spread, time(cpu), ratio(ours / cpu)]);
    }
    println!("## Sorts and groups, 1 Mi elements\n\n{table}");
}

/// All calls. Where a call has several results, its last one is compared.
fn rows() -> Result<Vec<Row>> {
    let mut random = Random::default();
    let floats = units(&mut random, COUNT)?;
    let integers: Vec<i32> = (0..COUNT).map(|_| (random.below(1 << 32) as u32).cast_signed()).collect();
    let integers = Tensor::from_elements(&[COUNT], &integers)?;
    let keys: Vec<u8> = (0..COUNT).map(|_| random.zipf(256) as u8).collect();
    let keys = Tensor::from_elements(&[COUNT], &keys)?;
    let index = |random: &mut Random, is_hot| {
        let place = |_| if is_hot { random.zipf(GROUPS) } else { random.below(GROUPS) } as i32;
        Tensor::from_elements(&[COUNT], &(0..COUNT).map(place).collect::<Vec<i32>>())
    };
    let (spread, hot) = (index(&mut random, false)?, index(&mut random, true)?);
    let edges = units(&mut random, GROUPS)?.sort(0, false)?.values;
    let offsets: Vec<i32> = (0..=10_000).map(|at| (at * COUNT / 10_000) as i32).collect();
    let offsets = Tensor::from_elements(&[10_001], &offsets)?;
    let sample = units(&mut random, 2 * COUNT)?.reshape(&[COUNT, 2])?;
    let mask: Vec<u8> = (0..COUNT).map(|_| random.below(2) as u8).collect();
    let mask = Tensor::from_elements(&[COUNT], &mask)?.astype(DType::Bool)?;
    let row = |name, operands: &[&Tensor], call| Row {
        name,
        operands: operands.iter().copied().cloned().collect(),
        call,
        promise: Promise::SameBits,
    };
    let near =
        |name, operands: &[&Tensor], call| Row { promise: Promise::Bound, ..row(name, operands, call) };
    Ok(vec![
        row("argsort, float32", &[&floats], |on| on[0].argsort(0, false)),
        row("argsort, int32", &[&integers], |on| on[0].argsort(0, false)),
        row("argsort, uint8, Zipf", &[&keys], |on| on[0].argsort(0, false)),
        row("unique, int32", &[&integers], |on| Ok(unique(&on[0])?.inverse)),
        row("unique, 65,536 values", &[&spread], |on| Ok(unique(&on[0])?.inverse)),
        row("searchsorted, 65,536 edges", &[&edges, &floats], |on| searchsorted(&on[0], &on[1], false)),
        row("winners of 10,000 segments", &[&floats, &offsets], |on| {
            Ok(segment_winners(&on[0], Reduction::Amax, Segments::Offsets(&on[1]), None)?.1)
        }),
        near("softmax, 65,536 groups", &[&floats, &spread], |on| {
            scatter_softmax(&on[0], &on[1], 0, None, None)
        }),
        near("the same by other operators", &[&floats, &spread], composed_softmax),
        near("softmax, Zipf", &[&floats, &hot], |on| scatter_softmax(&on[0], &on[1], 0, None, None)),
        near("logsumexp, 65,536 groups", &[&floats, &spread], |on| {
            scatter_logsumexp(&on[0], &on[1], 0, None, Some(GROUPS))
        }),
        row("bincount, 65,536 bins", &[&spread], |on| {
            bincount(&on[0], CountOptions::default(), Length::Exactly(GROUPS as i64))
        }),
        row("bincount, with a mask", &[&spread, &mask], |on| {
            let options = CountOptions { mask: Some(&on[1]), ..CountOptions::default() };
            bincount(&on[0], options, Length::Exactly(GROUPS as i64))
        }),
        row("histogramdd, 512 × 512, weights", &[&sample, &floats], |on| {
            Ok(histogramdd(&on[0], &columns(), Some(Weights::from(&on[1])))?.0)
        }),
        row("binned count, 512 × 512", &[&sample, &floats], |on| binned(on, Statistic::Count)),
        row("binned mean, 512 × 512", &[&sample, &floats], |on| binned(on, Statistic::Mean)),
        row("binned max, 512 × 512", &[&sample, &floats], |on| binned(on, Statistic::Max)),
        row("binned mean, with a mask", &[&sample, &floats, &mask], |on| binned(on, Statistic::Mean)),
    ])
}

/// Floats from −1 to 1.
fn units(random: &mut Random, len: usize) -> Result<Tensor> {
    let numbers: Vec<f32> = (0..len).map(|_| random.unit() as f32 * 2.0 - 1.0).collect();
    Tensor::from_elements(&[len], &numbers)
}

/// The bins of both columns.
fn columns() -> [(Bins, Option<[f64; 2]>); 2] {
    [0, 1].map(|_| (BINS.into(), Some([-1.0, 1.0])))
}

/// A statistic of the sample, the values, and the mask if there is one.
fn binned(on: &[Tensor], statistic: Statistic) -> Result<Tensor> {
    Ok(binned_statistic(&on[0], Some(&on[1]), statistic, &columns(), on.get(2))?.0)
}

/// Softmax by the operators that it stands for.
fn composed_softmax(on: &[Tensor]) -> Result<Tensor> {
    let (src, index) = (&on[0], &on[1]);
    let table = |value| {
        let table = Tensor::full(&[GROUPS], value, DType::Float32)?;
        if src.device() == Device::Cpu { Ok(table) } else { table.upload() }
    };
    let mut most = table(f64::NEG_INFINITY)?;
    most.scatter_reduce_(0, index, src, Reduction::Amax, true)?;
    let mut terms = elementwise_sub(src, &most.gather(0, index)?, -1, Some(Activation::Exp))?;
    let mut sums = table(0.0)?;
    sums.scatter_add_(0, index, &terms)?;
    terms.div_(&sums.gather(0, index)?, None)?;
    Ok(terms)
}
