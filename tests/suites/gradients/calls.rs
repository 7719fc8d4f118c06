//! Random calls whose operands have gradients.

use scatterwise::{
    Activation, DType, Factor, Gather, IndexPlan, NdReduce, Op, OutOfRange, Reduction, Result, Scatter,
    Target, Tensor, elementwise_mul, elementwise_mul_vjp,
};

use crate::common::data::Data;
use crate::common::pairs::Numbers;

/// A call of some operator on operands that have gradients.
pub(super) struct Call {
    /// For messages.
    pub(super) text: String,
    /// What gradients are with respect to.
    pub(super) operands: Vec<Data>,
    /// The index; empty for a multiply.
    pub(super) index: Data,
    pub(super) cotangent: Data,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Scatter(Form, scatterwise::Update, Factor, OutOfRange),
    Gather(Form, OutOfRange),
    Batches(usize),
    Multiply(i64, Option<Activation>),
    Mul,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
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
    pub(super) fn result(&self, operands: &[Tensor], index: &Tensor) -> Result<Tensor> {
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
pub(super) fn values(dtype: DType, dims: &[usize], numbers: &mut Numbers) -> Data {
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

pub(super) fn product(dims: &[usize]) -> usize {
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

pub(super) fn random_call(dtype: DType, seed: u64) -> Call {
    match seed % 8 {
        0 | 1 => random_multiply(dtype, seed),
        2 => random_batches(dtype, seed),
        _ => random_scatter(dtype, seed),
    }
}
