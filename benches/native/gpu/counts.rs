//! Counts and conversions, whose results no order can change: beside an int32 count of the same entries, and beside a copy of the same bytes.

use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::Gpu;
use scatterwise::{Bins, DType, Tensor, bincount, histogram, histogramdd};
use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::table::{Table, ratio, time};

use crate::rival;

/// Samples of a histogram.
const SAMPLES: usize = 1 << 20;
/// Elements of a count or a conversion.
const ELEMENTS: usize = 4 << 20;

/// The pairs of dtypes that are timed.
const PAIRS: &[[DType; 2]] = {
    use DType::{
        Bfloat16, Bool, Float16, Float32, Float64, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32,
    };
    &[
        [Uint8, Int32],
        [Int32, Uint8],
        [Int16, Uint8],
        [Int8, Uint16],
        [Uint16, Int32],
        [Uint32, Int16],
        [Int32, Float32],
        [Uint8, Float32],
        [Int16, Float16],
        [Uint32, Bfloat16],
        [Float32, Int32],
        [Float32, Uint8],
        [Float16, Int16],
        [Float32, Float16],
        [Float32, Bfloat16],
        [Float16, Float32],
        [Bfloat16, Float16],
        [Float32, Bool],
        [Bool, Float32],
        [Int32, Bool],
        [Uint32, Int64],
        [Int64, Int32],
        [Int64, Float64],
        [Float64, Float32],
    ]
};

/// A call without operands, whose results are dropped.
type Call<'a> = Box<dyn Fn() + 'a>;

/// The times of calls that are recorded, then waited for, one for each call.
fn times(gpu: &Rc<Gpu>, (clock, effort): (Clock, Effort), calls: &[Call<'_>]) -> Vec<f64> {
    let mut contestants: Vec<Box<dyn FnMut(usize) + '_>> = Vec::new();
    for call in calls {
        contestants.push(Box::new(move |count| {
            (0..count).for_each(|_| call());
            block_on(gpu.sync()).expect("no error");
        }));
    }
    race(clock, effort, &mut contestants).iter().map(|times| times.median()).collect()
}

/// A tensor on the GPU.
fn there(dtype: DType, dims: &[usize], number: impl Fn(usize) -> f32) -> Tensor {
    let len = dims.iter().product();
    let numbers: Vec<f32> = (0..len).map(number).collect();
    let tensor = Tensor::from_elements(dims, &numbers).and_then(|numbers| numbers.astype(dtype));
    tensor.and_then(|tensor| tensor.upload()).expect("an operand on the GPU")
}

/// A pseudorandom whole number below `bound`, from its number in a row.
fn whole(at: usize, bound: usize) -> f32 {
    let mixed = (at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 32) % bound as u64) as f32
}

/// Counts, beside an int32 count of as many entries into as many places.
pub fn counts(gpu: &Rc<Gpu>, (clock, effort): (Clock, Effort)) -> Table {
    let mut table = Table::new(&["count", "int32 count", "time", "ratio"], 1);
    let mut row = |name: &str, index: &Tensor, places: usize, call: Call<'_>| {
        let count: Call<'_> = Box::new(|| {
            let zeros = Tensor::zeros(&[places], DType::Int32).and_then(|zeros| zeros.upload());
            zeros.and_then(|mut zeros| zeros.scatter_add_(0, index, 1)).expect("a count");
        });
        let found = times(gpu, (clock, effort), &[count, call]);
        table.row([name.to_owned(), time(found[0]), time(found[1]), ratio(found[1] / found[0])]);
    };
    for places in [16, 256, 1 << 16, 1 << 20] {
        let x = there(DType::Int32, &[ELEMENTS], |at| whole(at, places));
        let call = || drop(bincount(&x, None, 0).expect("counts"));
        row(&format!("bincount of {ELEMENTS} int32 in {places} places"), &x, places, Box::new(call));
    }
    let x = there(DType::Int32, &[ELEMENTS], |at| whole(at, 256));
    for dtype in [DType::Uint8, DType::Int16, DType::Int64] {
        let narrow = there(dtype, &[ELEMENTS], |at| whole(at, 256));
        let call = || drop(bincount(&narrow, None, 256).expect("counts"));
        row(&format!("bincount of {ELEMENTS} {dtype} in 256 places"), &x, 256, Box::new(call));
    }
    let range = Some([0.0, 256.0]);
    let index = there(DType::Int32, &[SAMPLES], |at| whole(at, 256));
    for dtype in [DType::Float32, DType::Float16, DType::Int32, DType::Uint8, DType::Float64, DType::Int64] {
        for (name, fraction) in [("", 0.37), (", whole numbers", 0.0)] {
            let x = there(dtype, &[SAMPLES], |at| whole(at, 256) + fraction);
            let call = || drop(histogram(&x, &256.into(), range, None, false).expect("counts"));
            row(&format!("histogram of {SAMPLES} {dtype} in 256 bins{name}"), &index, 256, Box::new(call));
        }
    }
    let x = there(DType::Float32, &[SAMPLES], |at| whole(at, 256) + 0.37);
    let edges = Tensor::arange(0.0, 257.0, 1.0, DType::Float32).expect("edges");
    let call = || drop(histogram(&x, &(&edges).into(), None, None, false).expect("counts"));
    row(&format!("histogram of {SAMPLES} float32, 257 given edges"), &index, 256, Box::new(call));
    let call = || drop(histogram(&x, &256.into(), None, None, false).expect("counts"));
    row(&format!("histogram of {SAMPLES} float32, range of the values"), &index, 256, Box::new(call));
    let points = there(DType::Float32, &[SAMPLES, 2], |at| whole(at, 256) + 0.37);
    let columns: [(Bins, _); 2] = [(16.into(), range), (16.into(), range)];
    let call = || drop(histogramdd(&points, &columns, None).expect("counts"));
    row(&format!("histogramdd of {SAMPLES} × 2 float32 in 16 × 16 bins"), &index, 256, Box::new(call));
    table
}

/// Conversions, beside a kernel that copies half as many bytes as a conversion reads and writes together.
pub fn conversions(gpu: &Rc<Gpu>, rival: &rival::Device, (clock, effort): (Clock, Effort)) -> Table {
    let mut table = Table::new(&["conversion", "first call", "copy", "time", "ratio"], 1);
    for &[from, to] in PAIRS {
        let x = there(from, &[ELEMENTS], |at| whole(at, 200));
        block_on(gpu.sync()).expect("no error");
        let begin = std::time::Instant::now();
        let convert = |count| {
            (0..count).for_each(|_| drop(x.astype(to).expect("a result")));
            block_on(gpu.sync()).expect("no error");
        };
        convert(1);
        let first = begin.elapsed().as_secs_f64();
        let bytes = ELEMENTS * (from.size() + to.size()) / 2;
        let [_, copy] = rival.copies(bytes);
        let found = race(clock, effort, &mut [copy, Box::new(convert)]);
        let [copy, ours] = [0, 1].map(|at: usize| found[at].median());
        table.row([format!("{from} to {to}"), time(first), time(copy), time(ours), ratio(ours / copy)]);
    }
    table
}
