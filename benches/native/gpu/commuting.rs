//! Scatters whose result no order can change: replacements beside an int32 sum of the same entries and beside stores that race, maxima and
//! products beside a compare-exchange kernel of the dtype. Each call makes its result from a table that stays as it is, so a rival's time
//! has a copy of the table too. WGSL compares and exchanges words only, so elements of 64 bits have no rival.

use std::rc::Rc;

use pollster::block_on;
use scatterwise::testing::gpu::Gpu;
use scatterwise::{DType, Reduce, Reduction, Tensor};
use scatterwise_bench::clock::{Clock, Effort, race};
use scatterwise_bench::table::{Table, ratio, time};

use crate::rival;

/// The updates of a maximum or a product.
const UPDATES: usize = 1 << 20;
/// The sizes of their tables.
const PLACES: [usize; 3] = [16, 1 << 16, UPDATES];
/// The shape of the table, the index and the source of a replacement along axis 1.
const SHAPE: [usize; 2] = [1024, 4096];

/// Prints all tables.
pub fn measure(gpu: &Rc<Gpu>, rival: &rival::Device, how: (Clock, Effort)) {
    println!("## Scatters whose result no order can change\n");
    replacements(gpu, rival, how);
    combinations(gpu, rival, how);
}

/// A pseudo-random word: SplitMix32.
fn noise(at: usize) -> u32 {
    let mut bits = (at as u32).wrapping_add(1).wrapping_mul(0x9e37_79b9);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
    bits ^ (bits >> 16)
}

/// `len` entries below `bound`.
fn entries(len: usize, bound: usize) -> Vec<i32> {
    (0..len).map(|at| (noise(at) as usize % bound) as i32).collect()
}

/// A contestant that makes the calls of `call` and waits for them.
fn calls<'a>(gpu: &'a Rc<Gpu>, call: impl Fn() -> Tensor + 'a) -> Box<dyn FnMut(usize) + 'a> {
    Box::new(move |count| {
        (0..count).for_each(|_| drop(call()));
        block_on(gpu.sync()).expect("no error");
    })
}

/// Replacement along axis 1 of a matrix, in several dtypes.
fn replacements(gpu: &Rc<Gpu>, rival: &rival::Device, how: (Clock, Effort)) {
    let len = SHAPE.iter().product();
    let index = entries(len, SHAPE[1]);
    let tensor = |numbers: &[i32], dtype| {
        let tensor = Tensor::from_elements(&SHAPE, numbers).and_then(|tensor| tensor.astype(dtype));
        tensor.and_then(|tensor| tensor.upload()).expect("an operand")
    };
    let places = tensor(&index, DType::Int32);
    let dtypes = [DType::Int32, DType::Float32, DType::Uint8, DType::Float16, DType::Int64, DType::Float64];
    let operands: Vec<_> =
        dtypes.map(|dtype| (tensor(&vec![0; len], dtype), tensor(&entries(len, 100), dtype))).into();
    let flat: Vec<_> = (0..len).map(|at| (at / SHAPE[1] * SHAPE[1]) as u32 + index[at] as u32).collect();
    let job = rival.combine("atomicStore(&table[at],value);", &vec![0; len], &flat, &flat);
    let mut contestants: Vec<Box<dyn FnMut(usize) + '_>> = Vec::new();
    let (sum_table, sum_src) = &operands[0];
    let places = &places;
    contestants.push(calls(gpu, move || sum_table.scatter(1, places, sum_src, Reduce::Add).expect("a sum")));
    for (table, src) in &operands {
        contestants
            .push(calls(gpu, move || table.scatter(1, places, src, Reduce::Replace).expect("a replacement")));
    }
    contestants.push(Box::new(|count| rival.run_from(&job, count)));
    let times = race(how.0, how.1, &mut contestants);
    let sum = times[0].median();
    let mut table = Table::new(&["along 1 of [1024, 4096]", "median", "of the int32 sum"], 1);
    let names = ["sum of int32".to_owned()].into_iter();
    let names =
        names.chain(dtypes.map(|dtype| format!("replace {dtype}"))).chain(["stores that race".into()]);
    for (name, times) in names.zip(&times) {
        table.row([name, time(times.median()), ratio(times.median() / sum)]);
    }
    println!("{table}");
}

