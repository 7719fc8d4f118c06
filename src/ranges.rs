//! Tests: every job gives the same bits and errors in ranges of any length, run in any order.

pub(crate) mod exact;

use std::rc::Rc;

use crate::convert::backend::ConvertBackend;
use crate::convert::cpu::from_numbers;
use crate::dims::backend::DimsBackend;
use crate::dims::plan::{Along, DimsPlan};
use crate::elementwise::backend::ElementwiseBackend;
use crate::elementwise::plan::broadcast::BroadcastPlan;
use crate::engine::Value;
use crate::engine::cpu::Cpu;
use crate::engine::cpu::cuts::{Cuts, Random, in_ranges, take_kinds};
use crate::gather::backend::GatherBackend;
use crate::groups::backend::GroupsBackend;
use crate::index::cpu::{CallIndex, Index};
use crate::plan::{
    Activation, Addressed, Addressing, Arguments, Op, Operand, OutOfRange, Reduce, Reduction, Update,
};
use crate::segments::plan::{CheckedSegments, SegmentForm};
use crate::{DType, HostBuffer, Result, Shape};

impl Random {
    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.below(among.len())]
    }

    /// Small numbers, whose products are exact in every dtype or wrap.
    fn buffer(&mut self, count: usize, dtype: DType) -> HostBuffer {
        let fill = &mut |_: usize, run: &mut [f64]| run.fill_with(|| self.below(4) as f64 + 1.0);
        from_numbers("test", count, dtype, fill).unwrap()
    }

    /// An index with values below `bound`, some negative. If `is_bad`, one value is out of range.
    fn index(&mut self, count: usize, bound: usize, dtype: DType, is_bad: bool) -> HostBuffer {
        let (bad, shift) = (self.below(count.max(1)), if self.below(2) == 0 { 0 } else { bound });
        let fill = &mut |first: usize, run: &mut [f64]| {
            for (at, value) in run.iter_mut().enumerate() {
                let is_bad = is_bad && first + at >= bad && self.below(3) == 0;
                *value = self.below(bound) as f64 - shift as f64 * self.below(2) as f64;
                *value += if is_bad { 2.0 * bound as f64 } else { 0.0 };
            }
        };
        from_numbers("test", count, dtype, fill).unwrap()
    }
}

/// Asserts that a call gives the same result as a whole and in ranges.
fn same(what: &str, call: impl Fn() -> Result<Vec<u8>>) {
    let whole = call();
    for (len, seed) in [(1, 1), (2, 2), (3, 3), (7, 4), (64, 5), (1000, 6)] {
        let cut = in_ranges(Cuts { len, seed }, &call);
        assert!(cut == whole, "{what}, ranges of {len}");
    }
}

fn shape(dims: &[usize]) -> Shape {
    Shape::new("test", dims).unwrap()
}

/// A random plan of a scatter or a gather, with the shapes of its table and its values.
fn plan(random: &mut Random, is_gather: bool) -> (Addressing, Shape, Shape) {
    let rank = 1 + random.below(4);
    let long = random.pick(&[5, 9, 70]);
    let table: Vec<usize> = (0..rank).map(|d| 1 + random.below(if d == 1 { long } else { 5 })).collect();
    let dim = random.below(rank);
    let count = random.pick(&[0, 1, 7, 40, 1500]);
    let (form, index, values) = match random.below(3) {
        0 => {
            let mut index: Vec<usize> = table.iter().map(|&len| len - random.below(len).min(1)).collect();
            index[dim] = count;
            (Addressed::Along(dim as i64), index.clone(), index)
        }
        1 => {
            let mut values = table.clone();
            values[dim] = count;
            (Addressed::Slices(dim as i64), vec![count], values)
        }
        _ => {
            let depth = 1 + random.below(rank.min(3));
            (Addressed::Tuples(0), vec![count, depth], [&[count], &table[depth..]].concat())
        }
    };
    let (table, index, values) = (shape(&table), shape(&index), shape(&values));
    let operand = |shape, dtype| Operand { shape, dtype };
    let src = (!is_gather).then_some(operand(&values, DType::Float32));
    let (op, index) = (if is_gather { Op::Gather } else { Op::ScatterAdd }, operand(&index, DType::Int32));
    let call = Arguments { op, form, table: operand(&table, DType::Float32), index, src };
    let plan =
        if is_gather { Addressing::gather(&call).unwrap().0 } else { Addressing::scatter(&call).unwrap() };
    (plan, table, values)
}

