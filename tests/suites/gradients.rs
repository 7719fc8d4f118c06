//! Gradients: against central differences in float64, the same bits on every backend, and what is special about them.

use scatterwise::{
    Activation, DType, ErrorClass, Factor, Gather, IndexPlan, NdReduce, Op, OutOfRange, Reduce, Reduction,
    Result, Scatter, Target, Tensor, elementwise_mul, elementwise_mul_vjp,
};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::common::backends::{Backend, Place, on_cpu, on_each_backend, read};
use crate::common::data::Data;
use crate::common::pairs::Numbers;
use crate::common::report::{Fault, Row, equal, error_of, same};

/// Central differences of step h are off by some h² and by roundings of 2⁻⁵²/h, which meet at h = 2⁻¹⁷; values, their products and
/// slopes in these tests are below 2⁸.
const STEP: f64 = 1.0 / 131_072.0;
const BOUND: f64 = 1e-6;

// ---------------------------------------------------------------- random calls

/// A call of some operator on operands that have gradients.
struct Call {
    /// For messages.
    text: String,
    /// What gradients are with respect to.
    operands: Vec<Data>,
    /// The index; empty for a multiply.
    index: Data,
    cotangent: Data,
    kind: Kind,
}

enum Kind {
    Scatter(Form, scatterwise::Update, Factor, OutOfRange),
    Gather(Form, OutOfRange),
    Batches(usize),
    Multiply(i64, Option<Activation>),
    Mul,
}

#[derive(Debug, Clone, Copy)]
enum Form {
    Along(i64),
    Slices(i64),
    Tuples,
    Rows,
    Planned(i64),
}

impl Form {
    fn target(self, dims: &[usize], index: &Tensor, mode: OutOfRange) -> Result<Target> {
        Ok(match self {
            Self::Along(dim) => Target::along(dim, index),
            Self::Slices(dim) => Target::slices(dim, index),
            Self::Tuples | Self::Rows => Target::tuples(index),
            Self::Planned(dim) => Target::from(&IndexPlan::along_with(dims, dim, index, mode)?),
        })
    }
}

impl Call {
    fn result(&self, operands: &[Tensor], index: &Tensor) -> Result<Tensor> {
        match &self.kind {
            Kind::Scatter(..) => {
                let mut table = operands[0].clone();
                self.scatter(operands, index)?.run(&mut table)?;
                Ok(table)
            }
            Kind::Gather(..) | Kind::Batches(_) => self.gather(operands, index)?.run(&operands[0]),
            Kind::Multiply(axis, act) => elementwise_mul(&operands[0], &operands[1], *axis, *act),
            Kind::Mul => operands[0].mul(&operands[1]),
        }
    }

    fn gradients(&self, operands: &[Tensor], index: &Tensor, cotangent: &Tensor) -> Result<Vec<Tensor>> {
        Ok(match &self.kind {
            Kind::Scatter(..) => {
                let gradients = self.scatter(operands, index)?.vjp(&operands[0], cotangent)?;
                [gradients.table].into_iter().chain(gradients.src).collect()
            }
            Kind::Gather(..) | Kind::Batches(_) => {
                vec![self.gather(operands, index)?.vjp(&operands[0], cotangent)?]
            }
            Kind::Multiply(axis, act) => {
                elementwise_mul_vjp(&operands[0], &operands[1], *axis, *act, cotangent)?.into()
            }
            Kind::Mul => operands[0].mul_vjp(&operands[1], cotangent)?.into(),
        })
    }

    fn scatter(&self, operands: &[Tensor], index: &Tensor) -> Result<Scatter> {
        let Kind::Scatter(form, update, factor, mode) = self.kind else { unreachable!("a scatter") };
        let op = match form {
            Form::Rows => Op::ScatterMul,
            Form::Along(_) | Form::Slices(_) | Form::Tuples | Form::Planned(_) => Op::ScatterNd,
        };
        let target = form.target(operands[0].shape().dims(), index, mode)?;
        let src = operands.get(1).map_or(2.5.into(), |src| src.into());
        Ok(Scatter { factor, mode, ..Scatter::new(op, target, src, update) })
    }

