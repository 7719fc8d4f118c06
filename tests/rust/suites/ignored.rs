//! `ignore_index` by its definition, and batches of tuples: on every backend, with an index at every place.

use scatterwise::{
    DType, ErrorCode, Gather, IndexMode, IndexPlan, Op, OutOfRange, Reduce, Reduction, Scalar, Scatter,
    Source, Sum, Target, Tensor, Update,
};

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of, same};

/// An ignored value with each mode, in range and far out of it.
fn modes() -> impl Iterator<Item = IndexMode> {
    let values = [0, -1, 2, -100, i64::MAX];
    let with = move |&out_of_range: &OutOfRange| {
        values.map(|ignored| IndexMode { out_of_range, ignored: Some(ignored) })
    };
    OutOfRange::ALL.iter().flat_map(with)
}

/// Values for an index of a dimension of size 3, with the ignored one among them.
fn values(mode: IndexMode) -> Vec<i64> {
    let mut values = vec![1, -1, 0, 2, 0, -3, 2, 1];
    if mode.out_of_range != OutOfRange::Raise {
        values.extend([7, -9]);
    }
    let ignored = mode.ignored.unwrap_or_default();
    values.splice(3..3, [ignored, ignored]);
    values.push(ignored);
    values
}

one_thread!(an_ignored_entry_is_as_if_it_were_absent);
/// A call gives what the call without these entries gives, for sums, means without self and replacement.
async fn an_ignored_entry_is_as_if_it_were_absent() {
    on_each_backend("ignored", async |backend, report| {
        for mode in modes() {
            for &place in backend.places() {
                for planned in [false, true] {
                    let outcome = absent(backend, mode, place, planned).await;
                    report.row(&format!("{mode:?} {place:?} planned: {planned}"), outcome);
                }
            }
        }
    })
    .await;
}

async fn absent(backend: &Backend, mode: IndexMode, place: Place, planned: bool) -> Row {
    let all = values(mode);
    let updates: Vec<f32> = (0..all.len()).map(|at| 0.1 + at as f32).collect();
    let kept = all.iter().zip(&updates).filter(|&(&value, _)| Some(value) != mode.ignored);
    let (kept_index, kept_updates): (Vec<i64>, Vec<f32>) =
        kept.map(|(&value, &update)| (value, update)).unzip();
    let table = Data::new(&[3], &[1.5f32, -2.5, 4.0]);
    let index = backend.put_at(place, &Data::new(&[all.len()], &all))?;
    let target = if planned {
        Target::from(&IndexPlan::along_with(&[3], 0, &index, mode)?)
    } else {
        Target::along(0, &index)
    };
    for update in [Reduce::Add.into(), Reduction::Mean.update(false), Reduce::Replace.into()] {
        let mut result = backend.put(&table)?;
        let src = backend.put(&Data::new(&[all.len()], &updates))?;
        let op = Op::ScatterReduceInPlace;
        Scatter { mode, ..Scatter::new(op, target.clone(), src.into(), update) }.run(&mut result)?;
        let mut expected = table.tensor();
        let index = Tensor::from_elements(&[kept_index.len()], &kept_index)?;
        let src = Tensor::from_elements(&[kept_updates.len()], &kept_updates)?;
        let call = Scatter::new(op, Target::along(0, &index), src.into(), update);
        Scatter { mode: mode.out_of_range.into(), ..call }.run(&mut expected)?;
        same(&format!("{update:?}"), Data::of(&expected).difference(&read(&result).await?))?;
    }
    let gather = Gather { mode, fill_value: 9.into(), ..Gather::new(Op::Gather, target) };
    let got = read(&gather.run(&backend.put(&table)?)?).await?.tensor();
    let index = Tensor::from_elements(&[kept_index.len()], &kept_index)?;
    let gather = Gather {
        mode: mode.out_of_range.into(),
        fill_value: 9.into(),
        ..Gather::new(Op::Gather, Target::along(0, &index))
    };
    let expected = gather.run(&table.tensor())?;
    let mut rest = expected.elements::<f32>().unwrap_or_default().iter();
    for (&value, got) in all.iter().zip(got.elements::<f32>().unwrap_or_default()) {
        let expected = if Some(value) == mode.ignored { Some(&9.0) } else { rest.next() };
        equal("a read", Some(got), expected)?;
    }
    Ok(())
}

/// Which entries of a call with so many are ignored.
type Pattern = fn(usize, usize) -> bool;

const PATTERNS: &[(&str, Pattern)] = &[
    ("none", |_, _| false),
    ("all", |_, _| true),
    ("the first and the last", |at, len| at == 0 || at + 1 == len),
    ("all but the last", |at, len| at + 1 < len),
    ("every other", |at, _| at % 2 == 1),
    ("three of ten", |at, _| (at * 7919) % 101 < 30),
];