/// An index for a plan. One value may be out of range.
fn index(random: &mut Random, plan: &Addressing) -> (HostBuffer, DType) {
    let bound = plan.components().iter().map(|component| component.bound).min().unwrap_or(1);
    let (dtype, is_bad) = (random.pick(&[DType::Int32, DType::Int64]), random.below(4) == 0);
    (random.index(plan.index_len(), bound, dtype, is_bad), dtype)
}

#[test]
fn scatters_in_ranges() {
    let mut random = Random(7);
    for round in 0..250 {
        let (plan, table, values) = plan(&mut random, false);
        let (index, index_dtype) = index(&mut random, &plan);
        let dtype = random.pick(&[DType::Float32, DType::Uint8, DType::Float16, DType::Int64]);
        let (table, values) = (random.buffer(table.size(), dtype), random.buffer(values.size(), dtype));
        let reduce = random.pick(Reduce::ALL);
        let update = random.pick(&[reduce.into(), Reduction::Mean.update(false)]);
        let mode = random.pick(OutOfRange::ALL);
        let is_shared = random.below(2) == 0;
        same(&format!("scatter {round} {reduce:?} {dtype:?} {plan:?}"), || {
            let mut copy = Rc::new(HostBuffer::copy_of("test", table.bytes())?);
            let other = is_shared.then(|| copy.clone());
            let call = CallIndex::new(&plan, &index, index_dtype);
            let value = Value::Buffer(&values);
            if mode == OutOfRange::Raise {
                Cpu.scatter_once(&plan, dtype, reduce, &mut copy, &call, value)?;
            } else {
                let positions = CallIndex::new(&plan, &index, index_dtype).kept(mode.into())?;
                // The second call has the partition of the index.
                Cpu.scatter_at(&plan, dtype, update, &mut copy, &positions, value)?;
                Cpu.scatter_at(&plan, dtype, update, &mut copy, &positions, value)?;
            }
            drop(other);
            Ok(copy.bytes().to_vec())
        });
    }
}

#[test]
fn scatters_with_one_column_are_divided() {
    let mut random = Random(15);
    for (reduce, dtype, kind) in [
        (Reduce::Add, DType::Float32, "ByDestination"),
        (Reduce::Replace, DType::Int32, "ByDestination"),
        (Reduce::Maximum, DType::Float32, "ByDestination"),
        (Reduce::Add, DType::Int64, "Privatised"),
        (Reduce::Multiply, DType::Uint8, "Privatised"),
        (Reduce::Minimum, DType::Int16, "Privatised"),
    ] {
        for row in [1, 3, 130] {
            let (table, values, index) = (shape(&[40, row]), shape(&[900, row]), shape(&[900]));
            let operand = |shape, dtype| Operand { shape, dtype };
            let (form, src) = (Addressed::Slices(0), Some(operand(&values, dtype)));
            let (table_operand, index) = (operand(&table, dtype), operand(&index, DType::Int32));
            let op = Op::IndexAdd;
            let plan =
                Addressing::scatter(&Arguments { op, form, table: table_operand, index, src }).unwrap();
            let index = random.index(900, 40, DType::Int32, false);
            let (table, values) = (random.buffer(table.size(), dtype), random.buffer(values.size(), dtype));
            same(&format!("{reduce:?} {dtype:?} rows of {row}"), || {
                let mut copy = Rc::new(HostBuffer::copy_of("test", table.bytes())?);
                let positions = CallIndex::new(&plan, &index, DType::Int32).kept(OutOfRange::Raise.into())?;
                for _ in 0..2 {
                    let update = reduce.into();
                    Cpu.scatter_at(&plan, dtype, update, &mut copy, &positions, Value::Buffer(&values))?;
                }
                Ok(copy.bytes().to_vec())
            });
            let kind = if row < 130 { kind } else { "Indexed" };
            // Short rows go by no partition.
            assert!(
                (row == 3 && kind == "ByDestination") || take_kinds().iter().any(|ran| ran.contains(kind)),
                "{reduce:?} {dtype:?} rows of {row}"
            );
        }
    }
}

