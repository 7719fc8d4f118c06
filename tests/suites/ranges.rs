//! What the CPU remembers of an index: a call with one that was used before does what the first call with those values
//! would, whatever was written to it in between.

use scatterwise::{DType, IndexPlan, Reduce, Tensor, scatter_mul, scatter_mul_at};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::common::backends::on_cpu;
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal};

/// Sizes of tables: one is written aside first, one is not, and tuples have unequal bounds.
const SMALL: usize = 5;
const LARGE: usize = 1100;

/// The index with other storage, of which nothing is known.
fn unknown(index: &Tensor) -> Tensor {
    let bytes = index.bytes().expect("on the CPU");
    Tensor::from_bytes(index.dtype(), index.shape().dims(), bytes).expect("as it was")
}

/// A table of 1, 2, 3 …
fn table(dims: &[usize]) -> Tensor {
    Tensor::arange(1.0, 1.0 + dims.iter().product::<usize>() as f64, 1.0, DType::Int32)
        .and_then(|all| all.reshape(dims))
        .expect("a table")
}

/// Calls that look at an index, and all that they leave behind.
const USES: u64 = 9;
fn call(which: u64, index: &Tensor) -> scatterwise::Result<Vec<i32>> {
    let pairs = || index.reshape(&[index.size() / 2, 2]);
    let result = match which {
        0 => {
            let mut counts = table(&[SMALL]);
            counts.scatter_add_(0, index, 1).map(|()| counts)
        }
        1 => {
            let mut large = table(&[LARGE]);
            large
                .scatter_(0, index, index.astype(large.dtype()).as_ref().unwrap(), Reduce::Add)
                .map(|()| large)
        }
        2 => table(&[SMALL]).gather(0, index),
        3 => table(&[LARGE]).scatter_add(0, index, 3),
        4 => table(&[SMALL, LARGE]).gather_nd(&pairs()?),
        5 => {
            let mut pairs_of = table(&[LARGE, SMALL]);
            pairs_of.scatter_add_nd_(&pairs()?, 1).map(|()| pairs_of)
        }
        6 => {
            let mut rows = table(&[SMALL, 2]);
            scatter_mul(&mut rows, index, 3).map(|()| rows)
        }
        7 => IndexPlan::along(&[SMALL], 0, index).and_then(|plan| table(&[SMALL]).scatter_add_at(&plan, 1)),
        _ => table(&[LARGE, 0]).gather_nd(&index.reshape(&[index.size(), 1])?),
    };
    Ok(result?.elements::<i32>().expect("on the CPU").to_vec())
}

/// The operators that write in place.
const WRITES: u64 = 8;
fn write(which: u64, index: &mut Tensor, at: i32, value: i32) -> scatterwise::Result<()> {
    let place = Tensor::from_elements(&[1], &[at])?;
    let tuple = place.reshape(&[1, 1])?;
    let plan = IndexPlan::along(index.shape().dims(), 0, &place)?;
    match which {
        0 => index.scatter_(0, &place, value, Reduce::Replace),
        1 => index.scatter_(0, &place, value, Reduce::Add),
        2 => index.scatter_(0, &place, value, Reduce::Multiply),
        3 => index.scatter_add_(0, &place, value),
        4 => index.scatter_add_nd_(&tuple, value),
        5 => scatter_mul(index, &place, value),
        6 => index.mul_(&Tensor::full(&[1], if value > SMALL as i32 { 9 } else { -1 }, index.dtype())?),
        _ if value % 2 == 0 => scatter_mul_at(index, &plan, value),
        _ => index.scatter_at_(&plan, value, Reduce::Replace),
    }
}

fn agree(which: u64, index: &Tensor) -> Row {
    match (call(which, index), call(which, &unknown(index))) {
        (Ok(got), Ok(expected)) => equal(&format!("use {which}"), got == expected, true),
        (got, expected) => {
            let text = |outcome: scatterwise::Result<Vec<i32>>| outcome.err().map(|error| error.to_string());
            equal(&format!("use {which}"), text(got), text(expected))
        }
    }
}

/// One index through uses and writes, in random order; most values are in range.
fn walk(numbers: &mut Numbers, wide: bool, len: usize) -> Row {
    let low: Vec<i32> = (0..len)
        .map(|_| numbers.below(2 * SMALL as u64) as i32 % SMALL as i32 - (numbers.below(2) as i32))
        .collect();
    let dtype = if wide { DType::Int64 } else { DType::Int32 };
    let mut index = Tensor::from_elements(&[len], &low)?.astype(dtype)?;
    let mut copies = Vec::new();
    for _ in 0..24 {
        match numbers.below(4) {
            0 => {
                let value = numbers.below(16) as i32 - 8;
                let value = if numbers.below(9) == 0 { value * 1000 } else { value % 2 };
                write(numbers.below(WRITES), &mut index, numbers.below(len as u64) as i32, value)?;
            }
            1 if copies.len() < 3 => copies.push(index.clone()), // the next write copies
            _ => {
                let which = numbers.below(USES);
                agree(which, &index)?;
                agree(which, &index)?;
                for copy in &copies {
                    agree(which, copy)?;
                }
            }
        }
        if numbers.below(6) == 0 {
            copies.clear(); // writes are in place again
        }
    }
    Ok(())
}

#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn an_index_that_was_used_before_and_written_to() {
    on_cpu("remembered-ranges", async |report| {
        let mut numbers = Numbers(1);
        // A window is 1,024 entries.
        for (len, rounds) in [(2, 100), (12, 150), (2500, 10)] {
            for round in 0..rounds {
                let wide = round % 2 == 1;
                report.row(&format!("{len} × {round}"), walk(&mut numbers, wide, len));
            }
        }
    })
    .await;
}

/// The range as int64 of what is in memory is another than as int32.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn an_error_is_the_same_each_time() {
    on_cpu("remembered-errors", async |report| {
        for wide in [false, true] {
            let dtype = if wide { DType::Int64 } else { DType::Int32 };
            let outcome = (|| {
                let values: Vec<i32> = (0..2000).map(|k| if k == 1500 { 7 } else { k % 5 }).collect();
                let index = Tensor::from_elements(&[2000], &values)?.astype(dtype)?;
                let mut large = table(&[LARGE]);
                large.scatter_add_(0, &index, 1)?; // the range is known now, and all right here
                for _ in 0..2 {
                    let error =
                        table(&[SMALL]).gather(0, &index).err().ok_or(Fault::Wrong("no error".into()))?;
                    equal("position", error.position_fact(), Some(&[1500][..]))?;
                    let mut small = table(&[SMALL]);
                    let error =
                        small.scatter_add_(0, &index, 1).err().ok_or(Fault::Wrong("no error".into()))?;
                    equal("position", error.position_fact(), Some(&[1500][..]))?;
                    equal("table", small.elements::<i32>(), Some(&[1, 2, 3, 4, 5][..]))?;
                }
                Ok(())
            })();
            report.row(dtype.name(), outcome);
        }
    })
    .await;
}
