//! Products of a sparse and a dense matrix, by their definition, on every backend.

mod errors;
#[cfg(all(feature = "webgpu", not(target_arch = "wasm32")))]
mod passes;

use scatterwise::{
    DType, ErrorCode, IndexMode, IndexPlan, OutOfRange, Reduce, Reduction, Result, Scalar, Spmm, Sum, Target,
    Tensor,
};

use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::oracle::{combine, operation};
use crate::common::pairs::Numbers;
use crate::common::report::{Row, equal, error_of, same};
use crate::dtypes::elements::{edges, element};

/// A call with its operands as data.
struct Case {
    rows: Data,
    columns: Data,
    values: Option<Data>,
    dense: Data,
    size: usize,
    reduction: Reduction,
    mode: IndexMode,
}

impl Case {
    /// A random call: entries, rows of the result, and the shape of the dense matrix.
    fn random(dtype: DType, entries: usize, size: usize, dims: &[usize], numbers: &mut Numbers) -> Self {
        let edges = edges(dtype);
        let mut made = |dims: &[usize]| {
            let bits: Vec<u64> =
                (0..dims.iter().product()).map(|_: usize| element(dtype, &edges, numbers)).collect();
            Data::from_bits(dtype, dims, bits)
        };
        let (values, dense) = (made(&[entries]), made(dims));
        let mut index = |size: usize| {
            let all: Vec<i64> =
                (0..entries).map(|_| numbers.below(2 * size as u64) as i64 - size as i64).collect();
            Data::new(&[entries], &all)
        };
        let (rows, columns) = (index(size), index(dims[0]));
        let values = (numbers.below(4) > 0).then_some(values);
        let (reduction, mode) = (Reduction::Sum, IndexMode::default());
        Self { rows, columns, values, dense, size, reduction, mode }
    }

    /// The place that an index value names; `None` if it is ignored, or out of range and dropped.
    fn place(&self, value: i64, size: usize) -> Option<usize> {
        let (size, IndexMode { out_of_range, ignored }) = (size as i64, self.mode);
        if Some(value) == ignored {
            return None;
        }
        let place = match out_of_range {
            OutOfRange::Wrap => value.rem_euclid(size),
            OutOfRange::Clip => value.clamp(0, size - 1),
            OutOfRange::Raise | OutOfRange::Drop if (-size..size).contains(&value) => (value + size) % size,
            OutOfRange::Inside if (0..size).contains(&value) => value,
            OutOfRange::Raise | OutOfRange::Drop | OutOfRange::Inside => return None,
        };
        Some(place as usize)
    }

    /// `out[rows[e]] ∘= values[e] · dense[columns[e]]`, one element after the other, for each entry whose row and column have a place.
    fn expected(&self) -> Data {
        let Self { dense, reduction, .. } = self;
        let (dtype, row) = (dense.dtype, dense.dims[1..].iter().product::<usize>());
        let is_sum = matches!(reduction, Reduction::Sum | Reduction::Mean);
        let dims = [&[self.size], &dense.dims[1..]].concat();
        let mut out = Data::from_bits(dtype, &dims, vec![0; self.size * row]);
        let mut counts = vec![0u32; self.size];
        for entry in 0..self.rows.len() {
            let to = self.place(self.rows.index(entry), self.size);
            let from = self.place(self.columns.index(entry), dense.dims[0]);
            let (Some(to), Some(from)) = (to, from) else { continue };
            for at in 0..row {
                let mut term = dense.bits(from * row + at);
                if let Some(values) = &self.values {
                    term = combine(Reduce::Multiply, dtype, term, values.bits(entry));
                }
                let old = out.bits(to * row + at);
                let is_first = !is_sum && counts[to] == 0;
                let new = if is_first { term } else { combine(operation(*reduction), dtype, old, term) };
                out.set_bits(to * row + at, new);
            }
            counts[to] += 1;
        }
        if *reduction == Reduction::Mean {
            for at in (0..self.size * row).filter(|at| counts[at / row] > 0) {
                let terms = i128::from(counts[at / row]);
                let quotient = match Scalar::load(out.bits(at), dtype) {
                    Scalar::Int(value) => Scalar::Int(value.div_euclid(terms)),
                    Scalar::Float(value) => Scalar::Float(value / terms as f64),
                    value => value,
                };
                out.set_bits(at, quotient.cast(dtype));
            }
        }
        out
    }

