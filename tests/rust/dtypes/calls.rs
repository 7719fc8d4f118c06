//! Calls along a dimension with every dtype: words shared between columns, rows and the ends of tensors, many
//! duplicates, negative indices, an index smaller than self.

use scatterwise::{DType, Device, Reduce, Scalar, Source, Tensor};

use crate::common::backends::join_all;
use crate::common::data::tensor;
use crate::common::pairs::Numbers;
use crate::common::report::say;
use crate::dtypes::devices::{difference, gpu};
use crate::dtypes::elements::{edges, element, format, reduces, without_zero_divisors};

/// The shapes of a scatter along a dimension; a gather has no src.
struct Geometry {
    table: &'static [usize],
    dim: i64,
    index: &'static [usize],
    src: &'static [usize],
}

const fn geometry(
    table: &'static [usize],
    dim: i64,
    index: &'static [usize],
    src: &'static [usize],
) -> Geometry {
    Geometry { table, dim, index, src }
}

const GEOMETRIES: [Geometry; 10] = [
    geometry(&[37], 0, &[37], &[37]),
    geometry(&[3], 0, &[1], &[3]),
    geometry(&[5, 13], 1, &[5, 11], &[7, 12]),
    geometry(&[9, 7], 0, &[8, 5], &[9, 6]),
    geometry(&[9, 7], -2, &[9, 7], &[9, 7]),
    geometry(&[3, 5, 7], 1, &[2, 4, 7], &[3, 5, 9]),
    geometry(&[3, 5, 7], 0, &[3, 5, 7], &[3, 5, 7]),
    // Several workgroups meet inside words.
    geometry(&[6, 333], 0, &[5, 331], &[5, 333]),
    geometry(&[333, 5], 1, &[333, 5], &[333, 5]),
    // Every column starts at another byte of a word.
    geometry(&[301, 3, 3], 1, &[301, 3, 1], &[301, 3, 2]),
];

/// What one call needs, on the CPU. A scatter takes `src` or `scalar`.
struct Operands {
    table: Tensor,
    index: Tensor,
    src: Tensor,
    scalar: Scalar,
}

impl Operands {
    /// Random elements, without zeros in `src` and `scalar` if integers are divided by them; and an index that names up to four places
    /// along the dimension, so that many entries name the same, a third of them counted from the end.
    fn new(dtype: DType, reduce: Reduce, shapes: &Geometry, numbers: &mut Numbers) -> Self {
        let edges = edges(dtype);
        // Nothing is divided by the table, so it is drawn as for a replacement.
        let mut draw = |dims: &[usize], reduce| {
            let len = dims.iter().product();
            let bits: Vec<u64> = (0..len).map(|_| element(dtype, &edges, numbers)).collect();
            tensor(dtype, dims, &without_zero_divisors(dtype, reduce, &bits))
        };
        let (table, src) = (draw(shapes.table, Reduce::Replace), draw(shapes.src, reduce));
        let axis = shapes.dim.rem_euclid(shapes.table.len() as i64) as usize;
        let bound = shapes.table[axis] as u64;
        let spread = bound.min(1 + numbers.below(4)); // how many places are named
        let entries = (0..shapes.index.iter().product()).map(|_| {
            let place = (numbers.below(spread) * (bound / spread)) as i64;
            (if numbers.below(3) == 0 { place - bound as i64 } else { place }) as u64
        });
        let entries: Vec<u64> = entries.collect();
        let index = tensor(numbers.pick(&[DType::Int32, DType::Int64]), shapes.index, &entries);
        let scalar = without_zero_divisors(dtype, reduce, &[element(dtype, &edges, numbers)])[0];
        let scalar = Scalar::load(scalar, dtype);
        Self { table, index, src, scalar }
    }
}

