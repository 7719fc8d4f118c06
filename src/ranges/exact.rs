//! Tests: exact sums in ranges.

use std::rc::Rc;

use crate::convert::cpu::from_numbers;
use crate::engine::cpu::Cpu;
use crate::engine::cpu::cuts::{Random, take_kinds};
use crate::engine::{Masked, Value};
use crate::exact::cpu::sums::{ExactSums, WIDE_COUNTS};
use crate::exact::kernels::terms::ExactTerms;
use crate::histograms::backend::HistogramsBackend;
use crate::histograms::plan::counting::Counted;
use crate::histograms::plan::histogram::{Division, HistogramPlan};
use crate::index::cpu::CallIndex;
use crate::index::kernels::SKIPPED;
use crate::index::kernels::walker::Elements;
use crate::plan::{Addressed, Addressing, Arguments, Op, Operand, Reduction, Sum, Update};
use crate::ranges::{index, plan, same, shape};
use crate::{DType, HostBuffer, Scalar, load};

#[test]
fn exact_calls_and_histograms_in_ranges() {
    let mut random = Random(16);
    for round in 0..60 {
        let (bins, count) = (random.pick(&[1, 7, 500]), random.pick(&[0, 1, 600, 30_000]));
        let dtype = random.pick(&[DType::Float32, DType::Float64, DType::Float16, DType::Bfloat16]);
        let is_adversarial = random.below(2) == 0;
        let mut weights = random.buffer(count, dtype);
        if is_adversarial {
            // Finite numbers of any exponent: most are spilled.
            let fill = &mut |_: usize, run: &mut [f64]| {
                run.fill_with(|| (random.below(9) as f64 - 4.0) * 2f64.powi(random.below(28) as i32 - 14));
            };
            weights = from_numbers("test", count, dtype, fill).unwrap();
        }
        let index = random.index(count, bins, DType::Int64, false);
        let (table, counted) = (shape(&[bins]), shape(&[count]));
        let operand = |shape, dtype| Operand { shape, dtype };
        let (form, src) = (Addressed::Along(0), Some(operand(&counted, dtype)));
        let (table, index_operand) = (operand(&table, dtype), operand(&counted, DType::Int64));
        let op = Op::ScatterAdd;
        let plan = Addressing::scatter(&Arguments { op, form, table, index: index_operand, src }).unwrap();
        let positions = CallIndex::new(&plan, &index, DType::Int64).all().unwrap();
        let zeros = HostBuffer::zeroed("test", bins * dtype.size()).unwrap();
        let update = Update { sum: Sum::Exact, ..random.pick(Reduction::ALL).update(round % 2 == 0) };
        same(&format!("exact {round} {dtype:?}"), || {
            let mut copy = Rc::new(HostBuffer::copy_of("test", zeros.bytes())?);
            Cpu.scatter_exact(&plan, dtype, update, &mut copy, &positions, Value::Buffer(&weights))?;
            Ok(copy.bytes().to_vec())
        });
        let edges = from_numbers("test", bins + 1, DType::Float64, &mut |first, run| {
            run.iter_mut().zip(first..).for_each(|(edge, at)| *edge = at as f64);
        })
        .unwrap();
        let samples = random.buffer(count, DType::Int32);
        for weights in [None, Some(&weights)] {
            let (bins, x) = (Division::Uniform(bins as i64), operand(&counted, DType::Int32));
            let weight = weights.map(|_| operand(&counted, dtype));
            let counted_by = Counted { weights: weight, sum: Sum::Exact, ..Counted::default() };
            let divisions = [(bins, Some([0.0, 500.0]))];
            let histogram = HistogramPlan::new(Op::Histogram, x, &counted_by, &divisions).unwrap();
            same(&format!("histogram {round} {dtype:?}"), || {
                Ok(Cpu
                    .histogram(&histogram, &[&edges], Masked { numbers: &samples, mask: None }, weights)?
                    .bytes()
                    .to_vec())
            });
        }
    }
    let kinds = take_kinds();
    for kind in ["InParts", "Count"] {
        assert!(kinds.iter().any(|ran| ran.contains(kind)), "{kind}: {kinds:?}");
    }
}