    /// The call with operands on a backend.
    fn call(&self, backend: &Backend, place: Place, planned: bool, sum: Sum) -> Result<Spmm> {
        let values = self.values.as_ref().map(|values| backend.put(values)).transpose()?;
        let target = |index: &Data, dims: &[usize]| -> Result<Target> {
            let index = backend.put_at(place, index)?;
            match planned {
                true => Ok((&IndexPlan::select(dims, 0, &index, self.mode)?).into()),
                false => Ok(Target::slices(0, &index)),
            }
        };
        let rows = target(&self.rows, &[self.size])?;
        let columns = target(&self.columns, &self.dense.dims)?;
        let size = Some(self.size);
        let (reduction, mode) = (self.reduction, self.mode);
        Ok(Spmm { size, reduction, sum, mode, ..Spmm::new(rows, columns, values.as_ref()) })
    }

    async fn compare(&self, backend: &Backend, place: Place, planned: bool) -> Row {
        let call = self.call(backend, place, planned, Sum::Ordered)?;
        let dense = backend.put(&self.dense)?;
        let expected = self.expected();
        // The second call uses what a plan keeps.
        for _ in 0..2 {
            same("result", expected.difference(&read(&call.run(&dense)?).await?))?;
        }
        Ok(())
    }
}

/// Entries, rows of the result, and shapes of the dense matrix: vectors, whole and cut vectors of a row, few entries for each row, blocks, and
/// empty sizes.
const SHAPES: &[(usize, usize, &[usize])] = &[
    (700, 5, &[9]),
    (300, 7, &[4, 1]),
    (60, 5, &[6, 3]),
    (3000, 70, &[50, 3]),
    (60, 3, &[2, 16]),
    (40, 4, &[3, 21]),
    (260, 90, &[7, 5]),
    (9, 2, &[2, 3, 200]),
    (1, 1, &[1, 4]),
    (0, 3, &[2, 2]),
    (0, 0, &[0, 2]),
    (5, 3, &[2, 0]),
];

one_thread!(definition);
async fn definition() {
    on_each_backend("spmm", async |backend, report| {
        let mut numbers = Numbers(53);
        for &dtype in DType::ALL {
            for (at, &(entries, size, dims)) in SHAPES.iter().enumerate() {
                for reduction in [Reduction::Sum, Reduction::Mean, Reduction::Amax, Reduction::Amin] {
                    // The definition of a mean rounds a float64 quotient once more; for float64 and narrower types that changes nothing.
                    if reduction == Reduction::Mean && dtype == DType::Bool {
                        continue;
                    }
                    let case = Case { reduction, ..Case::random(dtype, entries, size, dims, &mut numbers) };
                    let place = backend.places()[at % backend.places().len()];
                    let planned = numbers.below(2) == 0;
                    let name = format!(
                        "{dtype} {reduction:?} of {entries} into {size} from {dims:?}, {place:?}, {planned}"
                    );
                    report.row(&name, case.compare(backend, place, planned).await);
                }
            }
        }
    })
    .await;
}

one_thread!(skipped);
async fn skipped() {
    on_each_backend("spmm with entries left out", async |backend, report| {
        let mut numbers = Numbers(2);
        for dtype in [DType::Float32, DType::Float64, DType::Int8] {
            for (entries, size, dims) in [(500, 6, &[7][..]), (50, 5, &[6, 5]), (900, 40, &[6, 5])] {
                for mode in modes() {
                    let mut case = Case::random(dtype, entries, size, dims, &mut numbers);
                    for index in [&mut case.rows, &mut case.columns] {
                        *index = with_others(index, mode, &mut numbers);
                    }
                    for reduction in [Reduction::Sum, Reduction::Mean, Reduction::Amax] {
                        (case.mode, case.reduction) = (mode, reduction);
                        for (&place, planned) in
                            backend.places().iter().flat_map(|place| [(place, false), (place, true)])
                        {
                            let name = format!("{dtype} {reduction:?} {dims:?} {mode:?} {place:?} {planned}");
                            report.row(&name, case.compare(backend, place, planned).await);
                        }
                    }
                }
            }
        }
    })
    .await;
}