/// Maxima and integer products into tables of all sizes.
fn combinations(gpu: &Rc<Gpu>, rival: &rival::Device, how: (Clock, Effort)) {
    let mut table = Table::new(&["1 Mi updates", "places", "ours", "compare-exchange", "ours / it"], 1);
    for (reduction, name) in [(Reduction::Amax, "maximum"), (Reduction::Prod, "product")] {
        for &dtype in DType::ALL {
            let is_float = dtype.is_float();
            if dtype == DType::Bool || (reduction == Reduction::Prod && (is_float || dtype.size() == 8)) {
                continue;
            }
            for places in PLACES {
                let index = entries(UPDATES, places);
                // Products of odd numbers do not become zero.
                let number = |at: usize| match reduction {
                    Reduction::Prod => ((noise(at + 7) % 100) | 1) as i32,
                    _ => {
                        (noise(at + 7) % 199) as i32
                            - if dtype.int_range().is_some_and(|(min, _)| min == 0) { 0 } else { 99 }
                    }
                };
                let values: Vec<_> = (0..UPDATES).map(number).collect();
                let upload = |tensor: scatterwise::Result<Tensor>, dtype| {
                    tensor.and_then(|tensor| tensor.astype(dtype)?.upload()).expect("an operand")
                };
                let at = upload(Tensor::from_elements(&[UPDATES], &index), DType::Int32);
                let here = Tensor::from_elements(&[UPDATES], &values).and_then(|values| values.astype(dtype));
                let here = here.expect("values");
                let src = here.upload().expect("values");
                let start = upload(Tensor::from_elements(&[places], &vec![1; places]), dtype);
                let job = kernel(dtype, reduction).map(|code| {
                    let index: Vec<_> = index.iter().map(|&at| at as u32).collect();
                    let bits = here.bytes().expect("values on the CPU");
                    rival.combine(&code, &vec![0; places], &index, bytemuck::cast_slice(bits))
                });
                let mut contestants = vec![calls(gpu, || {
                    start.scatter_reduce(0, &at, &src, reduction, true).expect("a result")
                })];
                if let Some(job) = &job {
                    contestants.push(Box::new(move |count| rival.run_from(job, count)));
                }
                let times = race(how.0, how.1, &mut contestants);
                let ours = times[0].median();
                let rival = times.get(1).map_or(f64::NAN, |rival| rival.median());
                table.row([
                    format!("{name} of {dtype}"),
                    places.to_string(),
                    time(ours),
                    time(rival),
                    ratio(ours / rival),
                ]);
            }
        }
    }
    println!("{table}");
}

/// The body of the compare-exchange kernel, with `at` and `k`, the numbers of the element and of its update. `None` for elements of two words.
fn kernel(dtype: DType, reduction: Reduction) -> Option<String> {
    let bits = 8 * dtype.size();
    if bits > 32 {
        return None;
    }
    let shift = 32 - bits;
    let is_signed = dtype.int_range().is_some_and(|(min, _)| min < 0);
    // An element in the low bits of a word, as a number.
    let number = |word: &str| match dtype {
        DType::Float32 => format!("bitcast<f32>({word})"),
        DType::Float16 => format!("unpack2x16float({word}).x"),
        DType::Bfloat16 => format!("bitcast<f32>({word}<<16u)"),
        _ if is_signed => format!("(i32({word}<<{shift}u)>>{shift}u)"),
        _ => word.to_owned(),
    };
    let combined = match reduction {
        Reduction::Prod => "old_element*update".to_owned(),
        _ => format!("select(update,old_element,{}>{})", number("old_element"), number("update")),
    };
    let in_word = 32 / bits as u32;
    let mask = u32::MAX >> shift;
    Some(format!(
        "let shift=at%{in_word}u*{bits}u;
let update=(src[k/{in_word}u]>>(k%{in_word}u*{bits}u))&{mask}u;
var old=atomicLoad(&table[at/{in_word}u]);
loop{{
let old_element=(old>>shift)&{mask}u;
let combined=({combined})&{mask}u;
let swap=atomicCompareExchangeWeak(&table[at/{in_word}u],old,(old&~({mask}u<<shift))|(combined<<shift));
if(swap.exchanged){{break;}}
old=swap.old_value;
}}"
    ))
}
