//! Random calls whose operands have gradients.

use scatterwise::{
    Activation, Along, Binary, DType, Factor, Gather, IndexMode, IndexPlan, NdReduce, Op, OutOfRange,
    Reduction, Result, Scatter, Segments, Sum, Target, Tensor, activate, activate_vjp, broadcast_vjp,
    elementwise_add, elementwise_div, elementwise_max, elementwise_min, elementwise_mul, elementwise_sub,
    elementwise_vjp, segment_reduce, segment_reduce_vjp,
};

use crate::common::data::Data;
use crate::common::pairs::Numbers;

/// A call of some operator on operands that have gradients.
pub(super) struct Call {
    /// For messages.
    pub(super) text: String,
    /// The operands with gradients: the table or x; then src or y, if the call has one. A scatter without src takes a scalar.
    pub(super) operands: Vec<Data>,
    /// The index, or the lengths of segments; empty for an operation on two tensors.
    pub(super) index: Data,
    /// The weights of the elements of the result, whose weighted sum is differentiated.
    pub(super) cotangent: Data,
    pub(super) kind: Kind,
}

/// Which operator is called.
pub(super) enum Kind {
    Scatter(Form, scatterwise::Update, Factor, IndexMode),
    Gather(Form, IndexMode),
    /// `gather_nd`, with that many batch dimensions.
    Batches(usize),
    /// `elementwise_mul` or a sibling, with its axis.
    Aligned(Op, i64, Option<Activation>),
    /// `mul` or a sibling.
    Broadcast(Op),
    Activate(Activation),
    /// With the initial value.
    Segments(Reduction, Option<f64>),
    /// `take_along_dim`, with its dim.
    TakeAlong(Option<i64>),
    /// A reduction along some dims or all, and whether these are kept.
    Dims(Along, Option<Vec<i64>>, bool),
}

/// How an index names places; the number is the dimension.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// An entry for each element, as in `scatter_`.
    Along(i64),
    /// An entry for each slice, as in `index_add`.
    Slices(i64),
    /// Index tuples.
    Tuples,
    /// An entry for each row, as in `scatter_mul`.
    Rows,
    /// As `Along`, by a prepared index.
    Planned(i64),
}

impl Form {
    /// Where a call with this index works on a table of shape `dims`.
    fn target(self, dims: &[usize], index: &Tensor, mode: IndexMode) -> Result<Target> {
        Ok(match self {
            Self::Along(dim) => Target::along(dim, index),
            Self::Slices(dim) => Target::slices(dim, index),
            Self::Tuples | Self::Rows => Target::tuples(index),
            Self::Planned(dim) => Target::from(&IndexPlan::along_with(dims, dim, index, mode)?),
        })
    }
}

impl Call {
    /// The result of the call on these operands, which are `self.operands` or others of the same shapes.
    pub(super) fn result(&self, operands: &[Tensor], index: &Tensor) -> Result<Tensor> {
        match &self.kind {
            Kind::Scatter(..) => {
                let mut table = operands[0].clone();
                self.scatter(operands, index)?.run(&mut table)?;
                Ok(table)
            }
            Kind::Gather(..) | Kind::Batches(_) => self.gather(operands, index)?.run(&operands[0]),
            Kind::Aligned(op, axis, act) => {
                let function = match op {
                    Op::ElementwiseAdd => elementwise_add,
                    Op::ElementwiseSub => elementwise_sub,
                    Op::ElementwiseDiv => elementwise_div,
                    Op::ElementwiseMax => elementwise_max,
                    Op::ElementwiseMin => elementwise_min,
                    _ => elementwise_mul,
                };
                function(&operands[0], &operands[1], *axis, *act)
            }
            Kind::Broadcast(op) => {
                let (x, y) = (&operands[0], &operands[1]);
                match op {
                    Op::Add => x.add(y),
                    Op::Sub => x.sub(y),
                    Op::Div => x.div(y, None),
                    Op::Maximum => x.maximum(y),
                    Op::Minimum => x.minimum(y),
                    _ => x.mul(y),
                }
            }
            Kind::Activate(act) => activate(&operands[0], *act),
            Kind::Segments(reduction, initial) => {
                let lengths = Segments::Lengths(index);
                segment_reduce(&operands[0], *reduction, Sum::Ordered, lengths, initial.map(Into::into))
            }
            Kind::TakeAlong(dim) => operands[0].take_along_dim(index, *dim),
            Kind::Dims(along, dims, keepdim) => match along {
                Along::Sum => operands[0].sum(dims.as_deref(), *keepdim, None),
                Along::Mean => operands[0].mean(dims.as_deref(), *keepdim, None),
                Along::Amax => operands[0].amax(dims.as_deref(), *keepdim),
                _ => operands[0].amin(dims.as_deref(), *keepdim),
            },
        }
    }

