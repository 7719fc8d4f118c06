//! Reductions along dimensions: which elements of self make one element of the result.

use crate::plan::checks;
use crate::plan::getters::getters;
use crate::plan::{Axis, Op, Operand, Reduce, Rule, Sum, wrong_dtype, wrong_value};
use crate::words::words;
use crate::{DType, Error, ErrorCode, FactValue, MAX_OP_RANK, PerDim, Result, Shape, reserved};

words! {
    /// A reduction along dimensions.
    Along,
    /// The operator.
    pub op: Op;
    /// The sum. Of floats it is exact and rounded once; integers wrap, bool and those narrower than 64 bits in 64 bits.
    Sum = "sum" => Op::Sum;
    /// The product, of floats in row-major order, rounded after each step. Its dtype is that of a sum.
    Prod = "prod" => Op::Prod;
    /// The exact sum divided by the number of its terms, rounded once. Only floats have it.
    Mean = "mean" => Op::Mean;
    /// The largest element. NaN wins, and −0 < +0.
    Amax = "amax" => Op::Amax;
    /// The smallest element.
    Amin = "amin" => Op::Amin;
    /// The position of the first element that equals the largest, or of the first NaN.
    Argmax = "argmax" => Op::Argmax;
    /// The same for the smallest.
    Argmin = "argmin" => Op::Argmin;
}

impl Along {
    /// How two elements are combined. Positions are those of a maximum or minimum.
    pub(crate) const fn reduce(self) -> Reduce {
        match self {
            Self::Sum | Self::Mean => Reduce::Add,
            Self::Prod => Reduce::Multiply,
            Self::Amax | Self::Argmax => Reduce::Maximum,
            Self::Amin | Self::Argmin => Reduce::Minimum,
        }
    }

    /// The dtype in which elements of a dtype are combined if the call names none.
    const fn dtype_of(self, dtype: DType) -> DType {
        match self {
            Self::Sum | Self::Prod => dtype.of_sum(),
            Self::Mean | Self::Amax | Self::Amin | Self::Argmax | Self::Argmin => dtype,
        }
    }

    /// Whether the result has positions.
    pub(crate) const fn is_position(self) -> bool {
        matches!(self, Self::Argmax | Self::Argmin)
    }
}

/// A checked reduction along dimensions. Neighbouring dimensions of one kind are one loop, and those of size 1 are left out.
#[derive(Debug, Clone)]
pub(crate) struct DimsPlan {
    along: Along,
    /// The dtype of self.
    from: DType,
    /// The dtype in which elements are combined.
    dtype: DType,
    out_dtype: DType,
    out_shape: Shape,
    /// The loops over elements of the result, outermost first. Elements of the result lie in their order.
    kept: PerDim<Axis>,
    /// The loops over the terms of one element, outermost first.
    reduced: PerDim<Axis>,
    /// How many terms an element of the result has.
    terms: usize,
}

impl DimsPlan {
    /// The plan that reduces `dims` of a tensor, or all dimensions for `None`. `dtype` is that to which elements are converted first, but
    /// that of positions; `None` for NumPy's.
    pub(crate) fn new(
        along: Along,
        input: Operand<'_>,
        dims: Option<&[i64]>,
        keepdim: bool,
        dtype: Option<DType>,
    ) -> Result<Self> {
        let (op, shape) = (along.op(), input.shape);
        let own = along.dtype_of(input.dtype);
        let (dtype, out_dtype) = match along.is_position() {
            true => (own, dtype.unwrap_or(DType::Int64)),
            false => (dtype.unwrap_or(own), dtype.unwrap_or(own)),
        };
        let with_shape = |error: Error| error.shape("self", shape.dims());
        if along == Along::Mean && !dtype.is_float() {
            let text = format!(
                "a mean of {dtype} is no integer: convert first, by {{ dtype: 'float32' }} or self.astype('float32')"
            );
            return Err(with_shape(wrong_dtype(op, "self", dtype, text)));
        }
        checks::rank(op, "self", shape, 0..=MAX_OP_RANK).map_err(with_shape)?;
        let is_reduced = reduced_dims(op, shape, dims)?;
        let mut sizes: PerDim<usize> = PerDim::new();
        let mut terms = 1;
        for (&len, &is_reduced) in shape.dims().iter().zip(is_reduced.iter()) {
            terms *= if is_reduced { len } else { 1 };
            if !is_reduced || keepdim {
                sizes.push(if is_reduced { 1 } else { len });
            }
        }
        let out_shape = Shape::of_result(op.name(), &sizes)?;
        if terms == 0 && out_shape.size() > 0 && matches!(along.reduce(), Reduce::Maximum | Reduce::Minimum) {
            let text = format!(
                "self {shape} has no elements along the reduced dimensions, so none is the largest or smallest"
            );
            return Err(with_shape(op.error(Rule::Size, ErrorCode::ShapeMismatch, "self", text)));
        }
        let (kept, reduced) = loops(shape, &is_reduced);
        Ok(Self { along, from: input.dtype, dtype, out_dtype, out_shape, kept, reduced, terms })
    }