one_thread!(many_entries);
/// As if the table had one row more, to which the ignored entries went.
async fn many_entries() {
    on_each_backend("many ignored entries", async |backend, report| {
        for dtype in [DType::Uint8, DType::Float16, DType::Float32, DType::Int64] {
            for (name, is_ignored) in PATTERNS {
                for len in [1, 513, 1100] {
                    for [before, after] in [[1, 1], [3, 1], [1, 3]] {
                        let id = format!("{dtype}, {name} of {len}, {before} around and {after} inside");
                        let case = [before, len, after];
                        report.row(&id, with_one_row_more(backend, dtype, *is_ignored, case).await);
                    }
                }
            }
        }
    })
    .await;
}

async fn with_one_row_more(
    backend: &Backend,
    dtype: DType,
    is_ignored: Pattern,
    [before, len, after]: [usize; 3],
) -> Row {
    const ROWS: usize = 40;
    const IGNORED: i64 = -100;
    let count = before * len * after;
    let number = |at: usize| Scalar::Int((at * 31 % 7) as i128 - 1).cast(dtype);
    let data =
        |rows: usize| Data::from_bits(dtype, &[before, rows, after], (0..before * rows * after).map(number));
    let (table, values) = (data(ROWS), data(len));
    let last = Scalar::Int(3).cast(dtype);
    let longer = {
        let own = |at: usize| at / after % (ROWS + 1);
        let element = |at: usize| match own(at) {
            ROWS => last,
            row => table.bits((at / after / (ROWS + 1) * ROWS + row) * after + at % after),
        };
        let places = before * (ROWS + 1) * after;
        Data::from_bits(dtype, &[before, ROWS + 1, after], (0..places).map(element))
    };
    let place = |at: usize, other: i64| if is_ignored(at, count) { other } else { (at * 13 % ROWS) as i64 };
    let index = |other| {
        let places: Vec<i64> = (0..count).map(|at| place(at, other)).collect();
        Data::new(&[before, len, after], &places)
    };
    let mode = IndexMode { ignored: Some(IGNORED), ..IndexMode::default() };
    let with = Target::along(1, &backend.put(&index(IGNORED))?);
    let without = Target::along(1, &index(ROWS as i64).tensor());
    let cut = |longer: &Tensor| {
        let longer = Data::of(longer);
        let bits = (0..before * ROWS * after)
            .map(|at| longer.bits((at / after / ROWS * (ROWS + 1) + at / after % ROWS) * after + at % after));
        Data::from_bits(dtype, &[before, ROWS, after], bits)
    };
    let mut updates: Vec<Update> = vec![
        Reduce::Add.into(),
        Reduce::Replace.into(),
        Reduction::Amax.update(false),
        Reduction::Mean.update(true),
    ];
    if dtype.is_float() {
        updates.push(Update { sum: Sum::Exact, ..Reduce::Add.into() });
    }
    for update in updates {
        for is_scalar in [false, true] {
            let src = |values: Tensor| if is_scalar { Source::from(2) } else { values.into() };
            let op = Op::ScatterReduceInPlace;
            let mut got = backend.put(&table)?;
            let call = Scatter::new(op, with.clone(), src(backend.put(&values)?), update);
            Scatter { mode, ..call }.run(&mut got)?;
            let mut expected = longer.tensor();
            Scatter::new(op, without.clone(), src(values.tensor()), update).run(&mut expected)?;
            same(&format!("{update:?}"), cut(&expected).difference(&read(&got).await?))?;
        }
    }
    let gather = Gather { mode, fill_value: 3.into(), ..Gather::new(Op::Gather, with) };
    let got = read(&gather.run(&backend.put(&table)?)?).await?;
    let expected = Gather::new(Op::Gather, without).run(&longer.tensor())?;
    same("gather", Data::of(&expected).difference(&got))
}

one_thread!(other_values_are_refused_as_ever);
/// The first value that is out of range and not ignored, and nothing is written. A tuple with an ignored number is not looked at.
async fn other_values_are_refused_as_ever() {
    on_each_backend("ignored-errors", async |backend, report| {
        for &place in backend.places() {
            report.row(&format!("{place:?}"), refused(backend, place).await);
        }
    })
    .await;
}

