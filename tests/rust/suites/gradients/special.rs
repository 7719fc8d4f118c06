//! Zeros, infinities and ties, and refused calls.

use scatterwise::{
    DType, ErrorClass, ErrorCode, Factor, Gather, Op, OutOfRange, Reduce, Reduction, Result, Scatter, Sum,
    Target, Tensor,
};

use super::calls::{Call, Form, Kind};
use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of, same};

const NAN: f32 = f32::NAN;
const INFINITY: f32 = f32::INFINITY;

/// A call of `scatter_reduce` along dimension 0 and the gradients that it must have.
struct Special {
    text: &'static str,
    reduction: Reduction,
    include_self: bool,
    table: &'static [f32],
    src: &'static [f32],
    index: &'static [i32],
    /// The gradient for `table`.
    for_table: &'static [f32],
    /// The gradient for `src`.
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
        src: &[NAN, 8.0, -NAN, INFINITY],
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

one_thread!(special_values);
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
                kind: Kind::Scatter(Form::Along(0), update, Factor::One, OutOfRange::Raise.into()),
            };
            report.row(row.text, special(row, &call, backend).await);
        }
    })
    .await;
}

/// Whether the gradients of the call of a row are the row's.
async fn special(row: &Special, call: &Call, backend: &Backend) -> Row {
    let operands: Vec<Tensor> = call.operands.iter().map(|data| backend.put(data)).collect::<Result<_>>()?;
    let gradients = call.gradients(&operands, &call.index.tensor(), &call.cotangent.tensor())?;
    for (gradient, expected) in gradients.iter().zip([row.for_table, row.for_src]) {
        same("gradient", Data::new(&[expected.len()], expected).difference(&read(gradient).await?))?;
    }
    Ok(())
}

one_thread!(errors);
/// A refused index is reported once, and an operand that has no gradient says why.
async fn errors() {
    on_each_backend("gradients-errors", async |backend, report| {
        for &place in backend.places() {
            report.row(&format!("index {place:?}"), bad_index(backend, place).await);
        }
        report.row("cotangent", bad_cotangent(backend));
        report.row("dtype", no_gradient(backend));
        report.row("repeated table", repeated_table(backend));
    })
    .await;
}

one_thread!(empty_tables);
/// A table without elements has a gradient without elements.
async fn empty_tables() {
    on_each_backend("gradients-empty", async |backend, report| {
        for (op, index_dims) in [(Op::Gather, &[3, 0][..]), (Op::IndexSelect, &[0])] {
            let outcome = async {
                let index = Tensor::zeros(index_dims, DType::Int32)?;
                let table = backend.put(&Data::new::<f32>(&[3, 0], &[]))?;
                let target =
                    if op == Op::Gather { Target::along(1, &index) } else { Target::slices(1, &index) };
                let gradient = Gather::new(op, target).vjp(&table, &table, Sum::Ordered)?;
                equal("shape", gradient.shape().dims(), &[3, 0])?;
                equal("elements", read(&gradient).await?.len(), 0)
            };
            report.row(op.name(), outcome.await);
        }
    })
    .await;
}

/// A scatter of two numbers at `index` along dimension 0, and a table of two for it.
fn call_of(backend: &Backend, index: &Tensor, op: Op, reduce: Reduce) -> Result<(Scatter, Tensor)> {
    let src = backend.put(&Data::new(&[2], &[1.0f32, 2.0]))?;
    let table = backend.put(&Data::new(&[2], &[3.0f32, 4.0]))?;
    Ok((Scatter::new(op, Target::along(0, index), src.into(), reduce), table))
}

/// The index is refused by the call or, if only the device can check it, by the first read of a gradient.
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

/// A cotangent has the shape and the dtype of the result.
fn bad_cotangent(backend: &Backend) -> Row {
    let index = Data::new(&[2], &[0i32, 1]).tensor();
    let (call, table) = call_of(backend, &index, Op::ScatterReduce, Reduce::Add)?;
    let of_shape = error_of(call.vjp(&table, &Data::new(&[1], &[1.0f32]).tensor()))?;
    let of_dtype = error_of(call.vjp(&table, &Data::new(&[2], &[1i32, 1]).tensor()))?;
    equal("classes", [of_shape.class(), of_dtype.class()], [ErrorClass::Value, ErrorClass::Type])
}

/// A gather has no gradient where the index is longer than a dimension of size 1: entries that differ in it read the same element.
fn repeated_table(backend: &Backend) -> Row {
    let index = Data::new(&[4, 1], &[0i32, 0, 0, 0]).tensor();
    let table = backend.put(&Data::new(&[1, 3], &[1.0f32, 2.0, 3.0]))?;
    let cotangent = backend.put(&Data::new(&[4, 1], &[1.0f32, 2.0, 4.0, 8.0]))?;
    let gather = Gather::new(Op::TakeAlongDim, Target::along(1, &index));
    let error = error_of(gather.vjp(&table, &cotangent, Sum::Ordered))?;
    equal("error", (error.class(), error.code()), (ErrorClass::Value, ErrorCode::ShapeMismatch))
}

/// Integers have no gradient.
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