    fn gather(&self, operands: &[Tensor], index: &Tensor) -> Result<Gather> {
        match self.kind {
            Kind::Gather(form, mode) => {
                let target = form.target(operands[0].shape().dims(), index, mode)?;
                Ok(Gather { mode, ..Gather::new(Op::Gather, target) })
            }
            Kind::Batches(batch_dims) => {
                Ok(Gather::new(Op::GatherNd, Target::Tuples { indices: index.clone(), batch_dims }))
            }
            Kind::Scatter(..) | Kind::Multiply(..) | Kind::Mul => unreachable!("a gather"),
        }
    }
}

/// Values apart from each other, from zero and from the kinks of activations, so that a small step meets none.
fn values(dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Data {
    let len: usize = dims.iter().product();
    let mut used = Vec::new();
    let mut value = || loop {
        let number = numbers.below(400) as f64 / 128.0 - 1.5625 + 1.0 / 1024.0;
        if number.abs() > 0.1 && (len > 200 || !used.contains(&number.to_bits())) {
            used.push(number.to_bits());
            return number;
        }
    };
    let numbers: Vec<f64> = (0..len).map(|_| value()).collect();
    Data::of(&Tensor::from_elements(dims, &numbers).unwrap().astype(dtype).unwrap())
}

fn product(dims: &[usize]) -> usize {
    dims.iter().product()
}

/// A random call along a dimension, of slices, of tuples or of rows, with many duplicates.
fn random_scatter(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let rank = 1 + numbers.below(3) as usize;
    let table: Vec<usize> = (0..rank).map(|_| 1 + numbers.below(4) as usize).collect();
    let dim = numbers.below(rank as u64) as usize;
    let mode = numbers.pick(&[OutOfRange::Raise, OutOfRange::Raise, OutOfRange::Drop, OutOfRange::Clip]);
    let form = numbers.pick(&[
        Form::Along(dim as i64),
        Form::Along(dim as i64),
        Form::Slices(dim as i64),
        Form::Tuples,
        Form::Rows,
        Form::Planned(dim as i64),
    ]);
    // Rows have no mode.
    let mode = if matches!(form, Form::Rows) { OutOfRange::Raise } else { mode };
    let count = 1 + numbers.below(7) as usize;
    let depth = 1 + numbers.below(rank as u64) as usize;
    // The shape of the index, and of a source that has one row for each entry.
    let (index, mut src, bounds) = match form {
        Form::Along(_) | Form::Planned(_) => {
            let mut index = table.clone();
            index[dim] = count;
            for (d, len) in index.iter_mut().enumerate() {
                *len -= usize::from(d != dim && *len > 1 && seed.is_multiple_of(5));
            }
            (index.clone(), index, vec![table[dim]])
        }
        Form::Slices(_) => {
            let mut src = table.clone();
            src[dim] = count;
            (vec![count], src, vec![table[dim]])
        }
        Form::Tuples => (vec![count, depth], [&[count], &table[depth..]].concat(), table[..depth].to_vec()),
        Form::Rows => (vec![1, count], [&[1, count], &table[1..]].concat(), vec![table[0]]),
    };
    let mut entry = |k: usize| {
        let bound = bounds[k % bounds.len()] as i64;
        let is_outside = mode != OutOfRange::Raise && numbers.below(4) == 0;
        if is_outside { bound + 1 } else { numbers.below(2 * bound as u64) as i64 - bound }
    };
    let entries: Vec<u64> = (0..product(&index)).map(|k| entry(k) as u64).collect();
    let index = Data::from_bits(DType::Int64, &index, entries);
    // No gather takes rows.
    if numbers.below(6) == 0 && !matches!(form, Form::Rows) {
        let operands = vec![values(dtype, &table, &mut numbers)];
        let cotangent = values(dtype, &src, &mut numbers);
        let text = format!("gather {form:?} {mode:?} of {table:?} at {index:?}");
        return Call { text, operands, index, cotangent, kind: Kind::Gather(form, mode) };
    }
    let reductions = Reduction::ALL.iter().flat_map(|r| [r.update(true), r.update(false)]);
    let words = NdReduce::ALL.iter().map(|word| word.parts());
    let updates: Vec<_> = reductions.map(|update| (update, Factor::One)).collect();
    let updates: Vec<_> =
        updates.into_iter().chain(words.map(|(reduce, factor)| (reduce.into(), factor))).collect();
    let (update, factor) = updates[numbers.below(updates.len() as u64) as usize];
    if matches!(form, Form::Along(_) | Form::Planned(_)) {
        for len in &mut src {
            *len += usize::from(numbers.below(4) == 0);
        }
    }
    let mut operands = vec![values(dtype, &table, &mut numbers)];
    if numbers.below(5) > 0 {
        operands.push(values(dtype, &src, &mut numbers));
    }
    let cotangent = values(dtype, &table, &mut numbers);
    let text = format!("{form:?} {update:?} {factor:?} {mode:?} of {operands:?} at {index:?}");
    Call { text, operands, index, cotangent, kind: Kind::Scatter(form, update, factor, mode) }
}

/// A random multiply, in which dimensions of y are repeated, or of both.
fn random_multiply(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let rank = 1 + numbers.below(4) as usize;
    let mut x: Vec<usize> = (0..rank).map(|_| 1 + numbers.below(4) as usize).collect();
    let (y, kind) = if numbers.below(2) == 0 {
        let start = numbers.below(rank as u64) as usize;
        let end = start + 1 + numbers.below((rank - start) as u64) as usize;
        (x[start..end].to_vec(), Kind::Multiply(start as i64, None))
    } else {
        let mut y: Vec<usize> = x.clone();
        for d in 0..rank {
            match numbers.below(4) {
                0 => x[d] = 1,
                1 => y[d] = 1,
                _ => {}
            }
        }
        (y.split_off(numbers.below(rank as u64) as usize), Kind::Mul)
    };
    let operands = vec![values(dtype, &x, &mut numbers), values(dtype, &y, &mut numbers)];
    let out = operands[0].tensor().mul(&operands[1].tensor());
    let dims = match kind {
        Kind::Mul => out.unwrap().shape().dims().to_vec(),
        _ => x,
    };
    let cotangent = values(dtype, &dims, &mut numbers);
    let text = format!("multiply of {operands:?}");
    Call { text, operands, index: Data::new::<i32>(&[0], &[]), cotangent, kind }
}

fn random_batches(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let table = [1 + numbers.below(3) as usize, 1 + numbers.below(4) as usize, 2];
    let entries: Vec<i64> = (0..table[0] * 3).map(|_| numbers.below(table[1] as u64) as i64).collect();
    let index = Data::new(&[table[0], 3, 1], &entries);
    let cotangent = values(dtype, &[table[0], 3, 2], &mut numbers);
    let operands = vec![values(dtype, &table, &mut numbers)];
    Call {
        text: format!("batches of {table:?} at {index:?}"),
        operands,
        index,
        cotangent,
        kind: Kind::Batches(1),
    }
}

fn random_call(dtype: DType, seed: u64) -> Call {
    match seed % 8 {
        0 | 1 => random_multiply(dtype, seed),
        2 => random_batches(dtype, seed),
        _ => random_scatter(dtype, seed),
    }
}

// ---------------------------------------------------------------- central differences

/// The gradients of a call against the differences of its result. float64, on the CPU.
fn agrees_with_differences(call: &Call) -> Row {
    let operands: Vec<Tensor> = call.operands.iter().map(Data::tensor).collect();
    let (index, cotangent) = (call.index.tensor(), call.cotangent.tensor());
    let numbers = |tensor: &Tensor| tensor.elements::<f64>().unwrap().to_vec();
    let weights = numbers(&cotangent);
    let objective = |operands: &[Tensor]| -> std::result::Result<f64, Fault> {
        let result = numbers(&call.result(operands, &index)?);
        Ok(result.iter().zip(&weights).map(|(value, weight)| value * weight).sum())
    };
    let gradients = call.gradients(&operands, &index, &cotangent)?;
    equal("gradients", gradients.len(), operands.len())?;
    for (which, gradient) in gradients.iter().enumerate() {
        equal("shape", gradient.shape(), operands[which].shape())?;
        for (at, got) in numbers(gradient).into_iter().enumerate() {
            let moved = |step: f64| {
                let mut elements = numbers(&operands[which]);
                elements[at] += step;
                let mut operands = operands.clone();
                operands[which] = Tensor::from_elements(operands[which].shape().dims(), &elements)?;
                objective(&operands)
            };
            let difference = (moved(STEP)? - moved(-STEP)?) / (2.0 * STEP);
            if (got - difference).abs() > BOUND * (1.0 + difference.abs()) {
                let text = format!(
                    "operand {which}, element {at}: the gradient is {got}, differences say {difference}"
                );
                return Err(Fault::Wrong(format!("{text}\n    in {}", call.text)));
            }
        }
    }
    Ok(())
}

#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn random_gradients_agree_with_central_differences() {
    on_cpu("gradients-differences", async |report| {
        for seed in 0..2000 {
            report.row(&seed.to_string(), agrees_with_differences(&random_call(DType::Float64, seed)));
        }
    })
    .await;
}