/// The bytes of the sums of terms, by some sums that got ranges of `len` elements each in turn, in an order that follows from the seed.
/// Terms are counted in 4 or 8 bytes.
fn exact_sums(terms: &ExactTerms<'_>, (dtype, places): (DType, usize), len: usize, seed: u64) -> Vec<u8> {
    let new = |_| ExactSums::new("test", dtype, places, [4, WIDE_COUNTS][seed as usize % 2]).unwrap();
    let mut parts: Vec<_> = (0..3).map(new).collect();
    let mut ranges: Vec<_> = (0..terms.len()).step_by(len).map(|at| at..terms.len().min(at + len)).collect();
    let mut random = Random(seed);
    random.shuffle(&mut ranges);
    for range in ranges {
        parts[random.below(3)].add_range(terms, range).unwrap();
    }
    let [mut first, second, third] = <[_; 3]>::try_from(parts).ok().unwrap();
    [second, third].iter().for_each(|part| first.merge(part).unwrap());
    let sums = first.rounded(false, dtype).unwrap();
    // Any NaN is like another.
    let canonical = |element: &[u8]| match Scalar::load(load(element), dtype).as_f64() {
        sum if sum.is_nan() => f64::NAN.to_bits(),
        sum => sum.to_bits(),
    };
    let mut bytes: Vec<u8> =
        sums.bytes().chunks_exact(dtype.size()).flat_map(|sum| canonical(sum).to_le_bytes()).collect();
    bytes.extend(first.copy_of_counts().unwrap().bytes());
    bytes
}

/// Ranges stop at accumulators that are all in use, and go on; they have sums of their own, which are merged.
#[test]
fn exact_terms_in_ranges() {
    let mut random = Random(12);
    for round in 0..150 {
        let (plan, table, values) = plan(&mut random, false);
        let (index, index_dtype) = loop {
            let (index, dtype) = index(&mut random, &plan);
            if CallIndex::new(&plan, &index, dtype).all().is_ok() {
                break (index, dtype);
            }
        };
        let mut positions = CallIndex::new(&plan, &index, index_dtype).all().unwrap().into_owned();
        if round % 3 == 0 {
            positions.iter_mut().step_by(5).for_each(|position| *position = SKIPPED);
        }
        let dtype = random.pick(&[DType::Float32, DType::Float64, DType::Float16, DType::Bfloat16]);
        let count = values.size().max(1);
        // Any bits: most sums need accumulators.
        let mut bits = HostBuffer::zeroed("test", count * dtype.size()).unwrap();
        bits.bytes_mut().fill_with(|| random.below(256) as u8);
        let is_single = plan.row().len == 1 && plan.loops().len() == 1 && plan.slot_stride() == 1;
        let list = Elements::List { slots: &positions, is_single: round % 2 == 0 };
        for elements in [Elements::Scatter { plan: &plan, positions: &positions }, list] {
            if matches!(elements, Elements::List { .. }) && !(is_single && positions.len() <= count) {
                continue;
            }
            let terms = ExactTerms::new(dtype, bits.bytes(), elements);
            let of = (dtype, table.size());
            let whole = exact_sums(&terms, of, usize::MAX, 1);
            for (len, seed) in [(1, 1), (3, 2), (7, 3), (256, 4), (1000, 5)] {
                assert!(exact_sums(&terms, of, len, seed) == whole, "{round} {dtype} {plan:?} by {len}");
            }
        }
    }
}

#[test]
fn exact_segments_in_ranges() {
    let mut random = Random(13);
    for round in 0..60 {
        let row = random.pick(&[1, 2, 3, 70]);
        let lengths: Vec<u32> =
            (0..random.below(9)).map(|_| random.below(40) as u32 * random.below(2) as u32).collect();
        let ends: Vec<u32> = lengths
            .iter()
            .scan(0, |end, len| {
                *end += len;
                Some(*end)
            })
            .collect();
        let dtype = random.pick(&[DType::Float32, DType::Float64, DType::Float16, DType::Bfloat16]);
        let rows = ends.last().copied().unwrap_or(0) as usize;
        let mut bits = HostBuffer::zeroed("test", rows * row * dtype.size()).unwrap();
        bits.bytes_mut().fill_with(|| random.below(256) as u8);
        let terms = ExactTerms::new(dtype, bits.bytes(), Elements::Segments { ends: &ends, row });
        assert_eq!(terms.len(), rows * row);
        let of = (dtype, ends.len() * row);
        let whole = exact_sums(&terms, of, usize::MAX, 1);
        for (len, seed) in [(1, 1), (5, 2), (256, 3), (1000, 4)] {
            assert!(exact_sums(&terms, of, len, seed) == whole, "{round} {dtype} rows of {row} by {len}");
        }
    }
}