async fn refused(backend: &Backend, place: Place) -> Row {
    let mode = IndexMode { out_of_range: OutOfRange::Raise, ignored: Some(-7) };
    let tuples = |values: &[i64]| backend.put_at(place, &Data::new(&[values.len() / 2, 2], values));
    let table = Data::new(&[2, 2], &[1i32, 2, 3, 4]);
    let call = |index: &Tensor| Scatter {
        mode,
        ..Scatter::new(Op::ScatterNdInPlace, Target::tuples(index), 10.into(), Reduce::Add)
    };
    let mut written = backend.put(&table)?;
    call(&tuples(&[0, 1, -7, 5, 9, -7, 1, -1])?).run(&mut written)?;
    same("left out", Data::new(&[2, 2], &[1i32, 12, 3, 14]).difference(&read(&written).await?))?;

    let mut kept = backend.put(&table)?;
    let outcome = call(&tuples(&[0, 1, -7, 5, 0, 8, 3, 0])?).run(&mut kept);
    let error = match outcome {
        Err(error) => error,
        Ok(()) => error_of(read(&kept).await)?,
    };
    equal("code", error.code(), ErrorCode::IndexOutOfRange)?;
    equal("position", error.position_fact(), Some(&[2, 1][..]))?;
    same("unchanged", table.difference(&read(&kept).await?))?;

    // A dimension of size 0 has no place, so only ignored entries pass.
    for &out_of_range in OutOfRange::ALL {
        let mode = IndexMode { out_of_range, ignored: Some(0) };
        let mut empty = backend.put(&Data::new::<f32>(&[0], &[]))?;
        let src = |len| backend.put(&Data::new(&[len], &vec![1f32; len]));
        let index = backend.put_at(place, &Data::new(&[2], &[0i32, 0]))?;
        let call = Scatter::new(Op::ScatterAddInPlace, Target::along(0, &index), src(2)?.into(), Reduce::Add);
        Scatter { mode, ..call }.run(&mut empty)?;
        read(&empty).await?;
        if matches!(out_of_range, OutOfRange::Drop | OutOfRange::Inside) {
            continue;
        }
        let index = backend.put_at(place, &Data::new(&[2], &[0i32, 1]))?;
        let call = Scatter::new(Op::ScatterAddInPlace, Target::along(0, &index), src(2)?.into(), Reduce::Add);
        let error = match (Scatter { mode, ..call }.run(&mut empty)) {
            Err(error) => error,
            Ok(()) => error_of(read(&empty).await)?,
        };
        equal("no place", error.position_fact(), Some(&[1][..]))?;
    }
    Ok(())
}

one_thread!(batches_of_tuples_are_calls_of_their_own);
/// A scatter with batch dimensions gives what a call for each batch gives, and so do the gradient of its source and a gather.
async fn batches_of_tuples_are_calls_of_their_own() {
    on_each_backend("batched-scatters", async |backend, report| {
        for &place in backend.places() {
            for &reduce in Reduce::ALL {
                report.row(&format!("{reduce:?} {place:?}"), batched(backend, reduce, place).await);
            }
        }
    })
    .await;
}

async fn batched(backend: &Backend, reduce: Reduce, place: Place) -> Row {
    let table: Vec<i32> = (0..24).map(|at| at * 7 % 11 + 1).collect();
    let updates: Vec<i32> = (0..16).map(|at| at % 5 + 1).collect();
    let indices = [0i32, 2, -1, 2, 1, 1, -3, 0];
    let mut result = backend.put(&Data::new(&[2, 3, 4], &table))?;
    let target = Target::batched(&backend.put_at(place, &Data::new(&[2, 4, 1], &indices))?, 1);
    let src = backend.put(&Data::new(&[2, 4, 4], &[updates.clone(), updates.clone()].concat()))?;
    Scatter::new(Op::ScatterNdInPlace, target, src.into(), reduce).run(&mut result)?;
    let mut expected = Vec::new();
    for batch in 0..2 {
        let mut part = Tensor::from_elements(&[3, 4], &table[12 * batch..][..12])?;
        let target = Target::tuples(&Tensor::from_elements(&[4, 1], &indices[4 * batch..][..4])?);
        let src = Tensor::from_elements(&[4, 4], &updates)?;
        Scatter::new(Op::ScatterNdInPlace, target, src.into(), reduce).run(&mut part)?;
        expected.extend_from_slice(part.elements::<i32>().unwrap_or_default());
    }
    same("result", Data::new(&[2, 3, 4], &expected).difference(&read(&result).await?))?;
    equal("dtype", result.dtype(), DType::Int32)
}

one_thread!(reads_by_uint64);
/// A tensor of uint64 has values beyond int64. The ignored value is compared with them before a mode moves them.
async fn reads_by_uint64() {
    const VALUES: [u64; 9] = [255, 1, 3, 0, (1 << 63) - 1, 1 << 63, (1 << 63) + 5, u64::MAX - 1, u64::MAX];
    const TABLE: [i32; 3] = [10, 20, 30];
    on_each_backend("reads-by-uint64", async |backend, report| {
        for &out_of_range in OutOfRange::ALL.iter().filter(|mode| **mode != OutOfRange::Raise) {
            for ignored in VALUES.map(Some).into_iter().chain([None]) {
                let outcome = async {
                    let table = backend.put(&Data::new(&[3], &TABLE))?;
                    let index = backend.put(&Data::new(&[9], &VALUES))?;
                    let target = Target::along(0, &index);
                    let mode = IndexMode { out_of_range, ignored: ignored.map(|ignored| ignored as i64) };
                    let fill_value = Scalar::Int(-1);
                    let got = Gather { mode, fill_value, ..Gather::new(Op::Gather, target) }.run(&table)?;
                    let expected = VALUES.map(|value| {
                        let slot = match out_of_range {
                            _ if ignored == Some(value) => 3,
                            OutOfRange::Wrap => value % 3,
                            OutOfRange::Clip => value.min(2),
                            OutOfRange::Raise | OutOfRange::Drop | OutOfRange::Inside => value.min(3),
                        };
                        TABLE.get(slot as usize).copied().unwrap_or(-1)
                    });
                    same("result", Data::new(&[9], &expected).difference(&read(&got).await?))
                };
                report.row(&format!("{out_of_range:?} {ignored:?}"), outcome.await);
            }
        }
    })
    .await;
}
