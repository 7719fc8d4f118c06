//! A scalar as the source of slices, scalars as self, and tuples beside a dimension of size 0, on every backend.

use scatterwise::{
    DType, ErrorClass, FactValue, Factor, IndexPlan, Op, OutOfRange, Reduce, Scalar, Scatter, Target, Tensor,
};

use crate::common::backends::{Backend, on_each_backend, read};
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of, same};

one_thread!(a_scalar_is_the_source_of_every_slice);
/// With a factor and without, by an index and by a plan, it gives what a tensor of that number gives.
async fn a_scalar_is_the_source_of_every_slice() {
    on_each_backend("scalar-slices", async |backend, report| {
        for &dtype in DType::ALL {
            for alpha in [1, 3] {
                let outcome = scalar_source(backend, dtype, alpha).await;
                report.row(&format!("{dtype} times {alpha}"), outcome);
            }
        }
    })
    .await;
}

/// Whether a scalar times alpha is added and copied as a tensor is.
async fn scalar_source(backend: &Backend, dtype: DType, alpha: i64) -> Row {
    let table = backend.put(&Data::of(&Tensor::full(&[3, 2], Scalar::Int(1), dtype)?))?;
    let index = Tensor::from_elements(&[3], &[2, 0, -1])?;
    let (number, alpha) = (Scalar::Int(5), Scalar::from(alpha));
    let full = Tensor::full(&[3, 2], number, dtype)?;
    let plan = IndexPlan::select(&[3, 2], 0, &index, OutOfRange::Raise)?;
    let expected = read(&table.index_add(0, &index, &full, alpha)?).await?;
    same("index_add", expected.difference(&read(&table.index_add(0, &index, number, alpha)?).await?))?;
    let mut by_plan = table.clone();
    let call = Scatter {
        factor: Factor::alpha(alpha),
        ..Scatter::new(Op::IndexAddInPlace, Target::from(&plan), number.into(), Reduce::Add)
    };
    call.run(&mut by_plan)?;
    same("by a plan", expected.difference(&read(&by_plan).await?))?;
    let copied = read(&table.index_copy(0, &index, &full)?).await?;
    same("index_copy", copied.difference(&read(&table.index_copy(0, &index, number)?).await?))
}

one_thread!(a_scalar_is_one_place);
/// As a table of slices, with sources of rank 0 and 1.
async fn a_scalar_is_one_place() {
    on_each_backend("slices-of-a-scalar", async |backend, report| {
        for dims in [&[][..], &[1]] {
            let outcome = async {
                let table = backend.put(&Data::new(&[], &[4i32]))?;
                let index = Tensor::from_elements(&[1], &[-1])?;
                let src = Tensor::full(dims, Scalar::Int(9), DType::Int32)?;
                let plan = IndexPlan::select(&[], 0, &index, OutOfRange::Raise)?;
                let mut filled = table.clone();
                Scatter::new(Op::IndexFillInPlace, Target::from(&plan), 7.into(), Reduce::Replace)
                    .run(&mut filled)?;
                for (tensor, value) in [
                    (table.index_add(0, &index, &src, Scalar::Int(2))?, 22),
                    (table.index_copy(-1, &index, &src)?, 9),
                    (table.index_select(0, &index)?, 4),
                    (filled, 7),
                ] {
                    same("result", Data::new(&[], &[value]).difference(&read(&tensor).await?))?;
                }
                let refused = error_of(table.index_copy(
                    0,
                    &index,
                    &Tensor::full(&[1, 1], Scalar::Int(9), DType::Int32)?,
                ))?;
                equal("class", refused.class(), ErrorClass::Value)
            };
            report.row(&format!("src of shape {dims:?}"), outcome.await);
        }
    })
    .await;
}

one_thread!(the_first_wrong_component_is_named);
/// Beside a dimension of size 0 too, wherever the tuples are: at once, or when the values are read.
async fn the_first_wrong_component_is_named() {
    on_each_backend("empty-dimensions", async |backend, report| {
        for (dims, indices, position, value) in [
            ([3, 0], [5, 7, 0, 9], [0, 0], 5),
            ([3, 0], [1, 7, 5, 9], [0, 1], 7),
            ([0, 3], [0, 9, 5, 7], [0, 0], 0),
            ([0, 0], [-1, -1, 0, 0], [0, 0], -1),
            ([3, 0], [1, 8, 2, 8], [0, 1], 8),
        ] {
            for &place in backend.places() {
                let outcome = async {
                    let indices = backend.put_at(place, &Data::new(&[2, 2], &indices))?;
                    let planned = match IndexPlan::nd(&dims, &indices) {
                        Ok(plan) => plan.ready().await,
                        Err(error) => Err(error),
                    };
                    let table = backend.put(&Data::of(&Tensor::zeros(&dims, DType::Float32)?))?;
                    let gathered = match table.gather_nd(&indices) {
                        Ok(gathered) => read(&gathered).await.map(drop),
                        Err(error) => Err(error),
                    };
                    for refused in [planned, gathered] {
                        let error = error_of(refused)?;
                        equal("class", error.class(), ErrorClass::Index)?;
                        equal("position", error.position_fact(), Some(&position[..]))?;
                        equal("value", error.value_fact(), Some(&FactValue::Int(value)))?;
                    }
                    Ok(())
                };
                report.row(&format!("{dims:?} {indices:?} {place:?}"), outcome.await);
            }
        }
    })
    .await;
}