#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn derivatives_of_activations_agree_with_central_differences() {
    on_cpu("gradients-activations", async |report| {
        for &act in Activation::ALL {
            // Where each is defined, on both sides of its kinks.
            let x: &[f64] = match act {
                Activation::Acos | Activation::Asin => &[-0.9, -0.3, 0.2, 0.7],
                Activation::Log | Activation::Log1p | Activation::Rsqrt | Activation::Sqrt => {
                    &[0.2, 1.0, 7.5]
                }
                Activation::SoftRelu => &[-41.0, -39.0, -0.4, 0.7, 39.0, 41.0],
                Activation::Exp => &[-7.3, -0.7, 0.2, 2.8],
                _ => &[-30.2, -7.3, -2.7, -2.3, -0.7, -0.3, 0.2, 0.8, 1.3, 2.8, 3.2, 6.4, 23.3, 25.3],
            };
            let operands = vec![Data::new(&[x.len()], x), Data::new(&[1], &[1.0])];
            let cotangent = Data::of(&Tensor::full(&[x.len()], 1.0, DType::Float64).unwrap());
            let index = Data::new::<i32>(&[0], &[]);
            let kind = Kind::Multiply(-1, Some(act));
            let call = Call { text: act.name().into(), operands, index, cotangent, kind };
            report.row(act.name(), agrees_with_differences(&call));
        }
    })
    .await;
}

