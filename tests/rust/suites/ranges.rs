//! The CPU remembers the range of an index. A call with a used index acts like a first call with its current values, whatever was
//! written to it in between.

use scatterwise::{DType, IndexPlan, Reduce, Tensor, scatter_mul};

use crate::common::backends::on_cpu;
use crate::common::call::{Planned as _, scatter_mul_at};
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal};

/// Sizes of tables. The CPU writes a small one aside first, up to 4,096 bytes, and not a large one, which also takes the longest index
/// here in a `scatter_`. Two sizes give tuples unequal bounds.
const SMALL: usize = 5;
const LARGE: usize = 2600;

/// A copy of the index in storage of its own, for which no range of values is remembered.
fn unknown(index: &Tensor) -> Tensor {
    let bytes = index.bytes().expect("on the CPU");
    Tensor::from_bytes(index.dtype(), index.shape().dims(), bytes).expect("as it was")
}

/// An int32 table of 1, 2, 3 …
fn table(dims: &[usize]) -> Tensor {
    Tensor::arange(1.0, 1.0 + dims.iter().product::<usize>() as f64, 1.0, DType::Int32)
        .and_then(|all| all.reshape(dims))
        .expect("a table")
}

/// How many kinds of `call` there are.
const USES: u64 = 9;
/// The elements that a call with the index results in, or its error; `which` is below `USES`. The index has an even number of entries,
/// because some calls take them as pairs.
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
        7 => {
            let (plan, mut counts) = (IndexPlan::along(&[SMALL], 0, index)?, table(&[SMALL]));
            counts.scatter_add_at_(&plan, 1).map(|()| counts)
        }
        _ => table(&[LARGE, 0]).gather_nd(&index.reshape(&[index.size(), 1])?),
    };
    Ok(result?.elements::<i32>().expect("on the CPU").to_vec())
}

/// How many kinds of `write` there are.
const WRITES: u64 = 8;
/// Writes to an index by an operator that works in place; `which` is below `WRITES`. Most apply `value` to the entry `at`. `mul_` has no
/// position: it multiplies all entries, by 9 for a value above `SMALL`, so that most get out of a small table's range,
/// and else by −1.
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

/// Whether a call with this index, whose range may be remembered, ends as with one whose range is not.
fn agree(which: u64, index: &Tensor) -> Row {
    match (call(which, index), call(which, &unknown(index))) {
        (Ok(got), Ok(expected)) => equal(&format!("use {which}"), got == expected, true),
        (got, expected) => {
            let text = |outcome: scatterwise::Result<Vec<i32>>| outcome.err().map(|error| error.to_string());
            equal(&format!("use {which}"), text(got), text(expected))
        }
    }
}

/// Takes an index of `len` entries through 24 uses and writes in random order. At first its values are from −1 to `SMALL` − 1, all in
/// range.
fn walk(numbers: &mut Numbers, dtype: DType, len: usize) -> Row {
    let values: Vec<i32> = (0..len)
        .map(|_| numbers.below(2 * SMALL as u64) as i32 % SMALL as i32 - (numbers.below(2) as i32))
        .collect();
    let mut index = Tensor::from_elements(&[len], &values)?.astype(dtype)?;
    let mut copies = Vec::new();
    for _ in 0..24 {
        match numbers.below(4) {
            0 => {
                let value = numbers.below(16) as i32 - 8;
                // One of nine is far out of every range, or 0; the others, from −1 to 1, keep most entries in range.
                let value = if numbers.below(9) == 0 { value * 10_000 } else { value % 2 };
                write(numbers.below(WRITES), &mut index, numbers.below(len as u64) as i32, value)?;
            }
            1 if copies.len() < 3 => copies.push(index.clone()), // the next write has to copy the storage first
            _ => {
                let which = numbers.below(USES);
                // The second call uses the range that the first has found.
                agree(which, &index)?;
                agree(which, &index)?;
                for copy in &copies {
                    agree(which, copy)?;
                }
            }
        }
        if numbers.below(6) == 0 {
            copies.clear(); // from here writes are in place again
        }
    }
    Ok(())
}

one_thread!(an_index_that_was_used_before_and_written_to);
/// Random walks of indices of different lengths, in turn int32 and int64.
async fn an_index_that_was_used_before_and_written_to() {
    on_cpu("remembered-ranges", async |report| {
        let mut numbers = Numbers(1);
        // The CPU looks at a window of 1,024 entries at a time.
        for (len, rounds) in [(2, 100), (12, 150), (2500, 10)] {
            for round in 0..rounds {
                let dtype = [DType::Int32, DType::Int64][round % 2];
                report.row(&format!("{len} × {round}"), walk(&mut numbers, dtype, len));
            }
        }
    })
    .await;
}

one_thread!(an_error_is_the_same_each_time);
/// A call that knows from the remembered range that an index is bad names the same position as a call that reads the values. A
/// range belongs to one dtype, so both dtypes are tried.
async fn an_error_is_the_same_each_time() {
    on_cpu("remembered-errors", async |report| {
        for dtype in [DType::Int32, DType::Int64] {
            let outcome = (|| {
                let values: Vec<i32> = (0..2000).map(|k| if k == 1500 { 7 } else { k % 5 }).collect();
                let index = Tensor::from_elements(&[2000], &values)?.astype(dtype)?;
                let mut large = table(&[LARGE]);
                large.scatter_add_(0, &index, 1)?; // now the range is remembered; this table is large enough for it
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
