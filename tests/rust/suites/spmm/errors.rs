//! Refused products: the error, and that nothing is written.

use scatterwise::{
    Error, ErrorClass, ErrorCode, IndexPlan, OutOfRange, Reduction, Spmm, Sum, Target, Tensor,
};

fn refused(change: impl Fn(&mut Spmm, &mut Tensor)) -> Error {
    let index = |values: &[i32]| Target::slices(0, &Tensor::from_elements(&[values.len()], values).unwrap());
    let mut dense = Tensor::from_elements(&[2, 1], &[1.0f32, 2.0]).unwrap();
    let values = Tensor::from_elements(&[2], &[1.0f32, 2.0]).unwrap();
    let mut call = Spmm::new(index(&[0, 1]), index(&[1, 0]), Some(&values));
    change(&mut call, &mut dense);
    call.run(&dense).map(|_| ()).unwrap_err()
}

#[test]
fn errors_name_the_argument() {
    let index = |values: &[i64]| Target::slices(0, &Tensor::from_elements(&[values.len()], values).unwrap());
    let check = |error: &Error, class: ErrorClass, code: ErrorCode, begin: &str| {
        let text = error.to_string();
        assert_eq!((error.class(), error.code()), (class, code), "{text}");
        assert!(text.starts_with(&format!("spmm: {begin}")), "{text}");
    };
    let error = refused(|call, _| (call.rows, call.size) = (index(&[0, 5]), Some(2)));
    check(
        &error,
        ErrorClass::Index,
        ErrorCode::IndexOutOfRange,
        "rows[1] is 5, out of range for dim 0 of the result",
    );
    let error = refused(|call, _| call.columns = index(&[0, -3]));
    check(
        &error,
        ErrorClass::Index,
        ErrorCode::IndexOutOfRange,
        "columns[1] is -3, out of range for dim 0 of dense",
    );
    let error = refused(|call, _| call.rows = index(&[0]));
    check(&error, ErrorClass::Value, ErrorCode::ShapeMismatch, "rows has shape [1] and columns [2]");
    let error = refused(|call, _| call.values = Some(Tensor::from_elements(&[1], &[1.0f32]).unwrap()));
    check(&error, ErrorClass::Value, ErrorCode::ShapeMismatch, "values has shape [1] and columns [2]");
    let error = refused(|call, _| call.values = Some(Tensor::from_elements(&[2], &[1, 2]).unwrap()));
    check(&error, ErrorClass::Type, ErrorCode::DtypeMismatch, "values has dtype int32 and dense float32");
    let error = refused(|_, dense| *dense = Tensor::from_elements(&[], &[1.0f32]).unwrap());
    check(&error, ErrorClass::Value, ErrorCode::RankMismatch, "dense is a scalar");
    let error = refused(|call, _| call.reduction = Reduction::Prod);
    check(&error, ErrorClass::Value, ErrorCode::UnknownReduce, "reduce is 'prod'");
    let error = refused(|call, _| (call.reduction, call.sum) = (Reduction::Amax, Sum::Exact));
    check(&error, ErrorClass::Value, ErrorCode::InvalidArgument, "sum is 'exact'");
    let floats = Tensor::from_elements(&[2], &[0.0f32, 1.0]).unwrap();
    let error = refused(|call, _| call.rows = Target::slices(0, &floats));
    check(&error, ErrorClass::Type, ErrorCode::IndexDtype, "rows has dtype float32");
    let two = Tensor::from_elements(&[1, 2], &[0, 1]).unwrap();
    let error = refused(|call, _| call.rows = Target::slices(0, &two));
    check(&error, ErrorClass::Value, ErrorCode::RankMismatch, "rows has");
    let places = Tensor::from_elements(&[2], &[0, 1]).unwrap();
    let plan = IndexPlan::select(&[3], 0, &places, OutOfRange::Raise).unwrap();
    let error = refused(|call, _| call.columns = (&plan).into());
    check(
        &error,
        ErrorClass::Value,
        ErrorCode::ShapeMismatch,
        "columns is a plan for shape [3]; it must be for slices of 2",
    );
    let plan = IndexPlan::along(&[2], 0, &places).unwrap();
    let error = refused(|call, _| call.columns = (&plan).into());
    check(&error, ErrorClass::Value, ErrorCode::ShapeMismatch, "columns is a plan");
}

#[test]
fn rows_tell_the_size() {
    let index = |values: &[i32]| Target::slices(0, &Tensor::from_elements(&[values.len()], values).unwrap());
    let dense = Tensor::from_elements(&[2], &[1i32, 2]).unwrap();
    let rows = |rows: Target, columns: &[i32]| {
        let out = Spmm::new(rows, index(columns), None).run(&dense).unwrap();
        out.elements::<i32>().unwrap().to_vec()
    };
    assert_eq!(rows(index(&[3, 1, 3, -1]), &[0, 1, 1, 1]), [0, 2, 0, 5]);
    assert_eq!(rows(index(&[]), &[]), [0; 0]);
    let places = Tensor::from_elements(&[1], &[0]).unwrap();
    let plan = IndexPlan::select(&[2, 7], 0, &places, OutOfRange::Raise).unwrap();
    assert_eq!(rows((&plan).into(), &[1]), [2, 0]);
}