one_thread!(refused_beside_ignored);
/// A value that is out of range beside one that is ignored: the call or the next read names it, and no later read does.
async fn refused_beside_ignored() {
    on_each_backend("spmm with ignored and refused values", async |backend, report| {
        for &place in backend.places() {
            for (name, rows, columns) in
                [("rows", [0, -7, 5], [1, 0, -7]), ("columns", [0, -7, 1], [0, 8, 8])]
            {
                for reduction in [Reduction::Sum, Reduction::Mean, Reduction::Amax] {
                    let outcome = once(backend, place, (name, rows, columns), reduction).await;
                    report.row(&format!("{name} {place:?} {reduction:?}"), outcome);
                }
            }
        }
    })
    .await;
}

async fn once(
    backend: &Backend,
    place: Place,
    (name, rows, columns): (&str, [i32; 3], [i32; 3]),
    reduction: Reduction,
) -> Row {
    let index = |values: [i32; 3]| Ok(Target::slices(0, &backend.put_at(place, &Data::new(&[3], &values))?));
    let (rows, columns): (Result<Target>, Result<Target>) = (index(rows), index(columns));
    let mode = IndexMode { ignored: Some(-7), ..IndexMode::default() };
    let dense = Data::new(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0]);
    let own = backend.put(&dense)?;
    let call = Spmm { size: Some(2), reduction, mode, ..Spmm::new(rows?, columns?, None) };
    let outcome = match call.run(&own) {
        Ok(tensor) => read(&tensor).await.map(|_| ()),
        Err(error) => Err(error),
    };
    let error = error_of(outcome)?;
    equal("code", error.code(), ErrorCode::IndexOutOfRange)?;
    equal("the argument is named", error.to_string().starts_with(&format!("spmm: {name}[")), true)?;
    same("dense", dense.difference(&read(&own).await?))
}

/// Modes that leave entries out, and two that move them.
fn modes() -> [IndexMode; 6] {
    let ignoring = |out_of_range, ignored| IndexMode { out_of_range, ignored: Some(ignored) };
    let [raise, drop] = [OutOfRange::Raise, OutOfRange::Drop];
    let plain = [drop, OutOfRange::Wrap, OutOfRange::Clip].map(IndexMode::from);
    let [drop_plain, wrap, clip] = plain;
    [drop_plain, wrap, clip, ignoring(raise, -1), ignoring(raise, i64::MAX), ignoring(drop, 2)]
}

/// An index with each fourth value replaced by the ignored one, or by one that is out of range where the mode accepts such values.
fn with_others(index: &Data, mode: IndexMode, numbers: &mut Numbers) -> Data {
    let other = |at: usize| match (mode.ignored, mode.out_of_range) {
        (Some(ignored), _) if at.is_multiple_of(2) => Some(ignored),
        (_, OutOfRange::Raise) => None,
        _ => Some(if at.is_multiple_of(3) { 99 } else { -1234 }),
    };
    let values: Vec<i64> = (0..index.len())
        .map(|at| if numbers.below(4) == 0 { other(at) } else { None }.unwrap_or(index.index(at)))
        .collect();
    Data::new(&[index.len()], &values)
}

/// The same call made of calls that exist: products in a tensor, then index_add with exact sums.
async fn exact_sum(case: &Case, backend: &Backend, place: Place) -> Row {
    let dense = case.dense.tensor();
    let products = dense.index_select(0, &case.columns.tensor())?;
    let mut column = vec![1; dense.shape().dims().len()];
    column[0] = case.rows.len();
    let products = match &case.values {
        Some(values) => products.mul(&values.tensor().reshape(&column)?)?,
        None => products,
    };
    let dims = [&[case.size], &case.dense.dims[1..]].concat();
    let mut expected = Tensor::zeros(&dims, case.dense.dtype)?;
    let (rows, update) = (case.rows.tensor(), scatterwise::Update { sum: Sum::Exact, ..Reduce::Add.into() });
    let target = Target::slices(0, &rows);
    scatterwise::Scatter::new(scatterwise::Op::IndexAddInPlace, target, products.into(), update)
        .run(&mut expected)?;
    let got = case.call(backend, place, false, Sum::Exact)?.run(&backend.put(&case.dense)?)?;
    same("exact", Data::of(&expected).difference(&read(&got).await?))
}