#[test]
fn gathers_in_ranges() {
    let mut random = Random(8);
    for round in 0..250 {
        let (plan, table, _) = plan(&mut random, true);
        let (index, index_dtype) = index(&mut random, &plan);
        let dtype = random.pick(&[DType::Float32, DType::Uint8, DType::Float16, DType::Int64]);
        let table = random.buffer(table.size(), dtype);
        let mode = random.pick(OutOfRange::ALL);
        same(&format!("gather {round} {dtype:?} {plan:?}"), || {
            let given = CallIndex::new(&plan, &index, index_dtype);
            let index = match mode {
                OutOfRange::Raise => Index::Given(given),
                _ => Index::Checked(Rc::new(given.kept(mode.into())?)),
            };
            let out = Cpu.gather(&plan, dtype, &table, &index, 3)?;
            Ok(out.bytes().to_vec())
        });
    }
}

/// Also against the two calls that one pass stands for.
#[test]
fn results_with_gathered_elements_in_ranges() {
    let mut random = Random(11);
    for round in 0..200 {
        let (plan, table, values) = plan(&mut random, true);
        let (index, index_dtype) = index(&mut random, &plan);
        let dtype = random.pick(&[DType::Float32, DType::Float64, DType::Bfloat16]);
        let operand = Operand { shape: &values, dtype };
        let (op, act) = (random.pick(&[Op::ElementwiseSub, Op::ElementwiseDiv]), Some(Activation::Exp));
        let pairs = BroadcastPlan::along_axis(op, operand, operand, -1, random.pick(&[None, act])).unwrap();
        let (table, x) = (random.buffer(table.size(), dtype), random.buffer(values.size(), dtype));
        let mode = random.pick(OutOfRange::ALL);
        let index = match CallIndex::new(&plan, &index, index_dtype).kept(mode.into()) {
            Ok(positions) if mode != OutOfRange::Raise => Index::Checked(Rc::new(positions)),
            _ => Index::Given(CallIndex::new(&plan, &index, index_dtype)),
        };
        let what = format!("with gathered {round} {pairs:?} {plan:?}");
        let call = || Ok(Cpu.with_gathered((&plan, &pairs), dtype, &x, &table, &index)?.bytes().to_vec());
        let two_calls = || {
            let gathered = Cpu.gather(&plan, dtype, &table, &index, 0)?;
            Ok(Cpu.elementwise(&pairs, dtype, &x, &gathered)?.bytes().to_vec())
        };
        assert!(call() == two_calls(), "{what}");
        same(&what, call);
    }
}

#[test]
fn multiplies_in_ranges() {
    let mut random = Random(9);
    for round in 0..200 {
        let rank = 1 + random.below(4);
        let dims: Vec<usize> = (0..rank).map(|_| random.pick(&[1, 2, 3, 8, 50])).collect();
        let [x, y] =
            [0; 2].map(|_| dims.iter().map(|&len| if random.below(3) == 0 { 1 } else { len }).collect());
        let ([x, y], dtype) =
            ([x, y].map(|dims: Vec<usize>| shape(&dims)), random.pick(&[DType::Float32, DType::Float16]));
        let operand = |shape| Operand { shape, dtype };
        let act = random.pick(&[None, Some(Activation::Relu), Some(Activation::Sigmoid)]);
        let plan = match BroadcastPlan::along_axis(Op::ElementwiseMul, operand(&x), operand(&y), -1, act) {
            Ok(plan) => plan,
            Err(_) => BroadcastPlan::both_sides(Op::Mul, operand(&x), operand(&y), None).unwrap(),
        };
        let (x, y) = (random.buffer(x.size(), dtype), random.buffer(y.size(), dtype));
        same(&format!("multiply {round} {plan:?}"), || {
            Ok(Cpu.elementwise(&plan, dtype, &x, &y)?.bytes().to_vec())
        });
    }
}

