//! What a build without families of operators has, natively: scatters, gathers, operations on two tensors and counts of every dtype, by the loops
//! that define them. Numbers are so small that every dtype but bool holds each step. What the build lacks is refused.

use scatterwise::{
    Activation, CountOptions, DType, ErrorClass, ErrorCode, Gather, IndexPlan, Length, Op, Reduce, Scalar,
    Scatter, Sum, Target, Tensor, Update, Weights, activate, bincount, elementwise_mul, scatter_mul,
};

/// Rows of a table, and numbers in a row: more than the loops take at a time, and no multiple of it.
const SIZES: [usize; 2] = [7, 37];

/// A random-looking number below `bound`.
fn below(bound: i64, at: usize, seed: usize) -> i64 {
    let mixed = (at as u64 * 0x9e37 + seed as u64 * 0x85eb + 12345).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed >> 40) as i64 % bound
}

fn numbers(bound: i64, seed: usize) -> Vec<i64> {
    (0..SIZES[0] * SIZES[1]).map(|at| below(bound, at, seed)).collect()
}

fn tensor(values: &[i64], dtype: DType) -> Tensor {
    Tensor::from_elements(&SIZES, values).unwrap().astype(dtype).unwrap()
}

/// The numbers of a tensor.
fn values(tensor: &Tensor) -> Vec<i64> {
    tensor.astype(DType::Int64).unwrap().elements::<i64>().unwrap().to_vec()
}

fn dtypes() -> impl Iterator<Item = DType> {
    DType::ALL.iter().copied().filter(|dtype| *dtype != DType::Bool)
}

/// The place in row-major order of the element that entry `at` of an index along `dim` names.
fn place(dim: usize, position: i64, at: usize) -> usize {
    let [row, column] = [at / SIZES[1], at % SIZES[1]];
    if dim == 0 { position as usize * SIZES[1] + column } else { row * SIZES[1] + position as usize }
}

#[test]
fn scatters_and_gathers_are_their_loops() {
    for dtype in dtypes() {
        for dim in 0..2 {
            let (start, updates) = (numbers(3, 1), numbers(3, 2));
            let positions = numbers(SIZES[dim] as i64, 3);
            let index = Tensor::from_elements(&SIZES, &positions).unwrap();
            let plan = IndexPlan::along(&SIZES, dim as i64, &index).unwrap();
            for (reduce, combine) in [
                (Reduce::Replace, (|_, update| update) as fn(i64, i64) -> i64),
                (Reduce::Add, |value, update| value + update),
                (Reduce::Maximum, i64::max),
                (Reduce::Minimum, i64::min),
            ] {
                let mut expected = start.clone();
                for (at, position) in positions.iter().enumerate() {
                    let place = place(dim, *position, at);
                    expected[place] = combine(expected[place], updates[at]);
                }
                for target in [Target::along(dim as i64, &index), Target::from(&plan)] {
                    let mut table = tensor(&start, dtype);
                    let src = tensor(&updates, dtype);
                    let call = Scatter::new(Op::ScatterReduce, target, src.into(), reduce);
                    call.run(&mut table).unwrap();
                    assert_eq!(values(&table), expected, "{dtype} {reduce:?} along {dim}");
                }
            }
            let gathered = Gather::new(Op::Gather, Target::along(dim as i64, &index))
                .run(&tensor(&start, dtype))
                .unwrap();
            let expected: Vec<i64> =
                positions.iter().enumerate().map(|(at, position)| start[place(dim, *position, at)]).collect();
            assert_eq!(values(&gathered), expected, "{dtype} along {dim}");
        }
    }
}

#[test]
fn arithmetic_is_its_loop() {
    for dtype in dtypes() {
        let (x, y) = (numbers(5, 4), numbers(5, 5));
        let product = tensor(&x, dtype).mul(&tensor(&y, dtype)).unwrap();
        let expected: Vec<i64> = x.iter().zip(&y).map(|(x, y)| x * y).collect();
        assert_eq!(values(&product), expected, "{dtype}");
        let row = Tensor::from_elements(&[SIZES[1]], &y[..SIZES[1]]).unwrap().astype(dtype).unwrap();
        let aligned = elementwise_mul(&tensor(&x, dtype), &row, -1, Some(Activation::Square)).unwrap();
        let expected: Vec<i64> = x.iter().enumerate().map(|(at, x)| (x * y[at % SIZES[1]]).pow(2)).collect();
        if dtype.size() > 1 {
            assert_eq!(values(&aligned), expected, "{dtype}");
        }
        let mut rows = tensor(&x, dtype);
        let index = Tensor::from_elements(&[2], &[1i64, 1]).unwrap();
        scatter_mul(&mut rows, &index, Scalar::Int(2)).unwrap();
        assert_eq!(
            values(&rows)[SIZES[1]..2 * SIZES[1]],
            x[SIZES[1]..2 * SIZES[1]].iter().map(|x| x * 4).collect::<Vec<_>>()
        );
    }
}

#[test]
fn counts_are_their_loop() {
    let x = numbers(9, 6);
    let mut expected = vec![0; 9];
    for number in &x {
        expected[*number as usize] += 1;
    }
    let flat = Tensor::from_elements(&[x.len()], &x).unwrap();
    let counts = bincount(&flat, None, Length::AtLeast(9)).unwrap();
    assert_eq!(values(&counts), expected);
}

#[test]
fn what_the_build_lacks_is_refused() {
    let x = tensor(&numbers(3, 7), DType::Float32);
    let index = Tensor::from_elements(&[1], &[0i64]).unwrap();
    if !cfg!(feature = "activations") {
        let error = activate(&x, Activation::Tanh).map(drop).unwrap_err();
        assert_eq!((error.class(), error.code()), (ErrorClass::Runtime, ErrorCode::NotInThisEntry));
    }
    if !cfg!(feature = "exact") {
        let update = Update { sum: Sum::Exact, ..Reduce::Add.into() };
        let call = Scatter::new(Op::IndexAdd, Target::slices(0, &index), Scalar::Int(1).into(), update);
        let error = call.run(&mut x.clone()).unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotInThisEntry);
        let values = Tensor::from_elements(&[1], &[1.0f32]).unwrap();
        let options = CountOptions {
            weights: Some(Weights { values: &values, sum: Sum::Exact }),
            ..CountOptions::default()
        };
        let error = bincount(&index, options, Length::AtLeast(1)).map(drop).unwrap_err();
        assert_eq!(error.code(), ErrorCode::NotInThisEntry);
    }
}