// ---------------------------------------------------------------- the same bits everywhere

async fn has_the_cpus_bits(call: &Call, backend: &Backend, place: Place) -> Row {
    let on_cpu: Vec<Tensor> = call.operands.iter().map(Data::tensor).collect();
    let expected = call.gradients(&on_cpu, &call.index.tensor(), &call.cotangent.tensor())?;
    let operands: Vec<Tensor> =
        call.operands.iter().map(|operand| backend.put(operand)).collect::<Result<_>>()?;
    let index = backend.put_at(place, &call.index)?;
    let gradients = call.gradients(&operands, &index, &backend.put_at(place, &call.cotangent)?)?;
    equal("gradients", gradients.len(), expected.len())?;
    for (got, expected) in gradients.iter().zip(&expected) {
        same(&call.text, Data::of(expected).difference(&read(got).await?))?;
    }
    Ok(())
}

#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn random_gradients_have_the_same_bits() {
    const FLOATS: [DType; 4] = [DType::Float16, DType::Bfloat16, DType::Float32, DType::Float64];
    on_each_backend("gradients-bits", async |backend, report| {
        for seed in 0..120 {
            let (dtype, places) = (FLOATS[seed as usize / 8 % 4], backend.places());
            let call = random_call(dtype, seed);
            let place = places[seed as usize % places.len()];
            report.row(&format!("{seed} {place:?}"), has_the_cpus_bits(&call, backend, place).await);
        }
    })
    .await;
}

