//! Plans and calls with plans that are refused.

use scatterwise::{DType, ErrorClass, ErrorCode, IndexPlan, Reduce, Tensor};

use super::numbers;
use crate::common::backends::{Backend, Place, on_each_backend, read};
use crate::common::call::{Planned as _, scatter_mul_at};
use crate::common::data::Data;
use crate::common::report::{Row, equal, error_of};

one_thread!(bad_values_are_refused);
/// A bad value is refused by the constructor. If only the GPU knows the values, each call with the plan refuses it, and so does `ready`.
async fn bad_values_are_refused() {
    on_each_backend("plan-bad-values", async |backend, report| {
        let bad = Data::new(&[3], &[0i32, 4, -5]);
        for &place in backend.places() {
            let outcome = async {
                let index = backend.put_at(place, &bad)?;
                let made = IndexPlan::along(&[4], 0, &index);
                if place != Place::Computed {
                    let error = error_of(made.map(drop))?;
                    equal("operator", error.op(), "IndexPlan.along")?;
                    equal("class", error.class(), ErrorClass::Index)?;
                    return equal("position", error.position_fact(), Some(&[1][..]));
                }
                let plan = made?;
                let mut table = backend.put(&Data::new(&[4], &[1i32, 2, 3, 4]))?;
                table.scatter_add_at_(&plan, 1)?;
                let error = error_of(read(&table).await.map(drop))?;
                equal("operator", error.op(), "Tensor.scatter_add_")?;
                equal("position", error.position_fact(), Some(&[1][..]))?;
                equal("nothing written", numbers(&table).await?, vec![1, 2, 3, 4])?;
                let error = error_of(plan.ready().await)?;
                equal("operator of ready", error.op(), "IndexPlan.along")?;
                equal("position of ready", error.position_fact(), Some(&[1][..]))
            };
            report.row(&format!("{place:?}"), outcome.await);
        }
    })
    .await;
}

one_thread!(wrong_shapes_are_refused);
/// The rules of the constructors, and of calls.
async fn wrong_shapes_are_refused() {
    on_each_backend("plan-errors", async |backend, report| {
        let index = |dims: &[usize], dtype| Tensor::zeros(dims, dtype).unwrap();
        let along = |dims: &[usize], dim, index: &Tensor| IndexPlan::along(dims, dim, index).map(drop);
        let nd = |dims: &[usize], index: &Tensor| IndexPlan::nd(dims, index).map(drop);
        let i32 = DType::Int32;
        for (name, made, class, code, argument) in [
            ("dim", along(&[2], 1, &index(&[1], i32)), ErrorClass::Value, ErrorCode::DimOutOfRange, "dim"),
            ("rank", along(&[2], 0, &index(&[], i32)), ErrorClass::Value, ErrorCode::RankMismatch, "index"),
            (
                "size",
                along(&[2, 2], 0, &index(&[1, 3], i32)),
                ErrorClass::Value,
                ErrorCode::ShapeMismatch,
                "index",
            ),
            (
                "dtype",
                along(&[2], 0, &index(&[1], DType::Uint8)),
                ErrorClass::Type,
                ErrorCode::IndexDtype,
                "index",
            ),
            ("scalar", along(&[], 0, &index(&[], i32)), ErrorClass::Value, ErrorCode::RankMismatch, "shape"),
            ("nine", nd(&[1; 9], &index(&[1, 1], i32)), ErrorClass::Value, ErrorCode::RankLimit, "shape"),
            ("depth", nd(&[2], &index(&[1, 2], i32)), ErrorClass::Value, ErrorCode::ShapeMismatch, "indices"),
            ("no tuple", nd(&[2], &index(&[], i32)), ErrorClass::Value, ErrorCode::RankMismatch, "indices"),
            (
                "nd dtype",
                nd(&[2], &index(&[1, 1], DType::Float32)),
                ErrorClass::Type,
                ErrorCode::IndexDtype,
                "indices",
            ),
        ] {
            let outcome = async {
                let error = error_of(made)?;
                equal("class", error.class(), class)?;
                equal("code", error.code(), code)?;
                equal("argument", error.argument_name(), Some(argument))?;
                equal("operator", error.op().starts_with("IndexPlan."), true)?;
                equal("no self yet", error.to_string().contains("self"), false)
            };
            report.row(name, outcome.await);
        }
        report.row("tables and sources", refused_by_calls(backend).await);
    })
    .await;
}

/// A call with a plan refuses a table of another shape, and everything that the call without a plan refuses.
async fn refused_by_calls(backend: &Backend) -> Row {
    let plan = IndexPlan::along(&[2, 3], 1, &Tensor::zeros(&[2, 4], DType::Int32)?)?;
    let mut table = backend.put(&Data::new(&[2, 3], &[1.0f32; 6]))?;
    let mut other = backend.put(&Data::new(&[3, 2], &[1.0f32; 6]))?;

    let error = error_of(other.scatter_at_(&plan, 1, Reduce::Add))?;
    equal("class", (error.class(), error.code()), (ErrorClass::Runtime, ErrorCode::ShapeMismatch))?;
    equal("names both", error.to_string().contains("[3, 2] and the plan is for [2, 3]"), true)?;
    equal("shapes", error.shapes().iter().map(|(name, _)| *name).collect::<Vec<_>>(), vec!["self", "plan"])?;
    let error = error_of(other.gather_at(&plan).map(drop))?;
    equal("class of gather", (error.class(), error.op()), (ErrorClass::Value, "Tensor.gather"))?;
    let error = error_of(scatter_mul_at(&mut other, &plan, 2))?;
    equal("what scatter_mul calls it", error.shapes()[0].0, "input_x")?;

    // scatter_ takes no index that is longer than self, with a plan as without; scatter_add does.
    let error = error_of(table.scatter_at_(&plan, 1, Reduce::Add))?;
    equal("longer", error.to_string().contains("scatter_add_"), true)?;
    table.scatter_add_at_(&plan, 1)?;
    let error = error_of(table.scatter_add_at_(&plan, &Tensor::full(&[2, 3], 1, DType::Float32)?))?;
    equal("src", (error.code(), error.argument_name()), (ErrorCode::ShapeMismatch, Some("src")))?;
    let nd = IndexPlan::nd(&[2, 3], &Tensor::zeros(&[4, 1], DType::Int32)?)?;
    let error = error_of(table.scatter_at_(&nd, &Tensor::full(&[4], 1, DType::Float32)?, Reduce::Replace))?;
    equal("updates", (error.class(), error.argument_name()), (ErrorClass::Runtime, Some("updates")))?;
    let error = error_of(table.scatter_add_at_(&nd, &Tensor::zeros(&[4, 3], DType::Int32)?))?;
    equal("dtype", error.code(), ErrorCode::DtypeMismatch)?;
    // What scatter_mul converts it converts with a plan too.
    scatter_mul_at(&mut table, &nd, &Tensor::full(&[4, 3], 2, DType::Int8)?)?;
    equal("converted", numbers(&table).await?, vec![80, 16, 16, 5, 1, 1])
}
