//! Random calls whose operands have gradients.

use scatterwise::{Along, Binary, DType, Factor, IndexMode, NdReduce, Op, OutOfRange, Reduction, Tensor};

use super::calls::{Call, Form, Kind};
use crate::common::data::Data;
use crate::common::pairs::Numbers;

/// Random values that a small step can change without meeting another value of the tensor, zero or the kink of an activation. Only tensors
/// of more than 200 elements have a value twice.
pub(super) fn values(dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Data {
    let len: usize = dims.iter().product();
    let mut used = Vec::new();
    let mut value = || loop {
        // One of 400 values, 1/128 apart; the last term keeps them off the round numbers where kinks are.
        let number = numbers.below(400) as f64 / 128.0 - 1.5625 + 1.0 / 1024.0;
        if number.abs() > 0.1 && (len > 200 || !used.contains(&number.to_bits())) {
            used.push(number.to_bits());
            return number;
        }
    };
    let numbers: Vec<f64> = (0..len).map(|_| value()).collect();
    Data::of(&Tensor::from_elements(dims, &numbers).unwrap().astype(dtype).unwrap())
}

/// The number of elements of a shape.
fn product(dims: &[usize]) -> usize {
    dims.iter().product()
}

/// The shapes of a random call on a table.
struct Shapes {
    index: Vec<usize>,
    /// Of a source that has one value for each element that the index names.
    src: Vec<usize>,
    /// The sizes that the index addresses in turn: its entry k, in range or not, is for the size `bounds[k % bounds.len()]`.
    bounds: Vec<usize>,
}

impl Shapes {
    /// The shapes of a call by `form` on a table of this shape. `count` is the number of entries along the dimension, or in a list; `depth`
    /// that of numbers in a tuple. Where `is_narrow`, an index along a dimension is smaller by 1 than the table in the other dimensions.
    fn new(form: Form, table: &[usize], count: usize, depth: usize, is_narrow: bool) -> Self {
        let (index, src, bounds) = match form {
            Form::Along(dim) | Form::Planned(dim) => {
                let dim = dim as usize;
                let mut index = table.to_vec();
                index[dim] = count;
                for (d, len) in index.iter_mut().enumerate() {
                    *len -= usize::from(d != dim && *len > 1 && is_narrow);
                }
                (index.clone(), index, vec![table[dim]])
            }
            Form::Slices(dim) => {
                let mut src = table.to_vec();
                src[dim as usize] = count;
                (vec![count], src, vec![table[dim as usize]])
            }
            Form::Tuples => {
                (vec![count, depth], [&[count], &table[depth..]].concat(), table[..depth].to_vec())
            }
            Form::Rows => (vec![1, count], [&[1, count], &table[1..]].concat(), vec![table[0]]),
        };
        Self { index, src, bounds }
    }
}

/// How a random scatter combines values: by one of the reductions, with self or without, or by a word of `scatter_nd`; in one of four cases
/// with another factor.
fn random_update(numbers: &mut Numbers) -> (scatterwise::Update, Factor) {
    let reductions = Reduction::ALL.iter().flat_map(|r| [r.update(true), r.update(false)]);
    let words = NdReduce::ALL.iter().map(|word| word.parts());
    let updates: Vec<_> = reductions.map(|update| (update, Factor::One)).collect();
    let updates: Vec<_> =
        updates.into_iter().chain(words.map(|(reduce, factor)| (reduce.into(), factor))).collect();
    let (update, factor) = updates[numbers.below(updates.len() as u64) as usize];
    (update, if numbers.below(4) == 0 { Factor::Alpha(1.5.into()) } else { factor })
}

/// A random scatter, or in one of six cases a gather, along a dimension, of slices, of tuples or of rows, with many duplicates.
fn random_scatter(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let rank = 1 + numbers.below(3) as usize;
    let table: Vec<usize> = (0..rank).map(|_| 1 + numbers.below(4) as usize).collect();
    let dim = numbers.below(rank as u64) as usize;
    let out_of_range =
        numbers.pick(&[OutOfRange::Raise, OutOfRange::Raise, OutOfRange::Drop, OutOfRange::Clip]);
    let mode = IndexMode { out_of_range, ignored: numbers.pick(&[None, None, Some(0), Some(-1), Some(99)]) };
    let form = numbers.pick(&[
        Form::Along(dim as i64),
        Form::Along(dim as i64),
        Form::Slices(dim as i64),
        Form::Tuples,
        Form::Rows,
        Form::Planned(dim as i64),
    ]);
    let count = 1 + numbers.below(7) as usize;
    let depth = 1 + numbers.below(rank as u64) as usize;
    let Shapes { index, mut src, bounds } = Shapes::new(form, &table, count, depth, seed.is_multiple_of(5));
    let mut entry = |k: usize| {
        let bound = bounds[k % bounds.len()] as i64;
        if let Some(ignored) = mode.ignored
            && numbers.below(4) == 0
        {
            return ignored;
        }
        let is_outside = mode.out_of_range != OutOfRange::Raise && numbers.below(4) == 0;
        // In range are −bound to bound − 1.
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
    let (update, factor) = random_update(&mut numbers);
    // Along a dimension src may be larger than the index.
    if matches!(form, Form::Along(_) | Form::Planned(_)) {
        for len in &mut src {
            *len += usize::from(numbers.below(4) == 0);
        }
    }
    let mut operands = vec![values(dtype, &table, &mut numbers)];
    // Without src the call takes a scalar.
    if numbers.below(5) > 0 {
        operands.push(values(dtype, &src, &mut numbers));
    }
    let cotangent = values(dtype, &table, &mut numbers);
    let text = format!("{form:?} {update:?} {factor:?} {mode:?} of {operands:?} at {index:?}");
    Call { text, operands, index, cotangent, kind: Kind::Scatter(form, update, factor, mode) }
}

/// The operators on two tensors, by Paddle's rule and by NumPy's.
const PAIRS: [[Op; 2]; 6] = [
    [Op::ElementwiseMul, Op::Mul],
    [Op::ElementwiseAdd, Op::Add],
    [Op::ElementwiseSub, Op::Sub],
    [Op::ElementwiseDiv, Op::Div],
    [Op::ElementwiseMax, Op::Maximum],
    [Op::ElementwiseMin, Op::Minimum],
];

/// Values that an operation can take second: divisors are not near zero, and no value is one of the first operand.
fn second_values(op: Op, dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Data {
    let data = values(dtype, dims, numbers);
    let offset = match op.binary() {
        Binary::Divide(_) => 6.0,
        Binary::Maximum | Binary::Minimum => 1.0 / 256.0,
        Binary::Add | Binary::Subtract | Binary::Multiply => return data,
    };
    Data::of(&data.tensor().add(&Tensor::full(&[], offset, dtype).unwrap()).unwrap())
}

/// A random operation on two tensors: by Paddle's rule, where y has some of the dimensions of x, or by NumPy's, where either may repeat its own.
fn random_pair(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let [aligned, broadcast] = PAIRS[numbers.below(PAIRS.len() as u64) as usize];
    let rank = 1 + numbers.below(4) as usize;
    let mut x: Vec<usize> = (0..rank).map(|_| 1 + numbers.below(4) as usize).collect();
    let (y, kind) = if numbers.below(2) == 0 {
        // y has some dimensions of x in a row, from the axis on.
        let start = numbers.below(rank as u64) as usize;
        let end = start + 1 + numbers.below((rank - start) as u64) as usize;
        (x[start..end].to_vec(), Kind::Aligned(aligned, start as i64, None))
    } else {
        let mut y: Vec<usize> = x.clone();
        for d in 0..rank {
            match numbers.below(4) {
                0 => x[d] = 1,
                1 => y[d] = 1,
                _ => {}
            }
        }
        // y lacks some of the leading dimensions.
        (y.split_off(numbers.below(rank as u64) as usize), Kind::Broadcast(broadcast))
    };
    let operands = vec![values(dtype, &x, &mut numbers), second_values(broadcast, dtype, &y, &mut numbers)];
    let out = operands[0].tensor().mul(&operands[1].tensor());
    // The shape of the result, which `mul` knows for NumPy's rule; by Paddle's it is that of x.
    let dims = match kind {
        Kind::Broadcast(_) => out.unwrap().shape().dims().to_vec(),
        _ => x,
    };
    let cotangent = values(dtype, &dims, &mut numbers);
    let text = format!("{broadcast:?} of {operands:?}");
    Call { text, operands, index: Data::new::<i32>(&[0], &[]), cotangent, kind }
}

/// A random `gather_nd` with one batch dimension: three entries for each batch.
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

/// A random `segment_reduce` of rows with two elements in four segments. A segment may be empty.
fn random_segments(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let lengths: Vec<i64> = (0..4).map(|_| numbers.below(4) as i64).collect();
    let rows = lengths.iter().sum::<i64>() as usize;
    let reduction = Reduction::ALL[numbers.below(Reduction::ALL.len() as u64) as usize];
    let initial = [None, Some(0.7)][numbers.below(2) as usize];
    let operands = vec![values(dtype, &[rows, 2], &mut numbers)];
    let cotangent = values(dtype, &[4, 2], &mut numbers);
    // Without rows the result of a mean is NaN, from which there are no differences.
    let initial = if reduction == Reduction::Mean { Some(0.7) } else { initial };
    let initial = if lengths.contains(&0) { Some(0.7) } else { initial };
    let text = format!("{reduction:?} of {operands:?} in {lengths:?} from {initial:?}");
    let kind = Kind::Segments(reduction, initial);
    Call { text, operands, index: Data::new(&[4], &lengths), cotangent, kind }
}

/// A random `take_along_dim`, along a dimension or of the flat tensor.
fn random_take(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let operands = vec![values(dtype, &[3, 4], &mut numbers)];
    let dim = [None, Some(1)][numbers.below(2) as usize];
    let (dims, most): (&[usize], u64) = if dim.is_some() { (&[3, 5], 4) } else { (&[7], 12) };
    let entries: Vec<i64> = (0..dims.iter().product()).map(|_| numbers.below(most) as i64).collect();
    let index = Data::new(dims, &entries);
    let cotangent = values(dtype, dims, &mut numbers);
    let text = format!("take_along_dim {dim:?} of {operands:?} at {index:?}");
    Call { text, operands, index, cotangent, kind: Kind::TakeAlong(dim) }
}

/// A random reduction along dimensions.
fn random_dims(dtype: DType, seed: u64) -> Call {
    let mut numbers = Numbers(seed);
    let shape: Vec<usize> = (0..1 + numbers.below(4)).map(|_| 1 + numbers.below(4) as usize).collect();
    let named = (0..shape.len() as i64).filter(|_| numbers.below(2) == 0).collect();
    let dims: Option<Vec<i64>> = if numbers.below(4) == 0 { None } else { Some(named) };
    let along = numbers.pick(&[Along::Sum, Along::Prod, Along::Mean, Along::Amax, Along::Amin]);
    let keepdim = numbers.below(2) == 0;
    let operands = vec![values(dtype, &shape, &mut numbers)];
    let out = operands[0].tensor().sum(dims.as_deref(), keepdim, None).unwrap();
    let cotangent = values(dtype, out.shape().dims(), &mut numbers);
    let text = format!("{along:?} of {operands:?} along {dims:?}");
    let kind = Kind::Dims(along, dims, keepdim);
    Call { text, operands, index: Data::new::<i32>(&[0], &[]), cotangent, kind }
}

/// A random call on operands of `dtype`. The seed decides everything, its remainder by 8 which kind of call it is.
pub(super) fn random_call(dtype: DType, seed: u64) -> Call {
    match seed % 8 {
        0 | 1 => random_pair(dtype, seed),
        2 if seed % 24 == 2 => random_batches(dtype, seed),
        2 if seed % 24 == 10 => random_segments(dtype, seed),
        2 => random_take(dtype, seed),
        3 => random_dims(dtype, seed),
        _ => random_scatter(dtype, seed),
    }
}