/// A run of factors that is longer than what one dispatch walks: products begin anew where the walk was cut.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn long_runs_of_factors() {
    on_each_backend("gradients-long-runs", async |backend, report| {
        let len = 40_000;
        let factors: Vec<f32> = (0..len).map(|k| 1.0 + (k % 7) as f32 / 4096.0 - 3.0 / 4096.0).collect();
        let index: Vec<i32> = (0..len).map(|k| i32::from(k % 1000 == 0)).collect();
        let call = Call {
            text: "long runs".into(),
            operands: vec![Data::new(&[2], &[1.0f32, 2.0]), Data::new(&[len], &factors)],
            index: Data::new(&[len], &index),
            cotangent: Data::new(&[2], &[1.0f32, 1.0]),
            kind: Kind::Scatter(Form::Along(0), Reduce::Multiply.into(), Factor::One, OutOfRange::Raise),
        };
        report.row("product", has_the_cpus_bits(&call, backend, Place::Host).await);
    })
    .await;
}

// ---------------------------------------------------------------- what is special

const NAN: f32 = f32::NAN;
const INFINITY: f32 = f32::INFINITY;

struct Special {
    text: &'static str,
    reduction: Reduction,
    include_self: bool,
    table: &'static [f32],
    src: &'static [f32],
    index: &'static [i32],
    for_table: &'static [f32],
    for_src: &'static [f32],
}

/// The cotangent is 1, 2, 3 …
const SPECIAL: &[Special] = &[
    Special {
        text: "one factor is 0",
        reduction: Reduction::Prod,
        include_self: true,
        table: &[2.0, 5.0],
        src: &[3.0, 0.0, 7.0],
        index: &[0, 0, 0],
        for_table: &[0.0, 2.0],
        for_src: &[0.0, 42.0, 0.0],
    },
    Special {
        text: "two factors are 0",
        reduction: Reduction::Prod,
        include_self: true,
        table: &[2.0],
        src: &[0.0, 0.0, 7.0],
        index: &[0, 0, 0],
        for_table: &[0.0],
        for_src: &[0.0, 0.0, 0.0],
    },
    Special {
        text: "a factor is infinite",
        reduction: Reduction::Prod,
        include_self: true,
        table: &[2.0],
        src: &[INFINITY, 3.0],
        index: &[0, 0],
        for_table: &[INFINITY],
        for_src: &[6.0, INFINITY],
    },
    Special {
        text: "a product that would overflow without the factor",
        reduction: Reduction::Prod,
        include_self: false,
        table: &[9.0, 4.0],
        src: &[1e30, 1e-30, 1e30],
        index: &[0, 0, 0],
        for_table: &[0.0, 2.0],
        for_src: &[1.0, INFINITY, 1.0],
    },
    Special {
        text: "ties share evenly, self among them",
        reduction: Reduction::Amax,
        include_self: true,
        table: &[4.0, 1.0],
        src: &[4.0, 4.0, 3.0, 4.0],
        index: &[0, 0, 0, 0],
        for_table: &[0.25, 2.0],
        for_src: &[0.25, 0.25, 0.0, 0.25],
    },
    Special {
        text: "self does not count",
        reduction: Reduction::Amin,
        include_self: false,
        table: &[-4.0, 1.0],
        src: &[4.0, 4.0, 3.0, 3.0],
        index: &[0, 0, 0, 0],
        for_table: &[0.0, 2.0],
        for_src: &[0.0, 0.0, 0.5, 0.5],
    },
    Special {
        text: "zeros of different sign do not tie",
        reduction: Reduction::Amax,
        include_self: false,
        table: &[0.0],
        src: &[-0.0, 0.0],
        index: &[0, 0],
        for_table: &[0.0],
        for_src: &[0.0, 1.0],
    },
    Special {
        text: "every NaN is the maximum, and infinities tie",
        reduction: Reduction::Amax,
        include_self: true,
        table: &[1.0, INFINITY],
        src: &[NAN, 8.0, NAN, INFINITY],
        index: &[0, 0, 0, 1],
        for_table: &[0.0, 1.0],
        for_src: &[0.5, 0.0, 0.5, 1.0],
    },
    Special {
        text: "a mean counts self",
        reduction: Reduction::Mean,
        include_self: true,
        table: &[1.0, 5.0],
        src: &[3.0, 4.0, 5.0],
        index: &[0, 0, 0],
        for_table: &[0.25, 2.0],
        for_src: &[0.25, 0.25, 0.25],
    },
];