one_thread!(scatters_are_the_cpus);
/// Every dtype, reduction, kind of source and geometry. Every second geometry has an index that was computed on the device, which is checked
/// there. The calls of a dtype are all recorded before the first result is read.
async fn scatters_are_the_cpus() {
    let Some(gpu) = gpu().await else { return };
    let mut numbers = Numbers(1);
    let (mut calls, mut failures) = (0, Vec::new());
    for &dtype in DType::ALL {
        let mut results = Vec::new();
        for (at, shapes) in GEOMETRIES.iter().enumerate() {
            for reduce in reduces(dtype) {
                for is_scalar in [false, true] {
                    let Operands { table, index, src, scalar } =
                        Operands::new(dtype, reduce, shapes, &mut numbers);
                    let on_gpu = if at % 2 == 0 { computed(&index) } else { index.upload().unwrap() };
                    let source = if is_scalar { Source::from(scalar) } else { (&src).into() };
                    let mut result = table.upload().unwrap();
                    result.scatter_(shapes.dim, &on_gpu, source.clone(), reduce).unwrap();
                    let mut expected = table;
                    expected.scatter_(shapes.dim, &index, source, reduce).unwrap();
                    let name = format!("{dtype} {reduce:?} geometry {at}, scalar: {is_scalar}");
                    let is_move = reduce == Reduce::Replace;
                    results.push((name, expected, result, is_move));
                }
            }
        }
        calls += results.len();
        let differences =
            results.iter().map(|(_, expected, got, is_move)| difference(expected, got, *is_move));
        for ((name, ..), difference) in results.iter().zip(join_all(differences).await) {
            failures.extend(difference.map(|text| format!("{name}: {text}")));
        }
    }
    say(&format!("{}: {calls} scatters", gpu.facts().description));
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// The same tensor as a result of work on the device, a gather of all elements: so the host does not know its values.
pub(super) fn computed(tensor: &Tensor) -> Tensor {
    let flat = tensor.reshape(&[tensor.size()]).unwrap().upload().unwrap();
    let all: Vec<i32> = (0..tensor.size() as i32).collect();
    let all = Tensor::from_elements(&[tensor.size()], &all).unwrap();
    flat.gather(0, &all).unwrap().reshape(tensor.shape().dims()).unwrap()
}

one_thread!(histograms_are_the_cpus);
/// An index longer than self: some 600 updates of each element, thousands in a word of bytes, by src and by a scalar.
async fn histograms_are_the_cpus() {
    const LEN: usize = 3001;
    let Some(gpu) = gpu().await else { return };
    let mut numbers = Numbers(2);
    for &dtype in DType::ALL {
        let edges = edges(dtype);
        let mut draw = |len| (0..len).map(|_| element(dtype, &edges, &mut numbers)).collect::<Vec<_>>();
        let (table, src) = (tensor(dtype, &[5, 2], &draw(10)), tensor(dtype, &[LEN, 2], &draw(2 * LEN)));
        let index: Vec<i32> = (0..2 * LEN).map(|_| numbers.below(10) as i32 - 5).collect();
        let index = Tensor::from_elements(&[LEN, 2], &index).unwrap();
        for source in [Source::from(&src), Source::from(true)] {
            let expected = table.scatter_add(0, &index, source.clone()).unwrap();
            let result = table.upload().unwrap().scatter_add(0, &index.upload().unwrap(), source).unwrap();
            let difference = difference(&expected, &result, false).await;
            assert_eq!(difference, None, "{dtype} on {}", gpu.facts().description);
        }
    }
}

one_thread!(chains_are_the_cpus);
/// Sixty updates of similar size in each place. Each float update rounds, so another order would give other bits. Integers
/// are odd, which keeps products and divisors from becoming 0.
async fn chains_are_the_cpus() {
    const LEN: usize = 301;
    if gpu().await.is_none() {
        return;
    }
    let mut numbers = Numbers(8);
    for &dtype in DType::ALL {
        for reduce in [Reduce::Add, Reduce::Multiply, Reduce::Divide] {
            if reduce == Reduce::Divide && dtype == DType::Bool {
                continue;
            }
            let mut draw = || {
                let element = |_| match format(dtype) {
                    // From 1/2 to 2, of either sign: the exponent field is that of 1/2 or of 1.
                    Some((exponent_bits, fraction_bits)) => {
                        let any = numbers.next() & (u64::MAX >> (64 - 8 * dtype.size()));
                        let bias = (1u64 << (exponent_bits - 1)) - 1;
                        let field = bias - numbers.below(2);
                        any & !(((1 << exponent_bits) - 1) << fraction_bits) | field << fraction_bits
                    }
                    None => element(dtype, &[1, 3], &mut numbers) | 1,
                };
                tensor(dtype, &[LEN, 3], &(0..3 * LEN).map(element).collect::<Vec<_>>())
            };
            let (table, src) = (draw(), draw());
            let index: Vec<i32> = (0..3 * LEN).map(|_| numbers.below(5) as i32 * 60).collect();
            let index = Tensor::from_elements(&[LEN, 3], &index).unwrap();
            let expected = table.scatter(0, &index, &src, reduce).unwrap();
            let result = table.upload().unwrap().scatter(0, &index, &src, reduce).unwrap();
            assert_eq!(difference(&expected, &result, false).await, None, "{dtype} {reduce:?}");
        }
    }
}

one_thread!(gathers_are_the_cpus);
/// Every dtype and geometry; also indices longer than self.
async fn gathers_are_the_cpus() {
    let Some(gpu) = gpu().await else { return };
    let longer = [geometry(&[5], 0, &[1023], &[1]), geometry(&[6, 5], 0, &[201, 3], &[1, 1])];
    let mut numbers = Numbers(3);
    let (mut calls, mut failures) = (0, Vec::new());
    for &dtype in DType::ALL {
        for (at, shapes) in GEOMETRIES.iter().chain(&longer).enumerate() {
            let Operands { table, index, .. } = Operands::new(dtype, Reduce::Replace, shapes, &mut numbers);
            let expected = table.gather(shapes.dim, &index).unwrap();
            let result = table.upload().unwrap().gather(shapes.dim, &computed(&index)).unwrap();
            calls += 1;
            if let Some(text) = difference(&expected, &result, true).await {
                failures.push(format!("{dtype} geometry {at}: {text}"));
            }
        }
    }
    say(&format!("{}: {calls} gathers", gpu.facts().description));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

one_thread!(nothing_is_written_by_a_call_that_fails);
/// A bad index value that only the device sees leaves every element of every dtype alone.
async fn nothing_is_written_by_a_call_that_fails() {
    if gpu().await.is_none() {
        return;
    }
    let mut numbers = Numbers(4);
    for &dtype in DType::ALL {
        // The index has the shape [5, 331]: its entry 1000 is at [3, 7]. Along dimension 0 the table has 6 places, so 6 is out of bounds.
        let shapes = &GEOMETRIES[7];
        let mut entries = vec![0; shapes.index.iter().product()];
        entries[1000] = 6;
        let index = computed(&Tensor::from_elements::<i32>(shapes.index, &entries).unwrap());
        for reduce in reduces(dtype) {
            let Operands { table, src, .. } = Operands::new(dtype, reduce, shapes, &mut numbers);
            let mut on_gpu = table.upload().unwrap();
            on_gpu.scatter_(shapes.dim, &index, &src, reduce).unwrap();
            let error = on_gpu.to(Device::Cpu).await.err().unwrap();
            assert_eq!(error.position_fact(), Some(&[3, 7][..]), "{dtype}: {error}");
            assert_eq!(difference(&table, &on_gpu, true).await, None, "{dtype} {reduce:?}");
        }
        let Operands { table, .. } = Operands::new(dtype, Reduce::Replace, shapes, &mut numbers);
        let gathered = table.upload().unwrap().gather(shapes.dim, &index).unwrap();
        assert!(gathered.to(Device::Cpu).await.is_err(), "{dtype}");
    }
}