    getters! {
        pub(crate) along: Along, from: DType, dtype: DType, out_dtype: DType, terms: usize;
        out_shape: &Shape, kept: &[Axis], reduced: &[Axis]
    }

    /// The operator.
    pub(crate) fn op(&self) -> Op {
        self.along.op()
    }

    /// All loops, innermost first, each with whether it is over elements of the result.
    pub(crate) fn axes_from_inside(&self) -> impl Iterator<Item = (Axis, bool)> {
        let mut axes: PerDim<(Axis, bool)> = PerDim::new();
        self.kept.iter().for_each(|&axis| axes.push((axis, true)));
        self.reduced.iter().for_each(|&axis| axes.push((axis, false)));
        axes.sort_by_key(|(axis, _)| axis.stride);
        (0..axes.len()).filter_map(move |at| axes.get(at).copied())
    }

    /// The column of each element of self, in row-major order.
    pub(crate) fn columns(&self) -> Result<Vec<i32>> {
        let mut columns = reserved(self.op().name(), self.len())?;
        columns.push(0);
        let mut stride = 1;
        // Each axis repeats what those inside it have made.
        for (axis, is_kept) in self.axes_from_inside() {
            let inside = columns.len();
            for round in 1..axis.len {
                let shift = if is_kept { (round * stride) as i32 } else { 0 };
                columns.extend_from_within(..inside);
                columns.iter_mut().skip(round * inside).for_each(|column| *column += shift);
            }
            stride *= if is_kept { axis.len } else { 1 };
        }
        Ok(columns)
    }

    /// The number of elements of self.
    pub(crate) fn len(&self) -> usize {
        self.out_shape.size() * self.terms
    }

    /// Whether self has no elements.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Exact where terms go to the accumulators of exact sums. Other results do not depend on order.
    pub(crate) fn sum(&self) -> Sum {
        if self.along.reduce() == Reduce::Add && self.dtype.is_float() { Sum::Exact } else { Sum::Ordered }
    }

    /// Whether elements are integers that are added in a wider dtype.
    #[inline]
    pub(crate) fn widens(&self) -> bool {
        self.along == Along::Sum
            && !self.from.is_float()
            && !self.dtype.is_float()
            && self.from.size() < self.dtype.size()
    }

    /// Whether the order of the terms decides about bits: that is row-major.
    pub(crate) fn is_ordered(&self) -> bool {
        self.along == Along::Prod && self.dtype.is_float()
    }

    /// By what an exact sum is divided.
    pub(crate) fn divisor(&self) -> u64 {
        if self.along == Along::Mean { self.terms as u64 } else { 1 }
    }
}

/// For each dimension, whether it is reduced. A scalar counts as one element along one dimension.
fn reduced_dims(op: Op, shape: &Shape, dims: Option<&[i64]>) -> Result<PerDim<bool>> {
    let Some(dims) = dims else { return Ok(PerDim::filled(true, shape.rank())) };
    let mut is_reduced = PerDim::filled(false, shape.rank().max(1));
    for &dim in dims {
        let axis = checks::axis(op, "self", shape, dim)?;
        match is_reduced.get_mut(axis) {
            Some(slot) if !*slot => *slot = true,
            _ => {
                let text = format!("dim names dimension {axis} twice; each may be named once");
                let error = wrong_value(op, "dim", text).dim(dim).value(FactValue::Int(dim));
                return Err(error.shape("self", shape.dims()));
            }
        }
    }
    Ok(is_reduced)
}

/// The loops over kept and over reduced dimensions.
fn loops(shape: &Shape, is_reduced: &[bool]) -> (PerDim<Axis>, PerDim<Axis>) {
    let mut lists = [PerDim::new(), PerDim::new()];
    let (mut stride, mut inner) = (1, None);
    for (&len, &kind) in shape.dims().iter().zip(is_reduced).rev().filter(|(len, _)| **len != 1) {
        let [kept, reduced] = &mut lists;
        let axes: &mut PerDim<Axis> = if kind { reduced } else { kept };
        match axes.last_mut().filter(|_| inner == Some(kind)) {
            Some(axis) => axis.len *= len,
            None => axes.push(Axis { len, stride }),
        }
        (stride, inner) = (stride * len, Some(kind));
    }
    lists.iter_mut().for_each(|axes| axes.reverse());
    let [kept, reduced] = lists;
    (kept, reduced)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_loop() {
        let shape = Shape::new("test", &[2, 1, 3, 4, 5]).unwrap();
        let input = Operand { shape: &shape, dtype: DType::Int32 };
        let plan = |dims| DimsPlan::new(Along::Sum, input, dims, false, None).unwrap();
        let axis = |len, stride| Axis { len, stride };
        let some = plan(Some(&[-1, 0]));
        assert_eq!((some.kept(), some.reduced()), (&[axis(12, 5)][..], &[axis(2, 60), axis(5, 1)][..]));
        assert_eq!((some.out_shape().dims(), some.terms()), (&[1, 3, 4][..], 10));
        assert_eq!((plan(None).kept(), plan(None).reduced()), (&[][..], &[axis(120, 1)][..]));
        assert_eq!((plan(Some(&[])).kept(), plan(Some(&[1])).terms()), (&[axis(120, 1)][..], 1));
    }
}