#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn special_values() {
    on_each_backend("gradients-special", async |backend, report| {
        for row in SPECIAL {
            let cotangent: Vec<f32> = (1..=row.table.len()).map(|k| k as f32).collect();
            let update = row.reduction.update(row.include_self);
            let call = Call {
                text: row.text.into(),
                operands: vec![
                    Data::new(&[row.table.len()], row.table),
                    Data::new(&[row.src.len()], row.src),
                ],
                index: Data::new(&[row.index.len()], row.index),
                cotangent: Data::new(&[cotangent.len()], &cotangent),
                kind: Kind::Scatter(Form::Along(0), update, Factor::One, OutOfRange::Raise),
            };
            report.row(row.text, special(row, &call, backend).await);
        }
    })
    .await;
}

async fn special(row: &Special, call: &Call, backend: &Backend) -> Row {
    let operands: Vec<Tensor> = call.operands.iter().map(|data| backend.put(data)).collect::<Result<_>>()?;
    let gradients = call.gradients(&operands, &call.index.tensor(), &call.cotangent.tensor())?;
    for (gradient, expected) in gradients.iter().zip([row.for_table, row.for_src]) {
        same("gradient", Data::new(&[expected.len()], expected).difference(&read(gradient).await?))?;
    }
    Ok(())
}

/// A refused index is reported once, and an operand that has no gradient says why.
#[wasm_bindgen_test(unsupported = one_thread::test)]
async fn errors() {
    on_each_backend("gradients-errors", async |backend, report| {
        for &place in backend.places() {
            report.row(&format!("index {place:?}"), bad_index(backend, place).await);
        }
        report.row("cotangent", bad_cotangent(backend));
        report.row("dtype", no_gradient(backend));
    })
    .await;
}

fn call_of(backend: &Backend, index: &Tensor, op: Op, reduce: Reduce) -> Result<(Scatter, Tensor)> {
    let src = backend.put(&Data::new(&[2], &[1.0f32, 2.0]))?;
    let table = backend.put(&Data::new(&[2], &[3.0f32, 4.0]))?;
    Ok((Scatter::new(op, Target::along(0, index), src.into(), reduce), table))
}

async fn bad_index(backend: &Backend, place: Place) -> Row {
    for reduce in [Reduce::Replace, Reduce::Add, Reduce::Multiply, Reduce::Maximum] {
        let index = backend.put_at(place, &Data::new(&[2], &[0i32, 5]))?;
        let (call, table) = call_of(backend, &index, Op::ScatterReduce, reduce)?;
        let error = match call.vjp(&table, &table) {
            Err(error) => error,
            Ok(gradients) => error_of(read(&gradients.table).await)?,
        };
        equal("class", error.class(), ErrorClass::Index)?;
        // Nothing of the call is left to be reported.
        read(&table).await?;
    }
    Ok(())
}

fn bad_cotangent(backend: &Backend) -> Row {
    let index = Data::new(&[2], &[0i32, 1]).tensor();
    let (call, table) = call_of(backend, &index, Op::ScatterReduce, Reduce::Add)?;
    let of_shape = error_of(call.vjp(&table, &Data::new(&[1], &[1.0f32]).tensor()))?;
    let of_dtype = error_of(call.vjp(&table, &Data::new(&[2], &[1i32, 1]).tensor()))?;
    equal("classes", [of_shape.class(), of_dtype.class()], [ErrorClass::Value, ErrorClass::Type])
}

fn no_gradient(backend: &Backend) -> Row {
    let integers = backend.put(&Data::new(&[2], &[1i32, 2]))?;
    let index = Data::new(&[2], &[0i32, 1]).tensor();
    let call = Scatter::new(Op::ScatterNd, Target::along(0, &index), (&integers).into(), Reduce::Add);
    let error = error_of(call.vjp(&integers, &integers))?;
    equal("class", error.class(), ErrorClass::Type)?;
    // `scatter_` has a gradient for src only where it has the shape of index.
    let (call, table) =
        call_of(backend, &Data::new(&[1], &[0i32]).tensor(), Op::ScatterInPlace, Reduce::Replace)?;
    let error = error_of(call.vjp(&table, &table))?;
    equal("class", error.class(), ErrorClass::Runtime)
}