#[test]
fn activations_in_ranges() {
    let mut random = Random(21);
    for round in 0..100 {
        let (x, one) = (shape(&[random.pick(&[0, 1, 3, 70, 300])]), shape(&[]));
        let dtype =
            random.pick(&[DType::Float32, DType::Float16, DType::Float64, DType::Int16, DType::Int64]);
        let acts =
            [Activation::Square, Activation::Abs, Activation::Scale, Activation::Exp, Activation::Tanh];
        let act = random.pick(if dtype.is_float() { &acts } else { &acts[..3] });
        let operand = |shape| Operand { shape, dtype };
        let plan =
            BroadcastPlan::along_axis(Op::Activate, operand(&x), operand(&one), -1, Some(act)).unwrap();
        let (x, one) = (random.buffer(x.size(), dtype), random.buffer(1, dtype));
        same(&format!("activation {round} {dtype:?} {act:?}"), || {
            Ok(Cpu.elementwise(&plan, dtype, &x, &one)?.bytes().to_vec())
        });
    }
}

#[test]
fn segments_in_ranges() {
    let mut random = Random(10);
    for round in 0..200 {
        let lengths: Vec<i32> = (0..random.below(60)).map(|_| random.pick(&[0, 1, 5, 700])).collect();
        let (rows, row) = (lengths.iter().sum::<i32>() as usize, random.below(4));
        let segments = CheckedSegments::new(SegmentForm::Lengths, &lengths, [rows, row]).unwrap();
        let dtype = random.pick(&[DType::Float32, DType::Int16, DType::Int32]);
        let update: Update = random.pick(Reduction::ALL).update(true);
        let (data, out) = (random.buffer(rows * row, dtype), random.buffer(lengths.len() * row, dtype));
        same(&format!("segments {round} {dtype:?} {lengths:?}"), || {
            let mut copy = Rc::new(HostBuffer::copy_of("test", out.bytes())?);
            Cpu.combine_segments(&segments, dtype, update, &mut copy, &data)?;
            Ok(copy.bytes().to_vec())
        });
    }
}

#[test]
fn conversions_in_ranges() {
    let mut random = Random(11);
    for &from in DType::ALL {
        for &to in DType::ALL {
            let buffer = random.buffer(700, from);
            same(&format!("{from} to {to}"), || Ok(Cpu.convert("test", from, to, &buffer)?.bytes().to_vec()));
        }
    }
}

#[test]
fn reductions_in_ranges() {
    let mut random = Random(14);
    for round in 0..300 {
        let rank = 1 + random.below(4);
        let dims: Vec<usize> = (0..rank).map(|_| random.pick(&[1, 2, 3, 8, 70])).collect();
        let dims = shape(&dims);
        let reduced: Vec<i64> = (0..rank as i64).filter(|_| random.below(2) == 0).collect();
        let along = random.pick(Along::ALL);
        let (named, all) = match reduced.first() {
            Some(first) if matches!(along, Along::Argmax | Along::Argmin) => (vec![*first], false),
            _ => (reduced, random.below(4) == 0),
        };
        let dtype = random.pick(&[DType::Float32, DType::Float64, DType::Bfloat16, DType::Int16]);
        let to = if along == Along::Mean { Some(DType::Float32) } else { None };
        let input = Operand { shape: &dims, dtype };
        let plan = DimsPlan::new(along, input, if all { None } else { Some(&named) }, false, to).unwrap();
        let data = random.buffer(dims.size(), dtype);
        same(&format!("reduction {round} {dims} {plan:?}"), || {
            Ok(Cpu.reduce_dims(&plan, &data)?.bytes().to_vec())
        });
    }
}