    /// The gradients of the sum of the result times `cotangent`, one for each operand.
    pub(super) fn gradients(
        &self,
        operands: &[Tensor],
        index: &Tensor,
        cotangent: &Tensor,
    ) -> Result<Vec<Tensor>> {
        Ok(match &self.kind {
            Kind::Scatter(..) => {
                let gradients = self.scatter(operands, index)?.vjp(&operands[0], cotangent)?;
                [gradients.table].into_iter().chain(gradients.src).collect()
            }
            Kind::Gather(..) | Kind::Batches(_) => {
                vec![self.gather(operands, index)?.vjp(&operands[0], cotangent, Sum::Ordered)?]
            }
            Kind::Aligned(op, axis, act) => {
                elementwise_vjp(*op, &operands[0], &operands[1], *axis, *act, cotangent, Sum::Ordered)?.into()
            }
            Kind::Broadcast(op) => {
                broadcast_vjp(*op, &operands[0], &operands[1], None, cotangent, Sum::Ordered)?.into()
            }
            Kind::Activate(act) => vec![activate_vjp(&operands[0], *act, cotangent)?],
            Kind::Segments(reduction, initial) => {
                let (lengths, initial) = (Segments::Lengths(index), initial.map(Into::into));
                vec![segment_reduce_vjp(&operands[0], *reduction, lengths, initial, cotangent)?]
            }
            Kind::Dims(along, dims, keepdim) => {
                vec![operands[0].reduce_vjp(*along, dims.as_deref(), *keepdim, None, cotangent)?]
            }
            // As the package makes it of a gather.
            Kind::TakeAlong(dim) => {
                let (table, flat) = match dim {
                    Some(_) => (operands[0].clone(), index.clone()),
                    None => (operands[0].reshape(&[operands[0].size()])?, index.reshape(&[index.size()])?),
                };
                let gather = Gather::new(Op::TakeAlongDim, Target::along(dim.unwrap_or(0), &flat));
                vec![gather.vjp(&table, cotangent, Sum::Ordered)?.reshape(operands[0].shape().dims())?]
            }
        })
    }

    /// The call of a `Kind::Scatter`, by the rules of `scatter_nd`: by those of `scatter_`, gradients of reductions are zeros.
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

    /// The call of a `Kind::Gather` or `Kind::Batches`.
    fn gather(&self, operands: &[Tensor], index: &Tensor) -> Result<Gather> {
        match self.kind {
            Kind::Gather(form, mode) => {
                let target = form.target(operands[0].shape().dims(), index, mode)?;
                Ok(Gather { mode, ..Gather::new(Op::Gather, target) })
            }
            Kind::Batches(batch_dims) => Ok(Gather::new(Op::GatherNd, Target::batched(index, batch_dims))),
            _ => unreachable!("a gather"),
        }
    }
}

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

/// A random `segment_reduce`: rows of two elements in four segments, some of which may have none.
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
    let along = numbers.pick(&[Along::Sum, Along::Mean, Along::Amax, Along::Amin]);
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