one_thread!(exact);
async fn exact() {
    on_each_backend("exact spmm", async |backend, report| {
        let mut numbers = Numbers(3);
        for dtype in [DType::Float16, DType::Float32, DType::Float64] {
            for (entries, size, dims) in [(200, 3, &[7][..]), (60, 3, &[2, 5][..]), (0, 2, &[2, 5][..])] {
                let case = Case::random(dtype, entries, size, dims, &mut numbers);
                for &place in backend.places() {
                    report
                        .row(&format!("{dtype} {dims:?} {place:?}"), exact_sum(&case, backend, place).await);
                }
            }
        }
    })
    .await;
}

/// Central differences would hide ties: the gradients as nested loops, with numbers whose sums and products are exact.
/// With `drops` there are two entries more, which are left out, one by its row and one by its column.
async fn gradients_of(reduction: Reduction, backend: &Backend, planned: bool, drops: bool) -> Row {
    let f = |dims: &[usize], values: &[f32]| Data::new(dims, values);
    let entries = if drops { 6 } else { 4 };
    let index = |values: [i32; 6]| Data::new(&[entries], &values[..entries]);
    let of_entries = |values: [f32; 4]| f(&[entries], &[&values[..], &[0.0, 0.0][..entries - 4]].concat());
    let case = Case {
        rows: index([0, 2, 0, 2, 9, 1]),
        columns: index([1, 0, 2, 1, 0, 9]),
        values: Some(f(&[entries], &[2.0, 4.0, 8.0, 16.0, 32.0, 64.0][..entries])),
        dense: f(&[3, 2], &[1.0, 16.0, 3.0, 5.0, 0.5, 7.0]),
        size: 3,
        reduction,
        mode: if drops { OutOfRange::Drop.into() } else { IndexMode::default() },
    };
    // Products: [6, 10], [4, 64], [4, 56], [48, 80].
    let cotangent = f(&[3, 2], &[1.0, 10.0, 100.0, 1000.0, 64.0, 128.0]);
    let (values, dense) = match reduction {
        Reduction::Sum => (
            [3.0 + 50.0, 64.0 + 16.0 * 128.0, 0.5 + 70.0, 3.0 * 64.0 + 5.0 * 128.0],
            [4.0 * 64.0, 4.0 * 128.0, 2.0 + 16.0 * 64.0, 20.0 + 16.0 * 128.0, 8.0, 80.0],
        ),
        Reduction::Mean => {
            ([26.5, 1056.0, 35.25, 416.0], [128.0, 256.0, 1.0 + 8.0 * 64.0, 10.0 + 8.0 * 128.0, 4.0, 40.0])
        }
        // Of the first row, entries 0 and 2 win; of the last one, entry 3 wins both.
        Reduction::Amax => ([3.0, 0.0, 70.0, 832.0], [0.0, 0.0, 1026.0, 2048.0, 0.0, 80.0]),
        // Entry 2 and entry 0; entry 1 wins both.
        Reduction::Amin | Reduction::Prod => ([50.0, 2112.0, 0.5, 0.0], [256.0, 512.0, 0.0, 20.0, 8.0, 0.0]),
    };
    for sum in [Sum::Ordered, Sum::Exact] {
        if sum == Sum::Exact && !matches!(reduction, Reduction::Sum | Reduction::Mean) {
            continue;
        }
        for &place in backend.places() {
            let call = case.call(backend, place, planned, sum)?;
            let got = call.vjp(&backend.put(&case.dense)?, &backend.put(&cotangent)?)?;
            same("of dense", f(&[3, 2], &dense).difference(&read(&got.dense).await?))?;
            same("of values", of_entries(values).difference(&read(&got.values.unwrap()).await?))?;
        }
    }
    Ok(())
}

one_thread!(gradients);
async fn gradients() {
    on_each_backend("gradients of spmm", async |backend, report| {
        for reduction in [Reduction::Sum, Reduction::Mean, Reduction::Amax, Reduction::Amin] {
            for (planned, drops) in [(false, false), (false, true), (true, false), (true, true)] {
                let row = gradients_of(reduction, backend, planned, drops).await;
                report.row(&format!("{reduction:?} planned: {planned} drops: {drops}"), row);
            }
        }
    })
    .await;
}
